#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/knob_text.h"
#include "model/evaluate.h"
#include "model/outcome.h"
#include "model/result_read.h"
#include "model/stage.h"
#include "random_design.h"
#include "reference_model.h"
#include "reference_shared.h"
#include "sample.h"

#define REPEAT 10000
#define SIMULATED_SLOTS 1500 /* more are left to the fast ways of running a timeline */

static uint64_t seed; /* of the design at hand; AOLAG_SEED=... AOLAG_REPEAT=1 brings it back */

#define HOLDS(condition, ...) draw_holds((condition), seed, __FILE__, __LINE__, __VA_ARGS__)

static bool near(double a, double b, double relative)
{
    return a == b || fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

/* Refusals ------------------------------------------------------------------------------------- */

/* "section.name.key: " of something there is; a device's shares are the device's. */
static void names_section_and_key(const struct scenario *scenario, const char *message)
{
    char path[96];
    size_t length = strcspn(message, ":");
    struct knob_ref ref;

    snprintf(path, sizeof path, "%.*s", (int)length, message);
    HOLDS(message[length] == ':' && strchr(message, '\n') == NULL &&
              strlen(message) > length + 10 && message[strlen(message) - 1] != '.',
          "\"%s\" is no sentence", message);
    if (strncmp(path, "device.", 7) == 0 && section_find(scenario, SECTION_DEVICE, path + 7) >= 0)
        return;
    HOLDS(knob_find(scenario, path, &ref, NULL) == STATUS_OK, "\"%s\" names no key", message);
}

/* Values --------------------------------------------------------------------------------------- */

static void values_are_finite(const struct result *result)
{
    for (int r = 0; r < RESULT_ROW_COUNT; r++) {
        int count = result_count(result, result_rows[r].scope);

        for (int i = 0; i < count; i++) {
            double value = result_value(result, &result_rows[r], i);
            bool signed_value = strcmp(result_rows[r].key, "margin") == 0 ||
                                strcmp(result_rows[r].key, "readout_latency") == 0;

            HOLDS(isfinite(value) && (value >= 0 || value == RESULT_NONE || signed_value),
                  "%s %d is %g", result_rows[r].key, i, value);
        }
    }
    for (int l = 0; l < result->link_count; l++)
        HOLDS(isfinite(result->link[l].busy) && result->link[l].busy >= 0 &&
                  result->link[l].name[0] != '\0',
              "link %d", l);
    for (int d = 0; d < result->dm_count; d++)
        HOLDS(isfinite(result->dm[d].latency) && isfinite(result->dm[d].arrival), "mirror %d", d);
}

/* Late packets of one of several sensors are no part of a sum. */
static void weights_sum_to_one(const struct result *result)
{
    for (int n = 0; n < result->node_count; n++) {
        const struct weights *weights = &result->work->stage[n].weights;
        double sum = 0;
        int count = 0;

        if (weights->slot == NULL) {
            HOLDS(weights->count == 1 && weights->first == result->work->track[n].slots - 1,
                  "%s: one slot of work", result->node[n].name);
            continue;
        }
        for (int i = 0; i <= weights->last; i++) {
            sum += weights->slot[i];
            count += weights->slot[i] > 0;
            HOLDS(weights->slot[i] >= 0, "%s: weight %g", result->node[n].name, weights->slot[i]);
        }
        HOLDS(sum <= 1 + 1e-9 && count == weights->count, "%s: %d weights sum to %.12g",
              result->node[n].name, count, sum);
    }
}

/* Times ---------------------------------------------------------------------------------------- */

static void times_are_sound(const struct scenario *scenario, const struct result *result)
{
    const struct plan *plan = &result->work->plan;
    const struct timeline *run = &result->work->timeline;
    double clock = run->frames > 1 ? run->report * run->period : 0;

    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];
        const struct track *track = &result->work->track[n];
        bool in_time = !node_is_whole(node) && reference_all_in_time(track);

        HOLDS(node->last_end - node->first_start >= -1e-9 * node->last_end,
              "%s: %.12g s of work from %.12g to %.12g", node->name, node->time, node->first_start,
              node->last_end);
        HOLDS(node->type == COMPONENT_CAMERA || !in_time ||
                  node->last_end - node->first_start >=
                      node->time - 1e-9 * node->last_end - 1e-12 * clock,
              "%s: %.12g s of work within %.12g s", node->name, node->time,
              node->last_end - node->first_start);
        for (int i = 0; i < plan->node[n].before_count; i++)
            HOLDS(node->last_end >=
                      result->node[plan->pool[plan->node[n].before_first + i]].last_end,
                  "%s ends before its predecessor", node->name);
        if (node->type == COMPONENT_CAMERA) {
            const struct component *c = &scenario->component[node->component];

            HOLDS(near(node->busy,
                       c->frame_transfer ? fmax(node->time, c->exposure) : node->time + c->exposure,
                       1e-12) &&
                      node->last_end >=
                          camera_time(track, track->slots - 1, run->packets) * (1 - 1e-9) -
                              1e-12 * clock,
                  "%s is busy for %.12g s of %.12g, exposure %.12g, %d slots, until %.12g",
                  node->name, node->busy, node->time, c->exposure, track->slots, node->last_end);
        } else {
            HOLDS(node->busy == node->time + node->deferred, "%s is busy for %.12g s of %.12g",
                  node->name, node->busy, node->time);
        }
        /* what is deferred is done when the last slot has ended */
        HOLDS(
            node->device < 0 || result->work->stage[n].demand.deferred.flop > 0 ||
                (node->time >= fmax(node->compute, node->memory) * (1 - 1e-9) || node->share == 0),
            "%s takes %.12g s, %.12g and %.12g", node->name, node->time, node->compute,
            node->memory);
    }
}

