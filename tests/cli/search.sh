# aolag search: the designs worth having.
. "$srcdir/tests/cli/lib.sh"

# front AXES... : that of the rows of a sweep without errors that keep up, by brute force: each is compared
# with each other one in latency and watts; of equal ones the first stays. `rows`: a filter of rows.
front() {
    "$AOLAG" sweep "$@" --results latency,watts${ranged:+,latency_high} --json |
        jq -sc 'map(select(.error == null and (.overloaded | not) and .watts != null) |
            select('"${rows:-true}"')) | . as $all |
            [range(length) as $i | $all[$i] as $a |
             select([range(length) as $j | $all[$j] as $b | $j != $i and
                     $b.latency_us <= $a.latency_us and $b.watts <= $a.watts and
                     ($j < $i or $b.latency_us < $a.latency_us or $b.watts < $a.watts)] | any | not) |
             [$a.latency_us, $a.watts]] | sort'
}
found() {
    jq -c '[.front[] | [.latency_us, .watts]] | sort' "$out"
}

gpus=nvidia-a10,nvidia-l4,nvidia-l40s,nvidia-h100-pcie,nvidia-rtx-4090,amd-instinct-mi210,nvidia-t4
good "graphics processors" search --over device.gpu0=gpu --any-host --json
is "$(found)" "$(front device.gpu0.preset=all)" "the front of all pairs"
holds '.designs == .kept + .overloaded + .unknown + .invalid + .memory_too_small' "every design is counted"
good "also with a count" search --over device.gpu0=$gpus,none --over device.gpu0.count=1:4 --any-host --json
is "$(found)" "$(front device.gpu0=$gpus,none device.gpu0.count=1:4)" "the front of all pairs"
holds '.repeated == 3 and .designs == 32' "without the device its number does not count"
good "under a condition on the range" search --over device.gpu0=$gpus --over device.gpu0.count=1:3 \
    --any-host --json --where 'latency_high<=450us' --where 'watts<=1kW'
is "$(found)" "$(ranged=1 rows='.latency_high_us != null and .latency_high_us <= 450 and .watts <= 1000' \
    front device.gpu0=$gpus device.gpu0.count=1:3)" "the front of all pairs"
holds '(.front | length > 0) and all(.front[]; .latency_high_us <= 450 and .watts <= 1000) and
       .kept + .overloaded + (.missed | map(.designs) | add) == .designs' "its designs meet them"
good "processors with settings" search --over device.rtc=cpu --over scenario.packets=1,20,50 gpao \
    --any-host --json --set device.rtc.cores=8
is "$(found)" "$(front device.rtc=cpu scenario.packets=1,20,50 gpao --set device.rtc.cores=8)" "the front of all pairs"

# Alike devices have the same part: the front is that of the designs in which they do.
parts=amd-epyc-9654,amd-epyc-7702,intel-xeon-gold-6248
good "alike devices" search nfiraos-lgs --over "device.rtc?=$parts" --over scenario.packets=1,20 --any-host --json
for part in $(echo $parts | tr , ' '); do
    set --
    for i in 1 2 3 4 5 6; do set -- "$@" --set device.rtc$i.preset=$part; done
    "$AOLAG" sweep scenario.packets=1,20 nfiraos-lgs "$@" --results latency,watts --json
done | jq -sc '[.[] | select(.overloaded | not) | [.latency_us, .watts]]' >alike
is "$(found)" "$(jq -c '. as $all | [.[] | . as $a | select([$all[] | . != $a and .[0] <= $a[0] and .[1] <= $a[1]] | any | not)] |
    sort' alike)" "the front of all"
holds 'all(.front[]; ."device.rtc?.preset" | length > 5) and (.front | length > 1)' "their part is under the pattern"
"$AOLAG" search nfiraos-lgs --over "device.rtc?=$parts" --over scenario.packets=1,20 --any-host --shard 1/1 >block
good "a block of it" merge block --json
holds '.front_count > 1' "has the pattern, too"
good "without alike ones" search metis-scao --over 'device.gpu*=nvidia-l40s,none' --over 'device.gpu*.count=1:2' --json
holds '.repeated == 1 and any(.front[]; ."device.gpu*.count" == null and .count == 2)' "their number does not count"
bad 2 "device.gpu1 is varied twice" "a device in two axes" search metis-scao --over 'device.gpu*=gpu' --over device.gpu1=gpu
bad 2 "device.gpu1.preset is both varied and set" "or set" search metis-scao --over 'device.gpu*=gpu' \
    --set device.gpu1.preset=nvidia-a10
is "$("$AOLAG" search nfiraos-lgs --over 'device.rtc?=cpu' --over device.rtc=cpu | grep -o apple-m3-max | wc -l)" 1 \
    "what is not sold is named once"

# A row is what eval prints of the design.
good "two axes" search --over device.rtc=cpu --over device.gpu0=gpu,none --json
holds '.front | length > 5' "its front"
boards='[.front[] | select(."device.gpu0.preset" != "none")]'
for i in 0 2 3; do
    set -- "$(jq -r "$boards[$i][\"device.rtc.preset\"]" "$out")" "$(jq -r "$boards[$i][\"device.gpu0.preset\"]" "$out")"
    is "$(jq -c "$boards[$i] | [.latency_us, .latency_high_us, .watts, .margin_us]" "$out")" \
        "$("$AOLAG" eval --set "device.rtc.preset=$1" --set "device.gpu0.preset=$2" --json |
            jq -c '[.latency_us, .latency_high_us, .watts, .margin_us]')" "row $i is that of eval"
