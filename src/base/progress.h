/* Progress reports and cancellation of long-running work. */
#ifndef AOLAG_BASE_PROGRESS_H
#define AOLAG_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* `report` is called from the thread that does the work (from any of several threads, but one at a
 * time) with the fraction done, 0 to 1, or PROGRESS_SAME. If it returns false, the work stops and
 * returns STATUS_STOPPED. */
struct progress {
    bool (*report)(void *context, double done);
    void *context;
};

/* Within an evaluation: the fraction is the one last reported. */
#define PROGRESS_SAME (-1.0)

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

    return progress_report(part->whole, done < 0 ? done : part->from + done * part->width);
}

/* Steps between two looks of long work at its caller's request to stop: 1e5 at most, since a count
 * adds less than STEPS_AT_ONCE. A step is a slot of a track, an edge, an event: some 100 ns. */
#define STEPS_PER_LOOK 50000
#define STEPS_AT_ONCE 50000

struct pace {
    const struct progress *progress; /* NULL: nobody stops it */
    long steps;                      /* so far */
    long look;                       /* it looks when there have been as many */
    bool stopped;                    /* since it was set to false */
};

/* Asks the progress whether to go on, unless it has to stop already. */
void pace_look(struct pace *pace);

/* Counts steps, at most STEPS_AT_ONCE; returns false once the work has to stop. NULL: never. */
static inline bool pace_step(struct pace *pace, long steps)
{
    if (pace == NULL)
        return true;
    pace->steps += steps;
    if (pace->steps >= pace->look)
        pace_look(pace);
    return !pace->stopped;
}

#endif
