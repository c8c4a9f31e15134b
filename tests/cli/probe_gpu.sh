# aolag probe gpu: the report of points of a GPU that does not exist, drivers that fail, and a device
# of Debian's pocl, where it is installed.
. "$srcdir/tests/cli/lib.sh"

XDG_STATE_HOME=$TMPDIR/state
XDG_CONFIG_HOME=$TMPDIR/config
XDG_CACHE_HOME=$TMPDIR/cache
POCL_CACHE_DIR=$TMPDIR/cache/pocl
export XDG_STATE_HOME XDG_CONFIG_HOME XDG_CACHE_HOME POCL_CACHE_DIR
mkdir -p "$POCL_CACHE_DIR"
kept=$XDG_STATE_HOME/aolag/machine.csv
points=$TESTDATA/gpu.csv

good "the report" probe --from "$points"
row() {
    if tr -s ' ' <"$out" | sed 's/^ //' | grep -qxF "$*"; then
        pass "$*"
    else
        fail "$*" "$(cat "$out")"
    fi
}
row "Device A GPU of the tests"
row "Launch to finished, less boundary 8.00 µs"
row "Multiply-adds (fp32), measured 2.40 TFLOP/s"
row "64 KiB 16.4 16.4 16.4 - -"
row "64 MiB 500 400 450 23.9 20.0"
row "reconstruction.mvm raven 28.6 MiB 60.0"
fits "the report"
good "one part" probe gpu --from "$points" --json
holds '.derived.gpu | .compute_units == 10 and .units == 1280 and (.sustained_clock_hz / 1e9 * 1.2 - 1 | fabs) < 1e-9 and .clock_hz == 1e9 and
    (.launch_us - 8 | fabs) < 1e-9 and .boundary_us == 2 and .enqueue_us == 1 and
    (.read_bytes_per_s / 5e11 - 1 | fabs) < 1e-9 and (.write_bytes_per_s / 4e11 - 1 | fabs) < 1e-9 and
    (.copy_bytes_per_s / 4.5e11 - 1 | fabs) < 1e-9 and
    (.cache_read_bytes_per_s / 2e12 - 1 | fabs) < 1e-9 and .latency_ns == 500 and
    .cache_latency_ns == 200 and .copy_latency_us == 7 and
    (.to_device_bytes_per_s / 24e9 - 1 | fabs) < 1e-9 and
    (.to_host_bytes_per_s / 20e9 - 1 | fabs) < 1e-9 and .host_memory == false' "its figures"
page=$(dirname "$AOLAG")/man/aolag-probe.1
[ ! -e "$page" ] || is "$(jq -r '.derived.gpu | keys[]' "$out" | while read -r key; do
    sed -n '/^\.SS derived.gpu/,$p' "$page" | grep -q "^$key	" || echo "$key"
done)" "" "the manual has these keys"
good "a CPU" probe memory --from "$TESTDATA/state/aolag/machine.csv" --json
holds '.derived.gpu == null' "has none"

run probe --from "$points" --save tested
is "$status $(tail -n 1 "$err")" "0 to use it: aolag eval --set device.gpu0.preset=tested" "saved"
preset=$XDG_CONFIG_HOME/aolag/presets/tested.ini
for line in "kind = gpu" "units = 1280" "sustained_compute = 0.9375" "clock = 1000 MHz" \
    "sustained_clock = 833.3 MHz" "origin.sustained_clock = measured" \
    "bus_bits = 256 bit" "transfers_per_clock = 2" "memory_clock = 7813 MHz" "l2 = 4096 KiB" \
    "l2_bandwidth = 2000 GB/s" "l2_latency = 200 ns" "memory_latency = 500 ns" "memory_size = 16 GB" \
    "dispatch = stream" "launch = 8 us" "boundary = 2 us" "enqueue = 1 us" "host_link = pcie" \
    "pcie_gen = 4" "pcie_lanes = 16" "copy_latency = 7 us" "origin.launch = measured"; do
    succeeds "$line" grep -qxF "$line" "$preset"
