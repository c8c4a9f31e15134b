#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explain/rules.h"
#include "model/formulas.h"

/* What a component computes and moves per frame: the counts of formulas.def, by algorithm. */

#define E "element_bytes * "

enum part { STREAM, TAIL, DEFERRED };
enum quantity { FLOP, READ, WRITTEN, RESIDENT };

static const char *text_of(const struct demand_text *counts, enum part part, enum quantity quantity)
{
    const struct work_text *work = part == STREAM ? &counts->stream
                                   : part == TAIL ? &counts->tail
                                                  : &counts->deferred;

    return quantity == FLOP      ? work->flop
           : quantity == READ    ? work->read
           : quantity == WRITTEN ? work->written
                                 : work->resident;
}

static const struct demand_text *texts_of(const struct explain *explain,
                                          struct explain_subject subject)
{
    return &workload_texts[explain_algorithm(explain, subject) - algorithms];
}

static void add(const char *formula, char *text, size_t size)
{
    size_t used = strlen(text);

    if (formula != NULL)
        snprintf(text + used, size - used, "%s%s", used > 0 ? " + " : "", formula);
}

/* What of a part's quantity is to be done by the algorithm's own text. */
static void write_part(const struct explain *explain, struct explain_subject subject,
                       enum part part, enum quantity quantity, char *text, size_t size)
{
    const struct algorithm *algorithm = explain_algorithm(explain, subject);

    if (algorithm == NULL)
        return;
    add(text_of(texts_of(explain, subject), part, quantity), text, size);
    if (algorithm->type == COMPONENT_CENTROID &&
        explain_component(explain, subject)->reference_slopes)
        add(text_of(&workload_reference_slopes_text, part, quantity), text, size);
}

/* Whether parts of a split predecessor come in that are to be added. */
static bool adds_parts(const struct explain *explain, struct explain_subject subject)
{
    const struct workspace *work = explain->result->work;
    const struct plan_node *node = explain_plan(explain, subject);
    bool sums = false;

    for (int i = 0; i < node->before_count; i++) {
        int before = work->plan.pool[node->before_first + i];

        if (work->plan.node[before].component < 0)
            before = work->plan.node[before].producer;
        sums = sums || work->stage[before].adds;
    }
    return sums;
}

/* Partial results of parts of a split predecessor are read, and all but the first added. */
static void write_sums(const struct explain *explain, struct explain_subject subject,
                       enum quantity quantity, char *text, size_t size)
{
    const struct plan_node *node = explain_plan(explain, subject);
    bool sums = adds_parts(explain, subject);

    if (sums && quantity == READ)
        add(node->pieces > 1 ? "sum(summands.*.output) / pieces" : "sum(summands.*.output)", text,
            size);
    if (sums && quantity == FLOP)
        add(node->pieces > 1 ? "sum(added.*.numbers) / pieces" : "sum(added.*.numbers)", text,
            size);
}

/* Deferred work that may not wait is part of the tail. */
static void write_quantity(const struct explain *explain, struct explain_subject subject,
                           enum part part, enum quantity quantity, char *text, size_t size)
{
    const struct component *c = explain_component(explain, subject);
    bool waits = c != NULL && c->deferred != 0;

    text[0] = '\0';
    if (part != DEFERRED || waits)
        write_part(explain, subject, part, quantity, text, size);
    if (part == TAIL && !waits)
        write_part(explain, subject, DEFERRED, quantity, text, size);
    if (part == TAIL)
        write_sums(explain, subject, quantity, text, size);
}

static const struct work *explain_work(const struct explain *explain,
                                       struct explain_subject subject, enum part part)
{
    const struct demand *demand = &explain_stage(explain, subject)->demand;

    return part == STREAM ? &demand->stream : part == TAIL ? &demand->tail : &demand->deferred;
}

#define QUANTITY(name, part, quantity, field)                                                      \
    static double name##_value(const struct explain *explain, struct explain_subject subject)      \
    {                                                                                              \
        return explain_work(explain, subject, part)->field;                                        \
    }                                                                                              \
    static void name##_text(const struct explain *explain, struct explain_subject subject,         \
                            char *text, size_t size)                                               \
    {                                                                                              \
        write_quantity(explain, subject, part, quantity, text, size);                              \
    }

