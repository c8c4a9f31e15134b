#include "explore/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/number.h"
#include "design/knob_text.h"
#include "model/alike.h"
#include "model/group.h"
#include "model/knob_effect.h"
#include "model/result_read.h"
#include "model/verdict.h"

#define ROUNDING 1e-9 /* relative error of sums in a different order */

bool compare_differs(double a, double b)
{
    return fabs(a - b) > ROUNDING * fmax(fabs(a), fabs(b));
}

bool compare_matters(double a, double b)
{
    double least = COMPARE_PRACTICAL * smaller(fabs(a), fabs(b));

    return compare_differs(a, b) && fabs(a - b) >= least - ROUNDING * fabs(a);
}

/* The kinds of clock of processors, a bit each, as far as they are known and not fixed. */
static unsigned clock_kinds(const struct device *device, int count)
{
    unsigned kinds = 0;

    for (int d = 0; d < count; d++)
        if (device[d].kind == DEVICE_CPU && device[d].clock_kind != CHOICE_AUTO &&
            device[d].clock_kind != CLOCK_FIXED)
            kinds |= 1U << device[d].clock_kind;
    return kinds;
}

bool compare_clocks(const struct device *a, int a_count, const struct device *b, int b_count)
{
    unsigned of_a = clock_kinds(a, a_count), of_b = clock_kinds(b, b_count);

    return of_a != 0 && of_b != 0 && of_a != of_b;
}

const char *compare_clock_name(const struct device *device, int count)
{
    static const char *const names[] = {
        [CLOCK_BASE] = "base clock",
        [CLOCK_ALL_CORE] = "all-core boost",
        [CLOCK_NARROW] = "narrow-vector boost",
        [CLOCK_WIDE] = "wide-vector boost",
        [CLOCK_SINGLE] = "single-core boost",
    };
    const unsigned kinds = clock_kinds(device, count);
    int kind = CLOCK_BASE;

    while (kind < CLOCK_FIXED && (kinds >> kind & 1) == 0)
        kind++;
    return kind < CLOCK_FIXED ? names[kind] : "clock";
}

const char *compare_clocks_words(const struct device *present, int present_count,
                                 const struct device *other, int other_count,
                                 char text[COMPARE_CLOCKS_MAX])
{
    snprintf(text, COMPARE_CLOCKS_MAX, "%s, not %s as now", compare_clock_name(other, other_count),
             compare_clock_name(present, present_count));
    return text;
}

/* Settings ------------------------------------------------------------------------------------- */

enum { VALUE_MAX = 2304 };

/* Appends a difference with its values. */
static void add_difference(struct comparison *comparison, struct difference difference,
                           char value[SIDES][VALUE_MAX])
{
    comparison->difference =
        array_reserve(comparison->difference, comparison->difference_count,
                      &comparison->difference_capacity, sizeof *comparison->difference);
    for (int s = 0; s < SIDES; s++)
        difference.value[s] = allocate_text(value[s]);
    comparison->difference[comparison->difference_count++] = difference;
}

/* Adds an instance that exists only in side `of`, described as "reconstruction", "NVIDIA A100" or
 * "pyramid". */
static void add_instance(const struct compare_side side[SIDES], int of, enum section section,
                         int index, struct comparison *comparison)
{
    const struct scenario *scenario = side[of].scenario;
    struct difference difference = {.kind = DIFFERENCE_INSTANCE, .section = section};
    const struct knob *kind = section_kind_knob(section);
    char value[SIDES][VALUE_MAX] = {"", ""};

    difference.has[of] = true;
    section_path(scenario, section, index, difference.path, sizeof difference.path);
    snprintf(difference.words, sizeof difference.words, "%s %s", section_name(section),
             section_head_const(scenario, section, index)->name);
    if (section == SECTION_DEVICE && scenario->device[index].model[0] != '\0')
        snprintf(value[of], VALUE_MAX, "%s", scenario->device[index].model);
    else if (kind != NULL)
        knob_print(scenario, knob_ref_to(knob_id(kind), index), value[of], VALUE_MAX);
    add_difference(comparison, difference, value);
}

/* Finds the row of a key that applies to the instance; several kinds may share a key with a row
 * each. */
static bool find_same_key(const struct compare_side *side, struct knob_ref *ref, const char *key)
{
    return knob_find_key(side->scenario, ref->section, ref->index, key, ref, NULL) == STATUS_OK;
}

