#include "explain/rules.h"

/* Rules of the design, its loop, sensors, devices and links. */

static double loop_variance(const struct explain *explain, struct explain_subject subject)
{
    double phase =
        explain->result->loop.servo_lag * 2 * pi / explain->scenario->atmosphere.wavelength;

    (void)subject;
    return phase * phase;
}

/* Returns the number of components of a device with automatic shares that work packet by packet. */
static double stream_count(const struct explain *explain, struct explain_subject subject)
{
    struct explain_subject other;
    int count = 0;

    while (explain_find_relative(explain, subject, "streamers", count, &other))
        count++;
    return count;
}

/* clang-format off */
const struct explain_rule explain_design_rules[] = {
    {.key = "latency",
     CASES({.when = {IF_FROM_LAST_PIXEL}, .formula = "sum(path.*.time)"},
           {.when = {IF_COMMAND}, .formula = "sum(path.*.time) - last_pixel"},
           {.when = {IF_ALWAYS}, .formula = "last_command - last_pixel"})},
    {.key = "first_pixel_latency", ALWAYS("last_command")},
    {.key = "last_command", .unit = "us", DESIGN(first_pixel),
     .help = "time when the last command leaves, from the start of readout",
     ALWAYS("max(commands.*.last_end)")},
    {.key = "last_pixel", .unit = "us", DESIGN(last_pixel),
     .help = "time when the last pixel is in, from the start of readout",
     CASES({.when = {IF_CAMERAS}, .formula = "max(cameras.*.last_end)"},
           {.when = {IF_ALWAYS}, .help = "no command waits for a camera"})},
    {.key = "frame_period", ALWAYS(formula_text_frame_period)},
    {.key = "max_frame_rate",
     CASES({.when = {IF_LIMIT}, .formula = formula_text_max_frame_rate},
           {.when = {IF_ALWAYS}})},
    {.key = "limit_busy", .unit = "us", DESIGN(limit_busy),
     .help = "busy time of the busiest resource per frame",
     CASES({.when = {IF_LIMIT_COMPONENT}, .formula = "limit_component.frame_busy"},
           {.when = {IF_LIMIT_DEVICE}, .formula = "limit_device.busy"},
           {.when = {IF_LIMIT}, .formula = "limit_link.busy"},
           {.when = {IF_ALWAYS}, .help = "no component takes time"})},
    {.key = "frames",
     CASES({.when = {IF_COMMAND}, .formula = "simulated(commands.*.last_end, frame_period)"})},
    {.key = "load", ALWAYS(formula_text_load)},
    {.key = "target_latency", ALWAYS("scenario.target_latency")},
    {.key = "margin", ALWAYS(formula_text_margin)},
    {.key = "last_correction", .unit = "us",
     CASES({.when = {IF_MIRRORS}, .formula = "max(mirrors.*.correction)",
            .help = "middle of the last mirror's settling, from the start of readout"},
           {.when = {IF_ALWAYS}, .formula = "last_command",
            .help = "time when the last command leaves, from the start of readout"})},
    {.key = "mean_age", .unit = "us",
     CASES({.when = {IF_CAMERAS}, .formula = "max(fast_cameras.*.integration) / 2",
            .help = "age of the mean photon at the start of readout"},
           {.when = {IF_ALWAYS}, .formula = "frame_period / 2",
            .help = "age of the mean photon where there is no camera"})},
    {.key = NULL},
};

const struct explain_rule explain_loop_rules[] = {
    {.key = "delay_frames", ALWAYS(formula_text_delay_frames)},
    {.key = "tau_total", ALWAYS(formula_text_tau_total)},
    {.key = "r0", .unit = "cm",
     .help = "Fried parameter at the science wavelength and the zenith angle",
     ALWAYS(formula_text_r0)},
    {.key = "tau0", ALWAYS(formula_text_tau0)},
    {.key = "greenwood", ALWAYS(formula_text_greenwood)},
    {.key = "tau0_500", ALWAYS(formula_text_tau0_500)},
    {.key = "greenwood_500", ALWAYS(formula_text_greenwood_500)},
    {.key = "variance", .unit = "", .value = loop_variance,
     CASES({.when = {IF_WIND}, .formula = formula_text_variance,
            .help = "phase variance at the science wavelength, rad^2"},
           {.when = {IF_ALWAYS}, .formula = "0 * atmosphere.wind",
            .help = "no servo lag without wind"})},
    {.key = "servo_lag", ALWAYS(formula_text_servo_lag)},
    {.key = "strehl", ALWAYS(formula_text_strehl)},
    {.key = "fastest", .unit = "", .help = "the fastest cameras deliver every k-th frame",
     CASES({.when = {IF_CAMERAS}, .formula = "max(fast_cameras.*.divisor)"},
           {.when = {IF_ALWAYS}, .formula = "1"})},
    {.key = "sample_period", .unit = "us", DESIGN(loop.sample_period),
     .help = "time between two exposures of the fastest cameras",
     ALWAYS(formula_text_sample_period)},
    {.key = "loop_exposure", .unit = "us", DESIGN(loop.exposure),
     .help = "longest exposure of the fastest cameras",
     CASES({.when = {IF_CAMERAS}, .formula = "max(fast_cameras.*.exposure)"},
           {.when = {IF_ALWAYS}, .formula = "frame_period"})},
    {.key = "loop_delay", .unit = "us", DESIGN(loop.delay),
     .help = "from the end of the exposure to the correction", ALWAYS(formula_text_loop_delay)},
    {.key = "delay_whole", .unit = "", .help = "whole frames of that delay",
     ALWAYS(formula_text_delay_whole)},
    {.key = "delay_fraction", .unit = "",
     .help = "part of the exposure that sees the command before", ALWAYS(formula_text_delay_fraction)},
    {.key = "limit_angle", .unit = "",
     .help = "radians per frame at which the open loop lags by half a turn",
     ALWAYS(formula_text_limit_angle)},
    {.key = "angle_45", .unit = "",
     .help = "radians per frame at which the open loop lags by 45 degrees less",
     ALWAYS(formula_text_angle_45)},
    {.key = "max_gain", ALWAYS(formula_text_max_gain)},
    {.key = "gain_45", ALWAYS(formula_text_gain_45)},
    {.key = "crossover", ALWAYS(formula_text_crossover)},
    {.key = NULL},
};

