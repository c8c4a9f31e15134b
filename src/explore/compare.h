/* Comparison of two designs: different settings, different results, and which one is faster.
 *
 * Differences are copied as text and numbers and stay valid when the designs change. `a` and `b`
 * below are sides 0 and 1; a difference is b minus a, a ratio is b over a.
 *
 * The verdict takes the uncertainty of both latencies into account, by groups of errors (range.h).
 * A group that both designs have, the same cause on the same model of a device, changes both
 * latencies at the same time, so that its error cancels where both spend the same part of their
 * latency on it. So does, on different models, the part of a group that rests on the same defaults in
 * both, as a port that neither states; the rest of it is of its own. Groups with other factors,
 * such as one that is calibrated in one design only, are off apart. The correlations of calibrated
 * groups are not taken:
 *
 *     ln(most / ratio)  = sqrt(sum over groups of max(0, d, e)^2)
 *     ln(ratio / least) = sqrt(sum over groups of max(0, -d, -e)^2)
 *
 * d and e are the changes of ln(latency of b / latency of a) with the times of the group multiplied
 * and divided by its factor, in both designs. The comparison is decided if 1 is outside `least` to
 * `most` and the latencies differ by COMPARE_PRACTICAL or more; else there is no practical
 * difference. */
#ifndef AOLAG_EXPLORE_COMPARE_H
#define AOLAG_EXPLORE_COMPARE_H

#include <stdbool.h>

#include "base/status.h"
#include "design/knob.h"
#include "design/scenario.h"
#include "model/range.h"
#include "model/result.h"

enum { SIDES = 2 };

/* The mark of processors whose clocks do not compare with the present ones. */
#define COMPARE_CLOCKS_MARK "~"

/* Returns true if the processors of two sets of devices have clocks of different kinds. Fixed clocks
 * and those whose kind is unknown compare with all. */
bool compare_clocks(const struct device *a, int a_count, const struct device *b, int b_count);

/* Returns what the first clock of a known kind is: "base clock"; without one "clock". */
const char *compare_clock_name(const struct device *device, int count);

/* Writes what the mark means: "single-core boost, not base clock as now";
 * `other` NULL: of any of several designs. */
#define COMPARE_CLOCKS_MAX 128
const char *compare_clocks_words(const struct device *present, int present_count,
                                 const struct device *other, int other_count,
                                 char text[COMPARE_CLOCKS_MAX]);

#define COMPARE_PRACTICAL 0.01 /* relative; a smaller difference is no practical one */

/* An evaluated design. */
struct compare_side {
    const struct scenario *scenario;
    const struct result *result;
    const struct latency_range *range; /* NULL: unknown */
};

/* In display order. */
enum difference_kind {
    DIFFERENCE_PRESET,   /* preset of a device */
    DIFFERENCE_INSTANCE, /* a sensor, device or component of only one design */
    DIFFERENCE_OWN,      /* a value stated in one or both designs */
    DIFFERENCE_FOLLOWS,  /* from a preset or default, or automatic in both */
    DIFFERENCE_KINDS
};

/* A knob with different values in instances of the same name, or an instance of only one design.
 * Titles and knobs that are idle in both designs (knob_idle) are ignored. */
struct difference {
    enum difference_kind kind;
    enum section section;
    const struct knob *knob; /* NULL for an instance */
    char path[96];           /* "device.rtc.cores", "device.gpu1" */
    char words[96];          /* the same in words: "rtc cores", "device gpu1", "frame rate" */
    char *value[SIDES]; /* for display, with unit; a description of an instance; "" if the design
                           lacks it */
    bool has[SIDES];
    enum origin origin[SIDES];
};

/* A result of the design or its loop that differs by more than rounding. */
struct compared_result {
    const struct result_row *row;
    double value[SIDES]; /* SI, or RESULT_NONE */
};

/* A component, part or inserted transfer of either design, matched by name. */
struct compared_node {
    char name[NODE_NAME_MAX + 1];
    enum component_type type; /* type in a, or in b if a lacks it */
    bool transfer;            /* an inserted transfer */
    bool has[SIDES];
    bool part;                                         /* a part of a split component */
    char device[SIDES][NAME_MAX_LENGTH + 1];           /* empty: none or several */
    double compute[SIDES], memory[SIDES], time[SIDES]; /* s; of a transfer or mirror, on the wire */
    double path[SIDES];                                /* s, contribution to the latency */
    enum bound bound[SIDES];
    enum memory_level_id level[SIDES];
    const char *limit[SIDES]; /* as verdict_word has it: "HBM", "launches"; NULL: no such node */
};

enum { DEVICE_FIGURES = 4 };

