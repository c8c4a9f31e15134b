#include "random_design.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "model/readout.h"
#include "sample.h"
#include "zoo.h"

static void insert(struct scenario *scenario, enum section section, char letter, int number)
{
    struct error error = {STATUS_OK, ""};
    char name[16];

    snprintf(name, sizeof name, "%c%d", letter, number);
    CHECK_TRUE(scenario_insert(scenario, section, number, name, &error) == STATUS_OK, "%s",
               error.message);
}

static void set_choice(struct scenario *scenario, enum section section, int index, const char *key,
                       int value)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    CHECK_TRUE(knob_find_key(scenario, section, index, key, &ref, &error) == STATUS_OK &&
                   knob_set_number(scenario, ref, value, &error) == STATUS_OK,
               "%s %d: %s", key, value, error.message);
}

/* What seldom leaves a design with a meaning, or makes it large, is drawn seldom. */
static double probability(const struct knob *knob)
{
    static const char *const rare[] = {"share", "detector_width", "detector_height", "obscuration",
                                       "count", "rate_divisor",   "packets",         "start"};

    for (size_t i = 0; i < sizeof rare / sizeof rare[0]; i++)
        if (strcmp(knob->key, rare[i]) == 0)
            return 0.1;
    if (strcmp(knob->key, "workers") == 0)
        return 0.01; /* see state_workers */
    return 0.5;
}

/* Files of a sensor, which other tests give it. */
static bool is_pattern(const struct knob *knob)
{
    return knob->type == KNOB_FILE && knob->section == SECTION_WFS;
}

bool is_of_loop(const struct knob *knob)
{
    return knob->section == SECTION_TELEMETRY || knob->section == SECTION_UPDATE ||
           knob == &knobs[KNOB_DEVICE_PRICE] ||
           (knob >= &knobs[KNOB_AO_DIAMETER] && knob <= &knobs[KNOB_AO_VIBRATIONS]) ||
           knob == &knobs[KNOB_COMPONENT_BANDWIDTH] || knob == &knobs[KNOB_COMPONENT_DAMPING] ||
           knob == &knobs[KNOB_ATMOSPHERE_OUTER_SCALE] ||
           (knob >= &knobs[KNOB_WFS_BAND] && knob <= &knobs[KNOB_WFS_ALIASING]) ||
           knob == &knobs[KNOB_COMPONENT_SURFACE] || knob == &knobs[KNOB_COMPONENT_PITCH];
}

static void draw_knobs(struct draw *draw, struct scenario *scenario, enum section section,
                       int index)
{
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);
    struct error error = {STATUS_OK, ""};

    for (int k = first; k < end; k++) {
        struct knob_ref ref = {section, index, &knobs[k]};
        bool number = knobs[k].type == KNOB_NUMBER || knobs[k].type == KNOB_INTEGER;
        int choices = number ? 0 : knob_choice_count(scenario, ref);

        if (strcmp(knobs[k].key, "kind") == 0 || strcmp(knobs[k].key, "type") == 0 ||
            strcmp(knobs[k].key, "wfs") == 0 || &knobs[k] == &knobs[KNOB_COMPONENT_THREAD] ||
            is_pattern(&knobs[k]) || !knob_applies(scenario, section, index, &knobs[k]) ||
            !draw_chance(draw, probability(&knobs[k])))
            continue;
        if (number)
            CHECK_TRUE(knob_set_number(scenario, ref, zoo_value(&knobs[k], draw), &error) ==
                           STATUS_OK,
                       "%s: %s", knobs[k].key, error.message);
        else if (choices > 0)
            CHECK_TRUE(knob_set_text(scenario, ref,
                                     knob_choice_name(scenario, ref, draw_below(draw, choices)),
                                     &error) == STATUS_OK,
                       "%s: %s", knobs[k].key, error.message);
    }
}

/* A GPU hangs on a processor, but for a few; every other FPGA does. */
static void place_board(struct draw *draw, struct scenario *scenario, int index)
{
    int host = draw_below(draw, scenario->device_count);

    if (scenario->device[index].kind == DEVICE_CPU ||
        (scenario->device[index].kind == DEVICE_FPGA && draw_chance(draw, 0.5)))
        return;
    for (int i = 0; i < 20 && scenario->device[host].kind != DEVICE_CPU; i++)
        host = draw_below(draw, scenario->device_count);
    if (scenario->device[host].kind == DEVICE_CPU || draw_chance(draw, 0.02))
        set_choice(scenario, SECTION_DEVICE, index, "host", host);
}

