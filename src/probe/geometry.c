#include "probe/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "probe/chase.h"

#define BLOCK 512
#define BLOCKS_LEAST 64
#define WAY_DISTANCE ((size_t)1 << 20)
#define PAGES_LEAST 16
#define PER_OCTAVE 4
#define QUICK_PER_OCTAVE 2
#define WORD 8

/* Walks ---------------------------------------------------------------------------------------- */

size_t geometry_lines_walk(size_t blocks, uint64_t seed, uint32_t offset[GEOMETRY_OFFSETS_MAX])
{
    chase_shuffle(offset, blocks, seed);
    for (size_t i = 0; i < blocks; i++) /* the bits below 512 run through their values last */
        offset[i] = offset[i] * BLOCK + offset[i] / 8 % 16 * 32;
    return blocks;
}

size_t geometry_ways_walk(size_t lines, uint64_t seed, uint32_t offset[GEOMETRY_OFFSETS_MAX])
{
    chase_shuffle(offset, lines, seed);
    for (size_t i = 0; i < lines; i++)
        offset[i] *= (uint32_t)WAY_DISTANCE;
    return lines;
}

size_t geometry_pages_walk(size_t count, uint64_t seed, uint32_t offset[GEOMETRY_OFFSETS_MAX])
{
    const uint32_t lines = GEOMETRY_PAGE / CHASE_LINE;

    chase_shuffle(offset, count, seed);
    for (size_t i = 0; i < count; i++)
        offset[i] = offset[i] * GEOMETRY_PAGE + offset[i] * 5 % lines * CHASE_LINE;
    return count;
}

/* Measuring ------------------------------------------------------------------------------------ */

static int page_octave(bool quick)
{
    return quick ? QUICK_PER_OCTAVE : PER_OCTAVE;
}

int geometry_points(bool quick)
{
    const double blocks = log2((double)GEOMETRY_BLOCKS_MAX / BLOCKS_LEAST);
    const double pages = log2((double)GEOMETRY_OFFSETS_MAX / PAGES_LEAST);

    return (int)(PER_OCTAVE * blocks) + 1 + GEOMETRY_WAYS_MAX +
           2 * ((int)(page_octave(quick) * pages) + 1);
}

struct geometry_run {
    struct probe *probe;
    char *bytes;
    uint32_t *offset;
    double done, step; /* progress of the part so far, and per point */
};

/* `block` in B; NAN: none. */
static void time_offsets(struct geometry_run *run, const char *name, size_t count, double size,
                         double block)
{
    struct measurement_point point = measurement_point(MEASUREMENT_MEMORY, name, "");
    const uint32_t *offset = run->offset;
    struct walk_chains walk = {.at = {(const void *)(run->bytes + offset[0])}};

    for (size_t i = 0; i < count; i++) {
        struct chase_node *next = (void *)(run->bytes + offset[i + 1 < count ? i + 1 : 0]);

        memcpy(run->bytes + offset[i], &next, sizeof next);
    }
    point.parameter[PARAMETER_SIZE] = size;
    point.parameter[PARAMETER_BLOCK] = block / WORD;
    walk_chains(1)(&walk, 2 * count);
    probe_time_loop(run->probe, walk_chains(1), &walk, 1, &point);
    run->done += run->step;
    probe_report(run->probe, MEASUREMENT_MEMORY, run->done);
}

static void time_lines(struct geometry_run *run)
{
    size_t blocks = BLOCKS_LEAST;

    for (int i = 1; blocks <= GEOMETRY_BLOCKS_MAX && !probe_stopped(run->probe); i++) {
        time_offsets(run, "lines", geometry_lines_walk(blocks, run->probe->seed, run->offset),
                     (double)(blocks * CHASE_LINE), (double)NAN);
        blocks = (size_t)(BLOCKS_LEAST * exp2((double)i / PER_OCTAVE));
    }
}

static void time_ways(struct geometry_run *run)
{
    for (size_t k = 1; k <= GEOMETRY_WAYS_MAX && !probe_stopped(run->probe); k++)
        time_offsets(run, "ways", geometry_ways_walk(k, run->probe->seed, run->offset),
                     (double)(k * CHASE_LINE), (double)WAY_DISTANCE);
}

static void time_pages(struct geometry_run *run, const char *name)
{
    size_t pages = PAGES_LEAST;

    for (int i = 1; pages <= GEOMETRY_OFFSETS_MAX && !probe_stopped(run->probe); i++) {
        time_offsets(run, name, geometry_pages_walk(pages, run->probe->seed, run->offset),
                     (double)(pages * GEOMETRY_PAGE), (double)NAN);
        pages = (size_t)(PAGES_LEAST * exp2((double)i / page_octave(run->probe->quick)));
    }
}

