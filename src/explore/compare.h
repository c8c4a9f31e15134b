/* Two designs side by side: what is set differently, what comes of it, which is faster.
 *
 * Differences are copied as text and numbers, so that they stay valid when the designs change. `a`
 * and `b` below are sides 0 and 1; a difference is b's less a's, a ratio b's over a's.
 *
 * Which is faster, given the uncertainty of both. A latency may be off by a factor either way
 * (outcome.h), the typical error of a time on one device. Where both latencies were off
 * independently, their ratio could be off by the product of both factors. But they seldom are: what
 * the model gets wrong about a vendor's part bound by its memory it gets wrong in both designs, and
 * that cancels. So each latency is taken apart into what its critical path spends per source of
 * error - the model of a device, and what binds there (compute, memory, overhead) - and what has no
 * such error (cameras and links):
 *
 *     latency(e) = sum over sources of e_s t_s + t_without,   1 / pc_s <= e_s <= pc_s
 *
 * with the same e_s in both designs, and `least` and `most` are the ends of latency_b(e) /
 * latency_a(e) over all such e. Designs that rest on the same devices in the same way are told
 * apart however little they differ; designs on different ones differ by the product of both
 * factors before anything is decided. The comparison is decided where 1 is outside of these ends.
 * What is not taken into account: that another path may become the critical one within the errors,
 * and that two kernels bound by the same memory need not be off by exactly the same factor. */
#ifndef AOLAG_EXPLORE_COMPARE_H
#define AOLAG_EXPLORE_COMPARE_H

#include <stdbool.h>

#include "base/status.h"
#include "design/knob.h"
#include "design/scenario.h"
#include "model/result.h"

enum { SIDES = 2 };

/* An evaluated design. */
struct compare_side {
    const struct scenario *scenario;
    const struct result *result;
};

/* In the order they are listed. */
enum difference_kind {
    DIFFERENCE_PRESET,   /* of a device */
    DIFFERENCE_INSTANCE, /* a sensor, device or component of one design only */
    DIFFERENCE_OWN,      /* a value that one of them, or both, states itself */
    DIFFERENCE_FOLLOWS,  /* a preset's or a default, or automatic in both */
    DIFFERENCE_KINDS
};

/* A knob whose values differ, in instances of the same name; or an instance. The title, which names
 * a design, does not count, nor what has nothing to act on in either (knob_idle). */
struct difference {
    enum difference_kind kind;
    enum section section;
    const struct knob *knob; /* NULL: the instance itself */
    char path[96];           /* "device.rtc.cores", "device.gpu1" */
    char *value[SIDES];      /* for reading, with its unit; of an instance what it is; "" where that
                                design does not have it */
    bool has[SIDES];
    enum origin origin[SIDES];
};

/* A result of the design or its loop that differs by more than rounding. */
struct compared_result {
    const struct result_row *row;
    double value[SIDES]; /* SI or RESULT_NONE */
};

/* A component, part or inserted transfer of either, by its name. */
struct compared_node {
    char name[NODE_NAME_MAX + 1];
    enum component_type type; /* of a, else of b */
    bool transfer;            /* inserted */
    bool has[SIDES];
    bool part;                                         /* of a component that is split */
    char device[SIDES][NAME_MAX_LENGTH + 1];           /* empty: none, or several */
    double compute[SIDES], memory[SIDES], time[SIDES]; /* s; of a transfer or mirror, on the wire */
    double path[SIDES];                                /* s, its part of the latency */
    enum bound bound[SIDES];
    enum memory_level_id level[SIDES];
};

enum { DEVICE_FIGURES = 4 };

/* What is compared of devices. */
struct device_figure {
    const char *name, *unit; /* "fp32 peak", of a unit's dimension */
};

extern const struct device_figure device_figures[DEVICE_FIGURES];

/* A device of either, by its name. */
struct compared_device {
    char name[NAME_MAX_LENGTH + 1];
    bool has[SIDES];
    char model[SIDES][TEXT_MAX_LENGTH + 1];
    double figure[DEVICE_FIGURES][SIDES]; /* as device_figures, SI; RESULT_NONE without it */
};

/* Whether a design meets its target, its uncertainty included. */
enum standing {
    STANDING_MEETS,         /* at the upper end of its uncertainty, too */
    STANDING_MEETS_BARELY,  /* not at that */
    STANDING_MISSES_BARELY, /* it would meet it at the lower end */
    STANDING_MISSES
};

struct compared_latency {
    double latency, target; /* s */
    double uncertainty;     /* factor either way */
    double servo_lag;       /* m */
    double load;
    bool overloaded;
    enum standing standing;
};

struct compare_verdict {
    struct compared_latency of[SIDES];
    int faster; /* side; -1: equally fast, to rounding */
    /* b's latency over a's, and its ends; RESULT_NONE where one has none (no command leaves) */
    double ratio, least, most;
    double common; /* part of the two latencies, 0 to 1, whose errors both have and that cancel as
                      far as both spend alike on them */
    bool decided;  /* faster within all errors; true where equally fast and no errors stand apart */
};

struct comparison {
    char title[SIDES][TEXT_MAX_LENGTH + 1];
    struct compare_verdict verdict;
    int difference_count, difference_capacity;
    struct difference *difference; /* by kind, then in the order of a, what only b has behind */
    int result_count;
    struct compared_result *result;
    int node_count;
    struct compared_node *node; /* in topological order of both */
    int device_count;
    struct compared_device device[SIDES * DEVICE_MAX];
};

/* Compares two evaluated designs. `comparison` is zeroed or was filled before; on STATUS_MEMORY,
 * the only error, it is empty. comparison_free accepts a zeroed one. */
enum status compare_designs(const struct compare_side side[SIDES], struct comparison *comparison,
                            struct error *error);

/* Updates only what is set differently: of designs that may be invalid (result NULL), where nothing
 * is known of automatic values. STATUS_MEMORY: empty. */
enum status compare_settings(const struct compare_side side[SIDES], struct comparison *comparison,
                             struct error *error);
void comparison_free(struct comparison *comparison);

/* Whether two numbers differ by more than rounding. */
bool compare_differs(double a, double b);

/* Whether anything about a node differs: that it is there, where it runs, its times, what binds. */
bool compare_node_differs(const struct compared_node *node);

/* How many nodes from number `first` on are alike, itself among them: parts of one component or
 * transfers between the same two, in the same designs and of the same times there to three digits.
 */
int compare_alike(const struct comparison *comparison, int first);

/* How many differences are of a kind. */
int compare_count(const struct comparison *comparison, enum difference_kind kind);

/* Names in data: "preset", "instance", "own", "follows"; "meets", "meets barely"... */
extern const char *const difference_kind_names[DIFFERENCE_KINDS];
extern const char *const standing_names[];

#endif
