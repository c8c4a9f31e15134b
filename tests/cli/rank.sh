# aolag rank: presets in order.
. "$srcdir/tests/cli/lib.sh"

good "processors" rank cpu elt-scao
has "amd-epyc-9654 with its own sockets" "what the design has now"
is "$(grep -c '^\*=* *[0-9]* *amd-epyc-9654 ' "$out")" 1 "the present preset is marked"
has "= as fast as the first," "how sure they are"
has "target 1.00 ms at 500 Hz" "what is asked of them"
has " Latency Range " "what is asked of their ranges"
fits "it"

good "graphics processors as JSON" rank gpu elt-scao --json
holds '.schema == 1 and .device == "gpu0" and .kind == "gpu" and .by == "latency"' "what it is about"
holds '[.presets[].latency_us] as $l | $l == ($l | sort)' "by latency"
holds '.presets | all(if .overloaded then .margin_us == null
        else .margin_us + .latency_us - 1000 | fabs < 1e-9 end)' "margins"
holds '[.presets[] | select(.present)] | length == 1 and .[0].preset == "nvidia-a100-80gb-sxm"' \
    "the present one"
jq -r '.presets[] | [.preset, .latency_us, .max_frame_rate_hz] | @tsv' "$out" >ranked
for line in 1 20 60; do
    preset=$(sed -n "${line}p" ranked | cut -f1)
    "$AOLAG" eval elt-scao --set "device.gpu0.preset=$preset" --json |
        jq -r --arg p "$preset" '[$p, .latency_us, .max_frame_rate_hz] | @tsv' >anew
    is "$(sed -n "${line}p" ranked)" "$(cat anew)" "place $line is that of eval"
done

good "by rate" rank cpu elt-scao --by rate --json
holds '[.presets[].max_frame_rate_hz] as $r | $r == ($r | sort | reverse)' "in that order"
holds '([.presets[].latency_us] | min) as $least | .presets |
       all(.tied or .latency_us == $least or .latency_us > 1.01 * $least) and any(.tied)' "ties"
good "by latency and power" rank cpu elt-scao --by latency-tdp --json
holds '[.presets[] | select(.tdp_w != null and (.overloaded | not)) | .latency_tdp_mj] as $p |
       $p == ($p | sort)' "in that order"
holds '[.presets[] | select(.overloaded | not)] | .[-1].tdp_w == null' "those without power last"
good "by latency and power, as text" rank gpu elt-scao --by latency-tdp
has " mJ " "its column"
fits "what is by power"
good "with long names of what binds" rank gpu dkist --by latency-tdp
has " copy delay" "which are not cut"
fits "what has long names"
good "with much energy" rank gpu harmoni-ltao --by latency-tdp
lacks "e+0" "in digits"

good "boards" rank fpga soul --json
holds '.device == "rtc" and .kind == "fpga" and (.presets | length) > 3' "what replaces what"
holds '[.presets[] | select(.present)] | length == 1 and .[0].preset == "microgate-bcu-soul"' \
    "the present one"

good "as Markdown" rank cpu elt-scao --markdown
has "| Device | rtc, every cpu preset by RTC latency; target 1.00 ms at 500 Hz |" "lines are a table"
is "$(grep -c '^| \\\*=* | [0-9]* | amd-epyc-9654 | ' "$out")" 1 "and so are presets"
good "as CSV" rank cpu elt-scao --csv
is "$(awk -F, '{ print NF }' "$out" | sort -u)" 25 "as many fields in each line"
is "$(sed -n '2s/,.*//p' "$out")" 1 "the first place"

good "with more cores than many have" rank cpu elt-scao --set component.slopes.workers=60
has "raspberry-pi-5: " "those without are named with the reason"
good "as CSV, too" rank cpu elt-scao --set component.slopes.workers=60 --csv
is "$(grep -c '^,raspberry-pi-5,false,false,,' "$out")" 1 "without a place"
good "keeping two sockets" rank cpu elt-scao --keep --json
holds '.presets[] | select(.preset == "amd-epyc-9654") | .tdp_w == 720' "power of both"
holds '.present_latency_us as $now | .presets[] | select(.present) | .latency_us == $now' \
    "the present design itself"
