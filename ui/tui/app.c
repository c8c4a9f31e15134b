#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"
#include "layout.h"
#include "units.h"
#include "widget.h"

/* Every view there is; the first is the one that opens. */
static const struct view *const views[] = {&view_explore};

enum { VIEWS = sizeof views / sizeof views[0] };

void views_start(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        views[v]->start(app);
}

void views_changed(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        views[v]->changed(app);
}

enum status app_new(struct app **app, const struct app_start *start, struct error *error)
{
    struct app *new = calloc(1, sizeof *new);
    enum status status;

    if (new == NULL) {
        document_free(start->document);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    new->catalogue = start->catalogue;
    new->document = start->document;
    new->view = views[0];
    new->mouse = true;
    new->rows = LAYOUT_ROWS_MIN;
    new->columns = LAYOUT_COLUMNS_MIN;
    status = result_init(&new->result, error);
    if (status == STATUS_OK)
        status = design_start(new, start->scenario, start->document, error);
    if (status != STATUS_OK) {
        app_free(new);
        return status;
    }
    if (start->notice != NULL && start->notice[0] != '\0')
        app_say(new, STYLE_WARNING, "%s", start->notice);
    *app = new;
    return STATUS_OK;
}

void app_free(struct app *app)
{
    if (app == NULL)
        return;
    for (int v = 0; v < VIEWS; v++)
        views[v]->free(app);
    result_free(&app->result);
    document_free(app->document);
    image_free(&app->saved);
    history_free(&app->history);
    baseline_free(&app->baseline);
    picker_free(&app->picker);
    pager_close(&app->pager);
    line_history_free(&app->commands);
    line_history_free(&app->searches);
    free(app);
}

/* Writes "12 us" with the sign, wherever it stands; the canvas turns it back where there is only
 * ASCII. */
static void sign_micro(char *text, size_t size)
{
    size_t length = strlen(text);

    for (char *at = strstr(text, " us"); at != NULL; at = strstr(at + 3, " us")) {
        bool unit = at > text && isdigit((unsigned char)at[-1]) && !isalnum((unsigned char)at[3]) &&
                    at[3] != '_' && at[3] != '-';

        if (!unit || length + 2 > size)
            continue;
        memmove(at + 3, at + 2, (size_t)(text + length - (at + 2)) + 1);
        memcpy(at + 1, "\xC2\xB5", 2);
        length++;
    }
}

void app_say(struct app *app, enum style style, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(app->message, sizeof app->message, format, arguments);
    va_end(arguments);
    sign_micro(app->message, sizeof app->message);
    app->message_style = style;
    app->failed = style == STYLE_ERROR;
}

void app_fail(struct app *app, const struct error *error)
{
    app_say(app, STYLE_ERROR, "%s", error->message);
}

struct rect app_body(const struct app *app)
{
    return layout_screen(app->rows, app->columns).body;
}

enum place app_place(const struct app *app)
{
    return pager_is_open(&app->pager) ? PLACE_PAGER : app->view->place(app);
}

bool app_mouse(const struct app *app)
{
    return app->mouse;
}

void act_redraw(struct app *app, const char *argument)
{
    (void)argument;
    app->next = APP_REDRAW;
}

void act_suspend(struct app *app, const char *argument)
{
    (void)argument;
    app->next = APP_SUSPEND;
}

/* Keys ---------------------------------------------------------------------------------------- */

static void act_list(struct app *app, enum action_id id, uint32_t key)
{
    if (id == ACTION_ACCEPT) {
        list_choose(app);
    } else if (id == ACTION_CLOSE) {
        app->mode = MODE_NORMAL;
        app->then = NULL;
        if (app->interrupted && key == KEY_CONTROL_C) {
            app_save_recovery(app);
            app->next = APP_QUIT;
        }
        app->interrupted = false;
    } else {
        picker_act(&app->picker, id);
    }
}

static void act_normal(struct app *app, enum action_id id)
{
    if (!pager_is_open(&app->pager))
        app->view->act(app, id);
    else if (id == ACTION_CLOSE)
        pager_close(&app->pager);
    else
        pager_act(&app->pager, id);
}

static void act(struct app *app, const struct action *action, uint32_t key)
{
    if (action->run != NULL)
        action->run(app, NULL);
    else if (app->mode == MODE_LIST)
        act_list(app, action->id, key);
    else if (app->mode == MODE_LINE)
        prompt_act(app, action->id);
    else
        act_normal(app, action->id);
}

static void mouse_list(struct app *app, const struct key_event *event)
{
    int before = app->picker.focus;

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN)
        picker_move(&app->picker, event->mouse == MOUSE_WHEEL_UP ? -3 : 3);
    else if (event->mouse == MOUSE_PRESS &&
             picker_click(&app->picker, app_body(app), event->row, event->column) &&
             app->picker.focus == before)
        list_choose(app); /* a click on what is focused already takes it */
}

