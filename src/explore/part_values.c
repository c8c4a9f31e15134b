#include "explore/part_values.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "design/scenario_file.h"
#include "model/knob_effect.h"
#include "model/workload.h"

#define APART 1.05 /* the least factor between two values that are not the same */
#define TENTH 0.1

/* A value, and the kind of memory it is sold with (0: of any device). */
struct rung {
    double kind, value;
};

/* Values of one knob, kind by kind, ascending. */
struct rungs {
    int count;
    struct rung *at;
};

/* Those of them that are of one kind. */
struct flight {
    int count;
    const struct rung *at;
};

struct part_values {
    struct rungs *of; /* by the knob's place in the table */
};

/* What is counted or clocked of a memory, and what tells its kind. */
static const struct {
    size_t part, kind; /* offsets in struct device */
} memories[] = {
    {offsetof(struct device, memory_channels), offsetof(struct device, channel_bits)},
    {offsetof(struct device, memory_rate), offsetof(struct device, channel_bits)},
    {offsetof(struct device, bus_bits), offsetof(struct device, transfers_per_clock)},
    {offsetof(struct device, memory_clock), offsetof(struct device, transfers_per_clock)},
};

static const struct rung ethernet[] = {{0, 1e9},   {0, 10e9},  {0, 25e9},  {0, 40e9}, {0, 50e9},
                                       {0, 100e9}, {0, 200e9}, {0, 400e9}, {0, 800e9}};

/* Values of the catalogue ---------------------------------------------------------------------- */

static bool is_climbed(const struct knob *knob)
{
    return knob->section == SECTION_DEVICE && knob->role == ROLE_PART && knob_is_number(knob);
}

static double field(const struct device *device, size_t offset)
{
    return *(const double *)((const char *)device + offset);
}

/* The kind of memory that a device's part belongs to. */
static double kind_of(const struct device *device, const struct knob *knob)
{
    for (size_t m = 0; m < sizeof memories / sizeof memories[0]; m++)
        if (memories[m].part == knob->offset)
            return field(device, memories[m].kind);
    return 0;
}

static int by_kind(const void *a, const void *b)
{
    const struct rung *x = a;
    const struct rung *y = b;

    if (x->kind != y->kind)
        return x->kind > y->kind ? 1 : -1;
    return (x->value > y->value) - (x->value < y->value);
}

static void sort_distinct(struct rungs *rungs)
{
    int kept = 0;

    qsort(rungs->at, (size_t)rungs->count, sizeof *rungs->at, by_kind);
    for (int i = 0; i < rungs->count; i++)
        if (kept == 0 || by_kind(&rungs->at[i], &rungs->at[kept - 1]) > 0)
            rungs->at[kept++] = rungs->at[i];
    rungs->count = kept;
}

/* Devices that presets state, by themselves or in a system. */
struct stock {
    int count, capacity;
    struct device *device;
    bool failed; /* no memory */
};

static void keep(struct stock *stock, const struct device *device)
{
    if (stock->count == stock->capacity) {
        int capacity = stock->capacity == 0 ? 256 : 2 * stock->capacity;
        struct device *more = realloc(stock->device, (size_t)capacity * sizeof *more);

        if (more == NULL) {
            stock->failed = true;
            return;
        }
        stock->device = more;
        stock->capacity = capacity;
    }
    stock->device[stock->count++] = *device;
}

static void keep_system(struct stock *stock, const struct preset *preset,
                        struct catalogue *catalogue, struct scenario *scenario)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;

    if (preset->text != NULL && scenario_parse(scenario, &document, preset->text, preset->length,
                                               catalogue, &problems) == STATUS_OK)
        for (int d = 0; d < scenario->device_count; d++)
            keep(stock, &scenario->device[d]);
    document_free(document);
    problems_free(&problems);
}

static void keep_all(struct stock *stock, struct catalogue *catalogue)
{
    struct scenario *scenario = malloc(sizeof *scenario);
    const struct device *device;

    stock->failed = scenario == NULL;
    for (int p = 0; p < catalogue_count(catalogue) && !stock->failed; p++) {
        const struct preset *preset = catalogue_at(catalogue, p);

        if (preset->kind == PRESET_AO)
            keep_system(stock, preset, catalogue, scenario);
        else if (catalogue_device(catalogue, preset->name, &device, NULL) == STATUS_OK)
            keep(stock, device);
    }
    free(scenario);
}

