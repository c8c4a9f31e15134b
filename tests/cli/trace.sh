# Programs and their traces: the worked example by hand, files that cannot be read.
. "$srcdir/tests/cli/lib.sh"

traces=$srcdir/data/traces
good "the worked trace" eval "$traces/two-sockets.ini"
has "Phase of  Name         Time  Balance   Stall  Limit" "the report has a row for each phase"
has "mvm       publish    640 ns   62.5 %  60.0 %  locks" "with its numbers"
is "$(grep -cE '^mvm +rtc +- .* DRAM$' "$out")" 1 \
    "no FLOP, bound as most of its time is"
is "$(grep -c '^Remote latency' "$out")" 1 "and the time over the latency"
has "at 3000 cycles" "up to ten times the device's"

# By hand, 2.5 GHz. multiply: threads 0 and 1 take 65536 x 0.5 x 2 + 32768 = 98304 cycles, a mean
# CPI of 0.6; 2 and 3 add 32 x (300 - 64 x 0.6) = 8371.2. All of it moves 4 x 2 MiB and 64 lines of
# 64 B at 0.9 x 4 x 20 GB/s, what four cores draw: 116.6 us, longer than 42.7 us.
# sum: 176 cycles in 288 instructions, 8 x (300 - 2 x 11/18) + 24 x (300 - 20 x 11/18).
# publish: 4 x 20 + 20 cycles, 300 more on threads 2 and 3, 4 x 400 under the lock.
good "as JSON" eval --json "$traces/two-sockets.ini"
holds 'def near($a; $b): ($a - $b | fabs) <= 1e-12 * $b;
    .programs[0].phases | length == 3 and
    near(.[0].time_us; (8388608 + 4096) / 72e3) and
    near(.[0].balance; (98304 * 2 + 106675.2 * 2) / 4 / 106675.2) and
    near(.[0].stall_share; 16742.4 / (98304 * 2 + 106675.2 * 2)) and
    near(.[1].time_us; (176 + 9600 - 496 * 11 / 18) / 2.5e3) and .[1].balance == 1 and
    near(.[2].time_us; 1600 / 2.5e3) and .[2].balance == 0.625 and .[2].stall_share == 0.6' \
    "phases are those by hand"
holds '[.programs[0].phases[].bound] == ["bandwidth", "threads", "locks"]' "what bounds each"
holds '[.programs[0].phases[].phase] == ["multiply", "sum", "publish"]' "in their order"
holds '.programs[0].component == "mvm" and .programs[0].threads == 4' "whose they are"
holds '.programs[0].curve | length == 17 and .[0].remote_latency_cycles == 1 and
    .[8].remote_latency_cycles == 300 and .[16].remote_latency_cycles == 3000 and
    ([.[].time_us] | . == sort) and ([.[].remote_latency_cycles] | . == sort)' "the curve rises"
holds '(.programs[0].phases | map(.time_us) | add) as $t | (.programs[0].curve[8].time_us - $t | fabs) < 1e-9' \
    "the curve passes the design"
holds '(.programs[0].phases | map(.time_us) | add) as $t |
    .components[] | select(.name == "mvm") | (.time_us - $t - 2 | fabs) < 1e-9' \
    "the component takes as long, and its launch"
holds '.components[] | select(.name == "mvm") | .bound == "memory"' "bound as most of its time is"
phase_times='[.programs[0].phases[].time_us]'
whole=$(jq -c "$phase_times | map(. * 2)" "$out")

good "half of its device" eval --json --set component.mvm.share=0.5 "$traces/two-sockets.ini"
is "$(jq -c "$phase_times" "$out")" "$whole" "every phase takes twice as long"
good "where vectors are slow" eval --json --set device.rtc.cpi_simd=5 "$traces/two-sockets.ini"
holds '.programs[0].phases[0].bound == "threads" and
    (.components[] | select(.name == "mvm") | .bound == "compute")' "threads are what computes"
good "a design without programs" eval --json
holds '.programs == []' "has none"

mkdir -p design/traces
# not cp: the sources may be read-only
sed 's|^trace = .*|trace = traces/t.csv|' "$traces/two-sockets.ini" >design/d.ini
cat "$traces/mvm-two-sockets.csv" >design/traces/t.csv
good "a trace below the scenario's directory" eval design/d.ini
cat "$traces/mvm-two-sockets.csv" >"it's.csv"
good "an absolute one, in --set" eval design/d.ini --set "component.mvm.trace=\"$PWD/it's.csv\""
bad 2 "component.mvm.trace=it.csv: cannot be opened: No such file or directory; it is looked for in design/" \
    "--set is seen from the scenario too" eval design/d.ini --set component.mvm.trace=it.csv
cat design/traces/t.csv >here.csv
sed 's|^trace = .*|trace = here.csv|' design/d.ini >stdin.ini
"$AOLAG" eval - <stdin.ini >"$out" 2>"$err"
is "$? $(cat "$err")" "0 " "standard input is seen from the working directory"

line=$(grep -n '^trace' design/d.ini | cut -d: -f1)
sed 's/^sum,0,instr,simd/sum,0,instr,sind/; s/^publish,1,lock/publish,1,look/' \
    "$traces/mvm-two-sockets.csv" >design/traces/t.csv
run check design/d.ini
is "$status" 1 "a bad trace"
is "$(wc -l <"$out" | tr -d ' ')" 2 "all of its problems"
has "design/d.ini:$line: trace = traces/t.csv: line $(grep -n sind design/traces/t.csv |
    cut -d: -f1): class \"sind\" is not allowed; did you mean simd? Allowed: int, " \
    "line and key, line of the trace"
has 'kind "look" is not allowed; did you mean lock? Allowed: instr, remote, lock, bytes' "each"
good "a bad trace that --set replaces" eval design/d.ini \
    --set component.mvm.trace=../here.csv
bad 2 "component.mvm.trace=traces/t.csv: line $(grep -n sind design/traces/t.csv |
    cut -d: -f1): class \"sind\"" "one that --set states, with its line" \
    eval design/d.ini --set component.mvm.trace=traces/t.csv
rm design/traces/t.csv
run check design/d.ini
is "$(cat "$out")" "design/d.ini:$line: trace = traces/t.csv: cannot be opened: \
No such file or directory; it is looked for in design/" "a missing trace"
mkfifo design/traces/t.csv
run check design/d.ini
has "trace = traces/t.csv: is a pipe" "no regular file, without waiting for a writer"
sed -i '/^trace/d' design/d.ini
run check design/d.ini
has "design/d.ini:$(grep -n '^.component.mvm' design/d.ini | cut -d: -f1): component.mvm.trace: " \
    "none at all"
run check "$traces/two-sockets.ini"
is "$status" 0 "the worked scenario is good"
bad 1 "component.mvm.trace: 4 threads, more than the 2 cores of rtc" "too few cores" \
    eval "$traces/two-sockets.ini" --set device.rtc.cores=1
bad 1 "component.mvm.device: a program runs on a cpu; rtc is a gpu" "a GPU" \
    eval "$traces/two-sockets.ini" --set device.rtc.kind=gpu

finish
