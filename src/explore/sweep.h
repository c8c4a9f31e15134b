/* Parameter sweeps: every combination of the values of some knobs, evaluated.
 *
 * Designs are numbered from 0; the last axis changes fastest. Several threads evaluate them, and
 * they are delivered in order, independent of the number of threads, in constant memory. */
#ifndef AOLAG_EXPLORE_SWEEP_H
#define AOLAG_EXPLORE_SWEEP_H

#include <stdint.h>
#include <stdio.h>

#include "base/progress.h"
#include "explore/axis.h"
#include "model/result.h"

#define SWEEP_AXES_MAX 8
#define SWEEP_WANTED_MAX 64
#define SWEEP_DESIGNS_MAX 9007199254740992 /* that a double counts */

struct sweep {
    const struct scenario *base; /* the design that the axes change */
    const struct axis *axis;
    int axis_count; /* 1 to SWEEP_AXES_MAX */
    /* Of one value each, which every design keeps although a preset or kind among the axes would
     * change it. */
    const struct axis *fixed;
    int fixed_count;
    const struct result_ref *wanted;
    int wanted_count; /* at most SWEEP_WANTED_MAX */
    int jobs;         /* threads; 0: as many as there are processors */
};

/* A design. An invalid one has only a number, values of knobs and a reason. */
struct sweep_row {
    uint64_t number;
    int at[SWEEP_AXES_MAX];        /* which value of each axis */
    double *value;                 /* [wanted_count], SI or RESULT_NONE */
    char bound[NODE_NAME_MAX + 1]; /* component with the largest part of the latency; "": none */
    enum bound by;
    bool overloaded;
    struct error error; /* STATUS_OK: it was evaluated */
};

/* Consumers of rows; each may be NULL. */
struct sweep_rows {
    /* In the thread that evaluated it, several at a time, in no order: what it writes to `text`
     * is given to `write`. */
    void (*print)(void *context, const struct sweep_row *row, FILE *text);

    /* In order, one at a time, from any thread. false: the sweep ends with STATUS_STOPPED. */
    bool (*take)(void *context, const struct sweep_row *row);
    bool (*write)(void *context, const char *text, size_t length); /* of some whole rows */
    void *context;
};

/* How many designs there are; STATUS_INVALID: more than SWEEP_DESIGNS_MAX. */
enum status sweep_count(const struct sweep *sweep, uint64_t *count, struct error *error);

/* Makes `scenario` design `number`. STATUS_INVALID: one of the values does not go with the others.
 */
enum status sweep_design(const struct sweep *sweep, uint64_t number, struct scenario *scenario,
                         struct error *error);

/* Block `shard` (1 to `shards`) of the designs, contiguous: together they are all of them, each
 * once, in order. Blocks differ by one design at most; they are empty where there are more of them
 * than designs. */
void sweep_shard(uint64_t count, uint64_t shard, uint64_t shards, uint64_t *first, uint64_t *end);

/* Runs designs `first` up to but not `end`. STATUS_STOPPED: progress or a callback ended it, after
 * whole rows; STATUS_MEMORY. */
enum status sweep_designs(const struct sweep *sweep, uint64_t first, uint64_t end,
                          const struct sweep_rows *rows, const struct progress *progress,
                          struct error *error);

#endif
