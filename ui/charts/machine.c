#include "charts/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/units.h"
#include "draw/text.h"
#include "model/result.h"
#include "probe/datagram.h"
#include "probe/dispatch_points.h"
#include "probe/geometry.h"
#include "probe/gpu.h"
#include "probe/gpu_machine.h"
#include "probe/kernels.h"
#include "probe/machine_preset.h"

static void fit_surface(struct machine_figures *figures, const struct measurement *measurement)
{
    struct error *error = &figures->unfitted;

    if (surface_from_measurement(measurement, &figures->fits.surface, error) != STATUS_OK)
        return;
    surface_keep_largest(&figures->fits.surface);
    surface_fit_make(&figures->fits, error);
}

static void predict_times(struct machine_figures *figures, const struct measurement *measurement)
{
    struct device *device = allocate_array(1, sizeof *device);

    if (machine_device(measurement, device, &figures->unpredicted) == STATUS_OK)
        predict_kernels(&figures->prediction, measurement, device, &figures->unpredicted);
    free(device);
}

struct machine_figures *machine_figures_new(const struct measurement *measurement)
{
    struct machine_figures *figures = allocate_array(1, sizeof *figures);

    measurement_merge(&figures->measurement, measurement);
    measurement = &figures->measurement;
    knees_from_measurement(measurement, &figures->knees);
    machine_from_measurement(measurement, &figures->machine);
    operation_table_make(measurement, &figures->operations);
    if (measurement_has(measurement, MEASUREMENT_APEX))
        fit_surface(figures, measurement);
    if (measurement_has(measurement, MEASUREMENT_KERNELS))
        predict_times(figures, measurement);
    return figures;
}

void machine_figures_free(struct machine_figures *figures)
{
    if (figures == NULL)
        return;
    prediction_free(&figures->prediction);
    surface_fit_free(&figures->fits);
    measurement_free(&figures->measurement);
    free(figures);
}

/* Charts --------------------------------------------------------------------------------------- */

#define EVEN 1.01 /* tolerance for equal ratios of keys */
#define LABEL 64

struct staircase_curves {
    double chains; /* of `most`; 1: there is only `one` */
    struct staircase one, most;
    struct plot_axis x, y;
};

/* Returns false if there is no curve. */
static bool find_curves(const struct measurement *measurement, struct staircase_curves *curves)
{
    const struct staircase *curve[] = {&curves->one, &curves->most};
    double low = (double)INFINITY;
    double high = 0;

    curves->chains = staircase_chains_most(measurement);
    staircase_from_measurement(measurement, 1, &curves->one);
    staircase_from_measurement(measurement, curves->chains, &curves->most);
    if (curves->one.count < 2)
        return false;
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < curve[c]->count; i++) {
            low = fmin(low, curve[c]->latency[i]);
            high = fmax(high, curve[c]->latency[i]);
        }
    curves->x = plot_axis_around(PLOT_BINARY, curves->one.size[0],
                                 curves->one.size[curves->one.count - 1], "B");
    curves->y = plot_axis_around(PLOT_DECADES, low, high, "s");
    return true;
}

static void add_staircase(struct chart *chart, const struct staircase *curve, enum chart_look look,
                          const char *name)
{
    int item = chart_add(chart, CHART_CURVE, look, name);

    for (int i = 0; i < curve->count; i++)
        chart_point(chart, item, curve->size[i], curve->latency[i], NULL);
}

/* Adds a rule at a capacity, which becomes part of its name. */
static void add_capacity(struct chart *chart, enum chart_look look, const char *what, double size)
{
    char capacity[32], name[96];

    quantity_print(size, "KiB", capacity, sizeof capacity);
    snprintf(name, sizeof name, "%s %s", what, capacity);
    chart_rule(chart, CHART_VERTICAL, look, size, name);
}

