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

#define QUANTITY(name, part, quantity)                                                             \
    static void name##_text(const struct explain *explain, struct explain_subject subject,         \
                            char *text, size_t size)                                               \
    {                                                                                              \
        write_quantity(explain, subject, part, quantity, text, size);                              \
    }

QUANTITY(stream_flop, STREAM, FLOP)
QUANTITY(stream_read, STREAM, READ)
QUANTITY(stream_written, STREAM, WRITTEN)
QUANTITY(stream_resident, STREAM, RESIDENT)
QUANTITY(tail_flop, TAIL, FLOP)
QUANTITY(tail_read, TAIL, READ)
QUANTITY(tail_written, TAIL, WRITTEN)
QUANTITY(tail_resident, TAIL, RESIDENT)
QUANTITY(deferred_flop, DEFERRED, FLOP)
QUANTITY(deferred_read, DEFERRED, READ)
QUANTITY(deferred_written, DEFERRED, WRITTEN)
QUANTITY(deferred_resident, DEFERRED, RESIDENT)

static double loaded_packets(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->weights.count;
}

static double accumulator(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->demand.accumulator;
}

static bool accumulates(const struct explain *explain, struct explain_subject subject)
{
    return accumulator(explain, subject) > 0;
}

static bool accumulates_packets(const struct explain *explain, struct explain_subject subject)
{
    return accumulates(explain, subject) && loaded_packets(explain, subject) > 1;
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

static bool is_centroid(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->type == COMPONENT_CENTROID;
}

/* clang-format off */
const struct explain_rule explain_count_rules[] = {
    {.kind = EXPLAIN_COMPONENT, .key = "flop", .when = explain_computes,
     .formula = "stream_flop + tail_flop + deferred_flop", .prune = true},
    {.kind = EXPLAIN_COMPONENT, .key = "flop"},
    {.kind = EXPLAIN_COMPONENT, .key = "bytes", .when = explain_computes,
     .formula = "stream_bytes + tail_bytes + deferred_bytes + accumulator_bytes", .prune = true},
    {.kind = EXPLAIN_COMPONENT, .key = "working_set", .when = explain_computes,
     .formula = "stream_resident + tail_resident + deferred_resident", .prune = true},
    {.kind = EXPLAIN_COMPONENT, .key = "working_set"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_bytes", .unit = "B", .when = explain_computes,
     .formula = "stream_read + stream_written + sweeps * stream_resident", .prune = true,
     .help = "moved as the packets arrive, without partial results"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_bytes", .unit = "B", .when = explain_computes,
     .formula = "tail_read + tail_written + sweeps * tail_resident", .prune = true,
     .help = "moved once the last packet is in"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_bytes", .when = explain_computes,
     .formula = "deferred_read + deferred_written + sweeps * deferred_resident", .prune = true,
     .help = "moved once the command is out"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_bytes"},
    {.kind = EXPLAIN_COMPONENT, .key = "sweeps", .unit = "", .when = explain_computes,
     STAGE(demand.sweeps), .write = sweeps_text,
     .help = "times a frame reads what stays in memory"},
    {.kind = EXPLAIN_COMPONENT, .key = "accumulator_bytes", .unit = "B", .when = accumulates,
     .formula = "accumulator * loaded_packets", .help = "partial results, moved with every packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "accumulator_bytes", .unit = "B", .when = explain_computes,
     .formula = "0", .help = "there are no partial results"},
    {.kind = EXPLAIN_COMPONENT, .key = "accumulator", .unit = "B", .when = accumulates_packets,
     STAGE(demand.accumulator), .formula = "2 * element_bytes * rows",
     .help = "the partial result, read and written"},
    {.kind = EXPLAIN_COMPONENT, .key = "accumulator", .unit = "B", .when = accumulates,
     STAGE(demand.accumulator), .formula = "element_bytes * rows", .help = "the result, written"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_flop", .unit = "FLOP", .when = explain_computes,
     STAGE(demand.stream.flop), .write = stream_flop_text, .help = "as the packets arrive"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_flop", .unit = "FLOP", .when = explain_computes,
     STAGE(demand.tail.flop), .write = tail_flop_text, .help = "once the last packet is in"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_flop", .when = explain_computes,
     .write = deferred_flop_text, .help = "once the command is out"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_flop"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_read", .unit = "B", .when = explain_computes,
     STAGE(demand.stream.read), .write = stream_read_text,
     .help = "passes once, as the packets arrive"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_read", .unit = "B", .when = explain_computes,
     STAGE(demand.tail.read), .write = tail_read_text,
     .help = "passes once, after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_read", .unit = "B", .when = explain_computes,
     STAGE(demand.deferred.read), .write = deferred_read_text,
     .help = "passes once, after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_written", .unit = "B", .when = explain_computes,
     STAGE(demand.stream.written), .write = stream_written_text,
     .help = "leaves as the packets arrive"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_written", .unit = "B", .when = explain_computes,
     STAGE(demand.tail.written), .write = tail_written_text,
     .help = "leaves after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_written", .unit = "B", .when = explain_computes,
     STAGE(demand.deferred.written), .write = deferred_written_text,
     .help = "leaves after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_resident", .unit = "B", .when = explain_computes,
     STAGE(demand.stream.resident), .write = stream_resident_text,
     .help = "stays in memory, read as the packets arrive"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_resident", .unit = "B", .when = explain_computes,
     STAGE(demand.tail.resident), .write = tail_resident_text,
     .help = "stays in memory, read after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_resident", .unit = "B", .when = explain_computes,
     STAGE(demand.deferred.resident), .write = deferred_resident_text,
     .help = "stays in memory, read after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "centroid_pixels", .unit = "px", .when = is_centroid,
     .formula = formula_text_centroid_pixels, .help = "of all its subapertures"},
    {.kind = EXPLAIN_COMPONENT, .key = "loaded_packets", .unit = "", .value = loaded_packets,
     .write = explain_loaded_text, .help = "packets that bring it work"},
    {.kind = EXPLAIN_COMPONENT, .key = "output", .unit = "B", .when = explain_computes,
     STAGE(output), .write = output_text, .help = "handed on per frame"},
    {.kind = EXPLAIN_COMPONENT, .key = "numbers", .unit = "", .when = explain_computes,
     .formula = "output / element_bytes", .help = "handed on per frame"},
    {.key = NULL},
};
/* clang-format on */

/* Workload rules ------------------------------------------------------------------------------- */

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

static bool states_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c != NULL && c->states == 0;
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
    {.kind = EXPLAIN_COMPONENT, .key = "pixels", .unit = "px", .when = has_wfs, STAGE(pixels),
     .formula = "wfs.detector_width * wfs.detector_height * wfs.count",
     .help = "of all its detectors"},
    {.kind = EXPLAIN_COMPONENT, .key = "subaps", .unit = "", .when = has_wfs,
     .formula = "wfs.valid_subaps * wfs.count",
     .help = "valid subapertures or pupil pixels of all its sensors"},
    {.kind = EXPLAIN_COMPONENT, .key = "element_bytes", .unit = "B", .when = explain_computes,
     .value = explain_element, .help = "of one number, by precision"},
    {.kind = EXPLAIN_COMPONENT, .key = "slopes", .unit = "", STAGE(slopes), .write = slopes_text,
     .help = "measurements it hands on per frame"},
    {.kind = EXPLAIN_COMPONENT, .key = "rows", .when = part_rows, .formula = "all_rows / parts"},
    {.kind = EXPLAIN_COMPONENT, .key = "rows", .when = rows_open, .formula = "all_rows"},
    {.kind = EXPLAIN_COMPONENT, .key = "all_rows", .unit = "", .when = modal_rows,
     .formula = "ao.modes", .help = "of the whole matrix"},
    {.kind = EXPLAIN_COMPONENT, .key = "all_rows", .unit = "", .when = rows_open,
     .formula = "ao.actuators", .help = "of the whole matrix"},
    {.kind = EXPLAIN_COMPONENT, .key = "all_rows", .unit = "", .when = is_reconstruction,
     .formula = "knob.rows", .help = "of the whole matrix"},
    {.kind = EXPLAIN_COMPONENT, .key = "columns", .when = part_columns,
     .formula = "all_columns / parts"},
    {.kind = EXPLAIN_COMPONENT, .key = "columns", .when = columns_open,
     .base = BASE_FORMULA,
     .formula = "all_columns"},
    {.kind = EXPLAIN_COMPONENT, .key = "all_columns", .unit = "", .when = fed_columns,
     .formula = "sum(before.*.slopes)", .help = "of the whole matrix"},
    {.kind = EXPLAIN_COMPONENT, .key = "all_columns", .unit = "", .when = columns_open,
     .formula = "sum(sensors.*.slopes)", .help = "of the whole matrix"},
    {.kind = EXPLAIN_COMPONENT, .key = "all_columns", .unit = "", .when = explain_computes,
     .formula = "knob.columns", .help = "of the whole matrix"},
    {.kind = EXPLAIN_COMPONENT, .key = "states", .base = BASE_FORMULA, .when = states_open,
     .formula = "2 * ao.actuators"},
    {.kind = EXPLAIN_COMPONENT, .key = "grid", .base = BASE_FORMULA, .unit = "", .when = fed_grid,
     .formula = formula_text_grid},
    {.kind = EXPLAIN_COMPONENT, .key = "grid", .base = BASE_FORMULA, .unit = "", .when = grid_open,
     .formula = "square(next_power_of_two(max(sensors.*.subaps_across)))"},
    {.kind = EXPLAIN_COMPONENT, .key = "subaps_across", .unit = "", .when = explain_senses,
     STAGE(across), .formula = "wfs.subaps_across", .help = "of its sensor"},
    {.kind = EXPLAIN_COMPONENT, .key = "subaps_across", .unit = "", STAGE(across),
     .formula = "max(before.*.subaps_across)", .help = "of the largest sensor that feeds it"},
    {.kind = EXPLAIN_COMPONENT, .key = "tiles", .unit = "", .when = is_reconstruction,
     .formula = formula_text_tiles, .help = "of the matrix"},
    {.kind = EXPLAIN_COMPONENT, .key = "fft_side", .unit = "px", .when = is_centroid,
     .formula = formula_text_fft_side,
     .help = "of a Fourier transform that holds image and shifts"},
    {.kind = EXPLAIN_WFS, .key = "slopes", .unit = "", .formula = "2 * count * valid_subaps",
     .help = "of all its sensors"},
    {.kind = EXPLAIN_WFS, .key = "valid_subaps", .when = subaps_open,
     .formula = "geometry(subaps_across, obscuration)"},
    {.kind = EXPLAIN_WFS, .key = "detector_width", .when = pyramid_width,
     .formula = "2 * floor((6 * subaps_across + 4) / 5)"},
    {.kind = EXPLAIN_WFS, .key = "detector_width", .when = width_open,
     .formula = "subaps_across * pixels_per_subap"},
    {.kind = EXPLAIN_WFS, .key = "detector_height", .when = pyramid_height,
     .formula = "2 * floor((6 * subaps_across + 4) / 5)"},
    {.kind = EXPLAIN_WFS, .key = "detector_height", .when = height_open,
     .formula = "subaps_across * pixels_per_subap"},
    {.key = NULL},
};
/* clang-format on */
