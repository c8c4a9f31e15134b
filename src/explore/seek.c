#include "explore/seek.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "design/knob_text.h"
#include "explore/compare.h"
#include "explore/trial.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"

#define BISECTIONS 200
/* Bisection tolerances: relative to the value (well within SEEK_DIGITS), and relative to the
 * slider's step near 0. */
#define VALUE_TOLERANCE 1e-7
#define SLIDER_TOLERANCE 1e-9
#define DIGITS_MAX 15
#define SCAN_MAX 128 /* integers between two steps that are all tried */

/* State of a search. */
struct seek_search {
    struct trial *trial;
    const struct knob *knob;
    struct catalogue *catalogue;
    struct seek *seek;
    double done; /* completed fraction of the search */
    bool whole;  /* points are never partial */
};

/* Points --------------------------------------------------------------------------------------- */

static bool point_holds(const struct seek_point *point)
{
    return point->shortfall == 0;
}

static void fill_point(const struct conditions *conditions, const struct trial *trial,
                       struct seek_point *point)
{
    const struct scenario *scenario = &trial->scenario;
    const struct result *result = &trial->result;
    const int bottleneck = result->bottleneck;
    int bound = bottleneck;

    for (int i = conditions->count - 1; i >= 0; i--) {
        const struct condition *condition = &conditions->list[i];

        point->left[i] = condition_left(scenario, result, condition);
        point->right[i] = condition_right(scenario, result, condition);
        if (condition->left.row->scope == RESULT_COMPONENT)
            bound = result_find_node(result, condition->left.name);
    }
    point->shortfall = (point->partial ? conditions_least_shortfall
                                       : conditions_shortfall)(scenario, result, conditions);
    point->load = result->load;
    point->overloaded = result->overloaded;
    point->unstable_above = result->loop.unstable_above;
    point->limit_busy = result->limit_busy;
    point->frame_period = result->frame_period;
    snprintf(point->limit, sizeof point->limit, "%s", result->limit);
    if (bound >= 0) {
        const struct node_result *node = &result->node[bound];

        point->bound = bound == bottleneck ? result->bottleneck_bound : node->bound;
        snprintf(point->bound_node, sizeof point->bound_node, "%s", node->name);
        if (node->device >= 0)
            snprintf(point->device, sizeof point->device, "%s",
                     scenario->device[node->device].head.name);
        verdict_node(scenario, result, bound, point->limited_by);
    }
}

/* Finds derived results if the point may meet the conditions by the latency, or be the best. */
static enum status add_derived(struct seek_search *search, struct seek_point *point)
{
    struct trial *trial = search->trial;
    const struct conditions *conditions = &search->seek->conditions;
    double least = conditions_least_shortfall(&trial->scenario, &trial->result, conditions);

    point->partial = !search->whole && least > 0 && least >= search->seek->best.shortfall;
    return point->partial ? STATUS_OK
                          : derived_find(&trial->scenario, &trial->result,
                                         conditions_derived(conditions), NULL, &point->problem);
}

/* Evaluates the trial unless setting the knob failed. */
static void evaluate_point(struct seek_search *search, bool set, struct seek_point *point)
{
    struct trial *trial = search->trial;
    const struct conditions *conditions = &search->seek->conditions;
    enum status status;

    point->shortfall = INFINITY;
    for (int i = 0; i < CONDITIONS_MAX; i++)
        point->left[i] = point->right[i] = RESULT_NONE;
    point->load = point->unstable_above = RESULT_NONE;
    if (set) {
        trial_evaluate(trial);
        search->seek->evaluations++;
    }
    status = trial_problem(trial, &point->problem);
    if (status == STATUS_OK && conditions_derived(conditions) != DERIVED_NONE)
        status = add_derived(search, point);
    point->problem.status = status;
    if (status == STATUS_OK)
        fill_point(conditions, trial, point);
    trial_goes_on(trial, search->done);
}

/* Updates `moves` and the best point. */
static void update_seek(struct seek *seek, const struct seek_point *point)
{
    if (point->problem.status == STATUS_OK && seek->present.problem.status == STATUS_OK)
        for (int i = 0; i < seek->conditions.count; i++)
            seek->moves = seek->moves || point->left[i] != seek->present.left[i] ||
                          point->right[i] != seek->present.right[i];
    else
        seek->moves = true;
    if (point->shortfall < seek->best.shortfall)
        seek->best = *point;
}