bool chart_staircase(struct chart *chart, const struct measurement *measurement,
                     const struct knees *knees, const struct machine *machine, bool brief)
{
    struct staircase_curves curves;
    struct geometry geometry;
    char name[64];

    chart_init(chart, STAIRCASE_TITLE);
    if (!find_curves(measurement, &curves))
        return false;
    chart_x(chart, curves.x, brief ? "" : "working set");
    chart_y(chart, curves.y, brief ? "" : "time per access");
    add_staircase(chart, &curves.one, LOOK_FIRST,
                  brief ? "one chain" : "one chain: dependent accesses");
    snprintf(name, sizeof name, "%.0f at once", curves.chains);
    if (curves.chains > 1)
        add_staircase(chart, &curves.most, LOOK_FIRST + 1, name);
    for (int i = 0; i < knees->plateaus - 1; i++)
        add_capacity(chart, LOOK_CHANGE, "knee", knees->capacity[i]);
    geometry_from_measurement(measurement, &geometry);
    for (int i = 0; i < geometry.tlbs; i++)
        add_capacity(chart, LOOK_OTHER, "TLB", geometry.tlb[i]);
    for (int i = 0; i < machine->levels; i++) {
        const struct machine_level *level = &machine->level[i];

        snprintf(name, sizeof name, brief ? "%s" : "%s, as the system says",
                 memory_level_name(level->id));
        if (level->system > 0)
            add_capacity(chart, LOOK_OTHER, name, level->system);
    }
    return true;
}

static bool build_staircase(struct chart *chart, const struct machine_figures *figures)
{
    return chart_staircase(chart, &figures->measurement, &figures->knees, &figures->machine, false);
}

/* Selects scalar operations and those of the compiler's vector width, if they were measured. */
static bool operation_is_shown(const struct operation_table *table, const struct operation_row *row)
{
    return row->latency != RESULT_NONE && (row->lanes == 1 || row->bits == table->best_bits);
}

/* Draws each operation's time at full throughput, extended to its latency. */
static bool build_operations(struct chart *chart, const struct machine_figures *figures)
{
    const struct operation_table *table = &figures->operations;
    double longest = 0;
    int item;

    chart_init(chart, "Operations: throughput and latency");
    item = chart_add(chart, CHART_SPANS, LOOK_COMPUTE, "at full rate");
    for (int r = 0; r < table->rows; r++) {
        const struct operation_row *row = &table->row[r];
        double each = row->rate == RESULT_NONE ? 0 : 1 / row->rate;
        char text[LABEL];
        int at;

        if (!operation_is_shown(table, row))
            continue;
        snprintf(text, sizeof text, "%s %s %.0f bit", row->name, row->type, row->bits);
        at = chart_row(chart, text);
        snprintf(text, sizeof text, "%.3g cycles", row->latency_cycles);
        if (row->rate != RESULT_NONE)
            snprintf(text, sizeof text, "%.3g cycles, %.3g per cycle", row->latency_cycles,
                     row->rate_per_cycle);
        if (each > 0)
            chart_span(chart, item, at, 0, fmin(each, row->latency), LOOK_COMPUTE, NULL);
        chart_span(chart, item, at, fmin(each, row->latency), row->latency, LOOK_WAIT, text);
        longest = fmax(longest, row->latency);
    }
    chart_x(chart, plot_axis_around(PLOT_LINEAR, 0, 1.5 * longest, "s"), "time of an operation");
    return longest > 0;
}

/* Returns a logarithmic axis if the keys grow by a constant factor, else one that counts the
 * keys. */
static struct plot_axis even_axis(const struct residual_group *group, int count, const char **title)
{
    double step = count > 1 ? group[1].key / group[0].key : 2;

    *title = "L, words read in a row";
    for (int i = 1; i < count; i++)
        if (fabs(log(group[i].key / group[i - 1].key / step)) > log(EVEN)) {
            *title = "number of L";
            return (struct plot_axis){PLOT_WHOLE, 0.5, count + 0.5, ""};
        }
    return (struct plot_axis){PLOT_BINARY, group[0].key / sqrt(step),
                              group[count - 1].key * sqrt(step), ""};
}

