#include "probe/chase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache_simulator.h"
#include "check.h"
#include "probe/knees.h"

struct cycle {
    size_t count;
    struct chase_node *nodes;
    uint32_t *order;
};

static struct cycle cycle_make(size_t count, uint64_t seed)
{
    struct cycle cycle = {.count = count,
                          .nodes = malloc(count * sizeof(struct chase_node)),
                          .order = malloc(count * sizeof(uint32_t))};

    if (cycle.nodes == NULL || cycle.order == NULL)
        abort();
    chase_link(cycle.nodes, cycle.order, count, seed);
    return cycle;
}

static void cycle_free(struct cycle *cycle)
{
    free(cycle->nodes);
    free(cycle->order);
}

static const size_t counts[] = {16, 17, 31, 64, 100, 1000, 4096};
#define COUNTS (sizeof counts / sizeof counts[0])

/* Steps from a node until it comes again; `most` at most. */
static size_t cycle_length(const struct chase_node *start, size_t most)
{
    const struct chase_node *at = start;
    size_t steps = 0;

    do {
        at = at->next;
        steps++;
    } while (at != start && steps < most);
    return steps;
}

TEST(the_nodes_are_one_cycle)
{
    static const size_t few[] = {2, 3, 64, 1000, 4096};

    for (size_t i = 0; i < sizeof few / sizeof few[0]; i++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct cycle cycle = cycle_make(few[i], seed);

            CHECK_INT(cycle_length(cycle.nodes, 2 * few[i]), few[i]);
            cycle_free(&cycle);
        }
    }
}

/* The last of few nodes is anywhere but at the start, as often as anywhere else. */
TEST(every_order_is_as_likely)
{
    enum { NODES = 5, SEEDS = 4000 };
    int found[NODES] = {0};

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct cycle cycle = cycle_make(NODES, seed);

        for (int i = 0; i < NODES; i++)
            found[i] += cycle.order[i] == NODES - 1;
        cycle_free(&cycle);
    }
    CHECK_INT(found[0], 0);
    for (int i = 1; i < NODES; i++)
        CHECK_TRUE(abs(found[i] - SEEDS / (NODES - 1)) < 140, "%d times at %d", found[i], i);
}

TEST(the_order_of_the_walk_and_starts_in_it)
{
    for (size_t i = 0; i < COUNTS; i++) {
        struct cycle cycle = cycle_make(counts[i], i + 1);
        uint32_t at = 0;

        for (size_t step = 0; step < counts[i]; step++, at = cycle.nodes[at].after)
            CHECK_INT(cycle.order[step], at);
        for (int chains = 1; chains <= CHASE_CHAINS_MAX; chains *= 2)
            for (int chain = 0; chain <= chains; chain++)
                CHECK_INT(chase_start(counts[i], chain, chains),
                          counts[i] * (size_t)chain / (size_t)chains);
        cycle_free(&cycle);
    }
}

static const struct chase_node *start_of(const struct cycle *cycle, int chain, int chains)
{
    return &cycle->nodes[cycle->order[chase_start(cycle->count, chain % chains, chains)]];
}

static uint64_t all_numbers(size_t count)
{
    return (uint64_t)count * (count - 1) / 2;
}

/* All chains together visit every node once, step by step, however many there are, and so do they
 * in one run. */
TEST(chains_visit_every_node_once)
{
    for (int chains = 1; chains <= CHASE_CHAINS_MAX; chains *= 2) {
        struct cycle cycle = cycle_make(1024, 7);
        struct walk_chains walk, run;
        uint64_t sum = 0;

        for (int i = 0; i < chains; i++)
            walk.at[i] = start_of(&cycle, i, chains);
        run = walk;
        for (size_t step = 0; step < cycle.count / (size_t)chains; step++) {
            for (int i = 0; i < chains; i++)
                sum += walk.at[i]->number;
            walk_chains(chains)(&walk, 1);
        }
        CHECK_INT(sum, all_numbers(cycle.count));
        walk_chains(chains)(&run, cycle.count / (size_t)chains);
        for (int i = 0; i < chains; i++) {
            CHECK(walk.at[i] == start_of(&cycle, i + 1, chains));
            CHECK(run.at[i] == walk.at[i]);
        }
        cycle_free(&cycle);
    }
    CHECK(walk_chains(3) == NULL);
}

