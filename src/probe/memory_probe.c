#include "memory_probe.h"

#include <stdlib.h>

#include "chase.h"
#include "pages.h"

#define SMALLEST ((size_t)4 << 10) /* B */

static void walk(void *data, uint64_t repeats)
{
    const void **at = data;
    const void *here = *at;

    for (uint64_t i = 0; i < repeats; i++)
        here = *(void *const *)here;
    probe_keep_pointer(here);
    *at = here;
}

static enum status time_size(struct probe *probe, size_t size, struct error *error)
{
    struct measurement_point point = measurement_point(MEASUREMENT_MEMORY, "chase", "");
    struct pages pages;
    uint32_t *order = malloc(size / CHASE_LINE * sizeof *order);
    enum status status;

    if (order == NULL || !pages_get(&pages, size)) {
        free(order);
        return error_set(error, STATUS_MEMORY, "no memory for %zu B", size);
    }
    chase_link(pages.bytes, order, size / CHASE_LINE, probe->seed);
    free(order);
    if (chase_length(pages.bytes, size / CHASE_LINE + 1) == size / CHASE_LINE) {
        const void *at = pages.bytes;

        point.parameter[PARAMETER_SIZE] = (double)size;
        point.parameter[PARAMETER_CHAINS] = 1;
        status = probe_time(probe, walk, &at, 1, &point, error);
    } else {
        status = error_set(error, STATUS_INVALID, "the lines of %zu B are not one cycle", size);
    }
    pages_free(&pages);
    return status;
}

enum status probe_memory(struct probe *probe, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t size = SMALLEST; size <= probe->largest && status == STATUS_OK; size *= 2) {
        if (probe_stopped(probe))
            break;
        status = time_size(probe, size, error);
        probe_report(probe, MEASUREMENT_MEMORY, (double)size / (double)probe->largest);
    }
    return status;
}
