# aolag compare: two designs side by side.
. "$srcdir/tests/cli/lib.sh"

good "designs that may not keep up" compare elt-scao elt-scao --set device.gpu0.bus_bits=336
has "likely range      1.20 ms or more   1.20 ms or more" "have no upper end"

good "a design that may not keep up" compare dkist saxo
has "target         met if it keeps up likely met, 18.2 µs" "has one verdict"
good "two systems" compare elt-scao gmt-ngws
has "A is 6.14 times as fast as B: " "the verdict"
has "rtc preset " "a preset that differs, in words"
has "delay in frames " "a result in words"
lacks "loop\." "no keys"
has "Knobs that differ" "a heading"
is "$(grep -c ' $' "$out")" 0 "no blanks at the end of a line"

good "as Markdown" compare elt-scao gmt-ngws --markdown
has "| Verdict | A is 6.14 times as fast as B: " "the verdict is a row"
has "## Knobs that differ" "the knobs have a heading"

good "two ranges" compare elt-scao gmt-ngws --json
"$AOLAG" eval elt-scao --json >a.json
"$AOLAG" eval gmt-ngws --json >b.json
is "$(jq -c '[.a, .b] | map([.latency_low_us, .latency_high_us])' "$out")" \
    "$(jq -c -s 'map([.latency_low_us, .latency_high_us])' a.json b.json)" "are those of eval"

# What both designs contain cancels: the ratio is surer than either latency.
good "one knob apart" compare elt-scao elt-scao --json
holds '.verdict | .latency_ratio_least == 1 and .latency_ratio_most == 1 and .decided' "a design and itself"
"$AOLAG" presets show elt-scao >one.ini
sed 's/^packets = .*/packets = 10/' one.ini >ten.ini
good "other packets" compare ./one.ini ./ten.ini --json
holds '(.b.latency_high_us / .b.latency_low_us) > 1.2 * (.verdict.latency_ratio_most / .verdict.latency_ratio_least)' \
    "common errors cancel"
holds '.verdict.common_errors > 0.8' "most are"
good "other devices" compare soul saxo --json
holds '.verdict.latency_ratio_most / .verdict.latency_ratio_least >
       ([.a, .b] | map(.latency_high_us / .latency_low_us) | max)' "errors of their own do not"

good "a design and itself" compare saxo saxo
has "no difference in latency: both have " "neither is faster"
has "No knobs differ." "no knob differs"
good "as JSON" compare saxo saxo --json
holds '.knobs == [] and .results == {} and .verdict.faster == null and .verdict.decided' "nothing"
holds '.components | length > 5 and all(.time_us.delta == 0 and .in == "both")' "no deltas"

# A file that one knob, one component and one device tell apart.
bench_scenario >a.ini
sed '/^preset/a cores = 8' a.ini >b.ini
printf '\n[component.truth]\ntype = custom\nflops = 1e6\n[device.spare]\npreset = amd-epyc-9654\n' >>b.ini
good "two files" compare ./a.ini b.ini --json
holds '[.knobs[] | select(.kind == "instance") | .path] == ["device.spare", "component.truth"]' \
    "what only one has"
holds '.knobs[] | select(.path == "device.rtc.cores") |
       .a == "16" and .b == "8" and .a_origin == "stated" and .b_origin == "set"' "a knob"
holds '.components[] | select(.name == "truth") | .in == "b" and .time_us.a == null' "a component"
holds '.devices[] | select(.name == "spare") | .in == "b" and .model.b == "AMD EPYC 9654"' "a device"
good "with --set" compare ./a.ini b.ini --set device.rtc.cores=4 --json
holds '[.knobs[].path] | index("device.rtc.cores") == null' "of both"
good "A as an option" compare saxo -f elt-scao --json
holds '.a.scenario == "elt-scao" and .b.scenario == "saxo"' "is A"
cp b.ini odd.ini
good "one on standard input" compare elt-scao saxo
"$AOLAG" compare - saxo <a.ini >"$out" 2>"$err"
is "$?" 0 "the first on standard input"
has "a small bench (-)" "is named"