/* The approach loads what the last steps before the starts would. */
TEST(the_approach_to_the_starts)
{
    for (int chains = 1; chains <= CHASE_CHAINS_MAX; chains *= 2) {
        struct cycle cycle = cycle_make(1000, 7);
        size_t each = 1000 / (size_t)chains;

        for (size_t steps = 0; steps <= each; steps += 1 + each / 5) {
            uint64_t sum = 0;

            for (int i = 0; i < chains; i++)
                for (size_t step = 1; step <= steps; step++)
                    sum += cycle.order[(chase_start(1000, i, chains) + 1000 - step) % 1000];
            CHECK_INT(walk_warm_caches(cycle.nodes, cycle.order, 1000, chains, steps), sum);
        }
        cycle_free(&cycle);
    }
}

/* List and array go the same way, node by node. */
TEST(list_and_array_go_the_same_way)
{
    for (size_t i = 0; i < COUNTS; i++) {
        struct cycle cycle = cycle_make(counts[i], i + 1);
        struct heap_list heap;
        struct walk_chains list;
        struct walk_array array = {.nodes = cycle.nodes}, run = array;
        uint64_t sum = 0;

        heap_list_make(&heap, cycle.nodes, counts[i]);
        list.at[0] = heap.node[0];
        for (size_t step = 0; step < counts[i]; step++) {
            CHECK_INT(list.at[0]->number, array.at);
            sum += array.at;
            walk_chains(1)(&list, 1);
            walk_array(&array, 1);
        }
        CHECK_INT(sum, all_numbers(counts[i]));
        CHECK(list.at[0] == heap.node[0]);
        CHECK_INT(array.at, 0);
        walk_array(&run, counts[i] + 1);
        CHECK_INT(run.at, cycle.nodes[0].after);
        heap_list_free(&heap);
        cycle_free(&cycle);
    }
}

TEST(the_sequential_walk_visits_in_order)
{
    struct cycle cycle = cycle_make(100, 1);
    struct walk_sequential walk = {.nodes = cycle.nodes, .count = 100};

    walk_sequential(&walk, 10);
    CHECK_INT(walk.sum, 45);
    walk_sequential(&walk, 90);
    CHECK_INT(walk.sum, 4950);
    walk_sequential(&walk, 203);
    CHECK_INT(walk.sum, 3 * 4950 + 0 + 1 + 2);
    CHECK_INT(walk.at, 3);
    cycle_free(&cycle);
}

TEST(the_walk_with_prefetch_visits_in_order)
{
    struct cycle cycle = cycle_make(100, 3);
    const struct chase_node *order[100 + WALK_AHEAD_MAX];
    uint64_t some = 0;
    uint32_t at = 0;

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++, at = cycle.nodes[at].after) {
        order[i] = &cycle.nodes[at];
        some += i < 37 ? at : 0;
    }
    for (size_t ahead = 0; ahead <= WALK_AHEAD_MAX; ahead++) {
        struct walk_prefetch walk = {.order = order, .count = 100, .ahead = ahead};

        walk_prefetch(&walk, 37);
        CHECK_INT(walk.sum, some);
        walk_prefetch(&walk, 63);
        CHECK_INT(walk.sum, 4950);
        walk_prefetch(&walk, 237);
        CHECK_INT(walk.sum, 3 * 4950 + some);
    }
    cycle_free(&cycle);
}

#define PAGE 4096

