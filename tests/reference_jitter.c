#include "reference_jitter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "reference_pipeline.h"

double reference_quantile(double p)
{
    double low = -10;
    double high = 10;

    for (int i = 0; i < 80; i++) {
        double z = (low + high) / 2;
        /* of the smaller of both tails, so that none is lost in 1 - p */
        bool below = p < 0.5 ? erfc(-z / sqrt(2)) / 2 < p : erfc(z / sqrt(2)) / 2 > 1 - p;

        if (below)
            low = z;
        else
            high = z;
    }
    return low;
}

static double draw_factor(struct draw *draw, double jitter)
{
    double p = ((double)(draw_bits(draw) >> 12) + 0.5) / 4503599627370496.0;

    return pow(jitter, reference_quantile(p) / reference_quantile(0.99));
}

/* What a device states, else what its kind and the system of its host have, but at most each later
 * one that it states, us. */
static double late_of(const struct scenario *scenario, int d, int quantile)
{
    static const double realtime[] = {2, 10, 16, 20, 25, 30};
    static const double stock[] = {15, 150, 450, 850, 1150, 1400};
    static const double gpu[] = {56, 102, 136, 164, 188, 209};
    static const double fpga[] = {6.8, 12.3, 16.3, 19.6, 22.5, 25.1};
    const struct device *device = &scenario->device[d];
    int os = scenario->device[scenario_host(scenario, d)].os;
    double most = 1e9;

    if (device->late[quantile] >= 0)
        return device->late[quantile] * 1e6;
    if (os == OS_IDEAL)
        return 0;
    for (int q = LATE_COUNT - 1; q > quantile; q--)
        if (device->late[q] >= 0 && device->late[q] * 1e6 < most)
            most = device->late[q] * 1e6;
    return fmin(most, device->kind == DEVICE_GPU    ? gpu[quantile]
                      : device->kind == DEVICE_FPGA ? fpga[quantile]
                      : os == OS_STOCK              ? stock[quantile]
                                                    : realtime[quantile]);
}

double reference_late(const struct scenario *scenario, int d, double exceeded)
{
    double low = 0.5;
    double late = 0;

    for (int q = 0; q < LATE_COUNT; q++) {
        double high = pow(10, -q - 1);
        double next = fmax(late, late_of(scenario, d, q));

        if (exceeded >= low)
            break;
        late += (next - late) * fmin(1, log(low / exceeded) / log(low / high));
        low = high;
    }
    return late * 1e-6;
}

/* The devices of the path, and the hosts that launch the work of its GPUs. */
static void find_late(const struct scenario *scenario, const struct result *result, bool *late)
{
    for (int i = 0; i < result->path_count; i++) {
        int d = result->node[result->path[i].node].device;

        if (d < 0)
            continue;
        late[d] = true;
        if (scenario->device[d].kind == DEVICE_GPU &&
            scenario->device[d].dispatch != DISPATCH_PERSISTENT)
            late[scenario_host(scenario, d)] = true;
    }
}

/* Returns true if a component uses the device, or a GPU whose host it is that one uses. */
static bool is_drawn_for(const struct scenario *scenario, int device)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario_device_used(scenario, d) &&
            (d == device ||
             (scenario->device[d].kind == DEVICE_GPU && scenario_host(scenario, d) == device)))
            return true;
    return false;
}

static double draw_late(const struct scenario *scenario, const bool *late, struct draw *draw)
{
    double sum = 0;

    for (int d = 0; d < scenario->device_count; d++) {
        double exceeded;

        if (!is_drawn_for(scenario, d))
            continue;
        exceeded = ((double)(draw_bits(draw) >> 12) + 0.5) / 4503599627370496.0;
        if (late[d])
            sum += reference_late(scenario, d, exceeded);
    }
    return sum;
}

/* The design that is drawn for, with the frames that the model runs for its latency. */
struct frames {
    const struct scenario *scenario;
    const struct result *result;
    struct reference_outcome plain;
    int frames, report;
    int *node;        /* [nodes of the result]: that of the design, -1: none */
    double **stretch; /* [nodes of the design] */
    bool **varies;    /* likewise */
};

static void frames_make(const struct scenario *scenario, const struct result *result, int several,
                        int report, struct frames *f)
{
    const struct reference_plan *plan = &f->plain.design.plan;
    struct reference_run run;

    *f = (struct frames){
        .scenario = scenario, .result = result, .frames = several, .report = report};
    reference_pipeline(scenario, 100000, &f->plain);
    reference_run_make(&f->plain.design, f->frames, &run);
    f->node = calloc((size_t)result->node_count, sizeof *f->node);
    f->stretch = calloc((size_t)plan->count, sizeof *f->stretch);
    f->varies = calloc((size_t)plan->count, sizeof *f->varies);
    for (int m = 0; m < result->node_count; m++)
        f->node[m] = -1;
    for (int n = 0; n < plan->count; n++) {
        int slots = f->frames * (plan->node[n].slots + 1);

        for (int m = 0; m < result->node_count; m++)
            if (strcmp(result->node[m].name, plan->node[n].name) == 0)
                f->node[m] = n;
        f->stretch[n] = calloc((size_t)slots, sizeof **f->stretch);
        f->varies[n] = calloc((size_t)slots, sizeof **f->varies);
        for (int k = 0; k < slots; k++) {
            f->stretch[n][k] = 1;
            /* deferred work of a frame alone delays nothing */
            f->varies[n][k] = plan->node[n].at.device >= 0 && run.slot[n][k].works &&
                              (several > 1 || k < plan->node[n].slots);
        }
    }
    reference_run_free(&run);
}

static void frames_free(struct frames *f)
{
    for (int n = 0; n < f->plain.design.plan.count; n++) {
        free(f->stretch[n]);
        free(f->varies[n]);
    }
    free(f->stretch);
    free(f->varies);
    free(f->node);
    f->plain.design.stretch = NULL;
    reference_pipeline_free(&f->plain);
}

/* In the order of the model's nodes. */
static void draw_frame(struct frames *f, struct draw *draw)
{
    const struct reference_plan *plan = &f->plain.design.plan;

    for (int m = 0; m < f->result->node_count; m++) {
        int n = f->node[m];

        if (n < 0)
            continue;
        for (int k = 0; k < f->frames * (plan->node[n].slots + 1); k++)
            if (f->varies[n][k])
                f->stretch[n][k] =
                    draw_factor(draw, f->scenario->device[plan->node[n].at.device].jitter);
    }
}

/* Of the reported frame. */
static double latency_of(struct frames *f)
{
    struct reference_design *design = &f->plain.design;
    struct reference_run run;
    double command = 0;

    design->stretch = f->stretch;
    reference_run_make(design, f->frames, &run);
    for (int n = 0; n < design->plan.count; n++)
        if (design->command[n])
            command = fmax(command, reference_run_command(&run, n, f->report));
    command -= f->report * run.period + f->plain.clock;
    reference_run_free(&run);
    return command;
}

void reference_jitter(const struct scenario *scenario, const struct result *result, int several,
                      int report, long frames, uint64_t seed, double *latency)
{
    struct draw draw = {seed};
    struct draw late_draw = {seed ^ 0x6a09e667f3bcc909U};
    bool late[DEVICE_MAX] = {false};
    struct frames f;

    find_late(scenario, result, late);
    frames_make(scenario, result, several, report, &f);
    for (long i = 0; i < frames; i++) {
        draw_frame(&f, &draw);
        latency[i] = latency_of(&f) + draw_late(scenario, late, &late_draw);
    }
    frames_free(&f);
}
