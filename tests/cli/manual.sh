# The manual: complete, without a formatter's complaint, its examples work.
. "$srcdir/tests/cli/lib.sh"

build=$(dirname "$AOLAG")
if [ ! -x "$build/tools/docgen" ]; then
    skip "the manual" "there is no build tree beside $AOLAG"
    finish
fi
plain_only "the manual"
commands=$("$AOLAG" help | sed -n '/^Commands;/,/^Options:/s/^  \([a-z][a-z]*\) .*/\1/p' | sort)
pages=$(ls "$build"/man/*.[157])

is "$(cd "$build/man" && ls aolag-*.1 | sed 's/aolag-\(.*\)\.1/\1/' | sort)" "$commands" \
    "every command has a page, and every page a command"

# section PAGE NAME: one section, as a terminal shows it.
section() {
    awk -v section="$2" '/^\.SH / { inside = $0 == ".SH " section; next } inside' "$build/man/$1" |
        sed 's/\\f[BIR]//g; s/\\&//g; s/\\-/-/g; s/\\(aq/'"'"'/g; s/\\e/\\/g'
}

# What the program, the C library for it and posix_spawnp read of the environment.
is "$(section aolag.1 ENVIRONMENT | sed -n 's/^\.B \([A-Z_, ]*\)$/\1/p' | tr -s ', ' '\n' | sort)" \
    "$({
        grep -rhoE --include='*.c' '(getenv|user_directory|side_is_good)\("[A-Z_]+"' "$srcdir/src" "$srcdir/ui" |
            sed 's/.*"\(.*\)"/\1/'
        printf '%s\n' LANG LC_ALL LC_CTYPE PATH
    } | sort -u)" "every variable of the environment is in aolag(1)"

for command in $commands ""; do
    page=aolag${command:+-$command}.1
    # shellcheck disable=SC2086
    "$AOLAG" $command --help >"$out"
    is "$(section "$page" OPTIONS | awk 'previous == ".TP" { print } { previous = $0 }')" \
        "$(sed -nE '/^Options:/,$s/^  (-[^ ]*( [^ ]+)*)( .*)?$/\1/p' "$out" | sed 's/   *.*//')" \
        "$page has the options of the command"
    grep -qE "^Manual: man ${page%.1}[.,]" "$out" || missing="${missing-} help of $page"
    [ -n "$command" ] || continue
    is "$(section "$page" SYNOPSIS | grep ^aolag)" "$(sed -nE 's/^(Usage:|   or:) //p' "$out")" \
        "and its synopsis"
    for part in NAME SYNOPSIS DESCRIPTION OPTIONS "EXIT STATUS" FILES EXAMPLES "SEE ALSO"; do
        grep -qx "\.SH $part" "$build/man/$page" || missing="${missing-} $page: $part"
    done
    case "$(cat "$out")" in
    *" --json "*) grep -qx '\.SH OUTPUT' "$build/man/$page" || missing="${missing-} $page: OUTPUT" ;;
    esac
done
for page in $pages; do
    for part in AUTHORS "REPORTING BUGS"; do
        grep -qx "\.SH $part" "$page" || missing="${missing-} ${page##*/}: $part"
    done
done
is "${missing-}" "" "no section is missing, and help names the page"
is "$(for page in $pages; do
    awk '/^\.SH SEE ALSO/ { inside = 1 } inside' "$page" | grep -o 'aolag[-a-z\]* ([157])' |
        sed 's/\\//g; s/ (\(.\))/.\1/' | while read -r other; do
        [ -e "$build/man/$other" ] || echo "${page##*/}: there is no $other"
    done
done)" "" "pages that others name exist"

# "HEADING<tab>TERM" of every entry in the pages, headings as typed.
# shellcheck disable=SC2086
awk '/^\.S[HS] / { heading = substr($0, 5) }
     previous == ".TP" && heading != "OPTIONS" { print heading "\t" $0 }
     { previous = $0 }' $build/man/*.[57] | LC_ALL=C sort >entries
"$build/tools/docgen" --list | LC_ALL=C sort >wanted
is "$(wc -l <wanted | awk '{ print ($1 > 200) }')" 1 "there is something to document"
is "$(LC_ALL=C comm -13 entries wanted)" "" \
    "every key, knob, algorithm and unit is there"
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
    # shellcheck disable=SC2086
    case $1 in
    man) found=$("$@" $pages 2>&1 >/dev/null) ;;
    *) found=$("$@" $pages 2>&1) ;;
    esac
    is "$found" "" "$1 has no complaint"
}
complaints groff -t -man -Tutf8 -ww -z
complaints man --warnings -E UTF-8 -l -Tutf8 -Z
complaints mandoc -T lint

# The examples run as written, with the built program.
PATH=$build:$PATH
for page in "$build"/man/*.1; do
    section "${page##*/}" EXAMPLES | grep -E '^(aolag|printf)' >example
    [ -s example ] || fail "${page##*/} has an example"
    cat example
done >examples
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
        .devices[0] | "\(.ingress_latency_us | t) \(.datagram_time_us * 10 | round / 10)"' "$out")" \
        "defaults of ingress = $name"
    [ "$egress" = - ] && continue
    run eval elt-scao --json --set "device.rtc.egress=$name"
    is "$egress" "$(jq -r "$thousandths"' .devices[0].egress_latency_us | t' "$out")" \
        "defaults of egress = $name"
done <ports

finish
