# aolag eval: text, JSON, CSV, --set, --strict.
. "$srcdir/tests/cli/lib.sh"

good "the default design" eval elt-scao
has "RTC latency" "the report names the latency"
has "recon" "the report names components"
has "slopes>recon" "the report names inserted transfers"
is "$(awk '{ gsub(/[^ -~]/, ""); if (length($0) > 80) print }' "$out")" "" "80 columns"
is "$(grep -c ' $' "$out")" 0 "no blanks at the end of a line"

lacks "Incomplete" "the loop is complete"

good "no design is named" eval
cp "$out" unnamed
good "the design that is used then" eval micado-scao
is "$(cmp unnamed "$out" && echo same)" same "is micado-scao"

good "a target within the range" eval saxo
has "; target 110 µs, likely met," "is likely met"
good "of a design that may not keep up" eval dkist
has "; target 250 µs," "is"
has "met if it keeps up, margin 224 µs" "met if it does"
lacks "likely met" "in one verdict"
good "one that is missed" eval saxo --set scenario.target_latency=80us
has "likely missed by 11.8 µs" "is likely missed"
good "one beyond the range" eval saxo --set scenario.target_latency=1ms
lacks "likely" "is met"
good "a report of a target within the range" eval saxo --markdown
has "**Likely meets its target: " "says so too"
good "a measured part of a loop" eval rc-body
has "Incomplete        no dm; the latency is that of what is there" "says what is missing"
lacks ", margin" "meets nothing"
good "a part as JSON" eval rc-body --json
holds '.missing == "no dm"' "what it lacks"

good "what does not fit together" eval galacsi --set wfs.lgs.valid_subaps=99999 --json
holds '.notes | length == 1 and (.[0] | startswith("wfs.lgs.valid_subaps: "))' "is a note"

good "a design that a GPU's memory limits" eval micado-scao
is "$(awk '$1 == "recon" { print $NF }' "$out")" HBM "the table names the memory as the verdict does"
has "recon: HBM bandwidth of gpu0" "which names it"

good "as JSON" eval elt-scao --json
holds ".missing == null" "nothing is missing"
holds ".notes == []" "all fits together"
holds '.schema == 2 and .title == "ELT SCAO, 80×80 Shack-Hartmann"' "schema and title"
holds '[.latency_us, .first_pixel_latency_us, .frame_period_us, .max_frame_rate_hz,
        .target_latency_us, .margin_us] | all(type == "number")' "numbers of the design"
holds '.overloaded == false and .overload == null' "not overloaded"
holds '.bound | has("component") and has("by")' "what binds"
holds '([.critical_path[] | .wait_us + .busy_us] | add) - .latency_us | fabs < 1e-6' \
    "steps of the critical path add up to the latency"
holds '.critical_path | length > 2 and all(.component and .wait_us >= 0 and .busy_us >= 0)' \
    "and are named"
holds '.sharing == "exclusive" and .frames == 1' "how devices are shared"
holds '.limit | .resource and .busy_us > 0' "what limits the rate"
holds '.components | all(has("name") and has("type") and has("algorithm") and has("device") and
       has("flop") and has("bytes") and has("working_set_bytes") and has("compute_us") and
       has("memory_us") and has("time_us") and has("bound") and has("first_start_us") and
       has("last_end_us") and has("busy_us") and has("slack_us") and has("share"))' \
    "names of components"
holds '.devices | all(has("name") and has("preset") and has("peak_flops") and
       has("memory_bytes_per_s") and has("busy_us") and has("utilisation"))' "names of devices"
holds '.loop | has("delay_frames") and has("tau_total_us") and has("tau0_us") and
       has("servo_lag_nm") and has("strehl_lag") and has("max_gain")' "names of the loop"
holds '.loop | .wavelength_nm == 2200 and .zenith_deg == 30 and .tau0_500_us < .tau0_us and
       .greenwood_500_hz > .greenwood_hz' "where the coherence time holds"
holds '.links[0] | .name and .busy_us >= 0' "links"
holds '.dms == [.dms[] | select(.name == "dm" and .latency_us > 0 and .arrival_us > 0)]' "mirrors"
is "$(sed -n '1p; 2p; $p' "$out" | tr '\n' ' ')" '{   "schema": 2, } ' "indented"

odd=$(printf 'say "no" \\ \302\265')
good "an odd title" eval elt-scao --json --set scenario.title="$odd"
holds '.title == "say \"no\" \\ µ"' "is valid JSON"
bad 2 "--set scenario.title=" "a title that is not UTF-8" eval \
    --set scenario.title="$(printf 'a\377')"
bad 2 "control character" "a title that would act on a terminal" eval \
    --set scenario.title="$(printf '\033[31m')"
is "$(tr -d '\n -~' <"$err" | wc -c | tr -d ' ')" 0 "and neither does the message"

