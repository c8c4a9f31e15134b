#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "model/memory.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

/* Room for the names below. */
enum { NODE_LABEL = NODE_NAME_MAX + 2 * NAME_MAX_LENGTH };

/* Nodes as rows -------------------------------------------------------------------------------- */

/* Whether it computes, and so has a bar for that and one for memory. */
static bool node_has_bars(const struct node_result *node)
{
    return component_type_computes(node->type);
}

/* Whether the critical path goes through it, even where the last packet costs it no time. */
static bool node_is_critical(const struct explore *explore, int number)
{
    const struct node_result *node = &explore->host->design.result.node[number];

    if (node->path_wait > 0 || node->path_busy > 0)
        return true;
    if (node->type == COMPONENT_CAMERA) /* the path begins at its end */
        return false;
    for (int i = 0; i < explore->host->design.result.path_count; i++)
        if (explore->host->design.result.path[i].node == number)
            return true;
    return false;
}

/* Neighbours that are alike (parts of one component or transfers between the same two, of the same
 * times to three digits) share the row of the first unless they are unfolded. */

static bool is_same(double a, double b)
{
    return fabs(a - b) <= 5e-4 * fmax(fabs(a), fabs(b));
}

static bool are_alike(const struct node_result *a, const struct node_result *b)
{
    char first[NODE_LABEL];
    char second[NODE_LABEL];

    if (a->component != b->component || a->type != b->type || !is_same(a->time, b->time) ||
        !is_same(a->compute, b->compute) || !is_same(a->memory, b->memory))
        return false;
    if (a->component >= 0)
        return a->part >= 0 && b->part >= 0 && a->level == b->level;
    design_strip_devices(a->name, first);
    design_strip_devices(b->name, second);
    return strcmp(first, second) == 0;
}

/* Whether it is like the one before it. */
static bool follows(const struct explore *explore, int number)
{
    return number > 0 && number < explore->host->design.result.node_count &&
           are_alike(&explore->host->design.result.node[number - 1],
                     &explore->host->design.result.node[number]);
}

static int run_end(const struct explore *explore, int number)
{
    while (follows(explore, number + 1))
        number++;
    return number;
}

static int run_start(const struct explore *explore, int number)
{
    while (follows(explore, number))
        number--;
    return number;
}

/* How many are alike, this one among them. */
static int node_alike(const struct explore *explore, int number)
{
    return run_end(explore, number) - run_start(explore, number) + 1;
}

/* The first of those that share its row. */
static int node_head(const struct explore *explore, int number)
{
    return explore->unfolded ? number : run_start(explore, number);
}

static int node_shared(const struct explore *explore, int number)
{
    return explore->unfolded ? 1 : node_alike(explore, number);
}

/* Two for a computation and its memory, one more for deferred work; one for a part, the larger of
 * the two; none for what shares the row of another. */
static int node_rows(const struct explore *explore, int number)
{
    const struct node_result *node = &explore->host->design.result.node[number];

    if (!explore->unfolded && follows(explore, number))
        return 0;
    if (!node_has_bars(node) || node->part >= 0)
        return 1;
    return node->deferred > 0 ? 3 : 2;
}

/* Rows of the nodes before number `end`. */
static int nodes_rows(const struct explore *explore, int end)
{
    int rows = 0;

    for (int n = 0; n < end; n++)
        rows += node_rows(explore, n);
    return rows;
}

/* Nodes there are, also of a stale result. */
static int nodes_count(const struct explore *explore)
{
    return explore->host->design.evaluated ? explore->host->design.result.node_count : 0;
}

int explore_node(const struct explore *explore)
{
    int node = explore->node[0] == '\0'
                   ? 0
                   : result_find_node(&explore->host->design.result, explore->node);

    if (nodes_count(explore) == 0)
        return -1;
    return node < 0 ? 0 : node_head(explore, node);
}

/* "gpu0-6" of neighbours named "gpu0" to "gpu6": of the last only the digits, where nothing else
 * differs. */
