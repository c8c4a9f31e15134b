# aolag import: pipelines of daolite, parameters of TIPTOP and P3.
. "$srcdir/tests/cli/lib.sh"

cp -r "$TESTDATA/daolite" .

# What daolite computes, within 0.1 %, and the scenarios are good ones.
for pipeline in elt small one-packet network tiny many-packets; do
    good "$pipeline" import daolite/$pipeline.json --csv
    awk -F, -v name=$pipeline '
        NR == FNR { if ($1 == name) wanted[$2] = $3 " " $4 " " $5 " " $6 " " $7; next }
        FNR > 1 && $1 in wanted {
            split(wanted[$1], w, " ")
            delete wanted[$1]
            for (i = 1; i <= 5; i++)
                if (w[i] == "nan" ? $1 != "control" : ($(i + 1) - w[i]) ^ 2 > (0.001 * w[i]) ^ 2)
                    print $1 ": " $(i + 1) " for " w[i]
        }
        END { for (c in wanted) print c " is missing" }' daolite/outputs.csv "$out" >off
    is "$(cat off)" "" "$pipeline has the figures that daolite computes"
    good "$pipeline with a report" import daolite/$pipeline.json -o $pipeline.ini
    fits "$pipeline"
    run check $pipeline.ini
    is "$status $(cat "$out")" "0 " "$pipeline becomes a good scenario"
    is "$(grep ' = ' $pipeline.ini | grep -v ' ; ')" "" "$pipeline has the origin of each value"
done

good "a large system" import daolite/elt.json --json
holds '.daolite_total_us > 43e6 and .daolite_total_us < 43.1e6' "43 seconds"
holds '.steps[0].before_us == .daolite_total_us and .steps[-1].after_us == .first_pixel_us' "steps lead to the time by aolag"
holds '(.daolite_total_us + ([.steps[].change_us] | add) - .first_pixel_us) | fabs < 1e-6' "and add up"
holds '[.steps[] | select(.step == "control") | .after_us] == [.daolite_corrected_us]' "by what is without defects"
holds '[.steps[].step][-7:] == ["control", "counts", "efficiency", "dispatch", "ports", "datagrams", "detector"]' \
    "what this program has in addition"
holds '.schema == 2 and .reproduced and (.daolite_version | test("7f39ed1"))' "the version of daolite"
holds '.steps[] | select(.step == "datagrams") | .sentence | test("400 datagrams of camera in turn, each in 3.28 us")' \
    "datagrams"
holds '.steps[0].step == "packets" and .steps[0].after_us < .daolite_total_us / 45' "packets are most of it"
holds '.latency_us < .first_pixel_us and .latency_low_us < .latency_us' "the latency with its range"

good "a transfer" import daolite/network.json --json
holds '.components[] | select(.component == "net") | .first_start_us == null and .time_us == null' \
    "this program inserts the transfer"

jq '.connections += [{start: "cam", end: "rec"}]' daolite/figures.json >join.json
good "a join" import join.json --json
holds '.steps[] | select(.step == "join") | (.alone_us - 506.3626759) | fabs < 1e-6' "the slopes are waited for"

# The same for edits of one pipeline, each of which says what daolite computes for it.
awk -v RS= 'FNR > 1 { n = split($0, line, "\n"); name = substr(line[1], 4); print line[2] >"edit" FNR - 1
    print name >"name" FNR - 1; for (i = 3; i <= n; i++) print line[i] >"wanted" FNR - 1 }
    END { print FNR - 1 }' daolite/figures.txt >rows
