#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/units.h"
#include "draw/text.h"
#include "model/alike.h"
#include "model/device.h"
#include "model/outcome.h"
#include "model/verdict.h"
#include "tui/table_pane.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

/* Space for node labels. */
enum { NODE_LABEL = NODE_NAME_MAX + 2 * NAME_MAX_LENGTH };

/* Nodes as rows -------------------------------------------------------------------------------- */

/* Returns true if the node computes: it then has a compute bar and a memory bar. */
static bool node_has_bars(const struct node_result *node)
{
    return component_type_computes(node->type);
}

/* Returns true if the node is on the critical path, even without busy time for the last packet. */
static bool node_is_critical(const struct result *result, int number)
{
    const struct node_result *node = &result->node[number];

    if (node->path_wait > 0 || node->path_busy > 0)
        return true;
    if (node->type == COMPONENT_CAMERA) /* the path begins when it ends */
        return false;
    for (int i = 0; i < result->path_count; i++)
        if (result->path[i].node == number)
            return true;
    return false;
}

/* Adjacent nodes that are alike share the row of the first unless they are unfolded. */

/* Returns true if the node is identical to its predecessor. */
static bool node_repeats(const struct explore *explore, int number)
{
    const struct result *result = &explore->design->result;

    return number > 0 && number < result->node_count &&
           nodes_alike(&result->node[number - 1], &result->node[number]);
}

/* Returns the first of the identical nodes around `number`, and their count. */
static int first_identical(const struct explore *explore, int number, int *count)
{
    int first = number;
    int end = number + 1;

    while (node_repeats(explore, first))
        first--;
    while (node_repeats(explore, end))
        end++;
    *count = end - first;
    return first;
}

/* Returns the first node in the same row, and the number of nodes in that row (may be NULL). */
static int first_in_row(const struct explore *explore, int number, int *count)
{
    int alike = 1;
    int first = explore->unfolded ? number : first_identical(explore, number, &alike);

    if (count != NULL)
        *count = alike;
    return first;
}

/* Returns the rows of a node: two for compute and memory, one more for deferred work; one for a
 * part, the longer of the two; none if it shares the row of another node. */
static int node_rows(const struct explore *explore, int number)
{
    const struct node_result *node = &explore->design->result.node[number];

    if (!explore->unfolded && node_repeats(explore, number))
        return 0;
    if (!node_has_bars(node) || node->part >= 0)
        return 1;
    return node->deferred > 0 ? 3 : 2;
}

/* Returns the number of rows above node `end`. */
static int rows_before(const struct explore *explore, int end)
{
    int rows = 0;

    for (int n = 0; n < end; n++)
        rows += node_rows(explore, n);
    return rows;
}

/* Returns the first node of which no row is above row `row`. */
static int first_whole(const struct explore *explore, int row)
{
    int node = 0;

    while (rows_before(explore, node) < row)
        node++;
    return node;
}

/* Returns the number of nodes, also of a stale result. */
static int count_nodes(const struct explore *explore)
{
    return explore->design->evaluated ? explore->design->result.node_count : 0;
}

int explore_node(const struct explore *explore)
{
    const struct result *result = &explore->design->result;
    int node =
        explore->node[0] == '\0' ? result->bottleneck : result_find_node(result, explore->node);

    if (count_nodes(explore) == 0)
        return -1;
    return node < 0 ? 0 : first_in_row(explore, node, NULL);
}

/* Prints a range of names, "gpu0-6" for "gpu0" to "gpu6": abbreviates the last to its digits if
 * nothing else differs. */
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

/* Prints the label of a node's row: "recon", "  @gpu0-6", "slopes>recon x7". */
static void print_node_label(const struct explore *explore, int number, char text[NODE_LABEL])
{
    int shared;
    const struct node_result *node =
        &explore->design->result.node[first_in_row(explore, number, &shared)];
    const char *device = strchr(node->name, '@');
    const char *last = strchr(node[shared - 1].name, '@');

    if (node->part >= 0 && device != NULL) {
        snprintf(text, NODE_LABEL, "  %s", device);
        if (shared > 1 && last != NULL)
            print_range(device, last, text + 2, NODE_LABEL - 2);
    } else if (shared == 1) {
        snprintf(text, NODE_LABEL, "%s", node->name);
    } else {
        node_plain_name(node->name, text);
        snprintf(text + strlen(text), NODE_LABEL - strlen(text), " \xC3\x97%d", shared);
    }
}

