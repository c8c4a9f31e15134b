#include "base/number.h"
#include "explain/rules.h"
#include "model/link.h"
#include "model/overhead.h"

/* Rules of the design, its loop, sensors, devices and links. */

static double loop_variance(const struct explain *explain, struct explain_subject subject)
{
    double phase =
        explain->result->loop.servo_lag * 2 * pi / explain->scenario->atmosphere.wavelength;

    (void)subject;
    return phase * phase;
}

static double copy_out(const struct explain *explain, struct explain_subject subject)
{
    return overhead_of(&explain->scenario->device[subject.index]).copy_out;
}

/* Returns the payload rate of a PCIe lane of the older of two generations, B/s. */
static double lane_rate(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain->scenario->device;
    int host = explain->result->work->plan.device[subject.index].host;

    return wire_pcie(smaller(device[subject.index].pcie_gen, device[host].pcie_gen), 1).rate;
}

/* Returns the rate of a board's link to its host, or of a host's slot for a card, B/s. */
static double host_rate(const struct explain *explain, struct explain_subject subject)
{
    const struct device *devices = explain->scenario->device;
    const struct device *device = &devices[subject.index];
    int host = explain->result->work->plan.device[subject.index].host;
    bool board = device->kind != DEVICE_CPU && host != subject.index;

    if (board && device->host_link == HOST_LINK_UNIFIED)
        return RESULT_NONE;
    return board && device->host_link == HOST_LINK_NVLINK
               ? device->host_bandwidth
               : lane_rate(explain, subject) * link_lanes(device, &devices[host]);
}

/* The range of a calibrated design: the products of correlated groups are no quantities. */
#define RANGE_CALIBRATED(squares) "simulated(" squares ")"
#define CALIBRATED_HELP                                                                            \
    "end of the range of the latency; squares with the correlations of calibrated factors, and "   \
    "at "                                                                                          \
    "least the spread of the measured latency"

/* The factors of calibrated causes. */
#define FACTOR_VALUE(name, of)                                                                     \
    static double name##_factor(const struct explain *explain, struct explain_subject subject)     \
    {                                                                                              \
        return explain_factor(explain, subject.index, of);                                         \
    }
FACTOR_VALUE(memory, CAUSE_MEMORY)
FACTOR_VALUE(cache, CAUSE_CACHE)
FACTOR_VALUE(compute, CAUSE_COMPUTE)
FACTOR_VALUE(dispatch, CAUSE_DISPATCH)
FACTOR_VALUE(software, CAUSE_SOFTWARE)
FACTOR_VALUE(framework, CAUSE_FRAMEWORK)
FACTOR_VALUE(copy, CAUSE_COPY)
FACTOR_VALUE(port, CAUSE_PORT)
FACTOR_VALUE(sleep, CAUSE_SLEEP)

#define FACTOR(name, of)                                                                           \
    {.key = #name "_factor", .unit = "", .value = name##_factor,                                   \
     .help = "calibrated factor of the times of its " of, CASES({.when = {IF_CALIBRATED}})}