/* The row of what is split says what its parts do together. Whether there is one. */
static bool wholes_are_sound(const struct result *result)
{
    bool split = false;

    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *whole = &result->node[n];
        const struct plan_node *unit = result->work->plan.node;
        double flop = 0, bytes = 0, time = 0, start = INFINITY, end = 0;

        if (!node_is_whole(whole))
            continue;
        split = true;
        for (int p = n + 1; p <= n + whole->parts; p++) {
            const struct node_result *part = &result->node[p];

            HOLDS(part->component == whole->component && part->part == p - n - 1 &&
                      part->device >= 0 && unit[p].unit != unit[p - 1].unit,
                  "%s is no part of %s", part->name, whole->name);
            flop += part->flop;
            bytes += part->bytes;
            time = fmax(time, part->time);
            start = fmin(start, part->first_start);
            end = fmax(end, part->last_end);
        }
        HOLDS(near(whole->flop, flop, 1e-12) && near(whole->bytes, bytes, 1e-12) &&
                  whole->time == time && whole->busy == time && whole->first_start == start &&
                  whole->last_end == end && whole->device == -1,
              "%s is not what its parts are", whole->name);
    }
    return split;
}

/* Of a frame of its device, s. */
static double taken(const struct result *result, int n)
{
    const struct track *track = &result->work->track[n];
    double busy = result->node[n].busy;

    if (track->sharing == SHARING_PARTITION || stage_in_thread(result->work, n))
        busy *= result->node[n].share;
    if (track->sharing == SHARING_FLUID)
        busy -= track->fixed * track->weights.count + track->tail_fixed + track->deferred_fixed;
    return busy / result->work->stage[n].divisor;
}

/* A device is as busy as the busiest of its units or threads; the circuits of an FPGA do not add
 * up. */
