#include "tui/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum status bell_open(struct bell *bell, struct error *error)
{
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

/* A full pipe wakes the main loop too, so a failed write is ignored. */
bool worker_goes_on(void *context, double done)
{
    struct worker *worker = context;

    (void)done;
    return !atomic_load(&worker->stop);
}

void worker_notify(const struct worker *worker)
{
    ssize_t written = write(worker->bell->file[1], "", 1);

    (void)written;
}

bool worker_may_start(const struct worker *worker, const struct bell *bell)
{
    return !worker->running && !bell->held;
}

static void *run_worker_thread(void *context)
{
    struct worker *worker = context;

    worker->run(worker, worker->context);
    atomic_store(&worker->ended, true);
    worker_notify(worker);
    return NULL;
}

enum status worker_start(struct worker *worker, struct bell *bell,
                         void (*run)(struct worker *worker, void *context), void *context,
                         struct error *error)
{
    sigset_t all, before;
    int failed;

    worker->bell = bell;
    worker->run = run;
    worker->context = context;
    atomic_store(&worker->stop, false);
    atomic_store(&worker->ended, false);
    atomic_store(&worker->percent, 0);
    pthread_mutex_init(&worker->shared, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&worker->thread, NULL, run_worker_thread, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed != 0) {
        bell->refused = failed;
        pthread_mutex_destroy(&worker->shared);
        return error_set(error, STATUS_IO, "cannot start a thread: %s", strerror(failed));
    }
    worker->running = true;
    bell->working++;
    return STATUS_OK;
}

bool worker_report(void *context, double done)
{
    struct worker *worker = context;
    int percent = (int)(100 * done);

    if (done >= 0 && atomic_exchange(&worker->percent, percent) != percent)
        worker_notify(worker);
    return !atomic_load(&worker->stop);
}

void worker_request_stop(struct worker *worker)
{
    atomic_store(&worker->stop, true);
}

static void join_thread(struct worker *worker)
{
    pthread_join(worker->thread, NULL);
    pthread_mutex_destroy(&worker->shared);
    worker->running = false;
    worker->bell->working--;
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
