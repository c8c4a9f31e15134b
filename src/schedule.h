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
#ifndef AOLAG_SCHEDULE_H
#define AOLAG_SCHEDULE_H

#include "result.h"

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
void schedule_node(const struct result *result, int node, struct schedule_slot *slot);

/* Works in every k-th frame of the loop, the reported one among them: k. */
int schedule_divisor(const struct result *result, int node);

/* The links it holds while on the wire, by their number in `result`; how many: 0 to 2. */
int schedule_links(const struct result *result, int node, int link[2]);

#endif
