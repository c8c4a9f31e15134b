#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "charts/compare.h"
#include "report/compare.h"
#include "tui/table_pane.h"
#include "tui/view_compare.h"
#include "tui/widget.h"

enum { TEXT = COMPARE_VALUE_MAX };

static const char *const kind_titles[DIFFERENCE_KINDS] = {
    [DIFFERENCE_PRESET] = "device presets",
    [DIFFERENCE_INSTANCE] = "in one design only",
    [DIFFERENCE_OWN] = "set",
    [DIFFERENCE_FOLLOWS] = "derived from these: automatic values and defaults"};

/* Rows ----------------------------------------------------------------------------------------- */

static void add_compare_row(struct compare_rows *rows, struct compare_row row)
{
    rows->row = array_reserve(rows->row, rows->count, &rows->capacity, sizeof *rows->row);
    rows->row[rows->count++] = row;
}

static int count_items(const struct compare_rows *rows)
{
    return rows->count == 0 ? 0 : rows->row[rows->count - 1].item + 1;
}

/* Returns true for a model that follows from a preset, whose row names it. */
static bool is_model_of_preset(const struct difference *difference)
{
    return difference->kind == DIFFERENCE_FOLLOWS && difference->knob == &knobs[KNOB_DEVICE_MODEL];
}

/* Adds the differences, each kind with a heading. */
static void list_differences(const struct comparison *comparison, struct compare_rows *rows)
{
    int kind = -1;
    int item = 0;

    for (int d = 0; d < comparison->difference_count; d++) {
        const struct difference *difference = &comparison->difference[d];

        if (is_model_of_preset(difference))
            continue;
        if ((int)difference->kind != kind)
            add_compare_row(rows, (struct compare_row){.item = -1, .at = d});
        add_compare_row(rows, (struct compare_row){.item = item++, .at = d});
        kind = (int)difference->kind;
    }
}

static void list_results(const struct comparison *comparison, struct compare_rows *rows)
{
    for (int r = 0; r < comparison->result_count; r++)
        if (!compare_is_fact(comparison->result[r].row)) /* which stands above the panes */
            add_compare_row(rows, (struct compare_row){.item = rows->count, .at = r, .device = -1});
    for (int d = 0; d < comparison->device_count; d++)
        for (int i = 0; i < DEVICE_FIGURES; i++) {
            const double *value = comparison->device[d].figure[i];

            if (compare_differs(value[0], value[1]))
                add_compare_row(rows,
                                (struct compare_row){.item = rows->count, .at = i, .device = d});
        }
}

static void list_nodes(const struct comparison *comparison, struct compare_rows *rows)
{
    int alike;

    for (int n = 0; n < comparison->node_count; n += alike) {
        struct compare_row row = {.item = count_items(rows), .at = n};
        const bool differs = compare_node_differs(&comparison->node[n]);

        alike = row.alike = compare_alike(comparison, n);
        for (row.side = 0; row.side < 1 + differs; row.side++)
            add_compare_row(rows, row);
    }
}

void compare_list_rows(struct compare_view *view)
{
    for (int pane = 0; pane < COMPARE_PANES; pane++)
        view->rows[pane].count = 0;
    list_differences(&view->comparison, &view->rows[COMPARE_KNOBS]);
    list_results(&view->comparison, &view->rows[COMPARE_RESULTS]);
    list_nodes(&view->comparison, &view->rows[COMPARE_NODES]);
    for (int pane = 0; pane < COMPARE_PANES; pane++)
        view->list[pane].count = count_items(&view->rows[pane]);
}

/* Returns the first row of the item under the cursor; -1: none. */
static int cursor_row(const struct compare_view *view, enum compare_pane pane)
{
    const struct compare_rows *rows = &view->rows[pane];
    int focus = list_pane_focus(&view->list[pane]);

    for (int r = 0; r < rows->count && focus >= 0; r++)
        if (rows->row[r].item == focus)
            return r;
    return -1;
}

