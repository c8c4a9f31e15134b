#include "model/knob_effect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "design/knob_field.h"
#include "model/device.h"
#include "model/workload.h"

/* Where a knob acts that does not act wherever it applies. */
struct rule {
    enum section section;
    const char *key;
    bool (*acts)(const struct scenario *scenario, int index);
    const char *algorithms[6]; /* or of which algorithms it is */
};

/* Devices ------------------------------------------------------------------------------------- */

static bool has_l1(const struct scenario *scenario, int device)
{
    return scenario->device[device].l1 != 0;
}

static bool has_l2(const struct scenario *scenario, int device)
{
    return scenario->device[device].l2 != 0;
}

/* A GPU that states none has none. */
static bool has_l3(const struct scenario *scenario, int device)
{
    const struct device *d = &scenario->device[device];

    return d->kind == DEVICE_GPU ? d->l3 > 0 : d->l3 != 0;
}

static bool states_l3_bandwidth(const struct scenario *scenario, int device)
{
    return has_l3(scenario, device) && scenario->device[device].l3_bandwidth > 0;
}

static bool has_nvlink(const struct scenario *scenario, int device)
{
    return scenario->device[device].host_link == HOST_LINK_NVLINK;
}

static bool runs_anything(const struct scenario *scenario, int device)
{
    for (int i = 0; i < scenario->component_count; i++)
        if ((scenario_devices(scenario, i) >> device & 1) != 0)
            return true;
    return false;
}

static bool runs_programs(const struct scenario *scenario, int device)
{
    for (int i = 0; i < scenario->component_count; i++)
        if (scenario->component[i].type == COMPONENT_PROGRAM &&
            scenario_device(scenario, i) == device)
            return true;
    return false;
}

/* Components ---------------------------------------------------------------------------------- */

static bool is_coaxpress(const struct scenario *scenario, int component)
{
    int interface = scenario->component[component].interface;

    return interface == INTERFACE_COAXPRESS_6 || interface == INTERFACE_COAXPRESS_12;
}

static bool is_gige(const struct scenario *scenario, int component)
{
    return scenario->component[component].interface == INTERFACE_GIGE_VISION;
}

static bool is_network(const struct scenario *scenario, int component)
{
    return scenario->component[component].link == LINK_NETWORK;
}

static bool is_split(const struct scenario *scenario, int component)
{
    return devices_count(scenario_devices(scenario, component)) > 1;
}

static bool runs_on_cores(const struct scenario *scenario, int component)
{
    uint32_t devices = scenario_devices(scenario, component);

    for (int d = 0; d < scenario->device_count; d++)
        if ((devices >> d & 1) != 0 && scenario->device[d].kind == DEVICE_CPU)
            return true;
    return scenario->device_count == 0;
}

/* Whether a component has sums that wait for themselves. */
static bool has_chain(const struct scenario *scenario, int component, int device, enum chain chain)
{
    const struct algorithm *algorithm = algorithm_row(scenario, component);

    return algorithm != NULL && algorithm->chain == chain &&
           (scenario_devices(scenario, component) >> device & 1) != 0;
}

static bool runs_chain(const struct scenario *scenario, int device, enum chain chain)
{
    for (int i = 0; i < scenario->component_count; i++)
        if (has_chain(scenario, i, device, chain))
            return true;
    return false;
}

/* An add that is known changes what all that runs there is taken to find in its caches. */
static bool runs_adds(const struct scenario *scenario, int device)
{
    for (int i = 0; i < scenario->component_count; i++)
        if (algorithm_row(scenario, i) != NULL &&
            (scenario_devices(scenario, i) >> device & 1) != 0)
            return true;
    return false;
}

static bool runs_multiply_adds(const struct scenario *scenario, int device)
{
    return runs_chain(scenario, device, CHAIN_ROWS);
}

static bool waits_for_multiply_adds(const struct scenario *scenario, int device)
{
    return scenario->device[device].fma_latency > 0 && runs_multiply_adds(scenario, device);
}

static bool waits_for_adds(const struct scenario *scenario, int device)
{
    return scenario->device[device].add_latency > 0 && runs_chain(scenario, device, CHAIN_PIXELS);
}

static bool is_chained(const struct scenario *scenario, int component)
{
    for (int d = 0; d < scenario->device_count; d++)
        for (int chain = CHAIN_PIXELS; chain <= CHAIN_ROWS; chain++)
            if (device_chain_latency(&scenario->device[d], (enum chain)chain) > 0 &&
                has_chain(scenario, component, d, (enum chain)chain))
                return true;
    return false;
}

