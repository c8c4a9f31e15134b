#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/app_state.h"
#include "tui/layout.h"
#include "tui/widget.h"

/* The whole screen: what frames a view, and the view. */

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

/* "12345678" to "1-8". */
static void shorten_run(char *keys)
{
    size_t length = strlen(keys);

    for (size_t i = 1; i < length; i++)
        if (keys[i] != keys[i - 1] + 1)
            return;
    if (length > 3) {
        keys[1] = '-';
        keys[2] = keys[length - 1];
        keys[3] = '\0';
    }
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
    shorten_run(keys);
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
    if (action->id == ACTION_COMPLETE && app->prompt.request.completion == COMPLETE_NOTHING)
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

/* A message too long for its row grows upwards, over the view; one too long for that says so. */
static void draw_message(const struct app *app, struct canvas *canvas, struct rect line)
{
    enum { ROWS = 4 };
    struct rect box = {0, 0, ROWS, line.columns};
    struct rect text = {0, 1, ROWS, line.columns - 2};
    struct canvas none = {0};
    int rows = widget_wrap(&none, text, 0, app->host.message_style, app->host.message);

    box.rows = rows < ROWS ? rows : ROWS;
    box.row = line.row - box.rows + 1;
    text.row = box.row;
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    widget_wrap(canvas, text, 0, app->host.message_style, app->host.message);
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
        draw_footer(app, canvas, layout.footer);
}
