#include "tui/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/knob_effect.h"

/* Hardware comes first, since it is changed most often. A calibration is no choice of the user's,
 * and the line of the latency says that there is one. */
enum { SECTIONS_SHOWN = SECTION_COUNT - 1 };
static const enum section section_order[SECTIONS_SHOWN] = {
    SECTION_DEVICE,     SECTION_AO,        SECTION_WFS,       SECTION_SCENARIO,
    SECTION_ATMOSPHERE, SECTION_COMPONENT, SECTION_TELEMETRY, SECTION_UPDATE};

static enum tree_level level_at_first(enum section section)
{
    return section == SECTION_DEVICE || section == SECTION_AO || section == SECTION_WFS ||
                   section == SECTION_SCENARIO
               ? TREE_ESSENTIAL
               : TREE_CLOSED;
}

void tree_start(struct tree *tree, const struct scenario *scenario, int first, bool own)
{
    tree->at.list = (struct list_pane){.count = 0};
    tree->at.own = own;
    for (int s = 0; s < SECTION_COUNT; s++)
        for (int i = 0; i < tree->at.fold_count[s]; i++) {
            tree->at.folds[s][i].kept = (struct knob_set){0};
            tree->at.folds[s][i].group = false;
        }
    tree->at.first[0] = '\0';
    if (first >= 0)
        snprintf(tree->at.first, sizeof tree->at.first, "%s", scenario->device[first].head.name);
    tree_build(tree, scenario);
    for (int r = 0; r < tree->at.list.count; r++) {
        const struct knob *knob = tree->rows[r].knob;

        if (knob != NULL && knob_is_number(knob)) {
            tree->at.list.focus = r;
            return;
        }
    }
}

bool tree_shows(const struct scenario *scenario, enum section section, int index,
                const struct knob *knob)
{
    struct knob_ref ref = {section, index, knob};

    /* a file that is not stated has no effect, but is there to be set */
    if (section == SECTION_CALIBRATION || !knob_applies(scenario, section, index, knob) ||
        (knob_idle(scenario, ref) && knob->type != KNOB_FILE) ||
        (knob_is_number(knob) && knob->min >= knob->max))
        return false;
    if (section != SECTION_DEVICE || knob_is_own(scenario, ref))
        return true;
    /* the heading states the model of the preset, which implies its kind */
    return knob_id(knob) != KNOB_DEVICE_SOLD_IN && knob_id(knob) != KNOB_DEVICE_SOURCE &&
           knob_id(knob) != KNOB_DEVICE_SOCKET_LANES &&
           (knob_stated_by(scenario, ref) == NULL ||
            (knob_id(knob) != KNOB_DEVICE_KIND && knob_id(knob) != KNOB_DEVICE_MODEL));
}

/* Returns the index of a section's fold, by its last position or by name; -1 if it is new. */
static int find_fold(const struct tree *tree, enum section section, int index, const char *name)
{
    const struct tree_fold *folds = tree->at.folds[section];
    int count = tree->at.fold_count[section];

    if (index < count && strcmp(folds[index].name, name) == 0)
        return index;
    for (int i = 0; i < count; i++)
        if (strcmp(folds[i].name, name) == 0)
            return i;
    return -1;
}

/* Returns the state of a section, new ones included. */
static struct tree_fold fold_of(const struct tree *tree, const struct scenario *scenario,
                                enum section section, int index)
{
    const char *name = section_head_const(scenario, section, index)->name;
    int at = find_fold(tree, section, index, name);
    struct tree_fold fold = {.level = level_at_first(section)};

    if (at >= 0)
        return tree->at.folds[section][at];
    snprintf(fold.name, sizeof fold.name, "%s", name);
    return fold;
}

void tree_section_path(const struct scenario *scenario, enum section section, int index, char *text,
                       size_t size)
{
    if (section == SECTION_SCENARIO)
        snprintf(text, size, "design");
    else
        section_path(scenario, section, index, text, size);
}

