# Where the text of a scenario comes from, and how iniparser, which only loads files by their path, gets it.
. "$srcdir/tests/cli/lib.sh"

bench_scenario >bench.ini
"$AOLAG" eval ./bench.ini --csv >expected

# same NAME: the report is that of the file
same() {
    is "$status $(cat "$err")" "0 " "$1"
    is "$(cat "$out")" "$(cat expected)" "$1: the report"
}

run eval - --csv <bench.ini
same "standard input"
cat bench.ini | "$AOLAG" eval - --csv >"$out" 2>"$err"
status=$?
same "a pipe as standard input"
mkfifo fifo
cat bench.ini >fifo &
run eval ./fifo --csv
same "a pipe with a name"
bash -c '"$AOLAG" eval <(cat bench.ini) --csv' >"$out" 2>"$err"
status=$?
same "process substitution"

# more than a pipe holds, of lines that end in a comment
rest=$(printf '%900s' '' | tr ' ' x)
sed "/=/s/\$/ ; $rest/" bench.ini >long.ini
for section in 1 2 3 4 5; do
    printf '[device.d%s]\n' $section
    "$AOLAG" presets show amd-epyc-7742 | grep -E '^[a-z0-9_]+ *=' | grep -v ';' | sed "s/\$/ ; $rest/"
done >>long.ini
is "$(($(wc -c <long.ini) > 65536))" 1 "a long text"
run eval - --csv <long.ini
same "is read from standard input"
(ulimit -n 4 && exec "$AOLAG" eval ./long.ini --csv) >"$out" 2>"$err" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
status=$?
same "and with one descriptor"

# A temporary file where there is no pipe.
few() {
    (
        exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
        ulimit -n 4
        exec "$@"
    ) >"$out" 2>"$err"
    status=$?
}
few "$AOLAG" eval ./bench.ini --csv
same "one descriptor"
is "$(find "$TMPDIR" -name 'aolag-*')" "" "and no file remains"
few env TMPDIR="$PWD/nowhere" "$AOLAG" eval ./bench.ini --csv
is "$status $(cat "$err")" "1 aolag: ./bench.ini: iniparser cannot read it by way of a file in $PWD/nowhere: No \
such file or directory" "no folder for it is one sentence"
few env TMPDIR="$PWD/nowhere" "$AOLAG" eval saxo
is "$status $(cat "$err")" "0 " "which presets of the program do not need"

# What a line cannot state is no value either.
bad 2 "text cannot contain a backslash and also ; or #, a quote at its start, or a blank at an end" \
    "a backslash and a semicolon" eval bench.ini --set 'scenario.title=a\b;c'
good "a backslash" eval bench.ini --set 'scenario.title=a\b'

plain_only "without /proc" # which the leak sanitizer needs
as_root=-r
[ "$(id -u)" -ne 0 ] || as_root=
no_proc() {
    unshare $as_root -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@" >"$out" 2>"$err"
    status=$?
}
no_proc true
if [ "$status" -eq 0 ]; then
    no_proc "$AOLAG" eval ./bench.ini --csv
    same "without /proc"
    no_proc sh -c 'cat long.ini | "$AOLAG" eval - --csv'
    same "a pipe without /proc"
    no_proc env TMPDIR="$PWD/nowhere" "$AOLAG" eval ./bench.ini
    is "$status $(wc -l <"$err")" "1 1" "without either is one sentence"
else
    skip "without /proc" "$(head -n 1 "$err")"
fi
finish