good "no wind" eval elt-scao --json --set atmosphere.wind=0
holds '.loop.tau0_us == null and .loop.tau0_500_us == null' "what does not exist is null"
good "the coherence time" eval elt-scao --set atmosphere.zenith=45deg --set atmosphere.wavelength=1650nm
has " at 1.65 µm, zenith 45 deg; 4.93 ms at 500 nm, 0 deg" "says where it holds"
has " at 1.65 µm, zenith 45 deg; 27.2 Hz at 500 nm, 0 deg" "and so does the frequency"

has "Range             one standard deviation of the model, not of stated values;" "says what"
has "                  about two of three designs lie inside" "and how many"
good "overloaded" eval elt-scao --set scenario.frame_rate=20kHz
lacks "one standard deviation" "has no range"

good "with jitter" eval elt-scao --jitter 200
has "200 frames simulated with jitter, seed 1" "frames and seed"
has "p50 " "percentiles"
has "none of 200 frames misses the target" "none missed"
is "$(awk '{ gsub(/[^ -~]/, ""); if (length($0) > 80) print }' "$out")" "" "80 columns"
has "Late wake-ups     rtc p99 10.0 " "late wake-ups"
good "another system" eval elt-scao --jitter 200 --set device.rtc.os=stock --set device.gpu0.late_max=0.2ms
has "rtc p99 150 " "has later ones"
good "overloaded, with jitter" eval elt-scao --jitter 20 --set scenario.frame_rate=8kHz
has "Missed            all frames, the loop does not keep up; alone," "all frames are late"
good "all missed" eval elt-scao --jitter 20 --set scenario.target_latency=0
has "20 of 20 frames miss the target of 0" "says so"
has "1800000 per hour, at 95 % confidence 1550000 to 1800000" "in four digits"
good "jitter as JSON" eval elt-scao --json --jitter 500 --seed 9
holds '.latency_us as $latency | .jitter | .frames == 500 and .frames_wanted == 500 and .seed == 9 and
       .latency_us == $latency and .target_latency_us == 1000 and .min_us < .p50_us and
       .p50_us < .p99_us and .p99_us <= .p999_us and .p999_us <= .max_us and .missed == 0 and
       .missed_probability == 0 and .missed_standard_error == 0 and
       .missed_probability_max < 0.01' "its figures"
holds '.jitter | .missed_per_hour == 0 and .missed_per_hour_low == 0 and
       (.missed_per_hour_high / (1.8e6 * .missed_probability_max) - 1 | fabs) < 1e-12' \
    "missed frames per hour"
holds '.jitter.late | keys == ["gpu0", "rtc"] and .rtc.late_p99_us == 10 and
       .gpu0.late_max_us == 209' "late wake-ups in force"
holds '.jitter | ([.histogram[].frames] | add) == 500 and (.histogram | length) == 40 and
       .histogram[0].from_us == .min_us and .histogram[39].to_us == .max_us' "its histogram"
cp "$out" nine
good "the largest wake-up alone stated" eval elt-scao --json --jitter 20 --set device.rtc.late_max=8us
holds '.jitter.late.rtc | .late_p90_us == 2 and .late_p99_us == 8 and .late_max_us == 8' \
    "limits the quantiles that are assumed"
good "once more" eval elt-scao --jitter 500 --json --seed 9
succeeds "the same figures" cmp "$out" nine
good "another seed" eval elt-scao --jitter 500 --json --seed 9007199254740991
holds '.jitter.seed == 9007199254740991' "as it was given"
is "$(cmp -s "$out" nine; echo $?)" 1 "other figures"
jq 'del(.jitter)' "$out" >without
good "without" eval elt-scao --json
holds 'has("jitter") | not' "no jitter"
succeeds "the rest is the same" sh -c 'jq . "$1" | cmp - without' sh "$out"
good "none at all" eval elt-scao --jitter 1 --json --set device.rtc.jitter=1 --set device.gpu0.jitter=1 \
    --set device.rtc.os=ideal
holds '.jitter.p99_us == .latency_us and (.jitter.histogram | length) == 1' "is the latency"
for frames in 0 1000001 1.5 -3 x 10x; do
    bad 2 "--jitter takes a whole number from 1 to 1000000" "--jitter $frames" \
        eval "--jitter=$frames"
done
for seed in -1 0.5 1e16 x; do
    bad 2 "--seed takes a whole number from 0 to 9007199254740991" "--seed $seed" \
        eval --jitter 5 "--seed=$seed"
done
good "none at all, as text" eval elt-scao --jitter 9 --set device.rtc.jitter=1 --set device.gpu0.jitter=1 \
    --set device.rtc.os=ideal
has "none: no device varies or is late" "said so"

good "as CSV" eval elt-scao --csv
is "$(head -n 1 "$out" | cut -d, -f1-9)" \
    "name,type,algorithm,device,bound,level,inserted,part_of,flop" "header"
is "$(awk -F, '{ print NF }' "$out" | sort -u | wc -l | tr -d ' ')" 1 "as many fields in each row"
cp "$out" csv
run eval elt-scao --json
is "$(tail -n +2 csv | cut -d, -f1,14 | tr '\n' ' ')" \
    "$(jq -r '.components[] | "\(.name),\(.time_us)"' "$out" | tr '\n' ' ')" \
    "rows hold the JSON's numbers"
