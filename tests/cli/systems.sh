# Every AO preset evaluates and holds the model's invariants.
. "$srcdir/tests/cli/lib.sh"

cat >invariants.jq <<'JQ'
def near($a; $b): ($a - $b | fabs) <= 1e-9 * ([$a, $b, 1e-6] | map(fabs) | max);
def least($a; $b): $a >= $b * (1 - 1e-9) - 1e-9;
. as $d |
[
  [.schema == 2, "schema"],
  [(.title | length) > 0, "title"],
  [.latency_us >= 0, "latency"],
  [least(.first_pixel_latency_us; .latency_us), "first pixel before last pixel"],
  [near(.margin_us; .target_latency_us - .latency_us), "margin"],
  [near(.max_frame_rate_hz * .limit.busy_us; 1e6), "max frame rate"],
  [.overloaded == (.limit.busy_us > .frame_period_us * (1 + 1e-12)), "overload"],
  [.bound as $b | .critical_path | any(.component == $b.component and
     (.bound == $b.by or $b.by == "waiting")), "bound"],
  [.components | map(.name) | length == (unique | length), "names of components"],
  [.components | all(.last_end_us >= .first_start_us), "ends after it starts"],
  # pixels without use come later and count in the time alone
  [.components | all((.type | . == "camera" or . == "calibration" or . == "descramble")
     or least(.last_end_us - .first_start_us; .time_us)), "one slot at a time"],
  [.components | all(.slack_us == null or .slack_us >= -1e-9), "slack"],
  [.components | all(.device as $n | $n == null or ($d.devices | any(.name == $n))), "devices"],
  [.components | all(.device == null or least(.time_us; [.compute_us, .memory_us] | max)),
   "roofline"],
  [.components | all(.algorithm != "mvm" or near(.flop; 2 * .rows * .columns)), "matrix FLOP"],
  [.components | all(.algorithm != "mvm" or near(.working_set_bytes; 4 * .rows * .columns)),
   "matrix bytes"],
  [.components | all(.share > 0 and .share <= 1 + 1e-12), "shares"],
  [.devices | all(near(.utilisation; .busy_us / $d.frame_period_us)), "utilisation"],
  [.devices | all(.peak_flops > 0 and .memory_bytes_per_s > 0), "devices compute"],
  [(.dms | length) == (.components | map(select(.type == "dm")) | length), "mirrors"],
  [.dms | all(least(.latency_us; $d.latency_us) or ($d.dms | length) > 1), "mirror after command"],
  [near(.loop.delay_frames; .loop.tau_total_us / .frame_period_us), "delay"],
  [.loop.strehl_lag > 0 and .loop.strehl_lag <= 1, "Strehl"],
  [.loop.max_gain > 0 and .loop.max_gain <= 2, "gain"]
] | map(select(.[0] | not) | .[1]) | join(", ")
JQ

# The words for what limits, a line each.
sed -n '/^.SH LIMITS/,/^.SH OPTIONS/p' "$srcdir/man/aolag-eval.1.in" | sed 's/\\-/-/g' |
    awk -F'  +' '/^.nf/ { on = 1; next } on && NF > 1 { gsub(/, /, "\n", $1); print $1 }' | sort >words

# Prints name and limit of each row of the load on a screen that stands for one node.
cat >load.awk <<'AWK'
/┌ Loop / { exit }
{
    for (i = 1; i <= NF; i++) {
        cells = split($i, cell, /  +/)
        for (c = cells; c > 1 && cell[c] !~ /^<?[0-9.]+$/; c--)
            continue
        if ($i !~ /×|–/ && c > 1 && c < cells && cell[c + 1] ~ /^[A-Za-z]/) {
            name = $i
            sub(/^[^a-z@]*/, "", name)
            sub(/ .*/, "", name)
            print name, cell[c + 1]
        }
    }
}
AWK

for preset in $(systems); do
    run eval "$preset"
    sed -nE 's/^Limited by +[^ ]+: //p' "$out" >phrases
    run seek scenario.frame_rate "$preset" --until 'load<=1'
    sed -nE 's/.*  [^ ]+: //p' "$out" >>phrases
    run eval "$preset" --json
    is "$status: $(jq -rf invariants.jq "$out" 2>&1) $(cat "$err")" "0:  " "$preset"
    jq -r '.components[] | .name + " " + .limit' "$out" >limits
    is "$("$AOLAG" plot components "$preset" --text | awk -F'  +' 'NR > 3 { print $1, $NF }')" "$(cat limits)" \
        "$preset: the table has the limits of eval"
    echo screen | LC_ALL=C.UTF-8 "$AOLAG" screen "$preset" --size 300x80 --keys - | awk -F'│+' -f load.awk >load
    is "$(grep -c . load | sed 's/[1-9][0-9]*/rows/') $(sed 's/^@/recon@/' load | grep -vxFf limits)" "rows " \
        "$preset: and so has the screen"
    sed -E 's/^(kernel|busy-poll|bypass) //; s/,.*//; s/( bandwidth| latency| link| delay| of kernels)?( of| on| for) .*//
        s/ (bandwidth|latency|link|delay)$//' phrases >>limits.words
    cut -d ' ' -f 2- limits >>limits.words
done
run advise mavis
tr -s '\n ' ' ' <"$out" | grep -oE 'limited by [^ ]+: [^:;]*' |
    sed -E 's/.*: //; s/( bandwidth| latency| link| delay| of kernels)?( of| on| for) .*//' >>limits.words
is "$(sort -u limits.words | comm -23 - words)" "" "limits are named by the words of aolag-eval(1)"
[ "$tap_count" -ge $((24 / ${SYSTEMS_EVERY:-1})) ] || fail "at least 24 systems"

finish
