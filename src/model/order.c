#include "model/order.h"

#include <stdio.h>

#include "design/knob_text.h"
#include "model/device.h"
#include "model/knob_effect.h"

/* A value of an order, of the same index in its section as the others, or of a section of which
 * there is one. */
struct ordered {
    enum knob_id knob; /* or one that it follows from, with a name */
    enum memory_level_id level;
    const char *name;
};

/* What the value of each order is; RESULT_NONE: the design has no such value. All values of an
 * order are of the same: of a core, or of a whole device. */
typedef double value_of(const struct scenario *scenario, const struct result *result,
                        struct knob_ref ref, enum memory_level_id level);

/* A 0 stands for none or any, except of a device. */
static double own_value(const struct scenario *scenario, const struct result *result,
                        struct knob_ref ref, enum memory_level_id level)
{
    const double value = knob_number(scenario, ref);

    (void)result;
    (void)level;
    if (knob_is_auto(ref.knob, value) || knob_idle(scenario, ref) ||
        (value == 0 && ref.section != SECTION_DEVICE))
        return RESULT_NONE;
    return value;
}

static double slopes_value(const struct scenario *scenario, const struct result *result,
                           struct knob_ref ref, enum memory_level_id level)
{
    double slopes = 0;

    if (ref.section != SECTION_WFS)
        return own_value(scenario, result, ref, level);
    for (int w = 0; w < scenario->wfs_count && w < result->wfs_count; w++)
        slopes += 2 * result->wfs[w].subaps * scenario->wfs[w].count;
    return slopes > 0 ? slopes : RESULT_NONE;
}

/* Finds a level of all cores, or as its knobs state it. */
static bool find_level(const struct scenario *scenario, int d, enum memory_level_id id, bool each,
                       struct memory_level *level)
{
    const struct device *device = &scenario->device[d];
    struct memory memory;

    device_memory(device, 0, &memory);
    if (each)
        device_memory_knobs(device, &memory, &memory);
    for (int k = 0; k < memory.count; k++)
        if (memory.level[k].id == id) {
            *level = memory.level[k];
            return true;
        }
    return false;
}

static double capacity_value(const struct scenario *scenario, const struct result *result,
                             struct knob_ref ref, enum memory_level_id level)
{
    struct memory_level found;

    if (level == LEVEL_MEMORY)
        return own_value(scenario, result, ref, level);
    return find_level(scenario, ref.index, level, true, &found) ? found.capacity : RESULT_NONE;
}

static double latency_value(const struct scenario *scenario, const struct result *result,
                            struct knob_ref ref, enum memory_level_id level)
{
    struct memory_level found;

    (void)result;
    return find_level(scenario, ref.index, level, true, &found) ? found.latency : RESULT_NONE;
}

static double bandwidth_value(const struct scenario *scenario, const struct result *result,
                              struct knob_ref ref, enum memory_level_id level)
{
    struct memory_level found;

    (void)result;
    return find_level(scenario, ref.index, level, false, &found) ? found.bandwidth : RESULT_NONE;
}

/* Of the memory: that of a socket, which a core can use. */
static double core_value(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref, enum memory_level_id level)
{
    const struct device *device = &scenario->device[ref.index];

    return level == LEVEL_MEMORY ? device_bandwidth(device) / device->sockets
                                 : own_value(scenario, result, ref, level);
}

/* Each order begins with what is least. */
enum { ORDERED_MAX = 6 };