is "$(head -n 1 csv | tr , '\n' | sort | tr '\n' ' ')" \
    "$(jq -r '.components[0] | keys[]' "$out" | sort | tr '\n' ' ')" "fields are the JSON's names"

good "the packets" eval elt-scao --packets
has "slopes>recon" "of components and transfers"
fits "they fit"
bad 2 "--packets and --jitter exclude each other" "with jitter" eval --packets --jitter 5
good "the packets as CSV" eval elt-scao --packets --csv
is "$(awk -F, 'NR > 1 && $1 != "camera" { count[$1]++; end[$1] = $7 }
    END { for (name in count) print name, count[name], end[name] }' "$out" | sort)" \
    "$("$AOLAG" eval elt-scao --json |
        jq -r '.components[] | select(.name != "camera") | "\(.name) 50 \(.last_end_us)"' | sort)" \
    "each has 50, the last ends where its component does"
busy=$("$AOLAG" eval elt-scao --json --set component.control.algorithm=polc --set scenario.sharing=partition |
    jq '.components[] | select(.name == "control") | .busy_us')
good "the packets as JSON" eval elt-scao --packets --json --set component.control.algorithm=polc \
    --set scenario.sharing=partition
holds '.schema == 1 and (.packets | all(.start_us >= .ready_us and .end_us >= .start_us))' "are in order"
holds "[.packets[] | select(.component == \"control\") | .busy_us] | length == 51 and
    (add - $busy | fabs < 1e-6)" "with the work after the command"
holds '.packets | map(select(.packet == null)) | map(.component) == ["control"]' "which is in no packet"
holds '.packets | any(.critical and .component == "recon" and .works)' "the path"

# A sensor with fewer packets than the frame has its own, as the detector prints them.
cat >two.ini <<'END'
[scenario]
format = 1
packets = 50
[wfs.one]
subaps_across = 20
[wfs.two]
subaps_across = 20
packets = 3
start = 100us
[device.rtc]
preset = amd-epyc-7763
[component.camera1]
type = camera
wfs = one
[component.camera2]
type = camera
wfs = two
[component.slopes1]
type = centroid
after = camera1
[component.slopes2]
type = centroid
after = camera2
[component.recon]
type = reconstruction
after = slopes1, slopes2
END
good "packets of two sensors" eval two.ini --packets --csv
is "$(awk -F, 'NR > 1 { n[$1]++ } END { print n["camera1"], n["camera2"], n["slopes2"], n["recon"] }' "$out")" \
    "50 3 3 50" "as many as each has"
is "$(awk -F, '$1 == "camera2" { printf "%.6g ", $6 + $9 }' "$out")" \
    "$("$AOLAG" detector two.ini --sensor two --csv | awk -F, 'NR > 1 { printf "%.6g ", $5 }')" "when the detector has them"
is "$(awk -F, '$1 == "slopes2" { printf "%s ", $4 }' "$out")" "true true true " "each with work"
end=$(awk -F, '$1 == "slopes2" && $3 == 2 { print $7 }' "$out")
start=$(awk -F, '$1 == "camera2" && $3 == 2 { print $6 }' "$out")
is "$("$AOLAG" explain latency.camera2:2:start..slopes2:2 two.ini --json | jq "(.results[0].value * 1e6 - $end + $start) | fabs < 1e-6")" \
    true "and a latency between two of them"
run eval two.ini
has "3 to 50 packets" "the report says so"

mkdir -p patterns/files
"$AOLAG" presets show elt-scao | sed 's/^subaps_across = .*/&\nagenda = files\/agenda.csv\nmask = files\/mask/' >patterns/own.ini
printf 'fraction\n0.5\n0.3\n0.2\n' >patterns/files/agenda.csv
awk 'BEGIN { for (y = 0; y < 80; y++) { for (x = 0; x < 80; x++) printf "%d", (y >= 40); print "" } }' >patterns/files/mask
good "an agenda and a mask beside the scenario" eval patterns/own.ini --json
holds '.sensors[0].valid_subaps == 3200' "the mask counts"
good "its packets" eval patterns/own.ini --packets --csv
is "$(awk -F, '$1 == "camera" { printf "%.6g ", $9 }' "$out")" "250 150 100 " \
    "each with its part of the readout"
is "$(awk -F, '$1 == "slopes" && $4 == "true" { printf "%s ", $3 }' "$out")" "2 3 " "the upper half has no subaperture"
printf 'fraction\n0.5\n0.3\n0.3\n' >patterns/files/agenda.csv
bad 1 "patterns/own.ini:" "a bad agenda" eval patterns/own.ini
bad 1 "agenda = files/agenda.csv: the fractions have the sum 1.1, not 1" "by its file" eval patterns/own.ini
good "without it" eval patterns/own.ini --set wfs.ngs.agenda=auto --json
bad 2 "patterns/files/mask: line 1: " "a mask as a map" eval elt-scao --set wfs.ngs.readout_map=patterns/files/mask

