/* Measurements for a command: shows progress, prints points as they are measured, and can be
 * stopped at any time without loss.
 *
 * Progress has its own stream: on a terminal one line that is redrawn, else one line per part. A
 * signal (long_run.h) or a closed pipe stops the measurement soon. Only one measurement may run at
 * a time. */
#ifndef AOLAG_CLI_MEASURE_H
#define AOLAG_CLI_MEASURE_H

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/long_run.h"
#include "probe/parts.h"
#include "report/probe.h"

struct measure {
    struct probed probed; /* settings, which the caller may change, and results */
    FILE *csv;      /* for conditions, header and each point when it is measured; NULL: none */
    int csv_error;  /* errno of the first failed write; 0: none */
    FILE *progress; /* NULL: none */

    /* Private to measure_run */
    cpu_set_t cores; /* affinity of the thread before parts pin it */
    const struct probe_part *plan;
    int planned;
    double seconds[MEASUREMENT_PARTS];  /* that each takes, about */
    struct measurement_written written; /* to `csv` */
    struct progress_line line;
    double began; /* start of the part, s */
};

void measure_open(struct measure *measure, bool quick, FILE *progress);

/* Runs parts in order. Records the failure of a part and continues with the next. */
void measure_run(struct measure *measure, const struct probe_part *parts, int count);

/* Reads points that --csv printed into a file, standard input if `path` is "-", in place of running
 * parts. Returns EXIT_GOOD, or EXIT_PROBLEM after it reported the problem. */
int measure_read(struct measure *measure, struct cli *cli, const char *path);

/* Saves the results in the measurement file; prints problems to `err`. */
void measure_keep(const struct measure *measure, FILE *err);

/* Reports the parts that failed. Returns EXIT_GOOD if none did, 128 + the signal's number after a
 * signal, else EXIT_PROBLEM. */
int measure_status(const struct measure *measure, struct cli *cli);

void measure_close(struct measure *measure);

#endif
