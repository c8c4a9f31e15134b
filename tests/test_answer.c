#include "session/answer.h"

#include <poll.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "check.h"

struct sum {
    long of, found;
};

static int released;

static void add_up(struct worker *worker, void *job)
{
    struct sum *sum = job;

    for (long i = 1; i <= sum->of && worker_goes_on(worker, 0); i++)
        sum->found += i;
}

static void release_sum(void *job)
{
    released++;
    free(job);
}

static const struct answer_kind kind = {"a sum", add_up, release_sum};

static struct sum *sum_of(long of)
{
    struct sum *sum = allocate(sizeof *sum);

    *sum = (struct sum){of, 0};
    return sum;
}

/* Waits for the thread; returns what answer_collect returns of it. */
static bool collect(struct answer *answer)
{
    struct pollfd source = {.fd = answer->bell->file[0], .events = POLLIN};
    bool answers = false;

    while (answer->worker.running && CHECK(check_poll(&source, 1))) {
        bell_clear(answer->bell);
        answers = answer_collect(answer);
    }
    return answers;
}

/* Begins the sum up to a number for a question, which has to be due. */
static bool begin(struct answer *answer, struct question question, long of)
{
    if (!CHECK(answer_due(answer, question)))
        return false;
    answer_begin(answer, sum_of(of));
    return CHECK(answer->problem.status == STATUS_OK) && CHECK(!answer_due(answer, question));
}

static bool open_answer(struct answer *answer, struct bell *bell)
{
    struct error error;

    released = 0;
    answer_open(answer, &kind, bell);
    return CHECK(bell_open(bell, &error) == STATUS_OK);
}

static void close_answer(struct answer *answer)
{
    answer_close(answer);
    bell_close(answer->bell);
}

TEST(is_computed_once)
{
    struct answer answer;
    struct bell bell;

    if (!open_answer(&answer, &bell) || !begin(&answer, (struct question){1, 0}, 4))
        return;
    CHECK(answer_part(&answer) != NULL && answer.job == NULL && !answer.current);
    CHECK(collect(&answer));
    CHECK_INT(((struct sum *)answer.job)->found, 10);
    CHECK(answer.current && answer_part(&answer) == NULL);
    CHECK(!answer_due(&answer, (struct question){1, 0}));
    close_answer(&answer);
    CHECK_INT(released, 1);
}

/* Another design and another detail are other questions. What was known is shown until the new
 * answer is there. */
TEST(stays_until_the_next)
{
    const struct question asked[] = {{1, 0}, {1, 7}, {2, 7}};
    struct answer answer;
    struct bell bell;

    if (!open_answer(&answer, &bell))
        return;
    for (int i = 0; i < 3; i++) {
        if (!begin(&answer, asked[i], i + 1))
            return;
        CHECK(!answer.current && (i == 0) == (answer.job == NULL));
        CHECK(collect(&answer));
        CHECK_INT(((struct sum *)answer.job)->of, i + 1);
        CHECK_INT(released, i);
    }
    close_answer(&answer);
    CHECK_INT(released, 3);
}

/* A job for an earlier question stops, and what it found is not shown. */
TEST(drops_what_is_no_longer_asked)
{
    struct answer answer;
    struct bell bell;

    if (!open_answer(&answer, &bell) || !begin(&answer, (struct question){1, 0}, 3))
        return;
    CHECK(collect(&answer));
    if (!begin(&answer, (struct question){2, 0}, 0x7FFFFFFF))
        return;
    CHECK(!answer_due(&answer, (struct question){3, 0}));
    CHECK(answer_part(&answer) == NULL);
    CHECK(!collect(&answer));
    CHECK(!answer.current && ((struct sum *)answer.job)->found == 6);
    CHECK_INT(released, 1);
    CHECK(begin(&answer, (struct question){3, 0}, 2) && collect(&answer));
    CHECK_INT(((struct sum *)answer.job)->found, 3);
    close_answer(&answer);
}

/* A part that is shown stays when another question stops the rest, until that is answered. */
TEST(shows_a_part)
{
    struct answer answer;
    struct bell bell;
    void *part;

    if (!open_answer(&answer, &bell) || !begin(&answer, (struct question){1, 0}, 0x7FFFFFFF))
        return;
    answer_show_part(&answer);
    part = answer.job;
    CHECK(answer.current && part == answer.running);
    answer_outdate(&answer);
    CHECK(!collect(&answer));
    CHECK(!answer.current && answer.job == part && released == 0);
    if (!begin(&answer, (struct question){2, 0}, 3))
        return;
    answer_forget(&answer);
    CHECK_INT(released, 1);
    answer_show_part(&answer);
    CHECK(collect(&answer));
    CHECK_INT(((struct sum *)answer.job)->found, 6);
    CHECK_INT(released, 1);
    close_answer(&answer);
    CHECK_INT(released, 2);
}

/* Keys that follow each other keep new work waiting. */
TEST(waits_for_the_keys)
{
    struct answer answer;
    struct bell bell;

    if (!open_answer(&answer, &bell))
        return;
    bell.held = true;
    CHECK(!answer_due(&answer, (struct question){1, 0}));
    bell.held = false;
    CHECK(answer_due(&answer, (struct question){1, 0}));
    close_answer(&answer);
}
