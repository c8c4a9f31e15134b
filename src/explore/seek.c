#include "explore/seek.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "design/knob_text.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"

/* Choices ------------------------------------------------------------------------------------- */

static enum preset_kind kind_of(const struct search *search)
{
    int device = search->seek->ref.index;

    return search->scenario->device[device].kind == DEVICE_CPU ? PRESET_CPU : PRESET_GPU;
}

/* Names the next choice from `*at` on; false: there is none. */
static bool next_choice(const struct search *search, int *at, const char **name)
{
    struct knob_ref ref = search->seek->ref;

    if (ref.knob->type != KNOB_PRESET) {
        if (*at >= knob_choice_count(search->scenario, ref))
            return false;
        *name = knob_choice_name(search->scenario, ref, (*at)++);
        return true;
    }
    while (*at < catalogue_count(search->catalogue)) {
        const struct preset *preset = catalogue_at(search->catalogue, (*at)++);

        *name = preset->name;
        if (preset->kind == kind_of(search))
            return true;
    }
    return false;
}

static void seek_choice(struct search *search)
{
    struct seek *seek = search->seek;
    const char *name;
    int count = 0;

    for (int at = 0; next_choice(search, &at, &name);)
        count++;
    seek->choice = calloc((size_t)count + 1, sizeof *seek->choice);
    if (seek->choice == NULL) {
        search->status = error_set(search->error, STATUS_MEMORY, "there is not enough memory");
        return;
    }
    for (int at = 0; search->status == STATUS_OK && next_choice(search, &at, &name);
         seek->count++) {
        struct seek_point *point = &seek->choice[seek->count];

        search->done = seek->count / (double)count;
        search_choice(search, seek->count, name, point);
        if (!seek->found && search_holds(point)) {
            seek->found = true;
            seek->answer = *point;
        }
    }
}

/* -------------------------------------------------------------------------------------------- */

enum status seek_check(const struct scenario *scenario, struct knob_ref ref, struct error *error)
{
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        if (ref.knob->max <= ref.knob->min)
            return error_set(error, STATUS_INVALID, "%s has one value only", path);
        return STATUS_OK;
    case KNOB_CHOICE:
    case KNOB_ALGORITHM:
    case KNOB_WFS:
    case KNOB_DEVICE:
    case KNOB_DEVICES:
        if (knob_choice_count(scenario, ref) < 2)
            return error_set(error, STATUS_INVALID, "%s leaves nothing to choose here", path);
        return STATUS_OK;
    case KNOB_PRESET:
        return STATUS_OK;
    case KNOB_TEXT:
    case KNOB_COMPONENTS:
    case KNOB_TRACE:
        break;
    }
    return error_set(error, STATUS_INVALID,
                     "%s is neither a number nor a choice, so there is nothing to seek", path);
}

enum status seek_knob(const struct scenario *scenario, struct catalogue *catalogue,
                      struct knob_ref ref, const struct conditions *conditions,
                      const struct progress *progress, struct result *result, struct seek *seek,
                      struct error *error)
{
    struct search search = {.scenario = scenario,
                            .work = malloc(sizeof *search.work),
                            .catalogue = catalogue,
                            .result = result,
                            .progress = progress,
                            .seek = seek,
                            .unit = {DIMENSION_NUMBER, 1, 1},
                            .error = error};

    *seek = (struct seek){.ref = ref, .conditions = *conditions};
    search.status = seek_check(scenario, ref, error);
    if (search.work == NULL)
        search.status = error_set(error, STATUS_MEMORY, "there is not enough memory");
    if (search.status == STATUS_OK) {
        seek->choices = !knob_is_number(ref.knob);
        unit_find(ref.knob->unit, &search.unit);
        scenario_copy(search.work, scenario);
        search_present(&search, &seek->present);
        seek->best = seek->present;
        if (seek->choices)
            seek_choice(&search);
        else
            search_numbers(&search);
    }
    free(search.work);
    if (search.status != STATUS_OK)
        seek_free(seek);
    return search.status;
}

/* Sets the answer of a search. */
static enum status set_answer(struct scenario *scenario, struct catalogue *catalogue,
                              const struct seek *seek, struct error *error)
{
    const struct seek_point *answer = &seek->answer;

    if (!seek->choices)
        return knob_set_number(scenario, seek->ref, answer->value, error);
    if (seek->ref.knob->type == KNOB_PRESET)
        return scenario_set_preset(scenario, seek->ref.index, catalogue, answer->text, error);
    return knob_set_text(scenario, seek->ref, answer->text, error);
}

