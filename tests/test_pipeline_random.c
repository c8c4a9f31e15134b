#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "check.h"
#include "design/knob_text.h"
#include "draw.h"
#include "model/evaluate.h"
#include "model/stage.h"
#include "random_design.h"
#include "reference_pipeline.h"
#include "sample.h"

/* evaluate against the reference model, which works out structure, work and times of a design once
 * more from the scenario alone and lets time pass from event to event. */

#define REPEAT 2000
#define SLOTS 40000    /* of all nodes and frames; of designs with more no times are compared */
#define ROUNDING 1e-12 /* relative error of times, by which requests may change places */
#define NUDGES 50

static uint64_t seed; /* of the design at hand; AOLAG_SEED=... AOLAG_REPEAT=1 brings it back */
static bool quiet;    /* differences are not printed */
static struct scenario scenario;

/* Prints a difference and returns whether there is none. */
static bool holds(bool condition, const char *format, ...)
{
    va_list list;

    if (condition || quiet)
        return condition;
    printf("# AOLAG_SEED=0x%" PRIx64 ": ", seed);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
    return false;
}

#define HOLDS(condition, ...) holds((condition), __VA_ARGS__)

/* Designs -------------------------------------------------------------------------------------- */

static void set_number(enum section section, int index, const char *key, double si)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    CHECK_TRUE(knob_find_key(&scenario, section, index, key, &ref, &error) == STATUS_OK &&
                   knob_set_number(&scenario, ref, si, &error) == STATUS_OK,
               "%s = %g: %s", key, si, error.message);
}

static void forget(enum section section, const char *const *keys, int count)
{
    struct error error;
    struct knob_ref ref;

    for (int i = 0; i < section_count(&scenario, section); i++)
        for (int k = 0; k < count; k++)
            if (knob_find_key(&scenario, section, i, keys[k], &ref, &error) == STATUS_OK)
                knob_reset(&scenario, ref);
}

#define FORGET(section, keys) forget(section, keys, (int)(sizeof keys / sizeof keys[0]))

/* So that the automatic times show. */
static void forget_times(void)
{
    static const char *const device[] = {
        "launch",       "boundary",     "enqueue",         "handover",      "software",
        "copy_latency", "peer_latency", "ingress_latency", "datagram_time", "egress_latency"};
    static const char *const component[] = {"overhead"};

    FORGET(SECTION_DEVICE, device);
    FORGET(SECTION_COMPONENT, component);
}

/* Computers and work of usual size, so that nothing hides what is small. */
static void make_ordinary(struct draw *draw)
{
    static const char *const device[] = {"clock",
                                         "simd_bits",
                                         "fma_pipes",
                                         "memory_channels",
                                         "channel_bits",
                                         "memory_rate",
                                         "units",
                                         "ops_per_clock",
                                         "bus_bits",
                                         "memory_clock",
                                         "transfers_per_clock",
                                         "l1_bandwidth",
                                         "l2_bandwidth",
                                         "l3_bandwidth",
                                         "nic",
                                         "mtu",
                                         "operator_time",
                                         "sustained_memory",
                                         "sustained_compute",
                                         "add_latency",
                                         "operand_bandwidth",
                                         "memory_latency",
                                         "host_bandwidth"};
    static const char *const component[] = {"compute_efficiency",
                                            "memory_efficiency",
                                            "kernels",
                                            "operators",
                                            "iterations",
                                            "unknowns",
                                            "rank",
                                            "tile",
                                            "states",
                                            "rows",
                                            "columns",
                                            "search",
                                            "block",
                                            "locality",
                                            "flops_per_pixel"};

    FORGET(SECTION_DEVICE, device);
    FORGET(SECTION_COMPONENT, component);
    for (int w = 0; w < scenario.wfs_count; w++) {
        set_number(SECTION_WFS, w, "subaps_across", 4 + draw_below(draw, 40));
        set_number(SECTION_WFS, w, "count", 1 + draw_below(draw, 3));
        if (scenario.wfs[w].kind == WFS_SHACK_HARTMANN)
            set_number(SECTION_WFS, w, "pixels_per_subap", 2 + draw_below(draw, 8));
    }
    for (int c = 0; c < scenario.component_count; c++) {
        if (scenario.component[c].type == COMPONENT_TRANSFER)
            set_number(SECTION_COMPONENT, c, "bytes", draw_log(draw, 100, 1e6));
        if (scenario.component[c].type != COMPONENT_CUSTOM)
            continue;
        set_number(SECTION_COMPONENT, c, "flops", draw_log(draw, 1e5, 1e8));
        set_number(SECTION_COMPONENT, c, "bytes_read", draw_log(draw, 1e3, 1e6));
        set_number(SECTION_COMPONENT, c, "bytes_written", draw_log(draw, 1e3, 1e6));
        set_number(SECTION_COMPONENT, c, "working_set", draw_log(draw, 1e3, 1e8));
    }
}

