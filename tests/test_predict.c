#include "probe/predict.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "explore/published.h"
#include "probe/kernels.h"
#include "systems.h"

static void put(struct measurement *measurement, const char *name, double size, double other,
                double sample)
{
    struct measurement_point point = measurement_point(MEASUREMENT_KERNELS, name, "f32");

    point.parameter[PARAMETER_PIXELS] = point.parameter[PARAMETER_SUBAPERTURES] =
        point.parameter[PARAMETER_ROWS] = size;
    point.parameter[PARAMETER_SIDE] = point.parameter[PARAMETER_COLUMNS] = other;
    point.parameter[PARAMETER_CORES] = 1;
    if (sample > 0)
        point.sample[point.count++] = sample;
    measurement_add(measurement, &point);
}

/* What a device that knows its add takes for 1024 subapertures of 8 x 8: the chain of model 4. */
TEST(the_model_s_own_time)
{
    struct measurement measurement = {0};
    const struct device *preset = systems_device("amd-epyc-7763");
    struct device device;
    struct prediction prediction;
    struct error error;

    if (preset == NULL)
        return;
    device = *preset;
    device.add_latency = 0.82e-9;
    put(&measurement, "centroid.cog", 1024, 8, 50e-6);
    put(&measurement, "reconstruction.mvm", 5000, 10000, 10e-3);
    put(&measurement, "calibration.dark-flat", 160000, 1, 20e-6);
    put(&measurement, "reconstruction.mvm-blas", 5000, 10000, 0);
    put(&measurement, "unheard of", 1, 1, 1);
    if (CHECK(predict_kernels(&prediction, &measurement, &device, &error) == STATUS_OK)) {
        CHECK_INT(prediction.count, 4);
        CHECK_NEAR(prediction.row[0].predicted, 1024 * 64 * 0.82e-9, 1e-12);
        CHECK_NEAR(prediction.row[0].ratio, 1024 * 64 * 0.82e-9 / 50e-6, 1e-12);
        CHECK_INT(prediction.row[0].bound, BOUND_COMPUTE);
        CHECK_INT(prediction.row[1].bound, BOUND_MEMORY);
        CHECK(prediction.row[3].predicted == RESULT_NONE && prediction.row[3].ratio == RESULT_NONE);
        prediction_free(&prediction);
    }
    measurement.point[1].parameter[PARAMETER_CORES] = 1e4;
    if (CHECK(predict_kernels(&prediction, &measurement, &device, &error) == STATUS_OK)) {
        CHECK_INT(prediction.count, 4);
        CHECK(!prediction.row[0].beyond && prediction.row[0].ratio != RESULT_NONE);
        CHECK(prediction.row[1].beyond && prediction.row[1].ratio == RESULT_NONE);
        CHECK_INT(prediction_summarise(&prediction, NULL).count, 2);
        prediction_free(&prediction);
    }
    preset = systems_device("nvidia-a10");
    if (CHECK(predict_kernels(&prediction, &measurement, preset, &error) == STATUS_OK)) {
        CHECK_INT(prediction.count, 0); /* those are kernels of cores */
        prediction_free(&prediction);
    }
    measurement.point[0].part = MEASUREMENT_GPU;
    if (CHECK(predict_kernels(&prediction, &measurement, preset, &error) == STATUS_OK)) {
        CHECK_INT(prediction.count, 1);
        CHECK_NEAR(prediction.row[0].predicted, 1.46692e-6, 1e-5);
        CHECK(prediction.row[0].bound != BOUND_ENQUEUE);
        prediction_free(&prediction);
    }
    put(&measurement, "kernel", 1, 1, 4e-6);
    measurement.point[measurement.count - 1].part = MEASUREMENT_GPU;
    measurement.point[measurement.count - 1].type[0] = '\0';
    for (int near = 0; near < 2; near++) {
        measurement.point[0].sample[0] = near ? 5e-6 : 20e-6;
        if (!CHECK(predict_kernels(&prediction, &measurement, preset, &error) == STATUS_OK))
            break;
        CHECK_NEAR(prediction.row[0].predicted, 4e-6, 1e-12); /* an empty kernel in the queue */
        CHECK_INT(prediction.row[0].bound, BOUND_ENQUEUE);
        CHECK_NEAR(prediction.row[0].ratio, near ? RESULT_NONE : 0.2, 1e-12);
        prediction_free(&prediction);
    }
    measurement_free(&measurement);
}

/* How much longer, us, a frame takes where the threads wait a microsecond longer for each other. */
static double waits_of(const char *name, const struct device *preset)
{
    struct measurement measurement = {0};
    struct device device = *preset;
    double predicted[2] = {0, 0};
    struct error error;

    put(&measurement, name, 1000, 100, 1e-6);
    measurement.point[0].parameter[PARAMETER_CORES] = 2;
    for (int i = 0; i < 2; i++) {
        struct prediction prediction;

        device.boundary = i * 1e-6;
        if (!CHECK(predict_kernels(&prediction, &measurement, &device, &error) == STATUS_OK))
            continue;
        predicted[i] = prediction.row[0].predicted;
        prediction_free(&prediction);
    }
    measurement_free(&measurement);
    return (predicted[1] - predicted[0]) * 1e6;
}