good "a matrix on two devices" eval metis-scao --json --set component.recon.device=gpu1,gpu0
holds '[.components[] | select(.part_of == "recon") | "\(.name) on \(.device)"] ==
       ["recon@gpu0 on gpu0", "recon@gpu1 on gpu1"]' "each has a part"
holds '(.components | map({(.name): .}) | add) as $c | $c.recon.device == null and
       $c.recon.flop == $c["recon@gpu0"].flop + $c["recon@gpu1"].flop and
       $c.recon.time_us == ([$c["recon@gpu0"].time_us, $c["recon@gpu1"].time_us] | max) and
       $c["slopes>recon@gpu1"].bytes * 2 == 4 * $c.recon.columns' "the whole is there as well"
good "the same in words" eval metis-scao --set component.projection.device=rtc
has "recon        ×2" "how many parts"
has "  @gpu0 ×2   gpu0" "equal parts in one row"
has "slopes>recon ×2 " "and their transfers"
is "$(grep -cE '^gpu0 ×2 ' "$out")" 1 "and devices"
good "with parts that differ" eval metis-scao --set device.gpu1.bus_bits=2560
has "  @gpu1      gpu1" "each has a row"
has "slopes>recon ×2 " "equal transfers one"
good "on a device that counts as several" eval palm-3000
has "  @gpu0.1 ×16  gpu0" "parts have one row"
is "$(grep -cE '^(slopes>recon|recon>control) ×16 ' "$out")" 2 "and so have transfers in turn"
is "$(sed -n '/^Device /,/^$/{/^rtc /p;/^gpu0 ×16 /p;}' "$out" | wc -l)" 2 "the device says so"
has "47.2 % 2.48 kW NVIDIA GeForce 8800 GTX" "with the power of all, 16 x 155 W"
LC_ALL=C good "in ASCII" eval palm-3000
is "$(grep -c '^gpu0 x16 ' "$out")" 1 "also there"
# One that waits for nothing shares the thread of a GPU: it starts after enqueue, 2.4 us, and launch, 6.5 us.
{
    bench_scenario
    printf '%s\n' '[device.gpu0]' 'preset = nvidia-l40s' 'dispatch = stream' '[component.extra]' 'type = custom' \
        'device = gpu0' 'bytes_read = 1e6' 'after = none'
} >first.ini
good "a component that waits for nothing" eval first.ini --set component.recon.device=gpu0 \
    --set scenario.sharing=partition --json
holds '.components[] | select(.name == "extra").first_start_us - 8.9 | fabs < 1e-9' "begins with the frame"

good "stated prices" eval elt-scao --set device.rtc.price=8000
has "Used Power Price Model" "have a column"
has "720 W 16000 2 × AMD EPYC 9654" "of all in the row"
lacks "Price  " "and no total without that of the accelerator"
good "all prices" eval elt-scao --set device.rtc.price=8000 --set device.gpu0.price=1e4
has "Price             26000 for 3 parts, in your currency" "have a total"
good "as numbers" eval palm-3000 --json
holds '[.components[] | select(.part_of == "recon") | .time_us] |
       length == 16 and (unique | length) == 1' "all of them"

memory_time() {
    run eval micado-scao --json --set device.gpu0.memory_model=flat "$@"
    jq '.components[] | select(.name == "recon") | .memory_us' "$out"
}
for sharing in exclusive fluid; do
    good "$sharing" eval elt-scao --json --set scenario.sharing=$sharing
    holds ".sharing == \"$sharing\" and .latency_us > 0 and
           (([.critical_path[] | .wait_us + .busy_us] | add) - .latency_us | fabs < 1e-6)" \
        "the critical path where the device is $sharing"
    good "$sharing in words" eval elt-scao --set scenario.sharing=$sharing
    case $sharing in
    exclusive) lacks exclusive "as devices are that state nothing" ;;
    *) has "packets, $sharing" "the report says how devices are shared" ;;
    esac
    has "Critical path" "and the path"
    is "$(awk '{ gsub(/[^ -~]/, ""); if (length($0) > 80) print }' "$out")" "" "80 columns"
done

good "where devices are exclusive" eval elt-scao --set scenario.sharing=exclusive
is "$(awk '/^Component/ { print $NF }' "$out")" Limit "there are no shares to show"
has "Busy: with boundaries" "and what is busy is said"
good "where they are fluid" eval elt-scao --set scenario.sharing=fluid
is "$(awk '/^Component/ { print $NF }' "$out")" Weight "shares are weights"
has "Busy: without boundaries" "and what is busy is said"

good "a small share" eval elt-scao --set component.slopes.share=0.9543
has "auto 0.0457" "three significant digits"

