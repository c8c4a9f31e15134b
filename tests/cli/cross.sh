# A build for another machine: what runs while it is made is compiled for this one.
. "$srcdir/tests/tap.sh"

srcdir=$(cd "$srcdir" && pwd) || exit 99
build=$(dirname "$AOLAG")
if [ ! -e "$build/src/preset_data.c" ] || [ ! -e "$srcdir/configure" ]; then
    skip "a cross build" "there is no build tree beside $AOLAG"
    finish
fi
plain_only "a cross build"
unset CC CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MAKELEVEL MFLAGS
cd "$TMPDIR" || exit 99

# another machine by name only, so that no further compiler is needed
succeeds "configure" "$srcdir/configure" -q --build=x86_64-pc-linux-gnu --host=x86_64-other-linux-gnu \
    CC="${CC_FOR_BUILD-cc}"
succeeds "the presets" make src/preset_data.c
succeeds "are the same" cmp src/preset_data.c "$build/src/preset_data.c"
is "$(find . -name embed -o -name docgen)" "./native/tools/embed" "by a native generator"
is "$(make -n man/aolag.1 2>&1 | grep -c '^[^#]*native/tools/docgen .*/man/aolag.1.in')" 1 "as are manuals"
finish
