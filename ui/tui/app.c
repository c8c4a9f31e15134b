#include "tui/app.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/file.h"
#include "design/ini.h"
#include "model/derived.h"
#include "tui/app_state.h"
#include "tui/layout.h"
#include "tui/widget.h"

/* Views ---------------------------------------------------------------------------------------- */

/* All views and the location of their state in the app. The first one opens at start. */
static const struct {
    const struct view *view;
    size_t state;
} views[] = {
    {.view = &view_explore, .state = offsetof(struct app, explore)},
    {.view = &view_timeline, .state = offsetof(struct app, timeline)},
    {.view = &view_roofline, .state = offsetof(struct app, roofline)},
    {.view = &view_sweep, .state = offsetof(struct app, sweep)},
    {.view = &view_compare, .state = offsetof(struct app, compare)},
    {.view = &view_advise, .state = offsetof(struct app, advise)},
    {.view = &view_machine, .state = offsetof(struct app, machine)},
    {.view = &view_detector, .state = offsetof(struct app, detector)},
    {.view = &view_loop, .state = offsetof(struct app, loop)},
};

enum { VIEWS = sizeof views / sizeof views[0] };

static void *view_state(struct app *app, int v)
{
    return (char *)app + views[v].state;
}

static const void *view_state_const(const struct app *app, int v)
{
    return (const char *)app + views[v].state;
}

static void views_start(struct app *app)
{
    front_start(&app->front, &app->host);
    for (int v = 0; v < VIEWS; v++) {
        views[v].view->start(view_state(app, v), &app->host);
        if (views[v].view == &view_explore)
            app->host.before = explore_search_from(&app->explore, 1);
    }
    if (app->view->open != NULL)
        app->view->open(app->state);
}

static void views_changed(struct app *app)
{
    front_changed(&app->front);
    for (int v = 0; v < VIEWS; v++)
        if (views[v].view->changed != NULL)
            views[v].view->changed(view_state(app, v));
}

/* Tells the views of a design that was loaded or changed since. */
void app_follow_design(struct app *app)
{
    const struct design *design = &app->host.design;

    if (app->loads != design->loads)
        views_start(app);
    else if (app->version != design->version)
        views_changed(app);
    app->loads = design->loads;
    app->version = design->version;
}

static void free_views(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        if (views[v].view->free != NULL)
            views[v].view->free(view_state(app, v));
    front_free(&app->front);
}

void view_return(struct app *app, const struct view *view)
{
    for (int v = 0; v < VIEWS; v++)
        if (views[v].view == view)
            app->state = view_state(app, v);
    app->view = view;
}

void view_open(struct app *app, const char *name)
{
    const struct view *before = app->view;

    for (int v = 0; v < VIEWS; v++) {
        if (name == NULL || strcmp(views[v].view->name, name) == 0) {
            view_return(app, views[v].view);
            if (app->view != before && app->view->open != NULL) {
                app->host.before = explore_search_from(&app->explore, 1);
                app->view->open(app->state);
            }
            return;
        }
    }
}

enum pane view_pane(const struct app *app)
{
    return app->view->focused_pane == NULL ? app->view->pane : app->view->focused_pane(app->state);
}

struct view_cursor view_cursor(const struct app *app)
{
    struct view_cursor cursor = {.index = -1};

    if (app->view->cursor != NULL)
        app->view->cursor(app->state, &cursor);
    return cursor;
}

int app_watch(const struct app *app, int files[APP_FILES])
{
    int count = 1;

    files[0] = app->host.bell.file[0];
    for (int v = 0; v < VIEWS && count < APP_FILES; v++) {
        const struct view *view = views[v].view;
        int file = view->file == NULL ? -1 : view->file(view_state_const(app, v));

        if (file >= 0)
            files[count++] = file;
    }
    return count;
}

/* Background work ------------------------------------------------------------------------------ */

bool app_busy(const struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        if (views[v].view->busy != NULL && views[v].view->busy(view_state_const(app, v)))
            return true;
    return app->host.bell.working != NULL;
}

int app_refused(const struct app *app)
{
    return app->host.bell.refused;
}

