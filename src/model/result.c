#include "model/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/units.h"

/* clang-format off */
const struct result_row result_rows[] = {
    {RESULT_DESIGN, "latency", "latency_us", "us", offsetof(struct result, latency),
     "RTC latency, last pixel in to last command out"},
    {RESULT_DESIGN, "uncertainty", "uncertainty_factor", "", offsetof(struct result, uncertainty),
     "the latency may be off by this factor, either way: the largest of the devices it is made on"},
    {RESULT_DESIGN, "first_pixel_latency", "first_pixel_latency_us", "us",
     offsetof(struct result, first_pixel), "first pixel in to last command out"},
    {RESULT_DESIGN, "frame_period", "frame_period_us", "us",
     offsetof(struct result, frame_period), "time between two frames"},
    {RESULT_DESIGN, "max_frame_rate", "max_frame_rate_hz", "Hz",
     offsetof(struct result, max_frame_rate), "rate at which the busiest resource is always busy"},
    {RESULT_DESIGN, "load", "load", "", offsetof(struct result, load),
     "busiest resource's time over the frame period; above 1 it is overloaded"},
    {RESULT_DESIGN, "frames", "frames", "", offsetof(struct result, frames),
     "with data simulated one after another, the last is told; 1: one in an empty system"},
    {RESULT_DESIGN, "target_latency", "target_latency_us", "us", offsetof(struct result, target),
     "RTC latency to meet"},
    {RESULT_DESIGN, "margin", "margin_us", "us", offsetof(struct result, margin),
     "target less RTC latency; negative when missed"},
    {RESULT_LOOP, "delay_frames", "delay_frames", "", offsetof(struct loop_result, delay_frames),
     "total delay in frame periods"},
    {RESULT_LOOP, "tau_total", "tau_total_us", "us", offsetof(struct loop_result, tau_total),
     "middle of the exposure to middle of the correction"},
    {RESULT_LOOP, "tau0", "tau0_us", "us", offsetof(struct loop_result, tau0),
     "coherence time at the science wavelength"},
    {RESULT_LOOP, "greenwood", "greenwood_hz", "Hz", offsetof(struct loop_result, greenwood),
     "Greenwood frequency at the science wavelength"},
    {RESULT_LOOP, "servo_lag", "servo_lag_nm", "nm", offsetof(struct loop_result, servo_lag),
     "wavefront error of the delay, rms"},
    {RESULT_LOOP, "strehl", "strehl_lag", "", offsetof(struct loop_result, strehl),
     "Strehl ratio the delay alone would leave"},
    {RESULT_LOOP, "max_gain", "max_gain", "", offsetof(struct loop_result, max_gain),
     "integrator gain at which the loop is no longer stable"},
    {RESULT_LOOP, "gain_45", "gain_45", "", offsetof(struct loop_result, gain_45),
     "integrator gain with a phase margin of 45 degrees"},
    {RESULT_LOOP, "crossover", "crossover_hz", "Hz", offsetof(struct loop_result, crossover),
     "open-loop crossover at that gain"},
    {RESULT_COMPONENT, "flop", "flop", "FLOP", offsetof(struct node_result, flop),
     "per frame, deferred work included"},
    {RESULT_COMPONENT, "bytes", "bytes", "B", offsetof(struct node_result, bytes),
     "moved per frame, deferred work included; of a camera, transfer or mirror what it carries"},
    {RESULT_COMPONENT, "working_set", "working_set_bytes", "B",
     offsetof(struct node_result, working_set), "kept in memory from frame to frame"},
    {RESULT_COMPONENT, "compute_time", "compute_us", "us", offsetof(struct node_result, compute),
     "FLOP at the FLOP/s it gets; of a program the sum over its phases of their slowest threads"},
    {RESULT_COMPONENT, "memory_time", "memory_us", "us", offsetof(struct node_result, memory),
     "bytes at the bandwidth it gets, of a program in all its phases; of a transfer or mirror on the "
     "wire"},
    {RESULT_COMPONENT, "time", "time_us", "us", offsetof(struct node_result, time),
     "sum of its packets' durations"},
    {RESULT_COMPONENT, "first_start", "first_start_us", "us",
     offsetof(struct node_result, first_start), "from the start of readout"},
    {RESULT_COMPONENT, "last_end", "last_end_us", "us", offsetof(struct node_result, last_end),
     "from the start of readout"},
    {RESULT_COMPONENT, "deferred_time", "deferred_us", "us", offsetof(struct node_result, deferred),
     "of work it leaves until the last command is out"},
    {RESULT_COMPONENT, "deferred_flop", "deferred_flop", "FLOP",
     offsetof(struct node_result, deferred_flop), "of that work"},
    {RESULT_COMPONENT, "deferred_bytes", "deferred_bytes", "B",
     offsetof(struct node_result, deferred_bytes), "moved by that work"},
    {RESULT_COMPONENT, "busy", "busy_us", "us", offsetof(struct node_result, busy),
     "per frame it delivers, deferred work included"},
    {RESULT_COMPONENT, "slack", "slack_us", "us", offsetof(struct node_result, slack),
     "its end may slip by it, no command moves; fluid: null where it may meet others"},
    {RESULT_COMPONENT, "path_wait", "path_wait_us", "us", offsetof(struct node_result, path_wait),
     "waited on the critical path after the last pixel"},
    {RESULT_COMPONENT, "path_busy", "path_busy_us", "us", offsetof(struct node_result, path_busy),
     "busy on the critical path after the last pixel"},
    {RESULT_COMPONENT, "share", "share", "", offsetof(struct node_result, share),
     "part of its device, stated or automatic"},
    {RESULT_COMPONENT, "compute_efficiency", "compute_efficiency", "",
     offsetof(struct node_result, compute_efficiency), "fraction of FLOP/s in force"},
    {RESULT_COMPONENT, "memory_efficiency", "memory_efficiency", "",
     offsetof(struct node_result, memory_efficiency), "fraction of bandwidth in force"},
    {RESULT_COMPONENT, "rows", "rows", "", offsetof(struct node_result, rows),
     "of the reconstruction matrix"},
    {RESULT_COMPONENT, "columns", "columns", "", offsetof(struct node_result, columns),
     "of the reconstruction matrix"},
    {RESULT_COMPONENT, "grid", "grid", "", offsetof(struct node_result, grid),
     "points of a Fourier reconstructor's grid"},
    {RESULT_COMPONENT, "states", "states", "", offsetof(struct node_result, states),
     "of an LQG controller"},
    {RESULT_COMPONENT, "kernels", "kernels", "", offsetof(struct node_result, kernels),
     "launches each packet with work pays"},
    {RESULT_COMPONENT, "exposure", "exposure_us", "us", offsetof(struct node_result, exposure),
     "of a camera"},
    {RESULT_COMPONENT, "workers", "workers", "", offsetof(struct node_result, workers),
     "cores it runs on"},
    {RESULT_COMPONENT, "block", "block", "", offsetof(struct node_result, block),
     "elements of its working set read in a row"},
    {RESULT_DEVICE, "peak_flops", "peak_flops", "FLOP/s", offsetof(struct device_result, peak_flops),
     "fp32 peak"},
    {RESULT_DEVICE, "memory_bandwidth", "memory_bytes_per_s", "B/s",
     offsetof(struct device_result, bandwidth), "peak of its memory"},
    {RESULT_DEVICE, "busy", "busy_us", "us", offsetof(struct device_result, busy),
     "per frame; in partition weighted by share, in exclusive with launches and fixed overhead, in "
     "fluid without"},
    {RESULT_DEVICE, "utilisation", "utilisation", "", offsetof(struct device_result, utilisation),
     "busy time over frame period"},
    {RESULT_DEVICE, "l1", "l1_bytes", "B", offsetof(struct device_result, capacity[LEVEL_L1]),
     "L1 cache of a core; 0: none"},
    {RESULT_DEVICE, "l2", "l2_bytes", "B", offsetof(struct device_result, capacity[LEVEL_L2]),
     "L2 cache of a core, of the whole of a GPU; 0: none"},
    {RESULT_DEVICE, "l3", "l3_bytes", "B", offsetof(struct device_result, capacity[LEVEL_L3]),
     "L3 cache of a socket, of the whole of a GPU; 0: none"},
    {RESULT_DEVICE, "l1_bandwidth", "l1_bytes_per_s", "B/s",
     offsetof(struct device_result, level_bandwidth[LEVEL_L1]), "of a core"},
    {RESULT_DEVICE, "l2_bandwidth", "l2_bytes_per_s", "B/s",
     offsetof(struct device_result, level_bandwidth[LEVEL_L2]), "of a core, of the whole of a GPU"},
    {RESULT_DEVICE, "l3_bandwidth", "l3_bytes_per_s", "B/s",
     offsetof(struct device_result, level_bandwidth[LEVEL_L3]), "of a socket, of the whole of a GPU"},
    {RESULT_DEVICE, "l1_latency", "l1_latency_ns", "ns",
     offsetof(struct device_result, level_latency[LEVEL_L1]), "of one access"},
    {RESULT_DEVICE, "l2_latency", "l2_latency_ns", "ns",
     offsetof(struct device_result, level_latency[LEVEL_L2]), "of one access"},
    {RESULT_DEVICE, "l3_latency", "l3_latency_ns", "ns",
     offsetof(struct device_result, level_latency[LEVEL_L3]), "of one access"},
    {RESULT_DEVICE, "memory_latency", "memory_latency_ns", "ns",
     offsetof(struct device_result, level_latency[LEVEL_MEMORY]), "of one access"},
    {RESULT_DEVICE, "core_bandwidth", "core_bytes_per_s", "B/s",
     offsetof(struct device_result, core_bandwidth), "most one core draws from memory"},
    {RESULT_DEVICE, "pc", "uncertainty_factor", "", offsetof(struct device_result, pc),
     "what is predicted for it may be off by this factor, either way"},
    {RESULT_WFS, "valid_subaps", "valid_subaps", "", offsetof(struct wfs_result, subaps),
     "valid subapertures or pupil pixels of one sensor"},
    {RESULT_WFS, "detector_width", "detector_width_px", "px", offsetof(struct wfs_result, width),
     "pixels read out, across"},
    {RESULT_WFS, "detector_height", "detector_height_px", "px",
     offsetof(struct wfs_result, height), "pixels read out, down"},
};
/* clang-format on */

