#include "run/work.h"

#include <errno.h>
#include <string.h>

#include "base/random.h"

#define LINE 16 /* elements of a cache line, which no two threads write */

struct span {
    size_t first, last;
};

/* Returns the items of a thread: one of `size` ranges of whole lines. */
static struct span thread_span(size_t first, size_t last, int rank, int size)
{
    const size_t count = last - first;
    struct span span = {first + count * (size_t)rank / (size_t)size,
                        first + count * ((size_t)rank + 1) / (size_t)size};

    if (rank > 0)
        span.first = (span.first + LINE - 1) / LINE * LINE;
    if (rank < size - 1)
        span.last = (span.last + LINE - 1) / LINE * LINE;
    span.last = span.last < last ? span.last : last;
    span.first = span.first < span.last ? span.first : span.last;
    return span;
}

/* Returns the elements of a part's own data. */
static size_t own_elements(const struct run_part *part)
{
    switch (part->kind) {
    case RUN_CALIBRATION:
        return 2 * part->items; /* dark, flat */
    case RUN_CENTROID:
        return 2 * part->items + part->side * part->side; /* reference slopes, template */
    case RUN_PYRAMID:
        return 3 * part->items + LINE * (size_t)part->workers; /* flux, x, y; sums */
    case RUN_MATRIX:
        return part->side * part->items + part->side; /* matrix, product of a slot */
    case RUN_CONTROL:
        return 4 * part->items; /* offset, state, moved, clipped */
    case RUN_CAMERA:
    case RUN_MIRROR:
        break;
    }
    return 0;
}

double run_work_bytes(const struct run_part *part)
{
    return sizeof(float) * (double)own_elements(part);
}

enum status run_work_open(struct run_work *work, const struct run_part *part,
                          const struct run_arrays *arrays, char name[RUN_BOARD_NAME],
                          struct error *error)
{
    const struct kernel_loops *loops[KERNEL_LOOPS_MAX];
    const size_t elements = own_elements(part);
    uint64_t seed = 1;
    float *own;

    kernel_loops_here(loops);
    *work = (struct run_work){.part = part,
                              .arrays = arrays,
                              .loops = loops[0],
                              .phases = part->kind == RUN_PYRAMID ? 2 : 1};
    if (elements == 0)
        return STATUS_OK;
    if (!huge_pages_map(NULL, &work->pages, elements * sizeof(float)))
        return error_set(error, STATUS_IO, "no memory for %.0f MB: %s", run_work_bytes(part) / 1e6,
                         strerror(ENOMEM));
    own = work->pages.bytes;
    for (size_t i = 0; i < elements; i++)
        own[i] = 0.5F + (float)(random_next(&seed) >> 40) * 0x1p-24F;
    if (!part->board)
        return STATUS_OK;
    if (run_board_open(&work->board, own, part->side, part->items, name, error) != STATUS_OK)
        error_add(error, "state --set %s to run it on the host", part->on_host);
    huge_pages_unmap(&work->pages);
    return error->status;
}

void run_work_close(struct run_work *work)
{
    huge_pages_unmap(&work->pages);
}

static void do_centroids(const struct run_work *work, int slot, int rank, int size)
{
    static const enum kernel_centroid loop[] = {[ALGORITHM_COG] = KERNEL_CENTROID_COG,
                                                [ALGORITHM_THRESHOLD] = KERNEL_CENTROID_THRESHOLD,
                                                [ALGORITHM_BRIGHTEST] = KERNEL_CENTROID_BRIGHTEST,
                                                [ALGORITHM_CORRELATION] =
                                                    KERNEL_CENTROID_CORRELATION};
    const struct run_part *part = work->part;
    const float *own = work->pages.bytes;
    const struct kernel_centroids centroids = {.pixels = work->arrays->image + part->pixels,
                                               .reference = own,
                                               .image = own + 2 * part->items,
                                               .slopes = work->arrays->slopes + part->slopes,
                                               .side = part->side,
                                               .search = part->search,
                                               .threshold = 0.75F};
    const struct span span = thread_span(part->until[slot], part->until[slot + 1], rank, size);

    work->loops->centroid[loop[part->algorithm]](&centroids, span.first, span.last);
}

