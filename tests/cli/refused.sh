# Words that aolag refuses: rows of tests/data/rows/refused.txt, with the exit status, text that the
# message holds, what is wrong, and the words as a shell reads them. Nothing is printed then.
. "$srcdir/tests/cli/lib.sh"
XDG_STATE_HOME=$TMPDIR/state
export XDG_STATE_HOME
rows=$srcdir/tests/data/rows/refused.txt

# field N ROW, without blanks around it
field() {
    printf '%s\n' "$2" | awk -F ' [|] ' -v n="$1" '{ gsub(/^ +| +$/, "", $n); print $n }'
}

command=
while IFS= read -r row; do
    case $row in
    '#'* | '') continue ;;
    '['*)
        command=${row#?}
        command=${command%?}
        continue
        ;;
    esac
    expected=$(field 1 "$row") text=$(field 2 "$row") what=$(field 3 "$row") words=$(field 4 "$row")

    eval "set -- $words"
    bad "$expected" "$text" "$command: $what" "$command" "$@" </dev/null
done <"$rows"
is "$(grep -cE '^[0-9]' "$rows" | awk '{ print ($1 > 150) }')" 1 "all rows are read"

finish
