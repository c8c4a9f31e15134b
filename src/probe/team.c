#include "probe/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/thread.h"
#include "probe/system.h"

#define LINE 64         /* B; separates polled variables into cache lines */
#define PAUSES_MAX 2000 /* about 50 µs, then a waiting member yields its core */

struct member {
    struct team *team;
    pthread_t thread;
    int rank, core;
};

struct team {
    alignas(LINE) atomic_uint turn; /* incremented to start the members */
    alignas(LINE) atomic_int working;
    alignas(LINE) team_work *work; /* NULL: exit */
    void *data;
    int size;
    cpu_set_t before; /* affinity of the caller before */
    bool restore;
    struct member member[];
};

static void wait_briefly(int *waited)
{
    if (++*waited >= PAUSES_MAX) {
        sched_yield();
        return;
    }
    thread_pause();
}

static void *run_member(void *context)
{
    struct member *member = context;
    struct team *team = member->team;
    unsigned seen = 0;

    system_pin_thread(member->core);
    for (;;) {
        int waited = 0;

        while (atomic_load_explicit(&team->turn, memory_order_acquire) == seen)
            wait_briefly(&waited);
        seen++;
        if (team->work == NULL)
            return NULL;
        team->work(team->data, member->rank, team->size);
        atomic_fetch_sub_explicit(&team->working, 1, memory_order_release);
    }
}

/* Starts `work` in all other members; NULL ends them. */
static void start_members(struct team *team, team_work *work, void *data)
{
    team->work = work;
    team->data = data;
    atomic_store_explicit(&team->working, team->size - 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&team->turn, 1, memory_order_release);
}

enum status team_open(struct team **opened, int most, struct error *error)
{
    const struct system *system = system_here();
    int size = system->cores < most ? system->cores : most > 1 ? most : 1;
    size_t bytes = sizeof(struct team) + (size_t)size * sizeof(struct member);
    struct team *team = allocate_aligned(LINE, (bytes + LINE - 1) / LINE * LINE);

    *opened = NULL;
    atomic_init(&team->turn, 0);
    atomic_init(&team->working, 0);
    team->restore = sched_getaffinity(0, sizeof team->before, &team->before) == 0;
    system_pin_thread(system->core[0]);
    for (team->size = 1; team->size < size; team->size++) {
        struct member *member = &team->member[team->size];

        *member =
            (struct member){.team = team, .rank = team->size, .core = system->core[team->size]};
        if (thread_start(&member->thread, run_member, member) != 0) {
            int refused = team->size + 1;

            team_close(team);
            return error_set(error, STATUS_IO, "cannot start thread %d of %d", refused, size);
        }
    }
    *opened = team;
    return STATUS_OK;
}

void team_close(struct team *team)
{
    if (team == NULL)
        return;
    start_members(team, NULL, NULL);
    for (int i = 1; i < team->size; i++)
        pthread_join(team->member[i].thread, NULL);
    if (team->restore)
        pthread_setaffinity_np(pthread_self(), sizeof team->before, &team->before);
    free(team);
}

int team_size(const struct team *team)
{
    return team->size;
}

void team_run(struct team *team, team_work *work, void *data)
{
    int waited = 0;

    start_members(team, work, data);
    work(data, 0, team->size);
    while (atomic_load_explicit(&team->working, memory_order_acquire) > 0)
        wait_briefly(&waited);
}

static void do_nothing(void *data, int rank, int size)
{
    (void)data;
    (void)rank;
    (void)size;
}

void team_repeat_barrier(void *team, uint64_t repeats)
{
    for (uint64_t i = 0; i < repeats; i++)
        team_run(team, do_nothing, NULL);
}
