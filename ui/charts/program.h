/* Charts of a program's trace on a CPU (model/program.h). */
#ifndef AOLAG_CHARTS_PROGRAM_H
#define AOLAG_CHARTS_PROGRAM_H

#include "design/trace.h"
#include "draw/chart.h"

enum program_chart {
    PROGRAM_BY_DISTANCE, /* how many references have which distance, and what they cost */
    PROGRAM_BY_THREADS,  /* speed-up and time on 1 core up to one for each thread */
    PROGRAM_BY_PHASE,    /* balance and bounds of each phase */
    PROGRAM_CHARTS
};

/* Words that select a chart, terminated by NULL. */
extern const char *const program_chart_names[];

/* `name`: the trace in the heading. The device is a CPU of at least as many cores as the program has
 * threads. A chart of the distances of a program without references has no rows. */
void chart_program(struct chart *chart, enum program_chart which, const struct program *program,
                   const char *name, const struct device *device, enum distance distance);

#endif
