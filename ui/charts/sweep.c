#include "charts/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "draw/canvas.h"
#include "draw/table.h"
#include "model/knob_effect.h"
#include "model/result_read.h"

#define DECADES_FROM 10 /* largest over smallest value above which the axis is logarithmic */

#define FLAT 0.01 /* least part of the values that the axis shows above and below them */

#define ROUNDING 1e-6 /* of a place on an axis of length 1 */

enum { MAP_COLUMNS = 96, MAP_ROWS = 64 };

/* Axes ----------------------------------------------------------------------------------------- */

/* Finds the axis of a knob. Returns false if its values are words. */
static bool find_axis(const struct axis *axis, struct plot_axis *plot)
{
    double first, last;

    if (axis->number == NULL)
        return false;
    first = axis->number[0];
    last = axis->number[axis->count - 1];
    *plot = (struct plot_axis){axis->ref.knob->type == KNOB_INTEGER ? PLOT_WHOLE : PLOT_LINEAR,
                               fmin(first, last), fmax(first, last), axis->ref.knob->unit};
    if (grid_is_logarithmic(axis))
        plot->scale =
            axis->ref.knob->scale == SCALE_POWER2 ? PLOT_BINARY : plot_logarithmic(plot->unit);
    if (plot->low == plot->high)
        plot->high += plot->low == 0 ? 1 : fabs(plot->low);
    return true;
}

/* Finds the ends of what the axis of the values shows: these and their range, but not more than
 * twice or half of them, so that a wide range does not flatten the curve. */
static void value_range(const struct grid *grid, double *low, double *high)
{
    double least = INFINITY;
    double most = -INFINITY;

    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < grid->count; i++) {
        if (grid->value[i] == RESULT_NONE)
            continue;
        *low = fmin(*low, grid->value[i]);
        *high = fmax(*high, grid->value[i]);
        if (grid->low != NULL && grid->low[i] != RESULT_NONE)
            least = fmin(least, grid->low[i]);
        if (grid->high != NULL)
            most = fmax(most, grid->high[i] == RESULT_NONE ? INFINITY : grid->high[i]);
    }
    *low = fmin(*low, fmax(least, *low / 2));
    *high = fmax(*high, fmin(most, *high * 2));
    if (*low > *high)
        *low = *high = 0;
}

/* Widens the range of values that hardly differ: there is no cliff of the last digits. */
static void widen_flat(double *low, double *high)
{
    double middle = (*low + *high) / 2;

    if (*low <= 0 || *high >= (1 + 2 * FLAT) * *low)
        return;
    *low = middle * (1 - FLAT);
    *high = middle * (1 + FLAT);
}

/* Returns an axis around the values; it includes 0 if that is near, and always for bars. */
static struct plot_axis value_axis(const struct grid *grid, bool bars)
{
    double low, high, part;

    value_range(grid, &low, &high);
    if (low > 0 && high > DECADES_FROM * low && !bars)
        return plot_axis_around(plot_logarithmic(grid->wanted.row->unit), low, high,
                                grid->wanted.row->unit);
    if (!bars && low > 0 && high < (1 + 2 * FLAT) * low) {
        widen_flat(&low, &high);
        return (struct plot_axis){PLOT_LINEAR, low, high, grid->wanted.row->unit};
    }
    if (bars)
        low = fmin(low, 0);
    part = high > low ? (high - low) / 20 : fmax(fabs(high) / 20, 1e-12);
    if (!bars)
        low = low >= 0 && low < high - low ? 0 : low - part;
    /* behind the longest bar there is room for what binds it */
    return (struct plot_axis){PLOT_LINEAR, low, high + (bars ? 3 : 1) * part,
                              grid->wanted.row->unit};
}

/* Sets the y axis of curves; its title says if a linear one does not begin at 0. */
static void set_value_axis(struct chart *chart, const struct grid *grid, const char *words)
{
    struct plot_axis axis = value_axis(grid, false);
    char title[RESULT_PATH_MAX + 32];

    snprintf(title, sizeof title, "%s%s", words,
             plot_is_linear(axis.scale) && axis.low > 0 ? " (axis does not start at 0)" : "");
    chart_y(chart, axis, title);
}

