#include <math.h>

#include "explain/rules.h"

/* Groups of errors in the range of the latency (model/range.h). */

static double group_shorter(const struct explain *explain, struct explain_subject subject)
{
    return explain->range->latency * exp(-explain_group(explain, subject)->low);
}

static double group_longer(const struct explain *explain, struct explain_subject subject)
{
    return explain->range->latency * exp(explain_group(explain, subject)->high);
}

static double group_slower(const struct explain *explain, struct explain_subject subject)
{
    return explain->range->rate * exp(-explain_group(explain, subject)->rate_low);
}

static double group_faster(const struct explain *explain, struct explain_subject subject)
{
    return explain->range->rate * exp(explain_group(explain, subject)->rate_high);
}

#define SQUARE(logarithm) "square(max(0, " logarithm "))"
#define LOG(larger, smaller) "log(" larger " / " smaller ")"

/* clang-format off */
const struct explain_rule explain_group_rules[] = {
    {.key = "low_square", .unit = "", .help = "what the group adds below",
     ALWAYS(SQUARE("low"))},
    {.key = "low", .unit = "", GROUP(low),
     .help = "logarithm of what its errors take off the latency",
     ALWAYS(LOG("latency", "shorter"))},
    {.key = "shorter", .unit = "us", .value = group_shorter,
     .help = "latency with the times of the group divided by its factor",
     CASES({.when = {IF_CAUSE}, .of = CAUSE_UNSTATED, .formula = "latency"},
           {.when = {IF_ALWAYS}, .formula = "simulated(time, factor)"})},
    {.key = "high_square", .unit = "", .help = "what the group adds above",
     ALWAYS(SQUARE("high"))},
    {.key = "high", .unit = "", GROUP(high),
     .help = "logarithm of what its errors add to the latency",
     ALWAYS(LOG("longer", "latency"))},
    {.key = "longer", .unit = "us", .value = group_longer,
     .help = "latency with the times of the group multiplied by its factor",
     CASES({.when = {IF_CAUSE}, .of = CAUSE_UNSTATED,
            .formula = "simulated(latency, factor)",
            .help = "with all times of the host and its boards multiplied by the factor, because "
                    "nobody states dispatch"},
           {.when = {IF_ALWAYS}, .formula = "simulated(time, factor)"})},
    {.key = "rate_low_square", .unit = "", .help = "what the group adds below the frame rate",
     ALWAYS(SQUARE("rate_low"))},
    {.key = "rate_low", .unit = "", GROUP(rate_low),
     .help = "logarithm of what its errors take off the maximum frame rate",
     ALWAYS(LOG("max_frame_rate", "slower"))},
    {.key = "slower", .unit = "Hz", .value = group_slower,
     .help = "maximum frame rate with the times of the group multiplied by its factor",
     CASES({.when = {IF_CAUSE}, .of = CAUSE_UNSTATED,
            .formula = "simulated(device.dispatch)",
            .help = "maximum frame rate with dispatch = process, because the CPU does not state it"},
           {.when = {IF_ALWAYS}, .formula = "simulated(time, factor)"})},
    {.key = "rate_high_square", .unit = "", .help = "what the group adds above the frame rate",
     ALWAYS(SQUARE("rate_high"))},
    {.key = "rate_high", .unit = "", GROUP(rate_high),
     .help = "logarithm of what its errors add to the maximum frame rate",
     ALWAYS(LOG("faster", "max_frame_rate"))},
    {.key = "faster", .unit = "Hz", .value = group_faster,
     .help = "maximum frame rate with the times of the group divided by its factor",
     CASES({.when = {IF_CAUSE}, .of = CAUSE_UNSTATED, .formula = "max_frame_rate"},
           {.when = {IF_ALWAYS}, .formula = "simulated(time, factor)"})},
    {.key = "factor", .unit = "", GROUP(factor),
     .help = "one standard deviation",
     CASES({.when = {IF_GROUP_CALIBRATED},
            .help = "one standard deviation, of its factor in calibration.factors"},
           {.when = {IF_GROUP_MEASURED}, .formula = "device.pc"},
           {.when = {IF_GROUP_FITTED}, .help = "one standard deviation, fitted to measured pipelines"},
           {.when = {IF_ALWAYS},
            .help = "one standard deviation, a starting value: too few computers are measured"})},
    {.key = "load", .unit = "", .base = BASE_FORMULA,
     .help = "load with the times of the group multiplied by its factor: the design does not keep up",
     ALWAYS(formula_text_load)},
    {.key = "limit_busy", .unit = "us", GROUP(limit_busy),
     .help = "busy time per frame of what limits the design then",
     CASES({.when = {IF_CAUSE, IF_GROUP_COMPONENT}, .of = CAUSE_UNSTATED,
            .formula = "simulated(limit_component.frame_busy, factor)"},
           {.when = {IF_CAUSE, IF_GROUP_DEVICE}, .of = CAUSE_UNSTATED,
            .formula = "simulated(limit_device.busy, factor)"},
           {.when = {IF_CAUSE}, .of = CAUSE_UNSTATED, .formula = "simulated(limit_link.busy, factor)"},
           {.when = {IF_GROUP_COMPONENT},
            .formula = "simulated(limit_component.frame_busy, time, factor)"},
           {.when = {IF_GROUP_DEVICE}, .formula = "simulated(limit_device.busy, time, factor)"},
           {.when = {IF_ALWAYS}, .formula = "simulated(limit_link.busy, time, factor)"})},
    {.key = "time", .unit = "us", GROUP(part),
     .help = "time of the cause on these devices along the critical path",
     CASES({.when = {IF_CAUSE}, .of = CAUSE_MEMORY, .formula = "simulated(device.memory_bandwidth)"},
           {.when = {IF_CAUSE, IF_GPU}, .of = CAUSE_CACHE,
            .formula = "simulated(device.l1_bandwidth, device.l2_bandwidth)"},
           {.when = {IF_CAUSE}, .of = CAUSE_CACHE,
            .formula = "simulated(device.l1_bandwidth, device.l2_bandwidth, device.l3_bandwidth)"},
           {.when = {IF_CAUSE}, .of = CAUSE_COMPUTE, .formula = "simulated(device.peak_flops)"},
           {.when = {IF_CAUSE, IF_GPU}, .of = CAUSE_DISPATCH,
            .formula = "simulated(device.launch, device.boundary, device.enqueue)"},
           {.when = {IF_CAUSE, IF_CPU}, .of = CAUSE_DISPATCH,
            .formula = "simulated(device.launch, device.boundary, device.handover)"},
           {.when = {IF_CAUSE}, .of = CAUSE_DISPATCH, .formula = "simulated(device.stage_latency)"},
           {.when = {IF_CAUSE}, .of = CAUSE_SOFTWARE, .formula = "simulated(device.software)"},
           {.when = {IF_CAUSE}, .of = CAUSE_FRAMEWORK, .formula = "simulated(device.operator_time)"},
           {.when = {IF_CAUSE, IF_GPU}, .of = CAUSE_COPY,
            .formula = "simulated(device.copy_latency, device.peer_latency)"},
           {.when = {IF_CAUSE}, .of = CAUSE_PORT,
            .formula = "simulated(device.ingress_latency, device.datagram_time, "
                       "device.egress_latency)"},
           {.when = {IF_CAUSE}, .of = CAUSE_SLEEP, .formula = "simulated(device.sleep_latency, frame_period)"},
           {.when = {IF_ALWAYS}})},
    {.key = NULL},
};
/* clang-format on */