done
good "a design with it" eval micado-scao --set device.gpu0.preset=tested --json
holds '.latency_us > 0' "has a latency"
bad 1 "tested is a GPU; the kernels run on this machine's cores without --gpu" "its kernels" \
    validate --kernels --preset tested
bad 1 "amd-epyc-9654 is no GPU" "no GPU" validate --kernels --gpu --preset amd-epyc-9654
bad 2 "--gpu needs --kernels" "alone" validate --published --gpu

# A real one, an H200: what aolag assumes of it, and what its products of AO systems take.
good "an H200" probe gpu --from "$TESTDATA/h200.csv" --json
holds '.derived.gpu | .units == 16896 and .read_bytes_per_s > 4.5e12 and
    .cache_read_bytes_per_s > 8e12 and .latency_ns > 300 and .cache_latency_ns < 200 and
    .graph_boundary_us < .boundary_us and .resident_launch_us < .graph_launch_us' "its figures"
good "its kernels" validate --kernels --gpu --from "$TESTDATA/h200.csv" --preset nvidia-h200-sxm --json
holds '(.summary.kernels[] | select(.kernel == "reconstruction.mvm") |
        .count > 15 and .median_error_percent < 15 and .percentile_90_error_percent < 35) and
    ([.rows[] | select(.kernel == "reconstruction.mvm" and .rows > 400 and .columns < 8000 and .ratio != null) | .ratio] |
        min > 0.6 and max < 1.6)' "are predicted, those of few rows in the L2 too"
holds '[.rows[] | select(.ratio == null and .bound == "enqueuing")] | length > 20' \
    "those as fast as the host are not counted"
bad 2 "--from needs --kernels" "points alone" validate --published --from "$TESTDATA/h200.csv"
bad 1 "No such file" "no points" validate --kernels --from nowhere.csv
bad 1 "the points are those of a GPU; --gpu is missing" "without --gpu" validate --kernels --from "$TESTDATA/h200.csv"
bad 1 "it has no kernels of a CPU" "a file without kernels" validate --kernels --preset amd-epyc-9654 --from "$TESTDATA/h200.csv"