/* Where a system that gives out pages as they come puts an address. */
static uint64_t physical(uint64_t address, bool scattered)
{
    uint64_t page = address / PAGE;

    return scattered ? page * 0x9e3779b97f4a7c15u % 65521 * PAGE + address % PAGE : address;
}

/* Mean latency of a walk once the caches are as the walk before it left them, chains interleaved.
 */
static double simulate(struct simulator *simulator, const struct cycle *cycle, int chains,
                       bool scattered)
{
    double sum = 0;

    simulator_reset(simulator);
    for (int round = 0; round < 2; round++) {
        struct walk_chains walk;
        size_t steps = cycle->count / (size_t)chains;

        for (int i = 0; i < chains; i++)
            walk.at[i] = start_of(cycle, i, chains);
        sum = 0;
        for (size_t step = 0; step < steps; step++) {
            for (int i = 0; i < chains; i++)
                sum += simulator_access(simulator, physical((uint64_t)((const char *)walk.at[i] -
                                                                       (const char *)cycle->nodes),
                                                            scattered));
            walk_chains(chains)(&walk, 1);
        }
        sum /= (double)(steps * (size_t)chains);
    }
    return sum;
}

static void simulated_staircase(struct simulator *simulator, bool scattered)
{
    double size[KNEES_POINTS_MAX], latency[KNEES_POINTS_MAX];
    struct knees knees;
    int count = 0;

    for (; 1024 * exp2(count / 6.0) <= 2 << 20; count++) {
        struct cycle cycle = cycle_make((size_t)(1024 * exp2(count / 6.0)) / CHASE_LINE, 1);

        size[count] = (double)(cycle.count * CHASE_LINE);
        latency[count] = simulate(simulator, &cycle, 1, scattered);
        cycle_free(&cycle);
    }
    knees_find(size, latency, count, &knees);
    if (!CHECK_INT(knees.plateaus, simulator->levels + 1))
        return;
    for (int i = 0; i < simulator->levels; i++) {
        const struct simulated_cache *cache = &simulator->level[i];
        double capacity = (double)(cache->sets * cache->ways * SIMULATED_LINE);

        CHECK_TRUE(fabs(log(knees.capacity[i] / capacity)) < log(1.5), "%.0f B instead of %.0f",
                   knees.capacity[i], capacity);
        CHECK_NEAR(knees.plateau[i].latency, cache->latency, 0.2);
    }
    CHECK_NEAR(knees.plateau[simulator->levels].latency, simulator->memory, 0.2);
}

/* The walk's own addresses through caches of known capacity. */
TEST(finds_the_capacities_of_simulated_caches)
{
    struct simulator two = {
        .levels = 2, .level = {{16, 8, 1e-9, NULL}, {128, 16, 4e-9, NULL}}, .memory = 80e-9};
    struct simulator one = {.levels = 1, .level = {{64, 4, 2e-9, NULL}}, .memory = 30e-9};

    for (int scattered = 0; scattered <= 1; scattered++) {
        simulator_open(&two);
        simulated_staircase(&two, scattered);
        simulator_close(&two);
        simulator_open(&one);
        simulated_staircase(&one, scattered);
        simulator_close(&one);
    }
}

/* Chains that follow each other evenly spaced hit as often as one chain: none in a cache a little
 * too small, all in one that is large enough. Chains that start side by side would all but one run
 * over lines just brought. */
TEST(chains_do_not_help_each_other)
{
    struct simulator simulator = {.levels = 1, .level = {{64, 8, 1, NULL}}, .memory = 100};

    simulator_open(&simulator);
    for (int chains = 1; chains <= CHASE_CHAINS_MAX; chains *= 2) {
        struct cycle small = cycle_make(512, 1), large = cycle_make(1024, 1);

        CHECK_NEAR(simulate(&simulator, &small, chains, false), 1, 0);
        CHECK_NEAR(simulate(&simulator, &large, chains, false), 100, 0);
        cycle_free(&small);
        cycle_free(&large);
    }
    simulator_close(&simulator);
}
