# aolag advise: which change buys most, and what meets the target.
. "$srcdir/tests/cli/lib.sh"

bound=$("$AOLAG" eval elt-scao --set device.rtc.ingress=bypass --json |
    jq -r '.bound | "\(.component) \(.by)"')
limit=$("$AOLAG" eval elt-scao --set device.rtc.ingress=bypass | sed -n "s/^Limited by *//p")
run eval elt-scao --json
holds '(.bound | "\(.component) \(.by)") != "'"$bound"'"' "another limit with a port without kernel"

good "a design" advise elt-scao
has "Hardware steps" "steps"
has "Software steps" "of both groups"
is "$(grep -c "^Hardware steps\|^Software steps\|^Sensitivity to\|^Assumptions: " "$out")" 3 "and what is given that matters"
has "7 more, of which a change by 10 % gains less than 1 %" "how much else is"
is "$(grep "^[A-Z][a-z]* steps" "$out" | head -1)" "Hardware steps" "hardware first"
has "component.dm.link " "a step"
is "$(sed -n '/^device.rtc.ingress .* bypass /{n;p;}' "$out")" "  special driver; then limited by $limit" \
    "what else is different then, under the step"
is "$(sed -n '/^device.gpu0.host_link  *pcie/{n;p;}' "$out" | grep -c then)" 0 \
    "and nothing where nothing is"
lacks "target met" "it is met already"
has "  2 digits, scaled" "a caveat on the correction under the step"
fits "it"
good "with all steps" advise elt-scao --all
has "5120 → 6016 bit" "a unit once"
has " + rtc " "a device that comes in addition"
has "wfs.ngs.subaps_across" "what the instrument is"
lacks " 0.00 s" "no step without a gain"
lacks "18000" "no packets that no network carries"
lacks "transfers_per_clock" "no other kind of memory"

"$AOLAG" presets show elt-scao |
    sed 's/^device = gpu0$/device = gpu0, gpu1, gpu2, gpu3, gpu4, gpu5, gpu6/' >seven.ini
for gpu in 1 2 3 4 5 6; do
    printf '\n[device.gpu%s]\npreset = nvidia-a100-80gb-sxm\nhost = rtc\n' $gpu
done >>seven.ini
good "with seven devices" advise ./seven.ini --all
has "without gpu6 " "a device less"
has "gpu0 ... gpu6" "many devices"
fits "what has seven devices"
good "steps that lower the wavefront error alone" advise mavis
has "ao.controller             integrator → lqg-tip-tilt       -    -  " "have a dash for the latency"
is "$(grep -c ' -[0-9]' "$out")" 0 "and numbers a minus sign"
LC_ALL=C good "in ASCII" advise ciao
is "$(LC_ALL=C grep -c '[^ -~]' "$out")" 0 "its title, too"
has "component.control.workers" "one core alone waits for no others"
good "as JSON" advise galacsi --set wfs.lgs.photons=auto --json
holds '.schema == 1 and .title != "" and .met and (.bound.component | type) == "string"' "what it is about"
holds '[.steps[] | select(.later | not) | .gain_us] as $g | $g == ($g | sort | reverse)' "by gain"
holds '.latency_us as $now | .steps | all((.gain_us | fabs) >= 0.0099 * $now or (.practical | not)) and
       any(.practical)' "gains below one percent are no practical difference"
holds '[.steps[].role] | unique == ["part", "setting"]' "steps are choices"
holds '[.steps[] | select(.to == "fp16") | .caveat] | length > 0 and all(type == "string")' "caveats"
holds '[.steps[] | select(.role == "part") | .caveat] | all(. == null)' "of software only"
holds '[.sensitivity[].role] | unique == ["instrument", "property"]' "the rest is given"
holds '.packets | .present == 10 and .fewest_within_1_percent.packets <= .best.packets and
       .fewest_within_1_percent.latency_us <= 1.01 * .best.latency_us' "packets"
holds '.splits == []' "no division of a device that is not divided"
holds '.target == {"met": true, "knobs": [], "sequences": []}' "the target is met"

# What it says holds in a design that is set that way.
cp "$out" advice
anew() {
    "$AOLAG" eval galacsi "$@" --json | jq .latency_us
}
for i in 0 3 20 59; do
    set_=$(jq -r ".steps[$i] | .path + \"=\" + .to" advice)
    is "$(anew --set "$set_")" "$(jq ".steps[$i].latency_us" advice)" "step $i is that of eval"
done
packets=$(jq .packets.best.packets advice)
is "$(anew --set "scenario.packets=$packets")" "$(jq .packets.best.latency_us advice)" \
    "the best packets are those of eval"