const struct compare_row *compare_row(const struct compare_view *view)
{
    int row = view->compared ? cursor_row(view, view->focus) : -1;

    return row < 0 ? NULL : &view->rows[view->focus].row[row];
}

/* Pairs ---------------------------------------------------------------------------------------- */

/* The columns of differences, results and of the verdict. */
enum pair_column { PAIR_NAME, PAIR_VALUE, PAIR_CHANGE = PAIR_VALUE + SIDES, PAIR_COLUMNS };

/* A table of pairs; its titles are those that fit. */
struct pair_table {
    struct table_pane table;
    char other[DESIGN_NAME]; /* name of the other design, a title */
};

/* Writes both values and the change. */
static void print_figure(const double value[SIDES], const char *unit, struct table_row *row)
{
    for (int s = 0; s < SIDES; s++)
        quantity_show(value[s], unit, row->text[PAIR_VALUE + s], TABLE_PANE_TEXT);
    compare_change(value[1], value[0], unit, true, row->text[PAIR_CHANGE], TABLE_PANE_TEXT);
}

/* Sets the texts of a row: of a difference without the change. */
static void put_pair(const struct compare_view *view, enum compare_pane pane,
                     const struct compare_row *of, struct table_row *row)
{
    const struct comparison *comparison = &view->comparison;
    char *name = row->text[PAIR_NAME];

    *row = (struct table_row){.style = {[PAIR_CHANGE] = STYLE_DIM}};
    if (pane == COMPARE_KNOBS) {
        const struct difference *difference = &comparison->difference[of->at];

        snprintf(name, TABLE_PANE_TEXT, "%s", difference->words);
        compare_values(view, difference, &row->text[PAIR_VALUE]);
    } else if (of->device < 0) {
        const struct compared_result *compared = &comparison->result[of->at];

        snprintf(name, TABLE_PANE_TEXT, "%s", compared->row->label);
        print_figure(compared->value, compared->row->unit, row);
    } else {
        const struct compared_device *device = &comparison->device[of->device];

        snprintf(name, TABLE_PANE_TEXT, "%s %s", device->name, device_figures[of->at].name);
        print_figure(device->figure[of->at], device_figures[of->at].unit, row);
    }
}

/* Sets the texts of a row of the verdict, values in the colour of what they mean. */
static void put_fact(const struct compare_fact *fact, struct table_row *row)
{
    *row = (struct table_row){.style = {[PAIR_CHANGE] = STYLE_DIM}};
    snprintf(row->text[PAIR_NAME], TABLE_PANE_TEXT, "%s", fact->label);
    for (int s = 0; s < SIDES; s++) {
        snprintf(row->text[PAIR_VALUE + s], TABLE_PANE_TEXT, "%s", fact->value[s]);
        row->style[PAIR_VALUE + s] = fact->tone[s] == 0  ? STYLE_NORMAL
                                     : fact->tone[s] > 0 ? STYLE_GOOD
                                                         : STYLE_ERROR;
    }
    snprintf(row->text[PAIR_CHANGE], TABLE_PANE_TEXT, "%s", fact->change);
}

/* Shortens "-13.4 us, -24.2 %" to "-13.4 us" if it does not fit. */
static void cut_at_comma(char *text, int columns)
{
    if (text_width(text) > columns)
        text[strcspn(text, ",")] = '\0';
}

/* Shortens "-13.4 us, -24.2 %" to "-13.4 us", "-24.2 %" or nothing, "1.9 to 7.7 times as fast" to
 * what is before "as". */
static void shorten_change(char *text, size_t size, int columns)
{
    const char *comma = strchr(text, ',');
    const char *percent = comma == NULL ? text : comma + 2;
    char *as = strstr(text, " as ");

    (void)size;
    if (as != NULL && text_width(text) > columns)
        *as = '\0';
    if (comma != NULL && text_width(text) - text_width(comma) <= columns)
        cut_at_comma(text, columns);
    else if (text_width(percent) <= columns)
        memmove(text, percent, strlen(percent) + 1);
    else
        text[0] = '\0';
}