/* Returns the scale of the shades, from the smallest to the largest value. */
static struct plot_axis shade_axis(const struct grid *grid)
{
    struct plot_axis axis = {PLOT_LINEAR, 0, 0, grid->wanted.row->unit};

    value_range(grid, &axis.low, &axis.high);
    widen_flat(&axis.low, &axis.high);
    if (axis.low > 0 && axis.high > DECADES_FROM * axis.low)
        axis.scale = plot_logarithmic(axis.unit);
    if (axis.low == axis.high)
        axis.high += fmax(fabs(axis.high) / 20, 1e-12);
    return axis;
}

static double number_of_word(const struct axis *axis, const char *word)
{
    for (int i = 0; i < axis->count; i++)
        if (strcmp(axis->word[i], word) == 0)
            return i;
    return RESULT_NONE;
}

double chart_sweep_present(const struct grid *grid, int a, const struct scenario *scenario,
                           const struct result *result)
{
    const struct axis *axis = &grid->axis[a];
    struct knob_ref ref;
    char value[2304];
    double stated;
    int choice;

    if (knob_find(scenario, grid->path[a], &ref, NULL) != STATUS_OK)
        return RESULT_NONE;
    if (grid->gain != RESULT_NONE && grid_gain_is_automatic(scenario, ref))
        return grid->gain;
    if (axis->number != NULL)
        return knob_number_in_force(scenario, result, ref);
    knob_get_text(scenario, ref, value, sizeof value);
    stated = number_of_word(axis, value);
    if (stated != RESULT_NONE || strcmp(value, "auto") != 0)
        return stated;
    choice = knob_choice_in_force(scenario, result, ref);
    return choice < 0 ? RESULT_NONE : number_of_word(axis, knob_choice_name(scenario, ref, choice));
}

/* Items ---------------------------------------------------------------------------------------- */

static void add_target_rule(struct chart *chart, const struct grid *grid, enum chart_kind kind)
{
    const struct plot_axis *axis = kind == CHART_VERTICAL ? &chart->x : &chart->y;

    if (grid->target != RESULT_NONE && grid->target >= axis->low && grid->target <= axis->high)
        chart_rule(chart, kind, LOOK_TARGET, grid->target, "target");
}

/* Returns true if designs of a curve have different bottlenecks. */
static bool has_change(const struct grid *grid)
{
    for (int i = 1; i < grid->count; i++)
        if (grid->regime[i] != grid->regime[0])
            return true;
    return false;
}

/* Adds rules midway between designs with different bottlenecks. */
static void add_changes(struct chart *chart, const struct grid *grid)
{
    const double *x = grid->axis[0].number;

    for (int i = 1; i < grid->count; i++) {
        short before = grid->regime[i - 1];
        short now = grid->regime[i];
        double middle = (x[i - 1] + x[i]) / 2;
        char brief[GRID_REGIME_TEXT];

        if (now == before || now < 0 || before < 0)
            continue;
        if (!plot_is_linear(chart->x.scale))
            middle = sqrt(x[i - 1] * x[i]);
        verdict_brief(grid->name[now], brief);
        chart_rule(chart, CHART_VERTICAL, LOOK_CHANGE, middle, brief);
        chart->item[chart->count - 1].onward = true;
    }
}

/* Adds a rule where the loop becomes unstable. */
static void add_stability(struct chart *chart, const struct grid *grid)
{
    const struct axis *axis = &grid->axis[0];

    for (int i = 1; i < grid->count; i++) {
        const double *most = &grid->unstable_above[i];

        if ((most[-1] == RESULT_NONE) == (most[0] == RESULT_NONE))
            continue;
        chart_rule(chart, CHART_VERTICAL, LOOK_CHANGE,
                   axis->ref.knob == &knobs[KNOB_AO_GAIN]
                       ? larger(most[-1], most[0])
                       : (axis->number[i - 1] + axis->number[i]) / 2,
                   "unstable");
    }
}

