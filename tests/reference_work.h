/* What the components of a design compute, move and share, and how long their slots take, from the
 * formulas of the model once more, one by one. */
#ifndef AOLAG_REFERENCE_WORK_H
#define AOLAG_REFERENCE_WORK_H

#include "reference_plan.h"

struct reference_work {
    double flop, bytes, working_set; /* per frame */
    double compute, memory;          /* s at the share in force, before the command */
    double share;
    double stream_compute, stream_memory; /* s of the whole stream */
    double partial;                       /* s of a slot with a part of the stream */
    double overlap;
    double tail, deferred; /* s of work */
    /* s that occupy: a slot that works, a slot with a part of the stream, the tail, the last slot,
     * deferred work */
    double overhead, stream_fixed, tail_fixed, last_fixed, deferred_fixed;
    double kernels, tail_kernels;
    double launch, handover; /* s of delay, once per visit and of every slot */
    bool always_launched;    /* launch, too, is of every slot */
};

/* For a node that runs on a device. */
struct reference_work reference_work(const struct scenario *scenario,
                                     const struct reference_plan *plan, int node);

/* Whether nodes are in one thread of a CPU - or in one process under the lock of an interpreter -
 * or the same. */
bool reference_thread(const struct scenario *scenario, const struct reference_plan *plan, int a,
                      int b);

/* Whether an interpreter of the device has a lock that counts. */
bool reference_locks(const struct device *device);

/* How the components of a device share it. */
enum sharing reference_sharing(const struct scenario *scenario, int device);

/* Whether a slot works: it has a part of the work, or the tail, and takes time; what of it takes
 * time whoever else is there, and what is work at the share in force, s. */
bool reference_slot_works(const struct reference_node *node, const struct reference_work *work,
                          int slot);
double reference_slot_fixed(const struct reference_node *node, const struct reference_work *work,
                            int slot);
double reference_slot_work(const struct reference_node *node, const struct reference_work *work,
                           int slot);

#endif
