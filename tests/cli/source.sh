# Which scenario an operand is: a file, an AO preset, standard input, the default.
. "$srcdir/tests/cli/lib.sh"

title() {
    run eval --json "$@"
    jq -r .title "$out"
}

mkdir folder
bench_scenario >mine.ini
bench_scenario | sed 's/a small bench/shadow/' >saxo
cp saxo eval
cp saxo plain
cp saxo folder/there

is "$(title)" "ELT MICADO SCAO, pyramid" "the default"
is "$(title mine.ini)" "a small bench" "ends in .ini"
is "$(title folder/there)" shadow "holds a /"
is "$(title ./saxo)" shadow "a file that is named like a preset"
is "$(title saxo | cut -c1-3)" VLT "a preset that is named like a file"
is "$(title plain)" shadow "a file without either"
is "$(title - <mine.ini)" "a small bench" "standard input"
is "$(title -- -- <mine.ini 2>&1)" "" "-- is no scenario"
is "$(cat mine.ini | title /dev/stdin)" "a small bench" "standard input by its name"
mkfifo pipe
exec 9<>pipe # until the reader has begun, which more than fits into a pipe shows
(
    head -c 100000 /dev/zero | tr '\0' '\n'
    cat mine.ini
) >&9 &
exec 9>&-
is "$(title ./pipe)" "a small bench" "a pipe"
kill $! 2>"$err" # waits for a reader that did not come
wait
is "$(sed 's/^packets.*/packets = x/' mine.ini | "$AOLAG" eval /dev/stdin 2>&1 | cut -d: -f1-2)" \
    /dev/stdin:5 "what is wrong with it"
run eval - </dev/null
is "$status" 1 "an empty standard input"

run eval
cp "$out" report
run eval micado-scao
succeeds "the default is micado-scao" cmp report "$out"

run ./eval
has shadow "./eval is a file"
run -- eval
has shadow "-- eval is a file"
good "eval is the command" eval
lacks shadow "eval is the command, not the file"

bad 1 "did you mean the file mine.ini?" "an unknown file" eval min.ini
bad 1 "did you mean the file ./mine.ini?" "an unknown file in a folder" eval ./min.ini
bad 1 "is the preset of a device" "a device's preset" eval amd-epyc-9654
bad 1 "is a directory" "a directory" eval ./folder
bad 1 'no file "folder/x/y"' "an unknown folder" eval folder/x/y
sed 's/^packets.*/packets = x/' mine.ini >bad.ini
bad 1 "bad.ini:5: " "a bad file, with its line" eval bad.ini
sed 's/^type = centroid/&\nafter = control/' mine.ini >cycle.ini
line=$(grep -n '^after' cycle.ini | cut -d: -f1)
bad 1 "cycle.ini:$line: component.slopes.after: a cycle" "a design without meaning" eval cycle.ini
bad 1 "cycle.ini:$line: component.slopes.after: a cycle" "in the report" cycle.ini
bad 1 "cycle.ini:$line: component.slopes.after: a cycle" "where --set sets another key" \
    eval cycle.ini --set ao.modes=3
bad 1 "aolag: component.slopes.after: a cycle" "without a line where --set sets the key" \
    eval mine.ini --set component.slopes.after=control
run eval - <cycle.ini
succeeds "standard input" grep -q "^standard input:$line: component.slopes.after: " "$err"
sed 's/^packets.*/packets = x/; s/^type = dm/type = dmm/' mine.ini >worse.ini
run eval - <worse.ini
is "$status $(wc -l <"$err" | tr -d ' ')" "1 2" "all problems of standard input"
succeeds "are named so" grep -q '^standard input:5: ' "$err"
head -c 1200000 /dev/zero | tr '\0' '#' >large.ini
bad 1 "aolag: large.ini: is larger than 1024 KiB, the limit" "a large file" eval large.ini
run eval - <large.ini
is "$(cat "$err")" "aolag: standard input: is larger than 1024 KiB, the limit" \
    "the same of standard input"

# Wrong usage is reported before a scenario that cannot be opened.
bad 2 "join conditions by a comma" "seek" seek device.rtc.cores nosuch.ini --until 'load<=1' --until 'load<=2'

ln -s nowhere.ini dangling
bad 1 "cannot open dangling: it is a link to nowhere.ini, which does not exist" \
    "a link that leads nowhere" eval dangling
bad 1 "cannot open dangling: it is a link to nowhere.ini, which does not exist" "of keys" \
    screen --keys dangling
bad 1 "cannot open dangling: it is a link to nowhere.ini, which does not exist" "of a trace" \
    trace --from dangling -o -
ln -s nowhere/it.svg far.svg
bad 1 "far.svg: it is a link to ./nowhere/it.svg, which does not exist: its directory cannot be opened: No such" \
    "of an output" plot timeline -o far.svg
"$AOLAG" plot timeline -o one.svg
ln one.svg two.svg
run plot timeline -o one.svg
is "$status $(cat "$err")" "0 aolag: note: one.svg: 1 other name of the file keeps the old contents" \
    "a hard link that is not kept is named"

finish
