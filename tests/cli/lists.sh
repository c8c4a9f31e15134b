# No file is forgotten: what is in the source tree is in the build's lists.
. "$srcdir/tests/tap.sh"

cd "$srcdir" || exit 99
srcdir=.

unlisted() {
    for file in "$@"; do
        [ -e "$file" ] || continue
        grep -qE "^[[:space:]]+$file( |\$)" Makefile.am || echo "$file is not in Makefile.am"
    done
}

is "$(unlisted $(find src \( -name '*.[ch]' -o -name '*.def' \) ! -name preset_data.c ! -name published_data.c))" "" "src/"
is "$(unlisted $(find ui -name '*.[ch]'))" "" "ui/"
is "$(unlisted $(find tests -name '*.[ch]'))" "" "tests/"
is "$(unlisted tests/cli/*.sh)" "" "tests/cli/"
is "$(unlisted tools/*.c)" "" "tools/"
if [ -d .git ] || [ -f .git ]; then
    is "$(git ls-files | grep -v / | grep -vxE '\.clang-format|\.editorconfig|\.gitignore' |
        while read -r file; do
            case $file in
            *.md | COPYING | Makefile.am | bootstrap | configure.ac) ;;
            *) echo "$file does not belong there" ;;
            esac
        done)" "" "the top directory"
fi
succeeds "presets/list.am" sh tools/list-presets --check

is "$(grep -rlE '\b(file_read|source_read|getline)\(' --include='*.c' src ui |
    grep -vx 'src/base/file.c' |
    while read -r file; do grep -qF "$file" tests/fuzz/fuzz.c || echo "$file"; done)" "" \
    "every reader of files has a fuzz target"
is "$("$AOLAG" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' |
    while read -r word; do
        grep -qE "^$word($|\\\\n)" tests/fuzz/corpus/command_line || echo "$word"
    done)" "" "every command is in the corpus of the command line"

succeeds "every fault stands once in the source" bash tests/mutate --fits

is "$(grep -LE '^(TEST|DESIGNS)\(' tests/test_*.c)" "" "every file holds tests"

finish
