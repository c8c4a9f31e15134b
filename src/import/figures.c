#include "import/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "model/link.h"

/* The machine of every component, as inferred from the outputs. */
const struct figures_peak figures_built_in = {48e9, 12.8e9};

#define CONTROL_OVERHEAD 8e-6 /* s */
#define NETWORK_OVERHEAD 10e-6
#define PCIE_OVERHEAD 3e-6
#define NETWORK_RATE 100e9 /* bit/s, where the file states none */

/* Slots of a component: start and end of each packet. */
struct packet_times {
    double *start, *end;
    int done;
};

struct timing {
    const struct daolite *daolite;
    unsigned corrected;
    const struct figures_peak *peak;
    struct packet_times track[COMPONENT_MAX];
    double *memory; /* of all tracks */
};

static bool is_corrected(const struct timing *timing, enum figures_defect defect)
{
    return (timing->corrected >> defect & 1) != 0;
}

/* Returns true if a number is stated by another name than the one that daolite's function has. */
static bool is_renamed(const struct stated *stated, const char *key)
{
    return stated->line > 0 && stated->section == NULL && strcmp(stated->key, key) != 0;
}

struct counts {
    double elements;   /* of a whole frame: pixels, subapertures, slopes, actuators */
    double flop, bits; /* of an element */
};

static struct counts component_counts(const struct timing *timing,
                                      const struct daolite_component *c)
{
    double pairs = c->subap_pixels.si * c->subap_pixels.si;
    double read =
        is_corrected(timing, DIFFERENCE_REUSE) && c->algorithm == NULL ? c->subap_pixels.si : pairs;
    bool renamed = !is_corrected(timing, DEFECT_PARAMETERS);
    double columns;

    switch (c->type) {
    case DAOLITE_CALIBRATION:
        return (struct counts){c->pixels.si, 11, 16};
    case DAOLITE_CENTROIDER:
        return (struct counts){renamed && is_renamed(&c->subaps, "n_valid_subaps") ? DAOLITE_SUBAPS
                                                                                   : c->subaps.si,
                               11 * pairs + 9, 32 * read + 64};
    case DAOLITE_RECONSTRUCTION:
        columns =
            renamed && is_renamed(&c->actuators, "n_acts") ? DAOLITE_ACTUATORS : c->actuators.si;
        return (struct counts){c->slopes.si, 4 * columns, 32 * columns};
    case DAOLITE_CONTROL:
        return (struct counts){c->actuators.si, 45, 64};
    default:
        return (struct counts){0, 0, 0};
    }
}

/* Elements of a packet; a reconstruction has two for each subaperture of its agenda. */
static double packet_elements(const struct timing *timing, const struct daolite_component *c,
                              int packet, double all)
{
    if (c->type == DAOLITE_CONTROL)
        return all;
    if (c->agenda != NULL)
        return c->agenda[packet] * (c->type == DAOLITE_RECONSTRUCTION ? 2 : 1);
    return is_corrected(timing, DEFECT_PACKETS) ? all / c->packets : all;
}

static double scale_in_force(const struct timing *timing, const struct stated *scale)
{
    bool capped = is_corrected(timing, DIFFERENCE_SCALE);

    return scale->si <= 0 || (capped && scale->si > 1) ? 1 : scale->si;
}

/* Finds compute and memory time of a packet. */
static void packet_times(const struct timing *timing, const struct daolite_component *c, int packet,
                         double *compute, double *memory)
{
    struct counts counts = component_counts(timing, c);
    struct figures_peak peak = figures_built_in;
    double scale = scale_in_force(timing, &c->share);
    double elements;

    if (is_corrected(timing, DEFECT_MACHINE) && c->machine >= 0 &&
        timing->peak[c->machine].flops > 0 && timing->peak[c->machine].bandwidth > 0)
        peak = timing->peak[c->machine];
    elements = packet_elements(timing, c, packet, counts.elements);
    *compute = elements * counts.flop / peak.flops / scale;
    *memory = elements * counts.bits / peak.bandwidth / scale;
    *compute /= scale_in_force(timing, &c->flop_scale);
    *memory /= scale_in_force(timing, &c->memory_scale);
    if (is_corrected(timing, DEFECT_BYTES))
        *memory /= 8;
}

