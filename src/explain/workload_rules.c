#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explain/rules.h"
#include "workload_demands.h"

static double pixels(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->pixels;
}

static double subaps(const struct explain *explain, struct explain_subject subject)
{
    return stage_subaps(explain->result->work, explain->scenario,
                        explain_plan(explain, subject)->wfs);
}

static double slopes(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->slopes;
}

static double sensor_slopes(const struct explain *explain, struct explain_subject subject)
{
    return 2 * stage_subaps(explain->result->work, explain->scenario, subject.index);
}

static double valid_subaps(const struct explain *explain, struct explain_subject subject)
{
    return explain->result->wfs[subject.index].subaps;
}

static bool has_wfs(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->wfs >= 0;
}

static bool is_reconstruction(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->type == COMPONENT_RECONSTRUCTION;
}

static bool rows_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c != NULL && c->rows == 0 && is_reconstruction(explain, subject);
}

static bool modal_rows(const struct explain *explain, struct explain_subject subject)
{
    return rows_open(explain, subject) && explain->scenario->ao.modes > 0;
}

static bool columns_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c != NULL && c->columns == 0 && explain_computes(explain, subject);
}

static double arriving(const struct explain *explain, struct explain_subject subject)
{
    const struct plan_node *node = explain_plan(explain, subject);
    double sum = 0;

    for (int i = 0; i < node->before_count; i++)
        sum += stage_before(explain->result->work, node, i)->slopes;
    return sum;
}

static bool fed_columns(const struct explain *explain, struct explain_subject subject)
{
    return columns_open(explain, subject) && arriving(explain, subject) > 0;
}

static double columns(const struct explain *explain, struct explain_subject subject)
{
    double sum = 0;

    if (arriving(explain, subject) > 0)
        return arriving(explain, subject);
    for (int i = 0; i < explain->scenario->wfs_count; i++)
        sum += 2 * stage_subaps(explain->result->work, explain->scenario, i);
    return sum;
}

static bool states_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c != NULL && c->states == 0;
}

static double states(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return 2 * explain->scenario->ao.actuators;
}

static bool grid_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c != NULL && c->grid == 0;
}

static bool fed_grid(const struct explain *explain, struct explain_subject subject)
{
    return grid_open(explain, subject) && explain_stage(explain, subject)->across > 0;
}

static double across(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->across;
}

static double grid(const struct explain *explain, struct explain_subject subject)
{
    double most = across(explain, subject);
    double side;

    for (int i = 0; across(explain, subject) == 0 && i < explain->scenario->wfs_count; i++)
        most = fmax(most, explain->scenario->wfs[i].subaps_across);
    side = next_power_of_two(most);
    return side * side;
}

/* A part has some of the rows or some of the columns. */
static bool part_rows(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return explain_plan(explain, subject)->parts > 0 && c->split == SPLIT_ROWS;
}

static bool part_columns(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return explain_plan(explain, subject)->parts > 0 && c->split == SPLIT_COLUMNS;
}

static double all_rows(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c->rows > 0                       ? c->rows
           : explain->scenario->ao.modes > 0 ? explain->scenario->ao.modes
                                             : explain->scenario->ao.actuators;
}

static double all_columns(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c->columns > 0 ? c->columns : columns(explain, subject);
}

static bool subaps_open(const struct explain *explain, struct explain_subject subject)
{
    return explain->scenario->wfs[subject.index].valid_subaps == 0;
}

static bool width_open(const struct explain *explain, struct explain_subject subject)
{
    return explain->scenario->wfs[subject.index].detector_width == 0;
}

static bool height_open(const struct explain *explain, struct explain_subject subject)
{
    return explain->scenario->wfs[subject.index].detector_height == 0;
}

static bool pyramid_width(const struct explain *explain, struct explain_subject subject)
{
    return width_open(explain, subject) &&
           explain->scenario->wfs[subject.index].kind == WFS_PYRAMID;
}

static bool pyramid_height(const struct explain *explain, struct explain_subject subject)
{
    return height_open(explain, subject) &&
           explain->scenario->wfs[subject.index].kind == WFS_PYRAMID;
}

static bool has_fft(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->type == COMPONENT_CENTROID;
}

static double fft_side(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return next_power_of_two(
        explain->scenario->wfs[explain_plan(explain, subject)->wfs].pixels_per_subap + c->search -
        1);
}

static double tiles(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);
    const struct stage *stage = explain_stage(explain, subject);

    return ceil(stage->rows / c->tile) * ceil(stage->columns / c->tile);
}

