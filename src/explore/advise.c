#include "explore/advise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "explore/caveat.h"
#include "explore/compare.h"
#include "explore/controllers.h"
#include "explore/sensitivity.h"
#include "explore/sweep.h"
#include "model/knob_effect.h"

#define ROUNDING_LEAST 10e-12 /* s; smaller gains are mostly rounding errors */
#define LOWER_LOAD 0.99       /* of an overloaded design: a practical difference */
#define ERROR_LEAST 0.01      /* of the wavefront error: a change worth a row */
#define ERROR_SHOWN 5e-12     /* m; smaller changes print as 0.00 nm and count as none */
#define SHOWN_LEAST 0.0005    /* smaller gains print as 0.0 % */

enum { PROGRESS_INTERVAL = 16 }; /* evaluations between two reports of progress */

/* Steps ---------------------------------------------------------------------------------------- */

static bool is_later(const struct performance *after, const struct performance *before)
{
    return after->first_pixel > before->first_pixel * (1 + 1e-9);
}

/* Tries a step; returns false if it is refused. */
static bool try_step(struct trial *trial, struct knob_ref ref, const char *value)
{
    return part_values_try(trial, ref, value) &&
           /* another algorithm is a step of the controller where it computes another one */
           (!controllers_depend(trial->design, ref) || !controllers_computed(trial->design) ||
            controllers_computed(&trial->scenario) || knob_is(ref.knob, KNOB_AO_CONTROLLER)) &&
           trial_evaluate(trial);
}

/* Sets `practical` of a step of the design. */
static void judge_step(struct trial *trial, struct advice *step)
{
    const double now = trial->now.latency;
    struct latency_range then;
    struct compare_verdict verdict;

    if (trial->now.overloaded)
        step->practical = !step->later && step->after.load <= LOWER_LOAD * trial->now.load;
    else if (!step->later && step->gain > 0 && compare_matters(now, now - step->gain) &&
             part_values_try(trial, step->ref, step->to) && trial_compare(trial, &then, &verdict))
        step->practical = verdict.decided;
}

/* Returns the change of an error, RESULT_NONE if one of both is not known. */
static double error_change(double now, double then)
{
    return now == RESULT_NONE || then == RESULT_NONE ? RESULT_NONE
           : fabs(then - now) < ERROR_SHOWN          ? 0
                                                     : then - now;
}

/* Sets the change of the wavefront error or, without a star, of the servo lag by a step; a choice
 * that lowers the former is to be recommended. */
static void find_error(const struct advise *advise, bool choice, struct advice *step)
{
    struct trial *trial = advise->trial;

    if (!try_step(trial, step->ref, step->to))
        return;
    step->error = error_change(advise->error, trial_star_total(trial));
    step->lag = error_change(advise->lag, trial->result.loop.lag);
    if (choice && step->error != RESULT_NONE && step->error <= -ERROR_LEAST * advise->error) {
        step->practical = true;
        step->later = false;
    }
}

static bool is_of_knob(const struct advice *step, const struct advice *other)
{
    return other != NULL && step->ref.knob == other->ref.knob &&
           step->ref.index == other->ref.index;
}

bool advice_gains(const struct advice *advice)
{
    return advice->practical && advice->after.fits;
}

bool advice_counts(const struct advice *advice)
{
    return fabs(advice->gain) >= ROUNDING_LEAST;
}

/* Returns true if the step of a given property lowers the latency, of an overloaded design the
 * load, by more than what prints as 0. */
static bool lowers_latency(const struct advise *advise, const struct advice *step)
{
    if (step->elasticity == RESULT_NONE || fabs(step->elasticity) < 0.005 || step->later)
        return false;
    return advise->now.overloaded ? step->after.load <= LOWER_LOAD * advise->now.load
                                  : step->gain >= SHOWN_LEAST * advise->now.latency;
}

/* Returns true if the step, or a change of the property by a tenth, gains a hundredth. */
static bool matters(const struct advise *advise, const struct advice *step)
{
    return advise->now.overloaded || fabs(step->elasticity) >= 0.1 ||
           step->gain >= 0.01 * advise->now.latency;
}

/* Returns true for the step of a knob that gains more, the first of equal ones. */
static bool is_better_of_two(const struct advice_list *given, int i)
{
    const struct advice *step = &given->at[i];

    for (int other = 0; other < given->count; other++) {
        const struct advice *back = &given->at[other];

        if (other != i && is_of_knob(step, back) &&
            (back->gain > step->gain || (back->gain == step->gain && other < i)))
            return false;
    }
    return true;
}

/* Returns true for the first of the steps of a knob, with the least error, that lowers the
 * wavefront error of a design with a star by a hundredth. */
static bool lowers_error(const struct advise *advise, const struct advice_list *given, int i)
{
    const struct advice *step = &given->at[i];

    for (int other = 0; other < i; other++)
        if (is_of_knob(step, &given->at[other]))
            return false;
    return step->error != RESULT_NONE && step->error <= -ERROR_LEAST * advise->error;
}

bool advice_helps(const struct advise *advise, const struct advice_list *given, int i)
{
    const struct advice *step = &given->at[i];

    if (lowers_error(advise, given, i))
        return true;
    return step->error <= 0 && /* or not known */
           lowers_latency(advise, step) && matters(advise, step) && is_better_of_two(given, i);
}

int advice_left_out(const struct advise *advise, enum knob_role role)
{
    const struct advice_list *given = &advise->given;
    int count = 0;

    for (int i = 0; i < given->count; i++)
        count += given->at[i].group == role && lowers_latency(advise, &given->at[i]) &&
                 !matters(advise, &given->at[i]) && is_better_of_two(given, i) &&
                 !lowers_error(advise, given, i);
    return count;
}

