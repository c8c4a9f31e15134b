#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "draw.h"
#include "model/evaluate.h"
#include "model/stage.h"
#include "random_design.h"
#include "sample.h"

/* The edges of random designs: all parts of all predecessors are waited for, over as many
 * hops as lie between, with as many bytes as there are to carry. */

static struct scenario scenario;
static const struct plan *plan;
static const struct stage *stages;
static uint64_t seed;

#define HOLDS(condition, ...) draw_holds((condition), seed, __FILE__, __LINE__, __VA_ARGS__)

static int host(int device)
{
    return device < 0 ? -1 : scenario_host(&scenario, device);
}

/* Hops from a board to its host, or back: none where they share their memory. */
static int hops_to_host(int device)
{
    return host(device) != device && scenario.device[device].host_link != HOST_LINK_UNIFIED;
}

static int hops_between(int from, int to)
{
    if (from < 0 || to < 0 || from == to)
        return 0;
    return (to == host(from) ? 0 : hops_to_host(to)) + (host(from) != host(to)) +
           (from == host(to) ? 0 : hops_to_host(from));
}

static int devices_of(int component)
{
    int count = 0;

    for (int d = 0; d < scenario.device_count; d++)
        count += (scenario_devices(&scenario, component) >> d & 1) != 0;
    return count > 1 ? count : 1;
}

/* Bytes a node of component `a` sends to one of component `c`. */
static double payload(int node, int a, int c)
{
    const struct component *to = &scenario.component[c];
    const struct component *from = &scenario.component[a];
    double commands = to->actuators > 0 ? to->actuators : scenario.ao.actuators;
    bool in_columns = to->type == COMPONENT_RECONSTRUCTION && to->split == SPLIT_COLUMNS;

    if (to->type == COMPONENT_DM)
        return commands * to->bits_per_actuator / 8 /
               (from->type == COMPONENT_RECONSTRUCTION ? devices_of(a) : 1);
    return stages[node].output / (in_columns ? devices_of(c) : 1);
}

static bool joins_hosts(int component)
{
    return scenario.component[component].type == COMPONENT_TRANSFER &&
           scenario.component[component].link == LINK_NETWORK;
}

/* Walks back from what a node waits for to the one that made it. */
static void check_edge(int to, int before, int from, int a, int c)
{
    const struct plan_node *end = &plan->node[to];
    int source = plan->node[from].device;
    int target = end->device;
    int hops = 0;

    if (scenario.component[a].type == COMPONENT_CAMERA || joins_hosts(a))
        source = host(target);
    if (joins_hosts(c))
        target = host(plan->node[from].device);
    if (scenario.component[c].type == COMPONENT_DM)
        target = host(scenario_device(&scenario, a));
    for (; before != from && plan->node[before].component < 0 && hops < 4; hops++) {
        double bytes = payload(from, a, c);

        HOLDS(fabs(stages[before].output - bytes) <= 1e-9 * bytes, "%s carries %.12g B, not %.12g",
              plan->node[before].name, stages[before].output, bytes);
        HOLDS(plan->node[before].before_count == 1, "%s waits for several",
              plan->node[before].name);
        before = plan->pool[plan->node[before].before_first];
    }
    HOLDS(before == from, "%s does not wait for %s", end->name, plan->node[from].name);
    HOLDS(hops == hops_between(source, target), "%d hops from %s to %s, expected %d", hops,
          plan->node[from].name, end->name, hops_between(source, target));
}

/* One node, of a component or a part of it, and all that its component comes after. */
static void check_node(int n)
{
    const struct plan_node *node = &plan->node[n];
    uint64_t before = scenario_predecessors(&scenario, node->component);
    int at = 0;

    for (int a = 0; a < scenario.component_count; a++) {
        for (int from = 0; from < plan->count && (before >> a & 1) != 0; from++) {
            if (plan->node[from].component != a || plan_node_is_whole(&plan->node[from]))
                continue;
            if (HOLDS(at < node->before_count, "%s waits for too few", node->name))
                check_edge(n, plan->pool[node->before_first + at], from, a, node->component);
            at++;
        }
    }
    HOLDS(at == node->before_count, "%s waits for %d, expected %d", node->name, node->before_count,
          at);
}

/* Every component is there as often as it has devices, and under its own name. */
static int check_components(void)
{
    int split = 0;

    for (int c = 0; c < scenario.component_count; c++) {
        int parts = devices_of(c);
        int own = 0;
        int nodes = 0;

        for (int n = 0; n < plan->count; n++) {
            own += strcmp(plan->node[n].name, scenario.component[c].head.name) == 0;
            nodes += plan->node[n].component == c;
        }
        HOLDS(own == 1 && nodes == (parts > 1 ? parts + 1 : 1), "%s: %d nodes of %d parts",
              scenario.component[c].head.name, nodes, parts);
        split += parts > 1;
    }
    return split;
}

TEST(random_edges)
{
    struct result *result = sample_result();
    struct draw start = draw_start(0x5EED4000);
    int repeat = draw_repeat(4000);
    int evaluated = 0;
    int split = 0;

    for (int i = 0; i < repeat; i++) {
        struct draw draw = {start.state + (uint64_t)i};
        struct error error;

        seed = draw.state;
        random_design(&draw, &scenario);
        if (evaluate(&scenario, result, &error) != STATUS_OK)
            continue;
        plan = &result->work->plan;
        stages = result->work->stage;
        for (int n = 0; n < plan->count; n++)
            if (plan->node[n].component >= 0 && !plan_node_is_whole(&plan->node[n]))
                check_node(n);
        split += check_components() > 0;
        evaluated++;
    }
    printf("# %d designs evaluated, %d with a split\n", evaluated, split);
    CHECK(repeat < 1000 || split * 25 > evaluated);
}