/* What each of them itself states for the knob. */
static enum status collect(struct rungs *rungs, const struct knob *knob, const struct stock *stock)
{
    rungs->at = malloc(((size_t)stock->count + 1) * sizeof *rungs->at);
    if (rungs->at == NULL)
        return STATUS_MEMORY;
    for (int d = 0; d < stock->count; d++) {
        const struct device *device = &stock->device[d];
        double value = field(device, knob->offset);

        if (knob_has_kind(knob, device->kind) && knob_set_has(&device->head.own, knob) && value > 0)
            rungs->at[rungs->count++] = (struct rung){kind_of(device, knob), value};
    }
    sort_distinct(rungs);
    return STATUS_OK;
}

static enum status fill(struct part_values *part_values, const struct stock *stock)
{
    enum status status = stock->failed ? STATUS_MEMORY : STATUS_OK;

    part_values->of = calloc((size_t)KNOB_COUNT, sizeof *part_values->of);
    if (part_values->of == NULL)
        return STATUS_MEMORY;
    for (int k = 0; k < KNOB_COUNT && status == STATUS_OK; k++)
        if (is_climbed(&knobs[k]))
            status = collect(&part_values->of[k], &knobs[k], stock);
    return status;
}

enum status part_values_new(struct part_values **part_values, struct catalogue *catalogue,
                            struct error *error)
{
    struct stock stock = {0};
    enum status status = STATUS_MEMORY;

    *part_values = calloc(1, sizeof **part_values);
    if (*part_values != NULL) {
        keep_all(&stock, catalogue);
        status = fill(*part_values, &stock);
    }
    free(stock.device);
    if (status == STATUS_OK)
        return STATUS_OK;
    part_values_free(*part_values);
    *part_values = NULL;
    return error_set(error, STATUS_MEMORY, "out of memory");
}

void part_values_free(struct part_values *part_values)
{
    if (part_values == NULL)
        return;
    for (int k = 0; part_values->of != NULL && k < KNOB_COUNT; k++)
        free(part_values->of[k].at);
    free(part_values->of);
    free(part_values);
}

/* Numbers -------------------------------------------------------------------------------------- */

static bool climb(const struct flight *rungs, double value, int direction, double *next)
{
    for (int i = direction > 0 ? 0 : rungs->count - 1; i >= 0 && i < rungs->count; i += direction) {
        double rung = rungs->at[i].value;

        if (direction > 0 ? rung >= value * APART : rung * APART <= value) {
            *next = rung;
            return true;
        }
    }
    return false;
}

static struct flight of_kind(const struct rungs *all, double kind)
{
    struct flight some = {0, all->at};

    for (int i = 0; i < all->count; i++) {
        if (all->at[i].kind < kind)
            some.at++;
        some.count += all->at[i].kind == kind;
    }
    return some;
}

/* What there is to buy of a number; fewer than two: nothing is known of that. */
static struct flight rungs_of(const struct part_values *part_values,
                              const struct scenario *scenario, struct knob_ref ref)
{
    const struct knob *knob = ref.knob;
    struct flight rungs = {0, NULL};

    if (is_climbed(knob))
        rungs =
            of_kind(&part_values->of[knob - knobs], kind_of(&scenario->device[ref.index], knob));
    if (rungs.count < 2 && knob->role == ROLE_PART && strcmp(knob->unit, "Gb/s") == 0)
        rungs = (struct flight){sizeof ethernet / sizeof ethernet[0], ethernet};
    return rungs;
}

static bool is_fraction(const struct knob *knob)
{
    return knob->type == KNOB_NUMBER && knob->scale == SCALE_LINEAR && knob->min == 0 &&
           knob->max == 1;
}

/* Twice as much, or half; from nothing the least there is. */
static double doubled(const struct knob *knob, double value, int direction)
{
    double next = direction > 0 ? 2 * value : value / 2;

    if (value == 0)
        return knob_step(knob, value, direction);
    return knob->type == KNOB_INTEGER && direction < 0 ? floor(next) : next;
}

static double stepped(const struct knob *knob, double value, int direction)
{
    if (knob->role == ROLE_PART || (knob->role == ROLE_SETTING && knob->scale != SCALE_LINEAR))
        return doubled(knob, value, direction);
    if (knob->role == ROLE_SETTING && is_fraction(knob))
        return round((value + direction * TENTH) * 1000) / 1000;
    return knob_step(knob, value, direction);
}

bool part_values_next(const struct part_values *part_values, const struct scenario *scenario,
                      struct knob_ref ref, double value, int direction, double *next)
{
    const struct knob *knob = ref.knob;
    struct flight rungs = rungs_of(part_values, scenario, ref);

