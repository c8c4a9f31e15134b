#include "run/work.h"

#include <errno.h>
#include <string.h>

#include "base/random.h"
#include "probe/kernels.h"

/* Returns the elements of a part's own data. */
static size_t own_elements(const struct run_part *part)
{
    switch (part->kind) {
    case RUN_CALIBRATION:
        return 2 * part->items; /* dark, flat */
    case RUN_CENTROID:
        return 2 * part->items + part->side * part->side; /* reference slopes, template */
    case RUN_PYRAMID:
        return 3 * part->items + KERNEL_LINE * (size_t)part->workers; /* flux, x, y; sums */
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

static void add_other_choice(const struct run_part *part, struct error *error)
{
    error_add(error, "state --set %s to run it on the host", part->on_host);
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
        add_other_choice(part, error);
    huge_pages_unmap(&work->pages);
    return error->status;
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
                                               .threshold = KERNEL_THRESHOLD};
    const struct kernel_range range =
        kernel_range_of(part->until[slot], part->until[slot + 1], rank, size);

    work->loops->centroid[loop[part->algorithm]](&centroids, range.first, range.last);
}

/* Normalises a slot by the flux of its own pixels, the work of doing so with the whole frame. */
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
    const struct kernel_range range =
        kernel_lines_of(part->until[slot], part->until[slot + 1], rank, size);
    const bool four = part->algorithm == ALGORITHM_PYRAMID_INTENSITY;
    float sum = 0;

    if (phase == 0) {
        sums[KERNEL_LINE * rank] = (four ? work->loops->pyramid_flux : work->loops->pyramid_sums)(
            &pyramid, range.first, range.last);
        return;
    }
    for (int i = 0; i < size; i++)
        sum += sums[KERNEL_LINE * i];
    (four ? work->loops->pyramid_intensities : work->loops->pyramid_slopes)(
        &pyramid, (float)part->items / sum, range.first, range.last);
}

/* Multiplies the columns of the slot, which are a matrix of their own, and adds the product. */
static void do_matrix(struct run_work *work, int slot, int rank, int size)
{
    const struct run_part *part = work->part;
    const size_t from = part->until[slot], columns = part->until[slot + 1] - from;
    const struct kernel_range range = kernel_range_of(0, part->side, rank, size);
    float *own = work->pages.bytes, *product = own + part->side * part->items;
    float *sum = work->arrays->vector + part->vector;
    const bool begins = part->rings[slot] == 0;

    if (work->board != NULL) {
        if (run_board_multiply(work->board, work->arrays->slopes + part->slopes + from, from,
                               columns, part->until[slot + 1] == part->items, sum,
                               &work->error) != STATUS_OK)
            add_other_choice(part, &work->error);
        return;
    }
    work->loops->mvm(own + part->side * from, work->arrays->slopes + part->slopes + from,
                     begins ? sum : product, columns, range.first, range.last);
    for (size_t i = range.first; i < range.last && !begins; i++)
        sum[i] += product[i];
}

static void do_control(const struct run_work *work, int rank, int size)
{
    const struct run_part *part = work->part;
    float *own = work->pages.bytes;
    float *const arrays[] = {work->arrays->vector,  own,
                             own + part->items,     own + 2 * part->items,
                             own + 3 * part->items, work->arrays->command};
    const struct kernel_integrator integrator = kernel_integrator_on(arrays);
    const struct kernel_range range = kernel_lines_of(0, part->items, rank, size);

    work->loops->integrator(&integrator, range.first, range.last);
}

void run_work_do(struct run_work *work, int slot, int phase, int rank, int size)
{
    const struct run_part *part = work->part;
    const float *own = work->pages.bytes;
    struct kernel_range range;

    switch (part->kind) {
    case RUN_CALIBRATION:
        range = kernel_lines_of(part->until[slot], part->until[slot + 1], rank, size);
        work->loops->dark_flat(work->arrays->raw + part->pixels, own, own + part->items,
                               work->arrays->image + part->pixels, range.first, range.last);
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