/* clang-format off */
const struct explain_rule explain_design_rules[] = {
    {.key = "latency",
     CASES({.when = {IF_FROM_LAST_PIXEL}, .formula = "sum(path.*.latency)"},
           {.when = {IF_ALWAYS}, .formula = formula_text_latency})},
    {.key = "readout_latency", ALWAYS(formula_text_readout_latency)},
    {.key = "latency_low",
     CASES({.when = {IF_CALIBRATED}, .formula = RANGE_CALIBRATED("groups.*.low_square"),
            .help = CALIBRATED_HELP},
           {.when = {IF_ALWAYS}, .formula = "latency * exp(-sqrt(sum(groups.*.low_square)))"})},
    {.key = "latency_high", .chosen = "overloaded.*.load overloading.*.load",
     CASES({.when = {IF_CALIBRATED}, .formula = RANGE_CALIBRATED("groups.*.high_square"),
            .help = CALIBRATED_HELP},
           {.when = {IF_ALWAYS}, .formula = "latency * exp(sqrt(sum(groups.*.high_square)))"})},
    {.key = "whole_frames", .chosen = "scenario.processing scenario.packets",
     CASES({.when = {IF_WHOLE_FRAMES},
            .help = "latency of this design with scenario.processing = frames; explain latency with "
                    "that for its parts"},
           {.when = {IF_PROCESSING}, .help = "none: the latency is that of the stated processing"},
           {.when = {IF_ALWAYS}, .help = "none: a frame is one packet"})},
    {.key = "first_pixel_latency", ALWAYS("last_command")},
    {.key = "last_command", .unit = "us", DESIGN(first_pixel),
     .help = "time when the last command leaves, from the start of readout",
     ALWAYS("max(commands.*.off_port)")},
    {.key = "last_pixel", .unit = "us", DESIGN(last_pixel),
     .help = "time when the last packet that matters is off the wire, from the start of readout",
     CASES({.when = {IF_CAMERAS}, .formula = "max(cameras.*.clock)"},
           {.when = {IF_ALWAYS}, .help = "no command waits for a camera"})},
    {.key = "readout_end", .unit = "us", DESIGN(readout_end),
     .help = "time when the last pixel is off the wire, from the start of readout",
     CASES({.when = {IF_CAMERAS}, .formula = "max(cameras.*.readout_end)"},
           {.when = {IF_ALWAYS}, .help = "no command waits for a camera"})},
    {.key = "frame_period", ALWAYS(formula_text_frame_period)},
    {.key = "max_frame_rate", ALWAYS(formula_text_max_frame_rate)},
    {.key = "max_frame_rate_low",
     ALWAYS("max_frame_rate * exp(-sqrt(sum(rate_groups.*.rate_low_square)))")},
    {.key = "max_frame_rate_high",
     ALWAYS("max_frame_rate * exp(sqrt(sum(rate_groups.*.rate_high_square)))")},
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
    {.key = "margin", .chosen = "overloaded.*.load",
     ALWAYS(formula_text_margin)},
    {.key = "watts", .chosen = "devices.*.tdp",
     ALWAYS("sum(devices.*.watts)")},
    {.key = "price", .chosen = "devices.*.price",
     ALWAYS("sum(devices.*.total_price)")},
    {.key = "count", ALWAYS("sum(devices.*.parts)")},
    {.key = "last_correction", .unit = "us",
     CASES({.when = {IF_MIRRORS}, .formula = "max(mirrors.*.correction)",
            .help = "middle of the last mirror's settling, from the start of readout"},
           {.when = {IF_ALWAYS}, .formula = "last_command",
            .help = "time when the last command leaves, from the start of readout"})},
    {.key = "loop_correction", .unit = "us",
     ALL_TAKEN(loop_correction)},
    {.key = "mean_age", .unit = "us",
     CASES({.when = {IF_CAMERAS}, .formula = "max(fast_cameras.*.age)",
            .help = "age of the mean photon at the start of readout"},
           {.when = {IF_ALWAYS}, .formula = formula_text_mean_age,
            .help = "age of the mean photon where there is no camera"})},
    {.key = NULL},
};

/* What the filter of the loop comes from; the budget integrates it over frequency, which no formula
 * of names can show. */
#define LOOP_FILTER                                                                                \
    "ao.controller ao.gain ao.gains ao.phase_margin ao.gain_margin ao.leak ao.proportional ao.derivative tau_total "              \
    "sample_period loop_exposure mirrors.*.bandwidth mirrors.*.damping"
#define LOOP_TURBULENCE                                                                            \
    " ao.diameter ao.actuators ao.modes atmosphere.r0 atmosphere.zenith atmosphere.wind "          \
    "atmosphere.outer_scale"
