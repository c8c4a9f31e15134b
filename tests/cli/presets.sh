# aolag presets: list and show; the user's own presets.
. "$srcdir/tests/cli/lib.sh"

good "the list" presets
cp "$out" all
good "list" presets list
succeeds "is the same" cmp all "$out"
is "$(tail -n +2 "$out" | awk '{ print $2 }' | uniq | tr '\n' ' ')" "cpu gpu fpga ao pipelines " "by kind"
has "NVIDIA A100" "with vendors' names"
good "of a kind" presets list gpu
is "$(tail -n +2 "$out" | awk '{ print $2 }' | sort -u)" gpu "only that kind"
good "of systems" presets list ao
is "$(head -n 1 "$out" | tr -s ' ')" "Name Kind Hz Title" "what a system has"
is "$(awk '$3 == "-"' "$out")" "" "no column of dashes"
is "$(awk '$1 == "elt-scao" { print $2, $3 }' "$out")" "ao 500" "its frame rate"
good "of pipelines" presets list pipelines
is "$(awk '$1 == "knl-sh80" { print $2, $3 }' "$out")" "pipelines 500" "measured ones"
good "as JSON" presets list --json
holds '.schema == 1' "schema"
holds '.presets | map(.name) | length == (unique | length) and length > 120' "each once"
holds '[.presets[] | select(.kind == "cpu" or .kind == "gpu" or .kind == "fpga")] | all(.peak_flops > 0 and .memory_bytes_per_s > 0)' \
    "devices have a peak and a bandwidth"
holds '.presets[] | select(.name == "nvidia-a100-80gb-sxm") |
       (.memory_bytes_per_s / 2.039e12 - 1 | fabs) < 0.02 and .file == null' "numbers are SI"
holds '[.presets[] | select(.kind == "ao")] | length >= 24 and all(.peak_flops == null and .frame_rate_hz > 0)' "systems"