/* Adds the values along axis[0] for one value of axis[1]. */
static void add_value_curve(struct chart *chart, const struct grid *grid, enum chart_look look,
                            const char *name, int other)
{
    int count = grid->axis[0].count;
    int item = chart_add(chart, CHART_CURVE, look, name);

    for (int i = 0; i < count; i++) {
        double value = grid->value[other * count + i];

        /* NAN leaves a gap in the curve */
        chart_point(chart, item, grid->axis[0].number[i], value == RESULT_NONE ? NAN : value, NULL);
    }
}

/* Adds the range of the values. */
static void add_band(struct chart *chart, const struct grid *grid)
{
    bool open = false; /* some design may not keep up */
    int item;

    for (int i = 0; i < grid->count; i++)
        open = open || (grid->low[i] != RESULT_NONE && grid->high[i] == RESULT_NONE);
    item = chart_add(chart, CHART_BAND, LOOK_BAND,
                     open ? "range, open above" : look_of(LOOK_BAND)->name);
    for (int i = 0; i < grid->count; i++)
        chart_edges(chart, item, grid->axis[0].number[i],
                    grid->low[i] == RESULT_NONE ? NAN : grid->low[i], grid->high[i]);
}

static bool is_on_axis(const struct plot_axis *axis, double value)
{
    double at = plot_place(axis, value, 1);

    return value != RESULT_NONE && at > -ROUNDING && at < 1 + ROUNDING;
}

static void add_mark(struct chart *chart, enum chart_look look, const char *name, double x,
                     double y)
{
    int item;

    if (!is_on_axis(&chart->x, x) || !is_on_axis(&chart->y, y))
        return;
    item = chart_add(chart, CHART_DOTS, look, name);
    chart_point(chart, item, x, y, NULL);
}

static void fill_curve(struct chart *chart, const struct grid *grid, double present,
                       double present_value)
{
    char words[RESULT_PATH_MAX];

    result_words(&grid->wanted, words, sizeof words);
    add_changes(chart, grid);
    add_stability(chart, grid);
    add_target_rule(chart, grid, CHART_HORIZONTAL);
    add_value_curve(chart, grid, LOOK_FIRST, words, 0);
    if (grid->low != NULL)
        add_band(chart, grid);
    if (grid->best >= 0)
        add_mark(chart, LOOK_BEST, "best", grid->axis[0].number[grid->best],
                 grid->value[grid->best]);
    add_mark(chart, LOOK_CURRENT, "current", present, present_value);
    if (grid->regime[0] >= 0)
        chart_note(chart, "limited by %s%s", grid->name[grid->regime[0]],
                   has_change(grid) ? " at the left end" : " everywhere");
    if (grid->has_cliff) {
        char text[CLIFF_TEXT];

        cliff_print(&grid->cliff, grid->axis[0].ref, text);
        text_micro(text, sizeof text);
        chart_note(chart, "cliff: %s", text);
    }
}

/* Returns the index of the bar of the present design; -1: none. */
static int present_bar(const struct grid *grid, const double present[GRID_AXES_MAX])
{
    if (present[0] == RESULT_NONE)
        return -1;
    if (grid->axis_count == 1)
        return (int)present[0];
    return grid->axis[1].number != NULL || present[1] == RESULT_NONE
               ? -1
               : (int)present[1] * grid->axis[0].count + (int)present[0];
}

/* Adds a bar for each design from `first` on, named after its choices. */
static void fill_bars(struct chart *chart, const struct grid *grid, int first, int present)
{
    int item = chart_add(chart, CHART_SPANS, LOOK_FIRST, "each choice");
    int inner = grid->axis[0].count;

    for (int i = first; i < grid->count; i++) {
        char word[2][AXIS_TEXT_MAX];
        char name[CHART_NAME_MAX + 1], brief[GRID_REGIME_TEXT];
        const char *colon; /* after the component, for which a bar has no room */
        int row;

        axis_text(&grid->axis[0], i % inner, word[0], sizeof word[0]);
        snprintf(name, sizeof name, "%.180s", word[0]);
        if (grid->axis_count > 1) {
            axis_text(&grid->axis[1], i / inner, word[1], sizeof word[1]);
            snprintf(name, sizeof name, "%.90s, %.90s", word[1], word[0]);
        }
        row = chart_row(chart, name);
        colon = NULL;
        if (grid->regime[i] >= 0) {
            verdict_brief(grid->name[grid->regime[i]], brief);
            colon = strstr(brief, ": ");
        }
        if (grid->value[i] != RESULT_NONE)
            chart_span(chart, item, row, fmin(0, grid->value[i]), fmax(0, grid->value[i]),
                       i == present      ? LOOK_CURRENT
                       : i == grid->best ? LOOK_BEST
                                         : LOOK_FIRST,
                       grid->regime[i] < 0 ? NULL
                       : colon != NULL     ? colon + 2
                                           : brief);
    }
    add_target_rule(chart, grid, CHART_VERTICAL);
}