static const struct table_column pair_columns[PAIR_COLUMNS] = {
    [PAIR_NAME] = {.title = "", .cut = 2, .brief = 10, .shorten = text_middle},
    [PAIR_VALUE] = {.title = "this", .number = true, .cut = 3, .brief = 14, .shorten = text_words},
    [PAIR_VALUE + 1] = {.title = "", .number = true, .cut = 3, .brief = 14, .shorten = text_words},
    [PAIR_CHANGE] =
        {.title = "", .number = true, .cut = 5, .brief = 8, .drop = 4, .shorten = shorten_change},
};

/* Lays the table out, of which the names take what is left, in lines of `room` cells, or of `more`
 * than it needs, and sets its titles. A long name of the other design takes little from the rows.
 */
static void lay_pairs(struct pair_table *pairs, const struct compare_view *view, const char *what,
                      int room, int more)
{
    enum { HEAD = 12 };
    static const char changes[] = "change of this";
    struct table_pane *table = &pairs->table;
    char *other = pairs->other;

    snprintf(other, DESIGN_NAME, "%s", compare_name(view));
    text_middle(other, DESIGN_NAME, HEAD);
    table_pane_widen(table, PAIR_NAME, what);
    table_pane_widen(table, PAIR_VALUE + 1, other);
    room = clamp_int(table_pane_natural(table) + more, 0, room);
    table->column[PAIR_NAME].stretch = room;
    table_pane_lay(table, room, -1);
    snprintf(other, DESIGN_NAME, "%s", compare_name(view));
    text_middle(other, DESIGN_NAME, table->width[PAIR_VALUE + 1]);
    table->column[PAIR_NAME].title = what;
    table->column[PAIR_VALUE + 1].title = other;
    table->column[PAIR_CHANGE].title =
        table->width[PAIR_CHANGE] < text_width(changes) ? "change" : changes;
}

/* Replaces the words with which both values begin by an ellipsis if one of them does not fit:
 * presets of one maker differ at the end. */
static void drop_common_words(char (*value)[TABLE_PANE_TEXT], const int *columns)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    size_t mark = sizeof ellipsis - 1;
    size_t same = 0;

    if (text_width(value[0]) <= columns[0] && text_width(value[1]) <= columns[1])
        return;
    while (value[0][same] != '\0' && value[0][same] == value[1][same])
        same++;
    while (same > 0 && value[0][same - 1] != '-' && value[0][same - 1] != ' ')
        same--;
    for (int s = 0; s < SIDES && same >= mark; s++) {
        memmove(value[s] + mark, value[s] + same, strlen(value[s] + same) + 1);
        memcpy(value[s], ellipsis, mark);
    }
}

static void draw_pair(const struct pair_table *pairs, struct canvas *canvas, struct rect line,
                      struct table_row *row)
{
    drop_common_words(&row->text[PAIR_VALUE], &pairs->table.width[PAIR_VALUE]);
    table_pane_row(&pairs->table, canvas, line, row);
}

/* Returns the cells of a row within a line of a pane. */
static struct rect pair_line(struct rect line)
{
    return (struct rect){line.row, line.column + 1, 1, line.columns - 1};
}

/* Fits the common scale of all bars. */
static void fit_scale(struct compare_view *view)
{
    const struct comparison *comparison = &view->comparison;
    double least = 0;
    double most = 0;

    for (int n = 0; n < comparison->node_count; n++)
        for (int s = 0; s < SIDES; s++) {
            double time = comparison->node[n].has[s] ? comparison->node[n].time[s] : 0;

            if (!compare_has_bar(&comparison->node[n]))
                continue;
            most = time > most ? time : most;
            least = time > 0 && (least <= 0 || time < least) ? time : least;
        }
    bar_scale_keep(&view->scale, least, most, view->logarithmic);
}

