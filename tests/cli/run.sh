# aolag run: a few frames of a design on this machine, in every format; what is refused. No time is compared
# with any other.
. "$srcdir/tests/cli/lib.sh"

cp "$TESTDATA/run.ini" small.ini

good "as text" run small.ini --frames 20 --set device.rtc.ingress=ideal
has "Small, run on this machine" "the title"
has "20 in " "all frames"
has "not measured: aolag probe all does that" "what the machine is predicted as"
fits "the report"
good "wider" run small.ini --frames 20 --width 120
is "$(grep "$(printf '^.\\{90,120\\}#$')" "$out" | head -n 1 | wc -l)" 1 "bars to the end of the line"
good "as JSON" run small.ini --frames 20 --json
holds '.schema == 1 and .title == "Small" and .frames + .incomplete == 20 and .stopped == false' "the frames"
holds '[.measured[].result] == ["latency", "component.calibration.busy", "component.slopes.busy",
    "component.recon.busy", "component.control.busy"]' "a row for the latency and for each component"
holds '.measured | all(.p50_us > 0 and .p50_us <= .p90_us and .p90_us <= .p99_us and .p99_us <= .p999_us)' \
    "quantiles in order"
holds '.measured | all(.low_us < .predicted_us and .predicted_us < .high_us)' "predicted in its range"
holds '.measured | all(.inside == (.low_us <= .p50_us and .p50_us <= .high_us))' "where the median is"
holds '([.histogram[].frames] | add) == .frames' "each frame is in the histogram"
slow='(.overhead_us > ([0.5, 0.02 * .measured[0].p50_us] | max))'
told='(.conditions | any(test("^reading clocks takes long here: [0-9]+ % of the latency$")))'
holds ".overhead_us > 0 and $slow == $told" "what measuring itself takes is said where it is much"
good "to a file beside" run small.ini --frames 20 --output kept.json
has "Small, run on this machine" "the text"
run calibrate small.ini --run kept.json
is "$(grep -c '"measured": \[' kept.json) $(grep -c 'kept.json: no "measured"' "$err")" "1 0" "what calibrate reads"
good "as CSV" run small.ini --frames 20 --csv
is "$(wc -l <"$out")" 6 "a header and a row for each"
good "as Markdown" run small.ini --frames 20 --markdown
has "# Small, run on this machine" "with a title"
has "## Measured and predicted" "and sections"

good "in shared memory" run small.ini --frames 20 --json --set device.rtc.ingress=ideal --set device.rtc.egress=ideal
holds '.frames == 20 and .datagrams_lost == 0 and .commands_lost == 0' "nothing is lost there"
LD_PRELOAD=$clock CLOCK_RATE=1.1 run run small.ini --frames 20 --json
is "$status" 0 "with a clock that does not tell the time"
holds '.frames + .incomplete == 20' "sleeps are as long as what is left"
holds '.histogram | all(.from_us > 0)' "and no time is that of another clock"
LD_PRELOAD=$clock CLOCK_RATE=30 run run small.ini --frames 20 --json
holds "$slow and $told" "a clock that takes long to read is told"
good "as another device" run small.ini --frames 20 --json --as raspberry-pi-5
holds '.machine == "raspberry-pi-5"' "which is named"
good "seconds" run small.ini --seconds 1 --json
holds '.frames + .incomplete == 200 or (.conditions | any(test("its time was over")))' "as many frames as there are in these"
good "what is not as stated" run small.ini --frames 20 --json --set device.rtc.ingress=bypass --set device.rtc.cores=1000
holds '.conditions | any(test("^ingress: the kernel in place of bypass$")) and any(test("of the design.s 1000 cores"))' \
    "has a sentence"

good "processes" run small.ini --frames 20 --json --set device.rtc.dispatch=process
holds '.conditions | any(test("^the software of a process, 9.90 .s for each component, is predicted, but run has none: --set device.rtc.software=0 "))' \
    "have none of the software that is predicted"
good "without it" run small.ini --frames 20 --json --set device.rtc.dispatch=process --set device.rtc.software=0
holds '.conditions | any(test("software")) | not' "nothing is said"

LD_PRELOAD=$clock CLOCK_RATE=30 run run small.ini --frames 20 --peer 127.0.0.1:9
is "$status" 1 "another machine that is not there"
is "$(grep -c "no frame passed for 30 s; .*, and whether --outside runs the same design on the other" "$err")" 1 "ends it soon"

# Less than there could be.
if [ "$(id -u)" -eq 0 ] && setpriv --bounding-set=-sys_nice true 2>/dev/null; then
    setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice "$AOLAG" run small.ini --frames 20 --json \
        --set device.rtc.os=realtime >"$out" 2>"$err"
    is $? 0 "without the right to priority"
    holds '.frames + .incomplete == 20 and
        (.conditions | any(test("^no real-time priority: the system does not permit it to this user$")))' "it is said"
else
    skip "without the right to priority" "it cannot be taken away"
fi
if command -v taskset >/dev/null; then
    core=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
    for dispatch in spin wake; do
        taskset -c "$core" "$AOLAG" run small.ini --frames 20 --json --set device.rtc.os=realtime \
            --set device.rtc.dispatch=$dispatch >"$out" 2>"$err"
        is $? 0 "$dispatch on one core"
        holds '.frames + .incomplete == 20 and
            (.conditions | any(test("^the camera has no core of its own and sleeps between packets$")))' "it is said"
    done
