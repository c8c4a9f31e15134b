/* Background thread for the exploration of a copy of the design. The main thread never waits for a
 * worker: it requests a stop, and the worker ends later. */
#ifndef AOLAG_SESSION_WORKER_H
#define AOLAG_SESSION_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"

/* Pipe through which workers wake the main loop. */
struct bell {
    int file[2];            /* read end, write end */
    struct worker *working; /* those not joined yet, by their `work`; NULL: none */
    atomic_int looks;       /* see bell_limit */
    int refused;            /* errno of the last thread that could not be started; 0: none */
    bool held; /* keys follow each other: views wait with new work (worker_may_start) */
};

enum status bell_open(struct bell *bell, struct error *error);
void bell_close(struct bell *bell);

/* Lets every worker pause, and ring, once its evaluations looked `looks` times (STEPS_PER_LOOK in
 * base/progress.h) since it was started: it goes on when it has to stop or this is called with 0,
 * no limit, as at first. The count of steps makes a worker pause at the same point everywhere,
 * unless it has several threads. Returns the limit so far. */
int bell_limit(struct bell *bell, int looks);

/* Returns true while a worker neither ended nor pauses. */
bool bell_awaits(const struct bell *bell);

/* Empties the pipe without blocking. */
void bell_clear(const struct bell *bell);

struct worker {
    bool running;        /* started and not joined yet */
    const char *work;    /* what it computes, in words: "next steps" */
    struct worker *next; /* of bell->working */
    pthread_t thread;
    struct bell *bell;
    void (*run)(struct worker *worker, void *context);
    void *context; /* owned by the worker while it runs */
    atomic_bool stop, ended, paused;
    pthread_cond_t go_on;   /* paused became false */
    int looks;              /* so far */
    atomic_int percent;     /* progress */
    pthread_mutex_t shared; /* protects data that both threads use while it runs */
};

/* Returns true if a view may start the worker: it does not run, and no key came lately. What the
 * user asks for by a key of its own starts without this. */
bool worker_may_start(const struct worker *worker, const struct bell *bell);

/* Starts a thread that calls `run`, which must return soon after worker_report returned false. Call
 * only if the worker is not running. The thread blocks all signals: the main thread handles
 * them. `work`: as in struct worker. */
enum status worker_start(struct worker *worker, struct bell *bell, const char *work,
                         void (*run)(struct worker *worker, void *context), void *context,
                         struct error *error);

/* Progress callback of `run` (the context is the worker): rings the bell for each new percent.
 * Returns false if the worker has to stop. */
bool worker_report(void *worker, double done);

/* The same without the bell, for work whose progress is not displayed. */
bool worker_goes_on(void *worker, double done);

/* Called by `run` when there are more results to show. */
void worker_notify(const struct worker *worker);

/* Requests a stop; does not wait. */
void worker_request_stop(struct worker *worker);

/* Returns true once, after the worker ended; its context belongs to the caller again. */
bool worker_try_join(struct worker *worker);

/* Stops the worker and waits for its end; called when the screen closes. */
void worker_close(struct worker *worker);

#endif
