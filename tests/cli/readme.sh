# README shows the screen that the program draws, and lists its commands.
. "$srcdir/tests/cli/lib.sh"

mkdir -p tree/man
cp "$srcdir/README.md" tree
cp "$srcdir"/man/*.1.in tree/man
sh "$srcdir/tools/readme" "$AOLAG" tree
is "$(grep -c '^<!-- screen: ' tree/README.md)" 1 "one screen"
is "$(grep -c '^| `aolag [a-z]*` | [a-z]' tree/README.md)" \
    "$("$AOLAG" help | grep -c '^  [a-z][a-z]*  ')" "every command with the first line of its page"
for file in README.md man/explore.svg; do
    if diff "$srcdir/$file" tree/$file >differences; then
        pass "$file says what the program says"
    else
        fail "$file says what the program says (tools/readme makes it)" "$(cat differences)"
    fi
done

finish