/* Evaluates the design with the knob at a number, SI. */
static void try_number(struct seek_search *search, double si, struct seek_point *point)
{
    struct knob_ref ref = search->seek->ref;
    bool set = trial_set_number(search->trial, ref, si);

    *point = (struct seek_point){.value = si};
    knob_get_text(&search->trial->scenario, ref, point->text, sizeof point->text);
    evaluate_point(search, set, point);
    update_seek(search->seek, point);
}

/* Evaluates a partial point again. */
static void complete_point(struct seek_search *search, struct seek_point *point)
{
    bool before = search->whole;

    search->whole = true;
    if (point->partial && !search->trial->stopped)
        try_number(search, point->value, point);
    search->whole = before;
}

/* Sets a choice or preset. */
static enum status set_choice(struct scenario *scenario, struct catalogue *catalogue,
                              struct knob_ref ref, const char *name, struct error *error)
{
    if (ref.knob->type == KNOB_PRESET)
        return scenario_set_preset(scenario, ref.index, catalogue, name, error);
    return knob_set_text(scenario, ref, name, error);
}

/* Numbers -------------------------------------------------------------------------------------- */

/* Returns true if a number is in range and does not stand for "automatic". */
static bool is_allowed(const struct knob *knob, double si)
{
    return si >= knob_min(knob) && si <= knob_max(knob) && !knob_is_auto(knob, si);
}

/* Finds the value after `si`; returns false at the end of the range. */
static bool next_value(const struct seek_search *search, double si, int side, double *next)
{
    const struct knob *knob = search->knob;
    bool exact = knob->type == KNOB_INTEGER && knob->scale != SCALE_POWER2 &&
                 knob->max - knob->min <= SEEK_EXACT;
    int by = side == SEEK_ABOVE ? 1 : -1;

    *next = exact ? knob_to_si(knob, round(knob_in_unit(knob, si)) + by) : knob_step(knob, si, by);
    return is_allowed(knob, *next) && (by > 0 ? *next > si : *next < si);
}

/* Evaluates a number between the two points of an edge and replaces one of them. Returns true if
 * the conditions hold. */
static bool divide_edge(struct seek_search *search, struct seek_side *side, double value)
{
    struct seek_point point;

    try_number(search, knob_to_si(search->knob, value), &point);
    *(point_holds(&point) ? &side->holds : &side->fails) = point;
    return point_holds(&point);
}

/* Narrows an edge by bisection. */
static void bisect_edge(struct seek_search *search, struct seek_side *side)
{
    const struct knob *knob = search->knob;
    bool whole = knob->type == KNOB_INTEGER;

    for (int i = 0; i < BISECTIONS && !search->trial->stopped; i++) {
        double a = knob_in_unit(knob, side->holds.value);
        double b = knob_in_unit(knob, side->fails.value);
        double middle = whole ? floor((a + b) / 2) : a + (b - a) / 2;

        if (middle == a || middle == b ||
            (!whole && fabs(a - b) <= fmax(VALUE_TOLERANCE * fmin(fabs(a), fabs(b)),
                                           SLIDER_TOLERANCE * knob->step)))
            return;
        divide_edge(search, side, middle);
    }
}

/* Tries the few integers between the points of an edge, from the inner point outwards. */
static void scan_edge(struct seek_search *search, struct seek_side *side)
{
    bool outer = !point_holds(&search->seek->from);
    const struct seek_point *inner = outer ? &side->fails : &side->holds;
    double last = knob_in_unit(search->knob, outer ? side->holds.value : side->fails.value);
    double by = last > knob_in_unit(search->knob, inner->value) ? 1 : -1;

    for (double at = knob_in_unit(search->knob, inner->value) + by; at != last; at += by)
        if (divide_edge(search, side, at) == outer || search->trial->stopped)
            return;
}

/* Rounds a number up or down to a number of digits. */
static double round_to_digits(double value, int digits, bool up)
{
    double grain = pow(10, floor(log10(fabs(value))) - digits + 1);
    double count = value / grain;

    count = up ? ceil(count - 1e-9) : floor(count + 1e-9);
    /* dividing by a power of ten is more accurate than multiplying by its inverse */
    return grain < 1 ? count / round(1 / grain) : count * grain;
}

