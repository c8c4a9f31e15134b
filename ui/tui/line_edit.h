/* Editor for one line of UTF-8 text. The cursor is always between characters. */
#ifndef AOLAG_TUI_LINE_EDIT_H
#define AOLAG_TUI_LINE_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/canvas.h"

#define LINE_MAX_BYTES 4095

struct line_edit {
    char text[LINE_MAX_BYTES + 1];
    size_t length;
    size_t cursor; /* byte offset */
    bool fresh;    /* the text is a proposal: the first character typed replaces it */
    bool full;     /* a character had no room: no other is inserted until the line is edited */
};

void line_set(struct line_edit *line, const char *text, bool fresh);

/* Inserts a character; ignores control characters. Returns false if it does not fit, or one before
 * it did not: nothing is missing in the middle. */
bool line_insert(struct line_edit *line, uint32_t character);

void line_move(struct line_edit *line, int by); /* by characters; stops at the ends */
void line_delete_left(struct line_edit *line);
void line_delete_right(struct line_edit *line);

/* Replaces the bytes from `start` to the cursor by `word` and puts the cursor after it. */
void line_replace(struct line_edit *line, size_t start, const char *word);

/* Draws the line in `columns` cells, scrolled so that the cursor is visible, and puts the canvas's
 * cursor there. */
void line_draw(const struct line_edit *line, struct canvas *canvas, int row, int column,
               int columns);

#endif
