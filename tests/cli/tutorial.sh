# The tutorial: its commands run, in order, and print what it says they do.
#
# Of man/aolag-tutorial.7.in every example behind a comment "run" is a script for sh -e, run in one
# directory; every line of one behind "shows" has to be in what the last script printed, blanks
# aside; every number of the text in what any of them was or printed; and a comment "holds COMMAND"
# is true of what is there by then, for what the text says in words.
. "$srcdir/tests/cli/lib.sh"

page=$srcdir/man/aolag-tutorial.7.in
# As typed and as read: the formatter's escapes are gone.
plain() {
    sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(mu/x/g; s/\\(mc/u/g; s/\\&//g; s/\\f.//g; s/\\e/\\/g'
}

# 1.run, 2.shows... and text, in the order of the page
mkdir parts work
awk -v to=parts '
    /^\.\\" (run|shows)$/ { kind = $2; next }
    /^\.\\" holds / { print substr($0, 11) >sprintf("%s/%03d.holds", to, ++count); next }
    /^\.EX/ { file = sprintf("%s/%03d.%s", to, ++count, kind == "" ? "odd" : kind); next }
    /^\.EE/ { close(file); file = kind = ""; next }
    file != "" { print >file; next }
    /^\.(TH|SH|\\")/ { next }
    { sub(/^\.[A-Z]+ ?/, ""); print >(to "/text") }' "$page"
is "$(find parts -name '*.odd')" "" "every example is marked"

# The scripts call "aolag"; whatever else is in the way of their output is off.
mkdir bin
printf '#!/bin/sh\nexec "%s" "$@"\n' "$AOLAG" >bin/aolag
chmod +x bin/aolag
PATH=$PWD/bin:$PATH
LC_ALL=C
TUTORIAL=$srcdir/data/tutorial # as installed
export PATH LC_ALL TUTORIAL

scripts=0
for part in parts/*.run parts/*.shows parts/*.holds; do
    printf '%s\n' "${part#parts/}"
done | sort >order
: >transcript
while IFS= read -r part; do
    plain <"parts/$part" >block
    case $part in
    *.holds)
        if (cd work && sh -e "../parts/$part") >holding 2>&1 </dev/null; then
            pass "$part: $(cat "parts/$part")"
        else
            fail "$part" "$(cat "parts/$part" holding)"
        fi
        ;;
    *.run)
        scripts=$((scripts + 1))
        if (cd work && sh -e ../block) >"$out" 2>&1 </dev/null; then
            pass "$part: $(sed -n '/aolag/{p;q;}' block)"
        else
            fail "$part" "$(cat block)
$(head -c 2000 "$out")"
        fi
        cat block "$out" >>transcript
        tr -s ' ' <"$out" >said
        ;;
    *.shows)
        missing=
        while IFS= read -r line; do
            wanted=$(printf '%s\n' "$line" | tr -s ' ' | sed 's/^ //; s/ $//')
            grep -qF -e "$wanted" said || missing="$missing$wanted
"
        done <block
        is "$missing" "" "$part is in the output before it"
        ;;
    esac
done <order
is "$((scripts >= 10))" 1 "there are steps"

# Whole numbers and decimals that stand by themselves; those of names (fp16) and of pages do not.
plain <parts/text | grep -v '^[^ ]* ([1-8])' | tr ' (' '\n\n' |
    sed -nE 's/^(-?[0-9]+(\.[0-9]+)?)[,;:.)%]*$/\1/p' | sort -u >numbers
is "$(($(wc -l <numbers) >= 15))" 1 "the text has numbers"
unsaid=
while IFS= read -r number; do
    grep -qE -e "(^|[^0-9.])$(printf '%s' "$number" | sed 's/\./\\./')([^0-9.]|\.[^0-9]|\.?\$)" \
        transcript || unsaid="$unsaid $number"
done <numbers
is "$unsaid" "" "every number of the text is one of the program's or of the commands"

for command in check eval explain import rank search sweep seek advise compare plot; do
    grep -qE "(^|[|] )aolag $command " parts/*.run || unused="${unused-} $command"
done
is "${unused-}" "" "every command that designs takes part"
finish
