/* The distribution of a design's latency when durations vary, by simulating many frames.
 *
 * The duration (fixed times included, delays not) of every slot in which a component works on a
 * device, including deferred work, is multiplied by an independent lognormal factor with median 1
 * and the device's `jitter` as p99:
 *
 *     factor = exp(z ln(jitter) / z99),   z standard normal, z99 = 2.326 its 99th percentile
 *
 * Readouts of cameras, links and mirrors do not vary. If evaluate simulates several frames for a
 * latency (frames.h), all of them get new factors for each frame here; a frame that exceeds its
 * period only because of its factors overlaps no other. The frames of an overloaded design are
 * those of an idle system, like its latency. Factors of 1 give exactly the latency of evaluate.
 *
 * To the latency of each frame is added a random delay (late.h) of every device that does work on
 * the critical path after the last useful packet and of the hosts of its GPUs, one per device and
 * frame. A late wake-up for an earlier packet has no effect, and a delay is not passed on to other
 * frames.
 *
 * The random numbers are the same on every machine (base/random.h), in the order of nodes and
 * slots, independent of the jitter of devices, so that designs that differ only in jitter are
 * compared with the same random numbers. Those of the late wake-ups are another sequence, in the
 * order of the devices in use, so that a device that nobody uses changes nothing. */
#ifndef AOLAG_MODEL_JITTER_H
#define AOLAG_MODEL_JITTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

#define JITTER_FRAMES 10000 /* enough for p99.9 */
#define JITTER_FRAMES_MAX 1000000
#define JITTER_BINS 40
#define JITTER_STEPS 200000000 /* for a screen: some seconds */
#define JITTER_SEED 1

/* Frames with a latency of at least `from` and below `to`; the last bin includes `to`. */
struct jitter_bin {
    double from, to; /* s */
    long frames;
};

struct jitter {
    long frames; /* simulated */
    long wanted; /* more than `frames` if it was cut short */
    uint64_t seed;
    double latency;        /* s, without jitter, as computed by evaluate */
    double least, most;    /* s */
    double p50, p99, p999; /* s, smallest latency not exceeded by this fraction of frames */
    double target;         /* s, the deadline */
    long missed;           /* frames that miss the deadline */
    double probability;    /* missed / frames */
    double standard_error; /* of the probability, binomial; 0 if none or all are missed */
    double low, high;      /* its 95 % confidence interval (stats_binomial_interval): of the
                              simulation, not of its assumptions */
    double per_hour;       /* frames in an hour */
    uint32_t late;         /* devices whose late wake-ups are in the latencies, bit i: device i */
    int bins; /* 1 if all frames have the same latency, else JITTER_BINS of equal width */
    struct jitter_bin bin[JITTER_BINS];
};

/* Returns true if any device that runs a component, or its host, has a jitter other than 1 or late
 * wake-ups. Otherwise all frames have the same latency. */
bool jitter_any(const struct scenario *scenario);

/* Simulates 1 to JITTER_FRAMES_MAX frames of the scenario, but at least one and no more once it
 * took `steps` (base/progress.h; 0: any number). `result` (result_init) then holds the results of
 * evaluate. Returns STATUS_INVALID like evaluate, which leaves `jitter` unchanged, or, if
 * `progress` or that of the result stopped it, STATUS_STOPPED. Then `jitter` is of the frames so
 * far, unless there are none. */
enum status jitter_run(const struct scenario *scenario, struct result *result, long frames,
                       uint64_t seed, long steps, const struct progress *progress,
                       struct jitter *jitter, struct error *error);

#endif
