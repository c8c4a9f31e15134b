# aolag run --peer: components here, cameras and mirrors in another network namespace, which a virtual link
# joins. Ports of this machine are not used.
. "$srcdir/tests/cli/lib.sh"

if ! command -v ip >/dev/null || ! unshare -rn ip link add here type veth peer name there 2>/dev/null; then
    skip "another machine" "no namespaces of the network, or no virtual links"
    finish
fi
sed "s/^dispatch = .*/&\nmtu = 1500/" "$TESTDATA/run.ini" >small.ini
export out err
sed 's/packets = 4/packets = 8/' small.ini >other.ini

# joined COMMAND...: runs a script in a namespace with 10.9.9.1; $there COMMAND is run in that with 10.9.9.2
cat >joined <<'SH'
ip link set lo up
ip link add here type veth peer name there
unshare -n sleep 1000 &
other=$!
trap 'kill $other' EXIT
until ip link set there netns "$other" 2>/dev/null && ! ip link show there >/dev/null 2>&1; do sleep 0.05; done
there="nsenter -t $other -n"
ip addr add 10.9.9.1/24 dev here
ip link set here up
$there ip addr add 10.9.9.2/24 dev there
$there ip link set there up
. "$1"
SH

cat >whole <<'SH'
$there "$AOLAG" run small.ini --outside 10.9.9.2:47000 >outside 2>outside.err &
cameras=$!
"$AOLAG" run small.ini --peer 10.9.9.2:47000 --frames 20 --json >"$out" 2>"$err"
echo "$?" >status
wait "$cameras"
echo "$?" >>status
SH
unshare -rn sh joined ./whole
is "$(tr '\n' ' ' <status)" "0 0 " "a run over a link"
holds '.frames + .incomplete == 20 and (.measured | all(.p50_us > 0))' "is measured"
is "$(cat outside)" "30 frames sent, 0 commands missing" "what the other machine did"
is "$(cat outside.err)" "the cameras listen on 10.9.9.2:47000 and the ports after it" "where it listened"

cat >refused <<'SH'
$there "$AOLAG" run small.ini --outside 10.9.9.2:47000 >outside 2>outside.err &
cameras=$!
listens() { $there ss -uan | grep -q 10.9.9.2:47000; }
until listens; do sleep 0.05; done
$there "$AOLAG" run small.ini --outside 10.9.9.2:47000 2>busy.err
echo "$?" >status
"$AOLAG" run other.ini --peer 10.9.9.2:47000 --frames 20 >here.out 2>here.err &
here=$!
wait "$cameras"
echo "$?" >>status
kill "$here"
wait "$here"
echo "$?" >>status
SH
if command -v ss >/dev/null; then
    unshare -rn sh joined ./refused
    is "$(tr '\n' ' ' <status)" "1 1 143 " "what cannot be run"
    is "$(tail -1 busy.err)" "aolag: cannot listen on 10.9.9.2:47000: Address already in use" "a port in use"
    is "$(tail -1 outside.err)" "aolag: the other machine runs another design" "another design"
fi
bad 2 "a port is missing" "no port" run small.ini --peer 10.9.9.2
bad 2 "is not an address" "a name" run small.ini --peer somewhere:47000
bad 2 "--outside and --peer exclude each other" "both" run small.ini --peer 10.9.9.2:1 --outside 10.9.9.2:1
bad 1 "in shared memory" "shared memory" run small.ini --peer 10.9.9.2:1 --set device.rtc.ingress=ideal
finish