/* Replaces one of the two points of an edge by a number with few digits on the same side of the
 * edge, at most `limit` away from it. */
static void shorten_point(struct seek_search *search, struct seek_point *at,
                          const struct seek_point *other, double limit)
{
    bool up = at->value > other->value;
    double value = knob_in_unit(search->knob, at->value);

    for (int digits = SEEK_DIGITS; value != 0 && digits <= DIGITS_MAX; digits++) {
        double si = knob_to_si(search->knob, round_to_digits(value, digits, up));
        struct seek_point point;

        if (search->trial->stopped || si == at->value)
            return;
        if (up ? si > limit : si < limit)
            continue;
        try_number(search, si, &point);
        if (point_holds(&point) == point_holds(at)) {
            *at = point;
            return;
        }
    }
}

/* Refines the edge between two neighbouring steps. */
static void refine_edge(struct seek_search *search, struct seek_side *side)
{
    const struct knob *knob = search->knob;
    double holding = side->holds.value;
    double failing = side->fails.value;

    if (knob->scale == SCALE_POWER2)
        return;
    if (knob->type == KNOB_INTEGER && fabs(knob_in_unit(knob, holding - failing)) <= SCAN_MAX) {
        scan_edge(search, side);
        return;
    }
    bisect_edge(search, side);
    if (knob->type == KNOB_INTEGER)
        return;
    shorten_point(search, &side->holds, &side->fails, holding);
    shorten_point(search, &side->fails, &side->holds, failing);
}

/* Moves the knob to the first edge or to one end of its range. */
static void search_side(struct seek_search *search, int number)
{
    struct seek *seek = search->seek;
    struct seek_side *side = &seek->side[number];
    const struct knob *knob = search->knob;
    double from = knob_position(knob, seek->from.value);
    struct seek_point before = seek->from;
    double next;

    side->end = before;
    while (!search->trial->stopped && next_value(search, before.value, number, &next)) {
        search->done = (number + fabs(knob_position(knob, next) - from)) / SEEK_SIDES;
        try_number(search, next, &side->end);
        if (point_holds(&side->end) != point_holds(&seek->from)) {
            side->crossed = true;
            side->holds = point_holds(&side->end) ? side->end : before;
            side->fails = point_holds(&side->end) ? before : side->end;
            refine_edge(search, side);
            return;
        }
        before = side->end;
    }
}

/* Returns the value in force of an automatic knob of the design, which was tried last; it is not
 * allowed if there is none. */
static double value_in_force(struct seek_search *search)
{
    struct knob_ref ref = search->seek->ref;
    const struct result *present = &search->trial->result;
    bool known = search->seek->present.problem.status == STATUS_OK;
    double value, most;

    if (known && knob_is(ref.knob, KNOB_AO_GAIN)) /* found with the conditions, not by evaluate */
        return round_to_digits(present->loop.gain, SEEK_DIGITS, false);
    return knob_numbers_in_force(search->trial->design, known ? present : NULL, ref, &value, &most)
               ? value
               : RESULT_NONE;
}

/* Returns the value in force of an automatic knob, otherwise the knob's own default, otherwise the
 * middle of its slider. */
static double automatic_value(struct seek_search *search)
{
    const struct knob *knob = search->seek->ref.knob;
    double value = value_in_force(search);

    search->seek->assumed = !is_allowed(knob, value);
    if (search->seek->assumed)
        value = knob_fallback(knob);
    if (!is_allowed(knob, value))
        value = knob_at(knob, 0.5);
    return knob->type == KNOB_INTEGER ? knob_to_si(knob, round(knob_in_unit(knob, value))) : value;
}

/* Returns the distance of an edge from the start of the search on the slider. */
static double edge_distance(const struct seek *seek, const struct seek_side *side)
{
    return fabs(knob_position(seek->ref.knob, side->holds.value) -
                knob_position(seek->ref.knob, seek->from.value));
}

/* The present value 0 meets the conditions and the numbers next to it do not: it may stand for
 * something else, such as none, so that larger numbers meet them again. Looks for these. */
static void search_apart(struct seek_search *search)
{
    struct seek *seek = search->seek;
    struct seek_side *above = &seek->side[SEEK_ABOVE];
    const struct seek_side nearest = *above;
    const struct seek_point from = seek->from;

    seek->from = above->fails;
    above->crossed = false;
    search_side(search, SEEK_ABOVE);
    seek->from = from;
    seek->apart = above->crossed;
    if (!seek->apart)
        *above = nearest;
}

