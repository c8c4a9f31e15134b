#include <math.h>

#include "base/number.h"
#include "explain/rules.h"
#include "model/device.h"
#include "model/overhead.h"

/* Rules of components and inserted transfers. The node that represents all parts of a split
 * component derives its numbers from the parts. */

/* Values that are not stored in a struct ------------------------------------------------------- */

static double loaded_packets(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->weights.count;
}

/* Returns the time from when all inputs of the first start are ready to the first start. */
static double time_to_start(const struct explain *explain, struct explain_subject subject)
{
    int first = track_first_slot(explain_track(explain, subject));

    return explain_result(explain, subject)->first_start -
           explain_ready(explain, subject.index, first);
}

struct explain_pause explain_first_pause(const struct explain *explain,
                                         struct explain_subject subject)
{
    return explain_pause(explain, subject.index, track_first_slot(explain_track(explain, subject)),
                         time_to_start(explain, subject));
}

double explain_first_wait(const struct explain *explain, struct explain_subject subject)
{
    return explain_beyond_rounding(
        explain, time_to_start(explain, subject) - explain_first_pause(explain, subject).delay,
        explain_result(explain, subject)->first_start);
}

static double first_delay(const struct explain *explain, struct explain_subject subject)
{
    return explain_first_pause(explain, subject).delay;
}

static double hop_time(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return wire_hop_time(&explain_track(explain, subject)->wire,
                         c == NULL ? SWITCH_CUT_THROUGH : (enum switch_kind)c->switching);
}

/* Returns the rate at which a host writes into the memory of a GPU, B/s. */
static double mapped_rate(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain->scenario->device;
    int board = explain_board(explain, subject);
    int host = explain->result->work->plan.device[board].host;

    return overhead_mapped_rate(smaller(device[board].pcie_gen, device[host].pcie_gen));
}

/* Returns the smallest MTU of the hosts that a camera feeds. */
static double camera_mtu(const struct explain *explain, struct explain_subject subject)
{
    struct explain_subject host;
    double mtu = INFINITY;

    for (int i = 0; explain_find_relative(explain, subject, "hosts", i, &host); i++)
        mtu = smaller(mtu, explain->scenario->device[host.index].mtu);
    return mtu == INFINITY ? LINK_MTU : mtu;
}

double explain_interface_rate(const struct explain *explain, struct explain_subject subject)
{
    return camera_link_rate(explain_component(explain, subject), camera_mtu(explain, subject));
}

static double wire_header(const struct explain *explain, struct explain_subject subject)
{
    (void)explain;
    (void)subject;
    return wire_ethernet(1, LINK_MTU).header;
}

static double wire_minimum(const struct explain *explain, struct explain_subject subject)
{
    (void)explain;
    (void)subject;
    return wire_ethernet(1, LINK_MTU).minimum;
}

static double full_stream_memory(const struct explain *explain, struct explain_subject subject)
{
    return stage_span_memory(&explain_stage(explain, subject)->stream, 1);
}

static double full_tail_memory(const struct explain *explain, struct explain_subject subject)
{
    return stage_span_memory(&explain_stage(explain, subject)->tail, 1);
}

/* Returns the bytes of a matrix that a component may defer, whether it does or not. */
static double late_resident(const struct explain *explain, struct explain_subject subject)
{
    const struct demand *demand = &explain_stage(explain, subject)->demand;

    return demand->undeferred + demand->deferred.resident;
}

static double late_gaps(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);

    return stage->tail.matrix[MATRIX_DEFERRED].gap + stage->deferred.matrix[MATRIX_DEFERRED].gap;
}

static double late_rows(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);

    return stage->tail.matrix[MATRIX_DEFERRED].rows + stage->deferred.matrix[MATRIX_DEFERRED].rows;
}

/* Returns the number of components of a unit that divide what is left of it. */
static double stream_count(const struct explain *explain, struct explain_subject subject)
{
    struct explain_subject other;
    int count = 0;

    for (int i = 0; explain_find_relative(explain, subject, "streamers", i, &other); i++) {
        int thread = explain_stage(explain, other)->thread;

        count += thread < 0 || thread == other.index; /* a thread is one of them */
    }
    return count;
}

static double launch_delay(const struct explain *explain, struct explain_subject subject)
{
    const struct track *track = explain_track(explain, subject);
    const double always = explain_launch_inside(explain, subject);

    return always > 0 ? always : track->delay - track->delay_inside;
}

/* Returns the factor of the port of the host that a camera or link ends at. */
static double port_factor(const struct explain *explain, struct explain_subject subject)
{
    return explain_factor(explain, explain_plan(explain, subject)->to, CAUSE_PORT);
}

/* The way into the host of a camera. */
static struct ingress_times camera_ingress(const struct explain *explain,
                                           struct explain_subject subject)
{
    const struct plan_node *node = explain_plan(explain, subject);

    return node->to < 0 ? (struct ingress_times){.ingress = INGRESS_IDEAL}
                        : overhead_ingress(explain->scenario, node->to, node->component);
}

static double ingress_latency(const struct explain *explain, struct explain_subject subject)
{
    if (explain_track(explain, subject)->kind == TRACK_LINK)
        return explain->result->device[explain_plan(explain, subject)->to].ingress_latency *
               port_factor(explain, subject);
    return camera_ingress(explain, subject).latency * port_factor(explain, subject);
}

static double datagram_time(const struct explain *explain, struct explain_subject subject)
{
    if (explain_track(explain, subject)->kind == TRACK_LINK)
        return explain_track(explain, subject)->datagram;
    return camera_ingress(explain, subject).datagram * port_factor(explain, subject);
}

static double core_rate(const struct explain *explain, struct explain_subject subject)
{
    const int host = explain_plan(explain, subject)->to;

    return host < 0 ? RESULT_NONE : stage_core_rate(&explain->scenario->device[host]);
}

static double sleep_latency(const struct explain *explain, struct explain_subject subject)
{
    const struct plan_node *node = explain_plan(explain, subject);
    int host = node->type == COMPONENT_CAMERA ? node->to : node->device;

    return host < 0 ? RESULT_NONE : explain->scenario->device[host].sleep_latency;
}

static double useful_packets(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->slots;
}

static double useful_part(const struct explain *explain, struct explain_subject subject)
{
    const struct track *track = explain_track(explain, subject);

    return track->when == NULL ? (double)track->slots / explain_packets(explain)
                               : track->when[track->slots - 1];
}

static double frame_slots(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain_packets(explain);
}

static double wire_rate(const struct explain *explain, struct explain_subject subject)
{
    const struct device *host;

    if (explain_track(explain, subject)->kind == TRACK_LINK) {
        double rate = explain_track(explain, subject)->wire.rate;

        return isfinite(rate) ? rate : RESULT_NONE;
    }
    host = &explain->scenario->device[explain_plan(explain, subject)->to];
    return wire_ethernet(formula_nic_rate(host), host->mtu).rate;
}

static double receive_time(const struct explain *explain, struct explain_subject subject)
{
    return explain->result->work->receive_time[subject.index];
}

static double first_wire(const struct explain *explain, struct explain_subject subject)
{
    const struct track *track = &explain->result->work->track[subject.index];

    return wire_first_time(&track->wire, track->bytes);
}

static double port_time(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);
    const struct plan_node *node = explain_plan(explain, subject);
    const struct wfs *wfs = &explain->scenario->wfs[node->wfs];
    const struct device *host = &explain->scenario->device[node->to];

    if (!interface_has_grabber((enum camera_interface)c->interface))
        return explain->result->work->port_time[node->to];
    return formula_grabber_time(explain_stage(explain, subject)->output, wfs,
                                wire_pcie(host->pcie_gen, link_lanes(host, host)).rate);
}

/* Tables --------------------------------------------------------------------------------------- */

/* Formula of a constant: the value of a leaf. */
#define NUMBER(constant) NUMBER_TEXT(constant)
#define NUMBER_TEXT(text) #text

/* Seconds of a part of the work: the elements of each kind times the cost of one. */
#define SECONDS(part, input, what)                                                                 \
    part "_resident / element_bytes * sweeps * resident_" what " + " part                          \
         "_read / element_bytes * " input "_" what " + " part                                      \
         "_written / element_bytes * streamed_" what
#define ACCUMULATOR(what) "accumulator / element_bytes * streamed_" what
#define SECONDS_CASES(part, what, more)                                                            \
    CASES({.when = {IF_COMPUTES, IF_ARRIVES}, .formula = SECONDS(part, "arriving", what) more},    \
          {.when = {IF_COMPUTES}, .formula = SECONDS(part, "streamed", what) more})

/* Time of a matrix on a GPU: what its bytes and what its rows take, and what few rows add. */
#define GAPS(bytes) bytes " / element_bytes * sweeps * resident_transfer"
#define ROWS(bytes, rows) bytes " * sweeps * row_cost / " rows
#define FEW_ROWS(part, share) " + max(0, " part "_rows - " part "_gaps" share ")"

/* Memory time of a part of the work, with the component's share of the device. */
#define MEMORY_OF(part, matrix, share)                                                             \
    part "_transfer" share " + " part "_wait" FEW_ROWS(matrix, share)
