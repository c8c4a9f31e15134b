# aolag params: the knob table, and the knobs of a design.
. "$srcdir/tests/cli/lib.sh"

good "the table" params
has "cores of one socket. Allowed: 1 to 1024; default: 16. Of: cpu" "what is said of one"
is "$(awk 'length($0) > 80' "$out")" "" "80 columns"
has "default: zonal" "a default in words"
lacks "default: 0 m" "and no length of nothing that is infinite"
good "the table as JSON" params --json
holds '.schema == 1 and (.knobs | length) > 80' "all knobs"
holds '.knobs | all(has("path") and has("unit") and has("min") and has("max") and has("default") and
       has("choices") and has("help") and (has("value") | not))' "what is said of each"
holds '.knobs | map([.path, .kinds]) | length == (unique | length)' "each once"
holds '.knobs[] | select(.path == "component.*.share") | .may_be_automatic and .default == null' \
    "automatic values have no default"

good "one knob of a design" params device.rtc.cores --scenario elt-scao
has "device.rtc.cores = 96  (stated)" "value and origin"
good "a text without a value" params device.rtc.preset --scenario elt-scao --set device.rtc.preset=
has "device.rtc.preset = (none)  (" "is said to be none"
good "as JSON" params device.rtc.cores --json --scenario elt-scao
holds '.knobs == [.knobs[] | select(.path == "device.rtc.cores" and .value == 96 and
       .origin == "stated" and .min == 1 and .max == 1024 and .default == 16)]' "that one alone"
good "a knob that the scenario sets" params device.rtc.sockets --json
holds '.knobs[0] | .value == 2 and .origin == "set"' "set"
good "a default" params device.rtc.mtu --json
holds '.knobs[0] | .value == 9000 and .unit == "B" and .origin == "assumed"' "assumed"
good "a derived value" params component.recon.rows --json
holds '.knobs[0] | .value == null and .text == "auto" and .origin == "automatic"' "automatic"
cp "$out" rows
run eval --json
is "$(jq '.knobs[0].resolved' rows)" \
    "$(jq '.components[] | select(.name == "recon") | .rows' "$out")" "with what it resolves to"
good "of a camera" params component.camera.exposure --json
holds '.knobs[0] | .resolved == 2000 and .unit == "us"' "in the knob's unit"
good "of a sensor" params wfs.ngs --json --scenario elt-scao
holds '[.knobs[] | select(.path == "wfs.ngs.valid_subaps") | .resolved > 4000] == [true] and
       ([.knobs[] | select(.path == "wfs.ngs.count") | .resolved] == [null])' "one that is not automatic"
good "a stated one" params --set component.recon.rows=7 component.recon.rows --json
holds '.knobs[0] | .value == 7 and .resolved == null and .may_be_automatic' "resolves to nothing"
good "of a design that cannot be evaluated" params --set component.slopes.after=control \
    component.recon.rows --json
holds '.knobs[0] | .text == "auto" and .resolved == null' "to nothing either"
good "a choice" params component.slopes.algorithm --json --scenario elt-scao
holds '.knobs[0] | .value == "cog" and (.choices | index("brightest") != null)' "with its choices"
good "a reference" params component.slopes.device --json
holds '.knobs[0] | .value == "rtc" and .choices == ["rtc", "gpu0"]' "to devices of the design"

good "a section" params device --json
holds '[.knobs[].path | split(".")[1]] | unique == ["gpu0", "rtc"]' "with all its instances"
good "an instance" params device.gpu0 --json
holds '.knobs | all(.path | startswith("device.gpu0.")) and any(.[]; .path == "device.gpu0.units")
       and all(.path != "device.gpu0.cores")' "with the knobs of its kind"
good "another design" params --scenario micado-scao wfs.ngs.kind
has "= pyramid" "its value"
good "with --set" params --set device.rtc.cores=8 device.rtc.cores --json
holds '.knobs[0] | .value == 8 and .origin == "set"' "the value set"
good "a whole design" params --scenario saxo
has "scenario.frame_rate = " "with all sections"
bench_scenario >bench.ini
good "a design in a file" params --scenario bench.ini ao.actuators
has "= 140" "its value"

good "a row of the table" params device.cores
cp "$out" row
has "device.*.cores" "is what the table says"
good "as the table writes it" params 'device.*.cores'
succeeds "is the same" cmp row "$out"
good "of a design" params --scenario micado-scao 'device.*.launch' --json
holds '.knobs | length > 1 and all(.path | test("^device\\.[^.]+\\.launch$"))' \
    "every device that has it"
good "a key alone" params frame_rate
has "scenario.frame_rate = 500 Hz" "where one section has it"
good "one of several instances" params settle --scenario micado-scao
has "component.dm.settle = " "with its path"
good "a file" params bench.ini ao.actuators
has "= 140" "its value again"
good "a file alone" params bench.ini
has "scenario.frame_rate = " "all sections"
mkdir -p "$HOME/.config/aolag/presets"
cat >"$HOME/.config/aolag/presets/here.ini" <<'END'
[device]
kind = cpu
cores = 4
clock = 2.5 GHz
origin.clock = measured
core_bandwidth = 12 GB/s
origin.core_bandwidth = fitted
add_latency = 1.2 ns
origin.add_latency = measured
pc = 1.09
origin.pc = fitted
launch = 1 us
origin.launch = assumed
END
good "a measured preset" params --set device.rtc.preset=here device.rtc --json
holds '[.knobs[] | {(.path[11:]): .origin}] | add |
       .cores == "stated" and .clock == "measured" and .core_bandwidth == "fitted" and
       .add_latency == "measured" and .pc == "fitted" and .launch == "assumed"' "tells origins"
good "in words" params --set device.rtc.preset=here device.rtc.clock
has "device.rtc.clock = 2.5 GHz  (measured)" "behind the value"
good "overridden" params --set device.rtc.preset=here --set device.rtc.clock=3GHz device.rtc.clock
has "(set)" "it is set"
good "in an explanation" explain component.slopes.compute_time elt-scao \
    --set device.rtc.preset=here --set component.slopes.device=rtc --all
succeeds "leaves have them too" grep -q 'rtc.clock = .*(measured)' "$out"
succeeds "and those of its sums" grep -q 'rtc.add_latency = .*(measured)' "$out"
good "how far it is off" eval saxo --set device.rtc.preset=here --json
holds '.devices[] | select(.name == "rtc") | .uncertainty_factor == 1.09' "it says itself"
good "a device from its vendor's figures" eval elt-scao --json
holds '.devices[] | select(.name == "rtc") | .uncertainty_factor == null' "has those of the causes"
printf '%s\n' / 'text device.rtc.clock' Enter screen >keys
good "on the screen" screen elt-scao --set device.rtc.preset=here --keys keys
succeeds "measured has a sign" grep -q 'clock  *2.5 GHz#' "$out"
printf '%s\n' / 'text device.rtc.core_bandwidth' Enter screen >keys
good "further down" screen elt-scao --set device.rtc.preset=here --keys keys
succeeds "fitted has another" grep -q 'core bandwidth  *12 GB/s~' "$out"

good "a formula" params component.projection.flops --scenario metis-scao --json
holds '.knobs[0] | .value == "2 * component.recon.rows * ao.actuators" and .resolved == 2 * 5860 * 5318' \
    "its text and its value"

finish