else
    skip "one core" "there is no taskset"
fi

sed 's/^\[component.recon\]/[device.gpu0]\npreset = nvidia-a10\n&\ndevice = gpu0/' small.ini >gpu.ini
# Debian's pocl, a device on this processor, which it looks for in /sys: without, it aborts.
vendor=/etc/OpenCL/vendors/pocl.icd
if ! [ -e /sys/devices/system/cpu ]; then
    skip "a reconstruction on a GPU" "pocl needs /sys"
elif [ -e "$vendor" ]; then
    POCL_CACHE_DIR=$TMPDIR/pocl
    export POCL_CACHE_DIR
    mkdir "$POCL_CACHE_DIR"
    OCL_ICD_VENDORS=$vendor run run gpu.ini --frames 20 --json
    if grep -q "no GPU" "$err"; then
        skip "a reconstruction on a GPU" "$(cat "$err")"
    else
        is "$status" 0 "a reconstruction on a GPU"
        holds '.frames + .incomplete == 20 and (.conditions | any(test("^the GPU is .*, by OpenCL")))' \
            "is run by OpenCL"
    fi
else
    skip "a reconstruction on a GPU" "pocl-opencl-icd is not installed"
fi
OCL_ICD_VENDORS=$TMPDIR/none run run gpu.ini --frames 20
is "$status $(wc -l <"$err")" "1 1" "a GPU that is not there"
is "$(grep -c "no frame was measured: no GPU: .*; state --set component.recon.device=rtc to run it on the host" "$err")" 1 \
    "has a sentence that says what to state"

refuses() {
    name=$1 text=$2
    shift 2
    case $* in
    *gpu.ini*) ;;
    *) set -- -f small.ini "$@" ;;
    esac
    bad 1 "$text" "$name" run --frames 20 "$@"
}
refuses "an algorithm" "component.recon.algorithm: there is no code for fourier; run has code for mvm" \
    --set component.recon.algorithm=fourier
refuses "a type" "component.slopes.type: there is no code for a custom; run has code for camera, calibration" \
    --set component.slopes.type=custom
refuses "a precision" "component.recon.precision: run has code for fp32" --set component.recon.precision=fp16
refuses "shifts" "component.slopes.search: run has code for 3 px to 8 px" \
    --set component.slopes.algorithm=correlation --set component.slopes.search=9
refuses "large subapertures" "wfs.ngs.pixels_per_subap: run has code for brightest of at most 64 px" \
    --set wfs.ngs.pixels_per_subap=80 --set component.slopes.algorithm=brightest
refuses "an interpreter" "device.rtc.framework: run is compiled code" --set device.rtc.framework=interpreter
refuses "fluid sharing" "scenario.sharing: fluid has no threads" --set scenario.sharing=fluid
refuses "another rate" "wfs.ngs.rate_divisor: run has one rate for all sensors; allowed: 1" \
    --set wfs.ngs.rate_divisor=2
if [ -e /proc/meminfo ]; then
    refuses "more memory than there is" "the data of the design take " --set component.recon.rows=1000000 \
        --set component.recon.columns=1000000
else
    skip "more memory than there is" "there is no /proc/meminfo"
fi
refuses "more cores than there are" "stated workers use all its cores" --set component.recon.workers=1000
refuses "a device that is no CPU" "--as nvidia-a100-40gb-pcie: a host is a CPU" --as nvidia-a100-40gb-pcie
refuses "an unknown device" "--as: there is no cpu, gpu or fpga preset" --as nothing
refuses "slopes on a GPU" "component.slopes.device: run has code for a reconstruction on a GPU, mvm" \
    -f gpu.ini --set component.slopes.device=gpu0
bad 1 "state --set device.rtc.preset= --set device.rtc.kind=cpu to run them on this machine" "an FPGA" run saxo
good "as a CPU" run saxo --frames 5 --json --set device.rtc.preset= --set device.rtc.kind=cpu
holds '.frames + .incomplete == 5 and .machine != null' "runs, as this machine"
bad 2 "--seconds 86400 are 17280000 frames; allowed: up to 200000 frames" "too many" run small.ini --seconds 86400
bad 2 "--frames and --seconds exclude each other" "both" run small.ini --seconds 2 --frames 5

# A signal, at whatever moment: tests/test_run.c has what is kept
own=run$$.ini # a name that no other test has
cp small.ini "$own"
processes() { cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' | grep -o "[r]un $own --json" | wc -l; }
all_run() { [ "$(processes)" -ge 3 ]; }
# interrupted SIGNAL STATUS [COMMAND]: COMMAND runs the program
interrupted() {
    signal=$1 number=$2
    shift 2
    "$@" "$AOLAG" run "$own" --json --seconds 900 >"$out" 2>"$err" &
    pid=$!
    wait_for all_run || fail "all processes run" "$(processes) of 3: $(cat "$err")"
    kill -"$signal" "$pid"
    wait "$pid"
    is "$? $(processes)" "$number 0" "SIG$signal is the status, and no process stays"
}
interrupted TERM 143 env
# background processes of this shell ignore it
if env --default-signal=INT true 2>/dev/null; then
    interrupted INT 130 env --default-signal=INT
else
    skip "SIGINT" "env cannot set signals"
fi

finish
