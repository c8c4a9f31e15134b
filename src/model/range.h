/* The range of a latency: how far it may be off, composed by cause.
 *
 * Parts of the critical path with the same cause on the same model of a device err together, as a
 * group; groups are independent. The latency is not linear in its parts (another path may become
 * critical, a frame may overlap the next), so the design is simulated again with the times of each
 * group multiplied and divided by the group's factor f, one standard deviation:
 *
 *     ln(high / latency) = sqrt(sum over groups of max(0, ln(latency(times x f) / latency))^2)
 *     ln(latency / low)  = sqrt(sum over groups of max(0, ln(latency / latency(times / f)))^2)
 *
 * The maximum frame rate is composed likewise from the same evaluations; it is highest with the
 * times divided by f. What limits it need not be on the critical path of the latency, and what is
 * certain, such as a readout, limits it without a range.
 *
 * A factor is that of the cause (cause.h); a device with a stated `pc` brings its own for memory,
 * caches and arithmetic. That of a calibrated group is its sigma (calibration.h): its squares include
 * twice the product with each other one times their correlation, and the range is at least as wide
 * as the spread of the latency that was measured. Wire time, propagation and waiting for pixels are certain.
 *
 * A host that does not state `dispatch` is computed with the default, threads that poll, which is
 * the fastest way: its software is unknown. It has one more group, "software unknown", of all times
 * of its models and of their boards, whose factor is that of measured pipelines predicted as if
 * their software were not stated. It only adds to the upper end, unless it is calibrated. */
#ifndef AOLAG_MODEL_RANGE_H
#define AOLAG_MODEL_RANGE_H

#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/scenario.h"
#include "model/calibration.h"
#include "model/cause.h"
#include "model/result.h"

#define RANGE_GROUPS_MAX (DEVICE_MAX * CAUSE_COUNT)

enum { CAUSE_FIGURES_MAX = 4 }; /* of one cause */

struct range_group {
    enum cause cause;
    int device; /* the first of its devices */
    double factor;  /* that of its uncertainty, one standard deviation */
    int calibrated; /* number of its factor in the scenario, which is used; -1: none */
    double part; /* s of the critical path (breakdown.h) */
    /* s of it that rest on assumed figures: neither stated by the scenario or a preset nor
     * measured, or stated with the origin `assumed`; for memory and arithmetic also with the origin
     * `fitted`, which is to the time of a whole pipeline; times the part of the variance of its factor
     * that a calibration left */
    double assumed;
    /* by figure of the cause: s that rest on the default of a table, which holds for any device,
     * and its row; -1 for what is stated, or follows from other figures of the device */
    struct {
        int row;
        double part;
    } standard[CAUSE_FIGURES_MAX];
    /* ln(latency / latency(times / f)), ln(latency(times x f) / latency): negative, rarely, where
     * longer times lead to a shorter latency */
    double low, high;
    /* ln(rate / rate(times x f)), ln(rate(times / f) / rate) of the maximum frame rate */
    double rate_low, rate_high;
    bool overloads; /* with times x f the design does not keep up */
    /* what is busiest then, a component, device or link, and its time per frame, s */
    char limit[NODE_NAME_MAX + 1];
    double limit_busy;
};

struct latency_range {
    double latency;       /* s, as computed by evaluate */
    double low, high;     /* s; RESULT_NONE for `high` if it may not keep up */
    /* Hz, the maximum frame rate; RESULT_NONE if nothing takes time, both ends without groups */
    double rate, rate_low, rate_high;
    bool may_not_keep_up; /* a group at x f overloads the design, or it is overloaded anyway */
    double assumed;       /* fraction of the latency that rests on assumed figures */
    /* the rate of a device in use is fitted to a published latency, so that agreement with that is
     * no evidence */
    bool fitted;
    enum calibration_state calibration;
    /* s, the latency if all software waited for whole frames; RESULT_NONE where the scenario states
     * `processing`, or has components that cannot wait */
    double whole_frames;
    double part[CAUSE_COUNT];         /* s of the latency by cause */
    double assumed_part[CAUSE_COUNT]; /* s of it that rest on assumed figures */
    int count;
    /* those that change the latency; what raises the upper end most, or removes it, first. Behind
     * them, up to `rate_count`, those that only change the maximum frame rate */
    int rate_count;
    struct range_group group[RANGE_GROUPS_MAX];
};

