/* Changed copies of a design, evaluated: what advice is made from. */
#ifndef AOLAG_EXPLORE_CANDIDATE_H
#define AOLAG_EXPLORE_CANDIDATE_H

#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/knob.h"
#include "design/scenario.h"
#include "model/result.h"

/* The results of a design that advice compares. */
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

/* "recon memory", "nothing": what binds. */
#define PERFORMANCE_BOUND_TEXT (NODE_NAME_MAX + 32)
void performance_bound_text(const struct performance *performance,
                            char text[PERFORMANCE_BOUND_TEXT]);

/* The larger of latency over target and load; 1 or below: it meets the target and keeps up. */
double performance_target_ratio(const struct performance *performance, double target);

struct candidate {
    struct scenario scenario; /* may be changed at will */
    struct result result;
};

/* A copy of the design, not evaluated. STATUS_MEMORY. candidate_free in any case. */
enum status candidate_new(struct candidate **candidate, const struct scenario *design,
                          struct error *error);
void candidate_free(struct candidate *candidate);

/* Evaluates the scenario as it is; false where it is invalid. */
bool candidate_evaluate(struct candidate *candidate, struct performance *performance);

struct part_values;

/* What a search for better designs works with. */
struct step_search {
    const struct part_values *values;
    const struct scenario *design; /* as it is; not changed */
    const struct result *result;   /* the design's */
    struct candidate *candidate;   /* for changed copies */
    const struct progress *progress;
};

#endif