#define SHARED_CASES(part, matrix)                                                                 \
    {.when = {IF_SHARED}, .formula = MEMORY_OF(part, matrix, "")},                                 \
        {.when = {IF_SHARE}, .formula = MEMORY_OF(part, matrix, " / share")},                      \
    {                                                                                              \
        .when = {IF_COMPUTES}, .formula = "0", .help = "no work"                                   \
    }

/* Likewise compute time. */
#define COMPUTE_OF(part) part "_flop / full_flops"
#define COMPUTED_TIMES(text)                                                                       \
    CASES({.when = {IF_COMPUTES}, .formula = text, TIMES(CAUSE_COMPUTE, "device")})
#define SHARED_COMPUTE(part) "full_" part "_compute / share"
#define COMPUTE_CASES(part)                                                                        \
    CASES({.when = {IF_OWN_CORES}, .formula = "full_" part "_compute"},                            \
          {.when = {IF_SHARED}, .formula = "full_" part "_compute"},                               \
          {.when = {IF_SHARE}, .formula = SHARED_COMPUTE(part)},                                   \
          {.when = {IF_COMPUTES}, .formula = "0", .help = "no work"})

/* Sums over the parts of the work. */
#define ALL_OF(what) "stream_" what " + tail_" what " + deferred_" what
#define BEFORE_COMMAND(what)                                                                       \
    "stream_" what " + tail_" what " + accumulator_" what " * loaded_packets"

/* Cost of a program's trace on its share of the machine. */
#define PROGRAM_ON(what, part)                                                                     \
    what "(device.clock, device.cpi_int, device.cpi_fp, device.cpi_fma, device.cpi_simd, "         \
         "device.cpi_div, device.cpi_load, device.cpi_store, device.cpi_branch, "                  \
         "device.cpi_sync, device.cpi_other, device.issue, device.remote_latency, "                \
         "device.memory_bandwidth, "                                                               \
         "device.sustained_memory, workers" part ")"
#define PROGRAM(what) PROGRAM_ON(what, ", share")

/* Bytes of a part of the work as counted by the algorithm; `more` adds knobs that select them. */
#define COUNT_OF(part, bytes, more)                                                                \
    .key = #part "_" #bytes, .unit = "B", STAGE(demand.part.bytes), COUNTED(part.bytes),           \
    .chosen = "algorithm deferred" more, COMPUTED("%s")

static double input_count(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);
    uint64_t set = c == NULL ? 0
                             : scenario_predecessors(explain->scenario,
                                                     explain_plan(explain, subject)->component);
    int count = 0;

    for (; set != 0; set &= set - 1)
        count++;
    return count > 1 ? count : 1;
}

