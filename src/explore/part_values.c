#include "explore/part_values.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/units.h"
#include "design/algorithm.h"
#include "design/knob_text.h"
#include "design/scenario_file.h"
#include "explore/controllers.h"
#include "explore/trial.h"
#include "model/knob_effect.h"
#include "model/overhead.h"

#define SAME_RATIO 1.0001   /* least ratio of two values that are not one with other digits */
#define DISTINCT_RATIO 1.05 /* likewise, of two that are worth a step of advice */
#define FRACTION_STEP 0.1

#define SIMD_BITS_MOST 512 /* of all CPUs but vector processors */

/* A value and the kind it is sold with, of memory or of SIMD unit (0: any). */
struct part_value {
    double kind, value;
};

/* The values of one knob, sorted by kind, then by value. */
struct value_list {
    int count, capacity;
    struct part_value *at;
};

struct part_values {
    struct catalogue *catalogue;
    struct part_values *former;       /* of a former catalogue, freed with these; NULL: none */
    struct value_list of[KNOB_COUNT]; /* empty for knobs that are not numbers of a device */
};

/* The values of one kind. */
struct value_range {
    int count;
    const struct part_value *at;
};

static const struct part_value ethernet[] = {{0, 1e9},   {0, 10e9},  {0, 25e9},
                                             {0, 40e9},  {0, 50e9},  {0, 100e9},
                                             {0, 200e9}, {0, 400e9}, {0, 800e9}};
static const struct part_value packets[] = {{0, 1500}, {0, LINK_MTU}};
static const struct part_value depths[] = {{0, 8},  {0, 10}, {0, 12}, {0, 14},
                                           {0, 16}, {0, 20}, {0, 24}, {0, 32}};

/* Values of knobs that a standard lists, of which presets state some. */
static const struct {
    enum knob_id id;
    struct value_range range;
} standards[] = {
    {KNOB_DEVICE_NIC, {sizeof ethernet / sizeof ethernet[0], ethernet}},
    {KNOB_COMPONENT_LINK_RATE, {sizeof ethernet / sizeof ethernet[0], ethernet}},
    {KNOB_DEVICE_MTU, {sizeof packets / sizeof packets[0], packets}},
    {KNOB_WFS_BIT_DEPTH, {sizeof depths / sizeof depths[0], depths}},
    {KNOB_COMPONENT_BITS_PER_ACTUATOR, {sizeof depths / sizeof depths[0], depths}},
};

/* Values of the catalogue ---------------------------------------------------------------------- */

/* Returns the kind of memory or of SIMD unit that restricts a device's knob. */
static double part_kind(const struct device *device, const struct knob *knob)
{
    switch (knob_id(knob)) {
    case KNOB_DEVICE_MEMORY_CHANNELS:
    case KNOB_DEVICE_MEMORY_RATE:
        return device->channel_bits;
    case KNOB_DEVICE_BUS_BITS:
    case KNOB_DEVICE_MEMORY_CLOCK:
        return device->transfers_per_clock;
    case KNOB_DEVICE_SIMD_BITS:
        return device->simd_bits > SIMD_BITS_MOST;
    default:
        return 0;
    }
}

/* Adds the numbers that a device states itself. */
static void add_device_values(struct part_values *values, const struct device *device)
{
    if (device->kind == DEVICE_FPGA) /* computers of their own, whose figures are fitted */
        return;
    for (int k = 0; k < KNOB_COUNT; k++) {
        const struct knob *knob = &knobs[k];
        struct value_list *list = &values->of[k];
        double value;

        if (knob->section != SECTION_DEVICE || knob->role != ROLE_HARDWARE ||
            !knob_is_number(knob) || !knob_has_kind(knob, device->kind) ||
            !knob_set_has(&device->head.own, knob))
            continue;
        value = *(const double *)(const void *)((const char *)device + knob->offset);
        if (!(value > 0))
            continue;
        list->at = array_reserve(list->at, list->count, &list->capacity, sizeof *list->at);
        list->at[list->count++] = (struct part_value){part_kind(device, knob), value};
    }
}

static int compare_part_values(const void *a, const void *b)
{
    const struct part_value *x = a;
    const struct part_value *y = b;

    if (x->kind != y->kind)
        return x->kind > y->kind ? 1 : -1;
    return (x->value > y->value) - (x->value < y->value);
}