const struct explain_rule explain_wfs_rules[] = {
    {.key = "slopes", .unit = "", .help = "slopes of all its sensors",
     ALWAYS("2 * count * valid_subaps")},
    {.key = "valid_subaps", .chosen = "kind",
     CASES({.when = {IF_OPEN}, .formula = "geometry(subaps_across, obscuration)"})},
    {.key = "detector_width", .chosen = "kind",
     CASES({.when = {IF_PYRAMID, IF_OPEN}, .formula = formula_text_pyramid_detector_side},
           {.when = {IF_OPEN}, .formula = formula_text_detector_side})},
    {.key = "detector_height", .chosen = "kind",
     CASES({.when = {IF_PYRAMID, IF_OPEN}, .formula = formula_text_pyramid_detector_side},
           {.when = {IF_OPEN}, .formula = formula_text_detector_side})},
    {.key = NULL},
};

const struct explain_rule explain_device_rules[] = {
    {.key = "peak_flops", .chosen = "kind",
     CASES({.when = {IF_GPU}, .formula = formula_text_gpu_peak},
           {.when = {IF_ALWAYS}, .formula = formula_text_cpu_peak})},
    {.key = "precision_ratio", .unit = "", .help = "device peaks are for fp32",
     CASES({.when = {IF_GPU}, .formula = "1"})},
    {.key = "element_bytes", .unit = "B", .help = "device peaks are for fp32",
     CASES({.when = {IF_CPU}, .formula = "4"})},
    {.key = "memory_bandwidth", .chosen = "kind",
     CASES({.when = {IF_GPU}, .formula = formula_text_gpu_memory_bandwidth},
           {.when = {IF_ALWAYS}, .formula = formula_text_cpu_memory_bandwidth})},
    {.key = "busy", ALWAYS("sum(users.*.device_time)")},
    {.key = "utilisation", ALWAYS("busy / frame_period")},
    {.key = "held", ALWAYS("sum(users.*.working_set)")},
    {.key = "all_cores", .unit = "", .help = "cores of all sockets",
     CASES({.when = {IF_CPU}, .formula = "sockets * cores"})},
    {.key = "taken_cores", .unit = "", .help = "cores reserved as workers of components",
     ALWAYS("sum(pinned.*.workers)")},
    {.key = "core_bandwidth", CASES({.when = {IF_OPEN}, .formula = formula_text_core_bandwidth})},
    {.key = "l3_core_bandwidth", .unit = "GB/s",
     CASES({.when = {IF_L3_STATED, IF_L2_STATED, IF_OPEN},
            .formula = formula_text_l3_core_bandwidth_l2},
           {.when = {IF_L3_STATED, IF_OPEN}, .formula = formula_text_l3_core_bandwidth})},
    {.key = "nic_rate", .unit = "Gbit/s", .help = "network rate of all its ports",
     ALWAYS("nic * nics")},
    {.key = "pc",
     CASES({.when = {IF_OPEN},
            .help = "median error of predictions for published kernels from vendors' figures"})},
    {.key = "l1", CASES({.when = {IF_OPEN}})},
    {.key = "l2", CASES({.when = {IF_OPEN}})},
    {.key = "l3",
     CASES({.when = {IF_CPU, IF_OPEN}, .formula = formula_text_l3_capacity},
           {.when = {IF_OPEN}})},
    {.key = "l1_bandwidth", CASES({.when = {IF_OPEN}, .formula = "l1.bandwidth / all_cores"})},
    {.key = "l2_bandwidth",
     CASES({.when = {IF_GPU, IF_OPEN}, .formula = "l2.bandwidth"},
           {.when = {IF_OPEN}, .formula = "l2.bandwidth / all_cores"})},
    {.key = "l3_bandwidth",
     CASES({.when = {IF_GPU, IF_OPEN}, .formula = "l3.bandwidth"},
           {.when = {IF_OPEN}, .formula = "l3.bandwidth / l3.sockets"})},
    {.key = "l1_latency", CASES({.when = {IF_OPEN}})},
    {.key = "l2_latency", CASES({.when = {IF_OPEN}})},
    {.key = "l3_latency", CASES({.when = {IF_OPEN}})},
    {.key = "memory_latency", CASES({.when = {IF_OPEN}})},
    {.key = "stated_shares", .unit = "", .help = "stated shares of its components",
     ALWAYS("sum(claimants.*.share)")},
    {.key = "share_work", .unit = "us", .help = "work of its components with automatic shares",
     ALWAYS("sum(streamers.*.share_work)")},
    {.key = "streams", .unit = "", .value = stream_count,
     .help = "number of components with automatic shares", CASES({.when = {IF_ALWAYS}})},
    {.key = NULL},
};

const struct explain_rule explain_link_rules[] = {
    {.key = "busy", .unit = "us", LINK(busy), .help = "busy time per frame of the loop",
     ALWAYS("sum(users.*.frame_busy)")},
    {.key = NULL},
};
/* clang-format on */