static void slopes_text(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    const struct algorithm *algorithm = explain_algorithm(explain, subject);
    double each = algorithm == NULL ? 0 : algorithm->slopes_per_subap;

    if (!explain_senses(explain, subject))
        snprintf(text, size, "sum(before.*.slopes)%s",
                 explain_plan(explain, subject)->parts > 0 ? " / parts" : "");
    else if (each > 0)
        snprintf(text, size, "%.0f * subaps", each);
}

/* clang-format off */
const struct explain_rule explain_workload_rules[] = {
    {EXPLAIN_COMPONENT, "pixels", "px", has_wfs,
     "wfs.detector_width * wfs.detector_height * wfs.count", pixels,
     "of all its detectors", NULL, false},
    {EXPLAIN_COMPONENT, "subaps", "", has_wfs, "wfs.valid_subaps * wfs.count", subaps,
     "valid subapertures or pupil pixels of all its sensors", NULL, false},
    {EXPLAIN_COMPONENT, "element_bytes", "B", explain_computes, NULL, explain_element,
     "of one number, by precision", NULL, false},
    {EXPLAIN_COMPONENT, "slopes", "", NULL, NULL, slopes, "measurements it hands on per frame",
     slopes_text, false},
    {EXPLAIN_COMPONENT, "rows", NULL, part_rows, "all_rows / parts", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "rows", NULL, rows_open, "all_rows", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "all_rows", "", modal_rows, "ao.modes", all_rows, "of the whole matrix",
     NULL, false},
    {EXPLAIN_COMPONENT, "all_rows", "", rows_open, "ao.actuators", all_rows, "of the whole matrix",
     NULL, false},
    {EXPLAIN_COMPONENT, "all_rows", "", is_reconstruction, "knob.rows", all_rows,
     "of the whole matrix", NULL, false},
    {EXPLAIN_COMPONENT, "columns", NULL, part_columns, "all_columns / parts", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "columns", NULL, columns_open, "all_columns", columns, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "all_columns", "", fed_columns, "sum(before.*.slopes)", all_columns,
     "of the whole matrix", NULL, false},
    {EXPLAIN_COMPONENT, "all_columns", "", columns_open, "sum(sensors.*.slopes)", all_columns,
     "of the whole matrix", NULL, false},
    {EXPLAIN_COMPONENT, "all_columns", "", explain_computes, "knob.columns", all_columns,
     "of the whole matrix", NULL, false},
    {EXPLAIN_COMPONENT, "states", NULL, states_open, "2 * ao.actuators", states, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "grid", "", fed_grid, "2 ^ (2 * ceil(log2(subaps_across)))", grid,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "grid", "", grid_open, "2 ^ (2 * ceil(log2(max(sensors.*.subaps_across))))",
     grid, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "subaps_across", "", explain_senses, "wfs.subaps_across", across,
     "of its sensor", NULL, false},
    {EXPLAIN_COMPONENT, "subaps_across", "", NULL, "max(before.*.subaps_across)", across,
     "of the largest sensor that feeds it", NULL, false},
    {EXPLAIN_COMPONENT, "tiles", "", is_reconstruction, "ceil(rows / tile) * ceil(columns / tile)",
     tiles, "of the matrix", NULL, false},
    {EXPLAIN_COMPONENT, "fft_side", "px", has_fft,
     "2 ^ ceil(log2(wfs.pixels_per_subap + search - 1))", fft_side,
     "of a Fourier transform that holds image and shifts", NULL, false},
    {EXPLAIN_WFS, "slopes", "", NULL, "2 * count * valid_subaps", sensor_slopes,
     "of all its sensors", NULL, false},
    {EXPLAIN_WFS, "valid_subaps", NULL, subaps_open, "geometry(subaps_across, obscuration)",
     valid_subaps, NULL, NULL, false},
    {EXPLAIN_WFS, "detector_width", NULL, pyramid_width,
     "2 * floor((6 * subaps_across + 4) / 5)", NULL, NULL, NULL, false},
    {EXPLAIN_WFS, "detector_width", NULL, width_open, "subaps_across * pixels_per_subap", NULL,
     NULL, NULL, false},
    {EXPLAIN_WFS, "detector_height", NULL, pyramid_height,
     "2 * floor((6 * subaps_across + 4) / 5)", NULL, NULL, NULL, false},
    {EXPLAIN_WFS, "detector_height", NULL, height_open, "subaps_across * pixels_per_subap", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