static void sort_distinct(struct value_list *list)
{
    int kept = 0;

    array_sort(list->at, list->count, sizeof *list->at, compare_part_values);
    for (int i = 0; i < list->count; i++)
        if (kept == 0 || compare_part_values(&list->at[i], &list->at[kept - 1]) > 0)
            list->at[kept++] = list->at[i];
    list->count = kept;
}

struct part_values *part_values_new(struct catalogue *catalogue)
{
    struct part_values *values = allocate_array(1, sizeof *values);
    struct scenario *scenario = allocate(sizeof *scenario);

    values->catalogue = catalogue;
    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct preset *preset = catalogue_at(catalogue, p);
        const struct device *device;

        if (preset_is_device(preset)) {
            if (catalogue_device(catalogue, preset->name, &device, NULL) == STATUS_OK)
                add_device_values(values, device);
        } else if (preset->kind == PRESET_AO && preset->text != NULL &&
                   scenario_read_preset(scenario, preset, catalogue, NULL) == STATUS_OK) {
            for (int d = 0; d < scenario->device_count; d++)
                add_device_values(values, &scenario->device[d]);
        }
    }
    free(scenario);
    for (int k = 0; k < KNOB_COUNT; k++)
        sort_distinct(&values->of[k]);
    return values;
}

void part_values_keep(struct part_values *values, struct part_values *former)
{
    values->former = former;
}

void part_values_free(struct part_values *values)
{
    if (values != NULL)
        part_values_free(values->former);
    for (int k = 0; values != NULL && k < KNOB_COUNT; k++)
        free(values->of[k].at);
    free(values);
}

struct catalogue *part_values_catalogue(const struct part_values *values)
{
    return values->catalogue;
}

enum status part_values_set(const struct part_values *values, struct scenario *scenario,
                            struct knob_ref ref, const char *value, struct error *error)
{
    enum status status;

    if (ref.knob->type == KNOB_PRESET)
        return scenario_set_preset(scenario, ref.index, values->catalogue, value, error);
    status = knob_set_text(scenario, ref, value, error);
    if (status == STATUS_OK && knob_is(ref.knob, KNOB_AO_CONTROLLER))
        controllers_follow(scenario);
    return status;
}

bool part_values_try(struct trial *trial, struct knob_ref ref, const char *value)
{
    trial_reset(trial);
    return part_values_set(trial->values, &trial->scenario, ref, value, &trial->problem) ==
           STATUS_OK;
}

/* Numbers -------------------------------------------------------------------------------------- */

/* Returns the market values of a knob, of the device's kind; fewer than two mean unknown. */
static struct value_range find_market_range(const struct part_values *values,
                                            const struct scenario *scenario, struct knob_ref ref)
{
    const struct knob *knob = ref.knob;
    struct value_range range = {0, NULL};

    for (size_t s = 0; s < sizeof standards / sizeof standards[0]; s++)
        if (knob == &knobs[standards[s].id])
            return standards[s].range;
    if (knob->section == SECTION_DEVICE && scenario->device[ref.index].kind != DEVICE_FPGA) {
        const struct value_list *list = &values->of[knob_id(knob)];
        double kind = part_kind(&scenario->device[ref.index], knob);

        range.at = list->at;
        for (int i = 0; i < list->count; i++) {
            range.at += list->at[i].kind < kind;
            range.count += list->at[i].kind == kind;
        }
    }
    return range;
}

/* Returns true if the next value is one of the range. A wider SIMD unit than those of a kind is not
 * known by doubling; the sockets of a board are counted. */
static bool is_listed(const struct knob *knob, struct value_range range)
{
    return !knob_is(knob, KNOB_DEVICE_SOCKETS) &&
           (range.count >= 2 || (range.count == 1 && knob_is(knob, KNOB_DEVICE_SIMD_BITS)));
}

/* Finds the next of these values; false if there is none. */
static bool next_in_range(struct value_range range, double value, int direction, double *next)
{
    bool found = false;

    for (int i = direction > 0 ? 0 : range.count - 1; i >= 0 && i < range.count && !found;
         i += direction) {
        *next = range.at[i].value;
        found = direction > 0 ? *next >= value * SAME_RATIO : *next * SAME_RATIO <= value;
    }
    return found;
}

