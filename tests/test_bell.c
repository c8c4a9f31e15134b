/* Bells between threads and between processes. */
#include "probe/bell.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/thread.h"
#include "check.h"
#include "probe/child.h"

enum { TURNS = 2000 };

/* A question and an answer; `data` is what the bells announce. */
struct exchange {
    struct bell ask, answer;
    enum bell_wait wait;
    atomic_bool ended; /* there are no more questions, even if a bell is not heard */
    int data;
};

/* Adds one to the data at each question. */
static void *answer_questions(void *context)
{
    struct exchange *exchange = context;
    unsigned seen = 0;

    for (;;) {
        bool asked = bell_wait(&exchange->ask, &seen, exchange->wait, 1);

        if (atomic_load(&exchange->ended))
            return NULL;
        if (!asked)
            continue;
        exchange->data++;
        bell_ring(&exchange->answer);
    }
}

static void ask_questions(struct exchange *exchange)
{
    unsigned seen = 0;
    bool right = true;

    for (int i = 0; i < TURNS && right; i++) {
        exchange->data++;
        bell_ring(&exchange->ask);
        right =
            CHECK(bell_wait(&exchange->answer, &seen, exchange->wait, 1e-3 * check_patience())) &&
            CHECK_INT(exchange->data, 2 * (i + 1)) && CHECK_INT(seen, i + 1);
    }
    atomic_store(&exchange->ended, true);
    bell_ring(&exchange->ask);
}

TEST(threads_ring_for_each_other)
{
    for (int wait = BELL_POLL; wait <= BELL_POLL_FIRST; wait++) {
        struct exchange exchange = {.wait = (enum bell_wait)wait};
        pthread_t thread;

        if (!CHECK_INT(thread_start(&thread, answer_questions, &exchange), 0))
            return;
        ask_questions(&exchange);
        pthread_join(thread, NULL);
    }
}

TEST(processes_ring_for_each_other)
{
    for (int wait = BELL_POLL; wait <= BELL_POLL_FIRST; wait++) {
        struct exchange *exchange = bell_memory(sizeof *exchange);
        struct error error = {0};
        pid_t child;

        if (!CHECK(exchange != NULL))
            return;
        exchange->wait = (enum bell_wait)wait;
        child = child_start(-1, &error);
        if (child == 0) {
            answer_questions(exchange);
            _exit(EXIT_SUCCESS);
        }
        if (CHECK(child > 0))
            ask_questions(exchange);
        CHECK_INT(child_end(child, false), 0);
        bell_memory_free(exchange, sizeof *exchange);
    }
}

TEST(a_wait_ends_with_its_patience)
{
    struct bell bell = {0};
    unsigned seen = 0;

    for (int wait = BELL_POLL; wait <= BELL_POLL_FIRST; wait++) {
        CHECK(!bell_wait(&bell, &seen, (enum bell_wait)wait, 1e-6));
        CHECK_INT(seen, wait);
        bell_ring(&bell);
        CHECK(bell_wait(&bell, &seen, (enum bell_wait)wait, 0));
        CHECK_INT(seen, wait + 1);
    }
}