/* Compares stated values exactly, since different numbers may have the same text. */
static bool same_stated(const struct compare_side side[SIDES], const struct knob_ref ref[SIDES])
{
    char text[SIDES][VALUE_MAX];

    if (knob_is_number(ref[0].knob) && knob_is_number(ref[1].knob) &&
        knob_formula(side[0].scenario, ref[0]) == NULL)
        return knob_number(side[0].scenario, ref[0]) == knob_number(side[1].scenario, ref[1]);
    for (int s = 0; s < SIDES; s++)
        knob_get_text(side[s].scenario, ref[s], text[s], sizeof text[s]);
    return strcmp(text[0], text[1]) == 0;
}

static bool is_automatic(const struct compare_side *side, struct knob_ref ref)
{
    char text[VALUE_MAX];

    if (!ref.knob->automatic)
        return false;
    if (knob_is_number(ref.knob))
        return knob_is_auto(ref.knob, knob_number(side->scenario, ref));
    knob_get_text(side->scenario, ref, text, sizeof text);
    return strcmp(text, "auto") == 0;
}

/* Compares a knob in instances of the same name, or in the only design that has it. */
static void compare_knob(const struct compare_side side[SIDES], const struct knob_ref ref[SIDES],
                         const bool has[SIDES], struct comparison *comparison)
{
    char value[SIDES][VALUE_MAX] = {"", ""};
    int of = has[0] ? 0 : 1;
    struct difference difference = {
        .kind = DIFFERENCE_FOLLOWS, .section = ref[of].section, .knob = ref[of].knob};
    bool both = has[0] && has[1];
    bool automatic = both && is_automatic(&side[0], ref[0]) && is_automatic(&side[1], ref[1]);

    if (both && !automatic && same_stated(side, ref))
        return;
    for (int s = 0; s < SIDES; s++)
        if (has[s])
            knob_print_in_force(side[s].scenario, side[s].result, ref[s], value[s], VALUE_MAX);
    if (automatic &&
        (strcmp(value[0], value[1]) == 0 ||
         knob_is(ref[of].knob, KNOB_AO_RTC_LATENCY))) /* the latency, compared besides */
        return;
    knob_path(side[of].scenario, ref[of], difference.path, sizeof difference.path);
    knob_words(side[of].scenario, ref[of], difference.words, sizeof difference.words);
    for (int s = 0; s < SIDES; s++) {
        difference.has[s] = has[s];
        if (!has[s])
            continue;
        difference.origin[s] = knob_origin(side[s].scenario, ref[s]);
        if (knob_is_own(side[s].scenario, ref[s]))
            difference.kind = DIFFERENCE_OWN;
    }
    if (ref[of].knob->type == KNOB_PRESET)
        difference.kind = DIFFERENCE_PRESET;
    add_difference(comparison, difference, value);
}

/* Compares the knobs of two instances of the same name. */
static void compare_instances(const struct compare_side side[SIDES], enum section section,
                              const int index[SIDES], struct comparison *comparison)
{
    int first = knob_section_first(section);

    for (int k = first; k < first + knob_section_count(section); k++) {
        struct knob_ref ref[SIDES] = {{section, index[0], &knobs[k]}, {section, index[1], NULL}};
        bool has[SIDES] = {knob_applies(side[0].scenario, section, index[0], &knobs[k]),
                           find_same_key(&side[1], &ref[1], knobs[k].key)};

        /* rows of b with a key that also applies in a are compared with the row of a */
        if (!has[0] && (ref[1].knob != &knobs[k] || find_same_key(&side[0], &ref[0], knobs[k].key)))
            continue;
        for (int s = 0; s < SIDES; s++)
            has[s] = has[s] && !(knob_idle(side[s].scenario, ref[s]) &&
                                 (!has[1 - s] || knob_idle(side[1 - s].scenario, ref[1 - s])));
        if ((!has[0] && !has[1]) || k == KNOB_SCENARIO_TITLE)
            continue;
        compare_knob(side, ref, has, comparison);
    }
}

/* Sorts by kind, stably. */
static void sort_by_kind(struct difference *list, int count)
{
    for (int d = 1; d < count; d++) {
        struct difference moved = list[d];
        int at = d;

        for (; at > 0 && list[at - 1].kind > moved.kind; at--)
            list[at] = list[at - 1];
        list[at] = moved;
    }
}

