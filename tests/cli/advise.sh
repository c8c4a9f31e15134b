# aolag advise: which change buys most, and what meets the target.
. "$srcdir/tests/cli/lib.sh"

good "the default design" advise
has "Single-step changes" "steps"
has "component.recon.device " "a step"
has " + rtc " "a device that comes in addition"
is "$(sed -n '/^component.recon.device  *gpu0/{n;p;}' "$out")" "  then bound by calibration overhead" \
    "what else is different then, under the step"
is "$(sed -n '/^device.gpu0.host_link  *pcie/{n;p;}' "$out" | grep -c then)" 0 \
    "and nothing where nothing is"
lacks "target met" "it is met already"
has "Sensitivity to fixed parameters" "what is given"
fits "it"
good "with all steps" advise --all
has "5120 → 6016 bit" "a unit once"
has "wfs.ngs.subaps_across" "what the instrument is"

good "with seven devices" advise nfiraos-lgs --all
has "without gpu6 " "a device less"
has "gpu0 ... gpu6" "many devices"
fits "what has seven devices"
LC_ALL=C good "in ASCII" advise ciao
is "$(LC_ALL=C grep -c '[^ -~]' "$out")" 0 "its title, too"
has "component.control.workers" "one core alone waits for no others"
good "as JSON" advise galacsi --json
holds '.schema == 1 and .title != "" and .met and (.bound.component | type) == "string"' "what it is about"
holds '[.steps[] | select(.later | not) | .gain_us] as $g | $g == ($g | sort | reverse)' "by gain"
holds '.latency_us as $now | .steps | all((.gain_us | fabs) >= 0.0099 * $now or (.practical | not)) and
       any(.practical)' "gains below one percent are no practical difference"
holds '[.steps[].role] | unique == ["part", "setting"]' "steps are choices"
holds '[.sensitivity[].role] | unique == ["instrument", "property"]' "the rest is given"
holds '.packets.present == 10 and .packets.best.packets > .packets.fewest_within_1_percent.packets' \
    "packets"
holds '.splits | length == 1 and .[0].gain_us > 0' "a division of the device"
holds '.target == {"met": true, "knobs": [], "sequences": []}' "the target is met"

# What it says holds in a design that is set that way.
cp "$out" advice
anew() {
    "$AOLAG" eval galacsi "$@" --json | jq .latency_us
}
for i in 0 3 20 60; do
    set_=$(jq -r ".steps[$i] | .path + \"=\" + .to" advice)
    is "$(anew --set "$set_")" "$(jq ".steps[$i].latency_us" advice)" "step $i is that of eval"
done
packets=$(jq .packets.best.packets advice)
is "$(anew --set "scenario.packets=$packets")" "$(jq .packets.best.latency_us advice)" \
    "the best packets are those of eval"
jq -r '.splits[0].shares[] | "component.\(.component).share=\(.best // "auto")"' advice >shares
is "$(anew $(sed 's/^/--set /' shares))" "$(jq '.splits[0].latency_us' advice)" \
    "the best shares are those of eval"

good "a target that is missed" advise galacsi --set 'scenario.target_latency=12us' --json
holds '.met == false and .target.met == false' "it is missed"
holds '.target.knobs | length > 0 and all(.met) and ([.[].steps] as $s | $s == ($s | sort))' \
    "knobs that meet it, the nearest first"
holds '[.target.sequences[].of] == ["settings", "parts", "settings and parts"]' "sequences"
holds '.target.sequences[2] | .met and (.steps | length > 0) and .steps[-1].met' "one that meets it"
jq -r '.target.sequences[2].steps[] | "\(.path)=\(.to)"' "$out" | sed 's/^/--set\n/' >steps
expected=$(jq '.target.sequences[2].latency_us' "$out")
is "$(xargs -d '\n' "$AOLAG" eval galacsi --json <steps | jq .latency_us)" "$expected" \
    "the sequence is that of eval"
good "as text" advise galacsi --set 'scenario.target_latency=12us'
has "Single knobs that meet the target" "knobs"
has "  then bound by calibration overhead, target met" "steps that do"
has "that meet the target" "a sequence"
has "Best division of rtc: gains " "a division"

good "a target that cannot be met" advise saxo --set 'scenario.target_latency=0.1us'
has "do not meet the target" "says so"
has "then calibration overhead limits" "and what limits"

for preset in canary mavis scexao; do
    good "$preset in full" advise "$preset" --all --set scenario.target_latency=1us
    fits "$preset"
done

good "devices that are not divided" advise saxo --set scenario.sharing=exclusive
has "sharing is not partition" "says so"

"$AOLAG" presets show ciao >own.ini
good "a file" advise ./own.ini --json

for preset in $(systems); do
    good "$preset" advise "$preset" --json
    holds '.latency_us > 0 and (.steps | length > 50) and
           ([.splits[].gain_us] | all(. >= 0)) and .packets.best.gain_us >= -1e-9' "$preset makes sense"
done

good "what to measure first" advise rc-fgn-250
has "Range             45.5 to 83.0; 99 % assumed: software, ports, dispatch" "of the range"
has "Measure first     software of rtc: its error alone, a factor of 1.70," "the widest group"
good "as data" advise rc-fgn-250 --json
holds '.range.groups[0] | .cause == "software" and .device == "rtc" and .assumed' "first"

finish