static void search_numbers(struct seek_search *search)
{
    struct seek *seek = search->seek;
    const struct seek_side *below = &seek->side[SEEK_BELOW];
    const struct seek_side *above = &seek->side[SEEK_ABOVE];

    seek->from = seek->present;
    if (knob_is_auto(seek->ref.knob, seek->present.value))
        try_number(search, automatic_value(search), &seek->from);
    search->whole = false;
    for (int s = 0; s < SEEK_SIDES; s++) {
        struct seek_side *side = &seek->side[s];

        search_side(search, s);
        if (s == SEEK_ABOVE && side->crossed && seek->from.value == 0 && point_holds(&seek->from))
            search_apart(search);
        complete_point(search, &side->fails);
        complete_point(search, &side->end);
    }
    seek->found = true;
    if (below->crossed && above->crossed)
        seek->answer =
            edge_distance(seek, below) <= edge_distance(seek, above) ? below->holds : above->holds;
    else if (below->crossed || above->crossed)
        seek->answer = below->crossed ? below->holds : above->holds;
    else if (point_holds(&seek->from) && !point_holds(&seek->present))
        seek->answer = seek->from;
    else
        seek->found = false;
}

/* Choices -------------------------------------------------------------------------------------- */

/* Sets the value of a point. */
static enum status set_point(const struct seek *seek, struct scenario *scenario,
                             struct catalogue *catalogue, const struct seek_point *point,
                             struct error *error)
{
    return seek->choices ? set_choice(scenario, catalogue, seek->ref, point->text, error)
                         : knob_set_number(scenario, seek->ref, point->value, error);
}

/* Finds the next choice from index `*at` on; returns false if there is none. */
static bool next_choice(const struct seek_search *search, int *at, const char **name)
{
    const struct scenario *design = search->trial->design;
    struct knob_ref ref = search->seek->ref;

    if (ref.knob->type != KNOB_PRESET) {
        if (*at >= knob_choice_count(design, ref))
            return false;
        *name = knob_choice_name(design, ref, (*at)++);
        return true;
    }
    while (*at < catalogue_count(search->catalogue)) {
        const struct preset *preset = catalogue_at(search->catalogue, (*at)++);

        *name = preset->name;
        if (preset->kind == preset_kind_of(&design->device[ref.index]))
            return true;
    }
    return false;
}

static void search_choices(struct seek_search *search)
{
    struct trial *trial = search->trial;
    struct seek *seek = search->seek;
    const char *name;
    int count = 0;

    for (int at = 0; next_choice(search, &at, &name);)
        count++;
    seek->choice = allocate_array((size_t)count + 1, sizeof *seek->choice);
    for (int at = 0; !trial->stopped && next_choice(search, &at, &name); seek->count++) {
        struct seek_point *point = &seek->choice[seek->count];
        bool set;

        search->done = seek->count / (double)count;
        *point = (struct seek_point){.value = seek->count};
        snprintf(point->text, sizeof point->text, "%s", name);
        trial_reset(trial);
        set = set_choice(&trial->scenario, search->catalogue, seek->ref, name, &trial->problem) ==
              STATUS_OK;
        evaluate_point(search, set, point);
        update_seek(seek, point);
        if (!seek->found && point_holds(point)) {
            seek->found = true;
            seek->answer = *point;
        }
    }
}

/* Compares the design with that of a point, whose range is found. */
static bool compare_point(struct seek_search *search, const struct seek_point *point,
                          struct latency_range *range, struct compare_verdict *verdict)
{
    struct trial *trial = search->trial;
    const struct seek *seek = search->seek;

    if (!trial_start(trial, NULL))
        return false;
    trial_reset(trial);
    return set_point(seek, &trial->scenario, search->catalogue, point, NULL) == STATUS_OK &&
           trial_compare(trial, range, verdict);
}

/* Compares the latency of the best point with the present one. */
static void compare_best(struct seek_search *search)
{
    struct seek *seek = search->seek;
    struct latency_range range;
    struct compare_verdict verdict;

    seek->faster = compare_point(search, &seek->best, &range, &verdict) && verdict.decided &&
                   verdict.faster == 1;
}