/* Formats the value in force for display, truncated if too long. */
static void print_from(const struct trial *trial, struct knob_ref ref, char from[STEP_FROM])
{
    char text[2304];

    knob_print_in_force(trial->design, trial->present, ref, text, sizeof text);
    snprintf(from, STEP_FROM, "%.*s", STEP_FROM - 1, text);
}

/* Returns true if two devices run the same program: processors, or accelerators of one vendor. */
static bool run_alike(const struct device *a, const struct device *b)
{
    size_t vendor = strcspn(a->model, " ");

    return a->kind == b->kind &&
           (a->kind == DEVICE_CPU ||
            (strcspn(b->model, " ") == vendor && strncmp(a->model, b->model, vendor) == 0));
}

/* Returns true if each device of a component in `changed` runs the same program as one of those
 * that it has in `design`. */
static bool keeps_code(const struct scenario *design, const struct scenario *changed, int component)
{
    for (int d = 0; d < changed->device_count; d++) {
        bool alike = (scenario_devices(changed, component) >> d & 1U) == 0;

        for (int own = 0; own < design->device_count && !alike; own++)
            alike = (scenario_devices(design, component) >> own & 1U) != 0 &&
                    run_alike(&changed->device[d], &design->device[own]);
        if (!alike)
            return false;
    }
    return true;
}

/* Returns the caveat of a step that the trial has taken. */
static const char *caveat_of_step(const struct trial *trial, struct knob_ref ref, const char *to)
{
    if (knob_is(ref.knob, KNOB_COMPONENT_DEVICE) &&
        keeps_code(trial->design, &trial->scenario, ref.index))
        return NULL;
    if (knob_is(ref.knob, KNOB_AO_CONTROLLER)) {
        const char *uncounted = controllers_uncounted(&trial->scenario);

        return uncounted != NULL || !controllers_predict(trial->design) ? uncounted
                                                                        : caveat_of(ref.knob, to);
    }
    return caveat_of(ref.knob, to);
}

/* Returns the algorithm that a step of the controller, which the trial has taken, sets too. */
static const struct algorithm *algorithm_of_step(const struct trial *trial, struct knob_ref ref)
{
    const struct algorithm *then = controllers_present(&trial->scenario);

    return knob_is(ref.knob, KNOB_AO_CONTROLLER) && then != controllers_present(trial->design)
               ? then
               : NULL;
}

/* Makes room for a step at the end of a list. */
static struct advice *append_step(struct advice_list *list)
{
    list->at = array_reserve(list->at, list->count, &list->capacity, sizeof *list->at);
    return &list->at[list->count++];
}

/* Appends a step, with what the trial, which has taken it last, comes to; returns it. */
static struct advice *add_step(const struct trial *trial, struct knob_ref ref, const char *to,
                               struct advice_list *list)
{
    const struct performance *now = &trial->now, *after = &trial->after;
    bool given = (STEPS_GIVEN >> ref.knob->role & 1U) != 0;
    struct advice *advice = append_step(list);

    *advice = (struct advice){
        .ref = ref,
        .group = ref.knob->role == ROLE_IDENTITY ? ROLE_HARDWARE : ref.knob->role,
        .caveat = caveat_of_step(trial, ref, to),
        .algorithm = algorithm_of_step(trial, ref),
        .gain = given ? now->latency - after->latency : now->counted - after->counted,
        .elasticity = RESULT_NONE,
        .error = RESULT_NONE,
        .lag = RESULT_NONE,
        .slower = after->max_frame_rate < now->max_frame_rate,
        .later = is_later(after, now),
        .after = *after};
    print_from(trial, ref, advice->from);
    snprintf(advice->to, sizeof advice->to, "%s", to);
    return advice;
}

/* Returns true if an earlier choice of the same knob, from `first` on, leads to the same: several
 * camera interfaces do, where none of them limits the readout. */
static bool repeats(const struct advice_list *list, int first, const struct performance *after)
{
    for (int i = first; i < list->count; i++)
        if (list->at[i].after.latency == after->latency && list->at[i].after.load == after->load &&
            list->at[i].after.fits == after->fits)
            return true;
    return false;
}

/* Appends the steps of one knob. */
static void add_steps(struct trial *trial, struct knob_ref ref, double elasticity,
                      struct advice_list *list)
{
    struct value_step step[VALUE_STEPS_MAX];
    int count = part_values_steps(trial->values, trial->design, trial->present, ref, step);
    const int first = list->count;

    for (int i = 0; i < count; i++) {
        struct advice *advice;

        if (!try_step(trial, ref, step[i].value) ||
            (knob_is(ref.knob, KNOB_COMPONENT_INTERFACE) && repeats(list, first, &trial->after)))
            continue;
        advice = add_step(trial, ref, step[i].value, list);
        advice->direction = step[i].direction;
        advice->elasticity = elasticity;
    }
}

/* Appends the steps of all knobs with these roles in knob order, with elasticities if `elastic`. */
static void find_steps(struct trial *trial, unsigned roles, bool elastic, struct advice_list *list)
{
    struct knob_ref ref = {.knob = NULL};

    while (trial_next_knob(trial, roles, &ref))
        add_steps(trial, ref, elastic ? sensitivity_of(trial, ref) : RESULT_NONE, list);
}

/* Returns true if `a` needs less power than `b`, or states the power of more devices. */
static bool needs_less_power(const struct performance *a, const struct performance *b)
{
    if (a->power.unstated != b->power.unstated)
        return a->power.unstated < b->power.unstated;
    return a->power.watts < b->power.watts;
}

/* Returns what a preset is judged by, to be small. */
static double preset_measure(const struct trial *trial, const struct performance *performance)
{
    return trial->now.overloaded ? performance_target_ratio(performance, trial->present->target)
                                 : performance->counted;
}

/* Returns true if the preset that the trial has taken improves the design, is sold singly and is
 * connected to its host by the same link: a search tries no others either. */
