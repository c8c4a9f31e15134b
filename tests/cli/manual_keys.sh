# The tables of keys in the pages of the commands are those of the JSON and CSV that they print.
. "$srcdir/tests/cli/lib.sh"

build=$(dirname "$AOLAG")
if [ ! -e "$build/man/aolag.1" ]; then
    skip "keys" "there is no build tree beside $AOLAG"
    finish
fi
plain_only "keys"

# documented COMMAND: the paths of its page, * for any name. Those of kernels take minutes to print.
documented() {
    awk -F'\t' '/^\.SS With .*kernels/ { exit }
        /^\.\\" keys / { count = split(substr($0, 9), prefix, " ") }
        /^\.\\" as / { split($0, word, " "); print "as", word[3], word[4], word[5] }
        NF == 3 && $3 == "T{" {
            for (i = 1; i <= count; i++)
                print (prefix[i] == "." ? "" : prefix[i] ".") $1
        }' "$build/man/aolag-$1.1" | while read -r path command from to; do
        [ "$path" = as ] || { echo "$path"; continue; }
        documented "$command" | while read -r path; do
            case $path in "$from".*) echo "$to${path#"$from"}" ;; esac
        done
    done
}

# The paths of all values in a stream of JSON, [] for an element of an array.
paths='paths(type != "object" and type != "array") |
    reduce .[] as $step (""; if $step | type == "number" then . + "[]"
        else . + (if . == "" then "" else "." end) + $step end)'

# agree COMMAND: the page has what is in the file `printed`, and nothing else but columns of CSV, "csv[]".
agree() {
    documented "$1" | sort -u >wanted
    sort -u printed -o printed
    is "$(wc -l <printed | awk '{ print ($1 > 3) }')" 1 "$1 prints something"
    is "$(awk 'NR == FNR { line = $0; gsub(/[].[]/, "\\\\&", line); gsub(/\*/, ".*", line)
                         pattern[++count] = line; path[count] = $0; next }
               { known = 0
                 for (i = 1; i <= count; i++)
                     if ($0 ~ "^" pattern[i] "$") { seen[i] = known = 1 }
                     else if (index(path[i], $0 ".") == 1 || index(path[i], $0 "[]") == 1) known = 1
                 if (!known) print "not in the page: " $0 }
               END { for (i = 1; i <= count; i++) if (!seen[i] && path[i] !~ /^csv/) print "not printed: " path[i] }' \
        wanted printed)" "" "the keys of $1"
}

# prints COMMAND WORDS...: adds the paths of its JSON.
prints() {
    "$AOLAG" "$@" --json </dev/null 2>"$err" | jq -r "$paths" | sed -E 's/(\.children\[\])+/.children[]/' >>printed
}

# columns PREFIX COMMAND WORDS...: those of its CSV are keys of PREFIX, of an object in it with _ for the
# point, or of the whole, in the page that `agree` read last.
columns() {
    prefix=$1
    shift
    "$AOLAG" "$@" --csv 2>"$err" | grep -v '^#' | head -n 1 | tr , '\n' >header
    is "$(wc -l <header | awk '{ print ($1 > 2) }') $(tr . _ <wanted | sort >keys
        while read -r column; do
            grep -qxF -e "${prefix}_$column" -e "${prefix}_$column[]" -e "csv[]_$column" -e "$column" keys || echo "$column"
        done <header)" "1 " "columns of $*"
}

: >printed
for scenario in elt-scao morfeo knl-sh80 "$srcdir/data/traces/two-sockets.ini"; do
    prints eval "$scenario"
done
prints eval morfeo --set telemetry.pixels=1 --set telemetry.disk_rate=2
prints eval elt-scao --jitter 100
prints eval elt-scao --set scenario.frame_rate=20kHz
prints eval galacsi --set wfs.lgs.valid_subaps=99999
prints eval elt-scao --packets
agree eval
columns packets[] eval elt-scao --packets
columns components[] eval elt-scao
columns components[] eval "$srcdir/data/traces/two-sockets.ini"