for row in $(seq "$(cat rows)"); do
    name=$(cat name$row)
    jq "$(cat edit$row)" daolite/figures.json >edited.json
    run import edited.json --json
    if [ "$status" != 0 ]; then
        fail "$name" "$(cat "$err")"
    elif grep -q '^stops' wanted$row; then
        holds '(.reproduced | not) and (.not_reproduced | length > 9) and ([.components[].basis] | index("reproduced")) == null' \
            "$name: not reproduced, since daolite stops"
    else
        jq -r '.components[] | [.component, .packets, .daolite_first_start_us, .daolite_first_end_us,
            .daolite_last_start_us, .daolite_last_end_us, .basis] | map(. // "-") | join(" ")' "$out" >figures
        awk 'NR == FNR { for (i = 2; i <= 6; i++) is[$1, i] = $i; basis[$1] = $7 $8; next }
            { $1 = tolower($1); if (basis[$1] != "reproduced") print $1 ": " basis[$1]
              for (i = 2; i <= 6; i++)
                  if (is[$1, i] "" != $i "" && ($i == "-" || is[$1, i] == "-" || (is[$1, i] - $i) ^ 2 > (1e-7 * $i) ^ 2))
                      print $1 ": " is[$1, i] " for " $i }' figures wanted$row >off
        is "$(cat off)" "" "$name: reproduced"
    fi
done

# Each defect by what it adds to a chain of two components that can be computed by hand: 1000 pixels of
# 2 FLOP and 112 bit in 10 packets, at 2.4 GFLOP/s x 0.8 and 256 Gbit/s, as flops are not stated; 32
# GFLOP/s and 51.2 Gbit/s are the resource's own.
cat >two.json <<'END'
{"components": [{"type": "CAMERA", "name": "eye", "params": {"n_pixels": 1000, "group": 10, "readout": 100}},
 {"type": "CALIBRATION", "name": "dark", "params": {"n_pixels": 1000}, "compute": {"cores": 1,
  "core_frequency": 1e9, "flops_per_cycle": 32, "memory_channels": 1, "memory_width": 64,
  "memory_frequency": 800e6}}],
 "connections": [{"start": "eye", "end": "dark"}]}
END
good "by hand" import two.json --json
near() {
    holds "(.steps[] | select(.step == \"$1\") | .alone_us) as \$v | (\$v - ($2)) | fabs < 1e-6" "$1"
}
# the last packet comes at 100 us, when the one before it is done
holds '(.daolite_total_us - 100 - 1000 * (2 / 1920 + 112 / 256e3)) | fabs < 1e-6' "as daolite"
near packets "100 + 100 * (2 / 1920 + 112 / 256e3)"
near resource "100 + 1000 * (2 / 32e3 + 112 / 51.2e3)"
near sum "100 + 1000 * 2 / 1920"
holds '.daolite_corrected_us - 100 - 100 * 112 / 51.2e3 | fabs < 1e-6' "without any of them"

good "boxes, PCIe and bits" import daolite/boxes.json -o boxes.ini --compat
has "nothing is connected to it by connections" "where daolite stops"
grep -q '^preset = nvidia-h100-sxm ; gpu_boxes\[0\] "Accelerator": nvidia_h100_80gb' boxes.ini &&
    pass "a factory is a preset" || fail "a factory is a preset" "$(cat boxes.ini)"
is "$(grep -c '^pcie_gen = 5 ; transfers' boxes.ini)" 2 "the PCIe generation of both ends"
is "$(sed -n '/component.calibration/,/^$/s/^after = \([^;]*\) ;.*/\1/p' boxes.ini)" "left" "a transfer is left out"
fits "boxes"

# A network between two hosts is inserted by the model, on one host it is a component.
cat >hosts.yaml <<'END'
components:
- {type: CAMERA, name: eye, params: {n_pixels: 57600, group: 10}}
- {type: CENTROIDER, name: slopes, dependencies: [eye], compute: amd_epyc_7763,
   params: {n_valid_subaps: 1240, n_pix_per_subap: 6}}
- {type: NETWORK, name: between, dependencies: [slopes], params: {n_bits: 79360}}
- {type: RECONSTRUCTION, name: recon, dependencies: [between], compute: amd_epyc_9654,
   params: {n_acts: 1377}}
- {type: NETWORK, name: within, dependencies: [recon], params: {n_bits: 44064}}
- {type: CONTROL, name: control, dependencies: [within], compute: amd_epyc_9654}
END
run import hosts.yaml
is "$(grep -c '^type = transfer' "$out") $(sed -n 's/^bytes = \([^ ]* B\).*/\1/p' "$out")" "1 5508 B" \
    "transfers between hosts and within one"
is "$(sed -n '/component.recon/,/^$/s/^after = \([^;]*\) ;.*/\1/p; /component.control/,/^$/s/^after = \([^;]*\) ;.*/\1/p' "$out" | tr '\n' ' ')" \
    "slopes within " "what follows them"

run import daolite/basic.yaml
is "$status" 0 "YAML, with compute resources by name and in files"
cp "$out" basic.ini
is "$(sed -n 's/^preset = \([^ ]*\).*/\1/p' basic.ini | tr '\n' ' ')" "amd-epyc-7763 nvidia-rtx-4090 " "by name"
is "$(sed -n '/^simd_bits/s/ ;.*//p; /^clock/s/ ;.*//p' basic.ini | tr '\n' ' ')" \
    "clock = 1000 MHz clock = 2.6 GHz simd_bits = 512 bit " "in files"
is "$(sed -n '/overhead/s/ ;.*//p; /_efficiency/s/ ;.*//p; /^readout/s/ ;.*//p' basic.ini | tr '\n' ' ')" \
    "readout = 400 us compute_efficiency = 0.5 memory_efficiency = 0.7 overhead = 3 us " "values"
is "$(sed -n '/^frame_rate/s/ ;.*//p; /^packets/s/ ;.*//p' basic.ini | tr '\n' ' ')" \
    "frame_rate = 500 Hz packets = 20 " "the simulation block"
grep -q "basic.yaml:[0-9]*: not carried over: .*core_fudge = 0.85" "$err" && pass "what is lost" ||
    fail "what is lost" "$(cat "$err")"
good "is evaluated" eval basic.ini
run import - <daolite/small.json
is "$status $(grep -c '; imported from a text' "$out")" "0 1" "standard input"

run import daolite/system.yaml
is "$status $(grep -c '^type = ' "$out")" "0 5" "a system configuration"
is "$(sed -n '/^share/s/ ;.*//p; /^subaps_across/s/ ;.*//p' "$out" | tr '\n' ' ')" \
    "subaps_across = 80 share = 0.5 " "its values"
is "$(grep -c '^workers = 4 ; pipeline: n_workers = 4 (line 21)' "$out")" 3 "its workers"
sed 's/n_lines_of_sight: 1/n_lines_of_sight: 3/; s/n_dm_modes: null/n_dm_modes: 2500/; s/square_diff: false/square_diff: true/
    s/n_workers: 4/n_workers: 8/' daolite/system.yaml >lines.yaml
run import lines.yaml
is "$(grep -e '^algorithm = sq' -e '^count' -e '^modes' "$out")" "modes = 2500 ; optics: n_dm_modes = 2500 (line 11)
count = 3 ; camera: n_lines_of_sight = 3 (line 8)
algorithm = square-difference ; pipeline: use_square_diff (line 18)" "sections that several components have in common"
grep -q 'lines.yaml:21: not carried over: pipeline: n_workers = 8: the components of cpu would have 24 workers and others on 16 cores' "$err" &&
    pass "too many workers" || fail "too many workers" "$(cat "$err")"
run import daolite/agendas.yaml --json
holds '.reproduced | not' "agendas by name of a resource, in YAML"
holds '[.not_carried_over[] | select(.sentence | test("agenda"))] == []' "which are carried over"
good "agendas as files" import daolite/agendas.yaml -o agendas.ini
is "$(grep '^agenda' agendas.ini | head -n 1) $(ls agendas-*.csv | tr '\n' ' ')" \
    "agenda = \"agendas-a.csv\" ; components[3] \"a\": centroid_agenda (line 7) agendas-a.csv agendas-b.csv agendas-c.csv " \
    "beside the scenario"
run detector agendas.ini --csv
is "$(awk -F, 'NR > 1 { print $4 }' "$out" | tr '\n' ' ')" "50 101 101 64 " "with these subapertures, of 316 for 314"
rm agendas.ini
bad 1 "agendas-a.csv exists; --force replaces it" "no agenda is replaced" import daolite/agendas.yaml -o agendas.ini
run import daolite/agendas.yaml
grep -q "agendas.yaml:7: not carried over: .*-o writes it beside the design" "$err" &&
    pass "without a file" || fail "without a file" "$(cat "$err")"
cat >pixels.yaml <<'END'
components:
- {type: CAMERA, name: eye, params: {n_pixels: 14400}}
- {type: CALIBRATION, name: dark, compute: amd_epyc_7763, dependencies: [eye], params: {pixel_agenda: [3600, 0, 10800]}}
- {type: CENTROIDER, name: spots, compute: amd_epyc_7763, dependencies: [dark],
   params: {centroid_agenda: [100, 0, 214], n_pix_per_subap: 36}}
END
good "pixels" import pixels.yaml -o pixels.ini
is "$(tr '\n' ' ' <pixels-eye.csv)" "fraction 0.25 0 0.75 " "an agenda in pixels"
has 'line 5: components[2] "spots": its agenda; the packets of the sensor are those' "before that in subapertures"
good "the example of the documentation" import daolite/two-components.json --json
holds '.daolite_total_us == null and .steps == [] and (.not_reproduced | test("no n_valid_subaps"))' "which daolite does not run"
sed 's/centroid_scale: 0.5/centroid_scale: 2/' daolite/system.yaml >scale.yaml
run import scale.yaml
grep -q 'centroid_scale = 2: share is a fraction from 0.001 to 1' "$err" && pass "a scale above 1" ||
    fail "a scale above 1" "$(cat "$err")"

# What the designer saves without parameters: daolite's defaults; a product beside its values.
run import daolite/designer.json
is "$status $(sed -n '/^detector/s/ ;.*//p; /^preset/s/ ;.*//p' "$out" | tr '\n' ' ')" \
    "0 detector_width = 1024 px detector_height = 1024 px preset = amd-epyc-7763 " "a pipeline without parameters"
good "its report" import daolite/designer.json --json
holds '[.assumed[].sentence | select(test("it states no n_pixels; 1048576, daolite.s default"))] | length == 1' "a default"
holds '[.not_carried_over[].sentence | select(test("not known"))] == []' "its values are known"

# Functions, a sparse matrix, several mirrors, and daolite's own file of a GPU.
cat >gpu-as-cpu.yaml <<'END'
name: NVIDIA H100 80GB
cores: 132
core_frequency: 1.83e9
flops_per_cycle: 39321
memory_channels: 32
memory_width: 128
memory_frequency: 2.0e9
END
cat >mirrors.yaml <<'END'
components:
- {type: CAMERA, name: eye, params: {n_pixels: 57600, camera_function: RollingShutterCamera}}
- {type: CENTROIDER, name: weights, compute: gpu-as-cpu.yaml, function: weighted_center_of_gravity,
   params: {n_subaps: 400, pixels_per_subap: 144, weight_sigma: 2}, dependencies: [eye]}
- {type: CENTROIDER, name: squares, compute: gpu-as-cpu.yaml,
   params: {n_subaps: 400, pixels_per_subap: 144, use_square_diff: true}, dependencies: [eye]}
- {type: CENTROIDER, name: own, compute: gpu-as-cpu.yaml, function: my_function,
   params: {n_subaps: 400, pixels_per_subap: 144}, dependencies: [eye]}
- {type: RECONSTRUCTION, name: recon, compute: gpu-as-cpu.yaml, dependencies: [weights, squares],
   params: {n_acts: 1000, sparse_fraction: 0.1}}
- {type: CONTROL, name: low, compute: amd_epyc_9654, params: {n_acts: 600}, dependencies: [recon]}
- {type: CONTROL, name: high, compute: amd_epyc_9654, params: {n_acts: 400}, dependencies: [recon]}
- {type: CONTROL, name: clip, compute: amd_epyc_9654, params: {n_acts: 400}, dependencies: [high]}
END
run import mirrors.yaml
is "$(sed -n 's/^algorithm = \([^ ]*\).*/\1/p; s/^density = \([^ ]*\).*/\1/p' "$out" | tr '\n' ' ')" \
    "weighted square-difference cog sparse 0.1 " "algorithms"
is "$(grep -c '^shutter = rolling' "$out")" 1 "the shutter of a camera"
is "$(sed -n 's/^actuators = \([^ ]*\).*/\1/p; s/^rows = \([^ ]*\).*/\1/p' "$out")" 1000 "the actuators of two mirrors"
is "$(sed -n 's/^preset = \([^ ]*\).*/\1/p' "$out" | tr '\n' ' ')" "nvidia-h100-sxm amd-epyc-9654 " "a GPU described as a CPU"
for lost in 'components\[1\] "weights": weight_sigma = 2: the key is not known' \
    'components\[3\] "own": function = "my_function": it is imported as cog' \
    'describe "NVIDIA H100 80GB" as a CPU of 132 cores' \
    'components\[5\] "low": n_acts = 600; a controller has all 1000 actuators'; do
    grep -q "$lost" "$err" && pass "noted: $lost" || fail "noted: $lost" "$(cat "$err")"
done

bad 1 "small.json: this is not a design; aolag import makes one" "opened as a scenario" \
    eval daolite/small.json
run check daolite/small.json
is "$status $(cat "$out")" \
    "1 aolag: daolite/small.json: this is not a design; aolag import makes one of a pipeline of daolite" "and checked"
cat >alias.yaml <<'END'
mine: &mine {cores: 8, core_frequency: 3e9, flops_per_cycle: 32}
components:
- {type: CAMERA, name: eye, params: {n_pixels: 57600}}
- {type: CALIBRATION, name: dark, compute: *mine, dependencies: [eye]}
END
run import alias.yaml
grep -q "mine" "$err" && fail "an alias is no unknown key" "$(cat "$err")" || pass "an alias is no unknown key"

# Words that YAML understands in another way than they look, and merged values.
cat >words.yaml <<'END'
usual: &usual {cores: 8, core_frequency: 3.0e+9, flops_per_cycle: 32, time_in_driver: 1:30}
components:
- {type: CAMERA, name: eye, params: {n_pixels: 010, group: 2}}
- {type: CALIBRATION, name: dark, compute: {<<: *usual, cores: 4}, dependencies: [eye]}
END
run import words.yaml
is "$(sed -n 's/^\(cores = [^ ]*\) ;.*/\1/p; s/^\(clock = [^;]*\) ;.*/\1/p; s/^\(ingress_latency = [^;]*\) ;.*/\1/p' "$out" | tr '\n' ' ')" \
    "cores = 4 clock = 3 GHz ingress_latency = 90 us " "merged values"
for remark in '1: assumed: time_in_driver: 1:30 is 90 in base 60' \
    '3: assumed: n_pixels: 010 is 8 in base 8, since it begins with 0'; do
    grep -q "words.yaml:$remark" "$err" && pass "remark: $remark" || fail "remark: $remark" "$(cat "$err")"
done

# The designer writes the box of a GPU as parent, and its computer as gpu_parent.
jq '.containers = [.containers[0] | .name = "A"] + [.containers[0] | .gpu_boxes = [{type: "GPUBox", name: "G",
    resource_name: "NVIDIA RTX 4090"}]] | .components[2] |= (.parent_type = "GPUBox" | .parent_name = "G"
    | .gpu_parent_name = "Box") | .components[0, 1].parent_name = "A"' daolite/figures.json >designed.json
