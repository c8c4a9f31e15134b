# aolag validate: the published measurements and this machine's kernels, as text and JSON.
. "$srcdir/tests/cli/lib.sh"

good "the table" validate --published
has "mvm-icx-mavis-dense" "has what is predicted"
has "2 x intel-xeon-gold-6330" "on which hardware"
has "pipe-metis-2a100: METIS SCAO" "lists what is not"
has "ceiling on bytes touched" "with its note"
reasons=$(tr -s ' \n' ' ' <"$out" | grep -o 'Not predicted: ' | wc -l)
is "$(grep -c '<= .* yes$' "$out")" 4 "every goal is met"
is "$(grep -c '<= .* no$' "$out")" 0 "none is missed"
fits "80 columns"
has "No room for Served by; --markdown has all columns." "what has no room"
cp "$out" first
run validate --published
succeeds "the same twice" cmp first "$out"
good "in ASCII" validate --published
LC_ALL=C run validate --published
is "$(LC_ALL=C grep -c '[^ -~]' "$out")" 0 "where the locale is"

good "JSON" validate --published --json
holds '.schema == 1' "schema"
holds '.measurements | length == (map(.id) | unique | length) and length >= 63' "every row once"
holds '[.measurements[] | select(.use == "apart")] |
       all(.predicted_us == null and .ratio == null and .preset == null and .bound == null and .level == null)' \
    "those apart are not predicted"
holds '.measurements | all((.use == "apart") == (.reason != null))' "and say why, the others do not"
is "$(jq '[.measurements[] | select(.reason != null)] | length' "$out")" "$((reasons))" \
    "in the list too"
jq -r '.measurements[] | .reason, .remark | values' "$out" >texts
tr -s ' \n' ' ' <first >flat
while IFS= read -r text; do
    grep -qF -- "$text" flat || cut="${cut-} $text"
done <texts
is "${cut-}" "" "reasons and remarks are printed whole"
holds '[.measurements[] | select(.remark != null) | .id] |
       index("mvm-tlr-mavis-milan") != null' "a remark on a prediction"
holds '[.measurements[] | select(.use != "apart")] | length >= 10 and
       all((.predicted_us / .measured_us / .ratio - 1 | fabs) < 1e-12 and
           (.error_percent - 100 * (.ratio - 1) | fabs) < 1e-9 and
           .preset != null and .settings != null and .bound != null and .level != null)' \
    "the others are"
holds '.measurements[] | select(.id == "mvm-cgemv-v100") |
       .measured_us == 1000.42 and .preset == "nvidia-v100-sxm2" and .source != null' "a row"
holds '[.measurements[] | select(.use == "mvm") | .ratio - 1 | fabs] as $errors |
       .summary[] | select(.use == "mvm") |
       .count == ($errors | length) and
       (.worst_error_percent - 100 * ($errors | max) | fabs) < 1e-9 and
       (.median_error_percent - 100 * ($errors | sort | .[length / 2 | floor]) | fabs) < 1e-9' \
    "the summary sums up"
holds '[.measurements[] | select(.id | startswith("mvm-tlr-mavis-")) | .level] ==
       ["L3", "DRAM", "DRAM"]' "a matrix in 512 MB of L3 comes from there"