good "deferred work" eval harmoni-ltao --set component.control.algorithm=polc-explicit
is "$(grep -c '^control .* k .* dispatch$' "$out")" 1 "is not in the component's row"
is "$(grep -cE '^Deferred +control computes for [0-9.]+ .s after the command has left' "$out")" 1 \
    "but in a line of its own"
has "(427 MFLOP, 815 MiB)" "with what it is"
has "3 frames simulated" "and what follows from it"
has "they repeat: deferred work" "and why"
is "$(grep -o 'waits [0-9][^)]*' "$out")" "waits 861 ns" "a wait for the other mirror, none of rounding"
run eval --json harmoni-ltao --set component.control.algorithm=polc-explicit
holds '.components[] | select(.name == "control") | .deferred_us > 500 and
       .deferred_flop > 4e8 and .flop - .deferred_flop > 0 and .flop - .deferred_flop < 1e5 and
       .deferred_bytes > 8e8 and .bytes - .deferred_bytes < 1e6' "as numbers too"
holds '[.components[] | select(.name != "control") | .deferred_flop, .deferred_bytes] |
       all(. == 0)' "others defer nothing"

good "one packet on a divided device" eval gpao --set scenario.sharing=partition \
    --set scenario.packets=1 --set component.calibration.share=0.2 \
    --set component.slopes.share=0.2 --set component.recon.share=0.5
has "Partition         calibration, slopes, recon, control run in turn," "parts that stand still"
has "exclusive sharing gives each the whole device" "and what to do"
lacks "Unused" "the rest is used"
good "shares that leave some" eval gpao --set scenario.sharing=partition \
    --set component.calibration.share=0.2 --set component.slopes.share=0.2 \
    --set component.recon.share=0.2 --set component.control.share=0.1
has "Unused            device.rtc: no component uses 0.3 of it" "are named"
good "cores that nobody uses" eval gpao --set component.calibration.workers=1 \
    --set component.slopes.workers=2 --set component.recon.workers=3 \
    --set component.control.workers=1
has "Unused            device.rtc: no component uses" "are named"
good "on a whole one" eval gpao --set scenario.packets=1
lacks "run in turn" "no parts"
good "several packets" eval gpao --set scenario.sharing=partition --set scenario.packets=40
lacks "run in turn" "packets overlap"

wide=
wrapped=
for system in "$srcdir"/presets/ao/*.ini; do
    name=$(basename "$system" .ini)
    run eval "$name"
    wide=$wide$(LC_ALL=C awk '{ gsub(/[\200-\277]/, ""); if (length($0) > 80) print }' "$out")
    wrapped=$wrapped$(awk '/^$/ { table++ } table == 1 && NF == 1' "$out")
done
is "$wide" "" "80 columns, of every system"
is "$wrapped" "" "no component needs a line for its name"

half=$(memory_time --set device.gpu0.bus_bits=2560)
is "$(jq -n "$half / $(memory_time) | . * 1e9 | round / 1e9")" 2 \
    "half the bus doubles the matrix's memory time"
is "$(memory_time --set device.gpu0.bus_bits='2560 bit')" \
    "$(memory_time --set=device.gpu0.bus_bits=2560)" "--set takes units, and --set=P=V"

good "twice the cores, of the preset that is set" eval elt-scao --json \
    --set 'device.rtc.cores=*2' --set device.rtc.preset=amd-epyc-7402
cp "$out" twice.json
good "the same number" eval elt-scao --json \
    --set device.rtc.cores=48 --set device.rtc.preset=amd-epyc-7402
is "$(jq -S . "$out")" "$(jq -S . twice.json)" "a relative value is one of the preset"
good "more by a part" eval elt-scao --json --set 'device.rtc.cores=+50%'
cp "$out" more.json
good "the same number again" eval elt-scao --json --set device.rtc.cores=144
is "$(jq -S . "$out")" "$(jq -S . more.json)" "96 and 50 %"

good "presets are set first" eval elt-scao --json --set device.rtc.cores=8 \
    --set device.rtc.preset=amd-epyc-7402
holds '.devices[0].preset == "amd-epyc-7402"' "the preset is set"
cp "$out" first
run eval elt-scao --json --set device.rtc.preset=amd-epyc-7402 --set device.rtc.cores=8
succeeds "their order does not matter" cmp first "$out"

good "--strict on a good design" eval elt-scao --strict
run eval elt-scao --strict --json --set scenario.frame_rate=20kHz
is "$status $(cat "$err")" "1 aolag: --strict: the design is overloaded" "--strict fails an overloaded design"
holds '.overloaded and .overload.resource == .limit.resource and .overload.ratio > 1 and
       .overload.period_us == 50' "the overload is described"
good "without --strict an overload is no failure" eval elt-scao --set scenario.frame_rate=20kHz
has "Overload" "the report says it"
is "$(grep -cE '^Overload +[^ ]+ is busy .* of a 50[.]0 .s frame, [0-9.]+ times too slow$' "$out")" 1 \
    "and by how much"
has "for one frame alone, the loop does not keep up;" "and what its latency is"
lacks ", margin" "there is no margin of such a latency"
good "as JSON" eval elt-scao --set scenario.frame_rate=20kHz --json
holds '.overloaded and .margin_us == null and .latency_us > 0' "no margin either"
good "with blank rows behind" eval gpi
has "From last pixel   $("$AOLAG" eval gpi --json | jq -r '.readout_latency_us | fabs | round') µs before \
the last pixel of the detector" "the time from the literal last pixel"
good "without them" eval elt-scao
lacks "From last pixel" "one time is enough"
good "several that are too slow" eval elt-scao --set scenario.frame_rate=5000
has "Overload          camera is busy 500 µs of a 200 µs frame, 2.50 times too slow" "the slowest"
has "                  camera.receive is busy 328 µs of 200 µs, 1.64 times" "and each of the others"
good "with two mirrors" eval metis-scao --set scenario.frame_rate=5000
is "$(tr '\n' ' ' <"$out" | sed 's/  */ /g' | grep -o ' for one frame alone' | wc -l)" 5 "nothing that has a time stands without a condition"
has "Loop              The design is overloaded: delay and servo lag are those of" "in the words of loop"
good "as JSON" eval elt-scao --json --set scenario.frame_rate=5000
holds '.overloads | length >= 2 and (map(.busy_us) | . == (sort | reverse)) and
       .[0].resource == "camera" and any(.resource == "camera.receive") and
       all(.ratio > 1 and (.ratio * 200 - .busy_us | fabs) < 1e-9)' "names all"