/* Few packets and units, short readouts; what a stated transfer by PCIe joins is left open. */
static void make_small(struct draw *draw)
{
    set_number(SECTION_SCENARIO, 0, "packets",
               1 + draw_below(draw, draw_chance(draw, 0.8) ? 8 : 40));
    for (int w = 0; w < scenario.wfs_count; w++) {
        set_number(SECTION_WFS, w, "packets",
                   draw_chance(draw, 0.3) ? 1 + draw_below(draw, 12) : 0);
        set_number(SECTION_WFS, w, "start",
                   draw_chance(draw, 0.3) ? draw_between(draw, 0, 1e-3) : 0);
    }
    if (draw_chance(draw, 0.6))
        make_ordinary(draw);
    if (draw_chance(draw, 0.7))
        forget_times();
    for (int d = 0; d < scenario.device_count; d++)
        if (scenario.device[d].kind == DEVICE_GPU)
            set_number(SECTION_DEVICE, d, "count",
                       draw_chance(draw, 0.3) ? 1 + draw_below(draw, 4) : 1);
    for (int c = 0; c < scenario.component_count; c++) {
        if (scenario.component[c].type == COMPONENT_CAMERA && draw_chance(draw, 0.5))
            set_number(SECTION_COMPONENT, c, "readout", draw_between(draw, 0, 1e-3));
        if (scenario.component[c].type == COMPONENT_TRANSFER)
            set_number(SECTION_COMPONENT, c, "link", LINK_NETWORK);
    }
    if (draw_chance(draw, 0.5))
        set_number(SECTION_AO, 0, "actuators", 1 + draw_below(draw, 3000));
}

/* Whether what the documents leave open makes a difference: a component after a mirror, a GPU
 * without a host. */
static bool is_left_open(void)
{
    for (int d = 0; d < scenario.device_count; d++)
        if (scenario.device[d].kind == DEVICE_GPU && reference_host(&scenario, d) == d)
            return true;
    for (int c = 0; c < scenario.component_count; c++)
        for (int b = 0; b < scenario.component_count; b++)
            if ((scenario_predecessors(&scenario, c) >> b & 1) != 0 &&
                scenario.component[b].type == COMPONENT_DM)
                return true;
    return false;
}

/* What is busy for longest has room for, or is missing, some of its time. */
static void set_rate(struct draw *draw, const struct reference_outcome *outcome)
{
    if (outcome->limit.busy > 0 && draw_chance(draw, 0.8))
        set_number(SECTION_SCENARIO, 0, "frame_rate",
                   fmin(100000, fmax(1, draw_between(draw, 0.1, 1.1) / outcome->limit.busy)));
}

/* Comparison ----------------------------------------------------------------------------------- */

static bool near(double actual, double expected, double relative, double absolute)
{
    return fabs(actual - expected) <= relative * fabs(expected) + absolute;
}

static bool same(const char *who, const char *what, double actual, double expected, double relative,
                 double absolute)
{
    return HOLDS(near(actual, expected, relative, absolute), "%s %s is %.12g, expected %.12g", who,
                 what, actual, expected);
}

static const struct node_result *row_of(const struct result *result, const char *name)
{
    int n = result_find_node(result, name);

    return n < 0 ? NULL : &result->node[n];
}

/* A node waits for the same nodes, and a camera or a transfer from or to a host carries as many
 * bytes. */
