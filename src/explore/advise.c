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
#include "explore/rank.h"
#include "explore/sensitivity.h"
#include "explore/sweep.h"
#include "model/derived.h"
#include "model/evaluate.h"
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

static bool try_knob_text(const struct step_search *search, struct knob_ref ref, const char *value,
                          struct performance *after)
{
    scenario_copy(&search->candidate->scenario, search->design);
    return part_values_set(search->values, &search->candidate->scenario, ref, value, NULL) ==
               STATUS_OK &&
           /* another algorithm is a step of the controller where it computes another one */
           (!controllers_depend(search->design, ref) || !controllers_computed(search->design) ||
            controllers_computed(&search->candidate->scenario) ||
            knob_is(ref.knob, KNOB_AO_CONTROLLER)) &&
           candidate_evaluate(search->candidate, after);
}

/* Sets `practical` of a step of the design, whose range is `now`. */
static enum status judge_step(const struct step_search *search, const struct latency_range *now,
                              struct advice *step, struct error *error)
{
    struct candidate *candidate = search->candidate;
    struct latency_range then;
    const struct compare_side side[SIDES] = {{search->design, search->result, now},
                                             {&candidate->scenario, &candidate->result, &then}};
    struct compare_verdict verdict;
    enum status status;

    if (search->result->overloaded) {
        step->practical = !step->later && step->after.load <= LOWER_LOAD * search->result->load;
        return STATUS_OK;
    }
    if (step->later || step->gain <= 0 ||
        !compare_matters(search->result->latency, search->result->latency - step->gain))
        return STATUS_OK;
    scenario_copy(&candidate->scenario, search->design);
    status = part_values_set(search->values, &candidate->scenario, step->ref, step->to, error);
    if (status == STATUS_OK)
        status = range_find(&candidate->scenario, &candidate->result, NULL, NULL, &then, error);
    if (status != STATUS_OK)
        return status;
    compare_latencies(side, &verdict);
    step->practical = verdict.decided;
    return STATUS_OK;
}

/* Sets `practical` of all steps of the design, whose range is `now`. */
static enum status judge_steps(const struct step_search *search, const struct latency_range *now,
                               struct advice_list *list, struct error *error)
{
    enum status status = STATUS_OK;

    for (int i = 0; i < list->count && status == STATUS_OK; i++) {
        status = progress_check(search->progress, (double)i / list->count, error);
        if (status == STATUS_OK)
            status = judge_step(search, now, &list->at[i], error);
    }
    return status;
}

/* Sets the change of the wavefront error of the steps of a list; choices that lower it are to be
 * recommended. */
static enum status find_errors(const struct step_search *search, double now, bool choices,
                               struct advice_list *list, struct error *error)
{
    struct candidate *candidate = search->candidate;
    struct performance after;

