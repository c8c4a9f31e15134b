/* What each node has to do, and how much of the time that keeps it, its device and its links busy:
 * the highest frame rate, overload. From finished stages to the result, before the timeline runs.
 * Part of evaluate. */
#ifndef AOLAG_LOAD_H
#define AOLAG_LOAD_H

#include "result.h"
#include "scenario.h"
#include "stage.h"

/* In partition a device is busy for the sum of its components' busy times, each counted by its
 * share, and overload is the components' own; in exclusive and fluid the device does the work of
 * all, with launches and overheads in exclusive only. */
void load_fill(const struct scenario *scenario, struct workspace *work, struct result *result);

/* Of a camera: stated, or all the time between two frames it delivers. */
double camera_exposure(const struct component *camera, double divisor, double period);

#endif
