#include "probe/team.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "check.h"

#define MEMBERS_MAX 1024
#define TURNS 2000

struct roll {
    int worked[MEMBERS_MAX]; /* written by its member alone */
    int size[MEMBERS_MAX];
    atomic_int inside;
};

static void answer(void *data, int rank, int size)
{
    struct roll *roll = data;

    roll->worked[rank]++;
    roll->size[rank] = size;
}

/* Each member waits for all others: only members that work at the same time get out. */
static void meet(void *data, int rank, int size)
{
    struct roll *roll = data;

    atomic_fetch_add(&roll->inside, 1);
    while (atomic_load(&roll->inside) < size)
        sched_yield();
    roll->worked[rank]++;
}

static void check_team(int most)
{
    static struct roll roll;
    struct error error = {0};
    struct team *team;
    int size;

    memset(&roll, 0, sizeof roll);
    if (!CHECK_TRUE(team_open(&team, most, &error) == STATUS_OK, "%s", error.message))
        return;
    size = team_size(team);
    CHECK_TRUE(size >= 1 && size <= (most > 1 ? most : 1), "%d members, at most %d", size, most);
    for (int i = 0; i < TURNS; i++)
        team_run(team, answer, &roll);
    for (int i = 0; i < size; i++) {
        CHECK_TRUE(roll.worked[i] == TURNS, "member %d of %d worked %d times, not %d", i, size,
                   roll.worked[i], TURNS);
        CHECK_INT(roll.size[i], size);
    }
    team_close(team);
}

TEST(each_works_once)
{
    check_team(MEMBERS_MAX);
    check_team(2);
    check_team(1);
    check_team(0);
}

TEST(together)
{
    static struct roll roll;
    struct error error = {0};
    struct team *team;

    if (!CHECK(team_open(&team, MEMBERS_MAX, &error) == STATUS_OK))
        return;
    team_run(team, meet, &roll);
    CHECK_INT(atomic_load(&roll.inside), team_size(team));
    team_close(team);
}

TEST(the_caller_is_free_again)
{
    cpu_set_t before, after;
    struct error error = {0};
    struct team *team;

    CHECK_INT(sched_getaffinity(0, sizeof before, &before), 0);
    if (!CHECK(team_open(&team, 2, &error) == STATUS_OK))
        return;
    team_close(team);
    CHECK_INT(sched_getaffinity(0, sizeof after, &after), 0);
    CHECK(CPU_EQUAL(&before, &after));
    team_close(NULL);
}
