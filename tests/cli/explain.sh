# aolag explain: formula trees of results.
. "$srcdir/tests/cli/lib.sh"

good "a memory time" explain component.recon.memory_time elt-scao --all
has " = stream_memory + tail_memory" "the formula"
has "bus_bits = 5120 bit (stated)" "a knob, its value and origin"
is "$(awk '{ gsub(/[^ -~]/, ""); if (length($0) > 100) print }' "$out")" "" "100 columns"
is "$(grep -c ' $' "$out")" 0 "no blanks at the end of a line"

bad 2 "--all and --depth need a path" "no depth of a list" explain --depth 3
"$AOLAG" explain latency_high elt-scao >design_last
good "the design first" explain elt-scao latency_high
is "$(diff "$out" design_last)" "" "as with the design last"
good "or by --file" explain -f elt-scao latency_high
is "$(diff "$out" design_last)" "" "the same again"

good "between two points" explain latency.slopes..recon elt-scao --depth 1
has " = component.recon.last_end - component.slopes.last_end: latency" "the difference of two times"
good "from a start" explain latency.slopes:first:start..control elt-scao --depth 1
has "= component.control.last_end -" "of that"
good "between packets" explain latency.slopes:7..recon:9 elt-scao --depth 1
has "latency.slopes:7..recon:9 = " "by their numbers"
has "(simulated)" "as they were simulated"
good "what eval calls the receiving core" explain camera.receive elt-scao --depth 1
has "component.camera.receive_time = " "is its time"
bad 1 "recon has 50 packets, no 51" "a packet that is none" explain latency.slopes..recon:51 elt-scao
bad 2 '"recon:0": packets are numbered from 1 to 4096' "one of no design" explain latency.slopes..recon:0 elt-scao
bad 2 'no component "slope" for a latency; the nearest is slopes; expected FROM..TO' "a misspelled one" \
    explain latency.slope..recon elt-scao

star="micado-scao --set wfs.ngs.magnitude=15 --set wfs.ngs.throughput=0.3"
good "an error budget" explain loop.total $star --depth 2
has "loop.total = 162 nm" "the total"
has "  loop.noise = 55.7 nm" "a term"
has "    wfs.ngs.magnitude = 15 (set)" "the star"
good "a gain" explain ao.gain $star
has "  loop.noise = 55.7 nm" "a result that it changes"
good "a list of vibrations" explain ao.vibrations $star
has "  loop.gain = 0.320" "a result that it changes"
good "fitting" explain loop.fitting saxo --depth 1
has "component.dm-hodm.surface = continuous" "names the surface of the mirror"
has "component.dm-hodm.actuators = 1377" "and what its pitch comes from"
has "wfs.ngs.subaps_across = 40" "and the subapertures, which may be coarser"
good "margins with dynamics" explain loop.gain_margin saxo --depth 1 --set component.dm-hodm.bandwidth=500
has "component.dm-hodm.bandwidth = 500 Hz" "name those of the mirror"
has "loop.loop_exposure = 725" "and the exposure"
good "noise of slopes" explain loop.noise saxo --depth 1
has "atmosphere.r0 = 14 cm" "depends on the size of the spots"

good "what is nothing" explain component.recon.slack elt-scao
has "component.recon.slack = 0 s" "no digits of it"
good "a latency" explain latency elt-scao --depth 1
has " = sum(path.*.latency)" "the sum of its steps"
has "  component.camera.step.50.latency = " "a step"
is "$(grep -c '^    .* = ' "$out")" 0 "no deeper than asked"

good "a delay" explain component.recon.delay elt-scao
has " = launch" "of a visit"
has "device.gpu0.dispatch = stream (assumed)" "the choice that decides it"
good "a port" explain component.camera.reception elt-scao
has " = datagram_time + ingress_latency" "from the wire to the program"
good "enqueuing that takes too long" explain latency elt-scao --set component.calibration.device=gpu0 \
    --set component.slopes.device=gpu0 --set scenario.packets=300 --set scenario.frame_rate=1000 --all
