# One word for one thing, in all that users read: CONTRIBUTING has the glossary. A design is what a file states and what
# is evaluated, a knob is a value of it, a preset is a named device or design.
. "$srcdir/tests/tap.sh"

cd "$srcdir" || exit 99

# Every literal with a blank in it, a sentence or a part of one, as "FILE: TEXT".
sentences() {
    find src ui -name '*.[ch]' -o -name '*.def' | sort | while read -r file; do
        awk -v RS='\001' '{ gsub(/\047.?"\047/, "0"); gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, ""); print }' "$file" |
            grep -oE '"([^"\\]|\\.)*"' | grep ' ' | sed "s|^|$file: |"
    done
}

# The manual without comments, keys of JSON and CSV, and examples of their use.
pages() {
    grep -HvE '^([.]\\"|[.]SS settings|@keys|[a-z_]+	|aolag probe .*jq )' man/*.in | sed 's|^man/aolag-||'
    grep -H . README.md completions/*
}

# Sections and keys of a file, the page about it, and parameters of other things than designs.
allowed='s/scenario\.[a-z_*]+|[[]scenario]|aolag(\\)?-scenario|AOLAG-SCENARIO|[(]from_scenario[)]|--scenario|Fried parameter//g
    /^scenario.5/s/^scenario//
    /^fit.1|ui.cli.fit.c|^probe.1/s/parameters?//g
    s/parameter files? of TIPTOP|parameters? of (a|the) model|settings and parts|model with four parameters//g'
other='scenarios?|settings?|parameters?|(another|whole|present|from a|built.{0,3}in) systems?'

{ sentences; pages; } >"$TMPDIR/texts"
is "$(sed -E "$allowed" "$TMPDIR/texts" | grep -iwE "$other")" "" "designs, knobs, presets and files are called so"
is "$(grep -rnE '"[Mm]emory",[^,]*"(B|B/s|fraction)"|(BANDWIDTH|SIZE)] = ."?.title = "memory"' ui src)" "" \
    "a column of bandwidth, size or share says so"
is "$(grep -vE '^---|1 Design' "$srcdir/tests/screens/micado-scao.first.120x36.txt" | tr -s ' ' '\n' |
    awk '/[A-Za-z]|µ/ { n++ } END { print (n <= 159 ? "few" : n) }')" few "60 % of the words of the first screen"

# Examples have the design first; some commands have none that it could follow.
systems=$(sed -n 's/^[[:space:]]*presets\/\(ao\|pipelines\)\/\(.*\)\.ini.*/\2/p' presets/list.am | tr '\n' '|')
is "$({ sentences; grep -H . man/*.in README.md; } | sed 's/\\-/-/g' |
    grep -oE '^[^:]*:|aolag (explain|export|params|plot|rank|seek|sweep) [^ "]+' |
    awk '/:$/ { file = $0; next } { print file, $0 }' |
    grep -vE " (-.*|DESIGN|does|[^ ]*\.ini|plot (compare|machine)|(${systems}nosuch))\$")" "" "examples have the design first"

finish
