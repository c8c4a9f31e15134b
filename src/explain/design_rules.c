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

static double last_command(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain->result->first_pixel;
}

static double last_pixel(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain->result->last_pixel;
}

static double limit_busy(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain->result->limit_busy;
}

static double command_arrival(const struct explain *explain, struct explain_subject subject)
{
    const struct result *result = explain->result;
    double latest = result->dm_count > 0 ? result->dm[0].arrival : result->first_pixel;

    (void)subject;
    for (int i = 1; i < result->dm_count; i++)
        latest = larger(latest, result->dm[i].arrival);
    return latest;
}

/* Of the cameras that see every frame they can, the one whose photons are the oldest. */
static double mean_age(const struct explain *explain, struct explain_subject subject)
{
    const struct workspace *work = explain->result->work;
    double least = INFINITY;
    double oldest = -INFINITY;

    (void)subject;
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < work->plan.count; n++) {
            struct explain_subject camera = {EXPLAIN_COMPONENT, n, 0};

            if (work->plan.node[n].type != COMPONENT_CAMERA || !work->plan.node[n].leads)
                continue;
            if (pass == 0)
                least = smaller(least, work->stage[n].divisor);
            else if (work->stage[n].divisor <= least)
                oldest = larger(oldest, explain_integration(explain, camera) / 2);
        }
    return oldest == -INFINITY ? explain->result->frame_period / 2 : oldest;
}

static bool has_device(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain->scenario->device_count > 0;
}

