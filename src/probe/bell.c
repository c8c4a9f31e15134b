#include "probe/bell.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"

#define PAUSES_MAX 1000 /* between looks at the clock, about 20 us */

static void futex(atomic_uint *word, int operation, unsigned value, const struct timespec *limit)
{
    syscall(SYS_futex, word, operation, value, limit, NULL, 0);
}

void bell_ring(struct bell *bell)
{
    /* in one order for all: either the ring is seen or the sleeper is */
    atomic_fetch_add(&bell->rung, 1);
    if (atomic_load(&bell->asleep) > 0)
        futex(&bell->rung, FUTEX_WAKE, INT_MAX, NULL);
}

/* Sleeps until the bell is rung or for `seconds`. */
static void sleep_until_rung(struct bell *bell, unsigned seen, double seconds)
{
    struct timespec limit = {.tv_sec = (time_t)seconds};

    limit.tv_nsec = (long)(1e9 * (seconds - (double)limit.tv_sec));
    atomic_fetch_add(&bell->asleep, 1);
    futex(&bell->rung, FUTEX_WAIT, seen, &limit);
    atomic_fetch_sub(&bell->asleep, 1);
}

bool bell_wait(struct bell *bell, unsigned *seen, enum bell_wait wait, double patience)
{
    double end = 0;

    for (;;) {
        double left;
        unsigned rung = atomic_load_explicit(&bell->rung, memory_order_acquire);

        for (int i = 0; rung == *seen && wait != BELL_SLEEP && i < PAUSES_MAX; i++) {
            thread_pause();
            rung = atomic_load_explicit(&bell->rung, memory_order_acquire);
        }
        if (rung != *seen) {
            *seen = rung;
            return true;
        }
        left = clock_seconds();
        end = end > 0 ? end : left + patience;
        left = end - left;
        if (left <= 0)
            return false;
        if (wait != BELL_POLL)
            sleep_until_rung(bell, *seen, left);
        else
            sched_yield();
    }
}

void *bell_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        return NULL;
    memset(memory, 0, size);
    return memory;
}

void bell_memory_free(void *memory, size_t size)
{
    if (memory != NULL)
        munmap(memory, size);
}