static bool edges_agree(const struct result *result, const struct reference_plan *plan, int n)
{
    const struct reference_node *node = &plan->node[n];
    int at = result_find_node(result, node->name);
    const struct plan_node *actual = &result->work->plan.node[at];
    bool carries =
        node->type == COMPONENT_CAMERA ||
        (node->kind != REFERENCE_NOTHING && (node->from.device >= 0 || node->to.device >= 0));

    for (int b = 0; b < node->before_count; b++) {
        const char *name = plan->node[node->before[b]].name;
        int i = 0;

        while (i < actual->before_count &&
               strcmp(result->node[result->work->plan.pool[actual->before_first + i]].name, name) !=
                   0)
            i++;
        if (!HOLDS(i < actual->before_count, "%s does not wait for %s", node->name, name))
            return false;
    }
    return HOLDS(actual->before_count == node->before_count, "%s waits for %d nodes, expected %d",
                 node->name, actual->before_count, node->before_count) &&
           (!carries ||
            same(plan->node[n].name, "payload", result->node[at].bytes, node->output, 1e-9, 0));
}

/* Returns false after the first difference, which others follow from. */
static bool structure_agrees(const struct result *result, const struct reference_plan *plan)
{
    int count = 0;

    for (int n = 0; n < result->node_count; n++)
        count += !node_is_whole(&result->node[n]);
    for (int n = 0; n < plan->count; n++)
        if (!HOLDS(row_of(result, plan->node[n].name) != NULL, "there is no %s",
                   plan->node[n].name) ||
            !edges_agree(result, plan, n))
            return false;
    return HOLDS(count == plan->count, "%d nodes, expected %d", count, plan->count);
}

static bool work_agrees(const struct result *result, const struct reference_outcome *expected)
{
    for (int n = 0; n < expected->design.plan.count; n++) {
        const struct reference_node *node = &expected->design.plan.node[n];
        const struct reference_work *work = &expected->design.work[n];
        const struct node_result *row = row_of(result, node->name);

        if (node->at.device >= 0 &&
            !(same(node->name, "FLOP", row->flop, work->flop, 1e-9, 0) &&
              same(node->name, "bytes", row->bytes, work->bytes, 1e-9, 0) &&
              same(node->name, "working set", row->working_set, work->working_set, 1e-9, 0) &&
              same(node->name, "share", row->share, work->share, 1e-7, 0) &&
              same(node->name, "compute", row->compute, work->compute, 1e-7, 0) &&
              same(node->name, "memory", row->memory, work->memory, 1e-7, 0)))
            return false;
        if (!(same(node->name, "divisor", row->divisor, node->divisor, 0, 0) &&
              same(node->name, "time", row->time, expected->time[n], 1e-7, 0) &&
              same(node->name, "deferred", row->deferred, expected->deferred[n], 1e-7, 0) &&
              same(node->name, "busy", row->busy, expected->busy[n], 1e-7, 0)))
            return false;
    }
    return true;
}

/* s per frame of the busiest of the threads that enqueue work on a device: "d1.2.enqueue" is one of
 * "d1.enqueue". */
static double enqueuing(const struct reference_outcome *expected, const char *name)
{
    size_t length = strcspn(name, ".") + 1;
    double most = 0;

    for (int l = 0; l < expected->load_count; l++)
        if (strncmp(expected->load[l].name, name, length) == 0 &&
            strstr(expected->load[l].name, ".enqueue") != NULL)
            most = fmax(most, expected->load[l].busy);
    return most;
}

static bool loads_agree(const struct result *result, const struct reference_outcome *expected)
{
    for (int d = 0; d < scenario.device_count; d++)
        if (!same(scenario.device[d].head.name, "busy", result->device[d].busy,
                  expected->device_busy[d], 1e-6, 1e-15))
            return false;
    for (int i = 0; i < result->link_count; i++)
        if (strstr(result->link[i].name, ".enqueue") != NULL &&
            !same(result->link[i].name, "busy", result->link[i].busy,
                  enqueuing(expected, result->link[i].name), 1e-7, 0))
            return false;
    for (int l = 0; l < expected->load_count; l++) {
        int i = 0;

        if (strstr(expected->load[l].name, ".nic.") == NULL &&
            strstr(expected->load[l].name, ".receive") == NULL)
            continue;
        while (i < result->link_count && strcmp(result->link[i].name, expected->load[l].name) != 0)
            i++;
        if (!HOLDS(i < result->link_count, "there is no %s", expected->load[l].name) ||
            !same(expected->load[l].name, "busy", result->link[i].busy, expected->load[l].busy,
                  1e-7, 0))
            return false;
    }
    return HOLDS(near(result->limit_busy, expected->limit.busy, 1e-6, 0),
                 "%s is busy for longest, %.12g s, expected %s, %.12g", result->limit,
                 result->limit_busy, expected->limit.name, expected->limit.busy);
}