good "nor is a missed target" eval elt-scao --set scenario.target_latency=0
has "missed by" "the report says that"
run eval elt-scao --strict --set scenario.target_latency=0
is "$status $(cat "$err")" "1 aolag: --strict: the design misses its target" "--strict fails a missed target"
has "missed by" "and prints the report"

good "an abbreviation" eval elt-scao --js
holds '.schema == 2' "is the option"
bad 2 "closing" "--set with an open quote" eval elt-scao --set 'scenario.title="a b'
good "types are set before what belongs to them" eval elt-scao --json \
    --set component.calibration.flops=5e6 --set component.calibration.type=custom
holds '.components[] | select(.name == "calibration") | .type == "custom" and .flop == 5e6' \
    "whatever the order"
good "options after and before the operand" eval --json saxo --set ao.modes=100
holds '.title | startswith("VLT")' "the operand is the scenario"
succeeds "options after the operand even with POSIXLY_CORRECT" \
    env POSIXLY_CORRECT=1 "$AOLAG" eval saxo --json

good "six sensors" eval nfiraos-lgs
has "Matrix            recon-lgs1 ×6: 7083 × 5164, working set 140 MiB each" "their matrices in one line"
is "$(grep -c ^Matrix "$out")" 1 "only"

good "an angle with many digits" eval elt-scao --set atmosphere.zenith=23.21998873588548
has "zenith 23.22 deg;" "is said with four"

# A design report: Markdown, with pictures beside it where it is written to a file.
good "a design report" eval elt-scao --markdown
is "$(head -n 1 "$out")" "# ELT SCAO, 80×80 Shack-Hartmann" "its title"
has "**Meets its target: RTC latency 61.4 µs, allowed 1.00 ms.** The range of the latency is \
48.5 µs to 453 µs; the verdict holds at both ends." "the verdict, with units"
has "The latency is 61.4 µs, its range 48.5 µs to 453 µs: one standard deviation" "and the range"
is "$(grep '^## ' "$out" | tr '\n' ' ')" "## Results ## Components ## Transfers ## Devices \
## Assumptions ## Uncertainty ## Pictures " "its parts"
has '| device.rtc.dispatch | spin | +60 % | assumed |' "an assumption with its effect and origin"
row=$(grep '^| device.gpu0.copy._latency |' "$out")
is "${row%%µs*}" '| device.gpu0.copy\_latency | auto 7.00 ' "and the value in force"
twice=$("$AOLAG" eval elt-scao --set 'device.gpu0.copy_latency=14us' --json | jq .latency_us)
once=$("$AOLAG" eval elt-scao --json | jq .latency_us)
is "$(echo "$row" | sed 's/.* to +\([0-9]*\) %.*/\1/')" \
    "$(awk "BEGIN { printf \"%.0f\", 100 * ($twice / $once - 1) }")" "the effect is that of eval"
is "$(sed -n '/^| Knob/,/^$/p' "$out" | awk -F'|' '$4 ~ /%/ { gsub(/[-+]/, "", $4); n = split($4, e, " to ")
    best = 0; for (i = 1; i <= n; i++) if (e[i] + 0 > best) best = e[i] + 0
    if (best < 0.95) print }')" "" "what moves less than 1 % is not in the table"
is "$(grep -c '^The others move the latency by less than 1 %' "$out")" 1 "but in a list"
is "$(grep -c '^device.rtc: .*l1._latency auto 1.50 ns, ' "$out")" 1 "with values, by section"
is "$(sed -n '/^## Assumptions/,/^## Uncertainty/p' "$out" | grep -cE ' auto(,|$| \|)')" 0 \
    "never without a value"