    if (rungs.count < 2)
        *next = stepped(knob, value, direction);
    else if (!climb(&rungs, value, direction, next))
        return false;
    /* what stands for "automatic" is no value */
    return *next != value && *next >= knob_min(knob) && *next <= knob_max(knob) &&
           !knob_is_auto(knob, *next);
}

static int number_steps(const struct part_values *part_values, const struct scenario *scenario,
                        struct knob_ref ref, double value, struct value_step *step)
{
    int count = 0;
    double next;

    for (int direction = -1; direction <= 1 && value != RESULT_NONE; direction += 2) {
        if (!part_values_next(part_values, scenario, ref, value, direction, &next))
            continue;
        step[count].direction = direction;
        quantity_format(next, ref.knob->unit, step[count].value, VALUE_STEP_TEXT);
        count++;
    }
    return count;
}

/* One core starts and waits for no others, which twice as many or half as many always do. */
static int alone_step(struct knob_ref ref, double workers, struct value_step *step)
{
    if (knob_id(ref.knob) != KNOB_COMPONENT_WORKERS || workers == RESULT_NONE ||
        floor(workers / 2) <= 1)
        return 0;
    *step = (struct value_step){-1, "1"};
    return 1;
}

/* Choices -------------------------------------------------------------------------------------- */

/* Whether a choice can be had at all. */
static bool is_open(const struct scenario *scenario, struct knob_ref ref, int choice)
{
    if (strcmp(knob_choice_name(scenario, ref, choice), "none") == 0)
        return false;
    return knob_id(ref.knob) != KNOB_COMPONENT_BARRIER || choice != BARRIER_PACKET ||
           algorithm_barrier(&scenario->component[ref.index]) == BARRIER_PACKET;
}

static int choice_steps(const struct scenario *scenario, const struct result *result,
                        struct knob_ref ref, struct value_step *step)
{
    int present = knob_choice_in_force(scenario, result, ref);
    int count = 0;

    for (int i = 0; i < knob_choice_count(scenario, ref) && count < VALUE_STEPS_MAX; i++) {
        if (i == present || !is_open(scenario, ref, i))
            continue;
        step[count].direction = 0;
        snprintf(step[count].value, VALUE_STEP_TEXT, "%s", knob_choice_name(scenario, ref, i));
        count++;
    }
    return count;
}

/* The names of a set of devices, as the file lists them. */
static void list_devices(const struct scenario *scenario, uint32_t devices, char *text)
{
    size_t used = 0;

    text[0] = '\0';
    for (int d = 0; d < scenario->device_count; d++)
        if ((devices >> d & 1U) != 0)
            used += (size_t)snprintf(text + used, VALUE_STEP_TEXT - used, "%s%s",
                                     used > 0 ? ", " : "", scenario->device[d].head.name);
}

/* Alone on each other one; of a reconstruction the present ones and each other one, and without
 * each. */
static int device_steps(const struct scenario *scenario, int component, struct value_step *step)
{
    uint32_t present = scenario_devices(scenario, component);
    bool divides = scenario->component[component].type == COMPONENT_RECONSTRUCTION;
    int count = 0;

    for (int d = 0; d < scenario->device_count; d++) {
        uint32_t alone = UINT32_C(1) << d;
        uint32_t with = present ^ alone; /* one more, or one less */

        if (alone != present) {
            step[count].direction = 0;
            list_devices(scenario, alone, step[count++].value);
        }
        if (divides && with != 0 && devices_count(with) != 1) {
            step[count].direction = 0;
            list_devices(scenario, with, step[count++].value);
        }
    }
    return count;
}

int part_values_steps(const struct part_values *part_values, const struct scenario *scenario,
                      const struct result *result, struct knob_ref ref,
                      struct value_step step[VALUE_STEPS_MAX])
{
    double value;
    int count;

    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        value = knob_number_in_force(scenario, result, ref);
        count = number_steps(part_values, scenario, ref, value, step);
        return count + alone_step(ref, value, &step[count]);
    case KNOB_CHOICE:
    case KNOB_ALGORITHM:
    case KNOB_WFS:
    case KNOB_DEVICE:
        return choice_steps(scenario, result, ref, step);
    case KNOB_DEVICES:
        return device_steps(scenario, ref.index, step);
    case KNOB_TEXT:
    case KNOB_PRESET:
    case KNOB_COMPONENTS:
    case KNOB_TRACE:
        break;
    }
    return 0;
}
