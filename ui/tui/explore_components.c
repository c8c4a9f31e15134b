#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "model/memory.h"
#include "tui/explore_nodes.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

/* What a node's rows are drawn with. */
struct bars {
    struct bar_columns columns;
    struct bar_scale scale;
    bool stale; /* the numbers are of an earlier design */
};

static bool is_stale(const struct explore *explore)
{
    return explore->host->design.problem.status != STATUS_OK;
}

int explore_component_rows(const struct explore *explore)
{
    return nodes_rows(explore, nodes_count(explore)) + (is_stale(explore) ? 3 : 0);
}

/* Scale and columns of all bars, the baseline's included. ------------------------------------- */

static void widen(double value, double *smallest, double *largest)
{
    if (value > *largest)
        *largest = value;
    if (value > 0 && (value < *smallest || *smallest <= 0))
        *smallest = value;
}

static struct bars prepare(const struct explore *explore, int columns)
{
    struct bars bars = {.stale = is_stale(explore)};
    double smallest = 0;
    double largest = 0;
    int name = 0;
    int device = 0;

    for (int n = 0; n < nodes_count(explore); n++) {
        const struct node_result *node = &explore->host->design.result.node[n];
        char text[NODE_LABEL];
        int width;

        if (node_rows(explore, n) == 0)
            continue;
        node_label(explore, n, text);
        width = text_width(text);
        name = node_has_bars(node) && width > name ? width : name;
        width = text_width(node_device(explore, node, text));
        device = width > device ? width : device;
        if (!node_has_bars(node))
            continue;
        widen(node->compute, &smallest, &largest);
        widen(node->memory, &smallest, &largest);
        widen(node->time, &smallest, &largest);
    }
    for (int b = 0;
         b < explore->host->design.baseline.count && explore->host->design.baseline.pinned; b++) {
        int node = result_find_node(&explore->host->design.result,
                                    explore->host->design.baseline.bars[b].name);

        if (node < 0 || !node_has_bars(&explore->host->design.result.node[node]))
            continue;
        widen(explore->host->design.baseline.bars[b].compute, &smallest, &largest);
        widen(explore->host->design.baseline.bars[b].memory, &smallest, &largest);
    }
    bars.columns = layout_bar(columns, name, device);
    bars.scale = bar_scale_for(smallest, largest, explore->logarithmic);
    return bars;
}

/* Drawing ------------------------------------------------------------------------------------- */

static void draw_bar(const struct explore *explore, struct canvas *canvas, struct rect line,
                     const struct bars *bars, const struct node_result *node, enum fill fill)
{
    const struct bar_columns *c = &bars->columns;
    const struct baseline_bar *base =
        explore->host->design.baseline.pinned
            ? baseline_bar(&explore->host->design.baseline, node->name)
            : NULL;
    struct rect cells = {line.row, line.column + c->bar, 1, c->bar_columns};
    double value = fill == FILL_COMPUTE ? node->compute : node->memory;
    double whole = fill == FILL_COMPUTE ? 0 : node->time;
    double ghost = -1;
    bool longer = value >= node->compute && value >= node->memory;
    int width;
    enum style style = fill == FILL_COMPUTE ? STYLE_COMPUTE : STYLE_MEMORY;
    char text[32];

    if (base != NULL)
        ghost = bar_length(&bars->scale, fill == FILL_COMPUTE ? base->compute : base->memory,
                           c->bar_columns);
    widget_bar(canvas, cells, bar_length(&bars->scale, value, c->bar_columns),
               bar_length(&bars->scale, whole, c->bar_columns), ghost, fill,
               bars->stale ? STYLE_DIM : style);
    quantity_show(value, "s", text, sizeof text);
    if (fill == FILL_MEMORY)
        canvas_right(canvas, line.row, line.column + c->level, c->level_columns, STYLE_DIM,
                     memory_level_name(node->level));
    width = text_width(text) > c->value_columns ? text_width(text) : c->value_columns;
    canvas_right(canvas, line.row, line.column + c->value + c->value_columns - width, width,
                 longer && !bars->stale ? STYLE_NORMAL : STYLE_DIM, text);
}

/* A node without bars: what it does and how long that takes. The time always shows, then the name,
 * then the word. */
static void draw_wire(const struct explore *explore, struct canvas *canvas, struct rect line,
                      const struct bars *bars, int number)
{
    const struct node_result *node = &explore->host->design.result.node[number];
    bool camera = node->type == COMPONENT_CAMERA;
    enum style style = node->component < 0 || bars->stale ? STYLE_DIM : STYLE_NORMAL;
    int name = bars->columns.name;
    int at = bars->columns.device;
    int end;
    char time[32];
    char text[64];
    char label[NODE_LABEL];

    node_label(explore, number, label);
    end = name + text_width(label) + 1;
    quantity_show(camera ? node->time : node->memory, "s", time, sizeof time);
    snprintf(text, sizeof text, "%s %s", camera ? "readout" : "wire", time);
    if (end > at)
        at = end;
    if (at + text_width(text) > line.columns)
        snprintf(text, sizeof text, "%s", time);
    if (at + text_width(text) > line.columns)
        at = line.columns - text_width(text);
    text_middle(label, sizeof label, at - name - 1);
    canvas_text(canvas, line.row, line.column + name, at - name - 1, style, label);
    canvas_text(canvas, line.row, line.column + at, line.columns - at, style, text);
}