is "$(sed -n '/^## Assumptions/,/^## Uncertainty/p' "$out" | awk 'END { print (NR < 64) }')" 1 "short"
has 'slopes\>recon' "what means something in Markdown is escaped"
has "With -o FILE.md" "no pictures without a file"
# every row of a table has as many cells as its heading
is "$(awk '/^\|/ { n = gsub(/[^\\]\|/, ""); if (cells && n != cells) print; cells = n; next }
           { cells = 0 }' "$out")" "" "rows are whole"
run eval elt-scao --markdown -o review.md --set device.gpu0.bus_bits=512
is "$status$(cat "$out" "$err")" 0 "a report in a file"
is "$(grep -c '^!\[' review.md)" "$(ls review-*.svg | wc -l | tr -d ' ')" "a line for each picture"
for kind in components roofline timeline; do
    is "$(grep -c "(<review-$kind.svg>)" review.md)$(tail -n 1 review-$kind.svg)" "1</svg>" "$kind"
done
good "with jitter" eval elt-scao --markdown --jitter 50
has "## Jitter" "a part of it"
has "| Latency | Frames |" "its table"
is "$(awk -F'|' '/^\|/ { if (hist && $3 ~ /[0-9]/) sum += $3 } /Latency \| Frames/ { hist = 1 }
                 /^## A/ { hist = 0 } END { print sum }' "$out")" 50 "all frames are in it"
good "overloaded" eval elt-scao --markdown --set scenario.frame_rate=50kHz
has "**Overloaded: " "says so"
lacks "The range of" "without a range"
good "a design that may not keep up" eval elt-scao --markdown --set device.gpu0.bus_bits=336
has "not of stated values; within it, the design may not keep up" "nor lie others inside"
has "The range of the latency begins at 1.20 ms; within it the design may not keep up." "in words"
for system in $(some_systems); do
    good "a report of $system" eval "$system" --markdown
done

# The range of the latency and what rests on assumed figures.
good "a range" eval knl-sh80
has "RTC latency       554 µs (494 to 623)" "in the unit of the latency"
good "as data" eval rc-fgn-250 --json
holds '.latency_low_us < .latency_us and .latency_us < .latency_high_us and
       (.may_not_keep_up | not) and .assumed_fraction > 0.5 and .assumed_fraction <= 1' "its ends"
holds '.range.groups | length > 2 and
       all(.factor > 1 and .latency_low_us > 0 and .latency_high_us > 0 and (.overloads | not) and
           .device == "rtc" and (.cause | type == "string") and (.assumed | type == "boolean"))' \
    "its groups"
holds '.latency_us as $l | (.latency_high_us / $l | log) as $w |
       ([.range.groups[] | .latency_high_us / $l | log | if . > 0 then . * . else 0 end] | add |
        sqrt) / $w - 1 | fabs < 1e-9' "the upper one is the root of their squares"
good "next to nothing assumed" eval elt-scao --set device.gpu0.bus_bits=16
has "less than 1 % assumed;" "no share of 0 %"
good "the rate" eval soul
has "Max frame rate    2.64 kHz (1.88 to 3.62)" "has a range beside it"
good "as data" eval soul --json
holds '.max_frame_rate_hz as $r | (.max_frame_rate_high_hz / $r | log) as $w |
       ([.range.groups[] | .max_frame_rate_high_hz / $r | log | if . > 0 then . * . else 0 end] |
        add | sqrt) / $w - 1 | fabs < 1e-9' "the upper end is the root of squares"
good "the rate of a readout" eval micado-scao
has "Max frame rate    1.43 kHz, limited by camera" "is certain"
good "a design that just keeps up" eval rc-fgn-250 --set component.recon.rows=100000 \
    --set scenario.frame_rate=60 --set component.camera.readout=0 --json
holds '.may_not_keep_up == (.latency_high_us == null)' "without an upper end"

good "devices shared in two ways" eval elt-scao --set component.slopes.workers=4
has "exclusive, but partition on rtc" "names those that are divided"

# What takes most of the time of the component that binds.
good "a core that sleeps" eval rc-fgn-250-c
has "Limited by        control: sleep states of" "is named"
good "a port that sleeps" eval elt-scao --set device.rtc.os=stock
has "Limited by        camera: sleep states of rtc" "is named"
good "a slow thread for a GPU" eval elt-scao --json --set device.gpu0.enqueue=8
holds '.bound | .component == "slopes>recon" and .by == "enqueuing"' "is named"

# A CPU that does not state how it dispatches, and what is published beside the range.
good "unstated dispatch" eval ciao
has " % assumed: ports; software unknown" "is named apart from the parts of the latency"
good "as data" eval ciao --json
holds '.range.groups[] | select(.cause == "software unknown") |
       .device == "rtc" and .factor == 2.31 and .assumed and .latency_high_us > 60' "is a group"