/* Prints the device of a node unless its name contains it; "7 parts" for a split one. */
static void print_device(const struct explore *explore, const struct node_result *node,
                         char text[NODE_LABEL])
{
    text[0] = '\0';
    if (node_is_whole(node))
        snprintf(text, NODE_LABEL, "%d parts", node->parts);
    else if (node->part < 0 && node->device >= 0)
        snprintf(text, NODE_LABEL, "%s", explore->design->result.device[node->device].name);
}

/* Returns true if the row contains the bound node or is the split component of it. */
static bool row_has_bound(const struct explore *explore, int number)
{
    const struct result *result = &explore->design->result;
    const struct node_result *node = &result->node[number];
    int bound = result->bottleneck;

    return bound >= 0 &&
           (number == first_in_row(explore, bound, NULL) ||
            (node_is_whole(node) && node->component == result->node[bound].component));
}

/* Returns the first node of a row that is on the critical path (with `bound`, or that is the bound
 * node of the design); -1: none. */
static int critical_in_row(const struct explore *explore, int number, bool bound)
{
    const struct result *result = &explore->design->result;
    int shared;

    first_in_row(explore, number, &shared);
    for (int n = number; n < number + shared; n++)
        if (node_is_critical(result, n) || (bound && n == result->bottleneck))
            return n;
    return -1;
}

/* Returns the step with most of a node's time on the critical path; NULL: none. */
static const struct path_step *longest_step(const struct result *result, int number)
{
    const struct path_step *longest = NULL;

    for (int i = 0; i < result->path_count; i++)
        if (result->path[i].node == number && result->path[i].busy > 0 &&
            (longest == NULL || result->path[i].busy > longest->busy))
            longest = &result->path[i];
    return longest;
}

/* Prints the total time and the bound, "110 us overhead", of the component that limits the design
 * what limits it: "241 us launches", or its kind if that is longer than `columns`. */
static void print_total_time(const struct explore *explore, int number, int columns, char *text,
                             size_t size)
{
    const struct result *result = &explore->design->result;
    const struct node_result *node = &result->node[number];
    const struct quantity time = quantity_text(node->time, "s");
    bool limits = design_is_valid(explore->design) && row_has_bound(explore, number);
    enum bound bound = limits ? result->bottleneck_bound : node->bound;

    snprintf(text, size, "%s %s", time.text,
             limits && bound == BOUND_OVERHEAD
                 ? verdict_overhead(&explore->design->scenario, result, result->bottleneck)
                 : bound_name(bound));
    if (text_width(text) > columns)
        snprintf(text, size, "%s %s", time.text, bound_name(bound));
}

/* Drawing components --------------------------------------------------------------------------- */

/* Context for drawing nodes. */
struct bars {
    const struct explore *explore;
    struct canvas *canvas;
    struct bar_columns columns;
    struct bar_scale scale;
    bool stale; /* the numbers belong to an earlier design */
};

static void widen_bar_range(double value, double *smallest, double *largest)
{
    if (value > *largest)
        *largest = value;
    if (value > 0 && (value < *smallest || *smallest <= 0))
        *smallest = value;
}

/* Fits the common scale of all bars, including the baseline's. */
static void fit_bar_scale(struct explore *explore)
{
    const struct result *result = &explore->design->result;
    const struct baseline *baseline = &explore->design->baseline;
    double smallest = 0;
    double largest = 0;

    for (int n = 0; n < count_nodes(explore); n++) {
        const struct node_result *node = &result->node[n];

        if (node_rows(explore, n) == 0 || !node_has_bars(node))
            continue;
        widen_bar_range(node->compute, &smallest, &largest);
        widen_bar_range(node->memory, &smallest, &largest);
        widen_bar_range(node->time, &smallest, &largest);
    }
    for (int b = 0; b < baseline->count && baseline->pinned; b++) {
        int node = result_find_node(result, baseline->bars[b].name);

        if (node < 0 || !node_has_bars(&result->node[node]))
            continue;
        widen_bar_range(baseline->bars[b].compute, &smallest, &largest);
        widen_bar_range(baseline->bars[b].memory, &smallest, &largest);
    }
    bar_scale_keep(&explore->scale, smallest, largest, explore->logarithmic);
}

static struct bar_columns find_bar_columns(const struct explore *explore, int columns)
{
    int name = 0;
    int device = 0;
    char text[NODE_LABEL];

    for (int n = 0; n < count_nodes(explore); n++) {
        const struct node_result *node = &explore->design->result.node[n];

        if (node_rows(explore, n) == 0)
            continue;
        print_node_label(explore, n, text);
        if (node_has_bars(node) && text_width(text) > name)
            name = text_width(text);
        print_device(explore, node, text);
        if (text_width(text) > device)
            device = text_width(text);
    }
    return layout_bar(columns, name, device);
}

