/* Progress reports and cancellation of long-running work. */
#ifndef AOLAG_BASE_PROGRESS_H
#define AOLAG_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* `report` is called between evaluations from the thread that does the work (from any of several
 * threads, but one at a time) with the fraction done, 0 to 1. If it returns false, the work stops
 * and returns STATUS_STOPPED. */
struct progress {
    bool (*report)(void *context, double done);
    void *context;
};

/* If `progress` is NULL, nothing is reported and the work is never stopped. */
static inline bool progress_report(const struct progress *progress, double done)
{
    return progress == NULL || progress->report(progress->context, done);
}

/* Like progress_report, but returns STATUS_OK, or STATUS_STOPPED and sets the error. */
static inline enum status progress_check(const struct progress *progress, double done,
                                         struct error *error)
{
    return progress_report(progress, done) ? STATUS_OK
                                           : error_set(error, STATUS_STOPPED, "stopped");
}

/* A part of longer work: context of a progress whose `report` is progress_report_part. */
struct progress_part {
    const struct progress *whole;
    double from, width; /* fractions of the whole, 0 to 1 */
};

static inline bool progress_report_part(void *context, double done)
{
    const struct progress_part *part = context;

    return progress_report(part->whole, part->from + done * part->width);
}

#endif