    for (int i = 0; i < list->count; i++) {
        struct advice *step = &list->at[i];
        double then;

        if (progress_check(search->progress, (double)i / list->count, error) != STATUS_OK)
            return STATUS_STOPPED;
        if (!try_knob_text(search, step->ref, step->to, &after))
            continue;
        then = derived_star_total(&candidate->scenario, &candidate->result);
        if (then != RESULT_NONE)
            step->error = fabs(then - now) < ERROR_SHOWN ? 0 : then - now;
        if (choices && then != RESULT_NONE && then - now <= -ERROR_LEAST * now) {
            step->practical = true;
            step->later = false;
        }
    }
    return STATUS_OK;
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
static void print_from(const struct step_search *search, struct knob_ref ref, char from[STEP_FROM])
{
    char text[2304];

    knob_print_in_force(search->design, search->result, ref, text, sizeof text);
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

/* Returns the caveat of a step that the candidate has taken. */
static const char *caveat_of_step(const struct step_search *search, struct knob_ref ref,
                                  const char *to)
{
    if (knob_is(ref.knob, KNOB_COMPONENT_DEVICE) &&
        keeps_code(search->design, &search->candidate->scenario, ref.index))
        return NULL;
    if (knob_is(ref.knob, KNOB_AO_CONTROLLER)) {
        const char *uncounted = controllers_uncounted(&search->candidate->scenario);

        return uncounted != NULL || !controllers_predict(search->design) ? uncounted
                                                                         : caveat_of(ref.knob, to);
    }
    return caveat_of(ref.knob, to);
}

/* Returns the algorithm that a step of the controller, which the candidate has taken, sets too. */
static const struct algorithm *algorithm_of_step(const struct step_search *search,
                                                 struct knob_ref ref)
{
    const struct algorithm *then = controllers_present(&search->candidate->scenario);

    return knob_is(ref.knob, KNOB_AO_CONTROLLER) && then != controllers_present(search->design)
               ? then
               : NULL;
}

/* Appends a step that leads to `after`, which the candidate has taken last; returns it. */
static struct advice *add_step(const struct step_search *search, struct knob_ref ref,
                               const char *to, const struct performance *after,
                               struct advice_list *list)
{
    bool given = (STEPS_GIVEN >> ref.knob->role & 1U) != 0;
    struct advice *advice;
    struct performance now;

    performance_of(search->design, search->result, search->candidate->clock, &now);
    list->at = array_reserve(list->at, list->count, &list->capacity, sizeof *list->at);
    advice = &list->at[list->count++];
    *advice =
        (struct advice){.ref = ref,
                        .group = ref.knob->role == ROLE_IDENTITY ? ROLE_HARDWARE : ref.knob->role,
                        .caveat = caveat_of_step(search, ref, to),
                        .algorithm = algorithm_of_step(search, ref),
                        .gain = given ? now.latency - after->latency : now.counted - after->counted,
                        .elasticity = RESULT_NONE,
                        .error = RESULT_NONE,
                        .slower = after->max_frame_rate < now.max_frame_rate,
                        .later = is_later(after, &now),
                        .after = *after};
    print_from(search, ref, advice->from);
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
static void add_steps(const struct step_search *search, struct knob_ref ref, double elasticity,
                      struct advice_list *list)
{
    struct value_step step[VALUE_STEPS_MAX];
    int count = part_values_steps(search->values, search->design, search->result, ref, step);
    const int first = list->count;
    struct performance after;

    for (int i = 0; i < count; i++) {
        struct advice *advice;

        if (!try_knob_text(search, ref, step[i].value, &after) ||
            (knob_is(ref.knob, KNOB_COMPONENT_INTERFACE) && repeats(list, first, &after)))
            continue;
        advice = add_step(search, ref, step[i].value, &after, list);
        advice->direction = step[i].direction;
        advice->elasticity = elasticity;
    }
}

/* Appends the steps of all knobs with these roles in knob order, with elasticities if `elastic`.
 * Returns STATUS_STOPPED; the list then contains the steps found so far. */
static enum status find_steps(const struct step_search *search, unsigned roles, bool elastic,
                              struct advice_list *list, struct error *error)
{
    struct knob_ref ref = {.knob = NULL};
    int all = 0;
    int done = 0;

    while (knob_next(search->design, &ref))
        all++;
    ref.knob = NULL;
    while (knob_next(search->design, &ref)) {
        if (progress_check(search->progress, (double)done++ / all, error) != STATUS_OK)
            return STATUS_STOPPED;
        if ((roles >> ref.knob->role & 1U) != 0 && !knob_idle(search->design, ref))
            add_steps(search, ref,
                      elastic
                          ? sensitivity_of(search->candidate, search->design, search->result, ref)
                          : RESULT_NONE,
                      list);
    }
    return STATUS_OK;
}

/* A preset in place of a device's. */
struct preset_option {
    const char *name;
    struct performance after;
};

/* The presets that improve the design. */
struct preset_options {
    const struct step_search *search;
    struct axis presets;
    int count;
    struct preset_option *at;
};

/* Returns true if `a` needs less power than `b`, or states the power of more devices. */
static bool needs_less_power(const struct performance *a, const struct performance *b)
{
    if (a->power.unstated != b->power.unstated)
        return a->power.unstated < b->power.unstated;
    return a->power.watts < b->power.watts;
}

/* Returns what a preset is judged by, to be small. */
static double preset_measure(const struct step_search *search, const struct performance *after)
{
    return search->result->overloaded ? performance_target_ratio(after, search->result->target)
                                      : after->counted;
}

/* Adds the preset of a design that it improves, if that part is sold singly and the same link
 * connects it to its host: a search tries no others either. */
static void add_option(void *context, const struct sweep_row *row, const struct scenario *scenario,
                       const struct result *result)
{
    struct preset_options *options = context;
    const struct step_search *search = options->search;
    int device = options->presets.ref.index;
    struct preset_option option = {.name = options->presets.word[row->number]};
    struct performance now;

    if (row->error.status != STATUS_OK)
        return;
    performance_of(search->design, search->result, search->candidate->clock, &now);
    performance_of(scenario, result, search->candidate->clock, &option.after);
    option.after.power = scenario_power(scenario);
    option.after.price = scenario_price(scenario);
    if (strcmp(option.name, search->design->device[device].preset) == 0 || !option.after.fits ||
        scenario->device[device].sold_in[0] != '\0' ||
        sweep_needs_other_host(search->design, device, scenario->device[device].base) ||
        (option.after.overloaded && !search->result->overloaded) ||
        preset_measure(search, &option.after) >= preset_measure(search, &now))
        return;
    options->at[options->count++] = option;
}

/* Evaluates the presets of a device's kind. */
static enum status try_presets(int device, struct preset_options *options, struct error *error)
{
    const struct step_search *search = options->search;
    const struct sweep sweep = {
        .base = search->design, .axis = &options->presets, .axis_count = 1, .jobs = 1};
    const struct sweep_rows rows = {.inspect = add_option, .context = options};
    struct progress_part still = {search->progress, 1, 0};
    const struct progress progress = {progress_report_part, &still};

    axis_presets(&options->presets, part_values_catalogue(search->values), search->design, device);
    options->at = allocate_array((size_t)options->presets.count + 1, sizeof *options->at);
    return sweep_designs(&sweep, 0, (uint64_t)options->presets.count, &rows, &progress, error);
}

/* Returns true if the design after a change needs at most the power of the one before, and states
 * that of as many devices. */
static bool adds_no_power(const struct power *before, const struct power *after)
{
    return after->unstated == before->unstated && after->watts <= before->watts;
}

/* Returns the preset with which the device gains most, or keeps up best, of those that add no power
 * to `before` if that is given; of presets without a practical difference the one with least power.
 * NULL if there is none. */
static const struct preset_option *choose_preset(const struct preset_options *options,
                                                 const struct power *before)
{
    const struct step_search *search = options->search;
    const struct preset_option *first = NULL, *best;

    for (int i = 0; i < options->count; i++)
        if ((before == NULL || adds_no_power(before, &options->at[i].after.power)) &&
            (first == NULL ||
             preset_measure(search, &options->at[i].after) < preset_measure(search, &first->after)))
            first = &options->at[i];
    best = first;
    for (int i = 0; i < options->count && first != NULL; i++)
        if (!compare_matters(preset_measure(search, &first->after),
                             preset_measure(search, &options->at[i].after)) &&
            compare_matters(search->result->latency, options->at[i].after.latency) ==
                compare_matters(search->result->latency, first->after.latency) &&
            needs_less_power(&options->at[i].after, &best->after))
            best = &options->at[i];
    return best;
}

/* Appends the best preset of a device, and the best one that adds no power if that is another. */
static enum status add_presets(const struct step_search *search, int device,
                               struct advice_list *list, struct error *error)
{
    struct preset_options options = {.search = search};
    const struct power now = scenario_power(search->design);
    enum status status = try_presets(device, &options, error);
    const struct preset_option *const best[] = {choose_preset(&options, NULL),
                                                choose_preset(&options, &now)};

    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        if (best[i] != NULL && (i == 0 || best[i] != best[0]))
            add_step(search, options.presets.ref, best[i]->name, &best[i]->after, list);
    axis_free(&options.presets);
    free(options.at);
    return status;
}

/* Appends the presets of each device that runs a component. */
static enum status find_presets(const struct step_search *search, struct advice_list *list,
                                struct error *error)
{
    enum status status = STATUS_OK;

    for (int d = 0; d < search->design->device_count && status == STATUS_OK; d++) {
        status = progress_check(search->progress, 1, error);
        if (status == STATUS_OK && scenario_device_used(search->design, d))
            status = add_presets(search, d, list, error);
    }
    return status;
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

static void sort_steps(struct advice_list *list, int (*compare)(const void *x, const void *y))
{
    if (list->count > 0)
        qsort(list->at, (size_t)list->count, sizeof *list->at, compare);
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

static enum status find_cliffs(struct advise *advise, const struct step_search *search, double high,
                               struct error *error)
{
    struct knob_ref ref = {.knob = NULL};
    struct cliff cliff;

    advise->cliff_count = 0;
    while (knob_next(search->design, &ref)) {
        if (progress_check(search->progress, 1, error) != STATUS_OK)
            return STATUS_STOPPED;
        if (knob_idle(search->design, ref) ||
            !cliff_near(search->design, search->result,
                        ref.section == SECTION_SCENARIO ? high : RESULT_NONE, ref,
                        search->candidate, &cliff))
            continue;
        advise->cliff = array_reserve(advise->cliff, advise->cliff_count, &advise->cliff_capacity,
                                      sizeof *advise->cliff);
        advise->cliff[advise->cliff_count++] = (struct advised_cliff){ref, cliff};
    }
    if (advise->cliff_count > 0)
        qsort(advise->cliff, (size_t)advise->cliff_count, sizeof *advise->cliff, compare_cliffs);
    return STATUS_OK;
}

static enum status find_all_steps(struct advise *advise, struct step_search search,
                                  struct error *error)
{
    const struct {
        unsigned roles;
        struct advice_list *list;
        int (*compare)(const void *x, const void *y);
    } parts[] = {
        {STEPS_CHOICES, &advise->choices, advise->now.overloaded ? compare_loads : compare_gains},
        {STEPS_GIVEN, &advise->given, compare_gains}};
    int (*compare)(const void *x, const void *y);
    struct progress_part quarter = {search.progress, 0, 0.25};
    const struct progress progress = {progress_report_part, &quarter};
    struct latency_range now;
    enum status status =
        range_find(search.design, &search.candidate->result, NULL, NULL, &now, error);

    if (status == STATUS_OK) {
        scenario_copy(&search.candidate->scenario, search.design);
        status = evaluate(search.design, &search.candidate->result, error);
    }
    if (status == STATUS_OK)
        advise->error = derived_star_total(&search.candidate->scenario, &search.candidate->result);
    search.progress = &progress;
    for (int p = 0; p < 2; p++) {
        if (status == STATUS_OK)
            status = find_steps(&search, parts[p].roles, true, parts[p].list, error);
        if (status == STATUS_OK && parts[p].roles == STEPS_CHOICES)
            status = find_presets(&search, parts[p].list, error);
        quarter.from += quarter.width;
        if (status == STATUS_OK)
            status = judge_steps(&search, &now, parts[p].list, error);
        if (status == STATUS_OK && advise->error != RESULT_NONE)
            status = find_errors(&search, advise->error, parts[p].roles == STEPS_CHOICES,
                                 parts[p].list, error);
        quarter.from += quarter.width;
        compare = advise->error != RESULT_NONE ? compare_errors : parts[p].compare;
        sort_steps(parts[p].list, compare);
    }
    prefer_less_power(&advise->choices);
    quarter.from = 1 - quarter.width;
    if (status == STATUS_OK)
        status = find_cliffs(advise, &search, now.high, error);
    return status;
}

/* Steps to name first -------------------------------------------------------------------------- */

void advice_model(const char *model, char name[ADVICE_NAME])
{
    static const char digits[] = "0123456789", blank[] = " ";
    const char *word = model;

    for (int w = 0; w < 2; w++) {
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

void advice_part(const struct advise *advise, const char *preset, char name[ADVICE_NAME])
{
    advice_preset(part_values_catalogue(advise->values), preset, name);
}

void advice_preset(struct catalogue *catalogue, const char *preset, char name[ADVICE_NAME])
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
    const struct scenario *design = &advise->design->scenario;
    const struct knob *knob = advice->ref.knob;
    const char *section = section_head_const(design, advice->ref.section, advice->ref.index)->name;
    const char *phrase = find_phrase(advice);
    struct buffer text = buffer_over(name, ADVICE_NAME);

    if (knob->type == KNOB_PRESET) {
        char part[ADVICE_NAME];

        advice_part(advise, advice->to, part);
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

/* Adds the last tried knob if it meets the target without a slower camera; returns true if so. */
static bool add_if_met(const struct step_search *search, const struct target_knob *tried,
                       struct meet_target *target)
{
    struct performance now;
    struct target_knob *knob;

    performance_of(search->design, search->result, search->candidate->clock, &now);
    if (!tried->after.met || is_later(&tried->after, &now) ||
        performance_target_ratio(&tried->after, search->result->target) > 1)
        return false;
    target->knob =
        array_reserve(target->knob, target->count, &target->capacity, sizeof *target->knob);
    knob = &target->knob[target->count++];
    *knob = *tried;
    knob->caveat = caveat_of_step(search, knob->ref, knob->to);
    print_from(search, knob->ref, knob->from);
    return true;
}

/* Moves a number in one direction until the target is met. */
static void move_number(const struct step_search *search, struct knob_ref ref, int direction,
                        struct meet_target *target)
{
    double value = knob_number_in_force(search->design, search->result, ref);
    struct target_knob knob = {.ref = ref, .direction = direction};
    bool met = false;

    while (value != RESULT_NONE && !met && knob.steps < TARGET_VALUES_MAX &&
           part_values_next(search->values, search->design, ref, value, direction, &value)) {
        knob.steps++;
        quantity_format(value, ref.knob->unit, knob.to, sizeof knob.to);
        met = candidate_try_number(search->candidate, search->design, ref, value, &knob.after) &&
              add_if_met(search, &knob, target);
    }
}

static void try_choices(const struct step_search *search, struct knob_ref ref,
                        struct meet_target *target)
{
    struct value_step step[VALUE_STEPS_MAX];
    int count = part_values_steps(search->values, search->design, search->result, ref, step);

    for (int i = 0; i < count; i++) {
        struct target_knob knob = {.ref = ref, .steps = 1};

        snprintf(knob.to, sizeof knob.to, "%s", step[i].value);
        if (try_knob_text(search, ref, knob.to, &knob.after))
            add_if_met(search, &knob, target);
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
static enum status find_target_knobs(const struct step_search *search, struct meet_target *target,
                                     struct error *error)
{
    struct knob_ref ref = {.knob = NULL};
    enum status status = STATUS_OK;

    while (knob_next(search->design, &ref)) {
        if (!knob_is_selectable(ref.knob) || knob_idle(search->design, ref))
            continue;
        status = progress_check(search->progress, 0, error);
        if (status != STATUS_OK)
            break;
        if (knob_is_number(ref.knob)) {
            move_number(search, ref, -1, target);
            move_number(search, ref, 1, target);
        } else {
            try_choices(search, ref, target);
        }
    }
    if (target->count > 0)
        qsort(target->knob, (size_t)target->count, sizeof *target->knob, compare_target_knobs);
    return status;
}

/* Adds the step with the least target ratio, if a step helps, and applies it to `changed`, the
 * design with the previous steps. */
static enum status add_target_step(const struct step_search *search, struct candidate *changed,
                                   unsigned roles, struct target_sequence *sequence,
                                   struct error *error)
{
    double target = changed->result.target;
    double least = performance_target_ratio(&sequence->after, target) * (1 - TARGET_LEAST_GAIN);
    struct advice *best = NULL;
    struct advice_list list = {0, 0, NULL};
    enum status status = find_steps(search, roles, false, &list, error);

    for (int i = 0; i < list.count && status == STATUS_OK; i++) {
        double after = performance_target_ratio(&list.at[i].after, target);

        if (!list.at[i].later && after < least) {
            best = &list.at[i];
            least = after;
        }
    }
    sequence->exhausted = status == STATUS_OK && best == NULL;
    if (best != NULL) {
        struct latency_range now;

        status = range_find(search->design, &search->candidate->result, NULL, NULL, &now, error);
        if (status == STATUS_OK)
            status = judge_step(search, &now, best, error);
        sequence->step[sequence->count++] = *best;
        knob_set_text(&changed->scenario, best->ref, best->to, NULL);
        candidate_evaluate(changed, &sequence->after);
    }
    free(list.at);
    return status;
}

/* `from` is the fraction of progress done before; progress is constant during a step. */
static enum status find_sequence(const struct step_search *search, struct candidate *changed,
                                 unsigned roles, double from, struct target_sequence *sequence,
                                 struct error *error)
{
    struct progress_part still = {search->progress, from, 0};
    const struct progress progress = {progress_report_part, &still};
    const struct step_search next = {search->values, &changed->scenario, &changed->result,
                                     search->candidate, &progress};
    enum status status = STATUS_OK;

    scenario_copy(&changed->scenario, search->design);
    changed->clock = search->candidate->clock;
    if (!candidate_evaluate(changed, &sequence->after))
        return STATUS_OK;
    while (status == STATUS_OK && !sequence->after.met && !sequence->exhausted &&
           sequence->count < TARGET_STEPS_MAX) {
        still.from = from + (double)sequence->count / TARGET_STEPS_MAX / (1 + TARGET_SOURCES);
        status = add_target_step(&next, changed, roles, sequence, error);
    }
    sequence->gain = search->result->latency - sequence->after.counted;
    return status;
}

static enum status find_target(struct advise *advise, const struct step_search *search,
                               struct error *error)
{
    struct meet_target *target = &advise->target;
    struct candidate *changed;
    enum status status;

    free(target->knob);
    *target = (struct meet_target){.met = advise->now.met};
    if (target->met)
        return STATUS_OK;
    changed = candidate_watched(search->design, search->progress);
    status = find_target_knobs(search, target, error);
    for (int from = 0; from < TARGET_SOURCES && status == STATUS_OK; from++)
        status = find_sequence(search, changed, sources[from].roles,
                               (1.0 + from) / (1 + TARGET_SOURCES), &target->sequence[from], error);
    candidate_free(changed);
    return status;
}

/* Packets -------------------------------------------------------------------------------------- */

/* Evaluates a number of packets; returns true if the design keeps up. */
static bool try_packets(struct advise *advise, int packets, struct packet_count *count)
{
    *count = (struct packet_count){.packets = packets};
    advise->candidate->scenario.general.packets = packets;
    if (!candidate_evaluate(advise->candidate, &count->after) || count->after.overloaded)
        return false;
    count->gain = advise->now.counted - count->after.counted;
    return true;
}

/* Numbers of packets in the order in which they are tried as an answer. */
struct packet_search {
    int count;
    int number[PACKETS_MAX];
    double latency[PACKETS_MAX + 1]; /* by number; RESULT_NONE: overloaded or not tried */
    double limit;                    /* s, of the upper end of the range; RESULT_NONE: none */
    struct range_group worst;        /* exceeded the limit last */
};

static enum status find_packet_range(struct advise *advise, struct packet_count *count,
                                     struct latency_range *range, struct error *error)
{
    enum status status;

    try_packets(advise, count->packets, count);
    status = range_find(&advise->candidate->scenario, &advise->candidate->result, NULL, NULL, range,
                        error);
    count->low = range->low;
    count->high = range->high;
    return status;
}

static bool exceeds(double high, double limit)
{
    return high == RESULT_NONE || (limit != RESULT_NONE && high > limit);
}

/* Sets `good` if the upper end of a number of packets does not exceed the limit. The group that
 * exceeded it last is tried first, alone: it mostly does so again. */
static enum status judge_packets(struct advise *advise, struct packet_search *search,
                                 struct packet_count *count, bool *good, struct error *error)
{
    struct candidate *candidate = advise->candidate;
    struct range_group *worst = &search->worst;
    struct latency_range range;
    enum status status;

    *good = false;
    try_packets(advise, count->packets, count);
    if (worst->factor > 0) {
        status = range_find_high(&candidate->scenario, count->after.latency, worst,
                                 &candidate->result, error);
        if (status != STATUS_OK || worst->overloads ||
            exceeds(count->after.latency * exp(worst->high), search->limit))
            return status;
    }
    status = find_packet_range(advise, count, &range, error);
    *good = !exceeds(count->high, search->limit);
    if (!*good && range.count > 0)
        *worst = range.group[0];
    return status;
}

/* Sets `found` to the first number with at most this latency and a permitted upper end. */
static enum status find_packets(struct advise *advise, struct packet_search *search, double most,
                                struct packet_count *found, struct error *error)
{
    enum status status = STATUS_OK;
    bool good = false;

    for (int i = 0; i < search->count && !good && status == STATUS_OK; i++) {
        struct packet_count count = {.packets = search->number[i]};

        if (search->latency[count.packets] > most)
            continue;
        status = judge_packets(advise, search, &count, &good, error);
        if (good)
            *found = count;
    }
    return status;
}

/* Sorts the numbers that were tried and do not overload the design by latency. */
static void sort_packets(struct packet_search *search)
{
    search->count = 0;
    for (int p = 1; p <= PACKETS_MAX; p++) {
        int at = search->count;

        if (search->latency[p] == RESULT_NONE)
            continue;
        for (; at > 0 && search->latency[search->number[at - 1]] > search->latency[p]; at--)
            search->number[at] = search->number[at - 1];
        search->number[at] = p;
        search->count++;
    }
}

static int compare_whole(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

/* Chooses among the numbers that were tried. */
static enum status choose_packets(struct advise *advise, struct packet_search *search,
                                  struct error *error)
{
    struct packets *packets = &advise->packets;
    struct latency_range range;
    enum status status;

    packets->now.packets = packets->present;
    status = find_packet_range(advise, &packets->now, &range, error);
    sort_packets(search);
    if (status != STATUS_OK || search->count == 0)
        return status;
    search->limit =
        packets->now.high == RESULT_NONE ? RESULT_NONE : PACKETS_HIGH * packets->now.high;
    packets->lowest.packets = search->number[0];
    status = find_packet_range(advise, &packets->lowest, &range, error);
    packets->best = packets->lowest;
    if (status == STATUS_OK)
        status = find_packets(advise, search, INFINITY, &packets->best, error);
    packets->fewest = packets->best;
    qsort(search->number, (size_t)search->count, sizeof search->number[0], compare_whole);
    if (status == STATUS_OK)
        status = find_packets(advise, search, PACKETS_NEAR * packets->best.after.counted,
                              &packets->fewest, error);
    return status;
}

static enum status try_all_packets(struct advise *advise, const struct progress *progress,
                                   struct error *error)
{
    struct packets *packets = &advise->packets;
    struct packet_search *search = allocate_array(1, sizeof *search);
    struct packet_count count;
    enum status status = STATUS_OK;
    int keeps_up; /* the largest number so far with a load of at most 1 */
    int done = 0;

    *packets = (struct packets){.present = (int)advise->design->scenario.general.packets};
    scenario_copy(&advise->candidate->scenario, &advise->design->scenario);
    for (int p = 0; p <= PACKETS_MAX; p++)
        search->latency[p] = RESULT_NONE;
    keeps_up = packets->present;
    for (int p = 1; p <= PACKETS_MAX && p <= PACKETS_BEYOND * keeps_up && status == STATUS_OK;
         p += p < PACKETS_DENSE ? 1 : p / PACKETS_SPARSE) {
        if (try_packets(advise, p, &count))
            search->latency[p] = count.after.counted;
        if (count.after.load <= 1 && p > keeps_up)
            keeps_up = p;
        if (++done % PROGRESS_INTERVAL == 0)
            status = progress_check(progress, (double)p / PACKETS_MAX, error);
    }
    if (status == STATUS_OK)
        status = choose_packets(advise, search, error);
    free(search);
    return status;
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
    made->values = values;
    made->error = RESULT_NONE;
    made->design = candidate_watched(scenario, progress);
    made->candidate = candidate_new(scenario);
    status = evaluate(&made->design->scenario, &made->design->result, error);
    if (status != STATUS_OK) {
        advise_free(made);
        return status;
    }
    result_watch(&made->design->result, NULL);
    made->candidate->clock = made->design->result.last_pixel;
    performance_of(&made->design->scenario, &made->design->result, made->candidate->clock,
                   &made->now);
    made->now.power = scenario_power(scenario);
    made->now.price = scenario_price(scenario);
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
    candidate_free(advise->design);
    candidate_free(advise->candidate);
    free(advise);
}

static enum status find_shares(struct advise *advise, struct step_search search,
                               struct error *error)
{
    int devices = search.design->device_count;
    struct progress_part part = {search.progress, 0, 1.0 / (devices + 1)};
    const struct progress progress = {progress_report_part, &part};
    enum status status = STATUS_OK;

    search.progress = &progress;
    for (int d = 0; d <= devices && status == STATUS_OK; d++) {
        struct share_split *split = &advise->split[advise->split_count];

        part.from = d * part.width;
        status = shares_best(&search, d < devices ? d : -1, split, error);
        advise->split_count += split->count > 0;
    }
    return status;
}

static enum status find_part(struct advise *advise, enum advise_part part,
                             const struct progress *progress, struct error *error)
{
    struct step_search search = {advise->values, &advise->design->scenario, &advise->design->result,
                                 advise->candidate, progress};

    switch (part) {
    case ADVISE_RANGE:
        return range_find(search.design, &advise->candidate->result, NULL, progress, &advise->range,
                          error);
    case ADVISE_STEPS:
        return find_all_steps(advise, search, error);
    case ADVISE_TARGET:
        return find_target(advise, &search, error);
    case ADVISE_SHARES:
        return find_shares(advise, search, error);
    case ADVISE_PACKETS:
        return try_all_packets(advise, progress, error);
    case ADVISE_PARTS:
        break;
    }
    return STATUS_OK;
}

enum status advise_find(struct advise *advise, enum advise_part part,
                        const struct progress *progress, struct error *error)
{
    enum status status;

    result_watch(&advise->candidate->result, progress);
    status = find_part(advise, part, progress, error);
    result_watch(&advise->candidate->result, NULL);
    return status;
}
