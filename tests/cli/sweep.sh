# aolag sweep: every combination, in order, in parts, to any end.
. "$srcdir/tests/cli/lib.sh"

good "two knobs" sweep device.rtc.cores=8:96:3 scenario.sharing=all --results latency,load
is "$(head -n 1 "$out")" \
    "device.rtc.cores,scenario.sharing,latency_us,load,bound_component,bound_by,overloaded,error" \
    "header"
is "$(sed 1d "$out" | cut -d, -f1,2 | tr '\n' ' ')" \
    "8,partition 8,exclusive 8,fluid 52,partition 52,exclusive 52,fluid \
96,partition 96,exclusive 96,fluid " "the last knob changes fastest"
sed 1d "$out" | while IFS=, read -r cores sharing latency rest; do
    "$AOLAG" eval --json --set device.rtc.cores="$cores" --set scenario.sharing="$sharing" |
        jq -e --argjson latency "$latency" '.latency_us == $latency' >/dev/null ||
        echo "$cores $sharing $latency $rest"
done >differ
is "$(cat differ)" "" "each is what eval says"

good "units and a list" sweep 'device.gpu0.memory_clock=1 GHz,1500' device.gpu0.launch=0:4:3 \
    --results loop.servo_lag,component.recon.time
is "$(head -n 1 "$out" | cut -d, -f1-4)" \
    "device.gpu0.memory_clock_mhz,device.gpu0.launch_us,loop.servo_lag_nm,component.recon.time_us" \
    "units in the names"
is "$(sed 1d "$out" | cut -d, -f1,2 | tr '\n' ' ')" "1000,0 1000,2 1000,4 1500,0 1500,2 1500,4 " \
    "values in them"

good "ranges" sweep scenario.packets=10,50 --results latency_low,latency,latency_high --json
is "$(jq -c 'select(."scenario.packets" == 50) | [.latency_low_us, .latency_us, .latency_high_us]' "$out")" \
    "$("$AOLAG" eval --json | jq -c '[.latency_low_us, .latency_us, .latency_high_us]')" "as eval has them"

good "a latency between points" sweep scenario.packets=10,50 elt-scao \
    --results latency.slopes:first..recon,component.recon.last_end,latency.slopes:20..recon
is "$(cut -d, -f 2,4 "$out" | head -n 1)" "latency.slopes:first..recon_us,latency.slopes:20..recon_us" "by name"
is "$(awk -F, 'NR == 2 { print ($2 > 0 && $2 < $3), $4 == "" } NR == 3 { print ($4 > 0 && $4 < $2) }' "$out" |
    tr '\n' ' ')" "1 1 1 " "packets that do not exist have none"
is "$(sed -n 's/.*,false,//p' "$out" | tr '\n' ';')" '"slopes has 10 packets, no 20";;' "and it says so"
run plot sweep scenario.packets=5,10,50 elt-scao --result latency.slopes:20..recon --text
is "$status $(cat "$err")" "0 aolag: 2 of 3 points have no value: slopes has 5 packets, no 20" "a plot says so, too"
good "as a search" search --over scenario.packets=5,10,50 elt-scao --objective latency.slopes:20..recon,latency
has "2 with an unknown value" "leaves them out"
good "as a condition" search --over scenario.packets=5,10,50 elt-scao --where "latency.slopes:20..recon<1s"
has "2 with an unknown value" "leaves them out, too"
good "default results" sweep scenario.packets=10:50:2
is "$(head -n 1 "$out")" "scenario.packets,latency_us,first_pixel_latency_us,max_frame_rate_hz,\
load,loop.lag_nm,bound_component,bound_by,overloaded,error" "are these"
good "without a loop" sweep scenario.packets=10:50:2 --set component.camera.exposure=9ms
has "load,loop.servo_lag_nm," "the quick lag"

