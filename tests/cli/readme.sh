# README shows the screen that the program draws.
. "$srcdir/tests/cli/lib.sh"

readme=$srcdir/README.md
command=$(sed -n 's/^<!-- screen: aolag \(screen [a-z0-9 -]*\) -->$/\1/p' "$readme")
is "$(printf '%s\n' "$command" | grep -c screen)" 1 "one screen"
awk '/^<!-- screen: / { found = 1; next }
     found && /^```/ { if (inside) exit; inside = 1; next }
     inside' "$readme" >block
# shellcheck disable=SC2086
"$AOLAG" $command >"$out"
if diff block "$out" >differences; then
    pass "README has the output of aolag $command"
else
    fail "README has the output of aolag $command" "$(cat differences)"
fi

finish