#define LOOP_STAR                                                                                  \
    " sensor.band sensor.magnitude sensor.photons sensor.wavelength sensor.throughput "            \
    "sensor.read_noise sensor.excess sensor.pixel_scale sensor.weight sensor.modulation "          \
    "sensor.optical_gain sensor.subaps_across sensor.valid_subaps sensor.pixels_per_subap "        \
    "ao.diameter atmosphere.r0 atmosphere.zenith"

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
    {.key = "strehl_lag", ALWAYS(formula_text_strehl)},
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
     .help = "part of the exposure that sees the command before",
     ALWAYS(formula_text_delay_fraction)},
    {.key = "limit_angle", .unit = "",
     .help = "radians per frame at which the open loop lags by half a turn",
     ALWAYS(formula_text_limit_angle)},
    {.key = "angle_45", .unit = "",
     .help = "radians per frame at which the open loop lags by 45 degrees less",
     ALWAYS(formula_text_angle_45)},
    {.key = "max_gain", .chosen = "ao.controller",
     ALWAYS(formula_text_max_gain)},
    {.key = "gain_45", .chosen = "ao.controller",
     ALWAYS(formula_text_gain_45)},
    {.key = "crossover", .chosen = "ao.controller",
     ALWAYS(formula_text_crossover)},
    {.key = "total",
     .help = "square root of the sum of the squares of the terms; without a star without noise, "
             "none without ao.diameter or if unstable",
     .chosen = "lag noise vibration fitting aliasing other", ALWAYS(NULL)},
    {.key = "lag", .chosen = LOOP_FILTER LOOP_TURBULENCE " gain", ALWAYS(NULL)},
    {.key = "noise",
     .chosen = LOOP_FILTER LOOP_STAR " gain ao.actuators ao.modes", ALWAYS(NULL)},
    {.key = "vibration", .chosen = LOOP_FILTER " gain ao.vibrations", ALWAYS(NULL)},
    {.key = "fitting",
     .chosen = "mirrors.*.surface mirrors.*.pitch mirrors.*.actuators ao.actuators ao.modes "
               "sensor.subaps_across ao.diameter atmosphere.r0 atmosphere.zenith "
               "atmosphere.outer_scale",
     ALWAYS(NULL)},
    {.key = "aliasing",
     .chosen = "sensor.subaps_across sensor.aliasing sensor.spatial_filter ao.diameter "
               "atmosphere.r0 atmosphere.zenith",
     ALWAYS(NULL)},
    {.key = "other", .chosen = "ao.other_errors", ALWAYS(NULL)},
    {.key = "strehl", .chosen = "total atmosphere.wavelength", ALWAYS(NULL)},
    {.key = "gain",
     .chosen = LOOP_FILTER LOOP_TURBULENCE LOOP_STAR " ao.vibrations", ALWAYS(NULL)},
    {.key = "margin_cost",
     .chosen = "gain " LOOP_FILTER LOOP_TURBULENCE LOOP_STAR " ao.vibrations", ALWAYS(NULL)},
    {.key = "nm_per_100us",
     .chosen = "total " LOOP_FILTER LOOP_TURBULENCE LOOP_STAR " ao.vibrations", ALWAYS(NULL)},
    {.key = "gain_margin", .chosen = LOOP_FILTER " gain", ALWAYS(NULL)},
    {.key = "phase_margin", .chosen = LOOP_FILTER " gain", ALWAYS(NULL)},
    {.key = "modulus_margin", .chosen = LOOP_FILTER " gain", ALWAYS(NULL)},
    {.key = "zero_db", .chosen = LOOP_FILTER " gain", ALWAYS(NULL)},
    {.key = "noise_gain", .chosen = LOOP_FILTER " gain", ALWAYS(NULL)},
    {.key = "delay_margin", .chosen = LOOP_FILTER " gain", ALWAYS(NULL)},
    {.key = "gain_crossover", .chosen = LOOP_FILTER " gain", ALWAYS(NULL)},
    {.key = "peak", .chosen = LOOP_FILTER " gain", ALWAYS(NULL)},
    {.key = "stable", .chosen = LOOP_FILTER " gain", ALWAYS(NULL)},
    {.key = NULL},
};

/* Streams of all ports, links and memories are those of "aolag flow". */
const struct explain_rule explain_flow_rules[] = {
    {.key = "pixels", ALWAYS("scenario.frame_rate * sum(cameras.*.output_each)")},
    {.key = "slopes", ALWAYS("scenario.frame_rate * sum(measurers.*.output_each)")},
    {.key = "commands", ALWAYS("scenario.frame_rate * sum(mirrors.*.output_each)")},
    {.key = "recorded", ALWAYS("telemetry.pixels * pixels + telemetry.slopes * slopes + "
                               "telemetry.commands * commands")},
    {.key = "updates",
     CASES({.when = {IF_UPDATED}, .formula = "sum(matrices.*.working_set) / update.period"},
           {.when = {IF_ALWAYS}, .formula = "0 * pixels"})},
    {.key = "port_load", ALWAYS("(port_pipeline + port_background) / port_capacity")},
    {.key = "port_pipeline", .unit = "B/s", FLOW(port.pipeline),
     .help = "what the pipeline sends through the busiest port or link; aolag flow names it",
     ALWAYS(NULL)},
    {.key = "port_background", .unit = "B/s", FLOW(port.background),
     .help = "telemetry and updates through it", ALWAYS(NULL)},
    {.key = "port_capacity", .unit = "B/s", FLOW(port.capacity), .help = "what it can carry",
     ALWAYS(NULL)},
    {.key = "memory_load",
     ALWAYS("(memory_pipeline + memory_background) / (busiest.memory_bandwidth * "
            "busiest.sustained_memory)")},
    {.key = "memory_pipeline", .unit = "B/s", FLOW(memory.pipeline),
     .help = "streams of the pipeline in the busiest memory, and what no cache serves",
     ALWAYS(NULL)},
    {.key = "memory_background", .unit = "B/s", FLOW(memory.background),
     .help = "telemetry and updates in it", ALWAYS(NULL)},
    {.key = "memory_full", .chosen = "devices.*.memory_size",
     ALWAYS("(memory_held + memory_buffered) / fullest.memory_size")},
    {.key = "memory_held", .unit = "B", FLOW(size.pipeline),
     .help = "working sets and frames of cameras in the fullest memory", ALWAYS(NULL)},
    {.key = "memory_buffered", .unit = "B", FLOW(size.background),
     .help = "second copies of matrices in it, and telemetry until the disk has it",
     ALWAYS(NULL)},
    {.key = "disk_load", .chosen = "telemetry.disk_rate",
     ALWAYS("recorded / telemetry.disk_rate")},
    {.key = "disk_time", .chosen = "telemetry.disk_size",
     CASES({.when = {IF_DISK_RATE},
            .formula = "telemetry.disk_size / min(recorded, telemetry.disk_rate)"},
           {.when = {IF_ALWAYS}, .formula = "telemetry.disk_size / recorded"})},
    {.key = "load", ALWAYS("max(port_load, memory_load, memory_full, disk_load)")},
    {.key = NULL},
};

