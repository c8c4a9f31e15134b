/* Report of a run beside the prediction. */
#ifndef AOLAG_REPORT_RUN_H
#define AOLAG_REPORT_RUN_H

#include "model/range.h"
#include "report/record.h"
#include "run/run.h"

struct run_report {
    const struct scenario *scenario;
    const struct result *result;
    const struct latency_range *range;
    const double *low, *high; /* s, by node: ends of the busy time */
    const struct run_job *job;
    const struct run_outcome *outcome;
    const char *machine; /* what the design's hosts are predicted as; NULL: as the design says */
    int cores, cores_stated; /* of the host, as predicted and as the design says */
};

/* A row for the latency and for each component that computes. CSV is these rows: `result` is the
 * path of the result, as in --measured of calibrate. */
void run_report(struct record *record, const struct run_report *report);

#endif
