/* Trials: changed copies of one design, one after the other. All questions about a few other values
 * are asked by this loop; many combinations of values are a sweep (sweep.h).
 *
 * A question states its points - the knobs (trial_next_knob) with their values, presets, numbers -,
 * a judgement of what each of them comes to - `after` beside `now`, a range, an error budget - and
 * the order of what it keeps. A point is set in the design as it is, so that no change of the point
 * before is left. Once the progress says so a trial is stopped: every call returns false, and
 * trial_status is STATUS_STOPPED.
 *
 * The clock of the RTC latency starts when the last useful packet of all cameras has arrived. A
 * slower interface of one camera starts it later and reduces the latency although no command comes
 * earlier. The latency of a changed copy is therefore counted from its own clock or that of the
 * design, whichever starts first: a change gains at most what the time from the first pixel to the
 * command loses. */
#ifndef AOLAG_EXPLORE_TRIAL_H
#define AOLAG_EXPLORE_TRIAL_H

#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/knob.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "explore/compare.h"
#include "model/result.h"
#include "model/verdict.h"

/* What a design comes to. */
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
    struct power power;               /* of all devices */
    struct total_price price;         /* likewise */
};

/* Writes by how much a change of one device raises the price, "price +3000"; an empty text if it
 * does not change or is not known. */
void performance_price(const struct performance *before, const struct performance *after,
                       char *text, size_t size);

/* Returns the larger of `counted` / target and load; at most 1 if the design meets the target. */
double performance_target_ratio(const struct performance *performance, double target);

/* Returns the maximum frame rate, rounded down to three digits so that the loop keeps up with it.
 */
double performance_rate_kept(const struct performance *performance);

struct part_values;

struct trial {
    const struct scenario *design;    /* as it is; has to exist as long */
    const struct result *present;     /* its result, from trial_start on */
    struct performance now;           /* likewise */
    const struct part_values *values; /* of part_values_try; NULL: it is not called */

    struct scenario scenario; /* the changed copy; callers may change it */
    struct result result;     /* of trial_evaluate and trial_find_range */
    struct performance after; /* likewise */
    struct error problem;     /* why the last point, or the design, is refused */

    const struct progress *progress; /* trial_watch; NULL: none */
    double from, width; /* the work is that part of what it reports; callers may set both */
    bool stopped;

    /* Private */
    struct result *lent;         /* trial_new_with; NULL: none */
    struct result own;           /* that of a design which trial_start evaluates */
    double clock;                /* s from the first pixel, of the design; HUGE_VAL: not known */
    struct latency_range *range; /* of the design; NULL: not asked for yet */
    int knobs, knob;             /* all of the design, and those that trial_next_knob has passed */
};

/* Begins with a copy of the design, which is not evaluated. `progress` (NULL: none) has to exist as
 * long. */
struct trial *trial_new(const struct scenario *design, const struct progress *progress);
void trial_free(struct trial *trial); /* accepts NULL */

/* The same with the memory of a result, which is overwritten and given back by trial_free: one that
 * has been used is ready at once, a new one is not. */
struct trial *trial_new_with(const struct scenario *design, struct result *lent,
                             const struct progress *progress);

/* Sets what is told what is done and stops the trial; it goes on if it was stopped. */
void trial_watch(struct trial *trial, const struct progress *progress);

/* Makes the result of the design that of the trial, which has to exist as long; NULL: evaluates the
 * design, also again if it has changed, with the clock that it had. Returns false if it is invalid.
 */
bool trial_start(struct trial *trial, const struct result *present);

/* Returns false once the trial is stopped. `done`: of this part of the work, 0 to 1. */
bool trial_goes_on(struct trial *trial, double done);

/* Returns STATUS_OK, or STATUS_STOPPED and sets the error. */
enum status trial_status(const struct trial *trial, struct error *error);

/* Returns the status of the last point, or of the design, and sets the error where it is refused.
 */
enum status trial_problem(const struct trial *trial, struct error *error);

/* Points --------------------------------------------------------------------------------------- */

/* Goes to the next knob of the design that has one of the roles (bits by enum knob_role) and an
 * effect (knob_idle). Start with `knob` NULL; returns false after the last. */
#define TRIAL_ROLES (~0U)
bool trial_next_knob(struct trial *trial, unsigned roles, struct knob_ref *ref);

/* Undoes all changes. */
void trial_reset(struct trial *trial);

/* Make the copy the design with one other value: a number (SI), or the preset of a device; a step
 * is part_values_try (part_values.h). Return false if it is refused. */
bool trial_set_number(struct trial *trial, struct knob_ref ref, double value);
bool trial_set_preset(struct trial *trial, struct catalogue *catalogue, int device,
                      const char *preset);

/* Judgement ------------------------------------------------------------------------------------ */

/* Evaluates the copy; returns false if it is invalid (evaluate_design). */
bool trial_evaluate(struct trial *trial);

/* Evaluates the copy and finds the range of its latency; `wanted`: DERIVED_RANGE, and DERIVED_FRAMES
 * if the latency with whole frames is. */
bool trial_find_range(struct trial *trial, unsigned wanted, struct latency_range *range);

/* Finds `high` and `overloads` of a group of the range of the copy, which is evaluated
 * (range_find_high). */
bool trial_find_high(struct trial *trial, struct range_group *group);

/* Returns the range of the latency of the design, found once; NULL if the trial is stopped. The
 * result is then no longer that of the copy. */
const struct latency_range *trial_present_range(struct trial *trial);

/* Compares the latencies of the design and of the copy, whose range is found. */
bool trial_compare(struct trial *trial, struct latency_range *range,
                   struct compare_verdict *verdict);

/* Returns the total wavefront error of the copy, which is evaluated (derived_star_total). */
double trial_star_total(struct trial *trial);

#endif
