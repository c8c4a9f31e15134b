# TAP for shell tests. A test is a POSIX sh script:
#
#     . "$srcdir/tests/tap.sh"
#     is "$(program)" "expected text" "what holds"
#     succeeds "what holds" command arguments
#     finish
#
# $AOLAG is the program, $srcdir the source tree, $TESTDATA tests/data, $TMPDIR a directory of the
# test's own. Where $COMMA_LOCPATH/de_DE.UTF-8 exists, LOCPATH=$COMMA_LOCPATH LC_ALL=de_DE.UTF-8
# gives a locale with a decimal comma.

: "${TMPDIR:?tests run under tests/isolate, in a directory of their own}"

tap_count=0
tap_failed=0

pass() {
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s\n' "$tap_count" "$1"
}

# fail NAME [DIAGNOSTICS]
fail() {
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    printf 'not ok %d - %s\n' "$tap_count" "$1"
    [ -z "${2-}" ] || printf '%s\n' "$2" | sed 's/^/# /'
}

# skip NAME REASON
skip() {
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# is ACTUAL EXPECTED NAME
is() {
    if [ "$1" = "$2" ]; then
        pass "$3"
    else
        fail "$3" "expected: $2
actual:   $1"
    fi
}

# exits STATUS NAME COMMAND...: the command's exit status is STATUS
exits() {
    tap_expected=$1
    tap_name=$2
    shift 2
    tap_output=$("$@" 2>&1)
    tap_status=$?
    if [ "$tap_status" -eq "$tap_expected" ]; then
        pass "$tap_name"
    else
        fail "$tap_name" "expected exit status $tap_expected, got $tap_status from: $*
$tap_output"
    fi
}

# succeeds NAME COMMAND...
succeeds() {
    exits 0 "$@"
}

# wait_for COMMAND...: waits until the command succeeds; false after more than a minute, which is for what hangs
# (after some seconds once that was in vain)
tap_patience=6000
wait_for() {
    tap_turns=0
    until "$@" >/dev/null 2>&1; do
        if [ "$tap_turns" -ge "$tap_patience" ]; then
            tap_patience=500
            return 1
        fi
        tap_turns=$((tap_turns + 1))
        sleep 0.01
    done
}

# Whether the program has sanitizers, under which few cases of a kind suffice.
sanitized() {
    [ -z "${STARVE-}" ]
}

# plain_only NAME: ends the test of a program with sanitizers there: what follows runs the same code
# with other values, or tests no code
plain_only() {
    sanitized || return 0
    skip "$1" "a build without sanitizers tests the same"
    finish
}

# Prints the plan and ends the test.
finish() {
    printf '1..%d\n' "$tap_count"
    [ "$tap_failed" -eq 0 ] && [ "$tap_count" -gt 0 ]
    exit
}