/* Returns the next value of a number without market values, maybe beyond its range. */
static double next_by_rule(const struct scenario *scenario, const struct knob *knob, double value,
                           int direction)
{
    bool fraction = knob->type == KNOB_NUMBER && knob->scale == SCALE_LINEAR && knob->min == 0 &&
                    knob->max == 1;
    bool doubles = (knob->role == ROLE_HARDWARE && !knob_is(knob, KNOB_DEVICE_SOCKETS)) ||
                   (knob->role == ROLE_SOFTWARE && knob->scale != SCALE_LINEAR);

    if (knob_is(knob, KNOB_AO_MODES) && value == 0 && direction > 0)
        return scenario->ao.actuators; /* from zonal control to the most modes there can be */
    if (doubles && direction > 0 && value != 0)
        return 2 * value;
    if (doubles && value != 0)
        return knob->type == KNOB_INTEGER ? floor(value / 2) : value / 2;
    if (!doubles && knob->role == ROLE_SOFTWARE && fraction)
        return round((value + direction * FRACTION_STEP) * 1000) / 1000;
    return knob_step(knob, value, direction);
}

/* Returns true for a value within the range of a knob; the number for "automatic" is not one. */
static bool is_value(const struct knob *knob, double value)
{
    return value >= knob_min(knob) && value <= knob_max(knob) && !knob_is_auto(knob, value);
}

/* The one rule of what the next value is, for keys, advice and sweeps. */
static bool find_next(const struct scenario *scenario, struct knob_ref ref,
                      struct value_range range, double value, int direction, double *next)
{
    if (!is_listed(ref.knob, range))
        *next = fmin(fmax(next_by_rule(scenario, ref.knob, value, direction), knob_min(ref.knob)),
                     knob_max(ref.knob));
    else if (!next_in_range(range, value, direction, next))
        return false;
    return *next != value && is_value(ref.knob, *next);
}

/* Returns true for a number that is the same for all parts of a kind. */
static bool is_design_fact(const struct knob *knob)
{
    return knob_is(knob, KNOB_DEVICE_CHANNEL_BITS) ||
           knob_is(knob, KNOB_DEVICE_TRANSFERS_PER_CLOCK) ||
           knob_is(knob, KNOB_DEVICE_OPS_PER_CLOCK);
}

bool part_values_next(const struct part_values *values, const struct scenario *scenario,
                      struct knob_ref ref, double value, int direction, double *next)
{
    struct value_range range = find_market_range(values, scenario, ref);
    bool listed = is_listed(ref.knob, range);
    bool found =
        !is_design_fact(ref.knob) && find_next(scenario, ref, range, value, direction, next);

    while (found && listed && *next<value * DISTINCT_RATIO && * next * DISTINCT_RATIO> value)
        found = find_next(scenario, ref, range, *next, direction, next);
    if (found &&
        knob_is(ref.knob, KNOB_DEVICE_SOCKETS)) /* boards with more are not on the market */
        found = range.count == 0 || *next <= range.at[range.count - 1].value;
    return found;
}

double part_values_move(const struct part_values *values, const struct scenario *scenario,
                        struct knob_ref ref, double value, int steps)
{
    struct value_range range = find_market_range(values, scenario, ref);
    int by = steps < 0 ? -1 : 1;
    double next;

    for (; steps != 0 && find_next(scenario, ref, range, value, by, &next); steps -= by)
        value = next;
    return value;
}

bool part_values_listed(const struct part_values *values, const struct scenario *scenario,
                        struct knob_ref ref)
{
    return knob_is_number(ref.knob) &&
           is_listed(ref.knob, find_market_range(values, scenario, ref));
}

int part_values_between(const struct part_values *values, const struct scenario *scenario,
                        struct knob_ref ref, double low, double high, double *value, int most)
{
    struct value_range range = find_market_range(values, scenario, ref);
    int count = 0;

    for (int i = 0; i < range.count && count < most && is_listed(ref.knob, range); i++) {
        double next = range.at[i].value;

        if (next >= low && next <= high && is_value(ref.knob, next) &&
            (count == 0 || next >= value[count - 1] * SAME_RATIO))
            value[count++] = next;
    }
    return count;
}

static int list_numbers(const struct part_values *values, const struct scenario *scenario,
                        struct knob_ref ref, double value, struct value_step *step)
{
    int count = 0;
    double next;

    if (value == RESULT_NONE)
        return 0;
    for (int direction = -1; direction <= 1; direction += 2) {
        if (!part_values_next(values, scenario, ref, value, direction, &next))
            continue;
        step[count].direction = direction;
        quantity_format(next, ref.knob->unit, step[count].value, VALUE_STEP_TEXT);
        count++;
    }
    /* a single worker avoids the barrier, which doubling and halving do not */
    if (knob_id(ref.knob) == KNOB_COMPONENT_WORKERS && floor(value / 2) > 1)
        step[count++] = (struct value_step){-1, "1"};
    return count;
}

