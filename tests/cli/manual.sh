# The manual: complete, without a formatter's complaint, its examples work.
. "$srcdir/tests/cli/lib.sh"

build=$(dirname "$AOLAG")
if [ ! -x "$build/tools/docgen" ]; then
    skip "the manual" "there is no build tree beside $AOLAG"
    finish
fi
pages="$build/man/aolag.1 $build/man/aolag-scenario.5 $build/man/aolag-model.7
$build/man/aolag-tutorial.7"

# "HEADING<tab>TERM" of every entry in the pages, headings as typed.
# shellcheck disable=SC2086
awk '/^\.S[HS] / { heading = substr($0, 5) }
     previous == ".TP" { print heading "\t" $0 }
     { previous = $0 }' $pages | LC_ALL=C sort >entries
"$build/tools/docgen" --list | LC_ALL=C sort >wanted
is "$(wc -l <wanted | awk '{ print ($1 > 200) }')" 1 "there is something to document"
is "$(LC_ALL=C comm -13 entries wanted)" "" \
    "every command, option, key, knob, unit and result is there"
is "$(LC_ALL=C sort entries | uniq -d)" "" "each of them once"

knobs=$("$AOLAG" params --json | jq '.knobs | length')
is "$(awk -F'\t' '$1 ~ /^\[/' entries | wc -l | tr -d ' ')" "$knobs" "as many knobs as params has"
# shellcheck disable=SC2086
is "$(grep -n '@' $pages)" "" "nothing is left to fill in"

complaints() {
    command -v "$1" >/dev/null || {
        skip "$1 has no complaint" "there is no $1"
        return
    }
    for page in $pages; do
        case $1 in
        groff) found=$(groff -man -Tutf8 -ww -z "$page" 2>&1) ;;
        man) found=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null) ;;
        mandoc) found=$(mandoc -T lint "$page" 2>&1) ;;
        esac
        is "$found" "" "$1 has no complaint about ${page##*/}"
    done
}
complaints groff
complaints man
complaints mandoc

# The examples run as written, with the built program.
PATH=$build:$PATH
awk '/^\.SH / { inside = /EXAMPLES/ }
     /^\.E[XE]/ { next }
     inside && /^(aolag|printf)/' "$build/man/aolag.1" |
    sed "s/\\\\-/-/g; s/\\\\(aq/'/g; s/\\\\e/\\\\/g" >examples
is "$(wc -l <examples | awk '{ print ($1 >= 8) }')" 1 "examples are found"
while IFS= read -r example; do
    if eval "$example" >"$out" 2>"$err" </dev/null; then
        pass "$example"
    else
        fail "$example" "$(cat "$err")"
    fi
done <examples

awk '/^\.SH / { inside = $0 == ".SH EXAMPLE" }
     /^\.EX/ { example = inside; next }
     /^\.EE/ { example = 0 }
     example' "$build/man/aolag-scenario.5" | sed 's/\\-/-/g' >example.ini
run check example.ini
is "$status $(cat "$out")" "0 " "the example of the file format is good"

# The tables of defaults in the page of the model, without their ranges: "NAME NUMBER...".
defaults() {
    awk -v header="$1" '/^\.EE/ { inside = 0 }
         inside && $2 ~ /^[0-9.]+$/ { print }
         $0 ~ header { inside = 1 }' "$build/man/aolag-model.7" |
        sed 's/([^)]*)//g; s/\\-/-/g; s/per visit//'
}
thousandths='def t: if . == null then "-" else . * 1000 | round / 1000 end;'

defaults '^dispatch +launch' >dispatches
is "$(wc -l <dispatches | tr -d ' ')" 6 "each dispatch has its defaults"
while read -r name launch boundary enqueue; do
    device=rtc
    [ -n "$enqueue" ] && device=gpu0
    run eval elt-scao --json --set "device.$device.dispatch=$name"
    is "$launch $boundary ${enqueue:--}" "$(jq -r "$thousandths"'
        .devices[] | select(.name == "'$device'") |
        "\(.launch_us | t) \(.boundary_us | t) \(.enqueue_us | t)"' "$out")" \
        "defaults of dispatch = $name"
done <dispatches

defaults '^ *ingress_latency +datagram' >ports
is "$(wc -l <ports | tr -d ' ')" 6 "each port has its defaults"
while read -r name ingress datagram egress; do
    # a GPU that receives, for rdma
    run eval elt-scao --json --set "device.rtc.ingress=$name" --set component.calibration.device=gpu0
    is "$ingress $datagram" "$(jq -r "$thousandths"'
        .devices[0] | "\(.ingress_latency_us | t) \(.datagram_time_us | t)"' "$out")" \
        "defaults of ingress = $name"
    [ "$egress" = - ] && continue
    run eval elt-scao --json --set "device.rtc.egress=$name"
    is "$egress" "$(jq -r "$thousandths"' .devices[0].egress_latency_us | t' "$out")" \
        "defaults of egress = $name"
done <ports

# What the pages say by hand.
section() {
    awk -v section="$1" '/^\.SH / { inside = $0 == ".SH " section } inside' "$build/man/aolag.1"
}
run eval --json "$srcdir/data/traces/two-sockets.ini"
cp "$out" program.json
run eval elt-scao --json
for key in $(jq -r '[paths | map(select(type == "string")) | last] | unique | .[]' "$out" \
    program.json) \
    resource ratio period_us; do
    section RESULTS | tr ' ' '\n' | grep -qE "^(\\\\fB)?$key(\\\\fR)?[(,]?$" ||
        missing="${missing-} $key"
done
is "${missing-}" "" "every name in the JSON is explained"

finish
