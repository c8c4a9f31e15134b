#include "explore/advise.h"

#include <stdlib.h>

#include "model/evaluate.h"

enum { TELL = 16 }; /* evaluations between two words of progress */

static bool evaluate_count(struct candidate *trial, int packets, struct performance *verdict)
{
    trial->scenario.general.packets = packets;
    return candidate_evaluate(trial, verdict) && !verdict->overloaded;
}

static void settle(struct packet_count *count, int packets, const struct performance *now,
                   const struct performance *after)
{
    *count = (struct packet_count){packets, now->latency - after->latency, *after};
}

/* The least number that is as good, or nearly so. */
static void find_fewest(struct candidate *trial, const struct performance *now,
                        const double *latency, struct packets *packets)
{
    struct performance after;

    for (int p = 1; p <= packets->best.packets; p++) {
        if (latency[p] == RESULT_NONE || latency[p] > packets->best.after.latency * PACKETS_NEAR)
            continue;
        if (evaluate_count(trial, p, &after))
            settle(&packets->fewest, p, now, &after);
        return;
    }
}

enum status packets_best(const struct scenario *design, const struct performance *now,
                         struct candidate *trial, const struct progress *progress,
                         struct packets *packets, struct error *error)
{
    enum status status = STATUS_OK;
    double latency[PACKETS_MAX + 1];

    *packets = (struct packets){.present = (int)design->general.packets};
    scenario_copy(&trial->scenario, design);
    for (int p = 1; p <= PACKETS_MAX && status == STATUS_OK; p++) {
        struct performance after;

        latency[p] = RESULT_NONE;
        if (evaluate_count(trial, p, &after)) {
            latency[p] = after.latency;
            if (packets->best.packets == 0 || after.latency < packets->best.after.latency)
                settle(&packets->best, p, now, &after);
        }
        packets->tried = p;
        if (p % TELL == 0 && !progress_tell(progress, (double)p / PACKETS_MAX))
            status = error_set(error, STATUS_STOPPED, "stopped");
    }
    find_fewest(trial, now, latency, packets);
    return status;
}

/* Advise --------------------------------------------------------------------------------------- */

static const char *const names[ADVISE_PARTS] = {
    [ADVISE_STEPS] = "steps",
    [ADVISE_TARGET] = "what meets the target",
    [ADVISE_SHARES] = "shares",
    [ADVISE_PACKETS] = "packets",
};

const char *advise_part_name(enum advise_part part)
{
    return names[part];
}

enum status advise_new(struct advise **advise, const struct scenario *scenario,
                       const struct part_values *part_values, struct error *error)
{
    struct advise *made = calloc(1, sizeof *made);
    enum status status;

    *advise = NULL;
    if (made == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    made->part_values = part_values;
    status = candidate_new(&made->design, scenario, error);
    if (status == STATUS_OK)
        status = candidate_new(&made->trial, scenario, error);
    if (status == STATUS_OK)
        status = evaluate(&made->design->scenario, &made->design->result, error);
    if (status != STATUS_OK) {
        advise_free(made);
        return status;
    }
    performance_of(&made->design->result, &made->now);
    *advise = made;
    return STATUS_OK;
}

void advise_free(struct advise *advise)
{
    if (advise == NULL)
        return;
    steps_free(&advise->choices);
    steps_free(&advise->given);
    meet_target_free(&advise->target);
    candidate_free(advise->design);
    candidate_free(advise->trial);
    free(advise);
}

/* One of two halves of a progress. */
struct half {
    const struct progress *whole;
    double from;
};

static bool tell_half(void *context, double done)
{
    const struct half *half = context;

    return progress_tell(half->whole, half->from + done / 2);
}

static enum status run_steps(struct advise *advise, const struct progress *progress,
                             struct error *error)
{
    const struct scenario *design = &advise->design->scenario;
    const struct result *result = &advise->design->result;
    struct half half = {progress, 0};
    const struct progress part = {tell_half, &half};
    enum status status = steps_find(advise->part_values, design, result, advise->trial,
                                    STEPS_CHOICES, true, &part, &advise->choices, error);

    half.from = 0.5;
    if (status == STATUS_OK)
        status = steps_find(advise->part_values, design, result, advise->trial, STEPS_GIVEN, true,
                            &part, &advise->given, error);
    steps_rank(&advise->choices, advise->now.overloaded);
    steps_rank_elastic(&advise->given);
    return status;
}

/* One of several devices of a progress. */
struct slice {
    const struct progress *whole;
    int number, count;
};

static bool tell_slice(void *context, double done)
{
    const struct slice *slice = context;

    return progress_tell(slice->whole, (slice->number + done) / slice->count);
}

static enum status run_shares(struct advise *advise, const struct progress *progress,
                              struct error *error)
{
    const struct scenario *design = &advise->design->scenario;
    struct slice slice = {progress, 0, design->device_count + 1};
    const struct progress part = {tell_slice, &slice};
    enum status status = STATUS_OK;

    for (; slice.number < slice.count && status == STATUS_OK; slice.number++) {
        int device = slice.number < design->device_count ? slice.number : -1;
        struct share_split *split = &advise->split[advise->split_count];

        status = shares_best(design, &advise->design->result, advise->trial, device, &part, split,
                             error);
        advise->split_count += split->count > 0;
    }
    return status;
}

enum status advise_find(struct advise *advise, enum advise_part part,
                        const struct progress *progress, struct error *error)
{
    const struct scenario *design = &advise->design->scenario;

    switch (part) {
    case ADVISE_STEPS:
        return run_steps(advise, progress, error);
    case ADVISE_TARGET:
        return meet_target_find(advise->part_values, design, &advise->design->result, advise->trial,
                                progress, &advise->target, error);
    case ADVISE_SHARES:
        return run_shares(advise, progress, error);
    case ADVISE_PACKETS:
        return packets_best(design, &advise->now, advise->trial, progress, &advise->packets, error);
    case ADVISE_PARTS:
        break;
    }
    return STATUS_OK;
}
