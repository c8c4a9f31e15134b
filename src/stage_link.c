#include <math.h>

#include "larger.h"
#include "stage.h"

static double command_bytes(const struct scenario *scenario, int dm)
{
    const struct component *c = &scenario->component[dm];
    double actuators = c->actuators > 0 ? c->actuators : scenario->ao.actuators;

    return actuators * c->bits_per_actuator / 8;
}

static void set_pcie(const struct scenario *scenario, const struct plan_node *node,
                     const struct plan *plan, struct track *track)
{
    int end = node->to >= 0 && plan->device[node->to].kind == DEVICE_GPU ? node->to
              : node->from >= 0                                          ? node->from
                                                                         : node->to;
    const struct device *device = &scenario->device[end];
    const struct device *host = &scenario->device[plan->device[end].host];

    track->latency = PCIE_LATENCY;
    if (device->kind == DEVICE_GPU && device->host_link == HOST_LINK_NVLINK)
        track->wire = wire_plain(device->host_bandwidth);
    else
        track->wire =
            wire_pcie(smaller(device->pcie_gen, host->pcie_gen), smaller(device->pcie_lanes, 16));
}

static void set_network(const struct scenario *scenario, const struct plan_node *node,
                        struct track *track)
{
    static const struct component plain = {.hops = LINK_HOPS, .length = LINK_LENGTH};
    const struct component *c =
        node->component < 0 ? &plain : &scenario->component[node->component];
    double rate = INFINITY;
    double mtu = INFINITY;
    double drivers = 0;
    const int ends[2] = {node->from, node->to};

    for (int i = 0; i < 2; i++) {
        const struct device *device = ends[i] < 0 ? NULL : &scenario->device[ends[i]];

        if (device == NULL)
            continue;
        rate = smaller(rate, device->nic * device->nics);
        mtu = smaller(mtu, device->mtu);
        drivers += device->driver;
    }
    track->wire = wire_ethernet(rate, mtu);
    track->latency =
        drivers + wire_latency(&track->wire, c->hops, (enum switch_kind)c->switching, c->length);
}

/* How many parts make what a mirror is sent, each some of the commands. */
static int parts_behind(const struct plan *plan, const struct plan_node *node)
{
    int parts = plan->node[node->producer].parts;

    return parts > 0 ? parts : 1;
}

/* What a transfer or a mirror's link carries. */
static double payload(const struct workspace *work, const struct scenario *scenario,
                      const struct plan_node *node)
{
    double bytes = 0;

    if (node->type == COMPONENT_DM)
        return command_bytes(scenario, node->component);
    if (node->component < 0 && scenario->component[node->consumer].type == COMPONENT_DM)
        return command_bytes(scenario, node->consumer) / parts_behind(&work->plan, node);
    if (node->component >= 0 && scenario->component[node->component].bytes > 0)
        return scenario->component[node->component].bytes;
    if (node->component < 0)
        return work->stage[node->producer].output / node->pieces;
    for (int i = 0; i < node->before_count; i++)
        bytes += stage_before(work, node, i)->output;
    return bytes;
}

void stage_link(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];
    struct track *track = &work->track[n];
    bool outside = node->from < 0 && node->to < 0;

    track->kind = TRACK_LINK;
    track->queue[0] = node->queue[0];
    track->queue[1] = node->queue[1];
    stage->output = payload(work, scenario, node);
    stage->share = 1;
    if (node->hop == HOP_NONE || outside) {
        track->bytes = 0;
        track->latency = 0;
        stage->bytes = stage->memory = stage->time = 0;
        return;
    }
    if (node->hop == HOP_PCIE)
        set_pcie(scenario, node, &work->plan, track);
    else
        set_network(scenario, node, track);
    track->bytes = stage->output;
    stage->bytes = stage->output;
    stage->time = 0;
    if (stage->weights.slot == NULL || track->wire.payload == 0)
        stage->time = wire_time(&track->wire, track->bytes);
    else
        for (int i = 0; i < (int)scenario->general.packets; i++)
            stage->time += wire_time(&track->wire, track->bytes * stage->weights.slot[i]);
    stage->memory = stage->time;
}

/* Of the hosts a camera feeds; without any, that of a host nobody changed. */
static double smallest_mtu(const struct workspace *work, const struct scenario *scenario,
                           int camera)
{
    double mtu = LINK_MTU;
    bool found = false;

    for (int i = 0; i < scenario->component_count; i++) {
        const struct plan_component *c = &work->plan.component[i];

        for (int d = 0; d < scenario->device_count; d++) {
            double host_mtu;

            if ((c->before >> camera & 1) == 0 || (c->devices >> d & 1) == 0)
                continue;
            host_mtu = scenario->device[work->plan.device[d].host].mtu;
            mtu = found ? smaller(mtu, host_mtu) : host_mtu;
            found = true;
        }
    }
    return mtu;
}

void stage_camera(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct wfs *wfs = &scenario->wfs[node->wfs];
    struct stage *stage = &work->stage[n];
    struct track *track = &work->track[n];
    double raw = stage->pixels * wfs->bit_depth / 8;
    double rate = camera_link_rate(c, c->interface == INTERFACE_GIGE_VISION
                                          ? smallest_mtu(work, scenario, node->component)
                                          : 0);

    track->kind = TRACK_CAMERA;
    track->readout = c->readout;
    if (rate > 0)
        track->readout = larger(track->readout, raw / wfs->count / rate);
    stage->output = raw;
    stage->bytes = raw;
    stage->share = 1;
    stage->time = track->readout;
}
