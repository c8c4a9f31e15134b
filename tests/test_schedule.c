#include "design/scenario_edit.h"
#include "model/schedule.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "model/evaluate.h"
#include "model/stage.h"
#include "random_design.h"
#include "reference_model.h"
#include "sample.h"
#include "systems.h"

#define SLOTS_CHECKED 20000 /* of a design: larger ones are left to the presets */

static const char *name; /* of the design at hand */
static uint64_t seed;

#define HOLDS(condition, ...) draw_holds((condition), seed, __FILE__, __LINE__, __VA_ARGS__)

/* The slots of all nodes: [node * (packets + 1) + slot]. */
struct plan_slots {
    const struct result *result;
    int packets;
    struct schedule_slot *slot;
    double rounding; /* s: times of several frames lose digits to the clock of the first */
};

static const struct schedule_slot *slots_of(const struct plan_slots *all, int node)
{
    return all->slot + (size_t)node * (size_t)(all->packets + 1);
}

static bool take(const struct result *result, struct plan_slots *all)
{
    const struct timeline *run = &result->work->timeline;
    double clock = run->frames > 1 ? run->report * run->period : 0;
    size_t each;

    *all = (struct plan_slots){.result = result, .packets = result->work->timeline.packets};
    each = (size_t)(all->packets + 1);
    all->slot = malloc((size_t)result->node_count * each * sizeof *all->slot);
    all->rounding = 1e-12 * clock;
    for (int n = 0; n < result->node_count; n++)
        all->rounding = fmax(all->rounding, 1e-9 * result->node[n].last_end + 1e-12 * clock);
    if (!CHECK(all->slot != NULL))
        return false;
    for (int n = 0; n < result->node_count; n++)
        schedule_read_node(result, n, all->slot + (size_t)n * each);
    return true;
}

/* One node ------------------------------------------------------------------------------------ */

static double longest_delay(const struct track *track)
{
    return fmax(track->delay + track->enqueue + track->enqueue_tail, track->delay_inside) +
           track->sleep;
}

static void slot_is_sound(const struct plan_slots *all, int n, int i)
{
    const struct schedule_slot *slot = &slots_of(all, n)[i];
    const struct node_result *node = &all->result->node[n];
    const struct track *track = &all->result->work->track[n];
    double latency = track->kind == TRACK_LINK && slot->works ? track->latency : 0;

    HOLDS(isfinite(slot->end) && slot->ready >= 0 && slot->from >= slot->ready &&
              slot->start >= slot->from && slot->end >= slot->start,
          "%s %s slot %d: %.15g, %.15g, %.15g, %.15g s", name, node->name, i, slot->ready,
          slot->from, slot->start, slot->end);
    HOLDS(slot->wait >= 0 && slot->busy >= 0, "%s %s slot %d: waits %g, busy %g s", name,
          node->name, i, slot->wait, slot->busy);
    /* the rest is delay */
    HOLDS(slot->end - slot->from - slot->wait - slot->busy - latency >= -all->rounding,
          "%s %s slot %d: %.15g s from %.15g on, waits %.15g, busy %.15g", name, node->name, i,
          slot->end - slot->from, slot->from, slot->wait, slot->busy);
    /* or its thread was busy */
    HOLDS(!slot->works || track->kind == TRACK_CAMERA || all->result->frames > 1 ||
              slot->end - slot->from - slot->wait - slot->busy - latency <=
                  longest_delay(track) + all->rounding ||
              track->enqueue > 0,
          "%s %s slot %d: %.15g s from %.15g on, waits %.15g, busy %.15g, delays of %.15g", name,
          node->name, i, slot->end - slot->from, slot->from, slot->wait, slot->busy,
          longest_delay(track));
    HOLDS(slot->works || slot->busy == 0, "%s %s slot %d does not work for %g s", name, node->name,
          i, slot->busy);
}