done
"$AOLAG" search --over device.rtc=cpu --over device.gpu0=gpu,none --json --jobs 1 >one.json
is "$(cat "$out")" "$(cat one.json)" "the same on one processor"
holds 'all(.front[]; ."device.rtc.preset" != "apple-m2-ultra")' "a host without lanes is excluded"
good "any host" search --over device.rtc=cpu --over device.gpu0=gpu,none --json --any-host
holds 'any(.front[]; ."device.rtc.preset" == "apple-m2-ultra") and .needs_other_host == 0' "unless it may be any"


# The answer comes before the names of what is not tried; a device that is none has a caveat, as a component moved has.
good "one axis" search --over device.gpu0=gpu,none
has "Designs           52 of device.gpu0.preset" "the number of its values"
has "Caveats: gpu0 none: code for its host." "the caveat"
is "$(grep -n '^Front\|^#\|^Not sold singly\|^Other host' "$out" | cut -d: -f2 | cut -c1-5 | tr -d '\n')" "Front# gpuNot s" "the order"
good "one axis as JSON" search --over device.gpu0=gpu,none --json
holds '.front[-1].caveat == "code for its host" and .front[0].caveat == null' "likewise"

# Designs that cannot be told apart are one row: by power, each joins the last group whose design of least power it
# cannot be told from, which is printed. apart: a jq function of two rows.
places() { sed -n '/^ *#/,/^$/p' "$out" | awk '$1 ~ /^[0-9]+$/ { print $1 }' | tr '\n' ' '; }
groups='reduce (.front | sort_by(.watts, .place))[] as $d ([];
            (last(range(length) as $g | select(apart(.[$g][0]; $d) | not) | $g) // length) as $g |
            .[$g] += [$d]) | map({group: .[0].place, places: map(.place) | sort}) | sort_by(.places[0])'
told='[.front[] | {group, place}] | group_by(.group) | map({group: .[0].group, places: map(.place)}) | sort_by(.places[0])'
good "a long front" search --over device.rtc=cpu --over device.gpu0=gpu,none --json --within 20
is "$(jq -c "$told" "$out")" "$(jq -c 'def apart(a; b): ([a.latency_us, b.latency_us] | max / min) > 1.2;'"$groups" "$out")" \
    "the groups of latencies within 20 %"
holds '.front_count == (.front | length) and .groups < .front_count * 0.8 and .within_fraction == 0.2' "in all designs of the front"
holds '. as $all | all(.front[]; .group as $g | .equivalent == ([$all.front[] | select(.group == $g)] | length) - 1)' \
    "which know their number"
groups_of=$(jq .groups "$out")
good "as text" search --over device.rtc=cpu --over device.gpu0=gpu,none --within 20
has "designs that differ by at most 20 %: $groups_of groups," "is said"
is "$(places | wc -w)" "$groups_of" "and has a row for each"
is "$(places)" "$("$AOLAG" search --over device.rtc=cpu --over device.gpu0=gpu,none --within 20 --json |
    jq -r '.front[] | select(.group == .place) | .place' | tr '\n' ' ')" "with its place"

# Without it they are told apart as compare does.
good "without --within" search eris --over device.rtc=cpu --json
for part in $(sanitized || jq -r '.front[]."device.rtc.preset"' "$out"); do
    sed "s/^preset = intel-xeon-gold-6248/preset = $part/" "$srcdir/presets/ao/eris.ini" >"$part.ini"
    for other in *.ini; do "$AOLAG" compare "$other" "$part.ini" --json | jq -c "[\"${other%.ini} $part\", .verdict.faster != null]"; done
done | jq -sc 'map({key: .[0], value: .[1]}) | from_entries' >told.json
sanitized || is "$(jq -c "$told" "$out")" "$(jq -c --slurpfile told told.json 'def apart(a; b): "device.rtc.preset" as $k |
    [a[$k] + " " + b[$k], b[$k] + " " + a[$k]] | map($told[0][.] == true) | any;'"$groups" "$out")" "the groups of compare"
holds '.groups > 2 and .groups < .front_count' "are several"
good "as Markdown" search eris --over device.rtc=cpu --markdown
is "$(grep -c '^| [0-9]* | [a-z]*-' "$out")" 4 "a row for each"
good "all" search eris --over device.rtc=cpu --all
has " 1 amd-epyc-9996-mrdimm          to 7" "name the row that stands for them"
is "$(places | wc -w)" 13 "and are printed"
good "a group of several latencies" search micado-scao --markdown
has "| none | intel-xeon-6990e-plus |  | +32 | 147 µs |" "is a row"
has " 126 µs to 147 µs |" "and says them"
good "most power" search --over device.gpu0=gpu --objective max_frame_rate,latency --within 50 --json
holds '.front | length > 0' "a more-is-better objective"
good "numbers of parts" search nfiraos-lgs --over 'device.rtc?=cpu' --over 'device.rtc?.sockets=1,2,4' --json \
    --objective latency,count,watts
holds '.groups < .front_count and ([.front[] | [.group, .count]] | unique | length == ([.[][0]] | unique | length))' \
    "tell designs of one latency apart"
bad 2 "--within takes a whole number from 1 to 50, not \"0\"" "no percent" search --over device.gpu0=gpu --within 0
bad 2 "--shard and --within exclude each other" "blocks have all" search --over device.gpu0=gpu --within 1 --shard 1/2
bad 2 "--shard and --all exclude each other" "likewise" search --over device.gpu0=gpu --all --shard 1/2

# Without --over the axes are those of view 6, but for what --set states.
good "no axes" search micado-scao --json
holds '.axes_chosen and .axes == ["device.gpu0.preset", "device.rtc.preset", "device.gpu0.count", "scenario.packets"] and
       .front_count == 60 and .groups < 30' "are chosen"