good "parts of another host" rank gpu elt-scao --json
holds '.presets[] | select(.preset == "amd-instinct-mi300a") | .other_host' "are told"
holds '.presets[] | select(.preset == "amd-instinct-mi300x") | .other_host == false' "others are not"
good "processors that host a GPU" rank cpu elt-scao --json
holds '[.presets[] | select(.other_host) | .preset] | contains(["apple-m2-ultra", "raspberry-pi-5"])' \
    "are marked if they are not sold singly or have no lanes for it"
holds '.presets[] | select(.preset == "amd-epyc-9354") | .other_host == false' "and not if they are"
good "in text" rank cpu elt-scao
has "+ too few PCIe lanes for its port and accelerators," "with the reason"
good "a device by name" rank gpu elt-scao --device gpu0
has "! misses the target, !! overloaded" "its marks"
is "$(grep -c '^=*+*!  *[0-9]*  *[a-z]' "$out") $(grep -c '^+*!!  *[0-9]*  *[a-z]' "$out")" \
    "$("$AOLAG" rank gpu elt-scao --json | jq -r '[.presets[] | select(.problem == null)] |
        "\([.[] | select(.margin_us < 0 and (.overloaded | not))] | length) " +
        "\([.[] | select(.overloaded)] | length)"')" "as many as there are"
good "long names of what binds" rank gpu micado-scao
has " HBM bandwidth" "are not cut"
lacks "TDP" "there is no room for the power"
fits "what binds"
good "reasons" rank cpu elt-scao --set component.slopes.workers=60
fits "reasons"

good "with a star" rank gpu micado-scao
has " change of the wavefront error, now 147 nm" "what the column has"
has " nm Limited by" "the column"
fits "it"
good "with a star as JSON" rank gpu micado-scao --json
holds '.present_total_nm as $now | [.presets[] | select(.overloaded | not)] | length > 30 and
    all((.total_change_nm - .total_nm + $now | fabs) < 1e-9)' "the change of each"
holds '[.presets[] | select(.overloaded or .may_not_keep_up | not) | .total_nm] as $e | $e == ($e | sort)' "the order by latency is that by nm"
is "$(jq '.presets[4].total_nm' "$out")" \
    "$("$AOLAG" eval micado-scao --json --set device.gpu0.preset="$(jq -r '.presets[4].preset' "$out")" | jq .loop.total_nm)" "that of eval"
good "without a star" rank gpu micado-scao --set wfs.ngs.photons=auto
has " change of the servo lag, now " "what the column has then"
has " nm Limited by" "the column"
fits "it"
good "without a star as JSON" rank gpu elt-scao --json
holds '.present_lag_nm as $now | .present_total_nm == null and ([.presets[] | select(.overloaded | not)] | length > 20 and
    all(.total_nm == null and (.lag_change_nm - .lag_nm + $now | fabs) < 1e-9))' "the change of each"
is "$(jq '.present_lag_nm * 1000 | round' "$out")" "$("$AOLAG" loop elt-scao --json | jq '.terms[] | select(.term == "lag") | .after_nm * 1000 | round')" \
    "now that of loop"

"$AOLAG" presets show gpao | sed '/^\[wfs/,/^$/d' >blind.ini
for order in nm total_nm loop.total "wavefront error"; do
    good "by $order" rank gpu micado-scao --by "$order" --json
    holds '.by == "nm" and ([.presets[] | select(.latency_high_us != null and (.overloaded | not)).total_nm] | . == sort)' "least error first"
done
good "by the name of the result" rank gpu micado-scao --by max_frame_rate --json
holds '.by == "rate"' "is by rate"
bad 1 "--by nm takes a star: wfs.ngs has no star, state its magnitude" "by nm without a star" \
    rank gpu micado-scao --set wfs.ngs.photons=auto --by nm
bad 2 "unknown order \"ratio\"; did you mean rate?" "another order" rank gpu micado-scao --by ratio
bad 1 "no cpu preset makes the design valid: component.camera.wfs" "a design without a sensor" \
    rank cpu ./blind.ini --json

