# make install and make uninstall.
. "$srcdir/tests/tap.sh"

build=$(dirname "$AOLAG")
if [ ! -e "$build/Makefile" ]; then
    skip "an installation" "there is no build tree beside $AOLAG"
    finish
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
to=$TMPDIR/to

succeeds "make install" make -C "$build" install prefix=/usr DESTDIR="$to"
is "$(find "$to" -name planet.ini | wc -l)" 1 "installs the files of the tutorial"
is "$("$to/usr/bin/aolag" eval "$(find "$to" -name local.ini)" | grep -c '^RTC latency *166 .s')" 1 "which work"
for directory in man/man1 man/man5 man/man7 bash-completion/completions zsh fish aolag/presets/cpu; do
    is "$(find "$to/usr/share/$directory" -type f | awk 'END { print (NR > 0) }')" 1 "and $directory"
done
if command -v man >/dev/null; then
    for page in aolag aolag-eval "aolag eval" aolag-explorer; do
        # shellcheck disable=SC2086
        is "$(cd "$to/usr/share/man" && man -M "$PWD" -w $page | wc -l)" 1 "man finds $page"
    done
else
    skip "man finds pages" "there is no man"
fi
succeeds "make uninstall" make -C "$build" uninstall prefix=/usr DESTDIR="$to"
is "$(find "$to" ! -type d -o -name 'aolag*')" "" "leaves no file and no folder of its own"
succeeds "but folders that others share" test -d "$to/usr/bin"
finish