printf '6\nr\nwait\nt\nscreen\n' >axes.keys
alone=nfiraos-lgs
! sanitized || alone=eris
"$AOLAG" search $alone | sed -n '/^Designs/,/^Objectives/p' >axes
good "as in view 6" screen $alone --size 90x40 --keys axes.keys
is "$(sed -n 's/^│.\{1,3\}│ \(.*[^ ]\) *│ │$/\1/p' "$out" | tr -s ' \n' ' ' | grep -cF "$(tr -s ' \n' ' ' <axes | sed 's/ $//')")" 1 "the same ones"
has "Axes " "and that they are"
good "with --set" search micado-scao --set device.gpu0.preset=nvidia-a10 --set scenario.packets=20
has "Axes              chosen; --over states others; as they are: gpu0, packets" "is not varied"
"$AOLAG" search eris >whole.txt
for k in 1 2; do "$AOLAG" search eris --shard $k/2 >block.$k; done
good "in blocks" merge block.1 block.2
is "$(cmp "$out" whole.txt 2>&1)" "" "the same"
good "in blocks, all" merge block.1 block.2 --all
is "$("$AOLAG" search eris --all | cmp - "$out" 2>&1)" "" "the same"

# Only machines that one can build: the host has lanes for all cards, and each part is sold.
good "counts" search micado-scao --over device.rtc=cpu --over device.gpu0=gpu,none --over device.gpu0.count=1:8 --json
holds '.too_few_lanes > 1000 and ([.front[] | select(."device.gpu0.count" != null) | ."device.gpu0.count"] | max) == 7' \
    "no host carries eight cards of 16 lanes and its port"
holds 'all(.front[]; ."device.rtc.preset" != "amd-ryzen-6800h" or ."device.gpu0.count" == null or ."device.gpu0.count" == 1)' "20 lanes carry one card"
holds '.not_sold_singly | contains(["amd-instinct-mi250x-gcd", "amd-instinct-mi300a", "nec-sx-aurora-ve20b", "nvidia-h100-sxm"])' "and what is not tried"
good "beside a board that has another link" search --over device.gpu0=gpu --set device.gpu0.host_link=nvlink --json
holds '.other_host | contains(["nvidia-l40s"])' "what needs another host"
good "two sockets" search micado-scao --over device.gpu0=nvidia-t4 --over device.gpu0.count=8 --json \
    --set device.rtc.sockets=2
holds '.too_few_lanes == 0 and .kept == 1' "have twice the lanes"
good "three links between them" search micado-scao --over device.gpu0=nvidia-t4 --over device.gpu0.count=9:10 --json \
    --set device.rtc.sockets=2
holds '.too_few_lanes == 1 and .kept == 1' "leave 160"
good "one socket" search micado-scao --over device.gpu0=nvidia-t4 --over device.gpu0.count=7:8 --set device.rtc.sockets=1
has "1 needs more PCIe lanes than the host has" "has not"
good "by name" search micado-scao --over device.gpu0=gpu,amd-instinct-mi250x-gcd --json
holds '(.not_sold_singly | index("amd-instinct-mi250x-gcd")) == null and any(.front[]; ."device.gpu0.preset" == "amd-instinct-mi250x-gcd")' "it is tried"

# A design that is faster and less certain says so, as advise does.
good "packets" search gpao --over scenario.packets=50,100,5
has "21.1 to 1.10 ms !" "more packets are marked"
has "!                 less latency," "and the mark is explained"
good "as JSON" search gpao --over scenario.packets=50,100 --json
holds '.present.latency_high_us as $high | all(.front[]; .less_certain == (.latency_high_us > 1.05 * $high))' "the same"

good "an unknown price" search --over device.gpu0=nvidia-t4,nvidia-a10 --where 'price<=1000'
has "2 with an unknown value" "is not one that misses the condition"
has "Price             not stated for rtc (amd-epyc-7543), nvidia-t4, nvidia-a10;" "says which parts"
has "a design counts only if all its parts have one" "and what to do is said"

good "as text" search --over device.rtc=cpu --over device.gpu0=gpu,none --where 'latency_high<=500us' \
    --why amd-epyc-9654
has "Designs           3068 = 59 of device.rtc.preset x 52 of device.gpu0.preset" "the number of designs"
has "miss latency_high <= 500 us" "of those that miss a condition"
has "Why               amd-epyc-9654: 52 designs;" "of those with a preset"
fits "all"
good "the first" search --over device.rtc=cpu --over device.gpu0=gpu,none --top 3
has " more are not printed" "and the number of the others"
good "why" search --over device.rtc=cpu --over device.gpu0=gpu --why amd-epyc-9654 --json
holds '.why.preset == "amd-epyc-9654" and all(.why.best[]; ."device.rtc.preset" == "amd-epyc-9654")' "it is that preset"
holds '. as $all | all(.why.best[]; . as $row | $all.front[.dominated_by - 1] |
       .latency_us <= $row.latency_us and .watts <= $row.watts)' "what dominates it"
good "why one of the front" search --over device.gpu0=gpu --why nvidia-a30 --json
holds '[.front[]."device.gpu0.preset"] | index("nvidia-a30") != null' "it is there"
holds '.why.best[0].dominated_by == null' "nothing dominates it"
good "why one of the front, as text" search --over device.gpu0=nvidia-a30,nvidia-a10,none \
    --over device.gpu0.count=1:2 --why nvidia-a30
is "$(awk '/^number|^worse/ { print $1, $2, $3, $4 }' "$out")" "number 1 (in 2)
worse than 2 1" "its place on the front, or what is better"
is "$(awk '/^2 none/ { print $3, $4 }' "$out")" "+1 457" "a device that is none has no number"
good "no number of none" search --over device.gpu0=nvidia-a30,none --over device.gpu0.count=1:2 --json
holds '[.front[] | ."device.gpu0.count"] == [2, null]' "nor in JSON"
good "a picture of many" search --over device.gpu0=gpu,none --over device.gpu0.count=1:4 --svg front.svg
front=$(awk '$1 ~ /^[0-9]+$/ { print $1 }' "$out" | tr '\n' ' ')
sed -n '1,/<text.*>#<\/text>/p' front.svg >plot.part
is "$(grep -oE 'font-size="15" .*>[0-9]+</text>' plot.part | sed 's/<.text>//; s/.*>//' | sort -n | tr '\n' ' ')" \
    "$front" "each star has its number"
