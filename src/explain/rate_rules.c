#include <math.h>
#include <stdio.h>

#include "explain/path.h"
#include "explain/rules.h"
#include "model/device.h"
#include "model/formulas.h"

/* Sums whose operations wait for one another, where the device knows how long one takes. These go
 * before the rules of what computes at a fraction of the peak. */

static enum chain chain_of(const struct explain *explain, struct explain_subject subject)
{
    const struct algorithm *algorithm = explain_algorithm(explain, subject);

    return algorithm == NULL ? CHAIN_NONE : algorithm->chain;
}

static bool is_known(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) &&
           device_chain_latency(explain_device(explain, subject), chain_of(explain, subject)) > 0;
}

static bool is_open(const struct explain *explain, struct explain_subject subject)
{
    return is_known(explain, subject) &&
           explain_component(explain, subject)->compute_efficiency == 0;
}

static bool is_elementwise(const struct explain *explain, struct explain_subject subject)
{
    const struct algorithm *algorithm = explain_algorithm(explain, subject);

    return explain_computes(explain, subject) &&
           explain_device(explain, subject)->kind == DEVICE_CPU &&
           explain_device(explain, subject)->add_latency > 0 && algorithm != NULL &&
           algorithm_elementwise(algorithm) &&
           explain_component(explain, subject)->compute_efficiency == 0;
}

static bool of_cores(const struct explain *explain, struct explain_subject subject)
{
    return is_known(explain, subject) && explain_owns_cores(explain, subject);
}

static bool of_share(const struct explain *explain, struct explain_subject subject)
{
    return is_known(explain, subject) && explain_owns_share(explain, subject);
}

static bool works(const struct explain *explain, struct explain_subject subject)
{
    return is_known(explain, subject) && explain_has_share(explain, subject);
}

static bool over_pixels(const struct explain *explain, struct explain_subject subject)
{
    return is_known(explain, subject) && chain_of(explain, subject) == CHAIN_PIXELS;
}

/* Where its FLOP are counted one by one beside. */
static bool is_scalar(const struct explain *explain, struct explain_subject subject)
{
    return is_known(explain, subject) &&
           device_knows_scalars(explain_device(explain, subject), chain_of(explain, subject));
}

#define STREAM_HELP "what comes with the packets: FLOP, or sums that wait for themselves"

/* clang-format off */
const struct explain_rule explain_chain_rules[] = {
    {.kind = EXPLAIN_COMPONENT, .key = "compute_time", .when = works,
     .formula = "stream_compute + tail_compute", .prune = true,
     .help = "the longer of FLOP at the FLOP/s it gets and sums that wait for themselves"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_compute", .unit = "us", .when = of_cores,
     TRACK(compute), .formula = "full_stream_compute", .help = STREAM_HELP},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_compute", .unit = "us", .when = of_share,
     TRACK(compute), .formula = "full_stream_compute / share", .help = STREAM_HELP},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_compute", .unit = "us", .when = works,
     TRACK(compute), .formula = "full_stream_compute", .help = STREAM_HELP},
    {.kind = EXPLAIN_COMPONENT, .key = "full_stream_compute", .unit = "us", .when = is_scalar,
     STAGE(stream.compute), .formula = "max(stream_flop / full_flops, chain_time, scalar_time)",
     .help = "with the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "full_stream_compute", .unit = "us", .when = is_known,
     STAGE(stream.compute), .formula = "max(stream_flop / full_flops, chain_time)",
     .help = "with the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "compute_efficiency", .when = is_open,
     .help = "all of the peak: what its sums wait for is counted apart"},
    {.kind = EXPLAIN_COMPONENT, .key = "compute_efficiency", .when = is_elementwise,
     .help = "all of the peak: its loops wait for what they load and store"},
    {.kind = EXPLAIN_COMPONENT, .key = "chain_time", .unit = "us", .when = over_pixels,
     STAGE(chain), .formula = formula_text_pixel_chain_time,
     .help = "of sums whose every operation waits for the one before"},
    {.kind = EXPLAIN_COMPONENT, .key = "chain_time", .unit = "us", .when = is_known, STAGE(chain),
     .formula = formula_text_row_chain_time,
     .help = "of sums whose every operation waits for the one before"},
    {.kind = EXPLAIN_COMPONENT, .key = "scalar_time", .unit = "us", .when = is_scalar,
     STAGE(scalar), .formula = formula_text_scalar_time,
     .help = "of sums whose numbers are added one by one"},
    {.kind = EXPLAIN_COMPONENT, .key = "chain_items", .unit = "", .when = over_pixels,
     STAGE(chain_items), .formula = "subaps", .help = "sums to make"},
    {.kind = EXPLAIN_COMPONENT, .key = "chain_items", .unit = "", .when = is_known,
     STAGE(chain_items), .formula = "rows", .help = "sums to make"},
    {.kind = EXPLAIN_COMPONENT, .key = "chain_depth", .unit = "", .when = over_pixels,
     STAGE(chain_depth), .formula = formula_text_pixel_chain_depth,
     .help = "operations of a sum, one after the other"},
    {.kind = EXPLAIN_COMPONENT, .key = "chain_depth", .unit = "", .when = is_known,
     STAGE(chain_depth), .formula = formula_text_row_chain_depth,
     .help = "operations of a sum, one after the other"},
    {.key = NULL},
};
/* clang-format on */