/* Most sensors deliver every frame, the others every second to sixth. */
static void slow_down(struct draw *draw, struct scenario *scenario, int index)
{
    static const int divisors[] = {2, 3, 4, 6};

    if (draw_chance(draw, 0.3))
        set_choice(scenario, SECTION_WFS, index, "rate_divisor", divisors[draw_below(draw, 4)]);
}

/* Rows above and below the subapertures, so that first and last packets are blank. */
static void leave_margins(struct draw *draw, struct scenario *scenario, int index)
{
    struct agenda_key key;

    if (!draw_chance(draw, 0.3))
        return;
    key = agenda_key(&scenario->wfs[index], ORDER_RASTER, 1, 1);
    if (key.height * 3 / 2 + 8 <= 16384)
        set_choice(scenario, SECTION_WFS, index, "detector_height", (int)key.height * 3 / 2 + 8);
}

/* Some components are in one of two processes. */
static void name_process(struct draw *draw, struct scenario *scenario, int index)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    if (!draw_chance(draw, 0.3) ||
        !component_type_computes((enum component_type)scenario->component[index].type))
        return;
    CHECK_TRUE(
        knob_find_key(scenario, SECTION_COMPONENT, index, "process", &ref, &error) == STATUS_OK &&
            knob_set_text(scenario, ref, draw_chance(draw, 0.5) ? "left" : "right", &error) ==
                STATUS_OK,
        "process: %s", error.message);
}

static enum component_type any_type(struct draw *draw, int index)
{
    if (index == 0 || draw_chance(draw, 0.1))
        return COMPONENT_CAMERA;
    return (enum component_type)draw_below(draw, COMPONENT_TYPE_COUNT);
}

/* Sensor components take a sensor of the right kind, but for a few. */
static void place_component(struct draw *draw, struct scenario *scenario, int index)
{
    enum component_type type = any_type(draw, index);
    int wfs = draw_below(draw, scenario->wfs_count);
    int kind = type == COMPONENT_PYRAMID ? WFS_PYRAMID : WFS_SHACK_HARTMANN;

    for (int i = 0; i < 20 && (type == COMPONENT_CENTROID || type == COMPONENT_PYRAMID) &&
                    scenario->wfs[wfs].kind != kind;
         i++)
        wfs = draw_below(draw, scenario->wfs_count);
    if ((type == COMPONENT_CENTROID || type == COMPONENT_PYRAMID) &&
        scenario->wfs[wfs].kind != kind && !draw_chance(draw, 0.02))
        type = COMPONENT_CALIBRATION;
    set_choice(scenario, SECTION_COMPONENT, index, "type", (int)type);
    if (type == COMPONENT_CAMERA || type == COMPONENT_CALIBRATION || type == COMPONENT_CENTROID ||
        type == COMPONENT_PYRAMID || (type == COMPONENT_CUSTOM && draw_chance(draw, 0.5)))
        set_choice(scenario, SECTION_COMPONENT, index, "wfs", wfs);
}

/* Some of the cores of a processor, seldom more than there are. */
static void state_workers(struct draw *draw, struct scenario *scenario, int index)
{
    int device = scenario_device(scenario, index);
    int cores;

    if (device < 0 || scenario->device[device].kind != DEVICE_CPU ||
        scenario->component[index].workers > 0 || !draw_chance(draw, 0.15))
        return;
    cores = (int)(scenario->device[device].sockets * scenario->device[device].cores) / 4;
    set_choice(scenario, SECTION_COMPONENT, index, "workers",
               1 + draw_below(draw, cores < 1      ? 1
                                    : cores > 1000 ? 1000
                                                   : cores));
}

static void set_text(struct scenario *scenario, int index, const char *key, const char *text)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    CHECK_TRUE(knob_find_key(scenario, SECTION_COMPONENT, index, key, &ref, &error) == STATUS_OK &&
                   knob_set_text(scenario, ref, text, &error) == STATUS_OK,
               "%s: %s", text, error.message);
}

/* Mostly what came before; now and then a cycle. */
static void order_component(struct draw *draw, struct scenario *scenario, int index)
{
    char text[COMPONENT_MAX * (NAME_MAX_LENGTH + 2)] = "";
    size_t used = 0;

    if (scenario->component[index].type == COMPONENT_CAMERA || draw_chance(draw, 0.4))
        return;
    for (int before = 0; before < scenario->component_count; before++)
        if ((before < index && draw_chance(draw, 1.6 / index)) ||
            (before > index && draw_chance(draw, 0.002)))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? "," : "",
                                     scenario->component[before].head.name);
    set_text(scenario, index, "after", used > 0 ? text : "none");
}

