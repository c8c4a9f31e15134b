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

/* Returns the rows of a node: none if it shares the row of another node. */
static int node_rows(const struct explore *explore, int number)
{
    return explore->unfolded || !node_repeats(explore, number);
}

/* Returns the number of rows above node `end`. */
static int rows_before(const struct explore *explore, int end)
{
    int rows = 0;

    for (int n = 0; n < end; n++)
        rows += node_rows(explore, n);
    return rows;
}

/* Returns the first node in a row. */
static int node_in_row(const struct explore *explore, int row)
{
    int node = 0;

    while (rows_before(explore, node + 1) <= row)
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

/* The table ------------------------------------------------------------------------------------ */

/* Cells before a name, for its mark; of a bar beside total and limit alone. */
enum { MARKS = 2, BAR_ALONE = 12 };

/* The bar has the larger one of compute and memory, and the overhead behind it. */
enum load_column {
    LOAD_NAME,
    LOAD_DEVICE,
    LOAD_COMPUTE,
    LOAD_MEMORY,
    LOAD_OVERHEAD,
    LOAD_TOTAL,
    LOAD_LIMIT,
    LOAD_BAR,
    LOAD_COLUMNS
};

static const struct table_column load_columns[LOAD_COLUMNS] = {
    [LOAD_NAME] = {.title = "", .shorten = text_middle, .cut = 2, .brief = 9},
    [LOAD_DEVICE] = {.title = "device", .shorten = text_middle, .drop = 4},
    [LOAD_COMPUTE] = {.title = "compute", .number = true, .drop = 7},
    [LOAD_MEMORY] = {.title = "memory", .number = true, .drop = 6},
    [LOAD_OVERHEAD] = {.title = "overhead", .number = true, .drop = 5},
    [LOAD_TOTAL] = {.title = "total", .number = true},
    [LOAD_LIMIT] = {.title = "limit"},
    [LOAD_BAR] = {.title = "", .width = 8, .stretch = 80, .cut = 1, .brief = 3},
};

/* Returns the unit of all times of the table, as in units.h. */
static const char *unit_of_times(const struct explore *explore)
{
    double largest = 0;

    for (int n = 0; n < count_nodes(explore); n++)
        largest = larger(largest, explore->design->result.node[n].time);
    return largest < 10e-3 ? "us" : largest < 10 ? "ms" : "s";
}

/* Writes a time with three digits, of which two at most are behind the point. */
static void show_time(double seconds, const char *unit, char text[TABLE_PANE_TEXT])
{
    const double value = unit_from_si(seconds, unit);

    if (value >= 1)
        text_number(value, text, TABLE_PANE_TEXT);
    else if (value > 0)
        snprintf(text, TABLE_PANE_TEXT, value < 0.01 ? "<0.01" : "%.2f", value);
}

/* Sets the texts of a node's row; the bar has none. A transfer has the time of the wire, which is
 * its compute and memory time, within its total. */
static void put_node(const struct explore *explore, int number, const char *unit,
                     struct table_row *row)
{
    const struct node_result *node = &explore->design->result.node[number];
    const bool stale = !design_is_valid(explore->design);
    char label[NODE_LABEL];

    *row = (struct table_row){0};
    for (int c = 0; c < LOAD_COLUMNS && (stale || node->component < 0); c++)
        row->style[c] = STYLE_DIM;
    if (row_has_bound(explore, number) && !stale)
        row->style[LOAD_NAME] = row->style[LOAD_LIMIT] = STYLE_TITLE;
    row->style[LOAD_DEVICE] = STYLE_DIM;
    print_node_label(explore, number, label);
    snprintf(row->text[LOAD_NAME], TABLE_PANE_TEXT, "%*s%s", MARKS, "", label);
    print_device(explore, node, label);
    snprintf(row->text[LOAD_DEVICE], TABLE_PANE_TEXT, "%s", label);
    if (node_has_bars(node)) {
        show_time(node->compute, unit, row->text[LOAD_COMPUTE]);
        show_time(node->memory, unit, row->text[LOAD_MEMORY]);
    }
    show_time(result_overhead(node), unit, row->text[LOAD_OVERHEAD]);
    show_time(node->time, unit, row->text[LOAD_TOTAL]);
    if (node_has_bars(node) ||
        row_has_bound(explore, number)) /* of others the table of `t` says it */
        snprintf(row->text[LOAD_LIMIT], TABLE_PANE_TEXT, "%s",
                 verdict_word(design_evaluated(explore->design), &explore->design->result, number));
}

/* Returns the scale of all bars, also of the baseline's. A camera has none: its readout is no load.
 */
static struct bar_scale fit_bar_scale(const struct explore *explore)
{
    const struct result *result = &explore->design->result;
    const struct baseline *baseline = &explore->design->baseline;
    double smallest = 0, largest = 0;

    for (int n = 0; n < count_nodes(explore); n++) {
        const struct baseline_bar *base =
            baseline->pinned ? baseline_bar(baseline, result->node[n].name) : NULL;
        const double times[] = {result->node[n].time, base == NULL ? 0 : base->time};

        for (int t = 0; t < 2 && result->node[n].type != COMPONENT_CAMERA; t++) {
            largest = larger(largest, times[t]);
            if (times[t] > 0 && (times[t] < smallest || smallest == 0))
                smallest = times[t];
        }
    }
    return bar_scale_for(smallest, largest, explore->logarithmic);
}

/* Draws the bar of a node. It has one look for a transfer, and on a logarithmic scale, on which
 * parts do not add up: that of what limits. */
static void draw_node_bar(const struct explore *explore, struct canvas *canvas, struct rect cells,
                          const struct bar_scale *scale, int number)
{
    const struct node_result *node = &explore->design->result.node[number];
    const struct baseline *baseline = &explore->design->baseline;
    const struct baseline_bar *base = baseline->pinned ? baseline_bar(baseline, node->name) : NULL;
    const bool whole = scale->logarithmic || !node_has_bars(node);
    const enum chart_look look = look_of_load(node, whole);

    widget_bar(canvas, cells,
               bar_length(scale, node->time - (whole ? 0 : result_overhead(node)), cells.columns),
               whole ? 0 : bar_length(scale, node->time, cells.columns),
               base == NULL ? -1 : bar_length(scale, base->time, cells.columns), look,
               design_is_valid(explore->design) ? look_of(look)->style : STYLE_DIM);
}

/* Draws a node's row, its mark, and the cursor. */
static void draw_node(const struct explore *explore, struct canvas *canvas, struct rect line,
                      const struct table_pane *table, const struct bar_scale *scale,
                      const char *unit, int number)
{
    const bool stale = !design_is_valid(explore->design);
    struct table_row row;

    put_node(explore, number, unit, &row);
    table_pane_row(table, canvas, line, &row);
    if (explore->design->result.node[number].type != COMPONENT_CAMERA)
        draw_node_bar(explore, canvas, table_pane_rect(table, line, LOAD_BAR), scale, number);
    if (row_has_bound(explore, number) && !stale)
        widget_mark(canvas, line.row, line.column, STYLE_WARNING, MARK_BOUND);
    else if (critical_in_row(explore, number, false) >= 0 && !stale)
        widget_mark(canvas, line.row, line.column, STYLE_DIM, MARK_CRITICAL);
    if (number == explore_node(explore) && explore->pane == PANE_COMPONENTS) {
        line.columns = table_pane_rect(table, line, LOAD_BAR).column - line.column;
        list_pane_draw_cursor(canvas, line, true);
    }
}

/* What the marks of rows mean: of one on the path whose parts the verdict shows, and of the limit.
 */
static const char mark_legend[] = "   limits   path ";
enum { MARK_LIMITS = 1, MARK_PATH = 10, MARK_LEGEND = sizeof mark_legend - 1 };

/* Draws what the marks mean and, if it is logarithmic, the scale of the bars into the lower border.
 */
static void draw_legends(struct canvas *canvas, struct rect box, const struct bar_scale *scale)
{
    const int bottom = box.row + box.rows - 1, left = box.column + 2;
    int right = box.column + box.columns - 2;
    char text[96] = "";

    for (int word = 1; word >= 0 && scale->logarithmic; word--) {
        snprintf(text, sizeof text, "%s %s to %s ", word ? " log" : "",
                 quantity_text(scale->low, "s").text, quantity_text(scale->high, "s").text);
        if (left + MARK_LEGEND + text_width(text) <= right + 1) /* they share a blank */
            break;
    }
    right -= text_width(text);
    canvas_text(canvas, bottom, right, text_width(text), STYLE_DIM, text);
    if (left + MARK_LEGEND > right + 1)
        return;
    canvas_text(canvas, bottom, left, MARK_LEGEND, STYLE_DIM, mark_legend);
    widget_mark(canvas, bottom, left + MARK_LIMITS, STYLE_WARNING, MARK_BOUND);
    widget_mark(canvas, bottom, left + MARK_PATH, STYLE_DIM, MARK_CRITICAL);
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
    const int nodes = rows_before(explore, count_nodes(explore));

    return nodes + (nodes > 0) + (design_is_valid(explore->design) ? 0 : 3);
}

void explore_draw_components(struct explore *explore, struct canvas *canvas, struct rect box)
{
    struct list_pane *list = &explore->nodes;
    struct rect inside = rect_inside(box);
    bool focus = explore->pane == PANE_COMPONENTS;
    int count = count_nodes(explore);
    int node = explore_node(explore);
    struct bar_scale scale = fit_bar_scale(explore);
    const char *unit = unit_of_times(explore);
    struct table_pane table;
    char title[32];

    snprintf(title, sizeof title, "Load, %s%s", strcmp(unit, "us") == 0 ? "\xC2\xB5s" : unit,
             design_stale_mark(explore->design));
    widget_pane(canvas, box, title, focus);
    if (!design_is_valid(explore->design) && explore->design->evaluated) {
        int rows = draw_invalid_reason(explore->design, canvas, inside);

        inside.row += rows;
        inside.rows -= rows;
    }
    inside.column++;
    inside.columns -= 2;
    table_pane_begin(&table, load_columns, LOAD_COLUMNS);
    table.close = true;
    for (int n = 0; n < count; n++) {
        struct table_row row;

        if (node_rows(explore, n) == 0)
            continue;
        put_node(explore, n, unit, &row);
        table_pane_widen_row(&table, &row);
    }
    table_pane_lay(&table, inside.columns, -1);
    if (table.width[LOAD_DEVICE] == 0) { /* names give way to the bar, which may touch the border */
        inside.columns++;
        table.column[LOAD_BAR].width = BAR_ALONE;
        table_pane_lay(&table, inside.columns, -1);
    }
    if (explore->design->evaluated)
        draw_legends(canvas, box, &scale);
    if (count > 0 && inside.rows > 3) {
        struct rect titles = {inside.row, inside.column, 1, inside.columns};

        table_pane_titles(&table, canvas, titles, STYLE_DIM);
        inside.row++;
        inside.rows--;
    }
    list->focus = node;
    list->page = inside.rows / 2;
    /* until a row is chosen the place does not depend on earlier sizes of the screen */
    if (explore->node[0] == '\0')
        list->first = 0;
    list_pane_lay_rows(list, inside, count, rows_before(explore, count),
                       node < 0 ? 0 : rows_before(explore, node), node < 0 ? 0 : 1);
    for (int n = 0, row = 0; n < count; n++) {
        struct rect line = list_pane_line(list, row);

        if (node_rows(explore, n) == 0)
            continue;
        row++;
        if (line.rows > 0)
            draw_node(explore, canvas, line, &table, &scale, unit, n);
    }
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, focus);
}