is "$(grep -c ', +[0-9]* equivalent<' front.svg) $(grep -c ' of the front not shown: equivalent to others<' front.svg)" "2 2" "and says what it stands for"
listed() { sed '1,/<text.*>#<\/text>/d' "$1" | sed -n '/^<text/{s/<.text>//; s/.*>//; p;}'; }
is "$(listed front.svg | head -n 3 | tr '\n' '|')" \
    "gpu0, device.gpu0.count|1|$(awk '$1 == 1 { print $2 ", " $3 "|" }' "$out")" "and the list its parts"
printf '6\nr\nwait\nt\nscreen\n' >front.keys
good "on the screen" screen eris --size 100x40 --keys front.keys
grep -oE '[0-9]+ +[a-z]+-[a-z0-9-]+ +[+][0-9]+ +[0-9.]+ ' "$out" >shown
good "the same by options" search eris --over device.rtc=cpu --over scenario.packets=1,5,10,25,50,100
is "$(tr -s ' ' <shown)" "$(grep -oE '[0-9]+ +[a-z]+-[a-z0-9-]+ +[+][0-9]+ +[0-9.]+ ' "$out" | tr -s ' ')" "the front is the same"
is "$(sort -u shown | wc -l)" 2 "all of it"

# With a star: parts are searched by latency, of which nm follow; what changes the loop itself by nm.
good "parts with a star" search micado-scao --over device.gpu0=gpu --over device.gpu0.count=1:4 --json
holds '.objectives == ["latency", "watts"] and (.present.total_nm - 146.8 | fabs) < 1' "objectives"
holds '.present.total_nm as $now | [.front[].total_nm] as $e | ($e | length) > 10 and $e == ($e | sort) and
    all(.front[]; (.total_change_nm - .total_nm + $now | fabs) < 1e-9)' "the order by latency is that by nm"
jq -c '[.front[].design]' "$out" >by_latency
good "by nm" search micado-scao --over device.gpu0=gpu --over device.gpu0.count=1:4 --objective loop.total,watts --json
is "$(jq -c '[.front[].design]' "$out")" "$(cat by_latency)" "the same front"
good "in text" search micado-scao --over device.gpu0=gpu
has " change of the wavefront error, now 147 nm" "what the column has"
fits "it"
good "a controller" search micado-scao --over ao.controller=integrator,lqg-tip-tilt --over device.gpu0=gpu
has "least loop.total, least watts" "objectives"
over="--over component.recon.algorithm=all --over component.recon.precision=all"
good "algorithms" search micado-scao $over
has "component.recon.algorithm cured: no noise weights" "what one costs is said"
has "component.recon.precision int8: 2 digits, scaled" "and what the other does"
has "quality of" "nm do not have it"
good "algorithms as Markdown" search micado-scao $over --markdown
has "component.recon.algorithm cured: no noise weights" "the same"
good "algorithms as JSON" search micado-scao $over --json
holds '.front[0].caveat == "no noise weights; 2 digits, scaled"' "the same"
good "the present algorithm" search gpao --over component.slopes.algorithm=all --json
holds '.front[0] | ."component.slopes.algorithm" == "cog" and .caveat == null' "has no caveat"
run search micado-scao --over scenario.frame_rate=500,1000 --over device.gpu0=gpu
is "$status: $(cut -c1-67 "$err")" "0: aolag: note: wfs.ngs.photons are those of an exposure of any length" "a frame rate"
has "1   1000 Hz " "more frames leave less"
has "8    500 Hz " "the others are slower"
good "a frame rate without a star" search micado-scao --over scenario.frame_rate=500,1000 --set wfs.ngs.photons=auto --json
holds '.objectives == ["latency", "watts"] and all(.front[]; .total_nm == null)' "objectives"
hasnt() { is "$(grep -c "$1" "$out")" 0 "$2"; }
good "columns that fit" search micado-scao --over device.gpu0=nvidia-h100-nvl,nvidia-a30,nvidia-a10,nvidia-rtx-a4000,nvidia-t4
is "$(grep -c 'nm  *Limited by  *Margin$' "$out")" 1 "stay"
has "850 W −0.21 HBM bandwidth" "what limits a part"
has "Each              limited by recon" "and all of them"
has "No room for Memory used;" "those that do not are named"
has "2 of these miss the target of 1.00 ms;" "the target is not forgotten"
good "designs that meet the target" search micado-scao --over device.gpu0=gpu --where 'latency<=target_latency'
lacks "of these miss" "say nothing of it"
good "no target" search micado-scao --over device.gpu0=gpu --set scenario.target_latency=0 --markdown
hasnt "Margin" "no margin"
good "Markdown" search micado-scao --over device.gpu0=gpu --markdown
has "| Limited by | Margin | Memory used |" "has all columns"
good "as CSV" search --over device.rtc=cpu --csv
is "$(awk -F, '{ print NF }' "$out" | sort -u | wc -l)" 1 "as many fields in each line"
good "as Markdown" search --over device.rtc=cpu --markdown
has "| Objectives | least latency, least watts |" "lines are a table"
has "| \\# | rtc | Equiv. | Latency |" "with headings"
good "a path as a heading" search --over device.rtc=cpu --over device.rtc.jitter=1,1.1 --over device.gpu0.count=1:3 --markdown
has " device.gpu0.count |" "has no blanks"

