#include "fluid.h"

#include "larger.h"

/* Of those that end at once the lower node does so first. */
static bool sooner(const struct fluid_job *a, const struct fluid_job *b)
{
    return a->done < b->done || (a->done == b->done && a->node < b->node);
}

/* Sum and error of the sum (Knuth, TAOCP 2, 4.2.2). */
static void add_share(struct fluid *fluid, double share)
{
    double old = fluid->shares + fluid->lost;
    double carried = fluid->lost - (old - fluid->shares);
    double sum = old + share;
    double part = sum - old;

    fluid->lost = carried + ((old - (sum - part)) + (share - part));
    fluid->shares = sum;
}

void fluid_clear(struct fluid *fluid, struct fluid_job *room)
{
    *fluid = (struct fluid){.job = room};
}

void fluid_begin(struct fluid *fluid, double now, int node, double share, double work)
{
    struct fluid_job job;
    int at = fluid->count++;

    if (at == 0)
        fluid->virtual = fluid->shares = fluid->lost = 0; /* nothing lost by rounding is carried on
                                                           */
    else
        fluid->virtual += larger(0, now - fluid->now) / fluid->shares;
    fluid->now = now;
    add_share(fluid, share);
    job = (struct fluid_job){fluid->virtual + work / share, share, node};
    while (at > 0 && sooner(&job, &fluid->job[(at - 1) / 2])) {
        fluid->job[at] = fluid->job[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    fluid->job[at] = job;
}

double fluid_next(const struct fluid *fluid)
{
    return fluid->now + larger(0, fluid->job[0].done - fluid->virtual) * fluid->shares;
}

int fluid_end(struct fluid *fluid, double now)
{
    struct fluid_job first = fluid->job[0];
    struct fluid_job last = fluid->job[--fluid->count];
    int at = 0;

    fluid->virtual = larger(fluid->virtual, first.done);
    fluid->now = now;
    add_share(fluid, -first.share);
    for (;;) {
        int child = 2 * at + 1;

        if (child >= fluid->count)
            break;
        if (child + 1 < fluid->count && sooner(&fluid->job[child + 1], &fluid->job[child]))
            child++;
        if (!sooner(&fluid->job[child], &last))
            break;
        fluid->job[at] = fluid->job[child];
        at = child;
    }
    fluid->job[at] = last;
    return first.node;
}
