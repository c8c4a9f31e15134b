#include "probe/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/stats.h"
#include "explore/published.h"
#include "model/device.h"
#include "probe/kernels.h"

#define SETTINGS_SIZE 512

/* Settings ------------------------------------------------------------------------------------- */

static void add_setting(struct buffer *settings, const char *path, double value)
{
    buffer_print(settings, " %s=%.17g", path, value);
}

static void set_sizes(const struct kernel *kernel, const struct measurement_point *point,
                      struct buffer *settings)
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
        add_setting(settings, "wfs.sensor.detector_width", width);
        add_setting(settings, "wfs.sensor.detector_height", height);
        add_setting(settings, "wfs.sensor.pixels_per_subap", 1);
        break;
    case KERNEL_OF_SUBAPERTURES:
        add_setting(settings, "wfs.sensor.valid_subaps", size[PARAMETER_SUBAPERTURES]);
        add_setting(settings, "wfs.sensor.pixels_per_subap", size[PARAMETER_SIDE]);
        break;
    case KERNEL_OF_PUPIL:
        add_setting(settings, "wfs.sensor.valid_subaps", size[PARAMETER_SUBAPERTURES]);
        break;
    case KERNEL_OF_MATRIX:
        add_setting(settings, "component.kernel.rows", size[PARAMETER_ROWS]);
        add_setting(settings, "component.kernel.columns", size[PARAMETER_COLUMNS]);
        break;
    case KERNEL_OF_ACTUATORS:
    case KERNEL_SIZES:
        add_setting(settings, "ao.actuators", size[PARAMETER_ROWS]);
        break;
    }
}

/* Assumptions on library code. An optimised library computes a few rows at the same time, limited
 * by its registers (OpenBLAS's sgemv_t 4, BLIS's fused dot products 4 to 8), and shares the loads
 * of the vector. The reference implementation multiplies and adds by element, a chain of dependent
 * additions, modelled as registers of two elements with twice the latency, each of which occupies
 * four operations of the window. */
#define TUNED_ROWS 4

/* Predicting ----------------------------------------------------------------------------------- */

static enum status predict_row(struct kernel_model *model, const struct kernel *kernel,
                               const struct device *device, struct predicted_row *row,
                               struct error *error)
{
    const struct measurement_point *point = row->point;
    char text[SETTINGS_SIZE];
    struct buffer settings = buffer_over(text, sizeof text);
    struct node_result node;
    enum status status;

    buffer_print(&settings,
                 "component.kernel.type=%.*s component.kernel.algorithm=%s wfs.sensor.kind=%s",
                 (int)strcspn(kernel->name, "."), kernel->name, kernel->algorithm,
                 kernel->size == KERNEL_OF_PUPIL ? "pyramid" : "shack-hartmann");
    add_setting(&settings, "wfs.sensor.subaps_across", 1);
    add_setting(&settings, "component.kernel.workers", point->parameter[PARAMETER_CORES]);
    set_sizes(kernel, point, &settings);
    if (kernel->library && strstr(point->remark, KERNEL_REFERENCE) == NULL) {
        add_setting(&settings, "component.kernel.chains", TUNED_ROWS);
    } else if (kernel->library && device_knows_operations(device)) {
        add_setting(&settings, "device.hardware.simd_bits", 64);
        add_setting(&settings, "device.hardware.fma_latency", 2 * device->add_latency * 1e9);
        add_setting(&settings, "device.hardware.window", device->window / 4);
    }
    if (kernel->rest != NULL) /* the cores synchronise twice */
        add_setting(&settings, "component.kernel.kernels", 2);
    status = kernel_model_predict(model, NULL, device, text, &node, NULL, error);
    if (status != STATUS_OK) {
        error_prefix(error, "%s of %s", point->name, point->of);
        return status;
    }
    row->predicted = node.time;
    row->ratio = row->predicted / row->measured;
    row->bound = node.bound;
    row->level = node.level;
    return STATUS_OK;
}

enum status predict_kernels(struct prediction *prediction, const struct measurement *measurement,
                            const struct device *device, struct error *error)
{
    struct kernel_model *model;
    enum status status = kernel_model_open(&model, error);

    *prediction = (struct prediction){NULL, 0};
    if (status != STATUS_OK)
        return status;
    prediction->row = calloc((size_t)measurement->count + 1, sizeof *prediction->row);
    if (prediction->row == NULL)
        status = error_set(error, STATUS_MEMORY, "out of memory");
    for (int i = 0; i < measurement->count && status == STATUS_OK; i++) {
        const struct measurement_point *point = &measurement->point[i];
        const struct kernel *kernel =
            point->part == MEASUREMENT_KERNELS ? kernel_find(point->name) : NULL;
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
            status = predict_row(model, kernel, device, row, error);
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
    double *errors = calloc((size_t)prediction->count + 1, sizeof *errors);
    double worst = -1;

    for (int i = 0; i < prediction->count && errors != NULL; i++) {
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