const struct explain_rule explain_wfs_rules[] = {
    {.key = "slopes", .unit = "", .help = "slopes of all its sensors",
     ALWAYS(formula_text_all_slopes)},
    {.key = "subaps", .unit = "", .help = "valid subapertures or pupil pixels of all its sensors",
     ALWAYS(formula_text_all_subaps)},
    {.key = "pixels", .unit = "px", .help = "pixels of all its detectors",
     ALWAYS(formula_text_all_pixels)},
    {.key = "valid_subaps", .chosen = "kind",
     CASES({.when = {IF_OPEN}, .formula = "geometry(subaps_across, obscuration)"})},
    {.key = "packets", .unit = "", .base = BASE_RESULT_OR_FORMULA,
     CASES({.when = {IF_OPEN}, .formula = "scenario.packets"})},
    {.key = "detector_width", .chosen = "kind",
     CASES({.when = {IF_PYRAMID, IF_OPEN}, .formula = formula_text_pyramid_detector_side},
           {.when = {IF_OPEN}, .formula = formula_text_detector_side})},
    {.key = "detector_height", .chosen = "kind",
     CASES({.when = {IF_PYRAMID, IF_OPEN}, .formula = formula_text_pyramid_detector_side},
           {.when = {IF_OPEN}, .formula = formula_text_detector_side})},
    {.key = NULL},
};