/* Uses a multiple of two cells per interval, so that each cell belongs to one value where they are
 * equidistant, and that those of parts, which are not, have cells, too. */
static int cell_count(const struct axis *axis, int most)
{
    int cells = axis->count > 1 ? 2 * (axis->count - 1) : 1;

    return cells < most ? most / cells * cells : most;
}

/* Shows in each cell the design nearest to its middle: rounded values are not equidistant. */
static void fill_map(struct chart *chart, const struct grid *grid, const double present[2])
{
    int columns = cell_count(&grid->axis[0], MAP_COLUMNS);
    int rows = cell_count(&grid->axis[1], MAP_ROWS);
    double *value = allocate((size_t)columns * (size_t)rows * sizeof *value);
    char words[RESULT_PATH_MAX];

    for (int r = 0; r < rows; r++) {
        int outer = grid_nearest(&grid->axis[1], plot_value(&chart->y, (r + 0.5) / rows));

        for (int c = 0; c < columns; c++)
            value[r * columns + c] =
                grid->value[outer * grid->axis[0].count +
                            grid_nearest(&grid->axis[0],
                                         plot_value(&chart->x, (c + 0.5) / columns))];
    }
    result_words(&grid->wanted, words, sizeof words);
    chart_cells(chart, chart_add(chart, CHART_CELLS, LOOK_FIRST, words), columns, rows, value,
                shade_axis(grid), grid->target);
    free(value);
    if (grid->best >= 0)
        add_mark(chart, LOOK_BEST, "best", grid->axis[0].number[grid->best % grid->axis[0].count],
                 grid->axis[1].number[grid->best / grid->axis[0].count]);
    add_mark(chart, LOOK_CURRENT, "current", present[0], present[1]);
}

/* Adds a curve for each choice of axis[1]; looks repeat if there are not enough. */
static void fill_family(struct chart *chart, const struct grid *grid)
{
    add_target_rule(chart, grid, CHART_HORIZONTAL);
    for (int i = 0; i < grid->axis[1].count; i++)
        add_value_curve(chart, grid, (enum chart_look)(LOOK_FIRST + i % LOOK_SERIES),
                        grid->axis[1].word[i], i);
}

/* Says that no value of the knobs changes the result, and of the latency what limits it. */
static void note_flat(struct chart *chart, const struct grid *grid)
{
    const bool limited = grid->wanted.row == &result_rows[RESULT_LATENCY] && grid->regime[0] >= 0 &&
                         !has_change(grid);
    char of[2 * GRID_PATH_MAX + 8], text[SWEEP_FLAT_MAX];

    snprintf(of, sizeof of, "%s%s%s", grid->words[0], grid->axis_count > 1 ? " and " : "",
             grid->axis_count > 1 ? grid->words[1] : "");
    sweep_flat_text(of, "it", limited ? grid->name[grid->regime[0]] : "", text);
    chart_note(chart, "%s", text);
}