good "JSON" sweep device.gpu0.preset=nvidia-a100-80gb-sxm,nvidia-h100-sxm \
    component.recon.device=rtc,gpu0 component.recon.chains=1,2 --json
is "$(wc -l <"$out")" 8 "an object per line"
is "$(jq -s 'length' "$out")" 8 "each is one"
is "$(jq -s 'map(keys_unsorted[3]) | unique | .[]' "$out")" '"latency_us"' "results by name"
succeeds "of the right types" jq -es 'all((.latency_us | type) == "number" and
    (."device.gpu0.preset" | type) == "string" and ."component.recon.chains" < 3 and
    .overloaded == false and .error == null)' "$out"

bench_scenario >mine.ini
good "a file" sweep mine.ini wfs.ngs.subaps_across=5:40:8 --set device.rtc.cores=4
is "$(sed 1d "$out" | wc -l)" 8 "before its knobs"
is "$(sed -n 4p "$out" | cut -d, -f2)" \
    "$("$AOLAG" eval --json --set wfs.ngs.subaps_across=15 --set device.rtc.cores=4 ./mine.ini |
        jq .latency_us)" "and --set"
good "presets" sweep ./mine.ini device.rtc.preset=amd-epyc-9654,amd-epyc-7742 \
    --set device.rtc.cores=4 --results latency
is "$(sed -n 3p "$out" | cut -d, -f2)" \
    "$("$AOLAG" eval --json --set device.rtc.preset=amd-epyc-7742 --set device.rtc.cores=4 \
        ./mine.ini | jq .latency_us)" "what is set holds with each"
cp mine.ini a=b.ini
good "a file with a =" sweep ./a=b.ini device.rtc.cores=1,2
good "from standard input" sweep - device.rtc.cores=1,2 <mine.ini

good "designs without a meaning" sweep ./mine.ini component.slopes.share=0.2,0.7 \
    component.recon.share=0.2,0.7 --results latency
is "$(sed -n 5p "$out" | cut -d, -f1-6)" "0.7,0.7,,,," "have no results"
succeeds "but a reason" grep -q '^0.7,0.7,,,,,.*shares' "$out"
run sweep ./mine.ini component.slopes.share=0.7 component.recon.share=0.7 --json
is "$status $(cat "$err")" "1 aolag: ./mine.ini: no design of the sweep is valid: device.rtc: the shares of its \
components add up to 1.4, above 1" "and if none has a meaning, a status"
succeeds "null" jq -e '.latency_us == null and .bound_by == null and .overloaded == null and
    (.error | test("share"))' "$out"

# Parts.
set -- wfs.ngs.subaps_across=5:40:6 device.rtc.cores=1:16:5 scenario.sharing=all
"$AOLAG" sweep ./mine.ini "$@" >whole.csv
"$AOLAG" sweep ./mine.ini "$@" --json >whole.json
is "$(sed 1d whole.csv | wc -l)" 90 "6 x 5 x 3 designs"
sanitized || many="7 100"
for shards in 1 2 ${many-}; do
    for k in $(seq $shards); do
        "$AOLAG" sweep ./mine.ini "$@" --shard "$k/$shards"
    done >parts.csv
    succeeds "$shards shards are the whole" cmp whole.csv parts.csv
done
for k in 1 2 3 4; do
    "$AOLAG" sweep ./mine.ini "$@" --json --shard "$k/4"
done >parts.json
succeeds "also in JSON" cmp whole.json parts.json
for jobs in 5 ${many:+1 2 64}; do
    "$AOLAG" sweep ./mine.ini "$@" --jobs $jobs >jobs.csv
    succeeds "the same with $jobs threads" cmp whole.csv jobs.csv
done
if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    HOME=$TMPDIR parallel --will-cite --keep-order "$AOLAG" sweep ./mine.ini \
        wfs.ngs.subaps_across=5:40:6 device.rtc.cores=1:16:5 scenario.sharing=all \
        --shard {}/{= '$_ = total_jobs()' =} ::: $(seq 7) >parts.csv 2>"$err"
    succeeds "GNU parallel makes the whole" cmp whole.csv parts.csv
