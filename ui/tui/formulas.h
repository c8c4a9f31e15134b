/* The formulas behind a number, in a box over the view: each row opens into its inputs. */
#ifndef AOLAG_TUI_FORMULAS_H
#define AOLAG_TUI_FORMULAS_H

#include <stdbool.h>

#include "draw/canvas.h"
#include "explain/explain.h"
#include "tui/action.h"
#include "tui/keys.h"
#include "tui/list_pane.h"

struct formula_row {
    char *path; /* owned; what it opens into is found by it; NULL: a remark */
    char *text; /* owned */
    int level;  /* 0: outermost */
    bool opens;
    bool open;
};

/* Zero-initialised is closed. */
struct formulas {
    char title[64];
    struct explain explain;   /* the design, which does not change while the box is open */
    struct formula_row *rows; /* owned; as many as list.count */
    int capacity;
    struct list_pane list;
};

/* Opens the box for the path of a knob or result. Out of memory it shows a part. */
enum status formulas_open(struct formulas *formulas, const struct explain *explain,
                          const char *path, struct error *error);
void formulas_close(struct formulas *formulas);
bool formulas_are_open(const struct formulas *formulas);

void formulas_act(struct formulas *formulas, enum action_id id);
void formulas_mouse(struct formulas *formulas, const struct key_event *event);

/* Lines too long for the box go on below themselves, a little further in. */
void formulas_draw(struct formulas *formulas, struct canvas *canvas, struct rect body);

#endif
