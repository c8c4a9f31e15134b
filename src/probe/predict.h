/* Comparison of the model with kernels measured on this machine.
 *
 * Each point of MEASUREMENT_KERNELS is predicted as one component of its type, algorithm and sizes
 * on a device that was described without the kernels, with one worker per core and all efficiencies
 * at their defaults; TUNED_ROWS (predict.c) states the assumptions on library code. The predicted
 * time of a frame is compared with the minimum measured time.
 *
 * On a GPU the kernels of MEASUREMENT_GPU are predicted, without workers; their frames are in a
 * queue, so that a frame takes at least as long as an empty kernel in it; its bound is then
 * BOUND_ENQUEUE. If it took hardly longer, it says nothing of the model and has no ratio. */
#ifndef AOLAG_PROBE_PREDICT_H
#define AOLAG_PROBE_PREDICT_H

#include "model/result.h"
#include "probe/measurement.h"

#define PREDICT_MEDIAN 0.10 /* the goals: median and 90th percentile of |ratio - 1| */
#define PREDICT_NINTH 0.25

struct predicted_row {
    const struct measurement_point *point;
    bool beyond;                /* more cores than the device has; not predicted */
    double predicted, measured; /* s per frame; RESULT_NONE for a point without samples */
    double ratio;               /* predicted / measured, or RESULT_NONE */
    enum bound bound;
    enum memory_level_id level; /* level with most of the memory time */
};

/* In the order of the points, which must outlive the prediction. */
struct prediction {
    struct predicted_row *row;
    int count;
};

/* Predicts all points of known kernels; others are skipped. Returns STATUS_INVALID with the point
 * in the message if the device cannot run it. On failure there is nothing to free. */
enum status predict_kernels(struct prediction *prediction, const struct measurement *measurement,
                            const struct device *device, struct error *error);
void prediction_free(struct prediction *prediction);

struct prediction_summary {
    int count;           /* rows with a ratio */
    double median_error; /* median of |ratio - 1|; RESULT_NONE without rows, as below */
    double ninth_error;  /* 90th percentile, rounded up to the next error */
    double worst_error;
    int worst; /* index of the row, or -1 */
    bool met;  /* there are rows, and both goals are met */
};

/* Summarises all points of one name, or all points if the name is NULL. */
struct prediction_summary prediction_summarise(const struct prediction *prediction,
                                               const char *name);

#endif
