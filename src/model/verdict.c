#include "model/verdict.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/units.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "model/bound.h"
#include "model/breakdown.h"
#include "model/overhead.h"

/* Returns how work is dispatched on a device. */
static const char *dispatch_word(const struct device *device)
{
    if (device->kind == DEVICE_FPGA)
        return "pipeline";
    if (device->kind == DEVICE_GPU)
        return device->dispatch == DISPATCH_PERSISTENT ? "barriers" : "launches";
    return device->dispatch == DISPATCH_PROCESS ? "hand-overs and barriers" : "dispatch of threads";
}

const char *verdict_overhead(const struct scenario *scenario, const struct result *result, int n)
{
    const struct node_result *node = &result->node[n];
    enum cause most = CAUSE_DISPATCH;
    struct breakdown breakdown;

    if (node->device < 0)
        return "hand-over between processes";
    breakdown_find_node(scenario, result, n, &breakdown);
    for (int cause = CAUSE_SOFTWARE; cause <= CAUSE_FRAMEWORK; cause++)
        if (breakdown_part(&breakdown, node->device, (enum cause)cause) >
            breakdown_part(&breakdown, node->device, most))
            most = (enum cause)cause;
    if (node->type == COMPONENT_PROGRAM && breakdown_part(&breakdown, node->device, most) == 0)
        return "locks";
    return most == CAUSE_DISPATCH   ? dispatch_word(&scenario->device[node->device])
           : most == CAUSE_SOFTWARE ? "software"
                                    : "interpreter";
}

/* Writes how a device uses its ports: "kernel ", "busy-poll "; nothing where nothing takes time
 * but what the design states. */
static void put_way(const struct scenario *scenario, int device, enum knob_id id, int way, int ideal,
                    struct buffer *text)
{
    if (way != ideal)
        buffer_print(text, "%s ", knob_choice_name(scenario, knob_ref_to(id, device), way));
}

/* Writes the part of a port that takes most of the time in which data get in or out. */
static void put_port(const struct scenario *scenario, const struct result *result,
                     const struct node_result *node, const char *host, struct buffer *text)
{
    int d = result->bottleneck_device;
    int camera = node->type == COMPONENT_CAMERA ? node->component : -1;
    enum ingress ingress = overhead_ingress(scenario, d, camera).ingress;

    switch (result->bottleneck_port) {
    case PORT_WIRE:
        buffer_text(text, "network port");
        break;
    case PORT_CORE:
        buffer_text(text, "receiving core");
        break;
    case PORT_INGRESS:
        if (ingress == INGRESS_FRAME_GRABBER) {
            buffer_text(text, "frame grabber");
            break;
        }
        put_way(scenario, d, KNOB_DEVICE_INGRESS, (int)ingress, INGRESS_IDEAL, text);
        buffer_text(text, "ingress");
        break;
    case PORT_EGRESS:
        put_way(scenario, d, KNOB_DEVICE_EGRESS, scenario->device[d].egress, EGRESS_IDEAL, text);
        buffer_text(text, "egress");
        break;
    }
    buffer_print(text, " of %s", host);
}

/* Writes the resource that limits node `n`. */
static void put_resource(const struct scenario *scenario, const struct result *result, int n,
                         struct buffer *text)
{
    const struct node_result *node = &result->node[n];
    const bool limits = n == result->bottleneck;
    const enum bound bound = limits ? result->bottleneck_bound : node->bound;
    int d = limits ? result->bottleneck_device : node->device;
    const char *name = d < 0 ? "" : scenario->device[d].head.name;

    if (d < 0 && !limits) { /* a transfer of which no device is known */
        buffer_text(text, bound_name(bound));
        return;
    }
    switch (bound) {
    case BOUND_COMPUTE:
        buffer_print(text, "%s of %s", bound_name(bound), name);
        break;
    case BOUND_MEMORY:
        buffer_print(text, "%s %s of %s%s", result_level_name(result, node),
                     node->few_rows ? "latency" : "bandwidth", name,
                     node->few_rows ? ", few rows" : "");
        break;
    case BOUND_OVERHEAD:
        buffer_print(text, "%s on %s", verdict_overhead(scenario, result, n), name);
        break;
    case BOUND_SLEEP:
        buffer_print(text, "%s of %s", bound_name(bound), name);
        break;
    case BOUND_ENQUEUE:
        buffer_print(text, "%s of %s for %s", bound_name(bound),
                     node->device >= 0 ? "kernels" : "copies", name);
        break;
    case BOUND_WAITING:
        buffer_text(text, "waits for its earlier frame");
        break;
    case BOUND_LINK:
        buffer_print(text, "%s %s of %s", bound_link_name(result, n), bound_name(bound), name);
        break;
    case BOUND_COPY:
        buffer_print(text, "%s delay of %s", bound_name(bound), name);
        break;
    case BOUND_PORT:
        if (limits)
            put_port(scenario, result, node, name, text);
        else
            buffer_print(text, "%s of %s", bound_name(bound), name);
        break;
    case BOUND_READOUT:
        buffer_text(text, bound_name(bound));
        break;
    }
}

