#include "design/algorithm.h"

#include <stddef.h>

/* FLOP per cycle, fp32, of the core on which the efficiencies of dependent sums were measured: two
 * 256-bit FMA pipes. */
#define MEASURED 32

#define EFFICIENCY(cpu, gpu, memory)                                                               \
    .cpu_efficiency = cpu, .gpu_efficiency = gpu, .gpu_memory = memory

const struct algorithm algorithms[ALGORITHM_COUNT] = {
#define ALGORITHM(id, ...) [ALGORITHM_##id] = {__VA_ARGS__},
#include "design/algorithms.def"
#undef ALGORITHM
};

int algorithm_first(enum component_type type)
{
    int i = 0;

    while (i < ALGORITHM_COUNT && algorithms[i].type < type)
        i++;
    return i < ALGORITHM_COUNT && algorithms[i].type == type ? i : -1;
}

int algorithm_type_count(enum component_type type)
{
    int count = 0;

    for (int i = 0; i < ALGORITHM_COUNT; i++)
        count += algorithms[i].type == type;
    return count;
}

int algorithm_index(const struct component *c)
{
    return c->algorithm != REFERENCE_AUTO ? c->algorithm
                                          : algorithm_first((enum component_type)c->type);
}

const struct algorithm *algorithm_row(const struct scenario *scenario, int component)
{
    int row = algorithm_index(&scenario->component[component]);

    return row < 0 ? NULL : &algorithms[row];
}

bool algorithm_elementwise(const struct algorithm *row)
{
    return row->type == COMPONENT_CALIBRATION || row->type == COMPONENT_PYRAMID ||
           row->type == COMPONENT_CONTROL;
}

enum barrier algorithm_barrier(const struct component *c)
{
    int row = algorithm_index(c);

    if (row < 0 || (c->type == COMPONENT_PYRAMID && c->normalisation == NORMALISATION_LOCAL))
        return BARRIER_PACKET;
    return algorithms[row].barrier;
}
