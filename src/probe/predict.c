#include "probe/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/stats.h"
#include "design/algorithm.h"
#include "design/knob_text.h"
#include "explore/published.h"
#include "model/device.h"
#include "probe/gpu_points.h"
#include "probe/kernels.h"

/* Assumptions on library code. An optimised library computes a few rows at the same time, limited
 * by its registers (OpenBLAS's sgemv_t 4, BLIS's fused dot products 4 to 8), and shares the loads
 * of the vector. The reference implementation multiplies and adds by element, a chain of dependent
 * additions, modelled as registers of two elements with twice the latency, each of which occupies
 * four operations of the window. */
#define TUNED_ROWS 4

/* A design to be changed, and the first failure. */
struct kernel_design {
    struct scenario *scenario;
    enum status status;
    struct error *error;
};

/* Sets a knob (SI, or the stored value of a choice) of the only instance of its section. */
static void set_knob(struct kernel_design *design, enum knob_id id, double value)
{
    struct knob_ref ref = knob_ref_to(id, 0);
    char path[96];

    if (design->status != STATUS_OK)
        return;
    design->status = knob_set_number(design->scenario, ref, value, design->error);
    if (design->status != STATUS_OK) {
        knob_path(design->scenario, ref, path, sizeof path);
        error_prefix(design->error, "%s", path);
    }
}

static void set_kernel_size(struct kernel_design *design, const struct kernel *kernel,
                            const struct measurement_point *point)
{
    const double *size = point->parameter;
    double height = floor(sqrt(size[PARAMETER_PIXELS])); /* of an equivalent detector */
    double width;

    switch (kernel->size) {
    case KERNEL_OF_PIXELS:
        while (height > 1 && fmod(size[PARAMETER_PIXELS], height) != 0)
            height--;
        width = size[PARAMETER_PIXELS] / height;
        if (width > 16384) /* no suitable divisors; the rounding is negligible */
            width = height = ceil(sqrt(size[PARAMETER_PIXELS]));
        set_knob(design, KNOB_WFS_DETECTOR_WIDTH, width);
        set_knob(design, KNOB_WFS_DETECTOR_HEIGHT, height);
        set_knob(design, KNOB_WFS_PIXELS_PER_SUBAP, 1);
        break;
    case KERNEL_OF_SUBAPERTURES:
        set_knob(design, KNOB_WFS_VALID_SUBAPS, size[PARAMETER_SUBAPERTURES]);
        set_knob(design, KNOB_WFS_PIXELS_PER_SUBAP, size[PARAMETER_SIDE]);
        break;
    case KERNEL_OF_PUPIL:
        set_knob(design, KNOB_WFS_VALID_SUBAPS, size[PARAMETER_SUBAPERTURES]);
        break;
    case KERNEL_OF_MATRIX:
        set_knob(design, KNOB_COMPONENT_ROWS, size[PARAMETER_ROWS]);
        set_knob(design, KNOB_COMPONENT_COLUMNS, size[PARAMETER_COLUMNS]);
        break;
    case KERNEL_OF_ACTUATORS:
    case KERNEL_SIZES:
        set_knob(design, KNOB_AO_ACTUATORS, size[PARAMETER_ROWS]);
        break;
    }
}

#define QUEUE_VARIATION 1.5 /* most that an empty kernel in a queue took, over the least */

/* Returns the time of an empty kernel of many in a queue, which the host's thread may take to
 * enqueue it; 0 if none was measured. */
static double queue_time(const struct measurement *measurement)
{
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];

        if (point->part == MEASUREMENT_GPU && point->count > 0 && point->type[0] == '\0' &&
            strcmp(point->name, GPU_KERNEL) == 0)
            return point_least(point);
    }
    return 0;
}

/* `queue`: s, the least time of a frame of many in a queue; 0: the frames are in none. */
static enum status predict_row(struct kernel_model *model, const struct kernel *kernel,
                               const struct device *device, double queue, struct predicted_row *row,
                               struct error *error)
{
    const struct measurement_point *point = row->point;
    struct kernel_design design = {
        .scenario = kernel_model_start(model, device), .status = STATUS_OK, .error = error};
    struct node_result node;