static bool is_improvement(const struct trial *trial, int device)
{
    const struct device *part = &trial->scenario.device[device];
    const struct performance *after = &trial->after;

    return strcmp(part->preset, trial->design->device[device].preset) != 0 && after->fits &&
           part->sold_in[0] == '\0' && !sweep_needs_other_host(trial->design, device, part->base) &&
           (!after->overloaded || trial->now.overloaded) &&
           preset_measure(trial, after) < preset_measure(trial, &trial->now);
}

/* Lists the presets in place of a device that improve the design, as steps. */
static void list_improvements(struct trial *trial, int device, struct advice_list *options)
{
    const struct knob_ref ref = knob_ref_to(KNOB_DEVICE_PRESET, device);
    struct catalogue *catalogue = part_values_catalogue(trial->values);

    for (int i = 0; i < catalogue_count(catalogue) && trial_goes_on(trial, 1); i++) {
        const struct preset *preset = catalogue_at(catalogue, i);

        if (preset->kind == preset_kind_of(&trial->design->device[device]) &&
            trial_set_preset(trial, catalogue, device, preset->name) && trial_evaluate(trial) &&
            is_improvement(trial, device))
            add_step(trial, ref, preset->name, options);
    }
}

/* Returns true if the design after a change needs at most the power of the one before, and states
 * that of as many devices. */
static bool adds_no_power(const struct power *before, const struct power *after)
{
    return after->unstated == before->unstated && after->watts <= before->watts;
}

/* Returns the preset with which the device gains most, or keeps up best, of those that add no power
 * if `frugal`; of presets without a practical difference the one with least power. NULL if there is
 * none. */
static const struct advice *choose_preset(const struct trial *trial,
                                          const struct advice_list *options, bool frugal)
{
    const struct advice *first = NULL, *best;
    const double latency = trial->now.latency;

    for (int i = 0; i < options->count; i++) {
        const struct performance *after = &options->at[i].after;

        if ((!frugal || adds_no_power(&trial->now.power, &after->power)) &&
            (first == NULL || preset_measure(trial, after) < preset_measure(trial, &first->after)))
            first = &options->at[i];
    }
    best = first;
    for (int i = 0; i < options->count && first != NULL; i++) {
        const struct performance *after = &options->at[i].after;

        if (!compare_matters(preset_measure(trial, &first->after), preset_measure(trial, after)) &&
            compare_matters(latency, after->latency) ==
                compare_matters(latency, first->after.latency) &&
            needs_less_power(after, &best->after))
            best = &options->at[i];
    }
    return best;
}

/* Appends, for each device that runs a component, the best preset, and the best one that adds no
 * power if that is another. */
static void find_presets(struct trial *trial, struct advice_list *list)
{
    for (int d = 0; d < trial->design->device_count && trial_goes_on(trial, 1); d++) {
        struct advice_list options = {0, 0, NULL};
        const struct advice *best, *frugal;

        if (!scenario_device_used(trial->design, d))
            continue;
        list_improvements(trial, d, &options);
        best = choose_preset(trial, &options, false);
        frugal = choose_preset(trial, &options, true);
        if (best != NULL)
            *append_step(list) = *best;
        if (frugal != NULL && frugal != best)
            *append_step(list) = *frugal;
        free(options.at);
    }
}

/* Orders equal gains by knob. */
static int compare_knob_order(const struct advice *a, const struct advice *b)
{
    int order = knob_order(a->ref, b->ref);

    return order != 0 ? order : (a->direction > b->direction) - (a->direction < b->direction);
}

static int compare_gains(const void *x, const void *y)
{
    const struct advice *a = x;
    const struct advice *b = y;

    if (a->later != b->later)
        return a->later ? 1 : -1;
    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    return compare_knob_order(a, b);
}

/* Steps whose error is not known, those of an unstable or overloaded loop, come last. */
static int compare_errors(const void *x, const void *y)
{
    const struct advice *a = x;
    const struct advice *b = y;

    if (a->later == b->later && a->error != b->error) {
        if (a->error == RESULT_NONE || b->error == RESULT_NONE)
            return a->error == RESULT_NONE ? 1 : -1;
        return a->error < b->error ? -1 : 1;
    }
    return compare_gains(x, y);
}

static int compare_loads(const void *x, const void *y)
{
    const struct advice *a = x;
    const struct advice *b = y;

    if (a->later == b->later && a->after.load != b->after.load)
        return a->after.load < b->after.load ? -1 : 1;
    return compare_gains(x, y);
}

/* Orders steps that gain the same by the power they need. */
static int compare_powers(const void *x, const void *y)
{
    const struct advice *a = x;
    const struct advice *b = y;

    if (needs_less_power(&a->after, &b->after))
        return -1;
    return needs_less_power(&b->after, &a->after) ? 1 : compare_errors(x, y);
}

/* Orders the steps to recommend, which are sorted, by power where neither their latencies nor loads
 * have a practical difference from those of the first of them. */
static void prefer_less_power(struct advice_list *list)
{
    int end;

    for (int first = 0; first < list->count; first = end) {
        const struct performance best = list->at[first].after;

        for (end = first + 1; end < list->count && advice_gains(&list->at[first]); end++)
            if (!advice_gains(&list->at[end]) ||
                compare_matters(best.counted, list->at[end].after.counted) ||
                compare_matters(best.load, list->at[end].after.load))
                break;
        qsort(&list->at[first], (size_t)(end - first), sizeof *list->at, compare_powers);
    }
}

static int compare_cliffs(const void *x, const void *y)
{
    const struct advised_cliff *a = x;
    const struct advised_cliff *b = y;
    double of_a = fabs(log(a->cliff.after / a->cliff.before));
    double of_b = fabs(log(b->cliff.after / b->cliff.before));

    return of_a != of_b ? (of_a < of_b ? 1 : -1) : knob_order(a->ref, b->ref);
}