static void devices_are_busy(const struct scenario *scenario, const struct result *result,
                             double *longest)
{
    static double unit[UNIT_MAX];
    const struct plan *plan = &result->work->plan;

    memset(unit, 0, sizeof unit);
    for (int n = 0; n < result->node_count; n++) {
        int u = plan->node[n].unit;

        if (plan_node_is_whole(&plan->node[n]) || plan->node[n].device < 0)
            continue;
        unit[u] = scenario->device[plan->node[n].device].kind == DEVICE_FPGA
                      ? fmax(unit[u], taken(result, n))
                      : unit[u] + taken(result, n);
        if (stage_in_thread(result->work, n))
            unit[result->work->track[n].device] +=
                result->node[n].busy / result->work->stage[n].divisor;
    }
    for (int n = 0; n < result->node_count; n++) /* a thread is a unit of its own */
        if (!plan_node_is_whole(&plan->node[n]) && stage_in_thread(result->work, n))
            unit[plan->node[n].unit] =
                fmax(unit[plan->node[n].unit], unit[result->work->track[n].device]);
    for (int d = 0; d < result->device_count; d++) {
        const struct device_result *device = &result->device[d];
        double busy = 0;

        for (int u = 0; u < plan->device[d].units; u++)
            busy = fmax(busy, unit[plan->device[d].first_unit + u]);
        HOLDS(near(device->busy, busy, 1e-6) &&
                  near(device->utilisation, busy * scenario->general.frame_rate, 1e-6),
              "device %d is busy for %.12g s, expected %.12g", d, device->busy, busy);
        *longest = fmax(*longest, busy);
    }
}

static void rates_are_sound(const struct scenario *scenario, const struct result *result)
{
    double longest = 0;
    double queue[QUEUE_MAX] = {0};

    for (int n = 0; n < result->node_count; n++) {
        const struct plan_node *plan = &result->work->plan.node[n];
        double per_frame = result->node[n].busy / result->work->stage[n].divisor;

        if (plan_node_is_whole(plan))
            continue;
        longest = fmax(longest, per_frame);
        for (int q = 0; q < 2; q++)
            if (plan->queue[q] != NO_QUEUE)
                queue[plan->queue[q]] += per_frame;
    }
    devices_are_busy(scenario, result, &longest);
    for (int l = 0; l < result->link_count; l++) {
        const struct link_result *link = &result->link[l];
        bool port = link->index % QUEUE_ENDS == QUEUE_NETWORK_IN; /* of cameras, too */

        longest = fmax(longest, link->busy);
        if (link->kind == LINK_QUEUE)
            HOLDS(near(link->busy, queue[link->index], 1e-9) ||
                      (port && link->busy > queue[link->index]),
                  "%s is busy for %.12g, expected %.12g", link->name, link->busy,
                  queue[link->index]);
    }
    HOLDS(near(result->limit_busy, longest, 1e-8), "%s is busy longest, %.12g, expected %.12g",
          result->limit, result->limit_busy, longest);
    HOLDS(longest == 0 ? result->max_frame_rate == RESULT_NONE
                       : near(result->max_frame_rate * longest, 1, 1e-8),
          "at most %.12g Hz", result->max_frame_rate);
    HOLDS(near(result->load, longest / result->frame_period, 1e-8), "a load of %.12g",
          result->load);
    /* or frames grow */
    HOLDS(near(longest, result->frame_period, 1e-8) || longest < result->frame_period ||
              result->overloaded,
          "overloaded by %.12g", longest / result->frame_period);
}

static double part_of(const struct result *result, int node)
{
    return result->node[node].path_wait + result->node[node].path_busy;
}

/* Each node at most once, slots in order, no step before what it follows. */
static void steps_add_up(const struct result *result)
{
    const struct plan *plan = &result->work->plan;
    double sum = 0;

    for (int i = 0; i < result->path_count; i++) {
        const struct path_step *step = &result->path[i];

        sum += step->wait + step->busy;
        HOLDS(step->wait >= 0 && step->busy >= 0 && step->first <= step->last,
              "step %d waits %g s, is busy for %g s, slots %d to %d", i, step->wait, step->busy,
              step->first, step->last);
        if (i > 0) {
            const struct plan_node *node = &plan->node[step->node];
            bool follows = false;

            for (int p = 0; p < node->before_count; p++)
                follows = follows || plan->pool[node->before_first + p] == step[-1].node;
            HOLDS(follows && (step->first == step[-1].last ||
                              (step->first > step[-1].last &&
                               step[-1].last == result->work->track[step[-1].node].slots - 1)),
                  "step %d does not follow the last", i);
        }
    }
    HOLDS(fabs(sum - result->latency) <= 1e-12 * result->first_pixel,
          "the steps take %.17g s, the latency is %.17g s", sum, result->latency);
}