static void mouse(struct app *app, const struct key_event *event)
{
    if (app->mode == MODE_LIST)
        mouse_list(app, event);
    else if (app->mode == MODE_NORMAL && !pager_is_open(&app->pager))
        app->view->mouse(app, event);
    else if (app->mode == MODE_NORMAL && event->mouse == MOUSE_WHEEL_UP)
        pager_scroll(&app->pager, -3);
    else if (app->mode == MODE_NORMAL && event->mouse == MOUSE_WHEEL_DOWN)
        pager_scroll(&app->pager, 3);
}

/* A key ends a drag: the button may be let go where no view hears of it. */
static void end_drag(struct app *app)
{
    static const struct key_event release = {KEY_NAMED_MOUSE, MOUSE_RELEASE, -1, -1};

    app->view->mouse(app, &release);
}

/* Under the notice that the screen is too small nothing can be seen, so that nothing is answered,
 * typed or changed: whatever is open waits. Only what the notice itself allows. */
static void key_too_small(struct app *app, const struct key_event *event)
{
    const struct action *action = action_of_key(MODE_NORMAL, PLACE_KNOBS, event->key);
    bool typing = app->mode == MODE_LINE || (app->mode == MODE_LIST && !app->list.question);
    bool warned = app->warned;

    if (event->key == KEY_NAMED_MOUSE && event->mouse != MOUSE_RELEASE)
        return;
    end_drag(app);
    if (action == NULL || (typing && event->key >= ' ' && event->key < KEY_FIRST_NAMED))
        return;
    if (action->run == act_redraw || action->run == act_suspend) {
        action->run(app, NULL);
    } else if (action->id == ACTION_QUIT && !design_modified(app)) {
        app->next = APP_QUIT;
    } else if (action->id == ACTION_QUIT && warned && event->key == KEY_CONTROL_C) {
        app_save_recovery(app);
        app->next = APP_QUIT;
    } else if (action->id == ACTION_QUIT) {
        app->warned = true;
    }
}

enum app_next app_key(struct app *app, const struct key_event *event)
{
    const struct action *action = action_of_key(app->mode, app_place(app), event->key);

    app->next = APP_CONTINUE;
    if (!layout_screen(app->rows, app->columns).fits) {
        key_too_small(app, event);
        return app->next;
    }
    if (event->key != KEY_NAMED_MOUSE || event->mouse != MOUSE_RELEASE) {
        app->message[0] = '\0';
        app->failed = false;
    }
    if (event->key != KEY_NAMED_MOUSE)
        end_drag(app);
    if (event->key == KEY_NAMED_MOUSE)
        mouse(app, event);
    else if (action != NULL)
        act(app, action, event->key);
    else if (event->key >= ' ' && event->key < KEY_FIRST_NAMED && app->mode == MODE_LIST &&
             app->list.question)
        list_answer(app, event->key);
    else if (event->key >= ' ' && event->key < KEY_FIRST_NAMED && app->mode == MODE_LIST)
        picker_type(&app->picker, event->key);
    else if (event->key >= ' ' && event->key < KEY_FIRST_NAMED && app->mode == MODE_LINE)
        prompt_type(app, event->key);
    return app->next;
}

/* Drawing ------------------------------------------------------------------------------------- */

static const char *file_name(const struct app *app)
{
    const char *path = document_path(app->document);
    const char *slash = path == NULL ? NULL : strrchr(path, '/');

    if (path == NULL)
        return "untitled";
    return slash == NULL ? path : slash + 1;
}

static void draw_header(const struct app *app, struct canvas *canvas, struct rect line)
{
    enum { TITLE = 8, GAP = 3, SHORTEST = 8, NARROW = 80 };
    bool modified = design_modified(app);
    char rate[32];
    char right[96];
    char file[PATH_BYTES];
    int at = line.columns - 1;
    int width;

    quantity_show(app->scenario.general.frame_rate, "Hz", rate, sizeof rate);
    snprintf(right, sizeof right, "%s \xC2\xB7 %.0f packets%s", rate, app->scenario.general.packets,
             line.columns < NARROW ? "" : " \xC2\xB7 partition");
    width = text_width(right);
    at -= width;
    canvas_text(canvas, line.row, at, width, STYLE_NORMAL, right);
    snprintf(file, sizeof file, "%s%s", file_name(app), modified ? " [modified]" : "");
    width = text_width(file);
    if (width > at - GAP - TITLE)
        width = at - GAP - TITLE;
    at -= GAP + width;
    canvas_text(canvas, line.row, at, width, modified ? STYLE_WARNING : STYLE_NORMAL, file);
    canvas_text(canvas, line.row, 1, TITLE, STYLE_TITLE, "aolag");
    if (at - GAP - TITLE >= SHORTEST)
        canvas_text(canvas, line.row, TITLE, at - GAP - TITLE, STYLE_NORMAL,
                    app->scenario.general.title);
}

