#include "model/memory.h"

#include <math.h>

#include "base/number.h"

const char *memory_level_name(enum memory_level_id id)
{
    static const char *const names[LEVEL_COUNT] = {"L1", "L2", "L3", "DRAM"};

    return names[id];
}

bool memory_model_waits(enum memory_model model)
{
    return model == MODEL_LATENCY_BANDWIDTH || model == MODEL_HIERARCHY_2 ||
           model == MODEL_HIERARCHY;
}

double memory_access_efficiency(enum access access)
{
    switch (access) {
    case ACCESS_STRIDED:
        return 0.5;
    case ACCESS_RANDOM:
        return 0.2;
    case ACCESS_SEQUENTIAL:
        break;
    }
    return 0.92;
}

/* Returns the innermost level a model uses: memory if all data come from beyond the caches. */
static int first_level(enum memory_model model, int count, bool beyond)
{
    int seen = 1;

    if (beyond)
        return count - 1;
    if (model == MODEL_TWO_LEVEL || model == MODEL_HIERARCHY_2)
        seen = 2;
    else if (model == MODEL_HIERARCHY)
        seen = count;
    return count > seen ? count - seen : 0;
}

/* Returns P for a capacity. */
static double hit_share(double capacity, const struct traffic *traffic)
{
    double ratio;

    if (traffic->held <= capacity)
        return 1;
    ratio = capacity / traffic->held;
    return traffic->locality == 3 ? ratio * ratio * ratio : pow(ratio, traffic->locality);
}

void memory_cost(enum memory_model model, const struct memory *memory,
                 const struct traffic *traffic, struct memory_cost *cost)
{
    double alone = 1 / larger(traffic->block, 1); /* fraction of elements that begin a block */
    bool waits = memory_model_waits(model);
    double moved = waits ? 1 - alone : 1;
    double met = waits ? alone / traffic->element : 0; /* latencies per byte */
    double before = 0;
    int first = first_level(model, memory->count, traffic->beyond);

    cost->count = memory->count - first;
    cost->transfer = cost->wait = 0;
    for (int k = first; k < memory->count; k++) {
        const struct memory_level *level = &memory->level[k];
        struct memory_part *part = &cost->part[k - first];

        part->level = level->id;
        if (before == 1) { /* no accesses are left for this level */
            part->hit = 1;
            part->fraction = part->transfer = part->wait = 0;
            continue;
        }
        part->hit = k < memory->count - 1 ? larger(before, hit_share(level->capacity, traffic)) : 1;
        part->fraction = part->hit - before;
        part->transfer = part->fraction * moved / level->bandwidth;
        part->wait = part->fraction * met * level->latency;
        cost->transfer += part->transfer;
        cost->wait += part->wait;
        before = part->hit;
    }
}