/* One frame of what is overloaded; else at most 64, or 8 times those in which sensors meet. */
static void frames_are_sound(const struct result *result)
{
    double most = 64;
    double multiple = 1;

    for (int n = 0; n < result->node_count; n++)
        if (fmod(multiple, result->work->track[n].divisor) != 0)
            multiple *= result->work->track[n].divisor;
    most = fmax(most, 8 * multiple);
    HOLDS(result->frames <= most && (result->frames == 1 || !result->overloaded), "%g frames",
          result->frames);
}

/* Without waits the largest part of the path; with them the largest part counts those for it. A
 * component holds the command up more by its work than others by theirs, or others wait for it. */
static void bound_is_sound(const struct result *result, double most)
{
    const struct node_result *bound = &result->node[result->bound_node];
    double waiting = 0;
    double busy = 0;

    HOLDS((result->bound_node >= 0) == (most > 0), "bound by node %d", result->bound_node);
    if (result->bound_node < 0)
        return;
    for (int n = 0; n < result->node_count; n++) {
        waiting += result->node[n].path_wait;
        busy = fmax(busy, result->node[n].path_busy);
    }
    HOLDS(result->bound_for < 0 || (result->bound == BOUND_WAITING && bound->path_wait > 0),
          "%s waits for nothing", bound->name);
    HOLDS(result->bottleneck == (result->bound_for < 0 ? result->bound_node : result->bound_for),
          "bound by %s, not by node %d", bound->name, result->bottleneck);
    HOLDS(result->bound_for >= 0 || result->bottleneck_bound == result->bound, "bound by %s, %s",
          bound_name(result->bottleneck_bound), bound_name(result->bound));
    HOLDS(result->bound == BOUND_WAITING ? waiting >= busy / 2
                                         : bound->path_busy >= (waiting > 0 ? busy / 2 : busy),
          "bound by %s, busy for %g s of the path", bound->name, bound->path_busy);
}

static void path_is_sound(const struct result *result)
{
    const struct timeline *run = &result->work->timeline;
    double origin = run->frames > 1 ? run->report * run->period : 0;
    double sum = 0;
    double most = 0;
    bool tight = true; /* where nothing leads to a command, nothing need be */
    bool fluid = false;

    for (int n = 0; n < result->node_count; n++) {
        tight = tight && !result->work->plan.node[n].command;
        fluid = fluid || result->work->track[n].sharing == SHARING_FLUID;
    }
    for (int n = 0; n < result->node_count; n++) {
        double wait = result->node[n].path_wait;
        double part = part_of(result, n);

        HOLDS(wait >= 0 && result->node[n].path_busy >= 0, "%s waits %g s of %g s of the path",
              result->node[n].name, wait, part);
        if (node_is_whole(&result->node[n]))
            continue;
        sum += part;
        most = fmax(most, part);
        tight =
            tight || fabs(result_slack(result, n)) <= 1e-12 * result->first_pixel ||
            (result->work->plan.node[n].command && result_slack(result, n) == RESULT_NONE && fluid);
    }
    HOLDS(tight, "everything has time to spare");
    steps_add_up(result);
    HOLDS(fabs(sum - result->latency) <= 1e-9 * result->first_pixel,
          "the critical path is %.12g s, the latency %.12g", sum, result->latency);
    bound_is_sound(result, most);
    HOLDS(fabs(result->first_pixel - result->last_pixel - result->latency) <=
                  1e-12 * result->first_pixel + 1e-15 * origin && /* times are relative to it */
              (result->overloaded ? result->margin == RESULT_NONE
                                  : near(result->margin, result->target - result->latency, 1e-9)),
          "latencies do not add up");
}

