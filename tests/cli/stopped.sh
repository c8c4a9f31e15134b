# A signal ends a command with a sentence, never a part of its output without a word.
. "$srcdir/tests/cli/lib.sh"

slow=$srcdir/tests/data/slow_design.ini
if ! env --default-signal=INT true 2>/dev/null || [ ! -r /proc/self/status ]; then
    skip "interruptions" "env cannot set signals, or there is no /proc"
    finish
fi

# Whether the process, once the shell's child has become the command, has a handler of the signal
# with that bit.
catches() {
    [ "$(cat "/proc/$1/comm" 2>/dev/null)" = aolag ] &&
        [ $((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null || echo 0) & $2)) -ne 0 ]
}

# stopped SIGNAL NUMBER WORDS...: ends the command while it computes, which takes seconds.
stopped() {
    signal=$1 number=$2
    shift 2
    env --default-signal=HUP,INT,TERM "$AOLAG" "$@" >"$out" 2>"$err" &
    process=$!
    waited=0
    until catches $process $((1 << (number - 1))) || [ $waited -eq 6000 ]; do
        waited=$((waited + 1))
        sleep 0.01
    done
    kill -"$signal" $process
    wait $process 2>/dev/null
    is "$? $(cat "$err") $(wc -c <"$out")" \
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
exec sleep 60
END
    chmod +x bin/valgrind
    PATH=$PWD/bin:$PATH env --default-signal=INT "$AOLAG" trace --cache 1MiB -o trace.csv -- true >"$out" 2>"$err" &
    process=$!
    waited=0
    until [ -e traced ] || [ $waited -eq 6000 ]; do
        waited=$((waited + 1))
        sleep 0.01
    done
    since=$(date +%s)
    kill -INT $process
    wait $process 2>/dev/null
    is "$? $(cat "$err") $(($(date +%s) - since < 30))" "130 aolag: stopped by a signal; the trace ends there 1" \
        "SIGINT ends trace${trapped:+ of a program that ignores it}"
    succeeds "what was traced is kept" grep -q '^#' trace.csv
done

printf '%s\n' 6 wait screen >keys
stopped INT 2 compare "$slow" "$slow" --set scenario.packets=2047
stopped INT 2 eval "$slow"
stopped INT 2 eval --jitter 1000 "$slow"
stopped TERM 15 explain latency_high "$slow"
stopped HUP 1 plot advise "$slow"
stopped TERM 15 screen "$slow" --keys keys
stopped INT 2 seek scenario.frame_rate "$slow"
stopped INT 2 validate --pipelines

# shows WORDS MESSAGE COMMAND...: a terminal shows how much is done, until a signal ends the command.
shows() {
    words=$1 message=$2
    shift 2
    printf 'echo $$ >pid\nexec env --default-signal=INT "%s" %s "%s" >part\n' "$AOLAG" "$*" "$slow" >show.sh
    interrupted show.sh "$words"
    is "$? $(tr '\r' '\n' <shown | grep -o 'aolag: .*stopped.*' | sed 's/[0-9][0-9]*/N/g')" \
        "130 aolag: $message" "$1 shows how much is done"
}

# kept FILTER: what the command printed makes the filter true.
kept() {
    if command -v jq >/dev/null; then
        is "$(jq -c "$1" part)" true "and what it has is printed"
    else
        skip "and what it has is printed" "there is no jq"
    fi
}

part="stopped by a signal before its end; any output is a part"
if command -v script >/dev/null; then
    shows "% of the range of the latency" "$part" eval
    shows "% of the range of the latency" "$part" explain latency_high
    shows "% of the search" "$part" seek scenario.frame_rate
    shows "% of the points" "$part" plot sweep scenario.packets=1:4000:400
    shows "% of the steps" "$part" plot advise
    shows "computing .*range" "$part" screen
    shows "% of the presets; Ctrl-C keeps them" \
        "stopped: N presets not evaluated, and not all ranges found" \
        rank cpu --set scenario.frame_rate=4 --json
    kept '.untried > 9 and (.presets | length) > 0 and .presets[0].latency_us > 0'
    shows "s left; Ctrl-C keeps the front so far" "stopped after N of N designs" \
        search --objective latency --over scenario.packets=2000:2100 --set scenario.frame_rate=4 --json
    kept '.tried < .designs and .front[0].latency_us > 0'
else
    skip "shown work" "there is no script"
fi

# A search says once that it was stopped: before its bound is known, while it is sought, or after.
for pause in 0.2 0.5 0.8 1.2; do
    env --default-signal=INT "$AOLAG" search --budget 604800 --bound --over device.rtc=cpu --over device.gpu0=gpu \
        --over scenario.packets=1:4096:4096 --over device.rtc.clock=1GHz:4GHz:1000 micado-scao >"$out" 2>"$err" &
    process=$!
    waited=0
    until catches $process 2 || [ $waited -eq 6000 ]; do
        waited=$((waited + 1))
        sleep 0.01
    done
    sleep $pause
    kill -INT $process
    wait $process 2>/dev/null
    is "$? $(grep -c '^aolag: stopped ' "$err") $(wc -l <"$err")" "130 1 1" "a search stopped after $pause s"
done

# The rows of a sweep stay, although it is ended while it searches for cliffs.
env --default-signal=INT "$AOLAG" sweep \
    scenario.packets=1,1000,1500,2000,2500,3000,3500,4000,4096 "$slow" >"$out" 2>"$err" &
process=$!
waited=0
until [ "$(wc -l <"$out")" -eq 10 ] || [ $waited -eq 6000 ]; do
    waited=$((waited + 1))
    sleep 0.01
done
kill -INT $process
wait $process 2>/dev/null
is "$? $(cat "$err") $(wc -l <"$out") $(tail -c 1 "$out" | od -An -c | tr -d ' ')" \
    "130 aolag: stopped in the search for cliffs; all rows are complete 10 \n" \
    "rows of a sweep stay"

# Nor is it kept from its end by a pipe that nobody reads: the rows that the pipe holds are complete.
cat >reader <<'END'
head -c 5000 >rows
waited=0
until [ -e read ] || [ $waited -eq 6000 ]; do
    waited=$((waited + 1))
    sleep 0.01
done
cat >>rows
END
# Whether the process, which has one thread, waits.
waits() {
    case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
    S*) [ -s rows ] ;;
    *) false ;;
    esac
}
{
    env --default-signal=INT sh -c 'echo $$ >pid; exec "$@"' sh "$AOLAG" sweep --jobs 1 \
        ao.actuators=100:100100:100001 2>"$err"
    echo $? >ended
} | sh reader &
waited=0
while [ $waited -lt 3000 ] && ! { [ -s pid ] && waits "$(cat pid)" && sleep 0.1 && waits "$(cat pid)"; }; do
    waited=$((waited + 1))
    sleep 0.01
done
kill -INT "$(cat pid)"
waited=0
until [ -s ended ] || [ $waited -eq 1000 ]; do
    waited=$((waited + 1))
    sleep 0.01
done
[ -s ended ] || kill -KILL "$(cat pid)"
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