/* The flux of a whole pupil is known before any slope is: cores meet in between. */
TEST(meetings)
{
    const struct device *preset = systems_device("amd-epyc-7763");

    if (preset == NULL)
        return;
    CHECK_NEAR(waits_of("pyramid.slopes", preset), 2, 1e-9);
    CHECK_NEAR(waits_of("reconstruction.mvm", preset), 1, 1e-9);
    CHECK_NEAR(waits_of("control.integrator", preset), 1, 1e-9);
}

/* Element by element, each add after the one before it, but for those of the next rows that a
 * window lets begin: two operations an element. A tuned library waits for none. */
TEST(libraries)
{
    double before = 0;
    struct measurement measurement = {0};
    const struct device *preset = systems_device("amd-epyc-7763");
    struct device device;
    struct prediction prediction;
    struct error error;

    if (preset == NULL)
        return;
    device = *preset;
    device.add_latency = 0.8e-9;
    device.fma_latency = 1e-9;
    device.window = 100;
    put(&measurement, "reconstruction.mvm-blas", 100, 500, 1e-6);
    put(&measurement, "reconstruction.mvm-blas", 100, 500, 1e-6);
    strcpy(measurement.point[0].remark, "libblas.so.3" KERNEL_REFERENCE);
    strcpy(measurement.point[1].remark, "libopenblas.so.0");
    if (CHECK(predict_kernels(&prediction, &measurement, &device, &error) == STATUS_OK)) {
        CHECK_NEAR(prediction.row[0].predicted, 100 * 500 * 0.8e-9 / (1 + 100 / (2 * 500.0)), 1e-9);
        CHECK_INT(prediction.row[1].bound, BOUND_MEMORY);
        before = prediction.row[1].predicted;
        prediction_free(&prediction);
    }
    /* 200 kB that a quarter of as many operands are loaded beside, all of them from L1 */
    device.operand_bandwidth = 100e9;
    if (CHECK(predict_kernels(&prediction, &measurement, &device, &error) == STATUS_OK)) {
        CHECK_NEAR(prediction.row[1].predicted - before,
                   200e3 / 4 / 100e9 / (0.92 * device.sustained_memory), 1e-6);
        prediction_free(&prediction);
    }
    measurement_free(&measurement);
}

TEST(summary)
{
    static const double ratios[] = {1.05, 0.8, 1, 1.3, 0.99, 1.1, 0.5, 1.2, 1.02, 0.9};
    struct measurement_point point = measurement_point(MEASUREMENT_KERNELS, "a", "");
    struct measurement_point other = measurement_point(MEASUREMENT_KERNELS, "b", "");
    struct predicted_row row[12];
    struct prediction prediction = {row, 12};
    struct prediction_summary all;

    for (int i = 0; i < 10; i++)
        row[i] = (struct predicted_row){.point = i < 5 ? &point : &other, .ratio = ratios[i]};
    row[10] = row[11] = (struct predicted_row){.point = &point, .ratio = RESULT_NONE};
    all = prediction_summarise(&prediction, NULL);
    CHECK_INT(all.count, 10);
    CHECK_NEAR(all.median_error, 0.10, 1e-12);
    CHECK_NEAR(all.ninth_error, 0.30, 1e-12);
    CHECK_NEAR(all.worst_error, 0.5, 1e-12);
    CHECK_INT(all.worst, 6);
    CHECK(!all.met);
    all = prediction_summarise(&prediction, "a");
    CHECK_INT(all.count, 5);
    CHECK_NEAR(all.median_error, 0.05, 1e-12);
    CHECK_INT(all.worst, 3);
    row[3].ratio = 1.25;
    CHECK(prediction_summarise(&prediction, "a").met);
    row[3].ratio = 1.26;
    CHECK(!prediction_summarise(&prediction, "a").met);
    all = prediction_summarise(&prediction, "c");
    CHECK_INT(all.count, 0);
    CHECK(all.median_error == RESULT_NONE && all.worst == -1 && !all.met);
}

TEST(what_the_bench_refuses)
{
    struct kernel_model *bench;
    struct node_result node;
    struct error error;
    double sockets;

    if (!CHECK(kernel_model_open(&bench, &error) == STATUS_OK))
        return;
    CHECK(kernel_model_predict(bench, "amd-epyc-7763", "", &node, &sockets, &error) == STATUS_OK);
    CHECK_NEAR(sockets, 1, 0);
    CHECK(kernel_model_predict(bench, "amd-epyc-7763", "device.hardware.sockets=2", &node, &sockets,
                               &error) == STATUS_OK);
    CHECK_NEAR(sockets, 2, 0);
    CHECK(kernel_model_predict(bench, "no-such", "", &node, NULL, &error) != STATUS_OK);
    CHECK(kernel_model_predict(bench, "amd-epyc-7763",
                               "a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 "
                               "a=1 a=1 a=1 a=1 a=1 a=1 a=1",
                               &node, NULL, &error) == STATUS_INVALID);
    CHECK_STR(error.message, "too many knobs");
    kernel_model_close(bench);
}
