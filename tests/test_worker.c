#include "session/worker.h"

#include <poll.h>
#include <unistd.h>

#include "check.h"

struct count {
    atomic_long steps;
    bool told;
    long limit;
};

static void work(struct worker *worker, void *context)
{
    struct count *count = context;

    while (atomic_fetch_add(&count->steps, 1) < count->limit)
        if (!worker_report(worker, 0.5)) {
            count->told = true;
            return;
        }
}

static bool rung(const struct bell *bell)
{
    struct pollfd source = {.fd = bell->file[0], .events = POLLIN};

    return check_poll(&source, 1);
}

static bool take(struct worker *worker, const struct bell *bell)
{
    while (!worker_try_join(worker)) {
        if (!CHECK(rung(bell)))
            return false;
        bell_clear(bell);
    }
    return true;
}

TEST(ends_by_itself)
{
    struct count count = {.limit = 1000};
    struct worker worker = {0};
    struct bell bell;
    struct error error;

    if (!CHECK(bell_open(&bell, &error) == STATUS_OK) ||
        !CHECK(worker_start(&worker, &bell, "a count", work, &count, &error) == STATUS_OK))
        return;
    CHECK(take(&worker, &bell));
    CHECK_INT(atomic_load(&count.steps), 1001);
    CHECK_INT(atomic_load(&worker.percent), 50);
    CHECK(!count.told);
    CHECK(!worker.running);
    CHECK(!worker_try_join(&worker));
    bell_close(&bell);
}

TEST(stops_when_asked)
{
    struct count count = {.limit = 0x7FFFFFFF};
    struct worker worker = {0};
    struct bell bell;
    struct error error;

    if (!CHECK(bell_open(&bell, &error) == STATUS_OK) ||
        !CHECK(worker_start(&worker, &bell, "a count", work, &count, &error) == STATUS_OK))
        return;
    CHECK(rung(&bell));
    worker_request_stop(&worker);
    CHECK(take(&worker, &bell));
    CHECK(count.told);
    CHECK(worker_start(&worker, &bell, "a count", work, &count, &error) == STATUS_OK);
    worker_close(&worker);
    CHECK(!worker.running);
    bell_close(&bell);
}

static void look_often(struct worker *worker, void *context)
{
    struct count *count = context;

    while (atomic_fetch_add(&count->steps, 1) < count->limit && worker_goes_on(worker, 0.5))
        if (!worker_goes_on(worker, PROGRESS_SAME)) {
            count->told = true;
            return;
        }
}

/* A worker pauses at the limit, after the same work each time, until it may go on or has to stop.
 */
TEST(pauses_at_the_limit)
{
    for (int stop = 0; stop < 2; stop++) {
        struct count count = {.limit = 1000};
        struct worker worker = {0};
        struct bell bell;
        struct error error;

        if (!CHECK(bell_open(&bell, &error) == STATUS_OK))
            return;
        CHECK_INT(bell_limit(&bell, 10), 0);
        CHECK(!bell_awaits(&bell));
        if (!CHECK(worker_start(&worker, &bell, "a count", look_often, &count, &error) ==
                   STATUS_OK))
            return;
        while (bell_awaits(&bell) && CHECK(rung(&bell)))
            bell_clear(&bell);
        CHECK_INT(atomic_load(&count.steps), 10);
        CHECK(!worker_try_join(&worker));
        if (stop)
            worker_request_stop(&worker);
        else
            CHECK_INT(bell_limit(&bell, 0), 10);
        CHECK(take(&worker, &bell));
        CHECK_INT(atomic_load(&count.steps), stop ? 10 : 1001);
        CHECK(count.told == (stop != 0));
        CHECK(bell.working == NULL);
        bell_close(&bell);
    }
}
