/* Pictures and texts against those in tests/data/pictures. */
#ifndef AOLAG_PICTURES_H
#define AOLAG_PICTURES_H

#include "draw/canvas.h"

/* What is on a canvas, as text; free() it. */
char *picture_text(const struct canvas *canvas);

/* The canvas is, as text, `expected`. */
void picture_check(const struct canvas *canvas, const char *expected);

/* The text is that of tests/data/pictures/NAME.txt. */
void picture_check_file(const char *text, const char *name);

#endif
