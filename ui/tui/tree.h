/* The knobs as a list of rows: a heading for each section, below it its essential knobs, all of
 * its knobs, or none. A knob that is not essential joins the essential ones once it is focused,
 * changed or kept, and leaves them only when another design is listed. Knobs of a group have one
 * row together, and their own below it once it is opened. */
#ifndef AOLAG_TUI_TREE_H
#define AOLAG_TUI_TREE_H

#include <stdbool.h>

#include "design/knob.h"
#include "design/scenario.h"
#include "tui/list_pane.h"

struct tree_row {
    enum section section;
    int index;
    const struct knob *knob; /* NULL: the section's heading */
    bool group;              /* the row of the group of which `knob` is the first that is listed */
    int more;                /* rows of the section that are not shown; only of a heading */
};

enum tree_level { TREE_CLOSED, TREE_ESSENTIAL, TREE_ALL };

/* Fold state of a section, by name, so that it survives additions, removals and undo. */
struct tree_fold {
    char name[NAME_MAX_LENGTH + 1];
    enum tree_level level;
    struct knob_set kept; /* shown among the essential ones */
    bool group;           /* its group of knobs is open */
};

/* Folds and cursor, which a cancelled search restores. */
struct tree_state {
    struct list_pane list;
    struct tree_fold folds[SECTION_COUNT][COMPONENT_MAX];
    int fold_count[SECTION_COUNT];
    char first[NAME_MAX_LENGTH + 1]; /* device that is listed first; empty: the first one */
    bool own;                        /* values that the scenario states are essential */
};

/* Zero-initialised is empty. */
struct tree {
    struct tree_row *rows; /* at.list.count elements */
    int capacity;
    struct tree_state at;
};

/* Lists another design, device `first` (-1: none) before the others, and focuses the first slider.
 * Sections of the same name stay folded as they were; knobs that were kept are no longer. `own`:
 * shows what the scenario states. */
void tree_start(struct tree *tree, const struct scenario *scenario, int first, bool own);

/* Lists the sections of the scenario and the knobs that apply. The focus stays on its knob, else
 * moves to the section of that knob, else to a row nearby. */
void tree_build(struct tree *tree, const struct scenario *scenario);
void tree_free(struct tree *tree);

/* As section_path; the scenario is "design", as its heading is. */
void tree_section_path(const struct scenario *scenario, enum section section, int index, char *text,
                       size_t size);

enum tree_level tree_level(const struct tree *tree, const struct scenario *scenario,
                           enum section section, int index);
void tree_set_level(struct tree *tree, const struct scenario *scenario, enum section section,
                    int index, enum tree_level level);

/* tree_toggle_all shows all knobs of all sections or, if it does so, the essential ones;
 * tree_toggle_folds closes all sections or, if they are closed, opens those open at first. */
void tree_toggle_all(struct tree *tree, const struct scenario *scenario);
void tree_toggle_folds(struct tree *tree, const struct scenario *scenario);

bool tree_shows_all(const struct tree *tree); /* of a section */
bool tree_is_folded(const struct tree *tree); /* all sections are closed */

/* Shows the essential knobs of a section that is closed. */
void tree_unfold(struct tree *tree, const struct scenario *scenario, enum section section,
                 int index);

/* Shows the knobs of a section's group, or only the row of the group. */
bool tree_group_is_open(const struct tree *tree, const struct tree_row *row);
void tree_open_group(struct tree *tree, const struct scenario *scenario, enum section section,
                     int index, bool open);

/* Shows a knob among the essential ones from now on. */
void tree_keep(struct tree *tree, const struct scenario *scenario, struct knob_ref ref);

/* Returns the row of a knob or heading (knob NULL); -1 if it has none of its own. */
int tree_find(const struct tree *tree, enum section section, int index, const struct knob *knob);

/* Unfolds its section and group and focuses the row. */
void tree_focus(struct tree *tree, const struct scenario *scenario, enum section section, int index,
                const struct knob *knob);

const struct tree_row *tree_row(const struct tree *tree); /* under the focus */

/* Moves `ref` to the next (by 1) or previous (-1) knob in the order of the tree, folded or not, and
 * wraps around at the ends. */
void tree_next_knob(const struct scenario *scenario, struct knob_ref *ref, int by);

/* Returns true unless the knob is one of those that designs seldom state, and this one does not. */
bool tree_wants(const struct scenario *scenario, struct knob_ref ref);

/* Returns true if the knob is listed: it applies, can have more than one value and does not repeat
 * what the heading of its device states of a preset. */
bool tree_shows(const struct scenario *scenario, enum section section, int index,
                const struct knob *knob);

#endif
