#include <stdio.h>
#include <string.h>

#include "report/compare.h"
#include "tui/host.h"
#include "tui/view_compare.h"
#include "tui/widget.h"

enum { TEXT = 240 };

static const char *const kind_titles[DIFFERENCE_KINDS] = {
    [DIFFERENCE_PRESET] = "device presets",
    [DIFFERENCE_INSTANCE] = "in one design only",
    [DIFFERENCE_OWN] = "set",
    [DIFFERENCE_FOLLOWS] = "follows from these, automatic, by default"};

/* Columns of a row: what it is, the value of either, what changes; from the left edge inside. */
struct pair_columns {
    int name;         /* cells; from the second on */
    int value[SIDES]; /* where they begin */
    int value_columns;
    int change, change_columns;
};

static int longest_path(const struct comparison *comparison)
{
    int longest = 0;

    for (int d = 0; d < comparison->difference_count; d++) {
        int width = text_width(comparison->difference[d].path);

        longest = width > longest ? width : longest;
    }
    return longest;
}

static struct pair_columns columns_of(const struct compare_view *view, enum compare_pane pane,
                                      int columns)
{
    enum { LEAST = 12, MOST = 26, FIGURE = 10 }; /* cells of a value */
    struct pair_columns c = {.value_columns = FIGURE};
    int rest = columns - 1;

    if (pane == COMPARE_KNOBS) {
        c.value_columns = (rest - longest_path(&view->comparison)) / 2 - 1;
        c.value_columns = c.value_columns < LEAST  ? LEAST
                          : c.value_columns > MOST ? MOST
                                                   : c.value_columns;
    } else {
        c.value_columns = columns < 70 ? FIGURE : LEAST;
        c.change_columns = columns < 57 ? 11 : columns < 70 ? 21 : 23;
        rest -= c.change_columns + 1;
        c.change = 1 + rest;
    }
    c.name = rest - 2 * (c.value_columns + 1);
    c.value[0] = 1 + c.name + 1;
    c.value[1] = c.value[0] + c.value_columns + 1;
    return c;
}

static void draw_heads(const struct compare_view *view, struct canvas *canvas, struct rect line,
                       const struct pair_columns *c, const char *what)
{
    char name[TEXT];

    snprintf(name, sizeof name, "%s", compare_name(view));
    text_middle(name, sizeof name, c->value_columns);
    canvas_text(canvas, line.row, line.column + 1, c->name, STYLE_DIM, what);
    canvas_right(canvas, line.row, line.column + c->value[0], c->value_columns, STYLE_DIM, "this");
    canvas_right(canvas, line.row, line.column + c->value[1], c->value_columns, STYLE_DIM, name);
    if (c->change_columns > 0)
        canvas_right(canvas, line.row, line.column + c->change, c->change_columns, STYLE_DIM,
                     "change");
}

static void put_value(struct canvas *canvas, struct rect line, int column, int columns,
                      const char *text)
{
    char shown[TEXT];

    snprintf(shown, sizeof shown, "%s", text);
    text_micro(shown, sizeof shown);
    text_middle(shown, sizeof shown - 4, columns);
    canvas_right(canvas, line.row, line.column + column, columns, STYLE_NORMAL, shown);
}

static void draw_difference(struct canvas *canvas, struct rect line, const struct pair_columns *c,
                            const struct difference *difference)
{
    char path[TEXT];

    snprintf(path, sizeof path, "%s", difference->path);
    text_middle(path, sizeof path, c->name);
    canvas_text(canvas, line.row, line.column + 1, c->name, STYLE_NORMAL, path);
    for (int s = 0; s < SIDES; s++)
        put_value(canvas, line, c->value[s], c->value_columns,
                  difference->value[s][0] != '\0' ? difference->value[s]
                  : difference->has[s]            ? "there"
                                                  : "\xE2\x80\x93");
}

