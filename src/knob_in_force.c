#include "knob_in_force.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "units.h"
#include "workload.h"

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
        *index = result_node(result, scenario->component[ref.index].head.name);
    if (*index < 0)
        return NULL;
    for (int r = 0; r < result_row_count; r++)
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
        node = result_node(result, scenario->component[component].head.name);
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
    for (int i = 0; i < result_row_count; i++)
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
