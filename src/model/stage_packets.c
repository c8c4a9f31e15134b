/* How packets pass through the nodes: agendas of sensors, and the weights of slots. Part of
 * stage.h. */
#include "model/stage.h"

#include <string.h>

#include "base/number.h"
#include "model/formulas.h"

/* Finds the readout order of a sensor: one, however many cameras represent it. */
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
                             "component.%s.order: differs from that of component.%s, and both read "
                             "wfs.%s",
                             c->head.name, first->head.name, scenario->wfs[wfs].head.name);
        first = first == NULL ? c : first;
        *order = (enum readout_order)c->order;
    }
    return STATUS_OK;
}

enum status stage_update_agendas(struct workspace *work, const struct scenario *scenario,
                                 struct error *error)
{
    for (int i = 0; i < scenario->wfs_count; i++) {
        enum readout_order order;
        struct agenda_key key;

        if (find_order(scenario, &work->plan, i, &order, error) != STATUS_OK)
            return STATUS_INVALID;
        key = agenda_key(&scenario->wfs[i], order, scenario_sensor_packets(scenario, i),
                         work->size.packets);
        if (agenda_update(&work->agenda[i], &key, scenario->wfs[i].head.name, error) != STATUS_OK)
            return STATUS_INVALID;
    }
    return STATUS_OK;
}

double stage_pixels(const struct workspace *work, const struct scenario *scenario, int wfs)
{
    const struct agenda_key *key = &work->agenda[wfs].key;

    return formula_all_pixels(scenario->wfs[wfs].count, (double)key->width, (double)key->height);
}

double stage_valid_subaps(const struct workspace *work, const struct scenario *scenario, int wfs)
{
    double stated = scenario->wfs[wfs].valid_subaps;

    return stated > 0 ? stated : work->agenda[wfs].subaps;
}

double stage_subaps(const struct workspace *work, const struct scenario *scenario, int wfs)
{
    return formula_all_subaps(scenario->wfs[wfs].count, stage_valid_subaps(work, scenario, wfs));
}

/* Returns true for a controller that processes measurements as they arrive: its algorithm does not
 * wait for a frame. */
static bool processes_slopes(const struct scenario *scenario, const struct plan_node *node)
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

/* Returns true if all work of a component waits for the last packet: its `barrier`, by default that
 * of its algorithm, or all software waits. */
static bool has_frame_barrier(const struct scenario *scenario, const struct component *c)
{
    if (scenario->general.processing == PROCESSING_FRAMES)
        return true;
    return c->barrier == CHOICE_AUTO ? algorithm_barrier(c) == BARRIER_FRAME
                                     : c->barrier == BARRIER_FRAME;
}

/* Returns true if all work of a node waits for the last packet. */
static bool waits_for_frame(const struct workspace *work, const struct scenario *scenario,
                            const struct plan_node *node, bool frame_barrier)
{
    bool join = processes_slopes(scenario, node);
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

/* Returns the number of slots of a node: up to the last packet of its cameras that completes a
 * subaperture or pupil pixel for a command. */
static int count_slots(const struct workspace *work, const struct plan_node *node, int packets)
{
    int slots = 0;

    if (node->type == COMPONENT_CAMERA)
        return node->measured ? work->agenda[node->wfs].elements.last + 1 : packets;
    for (int i = 0; i < node->before_count; i++) {
        int before = work->track[work->plan.pool[node->before_first + i]].slots;

        slots = before > slots ? before : slots;
    }
    return slots > 0 ? slots : packets;
}

/* Blends the packets of several producers, weighted by the measurements each delivers. */
static struct weights blend_weights(struct workspace *work, const struct plan_node *node,
                                    double slopes, int slots)
{
    double *slot = work->join[node->component];
    struct weights weights = {slot, slots - 1, 0, 0};
    int length = slots; /* pixels may arrive after the last slot that a command needs */

    for (int i = 0; i < node->before_count; i++) {
        int last = stage_before(work, node, i)->weights.last;

        length = last >= length ? last + 1 : length;
    }
    memset(slot, 0, sizeof(double) * (size_t)length);
    for (int i = 0; i < node->before_count; i++) {
        const struct stage *stage = stage_before(work, node, i);
        double part = stage->slopes / slopes;

        if (!pace_step(work->pace, slots))
            break;
        if (stage->at_end)
            slot[slots - 1] += part;
        else
            for (int k = 0; k <= stage->weights.last; k++)
                slot[k] += part * stage->weights.slot[k];
    }
    for (int k = length - 1; k >= 0; k--) {
        if (slot[k] > 0) {
            weights.first = k;
            weights.last = weights.count == 0 ? k : weights.last;
            weights.count++;
        }
    }
    return weights;
}

static struct weights joined_weights(struct workspace *work, const struct plan_node *node,
                                     int slots)
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
    if (only != NULL && alike)
        return only->at_end ? weights_of_last(slots) : only->weights;
    if (only != NULL)
        return blend_weights(work, node, slopes, slots);
    if (node->type == COMPONENT_TRANSFER && node->before_count > 0)
        return stage_before(work, node, 0)->weights;
    return node->wfs < 0 ? weights_of_last(slots) : work->agenda[node->wfs].elements;
}

static struct weights node_weights(struct workspace *work, const struct scenario *scenario,
                                   const struct plan_node *node, bool frame_barrier, int slots)
{
    if (waits_for_frame(work, scenario, node, frame_barrier))
        return weights_of_last(slots);
    if (processes_slopes(scenario, node))
        return joined_weights(work, node, slots);
    if (node->wfs < 0)
        return weights_of_last(slots);
    if (node->type == COMPONENT_CENTROID || node->type == COMPONENT_PYRAMID)
        return work->agenda[node->wfs].elements;
    return work->agenda[node->wfs].pixels;
}

/* Determines how packets, measurements and rate pass through a node. */
void stage_pass_packets(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];
    bool computes = node->device >= 0;

    stage->algorithm = computes ? algorithm_row(scenario, node->component) : NULL;
    stage->frame_barrier =
        computes && has_frame_barrier(scenario, &scenario->component[node->component]);
    work->track[n].slots = count_slots(work, node, work->size.packets);
    stage->weights = node_weights(work, scenario, node, stage->frame_barrier, work->track[n].slots);
    if (stage->weights.slot == NULL) /* a predecessor's last packet may be an earlier one */
        stage->weights = weights_of_last(work->track[n].slots);
    /* a controller after a reconstruction has no earlier work, whatever its barrier */
    if (node->type == COMPONENT_CONTROL && stage->weights.slot == NULL)
        stage->frame_barrier = true;
    stage->at_end = stage->weights.slot == NULL || node->type == COMPONENT_RECONSTRUCTION ||
                    node->type == COMPONENT_CONTROL;
    stage->pixels = node->wfs < 0 ? 0 : stage_pixels(work, scenario, node->wfs);
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
    if (node->parts > 0) /* as many as without a split */
        stage->slopes /= node->parts;
    if (plan_type_senses(node->type)) {
        stage->across = scenario->wfs[node->wfs].subaps_across;
        stage->divisor = scenario->wfs[node->wfs].rate_divisor;
        stage->slopes = stage->algorithm == NULL
                            ? 0
                            : formula_slopes(stage->algorithm->slopes_per_subap,
                                             stage_subaps(work, scenario, node->wfs));
    }
}