# The present design is compared as any other: what excludes it comes first.
good "a present design that misses a condition" search --over device.gpu0=gpu --where 'latency<300us'
has "misses latency < 300 us;" "it is named"
has "number 2 is at least as good" "and what is better"
good "likewise as JSON" search --over device.gpu0=gpu --where 'latency<300us' --json
holds '.present.excluded == "misses latency < 300 us" and .present.dominated_by == 2' "has both"
good "without a better one" search --over device.gpu0=nvidia-t4 --where 'latency<1us'
has "misses latency < 1 us; otherwise not dominated" "it is not dominated otherwise"
good "a present design that does not keep up" search --over device.gpu0=gpu --set scenario.frame_rate=5kHz
has "does not keep up; otherwise not dominated" "it is named"
good "a present design of unknown power" search --over device.rtc=cpu --set device.gpu0.tdp=0
has "watts is unknown" "it is named"
hasnt "not dominated" "and not compared"
good "a present design with another objective" search micado-scao --over device.gpu0=amd-instinct-mi325x --objective loop.total
is "$(grep -c '^ *loop.total [0-9.]* nm;' "$out")" 1 "its value is said"
good "likewise as JSON" search micado-scao --over device.gpu0=amd-instinct-mi325x --objective loop.total --json
holds '.present["loop.total_nm"] > .front[0]["loop.total_nm"]' "it has it"
good "a present design that meets all" search --over device.gpu0=nvidia-t4 --where 'latency<1ms' --json
holds '.present.excluded == null and .present.dominated_by == null' "nothing excludes it"

# Lines have 80 columns with any number of axes, no part is cut, and what is the same is said once.
set -- --over device.rtc=amd-epyc-7543,amd-epyc-9354 --over device.gpu0=nvidia-a10,nvidia-a30,amd-instinct-mi250x-gcd \
    --over device.gpu0.count=1:3 --over scenario.packets=10,50 --over component.recon.precision=fp32,fp16 \
    --over component.slopes.workers=8,16 --over ao.actuators=4000,4310 --over device.rtc.jitter=1,1.1
good "eight axes and four objectives" search "$@" --all --objective latency,count,watts,loop.servo_lag
fits "in 80 columns"
has "  rtc amd-epyc-9354, gpu0 amd-instinct-mi250x-gcd, device.gpu0.count 3" "values are below their row"
has "Each              scenario.packets 50, component.recon.precision fp16" "what all have is above"
hasnt '\.\.\.' "nothing is cut"
is "$(sed -n '/^Each/,/^ *1 /p' "$out" | grep -c '^$')" 1 "the heading has one line"
good "two axes" search --over device.rtc=amd-epyc-7543,amd-epyc-9354 --over device.gpu0=amd-instinct-mi250x-gcd,nvidia-a30 --all
has "rtc           gpu0                    Equiv. Latency" "are columns where they fit"
has "limited by recon: HBM bandwidth of gpu0" "what limits is in the words of eval"
is "$("$AOLAG" eval --set device.gpu0.preset=nvidia-a30 | sed -n 's/^Limited by *//p')" \
    "recon: HBM bandwidth of gpu0" "which says that"
good "one by one" search --over device.gpu0=nvidia-a10,nvidia-a30 --where 'latency<700us'
has "1 misses latency < 700 us" "one misses"
has "Front             1 of 1 design;" "one is left"
good "nothing is left" search --over device.rtc=cpu --where 'latency<=1ns'
has "no design is left" "it says so"
good "other objectives" search --over device.rtc=cpu --over scenario.packets=1:50 \
    --objective max_frame_rate,loop.servo_lag,count --json
holds '(.front | length) > 0 and (.front[0] | has("loop.servo_lag_nm")) and
       .objectives == ["max_frame_rate", "loop.servo_lag", "count"]' "have columns"
good "a design whose power is not known" search --over device.rtc=cpu --json --set device.gpu0.tdp=0
holds '.kept == 0 and .unknown > 0 and .front == []' "is in no front with watts"
good "by price, which nothing states" search --over device.gpu0=gpu --objective latency,watts,price
has 'a design counts only if all its parts have one' "what to do"
has "not stated for rtc (amd-epyc-7543), 51 of 51 parts of gpu0;" "and how many parts"
fits "this"
good "parts of a host with two sockets" search --over device.rtc=amd-epyc-9354,amd-epyc-9654 morfeo
has "Cleared           rtc sockets: a part is tried as it is sold;" "say what they do not keep"
good "with sockets" search --over device.rtc=amd-epyc-9354,amd-epyc-9654 morfeo --set device.rtc.sockets=2
lacks "Cleared" "keep them"
good "over sockets" search --over device.rtc=amd-epyc-9354,amd-epyc-9654 morfeo --over device.rtc.sockets=1,2
lacks "Cleared" "have those of the axis"
good "by price" search --over device.gpu0=gpu --objective latency,watts,price --set device.gpu0.price=9000 \
    --set device.rtc.price=7000 --json
holds 'all(.front[]; .price > 16000) and (.front | length > 0)' "of all parts"
lacks "all its parts have one" "nothing is missing"
good "by latency alone" search --over device.gpu0=gpu --objective latency --json --any-host
is "$(jq -r '.front[]."device.gpu0.preset"' "$out")" \
    "$("$AOLAG" rank gpu --csv | sed -n '2s/^[^,]*,\([^,]*\),.*/\1/p')" "the first of the ranking"

good "no design is left" search --over device.rtc=cpu --where 'latency<=1us' --csv
is "$(cat "$out")" "$("$AOLAG" search --over device.rtc=cpu --csv | head -n 1)" "the header alone"
good "why a part is not tried" search --over device.gpu0=gpu --any-host --why nvidia-h200-sxm --json
bad 2 "nvidia-h200-sxm is not tried, as it is not sold singly; name it in --over, or give --any-host" "is said" \
    search --over device.gpu0=gpu --why nvidia-h200-sxm