/* Share rules ---------------------------------------------------------------------------------- */

/* What a component gets of its device: FLOP/s, a share. */

double explain_share(const struct explain *explain, struct explain_subject subject)
{
    return explain->scenario->general.sharing == SHARING_PARTITION
               ? explain_stage(explain, subject)->share
               : 1;
}

bool explain_owns_cores(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) && explain_stage(explain, subject)->own_cores;
}

bool explain_has_share(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) && explain_share(explain, subject) > 0;
}

/* Where every component owns a part of its device. */
bool explain_owns_share(const struct explain *explain, struct explain_subject subject)
{
    return explain_has_share(explain, subject) &&
           explain->scenario->general.sharing == SHARING_PARTITION;
}

static bool shares_time(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) &&
           explain->scenario->general.sharing == SHARING_EXCLUSIVE;
}

static bool shares_rate(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) &&
           explain->scenario->general.sharing == SHARING_FLUID;
}

static bool defers(const struct explain *explain, struct explain_subject subject)
{
    return explain_has_share(explain, subject) &&
           explain_stage(explain, subject)->demand.deferred.flop > 0;
}

static bool share_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return explain_computes(explain, subject) && c->share == 0;
}

static bool frame_share(const struct explain *explain, struct explain_subject subject)
{
    return share_open(explain, subject) && explain_stage(explain, subject)->frame_barrier;
}

static double device_share_work(const struct explain *explain, struct explain_subject subject)
{
    double sum = 0;

    for (int n = 0; n < explain->result->node_count; n++) {
        struct explain_subject other = {EXPLAIN_COMPONENT, n, 0};

        if (explain->result->work->plan.node[n].device == subject.index &&
            share_open(explain, other) && !frame_share(explain, other))
            sum += explain->result->work->stage[n].work;
    }
    return sum;
}

static double device_streams(const struct explain *explain, struct explain_subject subject)
{
    int count = 0;

    for (int n = 0; n < explain->result->node_count; n++) {
        struct explain_subject other = {EXPLAIN_COMPONENT, n, 0};

        count += explain->result->work->plan.node[n].device == subject.index &&
                 share_open(explain, other) && !frame_share(explain, other);
    }
    return count;
}

static bool stream_share(const struct explain *explain, struct explain_subject subject)
{
    struct explain_subject device = {EXPLAIN_DEVICE, explain_plan(explain, subject)->device, 0};

    return share_open(explain, subject) && device_share_work(explain, device) > 0;
}

/* The same at share 1. */
static bool linear_alone(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);
    double memory = stage->stream.transfer + stage->stream.wait;

    return explain_computes(explain, subject) &&
           (stage->demand.accumulator == 0 || stage->stream.compute <= memory);
}

