# aolag flow: the flow of data; its numbers are in tests/data/designs/carried.txt.
. "$srcdir/tests/cli/lib.sh"

good "a flow" flow metis-scao
has "Flow of ELT METIS SCAO" "its title"
has "Raw pixels        148 MB/s, 1.18 Gb/s" "its pixels"
has "none; telemetry.pixels," "what states a background"
has "Power             1.36 kW, thermal design power of 4 parts" "its power"
has " 80 GiB  " "a memory as it is stated"
lacks "85.9 GB" "and in no other unit"
lacks "Price" "no price that is not stated"
fits "it fits"
good "a matrix alone" flow micado-scao
has " 396 MiB " "what it takes"
good "in eval" eval micado-scao
has "working set 396 MiB" "is the same number there"
good "of stated prices" flow metis-scao --set device.rtc.price=8000 --set device.gpu0.price=12000 \
    --set device.gpu1.price=12000.5
has "Price             40000.5 for 4 parts, in your currency" "their total"
good "as Markdown" flow metis-scao --markdown
has "| rtc.nic.in " "its ports"
good "as CSV" flow metis-scao --csv
is "$(head -n 2 "$out" | cut -d, -f 1-3)" "resource,kind,demand_bytes_per_s
rtc.nic.in,port,149288000" "a row for each resource"

set -- --set telemetry.pixels=1 --set telemetry.host=rtc --set telemetry.disk_rate=2 \
    --set telemetry.disk_size=30 --set update.period=5s
good "telemetry and updates" flow morfeo "$@"
has "telemetry.disk_rate: 5.61 GB/s are recorded" "what is too slow"
has "full after 4.17 hours" "the disks, at the rate that they write"
has "a matrix every 5.00 s" "the updates"
has "longer with the bandwidth that telemetry and updates" "the latency"
has " % are in no other result" "which is of this line alone"
good "no title" flow elt-scao --set scenario.title=
has "Flow of a design without a title" "says so"
good "a loop without one" loop elt-scao --set scenario.title=
has "Loop of a design without a title" "likewise"
good "pixels that their own host records" flow micado-scao --set telemetry.pixels=1 --set telemetry.host=rtc --json
holds '[.resources[] | select(.resource == "rtc.memory").background_bytes_per_s] == [2 * .recorded_bytes_per_s]' \
    "are written and read once more"
good "telemetry that costs next to nothing" flow micado-scao --set telemetry.pixels=1 --set telemetry.host=gpu0
has "less than 1.00 ns longer" "has no digits of it"
lacks "are in no other result" "and no part"
good "as JSON" flow morfeo "$@" --json
holds '.overloads == ["telemetry.disk_rate: 5.61 GB/s are recorded, and the disks write 2.00 GB/s"] and
    ([.streams[] | select(.kind == "telemetry") | .bytes_per_s] | add) == .recorded_bytes_per_s and
    ([.resources[] | select(.overloaded) | .resource]) == ["disk"] and .background_us >= 0' "the same"
holds '[.resources[].load | values] | max' "loads"
is "$(jq .load "$out")" "$(jq '[.resources[].load | values] | max' "$out")" "load is the largest"
is "$(jq -c '[.load, .recorded_bytes_per_s, .disk_time_s]' "$out")" \
    "$("$AOLAG" eval morfeo "$@" --json | jq -c '.flow | [.load, .recorded_bytes_per_s, .disk_time_s]')" \
    "those of eval"
is "$("$AOLAG" eval morfeo "$@" --json | jq .latency_us)" "$("$AOLAG" eval morfeo --json | jq .latency_us)" \
    "the latency is that without them"
good "in eval" eval morfeo "$@"
has "Flow              telemetry.disk_rate: 5.61 GB/s are recorded," "a sentence"
good "in eval as JSON" eval morfeo "$@" --json
holds '.flow_overloads | length == 1' "a sentence"
good "without them" eval morfeo --json
holds '.flow_overloads == [] and .flow.recorded_bytes_per_s == 0 and .flow.disk_load == null' "no sentence"

