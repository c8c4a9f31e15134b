/* Measuring for a command: progress for who waits, points for who reads along, and an end at any
 * time without loss.
 *
 * Progress goes to a stream of its own: on a terminal one line that is redrawn, else one line a
 * part. A signal ends measuring soon (interrupt.h), and so does a reader that has gone. One measure
 * at a time. */
#ifndef AOLAG_REPORT_MEASURE_H
#define AOLAG_REPORT_MEASURE_H

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#include "probe/parts.h"

struct measure_part {
    enum measurement_part part;
    bool whole;         /* it was measured to its end */
    double seconds;     /* it took */
    struct error error; /* why it failed; STATUS_OK: it did not */
};

struct measure {
    struct probe probe; /* settings; measure_open fills them, the caller may change them */
    struct measurement measurement;
    struct measure_part part[MEASUREMENT_PARTS]; /* those that were begun */
    int count;
    FILE *csv;      /* takes conditions, header and each point once it is measured; NULL: none */
    int csv_error;  /* errno of the first write that it refused; 0: none */
    FILE *progress; /* NULL: none */

    /* Of measure_run alone */
    cpu_set_t cores; /* the thread might use before: parts pin it */
    const struct probe_part *plan;
    int planned;
    int written;                               /* points that `csv` has */
    bool live;                                 /* progress is a terminal */
    int shown;                                 /* cells of the line that is on it */
    double began, drawn;                       /* s, of the part and of the line */
    char condition[CONDITIONS][CONDITION_MAX]; /* that `csv` has */
};

void measure_open(struct measure *measure, bool quick, FILE *progress);

/* Runs these parts in order. A part that fails is noted and the next one runs. */
void measure_run(struct measure *measure, const struct probe_part *parts, int count);

/* Keeps what was measured in the measurement file, and says on `err` what could not be done. */
void measure_keep(const struct measure *measure, FILE *err);

/* Says which parts failed; EXIT_GOOD where none did, 128 + the signal's number where one came, else
 * EXIT_PROBLEM. */
int measure_status(const struct measure *measure, FILE *err);

void measure_close(struct measure *measure);

#endif