# Drivers that fail. What the sentence is preceded by says which part begins.
fake=$(dirname "$AOLAG")/tests/fake
# fails_with TEXT NAME WORDS...: status 1, one sentence, nothing on standard output
fails_with() {
    text=$1 name=$2
    shift 2
    run "$@"
    if [ "$status" -eq 1 ] && [ ! -s "$out" ] && [ "$(grep -vc '^gpu: .* about' "$err")" = 1 ] &&
        grep -qF "aolag: gpu: $text" "$err" && ! LC_ALL=C grep -q '[^ -~]' "$err"; then
        pass "$name"
    else
        fail "$name" "$(shown)"
    fi
}
if [ -e "$fake/libOpenCL.so.1" ]; then
    mkdir nothing
    : >nothing/libOpenCL.so.1
    LD_LIBRARY_PATH=nothing fails_with "no GPU: the OpenCL loader libOpenCL.so.1" "no library" \
        probe gpu --quick
    LD_LIBRARY_PATH=$fake
    export LD_LIBRARY_PATH
    FAKE_OPENCL=none fails_with "no GPU: libOpenCL.so.1 knows no OpenCL driver" "no driver" \
        probe gpu --quick
    FAKE_OPENCL=none fails_with "no GPU: libOpenCL.so.1 knows no OpenCL driver" "to compare with" \
        validate --kernels --gpu
    FAKE_OPENCL=empty fails_with "no GPU: no OpenCL driver has a device" "no device" \
        probe gpu --save mine
    succeeds "saves nothing" test ! -e "$XDG_CONFIG_HOME/aolag/presets/mine.ini"
    FAKE_OPENCL=crash fails_with "the GPU's driver crashed: Segmentation fault" "a crash" \
        probe gpu --quick
    FAKE_OPENCL=exit fails_with "the GPU's driver ended the measuring process with status 3" \
        "an end" probe gpu --quick
    FAKE_OPENCL=build fails_with "the OpenCL driver failed in clBuildProgram with error -11; a ?[1mcompiler" \
        "a compiler" probe gpu --quick
    FAKE_OPENCL=none run probe gpu --quick --json
    holds '.parts[0].error | startswith("no GPU")' "as JSON"
    succeeds "nothing is kept" test ! -e "$kept"

    if env --default-signal=INT true 2>/dev/null; then
        rm -f "$err"
        FAKE_OPENCL=hang env --default-signal=INT "$AOLAG" probe gpu --quick >"$out" 2>"$err" &
        probe=$!
        wait_for grep -q '^gpu: ' "$err"
        kill -INT "$probe"
        wait "$probe"
        is $? 130 "a driver that hangs is stopped"
        is "$(tail -n 1 "$err")" "aolag: stopped by a signal; 0 of 1 parts are complete" "and it says so"
    else
        skip "a driver that hangs" "env cannot set signals"
    fi

    # Texts of a device, and results, are those of a stranger.
    FAKE_OPENCL=wrong run probe gpu --quick --largest 64KiB --csv --save hostile
    is "$status" 1 "a wrong result"
    has "gpu,launch," "the points before it stay"
    has "gpu,copy," "those of reads, of buffers that were written before, too"
    is "$(LC_ALL=C grep -c '[^ -~]' "$out")" 0 "with the name in printable text"
    has '# gpu: A ?[31mGPU?, "=1+1"??# seed: 7 ???;<b>' "in one line"
    has '# seed: 1' "which changes no other"
    succeeds "is said" grep -q 'the OpenCL driver computes a wrong [a-z]*: 0 instead of' "$err"
    good "the preset is read" eval micado-scao --set device.gpu0.preset=hostile
    unset LD_LIBRARY_PATH
else
    skip "drivers" "there is no library"
fi
rm -rf "$XDG_STATE_HOME"

