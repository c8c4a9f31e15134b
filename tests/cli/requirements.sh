# What the documents require that aolag implements: the rows of tests/requirements, whose README.md says
# how they are written.
. "$srcdir/tests/cli/lib.sh"

XDG_CONFIG_HOME=$TMPDIR/config
XDG_STATE_HOME=$TMPDIR/state
LC_ALL=C.UTF-8
export XDG_CONFIG_HOME XDG_STATE_HOME LC_ALL
cp -R "$TESTDATA" data && chmod -R u+w data || exit 99

# Filters see one object as it is and lines of objects as an array.
words='def near($a; $b): ($a - $b | fabs) <= 1e-9 * ($b | fabs);
       def component($name): .components[] | select(.name == $name);
       def device($name): .devices[] | select(.name == $name);
       def rounds($digits): ($digits | split("e")) as $parts |
           pow(10; ($parts[1] // "0" | tonumber) - ($parts[0] | split(".")[1] // "" | length)) as $last |
           (. - ($digits | tonumber) | fabs) <= 0.500001 * $last;'

# filter TEXT: jq finds it true of the output
filter() {
    jq -se "$words"' if length == 1 then .[0] else . end | '"$1" "$out" >"$TMPDIR/jq" 2>&1
}

# execute: the command that waits, with its input
execute() {
    [ -n "$command" ] || return 0
    eval "run $command" <input
    tr -s ' ' <"$out" >squeezed
    ran=$command command=
}

# close_row: reports the row before
close_row() {
    [ -n "$row" ] || return 0
    [ "$checks" -gt 0 ] || trouble="nothing is checked"
    rows=$((rows + 1))
    [ "$status" -eq "$wanted" ] || trouble="status $status"
    if [ -z "$trouble" ]; then
        pass "$document: $row$mark"
    else
        fail "$document: $row$mark" "tests/requirements/rows.txt:$at: $trouble
aolag $ran
$(shown)"
    fi
    row=
}

# check WORD TEXT
check() {
    checks=$((checks + 1))
    case $1 in
    text) grep -qF -e "$2" squeezed || trouble="not printed: $2" ;;
    lacks) ! grep -qF -e "$2" squeezed || trouble="printed: $2" ;;
    error)
        wanted=$status
        { [ "$status" -ne 0 ] && grep -qF -e "$2" "$err"; } || trouble="no such error: $2"
        ;;
    digits) filter "${2#* } | rounds(\"${2%% *}\")" || trouble="not $2: $(jq -sc "$words .[0] | ${2#* }" "$out" 2>&1)" ;;
    holds) filter "$2" || trouble="does not hold: $2" ;;
    corrected)
        checks=$((checks - 1))
        mark=" (corrected: $2)"
        ;;
    *) trouble="unknown word $1" ;;
    esac
}

rows=0 at=0 document='' command='' row='' ran='' status=0 file=/dev/null
: >squeezed
while IFS= read -r line <&3 || [ -n "$line" ]; do
    at=$((at + 1))
    case $line in
    '' | '#'*) ;;
    '== '*)
        close_row
        document=${line#== }
        ;;
    'file '*)
        close_row
        file=${line#file }
        : >"$file"
        ;;
    '! '*)
        close_row
        eval "${line#! }" || fail "${line#! }" "status $?"
        ;;
    '$ '*)
        close_row
        command=${line#\$ } file=input
        : >input
        ;;
    '> '* | '>') line=${line#>} && printf '%s\n' "${line# }" >>"$file" ;;
    '    '*)
        line=${line#    }
        check "${line%% *}" "${line#* }"
        ;;
    *)
        close_row
        execute
        row=$line checks=0 trouble='' mark='' wanted=0
        ;;
    esac
done 3<"$srcdir/tests/requirements/rows.txt"
close_row

finish
