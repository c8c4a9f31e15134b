/* Threads with a stack of the size that they need, not of the 8 MB that a process usually gives
 * each: several of them have to fit where the address space is limited. */
#ifndef AOLAG_BASE_THREAD_H
#define AOLAG_BASE_THREAD_H

#include <pthread.h>

/* Starts a thread. Returns 0 or the error of pthread_create. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *context);

#endif
