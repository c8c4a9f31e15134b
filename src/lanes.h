/* One frame's schedule, kept: lanes by component, or by device and link.
 *
 * A copy of what schedule.h tells of a result, which stays as it is when the design changes and has
 * no meaning for a while. Only slots that work or wait are in it. */
#ifndef AOLAG_LANES_H
#define AOLAG_LANES_H

#include "result.h"
#include "scenario.h"
#include "schedule.h"
#include "status.h"

struct lane_node {
    char name[NODE_NAME_MAX + 1];
    enum bound bound;
    int device; /* -1: none */
    int link[2], links;
    bool inserted;    /* a transfer that no section of the file is about */
    int divisor;      /* works in every k-th frame */
    double slack;     /* of its last slot; RESULT_NONE: none */
    int first, count; /* of its slots */
};

struct lane_slot {
    struct schedule_slot did;
    int node;
    int number; /* packet from 0; `packets`: the work after the commands */
};

/* What a row shows: a node, a device or a link; the other two are -1. */
struct lane {
    char name[NODE_NAME_MAX + 1];
    int node, device, link;
};

enum lanes_by { LANES_COMPONENTS, LANES_DEVICES, LANES_WAYS };

struct lanes {
    int packets;
    double period, last_pixel, command, target, latency; /* s; target of the latency */
    double end;      /* s: when all is done, deferred work too */
    bool overloaded; /* frames are shown as if each had an empty system */
    int node_count, slot_count;
    struct lane_node *node;
    struct lane_slot *slot; /* by node, then in their order */
    int count[LANES_WAYS];
    struct lane *lane[LANES_WAYS];
};

/* Keeps the frame of a result that was just evaluated. STATUS_MEMORY: then there is nothing in it.
 * `lanes` is zeroed or was filled before. */
enum status lanes_take(struct lanes *lanes, const struct scenario *scenario,
                       const struct result *result, struct error *error);
void lanes_free(struct lanes *lanes);

/* Whether a node is on a lane: of devices and links also those it holds. */
bool lane_holds(const struct lane *lane, const struct lanes *lanes, int node);

/* The slot of a lane that starts next after (by 1) or before (by -1) one of its slots; -1: there is
 * none. By 1 from -1: the first; by -1 from -1: the last. */
int lane_next(const struct lanes *lanes, const struct lane *lane, int slot, int by);

/* The slot of a lane that is at work or waits at a time, else that nearest to it; -1: it has none.
 */
int lane_nearest(const struct lanes *lanes, const struct lane *lane, double time);

/* The slot of a node with a number, else the nearest number; -1: the node has none. */
int lanes_slot(const struct lanes *lanes, int node, int number);

/* Frames, -8 to 8 periods away, in which a node works and that reach into a window: the first and
 * the last. false: none. */
#define LANES_FRAMES 8
bool lanes_frames(const struct lanes *lanes, int node, double from, double to, int *first,
                  int *last);

#endif