static void draw_node_bar(const struct bars *bars, struct rect line, const struct node_result *node,
                          enum chart_look look)
{
    const struct bar_columns *c = &bars->columns;
    const struct baseline *baseline = &bars->explore->design->baseline;
    const struct baseline_bar *base = baseline->pinned ? baseline_bar(baseline, node->name) : NULL;
    struct rect cells = {line.row, line.column + c->bar, 1, c->bar_columns};
    bool compute = look == LOOK_COMPUTE;
    double value = compute ? node->compute : node->memory;
    bool longer = value >= node->compute && value >= node->memory;
    /* beside the time that it is part of, which is in the second row */
    bool overhead = node->part >= 0 || compute == (node->bound == BOUND_COMPUTE);
    double ghost = -1;
    int width;
    char text[32];

    if (base != NULL)
        ghost = bar_length(&bars->scale, compute ? base->compute : base->memory, c->bar_columns);
    widget_bar(bars->canvas, cells, bar_length(&bars->scale, value, c->bar_columns),
               overhead ? bar_length(&bars->scale, node->time, c->bar_columns) : 0, ghost, look,
               bars->stale ? STYLE_DIM : look_of(look)->style);
    quantity_show(value, "s", text, sizeof text);
    if (!compute)
        canvas_right(bars->canvas, line.row, line.column + c->level, c->level_columns, STYLE_DIM,
                     result_level_name(&bars->explore->design->result, node));
    width = text_width(text) > c->value_columns ? text_width(text) : c->value_columns;
    canvas_right(bars->canvas, line.row, line.column + c->value + c->value_columns - width, width,
                 longer && !bars->stale ? STYLE_NORMAL : STYLE_DIM, text);
}

/* Writes the time of a node without bars in a frame and its part of the critical path, "readout 500
 * us, path 13.0 us port"; where it has no other, "link 599 ns, mostly copy". If that is longer than
 * `columns`, only its part of the path or only the time. */
static void print_transfer(const struct bars *bars, int number, int columns, char *text,
                           size_t size)
{
    const struct result *result = &bars->explore->design->result;
    const struct node_result *node = &result->node[number];
    enum bound wire = node->type == COMPONENT_CAMERA ? BOUND_READOUT : BOUND_LINK;
    double time = wire == BOUND_READOUT ? node->time : node->memory;
    int critical = bars->stale ? -1 : critical_in_row(bars->explore, number, false);
    const struct path_step *step = critical < 0 ? NULL : longest_step(result, critical);
    struct buffer line = buffer_over(text, size);
    char path[64];

    buffer_print(&line, "%s %s", bound_name(wire), quantity_text(time, "s").text);
    if (step != NULL && (step->bound != wire || !values_alike(step->busy, time)))
        buffer_print(&line, ", path %s %s", quantity_text(step->busy, "s").text,
                     bound_name(step->bound));
    else if (node->bound != wire)
        buffer_print(&line, ", mostly %s", bound_name(node->bound));
    if (text_width(text) <= columns)
        return;
    text[strcspn(text, ",")] = '\0';
    if (step == NULL)
        return;
    snprintf(path, sizeof path, "path %s %s", quantity_text(step->busy, "s").text,
             bound_name(step->bound));
    if (text_width(path) <= columns)
        snprintf(text, size, "%s", path);
}

/* Draws a node without bars: label, operation and time. If space is short the operation is dropped,
 * then the label is truncated; the time is always complete. */
static void draw_transfer(const struct bars *bars, struct rect line, int number)
{
    const struct node_result *node = &bars->explore->design->result.node[number];
    bool camera = node->type == COMPONENT_CAMERA;
    enum style style = node->component < 0 || bars->stale ? STYLE_DIM : STYLE_NORMAL;
    int name = bars->columns.name;
    int at = bars->columns.device;
    int end = line.columns - 1;
    int least;
    char time[32];
    char text[96];
    char label[NODE_LABEL];

    print_node_label(bars->explore, number, label);
    quantity_show(camera ? node->time : node->memory, "s", time, sizeof time);
    least = name + text_width(label) + 1;
    print_transfer(bars, number, end - least, text, sizeof text);
    if (least + text_width(text) > end)
        snprintf(text, sizeof text, "%s", time);
    at = clamp_int(at, least, end - text_width(text));
    text_middle(label, sizeof label, at - name - 1);
    canvas_text(bars->canvas, line.row, line.column + name, at - name - 1, style, label);
    canvas_text(bars->canvas, line.row, line.column + at, line.columns - at, style, text);
}

