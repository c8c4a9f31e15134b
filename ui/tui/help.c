#include "tui/app_state.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "command.h"
#include "draw/glyph.h"
#include "draw/looks.h"
#include "tui/widget.h"

enum {
    KEYS = 14,
    TEXT = 55,
    EVERYWHERE = PANES_OF_VIEWS,
    BUT_MOST = 2 /* most panes that a heading excludes by name */
};

/* Prints keys or a command and its description, wrapped below itself. */
static void print_help_row(FILE *out, const char *keys, const char *text)
{
    int width = text_width(keys);

    if (width > KEYS) {
        fprintf(out, "  %s\n", keys);
        keys = "";
        width = 0;
    }
    while (*text != '\0') {
        size_t bytes = text_break(text, TEXT);

        fprintf(out, "  %s%*s %.*s\n", keys, KEYS - width, "", (int)bytes, text);
        text += bytes;
        text += strspn(text, " ");
        keys = "";
        width = 0;
    }
}

/* Returns the panes of an action; EVERYWHERE if it works in all of them. */
static unsigned action_group(const struct action *action)
{
    return (action->panes & EVERYWHERE) == EVERYWHERE ? EVERYWHERE : action->panes;
}

static bool has_help_row(const struct action *action, enum mode mode)
{
    return action->mode == mode && action->keys[0] != KEY_NONE;
}

static void print_action(FILE *out, const struct action *action, enum mode mode)
{
    char keys[80];

    if (!has_help_row(action, mode))
        return;
    action_keys(action, false, keys, sizeof keys);
    print_help_row(out, keys, action->help);
}

static void print_actions(FILE *out, enum mode mode, unsigned group)
{
    for (int a = 0; a < action_count; a++)
        if (action_group(&actions[a]) == group)
            print_action(out, &actions[a], mode);
}

static int count_panes(unsigned panes)
{
    int count = 0;

    for (int p = 0; p < PANE_COUNT; p++)
        count += (int)(panes >> p & 1);
    return count;
}

static void print_panes(FILE *out, unsigned group)
{
    unsigned but = EVERYWHERE & ~group;
    bool most = count_panes(but) <= BUT_MOST;
    const char *joint = most ? "Everywhere except in " : "In ";

    for (int p = 0; p < PANE_COUNT; p++) {
        if (((most ? but : group) >> p & 1) == 0)
            continue;
        fprintf(out, "%s%s", joint, pane_name((enum pane)p));
        joint = ", ";
    }
    fprintf(out, "%s\n", but == 0 ? "Everywhere" : "");
}

static bool works_at(const struct action *action, enum pane pane)
{
    return (action_group(action) >> pane & 1) != 0;
}

/* Prints the actions of this pane, the specific ones first, and the tour, which has no key. */
static void print_here(FILE *out, enum pane pane)
{
    fprintf(out, "In %s\n", pane_name(pane));
    for (int a = 0; a < action_count; a++)
        if (works_at(&actions[a], pane) && action_group(&actions[a]) != EVERYWHERE)
            print_action(out, &actions[a], MODE_NORMAL);
    fputc('\n', out);
    print_panes(out, EVERYWHERE);
    print_actions(out, MODE_NORMAL, EVERYWHERE);
    print_help_row(out, ":tour", action_named(pane, "tour")->help);
    fputc('\n', out);
}

static void print_elsewhere(FILE *out, enum pane pane)
{
    for (int a = 0; a < action_count; a++) {
        unsigned group = action_group(&actions[a]);
        bool seen = !has_help_row(&actions[a], MODE_NORMAL) || works_at(&actions[a], pane);

        for (int b = 0; b < a && !seen; b++)
            seen = has_help_row(&actions[b], MODE_NORMAL) && action_group(&actions[b]) == group;
        if (seen)
            continue;
        print_panes(out, group);
        print_actions(out, MODE_NORMAL, group);
        fputc('\n', out);
    }
}