static void find_cliffs(struct advise *advise, double high)
{
    struct knob_ref ref = {.knob = NULL};
    struct cliff cliff;

    advise->cliff_count = 0;
    while (trial_next_knob(advise->trial, TRIAL_ROLES, &ref)) {
        if (!cliff_near(advise->trial, ref, ref.section == SECTION_SCENARIO ? high : RESULT_NONE,
                        &cliff))
            continue;
        advise->cliff = array_reserve(advise->cliff, advise->cliff_count, &advise->cliff_capacity,
                                      sizeof *advise->cliff);
        advise->cliff[advise->cliff_count++] = (struct advised_cliff){ref, cliff};
    }
    array_sort(advise->cliff, advise->cliff_count, sizeof *advise->cliff, compare_cliffs);
}

/* Finds the steps of choices; with `rest` those of properties, the cliffs and elasticities, too. */
static void find_kinds(struct advise *advise, bool rest)
{
    const struct {
        unsigned roles;
        struct advice_list *list;
        int (*compare)(const void *x, const void *y);
    } parts[] = {
        {STEPS_CHOICES, &advise->choices, advise->now.overloaded ? compare_loads : compare_gains},
        {STEPS_GIVEN, &advise->given, compare_gains}};
    struct trial *trial = advise->trial;

    trial_reset(trial);
    if (trial_evaluate(trial))
        advise->error = trial_star_total(trial);
    advise->lag = rest && advise->error == RESULT_NONE ? trial->result.loop.lag : RESULT_NONE;
    trial->width = 0.25;
    for (int p = 0; p < 1 + rest; p++) {
        const bool choices = parts[p].roles == STEPS_CHOICES;
        const bool star = advise->error != RESULT_NONE;
        struct advice_list *list = parts[p].list;

        find_steps(trial, parts[p].roles, rest, list);
        if (choices)
            find_presets(trial, list);
        trial->from += trial->width;
        for (int i = 0; i < list->count && trial_goes_on(trial, (double)i / list->count); i++) {
            judge_step(trial, &list->at[i]);
            if (star || advise->lag != RESULT_NONE)
                find_error(advise, choices, &list->at[i]);
        }
        trial->from += trial->width;
        array_sort(list->at, list->count, sizeof *list->at,
                   star ? compare_errors : parts[p].compare);
    }
    prefer_less_power(&advise->choices);
    trial->width = 0;
    if (rest && trial_present_range(trial) != NULL)
        find_cliffs(advise, trial_present_range(trial)->high);
}

/* Steps to name first -------------------------------------------------------------------------- */

void advice_model(const char *model, char name[ADVICE_NAME])
{
    static const char digits[] = "0123456789", blank[] = " ";
    /* of the presets of the program; a name of somebody's own may begin with any word */
    static const char *const vendors[] = {"AMD",      "AWS",     "Ampere", "Apple", "Broadcom",
                                          "ESO",      "Fujitsu", "Intel",  "NEC",   "NVIDIA",
                                          "Microgate"};
    const char *word = model;
    bool known = false;

    for (size_t v = 0; v < sizeof vendors / sizeof vendors[0]; v++)
        known = known || (strncmp(model, vendors[v], strlen(vendors[v])) == 0 &&
                          model[strlen(vendors[v])] == ' ');
    for (int w = 0; w < 2 && known; w++) {
        const char *next = word + strcspn(word, blank);
        size_t length;

        next += strspn(next, blank);
        length = strcspn(next, blank);
        if (length == 0 || strcspn(word, digits) < strcspn(word, blank))
            break;
        /* after the vendor, only a family before a word like "MI355X" */
        if (next[0] == '(')
            break;
        if (w > 0 && (strchr(digits, next[0]) != NULL || strcspn(next, digits) >= length))
            break;
        word = next;
    }
    snprintf(name, ADVICE_NAME, "%.*s", (int)strcspn(word, "("), word);
    for (size_t end = strlen(name); end > 0 && name[end - 1] == ' ';)
        name[--end] = '\0';
}

/* Returns true if another model differs only in what follows the first of the `ends`. */
static bool has_namesake(struct catalogue *catalogue, const char *model, const char *ends)
{
    size_t length = strcspn(model, ends);

    for (int i = 0; model[length] != '\0' && i < catalogue_count(catalogue); i++) {
        const char *other = catalogue_title(catalogue, i);

        if (strncmp(other, model, length + 1) == 0 && strcmp(other, model) != 0)
            return true;
    }
    return false;
}

/* Writes what advice_preset does, without the mark. */
static void print_part(struct catalogue *catalogue, const char *preset, char name[ADVICE_NAME])
{
    const struct device *part;

    if (preset[0] == '\0' || catalogue_device(catalogue, preset, &part, NULL) != STATUS_OK ||
        part->model[0] == '\0') {
        snprintf(name, ADVICE_NAME, "%.100s", preset);
        return;
    }
    advice_model(part->model, name);
    if (has_namesake(catalogue, part->model, "(")) {
        const char *variant = strchr(part->model, '(');
        size_t length = strcspn(variant, has_namesake(catalogue, part->model, ",") ? ")" : ",)");
        size_t end = strlen(name);

        snprintf(name + end, ADVICE_NAME - end, " %.*s)", (int)length, variant);
    }
}

void advice_part(const struct advise *advise, const char *preset, char name[ADVICE_NAME])
{
    advice_preset(part_values_catalogue(advise->values), preset, name);
}

void advice_preset(struct catalogue *catalogue, const char *preset, char name[ADVICE_NAME])
{
    char part[ADVICE_NAME];

    print_part(catalogue, preset, part);
    snprintf(name, ADVICE_NAME, "%.*s%s", ADVICE_NAME - PRESET_MARK_MAX, part,
             preset[0] == '\0'
                 ? ""
                 : preset_mark(catalogue_find(catalogue, preset, PRESET_DEVICES, NULL)));
}