good "a device that is divided" advise haka --set scenario.sharing=partition --json
holds '.latency_us as $now | .splits | length == 1 and
       (.[0] | .gain_us > 0.1 * $now and (.gain_us + .latency_us - $now | fabs) < 1e-6)' \
    "a division that gains"
jq -r '.splits[0].shares[] | "component.\(.component).share=\(.best // "auto")"' "$out" >shares
is "$("$AOLAG" eval haka --set scenario.sharing=partition $(sed 's/^/--set /' shares) --json |
    jq .latency_us)" "$(jq '.splits[0].latency_us' "$out")" "the best shares are those of eval"
good "as text" advise haka --set scenario.sharing=partition
has "Best division of rtc: gains " "a division"
good "a device that is divided well" advise galacsi --set scenario.sharing=partition
has "no division of a device reduces the latency" "says so"
good "and as JSON" advise galacsi --set scenario.sharing=partition --json
holds '.splits | length > 0 and all(.price == null)' "a price that is not stated is not 0"

good "a target that is missed" advise galacsi --set 'scenario.target_latency=46us' --json
holds '.met == false and .target.met == false' "it is missed"
holds '.target.knobs | length > 0 and all(.met) and ([.[].steps] as $s | $s == ($s | sort))' \
    "knobs that meet it, the nearest first"
holds '[.target.sequences[].of] == ["settings", "parts", "settings and parts"]' "sequences"
holds '.target.sequences[2] | .met and (.steps | length > 0) and .steps[-1].met' "one that meets it"
jq -r '.target.sequences[2].steps[] | "\(.path)=\(.to)"' "$out" | sed 's/^/--set\n/' >steps
expected=$(jq '.target.sequences[2].latency_us' "$out")
is "$(xargs -d '\n' "$AOLAG" eval galacsi --json <steps | jq .latency_us)" "$expected" \
    "the sequence is that of eval"
good "as text" advise galacsi --set 'scenario.target_latency=46us'
has "Single knobs that meet the target" "knobs"
has "; then limited by calibration: pipeline on rtc, target met" "steps that do"
has "that meet the target" "a sequence"

good "a part that nobody uses" advise gpao --set component.calibration.workers=1 \
    --set component.slopes.workers=2 --set component.recon.workers=3 \
    --set component.control.workers=1
has "Unused            device.rtc: no component uses" "is named"

good "a target that cannot be met" advise saxo --set 'scenario.target_latency=0.1us'
has "do not meet the target" "says so"
has "then recon: pipeline on rtc limits" "and what limits"

plain_only "more designs"

for preset in canary mavis scexao; do
    good "$preset in full" advise "$preset" --all --set scenario.target_latency=1us
    fits "$preset"
done

good "devices that are not divided" advise saxo --set scenario.sharing=exclusive
has "sharing is not partition" "says so"

"$AOLAG" presets show ciao >own.ini
good "a file" advise ./own.ini --json

for preset in $(some_systems); do
    good "$preset" advise "$preset" --json
    holds '.latency_us > 0 and (.steps | length > 50) and
           ([.splits[].gain_us] | all(. >= 0)) and .packets.best.latency_us > 0' "$preset makes sense"
done

good "what to measure first" advise rc-fgn-250
has "Range             54.2 µs to 105 µs; 95 % assumed: software, ports, dispatch" "of the range"
has "Measure first     software of rtc: if these alone take 1.70 times as long," "the widest group"
good "a CPU that does not state its dispatch" advise ciao
has "State first       device.rtc.dispatch and how else its software works: if all" "is to be stated first"
good "what raises the upper end most" advise elt-scao --set device.rtc.datagram_time=2.1us
has "State first       device.rtc.dispatch and how else its software works: if all" "rather than what is off most either way"
has "160: lowest latency, but a higher upper end" "packets with which it may fall behind"
good "as data" advise elt-scao --json
holds '.latency_high_us as $now | .packets |
       .lowest.latency_high_us > 2 * $now and .best.latency_high_us <= 1.05 * $now and
       .fewest_within_1_percent.latency_high_us <= 1.05 * $now and .best.gain_us > 0' \
    "are not recommended"
good "as data" advise rc-fgn-250 --json
holds '.range.groups[0] | .cause == "software" and .device == "rtc" and .assumed' "first"

good "a system with a published latency" advise soul
has "Published         420 µs, 1.01 times the prediction" "says so"
good "as data" advise soul --json
holds '.published_latency_us == 420' "too"
good "without one" advise elt-scao --json
holds '.published_latency_us == null' "there is none"

good "an overloaded design" advise --set scenario.frame_rate=5000 elt-scao
has "Now               overloaded, load 2.5; RTC latency 61.4 µs for one frame alone;" \
    "meets no target"
lacks "State first" "what does not keep up need not be asked whether it may not"
lacks "Range" "nor how long it takes"