/* Timelines ------------------------------------------------------------------------------------ */

/* The reported frame against a simulation of events; in one frame those that meet nobody first,
 * then the others given those. */
static void simulation_agrees(const struct result *result, double **begin, double **end)
{
    static bool meets[NODE_MAX];
    static bool given[NODE_MAX];
    const struct timeline *run = &result->work->timeline;
    double origin = run->frames > 1 ? run->report * run->period : 0;
    int first = reference_slots(run) * run->report;
    bool several = run->frames > 1;

    reference_meets(run, meets);
    for (int pass = 0; pass < (several ? 1 : 2); pass++) {
        reference_shared(run, pass == 0 ? NULL : given, begin, end);
        for (int n = 0; n < run->count; n++) {
            given[n] = !meets[n];
            for (int i = 0; i < run->tracks[n].slots && (several || given[n] == (pass == 0)); i++) {
                double actual = track_end(&run->tracks[n], i);
                double expected = end[n][first + i] - origin;

                if (!HOLDS(fabs(actual - expected) <= 1e-9 * end[n][first + i],
                           "slot %d of %s ends at %.15g, simulated %.15g", i, result->node[n].name,
                           actual, expected))
                    return;
                if (!several && given[n])
                    end[n][i] = actual;
            }
        }
    }
}

/* The slots against a simulation, where there are not too many, and against their sum. */
static bool timelines_agree(const struct scenario *scenario, const struct result *result)
{
    const struct timeline *run = &result->work->timeline;
    int packets = scenario_slots(scenario);
    int count = result->node_count;
    int slots = reference_slots(run) * run->frames;
    bool simulated = count * slots <= SIMULATED_SLOTS;
    double *storage = calloc(2 * (size_t)count * (size_t)slots, sizeof *storage);
    double *begin[NODE_MAX];
    double *end[NODE_MAX];

    if (!CHECK(storage != NULL))
        return false;
    for (int n = 0; n < count; n++) {
        begin[n] = storage + 2 * (size_t)n * (size_t)slots;
        end[n] = begin[n] + slots;
    }
    if (simulated)
        simulation_agrees(result, begin, end);
    for (int n = 0; n < count; n++) {
        double sum = 0;

        for (int i = 0; i < packets && (i < result->work->track[n].slots ||
                                        i <= result->work->track[n].weights.last);
             i++)
            sum += reference_duration(&result->work->track[n], i);
        HOLDS(node_is_whole(&result->node[n]) || !reference_all_in_time(&result->work->track[n]) ||
                  near(sum, result->node[n].time, 1e-7),
              "%s takes %.15g s, its slots %.15g", result->node[n].name, result->node[n].time, sum);
    }
    free(storage);
    return simulated;
}

/* Slack ---------------------------------------------------------------------------------------- */

static double last_command(const struct timeline *run)
{
    double last = 0;

    for (int n = 0; n < run->count; n++)
        if (run->tracks[n].command)
            last = fmax(last, track_command(&run->tracks[n], run->tracks[n].last));
    return last;
}

/* Slots stand in line for a queue, an exclusive device or an enqueuing thread. */
static bool has_lines(const struct result *result, const struct track *track)
{
    const struct timeline *run = &result->work->timeline;

    for (int n = 0; run->simulated && n < run->count; n++)
        if (run->simulation->node[n].thread_shared)
            return true;
    return result->work->plan.queued || track->sharing == SHARING_EXCLUSIVE;
}

/* A component that takes its slack longer moves no command, on whatever it runs; but where slots
 * stand in line another may go first then (critical.h), and a last slot without work would get
 * fixed times. Whether that was tried. */
