# aolag plot: pictures as files.
. "$srcdir/tests/cli/lib.sh"
XDG_STATE_HOME=$srcdir/tests/data/state
export XDG_STATE_HOME

# whole NAME FILE: the file is well-formed SVG with text in it
whole() {
    if grep -q '^<svg xmlns="http://www.w3.org/2000/svg" version="1.1"' "$2" &&
        tail -n 1 "$2" | grep -qx '</svg>' && ! grep -Eq '[^a-z](nan|inf)[^a-z]' "$2"; then
        pass "$1"
    else
        fail "$1" "$(head -c 400 "$2")"
    fi
    if command -v xmllint >/dev/null; then
        is "$(xmllint --noout --nonet "$2" 2>&1)" "" "$1: well-formed"
    else
        skip "$1: well-formed" "there is no xmllint"
    fi
}

# geometry NAME FILE: texts are on the page and do not overlap, no curve crosses a label
geometry() {
    is "$(LC_ALL=C awk -f "$srcdir/tests/cli/picture.awk" "$2")" "" "$1: labels"
}

# writes NAME TEXT WORDS...: aolag plot WORDS -o FILE says nothing; the file has the text
writes() {
    name=$1 text=$2
    shift 2
    rm -f picture.svg
    run plot "$@" -o picture.svg
    is "$status$(cat "$out" "$err")" 0 "$name"
    whole "$name: a picture" picture.svg
    geometry "$name" picture.svg
    if grep -qF -e "$text" picture.svg; then
        pass "$name: $text"
    else
        fail "$name: $text" "$(grep '<text' picture.svg)"
    fi
}

writes "components" ">recon</text>" components
writes "components of a preset" "MICADO" components micado-scao
for picture in "sweep saxo" "timeline morfeo" "roofline haka"; do
    run plot $picture
    geometry "$picture" "$out"
done
several="elt-scao micado-scao harmoni-ltao soul nfiraos-lgs"
! sanitized || several=nfiraos-lgs
for kind in components flow roofline timeline detector sweep advise; do
    writes "the system and its latency" ">ELT SCAO, 80×80 Shack-Hartmann: RTC latency 61.4 µs (48.5 to 453)<" $kind elt-scao
    for system in $several; do
        run plot $kind "$system"
        is "$(grep '<text' "$out" | grep -c '…')" 0 "$kind of $system: nothing is cut"
        geometry "$kind of $system" "$out"
    done
done
writes "a design before its chart" ">ELT SCAO, 80×80 Shack-Hartmann: RTC latency 61.4 µs (48.5 to 453)<" elt-scao components
writes "before a sweep" ">RTC latency over packets<" elt-scao sweep scenario.packets=1:50:4
bad 2 'unknown chart "timelin"' "a chart that is none, behind a design" plot elt-scao timelin
bad 2 "a kind of chart is missing" "no chart" plot elt-scao
writes "a port and its telemetry" ">14.0 Gb/s of 25.0 Gb/s</text>" flow elt-scao --set telemetry.pixels=1 \
    --set telemetry.slopes=1 --set scenario.frame_rate=2kHz
writes "the latency between last pixel and command" ">61.4 µs</text>" timeline elt-scao
writes "the critical path as an outline" 'fill="none" stroke="#000000" stroke-width="2.5"' timeline elt-scao
writes "the critical path of short slots" 'fill="none" stroke="#000000" stroke-width="2.5"' timeline morfeo
is "$(sed -n 's/^<rect .*width="\([0-9]*\)\..* fill="none" .*stroke-width="2.5".*/\1/p' picture.svg | sort -n | head -n 1)" 7 \
    "an outline leaves what it surrounds in sight"
writes "hardware" ">hardware</text>" advise micado-scao
writes "software" ">software, without regard to the quality of correction</text>" advise micado-scao
writes "assumptions" ">assumptions, to be stated or measured</text>" advise micado-scao
is "$(sed -n 's|.*>\([0-9]*\) ns</text>|\1|p' picture.svg)" "$(sed -n 's|.*>\([0-9]*\) ns</text>|\1|p' picture.svg | sort -rn)" \
    "steps of a group in the order of their gains"