holds '.latency_high_us > 60' "within the range"
good "a stated one" eval ciao --json --set device.rtc.dispatch=spin
holds '[.range.groups[] | select(.cause == "software unknown")] == []' "is none"
holds '.latency_high_us < 60' "and a narrower range"

# What is stated is not assumed, figure by figure; the range keeps the error of the model.
good "nothing of the ports stated" eval eris --json --set device.rtc.ingress_latency=auto
set -- $(jq '.latency_us, .latency_low_us, .latency_high_us, .assumed_fraction' "$out")
good "one figure of the ports stated" eval eris --json --set device.rtc.ingress_latency=11us
holds ".assumed_fraction - ($4 - 11 / $1) | fabs < 1e-6" "is one less assumed"
good "all stated" eval eris --json --set device.rtc.ingress_latency=11us \
    --set device.rtc.datagram_time=3.27664us --set device.rtc.egress_latency=4us
holds ".assumed_fraction - ($4 - 18.27664 / $1) | fabs < 1e-6" "are"
holds "[.latency_low_us - $2, .latency_high_us - $3] | all(fabs < 1e-6)" "with the same range"
holds '.range.groups | all(.cause != "ports" or (.assumed | not))' "and the group says so"
good "a long stated time" eval eris --set device.rtc.ingress_latency=80us
has " % assumed: ports; software unknown" "is not assumed"

# A grid that is set is counted, one that the file states is not.
good "a smaller grid" eval eris --set wfs.ngs.subaps_across=20
has "Matrix            recon: 1170 × 624," "has fewer subapertures"
lacks "valid_subaps" "and nothing to check"
good "with its subapertures" eval eris --set wfs.ngs.valid_subaps=500 --set wfs.ngs.subaps_across=20
has "Matrix            recon: 1170 × 1000," "has these"
good "the same grid" eval eris --set wfs.ngs.subaps_across=40
has "Matrix            recon: 1170 × 2480," "changes nothing"
"$AOLAG" presets show eris | sed 's/^subaps_across = .*/subaps_across = 20/' >grid.ini
good "a file" eval grid.ini
has "Matrix            recon: 1170 × 2480," "is taken as it is"

good "a latency that is not predicted" eval metis-scao --set device.rtc.dispatch=spin
has "times the prediction, outside the range" "says so"
# AMD, Vitis BLAS 2021.1: 14.3 and 20.0 us in the logic of an Alveo U280.
good "a small product on an FPGA" eval soul --json --set device.rtc.units=9072 --set device.rtc.clock=300 \
    --set device.rtc.memory_clock=300 --set device.rtc.bus_bits=1226 --set component.recon.rows=512 --set component.recon.columns=256
holds '(.components[] | select(.name == "recon") | .time_us) as $t | 8 + $t > 12.6 and 8 + $t < 15.7 and
       (.critical_path[] | select(.component == "recon") | .busy_us + .wait_us - $t - 8 | fabs < 1e-3)' \
    "waits for its stage"
# Four stages of 8 us, less or more.
good "a small design on an FPGA" eval mmt --json
holds '.latency_us > 35 and .latency_us < 50' "is as long as its stages"
good "a fitted latency" eval soul
has " % assumed: compute" "rests on an assumption"
has "times the prediction; no evidence," "and proves nothing"
good "a rate that is fitted" eval saxo --json
holds '.may_not_keep_up == false and .assumed_fraction > 0.9' "keeps up, as the instrument does"

# a GPU has one enqueuing thread, whether it is divided or not
good "slow enqueuing" eval elt-scao --set device.gpu0.enqueue=30us --json
whole=$(jq '[.latency_us, .max_frame_rate_hz]' "$out")
good "with a stated share" eval elt-scao --set device.gpu0.enqueue=30us --set component.recon.share=1 --json
is "$(jq '[.latency_us, .max_frame_rate_hz]' "$out")" "$whole" "is as slow"

# Many frames take long: a terminal shows how many are done, and an interruption keeps them.
if command -v script >/dev/null; then
    on_terminal 0.05 100 2 eval saxo --jitter 1000000 --json
    is "$status $(grep -c 'of the frames; Ctrl-C keeps them' shown)" "130 1" "an interruption of many frames"
    holds '.latency_us > 0 and .jitter.frames_wanted == 1000000 and
           (.jitter.frames | . > 0 and . < 1000000)' "keeps those so far"
    is "$(tr '\r' '\n' <shown | grep -o 'aolag: stopped.*')" \
        "aolag: stopped after $(jq .jitter.frames "$out") of 1000000 frames" "and says how many"
else
    skip "an interruption of many frames" "there is no script"
fi

good "the error budget" eval saxo
is "$(grep -c quick "$out")" 0 "alone, without the quick estimate"
has "Wavefront error   90.5 nm rms, Strehl 0.888 at" "has the total"
has "servo lag 43.5 nm" "and the lag"
good "no diameter" eval saxo --set ao.diameter=0
lacks "Wavefront error" "has none"

finish
