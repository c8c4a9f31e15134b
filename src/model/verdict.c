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
    return "dispatch"; /* of threads; between processes also hand-overs */
}

/* Returns the fixed times that are the largest part of a node's time: of the bottleneck on the
 * critical path, else in a frame. */
static const char *overhead_word(const struct scenario *scenario, const struct result *result,
                                 int n)
{
    const struct node_result *node = &result->node[n];
    enum cause most = CAUSE_DISPATCH;
    struct breakdown breakdown;

    if (node->device < 0)
        return "hand-over";
    if (n == result->bottleneck)
        breakdown_find_node(scenario, result, n, &breakdown);
    else
        breakdown_find_frame(scenario, result, n, &breakdown);
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

/* Returns how data get in through the port of a device. */
static enum ingress ingress_of(const struct scenario *scenario, const struct node_result *node,
                               int d)
{
    return overhead_ingress(scenario, d, node->type == COMPONENT_CAMERA ? node->component : -1)
        .ingress;
}

/* Returns the part of a port that takes most of the time in which data get in or out. */
static const char *port_word(const struct scenario *scenario, const struct node_result *node,
                             struct bound_at at)
{
    static const char *const words[] = {[PORT_WIRE] = "network port",
                                        [PORT_CORE] = "receiving core",
                                        [PORT_INGRESS] = "ingress",
                                        [PORT_EGRESS] = "egress"};

    return at.port == PORT_INGRESS && at.device >= 0 &&
                   ingress_of(scenario, node, at.device) == INGRESS_FRAME_GRABBER
               ? "frame grabber"
               : words[at.port];
}

/* Writes how a device uses a port: "kernel ", "busy-poll "; nothing where nothing takes time but
 * what the design states. */
static void put_way(const struct scenario *scenario, const struct node_result *node,
                    struct bound_at at, struct buffer *text)
{
    const bool out = at.port == PORT_EGRESS;
    int way;

    if (at.device < 0)
        return;
    way = out ? (int)scenario->device[at.device].egress
              : (int)ingress_of(scenario, node, at.device);
    if (out ? way != EGRESS_IDEAL
            : at.port == PORT_INGRESS && way != INGRESS_IDEAL && way != INGRESS_FRAME_GRABBER)
        buffer_print(
            text, "%s ",
            knob_choice_name(scenario,
                             knob_ref_to(out ? KNOB_DEVICE_EGRESS : KNOB_DEVICE_INGRESS, at.device),
                             way));
}

/* Returns whose resource a bound of a node is. */
static struct bound_at bound_at(const struct result *result, int n, enum bound bound)
{
    const struct node_result *node = &result->node[n];
    struct bound_at at = {.device = node_is_whole(node) ? node[1].device : node->device};

    if (n == result->bottleneck && bound == result->bottleneck_bound)
        at =
            (struct bound_at){.device = result->bottleneck_device, .port = result->bottleneck_port};
    else if (at.device < 0)
        at = bound_of_node(result->work, n);
    at.bound = bound;
    return at;
}

const char *verdict_bound_word(const struct scenario *scenario, const struct result *result, int n,
                               enum bound bound)
{
    const struct node_result *node = &result->node[n];
    const char *link;

    if (bound == BOUND_MEMORY && (node->device >= 0 || node_is_whole(node)))
        return result_level_name(result, node);
    if (scenario == NULL)
        return bound_name(bound);
    if (bound == BOUND_OVERHEAD)
        return overhead_word(scenario, result, n + node_is_whole(node));
    if (bound == BOUND_PORT)
        return port_word(scenario, node, bound_at(result, n, bound));
    link = bound == BOUND_LINK ? bound_link_name(result, n) : "";
    return link[0] != '\0' ? link : bound_name(bound);
}

const char *verdict_word(const struct scenario *scenario, const struct result *result, int n)
{
    const struct node_result *node = &result->node[n];

    return verdict_bound_word(scenario, result, n,
                              scenario != NULL && n == result->bottleneck &&
                                      node->type == COMPONENT_CAMERA
                                  ? result->bottleneck_bound
                                  : node->bound);
}

/* Writes the resource that limits node `n`. */
static void put_resource(const struct scenario *scenario, const struct result *result, int n,
                         struct buffer *text)
{
    const struct node_result *node = &result->node[n];
    const struct bound_at at =
        bound_at(result, n, n == result->bottleneck ? result->bottleneck_bound : node->bound);
    const char *name = at.device < 0 ? "" : scenario->device[at.device].head.name;
    const char *word = verdict_bound_word(scenario, result, n, at.bound);

    switch (at.bound) {
    case BOUND_COMPUTE:
    case BOUND_SLEEP:
        buffer_print(text, "%s of %s", word, name);
        break;
    case BOUND_MEMORY:
        buffer_print(text, "%s %s of %s%s", word, node->few_rows ? "latency" : "bandwidth", name,
                     node->few_rows ? ", few rows" : "");
        break;
    case BOUND_OVERHEAD:
        buffer_print(text, "%s on %s", word, name);
        break;
    case BOUND_ENQUEUE:
        buffer_print(text, "%s of %s for %s", word, node->device >= 0 ? "kernels" : "copies", name);
        break;
    case BOUND_WAITING:
        buffer_text(text, "waits for its earlier frame");
        break;
    case BOUND_LINK:
        buffer_text(text, word);
        if (at.device >= 0)
            buffer_print(text, " link of %s", name);
        break;
    case BOUND_COPY:
        buffer_print(text, "%s delay of %s", word, name);
        break;
    case BOUND_PORT:
        put_way(scenario, node, at, text);
        buffer_print(text, "%s of %s", word, name);
        break;
    case BOUND_READOUT:
        buffer_text(text, word);
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

/* Writes what limits the bottleneck in a frame, as tables say, if that is something else. */
static void put_frame_limit(const struct scenario *scenario, const struct result *result,
                            struct buffer *text)
{
    const int n = result->bottleneck;
    const char *word = verdict_word(scenario, result, n);

    if (strcmp(word, verdict_bound_word(scenario, result, n, result->bottleneck_bound)) != 0)
        buffer_print(text, " (all packets: %s)", word);
}

void verdict_limit(const struct scenario *scenario, const struct result *result, bool frame,
                   char text[VERDICT_TEXT_MAX])
{
    struct buffer line = buffer_over(text, VERDICT_TEXT_MAX);

    if (result->overloaded) {
        put_overload(scenario, result, &line);
        return;
    }
    put_limit(scenario, result, result->bottleneck, &line);
    if (result->bottleneck >= 0 && frame)
        put_frame_limit(scenario, result, &line);
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