static void compare_knobs(const struct compare_side side[SIDES], struct comparison *comparison)
{
    for (enum section section = 0; section < SECTION_COUNT; section++) {
        for (int i = 0; i < section_count(side[0].scenario, section); i++) {
            const char *name = section_head_const(side[0].scenario, section, i)->name;
            int index[SIDES] = {i, section_find(side[1].scenario, section, name)};

            if (index[1] < 0)
                add_instance(side, 0, section, i, comparison);
            else
                compare_instances(side, section, index, comparison);
        }
        for (int i = 0; i < section_count(side[1].scenario, section); i++) {
            const char *name = section_head_const(side[1].scenario, section, i)->name;

            if (section_find(side[0].scenario, section, name) < 0)
                add_instance(side, 1, section, i, comparison);
        }
    }
    sort_by_kind(comparison->difference, comparison->difference_count);
}

/* Results -------------------------------------------------------------------------------------- */

/* Compares the results of the design and the loop; those of parts belong to nodes and devices. */
static void compare_results(const struct compare_side side[SIDES], struct comparison *comparison)
{
    comparison->result = allocate((size_t)RESULT_ROW_COUNT * sizeof *comparison->result);
    for (int r = 0; r < RESULT_ROW_COUNT; r++) {
        const struct result_row *row = &result_rows[r];
        struct compared_result *compared = &comparison->result[comparison->result_count];

        if (row->scope != RESULT_DESIGN && row->scope != RESULT_LOOP)
            continue;
        compared->row = row;
        for (int s = 0; s < SIDES; s++)
            compared->value[s] = result_value(side[s].result, row, 0);
        comparison->result_count += compare_differs(compared->value[0], compared->value[1]);
    }
}

static void fill_compared_node(const struct compare_side *side, int s, int number,
                               struct compared_node *compared)
{
    const struct node_result *node = &side->result->node[number];

    if (compared->name[0] == '\0') {
        snprintf(compared->name, sizeof compared->name, "%s", node->name);
        compared->type = node->type;
        compared->transfer = node->component < 0;
        compared->part = node->part >= 0;
    }
    compared->has[s] = true;
    if (node->device >= 0)
        snprintf(compared->device[s], sizeof compared->device[s], "%s",
                 side->scenario->device[node->device].head.name);
    compared->compute[s] = node->compute;
    compared->memory[s] = node->memory;
    compared->time[s] = component_type_computes(node->type) || node->type == COMPONENT_CAMERA
                            ? node->time
                            : node->memory;
    compared->path[s] = node->path_wait + node->path_busy;
    compared->bound[s] = node->bound;
    compared->level[s] = node->level;
    compared->limit[s] = verdict_word(side->scenario, side->result, number);
}

/* Adds the nodes of b before index `end` that a lacks. */
static void add_other_nodes(const struct compare_side side[SIDES], int *next, int end,
                            struct comparison *comparison)
{
    for (; *next < end; ++*next)
        if (result_find_node(side[0].result, side[1].result->node[*next].name) < 0)
            fill_compared_node(&side[1], 1, *next, &comparison->node[comparison->node_count++]);
}

/* Both lists are in topological order; nodes only in b precede the next common node. */
static void compare_nodes(const struct compare_side side[SIDES], struct comparison *comparison)
{
    const struct result *a = side[0].result;
    const struct result *b = side[1].result;
    int next = 0; /* index in b */

    comparison->node =
        allocate_array((size_t)(a->node_count + b->node_count + 1), sizeof *comparison->node);
    for (int n = 0; n < a->node_count; n++) {
        int there = result_find_node(b, a->node[n].name);

        add_other_nodes(side, &next, there + 1, comparison);
        fill_compared_node(&side[0], 0, n, &comparison->node[comparison->node_count]);
        if (there >= 0)
            fill_compared_node(&side[1], 1, there, &comparison->node[comparison->node_count]);
        comparison->node_count++;
    }
    add_other_nodes(side, &next, b->node_count, comparison);
}

const struct device_figure device_figures[DEVICE_FIGURES] = {
    {.name = "fp32 peak", .unit = "FLOP/s"},
    {.name = "bandwidth", .unit = "B/s"},
    {.name = "busy", .unit = "s"},
    {.name = "utilisation", .unit = ""},
};

static void fill_compared_device(const struct compare_side *side, int s, int number,
                                 struct compared_device *compared)
{
    const struct device *device = &side->scenario->device[number];
    const struct device_result *result = &side->result->device[number];
    const double figure[DEVICE_FIGURES] = {result->peak_flops, result->bandwidth, result->busy,
                                           result->utilisation};

