#include "reference_jitter.h"

#include <math.h>
#include <stdlib.h>

#include "draw.h"
#include "model/stage.h"
#include "reference_shared.h"

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

static bool varies(const struct timeline *run, const struct track *track, int slot)
{
    if (track->kind != TRACK_COMPUTE || track->device < 0)
        return false;
    if (slot == run->packets)
        return run->frames > 1 && track->deferred + track->deferred_fixed > 0;
    return slot < track->slots && track_works(track, slot);
}

static void draw_frame(const struct scenario *scenario, struct workspace *work, struct draw *draw,
                       double **stretch)
{
    const struct timeline *run = &work->timeline;

    for (int n = 0; n < run->count; n++) {
        for (int i = 0; i < run->frames * (run->packets + 1); i++) {
            stretch[n][i] = 1;
            if (varies(run, &run->tracks[n], i % (run->packets + 1)))
                stretch[n][i] =
                    draw_factor(draw, scenario->device[work->plan.node[n].device].jitter);
        }
        run->tracks[n].scale = stretch[n];
    }
}

/* What a device states, else what its kind and the system of its host have, us. */
static double late_of(const struct scenario *scenario, int d, int quantile)
{
    static const double realtime[] = {2, 10, 16, 20, 25, 30};
    static const double stock[] = {15, 150, 450, 850, 1150, 1400};
    static const double gpu[] = {56, 102, 136, 164, 188, 209};
    static const double fpga[] = {6.8, 12.3, 16.3, 19.6, 22.5, 25.1};
    const struct device *device = &scenario->device[d];
    int os = scenario->device[scenario_host(scenario, d)].os;

    if (device->late[quantile] >= 0)
        return device->late[quantile] * 1e6;
    if (os == OS_IDEAL)
        return 0;
    return device->kind == DEVICE_GPU    ? gpu[quantile]
           : device->kind == DEVICE_FPGA ? fpga[quantile]
           : os == OS_STOCK              ? stock[quantile]
                                         : realtime[quantile];
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

static double draw_late(const struct scenario *scenario, const bool *late, struct draw *draw)
{
    double sum = 0;

    for (int d = 0; d < scenario->device_count; d++) {
        double exceeded = ((double)(draw_bits(draw) >> 12) + 0.5) / 4503599627370496.0;

        if (late[d])
            sum += reference_late(scenario, d, exceeded);
    }
    return sum;
}

/* Of the reported frame: from the last useful packet of the cameras to the last command. */
static double latency_of(const struct workspace *work, double **end)
{
    const struct timeline *run = &work->timeline;
    double clock = run->report * run->period;
    double command = 0;
    double useful = 0;

    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];
        double last = end[n][run->report * reference_slots(run) + track->slots - 1];

        if (track->command)
            command = fmax(command, last - (track->kind == TRACK_LINK ? track->latency : 0));
        if (track->kind == TRACK_CAMERA && work->plan.node[n].leads_to_command)
            useful = fmax(useful, track->slots * track->readout / run->packets);
    }
    return command > 0 ? command - clock - useful : 0;
}

static double **rows(int count, int columns)
{
    double **row = calloc((size_t)count, sizeof *row);

    for (int n = 0; n < count; n++)
        row[n] = calloc((size_t)columns, sizeof **row);
    return row;
}

static void rows_free(double **row, int count)
{
    for (int n = 0; n < count; n++)
        free(row[n]);
    free(row);
}

void reference_jitter(const struct scenario *scenario, const struct result *result, long frames,
                      uint64_t seed, double *latency)
{
    struct timeline *run = &result->work->timeline;
    int columns = run->frames * (run->packets + 1);
    struct draw draw = {seed};
    struct draw late_draw = {seed ^ 0x6a09e667f3bcc909U};
    bool late[DEVICE_MAX] = {false};
    double **stretch = rows(run->count, columns);
    double **begin = rows(run->count, columns);
    double **end = rows(run->count, columns);

    find_late(scenario, result, late);
    for (long f = 0; f < frames; f++) {
        draw_frame(scenario, result->work, &draw, stretch);
        reference_shared(run, NULL, begin, end);
        latency[f] = latency_of(result->work, end) + draw_late(scenario, late, &late_draw);
    }
    for (int n = 0; n < run->count; n++)
        run->tracks[n].scale = NULL;
    rows_free(stretch, run->count);
    rows_free(begin, run->count);
    rows_free(end, run->count);
}