/* "-13.4 us" of "-13.4 us, -24.2 %" where there is no room for both. */
static void shorten(char *text, int columns)
{
    if (text_width(text) > columns)
        text[strcspn(text, ",")] = '\0';
}

static void draw_figure(struct canvas *canvas, struct rect line, const struct pair_columns *c,
                        const char *name, const double value[SIDES], const char *unit)
{
    char text[TEXT];

    canvas_text(canvas, line.row, line.column + 1, c->name, STYLE_NORMAL, name);
    for (int s = 0; s < SIDES; s++) {
        quantity_show(value[s], unit, text, sizeof text);
        put_value(canvas, line, c->value[s], c->value_columns, text);
    }
    compare_change(value[1], value[0], unit, true, text, sizeof text);
    shorten(text, c->change_columns);
    canvas_right(canvas, line.row, line.column + c->change, c->change_columns, STYLE_DIM, text);
}

static void draw_result(const struct compare_view *view, struct canvas *canvas, struct rect line,
                        const struct pair_columns *c, int item)
{
    const struct comparison *comparison = &view->comparison;
    const struct compared_device *device;
    struct device_figure figure;
    char name[TEXT];

    if (item < comparison->result_count) {
        const struct compared_result *compared = &comparison->result[item];

        snprintf(name, sizeof name, "%s%s", compared->row->scope == RESULT_LOOP ? "loop." : "",
                 compared->row->key);
        draw_figure(canvas, line, c, name, compared->value, compared->row->unit);
    } else if (compare_device_figure(comparison, item - comparison->result_count, &device,
                                     &figure)) {
        snprintf(name, sizeof name, "%s %s", device->name, figure.name);
        draw_figure(canvas, line, c, name, figure.value, figure.unit);
    }
}

/* Times of cameras, which are no computer's, are left out of the scale of the bars. */
static bool has_bars(const struct compared_node *node)
{
    return node->type != COMPONENT_CAMERA || node->transfer;
}

static struct bar_scale scale_of(const struct compare_view *view)
{
    const struct comparison *comparison = &view->comparison;
    double least = 0;
    double most = 0;

    for (int n = 0; n < comparison->node_count; n++)
        for (int s = 0; s < SIDES; s++) {
            double time = comparison->node[n].has[s] ? comparison->node[n].time[s] : 0;

            if (!has_bars(&comparison->node[n]))
                continue;
            most = time > most ? time : most;
            least = time > 0 && (least <= 0 || time < least) ? time : least;
        }
    return bar_scale_for(least, most, view->logarithmic);
}

/* One of the two rows of a node: its name or what changes, a bar, the time, what binds it. */
static void draw_node(const struct compare_view *view, struct canvas *canvas, struct rect line,
                      const struct bar_scale *scale, int item, int s)
{
    enum { VALUE = 8, BOUND = 11, NARROW = 50 };
    int alike = 1;
    const struct compared_node *node = &view->comparison.node[compare_node(view, item, &alike)];
    int bound = line.columns < NARROW ? 0 : BOUND;
    int name = line.columns < NARROW ? 12 : line.columns < 70 ? 18 : 26;
    struct rect bar = {line.row, line.column + name + 2, 1,
                       line.columns - name - 2 - VALUE - 1 - bound};
    char text[TEXT];

    if (s == 0 && alike > 1)
        snprintf(text, sizeof text, "%s \xC3\x97%d", node->name, alike);
    else if (s == 0)
        snprintf(text, sizeof text, "%s", node->name);
    else if (!node->has[0] || !node->has[1])
        snprintf(text, sizeof text, "only in %s", node->has[0] ? "this" : compare_name(view));
    else if (!compare_differs(node->time[0], node->time[1]))
        snprintf(text, sizeof text, "unchanged");
    else
        compare_change(node->time[1], node->time[0], "s", true, text, sizeof text);
    if (s == 1)
        shorten(text, name);
    text_middle(text, sizeof text - 4, name);
    canvas_text(canvas, line.row, line.column + 1, name, s == 0 ? STYLE_NORMAL : STYLE_DIM, text);
    if (!node->has[s])
        return;
    if (has_bars(node))
        widget_bar(canvas, bar, bar_length(scale, node->time[s], bar.columns), 0, -1,
                   s == 0 ? FILL_COMPUTE : FILL_MEMORY, s == 0 ? STYLE_COMPUTE : STYLE_GHOST);
    else
        canvas_text(canvas, bar.row, bar.column, bar.columns, STYLE_DIM, "readout");
    quantity_show(node->time[s], "s", text, sizeof text);
    canvas_right(canvas, line.row, bar.column + bar.columns, VALUE, STYLE_NORMAL, text);
    compare_bound(node, s, text, sizeof text);
    canvas_text(canvas, line.row, bar.column + bar.columns + VALUE + 1, bound, STYLE_DIM, text);
}