const int result_row_count = (int)(sizeof result_rows / sizeof result_rows[0]);

const char *bound_name(enum bound bound)
{
    static const char *const names[] = {"compute", "memory", "overhead", "link", "readout"};

    return names[bound];
}

int result_sense(const struct result_row *row)
{
    static const char *const more[] = {"max_frame_rate", "margin",  "strehl",
                                       "max_gain",       "gain_45", "crossover"};
    static const char *const less[] = {
        "latency",  "first_pixel_latency", "load", "delay_frames", "tau_total", "servo_lag",
        "time",     "compute_time",        "memory_time", "busy", "utilisation"};

    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        if (strcmp(more[i], row->key) == 0)
            return 1;
    for (size_t i = 0; i < sizeof less / sizeof less[0]; i++)
        if (strcmp(less[i], row->key) == 0)
            return -1;
    return 0;
}

int result_count(const struct result *result, enum result_scope scope)
{
    switch (scope) {
    case RESULT_COMPONENT:
        return result->node_count;
    case RESULT_DEVICE:
        return result->device_count;
    case RESULT_WFS:
        return result->wfs_count;
    case RESULT_DESIGN:
    case RESULT_LOOP:
        break;
    }
    return 1;
}

double result_value(const struct result *result, const struct result_row *row, int index)
{
    const char *base = (const char *)result;

    switch (row->scope) {
    case RESULT_LOOP:
        base = (const char *)&result->loop;
        break;
    case RESULT_COMPONENT:
        base = (const char *)&result->node[index];
        break;
    case RESULT_DEVICE:
        base = (const char *)&result->device[index];
        break;
    case RESULT_WFS:
        base = (const char *)&result->wfs[index];
        break;
    case RESULT_DESIGN:
        break;
    }
    return *(const double *)(const void *)(base + row->offset);
}

