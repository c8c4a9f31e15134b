/* The explorer on the terminal. */
#ifndef AOLAG_TUI_TUI_H
#define AOLAG_TUI_TUI_H

#include <stdio.h>

#include "tui/app.h"

/* Until the user quits; returns an exit status and takes start->document over, whatever comes of
 * it. */
int tui_run(const struct app_start *start, FILE *err);

#endif