static void print_range(const char *first, const char *last, char *text, size_t size)
{
    size_t common = 0;

    while (first[common] != '\0' && first[common] == last[common])
        common++;
    while (common > 0 && strchr("0123456789", last[common - 1]) != NULL)
        common--;
    if (strspn(last + common, "0123456789") != strlen(last + common))
        common = 0;
    snprintf(text, size, "%s\xE2\x80\x93%s", first, last + common);
}

/* What its row is called, for all that share it: "recon", "  @gpu0-6", "slopes>recon x7". */
static void node_label(const struct explore *explore, int number, char text[NODE_LABEL])
{
    const struct node_result *node = &explore->host->design.result.node[node_head(explore, number)];
    const char *device = strchr(node->name, '@');
    int shared = node_shared(explore, number);
    const char *last;

    if (node->part < 0 || device == NULL) {
        snprintf(text, NODE_LABEL, "%s", node->name);
        if (shared == 1)
            return;
        design_strip_devices(node->name, text);
        snprintf(text + strlen(text), NODE_LABEL - strlen(text), " \xC3\x97%d", shared);
        return;
    }
    last = strchr(explore->host->design.result.node[node_head(explore, number) + shared - 1].name,
                  '@');
    snprintf(text, NODE_LABEL, "  %s", device);
    if (shared > 1 && last != NULL)
        print_range(device, last, text + 2, NODE_LABEL - 2);
}

/* Where it runs, as far as its name does not say so; "7 parts". */
static const char *node_device(const struct explore *explore, const struct node_result *node,
                               char text[NODE_LABEL])
{
    if (node_is_whole(node))
        snprintf(text, NODE_LABEL, "%d parts", node->parts);
    else if (node->part >= 0 || node->device < 0 ||
             node->device >= explore->host->design.scenario.device_count)
        return "";
    else
        return explore->host->design.scenario.device[node->device].head.name;
    return text;
}

/* "110 us overhead": its whole time and what binds it. */
static void node_whole(const struct node_result *node, char *text, size_t size)
{
    char time[32];

    quantity_show(node->time, "s", time, sizeof time);
    snprintf(text, size, "%s %s", time, bound_name(node->bound));
}

/* Components ----------------------------------------------------------------------------------- */

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

/* Scale and columns of all bars, the baseline's included. */

static void widen_range(double value, double *smallest, double *largest)
{
    if (value > *largest)
        *largest = value;
    if (value > 0 && (value < *smallest || *smallest <= 0))
        *smallest = value;
}

static struct bars find_bars(const struct explore *explore, int columns)
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
        widen_range(node->compute, &smallest, &largest);
        widen_range(node->memory, &smallest, &largest);
        widen_range(node->time, &smallest, &largest);
    }
    for (int b = 0;
         b < explore->host->design.baseline.count && explore->host->design.baseline.pinned; b++) {
        int node = result_find_node(&explore->host->design.result,
                                    explore->host->design.baseline.bars[b].name);

        if (node < 0 || !node_has_bars(&explore->host->design.result.node[node]))
            continue;
        widen_range(explore->host->design.baseline.bars[b].compute, &smallest, &largest);
        widen_range(explore->host->design.baseline.bars[b].memory, &smallest, &largest);
    }
    bars.columns = layout_bar(columns, name, device);
    bars.scale = bar_scale_for(smallest, largest, explore->logarithmic);
    return bars;
}

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
    struct list_pane *list = &explore->nodes;
    struct rect inside = rect_inside(box);
    struct bars bars = find_bars(explore, inside.columns);
    bool focus = explore->pane == PLACE_COMPONENTS;
    int count = nodes_count(explore);
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
    list->focus = node;
    list->page = rect_inside(box).rows / 2;
    list_pane_lay_rows(list, inside, count, nodes_rows(explore, count),
                       node < 0 ? 0 : nodes_rows(explore, node),
                       node < 0 ? 0 : node_rows(explore, node));
    for (int n = 0; n < count; n++)
        for (int part = 0; part < node_rows(explore, n); part++, row++) {
            struct rect line = list_pane_line(list, row);

            if (line.rows == 0)
                continue;
            draw_node(explore, canvas, line, &bars, n, part);
            if (part == 0)
                draw_marks(explore, canvas, line, &bars, n);
        }
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, focus);
}