/* No two slots of a node at once; all of them together are its time. */
static void node_is_sound(const struct plan_slots *all, int n)
{
    const struct result *result = all->result;
    const struct node_result *node = &result->node[n];
    const struct schedule_slot *slot = slots_of(all, n);
    const struct track *track = &result->work->track[n];
    bool fluid = track->sharing == SHARING_FLUID;
    double busy = 0;
    double free = 0;
    double first = node->last_end;

    for (int i = 0; i <= all->packets; i++) {
        bool deferred = i == all->packets;

        slot_is_sound(all, n, i);
        if (!slot[i].works)
            continue;
        HOLDS(slot[i].start >= free - all->rounding, "%s %s slot %d begins at %.15g, before %.15g",
              name, node->name, i, slot[i].start, free);
        free = fluid && node->device >= 0 ? slot[i].end : slot[i].start + slot[i].busy;
        busy += deferred ? 0 : slot[i].busy;
        first = deferred ? first : fmin(first, slot[i].start);
        if (deferred)
            HOLDS(fabs(slot[i].busy - node->deferred) <= 1e-9 * node->deferred,
                  "%s %s defers %.15g s, expected %.15g", name, node->name, slot[i].busy,
                  node->deferred);
    }
    if (node_is_whole(node)) {
        HOLDS(busy == 0, "%s %s stands for its parts and works for %g s", name, node->name, busy);
        return;
    }
    HOLDS(busy <= node->time * (1 + 1e-9) &&
              (busy >= node->time * (1 - 1e-9) || !reference_all_in_time(track)),
          "%s %s is busy for %.15g s, expected %.15g", name, node->name, busy, node->time);
    HOLDS(fabs(slot[track->slots - 1].end - node->last_end) <= all->rounding,
          "%s %s ends at %.15g, expected %.15g", name, node->name, slot[track->slots - 1].end,
          node->last_end);
    HOLDS(busy == 0 || fabs(first - node->first_start) <= all->rounding,
          "%s %s begins at %.15g, expected %.15g", name, node->name, first, node->first_start);
}

static void follows_all(const struct plan_slots *all, int n)
{
    const struct track *track = &all->result->work->track[n];
    const struct schedule_slot *slot = slots_of(all, n);

    for (int p = 0; p < track->before_count && track->kind != TRACK_CAMERA; p++) {
        const struct schedule_slot *before = slots_of(all, track->before[p]);
        int last = all->result->work->track[track->before[p]].slots - 1;

        for (int i = 0; i < track->slots; i++)
            HOLDS(slot[i].start >= before[i < last ? i : last].end - all->rounding,
                  "%s %s slot %d begins at %.15g, before %.15g", name, all->result->node[n].name, i,
                  slot[i].start, before[i < last ? i : last].end);
    }
}

/* Devices ------------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
    const struct schedule_slot *x = a;
    const struct schedule_slot *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

static bool runs_in_turn(const struct track *track, int unit)
{
    return track->kind == TRACK_COMPUTE && track->device == unit &&
           track->sharing == SHARING_EXCLUSIVE;
}

/* What works on a unit of a device, one after the other. */
static void holds_alone(const struct plan_slots *all, int unit)
{
    size_t each = (size_t)(all->packets + 1);
    struct schedule_slot *held = malloc((size_t)all->result->node_count * each * sizeof *held);
    size_t count = 0;

    for (int n = 0; held != NULL && n < all->result->node_count; n++)
        for (size_t i = 0; i < each && runs_in_turn(&all->result->work->track[n], unit); i++)
            if (slots_of(all, n)[i].works)
                held[count++] = slots_of(all, n)[i];
    qsort(held, count, sizeof *held, by_start);
    for (size_t i = 1; held != NULL && i < count; i++)
        HOLDS(held[i].start >= held[i - 1].start + held[i - 1].busy - all->rounding,
              "%s unit %d: two at once at %.15g s, one till %.15g", name, unit, held[i].start,
              held[i - 1].start + held[i - 1].busy);
    free(held);
}

/* The critical path --------------------------------------------------------------------------- */

static void path_is_the_results(const struct plan_slots *all)
{
    const struct result *result = all->result;
    double latency = 0;

    for (int n = 0; n < result->node_count; n++) {
        const struct schedule_slot *slot = slots_of(all, n);
        const struct path_step *step = NULL;
        double wait = 0;
        double busy = 0;

        for (int i = 0; i < result->path_count; i++)
            step = result->path[i].node == n ? &result->path[i] : step;
        for (int i = 0; i <= all->packets; i++) {
            wait += slot[i].path_wait;
            busy += slot[i].path_busy;
            HOLDS(!slot[i].critical || (step != NULL && i >= step->first && i <= step->last),
                  "%s %s slot %d is critical, but not on the path", name, result->node[n].name, i);
            HOLDS(slot[i].critical || slot[i].path_wait + slot[i].path_busy == 0,
                  "%s %s slot %d takes time on the path, but is not critical", name,
                  result->node[n].name, i);
        }
        HOLDS(node_is_whole(&result->node[n]) ||
                  (fabs(wait - result->node[n].path_wait) <= all->rounding &&
                   fabs(busy - result->node[n].path_busy) <= all->rounding),
              "%s %s waits %.15g and is busy %.15g s, expected %.15g and %.15g", name,
              result->node[n].name, wait, busy, result->node[n].path_wait,
              result->node[n].path_busy);
        latency += wait + busy;
    }
    HOLDS(result->path_count == 0 || fabs(latency - result->latency) <= all->rounding,
          "%s: %.15g s on the path, a latency of %.15g", name, latency, result->latency);
}

