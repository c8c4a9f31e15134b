# aolag trace: traces of programs by valgrind, and of what it printed before.
. "$srcdir/tests/cli/lib.sh"

good "of a file" trace --from "$TESTDATA/lackey.txt" -o -
has "start,0,remote,0,2" "its rows"
cp "$out" there.csv
good "a trace that can be read" plot program there.csv elt-scao --text
"$AOLAG" trace --from - -o here.csv <"$TESTDATA/lackey.txt"
is "$(sed 1d here.csv)" "$(sed 1d there.csv)" "of standard input, to a file"
bad 1 "none: No such file" "no file" trace --from none -o -
printf 'I am no trace\n' >text
bad 1 "text: no instructions as lackey prints them" "another file" trace --from text -o -
bad 1 "/dev/zero: " "a device without end" trace --from /dev/zero -o -
"$AOLAG" trace --from - -o - </dev/zero >"$out" 2>"$err"
is "$? $(cat "$err")" "1 aolag: standard input: no instructions as lackey prints them" "text without end"
bad 2 "a COMMAND is missing" "nothing to run" trace -o x.csv
bad 2 "--output is missing" "nowhere to write to" trace -- true
bad 2 "--from runs no command" "both" trace --from text -o x.csv -- true
bad 2 "--cache 1B is out of range; allowed: 1 KiB to 1 GiB" "a small cache" trace --cache 1B -o x.csv -- true
bad 2 "--cache 3s: " "another unit" trace --cache 3s -o x.csv -- true

# 40 KiB, passed over 100 times, come from an L2 cache, and go back there if they were stored to.
cat >stream.ini <<X
[scenario]
format = 1
[wfs.ngs]
subaps_across = 10
[device.here]
l1 = 4 KiB
l2 = 1 MiB
l2_bandwidth = 1 GB/s
[component.camera]
type = camera
[component.p]
type = program
trace = stream.csv
X
stream_time() {
    awk -v how="$1" 'BEGIN { for (i = 0; i < 64000; i++) printf "I  4000,3\n %s %x,8\n", how, 65536 + 64 * (i % 640) }' |
        "$AOLAG" trace --from - -o stream.csv
    "$AOLAG" eval stream.ini --json | jq '.programs[0].phases[0].time_us'
}
is "$(echo "$(stream_time L) $(stream_time S)" | awk '{ print ($1 > 4050 && $1 < 4060), ($2 / $1 > 1.99 && $2 / $1 < 2.01) }')" \
    "1 1" "stored lines move twice"

# 100 references that wait for each other, and prefetches. What they fetch is not known: both times are stated.
chase=$(printf 'a,0,%s\n' instr,load,100 remote,0,100 chain,remote,100)
prefetched() {
    printf 'phase,thread,kind,key,count\n%s\na,0,prefetch,,%s\n' "$chase" "$1" >stream.csv
    good "$2" eval stream.ini --json
}
prefetched 0 "no prefetches"
holds '.programs[0].phases[0] | .prefetches == 0 and .prefetched_time_us == .time_us' "change no time"
without=$(jq '.programs[0].phases[0].time_us' "$out")
prefetched 80 "prefetches of most references"
holds ".programs[0].phases[0] | .prefetches == 80 and .time_us == $without and
    (.prefetched_time_us / .time_us | . > 0.2 and . < 0.25)" "leave a fifth of the chain"
good "in words" eval stream.ini
has "p executes 80" "prefetches are counted"
has "which counts" "and the time that counts is said"

mkdir bin
if [ "$(uname -m)" != x86_64 ]; then
    skip "the rest" "x86-64 only"
    finish
fi
PATH=$PWD/bin "$AOLAG" trace -o x.csv -- true >"$out" 2>"$err"
is "$? $(cut -c 1-76 "$err")" "1 aolag: valgrind is not installed, and its tool lackey makes the trace, with " \
    "without valgrind"

mkdir nothing
for version in 4 5 6; do
    : >nothing/libcapstone.so.$version
done
LD_LIBRARY_PATH=$PWD/nothing "$AOLAG" trace -o x.csv -- true >"$out" 2>"$err"
is "$? $(sed 's/so\.[0-9]*/so/' "$err")" "1 aolag: cannot decode instructions: the library libcapstone.so \
is not installed (Debian: libcapstone-dev)" "without Capstone"
LD_LIBRARY_PATH=$PWD/nothing good "what lackey printed needs none" trace --from "$TESTDATA/lackey.txt" -o -

# A stand-in that prints what lackey would, runs nothing, and has no code to be read at these addresses.
# It fails with a server for gdb, as valgrind does where a limit forbids files.
printf '#!/bin/sh\n[ "${*#*--vgdb=no}" != "$*" ] || exit 1\ncat "%s" >&9\necho printed\nexit ${STATUS-0}\n' \
    "$TESTDATA/lackey.txt" >bin/valgrind