/* The line below ------------------------------------------------------------------------------- */

/* Shorter waits are what rounding leaves. */
#define SHORTEST_WAIT 1e-12 /* s */

/* What its end means for the last command. */
static void print_standing(const struct explore *explore, int number, char *text, size_t size)
{
    const struct node_result *node = &explore->host->design.result.node[number];
    char wait[32];
    char busy[32];

    quantity_show(node->slack, "s", busy, sizeof busy);
    snprintf(text, size, "slack %s", busy);
    if (!node_is_critical(explore, number))
        return;
    quantity_show(node->path_wait, "s", wait, sizeof wait);
    quantity_show(node->path_busy, "s", busy, sizeof busy);
    if (node->path_wait > SHORTEST_WAIT)
        snprintf(text, size, "critical, waits %s, busy %s", wait, busy);
    else if (node->path_busy > 0)
        snprintf(text, size, "critical, busy %s", busy);
    else
        snprintf(text, size, "critical, but the last packet brings nothing");
}

/* Of those that share a row the one that counts. */
static int representative(const struct explore *explore, int number)
{
    for (int n = number; n < number + node_shared(explore, number); n++)
        if (n == explore->host->design.result.bound_node || node_is_critical(explore, n))
            return n;
    return number;
}

/* "4.11 us overhead, +1.14 ms deferred" */
static void print_time(const struct node_result *node, char *text, size_t size)
{
    char whole[48];
    char time[32];

    node_whole(node, whole, sizeof whole);
    quantity_show(node->deferred, "s", time, sizeof time);
    if (node->deferred > 0)
        snprintf(text, size, "%s, +%s deferred", whole, time);
    else
        snprintf(text, size, "%s", whole);
}

/* "with deferred work 506 MFLOP, 1.01 GB from DRAM" */
static void print_work(const struct node_result *node, char *text, size_t size)
{
    char flop[32];
    char bytes[32];

    quantity_show(node->flop, "FLOP", flop, sizeof flop);
    quantity_show(node->bytes, "B", bytes, sizeof bytes);
    snprintf(text, size, "%s%s, %s from %s", node->deferred > 0 ? "with deferred work " : "", flop,
             bytes, memory_level_name(node->level));
}

void explore_detail_components(struct explore *explore, struct canvas *canvas, struct rect line)
{
    int number = explore_node(explore);
    const struct node_result *node;
    char time[96], work[128], bytes[32], start[32], end[32], standing[96];
    char label[NODE_LABEL];
    char word[NODE_LABEL];
    const char *device;
    const char *each;
    int used;

    if (number < 0)
        return;
    node_label(explore, number, label);
    each = node_shared(explore, number) > 1 ? "each " : "";
    number = representative(explore, number);
    node = &explore->host->design.result.node[number];
    quantity_show(node->bytes, "B", bytes, sizeof bytes);
    quantity_show(node->first_start, "s", start, sizeof start);
    quantity_show(node->last_end, "s", end, sizeof end);
    print_standing(explore, number, standing, sizeof standing);
    used = canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_TITLE,
                       each[0] != '\0' ? label + strspn(label, " ") : node->name) +
           3;
    device = node_device(explore, node, word);
    print_time(node, time, sizeof time);
    print_work(node, work, sizeof work);
    if (node_has_bars(node))
        canvas_printf(canvas, line.row, used, line.columns - used - 1, STYLE_DIM,
                      "%s%s%s%s \xC2\xB7 %s \xC2\xB7 %s \xC2\xB7 %s to %s \xC2\xB7 share %.3g",
                      device, device[0] == '\0' ? "" : " \xC2\xB7 ", each, time, standing, work,
                      start, end, node->share);
    else
        canvas_printf(canvas, line.row, used, line.columns - used - 1, STYLE_DIM,
                      "%s%s \xC2\xB7 %s to %s \xC2\xB7 %s", each, bytes, start, end, standing);
}

