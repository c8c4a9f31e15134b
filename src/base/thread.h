/* Threads with a stack of the size that they need, not of the 8 MB that a process usually gives
 * each: several of them have to fit where the address space is limited. */
#ifndef AOLAG_BASE_THREAD_H
#define AOLAG_BASE_THREAD_H

#include <pthread.h>
#include <stdatomic.h>

/* Starts a thread. Returns 0 or the error of pthread_create. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* Lets a core rest for some cycles: in a loop that waits for another thread. */
static inline void thread_pause(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

#endif