/* Bits of a PCIe transfer, 0 if nothing states them. */
static double pcie_bits(const struct daolite_component *c)
{
    return c->bits.si > 0 ? c->bits.si : 8 * c->size.si;
}

static double pcie_rate(const struct daolite_component *c)
{
    static const double transfers[] = {2e9, 2e9, 5e9, 8e9, 32e9, 64e9};
    int generation = c->pcie_gen.si > 0 ? (int)smaller(5, c->pcie_gen.si) : 5;

    return 16 * 8 * transfers[generation];
}

double figures_pcie(const struct daolite_component *transfer)
{
    return pcie_bits(transfer) / pcie_rate(transfer);
}

static double pcie_work(const struct timing *timing, const struct daolite_component *c)
{
    double bits = floor(pcie_bits(c) / c->packets) + 1;
    double generation = c->pcie_gen.si > 0 ? c->pcie_gen.si : 5;
    double lanes = c->pcie_lanes.si > 0 ? c->pcie_lanes.si : 16;

    if (pcie_bits(c) == 0)
        return 0;
    if (is_corrected(timing, DEFECT_PCIE))
        return bits / 8 / wire_pcie(generation, lanes).rate + PCIE_OVERHEAD;
    return bits / pcie_rate(c) + 8 * bits / figures_built_in.bandwidth + PCIE_OVERHEAD;
}

static double packet_work(const struct timing *timing, const struct daolite_component *c,
                          int packet)
{
    double compute, memory, rate, overhead = 0;

    if (c->type == DAOLITE_NETWORK) {
        rate = c->speed.si > 0 ? c->speed.si : NETWORK_RATE;
        return floor(c->bits.si / c->packets) / rate + NETWORK_OVERHEAD;
    }
    if (c->type == DAOLITE_PCIE)
        return pcie_work(timing, c);
    packet_times(timing, c, packet, &compute, &memory);
    if (c->type == DAOLITE_CONTROL)
        overhead = c->overhead.line > 0 ? c->overhead.si : CONTROL_OVERHEAD;
    if (is_corrected(timing, DEFECT_SUM))
        return larger(compute, memory) + overhead;
    return compute + memory + overhead;
}

static int component_packets(const struct timing *timing, int component)
{
    const struct daolite_component *c = &timing->daolite->component[component];

    (void)timing;
    return c->type == DAOLITE_CONTROL ? 1 : c->packets;
}

static double camera_end(const struct timing *timing, const struct daolite_component *c, int packet)
{
    double readout = c->readout.line > 0 ? c->readout.si : DAOLITE_READOUT;

    if (c->packets == 1 && !is_corrected(timing, DEFECT_PACKETS))
        return readout / c->pixels.si;
    return readout * (packet + 1) / c->packets;
}

/* The packet of a predecessor that a packet needs, where both have different numbers of them. */
static int needed_packet(int packet, int packets, int of)
{
    return (int)(((long)(packet + 1) * of + packets - 1) / packets) - 1;
}

/* Returns when the data of a packet are there; a negative number: not known yet. */
static double packet_ready(const struct timing *timing, int component, int packet)
{
    const struct daolite_component *c = &timing->daolite->component[component];
    int count = is_corrected(timing, DEFECT_JOIN) || c->after_count == 0 ? c->after_count : 1;
    int packets = component_packets(timing, component);
    double ready =
        packet > 0 && c->type != DAOLITE_NETWORK ? timing->track[component].end[packet - 1] : 0;

    for (int i = 0; i < count; i++) {
        int from = c->after[i];
        int needed = needed_packet(packet, packets, component_packets(timing, from));

        if (timing->track[from].done <= needed)
            return -1;
        ready = larger(ready, timing->track[from].end[needed]);
    }
    return ready;
}

/* Times the next packet of a component. */
static void put_packet(struct timing *timing, int component, double start)
{
    const struct daolite_component *c = &timing->daolite->component[component];
    struct packet_times *track = &timing->track[component];
    int packet = track->done++;

    if (c->type == DAOLITE_CAMERA)
        start = camera_end(timing, c, packet);
    track->start[packet] = start;
    track->end[packet] = c->type == DAOLITE_CAMERA ? start : start + packet_work(timing, c, packet);
}