/* Returns true if the design has another device or component with the knob. */
static bool is_ambiguous(const struct scenario *design, struct knob_ref ref)
{
    struct knob_ref other = {.knob = NULL};

    while (knob_next(design, &other))
        if (other.section == ref.section && other.index != ref.index &&
            strcmp(other.knob->key, ref.knob->key) == 0 && !knob_idle(design, other))
            return true;
    return false;
}

/* Returns true if another device of the kind runs a component. */
static bool has_peer(const struct scenario *design, int device)
{
    for (int d = 0; d < design->device_count; d++)
        if (d != device &&
            preset_kind_of(&design->device[d]) == preset_kind_of(&design->device[device]) &&
            scenario_device_used(design, d))
            return true;
    return false;
}

/* Phrases for steps: "$" is the value, "@" the section, whose name else follows where several have
 * the knob. Without a phrase a step has the label of its knob and the value, a number also that in
 * force. */
/* clang-format off */
static const struct step_phrase {
    enum knob_id knob;
    const char *value; /* NULL: any */
    const char *text;
} step_phrases[] = {
    {KNOB_SCENARIO_PACKETS, NULL, "$ packets"},
    {KNOB_SCENARIO_SHARING, "partition", "divided devices"},
    {KNOB_SCENARIO_SHARING, NULL, "$ sharing of devices"},
    {KNOB_WFS_COUNT, NULL, "$ sensors @"},
    {KNOB_DEVICE_COUNT, NULL, "$ \xC3\x97 @"},
    {KNOB_DEVICE_SOCKETS, NULL, "$ sockets"},
    {KNOB_DEVICE_CORES, NULL, "$ cores"},
    {KNOB_DEVICE_FMA_PIPES, NULL, "$ vector pipes"},
    {KNOB_DEVICE_MEMORY_CHANNELS, NULL, "$ memory channels"},
    {KNOB_DEVICE_UNITS, NULL, "$ fp32 units"},
    {KNOB_DEVICE_NIC, NULL, "$ network port"},
    {KNOB_DEVICE_NICS, NULL, "$ network ports"},
    {KNOB_DEVICE_PCIE_GEN, NULL, "PCIe $"},
    {KNOB_DEVICE_PCIE_LANES, NULL, "$ PCIe lanes"},
    {KNOB_DEVICE_HOST_LINK, NULL, "host link $"},
    {KNOB_DEVICE_COPY, "memcpy", "copies by memcpy"},
    {KNOB_DEVICE_COPY, "rdma", "copies by RDMA"},
    {KNOB_DEVICE_COPY, NULL, "$ copies"},
    {KNOB_DEVICE_DISPATCH_GPU, "stream", "kernels in streams"},
    {KNOB_DEVICE_DISPATCH_GPU, "graph", "kernels in a graph"},
    {KNOB_DEVICE_DISPATCH_GPU, "persistent", "persistent kernels"},
    {KNOB_DEVICE_DISPATCH_GPU, "spin", "spinning threads"},
    {KNOB_DEVICE_DISPATCH_GPU, "wake", "sleeping threads"},
    {KNOB_DEVICE_DISPATCH_GPU, "process", "processes"},
    {KNOB_DEVICE_LEGACY, "no", "newer code"},
    {KNOB_DEVICE_INGRESS, "bypass", "kernel-bypass ingress"},
    {KNOB_DEVICE_INGRESS, NULL, "$ ingress"},
    {KNOB_DEVICE_EGRESS, "bypass", "kernel-bypass egress"},
    {KNOB_DEVICE_EGRESS, NULL, "$ egress"},
    {KNOB_COMPONENT_ALGORITHM, NULL, "@ by $"},
    {KNOB_COMPONENT_DEVICE, NULL, "@ on $"},
    {KNOB_COMPONENT_LINK_DM, "pcie", "@ by PCIe"},
    {KNOB_COMPONENT_LINK_DM, NULL, "@ by $"},
    {KNOB_COMPONENT_INTERFACE, NULL, "@ by $"},
    {KNOB_COMPONENT_WORKERS, NULL, "@ on $ cores"},
    {KNOB_COMPONENT_BARRIER, NULL, "@ per $"},
    {KNOB_COMPONENT_NORMALISATION, NULL, "$ normalisation"},
    {KNOB_COMPONENT_SPLIT, NULL, "@ split by $"},
};
/* clang-format on */

static const char *find_phrase(const struct advice *advice)
{
    for (size_t i = 0; i < sizeof step_phrases / sizeof step_phrases[0]; i++) {
        const struct step_phrase *phrase = &step_phrases[i];

        if (knob_is(advice->ref.knob, phrase->knob) &&
            (phrase->value == NULL || strcmp(phrase->value, advice->to) == 0))
            return phrase->text;
    }
    return NULL;
}

/* Writes a phrase; of one thing without the plural. */
static void print_phrase(const char *phrase, const char *value, const char *section,
                         struct buffer *text)
{
    for (; *phrase != '\0'; phrase++)
        if (*phrase == '$')
            buffer_text(text, value);
        else if (*phrase == '@')
            buffer_text(text, section);
        else if (strcmp(value, "1") != 0 || *phrase != 's' ||
                 (phrase[1] != '\0' && phrase[1] != ' '))
            buffer_print(text, "%c", *phrase);
}

/* Writes "clock 1410 -> 1665 MHz", with an arrow: the number in force and that of the step. */
static void print_numbers(const struct advice *advice, struct buffer *text)
{
    const char *unit = strrchr(advice->to, ' ');
    size_t length = strlen(advice->from);

    if (unit != NULL && length > strlen(unit) &&
        strcmp(advice->from + length - strlen(unit), unit) == 0)
        length -= strlen(unit);
    buffer_print(text, "%s %.*s \xE2\x86\x92 %s", advice->ref.knob->label, (int)length,
                 advice->from, advice->to);
}