/* Draws a row of a node: name or change, bar, time, limit. One that does not differ has one row. */
static void draw_compared_node(const struct compare_view *view, struct canvas *canvas,
                               struct rect line, const struct bar_scale *scale,
                               const struct compare_row *row)
{
    enum { VALUE = 8, BOUND = 14, NARROW = 50 };
    const struct compared_node *node = &view->comparison.node[row->at];
    const int s = row->side;
    int bound = line.columns < NARROW ? 0 : BOUND;
    int name = line.columns < NARROW ? 12 : line.columns < 70 ? 18 : 26;
    struct rect bar = {line.row, line.column + name + 2, 1,
                       line.columns - name - 2 - VALUE - 1 - bound};
    enum chart_look look = look_of_bound(node->bound[s]);
    char text[TEXT];

    if (s == 0 && row->alike > 1)
        snprintf(text, sizeof text, "%s \xC3\x97%d", node->name, row->alike);
    else if (s == 0)
        snprintf(text, sizeof text, "%s", node->name);
    else if (!node->has[0] || !node->has[1])
        snprintf(text, sizeof text, "only in %s", node->has[0] ? "this" : compare_name(view));
    else if (!compare_differs(node->time[0], node->time[1]))
        snprintf(text, sizeof text, "same time");
    else
        compare_change(node->time[1], node->time[0], "s", true, text, sizeof text);
    if (s == 1)
        cut_at_comma(text, name);
    text_middle(text, sizeof text - 4, name);
    canvas_text(canvas, line.row, line.column + 1, name, s == 0 ? STYLE_NORMAL : STYLE_DIM, text);
    if (!node->has[s])
        return;
    if (compare_has_bar(node))
        widget_bar(canvas, bar, bar_length(scale, node->time[s], bar.columns), 0, -1, look,
                   look_of(look)->style);
    else
        canvas_text(canvas, bar.row, bar.column, bar.columns, STYLE_DIM, "readout");
    quantity_show(node->time[s], "s", text, sizeof text);
    canvas_right(canvas, line.row, bar.column + bar.columns, VALUE, STYLE_NORMAL, text);
    canvas_text(canvas, line.row, bar.column + bar.columns + VALUE + 1, bound, STYLE_DIM,
                node->limit[s]);
}

/* Draws what the rows are, and the scale. */
static void draw_sides_legend(const struct compare_view *view, struct canvas *canvas,
                              struct rect box, const struct bar_scale *scale)
{
    enum { TITLE = 38 }; /* columns of the longest title of the pane */
    char text[TEXT];
    int right = box.column + box.columns - 2;
    int width;

    snprintf(text, sizeof text, " %sbar %s ", scale->logarithmic ? "log, " : "",
             quantity_text(scale->high, "s").text);
    width = text_width(text);
    canvas_text(canvas, box.row + box.rows - 1, right - width, width, STYLE_DIM, text);
    for (int all = 1; all >= 0; all--) {
        snprintf(text, sizeof text, " above: this, below: %s%s ", compare_name(view),
                 all ? ", one row: both" : "");
        if (text_width(text) + TITLE <= box.columns) {
            canvas_text(canvas, box.row, right - text_width(text), box.columns, STYLE_DIM, text);
            return;
        }
        if (text_width(text) + width + 4 <= box.columns) {
            canvas_text(canvas, box.row + box.rows - 1, box.column + 2, box.columns, STYLE_DIM,
                        text);
            return;
        }
    }
}

static void draw_compare_row(const struct compare_view *view, struct canvas *canvas,
                             enum compare_pane pane, struct rect line, int number,
                             const struct pair_table *pairs)
{
    const struct compare_row *row = &view->rows[pane].row[number];
    struct table_row cells;

    if (pane == COMPARE_NODES) {
        draw_compared_node(view, canvas, line, &view->scale, row);
    } else if (row->item >= 0) {
        put_pair(view, pane, row, &cells);
        draw_pair(pairs, canvas, pair_line(line), &cells);
    } else {
        canvas_text(canvas, line.row, line.column + 1, line.columns - 1, STYLE_TITLE,
                    kind_titles[view->comparison.difference[row->at].kind]);
    }
}