run import designed.json
is "$(sed -n '/^device = /s/ ;.*//p; /^host = /s/ ;.*//p' "$out" | tr '\n' ' ')" \
    "host = box device = a device = g device = box device = box " "GPU boxes"

# All factories of daolite, by name and by product, and its files of GPUs without flops.
for name in $(sed -n 's/^    {"\([a-z0-9_]*\)", ".*/\1/p' "$srcdir/src/import/resource.c"); do
    sed "s/amd_epyc_7402/$name/" daolite/factory.json >factory.json
    run import factory.json
    [ "$status" = 0 ] && grep -q "^preset = " "$out" || echo "$name"
done >lacking
is "$(cat lacking)" "" "all factories"
is "$(grep -c '^    {"[a-z0-9_]*", "' "$srcdir/src/import/resource.c")" 30 "are thirty"
for gpu in "NVIDIA A100 80GB:108:nvidia-a100-80gb-sxm" "NVIDIA H100 80GB:132:nvidia-h100-sxm" \
    "AMD Instinct MI300X:304:amd-instinct-mi300x"; do
    printf '%s\n' "name: \"${gpu%%:*}\"" "hardware: GPU" "cores: $(echo "$gpu" | cut -d: -f2)" \
        "core_frequency: 1.41e9" "flops_per_cycle: 19456" "memory_channels: 32" "memory_width: 128" \
        "memory_frequency: 1.2e9" "network_speed: 600e9" "time_in_driver: 8" >gpu.yaml
    sed 's/amd_epyc_7402/gpu.yaml/' daolite/factory.json >factory.json
    run import factory.json
    is "$(sed -n 's/^preset = \([^ ]*\).*/\1/p' "$out")" "${gpu##*:}" "a file of ${gpu%%:*}"