has "thread_wait = " "waiting for the thread"
good "mirrors that share a port" explain latency gems
has " = simulated(component.dm-" "what was waited for"

# What fits a screen, and a way on. The largest term is never left out.
for path in latency loop.total latency_high component.recon.time; do
    good "the top of $path" explain "$path" micado-scao
    is "$(($(wc -l <"$out") < 45))" 1 "is no longer than a page"
done
good "the critical path" explain latency micado-scao
has "  component.recon.step.48.latency = 261 µs = time" "its longest step"
has "    component.recon.step.48.time = 261 µs = delay + busy ..." "a path that can be opened"
has "A line that ends in ... has inputs: aolag explain DESIGN 'PATH' shows them" "how to go on"
sed -n "s/^ *\\([^ ]*\\) = .* \\.\\.\\.$/\\1/p" "$out" >closed
is "$(wc -l <closed)" 9 "as others can"
while read -r path; do
    good "$path" explain "$path" micado-scao
done <closed
good "many inputs" explain component.camera.wire_time elt-scao --depth 1
is "$(grep -c 'packet\..* = ' "$out")" 3 "the largest of them"
has "  ... and 47 more, none larger" "the number of others"
good "packets of several sizes" explain component.camera.wire_time saxo --set scenario.packets=17 --depth 1
has "packet.5.wire_time = " "one that is larger than those before it"
lacks "packet.2.wire_time = " "not one of these"
good "all of them" explain component.camera.wire_time elt-scao --depth 1 --all
is "$(grep -c 'packet\..* = ' "$out")" 50 "one for each packet"

good "an upper end with everything" explain latency_high elt-scao --all
has "factor = 1.70: one standard deviation, a starting value: " "a factor that is not fitted"
has "factor = 1.13: one standard deviation, fitted to measured pipelines" "one that is"
is "$(grep -c '^  range\..*\.high_square = ' "$out")" 10 "all of many"
lacks "..." "nothing is left out"
bad 2 "--all and --json exclude each other" "as data anyway" explain latency_high elt-scao --all --json
good "as JSON" explain component.recon.memory_time elt-scao --json
holds '.results[0] | .path == "component.recon.memory_time" and .unit == "s" and .value > 0 and
       .knob == false and (.formula | type == "string")' "its fields"
holds '[.. | objects | select(.knob == true) | .path] | index("device.gpu0.bus_bits") != null' \
    "knobs"
holds '[.. | objects | select(has("path"))] | all(has("value") and has("origin") and
       has("children"))' "fields of all"
good "origins" explain component.recon.time elt-scao --json
holds '[.. | objects | select(has("path") and (.knob | not))] |
    any(.path == "component.recon.columns" and .origin == "automatic" and .formula != null) and
    any(.path == "component.recon.compute_efficiency" and .origin == "assumed" and .formula == null)' \
    "an open knob is automatic if a formula gives its value, else assumed"

good "every result" explain
is "$(sed -n 's/^loop.servo_lag = [^:]*//p' "$out")" ": quick estimate of the servo lag; loop.lag is that of the loop" \
    "of the loop, the estimate as such"
has "device.gpu0.utilisation = " "of a device"
good "every result as JSON" explain --json
holds '.results | length > 50' "results"

good "a knob" explain device.rtc.cores elt-scao
has "device.rtc.cores = 96 (stated)" "its value and origin"
has "  device.rtc.all_cores = 192 = sockets * cores" "a formula that names it"
good "a choice" explain component.recon.precision elt-scao
has "Selects the formulas of" "what it does"
has "  component.recon.element_bytes = 4 B" "a value it chooses"
good "what a choice decides" explain component.recon.element_bytes elt-scao
has "  component.recon.precision = fp32 (assumed)" "the choice as a leaf"
good "an assumed latency" explain device.gpu0.l2_latency elt-scao
has "device.gpu0.l2_latency = 200 ns (assumed)" "says that it is assumed"
good "as JSON" explain component.recon.element_bytes elt-scao --json
holds '.results[0].children[0] | .path == "component.recon.precision" and .chooses' "marked as one"
good "of a part" explain device.gpu0.preset elt-scao
has "marked as stated" "what a preset does"
good "of another design" explain latency micado-scao --depth 0
good "with --set" explain ao.actuators elt-scao --set ao.actuators=7
has "= 7 (set)" "the value set"

