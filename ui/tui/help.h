/* What keys do, made from the action table: the footer, and '?' in full. */
#ifndef AOLAG_TUI_HELP_H
#define AOLAG_TUI_HELP_H

#include "draw/canvas.h"

struct app;

void act_help(struct app *app, const char *argument);

/* Help and quit always; of the others, in the table's order, those that fit. */
void help_draw_footer(const struct app *app, struct canvas *canvas, struct rect line);

#endif
