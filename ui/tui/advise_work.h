/* What the worker of view 6 finds. Part of view_advise. */
#ifndef AOLAG_TUI_ADVISE_WORK_H
#define AOLAG_TUI_ADVISE_WORK_H

#include <stdatomic.h>

#include "explore/advise.h"
#include "explore/rank.h"

/* Parts come in this order; those up to `parts` are there and stay as they are. */
enum advise_work_part { WORK_STEPS, WORK_REACH, WORK_SHARES, WORK_RANK, WORK_PACKETS, WORK_PARTS };

struct advise_work {
    struct advise *advise;
    struct catalogue *catalogue;
    atomic_int parts;
    int rank_count;
    struct rank rank[DEVICE_MAX]; /* of each that runs something, but the first of those alike */
    struct error error;           /* why it ended early */
};

#endif