enum tree_level tree_level(const struct tree *tree, const struct scenario *scenario,
                           enum section section, int index)
{
    return fold_of(tree, scenario, section, index).level;
}

/* Reorders the folds as in the scenario and drops those of removed sections. */
static void reorder_folds(struct tree *tree, const struct scenario *scenario, enum section section)
{
    struct tree_fold folds[COMPONENT_MAX];
    int count = section_count(scenario, section);

    for (int i = 0; i < count; i++)
        folds[i] = fold_of(tree, scenario, section, i);
    memcpy(tree->at.folds[section], folds, sizeof folds[0] * (size_t)count);
    tree->at.fold_count[section] = count;
}

static void append_row(struct tree *tree, struct tree_row row)
{
    tree->rows =
        array_reserve(tree->rows, tree->at.list.count, &tree->capacity, sizeof *tree->rows);
    tree->rows[tree->at.list.count++] = row;
}

static bool is_kept(const struct tree *tree, struct knob_ref ref)
{
    return knob_set_has(&tree->at.folds[ref.section][ref.index].kept, ref.knob);
}

/* Returns true if the knob has a row among the essential ones. */
static bool is_essential(const struct tree *tree, const struct scenario *scenario,
                         struct knob_ref ref)
{
    return ref.knob->essential || (tree->at.own && knob_is_own(scenario, ref)) ||
           is_kept(tree, ref);
}

bool tree_wants(const struct scenario *scenario, struct knob_ref ref)
{
    return !ref.knob->rare || knob_is_own(scenario, ref) || knob_stated_by(scenario, ref) != NULL;
}

static bool is_listed(const struct tree *tree, const struct scenario *scenario, struct knob_ref ref)
{
    return tree_shows(scenario, ref.section, ref.index, ref.knob) &&
           (tree_wants(scenario, ref) || is_kept(tree, ref));
}

/* Returns the number of the knob after a group, or after the one knob. */
static int group_end(int k)
{
    int end = k + 1;

    while (knobs[k].group != NULL && end < KNOB_COUNT && knobs[end].group == knobs[k].group)
        end++;
    return end;
}

/* Appends a knob, or the row of a group and, if it is open, its knobs, at a level of the section.
 * Returns true if there is something to list; adds to `shown` if that has a row. */
static bool append_knobs(struct tree *tree, const struct scenario *scenario, struct knob_ref ref,
                         int *shown)
{
    const struct tree_fold *fold = &tree->at.folds[ref.section][ref.index];
    const struct knob *first = NULL, *end = &knobs[group_end((int)knob_id(ref.knob))];
    bool wanted = fold->level == TREE_ALL;

    for (const struct knob *knob = end; knob-- > ref.knob;) {
        struct knob_ref at = {ref.section, ref.index, knob};

        if (!is_listed(tree, scenario, at))
            continue;
        first = knob;
        wanted = wanted || (fold->level == TREE_ESSENTIAL && is_essential(tree, scenario, at));
    }
    if (first == NULL || !wanted)
        return first != NULL;
    ++*shown;
    append_row(tree, (struct tree_row){.section = ref.section,
                                       .index = ref.index,
                                       .knob = first,
                                       .group = first->group != NULL});
    if (first->group == NULL || !fold->group)
        return true;
    for (ref.knob = first; ref.knob < end; ref.knob++)
        if (is_listed(tree, scenario, ref))
            append_row(tree, (struct tree_row){
                                 .section = ref.section, .index = ref.index, .knob = ref.knob});
    return true;
}

/* Essential knobs come first while not all are shown, so that what the file states and what is
 * found to matter does not push them out of sight. */
static void append_instance(struct tree *tree, const struct scenario *scenario,
                            enum section section, int index)
{
    enum tree_level level = tree->at.folds[section][index].level;
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);
    int heading = tree->at.list.count;
    int shown = 0;
    int all = 0;

    append_row(tree, (struct tree_row){.section = section, .index = index});
    for (int pass = 0; pass < 2; pass++)
        for (int k = first; k < end; k = group_end(k)) {
            bool now = level == TREE_ESSENTIAL ? knobs[k].essential == (pass == 0) : pass == 0;

            if (now)
                all += append_knobs(tree, scenario, (struct knob_ref){section, index, &knobs[k]},
                                    &shown);
        }
    tree->rows[heading].more = all - shown;
}