/* Keys and mouse ------------------------------------------------------------------------------- */

/* Keeps the node under the cursor by name, as numbers change with the design. */
static void keep_cursor(struct explore *explore)
{
    int node = list_pane_focus(&explore->nodes);

    if (node >= 0)
        snprintf(explore->node, sizeof explore->node, "%s",
                 explore->host->design.result.node[node_head(explore, node)].name);
}

/* Unfolds or folds what is alike; else to the component's knobs. What is inserted between two has
 * none of its own. */
static void show_node(struct explore *explore)
{
    int node = explore_node(explore);
    enum section section;
    int index;

    if (node < 0)
        return;
    if (node_alike(explore, node) > 1) {
        explore->unfolded = !explore->unfolded;
        return;
    }
    if (!explore_section(explore, &section, &index)) {
        host_say(explore->host, STYLE_NORMAL,
                 "%s is inserted where neighbours sit on different devices",
                 explore->host->design.result.node[node].name);
        return;
    }
    explore_show(explore, section, index, NULL, true);
}

void explore_act_components(struct explore *explore, enum action_id id)
{
    int node = explore_node(explore);

    if (node < 0)
        return;
    if (id == ACTION_ENTER) {
        show_node(explore);
        return;
    }
    explore->nodes.focus = node;
    if (id == ACTION_DOWN)
        list_pane_move(&explore->nodes, node_shared(explore, node));
    else
        list_pane_act(&explore->nodes, id);
    keep_cursor(explore);
}

/* Scrolls, taking the cursor along only where it would be lost. */
static void scroll_nodes(struct explore *explore, int by)
{
    struct list_pane *list = &explore->nodes;
    int last = list->total - list->area.rows;
    int node = explore_node(explore);

    if (node < 0)
        return;
    list->first += by;
    if (list->first > last)
        list->first = last;
    if (list->first < 0)
        list->first = 0;
    while (node < nodes_count(explore) - 1 &&
           (nodes_rows(explore, node) < list->first || node_rows(explore, node) == 0))
        node++;
    while (node > 0 && nodes_rows(explore, node + 1) > list->first + list->area.rows)
        node--;
    list_pane_set(list, node);
    keep_cursor(explore);
}

void explore_mouse_components(struct explore *explore, const struct key_event *event)
{
    int row = list_pane_row_at(&explore->nodes, event->row, event->column);
    int node = 0;

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN)
        scroll_nodes(explore, event->mouse == MOUSE_WHEEL_UP ? -2 : 2);
    if (event->mouse != MOUSE_PRESS)
        return;
    explore->pane = PLACE_COMPONENTS;
    if (row < 0)
        return;
    while (nodes_rows(explore, node + 1) <= row)
        node++;
    list_pane_set(&explore->nodes, node);
    keep_cursor(explore);
}

/* Devices -------------------------------------------------------------------------------------- */

/* The devices from number `first` on that are alike share a row, as nodes do: how many. */
static int devices_alike(const struct explore *explore, int first)
{
    const struct device_result *a = &explore->host->design.result.device[first];
    int count = 1;

    for (; !explore->unfolded && first + count < explore->host->design.result.device_count;
         count++) {
        const struct device_result *b = a + count;

        if (strcmp(explore->host->design.scenario.device[first].model,
                   explore->host->design.scenario.device[first + count].model) != 0 ||
            !is_same(a->peak_flops, b->peak_flops) || !is_same(a->bandwidth, b->bandwidth) ||
            !is_same(a->busy, b->busy))
            break;
    }
    return count;
}