/* Lays out items with several rows: the first difference with its heading, both rows of a node. */
static void layout_rows(struct compare_view *view, enum compare_pane pane, struct rect area)
{
    struct list_pane *list = &view->list[pane];
    int top = cursor_row(view, pane);
    int rows = 1;

    if (pane == COMPARE_NODES) {
        rows = top < 0
                   ? 1
                   : 1 + compare_node_differs(&view->comparison.node[view->rows[pane].row[top].at]);
        list->page = area.rows / SIDES > 1 ? area.rows / SIDES - 1 : 1;
    } else if (list_pane_focus(list) == 0 && area.rows > 1) {
        rows += top;
        top = 0;
    }
    list_pane_lay_rows(list, area, count_items(&view->rows[pane]), view->rows[pane].count, top,
                       rows);
}

/* Lays the columns of a pane out for all its rows. */
static void lay_pane(const struct compare_view *view, enum compare_pane pane, int columns,
                     struct pair_table *pairs)
{
    struct table_row row;

    table_pane_begin(&pairs->table, pair_columns, PAIR_COLUMNS);
    for (int r = 0; r < view->rows[pane].count; r++) {
        if (view->rows[pane].row[r].item < 0)
            continue;
        put_pair(view, pane, &view->rows[pane].row[r], &row);
        table_pane_widen_row(&pairs->table, &row);
    }
    lay_pairs(pairs, view, pane == COMPARE_KNOBS ? "knob" : "result", columns - 1, columns);
}

static void draw_pane(struct compare_view *view, struct canvas *canvas, enum compare_pane pane,
                      struct rect box)
{
    static const char *const titles[COMPARE_PANES] = {
        [COMPARE_KNOBS] = DIFFERENCES_TITLE,
        [COMPARE_RESULTS] = "Results",
        [COMPARE_NODES] = "Components",
    };
    struct rect inside = rect_inside(box);
    struct list_pane *list = &view->list[pane];
    struct pair_table pairs;
    bool focus = view->focus == pane;
    char title[64];
    int cursor;

    if (box.rows == 0)
        return;
    fit_scale(view);
    snprintf(title, sizeof title, "%s%s", titles[pane], design_stale_mark(view->design));
    if (view->layout.box[(int)pane % (COMPARE_PANES - 1) + 1].rows == 0)
        widget_lone_pane(canvas, box, title, focus, (int)pane, COMPARE_PANES - 1);
    else
        widget_pane(canvas, box, title, focus);
    if (view->rows[pane].count == 0) {
        list_pane_lay(list, inside, 0);
        canvas_text(canvas, inside.row, inside.column + 1, inside.columns - 1, STYLE_DIM,
                    pane == COMPARE_KNOBS ? "no difference: v compares with another design"
                                          : "nothing differs");
        return;
    }
    if (pane == COMPARE_NODES) {
        draw_sides_legend(view, canvas, box, &view->scale);
    } else {
        lay_pane(view, pane, inside.columns, &pairs);
        table_pane_titles(&pairs.table, canvas, pair_line(inside), STYLE_DIM);
        inside.row++;
        inside.rows--;
    }
    layout_rows(view, pane, inside);
    cursor = cursor_row(view, pane);
    for (int r = 0; r < view->rows[pane].count; r++) {
        struct rect line = list_pane_line(list, r);

        if (line.rows == 0)
            continue;
        draw_compare_row(view, canvas, pane, line, r, &pairs);
        if (r == cursor)
            list_pane_draw_cursor(canvas, line, focus);
    }
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, focus);
}

/* Draws the verdict from row `first`, the sentence and then a row for each fact; returns the total
 * number of rows. */
