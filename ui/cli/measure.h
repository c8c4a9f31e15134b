/* Measuring for a command: shows progress, prints points as they are measured, and can be stopped
 * at any time without loss.
 *
 * Progress goes to a stream of its own: on a terminal one line that is redrawn, else one line a
 * part. A signal ends measuring soon (long_run.h), and so does a closed pipe. One measurement at a
 * time. */
#ifndef AOLAG_CLI_MEASURE_H
#define AOLAG_CLI_MEASURE_H

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/long_run.h"
#include "probe/parts.h"
#include "report/probe.h"

struct measure {
    struct probed probed; /* settings, which the caller may change, and what was measured */
    FILE *csv;      /* gets conditions, header and each point once it is measured; NULL: none */
    int csv_error;  /* errno of the first failed write; 0: none */
    FILE *progress; /* NULL: none */

    /* Of measure_run alone */
    cpu_set_t cores; /* the thread might use before: parts pin it */
    const struct probe_part *plan;
    int planned;
    int written; /* points that `csv` has */
    struct progress_line line;
    double began;                              /* s, the part */
    char condition[CONDITIONS][CONDITION_MAX]; /* that `csv` has */
};

void measure_open(struct measure *measure, bool quick, FILE *progress);

/* Runs these parts in order. A part that fails is noted and the next one runs. */
void measure_run(struct measure *measure, const struct probe_part *parts, int count);

/* Saves what was measured in the measurement file; problems are printed to `err`. */
void measure_keep(const struct measure *measure, FILE *err);

/* Reports the parts that failed; EXIT_GOOD if none did, 128 + the signal's number after a signal,
 * else EXIT_PROBLEM. */
int measure_status(const struct measure *measure, FILE *err);

void measure_close(struct measure *measure);

#endif