static bool build_residuals(struct chart *chart, const struct machine_figures *figures)
{
    const struct residuals *residuals = &figures->fits.residuals[figures->fits.shown];
    int columns = residuals->blocks;
    int rows = residuals->alphas;
    double low = 1;
    double high = 1;
    double *ratio;
    const char *title;
    int item;

    chart_init(chart, "Apex-MAP: measured / predicted");
    if (figures->unfitted.status != STATUS_OK || columns < 1 || rows < 1)
        return false;
    chart_note(chart, "model %s", fit_forms[figures->fits.shown].title);
    item = chart_add(chart, CHART_CELLS, LOOK_CURRENT, "measured / predicted");
    ratio = allocate((size_t)columns * (size_t)rows * sizeof *ratio);
    for (int a = 0; a < rows; a++) {
        char text[32];

        snprintf(text, sizeof text, "alpha %.4g", residuals->by_alpha[a].key);
        chart_row(chart, text);
        for (int b = 0; b < columns; b++) {
            const struct residual_group *cell = &residuals->cell[a * columns + b];
            double *value = &ratio[(rows - 1 - a) * columns + b];

            *value = cell->count > 0 ? exp(cell->mean) : RESULT_NONE;
            low = cell->count > 0 ? fmin(low, *value) : low;
            high = cell->count > 0 ? fmax(high, *value) : high;
        }
    }
    chart_cells(chart, item, columns, rows, ratio, plot_axis_around(PLOT_DECADES, low, high, ""),
                RESULT_NONE);
    free(ratio);
    chart_x(chart, even_axis(residuals->by_block, columns, &title), "");
    snprintf(chart->x_title, sizeof chart->x_title, "%s", title);
    return true;
}

static const char *kernel_title(const struct kernel *kernel)
{
    const char *point = strchr(kernel->name, '.');

    return point == NULL ? kernel->name : point + 1;
}

/* Reuses the looks, since there are more kernels than looks for series. */
static enum chart_look look_of_kernel(int number)
{
    return (enum chart_look)(number < LOOK_SERIES ? LOOK_FIRST + number
                                                  : LOOK_LINK + number - LOOK_SERIES);
}

static void add_kernel(struct chart *chart, const struct prediction *prediction, int number,
                       double *low, double *high)
{
    int item = -1;

    for (int i = 0; i < prediction->count; i++) {
        const struct predicted_row *row = &prediction->row[i];
        char text[LABEL];

        if (row->ratio == RESULT_NONE || strcmp(row->point->name, kernels[number].name) != 0)
            continue;
        if (item < 0)
            item = chart_add(chart, CHART_DOTS, look_of_kernel(number),
                             kernel_title(&kernels[number]));
        snprintf(text, sizeof text, "%s %s, %.0f %s", kernel_title(&kernels[number]),
                 row->point->of, row->point->parameter[PARAMETER_CORES],
                 row->point->parameter[PARAMETER_CORES] > 1 ? "cores" : "core");
        chart_point(chart, item, row->measured, row->predicted, text);
        *low = fmin(*low, fmin(row->measured, row->predicted));
        *high = fmax(*high, fmax(row->measured, row->predicted));
    }
}

/* Adds a line where the prediction is off by a factor. */
static void add_ratio(struct chart *chart, double factor, enum chart_look look, const char *name)
{
    int item = chart_add(chart, CHART_CURVE, look, name);

    chart_point(chart, item, chart->x.low, chart->x.low * factor, NULL);
    chart_point(chart, item, chart->x.high, chart->x.high * factor, NULL);
}

static bool build_predictions(struct chart *chart, const struct machine_figures *figures)
{
    struct prediction_summary summary = prediction_summarise(&figures->prediction, NULL);
    double low = (double)INFINITY;
    double high = 0;
    struct plot_axis axis;

    chart_init(chart, KERNELS_TITLE);
    if (figures->unpredicted.status != STATUS_OK || summary.count == 0)
        return false;
    for (int k = 0; k < kernel_count; k++)
        add_kernel(chart, &figures->prediction, k, &low, &high);
    axis = plot_axis_around(PLOT_DECADES, low, high, "s");
    chart_x(chart, axis, "measured time per frame");
    chart_y(chart, axis, "predicted time per frame");
    add_ratio(chart, 1, LOOK_TARGET, "equal");
    add_ratio(chart, 1 + PREDICT_NINTH, LOOK_OTHER, "25 % off");
    add_ratio(chart, 1 / (1 + PREDICT_NINTH), LOOK_OTHER, "25 % off");
    chart_note(chart, "half within %.3g %%, 9 in 10 within %.3g %%", 100 * summary.median_error,
               100 * summary.ninth_error);
    return true;
}