void app_collect_results(struct app *app)
{
    bell_clear(&app->host.bell);
    design_collect(&app->host.design);
    front_collect(&app->front);
    for (int v = 0; v < VIEWS; v++)
        if (views[v].view->collect != NULL)
            views[v].view->collect(view_state(app, v));
    menu_collect(app);
    app_follow_design(app);
    if (app->table_awaited) {
        app->host.notice.text[0] = '\0';
        act_table(app, NULL);
    }
}

void app_hold_work(struct app *app, bool hold)
{
    app->host.bell.held = hold;
}

bool app_computing(const struct app *app)
{
    return bell_awaits(&app->host.bell);
}

int app_limit_work(struct app *app, int looks)
{
    return bell_limit(&app->host.bell, looks);
}

void app_list_work(const struct app *app, char *text, size_t size)
{
    struct buffer list = buffer_over(text, size);

    for (const struct worker *worker = app->host.bell.working; worker != NULL;
         worker = worker->next)
        buffer_item(&list, worker->work);
}

/* Opening and closing -------------------------------------------------------------------------- */

static void open_answers(struct app *app)
{
    struct bell *bell = &app->host.bell;

    answer_open(&app->host.design.evaluation, &evaluation_kind, bell);
    answer_open(&app->host.design.range, &range_kind, bell);
    answer_open(&app->host.design.budget, &budget_kind, bell);
    answer_open(&app->explore.cliff, &cliff_kind, bell);
    answer_open(&app->explore.next.answer, &steps_kind, bell);
    answer_open(&app->compare.ranges, &both_kind, bell);
    answer_open(&app->advise.answer, &advice_kind, bell);
    answer_open(&app->sweep.answer, &sweep_kind, bell);
    answer_open(&app->menu.latencies, &latencies_kind, bell);
}

enum status app_new(struct app **app, const struct app_start *start, struct error *error)
{
    struct app *new = allocate_array(1, sizeof *new);
    enum status status;

    new->host.design.catalogue = start->catalogue;
    view_open(new, NULL);
    new->host.program = start->program;
    new->key_waits = start->key_waits;
    new->keys = start->keys;
    new->mouse = true;
    new->pressed.row = -1;
    new->host.rows = LAYOUT_ROWS_MIN;
    new->host.columns = LAYOUT_COLUMNS_MIN;
    open_answers(new);
    new->host.design.notice = &new->host.notice;
    new->host.front = &new->front;
    new->explore.timeline = &new->timeline;
    status = bell_open(&new->host.bell, error);
    if (status != STATUS_OK) {
        document_free(start->document);
        app_free(new);
        return status;
    }
    result_init(&new->host.design.result);
    design_start(&new->host.design, start->scenario, start->document);
    new->host.design.offered = !start->named;
    app_follow_design(new);
    if (document_path(new->host.design.document) != NULL)
        app_say_opened(new, false);
    if (start->notice != NULL && start->notice[0] != '\0')
        host_say(&new->host, NOTICE_WARNING, "%s", start->notice);
    *app = new;
    return STATUS_OK;
}

void app_free(struct app *app)
{
    if (app == NULL)
        return;
    free_views(app);
    menu_free(app);
    recovery_close(app);
    design_free(&app->host.design);
    bell_close(&app->host.bell); /* after the threads, which ring */
    picker_free(&app->picker);
    pager_close(&app->pager);
    formulas_close(&app->formulas);
    file_list_free(&app->listed);
    line_history_free(&app->commands);
    line_history_free(&app->searches);
    free(app);
}

void app_renew_presets(struct app *app)
{
    if (design_renew_presets(&app->host.design))
        views_changed(app);
}

void app_show_knob(struct app *app, struct knob_ref ref, enum showing showing)
{
    bool focus = showing == SHOW_OPEN || (showing == SHOW_IN_OPEN && app->view == &view_explore);

    app_follow_design(app);
    explore_show(&app->explore, ref.section, ref.index, ref.knob, focus);
    if (focus)
        view_return(app, &view_explore);
}