/* The first row of a node: its name, where it runs, the bar that counts first. */
static void draw_first(const struct explore *explore, struct canvas *canvas, struct rect line,
                       const struct bars *bars, int number)
{
    const struct node_result *node = &explore->host->design.result.node[number];
    const struct bar_columns *c = &bars->columns;
    char label[NODE_LABEL];
    char device[NODE_LABEL];

    node_label(explore, number, label);
    text_middle(label, sizeof label, c->name_columns);
    canvas_text(canvas, line.row, line.column + c->name, c->name_columns,
                bars->stale ? STYLE_DIM : STYLE_NORMAL, label);
    snprintf(device, sizeof device, "%s", node_device(explore, node, label));
    if (node_is_whole(node) && text_width(device) > c->device_columns)
        snprintf(device, sizeof device, "\xC3\x97%d", node->parts);
    text_middle(device, sizeof device, c->device_columns);
    canvas_text(canvas, line.row, line.column + c->device, c->device_columns, STYLE_DIM, device);
    draw_bar(explore, canvas, line, bars, node,
             node->part >= 0 && node->memory > node->compute ? FILL_MEMORY : FILL_COMPUTE);
}

/* The row of memory; under the name the whole time, and where there is no room for that what the
 * rest of the two rows leaves unsaid: the device and the level that serves it. */
static void draw_second(const struct explore *explore, struct canvas *canvas, struct rect line,
                        const struct bars *bars, const struct node_result *node)
{
    const struct bar_columns *c = &bars->columns;
    const char *level = memory_level_name(node->level);
    char text[NODE_LABEL + 8];
    char word[NODE_LABEL];

    node_whole(node, text, sizeof text);
    if (text_width(text) <= c->whole_columns) {
        canvas_text(canvas, line.row, line.column + c->whole, c->whole_columns, STYLE_DIM, text);
    } else if (c->level_columns == 0) {
        snprintf(text, sizeof text, "%s %s", node_device(explore, node, word), level);
        if (text_width(text) > c->name_columns)
            snprintf(text, sizeof text, "%s", level);
        canvas_text(canvas, line.row, line.column + c->name, c->name_columns, STYLE_DIM, text);
    }
    draw_bar(explore, canvas, line, bars, node, FILL_MEMORY);
}

/* Work that delays no command of its frame, and so is in no bar. */
static void draw_deferred(struct canvas *canvas, struct rect line, const struct bars *bars,
                          const struct node_result *node)
{
    int at = bars->columns.whole;
    char time[32];

    quantity_show(node->deferred, "s", time, sizeof time);
    canvas_printf(canvas, line.row, line.column + at, line.columns - at, STYLE_DIM, "+%s deferred",
                  time);
}

static void draw_node(const struct explore *explore, struct canvas *canvas, struct rect line,
                      const struct bars *bars, int number, int part)
{
    const struct node_result *node = &explore->host->design.result.node[number];

    if (!node_has_bars(node))
        draw_wire(explore, canvas, line, bars, number);
    else if (part == 0)
        draw_first(explore, canvas, line, bars, number);
    else if (part == 1)
        draw_second(explore, canvas, line, bars, node);
    else
        draw_deferred(canvas, line, bars, node);
}

/* What is split binds where one of its parts does. */
static bool is_bound(const struct explore *explore, int number)
{
    int bound = explore->host->design.result.bound_node;
    const struct node_result *node = &explore->host->design.result.node[number];

    return bound >= 0 && (number == node_head(explore, bound) ||
                          (node_is_whole(node) &&
                           node->component == explore->host->design.result.node[bound].component));
}

/* One of those that share its row. */
static bool is_critical(const struct explore *explore, int number)
{
    for (int n = number; n < number + node_shared(explore, number); n++)
        if (node_is_critical(explore, n))
            return true;
    return false;
}

/* What binds the whole design, what the last command waits for, and the cursor. */
static void draw_marks(const struct explore *explore, struct canvas *canvas, struct rect line,
                       const struct bars *bars, int number)
{
    bool focus = number == explore_node(explore) && explore->pane == PLACE_COMPONENTS;
    const struct node_result *node = &explore->host->design.result.node[number];
    int width = node_has_bars(node) ? bars->columns.bar - 1 : line.columns;

    if (is_bound(explore, number) && !bars->stale) {
        canvas_restyle(canvas, (struct rect){line.row, line.column, 1, bars->columns.bar - 1},
                       STYLE_TITLE);
        widget_mark(canvas, line.row, line.column + 1, STYLE_WARNING, MARK_BOUND);
    } else if (is_critical(explore, number) && !bars->stale) {
        widget_mark(canvas, line.row, line.column + 1, STYLE_DIM, MARK_CRITICAL);
    }
    if (!focus)
        return;
    canvas_restyle(canvas, (struct rect){line.row, line.column, 1, width}, STYLE_FOCUS);
    widget_mark(canvas, line.row, line.column, STYLE_FOCUS, MARK_FOCUS);
    canvas->cursor_row = line.row;
    canvas->cursor_column = line.column;
}