/* The line below the view ---------------------------------------------------------------------- */

/* Shorter waits are rounding errors. */
#define SHORTEST_WAIT 1e-12 /* s */

/* Prints the node's slack, or its share of the critical path. */
static void print_slack(const struct explore *explore, int number, char *text, size_t size)
{
    const struct result *result = &explore->design->result;
    const struct node_result *node = &result->node[number];
    const struct path_step *step = longest_step(result, number);
    char busy[64];

    snprintf(busy, sizeof busy, "critical path %s %s", quantity_text(node->path_busy, "s").text,
             step == NULL ? ""
                          : verdict_bound_word(design_evaluated(explore->design), result, number,
                                               step->bound));
    if (!node_is_critical(result, number))
        snprintf(text, size, "slack %s", quantity_text(result_slack(result, number), "s").text);
    else if (node->path_wait > SHORTEST_WAIT)
        snprintf(text, size, "%s, waits %s", busy, quantity_text(node->path_wait, "s").text);
    else if (node->path_busy > 0)
        snprintf(text, size, "%s", busy);
    else
        snprintf(text, size, "critical path, takes no time");
}

/* Prints "gpu0 . 4.11 us launches, +1.14 ms deferred", "rtc . 161 us (compute 89.3 us)"; `each`
 * precedes the time. */
