/* The way to the end of a component's slot, walked back: each step is a component whose slots ran
 * one after the other, from the moment the last thing they waited for was there. For
 * explain/. */
#ifndef AOLAG_EXPLAIN_STEPS_H
#define AOLAG_EXPLAIN_STEPS_H

#include "explain/subject.h"

struct explain_step {
    int node;
    int first, last; /* slots */
    double start;    /* s from the start of readout, of the first slot's wait */
    double end;
};

/* When all that a slot of a node needs is there: its input, and the slot before. */
double explain_ready(const struct explain *explain, int node, int slot);

/* How many steps lead to the end of a subject's way: EXPLAIN_STEP the last end of its node,
 * EXPLAIN_BEFORE the first start. */
int explain_step_count(const struct explain *explain, struct explain_subject subject);

/* Step `subject.part`, counted from the start of readout. False: there are not that many. */
bool explain_step(const struct explain *explain, struct explain_subject subject,
                  struct explain_step *step);

/* Whether the way to the last command begins when the last pixel is in. */
bool explain_from_last_pixel(const struct explain *explain);

#endif