enum status seek_sample(const struct scenario *scenario, struct catalogue *catalogue,
                        struct knob_ref ref, struct scenario *sample, struct result *result,
                        struct error *error)
{
    const struct conditions none = {.count = 0}; /* which every design with a meaning fulfils */
    struct error problem;
    struct seek seek;
    enum status status;
    char path[96];

    scenario_copy(sample, scenario);
    if (evaluate(sample, result, &problem) == STATUS_OK)
        return STATUS_OK;
    status = seek_knob(scenario, catalogue, ref, &none, NULL, result, &seek, error);
    if (status != STATUS_OK)
        return status;
    knob_path(scenario, ref, path, sizeof path);
    if (seek.found)
        status = set_answer(sample, catalogue, &seek, error);
    else
        status = error_set(error, STATUS_INVALID, "%s; no other value of %s mends that",
                           problem.message, path);
    seek_free(&seek);
    return status == STATUS_OK ? evaluate(sample, result, error) : status;
}

bool seek_feasible(const struct seek *seek)
{
    return seek->found || search_holds(&seek->present);
}

void seek_free(struct seek *seek)
{
    free(seek->choice);
    seek->choice = NULL;
    seek->count = 0;
}

/* Seek number ---------------------------------------------------------------------------------- */

#define BISECTIONS 200
/* Where bisection may stop: of the value, well within SEEK_DIGITS; of the slider's step, near 0. */
#define NARROW 1e-7
#define TINY 1e-9
#define DIGITS_MAX 15
#define FEW 128 /* whole numbers between two steps that are all tried */

static double in_unit(const struct search *search, double si)
{
    return si * search->unit.denominator / search->unit.numerator;
}

static double to_si(const struct search *search, double value)
{
    return value * search->unit.numerator / search->unit.denominator;
}

/* Whether every whole number of the range is tried. */
static bool is_exact(const struct knob *knob)
{
    return knob->type == KNOB_INTEGER && knob->scale != SCALE_POWER2 &&
           knob->max - knob->min <= SEEK_EXACT;
}

/* The value after `si`; false at the end of the range. What stands for "automatic" is no number. */
static bool next_value(const struct search *search, double si, int side, double *next)
{
    const struct knob *knob = search->seek->ref.knob;
    int by = side == SEEK_ABOVE ? 1 : -1;

    if (is_exact(knob))
        *next = to_si(search, round(in_unit(search, si)) + by);
    else
        *next = knob_step(knob, si, by);
    if (*next < knob_min(knob) || *next > knob_max(knob) || knob_is_auto(knob, *next))
        return false;
    return by > 0 ? *next > si : *next < si;
}

/* Evaluates a number between the two points of an edge; it takes the place of one of them. True: of
 * the one that holds. */
static bool divide(struct search *search, struct seek_side *side, double value)
{
    struct seek_point point;

    search_number(search, to_si(search, value), &point);
    *(search_holds(&point) ? &side->holds : &side->fails) = point;
    return search_holds(&point);
}

/* Narrows an edge between a point on either side of it down to neighbours. */
static void bisect(struct search *search, struct seek_side *side)
{
    const struct knob *knob = search->seek->ref.knob;
    bool whole = knob->type == KNOB_INTEGER;

    for (int i = 0; i < BISECTIONS && search->status == STATUS_OK; i++) {
        double a = in_unit(search, side->holds.value);
        double b = in_unit(search, side->fails.value);
        double middle = whole ? floor((a + b) / 2) : a + (b - a) / 2;

        if (middle == a || middle == b ||
            (!whole && fabs(a - b) <= fmax(NARROW * fmin(fabs(a), fabs(b)), TINY * knob->step)))
            return;
        divide(search, side, middle);
    }
}

/* The first of few whole numbers on the way from the present value to the edge's outer point. */
static void count_up(struct search *search, struct seek_side *side)
{
    bool outer = !search_holds(&search->seek->from);
    const struct seek_point *inner = outer ? &side->fails : &side->holds;
    double last = in_unit(search, outer ? side->holds.value : side->fails.value);
    double by = last > in_unit(search, inner->value) ? 1 : -1;

    for (double at = in_unit(search, inner->value) + by; at != last; at += by)
        if (divide(search, side, at) == outer || search->status != STATUS_OK)
            return;
}

