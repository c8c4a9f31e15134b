# aolag screen: the explorer without a terminal.
. "$srcdir/tests/cli/lib.sh"

good "the first screen" screen
is "$(grep -vc '^---' "$out")" 36 "36 rows"
has "RTC latency" "shows the loop"
good "another size" screen --size 80x24
is "$(grep -vc '^---' "$out")" 24 "24 rows"
has "ELT SCAO" "of the default design"
good "another design" screen saxo
has "SAXO" "by name"
good "with --set" screen --set scenario.frame_rate=750Hz
has "750 Hz" "the value set"
good "ASCII" screen --ascii
is "$(LC_ALL=C tr -d '\n -~' <"$out" | wc -c | tr -d ' ')" 0 "only ASCII"
LC_ALL=C "$AOLAG" screen >"$out"
is "$(LC_ALL=C tr -d '\n -~' <"$out" | wc -c | tr -d ' ')" 0 "ASCII where the locale has no UTF-8"

printf '?\nscreen\nEsc\n' >keys
good "keys from a file" screen --keys keys
cp "$out" first
"$AOLAG" screen --keys - <keys >"$out"
succeeds "keys from standard input" cmp first "$out"
good "again" screen --keys keys
succeeds "gives the same" cmp first "$out"

printf 'Rihgt\n' >keys
run screen --keys keys
is "$status" 2 "an unknown word"
succeeds "is named with its line" grep -q 'keys:1: ' "$err"
bad 1 "cannot open nosuch: No such file" "no such file of keys" screen --keys nosuch
for size in 80 80x 80x0 0x24 80x24x 80x24.5 -80x24 99999x24 x; do
    bad 2 "--size $size is not columns x rows" "--size $size" screen --size "$size"
done
bad 1 "did you mean the preset saxo?" "an unknown design" screen saxoo
bad 2 "one word too many" "two designs" screen saxo gpi

finish
