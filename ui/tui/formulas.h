/* A box over the view with the formulas behind a number; each row unfolds into its inputs. */
#ifndef AOLAG_TUI_FORMULAS_H
#define AOLAG_TUI_FORMULAS_H

#include <stdbool.h>

#include "draw/canvas.h"
#include "explain/explain.h"
#include "tui/action.h"
#include "tui/keys.h"
#include "tui/list_pane.h"

struct formula_row {
    char *path; /* owned; identifies the inputs of the row; NULL: a remark */
    char *text; /* owned */
    int level;  /* 0: outermost */
    bool opens;
    bool open;
};

/* Zero-initialised is closed. */
struct formulas {
    char title[64];
    struct explain explain;   /* of the design, which must not change while the box is open */
    const char *pending;      /* the last row: which results are not known yet; NULL: none */
    struct formula_row *rows; /* owned; list.count elements */
    int capacity;
    struct list_pane list;
};

/* Opens the box for the path of a knob or result. `pending`: as in struct formulas. */
enum status formulas_open(struct formulas *formulas, const struct explain *explain,
                          const char *path, const char *pending, struct error *error);
/* Shows the pending results of `explain`, once they are known: in the rows that there are, and in new
 * ones at the end. */
void formulas_update(struct formulas *formulas);
void formulas_close(struct formulas *formulas);
bool formulas_are_open(const struct formulas *formulas);

/* Returns the row under the cursor of the open box. */
const struct formula_row *formulas_row(const struct formulas *formulas);

void formulas_act(struct formulas *formulas, enum action_id id);
void formulas_mouse(struct formulas *formulas, const struct key_event *event);

/* Lines too long for the box are wrapped with a small indent. */
void formulas_draw(struct formulas *formulas, struct canvas *canvas, struct rect body);

#endif