/* Draws the first row of a node: label, device, compute bar (for a part: the longer bar). */
static void draw_first_row(const struct bars *bars, struct rect line, int number)
{
    const struct node_result *node = &bars->explore->design->result.node[number];
    const struct bar_columns *c = &bars->columns;
    char text[NODE_LABEL];

    print_node_label(bars->explore, number, text);
    text_middle(text, sizeof text, c->name_columns);
    canvas_text(bars->canvas, line.row, line.column + c->name, c->name_columns,
                bars->stale ? STYLE_DIM : STYLE_NORMAL, text);
    print_device(bars->explore, node, text);
    if (node_is_whole(node) && text_width(text) > c->device_columns)
        snprintf(text, sizeof text, "\xC3\x97%d", node->parts);
    text_middle(text, sizeof text, c->device_columns);
    canvas_text(bars->canvas, line.row, line.column + c->device, c->device_columns, STYLE_DIM,
                text);
    draw_node_bar(bars, line, node,
                  node->part >= 0 && node->memory > node->compute ? LOOK_MEMORY : LOOK_COMPUTE);
}

/* Draws the second row: the memory bar, and below the name the total time or, if that does not fit
 * and the level has no column, the device and memory level. */
static void draw_second_row(const struct bars *bars, struct rect line, int number)
{
    const struct node_result *node = &bars->explore->design->result.node[number];
    const struct bar_columns *c = &bars->columns;
    const char *level = result_level_name(&bars->explore->design->result, node);
    char text[NODE_LABEL + 8];
    char device[NODE_LABEL];

    print_total_time(bars->explore, number, c->total_columns, text, sizeof text);
    if (text_width(text) <= c->total_columns) {
        canvas_text(bars->canvas, line.row, line.column + c->total, c->total_columns, STYLE_DIM,
                    text);
    } else if (c->level_columns == 0) {
        print_device(bars->explore, node, device);
        snprintf(text, sizeof text, "%s %s", device, level);
        canvas_text(bars->canvas, line.row, line.column + c->name, c->name_columns, STYLE_DIM,
                    text_width(text) > c->name_columns ? level : text);
    }
    draw_node_bar(bars, line, node, LOOK_MEMORY);
}

/* Draws row `part` of a node; the third is work that delays no command of its frame and therefore
 * is in no bar. */
static void draw_component_row(const struct bars *bars, struct rect line, int number, int part)
{
    const struct node_result *node = &bars->explore->design->result.node[number];
    int at = bars->columns.total;

    if (!node_has_bars(node))
        draw_transfer(bars, line, number);
    else if (part == 0)
        draw_first_row(bars, line, number);
    else if (part == 1)
        draw_second_row(bars, line, number);
    else
        canvas_printf(bars->canvas, line.row, line.column + at, line.columns - at, STYLE_DIM,
                      "+%s deferred", quantity_text(node->deferred, "s").text);
}

/* Marks the bound node, nodes on the critical path, and the cursor. */
static void draw_marks(const struct bars *bars, struct rect line, int number)
{
    const struct explore *explore = bars->explore;
    struct rect names = {line.row, line.column, 1, bars->columns.bar - 1};

    if (row_has_bound(explore, number) && !bars->stale) {
        canvas_restyle(bars->canvas, names, STYLE_TITLE);
        widget_mark(bars->canvas, line.row, line.column + 1, STYLE_WARNING, MARK_BOUND);
    } else if (critical_in_row(explore, number, false) >= 0 && !bars->stale) {
        widget_mark(bars->canvas, line.row, line.column + 1, STYLE_DIM, MARK_CRITICAL);
    }
    if (number == explore_node(explore) && explore->pane == PANE_COMPONENTS)
        list_pane_draw_cursor(bars->canvas,
                              node_has_bars(&explore->design->result.node[number]) ? names : line,
                              true);
}

enum { LEGEND = 21, LEGEND_REST = 12, BESIDE_TITLE = 10, STALE = 7 };

/* Returns the title that leaves room for the legend. */
static const char *find_title(struct rect box)
{
    static const char full[] = "Load per frame";
    bool fits = (int)strlen(full) + BESIDE_TITLE - 2 + LEGEND <= box.columns;

    return fits ? full : "Load/frame";
}

/* Draws " # compute  : memory ", or from LOOK_OVERHEAD on the rest of it, from `column`. */
static void draw_bar_legend(struct canvas *canvas, int row, int column, enum chart_look from,
                            enum chart_look to)
{
    for (int look = (int)from; look <= (int)to; look++) {
        const struct look *kind = look_of((enum chart_look)look);

        column += canvas_printf(canvas, row, column, LEGEND, STYLE_DIM, "   %s ", kind->name);
        canvas_put(canvas, row, column - text_width(kind->name) - 3, kind->style,
                   look_character(canvas, kind->fill));
    }
}

