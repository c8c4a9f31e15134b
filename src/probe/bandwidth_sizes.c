#include <math.h>

#include "bandwidth.h"

#define SMALLEST 1024.0 /* B a core: below it a sweep is mostly its beginning and end */

/* A cache as `cores` see it. */
struct level {
    double capacity; /* B, of all such caches that they use */
    double share;    /* B of it for each core that could use it */
};

static int find_levels(const struct system_caches *caches, int cores,
                       struct level levels[SYSTEM_CACHES_MAX])
{
    static const double usual[] = {32 << 10, 512 << 10, 8 << 20};
    int count = 0;

    for (int i = 0; i < caches->levels; i++) {
        int threads = caches->threads[0] > 1 ? caches->threads[0] : 1;
        int shared = caches->threads[i] > threads ? caches->threads[i] / threads : 1;

        if (caches->capacity[i] > 0)
            levels[count++] = (struct level){caches->capacity[i] * ((cores + shared - 1) / shared),
                                             caches->capacity[i] / shared};
    }
    for (int i = 0; count < 3 && caches->levels == 0; i++)
        levels[count++] = (struct level){i < 2 ? cores * usual[i] : usual[i],
                                         i < 2 ? usual[i] : usual[i] / cores};
    return count;
}

static int add(double size, double least, double largest, size_t *sizes, int count)
{
    if (count > 0 && least < (double)sizes[count - 1] * 1.05)
        least = (double)sizes[count - 1] * 1.05;
    if (size < least || size > largest || count == BANDWIDTH_SIZES_MAX)
        return count;
    sizes[count] = (size_t)size;
    return count + 1;
}

int bandwidth_sizes(const struct system_caches *caches, int cores, bool quick, size_t largest,
                    size_t sizes[BANDWIDTH_SIZES_MAX])
{
    const double most = (double)largest;
    struct level levels[SYSTEM_CACHES_MAX];
    int levels_count = find_levels(caches, cores, levels);
    double inner = SMALLEST * cores, last;
    int count = 0;

    for (int i = 0; i < levels_count; i++) {
        const struct level *level = &levels[i];
        double share = level->share * cores;

        /* What fits into the cache within, or nearly, is not of this one. */
        if (share < level->capacity)
            count = add(share / 2, inner, most, sizes, count);
        if (!quick)
            count = add(level->capacity / 4, inner, most, sizes, count);
        count = add(fmax(level->capacity / 2, inner), inner, most, sizes, count);
        inner = 1.5 * share;
    }
    last = levels[levels_count - 1].capacity;
    count = add(fmin(4 * last, most), 0, most, sizes, count);
    if (!quick)
        count = add(fmin(8 * last, most), 0, most, sizes, count);
    if (count == 0)
        sizes[count++] = largest;
    return count;
}