/* Gets the next group of an evaluated design, its cause and the first of its devices: those of
 * causes that a device of the model can spend time on. `next` is 0 at first. Returns false after
 * the last. */
bool range_next_group(const struct scenario *scenario, const struct result *result, int *next,
                      struct range_group *group);

/* Returns the uncertainty of a cause on a device that is not calibrated, one standard deviation;
 * `factors` as for range_find. */
double range_group_factor(const struct device *device, enum cause cause, const double *factors);

/* Gets which fractions of two groups of different designs rest on the same defaults: of their
 * times, or of what threads that poll leave out. Returns false if there is none, or their factors
 * differ. */
bool range_same_defaults(const struct range_group *a, const struct range_group *b,
                         double fraction[2]);

/* Returns true if whole frames would take another latency, by more than FRAMES_MATTER. */
#define FRAMES_MATTER 1.3
bool range_differs_in_frames(const struct latency_range *range);

/* The ends that the error of one group alone makes; RESULT_NONE for what there is not. */
struct range_ends {
    double low, high;           /* s, the latency */
    double rate_low, rate_high; /* Hz, the maximum frame rate */
};
struct range_ends range_group_ends(const struct latency_range *range,
                                   const struct range_group *group);

/* Returns the first group of CAUSE_UNSTATED, NULL if there is none. */
const struct range_group *range_unstated(const struct latency_range *range);

/* Sets what a result has of a range beside the results of evaluate: the ends of the latency and of
 * the maximum frame rate. */
void range_set_ends(const struct latency_range *range, struct result *result);

/* Evaluates the design several times; `result` (result_init) then holds the results of evaluate
 * and range_set_ends.
 * `factors`: those of the causes, NULL for cause_uncertainty. Returns STATUS_INVALID like evaluate
 * or STATUS_STOPPED. */
enum status range_find(const struct scenario *scenario, struct result *result,
                       const double factors[CAUSE_COUNT], const struct progress *progress,
                       struct latency_range *range, struct error *error);

/* Likewise with cause_uncertainty, without the latency with whole frames. Without `lower` the ends
 * that shorter times lead to are not found, which saves half of the time: `low` and `rate_high` are
 * RESULT_NONE. */
enum status range_find_ends(const struct scenario *scenario, struct result *result, bool lower,
                            struct latency_range *range, struct error *error);

/* What designs evaluated one after the other for range_add_upper share, zero at first but for the
 * result. */
struct range_upper {
    struct result scaled;           /* result_init; of the times multiplied */
    double width[RANGE_GROUPS_MAX]; /* of each group, found last */
};

/* Adds to an evaluated design the ends of its range that longer times lead to, those of
 * range_find_ends. If the upper end is above `most` (HUGE_VAL: none is), or there is none, it may
 * only be known to be so and the other one be missing: that is usually clear from the groups that
 * were the widest in the design before. Errors as range_find. */
enum status range_add_upper(const struct scenario *scenario, double most, struct range_upper *upper,
                            struct result *result, struct error *error);

/* Finds the ends of the busy time of each node, s, composed as those of the latency, but for the
 * spread of measured latencies; `low` and `high` have room for all nodes of `result`, which holds
 * the results of evaluate before and after. Errors as range_find. */
enum status range_find_busy(const struct scenario *scenario, struct result *result, double *low,
                            double *high, struct error *error);

/* Finds `high` and `overloads` alone of a group of a design with this latency, which is evaluated
 * once; `result` has that evaluation. The upper end of the range is at least that of the group.
 * Errors as range_find. */
enum status range_find_high(const struct scenario *scenario, double latency,
                            struct range_group *group, struct result *result, struct error *error);

/* Returns true if a latency is within the range; one that may not keep up has no upper end. */
bool range_contains(const struct latency_range *range, double latency);

/* Returns true if a target lies within the range, so that the design may meet or miss it. */
bool range_is_unsure(const struct latency_range *range, double target);

/* A result that has a range, and the ends of that. */
struct range_rows {
    enum result_id result, low, high;
};

/* Returns them of such a result or of an end; NULL for other results. */
const struct range_rows *range_rows_of(const struct result_row *row);

/* Returns true for an end of the range of the latency. */
bool range_has(const struct result_row *row);

#endif
