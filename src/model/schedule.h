/* The slots of the reported frame, packet by packet, and the frame's schedule as rows.
 *
 * A node (a component, a part of one, a transfer, a mirror) has a slot per packet and one more for
 * the work it does once all commands are out. In an overloaded design frames are not simulated one
 * after another: then the deferred work is that of a frame in an idle system, known in partition
 * only, and else left out. */
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
    double wait;   /* from `from` on, see critical_wait */
    double busy;   /* its duration; of a link the time on the wire */
    double path_wait, path_busy; /* its part of the latency; a link's latency is busy here */
};

/* Fills `slot` ([packets + 1]) with the slots of a node. The row of a split component does not
 * work: its parts do. Valid only until the next evaluate of the same result, failed ones included.
 */
void schedule_read_node(const struct result *result, int node, struct schedule_slot *slot);

struct schedule_node {
    char name[NODE_NAME_MAX + 1];
    enum bound bound;
    int device;         /* -1: none */
    int link[2], links; /* it holds while on the wire, by their number in the result */
    bool inserted;      /* a transfer without a section in the file */
    int divisor;        /* works in every k-th frame */
    double slack;       /* of its last slot; RESULT_NONE: none */
    int first, count;   /* of its slots */
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

/* The slots of a frame that work or wait: a copy, which stays as it is when the design changes or
 * becomes invalid. */
struct schedule {
    int packets;
    double period, last_pixel, command, target, latency; /* s; target of the latency */
    double end;      /* s: when all is done, deferred work too */
    bool overloaded; /* frames are shown as if each had an idle system */
    int node_count, slot_count;
    struct schedule_node *node;
    struct schedule_entry *slot; /* by node, then in their order */
    int count[ROW_ORDERS];
    struct schedule_row *lane[ROW_ORDERS];
};

/* Copies the frame of a result that was just evaluated. `schedule` is zeroed or was filled before;
 * on STATUS_MEMORY it is empty. */
enum status schedule_capture(struct schedule *schedule, const struct scenario *scenario,
                             const struct result *result, struct error *error);
void schedule_free(struct schedule *schedule);

/* Whether a row shows a node; rows of devices and links show those they hold. */
bool schedule_row_holds(const struct schedule_row *row, const struct schedule *schedule, int node);

/* The slot of a row that starts next after (by 1) or before (by -1) one of its slots; -1: there is
 * none. By 1 from -1: the first; by -1 from -1: the last. */
int schedule_next_slot(const struct schedule *schedule, const struct schedule_row *row, int slot,
                       int by);

/* The slot of a row that works or waits at a time, else the nearest to it; -1: the row has none. */
int schedule_nearest_slot(const struct schedule *schedule, const struct schedule_row *row,
                          double time);

/* The slot of a node with a number, else the nearest number; -1: the node has none. */
int schedule_find_slot(const struct schedule *schedule, int node, int number);

/* The first and the last of the frames, at most SCHEDULE_FRAMES periods before or after this one,
 * in which a node works and that reach into a window; false: none. */
#define SCHEDULE_FRAMES 8
bool schedule_visible_frames(const struct schedule *schedule, int node, double from, double to,
                             int *first, int *last);

#endif
