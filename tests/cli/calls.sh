# Modules call each other in circles only where they are one idea in several files, and what is shown is not
# computed where it is shown. Includes tell neither: many share a header.
. "$srcdir/tests/tap.sh"

cd "${AOLAG%/*}" || exit 99

# Uses of names of another module as "FROM TO NAME". Names that several modules define (the loops that are
# compiled three times) say nothing. The table of commands is left out: the screen runs commands, one of which
# is the screen.
find src ui -name '*.o' ! -path '*/loops/*' | LC_ALL=C sort | xargs nm -A 2>/dev/null | awk '
    {
        module = $1
        sub(/:.*/, "", module)
        sub(/[^\/]*_a-/, "", module)
        sub(/[.]o$/, "", module)
    }
    $2 == "U" { user[++count] = module; name[count] = $3 }
    $2 ~ /^[TDBR]$/ { homes[$3]++; home[$3] = module }
    END {
        for (i = 1; i <= count; i++)
            if (homes[name[i]] == 1 && home[name[i]] != user[i] && user[i] != "ui/commands")
                print user[i], home[name[i]], name[i]
    }' | LC_ALL=C sort -u >"$TMPDIR/uses"
cut -d' ' -f1,2 "$TMPDIR/uses" | uniq >"$TMPDIR/calls"

is "$(awk '$1 == "ui/tui/app" && $2 == "ui/tui/prompt"' "$TMPDIR/calls")" "ui/tui/app ui/tui/prompt" \
    "calls are found"

# What the model computes of a design: commands, explore and the session ask for it.
is "$(awk '$1 ~ "^ui/(report|charts|tui)/" && $2 ~ "^src/model/" &&
        $3 ~ /^(evaluate|evaluate_design|(budget|flow)_fill|(range|loop_curves)_find|derived_.*|jitter_run)$/ {
        print $1, $3 }' "$TMPDIR/uses")" "ui/report/eval flow_fill
ui/tui/view_compare evaluate_design" "reports and views that compute are those that are known"

# The groups of modules each of which reaches all others.
is "$(awk '
    function reach(from, node, i, n, list) {
        n = split(to[node], list, " ")
        for (i = 1; i <= n; i++)
            if (!((from, list[i]) in reached)) {
                reached[from, list[i]] = 1
                reach(from, list[i])
            }
    }
    {
        to[$1] = to[$1] " " $2
        node[$1] = node[$2] = 1
    }
    END {
        for (m in node)
            reach(m, m)
        for (m in node) {
            group = ""
            for (other in node)
                if (((m, other) in reached) && ((other, m) in reached)) {
                    if (first[m] == "" || other < first[m])
                        first[m] = other
                    group = group " " other
                }
            if (group != "" && first[m] == m)
                print split(group, list, " "), "with", m
        }
    }' "$TMPDIR/calls" | LC_ALL=C sort -k3)" "5 with src/explain/component_rules
2 with src/model/stage_shares
10 with ui/tui/app
2 with ui/tui/compare_panes
2 with ui/tui/explore_components
2 with ui/tui/machine_run" "circles are those that are known"

finish