/* Draws the legend of the fills and the scale into the borders, right-aligned. */
static void draw_legends(const struct bars *bars, struct rect box)
{
    bool logarithmic = bars->scale.logarithmic;
    char high[32];
    char scale[96];
    int title = (int)strlen(find_title(box)) + BESIDE_TITLE + (bars->stale ? STALE : 0);
    int right = box.column + box.columns - 2;
    int bottom = box.row + box.rows - 1;
    int width;

    quantity_show(bars->scale.high, "s", high, sizeof high);
    if (logarithmic)
        snprintf(scale, sizeof scale, " log scale %s to %s ",
                 quantity_text(bars->scale.low, "s").text, high);
    else
        snprintf(scale, sizeof scale, " full bar %s ", high);
    if (text_width(scale) > box.columns - 4)
        snprintf(scale, sizeof scale, " log, full bar %s ", high);
    if (title + LEGEND + LEGEND_REST > box.columns &&
        text_width(scale) + LEGEND_REST + 4 > box.columns)
        snprintf(scale, sizeof scale, logarithmic ? " log %s " : " full %s ", high);
    width = text_width(scale);
    canvas_text(bars->canvas, bottom, right - width, width, STYLE_DIM, scale);
    if (title + LEGEND + LEGEND_REST <= box.columns) {
        draw_bar_legend(bars->canvas, box.row, right - LEGEND - LEGEND_REST, LOOK_COMPUTE,
                        LOOK_OVERHEAD);
        return;
    }
    if (title - 2 + LEGEND <= box.columns)
        draw_bar_legend(bars->canvas, box.row, right - LEGEND, LOOK_COMPUTE, LOOK_MEMORY);
    if (width + LEGEND_REST + 4 <= box.columns)
        draw_bar_legend(bars->canvas, bottom, box.column + 2, LOOK_OVERHEAD, LOOK_OVERHEAD);
}

/* Draws why the design is invalid; returns the number of rows used. */
static int draw_invalid_reason(const struct design *design, struct canvas *canvas,
                               struct rect inside)
{
    struct rect text = {inside.row, inside.column + 1, inside.rows, inside.columns - 2};
    int rows = canvas_wrap(canvas, text, 0, STYLE_ERROR, design->problem.message);

    if (rows++ < inside.rows)
        canvas_text(canvas, inside.row + rows - 1, text.column, text.columns, STYLE_DIM,
                    "the numbers are stale");
    return rows < inside.rows ? rows : inside.rows;
}

int explore_component_rows(const struct explore *explore)
{
    return rows_before(explore, count_nodes(explore)) + (design_is_valid(explore->design) ? 0 : 3);
}

void explore_draw_components(struct explore *explore, struct canvas *canvas, struct rect box)
{
    struct list_pane *list = &explore->nodes;
    struct rect inside = rect_inside(box);
    struct bars bars = {.explore = explore,
                        .canvas = canvas,
                        .columns = find_bar_columns(explore, inside.columns),
                        .stale = !design_is_valid(explore->design)};
    bool focus = explore->pane == PANE_COMPONENTS;
    int count = count_nodes(explore);
    int node = explore_node(explore);
    char title[32];
    int row = 0;

    fit_bar_scale(explore);
    bars.scale = explore->scale;
    snprintf(title, sizeof title, "%s%s", find_title(box), design_stale_mark(explore->design));
    widget_pane(canvas, box, title, focus);
    if (explore->design->evaluated)
        draw_legends(&bars, box);
    list->focus = node;
    list->page = inside.rows / 2;
    if (bars.stale && explore->design->evaluated) {
        int rows = draw_invalid_reason(explore->design, canvas, inside);

        inside.row += rows;
        inside.rows -= rows;
    }
    /* until a row is chosen the place does not depend on earlier sizes of the screen */
    if (explore->node[0] == '\0')
        list->first = 0;
    list_pane_lay_rows(list, inside, count, rows_before(explore, count), rows_before(explore, node),
                       node < 0 ? 0 : node_rows(explore, node));
    list->first = rows_before(explore, first_whole(explore, list->first));
    for (int n = 0; n < count; n++)
        for (int part = 0; part < node_rows(explore, n); part++, row++) {
            struct rect line = list_pane_line(list, row);

            if (line.rows == 0)
                continue;
            draw_component_row(&bars, line, n, part);
            if (part == 0)
                draw_marks(&bars, line, n);
        }
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, focus);
}

