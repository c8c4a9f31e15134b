#include <math.h>

#include "explain/rules.h"
#include "explain/way.h"
#include "larger.h"

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
    int node = result_node(explain->result, explain->result->limit);

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
    {EXPLAIN_DESIGN, "frame_period", NULL, NULL, "1 / scenario.frame_rate", NULL, NULL, NULL,
     false},
    {EXPLAIN_DESIGN, "max_frame_rate", NULL, has_limit, "1 / limit_busy", NULL, NULL, NULL, false},
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
    {EXPLAIN_DESIGN, "load", NULL, NULL, "limit_busy / frame_period", NULL, NULL, NULL, false},
    {EXPLAIN_DESIGN, "target_latency", NULL, NULL, "scenario.target_latency", NULL, NULL, NULL,
     false},
    {EXPLAIN_DESIGN, "margin", NULL, NULL, "target_latency - latency", NULL, NULL, NULL, false},
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
