/* A bell in memory: a thread or a process rings it, another one waits for that, polling the memory
 * or asleep until the kernel wakes it (futex).
 *
 * In memory from bell_memory, both may be processes: one maps it and forks. What is written before
 * a bell is rung is seen by whoever was woken. One writes, one waits: several waiters are woken
 * together. */
#ifndef AOLAG_PROBE_BELL_H
#define AOLAG_PROBE_BELL_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero-initialised: never rung. */
struct bell {
    alignas(64) atomic_uint rung; /* times, modulo 2^32 */
    atomic_uint asleep;           /* waiters that a ring has to wake */
};

/* Rings it. Costs a call of the kernel only if somebody sleeps. */
void bell_ring(struct bell *bell);

enum bell_wait {
    BELL_POLL,
    BELL_SLEEP,
    BELL_POLL_FIRST, /* for some 20 us, then asleep */
};

/* Returns once the bell has been rung since `seen`, which becomes the number of rings; a waiter
 * starts with 0. Returns false after `patience` s without one. A waiter that polls lets others have
 * its core now and then, and finds the end of its patience only then. */
bool bell_wait(struct bell *bell, unsigned *seen, enum bell_wait wait, double patience);

/* Maps zeroed memory that this process shares with those that it will fork, and touches it. It has
 * no name and is gone with the last of them. NULL if there is none. */
void *bell_memory(size_t size);
void bell_memory_free(void *memory, size_t size);

#endif
