/* How long explorations tell whoever waits how far they are, and are told to stop. */
#ifndef AOLAG_BASE_PROGRESS_H
#define AOLAG_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* `tell` is called between evaluations, from the thread that explores (of several: from any, one at
 * a time), with the part that is done, 0 to 1. false: the exploration stops and returns
 * STATUS_STOPPED. */
struct progress {
    bool (*tell)(void *context, double done);
    void *context;
};

/* NULL: nobody waits. */
static inline bool progress_tell(const struct progress *progress, double done)
{
    return progress == NULL || progress->tell(progress->context, done);
}

#endif
