/* Steps of the critical path to the end of a component's slot, traced backwards. A step is a run of
 * consecutive slots of one component, from the time when its first slot is ready. It is known by
 * its component and its last slot, whichever path it is part of. Private to explain/. */
#ifndef AOLAG_EXPLAIN_STEPS_H
#define AOLAG_EXPLAIN_STEPS_H

#include "explain/subject.h"

struct explain_step {
    int node;
    int first, last; /* slots */
    double start;    /* when the first slot is ready, s from the start of readout */
    double end;      /* s from the start of readout */
};

/* Time in which a slot is ready but does not work yet, s. */
struct explain_pause {
    double delay;  /* launch, hand-over, enqueuing, copy, port, sleep state; 0 if a wait hides it */
    double thread; /* waiting for the enqueuing thread */
};

/* Finds the pause of a slot that begins `all` seconds after it was ready. */
struct explain_pause explain_pause(const struct explain *explain, int node, int slot, double all);

/* Returns the time when a slot of a node can start: its input and the slot before are complete. */
double explain_ready(const struct explain *explain, int node, int slot);

/* Returns the step that ends with slot `subject.part` of a component. */
struct explain_step explain_step(const struct explain *explain, struct explain_subject subject);

/* Returns the last step of the path to the last end of a node, and that to its first start: of kind
 * EXPLAIN_DESIGN if it waits for nothing. */
struct explain_subject explain_path_end(const struct explain *explain, int node);
struct explain_subject explain_path_start(const struct explain *explain, int node);

/* Returns the step before, of kind EXPLAIN_DESIGN if there is none. */
struct explain_subject explain_step_before(const struct explain *explain,
                                           struct explain_subject step);

/* Finds step `number` (from 0) in order of time of those on a path that ends with step `last`; with
 * `node` not -1 only of that component. Returns false if there are not so many. */
bool explain_path_step(const struct explain *explain, struct explain_subject last, int node,
                       int number, struct explain_subject *step);

/* Returns a difference between times up to `end`, or 0 if it is no more than rounding. */
double explain_beyond_rounding(const struct explain *explain, double seconds, double end);

/* Returns true if the critical path to the last command begins with the last packet that matters:
 * then the RTC latency is the sum of what comes after it. */
bool explain_from_last_pixel(const struct explain *explain);

#endif