/* Does what a view asked for. */
static void do_request(struct app *app)
{
    struct request *request = &app->host.request;

    if (request->view != NULL)
        view_open(app, request->view);
    for (int i = 0; i < request->shown_count; i++)
        app_show_knob(app, request->shown[i], request->showing);
    if (request->kind == REQUEST_CHOICES || request->kind == REQUEST_DESIGNS)
        app_renew_presets(app);
    switch (request->kind) {
    case REQUEST_NONE:
        break;
    case REQUEST_LINE:
        prompt_open(app, &request->line);
        break;
    case REQUEST_CHOICES:
        if (request->ref.knob->type == KNOB_PRESET)
            menu_device_presets(app, request->ref.index, NULL);
        else
            menu_knob_choices(app, request->ref);
        break;
    case REQUEST_DESIGNS:
        menu_designs(app, request->designs, request->count, request->chosen, request->context);
        break;
    }
    request->view = NULL;
    request->shown_count = 0;
    request->kind = REQUEST_NONE;
}

enum pane app_pane(const struct app *app)
{
    return pager_is_open(&app->pager)          ? PANE_PAGER
           : formulas_are_open(&app->formulas) ? PANE_FORMULAS
                                               : view_pane(app);
}

void app_know_machine(struct app *app)
{
    machine_read_cpu(&app->machine);
}

