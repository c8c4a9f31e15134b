# The program as a whole: help, version, the report without a terminal, streams, locale.
. "$srcdir/tests/cli/lib.sh"

good "--version" --version
is "$(grep -cE '^aolag [0-9]+\.[0-9]+\.[0-9]+$' "$out")" 1 "prints it"
good "--help" --help
cp "$out" help
commands=$(sed -n '/^Commands;/,/^Options:/s/^  \([a-z][a-z]*\) .*/\1/p' help)
is "$(echo "$commands" | sort)" \
    "$(cd "$srcdir/man" && echo aolag-*.1.in | tr ' ' '\n' | sed 's/aolag-\(.*\)\.1\.in/\1/' | sort)" \
    "help names all commands that have a manual page"
for command in $commands; do
    good "$command --help" "$command" --help
    has "Usage: aolag $command" "$command --help has its usage"
    is "$(awk 'length($0) > 80' "$out")" "" "$command --help fits"
done
run eval --help
for option in --csv --help --json --set --strict; do
    has " $option" "eval --help names $option"
done
good "an abbreviated --help" --he
good "-h" -h
succeeds "is --help" cmp "$out" help
good "help" help
succeeds "is --help" cmp "$out" help
good "-V" -V
is "$(cat "$out")" "$("$AOLAG" --version)" "is --version"
for command in $commands; do
    good "help $command" help "$command"
    is "$("$AOLAG" "$command" --help)" "$(cat "$out")" "help $command is $command --help"
    is "$("$AOLAG" "$command" -h)" "$(cat "$out")" "$command -h, too"
done
bad 2 "unknown command \"evla\"; did you mean eval?" "help with a misspelt command" help evla

# A synopsis has "-" where the command reads standard input.
bench_scenario >bench.ini
for words in - "eval -" "advise -" "sensor -" "flow -" "loop -" "compare - bench.ini" "compare bench.ini -" "explain latency -" \
    "plot components -" "plot compare - bench.ini" "rank cpu -" "screen -" \
    "seek scenario.packets - --until latency<1s" "sweep scenario.packets=1,4 -"; do
    # shellcheck disable=SC2086
    "$AOLAG" $words <bench.ini >"$out" 2>"$err"
    is "$? $(cat "$err")" "0 " "standard input: $words"
    case $words in -) command= ;; *) command=${words%% *} ;; esac
    # shellcheck disable=SC2086
    is "$("$AOLAG" $command --help | grep -E '^(Usage|   or): ' | grep -vEc -e '\|-|plot machine')" 0 \
        "the synopsis says so: $words"
done
for command in fit import jitter merge; do
    "$AOLAG" $command - </dev/null >"$out" 2>"$err"
    is "$(grep -c "standard input:" "$err")" 1 "standard input: $command"
    is "$("$AOLAG" $command --help | grep '^Usage: ' | grep -vFc -e '|-')" 0 "the synopsis says so: $command"
done

good "the report without a terminal" </dev/null
cp "$out" report
run eval
succeeds "is that of eval" cmp report "$out"
good "of another design" saxo
good "with --set" --set scenario.frame_rate=750Hz
has "750 Hz" "the value set"
bad 2 "unknown option --jsn" "an unknown option" --jsn
bad 2 'unknown command "evla"; did you mean eval?' "a misspelt command" evla elt-scao
bad 2 'file "evaluate"; did you mean the command eval?' "a longer word" evaluate
bad 2 '"aolag help" lists the commands, "aolag presets list ao" the presets' "nothing near" sensitivity
bad 1 '"nosuchthing"; "aolag presets list ao" lists the presets' "no design near" eval nosuchthing
bad 2 'there is no command, AO preset or file "evla"; did you mean the command eval?' \
    "a misspelt command alone" evla
bad 2 "after the command" "an option before a command" --set ao.modes=1 eval
bad 1 "AO preset or file" "an unknown file after --" -- nosuch

