# README shows the screen that the program draws.
. "$srcdir/tests/cli/lib.sh"

readme=$srcdir/README.md
# On its standard input it waits for what is computed beside the screen.
command=$(sed -n 's/^<!-- screen: aolag \(screen [a-z0-9 -]*\) -->$/\1/p' "$readme")
is "$(printf '%s\n' "$command" | grep -c screen)" 1 "one screen"
awk '/^<!-- screen: / { found = 1; next }
     found && /^```/ { if (inside) exit; inside = 1; next }
     inside' "$readme" >block
# shellcheck disable=SC2086
echo wait | "$AOLAG" $command >"$out"
if diff block "$out" >differences; then
    pass "README has the output of aolag $command"
else
    fail "README has the output of aolag $command" "$(cat differences)"
fi

# The picture above it is of the same screen.
# shellcheck disable=SC2086
echo wait | "$AOLAG" $command --svg picture.svg
if cmp -s picture.svg "$srcdir/man/explore.svg"; then
    pass "README has the picture of aolag $command"
else
    fail "README has the picture of aolag $command" "tools/readme-screen makes it"
fi

finish
