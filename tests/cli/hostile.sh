# Hostile text: every command, format and kind of chart with titles, models, names of components and files,
# arguments, presets, key scripts, traces and measurements that are a formula of a spreadsheet, XML, controls of
# a terminal, marks of direction and no characters, all at the same time. What is printed is safe text, and jq,
# xmllint and a spreadsheet accept it. Recovery files: tests/test_program_files.c.
. "$srcdir/tests/cli/lib.sh"

# Marks of direction: embedding, isolate, mark; U+FEFF, and a character that XML does not allow.
marks=$(printf '\342\200\256\342\201\246\342\200\217\330\234\357\273\277\357\277\276')
# What a scenario accepts: a formula, XML, and these.
text="=1+hstl<b a='x'>&amp;]]>--$marks"
# The same and what it refuses: controls of C0, one of C1, both as a character and as a byte, DEL.
bad=$(printf '+1hstl<b "'"'"'>&]]>--\033[31m\a\302\233\233\177')$marks
line=$(printf 'a\nb')

mkdir "$bad"

# trace looks for valgrind before the program to run
mkdir "$TMPDIR/bin"
printf '#!/bin/sh\n' >"$TMPDIR/bin/valgrind"
chmod +x "$TMPDIR/bin/valgrind"
PATH=$TMPDIR/bin:$PATH
bench_scenario | awk -v text="$text" '
    /^title/ { $0 = "title = \"" text "\"" }
    /preset = amd/ { $0 = $0 "\nmodel = \"" text "\"" }
    { sub(/component\./, "&-hstl-"); sub(/wfs\./, "&-hstl-") }
    { print }' >"$bad/good.ini"
awk -v bad="$bad" '/^frame_rate/ { $0 = "frame_rate = " bad } { print }' "$bad/good.ini" >"$bad/bad.ini"
printf '[%s]\n%s = %s\n%s\n' "$bad" "$bad" "$bad" "$bad" >"$bad/worse.ini"
cp "$bad/good.ini" "$line.ini"
cp "$TESTDATA/apexmap_sample.csv" "$bad/good.csv"
printf 'alpha,l,ns\n%s,1,2\n' "$bad" >"$bad/bad.csv"
printf '1\n2\n%s\n' "$bad" >"$bad/latencies"
printf '1\n2\n5\n' >"$bad/good"
{
    echo "# cpu: $text"
    sed '1d; 40q' "$TESTDATA/state/aolag/machine.csv"
} >"$bad/machine.csv"
mkdir -p "$HOME/.local/state/aolag"
cp "$bad/machine.csv" "$HOME/.local/state/aolag"
awk -v text="$text" '{ gsub(/&/, "\\\\&", text) }
    { sub(/"title": "/, "&" text); sub(/"camera"/, "\"c" text "\""); print }' \
    "$TESTDATA/daolite/small.json" >"$bad/good.json"
printf '{"components": [{"type": "%s", "name": "%s"}]}' "$text" "$text" >"$bad/bad.json"
printf 'components:\n- {type: %s, %s: 1}\n' "$bad" "$bad" >"$bad/bad.yaml"
printf 'expect %s\n' "$bad" >"$bad/keys"
printf 'label %s\n' "$bad" >"$bad/label"
printf 'thread,phase\n%s,%s\n' "$bad" "$bad" >"$bad/trace.csv"
printf 'I  4000,3\n%s\n' "$bad" >"$bad/lackey"
printf 'phase,thread,kind,key,count\n%s,0,remote,4,1\n%s,0,lock,,5\n' "$text" "$text" >"$bad/program.csv"
printf '\n[component.other]\ntype = program\ntrace = "%s"\n' "trace.csv" |
    cat "$bad/good.ini" - >"$bad/program.ini"
mkdir -p "$HOME/.config/aolag/presets/ao" "$HOME/.config/aolag/presets/cpu"
cp "$bad/good.ini" "$HOME/.config/aolag/presets/ao/turned.ini"
printf '[device]\nkind = cpu\nmodel = "%s"\ncores = 4\n' "$text" >"$HOME/.config/aolag/presets/cpu/mine.ini"
printf '[device]\n; %s\n' "$bad" >"$HOME/.config/aolag/presets/cpu/worse.ini"