static const struct rule rules[] = {
    {SECTION_DEVICE, "host_bandwidth", has_nvlink, {NULL}},
    {SECTION_DEVICE, "l1_bandwidth", has_l1, {NULL}},
    {SECTION_DEVICE, "l1_latency", has_l1, {NULL}},
    {SECTION_DEVICE, "l2_bandwidth", has_l2, {NULL}},
    {SECTION_DEVICE, "l2_latency", has_l2, {NULL}},
    {SECTION_DEVICE, "l3_bandwidth", has_l3, {NULL}},
    {SECTION_DEVICE, "l3_latency", has_l3, {NULL}},
    {SECTION_DEVICE, "l3_core_bandwidth", states_l3_bandwidth, {NULL}},
    {SECTION_DEVICE, "jitter", runs_anything, {NULL}},
    {SECTION_DEVICE, "remote_latency", runs_programs, {NULL}},
    {SECTION_DEVICE, "add_latency", runs_adds, {NULL}},
    {SECTION_DEVICE, "fma_latency", runs_multiply_adds, {NULL}},
    {SECTION_DEVICE, "window", waits_for_multiply_adds, {NULL}},
    {SECTION_DEVICE, "operand_bandwidth", waits_for_multiply_adds, {NULL}},
    {SECTION_DEVICE, "scalar_rate", waits_for_adds, {NULL}},
    {SECTION_COMPONENT, "chains", is_chained, {NULL}},
    {SECTION_COMPONENT, "workers", runs_on_cores, {NULL}},
    {SECTION_COMPONENT, "split", is_split, {NULL}},
    {SECTION_COMPONENT, "lanes", is_coaxpress, {NULL}},
    {SECTION_COMPONENT, "link_rate", is_gige, {NULL}},
    {SECTION_COMPONENT, "hops", is_network, {NULL}},
    {SECTION_COMPONENT, "length", is_network, {NULL}},
    {SECTION_COMPONENT, "switch", is_network, {NULL}},
    {SECTION_COMPONENT, "deferred", NULL, {"polc", "polc-explicit", "lqg"}},
    {SECTION_COMPONENT,
     "flops_per_pixel",
     NULL,
     {"cog", "simple", "threshold", "weighted", "brightest"}},
    {SECTION_COMPONENT, "search", NULL, {"correlation", "correlation-fft"}},
    {SECTION_COMPONENT, "tile", NULL, {"tlr"}},
    {SECTION_COMPONENT, "rank", NULL, {"tlr"}},
    {SECTION_COMPONENT, "density", NULL, {"sparse"}},
    {SECTION_COMPONENT, "iterations", NULL, {"cg"}},
    {SECTION_COMPONENT, "unknowns", NULL, {"cg"}},
    {SECTION_COMPONENT, "grid", NULL, {"fourier"}},
    {SECTION_COMPONENT, "states", NULL, {"lqg"}},
};

static bool computes_by(const struct scenario *scenario, int component, const struct rule *rule)
{
    const struct algorithm *algorithm = algorithm_row(scenario, component);

    for (int i = 0; algorithm != NULL && rule->algorithms[i] != NULL; i++)
        if (strcmp(algorithm->name, rule->algorithms[i]) == 0)
            return true;
    return false;
}

/* The cycles of a class of instructions. */
static bool is_for_programs(const struct knob *knob)
{
    size_t first = offsetof(struct device, cpi);

    return knob->section == SECTION_DEVICE && knob->offset >= first &&
           knob->offset < first + sizeof(((struct device *)NULL)->cpi);
}

bool knob_idle(const struct scenario *scenario, struct knob_ref ref)
{
    if (knob_is_own(scenario, ref))
        return false;
    if (is_for_programs(ref.knob))
        return !runs_programs(scenario, ref.index);
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        const struct rule *rule = &rules[r];

        if (rule->section != ref.section || strcmp(rule->key, ref.knob->key) != 0)
            continue;
        return rule->acts != NULL ? !rule->acts(scenario, ref.index)
                                  : !computes_by(scenario, ref.index, rule);
    }
    return false;
}

/* Knob in force -------------------------------------------------------------------------------- */

/* The row of the result that has the knob's name. */
static const struct result_row *row_of(const struct scenario *scenario, const struct result *result,
                                       struct knob_ref ref, int *index)
{
    enum result_scope scope;

    if (result == NULL)
        return NULL;
    switch (ref.section) {
    case SECTION_COMPONENT:
        scope = RESULT_COMPONENT;
        break;
    case SECTION_DEVICE:
        scope = RESULT_DEVICE;
        break;
    case SECTION_WFS:
        scope = RESULT_WFS;
        break;
    default:
        return NULL;
    }
    *index = ref.index;
    if (scope == RESULT_COMPONENT)
        *index = result_find_node(result, scenario->component[ref.index].head.name);
    if (*index < 0)
        return NULL;
    for (int r = 0; r < RESULT_ROW_COUNT; r++)
        if (result_rows[r].scope == scope && strcmp(result_rows[r].key, ref.knob->key) == 0)
            return &result_rows[r];
    return NULL;
}

double knob_number_in_force(const struct scenario *scenario, const struct result *result,
                            struct knob_ref ref)
{
    double stated = knob_number(scenario, ref);
    const struct result_row *row;
    int index;