/* clang-format off */
const struct explain_rule explain_design_rules[] = {
    {EXPLAIN_DESIGN, "latency", NULL, from_last_pixel, "sum(path.*.time)", NULL, NULL, NULL, false},
    {EXPLAIN_DESIGN, "latency", NULL, has_command, "sum(path.*.time) - last_pixel", NULL, NULL,
     NULL, false},
    {EXPLAIN_DESIGN, "latency", NULL, NULL, "last_command - last_pixel", NULL, NULL, NULL, false},
    {EXPLAIN_DESIGN, "uncertainty", NULL, has_device, "max(path_devices.*.pc)", NULL, NULL, NULL,
     false},
    {EXPLAIN_DESIGN, "first_pixel_latency", NULL, NULL, "last_command", NULL, NULL, NULL, false},
    {EXPLAIN_DESIGN, "last_command", "us", NULL, "max(commands.*.last_end)", last_command,
     "when the last command leaves, from the start of readout", NULL, false},
    {EXPLAIN_DESIGN, "last_pixel", "us", has_camera, "max(cameras.*.last_end)", last_pixel,
     "when the last pixel is in, from the start of readout", NULL, false},
    {EXPLAIN_DESIGN, "last_pixel", "us", NULL, NULL, last_pixel,
     "no command waits for a camera", NULL, false},
    {EXPLAIN_DESIGN, "frame_period", NULL, NULL, formula_text_frame_period, NULL, NULL, NULL,
     false},
    {EXPLAIN_DESIGN, "max_frame_rate", NULL, has_limit, formula_text_max_frame_rate, NULL, NULL, NULL, false},
    {EXPLAIN_DESIGN, "max_frame_rate", NULL, NULL, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DESIGN, "limit_busy", "us", limited_by_component, "limit_component.frame_busy",
     limit_busy, "busy time of the busiest resource per frame", NULL, false},
    {EXPLAIN_DESIGN, "limit_busy", "us", limited_by_device, "limit_device.busy", limit_busy,
     "busy time of the busiest resource per frame", NULL, false},
    {EXPLAIN_DESIGN, "limit_busy", "us", has_limit, "limit_link.busy", limit_busy,
     "busy time of the busiest resource per frame", NULL, false},
    {EXPLAIN_DESIGN, "limit_busy", "us", NULL, NULL, limit_busy, "nothing takes time", NULL, false},
    {EXPLAIN_DESIGN, "frames", NULL, has_command, "simulated(commands.*.last_end, frame_period)",
     NULL, NULL, NULL, false},
    {EXPLAIN_DESIGN, "load", NULL, NULL, formula_text_load, NULL, NULL, NULL, false},
    {EXPLAIN_DESIGN, "target_latency", NULL, NULL, "scenario.target_latency", NULL, NULL, NULL,
     false},
    {EXPLAIN_DESIGN, "margin", NULL, NULL, formula_text_margin, NULL, NULL, NULL, false},
    {EXPLAIN_DESIGN, "command_arrival", "us", has_mirror, "max(mirrors.*.arrival)",
     command_arrival, "when the last mirror has settled, from the start of readout", NULL, false},
    {EXPLAIN_DESIGN, "command_arrival", "us", NULL, "last_command", command_arrival,
     "when the last command leaves, from the start of readout", NULL, false},
    {EXPLAIN_DESIGN, "mean_age", "us", has_camera, "max(fast_cameras.*.integration) / 2",
     mean_age, "age of the mean photon at the start of readout", NULL, false},
    {EXPLAIN_DESIGN, "mean_age", "us", NULL, "frame_period / 2", mean_age,
     "age of the mean photon where there is no camera", NULL, false},
    {EXPLAIN_DESIGN, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */

/* Loop rules ----------------------------------------------------------------------------------- */

#define PI 3.14159265358979323846

static bool windy(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain->scenario->atmosphere.wind > 0;
}

static double r0(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return formula_r0(&explain->scenario->atmosphere);
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
    {EXPLAIN_LOOP, "delay_frames", NULL, NULL, formula_text_delay_frames, NULL, NULL, NULL, false},
    {EXPLAIN_LOOP, "tau_total", NULL, NULL, formula_text_tau_total, NULL,
     NULL, NULL, false},
    {EXPLAIN_LOOP, "r0", "cm", NULL,
     formula_text_r0, r0,
     "Fried parameter at the science wavelength and the zenith angle", NULL, false},
    {EXPLAIN_LOOP, "tau0", NULL, NULL, formula_text_tau0, NULL, NULL, NULL, false},
    {EXPLAIN_LOOP, "greenwood", NULL, NULL, formula_text_greenwood, NULL, NULL, NULL,
     false},
    {EXPLAIN_LOOP, "variance", "", windy, formula_text_variance, variance,
     "of the phase at the science wavelength, rad^2", NULL, false},
    {EXPLAIN_LOOP, "variance", "", NULL, "0 * atmosphere.wind", variance,
     "without wind nothing changes in the meantime", NULL, false},
    {EXPLAIN_LOOP, "servo_lag", NULL, NULL,
     formula_text_servo_lag, NULL, NULL, NULL, false},
    {EXPLAIN_LOOP, "strehl", NULL, NULL, formula_text_strehl, NULL, NULL, NULL, false},
    {EXPLAIN_LOOP, "max_gain", NULL, NULL, formula_text_max_gain, NULL,
     NULL, NULL, false},
    {EXPLAIN_LOOP, "gain_45", NULL, NULL, formula_text_gain_45, NULL,
     NULL, NULL, false},
    {EXPLAIN_LOOP, "crossover", NULL, NULL,
     formula_text_crossover, NULL, NULL, NULL, false},
    {EXPLAIN_LOOP, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
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

static double single_ratio(const struct explain *explain, struct explain_subject subject)
{
    (void)explain;
    (void)subject;
    return 1;
}

static double single_bytes(const struct explain *explain, struct explain_subject subject)
{
    (void)explain;
    (void)subject;
    return precision_bytes(PRECISION_FP32);
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

static double l3_core_bandwidth(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain_device(explain, subject);
    double core = device_core_bandwidth(device);

    return l3_drawn_by_l2(explain, subject) ? formula_l3_core_bandwidth_l2(device, core)
                                            : formula_l3_core_bandwidth(device, core);
}

static double nic_rate(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain_device(explain, subject);

    return device->nic * device->nics;
}

static double link_busy(const struct explain *explain, struct explain_subject subject)
{
    return explain->result->link[subject.index].busy;
}

static double held(const struct explain *explain, struct explain_subject subject)
{
    return explain->result->work->held[subject.index];
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

static double device_cores_of(const struct explain *explain, struct explain_subject subject)
{
    return device_cores(explain_device(explain, subject));
}

static double taken_cores(const struct explain *explain, struct explain_subject subject)
{
    double sum = 0;

    for (int n = 0; n < explain->result->node_count; n++)
        if (explain->result->work->plan.node[n].device == subject.index)
            sum +=
                explain->scenario->component[explain->result->work->plan.node[n].component].workers;
    return sum;
}

/* clang-format off */
const struct explain_rule explain_device_rules[] = {
    {EXPLAIN_DEVICE, "peak_flops", NULL, is_gpu, formula_text_gpu_peak, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "peak_flops", NULL, NULL, formula_text_cpu_peak, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "precision_ratio", "", is_gpu, NULL, single_ratio, "peaks are those of fp32",
     NULL, false},
    {EXPLAIN_DEVICE, "element_bytes", "B", is_cpu, NULL, single_bytes, "peaks are those of fp32",
     NULL, false},
    {EXPLAIN_DEVICE, "memory_bandwidth", NULL, is_gpu,
     formula_text_gpu_memory_bandwidth, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "memory_bandwidth", NULL, NULL,
     formula_text_cpu_memory_bandwidth, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "busy", NULL, NULL, "sum(users.*.device_time)", NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "utilisation", NULL, NULL, "busy / frame_period", NULL, NULL, NULL, false},
    {EXPLAIN_LINK, "busy", "us", NULL, "sum(users.*.frame_busy)", link_busy,
     "per frame of the loop", NULL, false},
    {EXPLAIN_DEVICE, "held", "B", NULL, "sum(users.*.working_set)", held,
     "working sets of all that runs there", NULL, false},
    {EXPLAIN_DEVICE, "all_cores", "", NULL, "sockets * cores", device_cores_of, "of all sockets",
     NULL, false},
    {EXPLAIN_DEVICE, "taken_cores", "", NULL, "sum(pinned.*.workers)", taken_cores,
     "that components state for themselves", NULL, false},
    {EXPLAIN_DEVICE, "core_bandwidth", NULL, core_bandwidth_open, formula_text_core_bandwidth, NULL, NULL, NULL,
     false},
    {EXPLAIN_DEVICE, "l3_core_bandwidth", "GB/s", l3_drawn_by_l2,
     formula_text_l3_core_bandwidth_l2, l3_core_bandwidth, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l3_core_bandwidth", "GB/s", l3_drawn, formula_text_l3_core_bandwidth,
     l3_core_bandwidth, NULL, NULL, false},
    {EXPLAIN_DEVICE, "nic_rate", "Gbit/s", NULL, "nic * nics", nic_rate, "of all its ports", NULL,
     false},
    {EXPLAIN_DEVICE, "pc", NULL, pc_open, NULL, NULL,
     "the median error of published kernels predicted from vendors' figures", NULL, false},
    {EXPLAIN_DEVICE, "l1", NULL, l1_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l2", NULL, l2_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l3", NULL, l3_of_cores, formula_text_l3_capacity, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l3", NULL, l3_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l1_bandwidth", NULL, l1_bandwidth_open, NULL, NULL, NULL, core_l1_text,
     false},
    {EXPLAIN_DEVICE, "l2_bandwidth", NULL, l2_bandwidth_open, NULL, NULL, NULL, core_l2_text,
     false},
    {EXPLAIN_DEVICE, "l3_bandwidth", NULL, l3_bandwidth_open, NULL, NULL, NULL, socket_text, false},
    {EXPLAIN_DEVICE, "l1_latency", NULL, l1_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l2_latency", NULL, l2_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l3_latency", NULL, l3_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "memory_latency", NULL, memory_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
