#include "probe/predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/kernel.h"
#include "model/device.h"
#include "probe/kernels.h"

#define SETTINGS_SIZE 512

/* Sides of a detector of so many pixels. */
static void sides(double pixels, double *width, double *height)
{
    double side = floor(sqrt(pixels));

    while (side > 1 && fmod(pixels, side) != 0)
        side--;
    *width = pixels / side;
    *height = side;
    if (*width > 16384) /* has no divisors; what is missing does not count */
        *width = *height = ceil(sqrt(pixels));
}

static void add(char *settings, const char *path, double value)
{
    size_t used = strlen(settings);

    snprintf(settings + used, SETTINGS_SIZE - used, " %s=%.17g", path, value);
}

static void set_sizes(const struct kernel *kernel, const struct measurement_point *point,
                      char *settings)
{
    const double *size = point->parameter;
    double width, height;

    switch (kernel->size) {
    case KERNEL_OF_PIXELS:
        sides(size[PARAMETER_PIXELS], &width, &height);
        add(settings, "wfs.sensor.detector_width", width);
        add(settings, "wfs.sensor.detector_height", height);
        add(settings, "wfs.sensor.pixels_per_subap", 1);
        break;
    case KERNEL_OF_SUBAPERTURES:
        add(settings, "wfs.sensor.valid_subaps", size[PARAMETER_SUBAPERTURES]);
        add(settings, "wfs.sensor.pixels_per_subap", size[PARAMETER_SIDE]);
        break;
    case KERNEL_OF_PUPIL:
        add(settings, "wfs.sensor.valid_subaps", size[PARAMETER_SUBAPERTURES]);
        break;
    case KERNEL_OF_MATRIX:
        add(settings, "component.kernel.rows", size[PARAMETER_ROWS]);
        add(settings, "component.kernel.columns", size[PARAMETER_COLUMNS]);
        break;
    case KERNEL_OF_ACTUATORS:
    case KERNEL_SIZES:
        add(settings, "ao.actuators", size[PARAMETER_ROWS]);
        break;
    }
}

#define TUNED_ROWS 4

/* What is known of a library's code: a tuned one takes a few rows at the same time, as many as its
 * registers hold sums of (OpenBLAS's sgemv_t 4, BLIS's fused dot products 4 to 8), which share what
 * they fetch of the vector; the reference implementation multiplies and adds element by element, so
 * that each waits for the add before it: as a register of two elements would for two, each of which
 * then is four operations of a window. */
static void set_library(const struct measurement_point *point, const struct device *device,
                        char *settings)
{
    if (strstr(point->remark, KERNEL_REFERENCE) == NULL) {
        add(settings, "component.kernel.chains", TUNED_ROWS);
    } else if (device_knows_operations(device)) {
        add(settings, "device.hardware.simd_bits", 64);
        add(settings, "device.hardware.fma_latency", 2 * device->add_latency * 1e9);
        add(settings, "device.hardware.window", device->window / 4);
    }
}

static enum status predict(struct kernel_model *bench, const struct kernel *kernel,
                           const struct device *device, struct predicted_row *row,
                           struct error *error)
{
    const struct measurement_point *point = row->point;
    char settings[SETTINGS_SIZE];
    struct node_result node;
    enum status status;

    snprintf(settings, sizeof settings,
             "component.kernel.type=%.*s component.kernel.algorithm=%s wfs.sensor.kind=%s",
             (int)strcspn(kernel->name, "."), kernel->name, kernel->algorithm,
             kernel->size == KERNEL_OF_PUPIL ? "pyramid" : "shack-hartmann");
    add(settings, "wfs.sensor.subaps_across", 1);
    add(settings, "component.kernel.workers", point->parameter[PARAMETER_CORES]);
    set_sizes(kernel, point, settings);
    if (kernel->library)
        set_library(point, device, settings);
    if (kernel->rest != NULL) /* the cores begin and end together twice */
        add(settings, "component.kernel.kernels", 2);
    status = kernel_model_predict(bench, NULL, device, settings, &node, NULL, error);
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
    struct kernel_model *bench;
    enum status status = kernel_model_open(&bench, error);

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
            status = predict(bench, kernel, device, row, error);
    }
    kernel_model_close(bench);
    if (status != STATUS_OK)
        prediction_free(prediction);
    return status;
}

void prediction_free(struct prediction *prediction)
{
    free(prediction->row);
    *prediction = (struct prediction){NULL, 0};
}

/* Summing up --------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;

    return (left > right) - (left < right);
}

static void take_percentiles(double *errors, struct prediction_summary *summary)
{
    int count = summary->count;

    qsort(errors, (size_t)count, sizeof *errors, ascending);
    summary->median_error = (errors[(count - 1) / 2] + errors[count / 2]) / 2;
    summary->ninth_error = errors[(int)ceil(0.9 * count) - 1];
    summary->worst_error = errors[count - 1];
    summary->met = summary->median_error <= PREDICT_MEDIAN && summary->ninth_error <= PREDICT_NINTH;
}

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
    if (summary.count > 0)
        take_percentiles(errors, &summary);
    free(errors);
    return summary;
}
