#include "model/jitter.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/random.h"
#include "base/stats.h"
#include "model/contention.h"
#include "model/evaluate.h"
#include "model/late.h"
#include "model/outcome.h"
#include "model/repeat.h"
#include "model/stage.h"

#define PROGRESS_INTERVAL 16          /* frames between progress reports */
#define LATE_SEED 0x6a09e667f3bcc909U /* changes the seed to that of the late wake-ups */
#define HOUR 3600.0

/* Frames of random durations ------------------------------------------------------------------- */

#define AT_ONCE 256 /* numbers that are drawn together */

struct jitter_sampler {
    uint64_t seed;
    size_t per_track; /* factors per track: one per frame and slot, deferred work included */
    double *factor;   /* factors of all tracks; 1 for those that are not random */
    size_t count;     /* of those that are */
    size_t *number;   /* which they are */
    double *spread;   /* standard deviation of the logarithm of each */
    bool varies;      /* a factor is not always 1: else all frames are that of evaluate */
    double *latency;  /* latencies of the frames */
    long done;        /* frames */
    uint64_t late_seed;
    int devices;
    uint32_t drawn; /* devices that are drawn for: those in use */
    uint32_t late;  /* those whose late wake-ups count */
    double quantile[DEVICE_MAX][LATE_COUNT];
};

static void sampler_free(struct jitter_sampler *sampler)
{
    free(sampler->number);
    free(sampler->spread);
    free(sampler->factor);
    free(sampler->latency);
}

/* Returns true if a component works on a device in a slot; slot `packets` is the deferred work. */
static bool slot_varies(const struct timeline *timeline, const struct track *track, int slot)
{
    if (track->kind != TRACK_COMPUTE || track->device < 0)
        return false;
    if (slot == timeline->packets)
        return timeline->frames > 1 && track->deferred + track->deferred_fixed > 0;
    return slot < track->slots && track_works(track, slot);
}

static void sampler_new(struct jitter_sampler *sampler, const struct scenario *scenario,
                        const struct workspace *work, long frames, uint64_t seed)
{
    const struct timeline *timeline = &work->timeline;
    size_t slots = (size_t)timeline->packets + 1;
    size_t per_track = (size_t)timeline->frames * slots;
    size_t count = per_track * (size_t)timeline->count;
    double z99 = normal_quantile(0.99);

    *sampler = (struct jitter_sampler){.seed = seed, .per_track = per_track};
    sampler->number = allocate_array(count + 1, sizeof *sampler->number);
    sampler->spread = allocate_array(count + 1, sizeof *sampler->spread);
    sampler->factor = allocate_array(count + 1, sizeof *sampler->factor);
    sampler->latency = allocate_array((size_t)frames, sizeof *sampler->latency);
    for (size_t i = 0; i < count && pace_step(work->pace, 1); i++) {
        size_t n = i / per_track;
        int device = work->plan.node[n].device;

        sampler->factor[i] = 1;
        if (!slot_varies(timeline, &timeline->tracks[n], (int)(i % slots)))
            continue;
        sampler->varies = sampler->varies || scenario->device[device].jitter != 1;
        sampler->number[sampler->count] = i;
        sampler->spread[sampler->count++] = portable_log(scenario->device[device].jitter) / z99;
    }
}

/* Gives the tracks their factors, or those of evaluate if they are NULL. */
static void set_scales(struct timeline *timeline, const struct jitter_sampler *sampler,
                       const double *factor)
{
    for (int n = 0; n < timeline->count; n++)
        timeline->tracks[n].scale = factor != NULL && timeline->tracks[n].kind == TRACK_COMPUTE
                                        ? &factor[sampler->per_track * (size_t)n]
                                        : NULL;
}

static void prepare_late(struct jitter_sampler *sampler, const struct scenario *scenario,
                         const struct result *result)
{
    sampler->late_seed = sampler->seed ^ LATE_SEED;
    sampler->late = late_devices(scenario, result);
    sampler->devices = scenario->device_count;
    for (int d = 0; d < sampler->devices; d++)
        sampler->drawn |= late_matters(scenario, d) ? UINT32_C(1) << d : 0;
    for (int d = 0; d < sampler->devices; d++)
        for (int q = 0; q < LATE_COUNT; q++)
            sampler->quantile[d][q] = late_quantile(scenario, d, (enum late)q);
}

/* Returns the delay of a frame by late wake-ups. */
static double sample_late(struct jitter_sampler *sampler)
{
    double delay = 0;

    for (int d = 0; d < sampler->devices; d++) {
        double probability;

        if ((sampler->drawn >> d & 1) == 0)
            continue;
        probability = uniform_next(&sampler->late_seed);
        if ((sampler->late >> d & 1) != 0)
            delay += late_delay(sampler->quantile[d], probability);
    }
    return delay;
}

static void draw_factors(struct jitter_sampler *sampler, struct pace *pace)
{
    double drawn[AT_ONCE];
    size_t count;

    for (size_t i = 0; i < sampler->count && pace_step(pace, 2 * AT_ONCE); i += count) {
        count = sampler->count - i < AT_ONCE ? sampler->count - i : AT_ONCE;
        lognormal_fill(&sampler->seed, &sampler->spread[i], count, drawn);
        for (size_t k = 0; k < count; k++)
            sampler->factor[sampler->number[i + k]] = drawn[k];
    }
}

