#include "tui/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app_state.h"
#include "tui/command_line.h"
#include "tui/design.h"
#include "tui/edit.h"
#include "tui/files.h"
#include "tui/help.h"
#include "tui/layout.h"
#include "tui/menu.h"
#include "tui/prompt.h"
#include "tui/recovery.h"
#include "tui/views.h"
#include "tui/widget.h"

enum status app_new(struct app **app, const struct app_start *start, struct error *error)
{
    struct app *new = calloc(1, sizeof *new);
    enum status status;

    if (new == NULL) {
        document_free(start->document);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    new->host.design.catalogue = start->catalogue;
    new->host.design.document = start->document;
    view_open(new, NULL);
    new->host.program = start->program;
    new->mouse = true;
    new->host.rows = LAYOUT_ROWS_MIN;
    new->host.columns = LAYOUT_COLUMNS_MIN;
    status = bell_open(&new->host.bell, error);
    if (status == STATUS_OK)
        status = result_init(&new->host.design.result, error);
    if (status == STATUS_OK)
        status = design_start(&new->host, start->scenario, start->document, error);
    if (status != STATUS_OK) {
        app_free(new);
        return status;
    }
    if (start->notice != NULL && start->notice[0] != '\0')
        host_say(&new->host, STYLE_WARNING, "%s", start->notice);
    *app = new;
    return STATUS_OK;
}

void app_free(struct app *app)
{
    if (app == NULL)
        return;
    views_free(app);
    bell_close(&app->host.bell);
    design_free(&app->host.design);
    picker_free(&app->picker);
    pager_close(&app->pager);
    formulas_close(&app->formulas);
    line_history_free(&app->commands);
    line_history_free(&app->searches);
    free(app);
}

struct app *app_of(struct host *host)
{
    return (struct app *)host;
}

void host_say(struct host *host, enum style style, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(host->message, sizeof host->message, format, arguments);
    va_end(arguments);
    text_micro(host->message, sizeof host->message);
    host->message_style = style;
    host->failed = style == STYLE_ERROR;
}

void host_fail(struct host *host, const struct error *error)
{
    host_say(host, STYLE_ERROR, "%s", error->message);
}

void host_show_knob(struct host *host, enum section section, int index, const struct knob *knob,
                    bool focus)
{
    struct app *app = app_of(host);

    explore_show(&app->explore, section, index, knob, focus);
    if (focus)
        view_return(app, &view_explore);
}

struct knob_ref host_search_from(const struct host *host, int by)
{
    return explore_search_from(&((const struct app *)host)->explore, by);
}

enum place app_place(const struct app *app)
{
    return pager_is_open(&app->pager)          ? PLACE_PAGER
           : formulas_are_open(&app->formulas) ? PLACE_FORMULAS
                                               : view_place(app);
}

int app_watch(const struct app *app, int files[APP_FILES])
{
    files[0] = app->host.bell.file[0];
    return 1 + views_watch(app, files + 1, APP_FILES - 1);
}

void app_know_machine(struct app *app)
{
    machine_know(&app->machine);
}

void app_take(struct app *app)
{
    bell_clear(&app->host.bell);
    views_take(app);
}

bool app_busy(const struct app *app)
{
    return views_busy(app);
}

bool app_computing(const struct app *app)
{
    return app->host.bell.working > 0;
}

bool app_mouse(const struct app *app)
{
    return app->mouse;
}

void app_say_problems(struct app *app, const struct problems *problems, const char *file)
{
    struct error error;
    FILE *out;

    if (problems->count < 2) {
        problems_summary(problems, file, &error);
        host_fail(&app->host, &error);
        return;
    }
    host_say(&app->host, STYLE_ERROR, "%s has %zu problems", file, problems->count);
    out = pager_start(&app->pager, "Problems");
    if (out == NULL)
        return;
    for (size_t p = 0; p < problems->count; p++) {
        const struct problem *problem = &problems->list[p];

        if (problem->line > 0)
            fprintf(out, "%s:%d: %s\n", file, problem->line, problem->message);
        else
            fprintf(out, "%s: %s\n", file, problem->message);
    }
    pager_show(&app->pager);
}

static void act_redraw(struct app *app, const char *argument)
{
    (void)argument;
    app->next = APP_REDRAW;
}

static void act_suspend(struct app *app, const char *argument)
{
    (void)argument;
    app->next = APP_SUSPEND;
}

static void act_explain(struct app *app, const char *argument)
{
    const struct design *design = &app->host.design;
    const struct explain explain = {&design->scenario, &design->result};
    struct error error;
    char path[EXPLAIN_PATH_MAX];

    (void)argument;
    if (design->problem.status != STATUS_OK || !design->evaluated)
        host_say(&app->host, STYLE_ERROR, "the design is invalid: there is nothing to explain");
    else if (!view_path(app, path, sizeof path))
        host_say(&app->host, STYLE_NORMAL, "there is no number under the cursor");
    else if (formulas_open(&app->formulas, &explain, path, &error) != STATUS_OK)
        host_fail(&app->host, &error);
}

/* Keys ---------------------------------------------------------------------------------------- */

/* Actions that are the same in every view. */
static void (*const act[ACTION_COUNT])(struct app *app, const char *argument) = {
    [ACTION_ADD] = act_add,         [ACTION_BASELINE] = act_baseline,
    [ACTION_COMMAND] = act_command, [ACTION_EXPLAIN] = act_explain,
    [ACTION_FIND] = act_find,       [ACTION_HELP] = act_help,
    [ACTION_NEW] = act_new,         [ACTION_NEXT_MATCH] = act_next_match,
    [ACTION_OPEN] = act_open,       [ACTION_PICTURE] = act_picture,
    [ACTION_PRESET] = act_preset,   [ACTION_PREVIOUS_MATCH] = act_previous_match,
    [ACTION_QUIT] = act_quit,       [ACTION_REDO] = act_redo,
    [ACTION_REDRAW] = act_redraw,   [ACTION_RELOAD] = act_reload,
    [ACTION_REMOVE] = act_remove,   [ACTION_RESET] = act_reset,
    [ACTION_SAVE] = act_save,       [ACTION_SAVE_AS] = act_save_as,
    [ACTION_SET] = act_set,         [ACTION_SHOW_TABLE] = act_table,
    [ACTION_SUSPEND] = act_suspend, [ACTION_UNDO] = act_undo,
};

void app_run_action(struct app *app, const struct action *action, const char *argument)
{
    if (act[action->id] != NULL)
        act[action->id](app, argument);
    else if (action->id == ACTION_VIEW)
        view_open(app, action->name);
    else
        app->view->act(app->state, action->id, argument);
}

static void run_list_action(struct app *app, enum action_id id, uint32_t key)
{
    if (id == ACTION_ACCEPT) {
        menu_choose(app);
    } else if (id == ACTION_CLOSE) {
        app->mode = MODE_NORMAL;
        app->files.then = NULL;
        if (app->interrupted && key == KEY_CONTROL_C) {
            recovery_save(app);
            app->next = APP_QUIT;
        }
        app->interrupted = false;
    } else {
        picker_act(&app->picker, id);
    }
}

static void run_pane_action(struct app *app, enum action_id id)
{
    if (app_place(app) == PLACE_FORMULAS)
        formulas_act(&app->formulas, id);
    else if (!pager_is_open(&app->pager))
        app->view->act(app->state, id, NULL);
    else if (id == ACTION_CLOSE)
        pager_close(&app->pager);
    else
        pager_act(&app->pager, id);
}

static void run_key_action(struct app *app, const struct action *action, uint32_t key)
{
    if (act[action->id] != NULL || action->id == ACTION_VIEW)
        app_run_action(app, action, NULL);
    else if (app->mode == MODE_LIST)
        run_list_action(app, action->id, key);
    else if (app->mode == MODE_LINE)
        prompt_act(app, action->id);
    else
        run_pane_action(app, action->id);
}

static void dispatch_mouse(struct app *app, const struct key_event *event)
{
    if (app->mode == MODE_LIST) {
        if (picker_mouse(&app->picker, event))
            menu_choose(app); /* a click on what is focused already takes it */
    } else if (app->mode == MODE_NORMAL && app_place(app) == PLACE_FORMULAS) {
        formulas_mouse(&app->formulas, event);
    } else if (app->mode == MODE_NORMAL && !pager_is_open(&app->pager)) {
        app->view->mouse(app->state, event);
    } else if (app->mode == MODE_NORMAL) {
        pager_mouse(&app->pager, event);
    }
}

/* A key ends a drag: the button may be let go where no view hears of it. */
static void end_drag(struct app *app)
{
    static const struct key_event release = {KEY_NAMED_MOUSE, MOUSE_RELEASE, -1, -1};

    app->view->mouse(app->state, &release);
}

/* Under the notice that the screen is too small nothing can be seen, so that nothing is answered,
 * typed or changed: whatever is open waits. Only what the notice itself allows. */
static void press_too_small(struct app *app, const struct key_event *event)
{
    const struct action *action = action_of_key(MODE_NORMAL, PLACE_KNOBS, event->key);
    bool typing = app->mode == MODE_LINE || (app->mode == MODE_LIST && !app->menu.question);
    bool warned = app->warned;

    if (event->key == KEY_NAMED_MOUSE && event->mouse != MOUSE_RELEASE)
        return;
    end_drag(app);
    if (action == NULL || (typing && event->key >= ' ' && event->key < KEY_FIRST_NAMED))
        return;
    if (action->id == ACTION_REDRAW || action->id == ACTION_SUSPEND) {
        app_run_action(app, action, NULL);
    } else if (action->id == ACTION_QUIT && !design_modified(&app->host.design)) {
        app->next = APP_QUIT;
    } else if (action->id == ACTION_QUIT && warned && event->key == KEY_CONTROL_C) {
        recovery_save(app);
        app->next = APP_QUIT;
    } else if (action->id == ACTION_QUIT) {
        app->warned = true;
    }
}

enum app_next app_key(struct app *app, const struct key_event *event)
{
    const struct action *action = action_of_key(app->mode, app_place(app), event->key);