    snprintf(compared->name, sizeof compared->name, "%s", device->head.name);
    compared->has[s] = true;
    snprintf(compared->model[s], sizeof compared->model[s], "%s",
             device_product(device));
    for (int f = 0; f < DEVICE_FIGURES; f++)
        compared->figure[f][s] = figure[f];
}

static void compare_devices(const struct compare_side side[SIDES], struct comparison *comparison)
{
    int count = 0;

    memset(comparison->device, 0, sizeof comparison->device);
    for (int s = 0; s < SIDES; s++)
        for (int d = 0; d < side[s].scenario->device_count; d++) {
            const char *name = side[s].scenario->device[d].head.name;
            int there = s == 0 ? -1 : section_find(side[0].scenario, SECTION_DEVICE, name);

            fill_compared_device(&side[s], s, d, &comparison->device[there < 0 ? count++ : there]);
        }
    for (int d = 0; d < count; d++)
        for (int f = 0; f < SIDES * DEVICE_FIGURES; f++)
            if (!comparison->device[d].has[f % SIDES])
                comparison->device[d].figure[f / SIDES][f % SIDES] = RESULT_NONE;
    comparison->device_count = count;
}

bool compare_node_differs(const struct compared_node *node)
{
    return !node->has[0] || !node->has[1] || compare_differs(node->time[0], node->time[1]) ||
           compare_differs(node->compute[0], node->compute[1]) ||
           compare_differs(node->memory[0], node->memory[1]) || node->bound[0] != node->bound[1] ||
           strcmp(node->device[0], node->device[1]) != 0;
}

static bool compared_alike(const struct compared_node *x, const struct compared_node *y)
{
    char plain[2][NODE_NAME_MAX + 1];

    if (x->transfer != y->transfer || (!x->transfer && (!x->part || !y->part)))
        return false;
    node_plain_name(x->name, plain[0]);
    node_plain_name(y->name, plain[1]);
    if (strcmp(plain[0], plain[1]) != 0)
        return false;
    for (int s = 0; s < SIDES; s++)
        if (x->has[s] != y->has[s] ||
            (x->has[s] &&
             (!values_alike(x->compute[s], y->compute[s]) ||
              !values_alike(x->memory[s], y->memory[s]) || !values_alike(x->time[s], y->time[s]) ||
              x->bound[s] != y->bound[s] || x->level[s] != y->level[s])))
            return false;
    return true;
}

int compare_alike(const struct comparison *comparison, int first)
{
    int end = first + 1;

    while (end < comparison->node_count &&
           compared_alike(&comparison->node[first], &comparison->node[end]))
        end++;
    return end - first;
}

/* Verdict -------------------------------------------------------------------------------------- */

/* A group of errors, by side, and the fraction of it that is common; NULL and 0 in a design without
 * such a group. */
struct error_pair {
    const struct range_group *of[SIDES];
    double fraction[SIDES];
};

/* Finds the group of the other side with the same cause, factor and model of a device. */
static const struct range_group *find_same_group(const struct compare_errors side[SIDES], int s,
                                                 const struct range_group *group)
{
    const struct compare_errors *other = &side[1 - s];

    for (int g = 0; g < other->count; g++)
        if (other->group[g].cause == group->cause && other->group[g].factor == group->factor &&
            group_same_model(&side[s].device[group->device],
                             &other->device[other->group[g].device]))
            return &other->group[g];
    return NULL;
}

/* Finds a group of b that errs with one of a: on the same model of a device, else one that rests on
 * the same defaults and on no model of a. Marks it as taken. */
static struct error_pair find_pair(const struct compare_errors side[SIDES],
                                   const struct range_group *group, bool taken[RANGE_GROUPS_MAX])
{
    const struct compare_errors *b = &side[1];
    struct error_pair pair = {{group, find_same_group(side, 0, group)}, {1, 1}};

    for (int g = 0; g < b->count && pair.of[1] == NULL; g++)
        if (!taken[g] && find_same_group(side, 1, &b->group[g]) == NULL &&
            range_same_defaults(group, &b->group[g], pair.fraction))
            pair.of[1] = &b->group[g];
    if (pair.of[1] != NULL)
        taken[pair.of[1] - b->group] = true;
    return pair;
}

static bool overloads(const struct range_group *group)
{
    return group != NULL && group->overloads;
}