/* Draws the bandwidth by size and extends the range of sizes and rates; `each`: a sample is the
 * time of a byte, otherwise of the size, and the type is that of copies. */
static void add_gpu_rate(struct chart *chart, const struct measurement *measurement,
                         const char *name, bool each, enum chart_look look, double range[4])
{
    const char *type = each ? NULL : gpu_copy_type(measurement);
    int item = -1;

    for (double after = -1, size; after < HUGE_VAL; after = size) {
        const struct measurement_point *next = NULL;
        double rate;

        size = HUGE_VAL;
        for (int i = 0; i < measurement->count; i++) {
            const struct measurement_point *point = &measurement->point[i];

            if (point->part == MEASUREMENT_GPU && point->count > 0 &&
                strcmp(point->name, name) == 0 &&
                (type == NULL || strcmp(point->type, type) == 0) &&
                point->parameter[PARAMETER_SIZE] > after && point->parameter[PARAMETER_SIZE] > 0 &&
                point->parameter[PARAMETER_SIZE] < size) {
                next = point;
                size = point->parameter[PARAMETER_SIZE];
            }
        }
        if (next == NULL)
            break;
        rate = (each ? 1 : size) / point_least(next);
        if (item < 0)
            item = chart_add(chart, CHART_CURVE, look, name);
        chart_point(chart, item, size, rate, NULL);
        range[0] = fmin(range[0], size);
        range[1] = fmax(range[1], size);
        range[2] = fmin(range[2], rate);
        range[3] = fmax(range[3], rate);
    }
}

/* Appends a time to the note unless it is unknown. */
static void note_time(struct chart *chart, const char *name, double time)
{
    size_t used = strlen(chart->note);
    char text[40];

    if (time == RESULT_NONE)
        return;
    quantity_print(time, "s", text, sizeof text);
    text_micro(text, sizeof text);
    snprintf(chart->note + used, sizeof chart->note - used, "%s%s %s", used > 0 ? " \xC2\xB7 " : "",
             name, text);
}

bool chart_gpu(struct chart *chart, const struct measurement *measurement, bool brief)
{
    static const struct {
        const char *name;
        bool each;
    } rates[] = {{GPU_READ, true},
                 {GPU_WRITE, true},
                 {GPU_COPY, true},
                 {GPU_TO_DEVICE, false},
                 {GPU_TO_HOST, false}};
    double range[4] = {HUGE_VAL, 0, HUGE_VAL, 0};
    struct gpu_machine gpu;

    chart_init(chart, "GPU: bandwidth");
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        add_gpu_rate(chart, measurement, rates[i].name, rates[i].each,
                     (enum chart_look)(LOOK_FIRST + (int)i), range);
    if (range[1] <= range[0])
        return false;
    chart_x(chart, plot_axis_around(PLOT_BINARY, range[0], range[1], "B"), brief ? "" : "bytes");
    chart_y(chart, plot_axis_around(PLOT_DECADES, range[2], range[3], "B/s"),
            brief ? "" : "bandwidth");
    gpu_machine_from(measurement, &gpu);
    if (gpu.figures.cache > 0)
        add_capacity(chart, LOOK_OTHER, "cache", gpu.figures.cache);
    note_time(chart, "launch", gpu.starts[DISPATCH_STREAM].launch);
    note_time(chart, "between kernels", gpu.starts[DISPATCH_STREAM].boundary);
    note_time(chart, "smallest copy", gpu.copy_latency);
    return true;
}

