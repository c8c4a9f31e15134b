/* The model compared with kernels measured on this machine.
 *
 * Each point of MEASUREMENT_KERNELS is predicted as one component of its type, algorithm and sizes
 * on a device described without the kernels, with one worker per core, every efficiency at its
 * default; assumptions about library code are those of TUNED_ROWS (predict.c). The predicted time
 * of a frame is compared with the least measured one. */
#ifndef AOLAG_PROBE_PREDICT_H
#define AOLAG_PROBE_PREDICT_H

#include "model/result.h"
#include "probe/measurement.h"

#define PREDICT_MEDIAN 0.10 /* the goal: errors |ratio - 1| of half and of 9 in 10 at most */
#define PREDICT_NINTH 0.25

struct predicted_row {
    const struct measurement_point *point;
    bool beyond;                /* on more cores than the device has: not predicted */
    double predicted, measured; /* s per frame; RESULT_NONE of a point without samples */
    double ratio;               /* predicted / measured, or RESULT_NONE */
    enum bound bound;
    enum memory_level_id level; /* that serves most of its memory time */
};

/* In the order of the points, which must outlive it. */
struct prediction {
    struct predicted_row *row;
    int count;
};

/* Points of other parts, and of kernels there are not, are left out. STATUS_INVALID names the point
 * that the device cannot run, as any on a GPU. On failure there is nothing to free. */
enum status predict_kernels(struct prediction *prediction, const struct measurement *measurement,
                            const struct device *device, struct error *error);
void prediction_free(struct prediction *prediction);

struct prediction_summary {
    int count;           /* rows with a ratio */
    double median_error; /* of |ratio - 1|; RESULT_NONE of no row, likewise below */
    double ninth_error;  /* 90th percentile, the next error at or above it */
    double worst_error;
    int worst; /* row, or -1 */
    bool met;  /* there are rows and both goals are met */
};

/* Of all points of a name, or where it is NULL of all. */
struct prediction_summary prediction_summarise(const struct prediction *prediction,
                                               const char *name);

#endif
