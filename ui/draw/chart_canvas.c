#include "chart_canvas.h"

#include "chart_items.h"
#include "chart_legend.h"
#include "lines.h"
#include "looks.h"

enum {
    PLOT_ROWS = 6,    /* with its axis; below that no decoration but one line of the legend */
    TITLES_FROM = 10, /* rows of the plot from which on there is room for titles */
    LEGEND_PART = 4,  /* of the rows, at most, for the legend */
    SIGN = 2,         /* a sample and a blank */
    GAP = 3
};

struct legend {
    struct legend_entry entry[LEGEND_MAX];
    int count;
};

static int entry_columns(const struct canvas *canvas, const struct legend_entry *entry)
{
    char low[PLOT_LABEL_MAX], high[PLOT_LABEL_MAX];

    if (entry->kind != CHART_CELLS)
        return SIGN + text_width(entry->text);
    chart_shade_ends(entry->item, low, high);
    return text_width(entry->text) + 1 + text_width(low) + 1 + look_shades(canvas) + 1 +
           text_width(high);
}

static uint32_t sample(const struct canvas *canvas, const struct legend_entry *entry)
{
    const struct look *look = look_of(entry->look);
    struct look_sign sign = entry->kind == CHART_SPANS        ? look->fill
                            : entry->kind == CHART_VERTICAL   ? look_rule_down
                            : entry->kind == CHART_HORIZONTAL ? look_rule_across
                                                              : look->mark;

    return look_character(canvas, sign);
}

static void draw_entry(struct canvas *canvas, int row, int column, int columns,
                       const struct legend_entry *entry)
{
    enum style style = look_of(entry->look)->style;
    char low[PLOT_LABEL_MAX], high[PLOT_LABEL_MAX];
    int end = column + columns;

    if (entry->kind != CHART_CELLS) {
        canvas_put(canvas, row, column, style, sample(canvas, entry));
        canvas_text(canvas, row, column + SIGN, columns - SIGN, STYLE_NORMAL, entry->text);
        return;
    }
    chart_shade_ends(entry->item, low, high);
    column += canvas_text(canvas, row, column, end - column, STYLE_NORMAL, entry->text) + 1;
    column += canvas_text(canvas, row, column, end - column, STYLE_DIM, low) + 1;
    for (int s = 0; s < look_shades(canvas) && column < end; s++)
        canvas_put(canvas, row, column++, style,
                   look_shade(canvas, (s + 0.5) / look_shades(canvas)));
    canvas_text(canvas, row, column + 1, end - column - 1, STYLE_DIM, high);
}

/* Its lines, drawn where `draw` and they have room. Returns how many it takes, and the columns that
 * are used on the last one. */
static int place_legend(const struct legend *legend, struct canvas *canvas, struct rect box,
                        bool draw, int *used)
{
    int row = 0;

    *used = 0;
    for (int e = 0; e < legend->count; e++) {
        int columns = entry_columns(canvas, &legend->entry[e]);
        int gap = *used > 0 ? GAP : 0;

        if (*used > 0 && *used + gap + columns > box.columns) {
            row++;
            *used = gap = 0;
        }
        columns = columns < box.columns ? columns : box.columns;
        if (draw && row < box.rows)
            draw_entry(canvas, box.row + row, box.column + *used + gap, columns, &legend->entry[e]);
        *used += gap + columns;
    }
    return legend->count > 0 ? row + 1 : 0;
}

/* Where everything goes. Rows of decorations are given to the legend first. */
struct parts {
    struct rect plot, legend;
    int above, below, note; /* rows of the titles and the note; -1: none */
    int below_from;         /* the first column that title may have */
};

/* Takes rows off the end of the plot's box; none where too few would be left. */
static int take_rows(struct parts *parts, int wanted, int least)
{
    int rows = parts->plot.rows - wanted >= least ? wanted : parts->plot.rows - least;

    if (rows <= 0)
        return 0;
    parts->plot.rows -= rows;
    return rows;
}

static void lay_out(const struct chart *chart, const struct legend *legend, struct canvas *canvas,
                    struct rect box, struct parts *parts)
{
    int used;
    int lines = place_legend(legend, canvas, box, false, &used);
    int most = box.rows / LEGEND_PART > 0 ? box.rows / LEGEND_PART : 1;
    int title = text_width(chart->x_title);
    int rows, below;
    bool beside = lines == 1 && used + GAP + title <= box.columns;