good "a spike at one number of packets" advise elt-scao --set scenario.packets=91 --json
holds '.cliffs | map(select(.path == "scenario.packets" and .factor < 0.6)) | length == 1' "is a cliff"
good "a cliff of the upper end" advise elt-scao --set scenario.packets=45
is "$(grep -cE '^scenario.packets +45 → 4[6-9] +1.12 ms .* upper end$' "$out")" 1 "is called so"
good "an exclusive device" advise nfiraos-lgs --json
holds '.cliffs == []' "has no cliff where it would be divided"

good "packets that gain less than 1 %" advise palm-3000
has "Packets           now 8," "are not worth a line"
lacks "lowest latency, but" "nor the number with the least latency"

good "a component that moves" advise metis-scao --json
holds '[.steps[] | select(.path == "component.projection.device" and .to == "gpu1") | .caveat] == [null]' \
    "to a GPU of one vendor with that of its own needs no other code"
holds '[.steps[] | select(.path == "component.projection.device" and .to == "rtc") | .caveat]
    == ["code for that device"]' "to a processor it does"

good "a target that one knob meets" advise metis-scao --all --set scenario.target_latency=300us \
    --set component.recon.device=gpu0
sed -n '/^Single knobs/,/^$/p' "$out" >knobs
is "$(grep -A 1 '^component.recon.device *+ gpu1' knobs | grep -c 'code for')" 0 \
    "by a GPU for which the code is there"
is "$(grep -A 1 '^component.recon.device *gpu0 → rtc' knobs | grep -c 'code for')" 1 "by another kind"

good "a part that shares the memory of its host" advise elt-scao --json \
    --set device.gpu0.preset=nvidia-jetson-agx-orin-64gb
holds '[.steps[] | select(.path == "device.gpu0.preset")] == []' \
    "is not replaced by one that shares that of another"

# Of a design with a star steps are ordered by the wavefront error, which is that of each design.
good "a star" advise saxo --json
holds '[.steps[] | select(.practical) | .total_change_nm] | length > 5 and all(. != null) and .[0] == min and .[0] < -0.1' \
    "steps lower the error"
holds '[.sensitivity[] | select(.later | not) | .total_change_nm | select(. != null)] as $c | $c == ($c | sort) and $c[0] < -1' "in this order"
then=$(jq '.steps[] | select(.path == "component.recon.algorithm" and .to == "cured") | .total_change_nm * 1000 | round' "$out")
is "$then" "$(for algorithm in mvm cured; do
    "$AOLAG" loop saxo --set component.recon.algorithm=$algorithm --json | jq '.terms[-1].after_nm'
done | jq -s '(.[1] - .[0]) * 1000 | round')" "by as much as loop says"
# A step of the controller sets the algorithm that computes it, too.
step='.steps[] | select(.path == "ao.controller" and .to == "lqg")'
holds "[$step] | length == 1 and (.[0] | .algorithm == \"lqg-modal\" and .gain_us < 0 and .practical and .total_change_nm < -5)" "another controller is a step"
holds '[.sensitivity[] | select(.path == "ao.controller")] == [] and
    ([.steps[] | select(.path == "component.control.algorithm" and .to == "lqg-modal")] == [])' "of both its knobs"
is "$(jq "$step | .latency_us * 1e6 | round" "$out")" "$("$AOLAG" eval saxo --set ao.controller=lqg \
    --set component.control.algorithm=lqg-modal --json | jq '.latency_us * 1e6 | round')" "in the latency of the step"
is "$(jq "$step | .total_change_nm * 1000 | round" "$out")" "$("$AOLAG" loop saxo --json |
    jq '.controllers[] | select(.controller == "lqg") | .change_nm * 1000 | round')" "and in its error, that of loop"
good "as text" advise saxo
has "integrator → lqg " "names the controller that leaves less"
has "  by lqg-modal" "and its algorithm"
good "from a filter back" advise saxo --set ao.controller=lqg --set component.control.algorithm=lqg-modal
has "  by integrator; no prediction" "has a caveat"
lacks "only a stage" "a controller is not replaced by a part of one"
good "controllers of stages" advise saxo --set component.control.algorithm=integrate
has "  its time is not counted" "a caveat of a controller that no component computes"
good "as text" advise saxo
has "Per 1 %     nm" "has a column"
good "without a star" advise elt-scao --json
holds '[.steps[], .sensitivity[] | .total_change_nm] | all(. == null)' "the total is not known"
holds '[.steps[] | select(.gain_us > 1 and (.overloaded | not))] | length > 3 and all(.lag_change_nm < 0)' "but the servo lag"
good "as text" advise elt-scao
has " change of the servo lag, now " "nm is said to be that"
has "Per 1 %     nm" "has the column"

finish