    if (!knob_left_open(ref.knob, stated))
        return stated;
    row = row_of(scenario, result, ref, &index);
    return row == NULL ? RESULT_NONE : result_value(result, row, index);
}

static void print_binary(double value, const char *name, char *text, size_t size)
{
    struct unit unit = {DIMENSION_BYTES, 1, 1};

    unit_find(name, &unit);
    snprintf(text, size, "%.4g %s", value * unit.denominator / unit.numerator, name);
}

static bool is_whole(double value)
{
    return fabs(value - round(value)) <= 1e-9 * fabs(value);
}

/* As the knob itself prints what is stated: counts in digits, with the unit there is. */
static void print_automatic(const struct knob *knob, double value, char *text, size_t size)
{
    char number[40];
    struct unit unit = {DIMENSION_NUMBER, 1, 1};

    unit_find(knob->unit, &unit);
    if (value == 0 && knob->fallback == CAPACITY_AUTO) {
        snprintf(number, sizeof number, "none");
    } else if (knob->unit[0] == '\0' && value < 1000 && !is_whole(value)) {
        snprintf(number, sizeof number, "%.3g", value);
    } else if (knob->unit[0] == '\0') {
        number_format(round(value), number, sizeof number);
    } else if (strstr(knob->unit, "iB") != NULL) { /* 32 KiB say more than 32.8 kB */
        print_binary(value, knob->unit, number, sizeof number);
    } else if (knob->type == KNOB_INTEGER) {
        char digits[32];

        number_format(value * unit.denominator / unit.numerator, digits, sizeof digits);
        snprintf(number, sizeof number, "%s %s", digits, knob->unit);
    } else {
        quantity_print(value, knob->unit, number, sizeof number);
    }
    snprintf(text, size, "auto %s", number);
}

/* Names of the components in a set. */
static void print_set(const struct scenario *scenario, uint64_t members, char *text, size_t size)
{
    size_t used = strlen(text);

    for (int c = 0; c < scenario->component_count && used < size; c++)
        if ((members >> c & 1) != 0)
            used +=
                (size_t)snprintf(text + used, size - used, " %s", scenario->component[c].head.name);
}

/* Whether its algorithm leaves work for later. */
static int automatic_deferred(const struct scenario *scenario, const struct result *result,
                              int component)
{
    int node = -1;

    if (result != NULL)
        node = result_find_node(result, scenario->component[component].head.name);
    return node < 0 ? -1 : result->node[node].deferred > 0;
}

/* The one a reference left open means, or -1. */
static int automatic_choice(const struct scenario *s, const struct result *result,
                            struct knob_ref ref)
{
    const struct algorithm *algorithm;

    switch ((int)ref.knob->type) {
    case KNOB_DEVICE:
    case KNOB_DEVICES:
        return ref.section == SECTION_DEVICE ? scenario_host(s, ref.index)
                                             : scenario_device(s, ref.index);
    case KNOB_WFS:
        return scenario_wfs(s, ref.index);
    case KNOB_ALGORITHM:
        return 0;
    default:
        break;
    }
    algorithm = algorithm_row(s, ref.index);
    if (strcmp(ref.knob->key, "barrier") == 0)
        return (int)algorithm_barrier(&s->component[ref.index]);
    if (strcmp(ref.knob->key, "deferred") == 0)
        return automatic_deferred(s, result, ref.index);
    if (strcmp(ref.knob->key, "access") != 0)
        return -1;
    return algorithm == NULL ? -1 : (int)algorithm->access;
}

int knob_choice_in_force(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref)
{
    int stated = knob_choice(scenario, ref);

    return stated >= 0 ? stated : automatic_choice(scenario, result, ref);
}

/* Whether anything stands for a device's number that nobody states. */
static bool is_told(const struct knob *knob)
{
    for (int i = 0; i < RESULT_ROW_COUNT; i++)
        if (strcmp(result_rows[i].key, knob->key) == 0)
            return true;
    return knob->section != SECTION_DEVICE;
}

void knob_print_in_force(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref, char *text, size_t size)
{
    double value;
    int choice;

    knob_print(scenario, ref, text, size);
    if (text[0] == '\0')
        snprintf(text, size, "none");
    if (strcmp(text, "auto") != 0)
        return;
    if (knob_is_number(ref.knob)) {
        value = knob_number_in_force(scenario, result, ref);
        if (!is_told(ref.knob))
            snprintf(text, size, KNOB_UNKNOWN);
        else if (value != RESULT_NONE)
            print_automatic(ref.knob, value, text, size);
    } else if (ref.knob->type == KNOB_COMPONENTS) {
        print_set(scenario, scenario_predecessors(scenario, ref.index), text, size);
    } else {
        choice = automatic_choice(scenario, result, ref);
        if (choice >= 0 && choice < knob_choice_count(scenario, ref))
            snprintf(text, size, "auto %s", knob_choice_name(scenario, ref, choice));
    }
}