/* Returns true for a point that a pane with few rows shows: of datagrams those of a preset. */
static bool delay_is_brief(const struct measurement_point *point,
                           const struct dispatch_times *times)
{
    double size = point->parameter[PARAMETER_SIZE];
    bool sent = strcmp(point->name, DISPATCH_EGRESS) == 0;

    return (isnan(size) || size == (sent ? DATAGRAM_STANDARD : times->size)) &&
           (strcmp(point->type, DISPATCH_POLLING) != 0 ||
            strcmp(point->name, DISPATCH_LAUNCH) == 0) &&
           strcmp(point->name, DISPATCH_ROUND_TRIP) != 0 && strcmp(point->name, DISPATCH_SEND) != 0;
}

/* Draws each delay's median, extended to its 99th percentile. */
bool chart_dispatch(struct chart *chart, const struct measurement *measurement, bool brief)
{
    double low = HUGE_VAL;
    double high = 0;
    struct dispatch_times preset;
    int half, nearly_all;

    dispatch_times_from(measurement, &preset);
    chart_init(chart, DISPATCH_TITLE);
    half = chart_add(chart, CHART_SPANS, LOOK_FIRST, "half of all");
    nearly_all = chart_add(chart, CHART_SPANS, LOOK_FIRST + 1, "99 of 100");
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < measurement->count; i++) {
            const struct measurement_point *point = &measurement->point[i];
            double median = point_median(point);
            double most = point_p99(point);
            char label[LABEL], usual[LABEL], unlucky[LABEL], times[2 * LABEL + sizeof ", p99 "];
            int at;

            if (point->part != MEASUREMENT_DISPATCH || point->count == 0 ||
                point->parameter[PARAMETER_REALTIME] == 1 ||
                (brief && !delay_is_brief(point, &preset)))
                continue;
            low = fmin(low, point_least(point));
            high = fmax(high, most);
            if (pass == 0)
                continue;
            dispatch_point_label(point, label, sizeof label);
            at = chart_row(chart, label);
            quantity_print(median, "s", usual, sizeof usual);
            quantity_print(most, "s", unlucky, sizeof unlucky);
            snprintf(times, sizeof times, "%s%s, p99 %s", point_noisy(point) ? NOISY : "", usual,
                     unlucky);
            if (point_noisy(point))
                chart_note(chart, NOISY ": noisy, half of the samples are over 10 %% apart");
            text_micro(times, sizeof times);
            chart_span(chart, half, at, low / 2, median, LOOK_FIRST, NULL);
            chart_span(chart, nearly_all, at, median, most, LOOK_FIRST + 1, times);
        }
    if (high <= 0)
        return false;
    chart_x(chart, plot_axis_around(PLOT_DECADES, low / 2, 100 * high, "s"), brief ? "" : "delay");
    return true;
}

static bool build_dispatch(struct chart *chart, const struct machine_figures *figures)
{
    return chart_dispatch(chart, &figures->measurement, false);
}

static bool build_gpu(struct chart *chart, const struct machine_figures *figures)
{
    return chart_gpu(chart, &figures->measurement, false);
}

bool chart_machine(struct chart *chart, const struct machine_figures *figures,
                   enum measurement_part part)
{
    static bool (*const build[MEASUREMENT_PARTS])(struct chart *,
                                                  const struct machine_figures *) = {
        [MEASUREMENT_MEMORY] = build_staircase,  [MEASUREMENT_OPERATIONS] = build_operations,
        [MEASUREMENT_APEX] = build_residuals,    [MEASUREMENT_KERNELS] = build_predictions,
        [MEASUREMENT_DISPATCH] = build_dispatch, [MEASUREMENT_GPU] = build_gpu,
    };
    const struct measurement *measurement = &figures->measurement;
    size_t used;

    *chart = (struct chart){0};
    if (build[part] == NULL || !measurement_has(measurement, part) || !build[part](chart, figures))
        return false;
    used = strlen(chart->note);
    snprintf(chart->note + used, sizeof chart->note - used, "%smeasured %s",
             used > 0 ? " \xC2\xB7 " : "", measurement->condition[CONDITION_DATE]);
    chart_heading(chart, "%s",
                  measurement->condition[part == MEASUREMENT_GPU ? CONDITION_GPU : CONDITION_CPU]);
    return true;
}
