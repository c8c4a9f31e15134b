# Tests of the program from the shell, on top of tests/tap.sh:
#
#     . "$srcdir/tests/cli/lib.sh"
#     run eval --json            $status, $out and $err (files) are those of aolag eval --json
#     good "NAME" WORDS...       status 0, nothing on standard error, something on standard output
#     bad STATUS "TEXT" "NAME" WORDS...
#                                that status, TEXT on standard error, nothing on standard output
#     holds 'FILTER' "NAME"      the jq filter is true of the last standard output
#     has 'TEXT' "NAME"          the last standard output has the text
#     fits "NAME"                its lines have at most 80 columns and no blanks at their ends
#     systems                    prints the AO presets; under sanitizers some of them
#     some_systems               prints a third of these, another one in other scripts
#     counted STEP READING SIGNAL WORDS...
#                                as run, with a clock that goes on by STEP s at each reading, and with a
#                                signal to the program at one reading: so that nothing hangs on speed
#     on_terminal STEP READING SIGNAL WORDS...
#                                likewise, and what a terminal displays is in the file shown
. "$srcdir/tests/tap.sh"

out=$TMPDIR/out
err=$TMPDIR/err
# may be relative to where the test started
srcdir=$(cd "$srcdir" && pwd) || exit 99
cd "$TMPDIR" || exit 99

run() {
    "$AOLAG" "$@" >"$out" 2>"$err"
    status=$?
}

systems() {
    "$AOLAG" presets list ao --json | jq -r '.presets[].name' |
        awk -v every="${SYSTEMS_EVERY:-1}" 'NR % every == 0'
}

some_systems() {
    systems | awk -v turn="${#0}" 'NR % 3 == turn % 3'
}

shown() {
    printf 'status %s\nstandard output:\n%s\nstandard error:\n%s\n' "$status" \
        "$(head -c 2000 "$out")" "$(head -c 2000 "$err")"
}

good() {
    name=$1
    shift
    run "$@"
    if [ "$status" -eq 0 ] && [ ! -s "$err" ] && [ -s "$out" ]; then
        pass "$name"
    else
        fail "$name" "aolag $*
$(shown)"
    fi
}

bad() {
    expected=$1 text=$2 name=$3
    shift 3
    run "$@"
    if [ "$status" -eq "$expected" ] && [ ! -s "$out" ] && grep -qF -e "$text" "$err"; then
        pass "$name"
    else
        fail "$name" "expected status $expected and \"$text\" from: aolag $*
$(shown)"
    fi
}

holds() {
    if jq -e "$1" "$out" >"$TMPDIR/jq" 2>&1; then
        pass "$2"
    else
        fail "$2" "does not hold: $1
$(head -c 2000 "$TMPDIR/jq")"
    fi
}

has() {
    if grep -qF -e "$1" "$out"; then
        pass "$2"
    else
        fail "$2" "not in the output: $1
$(shown)"
    fi
}

lacks() {
    if grep -qF -e "$1" "$out"; then
        fail "$2" "in the output: $1
$(shown)"
    else
        pass "$2"
    fi
}

fits() {
    wide=$(LC_ALL=C awk '{ bare = $0; gsub(/[\200-\277]/, "", bare) }
                         length(bare) > 80 || bare ~ / $/' "$out")
    is "$wide" "" "$1 fits 80 columns"
}

clock=${AOLAG%/*}/tests/fake/clock.so # tests/fake_clock.h

counted() {
    counted="CLOCK_STEP=$1 CLOCK_AT=$2 CLOCK_SIGNAL=$3"
    shift 3
    # in the background, where a shell does not mention the signal, but has SIGINT ignored
    # shellcheck disable=SC2086
    env --default-signal=INT LD_PRELOAD="$clock" $counted "$AOLAG" "$@" >"$out" 2>"$err" &
    wait $! 2>/dev/null
    status=$?
}

on_terminal() {
    counted="CLOCK_STEP=$1 CLOCK_AT=$2 CLOCK_SIGNAL=$3"
    shift 3
    printf 'exec env LD_PRELOAD="%s" %s "%s" %s >"%s"\n' "$clock" "$counted" "$AOLAG" "$*" "$out" >on_terminal.sh
    script -qefc "sh on_terminal.sh" shown >"$err" 2>&1
    status=$?
}

# A small scenario in a file.
bench_scenario() {
    cat <<'INI'
[scenario]
format = 1
title = a small bench
frame_rate = 1 kHz
packets = 20

[ao]
actuators = 140

[wfs.ngs]
subaps_across = 12

[device.rtc]
preset = amd-ryzen-7950x

[component.camera]
type = camera
readout = 400 us

[component.calibration]
type = calibration

[component.slopes]
type = centroid

[component.recon]
type = reconstruction

[component.control]
type = control

[component.dm]
type = dm
INI
}
