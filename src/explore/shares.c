#include "explore/shares.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/units.h"
#include "explore/compare.h"

#define WHOLE 1000              /* a whole device, in thousandths */
#define BETTER_RATIO (1 - 1e-9) /* of costs, for a better point */
#define OVERLOAD_COST 1e6       /* s per unit of load, exceeds any latency */
#define SEED 1                  /* of the random directions */
#define INFINITE ((double)INFINITY)

enum {
    FIRST_MOVE = 256,
    ROUNDS = 24,      /* maximum per move size */
    PAIRED_MAX = 12,  /* number of shares up to which every pair is tried */
    RANDOM_MOVES = 4, /* random directions per share and round */
    COMBINED_MAX = 5  /* number of shares up to which every set of stated shares is a start */
};

/* Shares in thousandths. */
struct share_point {
    int share[COMPONENT_MAX];
};

struct share_search {
    struct trial *trial;
    struct share_split *split;
    struct share_point best, at; /* best of all starts; current point of this start */
    double best_cost, cost;      /* their costs */
    uint64_t seed;
    bool restates; /* moves also toggle shares between automatic and stated */
    int starts, started;
    double done; /* progress within the present start */
};

/* Cost ----------------------------------------------------------------------------------------- */

static void apply_shares(struct share_search *search, const struct share_point *point)
{
    for (int i = 0; i < search->split->count; i++)
        search->trial->scenario.component[search->split->share[i].component].share =
            (double)point->share[i] / WHOLE;
}

/* Returns the latency; if overloaded more than the design, a cost above any latency. */
static double point_cost(struct share_search *search, const struct share_point *point)
{
    const struct performance *after = &search->trial->after;

    for (int i = 0; i < search->split->count; i++)
        if (point->share[i] < 0 || point->share[i] > WHOLE)
            return INFINITE;
    apply_shares(search, point);
    if (!trial_evaluate(search->trial))
        return INFINITE;
    if (after->overloaded && after->load > search->trial->now.load)
        return OVERLOAD_COST * after->load;
    return after->latency;
}

static bool move_if_better(struct share_search *search, const struct share_point *point)
{
    double cost = point_cost(search, point);

    if (!(cost < search->cost * BETTER_RATIO))
        return false;
    search->at = *point;
    search->cost = cost;
    return true;
}

/* Moves ---------------------------------------------------------------------------------------- */

static bool move_one(struct share_search *search, int i, int by)
{
    struct share_point point = search->at;

    point.share[i] += by;
    return search->at.share[i] > 0 && point.share[i] > 0 && move_if_better(search, &point);
}

/* Transfers to one share from all others in proportion to their size. */
static bool move_from_all(struct share_search *search, int i, int by)
{
    struct share_point point = search->at;
    int others = -point.share[i];

    for (int j = 0; j < search->split->count; j++)
        others += point.share[j];
    if (point.share[i] == 0 || others == 0)
        return false;
    point.share[i] += by;
    for (int j = 0; j < search->split->count; j++) {
        if (j == i || point.share[j] == 0)
            continue;
        point.share[j] -= (int)ceil((double)by * point.share[j] / others);
        if (point.share[j] <= 0)
            return false;
    }
    return move_if_better(search, &point);
}

/* Changes several shares at random: up, down or unchanged. */
static bool move_randomly(struct share_search *search, int by)
{
    struct share_point point = search->at;

    for (int i = 0; i < search->split->count; i++) {
        double drawn = uniform_next(&search->seed);

        if (point.share[i] == 0)
            continue;
        point.share[i] += drawn < 1.0 / 3 ? -by : drawn < 2.0 / 3 ? by : 0;
        if (point.share[i] <= 0)
            return false;
    }
    return move_if_better(search, &point);
}

/* Makes a stated share automatic, or an automatic one each multiple of `by`. */
static bool toggle_automatic(struct share_search *search, int i, int by)
{
    struct share_point point = search->at;
    bool better = false;

    point.share[i] = 0;
    if (search->at.share[i] > 0)
        return move_if_better(search, &point);
    for (int share = by; share < WHOLE && by >= FIRST_MOVE / 4; share += by) {
        point = search->at;
        point.share[i] = share;
        better |= move_if_better(search, &point);
    }
    return better;
}

static bool move_all(struct share_search *search, int by)
{
    int count = search->split->count;
    bool better = false;

    for (int i = 0; i < count; i++) {
        better |= search->restates && toggle_automatic(search, i, by);
        better |= move_one(search, i, by) || move_one(search, i, -by);
        better |= move_from_all(search, i, by);
        for (int j = 0; j < count && count <= PAIRED_MAX; j++) {
            struct share_point point = search->at; /* transfer from one share to another */

            point.share[i] += by;
            point.share[j] -= by;
            if (j != i && search->at.share[i] > 0 && point.share[j] > 0)
                better |= move_if_better(search, &point);
        }
        for (int d = 0; d < RANDOM_MOVES; d++)
            better |= move_randomly(search, by);
        if (!trial_goes_on(search->trial, (search->started + search->done) / search->starts))
            return false;
    }
    return better;
}

