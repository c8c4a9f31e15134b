#include "session/answer.h"

#include <stddef.h>

static void release(const struct answer *answer, void **job)
{
    if (*job != NULL)
        answer->kind->release(*job);
    *job = NULL;
}

void answer_open(struct answer *answer, const struct answer_kind *kind, struct bell *bell)
{
    *answer = (struct answer){.kind = kind, .bell = bell};
}

void answer_outdate(struct answer *answer)
{
    answer->asked = (struct question){0, 0};
    answer->tried = answer->current = false;
    answer->stale = true;
    answer->problem.status = STATUS_OK;
    worker_request_stop(&answer->worker);
}

bool answer_due(struct answer *answer, struct question question)
{
    if (question.design != answer->asked.design || question.detail != answer->asked.detail)
        answer_outdate(answer);
    answer->asked = question;
    return !answer->tried && worker_may_start(&answer->worker, answer->bell);
}

void answer_begin(struct answer *answer, void *job)
{
    answer->tried = true;
    answer->stale = false;
    answer->running = job;
    answer->problem.status = worker_start(&answer->worker, answer->bell, answer->kind->work,
                                          answer->kind->compute, job, &answer->problem);
    if (answer->problem.status != STATUS_OK)
        release(answer, &answer->running);
}

void answer_show_part(struct answer *answer)
{
    if (answer->job != answer->running)
        release(answer, &answer->job);
    answer->job = answer->running;
    answer->current = true;
}

bool answer_collect(struct answer *answer)
{
    bool answers = !answer->stale;

    if (!worker_try_join(&answer->worker))
        return false;
    if (answers)
        answer_show_part(answer);
    else if (answer->running != answer->job)
        release(answer, &answer->running);
    answer->running = NULL;
    return answers;
}

void answer_forget(struct answer *answer)
{
    if (answer->job != answer->running)
        release(answer, &answer->job);
    answer->job = NULL;
    answer->current = false;
}

void answer_close(struct answer *answer)
{
    worker_close(&answer->worker);
    answer_forget(answer);
    release(answer, &answer->running);
}