void advice_name(const struct advise *advise, const struct advice *advice, char name[ADVICE_NAME])
{
    const struct scenario *design = advise->design;
    const struct knob *knob = advice->ref.knob;
    const char *section = section_head_const(design, advice->ref.section, advice->ref.index)->name;
    const char *phrase = find_phrase(advice);
    struct buffer text = buffer_over(name, ADVICE_NAME);

    if (knob->type == KNOB_PRESET) {
        char part[ADVICE_NAME];

        print_part(part_values_catalogue(advise->values), advice->to, part);
        snprintf(name, ADVICE_NAME, "%.90s%s%.30s", part,
                 has_peer(design, advice->ref.index) ? " as " : "",
                 has_peer(design, advice->ref.index) ? section : "");
        return;
    }
    if (knob_is(knob, KNOB_COMPONENT_PRECISION))
        buffer_text(&text, advice->to);
    else if (phrase != NULL)
        print_phrase(phrase, advice->to, section, &text);
    else if (knob_is_number(knob))
        print_numbers(advice, &text);
    else
        buffer_print(&text, "%s %s", knob->label, advice->to);
    if ((phrase == NULL || strchr(phrase, '@') == NULL) && is_ambiguous(design, advice->ref))
        buffer_print(&text, " of %s", section);
}

/* Returns true for fluid sharing: that all stages run at once is an assumption about the software
 * rather than a setting of it. */
static bool is_assumed(const struct advice *step)
{
    return knob_is(step->ref.knob, KNOB_SCENARIO_SHARING) &&
           strcmp(step->to, step->ref.knob->choices[SHARING_FLUID]) == 0;
}

/* Returns true for a step of hardware that is known to add no power. That of a part with another
 * clock or bus width, which nobody sells, is not known. */
static bool is_frugal(const struct advise *advise, const struct advice *step)
{
    const struct power *before = &advise->now.power, *after = &step->after.power;

    return step->group == ROLE_HARDWARE && adds_no_power(before, after) &&
           (step->ref.knob->type == KNOB_PRESET || after->watts < before->watts);
}

/* Returns true for a step of software that costs nothing, not even correction, beside the best one
 * by gain, which has a caveat, if it gains a good part of that. */
static bool is_free(const struct advice *step, const struct advice *best)
{
    return best->caveat != NULL && best->gain > 0 && step->caveat == NULL && !is_assumed(step) &&
           step->gain >= NEXT_PART * best->gain;
}

void advise_next(const struct advise *advise, struct advise_next *next)
{
    const struct advice *frugal = NULL;
    int found = 0;

    *next = (struct advise_next){.software = NULL};
    for (int i = 0; i < advise->choices.count; i++) {
        const struct advice *step = &advise->choices.at[i];

        if (!advice_gains(step))
            continue;
        if (step->group == ROLE_SOFTWARE &&
            (next->software == NULL || (is_assumed(next->software) && !is_assumed(step)) ||
             (!advise->now.overloaded && is_free(step, next->software))))
            next->software = step;
        if (step->group == ROLE_HARDWARE && found < NEXT_HARDWARE &&
            !is_of_knob(step, next->hardware[0]))
            next->hardware[found++] = step;
        if (frugal == NULL && is_frugal(advise, step))
            frugal = step;
    }
    if (frugal != NULL && frugal != next->hardware[0])
        next->hardware[1] = frugal;
}

/* Target --------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned roles;
} sources[TARGET_SOURCES] = {
    [TARGET_SOFTWARE] = {.name = "software", .roles = STEPS_SOFTWARE},
    [TARGET_HARDWARE] = {.name = "hardware", .roles = STEPS_HARDWARE},
    [TARGET_CHOICES] = {.name = "hardware and software", .roles = STEPS_CHOICES},
};

const char *target_source_name(enum target_source from)
{
    return sources[from].name;
}

/* Adds the knob that was tried last if it meets the target without a slower camera; returns true if
 * so. */
static bool add_if_met(const struct trial *trial, struct target_knob knob,
                       struct meet_target *target)
{
    if (!trial->after.met || is_later(&trial->after, &trial->now) ||
        performance_target_ratio(&trial->after, trial->present->target) > 1)
        return false;
    knob.after = trial->after;
    knob.caveat = caveat_of_step(trial, knob.ref, knob.to);
    print_from(trial, knob.ref, knob.from);
    target->knob =
        array_reserve(target->knob, target->count, &target->capacity, sizeof *target->knob);
    target->knob[target->count++] = knob;
    return true;
}

/* Moves a number in one direction until the target is met. */
static void move_number(struct trial *trial, struct knob_ref ref, int direction,
                        struct meet_target *target)
{
    double value = knob_number_in_force(trial->design, trial->present, ref);
    struct target_knob knob = {.ref = ref, .direction = direction};
    bool met = false;

    while (value != RESULT_NONE && !met && knob.steps < TARGET_VALUES_MAX &&
           part_values_next(trial->values, trial->design, ref, value, direction, &value)) {
        knob.steps++;
        quantity_format(value, ref.knob->unit, knob.to, sizeof knob.to);
        met = trial_set_number(trial, ref, value) && trial_evaluate(trial) &&
              add_if_met(trial, knob, target);
    }
}

static void try_choices(struct trial *trial, struct knob_ref ref, struct meet_target *target)
{
    struct value_step step[VALUE_STEPS_MAX];
    int count = part_values_steps(trial->values, trial->design, trial->present, ref, step);

    for (int i = 0; i < count; i++) {
        struct target_knob knob = {.ref = ref, .steps = 1};

        snprintf(knob.to, sizeof knob.to, "%s", step[i].value);
        if (try_step(trial, ref, knob.to))
            add_if_met(trial, knob, target);
    }
}

