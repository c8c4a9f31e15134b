/* The line that is being typed (prompt_open in host.h). */
#ifndef AOLAG_TUI_PROMPT_H
#define AOLAG_TUI_PROMPT_H

#include <stdint.h>

#include "draw/canvas.h"
#include "tui/action.h"

struct app;
struct line_history;

void prompt_act(struct app *app, enum action_id id);
void prompt_type(struct app *app, uint32_t character);
void prompt_draw(struct app *app, struct canvas *canvas, struct rect line);
void line_history_add(struct line_history *history, const char *line);
void line_history_free(struct line_history *history);

#endif