chmod +x bin/valgrind
real=$PATH
PATH=$PWD/bin:$PATH
bad 1 "cannot run ./it: No such file or directory" "no program" trace -o x.csv -- ./it
# or "Permission denied", where a folder of PATH is closed to the user
bad 1 "cannot run nosuch: " "none of PATH" trace -o x.csv -- nosuch
bad 1 "cannot run ./bin: Is a directory" "a directory" trace -o x.csv -- ./bin
: >it
bad 1 "cannot run ./it: Permission denied" "no program" trace -o x.csv -- ./it
chmod +x it
run trace -o stand-in.csv -- ./it 1 2
is "$status $(cat "$out" "$err")" "0 printed" "the program's output is its own"
is "$(sed 1d stand-in.csv)" "$(sed 1d there.csv)" "what comes through the pipe"
is "$(head -n 1 stand-in.csv)" "# Traced: ./it 1 2" "the command is named"
STATUS=3
export STATUS
run trace -o failed.csv -- ./it
is "$status $(cat "$err")" "1 aolag: the program ended with status 3" "a program that fails"
is "$(sed 1d failed.csv)" "$(sed 1d there.csv)" "is traced as far as it went"
printf '#!/bin/sh\nexit $STATUS\n' >bin/valgrind
bad 1 "aolag: valgrind ended with status 3 before an instruction" "valgrind that fails" trace -o none.csv -- ./it
printf '#!/bin/sh\nkill -KILL $$\n' >bin/valgrind
bad 1 "aolag: valgrind was ended by signal 9 before an instruction" "and is ended" trace -o none.csv -- ./it
unset STATUS
PATH=$real

traced=$(dirname "$AOLAG")/tests/traced
if ! valgrind --tool=lackey --log-file=log true 2>/dev/null; then
    skip "the kernels" "there is no valgrind"
    finish
fi
if sanitized; then
    skip "the kernels" "valgrind runs no program that has a sanitizer"
    finish
fi
# 64 x 64 elements of 4 B in 8 registers' width are 512 products; the matrix, 16 KiB, is read twice from a
# cache of 1 KiB and once into one of 1 MiB, before phase 1.
run trace --cache 1KiB -o small.csv -- "$traced" mvm 64 64 1
is "$status" 0 "a kernel"
run trace --cache 1MiB -o large.csv -- "$traced" mvm 64 64 1
is "$status" 0 "with a cache that holds its matrix"
bytes() {
    awk -F, '$1 == "phase-1" && $3 == "bytes" { n += $5 } $1 == "phase-1" && $3 == "remote" { n += 64 * $5 } END { print n + 0 }' "$1"
}
is "$(awk -v n="$(bytes small.csv)" 'BEGIN { print (n >= 16384 && n <= 40000) }')" 1 "the matrix comes from memory: $(bytes small.csv) B"
is "$(awk -v n="$(bytes large.csv)" 'BEGIN { print (n <= 256) }')" 1 "or does not: $(bytes large.csv) B"
is "$(awk -F, '$1 == "phase-1" && $4 ~ /^(simd|fma|fp)$/ { n += $5 } END { print (n >= 512 && n <= 2 * 64 * 64) }' large.csv)" 1 \
    "products are counted"
# Instructions whose accesses valgrind or lackey loses, splits or repeats; the program says what it executes.
"$AOLAG" trace --cache 8MiB -o accesses.csv -- "$traced"_accesses >accesses 2>"$err"
is "$? $(cat "$err") $(grep -c '; [0-9]* instructions, 0 of unknown class' accesses.csv)" "0  1" "all code is read"
awk -F, '
    $3 == "bytes" { lines[$1] += $5 / 64 }
    $3 == "remote" { lines[$1] += $5 }
    $3 == "instr" { instructions[$1] += $5 }
    $3 == "prefetch" { prefetches[$1] += $5 }
    END {
        while ((getline row < "accesses") > 0) {
            split(row, word, " ")
            sub(/^[^ ]* [^ ]* [^ ]* [^ ]* /, "", row)
            print word[1], lines[word[1]] + 0, instructions[word[1]] + 0, prefetches[word[1]] + 0, row
        }
    }' accesses.csv >counted
while read -r expected <&3 && read -r actual <&4; do
    is "$actual" "$expected" "lines, instructions and prefetches of ${expected#* * * * }"
done 3<accesses 4<counted
good "the kernel in a picture" plot program large.csv elt-scao --of phases --text
has "phase-1" "has its phase"

good "the help" trace --help
has "aolag trace [OPTION]... -- COMMAND [ARGUMENT...]" "options stand before the program"

finish
