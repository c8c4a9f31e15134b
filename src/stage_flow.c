#include <string.h>

#include "larger.h"
#include "stage.h"
#include "workload.h"

/* A sensor has one detector and one readout order, whatever number of cameras stand for it. */
static enum status find_order(const struct scenario *scenario, const struct plan *plan, int wfs,
                              enum readout_order *order, struct error *error)
{
    const struct component *first = NULL;

    *order = ORDER_RASTER;
    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *c = &scenario->component[i];

        if (c->type != COMPONENT_CAMERA || plan->component[i].wfs != wfs)
            continue;
        if (first != NULL && c->order != first->order)
            return error_set(error, STATUS_INVALID,
                             "component.%s.order: it is not that of component.%s, and both read "
                             "wfs.%s",
                             c->head.name, first->head.name, scenario->wfs[wfs].head.name);
        first = first == NULL ? c : first;
        *order = (enum readout_order)c->order;
    }
    return STATUS_OK;
}

enum status stage_agendas(struct workspace *work, const struct scenario *scenario,
                          struct error *error)
{
    for (int i = 0; i < scenario->wfs_count; i++) {
        enum readout_order order;
        struct agenda_key key;

        if (find_order(scenario, &work->plan, i, &order, error) != STATUS_OK)
            return STATUS_INVALID;
        key = agenda_key(&scenario->wfs[i], order, scenario->general.packets);
        if (agenda_update(&work->agenda[i], &key, scenario->wfs[i].head.name, error) != STATUS_OK)
            return STATUS_INVALID;
    }
    return STATUS_OK;
}

static double sensor_pixels(const struct workspace *work, const struct scenario *scenario, int wfs)
{
    const struct agenda_key *key = &work->agenda[wfs].key;

    return (double)key->width * (double)key->height * scenario->wfs[wfs].count;
}

double stage_subaps(const struct workspace *work, const struct scenario *scenario, int wfs)
{
    double stated = scenario->wfs[wfs].valid_subaps;

    return (stated > 0 ? stated : work->agenda[wfs].subaps) * scenario->wfs[wfs].count;
}

static bool sensor_type(enum component_type type)
{
    return type == COMPONENT_CAMERA || type == COMPONENT_CALIBRATION ||
           type == COMPONENT_DESCRAMBLE || type == COMPONENT_CENTROID || type == COMPONENT_PYRAMID;
}

/* Whether it works on measurements as they arrive: a controller does whose algorithm waits for no
 * frame. */
static bool joins(const struct scenario *scenario, const struct plan_node *node)
{
    const struct component *c;

    if (node->type == COMPONENT_TRANSFER || node->type == COMPONENT_RECONSTRUCTION)
        return true;
    if (node->component < 0)
        return false;
    c = &scenario->component[node->component];
    return (c->type == COMPONENT_CUSTOM && c->agenda == AGENDA_SLOPES) ||
           (c->type == COMPONENT_CONTROL && algorithm_barrier(c) == BARRIER_PACKET);
}

/* Whether all of a node's work waits for the last packet. */
static bool waits_for_frame(const struct workspace *work, const struct scenario *scenario,
                            const struct plan_node *node, bool frame_barrier)
{
    bool join = joins(scenario, node);
    int at_end = 0;

    if (node->type == COMPONENT_DM || (node->type == COMPONENT_CONTROL && !join))
        return true;
    if (frame_barrier || (node->type == COMPONENT_CUSTOM &&
                          scenario->component[node->component].agenda == AGENDA_FRAME))
        return true;
    for (int i = 0; i < node->before_count; i++) {
        const struct stage *stage = stage_before(work, node, i);

        at_end += stage->at_end;
        if (stage->at_end && (!join || stage->slopes == 0))
            return true;
    }
    return at_end > 0 && at_end == node->before_count;
}

static struct weights last_packet(int packets)
{
    return (struct weights){NULL, packets - 1, 1};
}