static bool slack_moves_nothing(struct draw *draw, const struct result *result)
{
    struct timeline *run = &result->work->timeline;
    int n = draw_below(draw, result->node_count);
    struct track *track = &run->tracks[n];
    double slack = result_slack(result, n);
    double fixed = track->tail_fixed;
    double before = last_command(run);
    double after;

    if (run->frames > 1 || has_lines(result, track) || node_is_whole(&result->node[n]) ||
        track->kind != TRACK_COMPUTE || slack == RESULT_NONE ||
        !track_works(track, track->slots - 1))
        return false;
    track->tail_fixed += slack;
    contention_run(run);
    after = last_command(run);
    track->tail_fixed = fixed;
    contention_run(run);
    return HOLDS(fabs(after - before) <= 1e-9 * before,
                 "%s takes its slack of %.12g s longer: the last command is at %.15g s, was %.15g",
                 result->node[n].name, slack, after, before);
}

/* More is never slower ------------------------------------------------------------------------- */

static double latency_of(const struct scenario *scenario, struct result *result)
{
    struct error error = {STATUS_OK, ""};

    HOLDS(evaluate(scenario, result, &error) == STATUS_OK, "refused: %s", error.message);
    return result->latency;
}

/* Every component owns an equal part of nine tenths of its device. */
static void state_shares(struct scenario *scenario)
{
    int users[DEVICE_MAX] = {0};

    for (int i = 0; i < scenario->component_count; i++)
        for (int d = 0; d < scenario->device_count; d++)
            users[d] += (scenario_devices(scenario, i) >> d & 1) != 0;
    for (int i = 0; i < scenario->component_count; i++) {
        int most = 0;

        for (int d = 0; d < scenario->device_count; d++)
            if ((scenario_devices(scenario, i) >> d & 1) != 0 && users[d] > most)
                most = users[d];
        if (most > 0)
            scenario->component[i].share = 0.9 / most;
    }
}

/* Whether two components meet on a device. */
static bool devices_are_shared(const struct scenario *scenario)
{
    int users[DEVICE_MAX] = {0};

    for (int i = 0; i < scenario->component_count; i++)
        if (scenario_device(scenario, i) >= 0 && ++users[scenario_device(scenario, i)] > 1)
            return true;
    return false;
}

/* Returns true if a host and a board use one memory. */
static bool memory_is_shared(const struct scenario *scenario)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario_sharing_board(scenario, d) >= 0)
            return true;
    return false;
}

/* But where components meet on a device or in a memory: a head start for one may be another's
 * delay, in fluid as in exclusive. */
static void more_is_never_slower(struct draw *draw, const struct scenario *scenario,
                                 struct result *result)
{
    static const char *const what[] = {"share", "FLOP/s", "bandwidth", "efficiency", "launch"};
    static struct scenario plain;
    static struct scenario more;
    int i = draw_below(draw, scenario->component_count);
    int choice = draw_below(draw, 5);
    struct component *c = &more.component[i];
    struct device *d;
    double before;
    double after;
    double frames;
    bool overloaded;

    if (result->work->plan.queued || scenario_device(scenario, i) < 0 ||
        memory_is_shared(scenario) ||
        (scenario_common_sharing(scenario) != SHARING_PARTITION && devices_are_shared(scenario)))
        return;
    scenario_copy(&plain, scenario);
    state_shares(&plain);
    scenario_copy(&more, &plain);
    d = &more.device[scenario_device(scenario, i)];
    switch (choice) {
    case 0:
        c->share *= 1.1;
        break;
    case 1:
        d->clock *= 1.5;
        break;
    case 2:
        d->memory_rate *= 1.5;
        d->memory_clock *= 1.5;
        break;
    case 3:
        /* stated, it replaces the factors of interpreters and old code, too */
        c->compute_efficiency = c->memory_efficiency = d->sustained_memory = 1;
        break;
    default:
        d->launch = d->launch == TIME_AUTO ? 0 : 0.7 * d->launch;
        break;
    }
    before = latency_of(&plain, result);
    overloaded = result->overloaded;
    frames = result->frames;
    after = latency_of(&more, result);
    /* one frame of an overloaded design is compared with nothing but such a one */
    if (result->overloaded != overloaded || result->frames != frames)
        return;
    HOLDS(after <= before + 1e-12 * (result->first_pixel + 5 * result->frame_period),
          "%s, more %s for %s: %.15g s after %.15g",
          scenario_common_sharing(scenario) == SHARING_FLUID ? "fluid" : "partition", what[choice],
          plain.component[i].head.name, after, before);
}

