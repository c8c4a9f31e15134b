#include "base/thread.h"

/* The deepest work of a thread took 0.36 MB of it (-O1); sanitizers take two to three times as
 * much. */
#define STACK_BYTES ((size_t)2 << 20)

int thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    pthread_attr_t attributes;
    int problem = pthread_attr_init(&attributes);

    if (problem != 0)
        return problem;
    problem = pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (problem == 0)
        problem = pthread_create(thread, &attributes, run, context);
    pthread_attr_destroy(&attributes);
    return problem;
}
