# aolag probe dispatch: a quick run is whole and becomes a preset that changes a design; the other end of
# datagrams; what is not permitted, not there, or interrupted. Figures depend on the machine, their form not.
. "$srcdir/tests/cli/lib.sh"

XDG_STATE_HOME=$TMPDIR/state
XDG_CONFIG_HOME=$TMPDIR/config
export XDG_STATE_HOME XDG_CONFIG_HOME

if ! command -v jq >/dev/null; then
    skip "dispatch" "there is no jq"
    finish
fi

run probe dispatch --quick --csv --save here
is "$status $(tail -n 1 "$err")" "0 to use it: aolag eval --set device.rtc.preset=here" "a quick run"
mv "$out" points.csv
good "is read back" probe dispatch --from points.csv --json
holds '[.conditions[("isolation", "sleep_states", "realtime")]] | all(. != null)' "conditions"
holds '.conditions.link == "loopback"' "the loopback"
holds '.points | all((.samples_ns | all(. > 0 and . < 1e12)) and
    ((.samples_ns | length) > 0 or (.remark | startswith("n/a: "))))' "every sample is a time"
holds '.derived.dispatch | [.[("wake_launch_us", "ingress_latency_us", "datagram_time_us", "egress_latency_us",
    "sleep_latency_us")]] | all(type == "number" and . >= 0 and . < 1e9)' "every figure is a time"
good "as text" probe dispatch --from points.csv
fits "in 80 columns"
good "a picture" plot machine dispatch
has "thread, asleep 20 ms" "of delays"

# A preset of known points: what it states counts.
awk -f "$TESTDATA/machine.awk" >known.csv
run probe --from known.csv --save known
is "$status" 0 "a preset"
is "$(sed -n 's/^\(dispatch\|launch\|boundary\|handover\|os\|sleep_latency\|ingress_latency\|datagram_time\|egress_latency\) = //p' \
    "$XDG_CONFIG_HOME/aolag/presets/known.ini" | tr '\n' ',')" \
    "spin,0.306 us,0.5 us,stock,102 us,2.244 us,0.816 us,1.187 us," "of what was measured"
good "its text" probe dispatch --from known.csv
has "ingress, card polled, 1472 B and 3 more: n/a: no queue" "says what was not measured"
latency() { # WORDS...: of a design on it, us, whose frames leave time to sleep
    "$AOLAG" eval saxo --set scenario.frame_rate=200Hz --set device.rtc.preset=known --json "$@" | jq .latency_us
}
before=$(latency)
for change in launch=50us ingress_latency=50us datagram_time=50us egress_latency=50us sleep_latency=500us; do
    is "$(latency --set "device.rtc.$change" | jq ". > $before + 30")" true "${change%=*} counts"
done
"$AOLAG" params saxo --set device.rtc.preset=known --set device.rtc.dispatch=wake >"$out"
has "device.rtc.launch = 4.08 us  (measured)" "the launch of another way is measured, too"
has "device.rtc.boundary = 0.5 us  (measured)" "a barrier is"
run probe --from known.csv --save known --dispatch process
is "$(sed -n 's/^\(dispatch\|launch\|handover\) = //p' "$XDG_CONFIG_HOME/aolag/presets/known.ini" | tr '\n' ',')" \
    "process,0.408 us,6.12 us," "of processes"
run probe --from known.csv --save known --dispatch graph
is "$status $(tail -n 1 "$err")" \
    "1 aolag: not saved: dispatch graph was not measured: it needs the GPU of an NVIDIA driver" "a way of GPUs"
grep -v '^dispatch' known.csv >less.csv
run probe --from less.csv --save known --dispatch wake
is "$status $(tail -n 1 "$err")" \
    "1 aolag: not saved: dispatch wake was not measured: it needs aolag probe dispatch" "one that was not measured"

# The other end of datagrams, until it is told to end.
echo_ends() { # WORDS...: starts it; its address is in the file there
    rm -f there
    env --default-signal=INT,TERM "$AOLAG" probe dispatch --echo "$@" >there 2>"$err" &
    echo=$!
    wait_for grep -q : there
}
if env --default-signal=INT true 2>/dev/null; then
    echo_ends
    is "$(cut -d: -f1 there)" 127.0.0.1 "the other end is on the loopback"
    run probe dispatch --quick --peer "$(cat there)" --json
    is "$status" 0 "and answers"
    holds '.conditions.link | startswith("127.0.0.1:")' "where it is"
    holds '.points | any(.name == "ingress" and .type == "poll" and .median_ns > 0)' "datagrams"
    kill -TERM "$echo"
    wait "$echo"
    is $? 143 "until a signal"
    echo_ends --listen 127.0.0.2
    is "$(cut -d: -f1 there)" 127.0.0.2 "another address"
    bad 1 "cannot listen on $(cat there)" "is in use" probe dispatch --echo --listen "$(cat there)"
    kill -INT "$echo"
    wait "$echo"
    run probe dispatch --quick --peer "$(cat there)"
    is "$status $(tail -n 1 "$err")" \
        "1 aolag: dispatch: nothing listens on $(cat there); aolag probe dispatch --echo answers while it runs there" \
        "a peer that is gone"
else
    skip "the other end" "env cannot set signals"
fi
if [ -e "$clock" ]; then
    counted 30 0 0 probe dispatch --echo
    is "$status" 0 "it ends after silence"
else
    skip "it ends after silence" "there is no clock that counts"
fi
bad 2 "--peer: 127.0.0.1 lacks the port that --echo printed" "no port" probe dispatch --peer 127.0.0.1
bad 2 '--peer: "camera" is not an address' "no number" probe dispatch --peer camera
bad 2 "--echo needs the part dispatch" "another part" probe memory --echo
bad 2 "--listen needs --echo" "no other end" probe dispatch --listen 127.0.0.1

# Less than there could be.
if [ "$(id -u)" -eq 0 ] && setpriv --bounding-set=-sys_nice true 2>/dev/null; then
    setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice "$AOLAG" probe dispatch --quick --json >"$out" 2>"$err"
    is $? 0 "without the right to priority"
    holds '(.conditions.realtime | startswith("no: ")) and (.points | all(.realtime != 1))' "it is said"
else
    skip "without the right to priority" "it cannot be taken away"
fi
if command -v taskset >/dev/null; then
    taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$AOLAG" probe dispatch --quick --json >"$out" 2>"$err"
    is $? 0 "one core"
    holds '[.points[] | select(.name == "launch" and .type == "spin")] |
        all(.remark == "n/a: one core: nothing polls for another thread")' "nothing polls"
    holds '.points | any(.name == "launch" and .type == "wake" and .median_ns > 0)' "but sleeps"
    holds '.derived.dispatch.datagram_time_us | type == "number"' "bursts arrive"
else
    skip "one core" "there is no taskset"
fi

# Interrupted: what was measured is kept.
if env --default-signal=INT true 2>/dev/null; then
    rm -f "$out"
    env --default-signal=INT "$AOLAG" probe dispatch --csv >"$out" 2>"$err" &
    probe=$!
    wait_for grep -q '^dispatch,' "$out"
    kill -INT "$probe"
    wait "$probe"
    is $? 130 "SIGINT ends it"
    is "$(grep -v '^#' "$out" | awk -F, 'NF != 23')" "" "and leaves whole lines"
else
    skip "interruption" "env cannot set signals"
fi

finish