/* What the fills mean and how long a full bar is. */
static void draw_legend(const struct compare_view *view, struct canvas *canvas, struct rect box,
                        const struct bar_scale *scale)
{
    char text[TEXT];
    char high[40];
    int right = box.column + box.columns - 2;
    int width;

    quantity_show(scale->high, "s", high, sizeof high);
    snprintf(text, sizeof text, " %sfull bar %s ", scale->logarithmic ? "log, " : "", high);
    width = text_width(text);
    canvas_text(canvas, box.row + box.rows - 1, right - width, width, STYLE_DIM, text);
    snprintf(text, sizeof text, "   this   %s ", compare_name(view));
    width = text_width(text);
    if (width + 24 > box.columns)
        return;
    canvas_text(canvas, box.row, right - width, width, STYLE_DIM, text);
    widget_mark(canvas, box.row, right - width + 1, STYLE_COMPUTE, MARK_COMPUTE);
    widget_mark(canvas, box.row, right - width + 8, STYLE_GHOST, MARK_MEMORY);
}

static void draw_row(const struct compare_view *view, struct canvas *canvas, enum compare_pane pane,
                     struct rect line, int row)
{
    const struct comparison *comparison = &view->comparison;
    int item = compare_item_at(view, pane, row);
    struct pair_columns c = columns_of(view, pane, line.columns);

    if (pane == COMPARE_NODES) {
        struct bar_scale scale = scale_of(view);

        draw_node(view, canvas, line, &scale, item, row % 2);
    } else if (pane == COMPARE_RESULTS) {
        draw_result(view, canvas, line, &c, item);
    } else if (item >= 0) {
        draw_difference(canvas, line, &c, &comparison->difference[item]);
    } else { /* the heading of the row below */
        item = compare_item_at(view, pane, row + 1);
        canvas_text(canvas, line.row, line.column + 1, line.columns - 1, STYLE_TITLE,
                    kind_titles[comparison->difference[item].kind]);
    }
}

/* Cursor and scroll, kept within what there is. */
static void clamp(struct compare_view *view, enum compare_pane pane, int visible)
{
    int items = compare_items(view, pane);
    int rows = compare_rows(view, pane);
    int at;

    if (view->cursor[pane] >= items)
        view->cursor[pane] = items - 1;
    if (view->cursor[pane] < 0)
        view->cursor[pane] = 0;
    at = compare_row_of(view, pane, view->cursor[pane]);
    view->first[pane] =
        scroll_to(view->first[pane], at + (pane == COMPARE_NODES ? 1 : 0), visible, rows);
    if (view->first[pane] > at || (view->cursor[pane] == 0 && visible > 1))
        view->first[pane] = view->cursor[pane] == 0 ? 0 : at;
    view->pages[pane] = visible;
}