static bool plainly_linear_alone(const struct explain *explain, struct explain_subject subject)
{
    return linear_alone(explain, subject) &&
           explain_stage(explain, subject)->demand.accumulator == 0;
}

/* What only adds up vectors. */
static bool only_tail(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);

    return explain_computes(explain, subject) && stage->stream.compute == 0 &&
           stage->stream.transfer + stage->stream.wait == 0 && stage->demand.accumulator == 0;
}

static bool efficiency_open(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return explain_computes(explain, subject) && c->compute_efficiency == 0;
}

static bool measured_rate(const struct explain *explain, struct explain_subject subject)
{
    return efficiency_open(explain, subject) && !explain_on_gpu(explain, subject) &&
           algorithm_row(explain->scenario, explain_plan(explain, subject)->component)->measured >
               0;
}

static bool on_cpu(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) && !explain_on_gpu(explain, subject);
}

/* Of a GPU's fp32 FLOP/s. */
static void ratio_text(const struct explain *explain, struct explain_subject subject, char *text,
                       size_t size)
{
    static const char *const ratios[] = {[PRECISION_FP64] = "device.fp64_ratio",
                                         [PRECISION_FP32] = "1",
                                         [PRECISION_FP16] = "device.fp16_ratio",
                                         [PRECISION_BF16] = "device.fp16_ratio",
                                         [PRECISION_INT8] = "device.int8_ratio"};

    snprintf(text, size, "%s", ratios[explain_component(explain, subject)->precision]);
}

static bool owns_part(const struct explain *explain, struct explain_subject subject)
{
    return explain_owns_share(explain, subject) && !explain_owns_cores(explain, subject);
}

/* Has all of the device, in turn or at the same time as others. */
bool explain_shares(const struct explain *explain, struct explain_subject subject)
{
    return shares_time(explain, subject) || shares_rate(explain, subject);
}

static bool open_rate(const struct explain *explain, struct explain_subject subject)
{
    return shares_rate(explain, subject) && share_open(explain, subject);
}