/* clang-format off */
static const struct order {
    struct ordered item[ORDERED_MAX]; /* up to knob 0 */
    value_of *value;
    const char *of;   /* what a value is of, if not of its knob */
    const char *then; /* what the model does */
} orders[] = {
    {.item = {{KNOB_DEVICE_L1, LEVEL_L1, NULL}, {KNOB_DEVICE_L2_CPU, LEVEL_L2, NULL},
              {KNOB_DEVICE_L2_GPU, LEVEL_L2, NULL}, {KNOB_DEVICE_L3, LEVEL_L3, NULL},
              {KNOB_DEVICE_MEMORY_SIZE, LEVEL_MEMORY, NULL}},
     .value = capacity_value},
    {.item = {{KNOB_DEVICE_L1_LATENCY, LEVEL_L1, NULL}, {KNOB_DEVICE_L2_LATENCY, LEVEL_L2, NULL},
              {KNOB_DEVICE_L3_LATENCY, LEVEL_L3, NULL},
              {KNOB_DEVICE_MEMORY_LATENCY, LEVEL_MEMORY, NULL}},
     .value = latency_value},
    {.item = {{KNOB_DEVICE_MEMORY_RATE, LEVEL_MEMORY, "memory"},
              {KNOB_DEVICE_MEMORY_CLOCK, LEVEL_MEMORY, "memory"},
              {KNOB_DEVICE_L3_BANDWIDTH, LEVEL_L3, NULL}, {KNOB_DEVICE_L2_BANDWIDTH, LEVEL_L2, NULL},
              {KNOB_DEVICE_L1_BANDWIDTH, LEVEL_L1, NULL}},
     .value = bandwidth_value, .of = " of the whole device"},
    {.item = {{KNOB_DEVICE_CORE_BANDWIDTH, 0, NULL},
              {KNOB_DEVICE_MEMORY_RATE, LEVEL_MEMORY, "memory"}},
     .value = core_value},
    {.item = {{KNOB_DEVICE_L3_CORE_BANDWIDTH, 0, NULL}, {KNOB_DEVICE_L3_BANDWIDTH, 0, NULL}},
     .value = own_value},
    {.item = {{KNOB_DEVICE_LATE_P90, 0, NULL}, {KNOB_DEVICE_LATE_P99, 0, NULL},
              {KNOB_DEVICE_LATE_P999, 0, NULL}, {KNOB_DEVICE_LATE_P9999, 0, NULL},
              {KNOB_DEVICE_LATE_P99999, 0, NULL}, {KNOB_DEVICE_LATE_MAX, 0, NULL}},
     .value = own_value, .then = "; the larger one counts"},
    {.item = {{KNOB_DEVICE_SUSTAINED_CLOCK, 0, NULL}, {KNOB_DEVICE_CLOCK_GPU, 0, NULL}},
     .value = own_value, .then = "; the lower one counts"},
    {.item = {{KNOB_DEVICE_SOCKET_LANES, 0, NULL}, {KNOB_DEVICE_PCIE_LANES, 0, NULL}},
     .value = own_value},
    {.item = {{KNOB_DEVICE_SCALAR_RATE, 0, NULL}, {KNOB_DEVICE_ISSUE, 0, NULL}},
     .value = own_value},
    {.item = {{KNOB_ATMOSPHERE_R0, 0, NULL}, {KNOB_ATMOSPHERE_OUTER_SCALE, 0, NULL}},
     .value = own_value},
    {.item = {{KNOB_AO_MODES, 0, NULL}, {KNOB_AO_ACTUATORS, 0, NULL}}, .value = own_value},
    {.item = {{KNOB_AO_MODES, 0, NULL}, {KNOB_WFS_VALID_SUBAPS, 0, "slopes"}},
     .value = slopes_value},
    {.item = {{KNOB_COMPONENT_RANK, 0, NULL}, {KNOB_COMPONENT_TILE, 0, NULL}}, .value = own_value},
    {.item = {{KNOB_COMPONENT_ITERATIONS, 0, NULL}, {KNOB_COMPONENT_UNKNOWNS, 0, NULL}},
     .value = own_value},
    {.item = {{KNOB_COMPONENT_PITCH, 0, NULL}, {KNOB_AO_DIAMETER, 0, NULL}}, .value = own_value},
};
/* clang-format on */

#define SAME 1e-9 /* relative; values closer than this are equal */

enum { ORDERS = sizeof orders / sizeof orders[0], PAIRS = ORDERS * ORDERED_MAX };

struct place {
    const struct ordered *item;
    struct knob_ref ref;
    double value;
};

static bool find_value(const struct scenario *scenario, const struct result *result,
                       const struct order *order, int item, int index, struct place *place)
{
    const struct ordered *of = &order->item[item];
    enum section section = knobs[of->knob].section;

    if (section != knobs[order->item[0].knob].section)
        index = 0;
    place->item = of;
    place->ref = knob_ref_to(of->knob, index);
    if (index >= section_count(scenario, section) ||
        !knob_applies(scenario, section, index, place->ref.knob))
        return false;
    place->value = order->value(scenario, result, place->ref, of->level);
    return place->value != RESULT_NONE;
}

/* Returns whether a value is 0: assumed, 1: that of a preset, or 2: stated by the scenario. */
static int statement(const struct scenario *scenario, const struct place *place)
{
    if (knob_is_own(scenario, place->ref))
        return 2;
    return knob_stated_by(scenario, place->ref) != NULL;
}

static void write_order(const struct scenario *scenario, const struct order *order,
                        const struct place *of, const struct place *other, char *text, size_t size)
{
    char path[96], name[96], value[KNOB_NUMBER_MAX], than[KNOB_NUMBER_MAX];

    knob_path(scenario, of->ref, path, sizeof path);
    if (other->item->name != NULL || other->ref.section == of->ref.section)
        snprintf(name, sizeof name, "%s",
                 other->item->name != NULL ? other->item->name : other->ref.knob->key);
    else
        knob_path(scenario, other->ref, name, sizeof name);
    knob_print_number(of->ref.knob, of->value, value);
    knob_print_number(other->item->name != NULL ? of->ref.knob : other->ref.knob, other->value,
                      than);
    snprintf(text, size, "%s: %s%s, %s %s, %s%s%s", path, value, order->of != NULL ? order->of : "",
             of->value > other->value ? "above" : "below", name, than,
             other->item->name == NULL && statement(scenario, other) == 0 ? ", assumed" : "",
             order->then != NULL ? order->then : "");
}

int order_pairs(const struct scenario *scenario)
{
    int most = 1;

    for (int o = 0; o < ORDERS; o++) {
        int count = section_count(scenario, knobs[orders[o].item[0].knob].section);

        most = count > most ? count : most;
    }
    return most * PAIRS;
}

bool order_note(const struct scenario *scenario, const struct result *result, int at, char *text,
                size_t size)
{
    const struct order *order = &orders[at % PAIRS / ORDERED_MAX];
    const int index = at / PAIRS, item = at % ORDERED_MAX;
    struct place more, less;
    int before = item - 1;
    bool own;

    if (order->item[item].knob == 0 || !find_value(scenario, result, order, item, index, &more))
        return false;
    while (before >= 0 && !find_value(scenario, result, order, before, index, &less))
        before--;
    if (before < 0 || less.value <= more.value * (1 + SAME) ||
        statement(scenario, &less) + statement(scenario, &more) == 0)
        return false;
    own = more.item->name == NULL && statement(scenario, &more) > statement(scenario, &less);
    own = own || less.item->name != NULL;
    write_order(scenario, order, own ? &more : &less, own ? &less : &more, text, size);
    return true;
}
