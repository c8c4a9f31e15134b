/* How long-running work reports how far it is, and learns that it is to stop. */
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

/* NULL: nobody is told. */
static inline bool progress_tell(const struct progress *progress, double done)
{
    return progress == NULL || progress->tell(progress->context, done);
}

#endif
