/* Lines that open into further lines, in a box over the view: formulas and what they are made of.
 */
#ifndef AOLAG_TUI_OUTLINE_H
#define AOLAG_TUI_OUTLINE_H

#include <stdbool.h>

#include "draw/canvas.h"
#include "tui/action.h"

struct outline_row {
    char *path; /* owned; what it opens into is found by it; NULL: a remark */
    char *text; /* owned */
    int level;  /* 0: outermost */
    bool opens;
    bool open;
};

/* Zero-initialised is closed. */
struct outline {
    char title[64];
    struct outline_row *rows; /* owned */
    int count, capacity;
    int focus;
    int first;          /* line of the text at the top */
    struct rect inside; /* of the box, as last drawn */
};

/* Empties it. */
void outline_open(struct outline *outline, const char *title);
void outline_close(struct outline *outline);
bool outline_is_open(const struct outline *outline);

/* Puts a row in at `at` (0 to the count); path NULL: a remark. False without memory. */
bool outline_insert(struct outline *outline, int at, int level, const char *path, const char *text,
                    bool opens);

/* Takes away all that is below a row, which is folded. */
void outline_fold(struct outline *outline, int at);

/* The row that a row is below; -1: none. */
int outline_parent(const struct outline *outline, int at);

void outline_act(struct outline *outline, enum action_id id);
void outline_move(struct outline *outline, int rows);

/* The row drawn at a place of the screen; -1: none. */
int outline_at(const struct outline *outline, int row, int column);

/* Lines too long for the box go on below themselves, a little further in. */
void outline_draw(struct outline *outline, struct canvas *canvas, struct rect body);

#endif
