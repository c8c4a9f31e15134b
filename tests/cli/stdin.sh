# Standard input: every operand and option that may be -, with nothing, nothing open, a directory and noise
# there; and no other may be -.
. "$srcdir/tests/cli/lib.sh"

bench_scenario >bench.ini
cp "$srcdir/data/traces/mvm-two-sockets.csv" trace.csv
printf '\377\000\033[31m no text\n=1,\302\n' >noise
: >keys

# The words of every operand and option that may be -, after its command and its name there; `empty`: nothing
# is a design without components, which these accept.
cat >rows <<'END'
aolag DESIGN | -
advise DESIGN | advise -
calibrate DESIGN | calibrate --measured latency=50us -
calibrate --run | calibrate bench --run -
compare --file | compare -f - bench
compare A | compare - bench
compare B | compare bench -
sensor DESIGN | sensor -
eval DESIGN | eval -
explain DESIGN | explain latency -
export DESIGN | export soapy -
fit FILE | fit -
flow DESIGN | flow -
import FILE | import -
jitter FILE | jitter -
loop DESIGN | loop -
merge FILE | merge -
params DESIGN | params - | empty
params --scenario | params --scenario - | empty
plot DESIGN | plot timeline -
plot A | plot compare - bench
plot B | plot compare bench -
plot TRACE | plot program - bench
probe --from | probe --from -
validate --from | validate --kernels --from -
rank DESIGN | rank cpu -
run DESIGN | run -
screen DESIGN | screen - | empty
screen --keys | screen bench --keys - | empty
search DESIGN | search --over device.rtc.cores=1,2 -
seek DESIGN | seek scenario.packets -
sweep DESIGN | sweep scenario.packets=1,2 -
trace --from | trace --from - -o -
END
sed -n 's/^\([a-z]*\) DESIGN | \(.*\)-\( | empty\)\{0,1\}$/\1 --file | \2-f -\3/p' rows >files
cat files >>rows

# refused NAME WORDS...: one sentence that names standard input, and a status
refused() {
    name=$1
    shift
    [ "$status" -ge 1 ] && [ "$status" -le 2 ] && [ "$(wc -l <"$err")" -eq 1 ] &&
        [ "$(grep -o 'standard input' "$err" | wc -l)" -eq 1 ] && pass "$name" ||
        fail "$name" "aolag $*
$(shown)"
}

while IFS='|' read -r what words empty; do
    set -- $(printf '%s' "$words" | sed "s|bench|./bench.ini|")
    run "$@" <&-
    refused "$what, closed" "$@"
    run "$@" </
    refused "$what, a directory" "$@"
    run "$@" <noise
    refused "$what, noise" "$@"
    run "$@" </dev/null
    if [ -n "$empty" ]; then
        is "$status $(cat "$err")" "0 " "$what, nothing"
    else
        refused "$what, nothing" "$@"
    fi
done <rows

# What the synopses say. Placeholders of files and designs, each with |- or without.
{
    "$AOLAG" help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'
    echo aolag
} | while read -r command; do
    set -- help "$command"
    [ "$command" != aolag ] || set -- --help
    "$AOLAG" "$@" | awk -v command="$command" '
        /^Usage: |^   or: / {
            for (i = 3; i <= NF; i++) {
                gsub(/[][]|\.\.\./, "", $i)
                if ($i ~ /^(FILE|DESIGN|A|B|TRACE)(\|-)?$/ && $(i - 1) !~ /^--/)
                    print command, $i
            }
        }
        match($0, /--[a-z]+ (FILE|DESIGN)(\|-)?( |$)/) && !/^(Usage|   or)/ {
            split(substr($0, RSTART), word, " ")
            print command, word[1], word[2]
        }'
done >stated
is "$(sed -n 's/|-$//p' stated | grep -vE -e '--(output|svg) ' | sed 's/\(--[a-z]*\) .*/\1/' | sort -u)" \
    "$(sed 's/ |.*//' rows | sort -u)" "these are all that a synopsis states"
is "$(grep -v '|-$' stated | sort)" "calibrate --from FILE
check --file FILE
check FILE
run --output FILE" "files that may not be -"
bad 2 "aolag check: - is no file" "which is refused" check - <bench.ini

# - as an output is standard output
grep -E -e '--(output|svg) ' stated >outputs
is "$(grep -v '|-$' outputs)" "run --output FILE" "every output may be -, but that of a run, beside its report"
run eval saxo --markdown -o -
has "# " "a report"
"$AOLAG" search --over device.rtc.units=1,2 saxo --shard 1/1 >block
for words in "merge block --svg -" "import $TESTDATA/daolite/small.json -o -" "plot timeline saxo -o -" \
    "jitter $TESTDATA/latencies.txt --preset amd-epyc-7742 -o -" "trace --from $TESTDATA/lackey.txt -o -" \
    "screen saxo --svg -" "search --over device.rtc.units=1,2 saxo --svg -" "export tiptop saxo -o -" \
    "calibrate elt-scao --measured latency=65us -o -"; do
    run $words
    is "$status $([ -s "$out" ] && echo printed) $(ls ./-* 2>&1 >/dev/null | wc -l)" "0 printed 1" "$words"
done
is "$(cut -d ' ' -f 1 outputs | sort | tr '\n' ' ')" "calibrate eval export import jitter merge plot run screen search trace " "these are all"

# What cannot be written is refused before any work: a missing input is not noticed, no program runs.
mkfifo fifo
for words in "merge none --svg" "import none -o" "plot timeline ./none -o" "jitter none --preset amd-epyc-7742 -o" \
    "screen ./none --svg" "search --over device.rtc.units=1,2 ./none --svg" "eval ./none --markdown -o" "export soapy ./none -o"; do
    bad 1 "aolag: fifo: is a pipe, not a regular file" "a pipe: $words" $words fifo
    bad 1 "aolag: no/x: its directory cannot be opened: No such file or directory" "no directory: $words" $words no/x
done
bad 1 "aolag: fifo: is a pipe, not a regular file" "a pipe: trace" trace -o fifo -- touch ran
is "$(ls ran 2>&1 >/dev/null | wc -l)" 1 "no program ran"

# An output that is an input, also by another name, is not replaced.
ln -s bench.ini link.ini
cp "$TESTDATA/daolite/small.json" p.json
cp "$TESTDATA/lackey.txt" lackey
sum=$(cat bench.ini p.json lackey block | cksum)
while read -r words; do
    bad 2 "${words##* }: the command reads that file" "$words" $words
done <<'END'
eval ./bench.ini --markdown -o bench.ini
eval bench.ini --markdown -o link.ini
plot timeline ./link.ini -o bench.ini
export soapy bench.ini -o link.ini
plot compare saxo bench.ini -o bench.ini
screen bench.ini --svg bench.ini
search --over device.rtc.cores=1,2 bench.ini --svg bench.ini
merge block --svg block
import p.json --force -o p.json
trace --from lackey -o lackey
screen saxo --keys lackey --svg lackey
END
is "$(cat bench.ini p.json lackey block | cksum)" "$sum" "all are as they were"
"$AOLAG" plot timeline saxo -o timeline
succeeds "the name of a kind of chart is no input" "$AOLAG" plot timeline saxo -o timeline

# Standard input is read once.
while read -r words; do
    bad 2 "only one input can be standard input" "$words" $words <bench.ini
done <<'END'
compare - -
fit - -
merge - -
plot compare - -
plot program - -
screen - --keys -
END
run trace -o - -- echo - -
lacks "only one input" "words of another program"

finish