/* Choices -------------------------------------------------------------------------------------- */

/* Returns true for a choice that cannot be bought or installed in this design: another link or port
 * of a product, ports and systems without delays, another count of the same algorithm, a frame
 * grabber for a camera without such an interface, and a way into a GPU that gets nothing from
 * there. */
static bool is_hypothetical(const struct scenario *scenario, struct knob_ref ref, int choice)
{
    switch (knob_id(ref.knob)) {
    case KNOB_DEVICE_HOST_LINK:
    case KNOB_DEVICE_EGRESS_FPGA:
        return true;
    case KNOB_DEVICE_INGRESS:
        return scenario->device[ref.index].kind == DEVICE_FPGA || choice == INGRESS_IDEAL ||
               choice == INGRESS_FRAME_GRABBER ||
               (choice == INGRESS_RDMA && !overhead_gpu_receives(scenario, ref.index, -1));
    case KNOB_DEVICE_COPY:
        return choice == COPY_RDMA && !overhead_gpu_gets_pixels(scenario, ref.index);
    case KNOB_DEVICE_EGRESS:
        return choice == EGRESS_IDEAL;
    case KNOB_DEVICE_OS:
        return choice == OS_IDEAL;
    case KNOB_COMPONENT_ALGORITHM:
        return knob_choice_value(scenario, ref, choice) == ALGORITHM_SIMPLE;
    default:
        return false;
    }
}

/* Lists all available choices except the present one. */
static int list_choices(const struct scenario *scenario, const struct result *result,
                        struct knob_ref ref, struct value_step *step)
{
    int present = knob_choice_in_force(scenario, result, ref);
    bool no_packets = knob_id(ref.knob) == KNOB_COMPONENT_BARRIER &&
                      algorithm_barrier(&scenario->component[ref.index]) != BARRIER_PACKET;
    int count = 0;

    for (int i = 0; i < knob_choice_count(scenario, ref) && count < VALUE_STEPS_MAX; i++) {
        const char *name = knob_choice_name(scenario, ref, i);

        if (i == present || strcmp(name, "none") == 0 || (no_packets && i == BARRIER_PACKET) ||
            is_hypothetical(scenario, ref, i))
            continue;
        step[count].direction = 0;
        snprintf(step[count++].value, VALUE_STEP_TEXT, "%s", name);
    }
    return count;
}

/* Fills a step to a set of devices. */
static void set_devices(const struct scenario *scenario, uint32_t devices, struct value_step *step)
{
    struct buffer names = buffer_over(step->value, sizeof step->value);

    step->direction = 0;
    for (int d = 0; d < scenario->device_count; d++)
        if ((devices >> d & 1U) != 0)
            buffer_item(&names, scenario->device[d].head.name);
}

/* Lists each other device alone and, for a reconstruction, the present set with one device added or
 * removed. */
static int list_device_sets(const struct scenario *scenario, int component, struct value_step *step)
{
    uint32_t present = scenario_devices(scenario, component);
    bool divides = scenario->component[component].type == COMPONENT_RECONSTRUCTION;
    int count = 0;

    for (int d = 0; d < scenario->device_count; d++) {
        uint32_t alone = UINT32_C(1) << d;
        uint32_t changed = present ^ alone; /* one device added or removed */

        if (alone != present)
            set_devices(scenario, alone, &step[count++]);
        if (divides && devices_count(changed) > 1)
            set_devices(scenario, changed, &step[count++]);
    }
    return count;
}

int part_values_steps(const struct part_values *values, const struct scenario *scenario,
                      const struct result *result, struct knob_ref ref,
                      struct value_step step[VALUE_STEPS_MAX])
{
    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        return list_numbers(values, scenario, ref, knob_number_in_force(scenario, result, ref),
                            step);
    case KNOB_CHOICE:
    case KNOB_ALGORITHM:
    case KNOB_WFS:
    case KNOB_DEVICE:
        return list_choices(scenario, result, ref, step);
    case KNOB_DEVICES:
        return list_device_sets(scenario, ref.index, step);
    case KNOB_TEXT:
    case KNOB_PRESET:
    case KNOB_COMPONENTS:
    case KNOB_FILE:
        break;
    }
    return 0;
}