static bool times_agree(const struct result *result, const struct reference_outcome *expected)
{
    bool several = expected->frames > 1 || result->frames > 1;
    double absolute = several ? 3e-9 : 0; /* frames repeat within 1e-9 s */

    for (int n = 0; n < expected->design.plan.count; n++)
        absolute = fmax(absolute, 1e-14 * expected->last_end[n]);
    for (int n = 0; n < expected->design.plan.count; n++) {
        const char *name = expected->design.plan.node[n].name;
        const struct node_result *row = row_of(result, name);

        if (!same(name, "last end", row->last_end, expected->last_end[n], 1e-9, absolute))
            return false;
        if (expected->design.plan.node[n].kind != REFERENCE_CAMERA &&
            !same(name, "first start", row->first_start, expected->first_start[n], 1e-9, absolute))
            return false;
    }
    return same("the", "latency", result->latency, expected->latency, 1e-9,
                absolute + 1e-12 * expected->clock);
}

/* Whether the latency of the design or of a mirror is, though only by rounding. */
static bool is_negative(const struct result *result)
{
    bool negative = result->latency < 0;

    for (int d = 0; d < result->dm_count; d++)
        negative = negative || result->dm[d].latency < 0;
    return negative;
}

static bool all_times_agree(const struct result *result, const struct reference_outcome *expected)
{
    return (near(expected->limit.busy, 1 / scenario.general.frame_rate, 1e-6, 0) ||
            HOLDS(result->overloaded == expected->overloaded,
                  "overloaded %d, expected %d (%d frames)", result->overloaded,
                  expected->overloaded, expected->frames)) &&
           times_agree(result, expected);
}

/* Whether times agree if those of the reference differ by rounding: at first of one node, later or
 * earlier, then of several. */
static bool agrees_nudged(const struct result *result, int nodes)
{
    double *nudge = calloc((size_t)nodes, sizeof *nudge);
    struct draw draw = {seed};
    bool found = false;

    for (int i = 0; i < 2 * nodes + NUDGES && !found; i++) {
        struct reference_outcome expected;

        for (int n = 0; n < nodes; n++)
            nudge[n] = i >= 2 * nodes ? draw_between(&draw, -ROUNDING, ROUNDING)
                       : n != i / 2   ? 0
                       : i % 2 == 0   ? ROUNDING
                                      : -ROUNDING;
        reference_pipeline_nudged(&scenario, SLOTS, nudge, &expected);
        found = !expected.too_long && all_times_agree(result, &expected);
        reference_pipeline_free(&expected);
    }
    free(nudge);
    return found;
}

/* How evaluate and the reference agree. */
enum agreement { DIFFERENT, SAME_BUT_FOR_ROUNDING, SAME };

static enum agreement compare(const struct result *result, const struct reference_outcome *expected)
{
    bool agrees;

    if (!structure_agrees(result, &expected->design.plan) || !work_agrees(result, expected) ||
        !loads_agree(result, expected))
        return DIFFERENT;
    quiet = true;
    agrees = expected->too_long || all_times_agree(result, expected);
    if (agrees || agrees_nudged(result, expected->design.plan.count)) {
        quiet = false;
        return agrees ? SAME : SAME_BUT_FOR_ROUNDING;
    }
    quiet = false;
    all_times_agree(result, expected);
    return DIFFERENT;
}

/* What was tried, and how it went. */
struct tally {
    int modes[4]; /* by sharing, then automatic */
    int evaluated, several, wrong, negative, left_out, rounded, grow, odd;
};

static void count_design(const struct result *result, const struct reference_outcome *expected,
                         struct tally *tally)
{
    enum agreement agreement = compare(result, expected);