done

# A CPU by its rates: what is not stated is chosen to suit them, what is stated gives way to them.
cpu() {
    jq "del(.containers, .components[].parent_name) | .components[].compute = {hardware: \"CPU\"} + $1" \
        daolite/figures.json >cpu.json
    run import cpu.json
    is "$status $(sed -n 's/^\(cores\|clock\|simd_bits\|memory_channels\|channel_bits\|memory_rate\) = \([^;]*\) ;.*/\2/p' "$out" |
        tr '\n' ' ')" "0 $2 " "a CPU of $1"
}
noted() {
    grep -q -- "$1" "$err" && pass "noted: $1" || fail "noted: $1" "$(cat "$err")"
}
cpu '{flops: 2.4e9, memory_bandwidth: 256e9}' "1 1.2 GHz 64 bit 1 64 bit 4000 MT/s"
noted 'assumed: .* not state all of cores, flops_per_cycle and core_frequency; 1, 2 and 1.2 GHz'
cpu '{flops: 9.984e12, memory_bandwidth: 8.192e12}' "120 2.6 GHz 256 bit 40 64 bit 3200 MT/s"
cpu '{flops: 1.024e12, cores: 4, memory_bandwidth: 10e9}' "4 4 GHz 512 bit 1 8 bit 1250 MT/s"
cpu '{flops: 2.048e12, cores: 64, core_frequency: 2.5e9, flops_per_cycle: 32, memory_bandwidth: 512e9, memory_channels: 2, memory_width: 64, memory_frequency: 3200e6}' \
    "64 1 GHz 256 bit 2 64 bit 4000 MT/s"
noted 'not carried over: .*core_frequency = 2.5e+09: it has 1 GHz, with which it has the stated flops'
noted 'not carried over: .*memory_frequency = 3.2e+09: it has 4000 MT/s, with which it has the stated memory_bandwidth'
cpu '{flops: 2.4e9, cores: 64, flops_per_cycle: 64}' "64 0.1 GHz 512 bit 4 64 bit 3200 MT/s"
noted 'not carried over: .*flops = 2.4e+09: it needs 0.00058593. GHz, which is out of range; it has 0.1 GHz'

# Values without an effect, and what daolite passes over.
jq '.title = 5 | .components[0].params.exposure_offset = 50 | .components[2].params.delay_start = 1
    | .components[1].parent_name = "Nowhere" | .transfers = [{name: "by", transfer_type: "Ethernet", destination: "cal",
    data_size: 500}, {name: "alone"}] | .connections[0].transfers = ["by"] | .connections += [{start: "can", end: "cal"}]' \
    daolite/figures.json >over.json