void probe_geometry(struct probe *probe, const struct huge_pages *pages, double done)
{
    struct huge_pages small = {.bytes = NULL};
    struct geometry_run run = {.probe = probe, .bytes = pages->bytes, .done = done};

    if (pages->size < GEOMETRY_SIZE || probe_stopped(probe))
        return;
    run.step = (1 - done) / geometry_points(probe->quick);
    run.offset = allocate_array(GEOMETRY_OFFSETS_MAX, sizeof *run.offset);
    time_lines(&run);
    if (huge_pages_granted(pages) >= GEOMETRY_SIZE) {
        time_ways(&run);
        time_pages(&run, "pages-2m");
        if (small_pages_map(probe, &small, GEOMETRY_SIZE)) {
            run.bytes = small.bytes;
            time_pages(&run, "pages-4k");
        }
        huge_pages_unmap(&small);
    }
    free(run.offset);
}

/* Results -------------------------------------------------------------------------------------- */

/* The points of a walk, in ascending size. */
static void read_walk(const struct measurement *measurement, const char *name,
                      struct staircase *walk)
{
    walk->count = 0;
    for (int i = 0; i < measurement->count && walk->count < KNEES_POINTS_MAX; i++) {
        const struct measurement_point *point = &measurement->point[i];
        double size = point->parameter[PARAMETER_SIZE];

        if (point->part != MEASUREMENT_MEMORY || point->count == 0 ||
            strcmp(point->name, name) != 0 ||
            !(walk->count == 0 || size > walk->size[walk->count - 1]))
            continue;
        walk->size[walk->count] = size;
        walk->latency[walk->count++] = point_least(point);
    }
}

/* The number of lines up to which times are below the bound and from which on above, with the
 * fewest exceptions; 0 if there is none. */
static double find_most(const struct measurement *measurement, const char *name, double bound)
{
    struct staircase walk;
    int wrong = 0; /* exceptions if the first i + 1 are to be below: at first none is */
    int least, best = -1;

    read_walk(measurement, name, &walk);
    for (int i = 0; i < walk.count; i++)
        wrong += walk.latency[i] < bound;
    least = wrong;
    for (int i = 0; i < walk.count; i++) {
        wrong += walk.latency[i] < bound ? -1 : 1;
        if (wrong <= least) { /* what disturbs makes slower: of equals the last */
            least = wrong;
            best = i;
        }
    }
    return best < 0 || best == walk.count - 1 ? 0 : walk.size[best] / CHASE_LINE;
}

static void find_tlbs(const struct measurement *measurement, struct geometry *geometry)
{
    struct staircase small, huge;
    struct knees knees;
    int count = 0;

    read_walk(measurement, "pages-4k", &small);
    read_walk(measurement, "pages-2m", &huge);
    for (int i = 0, j = 0; i < small.count; i++) {
        while (j < huge.count && huge.size[j] < small.size[i])
            j++;
        if (j == huge.count || huge.size[j] > small.size[i])
            continue;
        small.size[count] = small.size[i];
        small.latency[count++] = huge.latency[0] + larger(0, small.latency[i] - huge.latency[j]);
    }
    knees_find(small.size, small.latency, count, &knees);
    for (int i = 0; i + 1 < knees.plateaus && i < GEOMETRY_TLBS; i++) {
        geometry->extra[i] = knees.plateau[i + 1].latency - huge.latency[0];
        geometry->tlb[geometry->tlbs++] = knees.capacity[i];
    }
}

#define SECOND_RISE 1.4 /* times the least time after the first rise */

/* Finds a second rise of the times of lines that share a set, before the second cache is full. */
static void find_second(const struct measurement *measurement, struct geometry *geometry)
{
    struct staircase walk;
    double least = INFINITY, lines;

    read_walk(measurement, "ways", &walk);
    for (int i = 0; i < walk.count; i++)
        if (walk.size[i] > geometry->ways[0] * CHASE_LINE)
            least = smaller(least, walk.latency[i]);
    lines = find_most(measurement, "ways", SECOND_RISE * least);
    if (geometry->ways[0] > 0 && lines > geometry->ways[0] &&
        (geometry->ways[1] == 0 || lines < geometry->ways[1]))
        geometry->second = lines;
}

void geometry_from_measurement(const struct measurement *measurement, struct geometry *geometry)
{
    struct knees knees;

    *geometry = (struct geometry){.line = 0};
    knees_from_measurement(measurement, &knees);
    for (int i = 0; i < 2 && i + 1 < knees.plateaus; i++) {
        double bound = sqrt(knees.plateau[i].latency * knees.plateau[i + 1].latency);
        double lines = i == 0 ? find_most(measurement, "lines", bound) : 0;

        if (lines > 0)
            geometry->line = exp2(round(log2(knees.capacity[0] / lines)));
        geometry->ways[i] = find_most(measurement, "ways", bound);
    }
    find_second(measurement, geometry);
    find_tlbs(measurement, geometry);
}