good "unstated dispatch" explain latency_high ciao
has "longer = 62.3 µs = simulated(latency, factor)" "is part of the range"

good "a design that may not keep up" explain latency_high elt-scao \
    --set device.gpu0.bus_bits=336 --set device.rtc.dispatch=spin
has "  range.gpu0.memory.load = 1.03 = limit_busy / frame_period" "which group overloads it"
has "    limit_busy = 2.06 ms = simulated(component.recon.frame_busy, time, factor)" "and where"
has "bus_bits = 336 bit (set)" "down to the knob"
good "as JSON" explain latency_high elt-scao --set device.gpu0.bus_bits=336 \
    --set device.rtc.dispatch=spin --json
holds '.results[0] | .value == null and (.children | length) == 1 and
       (.children[0].children[0].children | length) == 3' "with the same inputs"
good "a port" explain latency_high ciao --set scenario.packets=600 \
    --set device.rtc.dispatch=spin
has "limit_busy = 3.34 ms = simulated(link.camera.receive.busy, time, factor)" "is busiest"
good "a design that does not keep up" explain latency_high elt-scao --set device.gpu0.bus_bits=300
has "  load = 1.02 = limit_busy / frame_period" "is overloaded by itself"

good "only a design" explain micado-scao
has "latency = 360 µs" "lists its results"

good "a formula of the scenario" explain component.projection.flops metis-scao
has "component.projection.flops = 62.3 MFLOP = 2 * component.recon.rows * ao.actuators" "with its value"
has "  ao.actuators = 5318 (set)" "and those of its names"
good "who uses a knob" explain ao.actuators metis-scao
has "component.projection.flops" "the formula is among them"

background="--set telemetry.pixels=0.1 --set telemetry.disk_rate=2 --set update.period=10s"
good "the load of a port" explain flow.port_load morfeo $background
has "flow.port_load = 0.231 = (port_pipeline + port_background) / port_capacity" "what it carries over what it can"
has "port_background = 106 MB/s" "updates"
good "the load of a memory" explain flow.memory_load morfeo $background
has "device.gpu0.sustained_memory = 0.9" "that of the busiest one"
good "what a memory holds" explain flow.memory_full morfeo $background
has "memory_buffered = 1006 MiB" "the second copy of the matrix"
good "an assumed cache" explain elt-scao device.rtc.l3 --set device.rtc.l3=auto
has " = 192 MiB " "is written as a stated one"
good "the load of disks" explain flow.disk_load morfeo $background
has "flow.disk_load = 0.281 = recorded / telemetry.disk_rate" "their rate"
good "the load of the flow" explain flow.load morfeo $background
has "= max(port_load, memory_load, memory_full, disk_load)" "the largest of its loads"

# What whole frames would take, or why that is no question.
good "whole frames" explain whole_frames elt-scao
has "with scenario.processing = frames" "what it is of"
is "$(sed -n 's/^whole_frames = \([0-9]* .s\):.*/\1/p' "$out")" \
    "$("$AOLAG" eval elt-scao --set scenario.processing=frames | sed -n 's/^RTC latency *\([0-9]* .s\) .*/\1/p')" \
    "that latency"
good "stated processing" explain whole_frames elt-scao --set scenario.processing=packets
has "that of the stated processing" "says so"
good "one packet" explain whole_frames elt-scao --set scenario.packets=1
has "a frame is one packet" "says so"

finish
