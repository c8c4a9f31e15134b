#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "explain/path.h"
#include "explain/rules.h"
#include "model/device.h"
#include "model/formulas.h"

/* The design ----------------------------------------------------------------------------------- */

static bool has_command(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain_command(explain) >= 0;
}

static bool from_last_pixel(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain_from_last_pixel(explain);
}

static bool has_limit(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain->result->limit_busy > 0;
}

/* What is busiest bears the name of a component, else of a device, else of a link. */
static bool limited_by_component(const struct explain *explain, struct explain_subject subject)
{
    int node = result_find_node(explain->result, explain->result->limit);

    (void)subject;
    return node >= 0 &&
           explain->result->node[node].busy / explain->result->work->stage[node].divisor ==
               explain->result->limit_busy;
}

static bool limited_by_device(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return section_find(explain->scenario, SECTION_DEVICE, explain->result->limit) >= 0;
}

static bool has_mirror(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain->result->dm_count > 0;
}

static bool has_camera(const struct explain *explain, struct explain_subject subject)
{
    const struct workspace *work = explain->result->work;

    (void)subject;
    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].type == COMPONENT_CAMERA && work->plan.node[n].leads)
            return true;
    return false;
}

static bool has_device(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain->scenario->device_count > 0;
}

/* clang-format off */
const struct explain_rule explain_design_rules[] = {
    {.kind = EXPLAIN_DESIGN, .key = "latency", .when = from_last_pixel,
     .formula = "sum(path.*.time)"},
    {.kind = EXPLAIN_DESIGN, .key = "latency", .when = has_command,
     .formula = "sum(path.*.time) - last_pixel"},
    {.kind = EXPLAIN_DESIGN, .key = "latency", .formula = "last_command - last_pixel"},
    {.kind = EXPLAIN_DESIGN, .key = "uncertainty", .when = has_device,
     .formula = "max(path_devices.*.pc)"},
    {.kind = EXPLAIN_DESIGN, .key = "first_pixel_latency", .formula = "last_command"},
    {.kind = EXPLAIN_DESIGN, .key = "last_command", .unit = "us", DESIGN(first_pixel),
     .formula = "max(commands.*.last_end)",
     .help = "when the last command leaves, from the start of readout"},
    {.kind = EXPLAIN_DESIGN, .key = "last_pixel", .unit = "us", .when = has_camera,
     DESIGN(last_pixel), .formula = "max(cameras.*.last_end)",
     .help = "when the last pixel is in, from the start of readout"},
    {.kind = EXPLAIN_DESIGN, .key = "last_pixel", .unit = "us", DESIGN(last_pixel),
     .help = "no command waits for a camera"},
    {.kind = EXPLAIN_DESIGN, .key = "frame_period", .formula = formula_text_frame_period},
    {.kind = EXPLAIN_DESIGN, .key = "max_frame_rate", .when = has_limit,
     .formula = formula_text_max_frame_rate},
    {.kind = EXPLAIN_DESIGN, .key = "max_frame_rate"},
    {.kind = EXPLAIN_DESIGN, .key = "limit_busy", .unit = "us", .when = limited_by_component,
     DESIGN(limit_busy), .formula = "limit_component.frame_busy",
     .help = "busy time of the busiest resource per frame"},
    {.kind = EXPLAIN_DESIGN, .key = "limit_busy", .unit = "us", .when = limited_by_device,
     DESIGN(limit_busy), .formula = "limit_device.busy",
     .help = "busy time of the busiest resource per frame"},
    {.kind = EXPLAIN_DESIGN, .key = "limit_busy", .unit = "us", .when = has_limit,
     DESIGN(limit_busy), .formula = "limit_link.busy",
     .help = "busy time of the busiest resource per frame"},
    {.kind = EXPLAIN_DESIGN, .key = "limit_busy", .unit = "us", DESIGN(limit_busy),
     .help = "nothing takes time"},
    {.kind = EXPLAIN_DESIGN, .key = "frames", .when = has_command,
     .formula = "simulated(commands.*.last_end, frame_period)"},
    {.kind = EXPLAIN_DESIGN, .key = "load", .formula = formula_text_load},
    {.kind = EXPLAIN_DESIGN, .key = "target_latency", .formula = "scenario.target_latency"},
    {.kind = EXPLAIN_DESIGN, .key = "margin", .formula = formula_text_margin},
    {.kind = EXPLAIN_DESIGN, .key = "command_arrival", .unit = "us", .when = has_mirror,
     .formula = "max(mirrors.*.arrival)",
     .help = "when the last mirror has settled, from the start of readout"},
    {.kind = EXPLAIN_DESIGN, .key = "command_arrival", .unit = "us", .formula = "last_command",
     .help = "when the last command leaves, from the start of readout"},
    {.kind = EXPLAIN_DESIGN, .key = "mean_age", .unit = "us", .when = has_camera,
     .formula = "max(fast_cameras.*.integration) / 2",
     .help = "age of the mean photon at the start of readout"},
    {.kind = EXPLAIN_DESIGN, .key = "mean_age", .unit = "us", .formula = "frame_period / 2",
     .help = "age of the mean photon where there is no camera"},
    {.key = NULL},
};
/* clang-format on */

