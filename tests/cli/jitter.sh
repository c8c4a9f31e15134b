# aolag jitter: histograms and lists of latencies, the preset made of them, files that are refused.
. "$srcdir/tests/cli/lib.sh"

XDG_CONFIG_HOME=$TMPDIR/config
export XDG_CONFIG_HOME
presets=$XDG_CONFIG_HOME/aolag/presets
mkdir -p "$presets"

cat >latencies.txt <<'TXT'
# /dev/cpu_dma_latency set to 0us
# Histogram
000001 000000	000000
000002 060000	010000
000003 039890	089880
000009 000100	000100
000020 000010	000019
# Total: 000100000 000099999
# Min Latencies: 00002 00002
# Avg Latencies: 00002 00003
# Max Latencies: 00020 00150
# Histogram Overflows: 00000 00001
TXT

good "a histogram" jitter latencies.txt
has "200000 of 2 threads" "its samples"
has "1 wake-up later than the last line of the histogram, 20.0 " "an overflow"
fits "the report"
good "as JSON" jitter latencies.txt --json
holds '.schema == 2 and .file == "latencies.txt" and .form == "histogram" and .threads == 2 and
    .samples == 200000 and .overflows == 1 and .min_us == 2 and .p50_us == 3 and .p99_us == 3 and
    .p999_us == 9 and .max_us == 150' "what was read"
holds '[.late[].late_us] == [0, 0, 6, 17, 17, 147] and .late[5].knob == "late_max"' \
    "delays beyond the median"
good "as CSV" jitter latencies.txt --csv
is "$(sed -n 4p "$out")" "late_p999,9,6" "a row for each"
good "as Markdown" jitter latencies.txt --markdown
has "# Late wake-ups in latencies.txt" "with a title"

printf '3000\n1\n2 us\n' | "$AOLAG" jitter - --unit ns --json >"$out" 2>"$err"
holds '.form == "list" and .threads == null and .min_us == 0.001 and .max_us == 3' \
    "a list on standard input, in another unit"

# What other programs print.
cat >oslat.txt <<'TXT'
oslat V 2.40
        Core:	 0 1
    001 (us):	 73213189 87119212
    002 (us):	 46 68
    032 (us):	 387 396 (including overflows)
     Maximum:	 38771 12041 (us)
TXT
good "a histogram of oslat" jitter oslat.txt --json
holds '.program == "oslat" and .threads == 2 and .samples == 160333298 and .overflows == 783 and
    .p50_us == 1 and .max_us == 38771' "is read"
run jitter oslat.txt --preset amd-epyc-7402 -o "$presets/none.ini"
is "$status" 1 "no preset of it"
succeeds "it says why" grep -q "quantiles are of turns, not of frames" "$err"
succeeds "it is not written" test ! -e "$presets/none.ini"

# The preset: found by name, in force, the same when it is made of itself.
run jitter latencies.txt --preset amd-epyc-7402 -o "$presets/ours.ini"
is "$status" 0 "a preset is written"
succeeds "said so" grep -qF "saved: $presets/ours.ini" "$err"
good "it is good" params --json --set device.rtc.preset=ours device.rtc.late_max
holds '.knobs[0] | .text == "147 us" and .origin == "measured"' "and states what was measured"
good "on standard output" jitter latencies.txt --preset ours -o -
succeeds "replaces what it states" cmp "$out" "$presets/ours.ini"

# Wake-ups later than the histogram: what is unknown of them is no value, and in a preset not measured.
printf '1 90\n# Total: 90\n# Max Latencies: 9\n# Histogram Overflows: 10\n' >late.txt
good "quantiles among overflows" jitter late.txt --json
holds '.p50_us == 1 and .p99_us == null and .p999_us == 9 and .max_us == 9 and
    [.late[].latency_us] == [1, null, 9, 9, 9, 9] and .late[1].late_us == null' "are unknown"
good "said so" jitter late.txt
has "A dash is unknown" "in a sentence"
good "in a preset" jitter late.txt --preset amd-epyc-7402 -o -
has "origin.late_p99 = assumed" "they are assumed"
sed 's/90$/9/' late.txt >most.txt
bad 1 "more than half of the wake-ups, 10 of 19, are later than the last line, 1.00 us" \
    "a median later than the histogram" jitter most.txt --preset amd-epyc-7402 -o most.ini
succeeds "is in no preset" test ! -e most.ini

# Nanoseconds without their unit.
sed 's/^1 /1200 /; s/ 9$/ 9000/' late.txt >ns.txt
run jitter ns.txt
is "$status" 0 "nanoseconds without a unit"
succeeds "are noticed" grep -qF "a median of 1.20 ms is likely one of 1.20 us in nanoseconds" "$err"
good "settled by --unit" jitter ns.txt --unit ns --json
holds '.p50_us == 1.2 and .max_us == 9' "whose unit they have"
good "or confirmed" jitter ns.txt --unit us --json
holds '.p50_us == 1200' "as they are"
sed 's/^1200 /700 /' ns.txt >slow.txt
run jitter slow.txt
is "$status$(cat "$err")" 0 "700 us of a busy machine are not doubted"

cp latencies.txt cut.txt
sed -i '/Total/,$d' cut.txt
bad 1 'aolag: cut.txt: the histogram ends without "# Total:"; it is incomplete' "a cut file" \
    jitter cut.txt
printf '1 3\n2 -4\n# Total: 3\n' >negative.txt
bad 1 'negative.txt:2: count "-4" is not a whole number, 0 or more' "a negative count" \
    jitter negative.txt
printf '1\n2\001\n' >control.txt
bad 1 'control.txt:2: latency: ' "a control character" jitter control.txt
is "$(LC_ALL=C grep -c '[^ -~]' "$err")" 0 "is not repeated"
head -c 3000 /dev/urandom >binary.bin
printf '\000' >>binary.bin
bad 1 "is NUL; a file of latencies is text" "a binary file" jitter binary.bin
: >empty.txt
bad 1 "there are no wake-ups" "an empty file" jitter empty.txt
bad 1 "nosuch.txt" "no file" jitter nosuch.txt
awk 'BEGIN { for (i = 0; i < 50; i++) print "a", "b" }' >other.txt
bad 1 'other.txt:1: latency: "a b" is not a number; the file is to be a histogram of cyclictest, oslat' \
    "a file of another kind" jitter other.txt
is "$(wc -l <"$err")" 1 "is one sentence"
bad 1 'the histogram ends without "Maximum:"; it is incomplete' "a cut file of oslat" jitter - <<'TXT'
oslat V 2.40
        Core:	 0 1
    001 (us):	 73213189 87119212
TXT
is "$(wc -l <"$err")" 1 "is one sentence, too"
awk 'BEGIN { print 1; for (i = 0; i < 50; i++) print "a", "b" }' >bad.txt
bad 1 "aolag: bad.txt: 30 more problems" "a list with many problems" jitter bad.txt
is "$(wc -l <"$err")" 21 "of which 20 lines are named"
bad 2 "a FILE is missing" "no operand" jitter
bad 2 "--output needs --preset" "a preset of nothing" jitter latencies.txt -o x.ini
bad 1 'preset "nosuch"' "a preset that does not exist" \
    jitter latencies.txt -o x.ini --preset nosuch
bad 2 "unit" "no unit of time" jitter latencies.txt --unit Hz
run jitter latencies.txt --preset ours -o "$TMPDIR/nowhere/x.ini"
is "$status" 1 "a file that cannot be written"
succeeds "is reported" grep -qF "nowhere/x.ini: its directory cannot be opened" "$err"

finish