unsafe='[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]'
unsafe="$unsafe"'|\xd8\x9c|\xef\xbb\xbf|\xef\xbf[\xbe\xbf]'

"$AOLAG" search --over device.rtc=mine,amd-epyc-7742 "./$bad/good.ini" --shard 1/1 >"$bad/block"
printf 'text :set scenario.title=%s\nEnter\ntext :w %s\nscreen\nC-c\n7\n' "$bad" "$bad" >"$bad/shown"
grep -av screen "$bad/shown" >"$bad/typed"

# unsafe: prints lines of what was printed last that are not safe text
unsafe() {
    cat "$out" "$err" >both
    LC_ALL=C grep -anP "$unsafe" both | head -5 | cat -v
    iconv -f UTF-8 -t UTF-8 both 2>&1 >utf8
}

# refusing ROW: prints what reads the format of the last standard output says against it
refusing() {
    case $1 in
    *--json*) jq . "$out" 2>&1 >parsed ;;
    # a cell that begins with = + - @ and is no number
    *--csv*) grep -nE '(^|,)"?([=+@]|-[^0-9,"])' "$out" ;;
    *--text*) ;;
    'plot '* | *'--svg -'*) ! command -v xmllint >/dev/null || xmllint --noout --nonet "$out" 2>&1 ;;
    esac
}

# A line each of words after aolag; BAD is the hostile text.
while IFS= read -r row; do
    case $row in '' | '#'*) continue ;; esac
    set --
    for word in $row; do
        set -- "$@" "$(printf '%s' "$word" | LC_ALL=C awk -v bad="$bad" '
            { while ((i = index($0, "BAD")) > 0)
                  $0 = substr($0, 1, i - 1) bad substr($0, i + 3)
              printf "%s", $0 }')"
    done
    run "$@"
    wrong=$(unsafe)
    [ -n "$wrong" ] || [ "$status" -ne 0 ] || wrong=$(refusing "$row")
    [ -s both ] && [ "$status" -le 2 ] || wrong="status $status"
    is "$wrong" "" "$row"
    grep -q hstl both || echo "$row" >>plain
