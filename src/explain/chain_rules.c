#include <stdio.h>

#include "device.h"
#include "explain/rules.h"

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
           device_scalar_flops(explain_device(explain, subject), chain_of(explain, subject)) > 0;
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
     "chain_items * chain_depth * device.add_latency / (workers * chains)", time_of,
     "of sums whose every operation waits for the one before", NULL, false},
    {EXPLAIN_COMPONENT, "chain_time", "us", is_known,
     "chain_items * chain_depth * device.fma_latency / (workers * chains * (1 + device.window / "
     "chain_depth))", time_of,
     "of sums whose every operation waits for the one before", NULL, false},
    {EXPLAIN_COMPONENT, "scalar_time", "us", is_scalar,
     "stream_flop / (workers * chains * device.clock * device.scalar_rate)", scalar,
     "of sums whose numbers are added one by one", NULL, false},
    {EXPLAIN_COMPONENT, "chain_items", "", over_pixels, "subaps", items, "sums to make", NULL,
     false},
    {EXPLAIN_COMPONENT, "chain_items", "", is_known, "rows", items, "sums to make", NULL, false},
    {EXPLAIN_COMPONENT, "chain_depth", "", over_pixels, "wfs.pixels_per_subap ^ 2", depth,
     "operations of a sum, one after the other", NULL, false},
    {EXPLAIN_COMPONENT, "chain_depth", "", is_known,
     "columns / (device.simd_bits / (8 * element_bytes))", depth,
     "operations of a sum, one after the other", NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