int explore_device_rows(const struct explore *explore)
{
    int rows = 1;

    if (!explore->host->design.evaluated || explore->host->design.problem.status != STATUS_OK)
        return 0;
    for (int d = 0; d < explore->host->design.result.device_count; d += devices_alike(explore, d))
        rows++;
    return rows;
}

static void print_devices(const struct explore *explore, int first, char text[NODE_LABEL])
{
    const char *name = explore->host->design.scenario.device[first].head.name;
    int count = devices_alike(explore, first);

    snprintf(text, NODE_LABEL, "%s", name);
    if (count > 1)
        print_range(name, explore->host->design.scenario.device[first + count - 1].head.name, text,
                    NODE_LABEL);
}

static void draw_device_titles(struct canvas *canvas, struct rect line,
                               const struct device_columns *c)
{
    canvas_text(canvas, line.row, line.column + c->name, c->name_columns, STYLE_DIM, "device");
    canvas_right(canvas, line.row, line.column + c->peak, c->peak_columns, STYLE_DIM, "fp32 peak");
    canvas_right(canvas, line.row, line.column + c->bandwidth, c->bandwidth_columns, STYLE_DIM,
                 "memory bandwidth");
    canvas_right(canvas, line.row, line.column + c->busy, c->busy_columns, STYLE_DIM, "busy");
    canvas_text(canvas, line.row, line.column + c->bar, line.columns - c->bar, STYLE_DIM,
                "utilisation");
}

static void draw_device(const struct explore *explore, struct canvas *canvas, struct rect line,
                        const struct device_columns *c, int number)
{
    const struct device_result *device = &explore->host->design.result.device[number];
    struct rect bar = {line.row, line.column + c->bar, 1, c->bar_columns};
    enum style style = device->utilisation > 1 ? STYLE_ERROR : STYLE_NORMAL;
    char text[40];
    char name[NODE_LABEL];

    print_devices(explore, number, name);
    text_middle(name, sizeof name, c->name_columns);
    canvas_text(canvas, line.row, line.column + c->name, c->name_columns, STYLE_NORMAL, name);
    quantity_show(device->peak_flops, "FLOP/s", text, sizeof text);
    canvas_right(canvas, line.row, line.column + c->peak, c->peak_columns, STYLE_NORMAL, text);
    quantity_show(device->bandwidth, "B/s", text, sizeof text);
    canvas_right(canvas, line.row, line.column + c->bandwidth, c->bandwidth_columns, STYLE_NORMAL,
                 text);
    quantity_show(device->busy, "s", text, sizeof text);
    canvas_right(canvas, line.row, line.column + c->busy, c->busy_columns, STYLE_NORMAL, text);
    widget_bar(canvas, bar, device->utilisation * bar.columns, bar.columns, -1, FILL_COMPUTE,
               device->utilisation > 1 ? STYLE_ERROR : STYLE_COMPUTE);
    canvas_printf(canvas, line.row, line.column + c->percent, c->percent_columns, style,
                  device->utilisation < 1 ? "%.3g %%" : "%.0f %%", device->utilisation * 100);
}

/* What each device could do, and how much of a frame it works. */
void explore_draw_devices(struct explore *explore, struct canvas *canvas, struct rect box)
{
    struct rect line = rect_inside(box);
    struct device_columns c;
    int name = 0;

    if (box.rows == 0)
        return;
    for (int d = 0; d < explore->host->design.result.device_count; d += devices_alike(explore, d)) {
        char text[NODE_LABEL];

        print_devices(explore, d, text);
        name = text_width(text) > name ? text_width(text) : name;
    }
    c = layout_device(line.columns, name);
    widget_pane(canvas, box, "Devices", false);
    line.rows = 1;
    draw_device_titles(canvas, line, &c);
    for (int d = 0; d < explore->host->design.result.device_count; d += devices_alike(explore, d)) {
        line.row++;
        draw_device(explore, canvas, line, &c, d);
    }
}