/* Adds the squares of what fractions of groups add to and take from ln(latency of b / latency of
 * a). */
static void add_squares(const struct error_pair *pair, double *more, double *less)
{
    double longer = 0, shorter = 0; /* changes with times x f and / f */

    for (int s = 0; s < SIDES; s++) {
        double sign = s == 0 ? -pair->fraction[s] : pair->fraction[s];

        longer += pair->of[s] == NULL ? 0 : sign * pair->of[s]->high;
        shorter -= pair->of[s] == NULL ? 0 : sign * pair->of[s]->low;
    }
    *more += pow(fmax(0, fmax(longer, shorter)), 2);
    *less += pow(fmax(0, fmax(-longer, -shorter)), 2);
}

/* Adds what a pair has in common, then what each of its groups has for itself. */
static void add_pair(const struct compare_errors side[SIDES], const struct error_pair *pair,
                     double *more, double *less)
{
    add_squares(pair, more, less);
    for (int s = 0; s < SIDES; s++) {
        struct error_pair own = {{NULL, NULL}, {1 - pair->fraction[0], 1 - pair->fraction[1]}};

        own.of[s] = pair->of[s];
        add_squares(&own, more, less);
    }
    /* the latency of an overloaded design is that of one frame, even with these errors */
    if (overloads(pair->of[0]) != overloads(pair->of[1]) && !side[0].overloaded &&
        !side[1].overloaded)
        *(overloads(pair->of[0]) ? less : more) = INFINITY;
}

/* Finds the extremes of the ratio and the common part of the latencies. */
static void find_extremes(const struct compare_errors side[SIDES], struct compare_verdict *verdict)
{
    bool taken[RANGE_GROUPS_MAX] = {false};
    double more = 0, less = 0;
    double common = 0; /* s */

    for (int g = 0; g < side[0].count; g++) {
        struct error_pair pair = find_pair(side, &side[0].group[g], taken);

        add_pair(side, &pair, &more, &less);
        if (pair.of[1] == NULL || pair.of[0]->part <= 0 || pair.of[1]->part <= 0)
            continue;
        for (int s = 0; s < SIDES; s++)
            common += pair.fraction[s] * pair.of[s]->part;
    }
    for (int g = 0; g < side[1].count; g++) {
        struct error_pair pair = {{NULL, &side[1].group[g]}, {1, 1}};

        if (!taken[g])
            add_pair(side, &pair, &more, &less);
    }
    verdict->common = common / (side[0].latency + side[1].latency);
    verdict->least = verdict->ratio * exp(-sqrt(less));
    verdict->most = verdict->ratio * exp(sqrt(more));
}

/* Finds which design is faster, and whether that is decided. */
static void find_verdict(const struct compare_errors side[SIDES], bool ranged,
                         struct compare_verdict *verdict)
{
    verdict->faster = -1;
    verdict->ratio = verdict->least = verdict->most = RESULT_NONE;
    verdict->common = 0;
    verdict->decided = false;
    if (!(side[0].latency > 0) || !(side[1].latency > 0))
        return;
    verdict->ratio = side[1].latency / side[0].latency;
    if (compare_differs(side[0].latency, side[1].latency))
        verdict->faster = verdict->ratio > 1 ? 0 : 1;
    if (!ranged)
        return;
    find_extremes(side, verdict);
    verdict->decided = verdict->faster < 0 ? isfinite(verdict->most) &&
                                                 !compare_differs(verdict->least, verdict->most)
                                           : (verdict->least > 1 || verdict->most < 1) &&
                                                 compare_matters(side[0].latency, side[1].latency);
}

static struct compare_errors errors_of(const struct compare_side *side)
{
    return (struct compare_errors){.latency = side->result->latency,
                                   .overloaded = side->result->overloaded,
                                   .count = side->range != NULL ? side->range->count : 0,
                                   .group = side->range != NULL ? side->range->group : NULL,
                                   .device = side->scenario->device};
}

struct compare_errors *compare_errors_copy(const struct compare_side *side)
{
    const struct compare_errors from = errors_of(side);
    const size_t groups = (size_t)from.count * sizeof(struct range_group);
    const size_t devices = (size_t)side->scenario->device_count * sizeof(struct device);
    struct compare_errors *errors = allocate(sizeof *errors + groups + devices);
    struct range_group *group = (struct range_group *)(errors + 1);
    struct device *device = (struct device *)(group + from.count);