exits_quietly() {
    is "$1 $(cat "$err")" "$2 $3" "$4"
}
if [ -c /dev/full ]; then
    for words in "eval" "eval --json" "eval --csv" "params" "presets" "presets show saxo" --help \
        "screen --keys /dev/null" "screen --svg -"; do
        # shellcheck disable=SC2086
        "$AOLAG" $words >/dev/full 2>"$err"
        exits_quietly $? 1 "aolag: cannot write standard output: No space left on device" \
            "a full disk: $words"
    done
else
    skip "a full disk" "no /dev/full"
fi
"$AOLAG" eval >&- 2>"$err"
exits_quietly $? 1 "aolag: cannot write standard output: Bad file descriptor" \
    "a closed standard output"
"$AOLAG" eval - <&- >"$out" 2>"$err"
is $? 1 "a closed standard input"
into_nothing() {
    rm -f "$TMPDIR/left"
    {
        until [ -e "$TMPDIR/left" ]; do sleep 0.01; done
        "$AOLAG" presets --json 2>"$err"
        echo $? >"$TMPDIR/status"
    } | {
        exec <&-
        : >"$TMPDIR/left"
    }
}
into_nothing
is "$(cat "$TMPDIR/status") $(cat "$err")" "141 " "a reader that leaves"
(
    trap '' PIPE
    into_nothing
)
is "$(cat "$TMPDIR/status") $(cat "$err")" "1 " "a reader that leaves, SIGPIPE ignored"

escape=$(printf '\033')
if command -v script >/dev/null; then
    on_terminal() {
        "$@" script -qec "'$AOLAG' eval" /dev/null </dev/null
    }
    is "$(on_terminal env | grep -c "$escape" | sed 's/[1-9][0-9]*/some/')" some \
        "colours on a terminal"
    is "$(on_terminal env NO_COLOR=1 | grep -c "$escape")" 0 "none with NO_COLOR"
    is "$(on_terminal env NO_COLOR= | grep -c "$escape" | sed 's/[1-9][0-9]*/some/')" some \
        "an empty NO_COLOR says nothing"
    is "$(on_terminal env TERM=dumb | grep -c "$escape")" 0 "none on a dumb terminal"
else
    skip "colours on a terminal" "no script(1)"
fi
is "$(grep -c "$escape" report)" 0 "no colours elsewhere"

LC_ALL=C "$AOLAG" eval >"$out"
is "$(LC_ALL=C tr -d '\n -~' <"$out" | wc -c | tr -d ' ')" 0 "ASCII where the locale has no UTF-8"
has " us" "with us for microseconds"
if [ -d "${COMMA_LOCPATH:-/nonexistent}/de_DE.UTF-8" ]; then
    for words in eval "eval --json" "eval --csv" params "params device --json" "presets --json" \
        "eval --json --set device.rtc.clock=2.5GHz"; do
        # shellcheck disable=SC2086
        "$AOLAG" $words >point
        # shellcheck disable=SC2086
        LOCPATH=$COMMA_LOCPATH LC_ALL=de_DE.UTF-8 "$AOLAG" $words >comma
        succeeds "a locale with a comma: $words" cmp point comma
    done
    succeeds "the locale is there" env LOCPATH="$COMMA_LOCPATH" LC_ALL=de_DE.UTF-8 locale charmap
else
    skip "a locale with a comma" "it could not be made"
fi

# The linker's tables are read-only once the program runs; the stack is checked, unless a sanitizer
# does so.
if command -v readelf >/dev/null && command -v nm >/dev/null; then
    succeeds "symbols are bound at the start" sh -c "readelf -d '$AOLAG' | grep -q BIND_NOW"
    succeeds "and then read-only" sh -c "readelf -lW '$AOLAG' | grep -q GNU_RELRO"
    sanitized || succeeds "the stack is protected" \
        sh -c "nm -D '$AOLAG' | grep -q __stack_chk_fail"
else
    skip "hardening" "binutils are not there"
fi

finish
