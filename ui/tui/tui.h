/* The interactive explorer on a terminal. */
#ifndef AOLAG_TUI_TUI_H
#define AOLAG_TUI_TUI_H

#include <stdio.h>

#include "tui/app.h"

/* Runs until the user quits. Returns an exit status. Takes ownership of start->document, also on
 * failure. */
int tui_run(const struct app_start *start, FILE *err);

#endif