/* A compared property of devices. */
struct device_figure {
    const char *name, *unit; /* such as "fp32 peak"; unit of the dimension */
};

extern const struct device_figure device_figures[DEVICE_FIGURES];

/* A device of either design, matched by name. */
struct compared_device {
    char name[NAME_MAX_LENGTH + 1];
    bool has[SIDES];
    char model[SIDES][TEXT_MAX_LENGTH + 1];
    double figure[DEVICE_FIGURES][SIDES]; /* as device_figures, SI; RESULT_NONE: no such device */
};

/* How a latency and its uncertainty relate to the target. */
enum standing {
    STANDING_MEETS,         /* also at the upper end of the range, if that is known */
    STANDING_MEETS_BARELY,  /* not at the upper end */
    STANDING_MISSES_BARELY, /* only at the lower end */
    STANDING_MISSES,
    STANDING_OVERLOADED /* does not keep up: the latency is not reached */
};

struct compared_latency {
    double latency, target; /* s */
    bool ranged;            /* the ranges of both designs are known */
    double low, high;       /* s; RESULT_NONE if unknown, `high` also if it may not keep up */
    double servo_lag;       /* m, the quick estimate */
    double lag, total;      /* m, of the error budget, if the result has it; RESULT_NONE */
    struct power power;
    double load;
    bool overloaded, fits;
    enum standing standing;
};

struct compare_verdict {
    struct compared_latency of[SIDES];
    int faster; /* side; -1: equal except for rounding */
    /* Latency of b over a and its extremes: RESULT_NONE if a latency is missing (no command leaves)
     * or, the extremes, a range. 0 and INFINITY if only a or only b may not keep up. */
    double ratio, least, most;
    double common; /* fraction of the two latencies, 0 to 1, in groups that both have */
    bool other_clock; /* compare_clocks */
    const char *clock[SIDES]; /* compare_clock_name */
    bool decided;  /* a practical difference, larger than its uncertainty; also true for equal
                      latencies without uncertainty of their ratio; false without ranges */
};

/* Returns true if the latencies cannot be told apart, or are equal. */
static inline bool compare_tied(const struct compare_verdict *verdict)
{
    return verdict->faster < 0 || !verdict->decided;
}

struct comparison {
    char title[SIDES][TEXT_MAX_LENGTH + 1];
    struct compare_verdict verdict;
    int difference_count, difference_capacity;
    struct difference *difference; /* sorted by kind, then as in a; those only in b last */
    int result_count;
    struct compared_result *result;
    int node_count;
    struct compared_node *node; /* in a topological order of both designs */
    int device_count;
    struct compared_device device[SIDES * DEVICE_MAX];
};

/* Compares two evaluated designs. `comparison` is zeroed or from an earlier call.
 * comparison_free accepts a zeroed one. */
void compare_designs(const struct compare_side side[SIDES], struct comparison *comparison);

/* Compares only the settings. The designs may be invalid (result NULL); automatic values are then
 * unknown. */
void compare_settings(const struct compare_side side[SIDES], struct comparison *comparison);
void comparison_free(struct comparison *comparison);

/* Fills the verdict alone, as far as it is known without ranges if there are none. */
void compare_latencies(const struct compare_side side[SIDES], struct compare_verdict *verdict);

/* What the verdict needs of a design: its latency with the groups of errors. */
struct compare_errors {
    double latency;  /* s */
    bool overloaded;
    int count;
    const struct range_group *group; /* [count] */
    const struct device *device;     /* by `device` of the groups */
};

/* Copies that of an evaluated design with a range into one block, which the caller frees: it stays
 * valid when the design changes. */
struct compare_errors *compare_errors_copy(const struct compare_side *side);

/* Returns true if the comparison of two designs is decided and they are not equal. */
bool compare_errors_told(const struct compare_errors *a, const struct compare_errors *b);

/* Returns true if two numbers differ by more than rounding. */
bool compare_differs(double a, double b);

/* Returns true if two numbers differ by COMPARE_PRACTICAL of the smaller one or more. */
bool compare_matters(double a, double b);

/* Returns true if a node differs in its presence, device, times or bound. */
bool compare_node_differs(const struct compared_node *node);

/* Counts the consecutive similar nodes, including `first`: parts of one component, or transfers
 * between the same two components, in the same designs with times equal to three digits. */
int compare_alike(const struct comparison *comparison, int first);

/* Counts the differences of a kind. */
int compare_count(const struct comparison *comparison, enum difference_kind kind);

/* Names in output data: "preset", "instance", "own", "follows"; "meets", "meets barely"... */
extern const char *const difference_kind_names[DIFFERENCE_KINDS];
extern const char *const standing_names[];

#endif
