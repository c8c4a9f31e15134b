#include "packets.h"

enum { TELL = 16 }; /* evaluations between two words of progress */

static bool evaluate_count(struct trial *trial, int packets, struct verdict *verdict)
{
    trial->scenario.general.packets = packets;
    return trial_evaluate(trial, verdict) && !verdict->overloaded;
}

static void settle(struct packet_count *count, int packets, const struct verdict *now,
                   const struct verdict *after)
{
    *count = (struct packet_count){packets, now->latency - after->latency, *after};
}

/* The least number that is as good, or nearly so. */
static void find_fewest(struct trial *trial, const struct verdict *now, const double *latency,
                        struct packets *packets)
{
    struct verdict after;

    for (int p = 1; p <= packets->best.packets; p++) {
        if (latency[p] == RESULT_NONE || latency[p] > packets->best.after.latency * PACKETS_NEAR)
            continue;
        if (evaluate_count(trial, p, &after))
            settle(&packets->fewest, p, now, &after);
        return;
    }
}

enum status packets_best(const struct scenario *design, const struct verdict *now,
                         struct trial *trial, const struct progress *progress,
                         struct packets *packets, struct error *error)
{
    enum status status = STATUS_OK;
    double latency[PACKETS_MAX + 1];

    *packets = (struct packets){.present = (int)design->general.packets};
    scenario_copy(&trial->scenario, design);
    for (int p = 1; p <= PACKETS_MAX && status == STATUS_OK; p++) {
        struct verdict after;

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
