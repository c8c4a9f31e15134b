/* Work in the background, in a thread of its own: an exploration of a copy of the design. The main
 * thread never waits for it: a worker is asked to stop and ends in its own time. */
#ifndef AOLAG_TUI_WORKER_H
#define AOLAG_TUI_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"

/* A pipe that workers write to and the main loop waits for. */
struct bell {
    int file[2]; /* a pipe: to be read, to be written */
    int working; /* workers that were not joined yet */
};

enum status bell_open(struct bell *bell, struct error *error);
void bell_close(struct bell *bell);

/* Empties the pipe, without waiting. */
void bell_clear(const struct bell *bell);

struct worker {
    bool running; /* started and not joined yet */
    pthread_t thread;
    struct bell *bell;
    void (*run)(struct worker *worker, void *context);
    void *context; /* the worker's alone while it runs */
    atomic_bool stop, ended;
    atomic_int percent;     /* that is done */
    pthread_mutex_t shared; /* locks what both threads use meanwhile */
};

/* Starts `run`, which must be over soon after worker_report said so. Only when none runs. The
 * thread blocks all signals: the main thread handles them. */
enum status worker_start(struct worker *worker, struct bell *bell,
                         void (*run)(struct worker *worker, void *context), void *context,
                         struct error *error);

/* For `run`, as the `tell` of its progress (the context is the worker): rings the bell for each
 * percent; false: it is to stop. */
bool worker_report(void *worker, double done);

/* From `run`: there are more results to show. */
void worker_notify(const struct worker *worker);

/* Asks it to stop; does not wait. */
void worker_request_stop(struct worker *worker);

/* true once, when it has ended; its context is the caller's again. */
bool worker_try_join(struct worker *worker);

/* Stops it and waits until it has ended: when the screen closes. */
void worker_close(struct worker *worker);

#endif