good "a design without one" rank gpu gpao
has "gpu0, added to run recon, every gpu preset" "what is added, and for what"
has "without it: latency" "what the design has now"
good "a design without one, as JSON" rank gpu gpao --json
holds '.device == "gpu0" and .added_for == "recon" and .present_preset == null' "what is added"
best=$(jq -r '.presets[0].preset' "$out")
wanted=$(jq '.presets[0].latency_us' "$out")
{
    "$AOLAG" presets show gpao
    printf '\n[device.gpu0]\npreset = %s\n' "$best"
} >added.ini
good "the same design, written" eval ./added.ini --set component.recon.device=gpu0 --json
holds ".latency_us == $wanted" "the latency of the best"
good "one of its own" rank gpu elt-scao --json
holds '.added_for == null' "nothing is added"
bad 1 "device.gpu0.host: rtc is an fpga; a host is a cpu" "boards need a host" rank gpu saxo

plain_only "ranges and systems"

# As compare: the range of every row, in words where it has no upper end.
good "ranges" rank gpu mavis --json
holds '.presets | map(select(.overloaded | not)) | length > 0 and
       all(.latency_low_us <= .latency_us and (.latency_high_us == null) == .may_not_keep_up)' "each"
holds '.presets | map(select(.may_not_keep_up and (.overloaded | not))) | length > 0 and
       all(.tied | not)' "some may not keep up"
good "ranges as text" rank gpu mavis
has " may not keep up " "an upper end that is none"
fits "what may not"

# Within the uncertainty of the ratio of two latencies, whose common errors cancel.
good "ties" rank cpu gpao --json
holds '[.presets[] | select(.tied)] | length > 0 and all(.latency_ratio_least < 1.01)' "include 1"
holds '.presets[0].latency_us as $least | .presets | map(select(.latency_ratio_most != null)) |
       length > 0 and all(.latency_ratio_least <= .latency_us / $least + 1e-9 and
                          .latency_us / $least <= .latency_ratio_most + 1e-9)' "and their ratio"

for preset in $(some_systems); do
    for kind in cpu gpu; do
        # an FPGA hosts no boards and is no processor
        "$AOLAG" eval "$preset" --json | jq -e '.devices | all(.handover_us == null)' >/dev/null &&
            continue
        good "$preset, $kind" rank $kind "$preset" --json
        is "$(jq '[.presets[] | select(.problem == null) |
                   .latency_us >= 0 and .load > 0 and .max_frame_rate_hz > 0] | all' "$out")" true \
            "$preset, $kind"
    done
done

good "parts that are not sold singly" rank gpu micado-scao --json
holds '[.presets[] | select(.not_sold_singly) | .preset] | contains(["nvidia-h100-sxm", "amd-instinct-mi300x"]) and
    (contains(["nvidia-a100-80gb-sxm"]) or contains(["nvidia-h100-nvl"]) | not)' "but the present one"
good "as text" rank gpu micado-scao
has "+ needs another host, or not sold singly" "are marked"
lacks "clock_kind" "whose clocks are of one kind"
is "$(awk '$3 == "amd-instinct-mi300x" { print $1 }' "$out")" "+" "with a cross"

# A clock with wide vectors beside a base clock and a boost; one that is fixed compares with all.
good "clocks of several kinds" rank cpu eris --json
holds '[.presets[] | select(.other_clock) | .preset] | contains(["amd-epyc-9654", "amd-epyc-7763"])' "are told"
holds '[.presets[] | select(.other_clock == false) | .preset] | contains(["intel-xeon-platinum-8280", "aws-graviton4"])' "others are not"
good "as text" rank cpu eris
is "$(awk '$3 == "amd-epyc-9654" || $2 == "amd-epyc-9654" { print ($1 ~ /~/) }' "$out")" 1 "are marked"
has "~ clock, not wide-vector boost as now" "with a line that says so"
good "two designs" compare eris eris --set device.rtc.preset=amd-epyc-9654
lacks "does not compare" "of one kind"
good "the same with another processor" presets show eris
sed 's/^preset = .*/preset = amd-epyc-9654/' "$out" >other.ini
good "are compared" compare eris ./other.ini
has "the all-core boost of B does not compare" "in the verdict"

finish