double result_in_unit(const struct result *result, const struct result_row *row, int index)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};
    double value = result_value(result, row, index);

    if (value == RESULT_NONE)
        return value;
    unit_find(row->unit, &unit);
    return value * unit.denominator / unit.numerator;
}

int result_find_node(const struct result *result, const char *name)
{
    for (int i = 0; i < result->node_count; i++)
        if (strcmp(result->node[i].name, name) == 0)
            return i;
    return -1;
}

/* Result path ---------------------------------------------------------------------------------- */

static const char *const scopes[] = {[RESULT_DESIGN] = "",
                                     [RESULT_LOOP] = "loop.",
                                     [RESULT_COMPONENT] = "component.",
                                     [RESULT_DEVICE] = "device.",
                                     [RESULT_WFS] = "wfs."};

static const char *instance_name(const struct scenario *scenario, const struct result *result,
                                 enum result_scope scope, int index)
{
    switch (scope) {
    case RESULT_COMPONENT:
        return result->node[index].name;
    case RESULT_DEVICE:
        return scenario->device[index].head.name;
    case RESULT_WFS:
        return scenario->wfs[index].head.name;
    case RESULT_DESIGN:
    case RESULT_LOOP:
        break;
    }
    return "";
}

static void print(const struct result_ref *ref, const char *key, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s%s", scopes[ref->row->scope], ref->name,
             ref->name[0] == '\0' ? "" : ".", key);
}

