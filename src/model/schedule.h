/* What every slot of a frame did: the reported frame of a result, packet by packet.
 *
 * A node (a component, a part of one, a transfer, a mirror) has a slot per packet and one more for
 * the work it does once all commands are out. Read from what evaluate left of its tracks
 * (timeline.h); what was waited for and what is critical comes from where the critical path does
 * (critical.h). In an overloaded design frames are not simulated one after another: then the
 * deferred work is that of a frame in an empty system, known in partition only, and else nothing is
 * told of it.
 *
 * Only valid until the next evaluate of the same result, failed ones included. Computes nothing
 * anew and allocates nothing. */
#ifndef AOLAG_MODEL_SCHEDULE_H
#define AOLAG_MODEL_SCHEDULE_H

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

/* All times in s from the start of readout; none is negative or less than the one before it:
 * ready, from, start, end. */
struct schedule_slot {
    bool works;    /* else it only passes readiness on, `busy` is 0 and `start` is `end` */
    bool critical; /* on the path to the last command, after the last pixel; it works or waits */
    double ready;  /* its predecessors' slots of that number are done; deferred: all commands out */
    double from;   /* and its own before it is: a link's has left the wire */
    double start;  /* of a camera's: the readout of that packet */
    double end;    /* of a link's: the arrival */
    double wait;   /* from `from` on, see cause_waited */
    double busy;   /* its duration; of a link the time on the wire */
    double path_wait, path_busy; /* its part of the latency; a link's latency is busy here */
};

/* Packets of a frame. */
int schedule_packets(const struct result *result);

/* Fills `slot` ([packets + 1]) with the slots of a node. The row of what is split does not work:
 * its parts do. */
void schedule_read_node(const struct result *result, int node, struct schedule_slot *slot);

/* Works in every k-th frame of the loop, the reported one among them: k. */
int schedule_divisor(const struct result *result, int node);

/* The links it holds while on the wire, by their number in `result`; how many: 0 to 2. */
int schedule_links(const struct result *result, int node, int link[2]);

/* One frame's schedule, kept: lanes by component, or by device and link.
 *
 * A copy of what schedule.h tells of a result, which stays as it is when the design changes and has
 * no meaning for a while. Only slots that work or wait are in it. */

struct schedule_node {
    char name[NODE_NAME_MAX + 1];
    enum bound bound;
    int device; /* -1: none */
    int link[2], links;
    bool inserted;    /* a transfer that no section of the file is about */
    int divisor;      /* works in every k-th frame */
    double slack;     /* of its last slot; RESULT_NONE: none */
    int first, count; /* of its slots */
};

struct schedule_entry {
    struct schedule_slot did;
    int node;
    int number; /* packet from 0; `packets`: the work after the commands */
};

/* What a row shows: a node, a device or a link; the other two are -1. */
struct schedule_row {
    char name[NODE_NAME_MAX + 1];
    int node, device, link;
};

enum row_order { ROWS_BY_COMPONENT, ROWS_BY_DEVICE, ROW_ORDERS };

struct schedule {
    int packets;
    double period, last_pixel, command, target, latency; /* s; target of the latency */
    double end;      /* s: when all is done, deferred work too */
    bool overloaded; /* frames are shown as if each had an empty system */
    int node_count, slot_count;
    struct schedule_node *node;
    struct schedule_entry *slot; /* by node, then in their order */
    int count[ROW_ORDERS];
    struct schedule_row *lane[ROW_ORDERS];
};

/* Keeps the frame of a result that was just evaluated. STATUS_MEMORY: then there is nothing in it.
 * `lanes` is zeroed or was filled before. */
enum status schedule_capture(struct schedule *lanes, const struct scenario *scenario,
                             const struct result *result, struct error *error);
void schedule_free(struct schedule *lanes);

/* Whether a node is on a lane: of devices and links also those it holds. */
bool schedule_row_holds(const struct schedule_row *lane, const struct schedule *lanes, int node);

/* The slot of a lane that starts next after (by 1) or before (by -1) one of its slots; -1: there is
 * none. By 1 from -1: the first; by -1 from -1: the last. */
int schedule_next_slot(const struct schedule *lanes, const struct schedule_row *lane, int slot,
                       int by);

/* The slot of a lane that is at work or waits at a time, else that nearest to it; -1: it has none.
 */
int schedule_nearest_slot(const struct schedule *lanes, const struct schedule_row *lane,
                          double time);

/* The slot of a node with a number, else the nearest number; -1: the node has none. */
int schedule_find_slot(const struct schedule *lanes, int node, int number);

/* Frames, -8 to 8 periods away, in which a node works and that reach into a window: the first and
 * the last. false: none. */
#define SCHEDULE_FRAMES 8
bool schedule_visible_frames(const struct schedule *lanes, int node, double from, double to,
                             int *first, int *last);

#endif
