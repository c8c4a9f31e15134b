/* The latency by cause: the time of each figure, and so of each cause, on each device along the
 * critical path.
 *
 * The time of a slot on its device is divided between its fixed times and its work; work between
 * computation and memory as the roofline has it; memory time by level, in proportion to time. A
 * wait belongs to what was waited for: the slots that held the device or queue meanwhile. Wire time
 * on networks, switches, cable and waiting for pixels are certain. */
#ifndef AOLAG_MODEL_BREAKDOWN_H
#define AOLAG_MODEL_BREAKDOWN_H

#include "design/scenario.h"
#include "model/cause.h"
#include "model/result.h"

/* Seconds; all parts add up to the latency. */
struct breakdown {
    double of[DEVICE_MAX][FIGURE_COUNT];
    double certain;
    enum ingress ingress[DEVICE_MAX]; /* that of FIGURE_INGRESS and FIGURE_DATAGRAM */
};

/* Returns the time of a cause on a device. */
double breakdown_part(const struct breakdown *breakdown, int device, enum cause cause);

/* Divides the latency of a result that was just evaluated; 0 if the design sends no command. */
void breakdown_find(const struct scenario *scenario, const struct result *result,
                    struct breakdown *breakdown);

/* Likewise the busy time of one node on the critical path. */
void breakdown_find_node(const struct scenario *scenario, const struct result *result, int node,
                         struct breakdown *breakdown);

/* Likewise the time for which a node occupies its device in a frame, on the path or not. */
void breakdown_find_frame(const struct scenario *scenario, const struct result *result, int node,
                          struct breakdown *breakdown);

#endif