run import over.json
is "$status" 0 "what daolite passes over"
for lost in 'title = 5: a title is a text' "exposure_offset = 50: daolite's PCOCamLink has none" \
    'delay_start = 1: a component here begins' 'start: no component is called "can"; did you mean cam?' \
    '"alone": it follows no camera, and is left out' 'no container is called "Nowhere"; it stands in none' \
    'transfer_type is "Ethernet", which daolite times as a network'; do
    noted "$lost"
done

# The rates that a component is computed with, whose reasons the step names.
jq '.containers[0].compute |= (.core_fudge = 0.4 | .mem_fudge = 0.5)' daolite/figures.json >fudges.json
good "fudges" import fudges.json --json
holds '.components[1] | .daolite_gflops == 4014.08 and .daolite_bandwidth_gbs == 102.4' "the rates"
holds '.steps[] | select(.step == "resource") | .sentence | test("cal is computed with 4014.08 GFLOP/s and 102.4 GB/s; its resource has 10035.2 and 204.8")' \
    "in the step"
holds '.steps[] | select(.step == "counts") | .sentence | test("no packet that no subaperture needs.* control .daolite: 8 us")' \
    "what else the step of the counts is"
holds '[.components[].daolite_sum_us * 100 | round] == [0, 7904, 1048, 3774, 805]' "what the command prints"

# Several reasons why daolite computes nothing; what they leave unknown.
jq '.components[0].compute = "amd_epyc_7763" | del(.components[3].params.n_slopes, .components[4].params.n_acts)' \
    daolite/figures.json >reasons.json
good "reasons" import reasons.json --json
holds '.not_reproduced | test("takes a map of values as compute, no name .line [0-9]+., and for 2 more reasons$")' "are counted"
holds '[.components[] | .packets] == [10, 10, 10, null, null]' "and no packets are known"
jq '.components[2].params.centroid_agenda = [0, 11, 11, 11, 11, 11, 11, 11, 11, 12]' daolite/figures.json >empty.json
good "a first packet without work" import empty.json --json
holds '.components[2] | .daolite_compute_us == 0 and .daolite_memory_us == 0' "computes nothing"

echo old >there.ini
bad 1 "there.ini exists; --force replaces it" "no file is replaced" import daolite/tiny.json -o there.ini
is "$(cat there.ini)" old "it is as it was"
good "unless told to" import daolite/tiny.json -o there.ini --force
is "$(head -c 10 there.ini)" "; imported" "then it is"
bad 2 "force" "force alone" import daolite/tiny.json --force
bad 2 "a file is missing" "no file" import
bad 1 "none.json" "a file that is not there" import none.json

# Refused, with file, line, entry, key, value and what is allowed.
refused() {
    printf '%s' "$2" >it.$1
    bad 1 "it.$1:$3" "refused: $3" import it.$1
}
bad 1 'is a configuration of daolite'"'"'s predecessor' "another format" import daolite/predecessor.yaml
bad 1 'cpu.yaml:1: this describes a compute resource' "a resource" import daolite/cpu.yaml
refused json '{"components": [' '1: not JSON: '
refused json "$(printf '%03000d' 0 | tr 0 '[')" '1: more than 32 maps and lists'
refused json '{"a": 1,
"a": 2}' '2: a key is given twice'
refused json '{"components": [{"type": "CAMERA", "name": "a", "params": {"n_pixels": 1e999}}]}' '1: a number is beyond 1.8e308'
refused json '[1]' '1: the file holds a list; a pipeline of daolite is a map'
refused json '{"components": [{"type": "CAMRA", "name": "a"}]}' \
    '1: components[0] "a": the type "CAMRA" is unknown; did you mean CAMERA? types are'
refused json '{"components": [{"type": "CAMERA", "name": "a", "params": {"n_pixels": 9}},
{"type": "CALIBRATION", "name": "a", "dependencies": ["a"]}]}' \
    '2: components[1] "a": components[0] "a" in line 1 has the same name'
refused json '{"components": [{"type": "CAMERA", "name": "a", "params": {"n_pixels": 9}},
{"type": "CALBRATION", "name": "d"}], "connections": [{"start": "a", "end": "d"}]}' \
    '2: components[1] "d": the type "CALBRATION" is unknown; did you mean CALIBRATION?'
lacks "no component is called" "and nothing else is wrong"
refused json '{"components": [{"type": "CUSTOM", "name": "a"}]}' \
    '1: components[0] "a": the type CUSTOM is a Python function'
refused json '{"components": [
{"type": "CAMERA", "name": "a", "params": {"n_pixels": 2.5}}]}' \
    '2: components[0] "a": n_pixels is 2.5; it is a whole number from 1 to 268435456'
refused json '{"components": [{"type": "CAMERA", "name": "a", "params": {"n_pixels": "9"}}]}' \
    '1: components[0] "a": n_pixels is "9"; it is a whole number'
refused json '{"components": [{"type": "CAMERA", "name": "eye", "params": {"n_pixels": 9}},
{"type": "CALIBRATION", "name": "b"}], "connections": [
{"start": "eyes", "end": "b"}]}' '3: connections[0]: start: no component is called "eyes"; did you mean eye?'
refused json '{"components": [{"type": "CAMERA", "name": "a", "params": {"n_pixels": 9}},
{"type": "CALIBRATION", "name": "b", "compute": "nvidia_h100"}]}' \
    '2: components[1] "b": no compute resource is called "nvidia_h100"; did you mean nvidia_h100_80gb?'
refused json '{"components": [{"type": "CAMERA", "name": "a", "params": {"n_pixels": 9}},
{"type": "CALIBRATION", "name": "b"}]}' '2: components[1] "b": it follows no camera'
refused json '{"components": [{"type": "CAMERA", "name": "a", "params": {"n_pixels": 9}},
{"type": "CALIBRATION", "name": "b", "dependencies": ["c"]},
{"type": "CENTROIDER", "name": "c", "dependencies": ["b", "a"]},
{"type": "CONTROL", "name": "behind", "dependencies": ["c"]}]}' \
    '2: components[1] "b" before components[2] "c" before components[1] "b"; a pipeline has no cycle'
