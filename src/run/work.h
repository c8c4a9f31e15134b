/* The work of a part of a run: one of the kernels of probe/loops with its data. */
#ifndef AOLAG_RUN_WORK_H
#define AOLAG_RUN_WORK_H

#include "base/status.h"
#include "probe/loops/kernel_loops.h"
#include "probe/probe.h"
#include "run/board.h"
#include "run/job.h"

/* What parts share, in memory of all processes. */
struct run_arrays {
    uint16_t *arriving; /* [job->pixels]; the same as `raw` unless whole frames are copied */
    uint16_t *raw;      /* [job->pixels] */
    float *image;       /* [job->pixels] */
    float *slopes;      /* [job->slopes] */
    float *vector;      /* [job->vector]: of reconstructions */
    float *command;     /* [job->vector] */
};

struct run_work {
    const struct run_part *part;
    const struct run_arrays *arrays;
    const struct kernel_loops *loops;
    struct huge_pages pages; /* its own data: matrix, flat field, ... */
    struct run_board *board; /* of a reconstruction on a GPU; NULL: none */
    struct error error;      /* of the GPU */
    int phases;              /* of a slot; each begins when all threads have ended the one before */
};

/* Returns the bytes of a part's own data. */
double run_work_bytes(const struct run_part *part);

/* Prepares a part and fills its data; writes the name of the GPU if it uses one. STATUS_IO if there
 * is no memory, or as run_board_open; then there is nothing to close. */
enum status run_work_open(struct run_work *work, const struct run_part *part,
                          const struct run_arrays *arrays, char name[RUN_BOARD_NAME],
                          struct error *error);

/* Does the work of thread `rank` of `size` in a phase of a slot. */
void run_work_do(struct run_work *work, int slot, int phase, int rank, int size);

#endif