/* Finds the ranges of the answer to a condition on the latency and of the present design. */
static void range_answer(struct seek_search *search)
{
    struct seek *seek = search->seek;
    struct latency_range range;
    struct compare_verdict verdict;

    seek->ranged = compare_point(search, &seek->answer, &range, &verdict);
    for (int s = 0; s < SIDES && seek->ranged; s++) {
        const struct compared_latency *of = &verdict.of[s];

        seek->range[s] = (struct seek_range){of->latency, of->low, of->high};
    }
}

static bool any_latency(const struct conditions *conditions)
{
    for (int i = 0; i < conditions->count; i++)
        if (conditions->list[i].left.row == &result_rows[RESULT_LATENCY])
            return true;
    return false;
}

/* The search ----------------------------------------------------------------------------------- */

enum status seek_check(const struct scenario *scenario, struct knob_ref ref, struct error *error)
{
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        if (ref.knob->max <= ref.knob->min)
            return error_set(error, STATUS_INVALID, "%s has only one value", path);
        return STATUS_OK;
    case KNOB_CHOICE:
    case KNOB_ALGORITHM:
    case KNOB_WFS:
    case KNOB_DEVICE:
    case KNOB_DEVICES:
        if (knob_choice_count(scenario, ref) < 2)
            return error_set(error, STATUS_INVALID, "%s has only one choice here", path);
        return STATUS_OK;
    case KNOB_PRESET:
        return STATUS_OK;
    case KNOB_TEXT:
    case KNOB_COMPONENTS:
    case KNOB_FILE:
        break;
    }
    return error_set(error, STATUS_INVALID,
                     "%s is neither a number nor a choice, so it cannot be solved for", path);
}

enum status seek_knob(const struct scenario *scenario, struct catalogue *catalogue,
                      struct knob_ref ref, const struct conditions *conditions,
                      const struct progress *progress, struct seek *seek, struct error *error)
{
    struct seek_search search = {
        .whole = true, .knob = ref.knob, .catalogue = catalogue, .seek = seek};
    const struct seek_point *present = &seek->present;
    enum status status = seek_check(scenario, ref, error);

    *seek =
        (struct seek){.ref = ref, .conditions = *conditions, .choices = !knob_is_number(ref.knob)};
    if (status != STATUS_OK)
        return status;
    search.trial = trial_new(scenario, progress);
    seek->present.value = seek->choices ? -1 : knob_number(scenario, ref);
    knob_get_text(scenario, ref, seek->present.text, sizeof seek->present.text);
    evaluate_point(&search, true, &seek->present);
    seek->best = *present;
    if (seek->choices)
        search_choices(&search);
    else
        search_numbers(&search);
    if (!seek_feasible(seek) && isfinite(seek->best.shortfall) && isfinite(present->shortfall) &&
        strcmp(seek->best.text, present->text) != 0)
        compare_best(&search);
    if (seek->found && present->problem.status == STATUS_OK && !point_holds(present) &&
        any_latency(conditions))
        range_answer(&search);
    status = trial_status(search.trial, error);
    trial_free(search.trial);
    if (status != STATUS_OK)
        seek_free(seek);
    return status;
}

enum status seek_sample(const struct scenario *scenario, struct catalogue *catalogue,
                        struct knob_ref ref, struct scenario *sample, struct result *result,
                        struct error *error)
{
    const struct conditions none = {.count = 0}; /* holds for every valid design */
    struct error problem;
    struct seek seek;
    enum status status;
    char path[96];

    scenario_copy(sample, scenario);
    if (evaluate_design(sample, result, &problem) == STATUS_OK)
        return STATUS_OK;
    status = seek_knob(scenario, catalogue, ref, &none, NULL, &seek, error);
    if (status != STATUS_OK)
        return status;
    knob_path(scenario, ref, path, sizeof path);
    status = seek.found
                 ? set_point(&seek, sample, catalogue, &seek.answer, error)
                 : error_set(error, STATUS_INVALID, "no value of %s makes the design valid: %s",
                             path, problem.message);
    seek_free(&seek);
    return status == STATUS_OK ? evaluate_design(sample, result, error) : status;
}

bool seek_feasible(const struct seek *seek)
{
    return seek->found || point_holds(&seek->present);
}

void seek_free(struct seek *seek)
{
    free(seek->choice);
    seek->choice = NULL;
    seek->count = 0;
}