/* The line below the view ---------------------------------------------------------------------- */

/* Shorter waits are rounding errors. */
#define SHORTEST_WAIT 1e-12 /* s */

/* Prints the node's slack, or its share of the critical path. */
static void print_slack(const struct result *result, int number, char *text, size_t size)
{
    const struct node_result *node = &result->node[number];
    const struct path_step *step = longest_step(result, number);
    char busy[64];

    snprintf(busy, sizeof busy, "busy %s %s", quantity_text(node->path_busy, "s").text,
             step == NULL ? "" : bound_name(step->bound));
    if (!node_is_critical(result, number))
        snprintf(text, size, "slack %s", quantity_text(result_slack(result, number), "s").text);
    else if (node->path_wait > SHORTEST_WAIT)
        snprintf(text, size, "critical, waits %s, %s", quantity_text(node->path_wait, "s").text,
                 busy);
    else if (node->path_busy > 0)
        snprintf(text, size, "critical, %s", busy);
    else
        snprintf(text, size, "critical, takes no time");
}

/* Prints "gpu0 . 4.11 us overhead, +1.14 ms deferred"; `each` precedes the time. */
static void print_times(const struct explore *explore, const struct node_result *node,
                        const char *each, struct buffer *text)
{
    char device[NODE_LABEL];

    print_device(explore, node, device);
    buffer_print(text, "%s%s%s%s %s", device, device[0] == '\0' ? "" : " \xC2\xB7 ", each,
                 quantity_text(node->time, "s").text, bound_name(node->bound));
    if (node->deferred > 0)
        buffer_print(text, ", +%s deferred", quantity_text(node->deferred, "s").text);
}

void explore_detail_components(struct explore *explore, struct canvas *canvas, struct rect line)
{
    int first = explore_node(explore);
    int number, shared;
    const struct node_result *node;
    char label[NODE_LABEL], slack[128];
    char text[512];
    struct buffer words = buffer_over(text, sizeof text);
    const char *each;

    if (first < 0)
        return;
    print_node_label(explore, first, label);
    first_in_row(explore, first, &shared);
    each = shared > 1 ? "each " : "";
    number = critical_in_row(explore, first, true);
    number = number < 0 ? first : number;
    node = &explore->design->result.node[number];
    print_slack(&explore->design->result, number, slack, sizeof slack);
    if (node_has_bars(node)) {
        print_times(explore, node, each, &words);
        buffer_print(&words, " \xC2\xB7 %s \xC2\xB7 %s%s, %s from %s", slack,
                     node->deferred > 0 ? "with deferred work " : "",
                     quantity_text(node->flop, "FLOP").text, quantity_text(node->bytes, "B").text,
                     result_level_name(&explore->design->result, node));
    } else {
        buffer_print(&words, "%s%s", each, quantity_text(node->bytes, "B").text);
    }
    buffer_print(&words, " \xC2\xB7 %s to %s", quantity_text(node->first_start, "s").text,
                 quantity_text(node->last_end, "s").text);
    if (node_has_bars(node))
        buffer_print(&words, " \xC2\xB7 share %.3g", node->share);
    else
        buffer_print(&words, " \xC2\xB7 %s", slack);
    widget_detail(canvas, line, shared > 1 ? label + strspn(label, " ") : node->name, "%s", text);
}

/* Keys and mouse ------------------------------------------------------------------------------- */

/* Stores the name of the node under the cursor, because indices change with the design. */
static void store_node_name(struct explore *explore)
{
    int node = list_pane_focus(&explore->nodes);

    if (node >= 0)
        snprintf(explore->node, sizeof explore->node, "%s",
                 explore->design->result.node[first_in_row(explore, node, NULL)].name);
}

/* Unfolds or folds identical nodes, else shows the component's knobs. Transfers have no knobs. */
static void open_node(struct explore *explore, int node)
{
    struct view_cursor cursor = {.index = -1};
    int alike;

    first_identical(explore, node, &alike);
    explore_cursor(explore, &cursor);
    if (alike > 1)
        explore->unfolded = !explore->unfolded;
    else if (cursor.index >= 0)
        explore_show(explore, cursor.section, cursor.index, NULL, true);
    else
        host_say(explore->host, NOTICE_NORMAL, "%s is a transfer between devices: it has no knobs",
                 explore->design->result.node[node].name);
}