static int draw_verdict(const struct compare_view *view, struct canvas *canvas, struct rect inside,
                        int first)
{
    enum { MORE = 4 }; /* cells than the columns need */
    const char *const name[SIDES] = {"this", compare_name(view)};
    const struct compare_verdict *verdict = &view->comparison.verdict;
    struct rect text = {inside.row, inside.column + 1, inside.rows, inside.columns - 2};
    struct compare_fact fact[COMPARE_FACTS];
    int count = compare_facts(verdict, 0, true, fact);
    char sentence[COMPARE_SENTENCE_MAX];
    struct pair_table pairs;
    struct table_row cells;
    int row;

    table_pane_begin(&pairs.table, pair_columns, PAIR_COLUMNS);
    for (int f = 0; f < count; f++) {
        put_fact(&fact[f], &cells);
        table_pane_widen_row(&pairs.table, &cells);
    }
    lay_pairs(&pairs, view, "", inside.columns - 1, MORE);
    compare_sentence(verdict, name, true, sentence);
    row = canvas_wrap(canvas, text, -first, STYLE_TITLE, sentence);
    for (int f = -1; f < count; f++, row++) {
        struct rect line = {inside.row + row - first, inside.column, 1, inside.columns};

        if (row < first || row >= first + inside.rows)
            continue;
        if (f < 0) {
            table_pane_titles(&pairs.table, canvas, pair_line(line), STYLE_DIM);
            continue;
        }
        put_fact(&fact[f], &cells);
        draw_pair(&pairs, canvas, pair_line(line), &cells);
    }
    return row;
}

static void draw_problem(const struct compare_view *view, struct canvas *canvas, struct rect body)
{
    struct rect inside = rect_inside(body);

    inside.column++;
    inside.columns -= 2;
    widget_pane(canvas, body, "Compare", true);
    canvas_wrap(canvas, inside, 0, STYLE_ERROR, view->design->problem.message);
}

static void draw_verdict_pane(struct compare_view *view, struct canvas *canvas, struct rect box)
{
    const struct design *design = view->design;
    struct list_pane *list = &view->list[COMPARE_VERDICT];
    struct rect inside = rect_inside(box);
    bool focus = view->focus == COMPARE_VERDICT;
    int rows = draw_verdict(view, &(struct canvas){0}, inside, 0);
    struct list_pane bar; /* extends beside the error message */
    char title[160];

    snprintf(title, sizeof title, "This design and %s%s", compare_name(view),
             design_stale_mark(design));
    widget_pane(canvas, box, title, focus);
    if (!design_is_valid(design)) {
        struct rect text = {inside.row, inside.column + 1, inside.rows, inside.columns - 2};
        int used = canvas_wrap(canvas, text, 0, STYLE_ERROR, design->problem.message);

        inside.row += used;
        inside.rows = inside.rows > used ? inside.rows - used : 0;
    }
    list_pane_lay(list, inside, rows);
    draw_verdict(view, canvas, inside, list->first);
    bar = *list;
    bar.area = rect_inside(box);
    bar.total += bar.area.rows - inside.rows;
    list_pane_draw_bar(&bar, canvas, box.column + box.columns - 1, focus);
}

void compare_draw(struct compare_view *view, struct canvas *canvas, struct rect body)
{
    struct rect wide = {0, 0, 1, body.columns - 2};

    view->layout = (struct compare_layout){0};
    if (!view->compared) {
        if (design_is_valid(view->design))
            compare_draw_choices(view, canvas, body);
        else
            draw_problem(view, canvas, body);
        return;
    }
    view->layout = layout_compare(body, draw_verdict(view, &(struct canvas){0}, wide, 0),
                                  view->rows[COMPARE_RESULTS].count + 1, (int)view->lower);
    draw_verdict_pane(view, canvas, view->layout.box[COMPARE_VERDICT]);
    for (int pane = COMPARE_KNOBS; pane < COMPARE_PANES; pane++)
        draw_pane(view, canvas, (enum compare_pane)pane, view->layout.box[pane]);
}