/* All of it ------------------------------------------------------------------------------------ */

TEST(random_designs)
{
    static struct scenario scenario;
    struct result *result = sample_result();
    struct draw start = draw_start(0x5EED0100);
    int repeat = draw_repeat(REPEAT);
    int evaluated = 0;
    int queued = 0;
    int simulated = 0;
    int split = 0;
    int several = 0;
    int modes[SHARING_MIXED + 1] = {0};
    int slipped[SHARING_MIXED + 1] = {0};

    for (int i = 0; i < repeat; i++) {
        struct draw draw = {start.state + (uint64_t)i};
        struct error error = {STATUS_OK, ""};
        enum sharing sharing;

        seed = draw.state;
        random_design(&draw, &scenario);
        sharing = scenario_common_sharing(&scenario);
        if (evaluate(&scenario, result, &error) != STATUS_OK) {
            names_section_and_key(&scenario, error.message);
            continue;
        }
        evaluated++;
        queued += result->work->plan.queued;
        values_are_finite(result);
        weights_sum_to_one(result);
        times_are_sound(&scenario, result);
        split += wholes_are_sound(result);
        rates_are_sound(&scenario, result);
        path_is_sound(result);
        frames_are_sound(result);
        several += result->frames > 1;
        modes[sharing]++;
        simulated += timelines_agree(&scenario, result);
        slipped[sharing] += slack_moves_nothing(&draw, result);
        more_is_never_slower(&draw, &scenario, result);
    }
    printf(
        "# %d designs: %d evaluated (%d partition, %d exclusive, %d fluid, %d mixed), %d of them "
        "with shared queues, %d split, %d over several frames, %d simulated\n",
        repeat, evaluated, modes[SHARING_PARTITION], modes[SHARING_EXCLUSIVE], modes[SHARING_FLUID],
        modes[SHARING_MIXED], queued, split, several, simulated);
    CHECK(repeat < 5000 || several > 10);
    CHECK_TRUE(repeat < 5000 || (slipped[SHARING_PARTITION] > 100 && slipped[SHARING_FLUID] > 10),
               "slack of %d and %d", slipped[SHARING_PARTITION], slipped[SHARING_FLUID]);
    CHECK_TRUE(evaluated * 10 >= repeat * 3, "%d of %d designs evaluate", evaluated, repeat);
    CHECK(repeat < 1000 || split * 25 > evaluated);
    CHECK(repeat < 100 || (queued * 10 > evaluated && queued * 10 < evaluated * 9));
}

/* One result object through many designs gives what a fresh one gives. */
TEST(history_does_not_matter)
{
    static struct scenario scenario;
    struct result *result = sample_result();
    struct draw start = draw_start(0x5EED8000);
    int repeat = draw_repeat(300);

    for (int i = 0; i < repeat; i++) {
        struct draw draw = {start.state + (uint64_t)i};
        struct error error = {STATUS_OK, ""};
        struct result fresh;

        seed = draw.state;
        random_design(&draw, &scenario);
        if (evaluate(&scenario, result, &error) != STATUS_OK)
            continue;
        if (sample_evaluate_fresh(&scenario, &fresh)) {
            char where[64];

            snprintf(where, sizeof where, "AOLAG_SEED=0x%" PRIx64, seed);
            sample_same(result, &fresh, where);
            evaluate(&scenario, result, &error);
            sample_same(result, &fresh, where);
        }
        result_free(&fresh);
    }
}