awk 'BEGIN { print "{\"components\": [{\"type\": \"CAMERA\", \"name\": \"eye\"}"
    for (i = 0; i < 40; i++) print ", {\"type\": \"CALIBRATION\", \"name\": \"c" i "\", \"dependencies\": [\"c" (i + 39) % 40 "\"]}"
    print "]}" }' >ring.json
bad 1 'components[4] "c3" before ... (36 more) before components[1] "c0"; a pipeline has no cycle' "a long cycle" import ring.json
refused json '{"components": [{"type": "CAMERA", "name": "a\u0000b"}]}' '1: a text has a zero character (\u0000); remove it'
refused json '{"a\u0000b": 1}' '1: a text has a zero character (\u0000); remove it'
refused json '{"components": [{"type": "CAMERA", "name": "a", "params": {"n_pixels": 9}},
{"type": "CALIBRATION", "name": "b", "dependencies": ["a"], "compute": {"cores": 2000,
"core_frequency": 2e9}}]}' '2: as a design: '
refused json '{"components": [{"type": "CAMERA", "name": "a", "params": {"n_pixels": 9}},
{"type": "CALIBRATION", "name": "b", "dependencies": ["a"], "compute": "no.yaml"}]}' \
    '2: components[1] "b": compute: cannot open no.yaml'
refused yaml 'components:
- {type: CAMERA, name: a, params: {pixel_agenda: [0, 0], n_pixels: 9}}
' '2: components[0] "a": its agenda: no packet has any work'
refused yaml 'a: 1
a: 2' '2: the key "a" is given twice, first in line 1'
refused yaml 'a: [1' '2: not YAML: '
refused yaml 'a: 1
--- 
b: 2' '2: a second document begins'
refused yaml 'a: &x [*x]' '1: the alias x is not read; it stands within the value'
refused yaml 'a: *x' '1: the alias x is not read; no anchor'
refused yaml '<<: 1' '1: the merge key << is not read; it names a map or a list of maps'
refused yaml 'components:
- {type: CAMERA, name: a, params: {n_pixels: 1e3}}' '2: components[0] "a": n_pixels is "1e3", a text in YAML 1.1'
refused yaml 'components:
- {type: CAMERA, name: no}' '2: name is no, false in YAML 1.1; it is a text'
refused yaml 'a: !!python/object:numpy.array [1]' '1: the tag '
refused yaml '? [a]
: 1' '1: a key is a map or a list'
refused yaml '# nothing' ' the file is empty'
refused yaml "$(printf 'a: \033')" '1: the character U+001B is not allowed'
refused yaml "$(printf 'a: \377')" '1: the byte 0xFF is not UTF-8'
for file in pixels.yaml daolite/two-components.json; do
    good "$file" import $file --csv
    sed 's/,reproduced$/,not reproduced/' "$out" >plain
    { printf '\357\273\277'; cat $file; } >marked.${file##*.}
    good "with a byte-order mark" import marked.${file##*.} --csv
    succeeds "is the same but to daolite, which refuses the mark in JSON" cmp "$out" plain
done
refused yaml "$(printf '\377\376a:')" ' the file is UTF-16; save it as UTF-8'
refused yaml "$(printf 'a: 1\n\357\273\277b: 2')" '2: the character U+FEFF is not allowed; remove it'
refused yaml "$(printf '%040d' 0 | tr 0 '[')" '1: more than 32 maps and lists'
awk 'BEGIN { for (i = 0; i < 100001; i++) print "- 1" }' >many.yaml
bad 1 "many.yaml:100000: more than 100000 values" "too many values" import many.yaml
awk 'BEGIN { for (i = 0; i < 1001; i++) print "k" i ": 1" }' >keys.yaml
bad 1 "keys.yaml:1001: more than 1000 keys" "too many keys" import keys.yaml
head -c 1100000 /dev/zero | tr '\0' ' ' >large.json
bad 1 "large.json" "a file that is too large" import large.json

# An alias costs a node whatever it stands for.
awk 'BEGIN { print "a0: &a0 [1, 1]"; for (i = 1; i < 30; i++)
    print "a" i ": &a" i " [*a" i - 1 ", *a" i - 1 ", *a" i - 1 "]" }' >bomb.yaml
bad 1 "no components" "aliases of aliases" import bomb.yaml

# Parameters of TIPTOP: a file becomes a good design with its loop, whose delay is that of the file.
cp "$TESTDATA/tiptop/two-sensors.ini" . # the report begins with the path
two=two-sensors.ini
good "parameters of TIPTOP" import "$two" -o two.ini
fits "their report"
has "3 frames in the file" "the delay of the file"
has "the file: readout of the cameras: 0.5 of a frame period" "what is assumed"
has "line 34: sensor_HO: Modulation, SpotFWHM, NoiseVariance, Unusual" "what has no counterpart, with its line"
run check two.ini
is "$status $(cat "$out")" "0 " "they become a good design"
good "its loop" loop two.ini --json
holds '(.delay_periods - 2 | fabs) < 1e-5 and .gain == 0.4 and .period_us == 1000' "is that of the file"
good "its values" params two.ini --json
holds '[.knobs[] | select(.path == ("ao.actuators", "atmosphere.r0", "atmosphere.wind", "wfs.ho.count",
    "wfs.lo.rate_divisor", "wfs.lo.valid_subaps", "ao.other_errors")) | .text] ==
    ["346", "60 nm", "12.5822 cm", "11.4393 m/s", "3", "4", "4"]' "are those of the file"
is "$(sed -n 's/^wind = //p' two.ini)" "$(awk 'BEGIN { printf "%.6g", (0.7 * 6 ^ (5 / 3) + 0.3 * 20 ^ (5 / 3)) ^ 0.6 }') m/s ; (sum w v^(5/3) / sum w)^(3/5) of atmosphere.WindSpeed (line 16), w of Cn2Weights" \
    "the wind, and what of"