/* Writes what cannot keep up with the frame rate most. */
static void put_overload(const struct scenario *scenario, const struct result *result,
                         struct buffer *text)
{
    const struct link_result *link = NULL;
    char times[40];

    for (int l = 0; l < result->link_count && link == NULL; l++)
        if (strcmp(result->link[l].name, result->limit) == 0)
            link = &result->link[l];
    quantity_print(result->load, "", times, sizeof times);
    buffer_text(text, "overload: ");
    if (link == NULL || link->kind == LINK_QUEUE)
        buffer_print(text, "%s%s", link == NULL ? "" : "link ", result->limit);
    else if (link->kind == LINK_ENQUEUE)
        buffer_print(text, "enqueuing for %s", scenario->device[link->index].head.name);
    else
        buffer_print(text, "receiving core of %s", result->node[link->index].name);
    buffer_print(text, ", %s times too slow", times);
}

static void put_limit(const struct scenario *scenario, const struct result *result, int n,
                      struct buffer *text)
{
    if (n < 0) {
        buffer_text(text, "nothing");
        return;
    }
    buffer_print(text, "%s: ", result->node[n].name);
    put_resource(scenario, result, n, text);
}

void verdict_resource(const struct scenario *scenario, const struct result *result,
                      char text[VERDICT_RESOURCE_MAX])
{
    verdict_node(scenario, result, result->bottleneck, text);
}

void verdict_node(const struct scenario *scenario, const struct result *result, int node,
                  char text[VERDICT_RESOURCE_MAX])
{
    struct buffer line = buffer_over(text, VERDICT_RESOURCE_MAX);

    put_limit(scenario, result, node, &line);
}

void verdict_brief(const char *resource, char text[VERDICT_RESOURCE_MAX])
{
    static const char *const before[] = {" of ", " on "};
    const char *end = NULL;

    for (int b = 0; b < 2 && end == NULL; b++)
        for (const char *at = strstr(resource, before[b]); at != NULL; at = strstr(at + 1, before[b]))
            end = at;
    snprintf(text, VERDICT_RESOURCE_MAX, "%.*s",
             end != NULL ? (int)(end - resource) : VERDICT_RESOURCE_MAX - 1, resource);
}

void verdict_limit(const struct scenario *scenario, const struct result *result,
                   char text[VERDICT_TEXT_MAX])
{
    struct buffer line = buffer_over(text, VERDICT_TEXT_MAX);

    if (result->overloaded) {
        put_overload(scenario, result, &line);
        return;
    }
    put_limit(scenario, result, result->bottleneck, &line);
    if (result->bottleneck >= 0 && result->bound_for >= 0)
        buffer_print(&line, ", delays %s", result->node[result->bound_node].name);
}

bool verdict_missing(const struct scenario *scenario, char text[VERDICT_MISSING_MAX])
{
    static const struct {
        const char *word;
        unsigned types; /* any of them */
    } needed[] = {{"camera", 1U << COMPONENT_CAMERA},
                  {"reconstruction", 1U << COMPONENT_RECONSTRUCTION | 1U << COMPONENT_PROGRAM |
                                         1U << COMPONENT_CUSTOM},
                  {"dm", 1U << COMPONENT_DM}};
    struct buffer list = buffer_over(text, VERDICT_MISSING_MAX);
    unsigned types = 0;

    text[0] = '\0';
    for (int c = 0; c < scenario->component_count; c++)
        types |= 1U << scenario->component[c].type;
    for (size_t n = 0; n < sizeof needed / sizeof needed[0]; n++)
        if ((types & needed[n].types) == 0)
            buffer_print(&list, "%sno %s", list.length > 0 ? ", " : "", needed[n].word);
    return text[0] != '\0';
}