const struct explain_rule explain_device_rules[] = {
    {.key = "peak_flops", .chosen = "kind sustained_clock",
     ALL_TAKEN(peak_flops)},
    {.key = "precision_ratio", .unit = "", .help = "device peaks are for fp32",
     CASES({.when = {IF_ACCELERATOR}, .formula = "1"})},
    {.key = "element_bytes", .unit = "B", .help = "device peaks are for fp32",
     CASES({.when = {IF_CPU}, .formula = "4"})},
    {.key = "memory_bandwidth", .chosen = "kind", ALL_TAKEN(memory_bandwidth)},
    {.key = "busy", .chosen = "kind count",
     CASES({.when = {IF_FPGA}, .formula = "max(users.*.device_time)",
            .help = "busy time per frame of its busiest circuit"},
           {.when = {IF_BUSY_THREAD}, .formula = "sum(thread.*.frame_busy)",
            .help = "busy time per frame of its busiest thread"},
           {.when = {IF_UNITS}, .formula = "sum(busiest.*.device_time)",
            .help = "busy time per frame of the busiest of identical devices"},
           {.when = {IF_ALWAYS}, .formula = "sum(users.*.device_time)"})},
    {.key = "utilisation", ALWAYS(formula_text_utilisation)},
    {.key = "held", .chosen = "count",
     CASES({.when = {IF_UNITS}, .formula = "sum(fullest.*.working_set)",
            .help = "working sets of the fullest of identical devices"},
           {.when = {IF_ALWAYS}, .formula = "sum(users.*.working_set)"})},
    {.key = "parts", .unit = "", .chosen = "kind",
     .help = "sockets of a processor, number of identical accelerators",
     CASES({.when = {IF_CPU}, .formula = "sockets"},
           {.when = {IF_GPU}, .formula = "count"},
           {.when = {IF_ALWAYS}, .formula = "1"})},
    {.key = "watts", ALWAYS(formula_text_device_watts)},
    {.key = "total_price", ALWAYS(formula_text_device_price)},
    {.key = "all_cores", .unit = "", .help = "cores of all sockets",
     ALL_TAKEN(all_cores)},
    {.key = "taken_cores", .unit = "", .help = "cores reserved as workers of components",
     ALWAYS("sum(pinned.*.workers)")},
    {.key = "core_bandwidth", ALL_TAKEN(core_bandwidth)},
    {.key = "l3_core_bandwidth", .unit = "GB/s", ALL_TAKEN(l3_core_bandwidth)},
    {.key = "nic_rate", .unit = "Gbit/s", .help = "network rate of all its ports",
     ALWAYS(formula_text_nic_rate)},
    {.key = "pc", CASES({.when = {IF_OPEN}})},
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
    {.key = "payload", .unit = "B", .help = "payload of a full datagram",
     ALWAYS(formula_text_ethernet_payload)},
    {.key = "coalesced", .unit = "", .chosen = "receive_offload", .help = "datagrams that the kernel joins",
     ALL_TAKEN(coalesced)},
    {.key = "wire_rate", .unit = "GB/s", .help = "network rate of all its ports",
     ALWAYS(formula_text_ethernet_rate)},
    {.key = "lane_rate", .unit = "GB/s", .value = lane_rate,
     .help = "payload rate of a PCIe lane of the older generation",
     ALWAYS("pcie(pcie_gen, host.pcie_gen)")},
    {.key = "host_rate", .unit = "GB/s", .value = host_rate, .chosen = "host_link",
     .help = "rate of its host link",
     CASES({.when = {IF_UNIFIED}, .help = "it shares the memory of its host"},
           {.when = {IF_HOST_NVLINK}, .formula = "host_bandwidth"},
           {.when = {IF_ALWAYS}, .formula = "lane_rate * min(pcie_lanes, host.pcie_lanes, 16)"})},
    {.key = "launch", .chosen = "dispatch framework", ALL_TAKEN(launch)},
    {.key = "boundary", .chosen = "dispatch framework", ALL_TAKEN(boundary)},
    {.key = "enqueue", .chosen = "dispatch framework", ALL_TAKEN(enqueue)},
    {.key = "handover", .chosen = "dispatch framework os", ALL_TAKEN(handover)},
    {.key = "software", .chosen = "dispatch", ALL_TAKEN(software)},
    {.key = "copy_latency", .chosen = "copy", ALL_TAKEN(copy_latency)},
    {.key = "copy_out", .unit = "us", .value = copy_out, .chosen = "copy",
     .help = "delay of a copy to the host",
     CASES({.when = {IF_GPU}, TAKEN(copy_out)})},
    {.key = "peer_latency", .chosen = "peer_link", CASES({.when = {IF_OPEN}})},
    {.key = "ingress_latency", .chosen = "ingress os", CASES({.when = {IF_OPEN}})},
    {.key = "datagram_time", .chosen = "ingress",
     CASES({.when = {IF_NO_DATAGRAMS}, .help = "no core receives what enters"},
           {.when = {IF_OPEN, IF_KERNEL}, .formula = formula_text_kernel_datagram},
           {.when = {IF_OPEN}})},
    {.key = "egress_latency", .chosen = "egress", CASES({.when = {IF_OPEN}})},
    FACTOR(memory, "memory"),
    FACTOR(cache, "caches"),
    FACTOR(compute, "arithmetic"),
    FACTOR(dispatch, "dispatch"),
    FACTOR(software, "software"),
    FACTOR(framework, "framework"),
    FACTOR(copy, "copies"),
    FACTOR(port, "ports"),
    FACTOR(sleep, "sleep states"),
    {.key = NULL},
};

const struct explain_rule explain_link_rules[] = {
    {.key = "busy", .unit = "us", LINK(busy), .help = "busy time per frame of the loop",
     CASES({.when = {IF_RECEIVING_CORE}, .formula = "camera.receive_time / camera.divisor"},
           {.when = {IF_OWN_THREADS}, .formula = "max(users.*.enqueue_busy)",
            .help = "time of the busiest enqueuing thread per frame of the loop"},
           {.when = {IF_ENQUEUING_THREAD}, .formula = "sum(users.*.enqueue_busy)"},
           {.when = {IF_PORT}, .formula = "sum(cameras.*.port_busy) + sum(users.*.frame_busy)"},
           {.when = {IF_ALWAYS}, .formula = "sum(users.*.frame_busy)"})},
    {.key = NULL},
};
/* clang-format on */
