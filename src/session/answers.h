/* What is asked of a design as it is: its results where they take long, the range of its latency,
 * the error budget, the next cliff of a knob, the next steps. */
#ifndef AOLAG_SESSION_ANSWERS_H
#define AOLAG_SESSION_ANSWERS_H

#include "design/scenario.h"
#include "explore/advise.h"
#include "explore/cliff.h"
#include "explore/part_values.h"
#include "explore/rank.h"
#include "explore/sensitivity.h"
#include "model/budget.h"
#include "model/jitter.h"
#include "model/range.h"
#include "model/result.h"
#include "model/schedule.h"
#include "session/answer.h"

/* The design, where that takes long. */
struct evaluation_answer {
    struct scenario scenario;
    struct result result;
    struct schedule schedule;
    struct error error;
};
extern const struct answer_kind evaluation_kind;

void evaluation_ask(struct answer *answer, unsigned long version, const struct scenario *scenario);

/* The range, and percentiles with jitter where any time varies (jitter_any). */
struct range_answer {
    struct scenario scenario;
    struct result result;
    struct latency_range range;
    struct jitter jitter;
    enum status status;
};
extern const struct answer_kind range_kind;

/* Asks for those of a design that is valid. */
void range_ask(struct answer *answer, unsigned long version, const struct scenario *scenario);

/* The error budget, in full, and the results that follow from it. */
struct budget_answer {
    struct scenario scenario;
    struct result result; /* what a budget reads; its loop with DERIVED_LOOP */
    struct budget budget;
    struct loop_curves curves;
    struct error error; /* STATUS_OK, or why there is none */
};
extern const struct answer_kind budget_kind;

/* Asks for that of a design whose results are known. */
void budget_ask(struct answer *answer, unsigned long version, const struct scenario *scenario,
                const struct result *result);

/* The ranges and loops of two designs that are compared. */
struct both_answer {
    struct scenario scenario[2];
    struct result result[2];
    struct latency_range range[2];
    enum status status;
};
extern const struct answer_kind both_kind;

/* `number`: of the comparison. */
void both_ask(struct answer *answer, unsigned long number, const struct scenario *one,
              const struct scenario *other);

/* The cliff near the value of a knob. */
struct cliff_answer {
    struct scenario scenario;
    struct knob_ref ref;
    bool found;
    struct cliff cliff; /* if it was found */
};
extern const struct answer_kind cliff_kind;

void cliff_ask(struct answer *answer, unsigned long version, const struct scenario *scenario,
               struct knob_ref ref);

/* The next steps of a design and, for the first design after `loaded` only, the knobs on which the
 * latency of that depends most. */
enum { STEPS_KNOBS = 10 };
struct steps_answer {
    struct scenario scenario, loaded;
    bool sensitive; /* `knob` is wanted; false once it could not be found */
    struct sensitivity knob[STEPS_KNOBS];
    int knob_count;
    const struct part_values *values;
    struct advise *advise;
    enum status status;
};
extern const struct answer_kind steps_kind;

/* `loaded` NULL: the knobs are known. */
void steps_ask(struct answer *answer, unsigned long version, const struct scenario *scenario,
               const struct scenario *loaded, const struct part_values *values);

/* Advice, part by part: those below `parts` are complete and do not change any more. */
enum advice_part {
    ADVICE_STEPS,
    ADVICE_TARGET,
    ADVICE_SHARES,
    ADVICE_RANK,
    ADVICE_PACKETS,
    ADVICE_RANGE,
    ADVICE_PARTS
};
struct advice_answer {
    struct scenario scenario;
    const struct part_values *values;
    struct catalogue *catalogue; /* completely read */
    struct advise *advise;       /* made before the first part */
    atomic_int parts;
    int rank_count;
    struct rank rank[DEVICE_MAX]; /* of the devices in use, one per group of equal devices */
    struct error error;           /* why the work ended early */
};
extern const struct answer_kind advice_kind;

void advice_ask(struct answer *answer, unsigned long version, const struct scenario *scenario,
                const struct part_values *values, struct catalogue *catalogue);

#endif