QUANTITY(stream_flop, STREAM, FLOP, flop)
QUANTITY(stream_read, STREAM, READ, read)
QUANTITY(stream_written, STREAM, WRITTEN, written)
QUANTITY(stream_resident, STREAM, RESIDENT, resident)
QUANTITY(tail_flop, TAIL, FLOP, flop)
QUANTITY(tail_read, TAIL, READ, read)
QUANTITY(tail_written, TAIL, WRITTEN, written)
QUANTITY(tail_resident, TAIL, RESIDENT, resident)
QUANTITY(deferred_flop, DEFERRED, FLOP, flop)
QUANTITY(deferred_read, DEFERRED, READ, read)
QUANTITY(deferred_written, DEFERRED, WRITTEN, written)
QUANTITY(deferred_resident, DEFERRED, RESIDENT, resident)

static double sweeps(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->demand.sweeps;
}

static double part_bytes(const struct explain *explain, struct explain_subject subject,
                         enum part part)
{
    const struct work *work = explain_work(explain, subject, part);

    return work->read + work->written + sweeps(explain, subject) * work->resident;
}

static double stream_bytes(const struct explain *explain, struct explain_subject subject)
{
    return part_bytes(explain, subject, STREAM);
}

static double tail_bytes(const struct explain *explain, struct explain_subject subject)
{
    return part_bytes(explain, subject, TAIL);
}

static double deferred_bytes(const struct explain *explain, struct explain_subject subject)
{
    return part_bytes(explain, subject, DEFERRED);
}

static double loaded_packets(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->weights.count;
}

static double accumulator(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->demand.accumulator;
}

static double accumulator_bytes(const struct explain *explain, struct explain_subject subject)
{
    return accumulator(explain, subject) * loaded_packets(explain, subject);
}

static bool accumulates(const struct explain *explain, struct explain_subject subject)
{
    return accumulator(explain, subject) > 0;
}

static bool accumulates_packets(const struct explain *explain, struct explain_subject subject)
{
    return accumulates(explain, subject) && loaded_packets(explain, subject) > 1;
}

static double numbers(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->output / explain_element(explain, subject);
}

static double output(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->output;
}

static void output_text(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    if (explain_algorithm(explain, subject)->type == COMPONENT_PROGRAM)
        snprintf(text, size, "sum(before.*.output)%s",
                 adds_parts(explain, subject) ? " - sum(added.*.output)" : "");
    else
        snprintf(text, size, "%s", texts_of(explain, subject)->output);
}

static void sweeps_text(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    add(texts_of(explain, subject)->sweeps, text, size);
}

static double centroid_pixels(const struct explain *explain, struct explain_subject subject)
{
    const struct workload_wfs wfs = {
        .pixels_per_subap =
            explain->scenario->wfs[explain_plan(explain, subject)->wfs].pixels_per_subap};

    return formula_centroid_pixels(
        stage_subaps(explain->result->work, explain->scenario, explain_plan(explain, subject)->wfs),
        wfs);
}

static bool is_centroid(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->type == COMPONENT_CENTROID;
}