/* Cameras of one sensor read it in one order, but for a few. */
static void agree_on_order(struct draw *draw, struct scenario *scenario)
{
    for (int i = 0; i < scenario->component_count; i++)
        for (int before = 0; before < i; before++)
            if (scenario->component[i].type == COMPONENT_CAMERA &&
                scenario->component[before].type == COMPONENT_CAMERA &&
                scenario->component[i].wfs == scenario->component[before].wfs &&
                !draw_chance(draw, 0.02))
                set_choice(scenario, SECTION_COMPONENT, i, "order",
                           scenario->component[before].order);
}

/* Some reconstructions run on several devices. */
static void split_component(struct draw *draw, struct scenario *scenario, int index)
{
    char text[DEVICE_MAX * (NAME_MAX_LENGTH + 2)] = "";
    size_t used = 0;

    if (scenario->component[index].type != COMPONENT_RECONSTRUCTION || !draw_chance(draw, 0.5))
        return;
    for (int d = scenario->device_count - 1; d >= 0; d--)
        if (draw_chance(draw, 0.5))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? "," : "",
                                     scenario->device[d].head.name);
    if (used > 0)
        set_text(scenario, index, "device", text);
}

/* A program has a trace, and runs on a processor but for a few. */
static void place_program(struct draw *draw, struct scenario *scenario, int index)
{
    struct component *c = &scenario->component[index];

    if (c->type != COMPONENT_PROGRAM)
        return;
    c->trace.program = sample_program();
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario->device[scenario_device(scenario, index)].kind != DEVICE_CPU &&
            scenario->device[d].kind == DEVICE_CPU && !draw_chance(draw, 0.02))
            set_choice(scenario, SECTION_COMPONENT, index, "device", d);
    if (scenario->device[scenario_device(scenario, index)].kind != DEVICE_CPU &&
        !draw_chance(draw, 0.02))
        set_choice(scenario, SECTION_COMPONENT, index, "type", COMPONENT_CUSTOM);
}

/* In some designs, components of processors are in one of two threads, seldom of two processes or
 * with fluid sharing. */
static void name_threads(struct draw *draw, struct scenario *scenario)
{
    if (!draw_chance(draw, 0.3) ||
        (scenario->general.sharing == SHARING_FLUID && !draw_chance(draw, 0.02)))
        return;
    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *c = &scenario->component[i];
        int device = scenario_device(scenario, i);

        if (!component_type_computes((enum component_type)c->type) || device < 0 ||
            devices_count(scenario_devices(scenario, i)) > 1 ||
            scenario->device[device].kind != DEVICE_CPU || draw_chance(draw, 0.3))
            continue;
        if (c->process[0] != '\0' && !draw_chance(draw, 0.02))
            set_text(scenario, i, "thread", c->process);
        else
            set_text(scenario, i, "thread", draw_chance(draw, 0.5) ? "one" : "other");
    }
}

void random_design(struct draw *draw, struct scenario *scenario)
{
    int sensors = 1 + draw_below(draw, 4);
    int devices = 1 + draw_below(draw, 8);
    int components = 2 + draw_below(draw, 15);
    struct draw threads;

    scenario_init(scenario);
    for (int i = 0; i < sensors; i++) {
        insert(scenario, SECTION_WFS, 'w', i);
        set_choice(scenario, SECTION_WFS, i, "kind", draw_below(draw, 2));
    }
    for (int i = 0; i < devices; i++) {
        insert(scenario, SECTION_DEVICE, 'd', i);
        set_choice(scenario, SECTION_DEVICE, i, "kind",
                   draw_chance(draw, 0.1) ? DEVICE_FPGA : draw_below(draw, 2));
    }
    for (int i = 0; i < components; i++)
        insert(scenario, SECTION_COMPONENT, 'c', i);
    for (int i = 0; i < components; i++)
        place_component(draw, scenario, i);
    for (int i = 0; i < components; i++)
        order_component(draw, scenario, i);
    for (int s = 0; s < SECTION_COUNT; s++)
        for (int i = 0; i < section_count(scenario, (enum section)s); i++)
            draw_knobs(draw, scenario, (enum section)s, i);
    for (int i = 0; i < sensors; i++)
        slow_down(draw, scenario, i);
    for (int i = 0; i < sensors; i++)
        leave_margins(draw, scenario, i);
    for (int i = 0; i < devices; i++)
        place_board(draw, scenario, i);
    for (int i = 0; i < components; i++)
        name_process(draw, scenario, i);
    for (int i = 0; i < components; i++)
        split_component(draw, scenario, i);
    for (int i = 0; i < components; i++)
        place_program(draw, scenario, i);
    for (int i = 0; i < components; i++)
        state_workers(draw, scenario, i);
    agree_on_order(draw, scenario);
    threads = *draw; /* designs without threads stay what they were */
    name_threads(&threads, scenario);
}
