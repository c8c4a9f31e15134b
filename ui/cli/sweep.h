/* What the words of a sweep ask for: the knobs that vary, the design, the results, the shard. */
#ifndef AOLAG_CLI_SWEEP_H
#define AOLAG_CLI_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/arguments.h"
#include "cli/source.h"
#include "report/sweep.h"

#define SWEEP_WANTED_MAX 64
#define SWEEP_RESULTS "latency,first_pixel_latency,max_frame_rate,load,loop.servo_lag"

struct sweep_asked {
    struct cli *cli;
    const struct arguments *arguments;
    struct design design;
    struct axis axis[SWEEP_AXES_MAX];
    struct axis *fixed; /* what --set says of a device whose preset varies */
    struct result_ref wanted[SWEEP_WANTED_MAX];
    struct sweep sweep;  /* of all these */
    uint64_t count;      /* designs in all */
    uint64_t first, end; /* those of the shard */
    bool head;           /* it is the first one: of CSV the header goes before its rows */
};

/* From `arguments`, which were read; the rest is zero. Returns EXIT_GOOD, or the exit status of
 * what is wrong and was said; either way sweep_asked_free has to follow. */
int sweep_asked_read(struct sweep_asked *asked);
void sweep_asked_free(struct sweep_asked *asked);

#endif
