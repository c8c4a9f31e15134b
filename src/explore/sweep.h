/* Parameter sweeps: evaluation of every combination of the values of some knobs.
 *
 * Designs are numbered from 0; the last axis changes fastest. Several threads evaluate them; rows
 * are delivered in order, independent of the number of threads, in constant memory. The range of a
 * latency (model/range.h), which takes some ten times as long, is found if it is wanted. */
#ifndef AOLAG_EXPLORE_SWEEP_H
#define AOLAG_EXPLORE_SWEEP_H

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include "base/progress.h"
#include "explore/axis.h"
#include "model/result.h"
#include "model/result_read.h"
#include "model/verdict.h"

#define SWEEP_JOBS_MAX 1024
#define SWEEP_AXES_MAX 8
#define SWEEP_WANTED_MAX 64
#define SWEEP_DESIGNS_MAX 9007199254740992 /* 2^53, exact in a double */

/* Designs of a sample at most, and of how many at least each one is taken. */
#define SWEEP_SAMPLE 4096
#define SWEEP_SAMPLE_PART 32

struct conditions;
struct sweep_row;
struct sweep_least;

struct sweep {
    const struct scenario *base; /* the design that the axes modify */
    const struct axis *axis;
    int axis_count; /* 1 to SWEEP_AXES_MAX */
    /* Axes of one value each, set in every design even if a preset or kind on another axis would
     * change them. */
    const struct axis *fixed;
    int fixed_count;
    const struct result_ref *wanted;
    int wanted_count; /* at most SWEEP_WANTED_MAX */
    int jobs;         /* threads, at most SWEEP_JOBS_MAX; 0: one per processor */
    /* Judges the designs: `verdict` of their rows. Only what is kept has values, and ranges are
     * found where the latency may meet the conditions. NULL: all are kept, also invalid ones. */
    const struct conditions *where;
    bool data;     /* rows need no words: they have no `limit` */
    bool any_host; /* parts that need another host are tried, too */
    /* With conditions: returns whether a design with these values is asked for; called by all
     * threads. NULL: all are. */
    bool (*asks)(const void *context, const int at[SWEEP_AXES_MAX]);
    const void *asks_context;
    /* Only those designs that conditions keep and no other one dominates (search.h) in the wanted
     * results are asked for. What is taken to be dominated may have no values (surpass.h). */
    bool best_only;
    bool sample; /* only a sample all over the designs, in no order */
    /* Asked before a design is evaluated: returns SWEEP_KEPT, or why it is excluded:
     * SWEEP_UNKNOWN, SWEEP_BOUNDED or SWEEP_MISSED + i. Called concurrently. NULL: all are
     * evaluated. Designs in which a device is none are not asked for. Where a range is wanted, all
     * that are evaluated are asked for before it is found, with the results that they have. */
    int (*excludes)(void *context, const struct sweep_row *row, const struct sweep_least *least);
    void *excluding; /* its context */
    /* With best_only: set if a total is found against its premise, so that rows may be wrong; where
     * none is, they are right as far as a premise is that is not proven. */
    atomic_bool *fell;
};

/* What the results of a design are at least, if it is valid: known without evaluating it. sweep.c
 * has the proof for the latency; the others are exact. */
struct sweep_least {
    double latency;      /* s */
    double watts, price; /* RESULT_NONE: the design has no such value */
    double count;
};

/* The first reason that excludes a design, in this order. SWEEP_MISSED + i: it does not meet
 * condition i; conditions on the range of the latency come after the others, unless the latency
 * violates them. One that the least results of a design violate comes first, too (`excludes`). */
enum sweep_verdict {
    SWEEP_KEPT,
    SWEEP_REPEATED, /* another value of a device that does not exist in it: not evaluated */
    SWEEP_UNASKED,  /* `asks` says no: not evaluated */
    SWEEP_INVALID,
    SWEEP_UNHOSTED, /* a varied part needs another host by its link: not evaluated */
    SWEEP_LANES,    /* a host has too few PCIe lanes: not evaluated */
    SWEEP_UNFIT,    /* the memory of a device does not hold the working sets */
    SWEEP_OVERLOADED,
    SWEEP_UNKNOWN, /* a wanted result, or that of a condition, is not known, as a price */
    SWEEP_BOUNDED, /* excluded by its least results: not evaluated, or without its range */
    SWEEP_MISSED
};

/* One design. An invalid one has only its number, knob values and error; one of a sweep with
 * conditions has no names either. */
