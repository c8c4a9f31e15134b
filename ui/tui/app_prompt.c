#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app_state.h"
#include "tui/widget.h"

struct prompt *prompt_open(struct app *app, const char *label, const char *text, bool fresh,
                           bool (*accept)(struct app *app, const char *text))
{
    struct prompt *prompt = &app->prompt;

    snprintf(prompt->label, sizeof prompt->label, "%s", label);
    line_set(&prompt->line, text, fresh);
    prompt->accept = accept;
    prompt->history = NULL;
    prompt->changed = NULL;
    prompt->cancel = NULL;
    prompt->complete = NULL;
    prompt->about_knob = false;
    app->mode = MODE_LINE;
    return prompt;
}

void prompt_close(struct app *app)
{
    app->mode = MODE_NORMAL;
}

/* What is refused comes back as it was typed, unless there is a text to be read first. */
static void accept(struct app *app)
{
    struct prompt kept = app->prompt;
    bool accepted;

    app->failed = false;
    prompt_close(app);
    accepted = kept.accept(app, kept.line.text);
    if (kept.history != NULL)
        line_history_add(kept.history, kept.line.text);
    if (accepted || pager_is_open(&app->pager))
        return;
    if (kept.history != NULL && kept.history->at > 0)
        kept.history->at--; /* the line that stands there: Up leads to the one before */
    app->prompt = kept;
    app->prompt.line.fresh = false;
    app->mode = MODE_LINE;
}

static void recall(struct prompt *prompt, int by)
{
    struct line_history *history = prompt->history;
    int at;

    if (history == NULL)
        return;
    at = history->at + by;
    if (at < 0 || at > history->count)
        return;
    history->at = at;
    line_set(&prompt->line, at == history->count ? "" : history->lines[at], false);
}

static void edit(struct app *app, enum action_id id)
{
    struct line_edit *line = &app->prompt.line;

    switch ((int)id) {
    case ACTION_LEFT:
    case ACTION_RIGHT:
        line_move(line, id == ACTION_LEFT ? -1 : 1);
        break;
    case ACTION_START:
    case ACTION_END:
        line_move(line, id == ACTION_START ? -LINE_MAX_BYTES : LINE_MAX_BYTES);
        break;
    case ACTION_UP:
    case ACTION_DOWN:
        recall(&app->prompt, id == ACTION_UP ? -1 : 1);
        break;
    case ACTION_DELETE_LEFT:
        line_delete_left(line);
        break;
    case ACTION_DELETE_RIGHT:
        line_delete_right(line);
        break;
    case ACTION_DELETE_ALL:
        line_set(line, "", false);
        break;
    case ACTION_COMPLETE:
        line->fresh = false;
        if (app->prompt.complete != NULL)
            app->prompt.complete(app);
        break;
    default:
        break;
    }
    if (app->prompt.changed != NULL)
        app->prompt.changed(app, line->text);
}

void prompt_act(struct app *app, enum action_id id)
{
    if (id == ACTION_ACCEPT) {
        accept(app);
    } else if (id == ACTION_CLOSE) {
        prompt_close(app);
        if (app->prompt.cancel != NULL)
            app->prompt.cancel(app);
    } else {
        edit(app, id);
    }
}

void prompt_type(struct app *app, uint32_t character)
{
    line_insert(&app->prompt.line, character);
    if (app->prompt.changed != NULL)
        app->prompt.changed(app, app->prompt.line.text);
}

void prompt_draw(struct app *app, struct canvas *canvas, struct rect line)
{
    int used = canvas_text(canvas, line.row, 1, line.columns / 2, STYLE_KEY, app->prompt.label);

    line_draw(&app->prompt.line, canvas, line.row, 1 + used, line.columns - used - 2);
}

void line_history_add(struct line_history *history, const char *line)
{
    int most = (int)(sizeof history->lines / sizeof history->lines[0]);
    char *copy;

    history->at = history->count;
    if (line[0] == '\0' ||
        (history->count > 0 && strcmp(history->lines[history->count - 1], line) == 0))
        return;
    copy = strdup(line);
    if (copy == NULL)
        return;
    if (history->count == most) {
        free(history->lines[0]);
        memmove(history->lines, history->lines + 1, sizeof history->lines[0] * (size_t)(most - 1));
        history->count--;
    }
    history->lines[history->count++] = copy;
    history->at = history->count;
}

void line_history_free(struct line_history *history)
{
    while (history->count > 0)
        free(history->lines[--history->count]);
}