static void design_is_sound(const struct result *result)
{
    struct plan_slots all;

    if (!take(result, &all))
        return;
    for (int n = 0; n < result->node_count; n++) {
        node_is_sound(&all, n);
        follows_all(&all, n);
    }
    for (int u = 0; u < result->work->plan.units; u++)
        holds_alone(&all, u);
    path_is_the_results(&all);
    free(all.slot);
}

/* Designs ------------------------------------------------------------------------------------- */

/* One that cannot keep pace mostly at one that it can. */
static bool evaluate_slower(struct draw *draw, struct scenario *scenario, struct result *result)
{
    struct error error = {STATUS_OK, ""};

    if (evaluate(scenario, result, &error) != STATUS_OK)
        return false;
    if (result->overloaded && draw_chance(draw, 0.8)) {
        scenario->general.frame_rate = draw_between(draw, 0.3, 0.999) / result->limit_busy;
        return sample_evaluate(scenario, result);
    }
    return true;
}

TEST(random_designs)
{
    static struct scenario scenario;
    struct result *result = sample_result();
    struct draw start = draw_start(0x5C4E0000);
    int repeat = draw_repeat(1200);
    int several[SHARING_MIXED + 1] = {0};
    int one[SHARING_MIXED + 1] = {0};

    name = "random";
    for (int i = 0; i < repeat; i++) {
        struct draw draw = {start.state + (uint64_t)i};

        seed = draw.state;
        random_design(&draw, &scenario);
        if (scenario.general.packets > 2000 && !draw_chance(&draw, 0.1))
            scenario.general.packets = 1 + draw_below(&draw, 300);
        for (int w = 0; w < scenario.wfs_count; w++)
            scenario.wfs[w].packets = fmin(scenario.wfs[w].packets, scenario.general.packets);
        if (!evaluate_slower(&draw, &scenario, result) ||
            result->node_count * scenario.general.packets > SLOTS_CHECKED)
            continue;
        if (result->frames > 1)
            several[scenario_common_sharing(&scenario)]++;
        else
            one[scenario_common_sharing(&scenario)]++;
        design_is_sound(result);
    }
    for (int s = SHARING_PARTITION; s <= SHARING_FLUID; s++)
        CHECK_TRUE(repeat < 1000 || (several[s] > 5 && one[s] > 50),
                   "sharing %d: %d designs of one frame, %d of several", s, one[s], several[s]);
}

/* As they are, shared in each way, in one packet and in very many. */
static void preset_is_sound(const char *preset, const struct scenario *system,
                            const struct result *as_it_is)
{
    static const double packets[] = {0, 1, 4096};
    static struct scenario scenario;
    struct result *result = sample_result();

    (void)as_it_is;
    name = preset;
    scenario_copy(&scenario, system);
    for (int sharing = SHARING_PARTITION; sharing <= SHARING_FLUID; sharing++)
        for (size_t p = 0; p < sizeof packets / sizeof packets[0]; p++) {
            scenario.general.sharing = sharing;
            scenario.general.packets = packets[p] > 0 ? packets[p] : system->general.packets;
            if (sample_evaluate(&scenario, result))
                design_is_sound(result);
        }
}

TEST(all_presets)
{
    seed = 0;
    systems_each(preset_is_sound);
}

/* By hand: a design that defers, and is done before the next frame comes. */
TEST(deferred_work)
{
    static struct scenario scenario;
    struct result *result = sample_result();
    struct schedule_slot slot[5];
    int control;

    scenario_init(&scenario);
    sample_chain(&scenario);
    scenario.general.packets = 4;
    sample_set(&scenario, "component.control.algorithm", "polc");
    if (!sample_evaluate(&scenario, result))
        return;
    control = result_find_node(result, "control");
    schedule_read_node(result, control, slot);
    CHECK_INT(result->frames, 1);
    CHECK(result->node[control].deferred > 0);
    CHECK(slot[4].works && !slot[4].critical);
    /* nothing but the mirror's link comes between its command and what it deferred */
    CHECK_NEAR(slot[4].ready, result->first_pixel, 1e-9);
    CHECK_NEAR(slot[4].end - slot[4].start, result->node[control].deferred, 1e-6);
}
