/* Advice on a design: which single change gains most, what meets the target, the best division of
 * devices and the best number of packets.
 *
 * It comes in parts, each by many evaluations of changed copies of the design (candidate.h), the
 * quickest first. A step is one realistic change of one knob (part_values.h). */
#ifndef AOLAG_EXPLORE_ADVISE_H
#define AOLAG_EXPLORE_ADVISE_H

#include "explore/candidate.h"
#include "explore/part_values.h"
#include "explore/shares.h"

/* Steps ---------------------------------------------------------------------------------------- */

/* The knobs of a list: a bit for each knob_role. */
enum {
    STEPS_PARTS = 1U << ROLE_PART,
    STEPS_SETTINGS = 1U << ROLE_SETTING,
    STEPS_CHOICES = STEPS_PARTS | STEPS_SETTINGS,
    STEPS_GIVEN = 1U << ROLE_INSTRUMENT | 1U << ROLE_PROPERTY
};

#define STEP_FROM 96

/* A step that applies, is not idle and is accepted by evaluate. */
struct advice {
    struct knob_ref ref;
    int direction;                             /* as in value_step */
    char from[STEP_FROM], to[VALUE_STEP_TEXT]; /* in force, for people; for knob_set_text */
    double gain;                               /* s of latency, positive: faster */
    double elasticity; /* d ln latency / d ln knob, from the difference between 1 % more and 1 %
                          less, of a whole number at least one more and one less, at an end of the
                          range between that and the value. RESULT_NONE of choices, of 0 and of
                          unknown values, and where one of the two designs is invalid (shares above
                          1) or has no latency */
    bool slower;       /* the highest frame rate is lower than before */
    bool later;        /* the command comes later than before although the latency may be less (a
                          slower camera leaves less to do behind the last pixel): no advice,
                          whatever it gains */
    struct performance after;
};

struct advice_list {
    int count, capacity;
    struct advice *at;
};

/* What meets the target ------------------------------------------------------------------------ */

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

/* Steps one after the other, each the one that then reduces performance_target_ratio most. Where a
 * sequence does not meet the target, `after` says what limits it. */
struct target_sequence {
    int count;
    struct advice step[TARGET_STEPS_MAX]; /* gains and what is after them are of the design at that
                                             time */
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

const char *target_source_name(enum target_source from);

/* Packets -------------------------------------------------------------------------------------- */

#define PACKETS_NEAR 1.01 /* the factor that `fewest` may be slower */

struct packet_count {
    int packets; /* 0: with no number the design keeps up */
    double gain; /* s of latency */
    struct performance after;
};

/* The number of packets with the least latency. Every number there is, 1 to PACKETS_MAX, is
 * evaluated: the latency jumps with the rows that a packet completes. */
struct packets {
    int present;
    int tried;                  /* numbers from 1 on; all but after STATUS_STOPPED */
    struct packet_count best;   /* of those that keep up; the least of equals */
    struct packet_count fewest; /* the least number whose latency is within a hundredth of that */
};

/* All parts ------------------------------------------------------------------------------------ */

enum advise_part { ADVISE_STEPS, ADVISE_TARGET, ADVISE_SHARES, ADVISE_PACKETS, ADVISE_PARTS };

struct advise {
    const struct part_values *values;
    struct candidate *design; /* as it is: its scenario and result, neither of which is changed */
    struct candidate *candidate; /* for changed copies */
    struct performance now;
    struct advice_list choices; /* of hardware and software: by gain or, of a design that is
                                   overloaded, by what is left of its load; `later` ones last */
    struct advice_list given;   /* of the instrument and of assumptions: by |elasticity|, then those
                                   without one by gain */
    struct meet_target target;
    int split_count; /* of devices with two components at least, then that of all together */
    struct share_split split[DEVICE_MAX + 1];
    struct packets packets;
};

/* Takes a copy of the design and evaluates it; the part_values has to last as long. STATUS_INVALID
 * as evaluate; STATUS_MEMORY. */
enum status advise_new(struct advise **advise, const struct scenario *scenario,
                       const struct part_values *values, struct error *error);
void advise_free(struct advise *advise);

/* For progress: "packets". */
extern const char *const advise_part_names[ADVISE_PARTS];

/* Finds one part, independently of the others. STATUS_STOPPED with what was found until then;
 * STATUS_MEMORY. */
enum status advise_find(struct advise *advise, enum advise_part part,
                        const struct progress *progress, struct error *error);

#endif
