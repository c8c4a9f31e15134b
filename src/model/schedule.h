/* The slots of the reported frame, packet by packet, and the frame's schedule as rows.
 *
 * A node (component, part, transfer, mirror) has a slot per packet and one for deferred work after
 * all commands. Frames of an overloaded design are not simulated in sequence: its deferred work is
 * then that of a frame in an idle system, known with partition only, and omitted otherwise. */
#ifndef AOLAG_MODEL_SCHEDULE_H
#define AOLAG_MODEL_SCHEDULE_H

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

/* Times in s from the start of readout, all >= 0 and in this order: ready, from, start, end. */
struct schedule_slot {
    bool works;    /* if false, it only passes readiness on: `busy` is 0, `start` is `end` */
    bool critical; /* on the critical path after the last pixel; it works or waits */
    double ready;  /* its predecessors' slots are done; deferred: all commands are out */
    double from;   /* and its preceding slot is done; for a link, has left the wire */
    double start;  /* for a camera, of the readout of that packet */
    double end;    /* for a link, arrival */
    double wait;   /* after `from`, see critical_wait */
    double busy;   /* duration; for a link, time on the wire */
    double path_wait, path_busy; /* part of the latency; latency of a link is busy here */
};

/* Returns the number of packets of a node: that of the sensors whose data it works on if they all
 * have the same, else the slots of the frame. */
int schedule_packets(const struct result *result, int node);

/* Returns the slot in which the data of a packet of a node are there, both from 0. */
int schedule_packet_slot(const struct result *result, int node, int packet);

/* Returns the part of a node's work, 0 to 1, that it can do in a slot of the frame, from 0: that of a
 * camera are its pixels. */
double schedule_work(const struct result *result, int node, int slot);

/* Fills `slot` ([slots of the frame + 1]) with the slots of a node. The row of a split component does no work;
 * its parts do. Valid until the next evaluate of the same result, even a failed one. */
void schedule_read_node(const struct result *result, int node, struct schedule_slot *slot);

/* Fills one of them by its number, but not what it is on the critical path. */
void schedule_read_packet(const struct result *result, int node, int number,
                          struct schedule_slot *slot);

struct schedule_node {
    char name[NODE_NAME_MAX + 1];
    enum bound bound;   /* of the busy time of its slots: of a transfer always the link */
    int device;         /* -1: none */
    int link[2], links; /* links it holds while on the wire, by index in the result */
    bool inserted;      /* transfer without a section in the file */
    int divisor;        /* works in every k-th frame */
    int packets;        /* schedule_packets */
    double slack;       /* slack of its last slot; RESULT_NONE: none */
    int first, count;   /* its slots */
    bool ordered;       /* none of them begins or ends before the one before it */
};

struct schedule_entry {
    struct schedule_slot did;
    int node;
    int number; /* packet of the node from 0; slots of the frame: deferred work */
};

/* Content of a row: a node, a device or a link; the other two are -1. */
struct schedule_row {
    char name[NODE_NAME_MAX + 1];
    int node, device, link;
};

enum row_order { ROWS_BY_COMPONENT, ROWS_BY_DEVICE, ROW_ORDERS };

/* The slots of a frame that work or wait: a copy that stays valid when the design changes or
 * becomes invalid. */
struct schedule {
    int packets; /* slots of the frame */
    double period, last_pixel, command, target, latency; /* s; `target` of the latency */
    double end;      /* s, end of all work, deferred work included */
    bool overloaded; /* frames are shown as in an idle system */
    int node_count, slot_count;
    struct schedule_node *node;
    struct schedule_entry *slot; /* by node, then by number */
    int count[ROW_ORDERS];
    struct schedule_row *lane[ROW_ORDERS];
};

/* Copies the frame of a result that was just evaluated. `schedule` is zeroed or was filled before;
 * STATUS_STOPPED by the progress of the result (result_watch) leaves it empty. It takes a step for
 * every edge and packet. */
enum status schedule_capture(struct schedule *schedule, const struct scenario *scenario,
                             const struct result *result, struct error *error);
void schedule_free(struct schedule *schedule);

/* Returns true if a row shows a node; rows of devices and links show the nodes that use them. */
bool schedule_row_holds(const struct schedule_row *row, const struct schedule *schedule, int node);

/* Returns the slot of a row that starts next after (by = 1) or before (by = -1) `slot`; -1 if there
 * is none. From slot -1: the first or the last. */
int schedule_next_slot(const struct schedule *schedule, const struct schedule_row *row, int slot,
                       int by);

/* Returns the slot of a row that works or waits at a time, else the nearest; -1 if the row is
 * empty. */
int schedule_nearest_slot(const struct schedule *schedule, const struct schedule_row *row,
                          double time);

/* Returns the slot of a node with a number, else the nearest; -1 if the node has none. */
int schedule_find_slot(const struct schedule *schedule, int node, int number);

/* Gets the slots of a node, from `first` to before `end`, that may begin, end or be shown between
 * two times: one more before them is among them, to reach up to the next. */
void schedule_visible_slots(const struct schedule *schedule, int node, double from, double to,
                            int *first, int *end);

/* Gets the first and last frame, at most SCHEDULE_FRAMES periods before or after this one, in which
 * a node works and that overlaps a window; returns false if there is none. */
#define SCHEDULE_FRAMES 8
bool schedule_visible_frames(const struct schedule *schedule, int node, double from, double to,
                             int *first, int *last);

#endif