bool app_has_text(const struct app *app)
{
    return (app->mode == MODE_LIST && app->picker.filter.length > 0) ||
           (app->mode == MODE_LINE && app->prompt.line.length > 0);
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
    host_say(&app->host, NOTICE_ERROR, "%s has %zu problems", file, problems->count);
    out = pager_start(&app->pager, "Problems");
    for (size_t p = 0; p < problems->count; p++) {
        const struct problem *problem = &problems->list[p];

        if (problem->line > 0)
            fprintf(out, "%s:%d: %s\n", file, problem->line, problem->message);
        else if (problem->line == 0)
            fprintf(out, "%s: %s\n", file, problem->message);
        else
            fprintf(out, "%s\n", problem->message);
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

/* Lists the open formulas again once the error budget is known, or if it cannot be. */
static void follow_budget(struct app *app)
{
    struct design *design = &app->host.design;

    if (!app->explains || !formulas_are_open(&app->formulas))
        return;
    design_ask_budget(design);
    if (design->budget.problem.status != STATUS_OK)
        host_fail(&app->host, &design->budget.problem);
    else if (!design->budget.current)
        return;
    if (design_budget(design) != NULL)
        app->explained.loop = design_budget(design)->result.loop;
    app->explains = false;
    formulas_update(&app->formulas);
}

/* Opens the formulas of a path, with the ends of the range and the error budget once they are
 * known. */
static void open_formulas(struct app *app, const char *path)
{
    const struct latency_range *range = explore_range(&app->explore);
    const struct explain explain = {&app->host.design.scenario, &app->explained, range};
    struct error error;

    app->explained = app->host.design.result;
    if (range != NULL)
        range_set_ends(range, &app->explained);
    if (formulas_open(&app->formulas, &explain, path, "computing the error budget\xE2\x80\xA6",
                      &error) == STATUS_OK)
        app->explains = true;
    else
        host_fail(&app->host, &error);
}

static void act_explain(struct app *app, const char *argument)
{
    struct view_cursor cursor = view_cursor(app);

    (void)argument;
    if (!design_is_valid(&app->host.design))
        host_say(&app->host, NOTICE_ERROR, "%s: nothing to explain",
                 app->host.design.scenario.component_count == 0 ? "no components"
                                                                : "the design is invalid");
    else if (cursor.path[0] == '\0')
        host_say(&app->host, NOTICE_NORMAL, "there is no number under the cursor");
    else
        open_formulas(app, cursor.path);
}

/* Keys ----------------------------------------------------------------------------------------- */

/* Actions that are the same in every view. */
static app_action *const global_actions[ACTION_COUNT] = {
    [ACTION_ADD] = act_add,
    [ACTION_BASELINE] = act_baseline,
    [ACTION_COMMAND] = act_command,
    [ACTION_EXPLAIN] = act_explain,
    [ACTION_FIND] = act_find,
    [ACTION_HELP] = act_help,
    [ACTION_IMPORT] = act_import,
    [ACTION_NEW] = act_new,
    [ACTION_NEXT_MATCH] = act_next_match,
    [ACTION_OPEN] = act_open,
    [ACTION_PICTURE] = act_picture,
    [ACTION_PRESET] = act_preset,
    [ACTION_PREVIOUS_MATCH] = act_previous_match,
    [ACTION_QUIT] = act_quit,
    [ACTION_RANK] = act_rank,
    [ACTION_RECOVER] = act_recover,
    [ACTION_REDO] = act_redo,
    [ACTION_REDRAW] = act_redraw,
    [ACTION_RELOAD] = act_reload,
    [ACTION_REMOVE] = act_remove,
    [ACTION_RESET] = act_reset,
    [ACTION_SAVE] = act_save,
    [ACTION_SAVE_AS] = act_save_as,
    [ACTION_SAVE_QUIT] = act_save_quit,
    [ACTION_SET] = act_set,
    [ACTION_SHOW_TABLE] = act_table,
    [ACTION_SUSPEND] = act_suspend,
    [ACTION_TOUR] = act_tour,
    [ACTION_TOUR_END] = act_tour_end,
    [ACTION_TOUR_NEXT] = act_tour_next,
    [ACTION_UNCALIBRATE] = act_uncalibrate,
    [ACTION_UNDO] = act_undo,
};

void app_run_action(struct app *app, const struct action *action, const char *argument)
{
    tour_note(app, action->id);
    if (global_actions[action->id] != NULL)
        global_actions[action->id](app, argument != NULL && argument[0] != '\0' ? argument : NULL);
    else if (action->id == ACTION_VIEW)
        view_open(app, action->name);
    else
        app->view->act(app->state, action->id, argument);
}

FILE *app_write(struct app *app, const char *title)
{
    if (app->mode != MODE_NORMAL)
        app->below = app->mode;
    app->mode = MODE_NORMAL;
    return pager_start(&app->pager, title);
}

/* Writes what a preset or a file states, the comments too; returns false if that cannot be read. */
static bool write_stated(struct app *app, FILE *out, const struct preset *preset, const char *path)
{
    struct error error;
    size_t length;
    char *bytes;

    if (preset != NULL) {
        fprintf(out, "%s\n\n", preset->path != NULL ? preset->path : preset->name);
        text_lines(out, preset->text);
        return true;
    }
    if (file_read_named(path, INI_BYTES_MAX, &bytes, &length, NULL, &error) != STATUS_OK) {
        host_fail(&app->host, &error);
        return false;
    }
    fprintf(out, "%s\n\n", path);
    text_lines(out, bytes);
    free(bytes);
    return true;
}

/* Returns true if the design was loaded or saved with the value that a knob of its own has. */
static bool is_saved(const struct design *design, struct knob_ref ref, const char *path)
{
    struct scenario *saved = allocate(sizeof *saved);
    char now[DESIGN_TEXT], then[DESIGN_TEXT];
    struct knob_ref before;
    bool same;

    image_unpack(&design->saved, saved);
    same = knob_find(saved, path, &before, NULL) == STATUS_OK && knob_is_own(saved, before);
    if (same) {
        knob_print(&design->scenario, ref, now, sizeof now);
        knob_print(saved, before, then, sizeof then);
        same = strcmp(now, then) == 0;
    }
    free(saved);
    return same;
}

/* Shows who states the figure of a row of formulas: a preset of its device, the file of the design
 * or of its device, or the system that it was made of. */
static void show_sources(struct app *app)
{
    const struct design *design = &app->host.design;
    const struct scenario *scenario = &design->scenario;
    const struct formula_row *row = formulas_row(&app->formulas);
    const char *path = document_path(design->document);
    const struct preset *preset = NULL;
    struct explain_node node;
    FILE *out;

    if (row->path == NULL ||
        explain_find(&app->formulas.explain, row->path, &node, NULL) != STATUS_OK ||
        node.knob.knob == NULL) {
        host_say(&app->host, NOTICE_NORMAL,
                 "this is computed: its figures below have sources, "
                 "its formulas those of man aolag-model");
        return;
    }
    if (knob_is_own(scenario, node.knob) && !is_saved(design, node.knob, node.path))
        path = node.knob.section == SECTION_DEVICE &&
                       scenario->device[node.knob.index].source[0] != '\0'
                   ? scenario->device[node.knob.index].source
                   : NULL;
    else if (knob_is_own(scenario, node.knob))
        preset = path == NULL ? design_preset(design, scenario->general.title) : NULL;
    else if (knob_stated_by(scenario, node.knob) != NULL)
        preset = catalogue_find(design->catalogue, scenario->device[node.knob.index].preset,
                                PRESET_DEVICES, NULL);
    else
        path = NULL;
    if (preset == NULL && path == NULL) {
        host_say(&app->host, NOTICE_NORMAL, "no file states %s: it is %s", node.path,
                 explain_origin_name(node.origin));
        return;
    }
    out = app_write(app, "Sources");
    fprintf(out, "%s\n\n", row->text);
    if (write_stated(app, out, preset, path))
        pager_show(&app->pager);
    else
        pager_close(&app->pager);
}

/* Closes the text; the list or line below it is open again. */
static void close_pager(struct app *app)
{
    pager_close(&app->pager);
    app->mode = app->below;
    app->below = MODE_NORMAL;
}

/* Shows what the preset of the row under the cursor states, or the file that describes the present
 * device. */
static void show_preset_sources(struct app *app)
{
    const int chosen = picker_chosen(&app->picker);
    const struct picker_item *item = chosen < 0 ? NULL : &app->picker.items[chosen];
    const char *path = item != NULL && item->present && app->menu.tab == MENU_DEVICES
                           ? app->host.design.scenario.device[app->menu.device].source
                           : "";

    if (item == NULL || (item->preset == NULL && path[0] == '\0')) {
        host_say(&app->host, NOTICE_NORMAL, "only presets have sources");
        return;
    }
    if (write_stated(app, app_write(app, "Sources"), item->preset, path))
        pager_show(&app->pager);
    else
        close_pager(app);
}

static void run_list_action(struct app *app, enum action_id id, uint32_t key)
{
    if (id == ACTION_ACCEPT) {
        menu_choose(app);
    } else if (id == ACTION_CLOSE) {
        app->mode = MODE_NORMAL;
        app->files.next_action = NULL;
        if (app->interrupted && key == KEY_CONTROL_C) {
            recovery_save(app);
            app->next = APP_QUIT;
        }
        app->interrupted = false;
    } else if (id == ACTION_SOURCES) {
        show_preset_sources(app);
    } else if (id == ACTION_TAB) {
        menu_other_tab(app);
    } else {
        picker_act(&app->picker, id);
    }
}

static void run_pane_action(struct app *app, enum action_id id)
{
    if (id == ACTION_SOURCES)
        show_sources(app);
    else if (app_pane(app) == PANE_FORMULAS)
        formulas_act(&app->formulas, id);
    else if (!pager_is_open(&app->pager))
        app->view->act(app->state, id, NULL);
    else if (id == ACTION_CLOSE)
        close_pager(app);
    else
        list_pane_act(&app->pager.list, id);
}

static void run_key_action(struct app *app, const struct action *action, uint32_t key)
{
    if (global_actions[action->id] != NULL || action->id == ACTION_VIEW)
        app_run_action(app, action, NULL);
    else if (app->mode == MODE_LIST)
        run_list_action(app, action->id, key);
    else if (app->mode == MODE_LINE)
        prompt_act(app, action->id);
    else
        run_pane_action(app, action->id);
}

/* Returns true for the second press at a place on what the cursor is on: not on a slider, which
 * each press moves. */
static bool is_double_click(struct app *app, const struct key_event *event)
{
    const double most = 0.5; /* s between the presses */
    struct key_event before = app->pressed;

    if (event->mouse == MOUSE_PRESS)
        app->pressed = *event;
    else if (event->mouse != MOUSE_RELEASE)
        app->pressed.row = -1;
    return event->mouse == MOUSE_PRESS && event->row == before.row &&
           abs(event->column - before.column) <= 1 && event->time - before.time <= most &&
           rect_holds(app->cursor, event->row, event->column);
}

static void press_view(struct app *app, const struct key_event *event)
{
    const struct action *enter = action_of_key(MODE_NORMAL, app_pane(app), KEY_NAMED_ENTER);
    bool twice = is_double_click(app, event);

    app->host.acted = false;
    app->view->mouse(app->state, event);
    if (!twice || enter == NULL || app->host.acted)
        return;
    app->pressed.row = -1;
    run_key_action(app, enter, KEY_NAMED_ENTER);
}

/* Returns true if the title and the file have their place in a box of the verdict. */
static bool verdict_has_title(const struct app *app)
{
    return app->view == &view_explore && explore_has_title(&app->explore);
}

/* Returns the cells of a view's tab in the header: only the open view has its name below WIDE
 * columns, or if the header has to have room for the file and the mark of changes, too. */
static struct rect tab_of_view(const struct app *app, struct rect header, int v)
{
    enum { WIDE = 100, MARKED = 112 };
    const int wide = verdict_has_title(app) ? WIDE : MARKED;
    struct rect tab = {header.row, header.column, 1, 0};

    for (int i = 0; i <= v; i++) {
        bool named = header.columns >= wide || views[i].view == app->view;

        tab.column += tab.columns;
        tab.columns = 3 + (named ? 1 + text_width(views[i].view->name) : 0);
    }
    return tab;
}

/* Opens the view whose tab is at a cell of the header. */
static void press_tab(struct app *app, struct rect header, int column)
{
    for (int v = 0; v < VIEWS; v++)
        if (rect_holds(tab_of_view(app, header, v), header.row, column)) {
            app_run_action(app, action_named(PANE_KNOBS, views[v].view->name), NULL);
            return;
        }
}

static void dispatch_mouse(struct app *app, const struct key_event *event)
{
    struct rect footer = layout_screen(app->host.rows, app->host.columns).footer;
    struct rect header = layout_screen(app->host.rows, app->host.columns).header;
    const struct action *hint = event->mouse == MOUSE_PRESS && app->mode != MODE_LINE &&
                                        rect_holds(footer, event->row, event->column)
                                    ? help_footer_action(app, footer, event->column)
                                    : NULL;

    if (hint != NULL) {
        run_key_action(app, hint, hint->keys[0]);
    } else if (event->mouse == MOUSE_PRESS && app->mode == MODE_NORMAL &&
               event->row == header.row) {
        press_tab(app, header, event->column);
    } else if (app->mode == MODE_LIST) {
        if (picker_mouse(&app->picker, event))
            menu_choose(app); /* a click on the item under the cursor chooses it */
    } else if (app->mode == MODE_LINE) {
        prompt_mouse(app, event);
    } else if (app_pane(app) == PANE_FORMULAS) {
        formulas_mouse(&app->formulas, event);
    } else if (pager_is_open(&app->pager)) {
        list_pane_mouse(&app->pager.list, event, 3);
    } else {
        press_view(app, event);
    }
}

/* A key ends a drag, because the release of the button may not reach a view. */
static void end_drag(struct app *app)
{
    static const struct key_event release = {
        .key = KEY_NAMED_MOUSE, .mouse = MOUSE_RELEASE, .row = -1, .column = -1};

    app->view->mouse(app->state, &release);
}

/* While the screen is too small, input must not answer, type or change anything: only redraw,
 * suspend and quit work, and whatever is open stays open. */
static void handle_key_too_small(struct app *app, const struct key_event *event)
{
    const struct action *action = action_of_key(MODE_NORMAL, PANE_KNOBS, event->key);
    bool typing = app->mode == MODE_LINE || (app->mode == MODE_LIST && !app->menu.question);
    bool warned = app->warned;

    if (event->key == KEY_NAMED_MOUSE && event->mouse != MOUSE_RELEASE)
        return;
    end_drag(app);
    if (action == NULL || (typing && key_is_text(event->key)))
        return;
    if (action->id == ACTION_REDRAW || action->id == ACTION_SUSPEND) {
        app_run_action(app, action, NULL);
    } else if (action->id == ACTION_QUIT && !design_modified(&app->host.design)) {
        recovery_forget(app);
        app->next = APP_QUIT;
    } else if (action->id == ACTION_QUIT && warned && event->key == KEY_CONTROL_C) {
        recovery_save(app);
        app->next = APP_QUIT;
    } else if (action->id == ACTION_QUIT) {
        app->warned = true;
    }
}

static void type_character(struct app *app, uint32_t character)
{
    bool fits = true;

    if (app->mode == MODE_LIST && app->menu.question)
        menu_answer(app, character);
    else if (app->mode == MODE_LINE)
        fits = prompt_type(app, character);
    else if (app->mode == MODE_LIST)
        fits = picker_type(&app->picker, character);
    app->typed = app->typed || fits;
    app->full = app->full || !fits;
}

/* Lists or finds what characters lead to, once for all of a pasted text. */
static void apply_typed(struct app *app)
{
    if (app->typed && app->mode == MODE_LINE)
        prompt_changed(app);
    else if (app->typed && app->mode == MODE_LIST && !app->menu.question)
        picker_refilter(&app->picker);
    if (app->full)
        host_say(&app->host, NOTICE_WARNING, "a line has at most %d bytes: the rest is left out",
                 LINE_MAX_BYTES);
    app->typed = app->full = false;
}

/* Takes a character of pasted text where text is typed. Its control characters do nothing, because
 * a line of it must not be accepted unseen. */
static void paste_character(struct app *app, uint32_t character)
{
    bool question = app->mode == MODE_LIST && app->menu.question;

    if (app->mode == MODE_NORMAL || question)
        host_say(&app->host, NOTICE_WARNING,
                 "the pasted text is ignored: paste on the : line, in a prompt or in a filter");
    else if (key_is_text(character))
        type_character(app, character);
}

enum app_next app_key(struct app *app, const struct key_event *event)
{
    const struct action *action = tour_action(app, event->key);
    const char *instead = action_instead(app_pane(app), event->key, "");
    bool mouse = event->key == KEY_NAMED_MOUSE;

    if (action == NULL)
        action = action_of_key(app->mode, app_pane(app), event->key);
    if (app_has_text(app) && key_is_text(event->key))
        action = NULL;
    app->next = APP_CONTINUE;
    app->table_awaited = false;
    if (!event->pasted)
        apply_typed(app);
    if (!layout_screen(app->host.rows, app->host.columns).fits) {
        if (!event->pasted)
            handle_key_too_small(app, event);
        return app->next;
    }
    if (!mouse || event->mouse != MOUSE_RELEASE) {
        app->host.notice.text[0] = '\0';
        app->host.notice.failed = false;
    }
    if (!mouse) {
        end_drag(app);
        app->pressed.row = -1;
    }
    if (mouse)
        dispatch_mouse(app, event);
    else if (event->pasted)
        paste_character(app, event->key);
    else if (action != NULL)
        run_key_action(app, action, event->key);
    else if (app->mode == MODE_NORMAL && instead != NULL)
        host_say(&app->host, NOTICE_NORMAL, "%s", instead);
    else if (key_is_text(event->key))
        type_character(app, event->key);
    if (app->full && !event->pasted)
        app->next = APP_REFUSED;
    if (!event->pasted)
        apply_typed(app);
    do_request(app);
    app_follow_design(app);
    tour_follow(app);
    return app->next;
}

/* Drawing -------------------------------------------------------------------------------------- */

/* Draws "[1 Design] 2 Timeline ", the open view in brackets. */
static void draw_tabs(const struct app *app, struct canvas *canvas, struct rect header)
{
    for (int v = 0; v < VIEWS; v++) {
        const struct rect tab = tab_of_view(app, header, v);
        const bool open = views[v].view == app->view;
        char name[32] = "";

        if (tab.columns > 3)
            snprintf(name, sizeof name, " %c%s", toupper((unsigned char)views[v].view->name[0]),
                     views[v].view->name + 1);
        canvas_printf(canvas, tab.row, tab.column, tab.columns, open ? STYLE_TITLE : STYLE_DIM,
                      open ? "[%d%s]" : " %d%s ", v + 1, name);
    }
}

/* Draws the title and the file at the right end of the header, where the verdict has no box for
 * them. */
static void draw_header(const struct app *app, struct canvas *canvas, struct rect line)
{
    const struct design *design = &app->host.design;
    const struct rect last = tab_of_view(app, line, VIEWS - 1);
    const int room = line.columns - last.column - last.columns - 2;
    char text[DESIGN_TEXT];

    draw_tabs(app, canvas, line);
    if (verdict_has_title(app))
        return;
    explore_print_design(design, room, text);
    canvas_right(canvas, line.row, line.columns - 1 - room, room,
                 design_modified(design) ? STYLE_WARNING : STYLE_NORMAL, text);
}

static void draw_too_small(const struct app *app, struct canvas *canvas)
{
    const char *cross = canvas->unicode ? "\xC3\x97" : "x";
    char text[64];
    struct rect all = {0, 0, canvas->rows, canvas->columns};
    struct canvas none = {0};
    int width;

    snprintf(text, sizeof text, "%d%s%d needed, %d%s%d here", LAYOUT_COLUMNS_MIN, cross,
             LAYOUT_ROWS_MIN, canvas->columns, cross, canvas->rows);
    if (app->warned)
        snprintf(text, sizeof text, "enlarge the terminal: there are unsaved changes");
    width = text_width(text);
    if (width <= canvas->columns) {
        canvas_text(canvas, canvas->rows / 2, (canvas->columns - width) / 2, width, STYLE_NORMAL,
                    text);
        return;
    }
    all.row = (canvas->rows - canvas_wrap(&none, all, 0, STYLE_NORMAL, text)) / 2;
    all.row = all.row < 0 ? 0 : all.row;
    all.rows -= all.row;
    canvas_wrap(canvas, all, 0, STYLE_NORMAL, text);
}

/* Draws the message, over the view above if it is long; what has no room ends with an ellipsis. */
static void draw_message(const struct app *app, struct canvas *canvas, struct rect line)
{
    static const enum style styles[] = {[NOTICE_NORMAL] = STYLE_NORMAL,
                                        [NOTICE_WARNING] = STYLE_WARNING,
                                        [NOTICE_ERROR] = STYLE_ERROR};
    const enum style style = styles[app->host.notice.kind];
    char message[ERROR_MESSAGE_MAX];
    int rows = host_message_rows(&app->host, app->host.notice.text);
    struct rect box = {0, 0, rows < MESSAGE_ROWS ? rows : MESSAGE_ROWS, line.columns};
    struct rect text = {0, 1, MESSAGE_ROWS, line.columns - 2};

    text.row = box.row = line.row - box.rows + 1;
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    snprintf(message, sizeof message, "%s", app->host.notice.text);
    text_micro(message, sizeof message);
    canvas_wrap(canvas, text, 0, style, message);
    if (rows > MESSAGE_ROWS)
        canvas_text(canvas, line.row, line.columns - 1, 1, style, "\xE2\x80\xA6");
}

void app_draw(struct app *app, struct canvas *canvas)
{
    struct layout layout = layout_screen(canvas->rows, canvas->columns);
    struct rect tour, body;

    apply_typed(app);
    app_follow_design(app);
    app->host.before = explore_search_from(&app->explore, 1);
    canvas_clear(canvas);
    app->host.rows = canvas->rows;
    app->host.columns = canvas->columns;
    app->host.unicode = canvas->unicode;
    if (!layout.fits) {
        draw_too_small(app, canvas);
        return;
    }
    app->warned = false;
    if (app_refused(app) != 0 && !app->told_refused)
        host_say(&app->host, NOTICE_WARNING,
                 "cannot start a thread: %s; what takes long is missing",
                 strerror(app_refused(app)));
    app->told_refused = app_refused(app) != 0;
    design_ask_results(&app->host.design);
    follow_budget(app);
    tour = tour_take_rows(app, &layout.body);
    body = layout.body;
    if (app->view != &view_explore && app->host.design.evaluated)
        explore_draw_verdict_line(&app->explore, canvas, layout_take_verdict(&body));
    app->view->draw(app->state, canvas, body);
    draw_header(app, canvas, layout.header);
    canvas_fill(canvas, layout.detail, STYLE_NORMAL, ' ');
    tour_draw(app, canvas, tour, layout.footer);
    if (app->host.notice.text[0] != '\0')
        draw_message(app, canvas, layout.detail);
    else if ((app->mode == MODE_NORMAL && app_pane(app) < PANE_PAGER) ||
             (app->mode == MODE_LINE && app->prompt.request.completion == COMPLETE_VALUE))
        app->view->detail(app->state, canvas, layout.detail);
    else if (app->mode == MODE_LIST)
        menu_draw_detail(app, canvas, layout.detail);
    if (formulas_are_open(&app->formulas))
        formulas_draw(&app->formulas, canvas, layout.body);
    if (pager_is_open(&app->pager))
        pager_draw(&app->pager, canvas, layout.body);
    if (app->mode == MODE_LIST) {
        menu_update(app);
        picker_draw(&app->picker, canvas, layout.body);
    }
    if (app->mode == MODE_LINE)
        prompt_draw(app, canvas, layout.body, layout.footer);
    else
        help_draw_footer(app, canvas, layout.footer);
    app->cursor = canvas->cursor.rows > 0
                      ? canvas->cursor
                      : (struct rect){canvas->cursor_row, 0, 1, canvas->columns};
}