holds '.goals_met == ([.summary[].met] | all)' "goals"
holds '[.measurements[] | select(.use != "apart") | .ratio | log | fabs] | sort |
       (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2 | exp' "a factor"

# A row is a design that can be looked at.
settings=$(jq -r '.measurements[] | select(.id == "mvm-haka-p620-col") |
    .settings | split(" ") | map("--set " + .) | join(" ")' "$out")
predicted=$(jq '.measurements[] | select(.id == "mvm-haka-p620-col") | .predicted_us' "$out")
# shellcheck disable=SC2086
run eval "$srcdir/data/published/kernel.ini" --json \
    --set device.hardware.preset=nvidia-quadro-p620 $settings
is "$(jq '.components[0].time_us' "$out")" "$predicted" "eval of a row is its prediction"
holds '.latency_low_us < .latency_us and .range.groups[0].cause == "memory"' "and has a range"

# The user's presets are not the vendors'.
mkdir -p "$HOME/.config/aolag/presets/gpu"
"$AOLAG" presets show nvidia-v100-sxm2 | sed 's/^bus_bits.*/bus_bits = 64 bit/' \
    >"$HOME/.config/aolag/presets/gpu/nvidia-v100-sxm2.ini"
good "a preset of the user's" validate --published
succeeds "changes nothing" cmp first "$out"
rm -r "$HOME/.config"

good "as Markdown" validate --published --markdown
has "| Measurement | Preset | Measured | Predicted | Error | Limit | Served by |" "the predictions"
has "## Not predicted" "the list of what is not"

good "measured pipelines" validate --pipelines
cp "$out" first
has "rc-heart-250" "a row that calibrates"
has "darc-gpu-4" "one that is not"
has "Listed: sensor and sleep states not stated" "and why"
has "one value per computer" "the calibration"
has "Listed        Compared Measured  Unseen" "a heading for those that are not"
has "Each predicted without its own computer, 18 of the 25 rows (72 %) are inside" "the headline"
has "9 rows (67 %) are inside; without revolt, which has 12, 7 of the 13 rows (54 %)" "the rest"
has "Of all 25, 2 ranges have no upper end, and 3 designs do not state" "what the headline rests on"
has "of the 18 are inside; the goals of the headline are those of medians" "percentiles are counted apart"
has "root of the upper end of a range over the lower" "what a width is"
for words in "from - to" mine "as above" "p99 92.0-141.6;"; do
    lacks "$words" "no words without meaning: $words"
done
fits "80 columns"
is "$(grep -B 1 '^  Goal median' "$out" | grep -c ' yes$')" 2 "the goals are met"
is "$(grep -cE '^rc-fgn-250-c .* yes +p50 and p99 inside +yes$' "$out")" 1 \
    "and that of a row: the median and the percentile"
is "$(grep -cE '^rc-heart-250 .* no +-$' "$out")" 1 "a percentile outside"
good "as JSON" validate --pipelines --json
holds '.schema == 3' "schema"
holds '.rows | length == (map(.id) | unique | length) and length == 39' "every row once"
holds '[.rows[] | select(.role != "listed")] | length == 25 and all(.reason == null and
       .unseen_inside != null and .compared == "latency" and .unseen_low_us <= .unseen_us and
       (.unseen_high_us == null or .unseen_high_us >= .unseen_us))' "comparable rows have a range"
holds '.rows | all((.role == "listed") == (.reason != null))' "the others a reason"
holds '[.rows[] | select(.role == "tests")] | length > 0 and all(.predicted_us == .unseen_us)' \
    "what tests knows no computer of its own"
holds '[.rows[] | select(.compared == "none")] | length > 0 and
       all(.predicted_us == null and .factor == null and .inside == null)' "some are not compared"
holds '[.rows[] | select(.predicted_us != null)] |
       all((.predicted_us / .measured_us / .ratio - 1 | fabs) < 1e-12 and
           (([.ratio, 1 / .ratio] | max) / .factor - 1 | fabs) < 1e-12)' "factors"
holds '[.rows[] | select(.low_us != null)] |
       all(.fitted or .inside == (.low_us <= .measured_us and
                       (.high_us == null or .measured_us <= .high_us)))' "inside"
holds '[.rows[] | select(.computer == "soul")] | map({(.id): .}) | add | ."soul-par" as $p | ."soul-ser" as $s |
       ($p.measured_us == 420) and ($s.measured_us == 660) and ($s.predicted_us - $p.predicted_us > 20) and
       ($s.predicted_us < 0.9 * $s.measured_us)' "two modes of a board, one rate"
holds '.rows[] | select(.id == "revolt-cap") | .measured_us == 4000 and .measured_low_us == 800 and
       .measured_high_us == 4000 and .compared == "period" and
       .low_us == 2000 and .high_us == 2000 and .inside == false' "a rate is a period"
holds '.rows[] | select(.id == "soul-par") | .fitted and .inside and
       .assumed_percent > 90' "a row that a device is fitted to"
holds '.rows[] | select(.id == "rc-fgn-250") | .measured_us == 62.8 and
       .measured_p99_low_us == 66.9 and .measured_p99_high_us == 76.2 and .predicted_p99_us > 0' \
    "a percentile"
holds '([.rows[] | select(.role != "listed") | .unseen_factor] | sort) as $f |
       .summary[] | select(.of == "unseen") | .count == 25 and .computers == 9 and
       (.median_factor / $f[12] - 1 | fabs) < 1e-12 and .worst_factor == $f[24]' "the summary sums up"
holds '[.rows[] | select(.role != "listed")] | (map(select(.unseen_high_us == null)) | length) == 2 and
       (map(select(.software_unknown)) | length) == 3' "as the headline counts"
holds '[.rows[] | select(.unseen_inside == false)] |
       length > 0 and all(.remark != null)' "rows outside say why"
holds '.fits | length == 7 and all(.used > 0 and .fitted > 0 and .rests_on != null)' "fits"
holds '.fits | all((.used / .fitted - 1 | fabs) < 0.05)' \
    "are in use"
holds '.factors | length == 10 and all(.used > 1 and .start > 1 and .least <= .largest) and
       (map(select(.fitted != null)) | length > 0 and all(.computers >= 2 and
        (.used - .fitted | fabs) < 0.01))' "factors"
holds '[.rows[] | select(.goal != null)] | length == 2 and all(.met == (.inside and .p99_inside))' \
    "goals of rows"
holds '[.rows[] | select(.predicted_p99_us != null)] | all(.p99_inside ==
       (.predicted_p99_us >= .measured_p99_low_us and .predicted_p99_us <= .measured_p99_high_us))' \
    "percentiles inside"
