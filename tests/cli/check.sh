# aolag check: all problems of a file, each with its line.
. "$srcdir/tests/cli/lib.sh"

# line_of PATTERN FILE: the number of the first line that matches
line_of() {
    grep -n -m 1 -e "$1" "$2" | cut -d: -f1
}

bench_scenario | sed 's/^preset = amd.*/&\nos = realtime/' >good.ini
run check good.ini
is "$status $(cat "$out") $(cat "$err")" "0  good.ini: good" "a good file"

sed 's/actuators = 140/actuators = 1e9/; s/subaps_across/subap_across/; s/20$/some/' \
    good.ini >bad.ini
run check bad.ini
is "$status" 1 "a bad file"
is "$(cat "$err")" "" "problems are on standard output"
is "$(wc -l <"$out" | tr -d ' ')" 3 "all of them"
has "bad.ini:5: packets = some: " "a value that is no number"
has "bad.ini:8: actuators = 1e9: " "a value out of range"
has "did you mean subaps_across?" "an unknown key"

sed 's/type = centroid/&\nafter = control/' good.ini >cycle.ini
run check cycle.ini
is "$status" 1 "a design without meaning"
has "cycle.ini:$(line_of '^after = control' cycle.ini): component.slopes.after: a cycle, " \
    "names the line of the key and what is wrong"
is "$(wc -l <"$out" | tr -d ' ')" 1 "once"
sed 's/subaps_across = 12/subaps_across = 40\ndetector_height = 10/' good.ini >small.ini
run check small.ini
has "small.ini:$(line_of '^detector_height' small.ini): wfs.ngs.detector_height: 10 px" \
    "a detector too small"
sed '/^\[component.recon\]/a share = 1' good.ini >greedy.ini
run check greedy.ini
has "greedy.ini:$(line_of '^\[device.rtc\]' greedy.ini): device.rtc: stated shares" \
    "a device, by its section"
sed 's/subaps_across = 12/kind = pyramid/' good.ini >mixed.ini
run check mixed.ini
has "mixed.ini:$(line_of '^type = centroid' mixed.ini): component.slopes.type: " "a type"
sed '/^\[device/,/^$/d' good.ini >bare.ini
run check bare.ini
has "bare.ini:$(line_of '^\[component.calibration\]' bare.ini): component.calibration.device: " \
    "a key that is not there, by its section"

run check nosuch.ini
is "$status" 1 "no such file"
is "$(cat "$err")" "aolag: cannot open nosuch.ini: No such file or directory" "says why, and is no finding"
bad 1 "; did you mean good.ini?" "names the nearest file" check godo.ini
bad 1 ".: is a directory" "a directory" check .
: >empty.ini
run check empty.ini
is "$status" 1 "an empty file"
mkfifo fifo
cat good.ini >fifo &
run check fifo
is "$status $(cat "$err")" "0 fifo: good" "a pipe"
cat bare.ini >fifo &
run check fifo
has "fifo:$(line_of '^\[component.calibration\]' bare.ini): component.calibration.device: " "and its findings"
head -c 1200000 /dev/zero | tr '\0' '#' >large.ini
run check large.ini
is "$status" 1 "a file over 1 MiB"
if [ "$(id -u)" -ne 0 ]; then
    cp good.ini secret.ini
    chmod 0 secret.ini
    bad 1 "secret.ini: Permission denied" "an unreadable file" check secret.ini
else
    skip "an unreadable file" "root reads everything"
fi
printf '[scenario]\nformat = 1\ntitle = \033[31mred\n' >escape.ini
run check escape.ini
is "$(tr -d '\n -~' <"$out" | wc -c | tr -d ' ')" 0 "control characters stay in the file"

# An inner cache that is slower than the next level is valid and no good.
sed 's/^preset = .*/&\nl2_bandwidth = 1 GB\/s/' good.ini >slow.ini
run check slow.ini
is "$status $(cat "$err")" "0 slow.ini: valid, with warnings" "a slow cache"
has "slow.ini:$(line_of '^l2_bandwidth' slow.ini): warning: device.rtc.l2_bandwidth: 16.0 GB/s of the \
whole device, below " "names the key"
has "below l3_bandwidth, 720 GB/s, assumed" "and the other, with its origin"
is "$(wc -l <"$out" | tr -d ' ')" 1 "once"
sed 's/^preset = .*/&\nl3 = 0\nl2_bandwidth = 1 GB\/s/' good.ini >slow.ini
run check slow.ini
has "whole device, below memory, 83.2 GB/s" "memory"

