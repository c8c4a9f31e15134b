#include "tui/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/knob_effect.h"

/* Hardware comes first, since it is changed most often. */
static const enum section section_order[SECTION_COUNT] = {SECTION_DEVICE,     SECTION_WFS,
                                                          SECTION_AO,         SECTION_SCENARIO,
                                                          SECTION_ATMOSPHERE, SECTION_COMPONENT};

static bool open_at_first(enum section section)
{
    return section != SECTION_COMPONENT && section != SECTION_ATMOSPHERE;
}

void tree_start(struct tree *tree, const struct scenario *scenario)
{
    tree->at.list = (struct list_pane){.count = 0};
    if (!tree_build(tree, scenario))
        return;
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

    if (!knob_applies(scenario, section, index, knob) || knob_idle(scenario, ref) ||
        (knob_is_number(knob) && knob->min >= knob->max))
        return false;
    /* the heading states the model of the preset, which implies its kind */
    return section != SECTION_DEVICE || knob_is_own(scenario, ref) ||
           knob_stated_by(scenario, ref) == NULL ||
           (knob_id(knob) != KNOB_DEVICE_KIND && knob_id(knob) != KNOB_DEVICE_MODEL);
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

bool tree_is_open(const struct tree *tree, const struct scenario *scenario, enum section section,
                  int index)
{
    int fold = find_fold(tree, section, index, section_head_const(scenario, section, index)->name);

    return fold < 0 ? open_at_first(section) : tree->at.folds[section][fold].open;
}

/* Reorders the folds as in the scenario and drops those of removed sections. */
static void reorder_folds(struct tree *tree, const struct scenario *scenario, enum section section)
{
    struct tree_fold folds[COMPONENT_MAX];
    int count = section_count(scenario, section);

    for (int i = 0; i < count; i++) {
        const char *name = section_head_const(scenario, section, i)->name;

        snprintf(folds[i].name, sizeof folds[i].name, "%s", name);
        folds[i].open = tree_is_open(tree, scenario, section, i);
    }
    memcpy(tree->at.folds[section], folds, sizeof folds[0] * (size_t)count);
    tree->at.fold_count[section] = count;
}

static bool append_row(struct tree *tree, enum section section, int index, const struct knob *knob)
{
    struct tree_row *rows =
        array_reserve(tree->rows, tree->at.list.count, &tree->capacity, sizeof *rows);

    if (rows == NULL)
        return false;
    tree->rows = rows;
    tree->rows[tree->at.list.count++] = (struct tree_row){section, index, knob};
    return true;
}

static bool append_section(struct tree *tree, const struct scenario *scenario, enum section section)
{
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);

    reorder_folds(tree, scenario, section);
    for (int i = 0; i < section_count(scenario, section); i++) {
        if (!append_row(tree, section, i, NULL))
            return false;
        for (int k = first; k < end && tree->at.folds[section][i].open; k++)
            if (tree_shows(scenario, section, i, &knobs[k]) &&
                !append_row(tree, section, i, &knobs[k]))
                return false;
    }
    return true;
}

/* Returns the row of a knob, else of the nearest listed knob before it, else of the heading. */
static int find_near(const struct tree *tree, enum section section, int index,
                     const struct knob *knob)
{
    const struct knob *first = &knobs[knob_section_first(section)];

    for (; knob != NULL && knob >= first; knob--) {
        int row = tree_find(tree, section, index, knob);

        if (row >= 0)
            return row;
    }
    return tree_find(tree, section, index, NULL);
}

bool tree_build(struct tree *tree, const struct scenario *scenario)
{
    struct tree_row focus = {SECTION_COUNT, 0, NULL};
    char name[NAME_MAX_LENGTH + 1] = "";
    int index;

    if (tree->at.list.focus < tree->at.list.count) {
        focus = tree->rows[tree->at.list.focus];
        if (focus.index < tree->at.fold_count[focus.section])
            snprintf(name, sizeof name, "%s", tree->at.folds[focus.section][focus.index].name);
    }
    tree->at.list.count = 0;
    for (int s = 0; s < SECTION_COUNT; s++)
        if (!append_section(tree, scenario, section_order[s]))
            return false;
    if (focus.section != SECTION_COUNT) {
        int row;

        index = section_find(scenario, focus.section, name);
        row = find_near(tree, focus.section, index, focus.knob);
        if (row >= 0)
            tree->at.list.focus = row;
    }
    list_pane_move(&tree->at.list, 0);
    return true;
}

void tree_free(struct tree *tree)
{
    free(tree->rows);
    tree->rows = NULL;
    tree->capacity = tree->at.list.count = 0;
}

void tree_open(struct tree *tree, const struct scenario *scenario, enum section section, int index,
               bool open)
{
    int fold = find_fold(tree, section, index, section_head_const(scenario, section, index)->name);

    if (fold < 0 || tree->at.folds[section][fold].open == open)
        return;
    tree->at.folds[section][fold].open = open;
    tree_build(tree, scenario);
}

int tree_find(const struct tree *tree, enum section section, int index, const struct knob *knob)
{
    for (int r = 0; r < tree->at.list.count; r++)
        if (tree->rows[r].section == section && tree->rows[r].index == index &&
            tree->rows[r].knob == knob)
            return r;
    return -1;
}

void tree_focus(struct tree *tree, const struct scenario *scenario, enum section section, int index,
                const struct knob *knob)
{
    int row;

    if (knob != NULL)
        tree_open(tree, scenario, section, index, true);
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

    while (position < SECTION_COUNT - 1 && section_order[position] != section)
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
        position = (position + by + SECTION_COUNT) % SECTION_COUNT;
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