struct sweep_row {
    uint64_t number;
    int at[SWEEP_AXES_MAX];        /* index of the value on each axis */
    double *value;                 /* [wanted_count], SI or RESULT_NONE */
    /* names: the component with the largest part of the latency, or "", and that part in words
     * (verdict.h); where the first result is the maximum frame rate or an end of its range, what
     * limits that */
    char bound[NODE_NAME_MAX + 1];
    char limit[VERDICT_RESOURCE_MAX];
    enum bound by;
    bool overloaded;
    /* STATUS_OK: valid; without conditions the message then says which result has no value, and is
     * empty if all have one */
    struct error error;
    int verdict;        /* enum sweep_verdict */
    bool surpassed; /* SWEEP_KEPT, but without values: an earlier design is taken to dominate it */
};

/* Callbacks for rows; each may be NULL. */
struct sweep_rows {
    /* Called in the evaluating thread, concurrently and in any order, with the design of a row and
     * its result, if the row has no error. */
    void (*inspect)(void *context, const struct sweep_row *row, const struct scenario *scenario,
                    const struct result *result);

    /* Called in the evaluating thread, concurrently and in any order; the output to `text` is
     * passed to `write`. */
    void (*print)(void *context, const struct sweep_row *row, FILE *text);

    /* Called in order, one at a time, from any thread. Returning false ends the sweep with
     * STATUS_STOPPED. */
    bool (*receive)(void *context, const struct sweep_row *row);
    bool (*write)(void *context, const char *text, size_t length); /* one or more whole rows */
    void *context;
};

/* Counts the designs. Returns STATUS_INVALID for more than SWEEP_DESIGNS_MAX. */
enum status sweep_count(const struct sweep *sweep, uint64_t *count, struct error *error);

/* Gets the index of the value on each axis of design `number`. */
void sweep_values(const struct sweep *sweep, uint64_t number, int at[SWEEP_AXES_MAX]);

/* Returns true if the value of an axis is of something in a design with these values: not the
 * number of a device that is none, for example. */
bool sweep_has_value(const struct sweep *sweep, const int at[SWEEP_AXES_MAX], int axis);

/* Sets `scenario` to design `number`. A device that an axis says is none stays, with a count of 0,
 * and its components run on its host. Returns STATUS_INVALID if its values are incompatible. */
enum status sweep_design(const struct sweep *sweep, uint64_t number, struct scenario *scenario,
                         struct error *error);

/* Returns true if a processor has too few PCIe lanes in place of a device: it needs lanes for all
 * accelerators that it hosts by PCIe, at most 16 each, and for a network card that carries its ports;
 * those of all its sockets count but for device.socket_lanes. One whose lanes are not stated has
 * enough. */
bool sweep_has_few_lanes(const struct scenario *scenario, int device, const struct device *part);

/* Returns true if a preset's part does not fit in place of a device: an accelerator that another
 * link connects to its host or, other than the present one, that shares the memory of its own host,
 * or a processor that is sold in something larger only (device.sold_in) or has too few lanes. */
bool sweep_needs_other_host(const struct scenario *scenario, int device, const struct device *part);

/* Computes the range of block `shard` (1 to `shards`). The blocks are contiguous and cover all
 * designs once, in order. Their sizes differ by at most one; some are empty if there are more
 * blocks than designs. */
void sweep_shard(uint64_t count, uint64_t shard, uint64_t shards, uint64_t *first, uint64_t *end);

/* Returns how many consecutive designs differ only in parts, if the axes of parts are the last
 * ones: what they are at least takes an evaluation for each part, of which they are combinations.
 * 0: least results are not known, because there are fewer than a block of them, a board shares the
 * memory of its host, or a number is a formula that names a device or a component. */
uint64_t sweep_inner(const struct sweep *sweep);

/* Returns the number of threads that evaluate so many designs. */
int sweep_threads(const struct sweep *sweep, uint64_t designs);

/* Returns what excludes an evaluated design of a sweep with conditions, SWEEP_KEPT if nothing does.
 * Without `derived`, before derived results are found, values of these exclude nothing. */
int sweep_judge(const struct sweep *sweep, const struct scenario *scenario,
                const struct result *result, bool derived);

/* Evaluates designs `first` to `end` - 1. Returns STATUS_STOPPED, after whole rows, if progress or
 * a callback ended it. */
enum status sweep_designs(const struct sweep *sweep, uint64_t first, uint64_t end,
                          const struct sweep_rows *rows, const struct progress *progress,
                          struct error *error);

#define SWEEP_FLAT_MAX 512
#define SWEEP_ROUNDING 1e-9 /* relative, of sums in another order */

/* Returns true if two values of a result are equal but for rounding. */
static inline bool sweep_same(double a, double b)
{
    return a == b || fabs(a - b) <= SWEEP_ROUNDING * fabs(b);
}

/* Writes that what a sweep computes, `what`, is the same for all its values: "no value of rtc cores
 * changes it; limited by camera: kernel ingress of rtc". `of`: the knobs; `limit`: in words, or empty. */
void sweep_flat_text(const char *of, const char *what, const char *limit,
                     char text[SWEEP_FLAT_MAX]);

#endif
