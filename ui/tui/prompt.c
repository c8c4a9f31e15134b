#include "tui/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app_state.h"

void prompt_open(struct host *host, const struct prompt_request *request)
{
    struct app *app = app_of(host);
    struct prompt *prompt = &app->prompt;

    snprintf(prompt->label, sizeof prompt->label, "%s", request->label);
    line_set(&prompt->line, request->text == NULL ? "" : request->text, request->proposed);
    prompt->request = *request;
    if (request->history != NULL)
        request->history->at = request->history->count;
    app->mode = MODE_LINE;
}

void prompt_expand_home(const char *text, char *path, size_t size)
{
    const char *home = getenv("HOME");

    if (text[0] == '~' && (text[1] == '/' || text[1] == '\0') && home != NULL)
        snprintf(path, size, "%s%s", home, text + 1);
    else
        snprintf(path, size, "%s", text);
}

/* What is refused comes back as it was typed, unless there is a text to be read first. */
static void accept_line(struct app *app)
{
    struct prompt kept = app->prompt;
    struct line_history *history = kept.request.history;
    bool accepted;

    app->host.failed = false;
    app->mode = MODE_NORMAL;
    accepted = kept.request.accept(kept.request.context, kept.line.text);
    if (history != NULL)
        line_history_add(history, kept.line.text);
    if (accepted || pager_is_open(&app->pager))
        return;
    if (history != NULL && history->at > 0)
        history->at--; /* the line that stands there: Up leads to the one before */
    app->prompt = kept;
    app->prompt.line.fresh = false;
    app->mode = MODE_LINE;
}

static void recall_line(struct prompt *prompt, int by)
{
    struct line_history *history = prompt->request.history;
    int at;

    if (history == NULL)
        return;
    at = history->at + by;
    if (at < 0 || at > history->count)
        return;
    history->at = at;
    line_set(&prompt->line, at == history->count ? "" : history->lines[at], false);
}

static void tell_changed(const struct prompt *prompt)
{
    if (prompt->request.changed != NULL)
        prompt->request.changed(prompt->request.context, prompt->line.text);
}

static void edit_line(struct app *app, enum action_id id)
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
        recall_line(&app->prompt, id == ACTION_UP ? -1 : 1);
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
        complete_line(app);
        break;
    default:
        break;
    }
    tell_changed(&app->prompt);
}

void prompt_act(struct app *app, enum action_id id)
{
    const struct prompt_request *request = &app->prompt.request;

    if (id == ACTION_ACCEPT) {
        accept_line(app);
    } else if (id == ACTION_CLOSE) {
        app->mode = MODE_NORMAL;
        if (request->cancel != NULL)
            request->cancel(request->context);
    } else {
        edit_line(app, id);
    }
}

void prompt_type(struct app *app, uint32_t character)
{
    line_insert(&app->prompt.line, character);
    tell_changed(&app->prompt);
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