# A way into a GPU that gets nothing from there.
sed 's/^preset = .*/&\ningress = rdma/' good.ini >rdma.ini
run check rdma.ini
is "$status $(cat "$err")" "0 rdma.ini: valid, with warnings" "rdma without a GPU"
has "rdma.ini:$(line_of '^ingress' rdma.ini): warning: device.rtc.ingress: rdma: no GPU receives camera, \
which is counted as bypass" "names the key and what counts"
good "is evaluated" eval rdma.ini
has "Ingress           device.rtc.ingress: rdma: no GPU receives camera," "with a line"
"$AOLAG" eval rdma.ini --json | jq .latency_us >rdma.latency
"$AOLAG" eval good.ini --set device.rtc.ingress=bypass --json | jq .latency_us >bypass.latency
is "$(cat rdma.latency)" "$(cat bypass.latency)" "as fast as bypass"
"$AOLAG" presets show elt-scao | sed 's/^preset = nvidia.*/&\ncopy = rdma/' >copy.ini
run check copy.ini
has "warning: device.gpu0.copy: rdma: no camera feeds this GPU; counted as mapped" "copies from a CPU"
sed 's/^device = rtc/device = gpu0/; s/^\[device.rtc\]/&\ningress = rdma/' copy.ini >into.ini
run check into.ini
is "$status $(cat "$out" "$err")" "0 into.ini: good" "a GPU that receives"

# More threads than cores are valid, and no good, in every way of sharing.
for sharing in exclusive partition fluid; do
    printf '[scenario]\nformat = 1\nsharing = %s\n[device.rtc]\npreset = amd-epyc-9654\nos = realtime\n
[wfs.ngs]\n[component.camera]\ntype = camera\n
[component.work]\ntype = custom\nflops = 1 MFLOP\nworkers = 500\n' $sharing >crowd.ini
    run check crowd.ini
    is "$status $(cat "$err")" "0 crowd.ini: valid, with warnings" "a crowd, $sharing"
    has "warning: component.work.workers: 500 threads take turns on the 96 cores of device.rtc" "why"
    good "is evaluated" eval ./crowd.ini
    has "Threads           component.work.workers: 500 threads" "with a line"
done

# They cost where a component continues a visit, too; who states the launch knows better.
latency() {
    "$AOLAG" eval elt-scao --json --set scenario.sharing=exclusive "$@" | jq .latency_us
}
crowd='--set component.slopes.workers=300'
is "$(awk "BEGIN { print ($(latency $crowd) > $(latency) + 14.9) }")" 1 "15 us for a core"
is "$(latency --set device.rtc.launch=0.6us $crowd)" "$(latency --set device.rtc.launch=0.6us)" \
    "not with a stated launch"
sed 's/^preset = .*/&\nlaunch = 1 us\nboundary = 2 us/' crowd.ini >known.ini
run check known.ini
lacks "take turns" "nor is there a warning"

# A share of a device that is not divided has no effect, which is said once.
sed 's/^\(sharing = \).*/\1exclusive/; s/^workers = .*/share = 0.1/' crowd.ini >share.ini
printf '[component.more]\ntype = custom\nshare = 0.1\n' >>share.ini
run check share.ini
idle="component.work.share: has no effect, as device.rtc is exclusive (and 1 more)"
is "$status $(cat "$err")" "0 share.ini: valid, with warnings" "idle shares"
is "$(cat "$out")" "share.ini:$(line_of ^share share.ini): warning: $idle" "once"
good "is evaluated" eval ./share.ini
has "Shares            component.work.share: has no effect" "with a line"
sed 's/^sharing = .*/sharing = fluid/' share.ini >divided.ini
run check divided.ini
is "$(cat "$err")" "divided.ini: good" "a divided device"

# A branch that nobody reads, a sensor without a camera and numbers that do not fit together are said
# by check, eval and the screen.
run presets show elt-scao
{
    sed 's/^subaps_across = .*/&\nvalid_subaps = 6020/; s/^settle = .*/&\nactuators = 4000/
        s/^preset = amd.*/&\nlate_p90 = 500\nlate_p99 = 20/; s/^algorithm = mvm/algorithm = tlr\nrank = 300/' "$out"
    printf '[wfs.two]\n[wfs.three]\n'
    printf '[component.camera2]\ntype = camera\nwfs = two\n'
    printf '[component.slopes2]\ntype = centroid\ndevice = rtc\nafter = camera2\n'
} >loose.ini
cat >loose.txt <<'END'
component.slopes2: nothing uses its data
wfs.three: no camera serves it
wfs.ngs.valid_subaps: 6020 stated, 80 across gives about 5027
ao.actuators: 5318, but the mirrors have 4000
device.rtc.late_p90: 500 us, above late_p99, 20.0 us; the larger one counts
component.recon.rank: 300, above tile, 256, assumed
END
good "is evaluated" eval ./loose.ini
cp "$out" loose.eval
run screen ./loose.ini --size 200x60
cp "$out" loose.screen
run check loose.ini
is "$status $(cat "$err")" "0 loose.ini: valid, with warnings" "a design with loose ends"
while IFS= read -r note; do
    has "warning: $note" "check says so"
    is "$(tr -s ' \n' ' ' <loose.eval | grep -cF "$note")" 1 "so does eval: $note"
done <loose.txt
is "$(grep -c 'slopes2: nothing uses its data' loose.screen)" 1 "and the screen"
sed 's/^valid_subaps = .*/valid_subaps = 6400/' loose.ini >square.ini
run check square.ini
lacks "stated, 80 across" "a whole square may be stated"

