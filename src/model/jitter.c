#include "model/jitter.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "model/evaluate.h"
#include "model/outcome.h"
#include "model/stage.h"

/* Factors of a node. */
static size_t per_node(const struct timeline *timeline)
{
    return (size_t)timeline->frames * ((size_t)timeline->packets + 1);
}

size_t jitter_scale_count(const struct result *result)
{
    return per_node(&result->work->timeline) * (size_t)result->work->timeline.count;
}

int jitter_scale_device(const struct result *result, size_t number)
{
    const struct timeline *timeline = &result->work->timeline;
    const struct track *track = &timeline->tracks[number / per_node(timeline)];
    int slot = (int)(number % ((size_t)timeline->packets + 1));
    bool works;

    if (track->kind != TRACK_COMPUTE || track->device < 0)
        return -1;
    works = slot == timeline->packets
                ? timeline->frames > 1 && track->deferred + track->deferred_fixed > 0
                : track_works(track, slot, timeline->packets);
    return works ? track->device : -1;
}

double jitter_run_frame(struct result *result, const double *factor)
{
    struct timeline *timeline = &result->work->timeline;
    size_t each = per_node(timeline);

    for (int n = 0; n < timeline->count; n++)
        timeline->tracks[n].scale =
            timeline->tracks[n].kind == TRACK_COMPUTE ? &factor[each * (size_t)n] : NULL;
    contention_run(timeline);
    return outcome_latency(result->work);
}

void jitter_restore(struct result *result)
{
    struct timeline *timeline = &result->work->timeline;

    for (int n = 0; n < timeline->count; n++)
        timeline->tracks[n].scale = NULL;
    contention_run(timeline);
}

/* Jitter --------------------------------------------------------------------------------------- */

#define TOLD 16 /* frames between two looks at whether to go on */

/* Work whose duration varies. */
struct jitter_run {
    size_t number; /* of its factor */
    int device;
};

struct drawing {
    uint64_t seed;
    double spread[DEVICE_MAX]; /* standard deviation of the logarithm of a factor */
    struct jitter_run *work;
    size_t count;
    double *factor;
    double *latency; /* of each frame */
};

static void drawing_free(struct drawing *drawing)
{
    free(drawing->work);
    free(drawing->factor);
    free(drawing->latency);
}

static enum status drawing_new(struct drawing *drawing, const struct scenario *scenario,
                               const struct result *result, long frames, uint64_t seed,
                               struct error *error)
{
    size_t count = jitter_scale_count(result);
    double z99 = normal_quantile(0.99);

    *drawing = (struct drawing){.seed = seed};
    drawing->work = calloc(count + 1, sizeof *drawing->work);
    drawing->factor = calloc(count + 1, sizeof *drawing->factor);
    drawing->latency = calloc((size_t)frames, sizeof *drawing->latency);
    if (drawing->work == NULL || drawing->factor == NULL || drawing->latency == NULL) {
        drawing_free(drawing);
        return error_set(error, STATUS_MEMORY, "there is not enough memory for %ld frames", frames);
    }
    for (int d = 0; d < scenario->device_count; d++)
        drawing->spread[d] = portable_log(scenario->device[d].jitter) / z99;
    for (size_t i = 0; i < count; i++) {
        int device = jitter_scale_device(result, i);

        drawing->factor[i] = 1;
        if (device >= 0)
            drawing->work[drawing->count++] = (struct jitter_run){i, device};
    }
    return STATUS_OK;
}

static double frame_latency(struct drawing *drawing, struct result *result)
{
    for (size_t i = 0; i < drawing->count; i++) {
        double z = normal_quantile(uniform_next(&drawing->seed));

        drawing->factor[drawing->work[i].number] =
            portable_exp(z * drawing->spread[drawing->work[i].device]);
    }
    return jitter_run_frame(result, drawing->factor);
}

static enum status draw_frames(struct drawing *drawing, struct result *result, long frames,
                               const struct progress *progress, struct error *error)
{
    for (long i = 0; i < frames; i++) {
        if (i % TOLD == 0 && !progress_tell(progress, (double)i / (double)frames))
            return error_set(error, STATUS_STOPPED, "stopped after %ld of %ld frames", i, frames);
        drawing->latency[i] = frame_latency(drawing, result);
    }
    return STATUS_OK;
}

/* From latencies to figures -------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double first = *(const double *)a;
    double second = *(const double *)b;

    return (first > second) - (first < second);
}

/* The least latency that `thousandths` of the frames do not exceed. */
static double percentile(const double *latency, long frames, long thousandths)
{
    return latency[(frames * thousandths + 999) / 1000 - 1];
}

static void count_missed(const double *latency, struct jitter *jitter)
{
    double frames = (double)jitter->frames;
    double p;

    for (long i = 0; i < jitter->frames; i++)
        jitter->missed += jitter->target - latency[i] < 0;
    p = (double)jitter->missed / frames;
    jitter->probability = p;
    jitter->standard_error = sqrt(p * (1 - p) / frames);
    jitter->probability_max =
        jitter->missed > 0 ? RESULT_NONE : 1 - portable_exp(portable_log(0.05) / frames);
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

static void summarise(double *latency, struct jitter *jitter)
{
    long frames = jitter->frames;

    qsort(latency, (size_t)frames, sizeof *latency, by_size);
    jitter->least = latency[0];
    jitter->most = latency[frames - 1];
    jitter->p50 = percentile(latency, frames, 500);
    jitter->p99 = percentile(latency, frames, 990);
    jitter->p999 = percentile(latency, frames, 999);
    count_missed(latency, jitter);
    fill_histogram(latency, jitter);
}

bool jitter_any(const struct scenario *scenario)
{
    for (int c = 0; c < scenario->component_count; c++)
        for (int d = 0; d < scenario->device_count; d++)
            if (component_type_computes((enum component_type)scenario->component[c].type) &&
                (scenario_devices(scenario, c) >> d & 1) != 0 && scenario->device[d].jitter != 1)
                return true;
    return false;
}

enum status jitter_run(const struct scenario *scenario, struct result *result, long frames,
                       uint64_t seed, const struct progress *progress, struct jitter *jitter,
                       struct error *error)
{
    struct drawing drawing;
    enum status status = evaluate(scenario, result, error);

    if (status == STATUS_OK)
        status = drawing_new(&drawing, scenario, result, frames, seed, error);
    if (status != STATUS_OK)
        return status;
    status = draw_frames(&drawing, result, frames, progress, error);
    jitter_restore(result);
    if (status != STATUS_OK) {
        drawing_free(&drawing);
        return status;
    }
    *jitter = (struct jitter){
        .frames = frames, .seed = seed, .latency = result->latency, .target = result->target};
    summarise(drawing.latency, jitter);
    drawing_free(&drawing);
    return STATUS_OK;
}
