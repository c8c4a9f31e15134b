# Limits of resources: what fails says why, and nothing that exists is lost.
. "$srcdir/tests/cli/lib.sh"

bench_scenario >bench.ini

# limited OPTION VALUE WORDS...: runs the program under a limit of ulimit, with pipes as its streams,
# which a limit of file sizes does not concern.
limited() {
    option=$1 value=$2
    shift 2
    { {
        (
            exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- # those of make count, too
            ulimit "$option" "$value"
            exec "$AOLAG" "$@"
        )
        echo $? >&2
    } | cat >"$out"; } 2>&1 | cat >"$err"
    status=$(tail -n 1 "$err")
    sed -i '$d' "$err"
}

limited -f 0 eval ./bench.ini
is "$status" 0 "a limit of file sizes does not concern pipes"
has "a small bench" "where the report appears"

echo old >report.md
limited -f 0 eval ./bench.ini --markdown -o report.md
is "$status $(cat report.md)" "1 old" "a report that is too large leaves the old one"
is "$(cat "$err")" "aolag: report-timeline.svg: cannot be written: File too large" "and says why"
is "$(find . -name '.aolag*' -o -name '*.svg')" "" "and leaves nothing"

printf '%s\n' : 'text set scenario.packets=40' Enter s wait screen >keys
limited -f 0 screen ./bench.ini --keys keys
is "$(grep -c 'File too large' "$out")" 1 "a scenario that cannot be saved is told on the screen"
is "$(grep packets bench.ini)" "packets = 20" "and the file is as it was"

# Sanitizers need more address space than a process is allowed here.
if ! sanitized; then
    limited -s 512 eval ./bench.ini
    is "$status $(cat "$err")" "1 aolag: the stack is limited to 512 KiB, and 1024 KiB are needed (ulimit -s)" \
        "so is a small stack"
    limited -s 64 eval ./bench.ini
    is "$status $(wc -l <"$err")" "1 1" "and a tiny one"
    bad=
    kib=7000
    while [ "$kib" -lt 16000 ]; do
        for words in "eval ./bench.ini" "explain latency_high saxo --all" "advise saxo" \
            "trace --from $TESTDATA/lackey.txt -o -"; do
            # shellcheck disable=SC2086
            limited -v "$kib" $words
            [ "$status" -eq 0 ] || { [ "$status" -lt 128 ] && [ "$(wc -l <"$err")" -eq 1 ]; } ||
                bad="$bad $words with $kib KiB: $status, $(cat "$err");"
        done
        kib=$((kib + 317))
    done
    is "$bad" "" "a limit of the address space is one sentence, or is enough"
    yes "$(cat "$TESTDATA/lackey.txt")" | head -c 40000000 >lackey
    limited -v 30000 trace --cache 1KiB --from "$PWD/lackey" -o -
    is "$status $(cat "$err") $(grep -c instr "$out")" "0  4" "a trace is read as it comes"
    limited -v 30000 screen saxo
    is "$(wc -l <"$err")" 1 "so is one of threads that a screen needs"
    limited -v 48000 screen saxo
    is "$status $(cat "$err")" "0 " "whose stacks are small"
else
    skip "a limit of the address space" "a sanitizer needs more"
fi

mkdir -p "$HOME/.config/aolag/presets"
cp bench.ini "$HOME/.config/aolag/presets/mine.ini"
limited -n 4 eval mine
is "$status $(cat "$err")" \
    "1 aolag: cannot open $HOME/.config/aolag/presets/mine.ini: Too many open files" \
    "a preset that cannot be opened is not taken for one that does not exist"
limited -n 4 eval ./bench.ini
is "$status $(cat "$err")" "0 " "a file needs one descriptor"
mkdir bin
printf '#!/bin/sh\n' >bin/valgrind
chmod +x bin/valgrind
PATH=$PWD/bin:$PATH
limited -n 8 trace -o trace.csv -- true
is "$status $(cat "$err")" "1 aolag: cannot start valgrind: Too many open files" "valgrind needs more"

finish