done <<'END'
sensor ./BAD/good.ini
sensor ./BAD/good.ini --csv
sensor ./BAD/good.ini --json
sensor ./BAD/good.ini --sensor BAD
eval ./BAD/good.ini
eval ./BAD/good.ini --json
eval ./BAD/good.ini --csv
eval ./BAD/good.ini --markdown
eval ./BAD/good.ini --set scenario.title=BAD
eval ./BAD/good.ini --set BAD=1
eval ./BAD/good.ini --set device.rtc.preset=BAD
eval ./BAD/bad.ini
eval ./BAD/worse.ini
eval ./BAD/program.ini
eval ./BAD/none.ini
eval BAD
eval turned
eval ./BAD/good.ini --set device.rtc.preset=worse
eval --BAD
eval --jitter BAD
eval ./BAD/good.ini --markdown -o BAD/no/report.md
calibrate ./BAD/good.ini --measured component.-hstl-slopes.busy=1us
calibrate ./BAD/good.ini --measured BAD
calibrate ./BAD/good.ini --measured component.-hstl-slopes.busy=1us --markdown
calibrate ./BAD/good.ini --run ./BAD/bad.csv
calibrate ./BAD/good.ini --from ./BAD/good.ini --json
check ./BAD/good.ini
check ./BAD/bad.ini
check ./BAD/worse.ini
check ./BAD
advise ./BAD/good.ini
advise ./BAD/good.ini --json
compare ./BAD/good.ini turned
compare ./BAD/good.ini saxo --json
compare ./BAD/good.ini saxo --markdown
compare ./BAD/good.ini ./BAD/bad.ini
explain latency ./BAD/good.ini
explain scenario.title ./BAD/good.ini
explain scenario.title ./BAD/good.ini --json
explain BAD ./BAD/good.ini
params --scenario ./BAD/good.ini
params --scenario ./BAD/good.ini --json
params BAD
plot machine memory
plot machine BAD
plot timeline ./BAD/good.ini
plot components ./BAD/good.ini
plot roofline ./BAD/good.ini
plot sensor ./BAD/good.ini
plot flow ./BAD/good.ini
plot loop ./BAD/good.ini
plot compare ./BAD/good.ini turned
plot program ./BAD/trace.csv ./BAD/good.ini
plot program ./BAD/program.csv ./BAD/good.ini
plot program ./BAD/program.csv ./BAD/good.ini --of phases --text
plot program ./BAD/program.csv --of BAD
plot sweep scenario.packets=10:50:4 ./BAD/good.ini
plot advise ./BAD/good.ini
plot BAD ./BAD/good.ini
plot timeline ./BAD/good.ini -o BAD/no/chart.svg
presets
presets list --json
presets list cpu --csv
presets list cpu --markdown
presets show mine
presets show turned --json
presets show BAD
rank cpu ./BAD/good.ini
rank cpu ./BAD/good.ini --json
rank cpu ./BAD/good.ini --csv
rank cpu ./BAD/good.ini --markdown
rank BAD ./BAD/good.ini
search --over device.rtc=mine,amd-epyc-7742 ./BAD/good.ini
search --over device.rtc=mine,amd-epyc-7742 ./BAD/good.ini --json
search --over device.rtc=mine,amd-epyc-7742 ./BAD/good.ini --csv --any-host
search --over device.rtc=mine,amd-epyc-7742 ./BAD/good.ini --markdown --why mine
search --over device.rtc=mine,amd-epyc-7742 ./BAD/good.ini --shard 1/2
search --over device.rtc=mine,amd-epyc-7742 ./BAD/good.ini --svg -
search --over device.rtc=mine,amd-epyc-7742 ./BAD/good.ini --svg BAD/no/front.svg
merge ./BAD/good.ini
merge ./BAD/block
merge ./BAD/block --csv
merge ./BAD/block --json
merge ./BAD/block --markdown
merge ./BAD/block --svg -
merge ./BAD/block --svg BAD/no/front.svg
search --over BAD=1 ./BAD/good.ini
search --over device.rtc=BAD ./BAD/good.ini
search --over device.rtc=mine --objective BAD ./BAD/good.ini
search --over device.rtc=mine --where BAD ./BAD/good.ini
search --over device.rtc=mine --why BAD ./BAD/good.ini
seek scenario.packets ./BAD/good.ini
seek scenario.packets ./BAD/good.ini --json
seek BAD ./BAD/good.ini
sweep device.rtc.preset=mine,amd-epyc-7742 ./BAD/good.ini
sweep scenario.title=BAD,b ./BAD/good.ini
sweep BAD=1,2 ./BAD/good.ini
sweep scenario.packets=1,2 ./BAD/good.ini --csv
sweep scenario.packets=1,2 ./BAD/good.ini --json
fit ./BAD/good.csv
fit ./BAD/good.csv --json
fit ./BAD/good.csv --markdown
fit ./BAD/good.csv ./BAD/good.csv
fit ./BAD/good.csv ./BAD/bad.csv
fit ./BAD/bad.csv
fit ./BAD/none.csv
fit ./BAD/good.csv --model BAD
export soapy ./BAD/good.ini
export BAD ./BAD/good.ini
import ./BAD/good.json
import ./BAD/good.json --host BAD
import ./BAD/good.json --compat
import ./BAD/good.json --json
import ./BAD/good.json --csv
import ./BAD/good.json --markdown
import ./BAD/bad.json
import ./BAD/bad.yaml
import ./BAD/none.json
import ./BAD/good.json -o BAD/no/it.ini
trace --from ./BAD/latencies -o -
trace --from ./BAD/lackey -o -
trace --cache BAD -o x -- true
trace -o x -- BAD
trace -o x -- ./BAD/none
trace -o BAD/no/x --from ./BAD/lackey
jitter ./BAD/latencies
jitter ./BAD/latencies --unit BAD
jitter ./BAD/none
jitter ./BAD/good --csv
jitter ./BAD/good --json
jitter ./BAD/good --markdown
flow ./BAD/good.ini
flow ./BAD/good.ini --csv
flow ./BAD/good.ini --json
flow ./BAD/good.ini --markdown
flow ./BAD/good.ini --set telemetry.host=BAD
run ./BAD/good.ini --frames 20
run ./BAD/good.ini --frames 20 --csv
run ./BAD/good.ini --frames 20 --json
run ./BAD/good.ini --frames 20 --markdown
run ./BAD/good.ini --as BAD
run ./BAD/good.ini --peer BAD
run ./BAD/good.ini --outside BAD
loop ./BAD/good.ini
loop ./BAD/good.ini --csv
loop ./BAD/good.ini --json
loop ./BAD/good.ini --markdown
loop --set ao.vibrations=BAD
loop --set ao.vibrations=48:BAD:20
help BAD
validate --BAD
validate --pipelines --json
validate --pipelines --csv
validate --pipelines --markdown
probe BAD
probe --from ./BAD/machine.csv
probe --from ./BAD/machine.csv --csv
probe --from ./BAD/machine.csv --json
probe --from ./BAD/machine.csv --markdown
screen ./BAD/good.ini
screen ./BAD/good.ini --keys ./BAD/keys
screen ./BAD/good.ini --keys ./BAD/label
screen ./BAD/good.ini --keys ./BAD/shown
screen ./BAD/good.ini --keys ./BAD/typed --svg -
screen ./BAD/good.ini --keys ./BAD/none
screen ./BAD/good.ini --size BAD
screen ./BAD/good.ini --svg ./BAD/no/screen.svg
screen ./BAD/bad.ini
BAD
BAD BAD
END