# A driver of NVIDIA's GPUs, alone and with the library of OpenCL.
if [ -e "$fake/cuda/libcuda.so.1" ]; then
    LD_LIBRARY_PATH=$fake/cuda
    OCL_ICD_VENDORS=$TMPDIR/none
    export LD_LIBRARY_PATH OCL_ICD_VENDORS
    mkdir -p "$OCL_ICD_VENDORS"
    run probe gpu --quick --largest 64KiB --csv
    is "$status" 0 "CUDA alone"
    for point in launch,stream launch,graph kernel,stream kernel,graph enqueue,stream enqueue,graph \
        boundary,stream boundary,graph flag, barrier, to-device,pinned to-host,pinned \
        to-device,mapped to-host,mapped; do
        succeeds "$point" grep -q "^gpu,$point," "$out"
    done
    has '# gpu: An NVIDIA GPU of the tests'
    has '# gpu_driver: NVIDIA, CUDA 12.8 without OpenCL'
    has '# gpu_figures: 100 compute units, 1500 MHz, 17179869184 B of memory, 41943040 B of cache, memory of its own'
    is "$(awk -F, '/^gpu/ && $5 > 32768' "$out")" "" "no more memory than allowed, on both sides"
    is "$(awk -F, '/^gpu,boundary,graph,/ { for (i = 20; i <= NF; i++) { n = split($i, t, " ")
        for (k = 1; k <= n; k++) if (k == 1 || t[k] < least) least = t[k] } print (least < 0.2e-3) }' "$out")" 1 \
        "a graph is timed once it is on the device"
    FAKE_CUDA=old run probe gpu --quick --largest 64KiB --csv
    is "$status $(grep -c '^gpu,barrier,' "$out")" "0 0" "a device without barriers of all blocks"
    FAKE_CUDA=none fails_with "no GPU: libOpenCL.so.1 knows no OpenCL driver" "no device of CUDA" \
        probe gpu --quick
    FAKE_CUDA=init fails_with "no GPU: libOpenCL.so.1 knows no OpenCL driver" "no driver of CUDA" \
        probe gpu --quick
    FAKE_CUDA=text fails_with "the CUDA driver failed in cuModuleLoadData: CUDA_ERROR_INVALID_PTX?[31m" \
        "a compiler of CUDA" probe gpu --quick
    FAKE_CUDA=barrier run probe gpu --quick --largest 64KiB --csv
    is "$status" 1 "a wrong barrier"
    succeeds "is said" grep -q 'the CUDA driver computes a wrong barrier: [0-9]* blocks met instead of' "$err"
    FAKE_CUDA=copy run probe gpu --quick --largest 64KiB --csv
    is "$status" 1 "a wrong copy"
    succeeds "is said" grep -q 'the CUDA driver computes a wrong copy (pinned): word 8191 of 8192' "$err"
    LD_LIBRARY_PATH=$fake:$fake/cuda
    printf 'A \033[31mGPU\a, "=1+1"\r\n# seed: 7 \302\233\377;<b>' >name
    FAKE_CUDA_NAME=$(cat name) FAKE_OPENCL=wrong run probe gpu --quick --largest 64KiB --csv
    succeeds "both: the points of CUDA" grep -q '^gpu,launch,graph,' "$out"
    succeeds "and of OpenCL" grep -q '^gpu,launch,,' "$out"
    has '41943040 B of cache' "the cache is that of CUDA"
    FAKE_CUDA_NAME=$(cat name) FAKE_CUDA=text run probe gpu --quick --largest 64KiB --csv
    succeeds "CUDA's failure does not prevent OpenCL's points" grep -q '^gpu,read,' "$out"
    FAKE_CUDA_NAME=$(cat name) FAKE_OPENCL=build run probe gpu --quick --largest 64KiB --csv
    is "$status" 1 "OpenCL's failure"
    succeeds "does not prevent CUDA's points" grep -q '^gpu,to-host,mapped,' "$out"
    FAKE_OPENCL=wrong run probe gpu --quick --largest 64KiB --csv
    is "$(grep -c '^gpu,launch,graph,' "$out")" 0 "another device than OpenCL's"
    unset LD_LIBRARY_PATH OCL_ICD_VENDORS
else
    skip "CUDA" "there is no library"
fi
rm -rf "$XDG_STATE_HOME"

# The figures of points of CUDA, and the presets of the ways to start work.
{
    cat "$points"
    for way in stream,4e-06,1e-06,2.5e-06 graph,6e-06,1.5e-06,3e-06; do
        IFS=, read -r type launch boundary enqueue <<END
$way
END
        echo "gpu,launch,$type,,,,,,,,,,,,,,,,s,$launch"
        echo "gpu,boundary,$type,,,,,,,,,,,,,,,,s,$boundary"
        echo "gpu,enqueue,$type,,,,,,,,,,,,,,,,s,$enqueue"
    done
    echo "gpu,flag,,,,,,,,,,,,,,,,,s,1.1e-06"
    echo "gpu,barrier,,,,,,,,,,,,,,,,,s,9e-07"
    for copy in to-device,pinned,64,3e-06 to-device,pinned,67108864,0.0026873546 to-host,pinned,64,5e-06 \
        to-host,pinned,67108864,0.0026893546 to-device,mapped,64,4e-06 to-device,mapped,67108864,0.0067148863 \
        to-host,mapped,64,4e-06 to-host,mapped,67108864,0.0033594431; do
        IFS=, read -r name type size time <<END
$copy
END
        echo "gpu,$name,$type,,$size,,,,,,,,,,,,,,s,$time"
    done
} >cuda.csv
good "points of CUDA" probe --from cuda.csv
row "Launch to finished, less boundary 3.00 µs"
row "Between kernels 1.00 µs"
row "Graph: launch, less boundary 4.50 µs"
row "Graph: between kernels 1.50 µs"
row "Graph: call of the host 3.00 µs"
row "Resident kernel: question, answer 1.10 µs"
row "Resident kernel: barrier 900 ns"
row "Smallest copy, host and device 4.00 µs"
row "Copies to the device 25.0 GB/s"
row "Mapped copies to the device 10.0 GB/s"
row "64 MiB 500 400 450 25.0 25.0 9.99 20.0"
fits "the report with CUDA"
good "as JSON" probe gpu --from cuda.csv --json
holds '.derived.gpu | (.launch_us - 3 | fabs) < 1e-9 and (.graph_launch_us - 4.5 | fabs) < 1e-9 and
    (.resident_launch_us - 1.1 | fabs) < 1e-9 and (.resident_boundary_us - 0.9 | fabs) < 1e-9 and
    (.copy_latency_us - 4 | fabs) < 1e-9 and
    (.mapped_to_host_bytes_per_s / 2e10 - 1 | fabs) < 1e-4' "its figures"