good "other objectives" search eris --over device.rtc=cpu --objective max_frame_rate,margin --json
holds '.present.max_frame_rate_hz > 1000 and .present.margin_us > 0' "those of the present design"
good "other objectives as text" search eris --over device.rtc=cpu --objective max_frame_rate,margin
has "max_frame_rate 1.39 kHz, margin 470 " "likewise"

good "a picture" search --over device.rtc=cpu --over device.gpu0=gpu,none --svg front.svg
is "$(grep -c 'now</text>' front.svg)" 1 "the present design is marked"
for word in "Search: 11 of 2564 designs on the front" ">ELT MICADO SCAO, pyramid<" "least latency for at most this power" "present design" "range"; do
    is "$(grep -q "$word" front.svg && echo yes)" yes "the picture says $word"
done
# Only designs have dots: those of the front and the present one, each of which the legend shows once.
dots() { "$AOLAG" search --over device.rtc=cpu --over device.gpu0=gpu,none --json | jq "[.front[] | select($1)] | length + 3"; }
is "$(grep -c '<path transform' front.svg)" "$(dots '.group == .place')" "dots are designs that are printed"
"$AOLAG" search --over device.rtc=cpu --over device.gpu0=gpu,none --svg all.svg --all >"$out"
is "$(grep -c '<path transform' all.svg)" "$(dots true)" "or all of them"
"$AOLAG" search --over device.rtc=cpu --over device.gpu0=gpu,none >report
good "a picture on standard output" search --over device.rtc=cpu --over device.gpu0=gpu,none --svg -
is "$(cmp "$out" front.svg 2>&1)" "" "is the picture alone"
is "$(ls ./- 2>&1 | grep -c '^./-$')" 0 "no file has that name"
good "one design" search --over device.gpu0=nvidia-a30 --svg -
has "1 of 1 design on" "the title of the picture counts one"
has "1 design tried<" "and its note"
good "a picture of none" search --over device.rtc=cpu --where 'latency<=1ns' --svg -
has ">No design is left: 55 miss latency &lt;= 1 ns, 4 need more PCIe lanes than the host has.</text>" "says why"
good "a picture of designs of unknown power" search --over device.rtc=cpu --set device.gpu0.tdp=0 --objective latency --svg -
has "The power of no design of the front is known." "says why"
bad 2 "--svg needs a value: --svg FILE|-" "no name" search --over device.gpu0=gpu --svg ''
bad 2 "--svg needs a value: --svg FILE|-" "no name for a screen" screen --svg ''
bad 1 "no/such/front.svg" "a picture that cannot be written" search --over device.gpu0=gpu --svg no/such/front.svg

# The blocks of a search put together are the search.
set -- search --over device.gpu0=gpu --where 'watts<=2kW' --why nvidia-a30
for k in 1 2 3; do "$AOLAG" "$@" --shard $k/3 >block.$k; done
"$AOLAG" "$@" >whole.txt
good "three blocks together" merge block.3 block.1 block.2
is "$(cmp "$out" whole.txt 2>&1)" "" "are one run, byte for byte"
is "$(cat block.2 | "$AOLAG" merge block.3 block.1 /dev/stdin 2>&1 | cmp - whole.txt 2>&1)" "" "one from a pipe"
bad 1 "block 2 is given twice" "a block twice" merge block.1 block.2 block.2
head -n 9 block.2 >short
bad 1 "short:10: this is no block of a search" "a part of a block" merge short
plain_only "larger searches in blocks"

set -- search --over device.rtc=cpu --over device.gpu0=gpu,none --over device.gpu0.count=1:2 \
    --where 'latency_high<=400us' --where 'watts<=2kW' --why amd-epyc-9654 micado-scao
"$AOLAG" "$@" >whole.txt
"$AOLAG" "$@" --json >whole.json
"$AOLAG" "$@" --csv >whole.csv
for k in 1 2 3 4 5 6 7; do "$AOLAG" "$@" --shard $k/7 >block.$k; done
good "blocks together" merge block.3 block.1 block.2 block.7 block.6 block.5 block.4
is "$(cmp "$out" whole.txt 2>&1)" "" "are one run, byte for byte"
good "blocks together as JSON" merge block.? --json
is "$(cmp "$out" whole.json 2>&1)" "" "likewise"
good "blocks together as CSV" merge block.? --csv --svg merged.svg
is "$(cmp "$out" whole.csv 2>&1)" "" "likewise"
"$AOLAG" "$@" --svg whole.svg >/dev/null
is "$(cmp merged.svg whole.svg 2>&1)" "" "and the picture"
if command -v parallel >/dev/null; then
    mkdir parallel
    (cd parallel && parallel --will-cite "\"$AOLAG\"" search --over device.rtc=cpu --over device.gpu0=gpu \
        --shard '{}/9' micado-scao '>block.{}' ::: 1 2 3 4 5 6 7 8 9) >"$err" 2>&1
    good "of GNU parallel" merge parallel/block.? --json
    is "$("$AOLAG" search --over device.rtc=cpu --over device.gpu0=gpu micado-scao --json | cmp - "$out" 2>&1)" "" \
        "are one run, too"
else
    skip "of GNU parallel" "there is no parallel"
fi
bad 1 "block 4 of 7 is missing" "a block is missing" merge block.1 block.2 block.3 block.5 block.6 block.7
bad 1 "block 7 of 7 is missing" "the last one is missing" merge block.[1-6]
bad 1 "blocks 2,4-6 of 7 are missing" "all that are missing are named" merge block.7 block.1 block.3
: >empty
bad 1 "empty:1: the file is empty: the search of its block has not ended" "a task that was killed" merge block.[2-6] empty
is "$(grep -c 'blocks 1,7 of 7 are missing' "$err")" 1 "its block is among those that are missing"
bad 1 "block 2 is given twice" "a block twice" merge block.2 block.2
"$AOLAG" search --over device.rtc=cpu --shard 2/7 >other
bad 1 "other is of another search than block.1" "another search" merge block.1 other
head -n 20 block.2 >short
bad 1 "short:21: this is no block of a search" "half a block" merge short

