#include "explore/advise.h"

#include <stdlib.h>

#include "model/evaluate.h"

enum { TELL = 16 }; /* evaluations between two reports of progress */

/* A slice of a progress: number `number` of `count`. */
struct progress_slice {
    const struct progress *whole;
    int number, count;
};

static bool tell_slice(void *context, double done)
{
    const struct progress_slice *slice = context;

    return progress_tell(slice->whole, (slice->number + done) / slice->count);
}

/* Packets -------------------------------------------------------------------------------------- */

/* Whether a design with so many packets keeps up. */
static bool try_packets(struct advise *advise, int packets, struct packet_count *count)
{
    count->packets = packets;
    advise->candidate->scenario.general.packets = packets;
    if (!candidate_evaluate(advise->candidate, &count->after) || count->after.overloaded)
        return false;
    count->gain = advise->now.latency - count->after.latency;
    return true;
}

static enum status try_all_packets(struct advise *advise, const struct progress *progress,
                                   struct error *error)
{
    struct packets *packets = &advise->packets;
    struct packet_count count;
    enum status status = STATUS_OK;
    double latency[PACKETS_MAX + 1]; /* RESULT_NONE: it does not keep up */

    *packets = (struct packets){.present = (int)advise->design->scenario.general.packets};
    scenario_copy(&advise->candidate->scenario, &advise->design->scenario);
    for (int p = 1; p <= PACKETS_MAX && status == STATUS_OK; p++) {
        bool good = try_packets(advise, p, &count);

        latency[p] = good ? count.after.latency : RESULT_NONE;
        if (good && (packets->best.packets == 0 || latency[p] < packets->best.after.latency))
            packets->best = count;
        packets->tried = p;
        if (p % TELL == 0 && !progress_tell(progress, (double)p / PACKETS_MAX))
            status = error_set(error, STATUS_STOPPED, "stopped");
    }
    for (int p = 1; p <= packets->best.packets; p++)
        if (latency[p] != RESULT_NONE && latency[p] <= packets->best.after.latency * PACKETS_NEAR) {
            if (try_packets(advise, p, &count))
                packets->fewest = count;
            break;
        }
    return status;
}

/* Advise --------------------------------------------------------------------------------------- */

const char *advise_part_name(enum advise_part part)
{
    static const char *const names[ADVISE_PARTS] = {
        [ADVISE_STEPS] = "steps",
        [ADVISE_TARGET] = "what meets the target",
        [ADVISE_SHARES] = "shares",
        [ADVISE_PACKETS] = "packets",
    };

    return names[part];
}

enum status advise_new(struct advise **advise, const struct scenario *scenario,
                       const struct part_values *values, struct error *error)
{
    struct advise *made = calloc(1, sizeof *made);
    enum status status;

    *advise = NULL;
    if (made == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    made->values = values;
    status = candidate_new(&made->design, scenario, error);
    if (status == STATUS_OK)
        status = candidate_new(&made->candidate, scenario, error);
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
    candidate_free(advise->candidate);
    free(advise);
}

static enum status find_all_steps(struct advise *advise, struct step_search *search,
                                  struct error *error)
{
    struct progress_slice slice = {search->progress, 0, 2};
    const struct progress progress = {tell_slice, &slice};
    enum status status;

    search->progress = &progress;
    status = steps_find(search, STEPS_CHOICES, true, &advise->choices, error);
    slice.number = 1;
    if (status == STATUS_OK)
        status = steps_find(search, STEPS_GIVEN, true, &advise->given, error);
    steps_rank(&advise->choices, advise->now.overloaded);
    steps_rank_elastic(&advise->given);
    return status;
}

static enum status find_shares(struct advise *advise, struct step_search *search,
                               struct error *error)
{
    int devices = search->design->device_count;
    struct progress_slice slice = {search->progress, 0, devices + 1};
    const struct progress progress = {tell_slice, &slice};
    enum status status = STATUS_OK;

    search->progress = &progress;
    for (; slice.number < slice.count && status == STATUS_OK; slice.number++) {
        struct share_split *split = &advise->split[advise->split_count];

        status = shares_best(search, slice.number < devices ? slice.number : -1, split, error);
        advise->split_count += split->count > 0;
    }
    return status;
}

enum status advise_find(struct advise *advise, enum advise_part part,
                        const struct progress *progress, struct error *error)
{
    struct step_search search = {advise->values, &advise->design->scenario, &advise->design->result,
                                 advise->candidate, progress};

    switch (part) {
    case ADVISE_STEPS:
        return find_all_steps(advise, &search, error);
    case ADVISE_TARGET:
        return meet_target_find(&search, &advise->target, error);
    case ADVISE_SHARES:
        return find_shares(advise, &search, error);
    case ADVISE_PACKETS:
        return try_all_packets(advise, progress, error);
    case ADVISE_PARTS:
        break;
    }
    return STATUS_OK;
}