/* A number with so many digits, the next one up or down. */
static double rounded(double value, int digits, bool up)
{
    double grain = pow(10, floor(log10(fabs(value))) - digits + 1);
    double count = value / grain;

    count = up ? ceil(count - 1e-9) : floor(count + 1e-9);
    /* dividing by a power of ten rounds better than multiplying by its inverse */
    return grain < 1 ? count / round(1 / grain) : count * grain;
}

/* Replaces one of the two points of an edge by a number with few digits at the same side of it;
 * `limit`, how far it may lie from the edge. */
static void shorten(struct search *search, struct seek_point *at, const struct seek_point *other,
                    double limit)
{
    bool up = at->value > other->value;
    double value = in_unit(search, at->value);

    for (int digits = SEEK_DIGITS; value != 0 && digits <= DIGITS_MAX; digits++) {
        double si = to_si(search, rounded(value, digits, up));
        struct seek_point point;

        if (search->status != STATUS_OK || si == at->value)
            return;
        if (up ? si > limit : si < limit)
            continue;
        search_number(search, si, &point);
        if (search_holds(&point) == search_holds(at)) {
            *at = point;
            return;
        }
    }
}

/* The edge between neighbours of the scan. */
static void refine(struct search *search, struct seek_side *side)
{
    const struct knob *knob = search->seek->ref.knob;
    double holding = side->holds.value;
    double failing = side->fails.value;

    if (knob->scale == SCALE_POWER2)
        return;
    if (knob->type == KNOB_INTEGER && fabs(in_unit(search, holding - failing)) <= FEW) {
        count_up(search, side);
        return;
    }
    bisect(search, side);
    if (knob->type == KNOB_INTEGER)
        return;
    shorten(search, &side->holds, &side->fails, holding);
    shorten(search, &side->fails, &side->holds, failing);
}

static void walk(struct search *search, int number)
{
    struct seek *seek = search->seek;
    struct seek_side *side = &seek->side[number];
    const struct knob *knob = seek->ref.knob;
    double from = knob_position(knob, seek->from.value);
    struct seek_point before = seek->from;
    double next;

    side->end = before;
    while (search->status == STATUS_OK && next_value(search, before.value, number, &next)) {
        search->done = (number + fabs(knob_position(knob, next) - from)) / SEEK_SIDES;
        search_number(search, next, &side->end);
        if (search_holds(&side->end) != search_holds(&seek->from)) {
            side->crossed = true;
            side->holds = search_holds(&side->end) ? side->end : before;
            side->fails = search_holds(&side->end) ? before : side->end;
            refine(search, side);
            return;
        }
        before = side->end;
    }
}

/* What an automatic value comes to; else the knob's own idea, else the middle of its slider. */
static double automatic_value(struct search *search)
{
    struct knob_ref ref = search->seek->ref;
    const struct knob *knob = ref.knob;
    const struct result *result =
        search->seek->present.problem.status == STATUS_OK ? search->result : NULL;
    double value = knob_number_in_force(search->scenario, result, ref);

    if (!(value >= knob_min(knob) && value <= knob_max(knob)) || knob_is_auto(knob, value))
        value = knob_fallback(knob);
    if (!(value >= knob_min(knob) && value <= knob_max(knob)) || knob_is_auto(knob, value))
        value = knob_at(knob, 0.5);
    return knob->type == KNOB_INTEGER ? to_si(search, round(in_unit(search, value))) : value;
}

static double way(const struct seek *seek, const struct seek_side *side)
{
    return fabs(knob_position(seek->ref.knob, side->holds.value) -
                knob_position(seek->ref.knob, seek->from.value));
}

void search_numbers(struct search *search)
{
    struct seek *seek = search->seek;
    const struct seek_side *below = &seek->side[SEEK_BELOW];
    const struct seek_side *above = &seek->side[SEEK_ABOVE];

    seek->from = seek->present;
    if (knob_is_auto(seek->ref.knob, seek->present.value))
        search_number(search, automatic_value(search), &seek->from);
    for (int side = 0; side < SEEK_SIDES; side++)
        walk(search, side);
    seek->found = below->crossed || above->crossed ||
                  (search_holds(&seek->from) && !search_holds(&seek->present));
    if (seek->found && !below->crossed && !above->crossed)
        seek->answer = seek->from;
    else if (seek->found)
        seek->answer = below->crossed && (!above->crossed || way(seek, below) <= way(seek, above))
                           ? below->holds
                           : above->holds;
}

