/* Ranking of all presets of a kind as replacements for one device of a design.
 *
 * A preset clears the device's stated values but for its place, ports and software (knobs that
 * stay), including the number of sockets; with `keep` the stated values are set again afterwards if
 * a device of that kind has them.
 *
 * A preset whose memory is too small for the device's working sets is excluded. Designs that keep
 * up with their frames come first, then those that may not keep up (range.h), then overloaded
 * designs by ascending load, then invalid ones. Within these groups, for equal loads, the order is
 *
 *     latency      ascending RTC latency
 *     rate         descending maximum frame rate
 *     latency-tdp  ascending product of RTC latency and thermal design power of all sockets of the
 *                  device (J); unknown power last
 *     nm           ascending wavefront error with a star
 *
 * and for equal values that of the catalogue, by name. With a star every row that is not overloaded
 * has its wavefront error: the loop is the same with all presets but for its delay, so that the
 * order by latency is that by nm as well (search_default_objectives). */
#ifndef AOLAG_EXPLORE_RANK_H
#define AOLAG_EXPLORE_RANK_H

#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "model/result.h"
#include "model/verdict.h"

enum rank_order { RANK_LATENCY, RANK_RATE, RANK_LATENCY_TDP, RANK_TOTAL, RANK_ORDERS };

/* "latency", "rate", "latency-tdp", "nm". */
extern const char *const rank_order_names[RANK_ORDERS];

/* Finds the order of that name, or of the result that it is by, such as "max_frame_rate"; returns false
 * if there is none. */
bool rank_order_find(const char *name, enum rank_order *order);

/* What the mark = of a row that is tied means. */
#define RANK_TIED "as fast as the first, within the uncertainty"

/* The device to replace. */
struct rank_question {
    int device;
    bool keep; /* keep the values stated for the device */
};

/* The design with one preset. If invalid, its numbers are RESULT_NONE and its names empty. */
struct ranked {
    const struct preset *preset; /* owned by the catalogue */
    const char *title;           /* model of the device; owned by the catalogue */
    bool present;                /* the design's present preset */
    bool unfit;                  /* its memory is too small: not in the rows */
    struct error problem;        /* why the design is invalid; STATUS_OK if valid */
    double latency, margin;      /* s */
    double low, high;            /* s; range of the latency; RESULT_NONE if overloaded or stopped
                                    before, `high` also if it may not keep up */
    bool may_not_keep_up;        /* or is overloaded */
    bool tied;                   /* keeps up, without a practical difference from the least latency
                                    of those that do: compare.h */
    double least, most;          /* latency over the least one, as in struct compare_verdict;
                                    RESULT_NONE: may not keep up, or is that one */
    double total;                /* m, wavefront error with a star (derived_star_total) */
    double lag;                  /* m, servo lag of the loop, known without a star too */
    double max_frame_rate;       /* Hz; RESULT_NONE if nothing takes time */
    char limit[NODE_NAME_MAX + 1]; /* what limits the rate: component, device or link */
    double load;
    bool overloaded;
    char bound_node[NODE_NAME_MAX + 1]; /* the largest part of the latency; empty: none */
    enum bound bound;
    char resource[VERDICT_RESOURCE_MAX]; /* both in words: verdict.h */
    bool not_singly;    /* it is sold in something larger only (device.sold_in) */
    bool other_clock;   /* compare_clocks with the present design */
    bool other_host;    /* sweep_needs_other_host: advice proposes no such part */
    double tdp;         /* W, all sockets; RESULT_NONE if unknown */
    double latency_tdp; /* J; RESULT_NONE if unknown */
    double price;       /* of all sockets; RESULT_NONE if not stated */
};

struct rank {
    struct rank_question question;
    int count;
    struct ranked *row; /* sorted */
    int excluded;       /* presets whose memory does not hold the working sets: not in the rows */
    int untried;        /* presets that were not evaluated when it was stopped: not in the rows */
};

/* Finds the device to rank: the device of that name and kind or, if NULL, the first of the kind
 * that runs a component. Returns STATUS_INVALID with the names of the candidates in the message. */
enum status rank_device(const struct scenario *scenario, enum device_kind kind, const char *name,
                        int *device, struct error *error);

/* Evaluates all presets of the device's kind. A preset that is unreadable or makes the design
 * invalid becomes a row with its error. Returns STATUS_STOPPED: the rows are then those
 * evaluated by then, not all with their ranges. */
enum status rank_presets(const struct scenario *scenario, struct catalogue *catalogue,
                         struct rank_question question, enum rank_order order,
                         const struct progress *progress, struct rank *rank, struct error *error);

/* Sorts the rows by another order. */
void rank_sort(struct rank *rank, enum rank_order order);

void rank_free(struct rank *rank);

/* Finds the next number or choice, from row *k of the knob table on, that the scenario states for
 * the device and a preset clears. Returns false if there is none. */
bool rank_next_own(const struct scenario *scenario, int device, int *k, struct knob_ref *ref);

/* Lists the labels of what is stated for the device and a preset clears: "sockets, clock", or
 * empty. */
void rank_own_labels(const struct scenario *scenario, int device, char *text, size_t size);

/* Returns true if the design has a device of that kind. */
bool rank_has_kind(const struct scenario *scenario, enum device_kind kind);

/* Adds a device "gpu0", without a preset, of a kind that the design lacks: to rank the gain of a
 * GPU in an instrument without one. The device is placed in the host of the component with the
 * largest product of device share and work time (the larger of compute and memory time), and that
 * component moves to it. The component's values stated for its former device - share, workers,
 * efficiencies, block, chains - become automatic. `result` is the result of the unchanged scenario.
 * Returns STATUS_INVALID, without changes, if no component computes or there is no room for a
 * device. */
enum status rank_add_device(struct scenario *scenario, const struct result *result,
                            enum device_kind kind, int *device, int *component,
                            struct error *error);

#endif