else
    skip "GNU parallel makes the whole" "there is no GNU parallel"
fi

# An interruption leaves whole rows and says how many.
"$AOLAG" sweep device.rtc.clock=1GHz:4GHz:1000000 device.rtc.launch=1us:3us:1000 --budget 1000000 >part.csv 2>"$err" &
process=$!
wait_for test -s part.csv
kill -TERM $process
wait $process
is "$?" 143 "ended by a signal"
is "$(cat "$err")" \
    "aolag: stopped after $(sed 1d part.csv | wc -l) of 1000000000 designs; their rows are complete" \
    "says how many rows there are"
is "$(awk -F, '{ print NF }' part.csv | sort -u) $(tail -c 1 part.csv | od -An -c | tr -d ' ')" '11 \n' \
    "all of them whole"

# A machine that tries few designs in the time of a sample is taken for no slower than it is.
counted 0.02 0 0 sweep --jobs 1 --csv device.rtc.clock=2:4:2000
is "$status $(wc -l <"$out")" "0 2001" "a sample of a part of a block"

# One that would take longer than its budget on any machine.
bad 1 "aolag: 1000000000000000 designs would take about " "years" sweep \
    atmosphere.wind=1:2:1000000 atmosphere.zenith=1:2:1000000 atmosphere.r0=1:2:1000 --budget 1000000
is "$(sed 's/.* processors*, //' "$err")" "more than 1000000 s; divide them by --shard K/N" "what to do"
bad 1 "aolag: 19999 designs would take about " "fewer slow ones" sweep "$TESTDATA/slow_design.ini" \
    scenario.frame_rate=1:70000:19999 --budget 1
good "a block of few" sweep atmosphere.wind=1:2:1000000 atmosphere.zenith=1:2:100000 --shard 7/1000000000
is "$(wc -l <"$out" | tr -d ' ')" 100 "is not refused"

# What cannot be.
bad 2 'more than 9007199254740992 combinations' "too many designs" sweep \
    atmosphere.wind=1:2:1000000 atmosphere.zenith=1:2:1000000 atmosphere.r0=1:2:1000000

if [ -w /dev/full ]; then
    "$AOLAG" sweep atmosphere.wind=1:2:1000 >/dev/full 2>"$err"
    is "$? $(cat "$err")" "1 aolag: cannot write standard output: No space left on device" \
        "a full disk"
fi

# On a terminal it is a table.
if command -v script >/dev/null; then
    script -qec "'$AOLAG' sweep scenario.packets=1,10 component.recon.algorithm=mvm,cured \
        scenario.frame_rate=500,3000 2>/dev/null" /dev/null </dev/null | tr -d '\r' |
        sed 's/\x1b\[[0-9;]*m//g' >"$out"
    fits "a table"
    has "frame_" "a long name in lines"
    is "$(grep -c '^  overloaded$' "$out")" 4 "what is overloaded, below"
    script -qec "'$AOLAG' sweep component.slopes.share=0.9 --set component.calibration.share=0.3" \
        /dev/null </dev/null | tr -d '\r' >"$out"
    has "  device.rtc: the shares of its components add up to 1.2, above 1" "why the design is invalid"
else
    skip "a table" "there is no script"
fi

# A component that just keeps up with 100 packets: between two values of the sweep its latency jumps.
cat >cliff.ini <<'INI'
[scenario]
format = 1
packets = 100
sharing = exclusive
[wfs.ngs]
subaps_across = 40
[device.rtc]
boundary = 0 us
ingress = ideal
[component.camera]
type = camera
readout = 500 us
[component.work]
type = custom
overhead = 4.95 us
[component.dm]
type = dm
link = none
INI
run sweep ./cliff.ini scenario.packets=20,60,160
is "$status $(wc -l <"$out" | tr -d ' ')" "0 4" "a sweep over a cliff"
is "$(sed 's/[0-9]* gives .* us, [0-9]* gives .* us, [0-9.]* times/N gives X, M gives Y, Z times/' "$err")" \
    "aolag: note: cliff of scenario.packets: N gives X, M gives Y, Z times as long" \
    "says where it is, beside the rows"