static void append_section(struct tree *tree, const struct scenario *scenario, enum section section)
{
    int first = section == SECTION_DEVICE ? section_find(scenario, section, tree->at.first) : -1;

    reorder_folds(tree, scenario, section);
    if (first >= 0)
        append_instance(tree, scenario, section, first);
    for (int i = 0; i < section_count(scenario, section); i++)
        if (i != first)
            append_instance(tree, scenario, section, i);
}

static int find_row(const struct tree *tree, struct tree_row row)
{
    for (int r = 0; r < tree->at.list.count; r++)
        if (tree->rows[r].section == row.section && tree->rows[r].index == row.index &&
            tree->rows[r].knob == row.knob && tree->rows[r].group == row.group)
            return r;
    return -1;
}

/* Returns the row of a knob or group, else of the nearest listed one before it, else of the
 * heading. */
static int find_near(const struct tree *tree, struct tree_row row)
{
    const struct knob *first = &knobs[knob_section_first(row.section)];

    for (; row.knob != NULL && row.knob >= first; row.knob--) {
        int own = tree_find(tree, row.section, row.index, row.knob);
        int group = find_row(tree, (struct tree_row){row.section, row.index, row.knob, true, 0});

        if (own >= 0 || group >= 0)
            return own < 0 || (row.group && group >= 0) ? group : own;
    }
    return tree_find(tree, row.section, row.index, NULL);
}

void tree_build(struct tree *tree, const struct scenario *scenario)
{
    struct tree_row focus = {.section = SECTION_COUNT};
    char name[NAME_MAX_LENGTH + 1] = "";

    if (tree->at.list.focus < tree->at.list.count) {
        focus = tree->rows[tree->at.list.focus];
        if (focus.index < tree->at.fold_count[focus.section])
            snprintf(name, sizeof name, "%s", tree->at.folds[focus.section][focus.index].name);
    }
    tree->at.list.count = 0;
    for (int s = 0; s < SECTIONS_SHOWN; s++)
        append_section(tree, scenario, section_order[s]);
    if (focus.section != SECTION_COUNT) {
        int row;

        focus.index = section_find(scenario, focus.section, name);
        row = find_near(tree, focus);
        if (row >= 0)
            tree->at.list.focus = row;
    }
    list_pane_move(&tree->at.list, 0);
}

void tree_free(struct tree *tree)
{
    free(tree->rows);
    tree->rows = NULL;
    tree->capacity = tree->at.list.count = 0;
}

void tree_set_level(struct tree *tree, const struct scenario *scenario, enum section section,
                    int index, enum tree_level level)
{
    int fold = find_fold(tree, section, index, section_head_const(scenario, section, index)->name);

    if (fold < 0 || tree->at.folds[section][fold].level == level)
        return;
    tree->at.folds[section][fold].level = level;
    tree_build(tree, scenario);
}

void tree_unfold(struct tree *tree, const struct scenario *scenario, enum section section,
                 int index)
{
    if (tree_level(tree, scenario, section, index) == TREE_CLOSED)
        tree_set_level(tree, scenario, section, index, TREE_ESSENTIAL);
}

bool tree_group_is_open(const struct tree *tree, const struct tree_row *row)
{
    return tree->at.folds[row->section][row->index].group;
}

void tree_open_group(struct tree *tree, const struct scenario *scenario, enum section section,
                     int index, bool open)
{
    int fold = find_fold(tree, section, index, section_head_const(scenario, section, index)->name);

    if (fold < 0 || tree->at.folds[section][fold].group == open)
        return;
    tree->at.folds[section][fold].group = open;
    tree_build(tree, scenario);
}