    *parts =
        (struct parts){.plot = box, .above = -1, .below = -1, .note = -1, .below_from = box.column};
    rows = take_rows(parts, lines < most ? lines : most, PLOT_ROWS);
    below = title > 0 && !(beside && rows == 1) ? take_rows(parts, 1, TITLES_FROM) : 0;
    if (chart->note[0] != '\0' && take_rows(parts, 1, TITLES_FROM + 4) > 0)
        parts->note = box.row + box.rows - 1;
    if (chart->y_title[0] != '\0' && take_rows(parts, 1, TITLES_FROM) > 0)
        parts->above = parts->plot.row++;
    if (below > 0)
        parts->below = parts->plot.row + parts->plot.rows;
    parts->legend =
        (struct rect){parts->plot.row + parts->plot.rows + below, box.column, rows, box.columns};
    if (title > 0 && beside && rows == 1) {
        parts->below = parts->legend.row;
        parts->below_from = box.column + used + GAP;
    }
}

/* Rows of names may need less than their box: what stands below follows them. */
static void move_up(struct parts *parts, const struct plot *plot)
{
    int by = parts->plot.row + parts->plot.rows - (plot->inside.row + plot->inside.rows + 2);

    parts->legend.row -= by;
    parts->below -= parts->below >= 0 ? by : 0;
    parts->note -= parts->note >= 0 ? by : 0;
}

static bool open_plot(const struct chart *chart, struct canvas *canvas, struct rect box,
                      struct plot *plot)
{
    return chart->rows > 0 ? plot_open_rows(plot, canvas, box, chart->x, chart->row, chart->rows)
                           : plot_open(plot, canvas, box, chart->x, chart->y);
}

static bool is_empty(const struct chart *chart)
{
    return !plot_axis_is_good(&chart->x) || (chart->rows == 0 && !plot_axis_is_good(&chart->y));
}

/* Draws the names of rules and leaves those in the legend that have no room. */
static void label_rules(const struct chart *chart, const struct plot *plot, struct legend *legend)
{
    int kept = 0;

    for (int e = 0; e < legend->count; e++)
        if (!chart_is_rule(legend->entry[e].kind) ||
            !chart_label_rule(chart, legend->entry[e].item, plot))
            legend->entry[kept++] = legend->entry[e];
    legend->count = kept;
}

static void draw_around(const struct chart *chart, const struct legend *legend,
                        struct canvas *canvas, struct rect box, const struct parts *parts)
{
    int used;

    if (parts->above >= 0)
        canvas_text(canvas, parts->above, box.column, box.columns, STYLE_DIM, chart->y_title);
    if (parts->below >= 0)
        canvas_right(canvas, parts->below, parts->below_from,
                     box.column + box.columns - parts->below_from, STYLE_DIM, chart->x_title);
    if (parts->legend.rows > 0)
        place_legend(legend, canvas, parts->legend, true, &used);
    if (parts->note >= 0)
        canvas_text(canvas, parts->note, box.column, box.columns, STYLE_DIM, chart->note);
}

bool chart_draw(const struct chart *chart, struct canvas *canvas, struct rect box,
                struct plot *plot)
{
    struct legend legend;
    struct parts parts;
    struct plot drawn;

    legend.count = chart->failed ? 0 : chart_legend(chart, legend.entry);
    lay_out(chart, &legend, canvas, box, &parts);
    if (chart->failed || !open_plot(chart, canvas, parts.plot, &drawn)) {
        canvas_wrap(canvas, box, 0, STYLE_DIM,
                    chart->failed     ? "There was no memory for the picture."
                    : is_empty(chart) ? "There is nothing to draw."
                                      : "There is no room for the picture.");
        return false;
    }
    if (plot != NULL)
        *plot = drawn;
    move_up(&parts, &drawn);
    chart_draw_items(chart, &drawn);
    label_rules(chart, &drawn, &legend);
    chart_draw_labels(chart, &drawn);
    draw_around(chart, &legend, canvas, box, &parts);
    return true;
}