printf 'preset,price\n%s,1\nmine,%s\n' "$bad" "$bad" >"$HOME/.config/aolag/prices.csv"
run eval "./$bad/good.ini"
is "$(unsafe)" "" "a file of prices"
is "$status $(grep -c 'prices.csv:2: .*hstl' "$err")" "1 1" "is refused"
rm "$HOME/.config/aolag/prices.csv"

"$AOLAG" eval "./$line.ini" --set BAD=1 >"$out" 2>"$err"
"$AOLAG" check "./$line.ini" >"$out" 2>"$err"
is "$(wc -l <"$err")" 1 "a line end in a name begins no line"

succeeds "a picture of the screen" "$AOLAG" screen "./$bad/good.ini" --svg screen.svg
is "$(LC_ALL=C grep -caP "$unsafe" screen.svg)" 0 "has none of it"
succeeds "a report with pictures" "$AOLAG" eval "./$bad/good.ini" --markdown -o "$bad/report.md"
is "$(LC_ALL=C grep -caP "$unsafe" "$bad/report.md" "$bad/report-timeline.svg" | grep -cv ':0$')" 0 \
    "has none of it"

# A row that shows nothing of it tries nothing: numbers and words of the program alone, and refusals of a text.
cat >numbers <<'END'
sensor ./BAD/good.ini --csv
eval ./BAD/good.ini --set device.rtc.preset=worse
rank cpu ./BAD/good.ini
rank cpu ./BAD/good.ini --markdown
sweep scenario.title=BAD,b ./BAD/good.ini
jitter ./BAD/good --csv
flow ./BAD/good.ini --csv
loop ./BAD/good.ini --csv
validate --pipelines --json
validate --pipelines --csv
validate --pipelines --markdown
END
is "$(cat plain)" "$(cat numbers)" "all others show some of it"
command -v xmllint >/dev/null || skip "XML" "there is no xmllint"

# Every command, each of its formats and every kind of chart is in the table.
{
    "$AOLAG" --help | sed -n 's/^  \([a-z]\{3,\}\)  *[A-Z].*/\1/p' | while read -r command; do
        echo "$command"
        "$AOLAG" help "$command" | sed -n "s/^ *\(--json\|--csv\|--markdown\)  .*/$command .*\1/p"
    done
    "$AOLAG" plot none 2>&1 | sed -n 's/,//g; s/.*one of //p' | tr ' ' '\n' | sed 's/^/plot /'
} >rows
while IFS= read -r row; do
    grep -q "^$row\( \|$\)" "$srcdir/tests/cli/hostile.sh" || echo "$row"
done <rows >missing
is "$(cat missing)" "" "every command is tried"
is "$(grep -cx 'screen\|eval .*--json\|plot sweep' rows)" 3 "with its formats and kinds of charts"

finish