# sealed : a block with the checksum that its lines have (64-bit FNV-1a), whatever was done to them
sealed() {
    cat >unsealed
    sed '/^end/,$d' unsealed >lines
    sum=-3750763034362895579
    for byte in $(od -An -v -tu1 lines); do sum=$(((sum ^ byte) * 0x100000001b3)); done
    cat lines
    sed -n '/^end/,$p' unsealed | sed "s/^end.*/$(printf 'end %016x' "$sum")/"
}
sealed <block.2 >again
is "$(cmp again block.2 2>&1)" "" "the checksum is that of the lines above"

# With a bound the front is the same, and all designs are counted, on any number of processors and in blocks.
set -- search --over device.rtc=cpu --over device.gpu0=gpu,none --over scenario.packets=5,20,50 micado-scao
"$AOLAG" "$@" --json >whole.json
good "with a bound" "$@" --bound --json
is "$(jq -c .front "$out")" "$(jq -c .front whole.json)" "the front is that of all designs"
holds '.bounded > 1000 and .designs == .kept + .repeated + .invalid + .needs_other_host + .too_few_lanes + .memory_too_small +
       .overloaded + .unknown + .bounded' "every design is counted"
cp "$out" bounded.json
good "on one processor" "$@" --bound --json --jobs 1
is "$(cmp "$out" bounded.json 2>&1)" "" "the same"
for k in 1 2 3; do "$AOLAG" "$@" --bound --shard $k/3 >bound.$k; done
good "in blocks" merge bound.? --json
is "$(cmp "$out" bounded.json 2>&1)" "" "the same"
bad 2 "--bound: this search has none" "no bound on another objective" search --bound --over device.rtc=cpu \
    --over device.gpu0=gpu --objective loop.servo_lag
bad 2 "--bound: this search has none" "no bound for few parts" search --bound --over device.gpu0=nvidia-t4,nvidia-a10

# A block that is not that of its search is refused with one sentence.
# edited NAME SED MESSAGE : block 2 is edited; the first line of the message has a number instead of N
edited() {
    sed "$2" block.2 | sealed >edited
    run merge block.1 edited block.[3-7]
    is "$status $(sed '1!d; s/[0-9][0-9]*\([ ,]\)/N\1/g' "$err")" "1 $3" "$1"
}
line=$(grep -n '^verdicts' block.2 | cut -d: -f1)
edited "other numbers of designs" 's/^verdicts [0-9]*/verdicts 1/' \
    "edited:$line: the verdicts add up to N, but the size of block N of N is 877"
edited "another block" 's/^block 2/block 3/' \
    "edited:$((line + 3)): design N is not in block N of N, which has designs N to 2630"
edited "fewer blocks" 's/^block .*/block 1 of 1/' \
    "edited:$line: the verdicts add up to N, but the size of block N of N is 6136"
edited "text after the end" '$amore' "edited:$(($(wc -l <block.2) + 1)): there is text after the line \"end\"; each block has to be a file of its own"
edited "more designs with a preset than there are" 's/^why [0-9]*/why 9999/' \
    "edited:$(grep -n '^why' block.2 | cut -d: -f1): \"why\" counts designs that \"verdicts\" does not"
edited "a front without designs" 's/^verdicts \([0-9]*\) 0/verdicts 0 \1/' \
    "edited:$((line + 2)): the size of the front is N, but the number of designs kept is 0"
number=$(sed -n '/^front/{n;s/ .*//;p}' block.2)
sed "/^$number /d; s/^front 2 .*/front 2 $(($(sed -n 's/^front 2 //p' block.2) - 1))/" block.2 >edited
bad 1 "edited:$(wc -l <edited): the lines above are not those that aolag wrote" "without a design" \
    merge block.1 edited block.[3-7]
edited "another question" 's/^checksum .*/checksum 0123456789abcdef/' \
    "aolag: edited was made with another design, other presets or another version of aolag than those here"

# The same question about a design in which a preset, a value or a file differs.
# differs NAME : the file two is refused
differs() {
    bad 1 "two was made with another design, other presets or another version of aolag than those here" "$1" merge one two
}
# preset UNITS : a preset of the user
preset() {
    sed "s/^units.*/units = $1/" "$srcdir/presets/gpu/nvidia-a30.ini" >config/aolag/presets/mine.ini
}
mkdir -p config/aolag/presets
config=${XDG_CONFIG_HOME-}
export XDG_CONFIG_HOME="$PWD/config"
preset 50
cp "$srcdir/presets/ao/micado-scao.ini" my.ini
set -- search --over device.gpu0=mine,nvidia-a10 my.ini
"$AOLAG" "$@" --shard 1/2 >one
"$AOLAG" "$@" --shard 2/2 >two
good "the same preset and design" merge one two
preset 51
"$AOLAG" "$@" --shard 2/2 >two
preset 50
differs "another preset"
echo 'preset,price
mine,5' >config/aolag/prices.csv
"$AOLAG" "$@" --shard 2/2 >two
rm config/aolag/prices.csv
differs "another price"
sed -i 's/^frame_rate.*/frame_rate = 501/' my.ini
"$AOLAG" "$@" --shard 2/2 >two
cp "$srcdir/presets/ao/micado-scao.ini" my.ini
differs "another scenario"
set -- search --over device.gpu0=mine,nvidia-a10 --set scenario.packets=2 --set wfs.ngs.agenda=agenda.csv my.ini
printf 'fraction\n0.5\n0.5\n' >agenda.csv
"$AOLAG" "$@" --shard 1/2 >one
printf 'fraction\n0.25\n0.75\n' >agenda.csv
"$AOLAG" "$@" --shard 2/2 >two
printf 'fraction\n0.5\n0.5\n' >agenda.csv
differs "another agenda"
export XDG_CONFIG_HOME="$config"

