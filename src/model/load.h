/* Work and busy times of nodes, devices and links, the highest frame rate and overload: from
 * finished stages to the result, before the timeline runs. Part of evaluate. */
#ifndef AOLAG_MODEL_LOAD_H
#define AOLAG_MODEL_LOAD_H

#include "design/scenario.h"
#include "model/result.h"
#include "model/stage.h"

/* How far predictions for a device may be off that states no factor of its own (`pc`), of devices
 * known from their vendors' figures: exp(median |ln(predicted / measured)|) over the predicted rows
 * of data/published/latencies.csv. "aolag validate --published" prints it; tests/test_published.c
 * holds the two together. Dimensionless, 1: exact. */
#define UNCERTAINTY_VENDOR 1.17

/* In partition a device is busy for the sum of its components' busy times, each weighted by its
 * share, and overload is the components' own; in exclusive and fluid the device does the work of
 * all, with launches and overheads in exclusive only. */
void load_fill(const struct scenario *scenario, struct workspace *work, struct result *result);

/* Exposure of a camera: stated, or all the time between two frames it delivers. */
double camera_exposure(const struct component *camera, double divisor, double period);

enum { OVERLOAD_MAX = 16 };

struct overload {
    const char *name; /* of a component, device or link; the result's or the scenario's */
    double busy;      /* s per frame */
};

/* Components, devices and links that are busy for longer than a frame, the largest first, at most
 * OVERLOAD_MAX; returns how many there are. A device or link that only one of them keeps busy is
 * not named beside it. The result is of this scenario. */
int load_list_overloads(const struct scenario *scenario, const struct result *result,
                        struct overload list[OVERLOAD_MAX]);

#endif