void result_path(const struct result_ref *ref, char *text, size_t size)
{
    print(ref, ref->row->key, text, size);
}

void result_json_path(const struct result_ref *ref, char *text, size_t size)
{
    print(ref, ref->row->json, text, size);
}

bool result_at(const struct scenario *scenario, const struct result *result, int i,
               struct result_ref *ref)
{
    for (int r = 0; r < result_row_count; r++) {
        int count = result_count(result, result_rows[r].scope);

        if (i < count) {
            *ref = (struct result_ref){.row = &result_rows[r], .index = i};
            snprintf(ref->name, sizeof ref->name, "%s",
                     instance_name(scenario, result, result_rows[r].scope, i));
            return true;
        }
        i -= count;
    }
    return false;
}

enum status result_find(const struct scenario *scenario, const struct result *result,
                        const char *path, struct result_ref *ref, struct error *error)
{
    struct nearest nearest = nearest_to(path);
    char text[RESULT_PATH_MAX];

    for (int i = 0; result_at(scenario, result, i, ref); i++) {
        result_path(ref, text, sizeof text);
        if (strcmp(text, path) == 0)
            return STATUS_OK;
        nearest_offer(&nearest, text);
    }
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "no result is called \"%.100s\"; did you mean %s?",
                         path, nearest.best);
    return error_set(error, STATUS_INVALID,
                     "no result is called \"%.100s\"; one is as latency, loop.servo_lag, "
                     "component.NAME.time or device.NAME.utilisation",
                     path);
}

double result_read(const struct scenario *scenario, const struct result *result,
                   const struct result_ref *ref)
{
    enum result_scope scope = ref->row->scope;
    int index = ref->index;
    int count;

    if (scope == RESULT_DESIGN || scope == RESULT_LOOP)
        return result_value(result, ref->row, 0);
    count = result_count(result, scope);
    if (index >= count || strcmp(instance_name(scenario, result, scope, index), ref->name) != 0)
        for (index = 0; index < count; index++)
            if (strcmp(instance_name(scenario, result, scope, index), ref->name) == 0)
                break;
    return index < count ? result_value(result, ref->row, index) : RESULT_NONE;
}