/* Loop rules ----------------------------------------------------------------------------------- */

#define PI 3.14159265358979323846

static bool windy(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain->scenario->atmosphere.wind > 0;
}

static double variance(const struct explain *explain, struct explain_subject subject)
{
    double phase =
        explain->result->loop.servo_lag * 2 * PI / explain->scenario->atmosphere.wavelength;

    (void)subject;
    return phase * phase;
}

/* clang-format off */
const struct explain_rule explain_loop_rules[] = {
    {.kind = EXPLAIN_LOOP, .key = "delay_frames", .formula = formula_text_delay_frames},
    {.kind = EXPLAIN_LOOP, .key = "tau_total", .formula = formula_text_tau_total},
    {.kind = EXPLAIN_LOOP, .key = "r0", .unit = "cm", .formula = formula_text_r0,
     .help = "Fried parameter at the science wavelength and the zenith angle"},
    {.kind = EXPLAIN_LOOP, .key = "tau0", .formula = formula_text_tau0},
    {.kind = EXPLAIN_LOOP, .key = "greenwood", .formula = formula_text_greenwood},
    {.kind = EXPLAIN_LOOP, .key = "variance", .unit = "", .when = windy, .value = variance,
     .formula = formula_text_variance, .help = "of the phase at the science wavelength, rad^2"},
    {.kind = EXPLAIN_LOOP, .key = "variance", .unit = "", .value = variance,
     .formula = "0 * atmosphere.wind", .help = "without wind nothing changes in the meantime"},
    {.kind = EXPLAIN_LOOP, .key = "servo_lag", .formula = formula_text_servo_lag},
    {.kind = EXPLAIN_LOOP, .key = "strehl", .formula = formula_text_strehl},
    {.kind = EXPLAIN_LOOP, .key = "max_gain", .formula = formula_text_max_gain},
    {.kind = EXPLAIN_LOOP, .key = "gain_45", .formula = formula_text_gain_45},
    {.kind = EXPLAIN_LOOP, .key = "crossover", .formula = formula_text_crossover},
    {.key = NULL},
};
/* clang-format on */

/* Device rules --------------------------------------------------------------------------------- */

static bool is_gpu(const struct explain *explain, struct explain_subject subject)
{
    return explain->scenario->device[subject.index].kind == DEVICE_GPU;
}

static bool is_cpu(const struct explain *explain, struct explain_subject subject)
{
    return !is_gpu(explain, subject);
}

/* What a core draws from a stated L3. */
static bool l3_drawn(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain_device(explain, subject);

    return is_cpu(explain, subject) && device->l3_core_bandwidth == 0 && device->l3_bandwidth > 0;
}

static bool l3_drawn_by_l2(const struct explain *explain, struct explain_subject subject)
{
    return l3_drawn(explain, subject) && explain_device(explain, subject)->l2_bandwidth > 0;
}

/* Knobs of a device left open ------------------------------------------------------------------ */

#define OPEN(field, unset)                                                                         \
    static bool field##_open(const struct explain *explain, struct explain_subject subject)        \
    {                                                                                              \
        return explain_device(explain, subject)->field == (unset);                                 \
    }

OPEN(l1, CAPACITY_AUTO)
OPEN(l2, CAPACITY_AUTO)
OPEN(l3, CAPACITY_AUTO)
OPEN(l1_bandwidth, 0)
OPEN(l2_bandwidth, 0)
OPEN(l3_bandwidth, 0)
OPEN(l1_latency, 0)
OPEN(l2_latency, 0)
OPEN(l3_latency, 0)
OPEN(memory_latency, 0)
OPEN(core_bandwidth, 0)
OPEN(pc, 0)

static bool l3_of_cores(const struct explain *explain, struct explain_subject subject)
{
    return l3_open(explain, subject) && !explain_on_gpu(explain, subject);
}