/* Returns true if a section has at least this level. */
static bool any_at(const struct tree *tree, enum tree_level level)
{
    for (int s = 0; s < SECTION_COUNT; s++)
        for (int i = 0; i < tree->at.fold_count[s]; i++)
            if (tree->at.folds[s][i].level >= level)
                return true;
    return false;
}

/* Sets all sections to a level, or to the one that they have at first. */
static void set_levels(struct tree *tree, const struct scenario *scenario, bool first,
                       enum tree_level level)
{
    for (int s = 0; s < SECTION_COUNT; s++)
        for (int i = 0; i < tree->at.fold_count[s]; i++)
            tree->at.folds[s][i].level = first ? level_at_first((enum section)s) : level;
    tree_build(tree, scenario);
}

bool tree_is_folded(const struct tree *tree)
{
    return !any_at(tree, TREE_ESSENTIAL);
}

bool tree_shows_all(const struct tree *tree)
{
    return any_at(tree, TREE_ALL);
}

void tree_toggle_all(struct tree *tree, const struct scenario *scenario)
{
    set_levels(tree, scenario, any_at(tree, TREE_ALL), TREE_ALL);
}

void tree_toggle_folds(struct tree *tree, const struct scenario *scenario)
{
    set_levels(tree, scenario, tree_is_folded(tree), TREE_CLOSED);
}

void tree_keep(struct tree *tree, const struct scenario *scenario, struct knob_ref ref)
{
    int fold = find_fold(tree, ref.section, ref.index,
                         section_head_const(scenario, ref.section, ref.index)->name);

    if (fold < 0 || ref.knob->essential ||
        knob_set_has(&tree->at.folds[ref.section][fold].kept, ref.knob))
        return;
    knob_set_add(&tree->at.folds[ref.section][fold].kept, ref.knob);
    tree_build(tree, scenario);
}

int tree_find(const struct tree *tree, enum section section, int index, const struct knob *knob)
{
    return find_row(tree, (struct tree_row){.section = section, .index = index, .knob = knob});
}

void tree_focus(struct tree *tree, const struct scenario *scenario, enum section section, int index,
                const struct knob *knob)
{
    int row;

    if (knob != NULL) {
        tree_keep(tree, scenario, (struct knob_ref){section, index, knob});
        tree_unfold(tree, scenario, section, index);
        if (knob->group != NULL)
            tree_open_group(tree, scenario, section, index, true);
    }
    row = tree_find(tree, section, index, knob);
    if (row >= 0)
        tree->at.list.focus = row;
}

const struct tree_row *tree_row(const struct tree *tree)
{
    return &tree->rows[tree->at.list.focus];
}

static int section_rank(enum section section)
{
    int position = 0;

    while (position < SECTIONS_SHOWN - 1 && section_order[position] != section)
        position++;
    return position;
}

/* Moves to the next or previous knob of any instance, whether listed or not. */
static void step_knob(const struct scenario *scenario, struct knob_ref *ref, int by)
{
    int first = knob_section_first(ref->section);
    int row = (int)(ref->knob - &knobs[first]) + by;
    int position = section_rank(ref->section);

    if (row >= 0 && row < knob_section_count(ref->section)) {
        ref->knob = &knobs[first + row];
        return;
    }
    ref->index += by;
    while (ref->index < 0 || ref->index >= section_count(scenario, ref->section)) {
        position = (position + by + SECTIONS_SHOWN) % SECTIONS_SHOWN;
        ref->section = section_order[position];
        ref->index = by > 0 ? 0 : section_count(scenario, ref->section) - 1;
    }
    first = knob_section_first(ref->section);
    ref->knob = &knobs[by > 0 ? first : first + knob_section_count(ref->section) - 1];
}

void tree_next_knob(const struct scenario *scenario, struct knob_ref *ref, int by)
{
    do
        step_knob(scenario, ref, by);
    while (!tree_shows(scenario, ref->section, ref->index, ref->knob));
}