writes "the whole of a step" ">gpu0 preset A100 80GB PCIe → H100 NVL 94GB<" advise mavis
writes "labels above the ceilings they name" 'text-anchor="end">fp32 FMA 66.9 TFLOP/s</text>' roofline harmoni-ltao
is "$(grep -c '>fp16 FMA 134 TFLOP/s</text>' picture.svg)" 1 "a name without room: in the legend alone"
writes "packets too narrow for a pattern" 'fill="#aa4488" fill-opacity="0.5"' timeline harmoni-ltao
writes "what the numbers are" "numbers at bars: packets" timeline harmoni-ltao
writes "the outline of the pupil" 'stroke="#555555" stroke-width="1" stroke-linecap="square"' detector haka
writes "a contour that is one line" 'M940.3,597.0L940.3,97.0' sweep scenario.packets=1:200:40 scenario.frame_rate=200:3000:40 haka
writes "a target that all meet" ">at most 1 ms: all</text>" sweep scenario.packets=1:200:9 scenario.frame_rate=200:3000:9 elt-scao
writes "a target that none meets" ">at most 1 µs: none</text>" sweep scenario.packets=1:200:9 scenario.frame_rate=200:3000:9 elt-scao --set scenario.target_latency=1us
writes "an axis from 0" ">RTC latency</text>" sweep device.gpu0.bus_bits=2048,8192 micado-scao
writes "another one says so" ">from last pixel (axis does not start at 0)</text>" sweep device.rtc.nic=10:100:10 elt-scao --result readout_latency
writes "the range around a curve" ">range</text>" sweep device.gpu0.bus_bits=2048,8192 micado-scao
is "$(grep -c 'fill-opacity="0.2" stroke' picture.svg)" 1 "an area without a second curve"
run plot sweep device.gpu0.bus_bits=2048,8192 micado-scao --text
has ' 655.3   817.2' "the range in text" "$out"
run plot sweep component.recon.precision=all elt-scao
is "$(grep -c '>kernel ingress</text>' "$out")" 5 "every bar says what limits it"
run plot sweep scenario.packets=1,50 scenario.frame_rate=100,500 micado-scao
is "$(sed -n 's|.*>\(3[0-9.]*\) µs</text>|\1|p' "$out" | tail -n 2 | tr '\n' ' ')" "356.4 363.6 " "shades of values that hardly differ"
writes "values around the present one" "limited by" sweep device.rtc.cores=1:8:4 haka
is "$(grep -c '>current</text>' picture.svg)" 0 "the present value is not among them: no legend of it"
writes "equal shades for equal ratios of two decades" 'fill="#549dcc"' sweep device.gpu0.bus_bits=64:8192:9:log scenario.packets=10:50:5 micado-scao
writes "the contour of the target" ">at most 1 ms</text>" sweep device.gpu0.bus_bits=256:8192:9 scenario.packets=10:50:5 micado-scao
run plot sweep saxo --text --result load
is "$(sed -n '/^ *9 /,/^ *11 /p' "$out" | grep -cE '^ *10 ')" 1 "the present value is a sample"
writes "a detector as large as its page" 'width="900" height="960"' detector micado-scao
writes "what is set" "ELT SCAO" components elt-scao --set device.gpu0.bus_bits=1024
for system in $(some_systems); do
    run plot components "$system"
    is "$status$(cat "$err")" 0 "components of $system"
    whole "$system" "$out"
done

writes "the time of a long bar" ">717 µs DRAM<" components nfiraos-lgs
writes "what a step gains" ">187 µs</text>" advise nfiraos-lgs
writes "a device more" ">recon device + rtc</text>" advise metis-scao
good "a sweep without a knob" plot micado-scao sweep --text
is "$(awk '/^ *[0-9]/ { print $1 }' "$out" | sort -n | sed -n '1p;$p' | tr '\n' ' ')" "13 200 " "has the range of the view, a quarter to four times"
writes "a step that lowers the error alone" ">controller integrator → lqg by lqg-modal</text>" advise saxo
writes "by its nanometres" " µs, −8.66 nm</text>" advise saxo

writes "two designs" ">recon, elt-scao</text>" compare elt-scao micado-scao
writes "the first one has a tint and an outline" 'fill="#8fbbe0" stroke="#16436b"' compare elt-scao micado-scao
writes "the other one has others" 'fill="#e6e6e6" stroke="#555555"' compare elt-scao micado-scao
is "$(sed -n 's|^<text .* y="\([0-9.]*\)".* text-anchor="end">\(.*elt-scao\)</text>|\1 one|p
              s|^<text .* y="\([0-9.]*\)".* text-anchor="end">micado-scao</text>|\1 other|p' picture.svg |
    awk '{ gap = $1 - y; y = $1 }
        $2 == "other" { within = gap }
        $2 == "one" && within > 0 && gap > 1.5 * within { apart++ }
        $2 == "other" { pairs++ }
        END { print (pairs > 3 && apart == pairs - 1) }')" 1 "the bars of a component stand together"
