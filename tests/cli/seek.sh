# aolag seek: what it takes, and how far one may go.
. "$srcdir/tests/cli/lib.sh"

# set KNOB=TEXT, then the jq condition on the evaluated design
is_so() {
    is "$("$AOLAG" eval elt-scao --set "$1" --json | jq "$2")" true "$1: $2"
}

good "how narrow a bus" seek device.gpu0.bus_bits elt-scao --until 'latency<=62us' --json
holds '.schema == 1 and .knob == "device.gpu0.bus_bits" and .unit == "bit" and .feasible' "what it is"
holds '.answer.meets and .answer.results.latency_us <= 62 and .change < 0' "an answer"
holds '.present.meets and .present.value == 5120' "the present design"
bits=$(jq .answer.value "$out")
is_so "device.gpu0.bus_bits=$bits" '.latency_us <= 62'
is_so "device.gpu0.bus_bits=$((bits - 1))" '.latency_us > 62'

good "what raises the upper end" seek scenario.packets elt-scao --until 'latency<=59.1us'
has "RTC latency       then 59.0 µs (47.8 to 1.57 ms), now 61.4 µs (48.5 to 453)" "is stated"
good "as data" seek scenario.packets elt-scao --until 'latency<=59.1us' --json
holds '.answer_range.latency_high_us > 2 * .present_range.latency_high_us' "with both ranges"
good "how many packets" seek scenario.packets elt-scao --set scenario.packets=1 --until 'latency<=62us' --json
packets=$(jq .answer.value "$out")
holds '.present.meets == false and .answer.value > 1' "more than one"
is_so "scenario.packets=$packets" '.latency_us <= 62'
is_so "scenario.packets=$((packets - 1))" '.latency_us > 62'

good "a clock, rounded to the safe side" seek device.gpu0.clock elt-scao --until 'latency<62us' --json
clock=$(jq -r .answer.text "$out")
is_so "device.gpu0.clock=$clock" '.latency_us < 62'
is_so "device.gpu0.clock=$(jq -r .below.fails.text "$out")" '.latency_us >= 62'
is "$(jq '.answer.value | tostring | length <= 6' "$out")" true "few digits"

run seek ao.controller saxo --until 'loop.total<=89nm'
is "$status: $(cat "$err")" "0: aolag: note: the controller lqg: its time is not counted" "a controller"
good "how faint a star" seek wfs.ngs.magnitude micado-scao --set ao.other_errors=0 --set wfs.ngs.throughput=0.3 \
    --until 'loop.total<=130nm'
has "to 13.2" "a magnitude, where none is stated"
lacks "+13.2" "no change from none"
good "how fast" seek scenario.frame_rate elt-scao
has "to 2000 Hz" "until it is overloaded"
good "how far on the sky" seek wfs.ngs.subaps_across elt-scao
has "met now and from" "both ways"
is "$(awk '{ gsub(/[^ -~]/, ""); if (length($0) > 80) print }' "$out")" "" "80 columns"
is "$(grep -c ' $' "$out")" 0 "no blanks at the end of a line"
good "a choice" seek component.recon.precision elt-scao --until 'latency<=61us'
has "fp16, the first of 3 suitable choices out of 5" "the first in its order"
good "a preset" seek device.gpu0.preset elt-scao --until 'latency<=59us' --json
holds '.answer.value == ([.choices[] | select(.meets)] | .[0].value)' "the first that meets it"
is_so "device.gpu0.preset=$(jq -r .answer.value "$out")" '.latency_us <= 59'
good "what is automatic" seek component.recon.share elt-scao
has "auto (now)" "said so"
good "a transfer" seek device.gpu0.pcie_lanes elt-scao --until 'component.slopes>recon.time <= 1 ms'
good "a knob that does not matter" seek atmosphere.r0
has "the conditions do not depend on the knob" "said so"
good "two conditions" seek scenario.frame_rate elt-scao --until 'latency<=1ms, load<=0.5' --json
holds '.until == ["latency <= 1 ms", "load <= 0.5"] and .answer.value == 1000' "both hold"
good "an answer that is overloaded" seek ao.actuators elt-scao --set scenario.frame_rate=2000 \
    --until 'latency<=2ms'
