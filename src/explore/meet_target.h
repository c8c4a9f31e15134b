/* What it takes to meet the target: how far one knob alone has to go, and in which order steps of
 * several do. */
#ifndef AOLAG_EXPLORE_MEET_TARGET_H
#define AOLAG_EXPLORE_MEET_TARGET_H

#include "explore/steps.h"

#define TARGET_STEPS_MAX 16    /* of a sequence */
#define TARGET_VALUES_MAX 64   /* that are tried of one knob in one direction */
#define TARGET_LEAST_GAIN 1e-3 /* relative, of the target ratio; a step that does less is none */

/* One knob that meets the target by itself. */
struct target_knob {
    struct knob_ref ref;
    int direction, steps;
    char from[STEP_FROM], to[VALUE_STEP_TEXT];
    struct performance after;
};

/* From which knobs a sequence takes its steps. */
enum target_source { TARGET_SETTINGS, TARGET_PARTS, TARGET_CHOICES, TARGET_SOURCES };

/* Steps one after the other, each the one that then does most. Where a sequence does not meet the
 * target, `after` says what limits it. */
struct target_sequence {
    int count;
    /* gains and what is after them are of the design at that time */
    struct advice step[TARGET_STEPS_MAX];
    bool exhausted; /* no further step of one knob helps; else the sequence was cut off */
    double gain;    /* s of latency, of all together */
    struct performance after;
};

struct meet_target {
    bool met; /* already: then nothing else is filled in */
    int count, capacity;
    struct target_knob *knob; /* fewest steps first, then least latency */
    struct target_sequence sequence[TARGET_SOURCES];
};

void meet_target_free(struct meet_target *target);
const char *target_source_name(enum target_source from);

/* STATUS_STOPPED with what was found; STATUS_MEMORY. */
enum status meet_target_find(const struct step_search *search, struct meet_target *target,
                             struct error *error);

#endif