    app->next = APP_CONTINUE;
    if (!layout_screen(app->host.rows, app->host.columns).fits) {
        press_too_small(app, event);
        return app->next;
    }
    if (event->key != KEY_NAMED_MOUSE || event->mouse != MOUSE_RELEASE) {
        app->host.message[0] = '\0';
        app->host.failed = false;
    }
    if (event->key != KEY_NAMED_MOUSE)
        end_drag(app);
    if (event->key == KEY_NAMED_MOUSE)
        dispatch_mouse(app, event);
    else if (action != NULL)
        run_key_action(app, action, event->key);
    else if (event->key >= ' ' && event->key < KEY_FIRST_NAMED && app->mode == MODE_LIST &&
             app->menu.question)
        menu_answer(app, event->key);
    else if (event->key >= ' ' && event->key < KEY_FIRST_NAMED && app->mode == MODE_LIST)
        picker_type(&app->picker, event->key);
    else if (event->key >= ' ' && event->key < KEY_FIRST_NAMED && app->mode == MODE_LINE)
        prompt_type(app, event->key);
    return app->next;
}

/* Drawing ------------------------------------------------------------------------------------- */

static const char *file_name(const struct app *app)
{
    const char *path = document_path(app->host.design.document);
    const char *slash = path == NULL ? NULL : strrchr(path, '/');

    if (path == NULL)
        return "untitled";
    return slash == NULL ? path : slash + 1;
}

/* The file's name with its mark; a long name gives, the mark stays. */
static void print_file(const struct app *app, int columns, char *text, size_t size)
{
    const char *mark = design_modified(&app->host.design) ? " [modified]" : "";
    char name[PATH_BYTES];

    snprintf(name, sizeof name, "%s", file_name(app));
    text_middle(name, sizeof name, columns - text_width(mark));
    snprintf(text, size, "%s%s", name, mark);
}

static void draw_header(const struct app *app, struct canvas *canvas, struct rect line)
{
    enum { TITLE = 8, SHORTEST = 8, NARROW = 80 };
    int gap = line.columns < NARROW ? 2 : 3;
    int title = line.columns < NARROW ? 7 : TITLE;
    char rate[32];
    char right[96];
    char file[PATH_BYTES + 16];
    int at = line.columns - 1;
    int width;

    quantity_show(app->host.design.scenario.general.frame_rate, "Hz", rate, sizeof rate);
    snprintf(right, sizeof right, "%s \xC2\xB7 %.0f packet%s \xC2\xB7 %s", rate,
             app->host.design.scenario.general.packets,
             app->host.design.scenario.general.packets == 1 ? "" : "s",
             knob_word(KNOB_SCENARIO_SHARING, app->host.design.scenario.general.sharing));
    width = text_width(right);
    at -= width;
    canvas_text(canvas, line.row, at, width, STYLE_NORMAL, right);
    print_file(app, at - gap - title, file, sizeof file);
    width = text_width(file);
    if (width > at - gap - title)
        width = at - gap - title;
    at -= gap + width;
    canvas_text(canvas, line.row, at, width,
                design_modified(&app->host.design) ? STYLE_WARNING : STYLE_NORMAL, file);
    canvas_text(canvas, line.row, 1, title, STYLE_TITLE, "aolag");
    if (at - gap - title >= SHORTEST)
        canvas_text(canvas, line.row, title, at - gap - title, STYLE_NORMAL,
                    app->host.design.scenario.general.title);
}

static void draw_too_small(const struct app *app, struct canvas *canvas)
{
    char text[64];
    struct rect all = {0, 0, canvas->rows, canvas->columns};
    struct canvas none = {0};
    int width;

    snprintf(text, sizeof text, "%dx%d needed, %dx%d here", LAYOUT_COLUMNS_MIN, LAYOUT_ROWS_MIN,
             canvas->columns, canvas->rows);
    if (canvas->unicode)
        snprintf(text, sizeof text, "%d\xC3\x97%d needed, %d\xC3\x97%d here", LAYOUT_COLUMNS_MIN,
                 LAYOUT_ROWS_MIN, canvas->columns, canvas->rows);
    if (app->warned)
        snprintf(text, sizeof text, "enlarge the terminal: there are unsaved changes");
    width = text_width(text);
    if (width > canvas->columns) {
        all.row = (canvas->rows - canvas_wrap(&none, all, 0, STYLE_NORMAL, text)) / 2;
        all.row = all.row < 0 ? 0 : all.row;
        all.rows -= all.row;
        canvas_wrap(canvas, all, 0, STYLE_NORMAL, text);
        return;
    }
    canvas_text(canvas, canvas->rows / 2, (canvas->columns - width) / 2, width, STYLE_NORMAL, text);
}

/* A message too long for its row grows upwards, over the view; one too long for that says so. */
static void draw_message(const struct app *app, struct canvas *canvas, struct rect line)
{
    enum { ROWS = 4 };
    struct rect box = {0, 0, ROWS, line.columns};
    struct rect text = {0, 1, ROWS, line.columns - 2};
    struct canvas none = {0};
    int rows = canvas_wrap(&none, text, 0, app->host.message_style, app->host.message);

    box.rows = rows < ROWS ? rows : ROWS;
    box.row = line.row - box.rows + 1;
    text.row = box.row;
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_wrap(canvas, text, 0, app->host.message_style, app->host.message);
    if (rows > ROWS)
        canvas_text(canvas, line.row, line.columns - 1, 1, app->host.message_style, "\xE2\x80\xA6");
}

void app_draw(struct app *app, struct canvas *canvas)
{
    struct layout layout = layout_screen(canvas->rows, canvas->columns);

    canvas_clear(canvas);
    app->host.rows = canvas->rows;
    app->host.columns = canvas->columns;
    if (!layout.fits) {
        draw_too_small(app, canvas);
        return;
    }
    app->warned = false;
    draw_header(app, canvas, layout.header);
    app->view->draw(app->state, canvas, layout.body);
    if (app->host.message[0] != '\0')
        draw_message(app, canvas, layout.detail);
    else if ((app->mode == MODE_NORMAL && app_place(app) < PLACE_PAGER) ||
             (app->mode == MODE_LINE && app->prompt.request.completion == COMPLETE_VALUE))
        app->view->detail(app->state, canvas, layout.detail);
    if (formulas_are_open(&app->formulas))
        formulas_draw(&app->formulas, canvas, layout.body);
    if (pager_is_open(&app->pager))
        pager_draw(&app->pager, canvas, layout.body);
    if (app->mode == MODE_LIST)
        picker_draw(&app->picker, canvas, layout.body);
    if (app->mode == MODE_LINE)
        prompt_draw(app, canvas, layout.footer);
    else
        help_draw_footer(app, canvas, layout.footer);
}