lacks "Answer            met by every" "there is none that meets it"
good "an overloaded design has no latency" seek scenario.frame_rate elt-scao --until 'latency<=100us'
has "to 2000 Hz" "as far as it keeps up"
has "2001 Hz: does not keep up: the load of camera is 1.0005" "and why no further"
good "and no margin" seek scenario.frame_rate elt-scao --until 'margin>=10us' --json
holds '.answer.value == 2000 and .above.fails.results.margin_us == null' "of that rate"
run seek scenario.packets elt-scao --set scenario.frame_rate=5kHz --until 'margin>=10us'
is "$status: $(cat "$err")" "1: aolag: scenario.packets: no value from 1 to 4096 meets margin >= 10 us; \
the design does not keep up: the load of camera is 2.5 at 50" "says why there is none"
good "a condition without a latency" seek ao.actuators elt-scao --set scenario.frame_rate=3000 --until 'load<=2'
has "Overloaded" "says that it does not keep up"

good "both sides of a fine edge" seek ao.actuators elt-scao --until 'loop.delay_frames<=1.530066'
is "$(awk '$2 == "yes" || $2 == "no" { print $3 }' "$out" | sort | uniq -d)" "" "print differently"
good "what a width does" seek device.gpu0.bus_bits
is "$(awk '/ bit .* (yes|no) / { sub(/.*(yes|no) */, ""); print $1, $3 }' "$out" | tr '\n' ';')" \
    "1.0004 0.444;0.9998 0.444;360 0.350;208 0.350;" "three digits, more only where they decide"
good "no upper end" seek scenario.frame_rate elt-scao --until 'latency_high<=1ms'
has "1322 Hz  no     may not keep up" "is said to be that"

run seek device.gpu0.bus_bits elt-scao --until 'latency<=12us'
is "$status: $(cat "$out")" "1: " "infeasible"
is "$(cat "$err")" "aolag: device.gpu0.bus_bits: no value from 16 bit to 32768 bit meets \
latency <= 12 us; the best latency is 60.8 us at 32768 bit, no practical difference from now, limited by \
camera: kernel ingress of rtc" \
    "names the limit"
run seek device.gpu0.bus_bits elt-scao --until 'latency<=12us' --json
is "$status" 1 "infeasible as JSON"
holds '.feasible == false and .answer == null and .best.bound.by == "port" and
       (.infeasible | test("limited by camera: kernel ingress of rtc"))' "the same"
good "an upper end" seek device.gpu0.bus_bits elt-scao --until 'latency_high<=460us' --json
bits=$(jq .answer.value "$out")
is_so "device.gpu0.bus_bits=$bits" '.latency_high_us <= 460 and .latency_us < 460'
is_so "device.gpu0.bus_bits=$((bits - 1))" '.latency_high_us > 460'
holds '.present.results.latency_high_us != null' "is reported"
bad 1 "meets latency_high <= 50 us" "none" seek device.gpu0.bus_bits elt-scao --until 'latency_high<=50us'

# An invalid design, which some values of a knob make valid.
invalid="--set component.slopes.share=0.7 --set component.calibration.share=0.7"
good "shares above 1" seek component.slopes.share $invalid
has "Now               the design is invalid: device.rtc: the shares" "said so"
good "as JSON" seek component.slopes.share $invalid --json
holds '.feasible and .answer.value < 0.3 and (.present.problem | test("add up to 1.4"))' "answered"
answer=$(jq .answer.value "$out")
good "the answer, set" eval $invalid --set "component.slopes.share=$answer" --json
holds '.latency_us <= .target_latency_us and (.overloaded | not)' "meets it"
good "by a choice" seek scenario.sharing $invalid --json
holds '.answer.value == "exclusive"' "the first"
bad 2 "did you mean latency?" "an unknown result of such a design" seek scenario.sharing \
    $invalid --until 'latensy<=1us'
bad 1 "no value of device.rtc.clock makes the design valid: " "a knob that does not mend it" \
    seek device.rtc.clock $invalid
"$AOLAG" presets show saxo | sed '/^\[wfs/,/^$/d' >blind.ini
bad 1 "blind.ini:" "a file that no value mends" seek scenario.packets ./blind.ini

bad 1 "for every value" "a knob that cannot help" seek atmosphere.r0 --until 'latency<=1us'
bad 1 "none of its 2 choices" "no choice" seek component.recon.device elt-scao --until 'latency<=1us'