/* One label of the footer: the first key of each of the neighbouring rows that share it. Returns
 * its width; draws where `canvas` is not NULL. */
static int footer_item(struct canvas *canvas, int row, int column, const struct action *first)
{
    char keys[64] = "";
    const struct action *at = first;
    const struct action *end = actions + action_count;
    int width;

    for (; at < end && at->footer != NULL && strcmp(at->footer, first->footer) == 0 &&
           at->mode == first->mode && at->places == first->places;
         at++) {
        char text[64];
        size_t used = strlen(keys);

        action_keys(at, true, text, sizeof text);
        text[strcspn(text, " ")] = '\0';
        snprintf(keys + used, sizeof keys - used, "%s", text);
    }
    width = text_width(keys) + 1 + text_width(first->footer);
    if (canvas != NULL) {
        canvas_text(canvas, row, column, text_width(keys), STYLE_KEY, keys);
        canvas_text(canvas, row, column + text_width(keys) + 1, text_width(first->footer),
                    STYLE_DIM, first->footer);
    }
    return width;
}

static bool in_footer(const struct app *app, int a)
{
    const struct action *action = &actions[a];
    enum place place = app_place(app);

    if (action->mode != app->mode || (action->places >> place & 1) == 0 || action->footer == NULL)
        return false;
    if (action->id == ACTION_SORT && app->mode == MODE_LIST && !app->picker.sortable)
        return false;
    if (action->id == ACTION_COMPLETE && app->prompt.complete == NULL)
        return false;
    return a == 0 || actions[a - 1].footer == NULL ||
           strcmp(actions[a - 1].footer, action->footer) != 0 ||
           actions[a - 1].mode != action->mode || actions[a - 1].places != action->places;
}

static bool always_in_footer(const struct action *action)
{
    return action->id == ACTION_HELP || action->id == ACTION_QUIT || action->id == ACTION_CLOSE;
}

/* Help and quit always; of the others, in the table's order, those that fit. */
static void draw_footer(const struct app *app, struct canvas *canvas, struct rect line)
{
    int room = line.columns - 2;
    int column = line.column + 1;

    for (int a = 0; a < action_count; a++)
        if (in_footer(app, a) && always_in_footer(&actions[a]))
            room -= footer_item(NULL, 0, 0, &actions[a]) + 2;
    for (int a = 0; a < action_count; a++) {
        int width;

        if (!in_footer(app, a))
            continue;
        width = footer_item(NULL, 0, 0, &actions[a]) + 2;
        if (!always_in_footer(&actions[a]) && width > room + 2)
            continue;
        if (!always_in_footer(&actions[a]))
            room -= width;
        column += footer_item(canvas, line.row, column, &actions[a]) + 2;
    }
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
        all.row = (canvas->rows - widget_wrap(&none, all, 0, STYLE_NORMAL, text)) / 2;
        all.row = all.row < 0 ? 0 : all.row;
        all.rows -= all.row;
        widget_wrap(canvas, all, 0, STYLE_NORMAL, text);
        return;
    }
    canvas_text(canvas, canvas->rows / 2, (canvas->columns - width) / 2, width, STYLE_NORMAL, text);
}

/* A message too long for its row grows upwards, over the view. */
static void draw_message(const struct app *app, struct canvas *canvas, struct rect line)
{
    enum { ROWS = 4 };
    struct rect box = {0, 0, ROWS, line.columns};
    struct rect text = {0, 1, ROWS, line.columns - 2};
    struct canvas none = {0};

    box.rows = widget_wrap(&none, text, 0, app->message_style, app->message);
    if (box.rows > ROWS)
        box.rows = ROWS;
    box.row = line.row - box.rows + 1;
    text.row = box.row;
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    widget_wrap(canvas, text, 0, app->message_style, app->message);
}

void app_draw(struct app *app, struct canvas *canvas)
{
    struct layout layout = layout_screen(canvas->rows, canvas->columns);

    canvas_clear(canvas);
    app->rows = canvas->rows;
    app->columns = canvas->columns;
    if (!layout.fits) {
        draw_too_small(app, canvas);
        return;
    }
    app->warned = false;
    draw_header(app, canvas, layout.header);
    app->view->draw(app, canvas, layout.body);
    if (app->message[0] != '\0')
        draw_message(app, canvas, layout.detail);
    else if ((app->mode == MODE_NORMAL && !pager_is_open(&app->pager)) ||
             (app->mode == MODE_LINE && app->prompt.about_knob))
        app->view->detail(app, canvas, layout.detail);
    if (pager_is_open(&app->pager))
        pager_draw(&app->pager, canvas, layout.body);
    if (app->mode == MODE_LIST)
        picker_draw(&app->picker, canvas, layout.body);
    if (app->mode == MODE_LINE)
        prompt_draw(app, canvas, layout.footer);
    else
        draw_footer(app, canvas, layout.footer);
}
