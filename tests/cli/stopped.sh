# A signal ends a command with a sentence, never a part of its output without a word.
. "$srcdir/tests/cli/lib.sh"

slow=$srcdir/tests/data/slow_design.ini
# an eighth of its packets, for what evaluates it often
sed 's/^packets .*/packets = 256/' "$slow" >less.ini

# stopped SIGNAL NUMBER READING WORDS...: ends the command while it computes.
stopped() {
    signal=$1 number=$2 reading=$3
    shift 3
    counted 0.001 "$reading" "$number" "$@"
    is "$status $(cat "$err") $(wc -c <"$out")" \
        "$((128 + number)) aolag: stopped by a signal before its end; any output is a part 0" \
        "SIG$signal ends $1"
}

# A program that is traced and does not end stands in for valgrind. It prints more than a pipe holds, so that some
# is read before it says so. One that ignores the signal is ended, too.
mkdir bin
for trapped in '' INT; do
    rm -f traced
    cat >bin/valgrind <<END
#!/bin/sh
[ -z "$trapped" ] || trap '' $trapped
yes "\$(cat "$TESTDATA/lackey.txt")" | head -c 200000 >&9
: >traced
exec sleep 3600
END
    chmod +x bin/valgrind
    PATH=$PWD/bin:$PATH env --default-signal=INT "$AOLAG" trace --cache 1MiB -o trace.csv -- true >"$out" 2>"$err" &
    process=$!
    wait_for test -e traced
    kill -INT $process
    wait $process 2>/dev/null
    is "$? $(cat "$err")" "130 aolag: stopped by a signal; the trace ends there" \
        "SIGINT ends trace${trapped:+ of a program that ignores it}"
    succeeds "what was traced is kept" grep -q '^#' trace.csv
done

printf '%s\n' 6 wait screen >keys
stopped INT 2 100 compare "$slow" "$slow" --set scenario.packets=2047
stopped INT 2 100 eval "$slow"
stopped TERM 15 100 explain latency_high "$slow"
stopped HUP 1 100 plot advise "$slow"
stopped TERM 15 2 screen less.ini --keys keys
stopped INT 2 100 seek scenario.frame_rate "$slow"

# shows STEP READING TEXT MESSAGE DESIGN WORDS...: a terminal shows how much is done, until a signal ends the command.
shows() {
    step=$1 reading=$2 text=$3 message=$4 design=$5
    shift 5
    on_terminal "$step" "$reading" 2 "$*" "$design"
    is "$status $(grep -c "$text" shown | sed 's/[1-9].*/shown/') $(tr '\r' '\n' <shown |
        grep -o 'aolag: .*stopped.*' | sed 's/[0-9][0-9]*/N/g')" "130 shown aolag: $message" "$1 shows how much is done"
}

part="stopped by a signal before its end; any output is a part"
if command -v script >/dev/null; then
    shows 0.05 100 "% of the range of the latency" "$part" "$slow" eval
    shows 0.05 100 "% of the range of the latency" "$part" "$slow" explain latency_high
    shows 0.05 100 "% of the search" "$part" "$slow" seek scenario.frame_rate
    shows 0.05 100 "% of the points" "$part" "$slow" plot sweep scenario.packets=1:4000:400
    shows 0.05 100 "% of the steps" "$part" "$slow" plot advise
    shows 2 4 "computing .*range" "$part" less.ini screen
    shows 0.05 1000 "% of the presets; Ctrl-C keeps them" \
        "stopped: N presets not evaluated, and not all ranges found" "$slow" \
        rank cpu --set scenario.frame_rate=4 --json
    holds '.untried > 9 and (.presets | length) > 0 and .presets[0].latency_us > 0' "and what it has is printed"
    shows 0.05 40 "s left; Ctrl-C keeps the front so far" "stopped after N of N designs" less.ini \
        search --jobs 1 --objective latency --over scenario.packets=200:290 --set scenario.frame_rate=4 --json
    holds '.tried < .designs and .front[0].latency_us > 0' "and what it has is printed"
else
    skip "shown work" "there is no script"
fi

# A search says once that it was stopped: before its bound is known, while it is sought, or after.
for reading in 10 1100 10000; do
    counted 0.001 $reading 2 search --budget 604800 --bound --jobs 1 --over device.rtc=cpu --over device.gpu0=gpu \
        --over scenario.packets=1:4096:4096 --over device.rtc.clock=1GHz:4GHz:100 micado-scao
    is "$status $(grep -c '^aolag: stopped ' "$err") $(wc -l <"$err")" "130 1 1" "a search stopped at reading $reading of the clock"
done

# The rows of a sweep stay, although it is ended while it searches for cliffs.
counted 0.001 1000 2 sweep --jobs 1 scenario.packets=1,1000,1500,2000,2500,3000,3500,4000,4096 "$slow"
is "$status $(cat "$err") $(wc -l <"$out") $(tail -c 1 "$out" | od -An -c | tr -d ' ')" \
    "130 aolag: stopped in the search for cliffs; all rows are complete 10 \n" \
    "rows of a sweep stay"

# Nor is it kept from its end by a pipe that nobody reads: the rows that the pipe holds are complete. It has
# far more of them than the pipe holds, and is left until it waits, if the system says so.
cat >reader <<'END'
. "$srcdir/tests/tap.sh"
head -c 5000 >rows
wait_for test -e read
cat >>rows
END
{
    env --default-signal=INT sh -c 'echo $$ >pid; exec "$@"' sh "$AOLAG" sweep --jobs 1 --budget 604800 \
        ao.actuators=100:100100:100001 2>"$err"
    echo $? >ended
} | srcdir=$srcdir sh reader &
waits() {
    [ -s rows ] && case $(sed 's/.*) //' "/proc/$(cat pid)/stat" || echo S) in S*) ;; *) false ;; esac
}
wait_for waits && sleep 0.1 && wait_for waits
kill -INT "$(cat pid)"
wait_for test -s ended || kill -KILL "$(cat pid)"
: >read
wait $! 2>/dev/null
given=$(($(wc -l <rows) - 1))
is "$(cat ended) $(cat "$err") $(tail -c 1 rows | od -An -c | tr -d ' ')" \
    "130 aolag: stopped after $given of 100001 designs; their rows are complete \n" \
    "a sweep whose output nobody reads ends"

# A key that quits waits for nothing.
printf '%s\n' 6 q >keys
good "a script that quits" screen "$slow" --keys keys
is "$(grep -c 'Single-step changes .* computing' "$out")" 1 "prints what was there"

finish
