/* What it takes to meet the target: how far one knob alone has to go, and in which order steps of
 * several do. */
#ifndef AOLAG_EXPLORE_MEET_TARGET_H
#define AOLAG_EXPLORE_MEET_TARGET_H

#include "explore/steps.h"

#define REACH_STEPS 16 /* at most, of a sequence; of one knob REACH_RUNGS */
#define REACH_RUNGS 64
#define REACH_LEAST 1e-3 /* of what is left to be done; a step that does less is none */

/* One knob that meets the target by itself. */
struct reach_knob {
    struct knob_ref ref;
    int way, steps;
    char from[STEP_FROM], to[LADDER_VALUE];
    struct verdict after;
};

/* From which knobs a sequence takes its steps. */
enum reach_from { REACH_SETTINGS, REACH_PARTS, REACH_CHOICES, REACH_COUNT };

/* Steps one after the other, each the one that then does most; as short as that gets. What a
 * sequence that does not meet the target comes to (`after`) tells what limits it. */
struct reach_way {
    int count;
    struct advice
        step[REACH_STEPS]; /* gains and what is after them are of the design at that time */
    bool exhausted;        /* no further step of one knob helps; else the sequence was cut off */
    double gain;           /* s of latency, of all together */
    struct verdict after;
};

struct reach {
    bool met; /* already: then nothing else is filled in */
    int count, capacity;
    struct reach_knob *knob; /* fewest steps first, then least latency */
    struct reach_way way[REACH_COUNT];
};

void reach_free(struct reach *reach);
const char *reach_from_name(enum reach_from from);

/* `result` is the design's. STATUS_STOPPED with what was found. */
enum status reach_find(const struct ladder *ladder, const struct scenario *design,
                       const struct result *result, struct trial *trial,
                       const struct progress *progress, struct reach *reach, struct error *error);

#endif