/* Of the level all cores see, what one socket or core has. */
static void socket_text(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    snprintf(text, size,
             explain_on_gpu(explain, subject) ? "l3.bandwidth" : "l3.bandwidth / l3.sockets");
}

static void core_l1_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    (void)explain;
    (void)subject;
    snprintf(text, size, "l1.bandwidth / all_cores");
}

static void core_l2_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    snprintf(text, size,
             explain_on_gpu(explain, subject) ? "l2.bandwidth" : "l2.bandwidth / all_cores");
}

/* clang-format off */
const struct explain_rule explain_device_rules[] = {
    {.kind = EXPLAIN_DEVICE, .key = "peak_flops", .when = is_gpu, .formula = formula_text_gpu_peak},
    {.kind = EXPLAIN_DEVICE, .key = "peak_flops", .formula = formula_text_cpu_peak},
    {.kind = EXPLAIN_DEVICE, .key = "precision_ratio", .unit = "", .when = is_gpu,
     .formula = "1", .help = "peaks are those of fp32"},
    {.kind = EXPLAIN_DEVICE, .key = "element_bytes", .unit = "B", .when = is_cpu,
     .formula = "4", .help = "peaks are those of fp32"},
    {.kind = EXPLAIN_DEVICE, .key = "memory_bandwidth", .when = is_gpu,
     .formula = formula_text_gpu_memory_bandwidth},
    {.kind = EXPLAIN_DEVICE, .key = "memory_bandwidth",
     .formula = formula_text_cpu_memory_bandwidth},
    {.kind = EXPLAIN_DEVICE, .key = "busy", .formula = "sum(users.*.device_time)"},
    {.kind = EXPLAIN_DEVICE, .key = "utilisation", .formula = "busy / frame_period"},
    {.kind = EXPLAIN_LINK, .key = "busy", .unit = "us", LINK(busy),
     .formula = "sum(users.*.frame_busy)", .help = "per frame of the loop"},
    {.kind = EXPLAIN_DEVICE, .key = "held", .unit = "B", .formula = "sum(users.*.working_set)",
     .help = "working sets of all that runs there"},
    {.kind = EXPLAIN_DEVICE, .key = "all_cores", .unit = "", .formula = "sockets * cores",
     .help = "of all sockets"},
    {.kind = EXPLAIN_DEVICE, .key = "taken_cores", .unit = "", .formula = "sum(pinned.*.workers)",
     .help = "that components state for themselves"},
    {.kind = EXPLAIN_DEVICE, .key = "core_bandwidth", .when = core_bandwidth_open,
     .formula = formula_text_core_bandwidth},
    {.kind = EXPLAIN_DEVICE, .key = "l3_core_bandwidth", .unit = "GB/s", .when = l3_drawn_by_l2,
     .formula = formula_text_l3_core_bandwidth_l2},
    {.kind = EXPLAIN_DEVICE, .key = "l3_core_bandwidth", .unit = "GB/s", .when = l3_drawn,
     .formula = formula_text_l3_core_bandwidth},
    {.kind = EXPLAIN_DEVICE, .key = "nic_rate", .unit = "Gbit/s", .formula = "nic * nics",
     .help = "of all its ports"},
    {.kind = EXPLAIN_DEVICE, .key = "pc", .when = pc_open,
     .help = "the median error of published kernels predicted from vendors' figures"},
    {.kind = EXPLAIN_DEVICE, .key = "l1", .when = l1_open},
    {.kind = EXPLAIN_DEVICE, .key = "l2", .when = l2_open},
    {.kind = EXPLAIN_DEVICE, .key = "l3", .when = l3_of_cores, .formula = formula_text_l3_capacity},
    {.kind = EXPLAIN_DEVICE, .key = "l3", .when = l3_open},
    {.kind = EXPLAIN_DEVICE, .key = "l1_bandwidth", .when = l1_bandwidth_open,
     .write = core_l1_text},
    {.kind = EXPLAIN_DEVICE, .key = "l2_bandwidth", .when = l2_bandwidth_open,
     .write = core_l2_text},
    {.kind = EXPLAIN_DEVICE, .key = "l3_bandwidth", .when = l3_bandwidth_open,
     .write = socket_text},
    {.kind = EXPLAIN_DEVICE, .key = "l1_latency", .when = l1_latency_open},
    {.kind = EXPLAIN_DEVICE, .key = "l2_latency", .when = l2_latency_open},
    {.kind = EXPLAIN_DEVICE, .key = "l3_latency", .when = l3_latency_open},
    {.kind = EXPLAIN_DEVICE, .key = "memory_latency", .when = memory_latency_open},
    {.key = NULL},
};
/* clang-format on */