/* The sums of a frame that is normalised as a whole follow the last slot. */
static void do_pyramid(const struct run_work *work, int slot, int phase, int rank, int size)
{
    const struct run_part *part = work->part;
    const float *image = work->arrays->image + part->pixels;
    float *own = work->pages.bytes, *sums = own + 3 * part->items;
    const struct kernel_pyramid pyramid = {
        .image = {image, image + part->items, image + 2 * part->items, image + 3 * part->items},
        .flux = own,
        .x = own + part->items,
        .y = own + 2 * part->items,
        .slopes = work->arrays->slopes + part->slopes,
        .pupil = part->items};
    const struct span span = thread_span(part->until[slot], part->until[slot + 1], rank, size);
    const bool four = part->algorithm == ALGORITHM_PYRAMID_INTENSITY;
    float sum = 0;

    if (phase == 0) {
        sums[LINE * rank] = (four ? work->loops->pyramid_flux
                                  : work->loops->pyramid_sums)(&pyramid, span.first, span.last);
        return;
    }
    for (int i = 0; i < size; i++)
        sum += sums[LINE * i];
    (four ? work->loops->pyramid_intensities
          : work->loops->pyramid_slopes)(&pyramid, (float)part->items / sum, span.first, span.last);
}

/* Multiplies the columns of the slot, which are a matrix of their own, and adds the product. */
static void do_matrix(struct run_work *work, int slot, int rank, int size)
{
    const struct run_part *part = work->part;
    const size_t from = part->until[slot], columns = part->until[slot + 1] - from;
    const struct span span = thread_span(0, part->side, rank, size);
    float *own = work->pages.bytes, *product = own + part->side * part->items;
    float *sum = work->arrays->vector + part->vector;
    const bool begins = part->rings[slot] == 0;

    if (work->board != NULL) {
        work->failed =
            !run_board_multiply(work->board, work->arrays->slopes + part->slopes + from, from,
                                columns, part->until[slot + 1] == part->items, sum);
        return;
    }
    work->loops->mvm(own + part->side * from, work->arrays->slopes + part->slopes + from,
                     begins ? sum : product, columns, span.first, span.last);
    for (size_t i = span.first; i < span.last && !begins; i++)
        sum[i] += product[i];
}

static void do_control(const struct run_work *work, int rank, int size)
{
    const struct run_part *part = work->part;
    float *own = work->pages.bytes;
    const struct kernel_integrator integrator = {.error = work->arrays->vector,
                                                 .offset = own,
                                                 .state = own + part->items,
                                                 .moved = own + 2 * part->items,
                                                 .clipped = own + 3 * part->items,
                                                 .command = work->arrays->command,
                                                 .leak = 0.99F,
                                                 .gain = 0.3F,
                                                 .limit = 25,
                                                 .scale = 0.5F,
                                                 .bias = 0.25F};
    const struct span span = thread_span(0, part->items, rank, size);

    work->loops->integrator(&integrator, span.first, span.last);
}

void run_work_do(struct run_work *work, int slot, int phase, int rank, int size)
{
    const struct run_part *part = work->part;
    const float *own = work->pages.bytes;
    struct span span;

    switch (part->kind) {
    case RUN_CALIBRATION:
        span = thread_span(part->until[slot], part->until[slot + 1], rank, size);
        work->loops->dark_flat(work->arrays->raw + part->pixels, own, own + part->items,
                               work->arrays->image + part->pixels, span.first, span.last);
        break;
    case RUN_CENTROID:
        do_centroids(work, slot, rank, size);
        break;
    case RUN_PYRAMID:
        do_pyramid(work, slot, phase, rank, size);
        break;
    case RUN_MATRIX:
        do_matrix(work, slot, rank, size);
        break;
    case RUN_CONTROL:
        do_control(work, rank, size);
        break;
    case RUN_CAMERA:
    case RUN_MIRROR:
        break;
    }
}