const char *explore_enter_component(const struct explore *explore)
{
    struct view_cursor cursor = {.index = -1};
    int node = explore_node(explore);
    int alike;

    if (node < 0)
        return NULL;
    first_identical(explore, node, &alike);
    explore_cursor(explore, &cursor);
    return alike > 1           ? explore->unfolded ? "fold" : "unfold"
           : cursor.index >= 0 ? "show knobs"
                               : NULL;
}

void explore_act_components(struct explore *explore, enum action_id id)
{
    int node = explore_node(explore);
    int shared;

    if (node < 0)
        return;
    if (id == ACTION_ENTER) {
        open_node(explore, node);
        return;
    }
    explore->nodes.focus = node;
    first_in_row(explore, node, &shared);
    if (id == ACTION_DOWN)
        list_pane_move(&explore->nodes, shared);
    else
        list_pane_act(&explore->nodes, id);
    store_node_name(explore);
}

/* Scrolls by nodes; moves the cursor only to keep it visible. */
static void scroll_nodes(struct explore *explore, int by)
{
    struct list_pane *list = &explore->nodes;
    int node = explore_node(explore);
    int top;

    if (node < 0)
        return;
    list->first = clamp_int(list->first + by, 0, list->total - list->area.rows);
    top = first_whole(explore, list->first);
    while (by < 0 && top > 0 && rows_before(explore, top) > list->first)
        top--;
    list->first = rows_before(explore, top);
    while (node < count_nodes(explore) - 1 &&
           (rows_before(explore, node) < list->first || node_rows(explore, node) == 0))
        node++;
    while (node > 0 && rows_before(explore, node + 1) > list->first + list->area.rows)
        node--;
    list_pane_set(list, node);
    store_node_name(explore);
}

void explore_mouse_components(struct explore *explore, const struct key_event *event)
{
    int row = list_pane_row_at(&explore->nodes, event->row, event->column);
    int node = 0;

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN)
        scroll_nodes(explore, event->mouse == MOUSE_WHEEL_UP ? -2 : 2);
    if (event->mouse != MOUSE_PRESS)
        return;
    explore->pane = PANE_COMPONENTS;
    if (row < 0)
        return;
    while (rows_before(explore, node + 1) <= row)
        node++;
    list_pane_set(&explore->nodes, node);
    store_node_name(explore);
}

/* Devices -------------------------------------------------------------------------------------- */

/* Returns the number of devices from `first` that are alike, which share a row as nodes do. */
static int count_identical_devices(const struct explore *explore, int first)
{
    const struct design *design = explore->design;
    int count = 1;

    while (!explore->unfolded && first + count < design->result.device_count &&
           devices_alike(&design->scenario, &design->result, first, first + count))
        count++;
    return count;
}

int explore_device_rows(const struct explore *explore)
{
    int rows = 1;

    if (!design_is_valid(explore->design))
        return 0;
    for (int d = 0; d < explore->design->result.device_count;
         d += count_identical_devices(explore, d))
        rows++;
    return rows;
}

/* The bar shows the utilisation. */
enum device_column {
    DEVICES_NAME,
    DEVICES_MODEL,
    DEVICES_PEAK,
    DEVICES_BANDWIDTH,
    DEVICES_WATTS,
    DEVICES_PRICE,
    DEVICES_BUSY,
    DEVICES_BAR,
    DEVICES_PERCENT,
    DEVICES_COLUMNS
};

static const struct table_column device_columns[DEVICES_COLUMNS] = {
    [DEVICES_NAME] = {.title = "device", .shorten = text_middle},
    [DEVICES_MODEL] = {.title = "model", .drop = 1},
    [DEVICES_PEAK] = {.title = "fp32 peak", .number = true, .drop = 3},
    [DEVICES_BANDWIDTH] = {.title = "memory", .number = true, .drop = 2},
    [DEVICES_WATTS] = {.title = "watts", .number = true, .drop = 4},
    [DEVICES_PRICE] = {.title = "price", .number = true, .drop = 5},
    [DEVICES_BUSY] = {.title = "time", .number = true, .drop = 7},
    [DEVICES_BAR] = {.title = "", .width = 4, .stretch = 40, .drop = 6},
    [DEVICES_PERCENT] = {.title = "busy", .number = true},
};

