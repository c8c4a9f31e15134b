# Folders are layers: a file includes what its own layer or an earlier one declares. ARCHITECTURE.md
# names paths that exist.
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
src/explain src/explore
src/probe
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
    {
        from = layer($1)
        to = layer($2)
        if (level[to] > level[from] || (level[to] == level[from] && to != from))
            print $1 " includes " $2
    }' "$TMPDIR/layers" "$TMPDIR/includes")" "" "no file includes a later layer"

is "$(grep -oE '`[A-Za-z0-9_./-]+`' ARCHITECTURE.md | tr -d '`' | grep -E '/|[.](c|h|def|md|am|ac)$' | grep -v NAME |
    LC_ALL=C sort -u | while read -r path; do
        [ -e "$path" ] || echo "$path"
    done)" "" "paths that ARCHITECTURE.md names exist"

finish