sed 's/^WindSpeed = .*/WindSpeed = [6.0, 6.0, 20.0]/; /^Cn2Weights/d' "$two" >equal.ini
run import equal.ini
is "$(sed -n 's/^wind = //p' "$out")" "$(awk 'BEGIN { printf "%.6g", ((2 * 6 ^ (5 / 3) + 20 ^ (5 / 3)) / 3) ^ 0.6 }') m/s ; (sum w v^(5/3) / sum w)^(3/5) of atmosphere.WindSpeed (line 15), all w equal" \
    "without weights"
run import - <"$two"
is "$(sed -n 's/^title = \([^;]*\) ;.*/\1/p' "$out")" '"8 m, 3 Shack-Hartmann 20x20, lo"' "a title without a name"
sed 's/^WindSpeed = .*/WindSpeed = 6/' "$two" >'a "b\c;.ini'
run import 'a "b\c;.ini'
is "$status $(sed -n 's/^title = \([^,]*\).*/\1/p; /^wind/p' "$out")" "0 \"a 'b/c;
wind = 6 m/s ; atmosphere.WindSpeed = 6 (line 16)" "any name"

# Values over several lines, as Python's configparser has them: the same, and later lines keep their numbers.
sed 's/^NumberLenslets = .20, .*/NumberLenslets = [20, ; of three\n\n  20, # second\n; comment\n\t20# third\n ]/
    s/^WindSpeed = .*/WindSpeed =\n   [6.0,\n   20.0]/; s/$/\r/' "$two" >lines.ini
run import lines.ini
is "$status $(sed -n 's/^\(wind\|subaps_across\|photons\) = \([^;]*\) .*(line \([0-9]*\)).*/\1 \2 \3/p' "$out" | tr '\n' ' ')" \
    "0 wind 11.4393 m/s 16 subaps_across 20 37 photons 150 45 subaps_across 2 54 photons 500 55 " "values over several lines"
awk '/^Cn2Weights/ { print "Cn2Weights = ["; for (i = 0; i < 200; i++) print "  0.005, # layer " i; print " ]"; next }
    /^WindSpeed/ { printf "WindSpeed = ["; for (i = 0; i < 200; i++) printf "\n  12.0,"; print "]"; next } { print }' "$two" >long.ini
run import long.ini
is "$status $(sed -n 's/^wind = \([^;]*\) ;.*/\1/p' "$out")" "0 12 m/s" "200 of them"

good "on another computer" import "$two" --host amd-epyc-7702 --json
holds '.format == "tiptop" and .sensors == 2 and .loop_delay_frames == 3 and .rtc_latency_us > 1000 and
    ([.assumed[].sentence] | map(test("computer")) | any | not)' "which is no assumption"
holds '.title == "two-sensors, 8 m, 3 Shack-Hartmann 20x20, lo"' "a title"
run import "$two"
is "$(grep -c ': assumed: ' "$err") $(grep -c ': not carried over: ' "$err")" "5 6" "without -o the same on standard error"
good "the formats" import --list
fits "they fit"
has "parameter file of TIPTOP or P3" "with an example of each"
bad 1 "nvidia-h100-sxm is no CPU" "a GPU as host" import "$two" --host nvidia-h100-sxm
bad 1 "states its computers; leave out --host" "a host for daolite" import daolite/small.json --host amd-epyc-7702
bad 1 "is no pipeline of daolite, whose components --compat prints" "figures of daolite" import "$two" --compat
bad 1 "two.ini: this is a design already" "a design" import two.ini
bad 1 "this is not a design; aolag import makes one of a parameter file of TIPTOP or P3" "as a design" eval "$two"
is "$(wc -l <"$err")" 1 "is one sentence"

printf 'loopTime: 0.002\nWFS:\n  0:\n    nxSubaps: 8\n' >soapy.yaml
bad 1 "aolag import --list names what else is read" "a file of soapy" import soapy.yaml
: >empty.ini
bad 1 "empty.ini: the file is empty; aolag import --list names what is read" "an empty file" import empty.ini

# What is refused: an edit of the file, and the sentence.
count=0
while IFS='|' read -r edit sentence; do
    sed "$edit" "$two" >edited.ini
    run import edited.ini
    is "$status $(cat "$err")" "1 $sentence" "refused: $edit"
    count=$((count + 1))
