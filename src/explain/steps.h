/* Critical path to the end of a component's slot, traced backwards. A step is a run of consecutive
 * slots of one component, from the time when the first slot's last input is ready. Private to
 * explain/. */
#ifndef AOLAG_EXPLAIN_STEPS_H
#define AOLAG_EXPLAIN_STEPS_H

#include "explain/subject.h"

struct explain_step {
    int node;
    int first, last; /* slots */
    double start;    /* when the first slot begins to wait, s from the start of readout */
    double end;      /* s from the start of readout */
};

/* Returns the time when a slot of a node can start: its input and the slot before are complete. */
double explain_ready(const struct explain *explain, int node, int slot);

/* Returns the number of steps to the last end (EXPLAIN_STEP) or the first start (EXPLAIN_BEFORE) of
 * the subject's node. */
int explain_step_count(const struct explain *explain, struct explain_subject subject);

/* Finds step `subject.part` in time order. Returns false if there is no such step. */
bool explain_step(const struct explain *explain, struct explain_subject subject,
                  struct explain_step *step);

/* Returns true if the critical path to the last command starts at the last pixel. */
bool explain_from_last_pixel(const struct explain *explain);

#endif
