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
is "$(unlisted $(find ui -name '*.[ch]' -o -name '*.def'))" "" "ui/"
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

# code FILE...: the text without comments and without what stands in quotes
code() {
    awk -v RS='\001' '{
        gsub(/\047(\\.|[^\047\\])\047/, "0")
        gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "")
        gsub(/"([^"\\]|\\.)*"/, "\"\"")
        printf "\001%s\n%s", FILENAME, $0
    }' "$@"
}

# functions PATTERN: prints "FILE FUNCTION" for each function that calls one of these
functions() {
    code $(find src ui -name '*.c') | awk -v calls="(^|[^a-zA-Z_.>])($1)" '
        sub(/^\001/, "") { file = $0 }
        /^[a-z_].*\(/ && !/;$/ {
            name = $0
            sub(/^__attribute__.*\)\) /, "", name)
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
        }
        /^ / && $0 ~ calls { print file, name }' | sort -u
}

# calls NAME FILE...: one of the files calls the function or hands it on
calls() {
    name=$1
    shift
    code "$@" | grep -qw "$name"
}

# rows TABLE: its rows, with | between the fields
rows() {
    sed 's/#.*//; s/ *| */|/g; /^$/d' "$1"
}

# differences PATTERN TABLE: prints functions that call one of these and are not in the table, and, indented,
# those that are there alone
differences() {
    functions "$1" >"$TMPDIR/found"
    rows "$2" | awk -F'|' '{ print $1, $2 }' | sort -u | comm -3 "$TMPDIR/found" -
}

# What reads: a stream or a name that is opened is read by one of these.
reads='file_read(_named)?|source_read|read_stream|p?readv?|fread|fgets|fgetc|getc|getchar|w?getch|getline'
reads="$reads|getdelim|v?f?scanf|mmap|recv|recvfrom|recvmsg|readdir|scandir|n?ftw|glob|readlink|popen"
reads="$reads|json_load(f|fd|_file|_callback)|iniparser_load[a-z]*|yaml_parser_set_input(_file)?"
is "$(differences "($reads)[(]" tests/fuzz/readers)" "" \
    "every function that reads is in tests/fuzz/readers"
is "$(rows tests/fuzz/readers | while IFS='|' read -r file function target parser; do
    [ -n "$parser" ] || echo "$function: no parser or reason"
    [ "$target" != - ] || continue
    # the program calls the parser where it calls the reader
    users=$(grep -rlw --include='*.c' "$function" src ui)
    ! code "$file" | grep -q "^static .*[ *]$function(" || users=$file
    calls "$parser" $users || echo "$function: hands nothing to $parser"
    [ -f "tests/fuzz/$target.c" ] && calls "$parser" "tests/fuzz/$target.c" ||
        echo "$function: the target $target does not call $parser"
    code tests/fuzz/fuzz.c | grep -qw "run = fuzz_$target" || echo "$target: is not run"
done)" "" "the target of each calls the same parser"

# What writes or removes a file or a folder.
writes='file_write|file_replace[a-z_]*|picture_write|arguments_save[a-z_]*|scenario_save|user_make_directory'
writes="$writes|fopen|fdopen|freopen|creat|mkstemp|mkdtemp|memfd_create|tmpfile|mkdir|unlink|rmdir|remove"
writes="$writes|rename|renameat2?|link|linkat|symlink|truncate|ftruncate|mknod|mkfifo"
is "$(differences "(($writes)[(]|O_CREAT|O_WRONLY|O_RDWR)" tests/faults/writers)" "" \
    "every function that writes is in tests/faults/writers"
is "$(rows tests/faults/writers | while IFS='|' read -r file function output reason; do
    [ "$output" != - ] || [ -n "$reason" ] || echo "$function: no output or reason"
    [ "$output" = - ] || grep -q "\.name = \(keep_print(\)\?\"$output" tests/faults/outputs.c ||
        echo "$function: there is no output \"$output\""
done)" "" "its outputs are tried"
is "$("$AOLAG" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' |
    while read -r word; do
        grep -qE "^$word($|\\\\n)" tests/fuzz/corpus/command_line || echo "$word"
    done)" "" "every command is in the corpus of the command line"

succeeds "every fault stands once in the source" bash tests/mutate --fits

is "$(grep -LE '^(TEST|DESIGNS)\(' tests/test_*.c)" "" "every file holds tests"

# The functions of a program without sanitizers begin with the instruction that a jump may lead to.
if [ "$(uname -m)" = x86_64 ] && ! sanitized && command -v objdump >/dev/null; then
    is "$(objdump -d "$AOLAG" | awk '/endbr64/ { found++ } END { print (found > 1000) }')" 1 "jumps are checked"
else
    skip "jumps are checked" "no program without sanitizers of an x86-64 processor, or no objdump"
fi

finish
