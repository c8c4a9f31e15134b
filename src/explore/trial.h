/* A changed copy of a design, evaluated: what explorations of single changes are made of. */
#ifndef AOLAG_TRIAL_H
#define AOLAG_TRIAL_H

#include <stdbool.h>

#include "knob.h"
#include "result.h"
#include "scenario.h"
#include "status.h"

/* What a design comes to, as far as advice looks at it. */
struct verdict {
    double latency;        /* s; of an overloaded design that of an empty system */
    double first_pixel;    /* s, first pixel in to last command out */
    double max_frame_rate; /* Hz; RESULT_NONE when nothing takes time */
    double load;           /* overloaded above 1 */
    bool overloaded;
    bool met;                      /* it keeps up, and its latency is at most the target */
    char bound[NODE_NAME_MAX + 1]; /* with the largest part of the critical path; empty: none */
    enum bound by;
};

void verdict_of(const struct result *result, struct verdict *verdict);

/* "recon memory", "nothing": what binds, at least VERDICT_BOUND bytes. */
#define VERDICT_BOUND (NODE_NAME_MAX + 32)
void verdict_bound_text(const struct verdict *verdict, char text[VERDICT_BOUND]);

/* How far it is from keeping its promises: the larger of latency over target and load; 1 or below:
 * it keeps them. */
double verdict_strain(const struct verdict *verdict, double target);

/* Whether the command comes later than before although the latency may be less: a slower camera
 * leaves less to do behind the last pixel. */
bool verdict_is_later(const struct verdict *after, const struct verdict *before);

struct trial {
    struct scenario scenario; /* may be changed at will */
    struct result result;
    long evaluations;
};

enum status trial_new(struct trial **trial, const struct scenario *design, struct error *error);
void trial_free(struct trial *trial);

/* Evaluates the scenario as it is; false where that has no meaning. */
bool trial_evaluate(struct trial *trial, struct verdict *verdict);

/* The design with one knob at another value, which may be out of its range (then false). */
bool trial_number(struct trial *trial, const struct scenario *design, struct knob_ref ref,
                  double value, struct verdict *verdict);
bool trial_text(struct trial *trial, const struct scenario *design, struct knob_ref ref,
                const char *value, struct verdict *verdict);

#endif