done <<'END'
s/^NumberLenslets = .20, 20, 20./NumberLenslets = [20, [20, 20/|edited.ini:35: NumberLenslets: the list does not end
s/^NumberLenslets = .20, 20, 20./NumberLenslets = [20, twenty]/|edited.ini:35: NumberLenslets: "twenty]" is no literal; allowed in a list: numbers, texts, lists, True, False and None, separated by commas
s/^SpotFWHM = .*/SpotFWHM = [[[[[[[[[1]]]]]]]]]/|edited.ini:39: SpotFWHM: more than 8 lists within each other
s/^NumberPhotons = .150.*/NumberPhotons = many/|edited.ini:38: sensor_HO.NumberPhotons is "many"; allowed: a number or a list of numbers
s/^Algorithm = .tcog./Algorithm = 4/|edited.ini:42: sensor_HO.Algorithm is 4; allowed: a text
s/^WfsType = .*/WfsType = 4/|edited.ini:33: sensor_HO.WfsType is 4; allowed: a text
s/^WfsType = .*/WfsType = 'Curvature'/|edited.ini:33: sensor_HO.WfsType is "Curvature"; allowed: Shack-Hartmann, Pyramid
s/^LoopGain_HO = .*/LoopGain_HO = 0/|edited.ini:59: RTC.LoopGain_HO is 0; allowed: a number above 0
s/^NumberPhotons = .150.*/NumberPhotons = [-4]/|edited.ini:38: sensor_HO.NumberPhotons is -4; allowed: 0 and more
s/^ObscurationRatio = .*/ObscurationRatio = 1.5/|edited.ini:5: as a design: obscuration = 1.5: 1.5 is out of range; allowed: 0 to 0.95
s/^SensorFrameRate_HO = .*/SensorFrameRate_HO = -1000/|edited.ini:60: RTC.SensorFrameRate_HO is -1000; allowed: a number above 0, in Hz
s/^ZenithAngle = .*/ZenithAngle = 85/|edited.ini:4: as a design: zenith = 85 deg: 85 deg is out of range; allowed: 0 to 80 deg
s/^LoopDelaySteps_HO = .*/LoopDelaySteps_HO = 0.5/|edited.ini:61: RTC.LoopDelaySteps_HO is 0.5; allowed: 1 and more, since half an exposure before and half of the time that a command is held are a frame
s/^TelescopeDiameter/Diameter/|edited.ini:2: [telescope] has no TelescopeDiameter
s/^WindSpeed = .*/WindSpeed = [6.0, 20.0, 5]/|edited.ini:16: atmosphere.WindSpeed has 3 numbers, Cn2Weights (line 14) has 2
s/^NumberActuators = .*/NumberActuators = [4e3]/|edited.ini:55: as a design: actuators = 12566371: 12566371 is out of range; allowed: 1 to 200000
s/^Seeing = .*/Seeing = 0/|edited.ini:12: atmosphere.Seeing is 0; allowed: a number above 0
/^Seeing = /d|edited.ini:10: [atmosphere] has no Seeing, and no r0_value
s/^DmPitchs = .*/DmPitchs = [0.4, 0.5]/|edited.ini:56: DM.DmPitchs has 2 numbers, NumberActuators (line 55) has 1
s/^DmPitchs = .*/DmPitchs = -0.4/|edited.ini:56: DM.DmPitchs is -0.4; allowed: a number above 0
s/^DmPitchs = .*/AoArea = 1/|edited.ini:56: DM.AoArea is 1; allowed: a text
s/^NumberLenslets = .20, .*/NumberLenslets = [20,\n 20\n 20]/|edited.ini:37: NumberLenslets: "20]" is no literal; allowed in a list: numbers, texts, lists, True, False and None, separated by commas
s/^NumberLenslets = .20, .*/NumberLenslets = [20,\n20,\n20]/|edited.ini:36: "20," is no key = value; a line that continues line 35 is indented more
s/^NumberLenslets = .20, .*/NumberLenslets = [20,\n 20,/|edited.ini:35: NumberLenslets: the list does not end
s/^NumberLenslets = .20, .*/NumberLenslets = [20,\n 20\d001]/|edited.ini:36: control character U+0001 at column 4
s/^NumberLenslets = .20, .*/NumberLenslets =\n [20, x]/|edited.ini:36: NumberLenslets: "x]" is no literal; allowed in a list: numbers, texts, lists, True, False and None, separated by commas
s/^DmPitchs/ DmPitchs/|edited.ini:56: NumberActuators: "DmPitchs = [0.4]" follows the list; a line that is indented more than its key continues the value
s/^L0/ L0/|edited.ini:12: atmosphere.Seeing is "0.8  L0 = 25."; allowed: a number or a list of numbers
s/^SpotFWHM = .*/SpotFWHM = [[[[[[[[\n [1]]]]]]]]]/|edited.ini:40: SpotFWHM: more than 8 lists within each other
$a LoopDelaySteps_LO = 2|edited.ini:65: LoopDelaySteps_LO is already on line 64 of this section; keep one of them
s/^NumberActuators = .*/NumberActuators = None/|aolag: edited.ini: [DM] has no NumberActuators
/^.sensor_HO/d|aolag: edited.ini: no parameter file of TIPTOP or P3: there is no [telescope] with a [sensor_HO]
END
is "$count" 32 "each is tried"
{ printf '\357\273\277' && cat "$two"; } >marked.ini
bad 1 "marked.ini:1: the file starts with a byte-order mark" "a byte-order mark" import marked.ini
sed 's/^PixelScale = 60/PixelScale = 0.5/; s/^FieldOfView = 16/FieldOfView = 1/' "$two" >pixels.ini
good "pixels that no detector has" import pixels.ini --json
holds '[.not_carried_over[] | select(.line == 50) | .sentence] == ["sensor_LO.PixelScale = 0.5: 87.7 pixels per wavelength over subaperture; the design has 50, the most"]' "their scale is said"
holds '[.assumed[].sentence] | any(. == "sensor_LO: 8 pixels across a subaperture; FieldOfView does not state 2 to 128")' "and their number"
sed "s/^WfsType = .*/WfsType = 'SHACK-HARTMANN'/; s/^NumberPhotons = .150.*/NumberPhotons = [0]/" "$two" >dark.ini
good "a type in capitals, and no photons" import dark.ini --json
holds '[.not_carried_over[] | select(.line == 38) | .sentence] == ["sensor_HO.NumberPhotons = 0: a loop without noise"]' "are said"
sed 's/^FieldOfView = 16/FieldOfView = 300/' "$two" >pixels.ini
good "more of them than a design has" import pixels.ini --json
holds '[.assumed[].sentence] | any(. == "sensor_LO: 128 pixels across a subaperture; FieldOfView = 300 is more than a design has")' "is said"
sed 's/^NumberLenslets = .*/NumberLenslets = [40]/; s/^FieldOfView = .*/FieldOfView = 320/' "$two" >pixels.ini
good "those of the whole detector" import pixels.ini --json -o whole.ini
holds '[.assumed[].sentence] | any(. == "sensor_LO: 8 pixels across a subaperture; FieldOfView = 320 is taken for those across the detector")' "are divided"
for key in r0_value r0_Value; do # of the code and of the documentation
    sed "s/^Seeing = .*/$key = 0.12/" "$two" >fried.ini
    run import fried.ini
    is "$status $(grep -c "^r0 = 12 cm ; atmosphere.$key = 0.12" "$out")" "0 1" "$key is read"
done
sed 's/^LoopDelaySteps_HO = .*/LoopDelaySteps_HO = 1/' "$two" >short.ini
good "a delay without time for the RTC" import short.ini --json
holds '.rtc_latency_us == null and ([.not_carried_over[] | select(.line == 61) | .sentence] |
    .[0] | test("the loop has the delay of the design"))' "is said"

finish
