/* The distribution of a design's latency when durations vary, by simulating many frames.
 *
 * Every slot in which a component works on a device, deferred work too, lasts its duration
 * (launches and overheads included) times a lognormal factor of median 1 whose p99 is the device's
 * `jitter`, each drawn independently:
 *
 *     factor = exp(z ln(jitter) / z99),   z standard normal, z99 = 2.326 its 99th percentile
 *
 * Cameras' readout, links and mirrors do not vary. Where evaluate runs several frames for a latency
 * (frames.h), as many are drawn anew for each one here; a frame that exceeds its period only
 * because of its factors overlaps no other. The frames of an overloaded design are those of an idle
 * system, as its latency is. Factors of 1 give evaluate's latency to the last bit.
 *
 * The draws are the same on every machine (base/random.h), in the order of nodes and slots,
 * whatever the jitter of a device is, so that designs which differ in it alone are compared draw by
 * draw. */
#ifndef AOLAG_MODEL_JITTER_H
#define AOLAG_MODEL_JITTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

#define JITTER_FRAMES 10000 /* enough for a p99.9 */
#define JITTER_FRAMES_MAX 1000000
#define JITTER_BINS 40
#define JITTER_SEED 1

/* Frames whose latency is from `from` up to but not `to`, the last one's too. */
struct jitter_bin {
    double from, to; /* s */
    long frames;
};

struct jitter {
    long frames;
    uint64_t seed;
    double latency;         /* s, without jitter: evaluate's */
    double least, most;     /* s */
    double p50, p99, p999;  /* s, the least that so large a part of the frames does not exceed */
    double target;          /* s, the deadline */
    long missed;            /* frames later than that */
    double probability;     /* missed of frames */
    double standard_error;  /* of it, binomial; 0 where none or all are missed */
    double probability_max; /* 95 % upper bound of the probability where none is missed (1 - 0.05^(1
                               / frames)), else RESULT_NONE */
    int bins; /* 1 where all frames take equally long, else JITTER_BINS, equally wide */
    struct jitter_bin bin[JITTER_BINS];
};

/* Whether any device's time varies: one that runs a component and whose jitter is not 1. Else all
 * frames take equally long. */
bool jitter_any(const struct scenario *scenario);

/* Runs 1 to JITTER_FRAMES_MAX frames of the scenario, evaluated in `result` (result_init), which is
 * then that of evaluate. STATUS_INVALID as evaluate; STATUS_MEMORY; STATUS_STOPPED. On failure
 * `jitter` is left as it was. */
enum status jitter_run(const struct scenario *scenario, struct result *result, long frames,
                       uint64_t seed, const struct progress *progress, struct jitter *jitter,
                       struct error *error);

#endif
