# aolag probe --from: the report of points that were measured once, here of a machine that does not
# exist, so that every figure is known.
. "$srcdir/tests/cli/lib.sh"

XDG_CONFIG_HOME=$TMPDIR/config
export XDG_CONFIG_HOME
awk -f "$TESTDATA/machine.awk" >machine.csv
points=$(($(grep -vc '^#' machine.csv) - 1))

# row WORDS...: a line of the report with these cells
row() {
    words=$*
    if tr -s ' ' <"$out" | sed 's/^ //; s/ 1\.00 MiB/ 1 MiB/' | grep -qxF "$words"; then
        pass "$words"
    else
        fail "$words" "$(cat "$out")"
    fi
}

good "the report" probe --from machine.csv
cp "$out" report
"$AOLAG" probe --from - <machine.csv >"$out"
succeeds "from standard input" cmp report "$out"
is "$(grep -nE ' +$' "$out")" "" "no blank ends a line"
row "cpu A machine of the tests"
row "256 MiB 80.0 40.0 20.0 10.0 10.0"
row "16 MiB 14.4 12.4 1.10 13.1"
row "256 MiB 80.0 40.0 26.7 16.0 8.89 5.00 5.00"
row "Lines of 64 B. L1 has 8 ways. L2 has 16 ways. TLB: an access takes longer in"
row "pages of 4 KiB than of 2 MiB, by 2.00 ns beyond 279 KiB, 20.0 ns beyond 8.72"
row "add f32 32 (scalar) 1.25 4.00 12.8 4.00 16.0"
row "div-numerator f32 256 4.06 13.0 3.94 1.23 16.0"
row "sqrt f32 128 n/a n/a 2.84 0.889 n/a"
row "sqrt: n/a: a chained square root drifts to 1"
row "mul f32 computed 0.160 10.2 20.2 30.2 40.2 251"
row "mul f32 flushed 0.160 0.160 0.160 0.160 0.160 1.00"
row "Operation Type Bits Registers 16 KiB 256 KiB 4 MiB 64 MiB"
row "add f32 32 (scalar) 12.8 12.8 12.8 7.50 2.50"
row "add f32 256 12.8 3.12 1.88 0.937 0.312"
row "sqrt f32 256 2.84 2.84 1.88 0.937 0.312"
row "1 4 MiB 30.0 30.0 30.0 30.0 30.0"
row "2 128 MiB 20.0 20.0 20.0 20.0 20.0"
row "1 1 GiB 10.0 10.0 10.0 10.0 10.0"
row "L1 33.9 KiB 32 KiB 1.06 1.00 ns 8.00 100 GB/s 200 GB/s"
row "L3 33.9 MiB 32 MiB 1.06 12.0 ns 8.00 30.0 GB/s 60.0 GB/s"
row "memory - - - 80.0 ns 8.00 10.0 GB/s 20.0 GB/s"
row "hierarchy-2 4.0000 0.30000 80.000 0.80000 131072 0.0000 1.076e-08 1.000"
row "Clock 3.20 GHz"
row "0.001 4.47 1.35 0.56 0.37 0.32 0.31 0.30 0.30 0.30"
lacks "noisy" "nothing is noisy"
LC_ALL=C run probe --from machine.csv
is "$(LC_ALL=C grep -c '[^ -~]' "$out")" 0 "in ASCII"
is "$(awk 'length > 80' "$out")" "" "no line is too long"

good "as Markdown" probe --from machine.csv --markdown
has "| Operation | Type | Bits | Latency ns |" "a table"
has "## Machine, as saved by --save" "a section"

good "a part" probe bandwidth --from machine.csv
has "Bandwidth by level" "has its tables"
lacks "Apex-MAP" "and no other's"

good "as CSV" probe --csv --from machine.csv
succeeds "is the file" cmp "$out" machine.csv
good "a part as CSV" probe apex --csv --from machine.csv
grep '^apex,' machine.csv >expected
grep -v '^#' "$out" | tail -n +2 >rows
succeeds "is that part" cmp rows expected

sed 's/^\(memory,list,,,65536,.*,\)[^,]*$/\11e-9 1.2e-9 1.3e-9 1.4e-9 1.5e-9/' machine.csv >noisy.csv
good "a noisy point" probe --from noisy.csv
has "?1.00" "is marked"
has "1 of $points points are noisy" "and counted"

sed '/^operations,clock/d; /^apex/d; 400q' machine.csv >part.csv
good "less than all" probe --from part.csv
head -c 10000 machine.csv | sed '$d' >cut.csv
good "what an interruption left" probe --from cut.csv