/* clang-format off */
const struct explain_rule explain_count_rules[] = {
    {EXPLAIN_COMPONENT, "flop", NULL, explain_computes, "stream_flop + tail_flop + deferred_flop",
     NULL, NULL, NULL, true},
    {EXPLAIN_COMPONENT, "flop", NULL, NULL, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "bytes", NULL, explain_computes,
     "stream_bytes + tail_bytes + deferred_bytes + accumulator_bytes", NULL, NULL, NULL, true},
    {EXPLAIN_COMPONENT, "working_set", NULL, explain_computes,
     "stream_resident + tail_resident + deferred_resident", NULL, NULL, NULL, true},
    {EXPLAIN_COMPONENT, "working_set", NULL, NULL, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "stream_bytes", "B", explain_computes,
     "stream_read + stream_written + sweeps * stream_resident", stream_bytes,
     "moved as the packets arrive, without partial results", NULL, true},
    {EXPLAIN_COMPONENT, "tail_bytes", "B", explain_computes,
     "tail_read + tail_written + sweeps * tail_resident", tail_bytes,
     "moved once the last packet is in", NULL, true},
    {EXPLAIN_COMPONENT, "deferred_bytes", NULL, explain_computes,
     "deferred_read + deferred_written + sweeps * deferred_resident", deferred_bytes,
     "moved once the command is out", NULL, true},
    {EXPLAIN_COMPONENT, "deferred_bytes", NULL, NULL, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "sweeps", "", explain_computes, NULL, sweeps,
     "times a frame reads what stays in memory", sweeps_text, false},
    {EXPLAIN_COMPONENT, "accumulator_bytes", "B", accumulates, "accumulator * loaded_packets",
     accumulator_bytes, "partial results, moved with every packet", NULL, false},
    {EXPLAIN_COMPONENT, "accumulator_bytes", "B", explain_computes, NULL, accumulator_bytes,
     "there are no partial results", NULL, false},
    {EXPLAIN_COMPONENT, "accumulator", "B", accumulates_packets, "2 * element_bytes * rows",
     accumulator, "the partial result, read and written", NULL, false},
    {EXPLAIN_COMPONENT, "accumulator", "B", accumulates, "element_bytes * rows", accumulator,
     "the result, written", NULL, false},
    {EXPLAIN_COMPONENT, "stream_flop", "FLOP", explain_computes, NULL, stream_flop_value,
     "as the packets arrive", stream_flop_text, false},
    {EXPLAIN_COMPONENT, "tail_flop", "FLOP", explain_computes, NULL, tail_flop_value,
     "once the last packet is in", tail_flop_text, false},
    {EXPLAIN_COMPONENT, "deferred_flop", NULL, explain_computes, NULL, deferred_flop_value,
     "once the command is out", deferred_flop_text, false},
    {EXPLAIN_COMPONENT, "deferred_flop", NULL, NULL, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "stream_read", "B", explain_computes, NULL, stream_read_value,
     "passes once, as the packets arrive", stream_read_text, false},
    {EXPLAIN_COMPONENT, "tail_read", "B", explain_computes, NULL, tail_read_value,
     "passes once, after the last packet", tail_read_text, false},
    {EXPLAIN_COMPONENT, "deferred_read", "B", explain_computes, NULL, deferred_read_value,
     "passes once, after the command", deferred_read_text, false},
    {EXPLAIN_COMPONENT, "stream_written", "B", explain_computes, NULL, stream_written_value,
     "leaves as the packets arrive", stream_written_text, false},
    {EXPLAIN_COMPONENT, "tail_written", "B", explain_computes, NULL, tail_written_value,
     "leaves after the last packet", tail_written_text, false},
    {EXPLAIN_COMPONENT, "deferred_written", "B", explain_computes, NULL, deferred_written_value,
     "leaves after the command", deferred_written_text, false},
    {EXPLAIN_COMPONENT, "stream_resident", "B", explain_computes, NULL, stream_resident_value,
     "stays in memory, read as the packets arrive", stream_resident_text, false},
    {EXPLAIN_COMPONENT, "tail_resident", "B", explain_computes, NULL, tail_resident_value,
     "stays in memory, read after the last packet", tail_resident_text, false},
    {EXPLAIN_COMPONENT, "deferred_resident", "B", explain_computes, NULL, deferred_resident_value,
     "stays in memory, read after the command", deferred_resident_text, false},
    {EXPLAIN_COMPONENT, "centroid_pixels", "px", is_centroid, formula_text_centroid_pixels,
     centroid_pixels, "of all its subapertures", NULL, false},
    {EXPLAIN_COMPONENT, "loaded_packets", "", NULL, NULL, loaded_packets,
     "packets that bring it work", explain_loaded_text, false},
    {EXPLAIN_COMPONENT, "output", "B", explain_computes, NULL, output, "handed on per frame",
     output_text, false},
    {EXPLAIN_COMPONENT, "numbers", "", explain_computes, "output / element_bytes", numbers,
     "handed on per frame", NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */

/* Workload rules ------------------------------------------------------------------------------- */

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
    {EXPLAIN_COMPONENT, "grid", "", fed_grid, formula_text_grid, grid,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "grid", "", grid_open, "square(next_power_of_two(max(sensors.*.subaps_across)))",
     grid, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "subaps_across", "", explain_senses, "wfs.subaps_across", across,
     "of its sensor", NULL, false},
    {EXPLAIN_COMPONENT, "subaps_across", "", NULL, "max(before.*.subaps_across)", across,
     "of the largest sensor that feeds it", NULL, false},
    {EXPLAIN_COMPONENT, "tiles", "", is_reconstruction, formula_text_tiles,
     tiles, "of the matrix", NULL, false},
    {EXPLAIN_COMPONENT, "fft_side", "px", is_centroid,
     formula_text_fft_side, fft_side,
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