static void search_from(struct share_search *search, struct share_point start)
{
    int sizes = 0;

    search->at = start;
    search->cost = point_cost(search, &start);
    for (int by = FIRST_MOVE; by > 0 && search->cost < INFINITE && !search->trial->stopped;
         by /= 2) {
        search->done = sizes++ / log2(2 * FIRST_MOVE);
        for (int round = 0; round < ROUNDS; round++)
            if (!move_all(search, by))
                break;
    }
    if (search->cost < search->best_cost * BETTER_RATIO) {
        search->best_cost = search->cost;
        search->best = search->at;
    }
    search->started++;
}

/* Starts --------------------------------------------------------------------------------------- */

/* Returns the shares in force, scaled to at most the whole of each device. */
static struct share_point proportional_point(const struct scenario *design,
                                             const struct share_split *split)
{
    double sum[DEVICE_MAX] = {0};
    struct share_point point = {{0}};

    for (int i = 0; i < split->count; i++)
        for (int d = 0; d < design->device_count; d++)
            if (scenario_runs_on(design, split->share[i].component, d))
                sum[d] += split->share[i].present;
    for (int i = 0; i < split->count; i++) {
        double most = 1;

        for (int d = 0; d < design->device_count; d++)
            if (scenario_runs_on(design, split->share[i].component, d))
                most = fmax(most, sum[d]);
        point.share[i] = (int)fmax(1, floor(WHOLE * split->share[i].present / most));
    }
    return point;
}

/* Returns half of each share in `even` for the bits in `stated`; the others are automatic. */
static struct share_point half_shares(const struct share_point *even, int count, unsigned stated)
{
    struct share_point half = {{0}};

    for (int i = 0; i < count; i++)
        if ((stated >> i & 1U) != 0)
            half.share[i] = even->share[i] > 1 ? even->share[i] / 2 : 1;
    return half;
}

/* The set of automatic shares creates local minima that no move leaves. For few shares all sets are
 * tried separately, for many those with one automatic share. */
static void search_all(struct share_search *search)
{
    const struct scenario *design = search->trial->design;
    int count = search->split->count;
    bool all = count <= COMBINED_MAX;
    struct share_point even = proportional_point(design, search->split);
    struct share_point stated = {{0}};
    struct share_point equal = {{0}};

    for (int i = 0; i < count; i++) {
        stated.share[i] =
            (int)floor(WHOLE * design->component[search->split->share[i].component].share);
        equal.share[i] = WHOLE / count;
    }
    search->restates = !all;
    search->starts = 3 + (all ? 2 * ((1 << count) - 2) : count <= PAIRED_MAX ? count : 0);
    search_from(search, stated);
    search_from(search, (struct share_point){{0}});
    search_from(search, even);
    for (unsigned set = 1; all && set < (1U << count) - 1 && !search->trial->stopped; set++) {
        search_from(search, half_shares(&even, count, set));
        search_from(search, half_shares(&equal, count, set));
    }
    for (int i = 0; i < count && !all && count <= PAIRED_MAX && !search->trial->stopped; i++)
        search_from(search, half_shares(&even, count, ~(1U << i)));
}

/* Components that share a device --------------------------------------------------------------- */

static void list_sharers(const struct scenario *design, const struct result *result,
                         struct share_split *split)
{
    uint32_t shared = 0;

    for (int d = 0; d < design->device_count; d++) {
        int count = 0;

        for (int c = 0; c < design->component_count; c++)
            count += scenario_runs_on(design, c, d);
        if ((split->device < 0 || split->device == d) && count > 1 &&
            scenario_sharing(design, d) == SHARING_PARTITION)
            shared |= UINT32_C(1) << d;
    }
    if (shared == 0 || (split->device < 0 && devices_count(shared) < 2))
        return;
    for (int c = 0; c < design->component_count; c++) {
        int node = result_find_node(result, design->component[c].head.name);

        if ((scenario_devices(design, c) & shared) != 0)
            split->share[split->count++] = (struct share){
                c, node < 0 ? 1 : result->node[node].share, design->component[c].share};
    }
}

void shares_best(struct trial *trial, int device, struct share_split *split)
{
    const struct performance *now = &trial->now, *after = &trial->after;
    struct share_search search = {
        .trial = trial, .split = split, .seed = SEED, .best_cost = now->latency};

    *split = (struct share_split){.device = device, .after = *now};
    list_sharers(trial->design, trial->present, split);
    if (split->count == 0)
        return;
    trial_reset(trial);
    search_all(&search);
    apply_shares(&search, &search.best);
    if (search.best_cost < now->latency && trial_evaluate(trial) && after->latency < now->latency &&
        compare_matters(after->latency, now->latency)) {
        split->after = *after;
        split->gain = now->latency - after->latency;
        for (int i = 0; i < split->count; i++)
            split->share[i].best = (double)search.best.share[i] / WHOLE;
    }
}

bool share_changes(const struct scenario *design, const struct share *share)
{
    return share->best != design->component[share->component].share;
}

void share_text(const struct share *share, char *text, size_t size)
{
    if (share->best > 0)
        number_format(share->best, text, size);
    else
        snprintf(text, size, "auto");
}