holds '.headline == "unseen" and .goals_met == ([.summary[].met | values] | all) and
       ([.summary[].met | values] | length == 2)' "goals"
predicted=$(jq '.rows[] | select(.id == "knl-sh80") | .predicted_us' "$out")
jq -r '.rows[] | [.id, .measured_us, .predicted_us] | map(. // "") | join(",")' "$out" >rows
good "a row is a design" eval knl-sh80 --json
is "$(jq .latency_us "$out")" "$predicted" "with its prediction"
run validate --pipelines --csv
is "$(tail -n +2 "$out" | wc -l | tr -d ' ')" 39 "as CSV"
is "$(head -n 1 "$out" | cut -d, -f1-4)" "id,role,class,computer" "names"
run validate --pipelines --markdown
has "| Tests | Class | Measured | Predicted | Range | Inside | Factor |" "as Markdown"
has "## Summary" "with sections"
bad 2 "--published and --pipelines exclude each other" "two comparisons" \
    validate --pipelines --published

plain_only "kernels"

# Interrupted, it reports what it has; where a busy machine had no row yet, it gets longer.
# stopped TEXT WORDS...: until TEXT is in the report
stopped() {
    text=$1
    shift
    for seconds in 1 3 10 30 60; do
        timeout --foreground -s INT "$seconds" \
            "$AOLAG" validate --kernels --preset amd-epyc-9654 "$@" >"$out" 2>"$err"
        status=$?
        ! grep -q "$text" "$out" || return
    done
}
stopped calibration.dark-flat --json
holds '.preset == "amd-epyc-9654" and (.rows | length) > 0' "rows of JSON"
holds '.rows[0] | .kernel == "calibration.dark-flat" and .cores == 1 and .pixels > 0 and
    .predicted_us > 0 and .measured_us > 0 and (.ratio - .predicted_us / .measured_us | fabs) < 1e-9
    and (.bound | type == "string") and (.level | type == "string")' "what a row has"
holds '.summary | .count > 0 and .median_error_percent >= 0 and (.met | type == "boolean") and
    (.kernels[0].kernel == "calibration.dark-flat")' "the summary"
page=$(dirname "$AOLAG")/man/aolag-validate.1
[ ! -e "$page" ] || is "$(jq -r '(.rows[0], .summary, .summary.kernels[0]) | keys[]' "$out" | sort -u |
    while read -r key; do
        [ "$key" = kernels ] || sed -n '/^\.SS With .*kernels/,$p' "$page" | grep -q "^$key	" || echo "$key"
    done)" "" "the manual has these keys"
stopped calibration.dark-flat
has "Kernels of an AO loop on this machine, predicted from amd-epyc-9654" "the table"
has "The goal is median <= 10 %, 90th percentile <= 25 %" "the goal"
stopped '^kernels,' --csv
has "kernels,calibration.dark-flat,f32" "points as CSV"

finish
