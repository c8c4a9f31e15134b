/* Answers: what is computed of the design beside evaluate, each in a thread of its own and on a
 * copy of what it needs, its job. Whoever shows an answer asks its question again each time; the
 * job that answered an earlier question stays until the next one is answered. The main thread never
 * waits. */
#ifndef AOLAG_SESSION_ANSWER_H
#define AOLAG_SESSION_ANSWER_H

#include <stdbool.h>

#include "base/status.h"
#include "session/worker.h"

/* What is asked: the version of the design, and a number of what else the question depends on. */
struct question {
    unsigned long design, detail;
};

struct answer_kind {
    const char *work; /* what is computed, in words: "next steps" */
    /* In the thread; returns soon after worker_report or worker_goes_on returned false. */
    void (*compute)(struct worker *worker, void *job);
    void (*release)(void *job); /* frees it */
};

struct answer {
    const struct answer_kind *kind;
    struct bell *bell;
    struct worker worker;
    struct question asked; /* last */
    bool tried;            /* its job began */
    void *running;         /* job of the worker; NULL: none */
    bool stale;            /* that is the job of an earlier question */
    void *job;             /* the last that answered; NULL: none; may be `running` */
    bool current;          /* it answers the question that was asked last */
    struct error problem;  /* why no thread could be started for it; STATUS_OK: none failed */
};

/* Prepares an answer, to which nothing was asked yet. */
void answer_open(struct answer *answer, const struct answer_kind *kind, struct bell *bell);

/* The design changed: what is known is of an earlier question, and what runs is asked to stop. */
void answer_outdate(struct answer *answer);

/* Asks. Returns true if a job has to begin: none did for this question, no other runs, and no key
 * came lately. One that runs for another question is asked to stop. */
bool answer_due(struct answer *answer, struct question question);

/* Begins a job, which belongs to the answer from now on. Where no thread can be started the
 * question stays unanswered. */
void answer_begin(struct answer *answer, void *job);

/* Takes the job that has ended. Returns true if it answers the present question. */
bool answer_collect(struct answer *answer);

/* Returns the job that is being computed for the present question, whose parts that are complete
 * may be read (worker_notify); NULL: none. */
static inline void *answer_part(const struct answer *answer)
{
    return answer->stale ? NULL : answer->running;
}

/* Shows these parts: the job is the last one from now on, before it has ended. There must be one.
 */
void answer_show_part(struct answer *answer);

/* Drops what is known, of another design. */
void answer_forget(struct answer *answer);

/* Stops the thread, waits for its end and frees the jobs. */
void answer_close(struct answer *answer);

#endif