run sweep scenario.packets=40:50:11 elt-scao --results latency,latency_high
is "$(cat "$err")" "aolag: note: cliff of scenario.packets: 46 gives up to 346 us, \
45 gives up to 1.12 ms, 3.25 times as long" "a cliff of the upper end"
run sweep scenario.packets=40:50:11 elt-scao --results latency
is "$(cat "$err")" "" "only if it is wanted"
run sweep ./cliff.ini scenario.packets=20,60,80
is "$status $(cat "$err")" "0 aolag: note: no value of scenario.packets changes these results; \
limited by work: software on rtc" "a knob that changes nothing, and what limits"
good "advice" advise ./cliff.ini
has "Cliffs: a step of 10 % multiplies the latency" "lists cliffs"
is "$(grep -c '^scenario.packets  *100 → 110 ' "$out")" 1 "of knobs near their values"
good "advice as JSON" advise ./cliff.ini --json
holds '.cliffs[] | select(.path == "scenario.packets") |
       .from == 100 and .to == 110 and .factor > 1.5 and .after_us > .before_us' "and so in JSON"
run plot sweep scenario.packets=20:200:10 ./cliff.ini -o cliff.svg
succeeds "a picture notes it" grep -q 'cliff: ' cliff.svg


# A stated number of valid subapertures is that of one grid, unless --set or an axis states it.
good "a grid" sweep wfs.ngs.subaps_across=10,20 eris --results wfs.ngs.valid_subaps
has "10,80," "counts"
has "20,312," "its subapertures"
run sweep wfs.ngs.subaps_across=10,20 eris --results wfs.ngs.valid_subaps --set wfs.ngs.valid_subaps=55
is "$status $(cat "$err")" "0 aolag: note: no value of wfs.ngs.subaps_across changes these results" "with a stated number"
has "20,55," "it has that"
good "with an axis of numbers" sweep wfs.ngs.valid_subaps=55,60 wfs.ngs.subaps_across=10,20 eris \
    --results wfs.ngs.valid_subaps
has "60,20,60," "it has these"

bad 2 "device.gpu0.bus_bits: a range is FROM:TO:N or FROM:TO:N:log, as in 1:64:8" "a range with dots" \
    sweep device.gpu0.bus_bits=1024..8192
# A design without a device is the one with its components on the host.
good "without a device" sweep device.gpu0=nvidia-a10,none device.gpu0.count=1,2 \
    --results latency,watts,count,device.gpu0.watts
is "$(sed -n 4p "$out" | cut -d, -f 4-7)" "$(sed -n 5p "$out" | cut -d, -f 4-7)" "its count has no effect"
is "$(sed -n 4p "$out" | cut -d, -f 3)" "$("$AOLAG" eval --set component.recon.device=rtc --json | jq .latency_us)" \
    "the components run on the host"
is "$(sed -n 4p "$out" | cut -d, -f 4-6)" "450,2,0" "it needs no power"
is "$(sed -n 3p "$out" | cut -d, -f 4-6)" "750,4,300" "two of them do"

good "a device that a formula names" sweep device.gpu0=nvidia-a10,none metis-scao --json \
    --results latency --set component.projection.flops=2*device.gpu0.units \
    --set component.recon.device=gpu1
is "$(jq -sc 'map([.latency_us == null, .error])' "$out")" '[[false,null],[true,"component.projection.flops: the formula names device.gpu0.units, but there is no gpu0"]]' \
    "is needed"