# dispatch WAY LINES...: the preset of a way has these lines
dispatch() {
    way=$1
    shift
    run probe --from cuda.csv --save "tested-$way" --dispatch "$way"
    is "$status" 0 "saved as $way"
    for line in "dispatch = $way" "$@"; do
        succeeds "$line" grep -qxF "$line" "$XDG_CONFIG_HOME/aolag/presets/tested-$way.ini"
    done
    good "a design with $way" eval micado-scao --set "device.gpu0.preset=tested-$way" --json
}
dispatch stream "; kernels in a stream of CUDA" "launch = 3 us" "boundary = 1 us" "enqueue = 2.5 us"
dispatch graph "; a graph of kernels, replayed" "launch = 4.5 us" "boundary = 1.5 us" "enqueue = 3 us"
dispatch persistent "launch = 1.1 us" "boundary = 0.9 us" "copy_latency = 4 us"
run probe --from "$points" --save tested --dispatch graph
is "$status $(tail -n 1 "$err")" "1 aolag: not saved: dispatch graph was not measured: it needs the GPU of an NVIDIA driver" \
    "no graph"
bad 2 'unknown dispatch "grap"' "a dispatch that is none" probe --from cuda.csv --save x --dispatch grap
bad 2 "--dispatch needs --save" "no preset" probe --from cuda.csv --dispatch graph

# Debian's pocl, a device on this processor, which it looks for in /sys: without, it aborts.
vendor=/etc/OpenCL/vendors/pocl.icd
if ! [ -e /sys/devices/system/cpu ]; then
    skip "pocl" "it needs /sys"
elif [ -e "$vendor" ]; then
    OCL_ICD_VENDORS=$vendor
    export OCL_ICD_VENDORS
    run probe gpu --quick --largest 256KiB --csv
    if grep -q "no GPU" "$err"; then
        skip "pocl" "$(tail -n 1 "$err")"
    else
        is "$status" 0 "measured"
        for name in launch kernel enqueue boundary fma read write copy chase to-device to-host \
            centroid.cog reconstruction.mvm; do
            succeeds "$name" grep -q "^gpu,$name," "$out"
        done
        is "$(grep -v '^#' "$out" | awk -F, 'NR > 1 && NF != 23')" "" "every field in its place"
        is "$(awk -F, '/^gpu/ && $5 > 262144' "$out")" "" "no more than allowed"
        is "$(grep -v '^#' "$kept")" "$(grep -v '^#' "$out")" "is kept"
        good "the chart" plot machine gpu
        has "GPU: bandwidth" "has its title"
        run probe gpu --from "$kept" --save pocl
        is "$status" 0 "saved"
        good "a design with it" eval micado-scao --set device.gpu0.preset=pocl
        run validate --kernels --gpu --preset pocl --json
        is "$status" 0 "compared"
        holds '.preset == "pocl" and (.rows | length) > 5 and
            (.rows | all(.cores == null and .measured_us > 0 and .predicted_us > 0)) and
            .summary.count == ([.rows[] | select(.ratio != null)] | length)' "with predictions"
    fi
else
    skip "pocl" "pocl-opencl-icd is not installed"
fi

finish