if command -v jq >/dev/null; then
    good "JSON" probe --json --from machine.csv
    holds '.schema == 1 and .settings == null and .parts == []' "nothing was measured"
    holds '.conditions.cpu == "A machine of the tests" and .conditions.governor == null' \
        "conditions"
    holds ".points | length == $points" "every point"
    holds '.derived.geometry | [.line_bytes, .l1_ways, .l2_ways] == [64, 8, 16]' "lines and ways"
    holds '[.derived.geometry.tlb[].extra_ns | . * 100 | round] == [200, 2000]' "pages of 4 KiB"
    holds '[.derived.operands[] | select(.name == "add" and .width_bits == 256).memory[].size_bytes] ==
        [16384, 262144, 4194304, 67108864]' "operands in memory"
    holds '[.derived.plateaus[].latency_ns | . * 100 | round] == [100, 400, 1200, 8000]' "plateaus"
    holds '.derived.plateaus[3].capacity_bytes == null and
           ([.derived.plateaus[:3][].capacity_bytes] | map(log2 | round) == [15, 20, 25])' \
        "capacities"
    holds '.derived.operations[] | select(.name == "mul" and .width_bits == 256) |
           (.latency_cycles - 4 | fabs) < 1e-6 and .lanes == 8 and .chains == 16' "an operation"
    holds '.derived.operations | map(select(.name == "sqrt")) |
           all(.latency_ns == null and (.remark | startswith("n/a: ")))' "what is not to be had"
    holds '.derived.subnormals | length == 2 and (.[0].penalty - 251 | fabs) < 1 and
           .[1].flushed_to_zero' "subnormals"
    holds '.derived.machine | (.clock_hz / 3.2e9 - 1 | fabs) < 1e-6 and .cores == 2 and
           (.levels | map(.level) == ["L1", "L2", "L3", "memory"]) and .levels[0].in_flight == 8 and
           (.peak_flops / (3.2e9 * 2 * 8 * .fma_per_cycle * 2) - 1 | fabs) < 1e-9' "the machine"
    holds '.derived.fit.models | map(.model) ==
           ["flat", "two-level", "latency-bandwidth", "hierarchy-2"]' "the fits"
    holds '.derived.fit.models[3] | (.pc - 1 | fabs) < 1e-4 and (.c_words - 131072 | fabs) < 2' "the right one"
    for file in part.csv cut.csv; do
        good "JSON of $file" probe --json --from $file
        holds '.derived | type == "object"' "is valid"
    done
else
    skip "JSON" "there is no jq"
fi

# A preset of what was measured.
good_save() {
    run probe --from machine.csv --save here "$@"
    is "$status $(sed -n '$p' "$err")" "0 to use it: aolag eval --set device.rtc.preset=here" \
        "saves a preset, and says how to use it"
}
good_save
succeeds "where it said" test -f "$(sed -n 's/^saved: //p' "$err")"
good "it is listed" presets list cpu
has "here" "under its name"
good "it works" eval --set device.rtc.preset=here
good_save --csv
succeeds "and once more" cmp "$out" machine.csv
bad 1 "is a built-in preset" "a vendor's name" probe --save amd-epyc-9654
presets=$XDG_CONFIG_HOME/aolag/presets
"$AOLAG" presets show amd-epyc-9654 >"$presets/mine.ini"
bad 1 "was not measured" "a preset of another kind" probe --save mine
echo "my diary" >"$presets/diary.csv"
bad 1 "is not a measurement" "points that are none" probe --save diary
rm -r "$XDG_CONFIG_HOME"
: >"$XDG_CONFIG_HOME"
bad 1 "cannot be written to" "no directory" probe --save here
rm "$XDG_CONFIG_HOME"

bad 1 'invalid preset name "-"' "a preset named -" probe --from machine.csv --save -
echo "a,b" >other.csv
bad 1 "not a measurement" "another file" probe --from other.csv
printf 'part,name,samples_s\nmemory\n' >other.csv
bad 1 "other.csv:2: 1 field, but the header has 3" "a short line" probe --from other.csv
printf 'part,name,samples_s\nmemory,x,fast\n' >other.csv
bad 1 "other.csv:2: samples_s: 'fast' is not" "a bad value" probe --from other.csv
echo '{"schema": 1}' >measured.json
bad 1 "this is JSON; a measurement is read as --csv printed it" "JSON" probe --from measured.json

finish
