/* What one realistic step (ladder.h) of each knob of a design would do, and how the latency follows
 * the knob. */
#ifndef AOLAG_STEPS_H
#define AOLAG_STEPS_H

#include "ladder.h"
#include "progress.h"
#include "trial.h"

#define STEP_FROM 96

struct advice {
    struct knob_ref ref;
    int way;                                /* as in ladder_step */
    char from[STEP_FROM], to[LADDER_VALUE]; /* what is in force, for people; for knob_set_text */
    double gain;                            /* s of latency, positive: faster */
    double elasticity; /* of the knob (step_elasticity); RESULT_NONE where it has none */
    bool slower;       /* the highest frame rate is lower than before */
    bool later;        /* verdict_is_later: no advice, whatever it gains */
    struct verdict after;
};

struct advice_list {
    int count, capacity;
    struct advice *at;
};

/* Which knobs: a bit for each knob_role. */
#define STEPS_PARTS (1U << ROLE_PART)
#define STEPS_SETTINGS (1U << ROLE_SETTING)
#define STEPS_CHOICES (STEPS_PARTS | STEPS_SETTINGS)
#define STEPS_GIVEN (1U << ROLE_INSTRUMENT | 1U << ROLE_PROPERTY)

void steps_free(struct advice_list *list);

/* Appends every step of every knob of these roles that applies, is not idle and is accepted by
 * evaluate, in the order of the knobs. `result` is the design's. Without `elastic` elasticities
 * stay RESULT_NONE. STATUS_STOPPED, STATUS_MEMORY; the list then holds what was found. */
enum status steps_find(const struct ladder *ladder, const struct scenario *design,
                       const struct result *result, struct trial *trial, unsigned roles,
                       bool elastic, const struct progress *progress, struct advice_list *list,
                       struct error *error);

/* The best first: by gain; of a design that is overloaded, by what is left of its load. Those after
 * which commands come later are the last. */
void steps_rank(struct advice_list *list, bool overloaded);

/* Those to which the latency is most sensitive first, then those without an elasticity by gain. */
void steps_rank_elastic(struct advice_list *list);

/* d ln latency / d ln knob, from the difference between 1 % more and 1 % less, of a whole number at
 * least one more and one less, at an end of the range between that and the value. RESULT_NONE where
 * there is none: of choices, of 0 and of values nobody knows, and where one of the two designs has
 * no meaning (shares above 1) or no latency. */
double step_elasticity(struct trial *trial, const struct scenario *design,
                       const struct result *result, struct knob_ref ref);

#endif