    *errors = from;
    errors->group = memcpy(group, from.group, groups);
    errors->device = memcpy(device, from.device, devices);
    return errors;
}

bool compare_errors_told(const struct compare_errors *a, const struct compare_errors *b)
{
    const struct compare_errors side[SIDES] = {*a, *b};
    struct compare_verdict verdict;

    if (!compare_matters(a->latency, b->latency))
        return false;
    find_verdict(side, true, &verdict);
    return verdict.decided;
}

static enum standing find_standing(const struct compared_latency *of)
{
    bool met = of->latency <= of->target;

    if (of->overloaded)
        return STANDING_OVERLOADED;
    if (met)
        return of->ranged && (of->high == RESULT_NONE || of->high > of->target)
                   ? STANDING_MEETS_BARELY
                   : STANDING_MEETS;
    return of->ranged && of->low <= of->target ? STANDING_MISSES_BARELY : STANDING_MISSES;
}

void compare_latencies(const struct compare_side side[SIDES], struct compare_verdict *verdict)
{
    const struct compare_errors errors[SIDES] = {errors_of(&side[0]), errors_of(&side[1])};
    bool ranged = side[0].range != NULL && side[1].range != NULL;

    for (int s = 0; s < SIDES; s++) {
        const struct result *result = side[s].result;

        verdict->of[s] =
            (struct compared_latency){.latency = result->latency,
                                      .target = result->target,
                                      .ranged = ranged,
                                      .low = ranged ? side[s].range->low : RESULT_NONE,
                                      .high = ranged ? side[s].range->high : RESULT_NONE,
                                      .servo_lag = result->loop.servo_lag,
                                      .lag = result->loop.lag,
                                      .total = result->loop.total,
                                      .power = scenario_power(side[s].scenario),
                                      .load = result->load,
                                      .overloaded = result->overloaded,
                                      .fits = result->fits};
        verdict->of[s].standing = find_standing(&verdict->of[s]);
    }
    find_verdict(errors, ranged, verdict);
    verdict->other_clock =
        compare_clocks(side[0].scenario->device, side[0].scenario->device_count,
                       side[1].scenario->device, side[1].scenario->device_count);
    for (int s = 0; s < SIDES; s++)
        verdict->clock[s] =
            compare_clock_name(side[s].scenario->device, side[s].scenario->device_count);
}

/* Comparisons ---------------------------------------------------------------------------------- */

static void free_differences(struct comparison *comparison)
{
    for (int d = 0; d < comparison->difference_count; d++)
        for (int s = 0; s < SIDES; s++)
            free(comparison->difference[d].value[s]);
    free(comparison->difference);
    comparison->difference = NULL;
    comparison->difference_count = comparison->difference_capacity = 0;
}

void comparison_free(struct comparison *comparison)
{
    free_differences(comparison);
    free(comparison->result);
    free(comparison->node);
    *comparison = (struct comparison){0};
}

void compare_designs(const struct compare_side side[SIDES], struct comparison *comparison)
{
    comparison_free(comparison);
    for (int s = 0; s < SIDES; s++)
        snprintf(comparison->title[s], sizeof comparison->title[s], "%s",
                 side[s].scenario->general.title);
    compare_knobs(side, comparison);
    compare_results(side, comparison);
    compare_nodes(side, comparison);
    compare_devices(side, comparison);
    compare_latencies(side, &comparison->verdict);
}

void compare_settings(const struct compare_side side[SIDES], struct comparison *comparison)
{
    free_differences(comparison);
    compare_knobs(side, comparison);
}

int compare_count(const struct comparison *comparison, enum difference_kind kind)
{
    int count = 0;

    for (int d = 0; d < comparison->difference_count; d++)
        count += comparison->difference[d].kind == kind;
    return count;
}

const char *const difference_kind_names[DIFFERENCE_KINDS] = {
    [DIFFERENCE_PRESET] = "preset",
    [DIFFERENCE_INSTANCE] = "instance",
    [DIFFERENCE_OWN] = "own",
    [DIFFERENCE_FOLLOWS] = "follows",
};

const char *const standing_names[] = {
    [STANDING_MEETS] = "meets",
    [STANDING_MEETS_BARELY] = "meets barely",
    [STANDING_MISSES_BARELY] = "misses barely",
    [STANDING_MISSES] = "misses",
    [STANDING_OVERLOADED] = "overloaded",
};