: >printed
prints advise galacsi --set scenario.target_latency=46us
prints advise haka --set scenario.sharing=partition
prints advise elt-scao --set scenario.packets=91
agree advise

: >printed
prints compare elt-scao morfeo
prints compare saxo saxo-plus
agree compare

: >printed
prints sensor elt-scao
agree sensor
columns packets[] sensor elt-scao

: >printed
prints explain latency
prints explain component.recon.memory_time
agree explain

printf 'alpha,L,ns_per_access\n1,1,9\n1,8,3\n.1,1,5\n.1,8,2\n.01,1,2\n.01,8,1\n' >surface.csv
: >printed
prints fit surface.csv
prints fit "$TESTDATA/apexmap_sample.csv"
prints fit "$TESTDATA/apexmap_sample.csv" "$TESTDATA/state/aolag/machine.csv"
agree fit

cp -r "$TESTDATA/daolite" .
: >printed
prints import daolite/network.json
prints import daolite/boxes.json -o boxes.ini
prints import "$TESTDATA/tiptop/two-sensors.ini"
agree import
columns components[] import daolite/network.json

printf '3\n3\n4\n12\n' >latencies
: >printed
prints jitter latencies
agree jitter
columns late[] jitter latencies

: >printed
prints flow morfeo --set telemetry.pixels=1 --set telemetry.disk_rate=2 --set update.period=5
agree flow
columns resources[] flow morfeo --set telemetry.pixels=1

: >printed
prints run canary --frames 20
agree run
columns measured[] run canary --frames 20

: >printed
prints loop saxo --set ao.diameter=8
prints loop elt-scao
agree loop
columns terms[] loop saxo

: >printed
prints params
prints params --scenario elt-scao
agree params

: >printed
prints presets list
agree presets
columns presets[] presets list

: >printed
prints rank gpu
prints rank cpu elt-scao --set scenario.frame_rate=5kHz
agree rank
columns presets[] rank gpu

: >printed
prints search --over device.gpu0=gpu,none --where 'latency<=900us' --why amd-instinct-mi210 --any-host
prints search --over device.gpu0=gpu --set device.gpu0.host_link=nvlink
prints search --over device.rtc=cpu --objective latency,loop.servo_lag --set device.rtc.cores=1
agree search

: >printed
prints calibrate micado-scao --measured latency=330us
agree calibrate

: >printed
prints seek device.gpu0.bus_bits elt-scao --until 'latency<=70us'
prints seek device.gpu0.bus_bits elt-scao --until 'latency<=12us'
prints seek device.gpu0.preset elt-scao --until 'latency<=59us'
prints seek scenario.packets elt-scao
agree seek

: >printed
prints sweep device.rtc.cores=8:16:2 elt-scao
agree sweep

: >printed
awk -f "$TESTDATA/machine.awk" >machine.csv
prints probe --from machine.csv
prints probe --from "$TESTDATA/gpu.csv"
prints probe memory --quick --largest 64KiB
agree probe
columns points[] probe memory --quick --largest 64KiB

: >printed
prints validate --published
prints validate --pipelines
agree validate
columns rows[] validate --pipelines

# The unit in a key is the one beside it.
units='_us \(mcs _ns ns _hz Hz _bytes B _bytes_per_s B/s _percent % _nm nm _px px _w W _mj mJ
    _flops FLOP/s _flop FLOP _deg deg _words words _cycles cycles'
is "$(awk -F'\t' -v units="$(printf %s "$units" | sed 's/\\/&&/g' | tr -s ' \n' ' ')" '
    BEGIN { count = split(units, word, " ") }
    NF == 3 && $3 == "T{" {
        key = $1
        sub(/\.\*$|\[\]$/, "", key)
        for (i = 1; i < count; i += 2)
            if (key ~ word[i] "$" && word[i + 1] != $2) print FILENAME ": " $1 " in " $2
    }' "$build"/man/aolag-*.1)" "" "units agree with keys"

finish