/* clang-format off */
const struct explain_rule explain_share_rules[] = {
    {.kind = EXPLAIN_COMPONENT, .key = "bytes", .when = explain_is_program, .help = "of its trace"},
    {.kind = EXPLAIN_COMPONENT, .key = "compute_time", .when = explain_is_program,
     .formula = EXPLAIN_PROGRAM("threads")},
    {.kind = EXPLAIN_COMPONENT, .key = "compute_time", .when = defers,
     .formula = "(flop - deferred_flop) / effective_flops"},
    {.kind = EXPLAIN_COMPONENT, .key = "compute_time", .when = explain_has_share,
     .formula = "flop / effective_flops"},
    {.kind = EXPLAIN_COMPONENT, .key = "compute_time"},
    {.kind = EXPLAIN_COMPONENT, .key = "effective_flops", .unit = "FLOP/s", .when = owns_part,
     .formula = "full_flops * share", .help = "what its code gets of the device"},
    {.kind = EXPLAIN_COMPONENT, .key = "effective_flops", .unit = "FLOP/s",
     .when = explain_computes, .formula = "full_flops", .help = "what its code gets of the device"},
    {.kind = EXPLAIN_COMPONENT, .key = "full_flops", .unit = "FLOP/s", .when = on_cpu,
     .formula = formula_text_cpu_full_flops, .help = "what its code would get of the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "full_flops", .unit = "FLOP/s", .when = explain_on_gpu,
     .formula = formula_text_gpu_full_flops, .help = "what its code would get of the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "peak_flops", .unit = "FLOP/s", .when = on_cpu,
     .formula = formula_text_cpu_peak, .help = "of its device, at its precision"},
    {.kind = EXPLAIN_COMPONENT, .key = "peak_flops", .unit = "FLOP/s", .when = explain_on_gpu,
     .formula = formula_text_gpu_peak, .help = "of its device, at its precision"},
    {.kind = EXPLAIN_COMPONENT, .key = "precision_ratio", .unit = "", .when = explain_on_gpu,
     .write = ratio_text, .help = "of the peak at fp32"},
    {.kind = EXPLAIN_COMPONENT, .key = "compute_efficiency", .when = measured_rate,
     .formula = formula_text_rate_efficiency},
    {.kind = EXPLAIN_COMPONENT, .key = "usual_efficiency", .unit = "", .when = measured_rate,
     ALGORITHM(cpu_efficiency), .help = "of its algorithm, on a core of usual_flop_per_cycle"},
    {.kind = EXPLAIN_COMPONENT, .key = "usual_flop_per_cycle", .unit = "", .when = measured_rate,
     ALGORITHM(measured), .help = "of the cores its algorithm was measured on"},
    {.kind = EXPLAIN_COMPONENT, .key = "compute_efficiency", .when = efficiency_open,
     .help = "usual for its algorithm"},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_time", .when = explain_is_program,
     .formula = EXPLAIN_PROGRAM("traffic")},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_time", .when = explain_owns_share,
     .formula = "transfer_time / share + wait_time"},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_time", .when = explain_has_share,
     .formula = "transfer_time + wait_time"},
    {.kind = EXPLAIN_COMPONENT, .key = "full_stream_compute", .unit = "us",
     .when = explain_computes, STAGE(stream.compute), .formula = "stream_flop / full_flops",
     .help = "with the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "share", .when = shares_time,
     .help = "it has the whole device in its turn"},
    {.kind = EXPLAIN_COMPONENT, .key = "share", .when = open_rate,
     .help = "against those of others"},
    {.kind = EXPLAIN_COMPONENT, .key = "share", .when = frame_share,
     .formula = "1 - device.stated_shares"},
    {.kind = EXPLAIN_COMPONENT, .key = "share", .when = stream_share,
     .formula = "(1 - device.stated_shares) * share_work / device.share_work"},
    {.kind = EXPLAIN_COMPONENT, .key = "share", .when = share_open,
     .formula = "(1 - device.stated_shares) / device.streams"},
    {.kind = EXPLAIN_COMPONENT, .key = "share_work", .unit = "us", .when = only_tail, STAGE(work),
     .formula = EXPLAIN_ROOF("tail_flop / full_flops", "(tail_transfer + tail_wait)"),
     .help = "what follows its packets, with the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "share_work", .unit = "us", .when = plainly_linear_alone,
     STAGE(work), .formula = EXPLAIN_ROOF("full_stream_compute", "(stream_transfer + stream_wait)"),
     .help = "its packets with the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "share_work", .unit = "us", .when = linear_alone,
     STAGE(work),
     .formula = EXPLAIN_ROOF("full_stream_compute", "(stream_transfer + stream_wait)")
     " + "
     "loaded_packets * (accumulator_transfer + accumulator_wait)",
     .help = "its packets with the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "share_work", .unit = "us", .when = explain_computes,
     STAGE(work), .formula = "sum(packets.*.full_work_time)",
     .help = "its packets with the whole device"},
    {.kind = EXPLAIN_COMPONENT, .key = "device_time", .unit = "us", .when = shares_time,
     .formula = "busy / divisor", .help = "of the device, per frame of the loop"},
    {.kind = EXPLAIN_COMPONENT, .key = "device_time", .unit = "us", .when = shares_rate,
     .formula = "max(0, busy - fixed_total - fixed_deferred) / divisor",
     .help = "of the whole device, per frame of the loop"},
    {.kind = EXPLAIN_COMPONENT, .key = "device_time", .unit = "us", .when = explain_computes,
     .formula = "share * busy / divisor", .help = "of the whole device, per frame of the loop"},
    {.kind = EXPLAIN_DEVICE, .key = "stated_shares", .unit = "",
     .formula = "sum(claimants.*.share)", .help = "of its components, together"},
    {.kind = EXPLAIN_DEVICE, .key = "share_work", .unit = "us", .value = device_share_work,
     .formula = "sum(streamers.*.share_work)", .help = "of its components with automatic shares"},
    {.kind = EXPLAIN_DEVICE, .key = "streams", .unit = "", .value = device_streams,
     .help = "components with automatic shares"},
    {.key = NULL},
};
/* clang-format on */