static void print_words(FILE *out)
{
    fprintf(out, "Commands (type : first; Tab completes)\n");
    for (int a = 0; a < action_count; a++) {
        char word[96];

        if (actions[a].mode != MODE_NORMAL ||
            (actions[a].argument == NULL && actions[a].keys[0] != KEY_NONE))
            continue;
        snprintf(word, sizeof word, "%s%s%s", actions[a].name,
                 actions[a].argument == NULL ? "" : " ",
                 actions[a].argument == NULL ? "" : actions[a].argument);
        print_help_row(out, word, actions[a].help);
    }
    for (int c = 0; c < command_count; c++)
        if (commands[c]->anywhere)
            print_help_row(out, commands[c]->name, commands[c]->help);
    fprintf(out, "  All other actions are commands too: undo, next-pane, log.\n");
}

/* A row of the help that is no action. */
struct help_row {
    const char *name, *meaning;
};

static void print_rows(FILE *out, const char *title, const struct help_row *rows, size_t count)
{
    fprintf(out, "%s\n", title);
    for (size_t i = 0; i < count; i++)
        print_help_row(out, rows[i].name, rows[i].meaning);
    fputc('\n', out);
}

static void print_mouse(FILE *out)
{
    static const struct help_row rows[] = {
        {"click", "moves the cursor, folds a section, moves a slider one step towards the pointer"},
        {"double click", "is Enter, also on a next step; in a list so is a click on the cursor"},
        {"click a key", "at the bottom: is that key"},
        {"click a device", "shows its knobs"},
        {"click the timeline", "beside the design: opens its view"},
        {"drag", "sets a slider"},
        {"wheel", "scrolls"},
        {":set mouse off", "lets the terminal select text; so does Shift in most terminals"},
    };

    print_rows(out, "Mouse", rows, sizeof rows / sizeof rows[0]);
}

static void print_signs(FILE *out, bool unicode)
{
    char fills[200];
    struct buffer bars = buffer_over(fills, sizeof fills);
    const struct help_row looks = {.name = "bars", .meaning = fills};
    static const struct help_row rows[] = {
        {.name = "2 \xC2\xB5s?", .meaning = "assumed: no source states this value"},
        {.name = "2 \xC2\xB5s#",
         .meaning = "measured on a machine of that kind, according to its preset"},
        {.name = "2 \xC2\xB5s~",
         .meaning = "fitted: a parameter of the model, from measurements of such a machine"},
        {.name = "2 \xC2\xB5s\xE2\x80\xA2",
         .meaning = "set in this design; without a sign: stated by its preset"},
        {.name = "auto 0.97", .meaning = "derived from the rest of the design"},
        {.name = "below the latency",
         .meaning =
             "the critical path from the last useful packet: its parts add up to the latency"},
        {.name = "+1.14 ms deferred",
         .meaning = "work after the command is sent, in no bar and no total time"},
        {.name = "+39", .meaning = "how many more knobs a section has; z shows all"},
        {.name = "\xC3\x97"
                 "7, @gpu0\xE2\x80\x93"
                 "6",
         .meaning = "identical rows shown as one: Enter unfolds them"},
        {.name = "\xE2\x97\x86", .meaning = "the component that limits the design"},
        {.name = "\xE2\x97\x87",
         .meaning = "on the critical path from the last useful packet to the last command"},
        {.name = "60 \xC2\xB5s (49 to 85)",
         .meaning = "a latency and its range, one standard deviation either way"},
        {.name = "assumed 93 %",
         .meaning = "the part of the latency that rests on assumed figures, and their causes"},
        {.name = "late frames",
         .meaning = "frames simulated with jitter that miss the target, and how many do in an hour "
                    "at 95 % confidence"},
        {.name = "dots and tick", .meaning = "where the pinned baseline ends"},
        {.name = "\xE2\x80\xA2", .meaning = "in a list: the present choice"},
    };

    for (int look = 0; look < LOOK_KINDS; look++) {
        const struct look_sign fill = look_of((enum chart_look)look)->fill;
        char sign[GLYPH_BYTES];

        glyph_encode(unicode ? fill.unicode : (uint32_t)fill.ascii, sign);
        buffer_print(&bars, "%s %s  ", sign, look_of((enum chart_look)look)->name);
    }
    print_rows(out, "Kinds of time", &looks, 1);
    print_rows(out, "Signs", rows, sizeof rows / sizeof rows[0]);
}