jq -r '.presets[] | [.name, .kind, .peak_flops] | map(. // "") | join(",")' "$out" >listed
good "as CSV" presets list --csv
is "$(head -n 1 "$out")" "name,kind,title,file,peak_flops,memory_bytes_per_s,tdp_w,price,frame_rate_hz,clock_kind,sold_in" "names"
is "$(tail -n +2 "$out" | sed 's/"[^"]*"//' | cut -d, -f1,2,5)" "$(cat listed)" "the same presets"
good "as Markdown" presets list ao --markdown
is "$(sed -n 1p "$out")" "| Name | Kind | Hz | Title |" "a table"
is "$(grep -c '^| elt-scao | ao | 500 | ' "$out")" 1 "of systems"

good "show" presets show amd-epyc-9654
has "[device]" "prints the file"
has "; source:" "with its comments"
has "l3 = 384 MiB" "and its caches"
good "show as JSON" presets show amd-epyc-9654 --json
holds '.name == "amd-epyc-9654" and .kind == "cpu" and (.text | contains("[device]"))' \
    "has the text"
run presets show saxo
cp "$out" saxo.ini
good "a system shown is a scenario" eval saxo.ini --json
cp "$out" file.json
run eval saxo --json
succeeds "with the same results" cmp file.json "$out"

ratio() {
    run params --set device.gpu0.preset="$1" "device.gpu0.$2" --json
    jq -r '.knobs[0] | "\(.value) \(.origin)"' "$out"
}
for preset in nvidia-tesla-k40 nvidia-tesla-k80-board nvidia-tesla-k80-die nvidia-gtx-980 \
    nvidia-tesla-p100-pcie nvidia-tesla-p100-sxm2 amd-radeon-rx-580 amd-radeon-rx-vega-64; do
    is "$(ratio $preset int8_ratio)" "1 stated" "$preset has no int8 dot product"
done
is "$(ratio intel-arc-a770-16gb fp64_ratio)" "0.03 stated" "the A770 emulates fp64"

mkdir -p "$HOME/.config/aolag/presets/gpu"
"$AOLAG" presets show nvidia-a100-80gb-sxm | sed 's/^bus_bits.*/bus_bits = 2560 bit/' >half.ini
cp half.ini "$HOME/.config/aolag/presets/gpu/nvidia-a100-80gb-sxm.ini"
bench_scenario >"$HOME/.config/aolag/presets/my-bench.ini"
good "the user's presets go before" presets list --json
holds '.presets[] | select(.name == "nvidia-a100-80gb-sxm") |
       .memory_bytes_per_s < 1.1e12 and (.file | endswith("/gpu/nvidia-a100-80gb-sxm.ini"))' \
    "the built-in one"
good "and are scenarios" eval my-bench --json
holds '.title == "a small bench"' "by name"
echo "[device" >"$HOME/.config/aolag/presets/broken.ini"
run presets list
is "$status" 1 "a broken preset fails the list"
succeeds "naming it" grep -q broken "$err"
has "amd-epyc-9654" "but lists the others"
good "and nothing else" eval
rm "$HOME/.config/aolag/presets/broken.ini"
echo '[device]' >"$HOME/.config/aolag/presets/my chip.ini"
run presets list
is "$status $(grep -c "presets/my chip.ini: the name of a preset has at most 63 letters, digits and - _ + . and begins" "$err")" \
    "1 1" "a file whose name no preset can have"
is "$("$AOLAG" presets 2>&1 | tail -n 1 | cut -c 1-7)" "aolag: " "it is named where the list ends"
rm "$HOME/.config/aolag/presets/my chip.ini"
bad 2 '"cpus" is no kind and no name of a preset; did you mean cpu?' "a kind misspelt" presets cpus

# What is found among all presets lacks those that cannot be read or have a wrong value.
ln -s missing "$HOME/.config/aolag/presets/gpu/lost.ini"
printf '[device]\nkind = gpu\nunits = many\n' >"$HOME/.config/aolag/presets/gpu/wrong.ini"
for words in "rank gpu" "advise" "plot advise -o -"; do
    # shellcheck disable=SC2086
    run $words
    is "$status $(grep -c '^aolag: cannot open .*/gpu/lost.ini: ' "$err") $(wc -l <"$err")" "1 1 2" \
        "$words: a preset that cannot be opened"
    is "$(grep -c '/gpu/wrong.ini:3: units = many: many is not a number' "$err")" 1 "and one with a wrong value"
    succeeds "and the rest" test -s "$out"
done
run search micado-scao --set device.rtc.preset=amd-epyc-7763 --set device.gpu0.count=1 --set scenario.packets=10
is "$status $(grep -c '/gpu/' "$err")" "1 2" "a search names both"
has "unusable: gpu/lost.ini," "beside its axes"
has "52 of device.gpu0.preset" "and has the others"
good "a ranking of another kind lacks nothing" rank cpu
rm -r "$HOME/.config"

# A file outside the folders of kinds that cannot be read may be a preset of any kind.
presets=$HOME/.config/aolag/presets
mkdir -p "$presets"
unread() {
    for words in "rank cpu" "presets list cpu" "advise" "search --over device.rtc=cpu" \
        "eval --set device.rtc.preset=here"; do
        # shellcheck disable=SC2086
        run $words
        is "$((status > 0)) $(grep -c "^aolag.*[:;] $1" "$err") $(grep -vc 'shows the usage' "$err")" "1 1 1" "$words: $2"
    done
}
ln -s missing "$presets/here.ini"
unread "cannot open $presets/here.ini: " "a preset that cannot be opened"
rm "$presets/here.ini"
echo junk >"$presets/here.ini"
unread "$presets/here.ini:1: \"junk\" is not" "a file that is no preset"
good "a design without it" eval
rm "$presets/here.ini"
mkdir "$presets/cpu"
chmod 000 "$presets/cpu"
if ls "$presets/cpu" >/dev/null 2>&1; then
    skip "a folder that cannot be opened" "root opens every folder"
else
    unread "cannot open $presets/cpu: " "a folder that cannot be opened"
fi
chmod 700 "$presets/cpu"
rm -r "$HOME/.config"

mkdir -p "$TMPDIR/config/aolag/presets"
bench_scenario >"$TMPDIR/config/aolag/presets/elsewhere.ini"
succeeds "XDG_CONFIG_HOME" env XDG_CONFIG_HOME="$TMPDIR/config" "$AOLAG" eval elsewhere
export XDG_CONFIG_HOME="$TMPDIR/config"
good "own presets" presets ao
is "$(grep -c '(own)$' "$out") $(grep -c '^elsewhere .*(own)$' "$out")" "1 1" "have a mark in the list"
good "own presets as data" presets ao --json
lacks "(own)" "have a file, no mark"
printf '%s\n' '[device]' 'kind = cpu' 'model = My Chip 2027' 'cores = 77' 'clock = 3 GHz' \
    'tdp = 1 W' >"$XDG_CONFIG_HOME/aolag/presets/my-chip.ini"
good "one's own in order" rank cpu eris
is "$(grep -c '(own)' "$out") $(grep -c '^ *=* *[0-9]* my-chip (own) ' "$out")" "1 1" "has the mark"
good "steps to one's own" advise eris
has " → My Chip 2027 (own) " "have it too"
for command in "rank cpu eris" "advise eris"; do
    good "data of one's own: $command" $command --json
    lacks "(own)" "have none"
done

# Prices of the user, and what is said of a file that cannot be used.
config=$TESTDATA/config
XDG_CONFIG_HOME=$config
good "prices" presets list gpu --json
holds '[.presets[] | select(.price != null) | [.name, .price]] ==
       [["nvidia-a10", 3000], ["nvidia-a100-80gb-sxm", 12000], ["nvidia-h100-sxm", 28000.5]]' "of presets"
good "as text" presets list gpu
is "$(awk '/^nvidia-a10 / { print $6 } NR == 1 { print $6 }' "$out" | tr '\n' ' ')" "Price 3000 " "in a column"
good "of a design" eval micado-scao --json
holds '.price == 20000' "of all its parts"
good "one that is stated" eval micado-scao --set device.rtc.price=1 --json
holds '.price == 12002' "replaces that of the preset"
good "the knob" params --scenario micado-scao --set device.gpu0.preset=nvidia-a10 device.gpu0.price --json
holds '.knobs[0] | .value == 3000 and .origin == "stated"' "is that of the preset"
good "rank" rank gpu micado-scao --json
holds '[.presets[].price | values] | sort == [3000, 12000, 28000.5]' "has them"
good "as text" rank cpu micado-scao
is "$(grep -c ' Price' "$out") $(grep -c 'amd-epyc-9965 .* 9000$' "$out")" "1 1" \
    "in a column"
good "advise" advise micado-scao --json
holds '.price == 20000 and (.steps[] | select(.path == "device.gpu0.count") | .price) == 32000' "adds them"
good "as text" advise micado-scao
has "price +12000" "says what a step adds"

printf 'text /device.gpu0.preset\nEnter\np\nwait\ntext price<5000\nscreen\n' >keys
good "the list of presets on the screen" screen micado-scao --size 140x40 --keys keys
has "NVIDIA A10 PCIe" "filters by it"
lacks "NVIDIA T4" "without those that have none"

export XDG_CONFIG_HOME="$TMPDIR/config"
prices=$TMPDIR/config/aolag/prices.csv
while IFS='|' read -r lines text; do
    printf '%b\n' "$lines" >"$prices"
    bad 1 "aolag: $prices:$text" "$lines" eval saxo
done <<'END'
preset,price\nnvidia-a11,2|2: there is no preset "nvidia-a11" of a device; did you mean nvidia-a10?
preset,price\nmicado-scao,2|2: there is no preset "micado-scao" of a device
# offers\npreset,cost\nnvidia-a10,2|2: there is no column price; the header is preset,price
preset,price\nnvidia-a10,5 EUR|2: the price of nvidia-a10, "5 EUR": "EUR" follows the number, which has no unit
preset,price\nnvidia-a10,1\nnvidia-a10,1|3: nvidia-a10 already has a price, on line 2
preset,price\nnvidia-a10,-1\nnvidia-a10,x|2: the price of nvidia-a10, "-1": -1 is out of range; allowed: 0 to 1000000000 (and 1 more problem)
preset,price\nnvidia-a10,1,500|2: 3 fields, but the header has 2
preset;price\nnvidia-a10;1,5|1: the header has no comma; save the file with commas between fields and decimal points
\0377\0376p| the file is UTF-16; save it as UTF-8
END

# Where prices change what a command prints, a bad line stops it, and nowhere else.
"$AOLAG" presets show elt-scao | sed 's/^preset = amd.*/preset = amd-epyc-9654/' >priced.ini
cat >words <<'END'
stops priced.ini
stops advise priced.ini --json
goes check priced.ini
stops compare priced.ini saxo
goes detector priced.ini
stops eval priced.ini
stops explain price priced.ini
goes fit priced.ini
stops flow priced.ini --json
goes import priced.ini
goes jitter priced.ini
goes loop priced.ini
stops params --scenario priced.ini
goes params
goes plot timeline priced.ini
stops plot sweep scenario.packets=5,6 priced.ini --result price --text
stops presets list cpu
goes presets list ao
stops rank cpu priced.ini
stops screen priced.ini
stops search --over device.rtc=amd-epyc-9654 --objective price priced.ini
stops seek scenario.packets --until price>=1 priced.ini
stops sweep scenario.packets=5,6 --result price priced.ini
goes trace --from priced.ini -o -
goes validate --pipelines
goes --version
END
awk -v every="${SYSTEMS_EVERY:-1}" 'NR % every == 1 % every' words | while read -r goes words; do
    for lines in '' 'amd-epyc-9654,1234\nnvidia-a100-80gb-sxm,5\n' 'nosuch,1\n'; do
        printf "preset,price\n$lines" >"$prices"
        "$AOLAG" $words </dev/null 2>&1
        echo $?
    done >"$out"
    awk -v words="$goes $words" '/prices.csv/ { stops = 1 } { text = text $0 "\n" }
        /^[0-9]+$/ { list[++runs] = text; text = "" }
        END { if (stops != (words ~ /^stops/) || (list[1] != list[2]) != stops) print words ": " stops + 0 }' "$out"
done >wrong
is "$(cat wrong)" "" "prices stop the commands that depend on them"
printf 'preset,price\nnvidia-a11,2\n' >"$prices"
run presets list gpu
is "$status $(wc -l <"$err") $(grep -c '^nvidia-a10 ' "$out")" "1 1 1" "names can be listed nevertheless"
printf '\357\273\277price,preset\r\n 2e3 , nvidia-a10 \r\n' >"$prices"
good "a byte-order mark, blanks and line ends of other systems" presets show nvidia-a10 --json
holds '.price == 2000' "are no part of a field"
rm "$prices"
mkdir "$prices"
bad 1 "prices.csv: is a directory" "a folder" eval saxo
rmdir "$prices"

# A file that describes a device, in no folder of presets: its values become those of the design.
mkdir elsewhere
cat >elsewhere/chip.ini <<'END'
[device]
kind = gpu
model = My Chip 2027
units = 20000
clock = 2 GHz
bus_bits = 8192
memory_clock = 3 GHz
END
good "by its path" eval micado-scao --json --set device.gpu0.preset=elsewhere/chip.ini
holds '.devices[1] | .preset == null and .model == "My Chip 2027" and .peak_flops == 8e13' "has its values"
good "and a value beside it" eval micado-scao --json --set device.gpu0.units=10000 --set device.gpu0.preset=elsewhere/chip.ini
holds '.devices[1].peak_flops == 4e13' "which counts"
bad 2 "elsewhere/none.ini: cannot be opened" "none there" eval micado-scao --set device.gpu0.preset=elsewhere/none.ini
printf '[device]\nkind = gpu\nunit = 3\n' >elsewhere/bad.ini
bad 2 'unknown key "unit"; did you mean units?' "a bad key in it" eval micado-scao --set device.gpu0.preset=elsewhere/bad.ini
good "facts of devices" presets list --json
holds '[.presets[] | select(.name == ("amd-epyc-7543", "apple-m3-max", "nvidia-h100-sxm")) | [.clock_kind, .sold_in]] ==
    [["base", null], ["single", "Apple computers"], [null, "SXM boards of four or eight"]]' "have the kind of clock and what they are sold in"
good "its text" presets show elsewhere/chip.ini
is "$(cat "$out")" "$(cat elsewhere/chip.ini)" "is the file"
good "as JSON" presets elsewhere/chip.ini --json
holds '.name == "chip.ini" and .kind == "gpu" and .title == "My Chip 2027" and .file == "elsewhere/chip.ini" and
    .peak_flops == 8e13' "with what it says"
bad 1 'elsewhere/bad.ini:3: unknown key "unit"; did you mean units?' "not of a bad one" presets show elsewhere/bad.ini
printf '[device]\nkind = gpu\nflux_capacitors = 3\n' >elsewhere/bad.ini
bad 1 'elsewhere/bad.ini:3: unknown key "flux_capacitors" of a gpu; aolag-scenario(5) lists them' \
    "a key like no other" presets show elsewhere/bad.ini
run check elsewhere/chip.ini
is "$status $(cat "$out")$(cat "$err")" "0 elsewhere/chip.ini: good" "check knows a device"
run check -f elsewhere/bad.ini
is "$status $(cat "$out")" \
    "1 elsewhere/bad.ini:3: unknown key \"flux_capacitors\" of a gpu; aolag-scenario(5) lists them" "and a bad one"
cp elsewhere/bad.ini "$XDG_CONFIG_HOME/aolag/presets/worse.ini"
run check worse
is "$status $(sed "s,.*/,," "$out")" \
    "1 worse.ini:3: unknown key \"flux_capacitors\" of a gpu; aolag-scenario(5) lists them" "one's own by its name"
rm "$XDG_CONFIG_HOME/aolag/presets/worse.ini"
bad 1 "elsewhere/none.ini: cannot be opened" "none there to show" presets show elsewhere/none.ini
bad 2 "own ones are in " "no preset" eval micado-scao --set device.gpu0.preset=nonesuchchip
finish
