/* Single changes of a design: a changed copy, evaluated; what one realistic step (part_values.h) of
 * each knob would do, and how the latency follows the knob. */
#ifndef AOLAG_EXPLORE_STEPS_H
#define AOLAG_EXPLORE_STEPS_H

#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/knob.h"
#include "design/scenario.h"
#include "explore/part_values.h"
#include "model/result.h"

/* What a design comes to, as far as advice looks at it. */
struct performance {
    double latency;        /* s; of an overloaded design that of an idle system */
    double first_pixel;    /* s, first pixel in to last command out */
    double max_frame_rate; /* Hz; RESULT_NONE when nothing takes time */
    double load;           /* overloaded above 1 */
    bool overloaded;
    bool met;                      /* it keeps up, and its latency is at most the target */
    char bound[NODE_NAME_MAX + 1]; /* with the largest part of the critical path; empty: none */
    enum bound by;
};

void performance_of(const struct result *result, struct performance *performance);

/* "recon memory", "nothing": what binds, at least PERFORMANCE_BOUND_TEXT bytes. */
#define PERFORMANCE_BOUND_TEXT (NODE_NAME_MAX + 32)
void performance_bound_text(const struct performance *performance,
                            char text[PERFORMANCE_BOUND_TEXT]);

/* The larger of latency over target and load; 1 or below: it meets the target and keeps up. */
double performance_target_ratio(const struct performance *performance, double target);

/* Whether the command comes later than before although the latency may be less: a slower camera
 * leaves less to do behind the last pixel. */
bool performance_is_later(const struct performance *after, const struct performance *before);

/* A changed copy of a design. */
struct candidate {
    struct scenario scenario; /* may be changed at will */
    struct result result;
    long evaluations;
};

enum status candidate_new(struct candidate **candidate, const struct scenario *design,
                          struct error *error);
void candidate_free(struct candidate *candidate);

/* Evaluates the scenario as it is; false where it is invalid. */
bool candidate_evaluate(struct candidate *candidate, struct performance *performance);

/* What a search for steps works with. */
struct step_search {
    const struct part_values *values;
    const struct scenario *design; /* as it is; not changed */
    const struct result *result;   /* the design's */
    struct candidate *candidate;   /* for changed copies */
    const struct progress *progress;
};

/* The design with one knob at another value; false: the value is not allowed or the design with it
 * invalid. */
bool step_try_number(const struct step_search *search, struct knob_ref ref, double value,
                     struct performance *performance);
bool step_try_text(const struct step_search *search, struct knob_ref ref, const char *value,
                   struct performance *performance);

#define STEP_FROM 96

/* The value in force, for people, cut where it is longer. */
void step_print_from(const struct step_search *search, struct knob_ref ref, char from[STEP_FROM]);

struct advice {
    struct knob_ref ref;
    int direction;                             /* as in value_step */
    char from[STEP_FROM], to[VALUE_STEP_TEXT]; /* in force, for people; for knob_set_text */
    double gain;                               /* s of latency, positive: faster */
    double elasticity; /* d ln latency / d ln knob; RESULT_NONE where it has none */
    bool slower;       /* the highest frame rate is lower than before */
    bool later;        /* performance_is_later: no advice, whatever it gains */
    struct performance after;
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
 * evaluate, in the order of the knobs. STATUS_STOPPED, STATUS_MEMORY; the list then holds what was
 * found.
 *
 * With `elastic` also elasticities, from the difference between 1 % more and 1 % less, of a whole
 * number at least one more and one less, at an end of the range between that and the value. There
 * is none of choices, of 0 and of unknown values, and where one of the two designs is invalid
 * (shares above 1) or has no latency. */
enum status steps_find(const struct step_search *search, unsigned roles, bool elastic,
                       struct advice_list *list, struct error *error);

/* The best first: by gain; of a design that is overloaded, by what is left of its load. Those after
 * which commands come later are the last. */
void steps_rank(struct advice_list *list, bool overloaded);

/* Those to which the latency is most sensitive first, then those without an elasticity by gain. */
void steps_rank_elastic(struct advice_list *list);

#endif