static void print_mode(FILE *out, enum mode mode)
{
    fprintf(out, "%s\n",
            mode == MODE_LIST ? "In lists, where letters filter" : "In lines, where letters are typed");
    print_actions(out, mode, EVERYWHERE);
    fputc('\n', out);
}

void act_help(struct app *app, const char *argument)
{
    enum pane pane = view_pane(app);
    enum mode mode = app->mode != MODE_NORMAL ? app->mode : app->below;
    FILE *out = app_write(app, "Help");

    (void)argument;
    if (mode != MODE_NORMAL)
        print_mode(out, mode);
    print_here(out, pane);
    print_mouse(out);
    print_signs(out, app->host.unicode);
    print_elsewhere(out, pane);
    if (mode != MODE_LIST)
        print_mode(out, MODE_LIST);
    if (mode != MODE_LINE)
        print_mode(out, MODE_LINE);
    print_words(out);
    pager_show(&app->pager);
}

/* Footer --------------------------------------------------------------------------------------- */

/* Abbreviates "123456789" to "1-9". */
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

/* A label of the footer with the first keys of all neighbouring rows that share it. */
struct footer_item {
    const struct action *first;
    const char *label;
    int count;     /* of the rows */
    char keys[64]; /* "1-9" if they are a run; without arrow symbols "Left/Right" */
    int width;     /* of keys and label */
};

/* Returns the label of an action, which for Enter depends on the cursor; NULL: it is not shown. */
static const char *footer_label(const struct app *app, const struct action *action)
{
    if (action->id == ACTION_ACCEPT && app->mode == MODE_LIST && app->picker.typing)
        return "end filter";
    if (action->id != ACTION_ENTER || action->footer == NULL || app_pane(app) >= PANE_PAGER ||
        app->view->enter == NULL)
        return action->footer;
    return app->view->enter(app->state);
}

static struct footer_item footer_item(const struct app *app, const struct action *first)
{
    struct footer_item item = {.first = first, .label = footer_label(app, first)};
    struct buffer run = buffer_over(item.keys, sizeof item.keys);
    const struct action *at = first;

    for (; at < actions + action_count && at->footer != NULL &&
           strcmp(at->footer, first->footer) == 0 && at->mode == first->mode &&
           at->panes == first->panes;
         at++) {
        char text[64];

        action_keys(at, app->host.unicode, text, sizeof text);
        text[strcspn(text, " ")] = '\0';
        buffer_print(&run, "%s%s", at > first && text_width(text) > 1 ? "/" : "", text);
    }
    item.count = (int)(at - first);
    shorten_run(item.keys);
    item.width = text_width(item.keys) + 1 + text_width(item.label);
    return item;
}

static void draw_footer_item(struct canvas *canvas, int row, int column,
                             const struct footer_item *item)
{
    int keys = text_width(item->keys);

    canvas_text(canvas, row, column, keys, STYLE_KEY, item->keys);
    canvas_text(canvas, row, column + keys + 1, text_width(item->label), STYLE_DIM, item->label);
}

/* Returns the action of a cell of the item: that of its key, on the label the first. */
static const struct action *item_action(const struct footer_item *item, int cell)
{
    int keys = text_width(item->keys);

    if (cell >= keys || keys < item->count)
        return cell == keys - 1 ? item->first + item->count - 1 : item->first;
    return item->first + cell * item->count / keys;
}