void chart_sweep(struct chart *chart, const struct grid *grid, const struct scenario *scenario,
                 const struct result *result, int first)
{
    double present[GRID_AXES_MAX] = {RESULT_NONE, RESULT_NONE};
    double value = result == NULL ? RESULT_NONE : result_read(scenario, result, &grid->wanted);
    struct plot_axis x, y;
    char words[RESULT_PATH_MAX];

    result_words(&grid->wanted, words, sizeof words);
    for (int a = 0; a < grid->axis_count; a++)
        present[a] = chart_sweep_present(grid, a, scenario, result);
    if (grid->present != RESULT_NONE)
        value = grid->present;
    chart_init(chart, "%.68s over %.40s%s%.40s", words, grid->words[0],
               grid->axis_count > 1 ? " and " : "", grid->axis_count > 1 ? grid->words[1] : "");
    if (!find_axis(&grid->axis[0], &x)) {
        chart_x(chart, value_axis(grid, true), words);
        fill_bars(chart, grid, first, present_bar(grid, present));
    } else {
        chart_x(chart, x, grid->words[0]);
        if (grid->axis_count > 1 && find_axis(&grid->axis[1], &y)) {
            chart_y(chart, y, grid->words[1]);
            fill_map(chart, grid, present);
        } else {
            set_value_axis(chart, grid, words);
            if (grid->axis_count == 1)
                fill_curve(chart, grid, present[0], value);
            else
                fill_family(chart, grid);
        }
    }
    if (grid_is_flat(grid))
        note_flat(chart, grid);
}

/* Table ---------------------------------------------------------------------------------------- */

enum {
    DIGITS = 5,    /* more digits are rounding noise */
    NUMBER_MAX = 7 /* shorter numbers were written by the user */
};

void sweep_point_text(const struct axis *axis, int i, char *text, size_t size)
{
    const char *unit = axis->ref.knob->unit;
    const char *end;
    size_t used;
    double value;

    axis_text(axis, i, text, size);
    if (axis->number == NULL || number_parse(text, &value, &end) != STATUS_OK)
        return; /* a word or auto */
    if (knob_print_binary(axis->ref.knob, axis->number[i], text, size))
        return;
    if (strchr(text, '.') != NULL && strlen(text) > NUMBER_MAX)
        snprintf(text, size, "%.*g", DIGITS, value);
    used = strlen(text);
    if (unit[0] != '\0')
        snprintf(text + used, size - used, " %s", unit);
    text_micro(text, size);
}

bool sweep_say_unstable(const struct grid *grid, int number, char *text, size_t size)
{
    char most[40];

    if (grid->value[number] != RESULT_NONE || grid->unstable_above[number] == RESULT_NONE)
        return false;
    quantity_print(grid->unstable_above[number], "", most, sizeof most);
    snprintf(text, size, "unstable, maximum %s", most);
    return true;
}

static void add_value(struct table *table, const struct grid *grid, int number, double value)
{
    char text[64] = "-";

    if (value != RESULT_NONE)
        text_quantity(value, grid->wanted.row->unit, true, text, sizeof text);
    else if (grid->value[number] == RESULT_NONE)
        sweep_say_unstable(grid, number, text, sizeof text);
    table_add(table, text);
}

void sweep_table(const struct grid *grid, FILE *out, int columns)
{
    const int ends = grid->low == NULL ? 0 : 2; /* of the range */
    const int numbers = grid->axis_count + 1 + ends;
    struct table table = table_new(numbers + 2, (1U << numbers) - 1, numbers);
    char words[RESULT_PATH_MAX];

    result_words(&grid->wanted, words, sizeof words);
    for (int a = 0; a < grid->axis_count; a++)
        table_add(&table, grid->words[a]);
    table_add(&table, words);
    if (ends > 0) {
        table_add(&table, "lower end");
        table_add(&table, "upper end");
    }
    table_add(&table, "limited by");
    table_add(&table, "");
    for (int i = 0; i < grid->count; i++) {
        int inner = grid->axis[0].count;

        for (int a = 0; a < grid->axis_count; a++) {
            char text[AXIS_TEXT_MAX];

            sweep_point_text(&grid->axis[a], a == 0 ? i % inner : i / inner, text, sizeof text);
            table_add(&table, text);
        }
        add_value(&table, grid, i, grid->value[i]);
        if (ends > 0) {
            add_value(&table, grid, i, grid->low[i]);
            add_value(&table, grid, i, grid->high[i]);
        }
        table_add(&table, grid->regime[i] < 0 ? "-" : grid->name[grid->regime[i]]);
        table_add(&table, grid->overloaded[i] ? "overloaded" : i == grid->best ? "best" : "");
    }
    table_close(&table, out, columns);
}