static void title_of(const struct compare_view *view, enum compare_pane pane, char *title,
                     size_t size)
{
    static const char *const titles[COMPARE_PANES] = {"", "What is set differently",
                                                      "What comes of it", "Components"};
    const struct compare_layout *layout = &view->layout;
    bool alone = layout->box[pane % (COMPARE_PANES - 1) + 1].rows == 0;

    snprintf(title, size, "%s%s", titles[pane],
             view->host->design.problem.status != STATUS_OK ? ": stale" : "");
    if (alone)
        snprintf(title, size, "%s%s \xC2\xB7 Tab: %d of %d", titles[pane],
                 view->host->design.problem.status != STATUS_OK ? ": stale" : "", (int)pane,
                 COMPARE_PANES - 1);
}

void compare_draw_pane(struct compare_view *view, struct canvas *canvas, enum compare_pane pane,
                       struct rect box)
{
    struct rect inside = rect_inside(box);
    bool focus = view->focus == pane;
    int items = compare_items(view, pane);
    char title[96];

    if (box.rows == 0)
        return;
    title_of(view, pane, title, sizeof title);
    widget_pane(canvas, box, title, focus);
    if (items == 0) {
        canvas_text(canvas, inside.row, inside.column + 1, inside.columns - 1, STYLE_DIM,
                    pane == COMPARE_KNOBS ? "nothing is: v compares with another design"
                                          : "nothing differs");
        return;
    }
    if (pane == COMPARE_NODES) {
        struct bar_scale scale = scale_of(view);

        draw_legend(view, canvas, box, &scale);
    } else {
        struct pair_columns c = columns_of(view, pane, inside.columns);

        draw_heads(view, canvas, inside, &c, pane == COMPARE_KNOBS ? "knob" : "result");
        inside.row++;
        inside.rows--;
    }
    clamp(view, pane, inside.rows);
    for (int r = 0; r < inside.rows && view->first[pane] + r < compare_rows(view, pane); r++) {
        int row = view->first[pane] + r;
        struct rect line = {inside.row + r, inside.column, 1, inside.columns};

        draw_row(view, canvas, pane, line, row);
        if (compare_item_at(view, pane, row) != view->cursor[pane] ||
            (pane == COMPARE_NODES && row % 2 != 0))
            continue;
        canvas_restyle(canvas, line, focus ? STYLE_FOCUS : STYLE_SELECTED);
        if (!focus)
            continue;
        widget_mark(canvas, line.row, line.column, STYLE_FOCUS, MARK_FOCUS);
        canvas->cursor_row = line.row;
        canvas->cursor_column = line.column;
    }
    box.row = inside.row - 1;
    box.rows = inside.rows + 2;
    widget_scroll(canvas, box, view->first[pane], compare_rows(view, pane), focus);
}

int compare_draw_verdict(const struct compare_view *view, struct canvas *canvas, struct rect inside,
                         int first)
{
    const char *const name[SIDES] = {"this", compare_name(view)};
    struct compare_fact fact[COMPARE_FACTS];
    struct canvas none = {0};
    int count = compare_facts(&view->comparison.verdict, name, true, fact);
    int label = inside.columns < 66 ? 0 : 13;
    int row = 0;

    for (int f = 0; f < count; f++) {
        enum style style = fact[f].tone > 0   ? STYLE_GOOD
                           : fact[f].tone < 0 ? STYLE_ERROR
                                              : STYLE_NORMAL;
        struct rect text = {inside.row + row - first, inside.column + 1 + label, inside.rows,
                            inside.columns - 2 - label};
        int rows = widget_wrap(&none, text, 0, style, fact[f].text);

        for (int r = 0; r < rows; r++) {
            struct rect line = {text.row + r, text.column, 1, text.columns};

            if (row + r < first || row + r >= first + inside.rows)
                continue;
            widget_wrap(canvas, line, -r, style, fact[f].text);
            if (r == 0 && label > 0)
                canvas_text(canvas, line.row, inside.column + 1, label, STYLE_DIM, fact[f].label);
        }
        row += rows;
    }
    return row;
}