/* clang-format off */
const struct explain_rule explain_component_rules[] = {
    /* Sizes */
    {.key = "pixels", .unit = "px", STAGE(pixels), .help = "pixels of all its detectors",
     CASES({.when = {IF_WFS}, .formula = "wfs.detector_width * wfs.detector_height * wfs.count"})},
    {.key = "subaps", .unit = "", .help = "valid subapertures or pupil pixels of all its sensors",
     CASES({.when = {IF_WFS}, .formula = "wfs.valid_subaps * wfs.count"})},
    {.key = "centroid_pixels", .unit = "px", .help = "pixels of all its subapertures",
     CASES({.when = {IF_CENTROID}, .formula = formula_text_centroid_pixels})},
    {.key = "element_bytes", .unit = "B", .value = explain_element, .chosen = "precision",
     .help = "bytes of a value, by precision", CASES({.when = {IF_COMPUTES}})},
    {.key = "slopes_per_subap", .unit = "", ALGORITHM(slopes_per_subap),
     .help = "slopes per subaperture", CASES({.when = {IF_MEASURES}})},
    {.key = "slopes", .unit = "", STAGE(slopes), .chosen = "type algorithm",
     .help = "measurements passed on per frame",
     CASES({.when = {IF_MEASURES}, .formula = formula_text_slopes},
           {.when = {IF_SENSES}},
           {.when = {IF_PARTS}, .formula = "sum(before.*.slopes) / parts"},
           {.when = {IF_ALWAYS}, .formula = "sum(before.*.slopes)"})},
    {.key = "rows", .chosen = "algorithm split",
     CASES({.when = {IF_WHOLE, IF_SPLIT_ROWS}, .formula = "round(sum(parts.*.rows))"},
           {.when = {IF_WHOLE}, .formula = "max(parts.*.rows)"},
           {.when = {IF_PARTS, IF_SPLIT_ROWS}, .formula = formula_text_part_rows},
           {.when = {IF_RECONSTRUCTION, IF_ROWS_OPEN}, .formula = "all_rows"})},
    {.key = "all_rows", .unit = "", .help = "rows of the whole matrix",
     CASES({.when = {IF_RECONSTRUCTION, IF_ROWS_OPEN, IF_MODES}, .formula = "ao.modes"},
           {.when = {IF_RECONSTRUCTION, IF_ROWS_OPEN}, .formula = "ao.actuators"},
           {.when = {IF_RECONSTRUCTION}, .formula = "knob.rows"})},
    {.key = "columns", .base = BASE_RESULT_OR_FORMULA, .chosen = "algorithm split",
     CASES({.when = {IF_WHOLE, IF_SPLIT_COLUMNS}, .formula = "round(sum(parts.*.columns))"},
           {.when = {IF_WHOLE}, .formula = "max(parts.*.columns)"},
           {.when = {IF_PARTS, IF_SPLIT_COLUMNS}, .formula = formula_text_part_columns},
           {.when = {IF_COMPUTES, IF_COLUMNS_OPEN}, .formula = "all_columns"})},
    {.key = "all_columns", .unit = "", .help = "columns of the whole matrix",
     CASES({.when = {IF_COMPUTES, IF_COLUMNS_OPEN, IF_FED}, .formula = "sum(before.*.slopes)"},
           {.when = {IF_COMPUTES, IF_COLUMNS_OPEN}, .formula = "sum(sensors.*.slopes)"},
           {.when = {IF_COMPUTES}, .formula = "knob.columns"})},
    {.key = "inputs", .unit = "", .value = input_count, .chosen = "after",
     .help = "components that it follows, at least 1",
     CASES({.when = {IF_COMPUTES}})},
    {.key = "states", .base = BASE_FORMULA,
     CASES({.when = {IF_OPEN}, .formula = formula_text_states})},
    {.key = "grid", .unit = "", .base = BASE_FORMULA,
     CASES({.when = {IF_OPEN, IF_FED_PUPIL}, .formula = formula_text_grid},
           {.when = {IF_OPEN},
            .formula = "square(next_power_of_two(max(sensors.*.subaps_across)))"})},
    {.key = "subaps_across", .unit = "", STAGE(across),
     CASES({.when = {IF_SENSES}, .formula = "wfs.subaps_across",
            .help = "subapertures across its sensor"},
           {.when = {IF_ALWAYS}, .formula = "max(before.*.subaps_across)",
            .help = "subapertures across the largest sensor that feeds it"})},
    {.key = "tiles", .unit = "", .chosen = "algorithm", .help = "tiles of the matrix",
     CASES({.when = {IF_RECONSTRUCTION}, .formula = formula_text_tiles})},
    {.key = "fft_side", .unit = "px",
     .help = "side of a Fourier transform that holds image and shifts",
     CASES({.when = {IF_CENTROID}, .formula = formula_text_fft_side})},
    {.key = "parts", .unit = "", PLAN(parts), .help = "number of devices it is split over",
     CASES({.when = {IF_ALWAYS}})},
    {.key = "pieces", .unit = "", PLAN(pieces), .help = "pieces of its input, split over devices",
     CASES({.when = {IF_ALWAYS}})},
    {.key = "divisor", .unit = "", STAGE(divisor), .help = "delivers every k-th frame",
     CASES({.when = {IF_SENSES}, .formula = "wfs.rate_divisor"},
           {.when = {IF_FOLLOWS}, .formula = "min(before.*.divisor)"},
           {.when = {IF_ALWAYS}, .help = "delivers every frame"})},
    {.key = "loaded_packets", .unit = "", .value = loaded_packets,
     .chosen = "algorithm barrier scenario.processing normalisation agenda camera.order before.*.loaded_packets",
     .help = "packets that carry work for the component",
     CASES({.when = {IF_GEOMETRY}, .formula = EXPLAIN_GEOMETRY},
           {.when = {IF_SPREAD}, .formula = "geometry(before.*.loaded_packets)"},
           {.when = {IF_ALWAYS}})},

    /* Work and traffic */
    {.key = "flops", STAGE(stated[STATED_FLOPS]), STATED_BY("FLOP")},
    {.key = "bytes_read", STAGE(stated[STATED_READ]), STATED_BY("B")},
    {.key = "bytes_written", STAGE(stated[STATED_WRITTEN]), STATED_BY("B")},
    {.key = EXPLAIN_FORMULA_KEY "working_set", .unit = "B", STAGE(stated[STATED_SET]),
     .help = "resident bytes, each read once per frame",
     CASES({.when = {IF_STATED_SET}, .formula = "%f"})},
    {.key = "flop", .chosen = "type algorithm", .prune = PRUNE_NAMES,
     CASES({.when = {IF_COMPUTES}, .formula = formula_text_flop},
           {.when = {IF_ALWAYS}})},
    {.key = "bytes", .chosen = "type algorithm link trace", .prune = PRUNE_NAMES,
     CASES({.when = {IF_PROGRAM}, .help = "bytes of its trace"},
           {.when = {IF_COMPUTES},
            .formula = formula_text_all_bytes},
           {.when = {IF_CAMERA}, .formula = formula_text_raw_bytes},
           {.when = {IF_IDLE}, .help = "no bytes are carried"},
           {.when = {IF_LINK}, .formula = "output"})},
    {.key = "working_set", .chosen = "type algorithm", .prune = PRUNE_NAMES,
     CASES({.when = {IF_COMPUTES}, .formula = formula_text_working_set},
           {.when = {IF_ALWAYS}})},
    {.key = "stream_bytes", .unit = "B", .prune = PRUNE_NAMES,
     .help = "bytes moved as packets arrive, without partial results",
     COMPUTED(formula_text_stream_bytes)},
    {.key = "tail_bytes", .unit = "B", .prune = PRUNE_NAMES,
     .help = "bytes moved after the last packet",
     COMPUTED(formula_text_tail_bytes)},
    {.key = "deferred_bytes", .prune = PRUNE_NAMES,
     CASES({.when = {IF_COMPUTES},
            .formula = formula_text_deferred_bytes,
            .help = "bytes moved after the command"},
           {.when = {IF_ALWAYS}})},
    {.key = "stream_flop", .unit = "FLOP", STAGE(demand.stream.flop), COUNTED(stream.flop),
     .chosen = "algorithm deferred reference_slopes", .help = "FLOP as packets arrive",
     COMPUTED("%s")},
    {.key = "tail_flop", .unit = "FLOP", STAGE(demand.tail.flop), COUNTED(tail.flop),
     .chosen = "algorithm deferred", .help = "FLOP after the last packet",
     CASES({.when = {IF_COMPUTES, IF_ADDS_PARTS, IF_PIECES},
            .formula = "%s + sum(added.*.numbers) / pieces"},
           {.when = {IF_COMPUTES, IF_ADDS_PARTS}, .formula = "%s + sum(added.*.numbers)"},
           {.when = {IF_COMPUTES}, .formula = "%s"})},
    {.key = "deferred_flop", COUNTED(deferred.flop), .chosen = "algorithm deferred",
     CASES({.when = {IF_COMPUTES}, .formula = "%s", .help = "FLOP after the command"},
           {.when = {IF_ALWAYS}})},
    {COUNT_OF(stream, read, " reference_slopes"), .help = "bytes read once, as packets arrive"},
    {.key = "tail_read", .unit = "B", STAGE(demand.tail.read), COUNTED(tail.read),
     .chosen = "algorithm deferred", .help = "bytes read once, after the last packet",
     CASES({.when = {IF_COMPUTES, IF_ADDS_PARTS, IF_PIECES},
            .formula = "%s + sum(summands.*.output) / pieces"},
           {.when = {IF_COMPUTES, IF_ADDS_PARTS}, .formula = "%s + sum(summands.*.output)"},
           {.when = {IF_COMPUTES}, .formula = "%s"})},
    {COUNT_OF(deferred, read, ""), .help = "bytes read once, after the command"},
    {COUNT_OF(stream, written, " reference_slopes"), .help = "bytes written as packets arrive"},
    {COUNT_OF(tail, written, ""), .help = "bytes written after the last packet"},
    {COUNT_OF(deferred, written, ""), .help = "bytes written after the command"},
    {COUNT_OF(stream, resident, " reference_slopes"),
     .help = "bytes of the working set, read as packets arrive"},
    {COUNT_OF(tail, resident, ""), .help = "bytes of the working set, read after the last packet"},
    {COUNT_OF(deferred, resident, ""), .help = "bytes of the working set, read after the command"},
    {.key = "sweeps", .unit = "", STAGE(demand.sweeps), COUNTED(sweeps), .chosen = "algorithm",
     .help = "sweeps over the working set per frame", COMPUTED("%s")},
    {.key = "again_bytes", .unit = "B", STAGE(demand.reread), COUNTED(reread),
     .help = "bytes of the stream, read again just after they are written",
     CASES({.when = {IF_COMPUTES, IF_REREAD}, .formula = "%s"})},
    {.key = "accumulator", .unit = "B", STAGE(demand.accumulator), COUNTED(accumulator),
     .chosen = "algorithm barrier scenario.processing normalisation",
     CASES({.when = {IF_PARTIAL, IF_PACKETS}, .formula = "2 * %s",
            .help = "bytes of the partial result, read and written"},
           {.when = {IF_PARTIAL}, .formula = "%s", .help = "bytes of the result, written"})},
    {.key = "accumulator_bytes", .unit = "B", .chosen = "algorithm barrier scenario.processing normalisation",
     CASES({.when = {IF_PARTIAL}, .formula = formula_text_accumulator_bytes,
            .help = "bytes of partial results, moved with every packet"},
           {.when = {IF_COMPUTES}, .formula = "0", .help = "no partial results"})},
    {.key = "held", .unit = "B", .help = "working sets of the components of its device",
     COMPUTED("sum(neighbours.*.working_set)")},
    {.key = "output_each", .unit = "B", .help = "of what it delivers, on average for a frame",
     ALWAYS("output / divisor")},
    {.key = "output", .unit = "B", STAGE(output), COUNTED(output),
     .chosen = "type algorithm split consumer.split", .help = "bytes passed on per frame",
     CASES({.when = {IF_PROGRAM, IF_ADDS_PARTS},
            .formula = "sum(before.*.output) - sum(added.*.output)"},
           {.when = {IF_PROGRAM}, .formula = "sum(before.*.output)"},
           {.when = {IF_COMPUTES}, .formula = "%s"},
           {.when = {IF_CAMERA}, .formula = "bytes"},
           {.when = {IF_STATED_BYTES}, .formula = "knob.bytes", .help = "stated by the design"},
           {.when = {IF_MIRROR}, .formula = formula_text_command_bytes},
           {.when = {IF_TO_MIRROR, IF_PRODUCER_PARTS},
            .formula = "consumer.output / producer.parts"},
           {.when = {IF_TO_MIRROR}, .formula = "consumer.output"},
           {.when = {IF_INSERTED, IF_PIECES}, .formula = "producer.output / pieces"},
           {.when = {IF_INSERTED}, .formula = "producer.output"},
           {.when = {IF_LINK}, .formula = "sum(before.*.output)"})},
    {.key = "numbers", .unit = "", .help = "values passed on per frame",
     COMPUTED("output / element_bytes")},
    {.key = "read_bytes", .unit = "B", .prune = PRUNE_NAMES, .help = "bytes read once",
     COMPUTED(ALL_OF("read"))},
    {.key = "written_bytes", .unit = "B", .prune = PRUNE_NAMES, .help = "bytes written",
     COMPUTED(ALL_OF("written"))},
    {.key = "packet_bytes", .unit = "B", .prune = PRUNE_NAMES,
     .help = "bytes of a packet outside the working set",
     COMPUTED("(read_bytes + written_bytes) / max(1, loaded_packets) + accumulator")},
    {.key = "touched_bytes", .unit = "B",
     CASES({.when = {IF_OPERATION_LATENCIES, IF_REREAD},
            .formula = formula_text_touched_bytes,
            .help = "bytes of a packet, each counted once: operations read earlier results"},
           {.when = {IF_OPERATION_LATENCIES}, .formula = "packet_bytes",
            .help = "bytes of a packet, each counted once"})},

    /* Share of the device */
    {.key = "peak_flops", .unit = "FLOP/s", .chosen = "device.kind device.sustained_clock",
     .help = "peak of its device at its precision",
     ALL_TAKEN(peak_flops)},
    {.key = "precision_ratio", .unit = "", .chosen = "precision", .help = "peak relative to fp32",
     CASES({.when = {IF_ACCELERATOR, IF_PRECISION}, .of = PRECISION_FP32, .formula = "1"},
           {.when = {IF_ACCELERATOR, IF_PRECISION}, .of = PRECISION_FP64,
            .formula = "device.fp64_ratio"},
           {.when = {IF_ACCELERATOR, IF_PRECISION}, .of = PRECISION_INT8,
            .formula = "device.int8_ratio"},
           {.when = {IF_COMPUTES, IF_ACCELERATOR}, .formula = "device.fp16_ratio"})},
    {.key = "compute_efficiency", .chosen = "algorithm device.kind",
     ALL_TAKEN(compute_efficiency)},
    {.key = "usual_efficiency", .unit = "", ALGORITHM(cpu_efficiency),
     .help = "efficiency of its algorithm on a core of usual_flop_per_cycle",
     CASES({.when = {IF_USUAL_RATE}})},
    {.key = "usual_flop_per_cycle", .unit = "", ALGORITHM(measured),
     .help = "FLOP per cycle of the cores its algorithm was measured on",
     CASES({.when = {IF_USUAL_RATE}})},
    {.key = "memory_efficiency",
     .chosen = "access algorithm device.memory_model device.legacy device.framework",
     ALL_TAKEN(memory_efficiency)},
    {.key = "total_rate", .unit = "", STAGE(total_rate), .chosen = "device.legacy device.framework",
     .help = "fraction of the peak bandwidth, in total, of legacy code or an interpreter",
     CASES({.when = {IF_COMPUTES, IF_TOTAL_RATE}})},
    {.key = "memory_rate", .unit = "", STAGE(memory_rate),
     .help = "fraction of the peak bandwidth that its code reaches",
     CASES({.when = {IF_COMPUTES}, .formula = formula_text_memory_rate})},
    {.key = "workers", .chosen = "knob.thread",
     CASES({.when = {IF_COMPUTES, IF_CLAMPED}, .formula = "device.all_cores"},
           {.when = {IF_COMPUTES, IF_OPEN, IF_THREAD_CORES, IF_THREAD_TEAM}, .formula = "thread.workers"},
           {.when = {IF_COMPUTES, IF_OPEN, IF_THREAD_CORES}, .help = "one thread runs it"},
           {.when = {IF_COMPUTES, IF_CPU, IF_OPEN, IF_SOME_CORES},
            .formula = "device.all_cores - device.taken_cores"},
           {.when = {IF_COMPUTES, IF_CPU, IF_OPEN}, .formula = "device.all_cores"})},
    {.key = "full_flops", .unit = "FLOP/s", .help = "FLOP/s reached on the whole device",
     ALL_TAKEN(full_flops)},
    {.key = "effective_flops", .unit = "FLOP/s", .chosen = "scenario.sharing",
     .help = "FLOP/s reached by its code",
     CASES({.when = {IF_OWN_CORES}, .formula = "full_flops"},
           {.when = {IF_OWN_SHARE}, .formula = "full_flops * share"},
           {.when = {IF_COMPUTES}, .formula = "full_flops"})},
    {.key = "share", .chosen = "scenario.sharing barrier scenario.processing normalisation",
     CASES({.when = {IF_EXCLUSIVE}, .help = "uses the whole device in turn"},
           {.when = {IF_FLUID, IF_OPEN}, .help = "relative to the shares of others"},
           {.when = {IF_FPGA}, .help = "a circuit of its own"},
           {.when = {IF_COMPUTES, IF_OPEN, IF_THREAD_SHARE}, .formula = "claimant.share"},
           {.when = {IF_COMPUTES, IF_OPEN, IF_OVERLAPS, IF_STREAMS, IF_THREAD},
            .formula = "(1 - stated_shares) * sum(turns.*.share_work) / all_share_work"},
           {.when = {IF_COMPUTES}, TAKEN(share)})},
    {.key = "stated_shares", .unit = "", .help = "stated shares of the components of its device",
     COMPUTED("sum(claimants.*.share)")},
    {.key = "all_share_work", .unit = "us",
     .help = "work of the components that divide what is left of the device",
     COMPUTED("sum(streamers.*.share_work)")},
    {.key = "streams", .unit = "", .value = stream_count,
     .help = "number of components and threads that divide what is left of the device",
     CASES({.when = {IF_COMPUTES}})},
    {.key = "share_work", .unit = "us", STAGE(work), .prune = PRUNE_NAMES,
     .help = "time of its work before the command, with the whole device",
     COMPUTED(formula_text_share_work)},
    {.key = "full_packets_time", .unit = "us", STAGE(slots),
     .chosen = "trace distance", .help = "time of its packets with the whole device",
     CASES({.when = {IF_PROGRAM}, .formula = PROGRAM_ON("phases", ""),
            .help = "time of its trace with the whole device"},
           {.when = {IF_LINEAR_ALONE, IF_PARTIAL},
            .formula = EXPLAIN_ROOF("full_stream_compute", "full_stream_memory")
            " + loaded_packets * (accumulator_transfer + accumulator_wait)"},
           {.when = {IF_LINEAR_ALONE},
            .formula = EXPLAIN_ROOF("full_stream_compute", "full_stream_memory")},
           {.when = {IF_COMPUTES}, .formula = "sum(packets.*.full_work_time)"})},
    {.key = "full_tail_time", .unit = "us",
     .help = "time of the work after its packets, with the whole device",
     COMPUTED(EXPLAIN_ROOF("full_tail_compute", "full_tail_memory"))},
    {.key = "device_time", .unit = "us", .chosen = "scenario.sharing",
     .help = "time of the whole device per frame of the loop", ALL_TAKEN(device_time)},

    /* Serially dependent sums, if the latency of an operation is known */
    {.key = "chain_time", .unit = "us", STAGE(chain_time), .chosen = "algorithm",
     .help = "time of serially dependent sums", ALL_TAKEN(chain_time)},
    {.key = "scalar_time", .unit = "us", STAGE(scalar), .chosen = "algorithm",
     .help = "time of sums added one element at a time", ALL_TAKEN(scalar_time)},
    {.key = "chain_items", .unit = "", STAGE(chain_items),
     .help = "number of serially dependent sums", ALL_TAKEN(chain_items)},
    {.key = "chain_depth", .unit = "", STAGE(chain_depth),
     .help = "serially dependent operations of a sum", ALL_TAKEN(chain_depth)},
    {.key = "vector_bytes", .unit = "B", STAGE(vector), .help = "bytes of the vector",
     CASES({.when = {IF_OPERAND}, .formula = formula_text_vector_bytes})},
    {.key = "operand_bytes", .unit = "B", STAGE(operand),
     .help = "bytes of the vector, read again by every row",
     CASES({.when = {IF_OPERAND}, .formula = formula_text_operand_bytes})},
    {.key = "operand_held", .unit = "B",
     .help = "bytes of the vector and the current row, in the caches of all cores",
     CASES({.when = {IF_OPERAND}, .formula = formula_text_operand_held})},

    /* Memory time at full bandwidth: in total, per element, and per block */
    {.key = "transfer_time", .unit = "us", STAGE(whole.transfer), .prune = PRUNE_PRODUCTS,
     .help = "transfer time of all its bytes, full bandwidth",
     COMPUTED(BEFORE_COMMAND("transfer"))},
    {.key = "wait_time", .unit = "us", STAGE(whole.wait), .prune = PRUNE_PRODUCTS,
     .help = "latency of the first element of every block",
     COMPUTED(BEFORE_COMMAND("wait"))},
    {.key = "stream_transfer", .unit = "us", STAGE(stream.transfer), .prune = PRUNE_PRODUCTS,
     .help = "transfer time of bytes that arrive with packets, full bandwidth",
     SECONDS_CASES("stream", "transfer", " + operand_bytes / element_bytes * operand_transfer")},
    {.key = "stream_wait", .unit = "us", STAGE(stream.wait), .prune = PRUNE_PRODUCTS,
     .help = "latency of the work that arrives with packets", SECONDS_CASES("stream", "wait", "")},
    {.key = "tail_transfer", .unit = "us", STAGE(tail.transfer), .prune = PRUNE_PRODUCTS,
     .help = "transfer time of bytes after the last packet, full bandwidth",
     SECONDS_CASES("tail", "transfer", "")},
    {.key = "tail_wait", .unit = "us", STAGE(tail.wait), .prune = PRUNE_PRODUCTS,
     .help = "latency of the work after the last packet", SECONDS_CASES("tail", "wait", "")},
    {.key = "deferred_transfer", .unit = "us", STAGE(deferred.transfer), .prune = PRUNE_PRODUCTS,
     .help = "transfer time of bytes after the command, full bandwidth",
     SECONDS_CASES("deferred", "transfer", "")},
    {.key = "deferred_wait", .unit = "us", STAGE(deferred.wait), .prune = PRUNE_PRODUCTS,
     .help = "latency of the work after the command", SECONDS_CASES("deferred", "wait", "")},
    {.key = "accumulator_transfer", .unit = "us", STAGE(accumulator.transfer),
     .help = "transfer time of a packet's partial result, full bandwidth",
     COMPUTED(ACCUMULATOR("transfer"))},
    {.key = "accumulator_wait", .unit = "us", STAGE(accumulator.wait),
     .help = "latency of a packet's partial result",
     COMPUTED(ACCUMULATOR("wait"))},
    {.key = "stream_gaps", .unit = "us", STAGE(stream.matrix[MATRIX_STREAM].gap),
     .help = "transfer time of the matrix used as packets arrive",
     CASES({.when = {IF_COMPUTES, IF_FEW_ROWS}, .formula = GAPS("stream_resident")})},
    {.key = "stream_rows", .unit = "us", STAGE(stream.matrix[MATRIX_STREAM].rows),
     .chosen = "algorithm", .help = "least time of its rows",
     CASES({.when = {IF_COMPUTES, IF_FEW_ROWS, IF_LQG},
            .formula = ROWS("stream_resident", "states")},
           {.when = {IF_COMPUTES, IF_FEW_ROWS, IF_RECONSTRUCTION},
            .formula = ROWS("stream_resident", "max(1, rows)")},
           {.when = {IF_COMPUTES, IF_FEW_ROWS}, .formula = ROWS("stream_resident", "1")})},
    {.key = "tail_gaps", .unit = "us", STAGE(tail.matrix[MATRIX_TAIL].gap),
     .chosen = "deferred", .help = "transfer time of the matrix used after the last packet",
     CASES({.when = {IF_COMPUTES, IF_FEW_ROWS, IF_UNDEFERRED},
            .formula = GAPS("(tail_resident - late_resident)")},
           {.when = {IF_COMPUTES, IF_FEW_ROWS}, .formula = GAPS("tail_resident")})},
    {.key = "tail_rows", .unit = "us", STAGE(tail.matrix[MATRIX_TAIL].rows),
     .chosen = "deferred", .help = "least time of its rows",
     CASES({.when = {IF_COMPUTES, IF_FEW_ROWS, IF_UNDEFERRED},
            .formula = ROWS("(tail_resident - late_resident)", "ao.actuators")},
           {.when = {IF_COMPUTES, IF_FEW_ROWS},
            .formula = ROWS("tail_resident", "ao.actuators")})},
    {.key = "late_resident", .unit = "B", .value = late_resident, COUNTED(deferred.resident),
     .chosen = "algorithm deferred", .help = "bytes of the matrix of work that can be deferred",
     CASES({.when = {IF_COMPUTES, IF_FEW_ROWS, IF_UNDEFERRED}},
           {.when = {IF_COMPUTES, IF_FEW_ROWS}, .formula = "%s"})},
    {.key = "late_gaps", .unit = "us", .value = late_gaps, .help = "transfer time of that matrix",
     CASES({.when = {IF_COMPUTES, IF_FEW_ROWS}, .formula = GAPS("late_resident")})},
    {.key = "late_rows", .unit = "us", .value = late_rows, .chosen = "algorithm",
     .help = "least time of its rows",
     CASES({.when = {IF_COMPUTES, IF_FEW_ROWS, IF_LQG},
            .formula = ROWS("late_resident", "states")},
           {.when = {IF_COMPUTES, IF_FEW_ROWS, IF_POLC_EXPLICIT},
            .formula = ROWS("late_resident", "max(1, columns)")},
           {.when = {IF_COMPUTES, IF_FEW_ROWS},
            .formula = ROWS("late_resident", "ao.actuators")})},
    {.key = "row_cost", .unit = "ns",
     .help = "time of a byte of a matrix with one row, which one warp reads",
     CASES({.when = {IF_COMPUTES, IF_FEW_ROWS}, .formula = formula_text_row_cost})},
    {.key = "row_latency", .unit = "ns", .help = "mean latency of an access to the matrix",
     COMPUTED("sum(resident.*.latency_share)")},
    {.key = "memory_stretch", .unit = "", STAGE(memory_stretch),
     .help = "factor of transfers in the memory that host and board share",
     CASES({.when = {IF_SHARES_MEMORY}, .formula = formula_text_memory_stretch})},
    {.key = "own_rate", .unit = "GB/s", STAGE(sharing.own_rate),
     .help = "bandwidth that its device reaches of it",
     CASES({.when = {IF_SHARES_MEMORY},
            .formula = "device.memory_bandwidth * device.sustained_memory"})},
    {.key = "shared_rate", .unit = "GB/s", STAGE(sharing.shared_rate),
     .help = "bandwidth of the shared memory, the board's",
     CASES({.when = {IF_SHARES_MEMORY}})},
    {.key = "own_time", .unit = "us", STAGE(sharing.own_time),
     .help = "transfers of its device that may overlap with those of the other, alone",
     CASES({.when = {IF_SHARES_MEMORY}})},
    {.key = "other_moved", .unit = "us", STAGE(sharing.other_moved),
     .help = "what the other moves beside them, time of the shared memory",
     CASES({.when = {IF_SHARES_MEMORY}})},
    {.key = "resident_transfer", .unit = "ns", ELEMENT_TRANSFER(costs.resident.transfer),
     .help = "transfer time of an element of the working set",
     COMPUTED("sum(resident.*.transfer)")},
    {.key = "arriving_transfer", .unit = "ns", ELEMENT_TRANSFER(costs.arriving.transfer),
     .help = "transfer time of an element that arrives from a camera or link",
     COMPUTED("sum(arriving.*.transfer)")},
    {.key = "streamed_transfer", .unit = "ns", ELEMENT_TRANSFER(costs.streamed.transfer),
     .help = "transfer time of a streamed element", COMPUTED("sum(streamed.*.transfer)")},
    {.key = "operand_transfer", .unit = "ns", ELEMENT_TRANSFER(costs.operand.transfer),
     .chosen = "device.operand_bandwidth", .help = "transfer time of an element of the vector",
     CASES({.when = {IF_OPERAND}, .formula = "sum(operand.*.transfer)"})},
    {.key = "resident_wait", .unit = "ns", ELEMENT_WAIT(costs.resident.wait),
     .help = "latency of an element of the working set", COMPUTED("sum(resident.*.wait)")},
    {.key = "arriving_wait", .unit = "ns", ELEMENT_WAIT(costs.arriving.wait),
     .help = "latency of an element that arrives from a camera or link",
     COMPUTED("sum(arriving.*.wait)")},
    {.key = "streamed_wait", .unit = "ns", ELEMENT_WAIT(costs.streamed.wait),
     .help = "latency of a streamed element", COMPUTED("sum(streamed.*.wait)")},
    {.key = "block", COUNTED(block), .chosen = "access algorithm",
     CASES({.when = {IF_WORKING_SET, IF_OPEN, IF_STRIDED}, .formula = formula_text_strided_block},
           {.when = {IF_WORKING_SET, IF_OPEN, IF_SEQUENTIAL, IF_ROW_LENGTH},
            .formula = "max(1, %s)"},
           {.when = {IF_WORKING_SET, IF_OPEN, IF_SEQUENTIAL},
            .formula = "max(1, working_set / element_bytes)"},
           {.when = {IF_WORKING_SET, IF_OPEN}})},
    {.key = "streamed_block", .unit = "", .chosen = "access algorithm",
     .help = "consecutive streamed elements", ALL_TAKEN(streamed_block)},

    /* Times with the component's share of the device */
    {.key = "compute_time", .chosen = "scenario.sharing deferred trace distance",
     .prune = PRUNE_NAMES,
     CASES({.when = {IF_CHAIN, IF_SHARE}, .formula = "stream_compute + tail_compute",
            .help = "larger of the time of FLOP and that of serially dependent sums"},
           {.when = {IF_PROGRAM}, .formula = PROGRAM("threads")},
           {.when = {IF_SHARE, IF_DEFERS_FLOP},
            .formula = "(flop - deferred_flop) / effective_flops", TIMES(CAUSE_COMPUTE, "device")},
           {.when = {IF_SHARE}, .formula = "flop / effective_flops",
            TIMES(CAUSE_COMPUTE, "device")},
           {.when = {IF_ALWAYS}})},
    {.key = "memory_time", .chosen = "scenario.sharing device.memory_model trace",
     CASES({.when = {IF_PROGRAM}, .formula = PROGRAM("traffic")},
           {.when = {IF_SHARE, IF_FEW_ROWS, IF_PARTIAL},
            .formula = "stream_memory + tail_memory + loaded_packets * accumulator_time"},
           {.when = {IF_SHARE, IF_FEW_ROWS}, .formula = "stream_memory + tail_memory"},
           {.when = {IF_OWN_SHARE}, .formula = "transfer_time / share + wait_time"},
           {.when = {IF_SHARE}, .formula = "transfer_time + wait_time"},
           {.when = {IF_CAMERA}},
           {.when = {IF_IDLE}},
           {.when = {IF_SHARED_MEMORY}, .help = "the data are in the memory of the host"},
           {.when = {IF_WRITTEN}, .help = "the port has written the data into the GPU"},
           {.when = {IF_LINK, IF_PLAIN_WIRE}, .formula = formula_text_wire_time_plain},
           {.when = {IF_LINK}, .formula = "sum(packets.*.duration)"},
           {.when = {IF_ALWAYS}, .help = "no work and no share"})},
    {.key = "full_stream_compute", .unit = "us", STAGE(stream.compute),
     .chosen = "algorithm device.scalar_rate",
     .help = "compute time of the stream with the whole device",
     COMPUTED_TIMES("max(" COMPUTE_OF("stream") ", chain_time, scalar_time)")},
    {.key = "full_tail_compute", .unit = "us", STAGE(tail.compute),
     .help = "compute time after the last packet with the whole device",
     COMPUTED_TIMES(COMPUTE_OF("tail"))},
    {.key = "full_deferred_compute", .unit = "us", STAGE(deferred.compute),
     .help = "compute time after the command with the whole device",
     COMPUTED_TIMES(COMPUTE_OF("deferred"))},
    {.key = "full_stream_memory", .unit = "us", .value = full_stream_memory,
     .help = "memory time of the stream with the whole device",
     COMPUTED(MEMORY_OF("stream", "stream", ""))},
    {.key = "full_tail_memory", .unit = "us", .value = full_tail_memory,
     .help = "memory time after the last packet with the whole device",
     CASES({.when = {IF_COMPUTES, IF_UNDEFERRED},
            .formula = MEMORY_OF("tail", "tail", "") FEW_ROWS("late", "")},
           {.when = {IF_COMPUTES}, .formula = MEMORY_OF("tail", "tail", "")})},
    {.key = "stream_compute", .unit = "us", TRACK(compute),
     .chosen = "scenario.sharing trace distance",
     .help = "compute time of work that arrives with packets: FLOP, or serially dependent sums",
     CASES({.when = {IF_PROGRAM}, .formula = PROGRAM("phases"),
            .help = "time of its trace on its share of the machine"},
           {.when = {IF_OWN_CORES}, .formula = "full_stream_compute"},
           {.when = {IF_OWN_SHARE}, .formula = SHARED_COMPUTE("stream")},
           {.when = {IF_SHARE}, .formula = "full_stream_compute"},
           {.when = {IF_COMPUTES}, .help = "no work"})},
    {.key = "stream_memory", .unit = "us", TRACK(memory),
     .chosen = "scenario.sharing device.memory_model",
     .help = "memory time of work that arrives with packets",
     CASES(SHARED_CASES("stream", "stream"))},
    {.key = "accumulator_time", .unit = "us", TRACK(accumulator), .chosen = "scenario.sharing",
     .help = "time to read and write the partial result of a packet",
     CASES(SHARED_CASES("accumulator", "accumulator"))},
    {.key = "tail_compute", .unit = "us", .chosen = "scenario.sharing",
     .help = "compute time after the last packet",
     COMPUTE_CASES("tail")},
    {.key = "tail_memory", .unit = "us", .chosen = "scenario.sharing",
     .help = "memory time after the last packet",
     CASES({.when = {IF_SHARED, IF_UNDEFERRED},
            .formula = MEMORY_OF("tail", "tail", "") FEW_ROWS("late", "")},
           {.when = {IF_SHARE, IF_UNDEFERRED},
            .formula = MEMORY_OF("tail", "tail", " / share") FEW_ROWS("late", " / share")},
           SHARED_CASES("tail", "tail"))},
    {.key = "deferred_compute", .unit = "us", .chosen = "scenario.sharing",
     .help = "compute time after the command",
     COMPUTE_CASES("deferred")},
    {.key = "deferred_memory", .unit = "us", .chosen = "scenario.sharing",
     .help = "memory time after the command", CASES(SHARED_CASES("deferred", "late"))},
    {.key = "work_time", .unit = "us",
     .help = "compute and memory time of work that arrives with packets",
     COMPUTED(EXPLAIN_ROOF("stream_compute", "stream_memory"))},
    {.key = "packets_time", .unit = "us",
     .help = "time of all packets, without launches and overhead",
     CASES({.when = {IF_COMPUTES, IF_LINEAR, IF_PARTIAL},
            .formula = "work_time + loaded_packets * accumulator_time"},
           {.when = {IF_COMPUTES, IF_LINEAR}, .formula = "work_time"},
           {.when = {IF_COMPUTES}, .formula = "sum(packets.*.work_time)"})},
    {.key = "tail_time", .unit = "us", TRACK(tail),
     .help = "time of the work after the last packet",
     COMPUTED(EXPLAIN_ROOF("tail_compute", "tail_memory"))},
    {.key = "deferred_work", .unit = "us", TRACK(deferred),
     .help = "time of the work after the command",
     COMPUTED(EXPLAIN_ROOF("deferred_compute", "deferred_memory"))},
    {.key = "deferred_time", .chosen = "algorithm deferred", .prune = PRUNE_NAMES,
     CASES({.when = {IF_DEFERS}, .formula = formula_text_deferred_time})},
    {.key = "boundary", .unit = "us",
     CASES({.when = {IF_COMPUTES, IF_FPGA}, .formula = "0", .help = "a circuit has no kernels"},
           {.when = {IF_COMPUTES, IF_ALONE}, .formula = "0 * device.boundary",
            .help = "a single thread needs no barrier"},
           {.when = {IF_COMPUTES}, .formula = "device.boundary",
            TIMES(CAUSE_DISPATCH, "device")})},
    {.key = "operators", STAGE(operators), .unit = "", .chosen = "type algorithm deferred",
     CASES({.when = {IF_COMPUTES, IF_INTERPRETED, IF_OPEN}, .help = "operators of its algorithm"},
           {.when = {IF_COMPUTES, IF_INTERPRETED}, .formula = "knob.operators"},
           {.when = {IF_COMPUTES}, .help = "no interpreter calls operators"})},
    {.key = "operator_time", .unit = "us",
     CASES({.when = {IF_COMPUTES}, TAKEN(operator_time), TIMES(CAUSE_FRAMEWORK, "device")})},
    {.key = "software", .unit = "us",
     CASES({.when = {IF_COMPUTES, IF_CPU}, .formula = "device.software",
            TIMES(CAUSE_SOFTWARE, "device")})},
    {.key = "overhead", .unit = "us",
     CASES({.when = {IF_COMPUTES, IF_CALIBRATED}, .formula = "knob.overhead",
            TIMES(CAUSE_SOFTWARE, "device")})},
    {.key = "launch", .unit = "us", .value = launch_delay, .chosen = "device.kind",
     CASES({.when = {IF_COMPUTES, IF_FPGA}, .formula = "device.stage_latency",
            TIMES(CAUSE_DISPATCH, "device")},
           {.when = {IF_COMPUTES, IF_CROWDED},
            .help = "threads that poll outnumber the cores and wait for one"},
           {.when = {IF_COMPUTES}, .formula = "device.launch",
            TIMES(CAUSE_DISPATCH, "device")})},
    {.key = "handover", .unit = "us",
     .chosen = "knob.process before.*.process device.host.dispatch",
     CASES({.when = {IF_COMPUTES, IF_CROSSES}, .formula = "device.host.handover",
            .help = "delay of data from another process or a port",
            TIMES(CAUSE_DISPATCH, "device.host")},
           {.when = {IF_SENDS_CPU}, .formula = "sender.handover",
            .help = "delay from the process to the port", TIMES(CAUSE_DISPATCH, "sender")})},
    {.key = "delay", .unit = "us", TRACK(delay), .prune = PRUNE_NAMES,
     .chosen = "link board.copy board.dispatch",
     .help = "delay from ready data to running work or to the wire",
     CASES({.when = {IF_COMPUTES}, .formula = formula_text_delay},
           {.when = {IF_NETWORK}, .formula = formula_text_send_delay},
           {.when = {IF_WRITTEN}, .help = "the port has written the data into the GPU"},
           {.when = {IF_COPY, IF_INWARD}, .formula = "board.copy_latency",
            TIMES(CAUSE_COPY, "board")},
           {.when = {IF_COPY}, .formula = "board.copy_out", TIMES(CAUSE_COPY, "board")},
           {.when = {IF_PEER}, .formula = "max(ends.*.peer_latency)",
            TIMES(CAUSE_COPY, "receiver")},
           {.when = {IF_IDLE}, .help = "nothing is sent"},
           {.when = {IF_LINK}, .formula = NUMBER(PCIE_LATENCY),
            .help = "delay of a transfer to or from a card"})},
    {.key = "delay_inside", .unit = "us", TRACK(delay_inside), .prune = PRUNE_NAMES,
     .help = "delay if the component before has just run on the device",
     CASES({.when = {IF_COMPUTES, IF_FPGA}, .formula = formula_text_delay},
           {.when = {IF_COMPUTES, IF_CROWDED}, .formula = formula_text_delay},
           {.when = {IF_COMPUTES, IF_CROSSES}, .formula = "handover"},
           {.when = {IF_COMPUTES}})},
    {.key = "enqueue", .unit = "us", .help = "time of a host's thread per kernel, copy or graph",
     CASES({.when = {IF_COMPUTES, IF_GPU}, .formula = "device.enqueue",
            TIMES(CAUSE_DISPATCH, "device")},
           {.when = {IF_COPY}, .formula = "board.enqueue", TIMES(CAUSE_DISPATCH, "board")})},
    {.key = "enqueue_time", .unit = "us", TRACK(enqueue),
     .help = "time to enqueue the work of a packet",
     CASES({.when = {IF_COMPUTES}, TAKEN(enqueue_time)},
           {.when = {IF_COPY, IF_ENQUEUED}, .formula = "enqueue"},
           {.when = {IF_ALWAYS}, .help = "nothing is enqueued"})},
    {.key = "enqueue_inside", .unit = "us", TRACK(enqueue_inside),
     .help = "time to enqueue the work of a packet that continues a visit",
     CASES({.when = {IF_COMPUTES}, TAKEN(enqueue_inside)},
           {.when = {IF_ALWAYS}, .help = "nothing is enqueued"})},
    {.key = "enqueue_tail", .unit = "us", TRACK(enqueue_tail),
     .help = "time to enqueue the work after the last packet",
     CASES({.when = {IF_COMPUTES}, TAKEN(enqueue_tail)},
           {.when = {IF_ALWAYS}, .help = "nothing is enqueued"})},
    {.key = "enqueue_each", .unit = "us", .help = "time to enqueue the work of most packets",
     CASES({.when = {IF_COMPUTES, IF_CONTINUES}, .formula = "enqueue_inside"},
           {.when = {IF_ALWAYS}, .formula = "enqueue_time"})},
    {.key = "enqueue_busy", .unit = "us", .help = "time of the enqueuing thread per frame",
     CASES({.when = {IF_COMPUTES, IF_GRAPH}, .formula = formula_text_enqueue_graphs},
           {.when = {IF_ALWAYS}, .formula = formula_text_enqueue_busy})},
    {.key = "graphs", .unit = "", STAGE(graphs), .chosen = "loaded_packets before.*.loaded_packets",
     .help = "graphs that it starts per frame", CASES({.when = {IF_COMPUTES}})},
    {.key = "delays", .unit = "us", .prune = PRUNE_NAMES,
     .help = "delays of a packet: launch, enqueuing, hand-over, copy, port, sleep state, cable",
     CASES({.when = {IF_CAMERA}, .formula = "datagram_time + ingress_latency + sleep"},
           {.when = {IF_ALWAYS},
            .formula = "delay + enqueue_time + enqueue_tail + sleep + latency_after"})},
    {.key = "sleep", .unit = "us", TRACK(sleep), .chosen = "device.os",
     CASES({.when = {IF_ASLEEP}, .formula = formula_text_wake_up,
            .help = "delay of a packet while its core wakes from a sleep state"},
           {.when = {IF_ALWAYS}, .help = "finds no core in a sleep state"})},
    {.key = "sleep_latency", .unit = "us", .value = sleep_latency,
     .help = "time to wake from the deepest sleep state",
     CASES({.when = {IF_ASLEEP, IF_CAMERA}, .formula = "host.sleep_latency"},
           {.when = {IF_ASLEEP}, .formula = "device.sleep_latency"})},
    {.key = "idle", .unit = "ms", STAGE(idle), .help = "time between frames without work",
     CASES({.when = {IF_ASLEEP, IF_CAMERA}, .formula = formula_text_camera_idle},
           {.when = {IF_ASLEEP}, .formula = EXPLAIN_RUN_OF("frame_period")})},
    {.key = "kernels", COUNTED(kernels), .chosen = "algorithm",
     CASES({.when = {IF_COMPUTES, IF_OPEN}, .formula = "%s", .help = "kernels of its algorithm"})},
    {.key = "tail_kernels", .unit = "", STAGE(demand.tail_kernels), .chosen = "algorithm deferred",
     .help = "kernels after the last packet", CASES({.when = {IF_COMPUTES}})},
    {.key = "deferred_kernels", .unit = "", STAGE(demand.deferred_kernels),
     .chosen = "algorithm deferred", .help = "kernels after the command",
     CASES({.when = {IF_COMPUTES}})},
    {.key = "fixed", .unit = "us", STAGE(fixed), .prune = PRUNE_PRODUCTS,
     .chosen = "device.dispatch device.framework",
     .help = "overhead, kernel boundaries and operators of a packet with work",
     COMPUTED(formula_text_fixed)},
    {.key = "fixed_tail", .unit = "us", STAGE(fixed_tail), .prune = PRUNE_PRODUCTS,
     .chosen = "device.dispatch device.framework",
     .help = "kernel boundaries after the last packet, and software of a frame",
     COMPUTED(formula_text_fixed_tail)},
    {.key = "fixed_deferred", .unit = "us", STAGE(fixed_deferred),
     .help = "kernel boundaries after the command", COMPUTED(formula_text_fixed_deferred)},
    {.key = "fixed_total", .unit = "us", STAGE(fixed_total), .prune = PRUNE_NAMES,
     .help = "fixed times of the frame", COMPUTED(formula_text_fixed_total)},
    {.key = "time", .chosen = "type interface order", .prune = PRUNE_NAMES,
     CASES({.when = {IF_COMPUTES}, .formula = formula_text_node_time},
           {.when = {IF_CAMERA, IF_HOSTED}, .formula = formula_text_readout_time,
            .help = "readout: at least the time that its interface and its host's port need"},
           {.when = {IF_CAMERA}, .formula = "own_readout"},
           {.when = {IF_ALWAYS}, .formula = "memory_time"})},
    {.key = "busy", .chosen = "frame_transfer", .prune = PRUNE_NAMES,
     CASES({.when = {IF_COMPUTES}, .formula = formula_text_busy},
           {.when = {IF_CAMERA}, TAKEN(camera_busy)},
           {.when = {IF_ALWAYS}, .formula = "time"})},
    {.key = "frame_busy", .unit = "us", .help = "busy time per frame of the loop",
     ALWAYS(formula_text_frame_busy)},
    {.key = "first_start", .chosen = "algorithm barrier scenario.processing normalisation",
     CASES({.when = {IF_WAITS_FIRST}, .formula = "sum(way.*.time) + first_delay + first_wait"},
           {.when = {IF_WAITS}, .formula = "sum(way.*.time) + first_delay"})},
    {.key = "first_delay", .unit = "us", .value = first_delay, .prune = PRUNE_NAMES,
     .help = "delay of its first packet with work",
     CASES({.when = {IF_FIRST_DELAYED, IF_FIRST_BEGINS},
            .formula = "delay + first_enqueue + first_tail + first_sleep"},
           {.when = {IF_FIRST_DELAYED}, .formula = "delay_inside + first_sleep"},
           {.when = {IF_ALWAYS}})},
    {.key = "first_enqueue", .unit = "us", .help = "time to enqueue its kernels, or its graph",
     CASES({.when = {IF_FIRST_EMPTY}, .formula = "enqueue_time - enqueue_inside"},
           {.when = {IF_ALWAYS}, .formula = "enqueue_time"})},
    {.key = "first_tail", .unit = "us", .help = "time to enqueue the work after the last packet",
     CASES({.when = {IF_FIRST_LAST}, .formula = "enqueue_tail"})},
    {.key = "first_sleep", .unit = "us", .help = "delay while its core wakes from a sleep state",
     CASES({.when = {IF_FIRST_ASLEEP}, .formula = "sleep"})},
    {.key = "first_wait", .unit = "us", .value = explain_first_wait, .chosen = "scenario.sharing",
     .help = "waiting for others on the link or device, or for the previous frame",
     CASES({.when = {IF_WAITS_FIRST}, .formula = EXPLAIN_RUN})},
    {.key = "last_end",
     CASES({.when = {IF_CAMERA}, .formula = "clock + reception"},
           {.when = {IF_ALWAYS}, .formula = "sum(path.*.time)"})},
    {.key = "off_port", .unit = "us",
     .help = "time when its command is off the port, from the start of readout",
     CASES({.when = {IF_BEYOND}, .formula = "last_end - latency_after"},
           {.when = {IF_ALWAYS}, .formula = "last_end"})},
    {.key = "slack", .chosen = "scenario.sharing",
     CASES({.when = {IF_ALWAYS}, .formula = EXPLAIN_RUN})},
    {.key = "path_busy",
     CASES({.when = {IF_PATH, IF_PATH_WAIT}, .formula = "sum(steps.*.latency) - path_wait"},
           {.when = {IF_PATH}, .formula = "sum(steps.*.latency)"},
           {.when = {IF_PATH_BUSY}, .formula = EXPLAIN_RUN_OF("last_pixel")})},
    {.key = "path_wait",
     CASES({.when = {IF_PATH, IF_PATH_WAIT}, .formula = "sum(steps.*.wait)"},
           {.when = {IF_PATH_WAIT}, .formula = EXPLAIN_RUN})},

    /* Cameras, links, mirrors */
    {.key = "exposure", .chosen = "frame_transfer",
     CASES({.when = {IF_CAMERA}, TAKEN(exposure)})},
    {.key = "integration", .unit = "us", .chosen = "shutter",
     CASES({.when = {IF_CAMERA}, TAKEN(integration)})},
    {.key = "interface_rate", .unit = "MB/s", .value = explain_interface_rate,
     .chosen = "interface", .help = "payload rate of the camera interface",
     CASES({.when = {IF_CAMERA}, TAKEN(interface_rate)})},
    {.key = "link_payload", .unit = "B", .help = "payload of a full datagram of its interface",
     CASES({.when = {IF_CAMERA, IF_GIGE, IF_FEEDS_NONE}, .formula = NUMBER(LINK_MTU) " - 28",
            .help = "payload of a full datagram; the camera feeds no host"},
           {.when = {IF_CAMERA, IF_GIGE}, .formula = "min(hosts.*.payload)"})},
    {.key = "payload", .unit = "B", .chosen = "link", .help = "payload of a full datagram",
     CASES({.when = {IF_NETWORK}, .formula = "min(ends.*.payload)"},
           {.when = {IF_HOSTED}, .formula = "host.payload"})},
    {.key = "header", .unit = "B", .value = wire_header,
     .help = "header of a datagram: IP, UDP and Ethernet with preamble and gap",
     CASES({.when = {IF_NETWORK}}, {.when = {IF_CAMERA}})},
    {.key = "minimum", .unit = "B", .value = wire_minimum,
     .help = "smallest size of a datagram on the wire",
     CASES({.when = {IF_NETWORK}}, {.when = {IF_CAMERA}})},
    {.key = "wire_rate", .unit = "GB/s", .value = wire_rate,
     .chosen = "link board.host_link board.copy",
     .help = "rate of the link",
     CASES({.when = {IF_HOSTED}, .formula = "host.wire_rate"},
           {.when = {IF_NETWORK}, .formula = "min(ends.*.wire_rate)"},
           {.when = {IF_PEER_NVLINK}, .formula = "min(ends.*.peer_bandwidth)",
            OVER(CAUSE_COPY, "receiver")},
           {.when = {IF_SHARED_MEMORY}, .help = "the data are in the memory of the host"},
           {.when = {IF_PEER}, .formula = "slower.host_rate", OVER(CAUSE_COPY, "receiver")},
           {.when = {IF_MAPPED_IN, IF_BOARD_UNIFIED}, .formula = "mapped_rate",
            OVER(CAUSE_COPY, "board")},
           {.when = {IF_MAPPED_IN}, .formula = "min(board.host_rate, mapped_rate)",
            OVER(CAUSE_COPY, "board")},
           {.when = {IF_PLAIN_WIRE, IF_COPY}, .formula = "board.host_rate",
            OVER(CAUSE_COPY, "board")},
           {.when = {IF_PLAIN_WIRE}, .formula = "board.host_rate"})},
    {.key = "mapped_rate", .unit = "GB/s", .value = mapped_rate,
     .help = "rate at which a host writes into the memory of a GPU",
     CASES({.when = {IF_MAPPED_IN}, .formula = "mapped(board.pcie_gen, host.pcie_gen)"})},
    {.key = "egress_latency", .unit = "us", .help = "from the program to the wire",
     CASES({.when = {IF_SENDS}, .formula = "sender.egress_latency",
            TIMES(CAUSE_PORT, "sender")})},
    {.key = "ingress_latency", .unit = "us", .value = ingress_latency,
     .chosen = "interface host.ingress",
     .help = "from the receiving core to the program",
     CASES({.when = {IF_RECEIVED}, .formula = "receiver.ingress_latency",
            TIMES(CAUSE_PORT, "receiver")},
           {.when = {IF_CAMERA, IF_GRABBER, IF_INGRESS_OPEN}, .help = "delay of a frame grabber"},
           {.when = {IF_CAMERA, IF_GRABBER}, .formula = "host.knob.ingress_latency",
            TIMES(CAUSE_PORT, "host")},
           {.when = {IF_HOSTED, IF_LIKE_HOST}, .formula = "host.ingress_latency",
            TIMES(CAUSE_PORT, "host")},
           {.when = {IF_HOSTED, IF_INGRESS_OPEN},
            .help = "no GPU receives its data, which bypass the kernel"},
           {.when = {IF_HOSTED}, .formula = "host.ingress_latency",
            TIMES(CAUSE_PORT, "host")},
           {.when = {IF_CAMERA}, .help = "it feeds no host"})},
    {.key = "datagram_time", .unit = "us", .value = datagram_time,
     .chosen = "interface host.ingress", .help = "time of a receiving core per datagram",
     CASES({.when = {IF_RECEIVED}, .formula = "receiver.datagram_time",
            TIMES(CAUSE_PORT, "receiver")},
           {.when = {IF_HOSTED, IF_NO_DATAGRAMS},
            .help = "no core receives them: a frame grabber, or a port writes into a GPU"},
           {.when = {IF_HOSTED, IF_LIKE_HOST}, .formula = "host.datagram_time",
            TIMES(CAUSE_PORT, "host")},
           {.when = {IF_HOSTED}, .help = "no GPU receives its data, which bypass the kernel"},
           {.when = {IF_CAMERA}, .help = "it feeds no host"})},
    {.key = "ingress", .unit = "us", .help = "from the wire to the program of the receiver",
     CASES({.when = {IF_RECEIVED}, .formula = formula_text_port_reception})},
    {.key = "first_wire", .unit = "us", .value = first_wire,
     .help = "time of the first datagram on the wire", CASES({.when = {IF_RECEIVED}})},
    {.key = "latency_after", .unit = "us", TRACK(latency), .prune = PRUNE_NAMES,
     .chosen = "link switch", .help = "latency of switches, cable and the receiver's port",
     CASES({.when = {IF_NETWORK}, .formula = formula_text_network_latency}, {.when = {IF_LINK}})},
    {.key = "own_readout", .unit = "us", .chosen = "interface",
     .help = "readout that the camera and its interface allow",
     CASES({.when = {IF_CAMERA}, TAKEN(own_readout)})},
    {.key = "port_time", .unit = "us", .value = port_time, .chosen = "interface",
     CASES({.when = {IF_HOSTED, IF_GRABBER}, .formula = formula_text_grabber_time,
            .help = "time of a frame in the frame grabber's slot"},
           {.when = {IF_HOSTED}, .formula = "sum(sharers.*.wire_time)",
            .help = "time of the frames of all its cameras on the host's port"})},
    {.key = "port_rate", .unit = "GB/s", .help = "rate of the frame grabber's slot",
     CASES({.when = {IF_HOSTED}, .formula = "host.lane_rate * min(host.pcie_lanes, 16)"})},
    {.key = "wire_time", .unit = "us", .help = "time of a frame of all its sensors on the wire",
     CASES({.when = {IF_HOSTED}, .formula = "wfs.count * sum(packets.*.wire_time)"})},
    {.key = "port_busy", .unit = "us", .help = "time on the host's port per frame of the loop",
     CASES({.when = {IF_HOSTED}, .formula = formula_text_port_busy})},
    {.key = "received_datagrams", .unit = "", .help = "datagrams of a frame of one sensor",
     CASES({.when = {IF_HOSTED}, .formula = "sum(packets.*.received_datagrams)"})},
    {.key = "frame_copy", .unit = "us", STAGE(frame_copy), .chosen = "scenario.processing host.ingress",
     .help = "time of a core that copies the frame to where components read it",
     CASES({.when = {IF_FRAME_COPY}, .formula = formula_text_frame_copy,
            TIMES(CAUSE_MEMORY, "host")})},
    {.key = "frame_bytes", .unit = "B", TRACK(arrival.bytes), .help = "bytes of a frame of one sensor",
     CASES({.when = {IF_FRAME_COPY}, .formula = formula_text_frame_bytes})},
    {.key = "core_rate", .unit = "GB/s", .value = core_rate,
     .help = "bytes per second that one core of the host reads and writes",
     CASES({.when = {IF_FRAME_COPY}})},
    {.key = "receive_time", .unit = "us", .value = receive_time,
     .help = "time of a receiving core per frame",
     CASES({.when = {IF_FRAME_COPY}, .formula = formula_text_frame_receive_time},
           {.when = {IF_HOSTED}, .formula = formula_text_receive_time})},
    {.key = "packets", .unit = "", .help = "slots of a frame: packets of the sensor with most",
     .value = frame_slots,
     CASES({.when = {IF_CAMERA, IF_OWN_PACKETS}, .formula = "max(sensors.*.packets)"},
           {.when = {IF_CAMERA}, .formula = "scenario.packets"})},
    {.key = "start", .unit = "us", .help = "start of its readout in a frame",
     CASES({.when = {IF_CAMERA}, .formula = "wfs.start"})},
    {.key = "readout_end", .unit = "us", .help = "time when its last pixel is off the wire",
     CASES({.when = {IF_CAMERA}, .formula = formula_text_camera_end})},
    {.key = "age", .unit = "us", .help = "age of its mean photon at the start of the frame",
     CASES({.when = {IF_CAMERA}, .formula = formula_text_camera_age})},
    {.key = "useful_part", .unit = "", .value = useful_part,
     .chosen = "order",
     .help = "part of the readout up to the last packet that matters for a command",
     CASES({.when = {IF_CAMERA, IF_MEASURED}, .formula = EXPLAIN_GEOMETRY},
           {.when = {IF_CAMERA}})},
    {.key = "useful_packets", .unit = "", .value = useful_packets,
     .chosen = "order", .help = "packets up to the last one that matters for a command",
     CASES({.when = {IF_CAMERA, IF_MEASURED}, .formula = EXPLAIN_GEOMETRY},
           {.when = {IF_CAMERA}, .formula = "packets"})},
    {.key = "clock", .unit = "us", .base = BASE_FORMULA,
     .help = "time when the last packet that matters is off the wire",
     CASES({.when = {IF_CAMERA, IF_UNEVEN}, .formula = formula_text_clock_uneven},
           {.when = {IF_CAMERA}, .formula = formula_text_clock})},
    {.key = "reception", .unit = "us", .value = explain_reception,
     .help = "time of its last packet that matters from the wire to the program",
     CASES({.when = {IF_PROMPT}, .formula = formula_text_frame_reception},
           {.when = {IF_CAMERA},
            .formula = "received(datagram_time, ingress_latency, frame_copy, time, sleep, bytes, "
                       "wfs.count, payload, frame_period, useful_packets)"})},
    {.key = "hops", .unit = "", .help = "switches on the path",
     CASES({.when = {IF_INSERTED}, .formula = NUMBER(LINK_HOPS)})},
    {.key = "length", .unit = "m", .help = "length of cable",
     CASES({.when = {IF_INSERTED}, .formula = NUMBER(LINK_LENGTH)})},
    {.key = "hop_time", .unit = "us", .value = hop_time, .chosen = "switch",
     CASES({.when = {IF_STORES}, .formula = formula_text_store_forward_time,
            .help = "latency of a store-and-forward switch"},
           {.when = {IF_NETWORK}, .help = "latency of a cut-through switch"})},
    {.key = "command_actuators", .unit = "", .help = "number of commands to the mirror",
     CASES({.when = {IF_MIRROR, IF_ACTUATORS_OPEN}, .formula = "ao.actuators"},
           {.when = {IF_MIRROR}, .formula = "knob.actuators"})},
    {.key = "arrival", .unit = "us",
     .help = "time when the command is at the mirror, from the start of readout",
     CASES({.when = {IF_MIRROR}, .formula = "last_end"})},
    {.key = "mirror_lag", .unit = "us", .help = "time by which the mirror follows a slow change late",
     CASES({.when = {IF_MIRROR}, TAKEN(mirror_lag)})},
    {.key = "correction", .unit = "us",
     .help = "middle of the mirror's settling, from the start of readout",
     CASES({.when = {IF_MIRROR}, TAKEN(correction)})},
    {.key = NULL},
};
/* clang-format on */