"$AOLAG" presets show morfeo >slow.ini
printf '\n[telemetry]\npixels = 1\nhost = rtc\ndisk_rate = 2 GB/s\n' >>slow.ini
run check slow.ini
is "$status" 1 "check of a disk that is too slow"
has "telemetry.disk_rate: 5.61 GB/s are recorded, and the disks write 2.00 GB/s" "is a problem"
sed -i 's/^disk_rate.*/disk_rate = 6 GB\/s/' slow.ini
run check slow.ini
is "$status $(cat "$err")" "0 slow.ini: good" "one that is fast enough"

good "by name" sweep telemetry.pixels=0,1 morfeo --results flow.recorded,flow.load,latency --set update.period=5
is "$(cut -d, -f 2 "$out" | tail -n 2)" "0
5610624000" "in a sweep"
good "as a condition" search morfeo --over device.gpu0.count=1:3 --where 'flow.memory_load<=0.1' --json
holds '[.front[]."device.gpu0.count"] | sort == [2, 3]' "of a search"
good "explained" explain flow.recorded morfeo --set telemetry.pixels=1
has "flow.recorded = 5.61 GB/s = telemetry.pixels * pixels + telemetry.slopes * slopes +" "its formula"

good "an overloaded design" flow elt-scao --set scenario.frame_rate=5kHz --set telemetry.pixels=1
lacks "Latency" "has no latency beside"
bad 2 'telemetry.host=gpu7: "gpu7" is not allowed; did you mean gpu0? Allowed: rtc, gpu0' "an unknown host" \
    flow morfeo --set telemetry.host=gpu7
bad 2 'telemetry.pixels=2: 2 is out of range; allowed: 0 to 1' "more than all" flow morfeo --set telemetry.pixels=2
bad 2 'update.period' "a period below 0" flow morfeo --set update.period=-1

# What the manual says of the size of the effect.
good "the price of telemetry for MICADO" flow micado-scao --set telemetry.pixels=1 --set telemetry.slopes=1 \
    --set update.period=10s --json
holds '.background_us > 0.1 and .background_us < 1' "is below 1 us"

good "far too many updates" flow saxo --set update.period=0.0001
has "Busiest           rtc.nic.in, 11036 % used" "have a load without an exponent"

# The timeline has no telemetry: eval says so, and where its price is.
good "telemetry in eval" eval elt-scao --set telemetry.pixels=1
has "not in the timeline, nor updates: aolag flow has their cost" "a line"
good "updates in eval" eval elt-scao --set update.period=10s
has "not in the timeline, nor updates: aolag flow has their cost" "a line"
fits "which fits"
good "neither" eval elt-scao
lacks "not in the timeline" "no line"

# a matrix on the board and another one on its host, in one memory of 273 GB/s
"$AOLAG" presets show elt-scao |
    sed 's/^preset = nvidia.*/preset = nvidia-gb10/; s/^preset = amd.*/preset = amd-ryzen-ai-max-plus-395/' >shared.ini
printf '\n[component.second]\ntype = reconstruction\ndevice = rtc\nafter = slopes\n' >>shared.ini
sed 's/^\[component.control\]/&\nafter = recon, second/; s/^sockets = .*//' shared.ini >both.ini
good "a shared memory" flow both.ini
has "gpu0.memory       memory   198 GB/s" "with what both carry"
lacks "leave" "times have it"
sed 's/= 500 Hz/= 800 Hz/; s/= 500 us/= 1 ms/' both.ini >fast.ini
run check fast.ini
is "$status" 1 "check of a memory that is too slow for both"
has "device.gpu0: its memory, which device.rtc shares, has to carry 317 GB/s, and carries 246 GB/s" "is a problem"
run check both.ini
is "$status" 0 "check of one that suffices"

finish