static double sample_latency(struct jitter_sampler *sampler, struct result *result)
{
    if (sampler->varies) {
        draw_factors(sampler, &result->pace);
        repeat_run(&result->work->timeline);
    }
    pace_step(&result->pace, 1);
    return outcome_latency(result->work) + sample_late(sampler);
}

/* Samples frames until there are enough, or `last` steps; 0: any number. */
static enum status sample_frames(struct jitter_sampler *sampler, struct result *result, long frames,
                                 long last, const struct progress *progress, struct error *error)
{
    struct timeline *timeline = &result->work->timeline;
    bool stopped = false;

    set_scales(timeline, sampler, sampler->factor);
    while (sampler->done < frames && !stopped &&
           (sampler->done == 0 || last == 0 || result->pace.steps < last)) {
        double latency;

        stopped = sampler->done % PROGRESS_INTERVAL == 0 &&
                  !progress_report(progress, (double)sampler->done / (double)frames);
        if (stopped)
            break;
        latency = sample_latency(sampler, result);
        stopped = result->pace.stopped;
        if (!stopped)
            sampler->latency[sampler->done++] = latency;
    }
    set_scales(timeline, sampler, NULL);
    repeat_run(timeline);
    return stopped ? error_set(error, STATUS_STOPPED, "stopped after %ld of %ld frames",
                               sampler->done, frames)
                   : STATUS_OK;
}

/* Statistics ----------------------------------------------------------------------------------- */

static void count_missed(const double *latency, struct jitter *jitter)
{
    double frames = (double)jitter->frames;
    double p;

    for (long i = 0; i < jitter->frames; i++)
        jitter->missed += jitter->target - latency[i] < 0;
    p = (double)jitter->missed / frames;
    jitter->probability = p;
    jitter->standard_error = sqrt(p * (1 - p) / frames);
    stats_binomial_interval(jitter->missed, jitter->frames, &jitter->low, &jitter->high);
}

static void fill_histogram(const double *latency, struct jitter *jitter)
{
    double width = (jitter->most - jitter->least) / JITTER_BINS;
    long i = 0;

    jitter->bins = jitter->most > jitter->least ? JITTER_BINS : 1;
    for (int b = 0; b < jitter->bins; b++) {
        struct jitter_bin *bin = &jitter->bin[b];
        bool last = b == jitter->bins - 1;

        bin->from = jitter->least + b * width;
        bin->to = last ? jitter->most : jitter->least + (b + 1) * width;
        for (; i < jitter->frames && (last || latency[i] < bin->to); i++)
            bin->frames++;
    }
}

static void summarise_frames(double *latency, struct jitter *jitter)
{
    long frames = jitter->frames;

    stats_sort(latency, frames);
    jitter->least = latency[0];
    jitter->most = latency[frames - 1];
    jitter->p50 = stats_quantile(latency, frames, 500);
    jitter->p99 = stats_quantile(latency, frames, 990);
    jitter->p999 = stats_quantile(latency, frames, 999);
    count_missed(latency, jitter);
    fill_histogram(latency, jitter);
}

/* Returns the frames of an hour that have a latency: those in which a camera delivers. */
static double frames_per_hour(const struct result *result)
{
    double divisor = RESULT_NONE;

    for (int n = 0; n < result->node_count; n++)
        if (result->node[n].type == COMPONENT_CAMERA &&
            (divisor == RESULT_NONE || result->node[n].divisor < divisor))
            divisor = result->node[n].divisor;
    return HOUR / (result->frame_period * larger(divisor, 1));
}

bool jitter_any(const struct scenario *scenario)
{
    for (int d = 0; d < scenario->device_count; d++)
        if ((scenario->device[d].jitter != 1 && scenario_device_used(scenario, d)) ||
            (late_any(scenario, d) && late_matters(scenario, d)))
            return true;
    return false;
}

enum status jitter_run(const struct scenario *scenario, struct result *result, long frames,
                       uint64_t seed, long steps, const struct progress *progress,
                       struct jitter *jitter, struct error *error)
{
    struct jitter_sampler sampler;
    long last = steps == 0 ? 0 : result->pace.steps + steps;
    enum status status = evaluate(scenario, result, error);

    if (status != STATUS_OK)
        return status;
    sampler_new(&sampler, scenario, result->work, frames, seed);
    prepare_late(&sampler, scenario, result);
    status = sample_frames(&sampler, result, frames, last, progress, error);
    if (sampler.done == 0)
        jitter->frames = 0;
    else {
        *jitter = (struct jitter){.frames = sampler.done,
                                  .wanted = frames,
                                  .seed = seed,
                                  .latency = result->latency,
                                  .target = result->target,
                                  .per_hour = frames_per_hour(result),
                                  .late = sampler.late};
        summarise_frames(sampler.latency, jitter);
    }
    sampler_free(&sampler);
    return status;
}