static void print_times(const struct explore *explore, int number, const char *each,
                        struct buffer *text)
{
    const struct node_result *node = &explore->design->result.node[number];
    const char *limit =
        verdict_word(design_evaluated(explore->design), &explore->design->result, number);
    char device[NODE_LABEL];

    print_device(explore, node, device);
    buffer_print(text, "%s%s%s%s", device, device[0] == '\0' ? "" : " \xC2\xB7 ", each,
                 quantity_text(node->time, "s").text);
    if (node->bound == BOUND_COMPUTE || node->bound == BOUND_MEMORY)
        buffer_print(text, " (%s %s)", limit,
                     quantity_text(larger(node->compute, node->memory), "s").text);
    else
        buffer_print(text, " %s", limit);
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
    print_slack(explore, number, slack, sizeof slack);
    if (node_has_bars(node)) {
        print_times(explore, number, each, &words);
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

/* Scrolls; moves the cursor only to keep it visible. */
static void scroll_nodes(struct explore *explore, int by)
{
    struct list_pane *list = &explore->nodes;
    int node = explore_node(explore);
    int row;

    if (node < 0)
        return;
    list->first = clamp_int(list->first + by, 0, list->total - list->area.rows);
    row = clamp_int(rows_before(explore, node), list->first, list->first + list->area.rows - 1);
    list_pane_set(list, node_in_row(explore, row));
    store_node_name(explore);
}

void explore_mouse_components(struct explore *explore, const struct key_event *event)
{
    int row = list_pane_row_at(&explore->nodes, event->row, event->column);

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN)
        scroll_nodes(explore, event->mouse == MOUSE_WHEEL_UP ? -2 : 2);
    if (event->mouse != MOUSE_PRESS)
        return;
    explore->pane = PANE_COMPONENTS;
    if (row < 0)
        return;
    list_pane_set(&explore->nodes, node_in_row(explore, row));
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
    DEVICES_PEAK,
    DEVICES_BANDWIDTH,
    DEVICES_WATTS,
    DEVICES_PRICE,
    DEVICES_BAR,
    DEVICES_PERCENT,
    DEVICES_COLUMNS
};

static const struct table_column device_columns[DEVICES_COLUMNS] = {
    [DEVICES_NAME] = {.title = "", .shorten = text_middle},
    [DEVICES_PEAK] = {.title = "fp32 TFLOP/s", .number = true, .drop = 3},
    [DEVICES_BANDWIDTH] = {.title = "GB/s", .number = true, .drop = 2},
    [DEVICES_WATTS] = {.title = "W", .number = true, .drop = 4},
    [DEVICES_PRICE] = {.title = "price", .number = true, .drop = 5},
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

    *row = (struct table_row){0};
    snprintf(row->text[DEVICES_NAME], NODE_LABEL, "%s", scenario->device[number].head.name);
    if (count > 1)
        print_range(scenario->device[number].head.name,
                    scenario->device[number + count - 1].head.name, row->text[DEVICES_NAME],
                    NODE_LABEL);
    else if (scenario->device[number].kind != DEVICE_CPU && scenario->device[number].count > 1)
        snprintf(row->text[DEVICES_NAME], NODE_LABEL, "%s \xC3\x97%.0f",
                 scenario->device[number].head.name, scenario->device[number].count);
    text_number(unit_from_si(device->peak_flops, "TFLOP/s"), row->text[DEVICES_PEAK],
                TABLE_PANE_TEXT);
    text_number(unit_from_si(device->bandwidth, "GB/s"), row->text[DEVICES_BANDWIDTH],
                TABLE_PANE_TEXT);
    if (power > 0)
        snprintf(row->text[DEVICES_WATTS], TABLE_PANE_TEXT, "%.0f", power);
    if (device->price != RESULT_NONE && device->price > 0)
        snprintf(row->text[DEVICES_PRICE], TABLE_PANE_TEXT, "%.15g", count * device->price);
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
static void draw_device_totals(const struct explore *explore, struct canvas *canvas,
                               struct rect box)
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
    snprintf(text, sizeof text, " %s%s%s ", watts, watts[0] != '\0' && price[0] != '\0' ? ", " : "",
             price);
    if (text_width(text) + TITLE <= box.columns)
        canvas_text(canvas, box.row, box.column + box.columns - 2 - text_width(text),
                    text_width(text), STYLE_DIM, text);
}

/* Draws "850 W, busy rtc 6.72 %, gpu0 12.4 %" in a line; where that has no room, in whole percent,
 * then "850 W, rtc 7 %, gpu0 12 %", then "850 W, 2 devices, busiest gpu0 12 %", then without how
 * many there are. */
static void draw_device_line(const struct explore *explore, struct canvas *canvas, struct rect line)
{
    static const struct {
        bool busy, whole, all, count;
    } forms[] = {{.busy = true, .all = true},
                 {.busy = true, .all = true, .whole = true},
                 {.all = true, .whole = true},
                 {.count = true, .whole = true},
                 {.whole = true}};
    const struct result *result = &explore->design->result;
    const int columns = line.columns - 2;
    char text[1024];
    int busiest = 0;

    for (int d = 1; d < result->device_count; d++)
        if (result->device[d].utilisation > result->device[busiest].utilisation)
            busiest = d;
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        struct buffer words = buffer_over(text, sizeof text);
        const int end = forms[f].all ? result->device_count : busiest + 1;

        if (result->watts != RESULT_NONE && result->watts > 0)
            buffer_print(&words, "%s, ", quantity_text(result->watts, "W").text);
        if (forms[f].count)
            buffer_print(&words, "%d devices, ", result->device_count);
        buffer_text(&words, forms[f].busy ? "busy " : forms[f].all ? "" : "busiest ");
        for (int d = forms[f].all ? 0 : busiest; d < end;
             d += count_identical_devices(explore, d)) {
            const double busy = 100 * result->device[d].utilisation;
            struct table_row row;

            put_device(explore, d, &row);
            if (forms[f].whole && busy > 0)
                snprintf(row.text[DEVICES_PERCENT], TABLE_PANE_TEXT,
                         busy < 0.5 ? "<1 %%" : "%.0f %%", busy);
            buffer_print(&words, "%s%s %s", forms[f].all && d > 0 ? ", " : "",
                         forms[f].all ? row.text[DEVICES_NAME] : result->device[d].name,
                         row.text[DEVICES_PERCENT]);
        }
        if (text_width(text) <= columns)
            break;
    }
    text_middle(text, sizeof text, columns);
    canvas_text(canvas, line.row, line.column + 1, columns, STYLE_DIM, text);
}

/* Draws peak performance, bandwidth, power and price (of all in its row) and utilisation of
 * each device; in one line how busy they are and their power. */
void explore_draw_devices(struct explore *explore, struct canvas *canvas, struct rect box)
{
    int count = explore->design->result.device_count;
    struct rect inside = rect_inside(box);
    struct rect line = {inside.row, inside.column + 1, 1, inside.columns - 2};
    struct table_pane table;
    struct table_row row;

    if (box.rows == 1)
        draw_device_line(explore, canvas, box);
    if (box.rows <= 1)
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