/* Seek search ---------------------------------------------------------------------------------- */

bool search_holds(const struct seek_point *point)
{
    return point->shortfall == 0;
}

/* The component that the first condition on one is about, else what the latency is mostly made of.
 */
static int binding_node(const struct conditions *conditions, const struct result *result)
{
    for (int i = 0; i < conditions->count; i++)
        if (conditions->list[i].left.row->scope == RESULT_COMPONENT)
            return result_find_node(result, conditions->list[i].left.name);
    return result->bound_node;
}

static void take_bound(const struct conditions *conditions, const struct scenario *scenario,
                       const struct result *result, struct seek_point *point)
{
    int number = binding_node(conditions, result);
    const struct node_result *node = &result->node[number < 0 ? 0 : number];

    if (number < 0)
        return;
    point->bound = number == result->bound_node ? result->bound : node->bound;
    snprintf(point->bound_node, sizeof point->bound_node, "%s", node->name);
    if (node->device >= 0)
        snprintf(point->device, sizeof point->device, "%s",
                 scenario->device[node->device].head.name);
}

static void take(struct search *search, const struct scenario *scenario, struct seek_point *point)
{
    const struct conditions *conditions = &search->seek->conditions;
    const struct result *result = search->result;

    for (int i = 0; i < conditions->count; i++) {
        point->left[i] = condition_left(scenario, result, &conditions->list[i]);
        point->right[i] = condition_right(scenario, result, &conditions->list[i]);
    }
    point->shortfall = conditions_shortfall(scenario, result, conditions);
    point->load = result->load;
    point->overloaded = result->overloaded;
    point->limit_busy = result->limit_busy;
    point->frame_period = result->frame_period;
    snprintf(point->limit, sizeof point->limit, "%s", result->limit);
    take_bound(conditions, scenario, result, point);
}

/* The best point and whether anything moves. */
static void compare(struct seek *seek, const struct seek_point *point)
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

/* Evaluates `scenario` unless setting the knob failed. */
static void evaluate_point(struct search *search, const struct scenario *scenario,
                           enum status status, struct seek_point *point)
{
    point->shortfall = INFINITY;
    for (int i = 0; i < CONDITIONS_MAX; i++)
        point->left[i] = point->right[i] = RESULT_NONE;
    point->load = RESULT_NONE;
    if (status == STATUS_OK) {
        status = evaluate(scenario, search->result, &point->problem);
        search->seek->evaluations++;
    }
    point->problem.status = status;
    if (status == STATUS_OK)
        take(search, scenario, point);
    if (status == STATUS_MEMORY)
        search->status = error_set(search->error, status, "%s", point->problem.message);
    else if (search->status == STATUS_OK && !progress_tell(search->progress, search->done))
        search->status = error_set(search->error, STATUS_STOPPED, "stopped");
}

void search_present(struct search *search, struct seek_point *point)
{
    *point = (struct seek_point){.value = -1};
    knob_get_text(search->scenario, search->seek->ref, point->text, sizeof point->text);
    if (knob_is_number(search->seek->ref.knob))
        point->value = knob_number(search->scenario, search->seek->ref);
    evaluate_point(search, search->scenario, STATUS_OK, point);
}

/* A number of the knob, SI. */
void search_number(struct search *search, double si, struct seek_point *point)
{
    struct knob_ref ref = search->seek->ref;
    enum status status;

    *point = (struct seek_point){.value = si};
    status = knob_set_number(search->work, ref, si, &point->problem);
    knob_get_text(search->work, ref, point->text, sizeof point->text);
    evaluate_point(search, search->work, status, point);
    compare(search->seek, point);
}

void search_choice(struct search *search, int place, const char *name, struct seek_point *point)
{
    struct knob_ref ref = search->seek->ref;
    enum status status;

    *point = (struct seek_point){.value = place};
    snprintf(point->text, sizeof point->text, "%s", name);
    scenario_copy(search->work, search->scenario);
    if (ref.knob->type == KNOB_PRESET)
        status =
            scenario_set_preset(search->work, ref.index, search->catalogue, name, &point->problem);
    else
        status = knob_set_text(search->work, ref, name, &point->problem);
    evaluate_point(search, search->work, status, point);
    compare(search->seek, point);
}
