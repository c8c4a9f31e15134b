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

static double time_of(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->chain;
}

/* Where its FLOP are counted one by one beside. */
static bool is_scalar(const struct explain *explain, struct explain_subject subject)
{
    return is_known(explain, subject) &&
           device_knows_scalars(explain_device(explain, subject), chain_of(explain, subject));
}

static double scalar(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->scalar;
}

static double items(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->chain_items;
}

static double depth(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->chain_depth;
}

static double stream(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->compute;
}

static double full_stream(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->stream.compute;
}

static double whole(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->whole.compute;
}

#define STREAM_HELP "what comes with the packets: FLOP, or sums that wait for themselves"

/* clang-format off */
const struct explain_rule explain_chain_rules[] = {
    {EXPLAIN_COMPONENT, "compute_time", NULL, works, "stream_compute + tail_compute", NULL,
     "the longer of FLOP at the FLOP/s it gets and sums that wait for themselves", NULL, true},
    {EXPLAIN_COMPONENT, "stream_compute", "us", of_cores, "full_stream_compute", stream,
     STREAM_HELP, NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", of_share, "full_stream_compute / share", stream,
     STREAM_HELP, NULL, false},
    {EXPLAIN_COMPONENT, "stream_compute", "us", works, "full_stream_compute", stream,
     STREAM_HELP, NULL, false},
    {EXPLAIN_COMPONENT, "full_stream_compute", "us", is_scalar,
     "max(stream_flop / full_flops, chain_time, scalar_time)", full_stream, "with the whole device",
     NULL, false},
    {EXPLAIN_COMPONENT, "full_stream_compute", "us", is_known,
     "max(stream_flop / full_flops, chain_time)", full_stream, "with the whole device", NULL,
     false},
    {EXPLAIN_COMPONENT, "full_compute", "us", is_known,
     "full_stream_compute + tail_flop / full_flops", whole, "with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "compute_efficiency", NULL, is_open, NULL, NULL,
     "all of the peak: what its sums wait for is counted apart", NULL, false},
    {EXPLAIN_COMPONENT, "compute_efficiency", NULL, is_elementwise, NULL, NULL,
     "all of the peak: its loops wait for what they load and store", NULL, false},
    {EXPLAIN_COMPONENT, "chain_time", "us", over_pixels,
     formula_text_pixel_chain_time, time_of,
     "of sums whose every operation waits for the one before", NULL, false},
    {EXPLAIN_COMPONENT, "chain_time", "us", is_known,
     formula_text_row_chain_time, time_of,
     "of sums whose every operation waits for the one before", NULL, false},
    {EXPLAIN_COMPONENT, "scalar_time", "us", is_scalar,
     formula_text_scalar_time, scalar,
     "of sums whose numbers are added one by one", NULL, false},
    {EXPLAIN_COMPONENT, "chain_items", "", over_pixels, "subaps", items, "sums to make", NULL,
     false},
    {EXPLAIN_COMPONENT, "chain_items", "", is_known, "rows", items, "sums to make", NULL, false},
    {EXPLAIN_COMPONENT, "chain_depth", "", over_pixels, formula_text_pixel_chain_depth, depth,
     "operations of a sum, one after the other", NULL, false},
    {EXPLAIN_COMPONENT, "chain_depth", "", is_known,
     formula_text_row_chain_depth, depth,
     "operations of a sum, one after the other", NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */

/* Share rules ---------------------------------------------------------------------------------- */

/* What a component gets of its device: FLOP/s, a share. */

#define SPAN(name, expression)                                                                     \
    static double name(const struct explain *explain, struct explain_subject subject)              \
    {                                                                                              \
        const struct stage *stage = explain_stage(explain, subject);                               \
                                                                                                   \
        return expression;                                                                         \
    }

SPAN(full_stream_compute, stage->stream.compute)
SPAN(whole_compute, stage->whole.compute)
SPAN(share_work, stage->work)

static double peak(const struct explain *explain, struct explain_subject subject)
{
    return device_peak(explain_device(explain, subject),
                       (enum precision)explain_component(explain, subject)->precision);
}

/* FLOP/s with the whole of the device. */
static double full_flops(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain_device(explain, subject);
    const struct stage *stage = explain_stage(explain, subject);
    double part = device->kind == DEVICE_GPU ? 1 : stage->cores / device_cores(device);

    return peak(explain, subject) * device->sustained_compute * stage->compute_efficiency * part;
}

double explain_share(const struct explain *explain, struct explain_subject subject)
{
    return explain->scenario->general.sharing == SHARING_PARTITION
               ? explain_stage(explain, subject)->share
               : 1;
}

/* As load.c counts it. */
static double device_time(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);
    double all = stage->time + stage->deferred_time;
    double work = all - stage->fixed_total - stage->fixed_deferred;

    if (explain->scenario->general.sharing == SHARING_EXCLUSIVE)
        return all / stage->divisor;
    if (explain->scenario->general.sharing == SHARING_FLUID)
        return (work > 0 ? work : 0) / stage->divisor;
    return stage->share * all / stage->divisor;
}

static double stated_shares(const struct explain *explain, struct explain_subject subject)
{
    double sum = 0;

    for (int n = 0; n < explain->result->node_count; n++)
        if (explain->result->work->plan.node[n].device == subject.index)
            sum +=
                explain->scenario->component[explain->result->work->plan.node[n].component].share;
    return sum;
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

static double usual_efficiency(const struct explain *explain, struct explain_subject subject)
{
    return explain_algorithm(explain, subject)->cpu_efficiency;
}

static double usual_flop_per_cycle(const struct explain *explain, struct explain_subject subject)
{
    return explain_algorithm(explain, subject)->measured;
}

static bool on_cpu(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) && !explain_on_gpu(explain, subject);
}

static double precision_ratio(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain_device(explain, subject);

    return peak(explain, subject) / device_peak(device, PRECISION_FP32);
}

/* Of a GPU's fp32 FLOP/s. */
static void ratio_text(const struct explain *explain, struct explain_subject subject, char *text,
                       size_t size)
{
    static const char *const ratios[] = {[PRECISION_FP64] = "device.fp64_ratio",
                                         [PRECISION_FP32] = "",
                                         [PRECISION_FP16] = "device.fp16_ratio",
                                         [PRECISION_BF16] = "device.fp16_ratio",
                                         [PRECISION_INT8] = "device.int8_ratio"};

    snprintf(text, size, "%s", ratios[explain_component(explain, subject)->precision]);
}

static bool owns_part(const struct explain *explain, struct explain_subject subject)
{
    return explain_owns_share(explain, subject) && !explain_owns_cores(explain, subject);
}

static double effective_flops(const struct explain *explain, struct explain_subject subject)
{
    return full_flops(explain, subject) *
           (explain_owns_cores(explain, subject) ? 1 : explain_share(explain, subject));
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
    {EXPLAIN_COMPONENT, "bytes", NULL, explain_is_program, NULL, NULL, "of its trace", NULL, false},
    {EXPLAIN_COMPONENT, "compute_time", NULL, explain_is_program,
     EXPLAIN_PROGRAM("threads"), NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "compute_time", NULL, defers, "(flop - deferred_flop) / effective_flops",
     NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "compute_time", NULL, explain_has_share, "flop / effective_flops", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "compute_time", NULL, NULL, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "effective_flops", "FLOP/s", owns_part, "full_flops * share",
     effective_flops, "what its code gets of the device", NULL, false},
    {EXPLAIN_COMPONENT, "effective_flops", "FLOP/s", explain_computes, "full_flops",
     effective_flops, "what its code gets of the device", NULL, false},
    {EXPLAIN_COMPONENT, "full_flops", "FLOP/s", on_cpu, formula_text_cpu_full_flops, full_flops,
     "what its code would get of the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "full_flops", "FLOP/s", explain_on_gpu, formula_text_gpu_full_flops,
     full_flops, "what its code would get of the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "peak_flops", "FLOP/s", on_cpu, formula_text_cpu_peak, peak,
     "of its device, at its precision", NULL, false},
    {EXPLAIN_COMPONENT, "peak_flops", "FLOP/s", explain_on_gpu, formula_text_gpu_peak, peak,
     "of its device, at its precision", NULL, false},
    {EXPLAIN_COMPONENT, "precision_ratio", "", explain_on_gpu, NULL, precision_ratio,
     "of the peak at fp32", ratio_text, false},
    {EXPLAIN_COMPONENT, "compute_efficiency", NULL, measured_rate, formula_text_rate_efficiency,
     NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "usual_efficiency", "", measured_rate, NULL, usual_efficiency,
     "of its algorithm, on a core of usual_flop_per_cycle", NULL, false},
    {EXPLAIN_COMPONENT, "usual_flop_per_cycle", "", measured_rate, NULL, usual_flop_per_cycle,
     "of the cores its algorithm was measured on", NULL, false},
    {EXPLAIN_COMPONENT, "compute_efficiency", NULL, efficiency_open, NULL, NULL,
     "usual for its algorithm", NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, explain_is_program,
     EXPLAIN_PROGRAM("traffic"), NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, explain_owns_share,
     "transfer_time / share + wait_time", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, explain_has_share, "transfer_time + wait_time", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "full_stream_compute", "us", explain_computes, "stream_flop / full_flops",
     full_stream_compute, "with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "full_compute", "us", explain_computes, "flop / full_flops", whole_compute,
     "with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "share", NULL, shares_time, NULL, NULL,
     "it has the whole device in its turn", NULL, false},
    {EXPLAIN_COMPONENT, "share", NULL, open_rate, NULL, NULL, "against those of others", NULL,
     false},
    {EXPLAIN_COMPONENT, "share", NULL, frame_share, "1 - device.stated_shares", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "share", NULL, stream_share,
     "(1 - device.stated_shares) * share_work / device.share_work", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "share", NULL, share_open, "(1 - device.stated_shares) / device.streams",
     NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "share_work", "us", only_tail,
     EXPLAIN_ROOF("tail_flop / full_flops", "(tail_transfer + tail_wait)"), share_work,
     "what follows its packets, with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "share_work", "us", plainly_linear_alone,
     EXPLAIN_ROOF("full_stream_compute", "(stream_transfer + stream_wait)"), share_work,
     "its packets with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "share_work", "us", linear_alone,
     EXPLAIN_ROOF("full_stream_compute", "(stream_transfer + stream_wait)")
     " + loaded_packets * (accumulator_transfer + accumulator_wait)", share_work,
     "its packets with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "share_work", "us", explain_computes, "sum(packets.*.full_work_time)",
     share_work, "its packets with the whole device", NULL, false},
    {EXPLAIN_COMPONENT, "device_time", "us", shares_time, "busy / divisor", device_time,
     "of the device, per frame of the loop", NULL, false},
    {EXPLAIN_COMPONENT, "device_time", "us", shares_rate,
     "max(0, busy - fixed_total - fixed_deferred) / divisor", device_time,
     "of the whole device, per frame of the loop", NULL, false},
    {EXPLAIN_COMPONENT, "device_time", "us", explain_computes, "share * busy / divisor",
     device_time, "of the whole device, per frame of the loop", NULL, false},
    {EXPLAIN_DEVICE, "stated_shares", "", NULL, "sum(claimants.*.share)", stated_shares,
     "of its components, together", NULL, false},
    {EXPLAIN_DEVICE, "share_work", "us", NULL, "sum(streamers.*.share_work)", device_share_work,
     "of its components with automatic shares", NULL, false},
    {EXPLAIN_DEVICE, "streams", "", NULL, NULL, device_streams,
     "components with automatic shares", NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
