# aolag probe: what is asked for is measured, printed and kept, also where it is interrupted. What
# is measured depends on nothing here; it is only little, for the time it takes.
. "$srcdir/tests/cli/lib.sh"

XDG_STATE_HOME=$TMPDIR/state
XDG_CONFIG_HOME=$TMPDIR/config
export XDG_STATE_HOME XDG_CONFIG_HOME
kept=$XDG_STATE_HOME/aolag/machine.csv

# measured NAME WORDS...: status 0, and on standard error one line a part
measured() {
    name=$1
    shift
    run probe --quick --largest 64KiB "$@"
    if [ "$status" -eq 0 ] && [ -s "$out" ] && grep -qE '^[a-z]+: .*, about [0-9]+ s$' "$err" &&
        ! grep -vE '^[a-z]+: .*, about [0-9]+ s$' "$err" >/dev/null; then
        pass "$name"
    else
        fail "$name" "aolag probe $*
$(shown)"
    fi
}

measured "text" memory
has "Memory: access latency" "says what was timed"
is "$(grep -nE ' +$' "$out")" "" "no blank ends a line"
succeeds "is kept" grep -q '^memory,chase,' "$kept"

LC_ALL=C measured "in ASCII" memory
is "$(LC_ALL=C grep -c '[^ -~]' "$out")" 0 "where the locale is"
is "$(awk 'length > 80' "$out")" "" "no line is too long"

measured "CSV" memory --csv
is "$(grep -v '^#' "$out" | head -n 1 | cut -d, -f 1-5)" "part,name,type,of,size_bytes" "header"
is "$(grep -v '^#' "$out" | awk -F, 'NR > 1 && NF != 23')" "" "every field in its place"
cp "$out" points.csv
cp "$kept" kept.csv
is "$(grep -v '^#' kept.csv)" "$(grep -v '^#' points.csv)" "the same points are kept"
is "$(grep '^#' kept.csv | grep -vxFf points.csv)" "" "and the conditions"
run probe memory --quick --largest 64KiB --save here
is "$status $(tail -n 1 "$err")" "0 to use it: aolag eval --set device.rtc.preset=here" "saved"
succeeds "where it said" test -f "$(sed -n 's/^saved: //p' "$err")"
good "a design with it" eval --set device.rtc.preset=here --json

measured "CSV once more" memory --csv
if cmp -s points.csv "$out"; then
    fail "differs in its samples" "$(cat "$out")"
else
    pass "differs in its samples"
fi

measured "JSON" memory --json --seed 7
if command -v jq >/dev/null; then
    holds '.schema == 1 and .interrupted == false' "is valid"
    holds '.settings.seed == 7 and .settings.quick and .settings.largest_bytes == 65536' "settings"
    holds '.parts | length == 1 and all(.part == "memory" and .complete and .error == null)' "parts"
    holds '.conditions | has("cpu") and has("seed") and has("huge_pages")' "conditions"
    holds '.points | length >= 5 and all((.samples_ns | length) >= 5 and .least_ns > 0 and
           .least_ns <= .median_ns and .median_ns <= .p99_ns and
           .least_ns == (.samples_ns | min) and (.noisy | type) == "boolean")' "points"
    holds '.points | all(.size_bytes <= 65536)' "no more than allowed was touched"
else
    skip "JSON" "there is no jq"
fi

# More memory would take seconds to be set up before the first point.
few="--largest 32MiB"

# Interrupted: what was measured is printed. A shell without job control starts background processes
# with SIGINT ignored, and nohup those with SIGHUP ignored; env takes that back.
interrupted() {
    signal=$1 number=$2 file=$3 text=$4
    shift 4
    rm -f "$out" "$err"
    env --default-signal=HUP,INT,TERM "$AOLAG" probe memory $few "$@" >"$out" 2>"$err" &
    probe=$!
    wait_for grep -q "$text" "$file"
    kill -"$signal" "$probe"
    wait "$probe"
    is $? $((128 + number)) "SIG$signal ends it"
}
if env --default-signal=INT true 2>/dev/null; then
    interrupted INT 2 "$out" '^memory,' --csv
    is "$(grep -v '^#' "$out" | awk -F, 'NF != 23')" "" "and leaves whole lines"
    is "$(grep '^aolag' "$err")" "aolag: stopped by a signal; 0 of 1 parts are complete" \
        "and says so"
    interrupted TERM 15 "$err" memory
    interrupted HUP 1 "$err" memory --json
    command -v jq >/dev/null && holds '.interrupted and (.points | type) == "array" and
        (.parts | all(.complete == false))' "and leaves valid JSON"
else
    skip "interruption" "env cannot set signals"
fi
is "$(grep -v '^#' "$kept" | wc -l)" "$(grep -v '^#' points.csv | wc -l)" \
    "does not displace a whole part"

# A closed pipe ends it.
"$AOLAG" probe memory $few --csv 2>"$err" >/dev/full
is $? 1 "a full disk"
succeeds "is said" grep -q "No space left" "$err"
"$AOLAG" probe memory --largest 64KiB --quick 2>"$err" >/dev/full
is $? 1 "a full disk at the end"
succeeds "is said, too" grep -q "No space left" "$err"
{
    "$AOLAG" probe memory $few --csv 2>"$err"
    echo $? >left
} | head -n 1 >/dev/null
is "$(cat left)" 1 "a reader that left"
is "$(grep -c aolag "$err")" 0 "is not worth a word"

# Without memory for a part there is one sentence, here too.
if [ -n "${STARVE:-}" ]; then
    said=
    for at in 60 65 70 75; do
        LD_PRELOAD=$STARVE STARVE_OF=memory STARVE_AT=$at "$AOLAG" probe memory --quick --largest 64KiB \
            >"$out" 2>"$err"
        said="$said $?$(grep -c '^aolag: ' "$err")"
    done
    is "$(printf '%s' "$said" | tr ' ' '\n' | grep -cvxE '00|11|')" 0 "no memory is one sentence"
else
    skip "no memory is one sentence" "a sanitizer allocates"
fi

# The file it is kept in.
echo "my diary" >"$kept"
run probe memory --quick --largest 64KiB --seed 2
is "$status" 0 "a file of another kind"
succeeds "is named" grep -qF "machine.csv" "$err"
is "$(cat "$kept")" "my diary" "and left alone"
rm -r "$XDG_STATE_HOME"
: >"$XDG_STATE_HOME"
run probe memory --quick --largest 64KiB --seed 2
is "$status" 0 "no directory to keep it in"
succeeds "is said" grep -qF "cannot save the measurement" "$err"
rm "$XDG_STATE_HOME"

finish