"$AOLAG" search --over device.gpu0=gpu --objective latency --shard 1/1 |
    awk '/^end/ { done = 0 } done { $2 *= 2 } /^front/ { done = 1 } { print }' | sealed >changed
bad 1 "has other results here than in its block" "other results" merge changed

# A search that is too long is refused before it begins, here by a clock that counts what is tried.
# too_long TEXT NAME WORDS... : one sentence with the text
too_long() {
    text=$1 name=$2
    shift 2
    counted 0.001 0 0 search --jobs 1 "$@"
    is "$status $(wc -c <"$out") $(grep -c "^aolag: [0-9]* designs would take .*$text" "$err") $(wc -l <"$err")" "1 0 1 1" "$name"
}
many="--over device.rtc=cpu --over device.gpu0=gpu,none --over device.gpu0.count=1"
# shellcheck disable=SC2086
{
    too_long "up to about .* on 1 processor with the bound, more than 60 s; divide them by --shard K/N, or give more time by --budget [0-9]*$" \
        "before the bound is found" $many:8 --over scenario.packets=1:4096
    is "$(grep -c ' 100532224 designs' "$err")" 1 "how many"
    too_long " about .* on 1 processor with the bound, more than 1 s;" "with the bound" --budget 1 $many:64 \
        --over scenario.packets=1:50
    # The budget that is suggested is the time, which is rounded up, and may be given.
    sed 's/.* about \([0-9.]*\) \([a-z]*\) on .* --budget /\1 \2 /' "$err" |
        awk '{ unit = $2 == "s" ? 1 : $2 == "min" ? 60 : $2 == "h" ? 3600 : 86400
               exit $3 / unit < $1 - 0.6 || $3 / unit > $1 + 1.6 }' &&
        pass "the same time twice" || fail "the same time twice" "$(cat "$err")"
    too_long "years on .*; divide them by --shard K/N$" "more time than can be given is not suggested" \
        $many:64 --over scenario.packets=1:4096 --over device.rtc.jitter=1:2:100000
}

# Ctrl-C removes the line of progress and prints the front of the designs until then; a block of a search is of no
# use without the rest of its designs. The bound takes some 5000 readings of the clock before the first of them.
interrupted_search() {
    on_terminal 0.01 20000 2 search --budget 1000000 --over device.rtc=cpu --over device.gpu0=gpu --over scenario.packets=1:4000 "$1"
    said="$status $(tr '\r' '\n' <shown | grep -A9 'left' | sed '/left/d; s/Script.*//' | tr -d '\n' | tr -s ' ')"
}
if command -v script >/dev/null; then
    interrupted_search --json
    is "$said" "130  aolag: stopped after $(jq .tried "$out") of $(jq .designs "$out") designs" "Ctrl-C clears the line of progress"
    holds '(.front | length > 0) and .tried < .designs and .front_count == (.front | length)' "and keeps the front"
    interrupted_search "--shard 1/2"
    is "$said $(wc -c <"$out")" \
        "130  aolag: stopped by a signal before its end; any output is a part 0" "but no part of a block"
else
    skip "Ctrl-C clears the line of progress" "there is no script"
fi

# What a result is called elsewhere.
for name in nm loop.total_nm; do
    good "$name" search saxo --over ao.gain=0.2,0.3 --objective $name --json
    holds '.objectives == ["loop.total"]' "is the wavefront error"
done
for name in total_nm "wavefront error" total; do
    bad 2 "did you mean loop.total?" "$name" search saxo --over ao.gain=0.2,0.3 --objective "$name"
done

good "controllers" search saxo --over ao.controller=integrator,lqg
has "least loop.total" "without the power, which no preset of the design states"
has "The controller of number 1: its time is not counted." "which no component computes"
good "and computed ones" search saxo --over ao.controller=integrator,lqg --over component.control.algorithm=integrator,lqg-modal
has "1  integrator  " "one without its time"
has "2  lqg-modal  " "does not dominate one with it"
cp "$out" whole
for block in 1 2 3; do
    "$AOLAG" search saxo --over ao.controller=integrator,lqg \
        --over component.control.algorithm=integrator,lqg-modal --shard $block/3 >block.$block
done
good "merged" merge block.1 block.2 block.3
is "$(cat "$out")" "$(cat whole)" "nor in blocks"
good "filters of tip and tilt" search micado-scao --over ao.controller=integrator,lqg-tip-tilt --objective loop.total --json
holds '.front[0] | .["ao.controller"] == "lqg-tip-tilt" and .caveat == "2 filters not counted"' "which no algorithm has"
good "computed" search saxo --over ao.controller=lqg --set component.control.algorithm=lqg-modal --json
holds '.front[0].caveat == null' "has no caveat"

# What is sold at the end of 2026 is tried, and a processor whose clock does not compare is marked.
new=$(awk -F, '$5 == 2026 { gsub("_", "-", $1); print $1 }' "$TESTDATA/cpus.csv" "$TESTDATA/gpus.csv" | jq -Rsc 'split("\n")')
good "parts for MICADO" search micado-scao --json
holds "[.front[] | .\"device.gpu0.preset\", .\"device.rtc.preset\"] as \$front | any($new[]; . as \$part | \$front | index(\$part))" \
    "some are of 2026"
holds 'any(.front[]; .other_clock) and any(.front[]; .other_clock | not)' "clocks are of two kinds"
good "as text" search micado-scao
has "clock, not base clock as now" "a line says so"
is "$(grep -c '^ *[0-9].*[0-9]~ ' "$out" | sed 's/[1-9].*/some/')" some "and marks"

finish