static bool computes(const struct daolite_component *c)
{
    return c->type >= DAOLITE_CALIBRATION && c->type <= DAOLITE_CONTROL;
}

/* Times all packets; components that follow others are behind them. */
static void time_freely(struct timing *timing)
{
    for (int c = 0; c < timing->daolite->component_count; c++)
        while (timing->track[c].done < component_packets(timing, c))
            put_packet(timing, c, packet_ready(timing, c, timing->track[c].done));
}

/* Returns the component whose next packet is ready first, the latest in the pipeline of several;
 * -1: all are done. `ready` of each component is kept once it is known. */
static int next_component(const struct timing *timing, double ready[COMPONENT_MAX])
{
    int next = -1;

    for (int c = timing->daolite->component_count - 1; c >= 0; c--) {
        int packet = timing->track[c].done;

        if (packet >= component_packets(timing, c))
            continue;
        if (ready[c] < 0)
            ready[c] = packet_ready(timing, c, packet);
        if (ready[c] >= 0 && (next < 0 || ready[c] < ready[next]))
            next = c;
    }
    return next;
}

/* Times all packets with one at a time on each machine, in the order in which they are ready. */
static void time_in_turn(struct timing *timing)
{
    double idle[DEVICE_MAX] = {0}, ready[COMPONENT_MAX];
    int c;

    for (c = 0; c < COMPONENT_MAX; c++)
        ready[c] = -1;
    while ((c = next_component(timing, ready)) >= 0) {
        int machine =
            computes(&timing->daolite->component[c]) ? timing->daolite->component[c].machine : -1;

        put_packet(timing, c, machine >= 0 ? larger(ready[c], idle[machine]) : ready[c]);
        if (machine >= 0)
            idle[machine] = timing->track[c].end[timing->track[c].done - 1];
        ready[c] = -1;
    }
}

static bool open_tracks(struct timing *timing)
{
    size_t packets = 0;
    double *next;

    for (int c = 0; c < timing->daolite->component_count; c++)
        packets += (size_t)component_packets(timing, c);
    timing->memory = allocate_array(2 * packets, sizeof *timing->memory);
    if (timing->memory == NULL)
        return false;
    next = timing->memory;
    for (int c = 0; c < timing->daolite->component_count; c++) {
        int count = component_packets(timing, c);

        timing->track[c] = (struct packet_times){next, next + count, 0};
        next += 2 * count;
    }
    return true;
}

static void fill_figure(const struct timing *timing, int component, struct figure *figure)
{
    const struct daolite_component *c = &timing->daolite->component[component];
    const struct packet_times *track = &timing->track[component];
    int last = component_packets(timing, component) - 1;

    *figure = (struct figure){
        .known = c->type != DAOLITE_PCIE || pcie_bits(c) > 0,
        .starts = c->type != DAOLITE_CONTROL || is_corrected(timing, DEFECT_CONTROL),
        .documented = c->type == DAOLITE_PCIE || c->agenda != NULL || c->share.line > 0 ||
                      c->flop_scale.line > 0 || c->memory_scale.line > 0,
        .packets = last + 1,
        .first_start = track->start[0],
        .first_end = track->end[0],
        .last_start = track->start[last],
        .last_end = track->end[last],
    };
    if (computes(c))
        packet_times(timing, c, 0, &figure->compute, &figure->memory);
    if (!figure->starts)
        figure->first_end = figure->last_end = packet_work(timing, c, 0);
}

enum status figures_find(const struct daolite *daolite, unsigned corrected,
                         const struct figures_peak *peak, struct figures *figures)
{
    struct timing timing = {.daolite = daolite, .corrected = corrected, .peak = peak};

    if (!open_tracks(&timing))
        return STATUS_MEMORY;
    if (is_corrected(&timing, DEFECT_CONTENTION))
        time_in_turn(&timing);
    else
        time_freely(&timing);
    figures->total = 0;
    for (int c = 0; c < daolite->component_count; c++) {
        struct figure *figure = &figures->figure[c];

        fill_figure(&timing, c, figure);
        if (figure->starts)
            figures->total = larger(figures->total, figure->last_end);
    }
    free(timing.memory);
    return STATUS_OK;
}
