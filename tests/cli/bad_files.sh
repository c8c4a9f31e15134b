#!/bin/sh
# Every command with every kind of bad file, where it takes one: it ends with a message, in which the name of
# the file stands once.
. "$srcdir/tests/cli/lib.sh"

cat >rows <<'END'
FILE
advise FILE
calibrate FILE --measured latency=1ms
calibrate --run FILE
check FILE
compare FILE saxo
compare saxo FILE
sensor FILE
eval FILE
eval saxo --set wfs.ngs.agenda=FILE
eval saxo --set wfs.ngs.mask=FILE
eval saxo --set wfs.ngs.readout_map=FILE
explain latency FILE
fit FILE
flow FILE
import FILE
import resources.json
jitter FILE
jitter FILE --preset amd-epyc-7742 -o -
loop FILE
merge FILE
params --scenario FILE
plot timeline FILE
plot compare FILE saxo
plot sweep scenario.packets=1,2 FILE
plot program FILE elt-scao
probe --from FILE
rank cpu FILE
run FILE
screen FILE
screen saxo --keys FILE
search --over scenario.packets=1,2 FILE
seek scenario.packets FILE --until load<=1
sweep scenario.packets=1,2 FILE
trace --from FILE -o -
validate --kernels --from FILE
eval agenda.ini
check mask.ini
eval map.ini
check trace.ini
END
cat >own <<'END'
presets/cpu/mine.ini eval device.ini
presets/cpu/mine.ini check device.ini
presets/cpu/mine.ini rank cpu elt-scao
presets/cpu/mine.ini presets show mine
presets/cpu/mine.ini presets list
presets/ao/system.ini eval system
presets/ao/system.ini presets list
prices.csv eval saxo
prices.csv presets list
END
"$AOLAG" presets show saxo >saxo.ini
"$AOLAG" presets show elt-scao | sed 's/^preset = amd.*/preset = mine/' >device.ini
mkdir -p config/aolag/presets/cpu config/aolag/presets/ao
XDG_CONFIG_HOME=$PWD/config
export XDG_CONFIG_HOME

# Makes scenarios and a pipeline that name FILE.
name_file() {
    sed "s|^\[wfs.*|&\nagenda = $1|" saxo.ini >agenda.ini
    sed "s|^\[wfs.*|&\nmask = $1|" saxo.ini >mask.ini
    sed "s|^\[wfs.*|&\nreadout_map = $1|" saxo.ini >map.ini
    sed "s|^\[component.control\]|[component.p]\ntype = program\ntrace = $1\n&|" saxo.ini >trace.ini
    printf '{"components": [{"name": "a", "type": "Camera", "compute": "%s"}]}\n' "$1" >resources.json
}

# complaints FILE MESSAGES STATUS: what is wrong with the messages about a file
complaints() {
    awk -v file="$1" -v status="$3" -v words="$words" '
        { line = $0; names = gsub(file, "&", line); named += names > 0 }
        names > 1 { print words ": " line }
        END { if (status >= 124) print words ": status " status
              if (status != 0 && !named) print words ": does not name it: " line }' "$2"
}

# try FILE: complaints about all commands, given it as an argument, by a scenario or as the user's own
try() {
    name_file "$1"
    while read -r words; do
        run $(echo "$words" | sed "s|FILE|$1|")
        cat "$out" >>"$err"
        complaints "$1" "$err" "$status"
    done <rows
    [ -e "$1" ] || [ -L "$1" ] || return
    while read -r place words; do
        mv "$1" "config/aolag/$place" # an unreadable one cannot be copied
        run $words
        cat "$out" >>"$err"
        complaints "$place" "$err" "$status"
        [ "$status" -ne 0 ] || echo "$words: succeeds"
        run --version
        [ "$status" -eq 0 ] || echo "--version: $(cat "$err")"
        mv "config/aolag/$place" "$1"
    done <own
}

mkdir folder-zq
ln -s nowhere dangling-zq
ln -s loop-zq loop-zq
ln -s /dev/zero device-zq
: >empty-zq
head -c 3000 /dev/zero | tr '\0' '\377' >binary-zq
truncate -s 40M large-zq
is "$(try missing-zq.ini)" "" "a missing file"
is "$(try folder-zq)" "" "a folder"
is "$(try binary-zq)" "" "bytes that are no text"
for place in presets/cpu/mine.ini presets/ao/system.ini prices.csv; do
    cp binary-zq "config/aolag/$place"
done
for words in --version help "help eval" "sensor saxo" "plot timeline saxo" \
    "presets show saxo" "trace --from $TESTDATA/lackey.txt -o -" "validate --pipelines"; do
    good "no files of the user stop $words" $words
done
succeeds "nor check" "$AOLAG" check saxo.ini
mkdir -p other/aolag
: >other/aolag/presets
XDG_CONFIG_HOME=$PWD/other "$AOLAG" presets list cpu >"$out" 2>"$err"
is "$(cat "$err")" "aolag: cannot open $PWD/other/aolag/presets: Not a directory" "a file in place of presets"
rm "$PWD"/config/aolag/presets/*/*.ini config/aolag/prices.csv
if ! sanitized; then
    is "$(try empty-zq/x)" "" "a file in place of a folder"
    is "$(try dangling-zq)" "" "a link that leads nowhere"
    is "$(try loop-zq)" "" "a link to itself"
    is "$(try device-zq)" "" "a device that never ends"
    is "$(try large-zq)" "" "a large file"
fi
if [ "$(id -u)" -ne 0 ]; then
    : >secret-zq
    chmod 0 secret-zq
    is "$(try secret-zq)" "" "an unreadable file"
else
    skip "an unreadable file" "root reads everything"
fi

# Nothing waits for ever for a pipe that nothing writes to; all wait at the same time.
mkfifo pipe-zq
name_file pipe-zq
number=0
while read -r words; do
    number=$((number + 1))
    (
        timeout 600 "$AOLAG" $(echo "$words" | sed 's|FILE|pipe-zq|') >pipe.$number 2>&1 </dev/null
        echo $? >status.$number
    ) &
done <rows
mkfifo late-zq
exec 9<>late-zq # until the reader has begun, which more than fits into a pipe shows
(
    sleep 3 # longer than a pipe may lack a writer
    head -c 100000 /dev/zero | tr '\0' '\n'
    cat saxo.ini
) >&9 &
exec 9>&-
"$AOLAG" sensor ./late-zq >late 2>&1
wait
"$AOLAG" sensor saxo.ini >early
succeeds "a pipe whose writer takes its time is read" cmp late early
is "$(true | "$AOLAG" eval /dev/stdin 2>&1 | cut -d ';' -f 1)" "aolag: /dev/stdin: no components" \
    "a pipe without a name, whose writer has ended"
number=0
is "$(while read -r words; do
    number=$((number + 1))
    complaints pipe-zq pipe.$number "$(cat status.$number)"
done <rows)" "" "a pipe that nothing writes to"
is "$(cat pipe.9)" "aolag: pipe-zq: is a pipe that nothing writes to" "what it says"

finish