writes "the latencies of two designs" ">elt-scao 61.4 µs (48.5 to 453), micado-scao 360 µs (326 to 409)</text>" compare elt-scao micado-scao
mkdir one another
"$AOLAG" presets show saxo | tee one/mine.ini >another/mine.ini
writes "a file" ">recon, mine.ini</text>" compare one/mine.ini elt-scao
writes "files of one name" ">another/mine.ini</text>" compare one/mine.ini another/mine.ini
for system in $(some_systems); do
    run plot compare elt-scao "$system"
    is "$status$(cat "$err")" 0 "compared with $system"
    whole "$system, compared" "$out"
done

writes "machine" ">Latency staircase</text>" machine
writes "the processor that was measured" ' font-weight="bold">AMD EPYC</text>' machine
writes "operations" "cycles" machine operations
writes "a map of residuals" "alpha 0.5" machine apex
writes "kernels" ">25 % off</text>" machine kernels
XDG_STATE_HOME=$TMPDIR
run plot machine
is "$status$(cat "$out")" 1 "nothing was measured"
is "$(cat "$err")" 'aolag: no measurements for memory on this machine yet; aolag probe measures it' \
    "says so"

writes "a roofline" ">recon</text>" roofline
writes "of another device" ">slopes</text>" roofline --of rtc
writes "a detector" "packet" detector
writes "the same by the name of its view" "packet" sensor

writes "a timeline" ">command out</text>" timeline --of latency
writes "by device" ">rtc.to-boards</text>" timeline --of devices
writes "of many packets" ">calibration</text>" timeline --set scenario.packets=4096
writes "what stands before its line" 'text-anchor="end">command out<' timeline nfiraos-lgs

trace=$srcdir/data/traces/mvm-two-sockets.csv
sockets=$srcdir/data/traces/two-sockets.ini
writes "distances of a trace" ">96, 280 cycles each</text>" program "$trace" elt-scao
writes "its name and time" ">mvm-two-sockets.csv: 4 threads, 121 µs on rtc</text>" program "$trace" "$sockets"
writes "time over cores" ">speed-up (time on 1 core / time)</text>" program "$trace" "$sockets" --of threads
writes "phases" ">balance 62.5 %, 640 ns, locks</text>" program "$trace" "$sockets" --of phases
# By hand as in trace.sh: multiply takes 8392704 B / (n x 18 GB/s), sum (700.8 + 9600 - 496 x 11/18) / 2.5 GHz
# in all four threads.
good "as text" plot program "$trace" "$sockets" --of threads --text
is "$(awk '$2 == n && $1 == n { print $3; n++ } BEGIN { n = 1 }' "$out" | head -n 4 | tr '\n' ' ')" \
    "1 1.997 2.946 3.984 " "speed-ups"
good "distances as text" plot program "$trace" "$sockets" --text
has "16.49" "32 of 194 references"
has "   87.2           64 to 127" "(300 - 64 x 0.6) / 300"
good "other charts as text" plot components elt-scao --text
has "slopes>recon " "with their rows"
LC_ALL=C "$AOLAG" plot components elt-scao --text >ascii
is "$(LC_ALL=C grep -c '[^ -~]' ascii)" 0 "in ASCII where the locale is"
printf 'phase,thread,kind,key,count\na,0,instr,int,1\n' >local.csv
bad 1 "local.csv: no remote references" "nothing remote" plot program local.csv --of distances
writes "its phases instead, without a choice" ">balance 100 %" program local.csv
writes "its phases, however" ">balance 100 %" program local.csv --of phases
awk 'BEGIN { print "phase,thread,kind,key,count"; for (f = 0; f < 300; f++) print "p" f ",0,instr,int," f + 1 }' >many.csv
writes "many phases" "the 40 longest of 300 phases" program many.csv --of phases
printf 'phase,thread,kind,key,count\na,0,instr,int,x\n' >wrong.csv
bad 1 'wrong.csv:2: count "x" is not a number; allowed: 0 to 1e+18' "a bad trace" plot program wrong.csv
bad 1 "cannot open none.csv" "no such trace" plot program none.csv
bad 2 "the trace is missing" "no trace" plot program
bad 2 "the trace is missing, as in: aolag plot micado-scao program trace.csv" "a design alone" plot program micado-scao
bad 2 '"ao.actuators" has no values; add them after =, as in device.rtc.cores=1:64:8' "a knob alone" plot sweep ao.actuators micado-scao
bad 2 'chart of a program "lanes"' "no such chart" plot program "$trace" --of lanes
bad 2 'components takes no --of' "no part of a chart" plot components --of gpu0
bad 2 'machine takes no --set' "no knob of measurements" plot machine apex --set device.rtc.cores=5
bad 2 'timeline takes no --result' "no result of a chart" plot timeline --result load
bad 1 "4 threads, more than the 2 cores of rtc" "too few cores" plot program "$trace" "$sockets" --set device.rtc.cores=1
bad 2 "text" "text has no file" plot program "$trace" --text -o x.txt