bad 2 "join conditions by a comma" "two conditions apart" seek device.rtc.cores elt-scao --until 'latency<=5us' \
    --until 'load<=1'
bad 2 "did you mean latency?" "an unknown result" seek device.rtc.cores elt-scao --until 'latensy<=1us'
bad 2 "another kind, this value is in us" "a wrong unit" seek device.rtc.cores elt-scao --until 'latency<=1GB'
bad 2 "have different dimensions" "two kinds" seek device.rtc.cores elt-scao --until 'latency<=load'

# An automatic gain is the optimum, from which the search starts.
good "a gain" seek ao.gain --until 'loop.total<=143nm' micado-scao --set ao.other_errors=0 \
    --set wfs.ngs.magnitude=15 --set wfs.ngs.throughput=0.3
has "met now and from 0.2761 (−0.0443, −13.8 %) to 0.3715" "from the optimum"

good "an unstable gain" seek ao.gain saxo --until 'loop.total<=120nm' --set ao.gain=1.5
has "1.5 (now)  no     unstable, maximum 0.986" "is named, with the maximum"

plain_only "every system"

# On every system: an answer that holds when it is set, or the reason why there is none.
for preset in $(some_systems); do
    latency=$("$AOLAG" eval "$preset" --json | jq '.latency_us * 0.9')
    for knob in scenario.packets ao.actuators scenario.frame_rate; do
        run seek "$knob" "$preset" --until "latency<=${latency}us" --json
        if [ "$status" -eq 1 ]; then
            is "$(jq '.feasible or (.infeasible | test("limited by|busy|load of"))' "$out")" true \
                "$preset, $knob: the reason"
            continue
        fi
        value=$(jq -r .answer.text "$out")
        is "$("$AOLAG" eval "$preset" --set "$knob=$value" --json |
            jq --argjson l "$latency" '.latency_us <= $l')" true "$preset, $knob=$value"
    done
done

# A stated number of valid subapertures is that of one grid, unless --set states it.
good "a grid" seek wfs.ngs.subaps_across eris --until "wfs.ngs.valid_subaps <= 400"
has "Answer            22 (−18, −45 %)" "is counted"
bad 1 "no value from 1 to 512 meets" "a grid with a stated number" seek wfs.ngs.subaps_across eris \
    --until "wfs.ngs.valid_subaps <= 400" --set wfs.ngs.valid_subaps=500

bad 2 'clock: unknown section "clock"; did you mean device.rtc.clock or device.gpu0.clock?' "a key that two devices have" \
    seek micado-scao clock
bad 2 "component.recon.precision or 1 more?" "one that many have" seek micado-scao precision
bad 2 'unknown path "clock"; did you mean device.rtc.clock or device.gpu0.clock?' "the same of explain" explain micado-scao clock
bad 2 "a knob is missing, as in: aolag seek elt-scao device.rtc.cores" "only a design" seek micado-scao
"$AOLAG" seek scenario.packets saxo >design_last
for words in "saxo scenario.packets" "-f saxo scenario.packets" "scenario.packets -f saxo"; do
    good "$words" seek $words
    is "$(diff "$out" design_last)" "" "$words is the same"
done
bad 1 'there is no AO preset or file "elt-scoa"' "a design that does not exist" seek elt-scoa device.rtc.cores
bad 2 "--file is given twice" "two designs" seek -f saxo -f elt-scao scenario.packets
bad 2 "unexpected argument" "a design beside --file" seek -f saxo elt-scao scenario.packets
bad 2 "give its path alone, as in component.projection.flops" "a value" \
    seek component.projection.flops=2*ao.actuators metis-scao

good "a knob whose 0 stands for none" seek update.period --until "flow.load<=1" micado-scao
has "met now and again from 0.3491 s" "larger numbers meet the condition again"
has "0.349 s  no " "and the edge"

good "an automatic knob" seek ao.rtc_latency --until "loop.total<=130nm" micado-scao --set ao.other_errors=0
has "359.9 us  yes" "has its value in force in four digits"

good "the highest frame rate" seek scenario.frame_rate morfeo
has "714.3 Hz: does not keep up: the load of camera-lgs is above 1" "why no further, in digits that say so"
is "$(grep -c '[0-9][.][0-9]\{8\}' "$out")" 0 "no digits of rounding errors"

finish