    set_knob(&design, KNOB_COMPONENT_TYPE, algorithms[kernel->algorithm].type);
    set_knob(&design, KNOB_WFS_KIND,
             kernel->size == KERNEL_OF_PUPIL ? WFS_PYRAMID : WFS_SHACK_HARTMANN);
    set_knob(&design, KNOB_COMPONENT_ALGORITHM, kernel->algorithm);
    set_knob(&design, KNOB_WFS_SUBAPS_ACROSS, 1);
    if (device->kind == DEVICE_CPU)
        set_knob(&design, KNOB_COMPONENT_WORKERS, point->parameter[PARAMETER_CORES]);
    set_kernel_size(&design, kernel, point);
    if (kernel->library && strstr(point->remark, KERNEL_REFERENCE) == NULL) {
        set_knob(&design, KNOB_COMPONENT_CHAINS, TUNED_ROWS);
    } else if (kernel->library && device_has_operation_latencies(device)) {
        set_knob(&design, KNOB_DEVICE_SIMD_BITS, 64);
        set_knob(&design, KNOB_DEVICE_FMA_LATENCY, 2 * device->add_latency);
        set_knob(&design, KNOB_DEVICE_WINDOW, device->window / 4);
    }
    if (kernel->rest != NULL) /* the cores synchronise twice */
        set_knob(&design, KNOB_COMPONENT_KERNELS, 2);
    if (design.status == STATUS_OK)
        design.status = kernel_model_evaluate(model, &node, error);
    if (design.status != STATUS_OK) {
        error_prefix(error, "%s of %s", point->name, point->of);
        return design.status;
    }
    row->predicted = larger(node.time, queue);
    row->bound = queue > node.time ? BOUND_ENQUEUE : node.bound;
    if (queue <= node.time || row->measured > QUEUE_VARIATION * queue)
        row->ratio = row->predicted / row->measured;
    row->level = node.level;
    return STATUS_OK;
}

enum status predict_kernels(struct prediction *prediction, const struct measurement *measurement,
                            const struct device *device, struct error *error)
{
    const double queue = device->kind == DEVICE_GPU ? queue_time(measurement) : 0;
    struct kernel_model *model;
    enum status status = kernel_model_open(&model, error);

    *prediction = (struct prediction){NULL, 0};
    if (status != STATUS_OK)
        return status;
    prediction->row = allocate_array((size_t)measurement->count + 1, sizeof *prediction->row);
    for (int i = 0; i < measurement->count && status == STATUS_OK; i++) {
        const struct measurement_point *point = &measurement->point[i];
        const enum measurement_part part =
            device->kind == DEVICE_GPU ? MEASUREMENT_GPU : MEASUREMENT_KERNELS;
        const struct kernel *kernel = point->part == part ? kernel_find(point->name) : NULL;
        struct predicted_row *row = &prediction->row[prediction->count];

        if (kernel == NULL)
            continue;
        *row = (struct predicted_row){.point = point,
                                      .measured = point_least(point),
                                      .predicted = RESULT_NONE,
                                      .ratio = RESULT_NONE};
        prediction->count++;
        row->beyond =
            device->kind == DEVICE_CPU && point->parameter[PARAMETER_CORES] > device_cores(device);
        if (point->count > 0 && !row->beyond)
            status = predict_row(model, kernel, device, queue, row, error);
    }
    kernel_model_close(model);
    if (status != STATUS_OK)
        prediction_free(prediction);
    return status;
}

void prediction_free(struct prediction *prediction)
{
    free(prediction->row);
    *prediction = (struct prediction){NULL, 0};
}

/* Summing up ----------------------------------------------------------------------------------- */

struct prediction_summary prediction_summarise(const struct prediction *prediction,
                                               const char *name)
{
    struct prediction_summary summary = {.median_error = RESULT_NONE,
                                         .ninth_error = RESULT_NONE,
                                         .worst_error = RESULT_NONE,
                                         .worst = -1};
    double *errors = allocate_array((size_t)prediction->count + 1, sizeof *errors);
    double worst = -1;

    for (int i = 0; i < prediction->count; i++) {
        const struct predicted_row *row = &prediction->row[i];

        if (row->ratio == RESULT_NONE || (name != NULL && strcmp(row->point->name, name) != 0))
            continue;
        errors[summary.count] = fabs(row->ratio - 1);
        if (errors[summary.count] > worst) {
            worst = errors[summary.count];
            summary.worst = i;
        }
        summary.count++;
    }
    if (summary.count > 0) {
        stats_sort(errors, summary.count);
        summary.median_error = stats_median(errors, summary.count);
        summary.ninth_error = stats_quantile(errors, summary.count, 900);
        summary.worst_error = errors[summary.count - 1];
        summary.met =
            summary.median_error <= PREDICT_MEDIAN && summary.ninth_error <= PREDICT_NINTH;
    }
    free(errors);
    return summary;
}