static int compare_target_knobs(const void *x, const void *y)
{
    const struct target_knob *a = x;
    const struct target_knob *b = y;
    int order = knob_order(a->ref, b->ref);

    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    if (a->after.counted != b->after.counted)
        return a->after.counted < b->after.counted ? -1 : 1;
    return order != 0 ? order : strcmp(a->to, b->to);
}

/* Finds how far each knob alone must move. */
static void find_target_knobs(struct trial *trial, struct meet_target *target)
{
    struct knob_ref ref = {.knob = NULL};

    while (trial_next_knob(trial, TRIAL_ROLES, &ref)) {
        if (!knob_is_selectable(ref.knob))
            continue;
        if (knob_is_number(ref.knob)) {
            move_number(trial, ref, -1, target);
            move_number(trial, ref, 1, target);
        } else {
            try_choices(trial, ref, target);
        }
    }
    array_sort(target->knob, target->count, sizeof *target->knob, compare_target_knobs);
}

/* Adds the step with the least target ratio, if a step helps, and applies it to `changed`, the
 * design of the trial. */
static void add_target_step(struct trial *trial, struct scenario *changed, unsigned roles,
                            struct target_sequence *sequence)
{
    double target = trial->present->target;
    double least = performance_target_ratio(&sequence->after, target) * (1 - TARGET_LEAST_GAIN);
    struct advice *best = NULL;
    struct advice_list list = {0, 0, NULL};

    find_steps(trial, roles, false, &list);
    for (int i = 0; i < list.count && !trial->stopped; i++) {
        double after = performance_target_ratio(&list.at[i].after, target);

        if (!list.at[i].later && after < least) {
            best = &list.at[i];
            least = after;
        }
    }
    sequence->exhausted = best == NULL && !trial->stopped;
    if (best != NULL) {
        judge_step(trial, best);
        sequence->step[sequence->count++] = *best;
        knob_set_text(changed, best->ref, best->to, NULL);
        if (trial_start(trial, NULL))
            sequence->after = trial->now;
    }
    free(list.at);
}

/* `from` is the fraction of progress done before. */
static void find_sequence(struct trial *trial, unsigned roles, double from,
                          struct target_sequence *sequence)
{
    struct scenario *changed = allocate(sizeof *changed);
    struct trial *next;

    scenario_copy(changed, trial->design);
    next = trial_new(changed, trial->progress);
    next->values = trial->values;
    next->width = 0;
    trial_start(next, NULL);
    sequence->after = next->now;
    while (!next->stopped && !sequence->after.met && !sequence->exhausted &&
           sequence->count < TARGET_STEPS_MAX) {
        next->from = from + (double)sequence->count / TARGET_STEPS_MAX / (1 + TARGET_SOURCES);
        add_target_step(next, changed, roles, sequence);
    }
    sequence->gain = trial->now.latency - sequence->after.counted;
    trial->stopped = next->stopped;
    trial_free(next);
    free(changed);
}

static void find_target(struct advise *advise)
{
    struct meet_target *target = &advise->target;
    struct trial *trial = advise->trial;

    free(target->knob);
    *target = (struct meet_target){.met = advise->now.met};
    if (target->met)
        return;
    trial->width = 0;
    find_target_knobs(trial, target);
    for (int from = 0; from < TARGET_SOURCES && !trial->stopped; from++)
        find_sequence(trial, sources[from].roles, (1.0 + from) / (1 + TARGET_SOURCES),
                      &target->sequence[from]);
}

/* Packets -------------------------------------------------------------------------------------- */

/* Numbers of packets that do not overload the design, in the order in which they are tried as an
 * answer. */
struct packet_search {
    struct trial *trial;
    int count;
    struct packet_number {
        int packets;
        double latency;
    } number[PACKETS_MAX];
    double limit;             /* s, of the upper end of the range; RESULT_NONE: none */
    struct range_group worst; /* exceeded the limit last */
};

/* Finds the range of a number of packets. */
static bool find_packet_range(struct trial *trial, struct packet_count *count,
                              struct latency_range *range)
{
    trial->scenario.general.packets = count->packets;
    if (!trial_find_range(trial, DERIVED_RANGE, range))
        return false;
    count->after = trial->after;
    count->gain = trial->after.overloaded ? 0 : trial->now.counted - trial->after.counted;
    count->low = range->low;
    count->high = range->high;
    return true;
}

static bool exceeds(double high, double limit)
{
    return high == RESULT_NONE || (limit != RESULT_NONE && high > limit);
}

/* Returns true if the upper end of a number of packets does not exceed the limit. The group that
 * exceeded it last is tried first, alone: it mostly does so again. */
static bool is_permitted(struct packet_search *search, struct packet_count *count)
{
    struct trial *trial = search->trial;
    struct range_group *worst = &search->worst;
    struct latency_range range;

    trial->scenario.general.packets = count->packets;
    if (worst->factor > 0 &&
        (!trial_evaluate(trial) || !trial_find_high(trial, worst) || worst->overloads ||
         exceeds(trial->after.latency * exp(worst->high), search->limit)))
        return false;
    if (!find_packet_range(trial, count, &range))
        return false;
    if (!exceeds(count->high, search->limit))
        return true;
    if (range.count > 0)
        *worst = range.group[0];
    return false;
}

/* Sets `found` to the first number with at most this latency and a permitted upper end. */
static void find_packets(struct packet_search *search, double most, struct packet_count *found)
{
    for (int i = 0; i < search->count && !search->trial->stopped; i++) {
        struct packet_count count = {.packets = search->number[i].packets};

        if (search->number[i].latency <= most && is_permitted(search, &count)) {
            *found = count;
            return;
        }
    }
}

static int compare_packets(const void *x, const void *y)
{
    return ((const struct packet_number *)x)->packets - ((const struct packet_number *)y)->packets;
}