    tally->evaluated++;
    tally->modes[scenario.general.sharing < 0 ? 3 : scenario.general.sharing]++;
    tally->several += expected->frames > 1;
    tally->left_out += expected->too_long;
    tally->odd += expected->not_periodic;
    tally->grow += expected->overloaded && expected->limit.busy <= 1 / scenario.general.frame_rate;
    tally->negative += is_negative(result);
    tally->wrong += agreement == DIFFERENT;
    tally->rounded += agreement == SAME_BUT_FOR_ROUNDING;
}

static void try_design(uint64_t state, struct tally *tally)
{
    struct result *result = sample_result();
    struct draw draw = {state};
    struct error error = {STATUS_OK, ""};
    struct reference_outcome expected;

    seed = state;
    random_design(&draw, &scenario);
    make_small(&draw);
    if (is_left_open() || evaluate(&scenario, result, &error) != STATUS_OK)
        return;
    tally->negative += is_negative(result);
    reference_pipeline(&scenario, SLOTS, &expected);
    set_rate(&draw, &expected);
    reference_pipeline_free(&expected);
    if (!CHECK(evaluate(&scenario, result, &error) == STATUS_OK))
        return;
    reference_pipeline(&scenario, SLOTS, &expected);
    count_design(result, &expected, tally);
    reference_pipeline_free(&expected);
}

TEST(random_pipelines)
{
    struct draw start = draw_start(0x5EED6000);
    int repeat = draw_repeat(REPEAT);
    struct tally tally = {0};

    for (int i = 0; i < repeat; i++)
        try_design(start.state + (uint64_t)i, &tally);
    printf(
        "# %d designs: %d evaluated (%d partition, %d exclusive, %d fluid, %d automatic), %d over "
        "several frames, %d not periodic, %d growing, %d too long, %d rounded, %d wrong\n",
        repeat, tally.evaluated, tally.modes[0], tally.modes[1], tally.modes[2], tally.modes[3],
        tally.several, tally.odd, tally.grow, tally.left_out, tally.rounded, tally.wrong);
    CHECK_TRUE(tally.wrong == 0, "%d of %d differ", tally.wrong, tally.evaluated);
    CHECK_TRUE(tally.rounded <= 1 + tally.evaluated / 100, "%d of %d differ by rounding",
               tally.rounded, tally.evaluated);
    CHECK(tally.negative == 0);
    CHECK(repeat < 1000 || (tally.several * 20 > tally.evaluated && tally.evaluated * 4 > repeat));
}

/* Designs that evaluate or the reference once had wrong, by cause. */
TEST(once_different)
{
    static const uint64_t seeds[] = {
        0x20c53,                                /* a copy without bytes is enqueued */
        0x10a83,    0x4081e,                    /* a slot without work waits for the frame before */
        0x40443,    0x40564,  0x406eb, 0x40811, /* few frames have all their successors */
        0x60c52,                                /* shares of packets that do not count */
        0xa0387,                                /* a packet without data wakes nobody up */
        0x10429,    0x50669,  0x60e81, 0x60ee5, /* only deferred work reaches the next frame */
        0x306ed,    0x80f3e,                    /* not periodic, or growing */
        0x60ec8,    0x90308,                    /* visits of frames in which not all work */
        0x5eed6402, 0x80cd8,  0xd0522, 0xf0e07, /* what a transfer waits for on the way */
        0x14099e,   0x140be2,                   /* a transfer without work does not hold its wire */
        0x20167,    0x40b50,  0x90317,          /* at the same time but for rounding */
        0x900a625,                              /* datagrams of rounded bytes */
        0x90042a8,                              /* the first slot of what has no work */
    };
    int count = (int)(sizeof seeds / sizeof seeds[0]);
    struct tally tally = {0};

    for (int i = 0; i < count; i++)
        try_design(seeds[i], &tally);
    CHECK_TRUE(tally.wrong == 0, "%d of %d differ", tally.wrong, tally.evaluated);
    /* what a seed draws depends on the tables of knobs, too */
    CHECK_TRUE(tally.evaluated > count / 2, "%d of %d are evaluated", tally.evaluated, count);
}