# No shipped design has such loose ends.
for preset in "$srcdir"/presets/ao/*.ini "$srcdir"/presets/pipelines/*.ini; do
    run check "$preset"
    is "$status $(cat "$err")" "0 $preset: good" "${preset##*/}"
done

# A file that states nothing new may be an old one: check says so, once, evaluating it does not.
bench_scenario >unstated.ini
run check unstated.ini
is "$status $(cat "$err")" "0 unstated.ini: good" "unstated defaults"
is "$(sed 's/ the defaults .*//' "$out")" \
    "unstated.ini:$(line_of ^format unstated.ini): note: scenario.format:" "are a note"
good "is evaluated" eval ./unstated.ini
is "$(cat "$err")" "" "without it"

# 7.41 GB of matrix on a board of 2 GB.
printf '%s\n' '[device.gpu0]' 'preset = nvidia-quadro-p620' 'memory_size = 2 GB' >board
sed '/^os = realtime/r board' good.ini |
    sed 's/1 kHz/2 Hz/; /^\[component.recon\]/a device = gpu0\nrows = 40000\ncolumns = 46313' >large.ini
run check large.ini
is "$status" 1 "a matrix that does not fit"
is "$(cat "$out")" "large.ini:$(line_of '^memory_size' large.ini): device.gpu0.memory_size: does not \
fit: 7.41 GB of working sets, 2.00 GB of memory" "says so"
good "is evaluated" eval ./large.ini
has "Memory            device.gpu0.memory_size: does not fit: 7.41 GB " "with a line"
run eval ./large.ini --strict --json
is "$status $(cat "$err")" "1 aolag: --strict: the design does not fit the memory of a device" "--strict fails it"
holds '(.fits | not) and (.latency_us > 0) and
       (.devices[] | select(.name == "gpu0") | (.fits | not) and .held_bytes == 7410080000)' "in JSON"
good "with memory enough" eval ./large.ini --strict --set 'device.gpu0.memory_size=8 GB' \
    --set scenario.target_latency=1s --json
holds '.fits and all(.devices[]; .fits)' "it fits"
good "as Markdown" eval ./large.ini --markdown
has "Does not fit the memory of its devices" "the verdict"
good "compared" compare ./large.ini good.ini
succeeds "says so" grep -q 'too small  *fits' "$out"
good "boards" rank gpu ./large.ini
succeeds "without those that are too small" grep -q '^Excluded  *[0-9]* presets whose memory' "$out"

# What an old file states with another meaning: a note, once when it is used, all of them here.
sed 's/^preset = .*/&\nlaunch = 2 us\ndriver = 4 us/' good.ini >old.ini
run check old.ini
is "$status $(cat "$err")" "0 old.ini: good" "an old file is good"
has "old.ini:$(line_of '^launch' old.ini): note: device.rtc.launch: now a delay" "launch"
has "old.ini:$(line_of '^driver' old.ini): note: device.rtc.driver: sets" "driver"
is "$(wc -l <"$out" | tr -d ' ')" 2 "nothing else"
cp "$out" notes
run eval old.ini --json
is "$status $(cat "$err")" "0 $(cat notes)" "eval says so beside its output"
holds '.schema' "which is the same"
run compare old.ini good.ini
is "$(grep -c note "$err")" 2 "compare does"
"$AOLAG" eval - <old.ini 2>"$err" >"$out"
is "$(grep -c '^standard input:[0-9]*: note: ' "$err")" 2 "on standard input, too"
printf '\n[device.spare]\nlaunch = 1 us\n' >>old.ini
run check old.ini
is "$(grep -c launch "$out")" 2 "check lists each"
run eval old.ini --csv
is "$(grep -c 'launch: now .* (and 1 more)$' "$err")" 1 "the others one of a kind"

bad 1 "check reads files, such as those of \"aolag presets show elt-scao >FILE\"" "a preset" \
    check elt-scao

printf '[scenario]\nformat = 1\n' >empty.ini
for command in check eval advise "explain latency" "plot timeline -o t.svg" "compare elt-scao" "rank gpu"; do
    run $command empty.ini
    is "$status" 1 "$command: a design without components"
    cat "$err" >>"$out"
    has "no components; a section [component.NAME] adds one, aolag presets show NAME starts from a preset" "$command: what is missing"
done

sed 's/^actuators = .*/&\n/; $a\
[component.work]\
type = custom\
flops = 2 * wfs.ngs.subap' good.ini >formula.ini
run check formula.ini
is "$status" 1 "a formula with an unknown name"
has "formula.ini:$(line_of '^flops' formula.ini): component.work.flops: wfs.ngs.subap: unknown key" \
    "by its line"

"$AOLAG" presets show elt-scao | sed 's/^preset = nvidia.*/&\nsustained_clock = 4 GHz/' >clock.ini
run check clock.ini
has ".sustained_clock: 4.00 GHz, above clock, 1.41 GHz; the lower one counts" "a clock that has no effect"

finish