enum { LEGEND = 21, LEGEND_WHOLE = 9, TITLE = 20, TITLE_STALE = TITLE + 7 };

/* " # compute  : memory " from `column` on. */
static void draw_legend(struct canvas *canvas, int row, int column)
{
    canvas_text(canvas, row, column, LEGEND, STYLE_DIM, "   compute    memory ");
    widget_mark(canvas, row, column + 1, STYLE_COMPUTE, MARK_COMPUTE);
    widget_mark(canvas, row, column + 12, STYLE_MEMORY, MARK_MEMORY);
}

/* " - whole " */
static void draw_legend_whole(struct canvas *canvas, int row, int column)
{
    canvas_text(canvas, row, column, LEGEND_WHOLE, STYLE_DIM, "   whole ");
    widget_mark(canvas, row, column + 1, STYLE_MEMORY, MARK_WHOLE);
}

/* In the borders, from the right: what the fills mean and how long a full bar is. */
static void draw_borders(struct canvas *canvas, struct rect box, const struct bars *bars)
{
    char high[32];
    char low[32];
    char scale[96];
    int title = bars->stale ? TITLE_STALE : TITLE;
    int right = box.column + box.columns - 2;
    int bottom = box.row + box.rows - 1;
    int width;

    quantity_show(bars->scale.high, "s", high, sizeof high);
    quantity_show(bars->scale.low, "s", low, sizeof low);
    if (bars->scale.logarithmic)
        snprintf(scale, sizeof scale, " log scale %s to %s ", low, high);
    else
        snprintf(scale, sizeof scale, " full bar %s ", high);
    if (text_width(scale) > box.columns - 4)
        snprintf(scale, sizeof scale, " log, full bar %s ", high);
    if (title + LEGEND + LEGEND_WHOLE > box.columns &&
        text_width(scale) + LEGEND_WHOLE + 4 > box.columns)
        snprintf(scale, sizeof scale, bars->scale.logarithmic ? " log to %s " : " full %s ", high);
    width = text_width(scale);
    canvas_text(canvas, bottom, right - width, width, STYLE_DIM, scale);
    if (title + LEGEND + LEGEND_WHOLE <= box.columns) {
        draw_legend(canvas, box.row, right - LEGEND - LEGEND_WHOLE);
        draw_legend_whole(canvas, box.row, right - LEGEND_WHOLE);
        return;
    }
    if (title - 2 + LEGEND <= box.columns)
        draw_legend(canvas, box.row, right - LEGEND);
    if (width + LEGEND_WHOLE + 4 <= box.columns)
        draw_legend_whole(canvas, bottom, box.column + 2);
}

/* Why there are no numbers of this design; returns the rows it takes. */
static int draw_problem(const struct explore *explore, struct canvas *canvas, struct rect inside)
{
    struct rect text = {inside.row, inside.column + 1, inside.rows, inside.columns - 2};
    int rows = canvas_wrap(canvas, text, 0, STYLE_ERROR, explore->host->design.problem.message);

    if (!explore->host->design.evaluated)
        return rows;
    if (rows < inside.rows)
        canvas_text(canvas, inside.row + rows, text.column, text.columns, STYLE_DIM,
                    "the numbers are stale");
    return rows + 1;
}

void explore_draw_components(struct explore *explore, struct canvas *canvas, struct rect box)
{
    struct rect inside = rect_inside(box);
    struct bars bars = prepare(explore, inside.columns);
    bool focus = explore->pane == PLACE_COMPONENTS;
    int count = nodes_count(explore);
    int total = nodes_rows(explore, count);
    int node = explore_node(explore);
    int row = 0;

    widget_pane(canvas, box, is_stale(explore) ? "Components: stale" : "Components", focus);
    draw_borders(canvas, box, &bars);
    if (is_stale(explore)) {
        int rows = draw_problem(explore, canvas, inside);

        rows = rows > inside.rows ? inside.rows : rows;
        inside.row += rows;
        inside.rows -= rows;
    }
    if (node >= 0) {
        int at = nodes_rows(explore, node);

        explore->node_first =
            scroll_to(explore->node_first, at + node_rows(explore, node) - 1, inside.rows, total);
        if (explore->node_first > at)
            explore->node_first = at;
    }
    for (int n = 0; n < count; n++) {
        for (int part = 0; part < node_rows(explore, n); part++, row++) {
            struct rect line = {inside.row + row - explore->node_first, inside.column, 1,
                                inside.columns};

            if (row < explore->node_first || row >= explore->node_first + inside.rows)
                continue;
            draw_node(explore, canvas, line, &bars, n, part);
            if (part == 0)
                draw_marks(explore, canvas, line, &bars, n);
        }
    }
    box.row = inside.row - 1;
    box.rows = inside.rows + 2;
    widget_scroll(canvas, box, explore->node_first, total, focus);
}
