/* What each node has to do, and how much of the time that keeps it, its device and its links busy:
 * the highest frame rate, overload. From finished stages to the result, before the timeline runs.
 * Part of evaluate. */
#ifndef AOLAG_MODEL_LOAD_H
#define AOLAG_MODEL_LOAD_H

#include "design/scenario.h"
#include "model/result.h"
#include "model/stage.h"

/* In partition a device is busy for the sum of its components' busy times, each counted by its
 * share, and overload is the components' own; in exclusive and fluid the device does the work of
 * all, with launches and overheads in exclusive only. */
void load_fill(const struct scenario *scenario, struct workspace *work, struct result *result);

/* Of a camera: stated, or all the time between two frames it delivers. */
double camera_exposure(const struct component *camera, double divisor, double period);

/* Everything of a design that cannot keep up with its frames. */

enum { OVERLOAD_MAX = 16 };

struct overload {
    const char *name; /* of a component, device or link; the result's or the scenario's */
    double busy;      /* s per frame */
};

/* Those that are busy for longer than a frame, the largest first, at most OVERLOAD_MAX; returns how
 * many there are. A device or link that only one of them keeps busy is not named beside it. The
 * result is of this scenario. */
int overloads(const struct scenario *scenario, const struct result *result,
              struct overload list[OVERLOAD_MAX]);

/* How far what is predicted for a device may be off, where it states no factor of its own (`pc`).
 */

/* Of devices known from their vendors' figures: exp(median |ln(predicted / measured)|) over the
 * predicted rows of data/published/latencies.csv. "aolag validate --published" prints it;
 * tests/test_published.c holds the two together. Dimensionless, 1: exact. */
#define UNCERTAINTY_VENDOR 1.17

#endif