# A formula is a value as any other: each row is what eval says of the same value.
bench_scenario | sed 's/^\[component.recon\]/[component.work]\ntype = custom\nflops = 7 MFLOP\n\n&/' \
    >formula.ini
good "formulas" sweep \
    'component.work.flops=2e7 * ao.actuators,9e9, 7e6*max(ao.actuators, wfs.ngs.subaps)' \
    formula.ini --results latency --json
key=$(jq -r 'keys_unsorted[0]' "$out" | head -n 1)
is "$(jq -c --arg key "$key" '.[$key]' "$out")" '"2e7 * ao.actuators"
9000000000
"7e6*max(ao.actuators, wfs.ngs.subaps)"' "are shown as they are typed, numbers as numbers"
is "$(jq -s 'map(.latency_us) | unique | length' "$out")" 3 "have latencies of their own"
jq -c --arg key "$key" '[.latency_us, .[$key]]' "$out" | while read -r row; do
    value=$(echo "$row" | jq -r '.[1]')
    "$AOLAG" eval formula.ini --json --set component.work.flops="$value" |
        jq -e --argjson row "$row" '.latency_us == $row[0]' >/dev/null || echo "$row"
done >differ
is "$(cat differ)" "" "each is what eval says"
good "a formula of --set beside types" sweep component.work.type=custom,calibration \
    device.rtc=amd-ryzen-7950x --set 'component.work.flops=2e7 * ao.actuators' formula.ini \
    --results latency --json
is "$(jq -s '.[0].latency_us' "$out")" "$("$AOLAG" eval formula.ini --json \
    --set 'component.work.flops=2e7 * ao.actuators' | jq .latency_us)" "holds in every design"
bad 2 "a formula cannot be the end of a range; list formulas, as in A,B,C" "a formula as an end" \
    sweep 'component.work.flops=2*ao.actuators:9e9:4' formula.ini
good "formulas of a search" search --over 'component.work.flops=9 GFLOP,2*ao.actuators' formula.ini --json
has '"component.work.flops_flop": "2*ao.actuators"' "are values of designs"

# A star whose throughput is not stated counts in no command, and each says so.
note="aolag: note: noise of the sensor is not included: state wfs.ngs.throughput, the part of the \
photons that is detected; its photons do not count beside a magnitude"
while read -r command; do
    run $command
    is "$status: $(grep -v 'no value of' "$err")" "0: $note" "$command"
done <<'END'
sweep wfs.ngs.magnitude=12,15 micado-scao --results loop.total --csv
search --over wfs.ngs.magnitude=12,15 micado-scao --objective loop.total
seek wfs.ngs.magnitude micado-scao --until loop.total<=200nm
rank gpu micado-scao --set wfs.ngs.magnitude=12
advise micado-scao --set wfs.ngs.magnitude=12
END
good "with it" sweep wfs.ngs.magnitude=12,15 micado-scao --set wfs.ngs.throughput=0.3 --results loop.total
is "$(cat "$err")" "" "there is no note"

# Stated photons do not follow the exposure, and what varies it says so.
note="aolag: note: wfs.ngs.photons are those of an exposure of any length: state magnitude, band and throughput for \
a star whose photons follow the exposure"
for axis in scenario.frame_rate=500,1000 component.camera.exposure=200us,300us wfs.ngs.rate_divisor=1,2; do
    run sweep $axis saxo --results loop.noise
    is "$status: $(cat "$err")" "0: $note" "stated photons do not follow $axis"
done
good "photons of a magnitude" sweep scenario.frame_rate=500,1000 saxo --set wfs.ngs.band=R --set wfs.ngs.magnitude=8 \
    --set wfs.ngs.throughput=0.3 --results loop.noise
is "$(cat "$err")" "" "follow it"

good "the help" sweep --help
has "FROM:TO:N, which are N numbers from FROM to TO" "says what VALUES are"

finish