# Every preset with the default: in 80 columns, what eval says, and turned around the same verdict.
wide=
unlike=
unturned=
"$AOLAG" eval elt-scao --json >default.json
for preset in $(some_systems); do
    "$AOLAG" compare elt-scao "$preset" >text 2>>errors || echo "$preset" >>errors
    awk '{ gsub(/[^ -~]/, ""); if (length($0) > 80) exit 1 }' text || wide="$wide $preset"
    "$AOLAG" compare elt-scao "$preset" --json >there.json 2>>errors
    "$AOLAG" compare "$preset" elt-scao --json >back.json 2>>errors
    "$AOLAG" eval "$preset" --json >eval.json 2>>errors
    jq -e -n --slurpfile a default.json --slurpfile b eval.json --slurpfile c there.json '
        $c[0].a.latency_us == $a[0].latency_us and $c[0].b.latency_us == $b[0].latency_us and
        ($c[0].components | map(select(.in != "a")) | map([.name, .time_us.b]) | sort) ==
            ($b[0].components + $b[0].transfers | map([.name, .time_us]) | sort)' >/dev/null 2>>errors ||
        unlike="$unlike $preset"
    jq -e -n --slurpfile c there.json --slurpfile d back.json '
        def near($a; $b): ($a - $b | fabs) <= 1e-9 * ($b | fabs);
        ($c[0].verdict.faster // "n") == ({"a": "b", "b": "a"}[$d[0].verdict.faster // "-"] // "n") and
        $c[0].verdict.decided == $d[0].verdict.decided and
        near($c[0].verdict.latency_ratio_least; 1 / $d[0].verdict.latency_ratio_most) and
        ($c[0].knobs | length) == ($d[0].knobs | length)' >/dev/null 2>>errors ||
        unturned="$unturned $preset"
done
is "$(cat errors)" "" "every preset is compared"
is "$wide" "" "in 80 columns"
is "$unlike" "" "with the numbers of eval"
is "$unturned" "" "and turned around with the same verdict"

# The host's model does not decide: what neither host states is the same assumption in both designs.
"$AOLAG" presets show eris >one.ini
sed 's/^\[device.rtc\]/[device.gpu0]\npreset = nvidia-a100-40gb-pcie\nhost = rtc\n\n&/
    /^\[component.recon\]/,/^device/s/^device.*/device = gpu0/' one.ini >two.ini
sed 's/intel-xeon-gold-6248/amd-epyc-7543/' two.ini >three.ini
good "a GPU" compare one.ini two.ini
has "A is 1.94 times as fast as B" "does not pay"
good "and another host" compare one.ini three.ini
has "A is 1.93 times as fast as B" "is as slow"
sed 's/^preset = amd-epyc-7543/&\ningress_latency = 10 us/' three.ini >four.ini
good "a GPU and another host, as data" compare one.ini three.ini --json
set -- $(jq '.verdict.latency_ratio_least, .verdict.latency_ratio_most, .verdict.common_errors' "$out")
good "a stated port" compare one.ini four.ini --json
holds ".verdict | .latency_ratio_least < $1 and .latency_ratio_most > $2 and .common_errors < $3" \
    "errs alone"

# What a machine is called makes it no other one: its errors are common.
sed '/^preset = /d' one.ini >plain.ini
sed 's/device\.rtc/device.host/;s/device = rtc/device = host/' plain.ini >renamed.ini
sed 's/^preset = .*/&\nmodel = rack 7/' one.ini >named.ini
good "a machine without a preset, renamed" compare plain.ini renamed.ini
has "same within 1 %" "is the same machine"
good "a preset with another product name" compare one.ini named.ini
has "same within 1 %" "is the same part"

sed 's/^packets = .*/packets = many/' a.ini >odd.ini
bad 1 "odd.ini:" "a bad file" compare saxo odd.ini
mkdir a-folder-with-quite-a-long-name
"$AOLAG" presets show saxo >a-folder-with-quite-a-long-name/and-a-file-in-it.ini
good "overloaded designs" compare elt-scao elt-scao --set scenario.frame_rate=5000
has "target 1.00 ms            not met           not met" "meet no target"
has "both are overloaded: " "are overloaded"
good "as JSON" compare elt-scao elt-scao --set scenario.frame_rate=5000 --json
is "$(grep -c '"target": "overloaded"' "$out")" 2 "neither"
good "a long name" compare a-folder-with-quite-a-long-name/and-a-file-in-it.ini elt-scao
fits "a long name"

# Formulas are compared as text, and shown with their values.
"$AOLAG" presets show metis-scao | sed 's/^flops = .*/flops = 3 * ao.actuators/' >own.ini
good "formulas that differ" compare metis-scao own.ini
has "A: formula 62.3 MFLOP; B: formula 16.0 kFLOP" "both values"
good "formulas that do not" compare own.ini own.ini
lacks "formula" "are none of what differs"

good "the error budget" compare saxo micado-scao
has "wavefront error                 90.5 nm        147 nm +56.5 nm" "has the total"
has "servo lag                       43.5 nm       24.9 nm" "and the lag that the controllers leave"
"$AOLAG" presets show elt-scao | sed 's/^diameter = .*/diameter = 0/' >none.ini
good "a loop that cannot be described" compare none.ini micado-scao
has "servo lag                         -        24.9 nm" "has no lag, the other keeps its own"
lacks "quick lag" "which no estimate replaces"
good "two of them" compare none.ini none.ini
has "quick lag" "have the estimate"

finish