/* Returns true for a view of results that has none to show: its own keys have no effect. */
static bool shows_nothing(const struct app *app)
{
    return app->mode == MODE_NORMAL && app_pane(app) < PANE_PAGER &&
           app->host.design.scenario.component_count == 0 && app->view != &view_explore &&
           app->view != &view_compare && app->view != &view_machine;
}

static bool in_footer(const struct app *app, int a)
{
    const struct action *action = &actions[a];
    unsigned panes = 1U << app_pane(app) | (tour_takes_keys(app) ? 1U << PANE_TOUR : 0);
    const struct action *tour = tour_action(app, action->keys[0]);

    if (action->mode != app->mode || (action->panes & panes) == 0 ||
        footer_label(app, action) == NULL)
        return false;
    if (tour != NULL && tour != action)
        return false;
    if (shows_nothing(app) && (action->panes & 1U << PANE_KNOBS) == 0)
        return false;
    if (action->id == ACTION_SORT && app->mode == MODE_LIST && !app->picker.sortable)
        return false;
    if (action->id == ACTION_SOURCES && app->mode == MODE_LIST &&
        (app->picker.count == 0 || app->picker.items[app->picker.count - 1].preset == NULL))
        return false;
    if (action->id == ACTION_HELP && app_has_text(app))
        return false;
    if (action->id == ACTION_TAB && app->mode == MODE_LIST &&
        (app->menu.tab == MENU_NO_TABS || app->menu.moved != NULL))
        return false;
    if (action->id == ACTION_COMPLETE && app->prompt.request.completion == COMPLETE_NOTHING)
        return false;
    return a == 0 || actions[a - 1].footer == NULL ||
           strcmp(actions[a - 1].footer, action->footer) != 0 ||
           actions[a - 1].mode != action->mode || actions[a - 1].panes != action->panes;
}

static bool always_in_footer(const struct app *app, const struct action *action)
{
    return action->panes == 1U << PANE_TOUR || action->id == ACTION_HELP ||
           action->id == ACTION_QUIT || action->id == ACTION_CLOSE ||
           (tour_takes_keys(app) && tour_asks_for(app, action->id));
}

/* Returns true for keys that have nothing to do yet, and for saving where the line is narrow. */
static bool gives_way(const struct app *app, const struct action *action, int columns)
{
    const struct design *design = &app->host.design;

    return (action->id == ACTION_UNDO && design->history.position == 0) ||
           (action->id == ACTION_SAVE && (columns < 80 || !design_modified(design)));
}

/* Lays the footer out and draws it; `canvas` NULL: returns the action at `column`, or NULL. */
static const struct action *lay_footer(const struct app *app, struct canvas *canvas,
                                       struct rect line, int at)
{
    int room = line.columns - 2;
    int column = line.column + 1;

    for (int a = 0; a < action_count; a++)
        if (in_footer(app, a) && always_in_footer(app, &actions[a]))
            room -= footer_item(app, &actions[a]).width + 2;
    for (int a = 0; a < action_count; a++) {
        bool always = always_in_footer(app, &actions[a]);
        struct footer_item item;

        if (!in_footer(app, a) || (!always && gives_way(app, &actions[a], line.columns)))
            continue;
        item = footer_item(app, &actions[a]);
        if (!always && item.width > room)
            continue;
        if (!always)
            room -= item.width + 2;
        if (canvas != NULL)
            draw_footer_item(canvas, line.row, column, &item);
        else if (at >= column && at < column + item.width)
            return item_action(&item, at - column);
        column += item.width + 2;
    }
    return NULL;
}

void help_draw_footer(const struct app *app, struct canvas *canvas, struct rect line)
{
    lay_footer(app, canvas, line, -1);
}

const struct action *help_footer_action(const struct app *app, struct rect line, int column)
{
    return lay_footer(app, NULL, line, column);
}
