# aolag screen: the explorer without a terminal.
. "$srcdir/tests/cli/lib.sh"

good "the first screen" screen
is "$(grep -vc '^---' "$out")" 36 "36 rows"
has "RTC latency" "shows the loop"
# Words are what takes time to read: below the names of the views.
words=$(tail -n +3 "$out" | tr -s ' ' '\n' | grep -c '[[:alpha:]]')
succeeds "it has few words ($words)" test "$words" -le 187
good "another size" screen --size 80x24
is "$(grep -vc '^---' "$out")" 24 "24 rows"
has "ELT MICADO SCAO" "of the default design"
good "another design" screen saxo
has "SAXO" "by name"
good "with --set" screen --set scenario.frame_rate=750Hz
has "750 Hz" "the value set"
has "[modified]" "as an unsaved change"
"$AOLAG" presets show micado-scao >design.ini
good "with --set on a file" screen design.ini --set scenario.frame_rate=750Hz
has "design.ini [modified]" "the file is another"
printf 'u\nscreen\nC-r\n' >keys
good "then undone and redone" screen design.ini --set scenario.frame_rate=750Hz --keys keys
grep -F design.ini "$out" >headers
succeeds "undone is the file, redone is --set" awk '
    NR == 1 { undone = /design.ini [^[]*500 Hz/ }
    NR == 2 { redone = /design.ini \[modified\] .* 750 Hz/ }
    END { exit !(NR == 2 && undone && redone) }' headers
# What a start without a name shows is not what somebody compares a file with, unless it is saved.
printf 'o\ntext design.ini\nEnter\nscreen\n' >keys
good "a file opened" screen --keys keys
has "opened design.ini" "is named"
lacks "compares with" "without an offer"
good "from a system that was named" screen saxo --keys keys
has "opened design.ini; 5 v compares with saxo" "which is offered"
printf ':\ntext set scenario.packets=40\nEnter\nS\nC-u\ntext mine.ini\nEnter\no\ntext design.ini\nEnter\nscreen\n' >keys
good "from the first one, saved" screen --keys keys
has "opened design.ini; 5 v compares with mine.ini" "which is offered too"
printf 'q\n' >keys
good "and left" screen design.ini --set scenario.frame_rate=750Hz --keys keys
has "unsaved changes. Before leaving" "which asks"
good "with --set to what the file says" screen design.ini --set scenario.frame_rate=500Hz
succeeds "nothing is unsaved" grep -q 'design.ini · 500 Hz' "$out"
good "with --set to what it comes to by itself" screen design.ini --set component.recon.share=auto
succeeds "nothing is unsaved either" grep -q 'design.ini · 500 Hz' "$out"
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

mkdir -p config/aolag/presets/ao
printf '[scenario]\nformat = 1\nnonsense = 1\n' >config/aolag/presets/ao/gpi.ini
printf ':\ntext preset gpi\nEnter\n' >keys
XDG_CONFIG_HOME=$PWD/config "$AOLAG" screen --size 200x60 --keys keys >"$out"
has "/config/aolag/presets/ao/gpi.ini:" "a broken preset of the user is named with its file"

printf 'Rihgt\n' >keys
run screen --keys keys
is "$status" 2 "an unknown word"
succeeds "is named with its line" grep -q 'keys:1: ' "$err"
printf 'screen\nRihgt\n' >keys
"$AOLAG" screen --keys keys >both 2>&1
is "$(tail -n 1 both | cut -d: -f1,2)" keys:2 "after the screens before it"

# What is no script to its end is an error, not its end.
run screen --keys - </dev/zero
is "$status $(cat "$err")" "2 standard input:1: the line has more than 65534 bytes" "zeros without an end"
mkdir -p folder
bad 1 "aolag: folder: is a directory, not a regular file" "a folder of keys" screen --keys folder
awk 'BEGIN { printf "screen\n# "; for (i = 0; i < 65532; i++) printf "x"; print "\nscreen" }' >keys
good "the longest line" screen --keys keys
is "$(grep -c '^--- ' "$out")" 2 "and what is after it"

for size in 80 80x 80x0 0x24 80x24x 80x24.5 -80x24 99999x24 x; do
    bad 2 "--size $size is not columns x rows" "--size $size" screen --size "$size"
done

# The last screen as a picture, with the text of the screen in it.
printf 'wait\nscreen\n' >keys
"$AOLAG" screen micado-scao --keys keys --svg dark.svg >text
"$AOLAG" screen micado-scao --keys keys --svg light.svg --light >/dev/null
bad 2 "--light needs --svg" "no background of text" screen --light
is "$(head -c 5 dark.svg) $(tail -n 1 dark.svg)" "<svg  </svg>" "is a picture"
is "$(grep -c 'RTC latency' text)" 1 "a printed screen is text"
has_picture() {
    grep -qF "$1" dark.svg && grep -qF "$1" light.svg
}
succeeds "has the words of the verdict" has_picture '>latency</text>'
is "$(sed 's/#[0-9a-f]*"/"/g' dark.svg | cksum)" \
    "$(sed 's/#[0-9a-f]*"/"/g' light.svg | cksum)" "dark and light differ in colours only"
# With crisp edges, lines of one px are lost in a smaller picture.
is "$(grep -E 'width="1(\.00)?"|height="1(\.00)?"' dark.svg | grep -vc 'shape-rendering="auto"')" 0 \
    "lines stay in a smaller picture"
# Fonts of one width have no braille: a curve in it would leave its pane.
printf '4\nwait\nscreen\n' >keys
"$AOLAG" screen micado-scao --keys keys --svg curve.svg >text
is "$(LC_ALL=C grep -c "$(printf '\342\240')" text | sed 's/[1-9][0-9]*/some/')" some "a curve is braille"
is "$(LC_ALL=C grep -cE "$(printf '\342[\240-\243]')" curve.svg)" 0 "its picture has dots instead"
"$AOLAG" screen micado-scao --keys keys --svg - >"$out"
succeeds "--svg - is standard output" sh -c 'sed -n "/^<svg /,\$p" "$1" | cmp - curve.svg' sh "$out"
bad 1 "no/x.svg: its directory cannot be opened" "a folder that is missing" \
    screen micado-scao --svg no/x.svg

finish