/* Packets of several producers, by the measurements each hands on. */
static struct weights blend(struct workspace *work, const struct plan_node *node, double slopes,
                            int packets)
{
    double *slot = work->join[node->component];
    struct weights weights = {slot, packets - 1, 0};

    memset(slot, 0, sizeof(double) * (size_t)packets);
    for (int i = 0; i < node->before_count; i++) {
        const struct stage *stage = stage_before(work, node, i);
        double part = stage->slopes / slopes;

        if (stage->at_end)
            slot[packets - 1] += part;
        else
            for (int k = 0; k < packets; k++)
                slot[k] += part * stage->weights.slot[k];
    }
    for (int k = packets - 1; k >= 0; k--) {
        if (slot[k] > 0) {
            weights.first = k;
            weights.count++;
        }
    }
    return weights;
}

static struct weights joined(struct workspace *work, const struct plan_node *node, int packets)
{
    const struct stage *only = NULL;
    double slopes = 0;
    bool alike = true;

    for (int i = 0; i < node->before_count; i++) {
        const struct stage *stage = stage_before(work, node, i);

        if (stage->slopes == 0)
            continue;
        alike = alike && (only == NULL || (only->weights.slot == stage->weights.slot &&
                                           only->at_end == stage->at_end));
        only = stage;
        slopes += stage->slopes;
    }
    if (only != NULL)
        return alike ? only->weights : blend(work, node, slopes, packets);
    if (node->type == COMPONENT_TRANSFER && node->before_count > 0)
        return stage_before(work, node, 0)->weights;
    return node->wfs < 0 ? last_packet(packets) : work->agenda[node->wfs].elements;
}

static struct weights node_weights(struct workspace *work, const struct scenario *scenario,
                                   const struct plan_node *node, bool frame_barrier)
{
    int packets = (int)scenario->general.packets;

    if (waits_for_frame(work, scenario, node, frame_barrier))
        return last_packet(packets);
    if (joins(scenario, node))
        return joined(work, node, packets);
    if (node->wfs < 0)
        return last_packet(packets);
    if (node->type == COMPONENT_CENTROID || node->type == COMPONENT_PYRAMID)
        return work->agenda[node->wfs].elements;
    return work->agenda[node->wfs].pixels;
}

/* Flow: how packets, measurements and rate pass through a node. */
void stage_flow(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];
    bool computes = node->device >= 0;

    stage->algorithm = computes ? algorithm_row(scenario, node->component) : NULL;
    stage->frame_barrier = computes && stage_frame_barrier(&scenario->component[node->component]);
    stage->weights = node_weights(work, scenario, node, stage->frame_barrier);
    /* a controller behind a reconstruction has nothing to do before, whatever its barrier */
    if (node->type == COMPONENT_CONTROL && stage->weights.slot == NULL)
        stage->frame_barrier = true;
    stage->at_end = stage->weights.slot == NULL || node->type == COMPONENT_RECONSTRUCTION ||
                    node->type == COMPONENT_CONTROL;
    stage->pixels = node->wfs < 0 ? 0 : sensor_pixels(work, scenario, node->wfs);
    stage->slopes = 0;
    stage->across = 0;
    stage->divisor = 1;
    for (int i = 0; i < node->before_count; i++) {
        const struct stage *from = stage_before(work, node, i);

        stage->slopes += from->slopes;
        stage->across = larger(stage->across, from->across);
        if (i == 0 || from->divisor < stage->divisor)
            stage->divisor = from->divisor;
    }
    if (node->parts > 0) /* as many as if there were one part */
        stage->slopes /= node->parts;
    if (sensor_type(node->type)) {
        stage->across = scenario->wfs[node->wfs].subaps_across;
        stage->divisor = scenario->wfs[node->wfs].rate_divisor;
        stage->slopes = stage->algorithm == NULL ? 0
                                                 : stage->algorithm->slopes_per_subap *
                                                       stage_subaps(work, scenario, node->wfs);
    }
}