/* Sets the texts of a row of devices; the bar has none. */
static void put_device(const struct explore *explore, int number, struct table_row *row)
{
    const struct scenario *scenario = &explore->design->scenario;
    const struct device_result *device = &explore->design->result.device[number];
    int count = count_identical_devices(explore, number);
    double power = device_power(&scenario->device[number]) * count;
    char percent[PERCENT_MAX];

    *row = (struct table_row){.style = {[DEVICES_MODEL] = STYLE_DIM}};
    snprintf(row->text[DEVICES_NAME], NODE_LABEL, "%s", scenario->device[number].head.name);
    if (count > 1)
        print_range(scenario->device[number].head.name,
                    scenario->device[number + count - 1].head.name, row->text[DEVICES_NAME],
                    NODE_LABEL);
    explore_print_model(scenario, number, true, row->text[DEVICES_MODEL], TABLE_PANE_TEXT);
    quantity_show(device->peak_flops, "FLOP/s", row->text[DEVICES_PEAK], TABLE_PANE_TEXT);
    quantity_show(device->bandwidth, "B/s", row->text[DEVICES_BANDWIDTH], TABLE_PANE_TEXT);
    if (power > 0)
        snprintf(row->text[DEVICES_WATTS], TABLE_PANE_TEXT, "%.0f", power);
    if (device->price != RESULT_NONE && device->price > 0)
        snprintf(row->text[DEVICES_PRICE], TABLE_PANE_TEXT, "%.15g", count * device->price);
    quantity_show(device->busy, "s", row->text[DEVICES_BUSY], TABLE_PANE_TEXT);
    snprintf(row->text[DEVICES_PERCENT], TABLE_PANE_TEXT, "%s",
             text_percent(device->utilisation, percent));
    if (device->utilisation > 1)
        row->style[DEVICES_PERCENT] = STYLE_ERROR;
}

static void draw_device(const struct explore *explore, struct canvas *canvas, struct rect line,
                        const struct table_pane *table, int number)
{
    const struct device_result *device = &explore->design->result.device[number];
    struct rect bar = table_pane_rect(table, line, DEVICES_BAR);
    enum chart_look look = look_of_bound(device->bound);
    struct table_row row;

    put_device(explore, number, &row);
    table_pane_row(table, canvas, line, &row);
    for (int cell = 0; cell < bar.columns; cell++)
        widget_mark(canvas, bar.row, bar.column + cell, STYLE_DIM, MARK_TRACK);
    widget_bar(canvas, bar, device->utilisation * bar.columns, 0, -1, look,
               device->utilisation > 1 ? STYLE_ERROR : look_of(look)->style);
}

/* Draws the power of all devices, and their price if all state it, into the upper border. */
static void draw_device_totals(const struct explore *explore, struct canvas *canvas, struct rect box)
{
    const struct result *result = &explore->design->result;
    enum { TITLE = 12 }; /* " Devices " and its corner */
    char watts[32] = "", price[32] = "", text[80];

    if (result->watts != RESULT_NONE && result->watts > 0)
        quantity_show(result->watts, "W", watts, sizeof watts);
    if (result->price != RESULT_NONE && result->price > 0)
        snprintf(price, sizeof price, "price %.15g", result->price);
    if (watts[0] == '\0' && price[0] == '\0')
        return;
    snprintf(text, sizeof text, " total %s%s%s ", watts,
             watts[0] != '\0' && price[0] != '\0' ? ", " : "", price);
    if (text_width(text) + TITLE <= box.columns)
        canvas_text(canvas, box.row, box.column + box.columns - 2 - text_width(text),
                    text_width(text), STYLE_DIM, text);
}

/* Draws model, peak performance, bandwidth, power and price (of all in its row) and utilisation of each
 * device. */
void explore_draw_devices(struct explore *explore, struct canvas *canvas, struct rect box)
{
    int count = explore->design->result.device_count;
    struct rect inside = rect_inside(box);
    struct rect line = {inside.row, inside.column + 1, 1, inside.columns - 2};
    struct table_pane table;
    struct table_row row;

    if (box.rows == 0)
        return;
    table_pane_begin(&table, device_columns, DEVICES_COLUMNS);
    table.close = true;
    for (int d = 0; d < count; d += count_identical_devices(explore, d)) {
        put_device(explore, d, &row);
        table_pane_widen_row(&table, &row);
    }
    table_pane_lay(&table, line.columns, -1);
    widget_pane(canvas, box, "Devices", false);
    draw_device_totals(explore, canvas, box);
    table_pane_titles(&table, canvas, line, STYLE_DIM);
    for (int d = 0; d < count; d += count_identical_devices(explore, d)) {
        line.row++;
        draw_device(explore, canvas, line, &table, d);
    }
}

void explore_press_device(struct explore *explore, int row)
{
    int count = explore->design->result.device_count;
    int at = rect_inside(explore->layout.devices).row + 1; /* below the titles */

    for (int d = 0; d < count; d += count_identical_devices(explore, d))
        if (at++ == row && d < explore->design->scenario.device_count)
            explore_show(explore, SECTION_DEVICE, d, NULL, true);
}