writes "advice" "gain" advise
for system in $(some_systems); do
    for kind in roofline timeline; do
        run plot $kind "$system"
        is "$status$(cat "$err")" 0 "$kind of $system"
        whole "$kind of $system" "$out"
    done
done

writes "a sweep" ">RTC latency over packets</text>" sweep
writes "a curve" ">rtc cores</text>" sweep device.rtc.cores=1:96:12
writes "a map" ">at most 1 ms: all</text>" sweep device.rtc.cores=1:96:12 \
    scenario.packets=1:100:10:log elt-scao
writes "another result" ">quick lag</text>" sweep scenario.packets=1:100:10:log --result loop.servo_lag
good "curves of a loop" plot loop saxo --text
has "gain margin 4.32" "mark the gain margin"
# The axis has the limit on it, and is no longer than the largest load needs.
good "loads below the limit" plot flow morfeo
has ">limit</text>" "mark it"
lacks ">1.2</text>" "end there"
good "an overload" plot flow elt-scao --set telemetry.pixels=1 --set device.rtc.nic=1Gb/s
has ">limit</text>" "marks it"
good "a budget without a star" plot loop --of budget saxo --set wfs.ngs.photons=auto --text
is "$(sed -n 's/^noise  *//p' "$out")" "not known" "does not say that there is no noise"
has "Strehl without noise 0.9" "and names what lacks it"
bad 1 "aolag: 4294967296 designs are too many for a picture; at most 1000000" "more designs than an integer has values" \
    plot sweep ao.actuators=1:65536:65536 device.rtc.clock=1GHz:4GHz:65536 micado-scao
bad 1 "aolag: 1000000 designs would take about " "a picture that takes long" plot sweep scenario.packets=3001:4000 \
    device.rtc.launch=1us:3us:1000 morfeo --set scenario.frame_rate=4 --text --budget 1
lacks "shard" "is not divided"
bad 2 "device.rtc.cores is varied twice" "an axis twice" plot sweep device.rtc.cores=1:4 device.rtc.cores=1:8 --text
bad 2 "timeline takes no --budget" "no designs to try" plot timeline --text --budget 3
good "a gain above the maximum" plot sweep ao.gain=0.5,0.8,1.2 saxo --result loop.total --text
has "unstable  gain   0.985" "is unstable"
writes "a curve for each choice" ">cured</text>" sweep component.recon.algorithm=all \
    scenario.packets=1,10,100
is "$(grep -c '>packets</text>' picture.svg)" 1 "over the number, whichever comes first"
writes "many choices" ">raspberry-pi-5</text>" sweep device.rtc.preset=all
is "$(sed -n 's/^<svg.* height="\([0-9]*\)".*/\1/p' picture.svg | awk '{ print ($1 > 900) }')" 1 \
    "a row for each has room"
is "$(sed -n 's/.*font-size="\([0-9.]*\)".*/\1/p' picture.svg | sort -n | awk 'NR == 1 { print ($1 >= 12) }')" \
    1 "and its name can be read"
run plot sweep scenario.packets=1:500:20:log device.rtc.cores=8:96:12
is "$(sed -n 's/.* y="\([0-9.]*\)".* height="\([0-9.]*\)".*crispEdges.*/\1 \2/p' "$out" | sort -n |
    awk '$1 < 600 && NR > 1 && $1 != y && $1 != sprintf("%.2f", y + high) { print y, high, $1 } { y = $1; high = $2 }')" \
    "" "cells of a map adjoin"

run plot components
is "$status$(cat "$err")" 0 "to standard output"
whole "on standard output" "$out"
run plot components --output long.svg
"$AOLAG" plot components >short.svg
if cmp -s short.svg long.svg; then
    pass "the same in a file"
else
    fail "the same in a file" "they differ"
fi
echo old >there.svg
run plot components -o there.svg
is "$status $(tail -n 1 there.svg)" "0 </svg>" "replaces"
"$AOLAG" plot components -o /dev/stdout 2>"$err" | cat >"$out"
is "$(cat "$err")" "aolag: /dev/stdout: is a pipe, not a regular file; - writes to standard output" \
    "a link of /proc to a pipe"
run plot components -o -
is "$status$(cat "$err")" 0 "- is standard output"
whole "on standard output, named" "$out"
is "$(ls -- - 2>&1 | grep -c '^-$')" 0 "and no file of that name"
mkdir folder
bad 1 "folder: " "a directory" plot components -o folder

finish