static int compare_packet_latencies(const void *x, const void *y)
{
    double a = ((const struct packet_number *)x)->latency;
    double b = ((const struct packet_number *)y)->latency;

    return a != b ? (a > b) - (a < b) : compare_packets(x, y);
}

/* Chooses among the numbers that were tried. */
static void choose_packets(struct packet_search *search, struct packets *packets)
{
    struct trial *trial = search->trial;
    struct latency_range range;

    packets->now.packets = packets->present;
    if (!find_packet_range(trial, &packets->now, &range))
        return;
    if (search->count == 0)
        return;
    array_sort(search->number, search->count, sizeof *search->number, compare_packet_latencies);
    search->limit =
        packets->now.high == RESULT_NONE ? RESULT_NONE : PACKETS_HIGH * packets->now.high;
    packets->lowest.packets = search->number[0].packets;
    find_packet_range(trial, &packets->lowest, &range);
    packets->best = packets->lowest;
    find_packets(search, INFINITY, &packets->best);
    packets->fewest = packets->best;
    array_sort(search->number, search->count, sizeof *search->number, compare_packets);
    find_packets(search, PACKETS_NEAR * packets->best.after.counted, &packets->fewest);
}

static void try_all_packets(struct trial *trial, struct packets *packets)
{
    struct packet_search *search = allocate_array(1, sizeof *search);
    int keeps_up; /* the largest number so far with a load of at most 1 */
    int done = 0;

    *packets = (struct packets){.present = (int)trial->design->general.packets};
    search->trial = trial;
    trial_reset(trial);
    keeps_up = packets->present;
    for (int p = 1; p <= PACKETS_MAX && p <= PACKETS_BEYOND * keeps_up && !trial->stopped;
         p += p < PACKETS_DENSE ? 1 : p / PACKETS_SPARSE) {
        bool valid;

        trial->scenario.general.packets = p;
        valid = trial_evaluate(trial);
        if (valid && !trial->after.overloaded)
            search->number[search->count++] = (struct packet_number){p, trial->after.counted};
        if ((!valid || trial->after.load <= 1) && p > keeps_up)
            keeps_up = p;
        if (++done % PROGRESS_INTERVAL == 0)
            trial_goes_on(trial, (double)p / PACKETS_MAX);
    }
    if (!trial->stopped)
        choose_packets(search, packets);
    free(search);
}

/* All parts ------------------------------------------------------------------------------------ */

const char *const advise_part_names[ADVISE_PARTS] = {
    [ADVISE_RANGE] = "the range",
    [ADVISE_STEPS] = "the steps",
    [ADVISE_TARGET] = "what meets the target",
    [ADVISE_SHARES] = "the shares",
    [ADVISE_PACKETS] = "the packets",
};

enum status advise_new(struct advise **advise, const struct scenario *scenario,
                       const struct part_values *values, const struct progress *progress,
                       struct error *error)
{
    struct advise *made = allocate_array(1, sizeof *made);
    enum status status;

    *advise = NULL;
    made->design = scenario;
    made->values = values;
    made->error = made->lag = RESULT_NONE;
    made->trial = trial_new(scenario, progress);
    made->trial->values = values;
    if (!trial_start(made->trial, NULL)) {
        status = trial_problem(made->trial, error);
        advise_free(made);
        return status;
    }
    made->now = made->trial->now;
    trial_watch(made->trial, NULL);
    *advise = made;
    return STATUS_OK;
}

void advise_free(struct advise *advise)
{
    if (advise == NULL)
        return;
    free(advise->choices.at);
    free(advise->given.at);
    free(advise->cliff);
    free(advise->target.knob);
    trial_free(advise->trial);
    free(advise);
}

static void find_shares(struct advise *advise)
{
    struct trial *trial = advise->trial;
    int devices = trial->design->device_count;

    trial->width = 1.0 / (devices + 1);
    for (int d = 0; d <= devices && !trial->stopped; d++) {
        struct share_split *split = &advise->split[advise->split_count];

        trial->from = d * trial->width;
        shares_best(trial, d < devices ? d : -1, split);
        advise->split_count += split->count > 0;
    }
}

#define MEASURES_SHOWN 2
#define MEASURE_GAINS 0.95 /* of the width of the range, to be shown */

int advise_measures(const struct advise *advise)
{
    int count = 0;

    while (count < advise->measure_count && count < MEASURES_SHOWN &&
           advise->measure[count].after < MEASURE_GAINS * advise->sigma)
        count++;
    return count;
}

static void find_part(struct advise *advise, enum advise_part part)
{
    struct trial *trial = advise->trial;

    switch (part) {
    case ADVISE_RANGE:
        trial->stopped = range_find(advise->design, &trial->result, NULL, trial->progress,
                                    &advise->range, NULL) == STATUS_STOPPED;
        if (!trial->stopped && advise->range.count > 0)
            trial->stopped = calibrate_next(advise->design, &trial->result, trial->progress,
                                            advise->measure, &advise->measure_count,
                                            &advise->sigma, NULL) == STATUS_STOPPED;
        break;
    case ADVISE_STEPS:
        find_kinds(advise, true);
        break;
    case ADVISE_TARGET:
        find_target(advise);
        break;
    case ADVISE_SHARES:
        find_shares(advise);
        break;
    case ADVISE_PACKETS:
        try_all_packets(trial, &advise->packets);
        break;
    case ADVISE_NEXT:
        find_kinds(advise, false);
        break;
    case ADVISE_PARTS:
        break;
    }
}

enum status advise_find(struct advise *advise, enum advise_part part,
                        const struct progress *progress, struct error *error)
{
    enum status status;

    trial_watch(advise->trial, progress);
    advise->trial->from = 0;
    advise->trial->width = 1;
    find_part(advise, part);
    status = trial_status(advise->trial, error);
    trial_watch(advise->trial, NULL);
    return status;
}
