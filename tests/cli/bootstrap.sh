# ./bootstrap, on a machine that is pretended by commands of our own.
. "$srcdir/tests/tap.sh"

original=$(cd "$srcdir" && pwd)/bootstrap
cd "$TMPDIR" || exit 99
mkdir bin top links
top=$(pwd -P)/top
cp "$original" top/bootstrap
mkdir -p top/tests && cp "${original%/*}/tests/failures" top/tests/
ln -s ../top/bootstrap links/start
PATH=$PWD/bin:$PATH

# stub NAME: standard input is what it does
stub() {
    { echo '#!/bin/sh' && cat; } >"bin/$1"
    chmod +x "bin/$1"
}
stub dpkg-query <<'STUB'
echo installed
STUB
stub autoreconf <<'STUB'
echo "autoreconf fails here"
exit 1
STUB
stub sudo <<'STUB'
shift
exec "$@"
STUB

said() {
    "$@" >out 2>err
    printf '%s: ' $?
    cat out err
}

case $(said links/start) in
*"failed: autoreconf -fi $top;"*) pass "a call through a link finds the tree" ;;
*) fail "a call through a link finds the tree" "$(cat err)" ;;
esac

mv top/build old
: >top/build
is "$(said top/bootstrap)" "1: bootstrap: $top cannot be written; copy it to a folder that can" \
    "a tree that cannot be written"
rm top/build

stub dpkg-query </dev/null
stub pkg-config <<'STUB'
exit 1
STUB
stub apt-get <<'STUB'
echo "E: Temporary failure resolving 'deb.debian.org'"
exit 100
STUB
is "$(said top/bootstrap | tail -n 1 | sed 's/needed are.*libncurses-dev.*/.../')" \
    "bootstrap: no server of packages can be reached; ..." "a missing network"
is "$(wc -l <err | tr -d ' ')" 2 "after what it tries nothing else"
stub apt-get <<'STUB'
echo "E: broken packages"
exit 100
STUB
is "$(said top/bootstrap | tail -n 1)" "E: broken packages" "another failure shows its reason"

# Packages of the tests are those that tests look for.
is "$(sed -n '/^test_packages=/,/"$/p' top/bootstrap | tr ' "' '\n\n' |
    grep -cxE 'libxml2-utils|mandoc|groff|man-db|zsh|fish')" 6 "what tests need is installed"

stub dpkg-query <<'STUB'
echo installed
STUB
stub make <<'STUB'
case "$*" in
*check) ;;
*) exit 0 ;;
esac
mkdir -p "$2/tests/cli"
cd "$2/tests" || exit
printf ':test-result: %s\n' PASS SKIP >cli/one.trs
printf 'PASS: tests/cli/one.sh 1 - a\nSKIP: tests/cli/one.sh 2 - b # SKIP no c\n' >cli/one.log
printf ':test-result: PASS\n' >two.trs
printf 'PASS: tests/two 1 - a\n' >two.log
STUB
touch top/configure top/Makefile.in
mkdir -p top/build/tests
printf 'abs_top_builddir = %s\nTEST_MISSING = \n' "$top/build" >top/build/Makefile
is "$(said top/bootstrap check 2>&1 | grep -v '^bootstrap:')" "0: 1 skipped:
cli/one: b # SKIP no c
2 passed, 0 failed" "skipped cases are named before the last line"

# Who may only read the tree can still start what is built there.
printf '#!/bin/sh\necho aolag "$@"\n' >top/build/aolag
chmod +x top/build/aolag
rm -f top/aolag
chmod -R a+rX,a-w top bin
chmod a+x "$TMPDIR" "$HOME"
reader=
[ "$(id -u)" -ne 0 ] || reader="setpriv --reuid=65534 --regid=65534 --clear-groups"
# shellcheck disable=SC2086
is "$(said $reader top/bootstrap run saxo)" "0: aolag saxo" "a reader starts what is built"
# shellcheck disable=SC2086
is "$(said $reader top/bootstrap)" "1: bootstrap: $top cannot be written; copy it to a folder that can" \
    "and is told that he cannot build"
chmod -R u+w top bin

# A test that hangs ends with all its processes: what reads its output would wait for them.
cat >hangs.sh <<'TEST'
(trap '' TERM && exec sleep 300) &
wait
TEST
is "$(TEST_SECONDS=1 sh "${original%/*}/tests/isolate" sh hangs.sh | timeout 600 cat || echo open)" "" \
    "a test that hangs is ended, with what it started"

finish
