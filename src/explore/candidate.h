/* Evaluation of changed copies of a design, the basis of advice.
 *
 * The clock of the RTC latency starts when the last useful packet of all cameras has arrived. A
 * slower interface of one camera starts it later and reduces the latency although no command comes
 * earlier. The latency of a changed copy is therefore counted from its own clock or that of the
 * design, whichever starts first: a change gains at most what the time from the first pixel to the
 * command loses. */
#ifndef AOLAG_EXPLORE_CANDIDATE_H
#define AOLAG_EXPLORE_CANDIDATE_H

#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/knob.h"
#include "design/scenario.h"
#include "model/result.h"
#include "model/verdict.h"

/* The results that advice compares. */
struct performance {
    double latency;        /* s; that of an idle system if overloaded */
    double counted;        /* s, the latency from the earlier clock: what changes are compared by */
    double first_pixel;    /* s, from first pixel in to last command out */
    double max_frame_rate; /* Hz; RESULT_NONE if nothing takes time */
    double load;           /* above 1: overloaded */
    bool overloaded;
    bool fits;                     /* every device's memory holds its working sets */
    bool met;                      /* not overloaded, fits, and `counted` is at most the target */
    char bound[NODE_NAME_MAX + 1]; /* largest part of the critical path, or "" */
    enum bound by;
    char limit[VERDICT_RESOURCE_MAX]; /* both in words: verdict.h */
    struct power power; /* of all devices; filled by candidate_evaluate */
    struct total_price price; /* likewise */
};

/* `clock`: s from the first pixel, of the design that the result is compared with; HUGE_VAL: none.
 */
void performance_of(const struct scenario *scenario, const struct result *result, double clock,
                    struct performance *performance);

/* Writes by how much a change of one device raises the price, "price +3000"; an empty text if it does
 * not change or is not known. */
void performance_price(const struct performance *before, const struct performance *after,
                       char *text, size_t size);

/* Returns the larger of `counted` / target and load; at most 1 if the design meets the target. */
double performance_target_ratio(const struct performance *performance, double target);

/* Returns the maximum frame rate, rounded down to three digits so that the loop keeps up with it. */
double performance_rate_kept(const struct performance *performance);

struct candidate {
    struct scenario scenario; /* callers may change it */
    struct result result;
    double clock; /* of the design, for performance_of; callers may set it */
};

/* Copies the design without evaluating it; its clock is not known. Call candidate_free. */
struct candidate *candidate_new(const struct scenario *design);

/* The same; evaluations of the candidate are stopped by `progress`, which has to exist as long. */
struct candidate *candidate_watched(const struct scenario *design, const struct progress *progress);
void candidate_free(struct candidate *candidate);

/* Evaluates the scenario; returns false if it is invalid. */
bool candidate_evaluate(struct candidate *candidate, struct performance *performance);

/* Evaluates the design with one knob set to a number (SI); returns false if the number is not
 * allowed or the design becomes invalid. */
bool candidate_try_number(struct candidate *candidate, const struct scenario *design,
                          struct knob_ref ref, double value, struct performance *performance);

struct part_values;

/* The inputs of a search for better designs. */
struct step_search {
    const struct part_values *values;
    const struct scenario *design; /* the unchanged design */
    const struct result *result;   /* its result */
    struct candidate *candidate;   /* work space for changed copies */
    const struct progress *progress;
};

#endif
