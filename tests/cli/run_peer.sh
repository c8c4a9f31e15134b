# aolag run --peer: what is refused; components here, cameras and mirrors in another network namespace, which a
# virtual link joins. Ports of this machine are not used.
. "$srcdir/tests/cli/lib.sh"

{
    sed "s/^dispatch = .*/&\nmtu = 1500/" "$TESTDATA/run.ini"
    printf '[component.dm2]\ntype = dm\nafter = control\n'
} >small.ini
sed 's/packets = 4/packets = 8/' small.ini >other.ini

for address in 10.9.9.2 [::1]:47000 10.9.9.2:65534; do
    bad 2 "$address: allowed: an IPv4 address with the first of 3 ports" "$address" run small.ini --peer $address
done
bad 2 "is not an address" "a name" run small.ini --peer somewhere:47000
bad 2 "--outside and --peer exclude each other" "both" run small.ini --peer 10.9.9.2:1 --outside 10.9.9.2:1
for port in ingress egress; do
    bad 1 "state --set device.rtc.ingress=kernel --set device.rtc.egress=kernel" "an ideal $port" \
        run small.ini --peer 10.9.9.2:1 --set device.rtc.$port=ideal
done

if ! command -v ip >/dev/null || ! unshare -rn ip link add here type veth peer name there 2>/dev/null; then
    skip "another machine" "no namespaces of the network, or no virtual links"
    finish
fi
export out err

# joined SCRIPT: runs a script in a namespace with 10.9.9.1; $there COMMAND is run in that with 10.9.9.2
cat >joined <<'SH'
. "$srcdir/tests/tap.sh"
other= cameras= here=
end_all() { [ -z "$other$cameras$here" ] || kill $other $cameras $here 2>/dev/null; }
trap end_all EXIT
trap 'exit 1' HUP INT TERM
# ended VARIABLE: waits for the process, and notes its status
ended() {
    eval "wait \$$1"
    echo "$?" >>status
    eval "$1="
}
runs() { kill -0 "$1" 2>/dev/null; }
: >status
unshare -n sleep 1000 &
other=$!
there="nsenter -t $other -n"
ip link set lo up
ip link add here type veth peer name there
moved() { ! runs "$other" || { ip link set there netns "$other" && ! ip link show there; }; }
wait_for moved
ip addr add 10.9.9.1/24 dev here
ip link set here up
$there ip addr add 10.9.9.2/24 dev there
$there ip link set there up
listens() { ! runs "$cameras" || $there cat /proc/net/udp | grep -q ": 0209090A:$(printf %04X 47000) "; }
$there "$AOLAG" run small.ini --outside 10.9.9.2:47000 >outside 2>outside.err &
cameras=$!
wait_for listens
. "$1"
SH

cat >whole <<'SH'
"$AOLAG" run small.ini --peer 10.9.9.2:47000 --frames 20 --json >"$out" 2>"$err" &
here=$!
ended here
ended cameras
SH
unshare -rn sh joined ./whole
is "$(tr '\n' ' ' <status)" "0 0 " "a run over a link"
holds '.frames + .incomplete == 20 and (.measured | all(.p50_us > 0))' "is measured"
is "$(cat outside)" "30 frames sent, 0 commands missing" "what the other machine did"
is "$(cat outside.err)" "the cameras listen on 10.9.9.2:47000 and the ports after it" "where it listened"

cat >refused <<'SH'
$there "$AOLAG" run small.ini --outside 10.9.9.2:47000 2>busy.err
echo "$?" >>status
"$AOLAG" run other.ini --peer 10.9.9.2:47000 --frames 20 >here.out 2>here.err &
here=$!
ended cameras
kill "$here"
ended here
SH
unshare -rn sh joined ./refused
is "$(tr '\n' ' ' <status)" "1 1 143 " "what cannot be run"
is "$(tail -1 busy.err)" "aolag: cannot listen on 10.9.9.2:47000: Address already in use" "a port in use"
is "$(tail -1 outside.err)" "aolag: the other machine runs another design; state the same one on both, with the same --set" \
    "another design"

cat >alone <<'SH'
kill "$cameras"
ended cameras
SH
unshare -rn sh joined ./alone
is "$(cat status) $(tail -1 outside.err)" \
    "143 aolag: no other machine asked for frames; run the same design there, with --peer 10.9.9.2:47000" "nobody came"
finish
