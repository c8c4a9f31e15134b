#include "session/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"

enum status bell_open(struct bell *bell, struct error *error)
{
    *bell = (struct bell){.working = NULL};
    if (pipe2(bell->file, O_CLOEXEC | O_NONBLOCK) == 0)
        return STATUS_OK;
    bell->file[0] = bell->file[1] = -1;
    return error_set(error, STATUS_IO, "cannot create a pipe: %s", strerror(errno));
}

void bell_close(struct bell *bell)
{
    for (int i = 0; i < 2; i++)
        if (bell->file[i] >= 0)
            close(bell->file[i]);
}

void bell_clear(const struct bell *bell)
{
    char rung[64];

    while (read(bell->file[0], rung, sizeof rung) > 0)
        continue;
}

/* Lets a worker that pauses go on. */
static void end_pause(struct worker *worker)
{
    pthread_mutex_lock(&worker->shared);
    atomic_store(&worker->paused, false);
    pthread_cond_signal(&worker->go_on);
    pthread_mutex_unlock(&worker->shared);
}

int bell_limit(struct bell *bell, int looks)
{
    int before = atomic_exchange(&bell->looks, looks);

    for (struct worker *worker = bell->working; worker != NULL && looks == 0; worker = worker->next)
        end_pause(worker);
    return before;
}

bool bell_awaits(const struct bell *bell)
{
    for (const struct worker *worker = bell->working; worker != NULL; worker = worker->next)
        if (!atomic_load(&worker->paused))
            return true;
    return false;
}

/* A full pipe wakes the main loop too, so a failed write is ignored. */
void worker_notify(const struct worker *worker)
{
    ssize_t written = write(worker->bell->file[1], "", 1);

    (void)written;
}

/* Counts a look within an evaluation, and pauses at the limit. */
static void count_look(struct worker *worker)
{
    int most = atomic_load(&worker->bell->looks);

    worker->looks++;
    if (most == 0 || worker->looks < most)
        return;
    pthread_mutex_lock(&worker->shared);
    if (!atomic_load(&worker->stop) && atomic_load(&worker->bell->looks) > 0) {
        atomic_store(&worker->paused, true);
        worker_notify(worker);
    }
    while (atomic_load(&worker->paused))
        pthread_cond_wait(&worker->go_on, &worker->shared);
    pthread_mutex_unlock(&worker->shared);
}

bool worker_goes_on(void *context, double done)
{
    struct worker *worker = context;

    if (done < 0)
        count_look(worker);
    return !atomic_load(&worker->stop);
}

bool worker_may_start(const struct worker *worker, const struct bell *bell)
{
    return !worker->running && !bell->held;
}

static void destroy_locks(struct worker *worker)
{
    pthread_mutex_destroy(&worker->shared);
    pthread_cond_destroy(&worker->go_on);
}

static void *run_worker_thread(void *context)
{
    struct worker *worker = context;

    worker->run(worker, worker->context);
    atomic_store(&worker->ended, true);
    worker_notify(worker);
    return NULL;
}

enum status worker_start(struct worker *worker, struct bell *bell, const char *work,
                         void (*run)(struct worker *worker, void *context), void *context,
                         struct error *error)
{
    struct worker **at = &bell->working;
    sigset_t all, before;
    int failed;

    worker->bell = bell;
    worker->work = work;
    worker->run = run;
    worker->context = context;
    atomic_store(&worker->stop, false);
    atomic_store(&worker->ended, false);
    atomic_store(&worker->paused, false);
    atomic_store(&worker->percent, 0);
    worker->looks = 0;
    pthread_mutex_init(&worker->shared, NULL);
    pthread_cond_init(&worker->go_on, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = thread_start(&worker->thread, run_worker_thread, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed != 0) {
        bell->refused = failed;
        destroy_locks(worker);
        return error_set(error, STATUS_IO, "cannot start a thread: %s", strerror(failed));
    }
    worker->running = true;
    while (*at != NULL && strcmp((*at)->work, work) < 0)
        at = &(*at)->next;
    worker->next = *at;
    *at = worker;
    return STATUS_OK;
}

bool worker_report(void *context, double done)
{
    struct worker *worker = context;
    int percent = (int)(100 * done);

    if (done >= 0 && atomic_exchange(&worker->percent, percent) != percent)
        worker_notify(worker);
    return worker_goes_on(worker, done);
}

void worker_request_stop(struct worker *worker)
{
    if (!worker->running)
        return;
    atomic_store(&worker->stop, true);
    end_pause(worker);
}

static void join_thread(struct worker *worker)
{
    struct worker **at = &worker->bell->working;

    pthread_join(worker->thread, NULL);
    destroy_locks(worker);
    worker->running = false;
    while (*at != worker)
        at = &(*at)->next;
    *at = worker->next;
}

bool worker_try_join(struct worker *worker)
{
    if (!worker->running || !atomic_load(&worker->ended))
        return false;
    join_thread(worker);
    return true;
}

void worker_close(struct worker *worker)
{
    if (!worker->running)
        return;
    worker_request_stop(worker);
    join_thread(worker);
}
