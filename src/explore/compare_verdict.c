#include <math.h>
#include <string.h>

#include "explore/compare_parts.h"
#include "larger.h"

/* Of all devices of both, what may bind there; one more for what has no such error. */
enum {
    DEVICES = SIDES * DEVICE_MAX,
    BOUNDS = BOUND_READOUT + 1,
    SOURCES = DEVICES * BOUNDS,
    ROUNDS = 100 /* of least_ratio, which needs a few */
};

/* What the two latencies are made of: time[s] of source i and the factor it may be off. */
struct sources {
    double time[SOURCES][SIDES]; /* s */
    double factor[SOURCES];
    double without[SIDES]; /* s, that is not off */
};

/* Whether what is predicted for two devices is wrong in the same way. */
static bool same_model(const struct device *a, const struct device *b)
{
    if (a->preset[0] != '\0' || b->preset[0] != '\0')
        return strcmp(a->preset, b->preset) == 0;
    return a->kind == b->kind && strcmp(a->model, b->model) == 0 &&
           strcmp(a->head.name, b->head.name) == 0;
}

/* The number a device's sources have: the first device like it, a's before b's. */
static int model_of(const struct compare_side side[SIDES], int s, int device)
{
    const struct device *wanted = &side[s].scenario->device[device];
    int number = 0;

    for (int of = 0; of < SIDES; of++)
        for (int d = 0; d < side[of].scenario->device_count; d++, number++)
            if (same_model(&side[of].scenario->device[d], wanted))
                return number;
    return number;
}

static void take_apart(const struct compare_side side[SIDES], int s, struct sources *sources)
{
    const struct result *result = side[s].result;

    for (int i = 0; i < result->path_count; i++) {
        const struct path_step *step = &result->path[i];
        const struct node_result *node = &result->node[step->node];
        int source;

        if (node->device < 0) {
            sources->without[s] += step->wait + step->busy;
            continue;
        }
        source = model_of(side, s, node->device) * BOUNDS + (int)node->bound;
        sources->time[source][s] += step->wait + step->busy;
        sources->factor[source] = larger(sources->factor[source], result->device[node->device].pc);
    }
}

/* latency of side `s` over that of the other, as small as the errors make it. A ratio of two sums
 * that are linear in each error is least at an end of each; which end is known once the ratio is,
 * and the ratio of the ends falls towards the least (Dinkelbach, Management Science 13(7), 1967).
 */
static double least_ratio(const struct sources *sources, int s)
{
    double ratio = INFINITY;

    for (int round = 0; round < ROUNDS; round++) {
        double over = sources->without[s];
        double under = sources->without[1 - s];

        for (int i = 0; i < SOURCES; i++) {
            double gain = round == 0 ? 0 : sources->time[i][s] - ratio * sources->time[i][1 - s];
            double error = gain > 0 ? 1 / sources->factor[i] : gain < 0 ? sources->factor[i] : 1;

            if (sources->factor[i] == 0)
                continue;
            over += error * sources->time[i][s];
            under += error * sources->time[i][1 - s];
        }
        if (round > 0 && over / under >= ratio)
            break;
        ratio = over / under;
    }
    return ratio;
}

/* The part of the two latencies that is on sources of both. */
static double common_part(const struct sources *sources)
{
    double common = 0;
    double all = sources->without[0] + sources->without[1];

    for (int i = 0; i < SOURCES; i++) {
        double sum = sources->time[i][0] + sources->time[i][1];

        all += sum;
        if (sources->time[i][0] > 0 && sources->time[i][1] > 0)
            common += sum;
    }
    return all > 0 ? common / all : 0;
}

static enum standing standing(const struct result *result)
{
    if (result->margin >= 0)
        return result->latency * result->uncertainty <= result->target ? STANDING_MEETS
                                                                       : STANDING_MEETS_BARELY;
    return result->latency / result->uncertainty <= result->target ? STANDING_MISSES_BARELY
                                                                   : STANDING_MISSES;
}

void compare_judge(const struct compare_side side[SIDES], struct compare_verdict *verdict)
{
    struct sources sources = {.without = {0, 0}};

    for (int s = 0; s < SIDES; s++) {
        const struct result *result = side[s].result;

        verdict->of[s] = (struct compared_latency){.latency = result->latency,
                                                   .target = result->target,
                                                   .uncertainty = result->uncertainty,
                                                   .servo_lag = result->loop.servo_lag,
                                                   .load = result->load,
                                                   .overloaded = result->overloaded,
                                                   .standing = standing(result)};
        take_apart(side, s, &sources);
    }
    verdict->faster = -1;
    verdict->common = common_part(&sources);
    verdict->ratio = verdict->least = verdict->most = RESULT_NONE;
    verdict->decided = false;
    if (!(verdict->of[0].latency > 0) || !(verdict->of[1].latency > 0))
        return;
    verdict->ratio = verdict->of[1].latency / verdict->of[0].latency;
    verdict->least = least_ratio(&sources, 1);
    verdict->most = 1 / least_ratio(&sources, 0);
    if (compare_differs(verdict->of[0].latency, verdict->of[1].latency))
        verdict->faster = verdict->ratio > 1 ? 0 : 1;
    verdict->decided = verdict->faster < 0 ? !compare_differs(verdict->least, verdict->most)
                                           : verdict->least > 1 || verdict->most < 1;
}
