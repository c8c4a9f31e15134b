/* Work beside the screen, in a thread of its own: an exploration of a copy of the design. The
 * screen's thread never waits for it: a worker is asked to stop and ends in its own time. */
#ifndef AOLAG_TUI_WORKER_H
#define AOLAG_TUI_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"

/* What workers ring and the screen's loop waits for. */
struct bell {
    int file[2]; /* a pipe: to be read, to be written */
    int working; /* workers whose end was not taken yet */
};

enum status bell_open(struct bell *bell, struct error *error);
void bell_close(struct bell *bell);

/* Takes all that has been rung, without waiting. */
void bell_clear(const struct bell *bell);

struct worker {
    bool running; /* started, and its end not yet taken */
    pthread_t thread;
    struct bell *bell;
    void (*run)(struct worker *worker, void *context);
    void *context; /* the worker's alone while it runs */
    atomic_bool stop, ended;
    atomic_int percent;     /* that is done */
    pthread_mutex_t shared; /* held by whoever touches what both sides see meanwhile */
};

/* Starts `run`, which must be over soon after worker_tell said so. Only when none runs. Signals are
 * the screen's thread's to take. */
enum status worker_start(struct worker *worker, struct bell *bell,
                         void (*run)(struct worker *worker, void *context), void *context,
                         struct error *error);

/* For `run`, as the `tell` of its progress (the context is the worker): rings the bell for each
 * percent; false: it is to stop. */
bool worker_tell(void *worker, double done);

/* From `run`: there is more to see. */
void worker_ring(const struct worker *worker);

/* Asks it to stop; does not wait. */
void worker_halt(struct worker *worker);

/* For the screen's thread: true once, when it has ended; its context is the caller's again. */
bool worker_take(struct worker *worker);

/* Stops it and waits until it has ended: when the screen closes. */
void worker_close(struct worker *worker);

#endif
