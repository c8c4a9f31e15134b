# Folders are layers: a file includes what its own layer or an earlier one declares. Modules do not
# include each other in a cycle. ARCHITECTURE.md names paths that exist.
. "$srcdir/tests/tap.sh"

cd "$srcdir" || exit 99
srcdir=.

# Every include of a product header as "FILE HEADER", both as paths in the tree.
find src ui -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort | xargs awk '
    FNR == 1 { files[FILENAME] = 1 }
    /^#include "/ { split($0, part, "\""); include[++count] = FILENAME " " part[2] }
    END {
        for (i = 1; i <= count; i++) {
            split(include[i], pair, " ")
            path = ("src/" pair[2]) in files ? "src/" pair[2] : "ui/" pair[2]
            print pair[1], (path in files) ? path : "?" pair[2]
        }
    }' >"$TMPDIR/includes"

is "$(awk '$2 ~ /^[?]/ && $2 !~ /_data[.]h$/' "$TMPDIR/includes")" "" \
    "includes name a file from src or ui on"

# A layer a line, the lowest first; folders on one line do not include each other.
cat >"$TMPDIR/layers" <<'END'
src/base
src/design
src/model
src/explain src/explore src/import
src/probe src/session
src/run
ui/draw
ui/charts
ui/report
ui/command.h
ui/cli ui/tui
ui
END
is "$(awk '
    NR == FNR { for (i = 1; i <= NF; i++) level[$i] = NR; next }
    function layer(path) {
        while (!(path in level))
            sub(/\/[^\/]*$/, "", path)
        return path
    }
    $2 !~ /^[?]/ {
        from = layer($1)
        to = layer($2)
        if (level[to] > level[from] || (level[to] == level[from] && to != from))
            print $1 " includes " $2
    }' "$TMPDIR/layers" "$TMPDIR/includes")" "" "no file includes a later layer"

# A module is X.c with X.h; a table X.def is one of its own. tsort reports cycles as errors.
sed 's/[.][ch]\b//g' "$TMPDIR/includes" | awk '$1 != $2 && $2 !~ /^[?]/' | LC_ALL=C sort -u \
    >"$TMPDIR/modules"
tsort "$TMPDIR/modules" 2>&1 >/dev/null | sed 's/^tsort: //' >"$TMPDIR/cycles"
is "$(cat "$TMPDIR/cycles")" "" "no modules include each other in a cycle"

# One idea in two files: X_more.c whose header only X.c, X.h or another X_... includes.
is "$(awk '
    function first_word(path) { sub(/_[^\/]*$/, "", path); return path }
    { users[$2]++; user[$2] = $1 }
    END {
        for (module in users)
            if (users[module] == 1 && first_word(user[module]) == first_word(module))
                print module, user[module]
    }' "$TMPDIR/modules" | LC_ALL=C sort | while read -r module user; do
        [ ! -e "$module.c" ] || echo "$module is only for $user"
    done)" "" "no two files hold one idea"

is "$(grep -nE '\<(m|c|re|aligned_)alloc(array)?\(|\<strn?dup\(|\<v?asprintf\(' -r src ui |
    grep -v '^src/base/allocate[.]c:')" "" "memory is allocated through base/allocate.h"

is "$(grep ' src/model/stage[.]h$' "$TMPDIR/includes" | grep -vE '^src/(model|explain)/')" "" \
    "what evaluate keeps in a result is read by the model and explain alone"

is "$(grep -roHE '"[A-Z][A-Za-z][^"|]{12,}"' ui --include='*.c' | LC_ALL=C sort -u | sed 's/^[^:]*://' | LC_ALL=C sort | uniq -d)" "" \
    "headings are written once"

# The headers of Debian 12 have it for gcc only.
is "$(grep -rnw CMPLX src ui)" "" "clang has what is used"

# The C library computes its last bit in another way on aarch64.
is "$(grep -rnE '\<hypot\(' src/model)" "" "results are those of any machine"

is "$(grep -oE '`[A-Za-z0-9_./-]+`' ARCHITECTURE.md | tr -d '`' | grep -E '/|[.](c|h|def|md|am|ac)$' | grep -v NAME |
    LC_ALL=C sort -u | while read -r path; do
        [ -e "$path" ] || echo "$path"
    done)" "" "paths that ARCHITECTURE.md names exist"

finish
