#include "explore/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/number.h"
#include "explore/advise.h"
#include "explore/caveat.h"
#include "explore/controllers.h"
#include "model/budget.h"
#include "model/derived.h"

#define SAME 1e-9 /* of a value that was found by another program */

/* Axes ----------------------------------------------------------------------------------------- */

void search_order_axes(struct search *search, struct axis *axis, int count)
{
    struct axis given[SWEEP_AXES_MAX];
    int sorted = 0;

    memcpy(given, axis, (size_t)count * sizeof *axis);
    for (int parts = 0; parts <= 1; parts++)
        for (int i = 0; i < count; i++)
            if ((given[i].preset != NULL) == (parts == 1)) {
                search->column[i] = sorted;
                axis[sorted++] = given[i];
            }
}

/* Returns true if a component runs on one of the devices of an axis. */
static bool runs_components(const struct scenario *scenario, const struct axis *axis)
{
    for (int c = 0; c < scenario->component_count; c++)
        if ((scenario_devices(scenario, c) & axis_members(axis)) != 0)
            return true;
    return false;
}

const char *search_caveat(const struct search *search, const int at[SWEEP_AXES_MAX], int axis)
{
    const struct axis *values = &search->sweep.axis[axis];
    char present[KNOB_TEXT_SIZE], value[AXIS_TEXT_MAX];

    if (axis_is_none(values, at[axis]))
        return runs_components(search->sweep.base, values) ? "code for its host" : NULL;
    if (values->preset != NULL || !sweep_has_value(&search->sweep, at, axis))
        return NULL;
    axis_text(values, at[axis], value, sizeof value);
    knob_get_text(search->sweep.base, values->ref, present, sizeof present);
    return strcmp(value, present) != 0 ? caveat_of(values->ref.knob, value) : NULL;
}

/* Objectives ----------------------------------------------------------------------------------- */

/* Returns true if a property of the design depends on the knob of an axis. */
static bool any_axis(const struct sweep *sweep,
                     bool (*depends)(const struct scenario *scenario, struct knob_ref ref))
{
    for (int i = 0; i < sweep->axis_count; i++)
        if (depends(sweep->base, sweep->axis[i].ref))
            return true;
    return false;
}

/* Returns true if an axis changes the error budget other than by the delay, and there is a star. */
static bool changes_total(const struct sweep *sweep, struct result *result)
{
    return any_axis(sweep, budget_depends) &&
           derived_star_total(sweep->base, result) != RESULT_NONE;
}

/* Returns true if the designs of a search may state their power. */
static bool may_have_power(const struct search *search, const struct result *result)
{
    for (int i = 0; i < search->sweep.axis_count; i++)
        if (search->sweep.axis[i].ref.section == SECTION_DEVICE)
            return true;
    return result->watts != RESULT_NONE;
}

const char *search_default_objectives(const struct search *search, struct result *result)
{
    static const char *const objectives[][2] = {{"latency", OBJECTIVES_DEFAULT},
                                                {"loop.total", OBJECTIVES_OF_LOOP}};

    return objectives[changes_total(&search->sweep, result)][may_have_power(search, result)];
}

static enum status add_objective(const struct scenario *scenario, const struct result *result,
                                 const char *path, struct search *search, struct error *error)
{
    int n = search->sweep.wanted_count;
    struct result_ref *ref = &search->objective[n];

    if (path[0] == '\0')
        return error_set(error, STATUS_INVALID, "empty objective; as in " OBJECTIVES_DEFAULT);
    if (n == OBJECTIVES_MAX)
        return error_set(error, STATUS_INVALID, "there are more than %d objectives",
                         OBJECTIVES_MAX);
    if (result_find(scenario, result, path, ref, error) != STATUS_OK)
        return STATUS_INVALID;
    if (ref->row->sense == SENSE_NEITHER)
        return error_set(error, STATUS_INVALID,
                         "%s is neither better if it is less nor if it is more", path);
    for (int i = 0; i < n; i++)
        if (result_same(&search->objective[i], ref))
            return error_set(error, STATUS_INVALID, "%s is an objective twice", path);
    search->sweep.wanted = search->objective;
    search->sweep.where = &search->conditions;
    search->sweep.wanted_count = n + 1;
    return STATUS_OK;
}

enum status search_parse_objectives(const struct scenario *scenario, const struct result *result,
                                    const char *text, struct search *search, struct error *error)
{
    for (;;) {
        size_t length = strcspn(text, ",");
        char path[RESULT_PATH_MAX];

        snprintf(path, sizeof path, "%.*s", (int)length, text);
        if (add_objective(scenario, result, path, search, error) != STATUS_OK)
            return STATUS_INVALID;
        if (text[length] == '\0')
            return STATUS_OK;
        text += length + 1;
    }
}

/* The front ------------------------------------------------------------------------------------ */

/* Compares an objective: below 0 if the first value is better. */
static int compare_objective(const struct search *search, int i, const double *a, const double *b)
{
    int order = (a[i] > b[i]) - (a[i] < b[i]);

    return search->objective[i].row->sense == SENSE_LESS ? order : -order;
}

/* Returns true if no objective of the first values is worse than that of the second. */
static bool is_as_good(const struct search *search, const double *a, const double *b)
{
    for (int i = 0; i < search->sweep.wanted_count; i++)
        if (compare_objective(search, i, a, b) > 0)
            return false;
    return true;
}

/* The same of designs: one whose controller takes time that is not counted is worse in that. */
static bool is_design_as_good(const struct search *search, const struct search_point *a,
                              const struct search_point *b)
{
    return (!a->uncounted || b->uncounted) && is_as_good(search, a->value, b->value);
}

void search_append(struct search_front *front, const struct search_point *point)
{
    front->point =
        array_reserve(front->point, front->count, &front->capacity, sizeof *front->point);
    front->point[front->count++] = *point;
}

void search_add(const struct search *search, struct search_front *front,
                const struct search_point *point)
{
    int kept = 0;

    for (int i = 0; i < front->count; i++)
        if (is_design_as_good(search, &front->point[i], point)) {
            /* the next designs are often dominated by the same one */
            struct search_point first = front->point[i];

            memmove(&front->point[1], &front->point[0], (size_t)i * sizeof first);
            front->point[0] = first;
            return;
        }
    for (int i = 0; i < front->count; i++)
        if (!is_design_as_good(search, point, &front->point[i]))
            front->point[kept++] = front->point[i];
    front->count = kept;
    search_append(front, point);
}

static bool comes_before(const struct search *search, const struct search_point *a,
                         const struct search_point *b)
{
    for (int i = 0; i < search->sweep.wanted_count; i++) {
        int order = compare_objective(search, i, a->value, b->value);

        if (order != 0)
            return order < 0;
    }
    return a->number < b->number;
}

void search_sort(const struct search *search, struct search_front *front)
{
    for (int i = 1; i < front->count; i++) {
        struct search_point point = front->point[i];
        int at = i;

        for (; at > 0 && comes_before(search, &point, &front->point[at - 1]); at--)
            front->point[at] = front->point[at - 1];
        front->point[at] = point;
    }
}

/* Running -------------------------------------------------------------------------------------- */

/* Returns true if a design has the preset that is asked for. */
static bool has_preset(const struct search *search, const struct sweep_row *row)
{
    for (int i = 0; i < search->sweep.axis_count; i++)
        if (search->sweep.axis[i].preset != NULL &&
            strcmp(search->sweep.axis[i].word[row->at[i]], search->why) == 0)
            return true;
    return false;
}

struct search_work {
    struct search *search;
    struct scenario *scenario; /* of one design; NULL: the controller is that of all */
};

/* `work` is set to the design. */
static bool is_uncounted(const struct search *search, uint64_t number, struct scenario *work)
{
    struct error ignored;

    return sweep_design(&search->sweep, number, work, &ignored) == STATUS_OK &&
           !controllers_computed(work);
}

void search_mark_uncounted(const struct search *search, struct search_front *front)
{
    struct scenario *work;

    if (!any_axis(&search->sweep, controllers_depend))
        return;
    work = allocate(sizeof *work);
    for (int i = 0; i < front->count; i++)
        front->point[i].uncounted = is_uncounted(search, front->point[i].number, work);
    free(work);
}

static bool receive_row(void *context, const struct sweep_row *row)
{
    const struct search_work *work = context;
    struct search *search = work->search;
    struct search_point point = {.number = row->number};
    bool why = search->why != NULL && has_preset(search, row);

    if (row->verdict == SWEEP_INVALID && search->count[SWEEP_INVALID] == 0) {
        search->invalid = row->number;
        search->problem = row->error;
    }
    search->count[row->verdict]++;
    if (why)
        search->why_count[row->verdict]++;
    if (row->verdict != SWEEP_KEPT || row->surpassed)
        return true;
    point.uncounted = work->scenario != NULL && is_uncounted(search, row->number, work->scenario);
    memcpy(point.value, row->value, (size_t)search->sweep.wanted_count * sizeof *row->value);
    search_add(search, &search->front, &point);
    if (search->learning != NULL) {
        pthread_mutex_lock(search->learning);
        search_add(search, &search->known, &point);
        pthread_mutex_unlock(search->learning);
    }
    if (why)
        search_add(search, &search->why_front, &point);
    return true;
}

/* Evaluates designs and adds them to the answer. */
static enum status run_sweep(struct search *search, uint64_t first, uint64_t end,
                             const struct progress *progress, struct error *error)
{
    struct search_work work = {.search = search};
    const struct sweep_rows rows = {.receive = receive_row, .context = &work};
    struct sweep sweep = search->sweep;
    enum status status;

    if (any_axis(&search->sweep, controllers_depend))
        work.scenario = allocate(sizeof *work.scenario);
    /* designs with the preset that is asked for have a front of their own, and some that dominate
     * others do not count where a controller may be uncounted */
    sweep.best_only = !search->fell && search->why == NULL && work.scenario == NULL;
    sweep.fell = &search->fell;
    status = sweep_designs(&sweep, first, end, &rows, progress, error);
    free(work.scenario);
    return status;
}

static void copy_front(const struct search_front *from, struct search_front *to)
{
    *to = (struct search_front){.count = 0};
    for (int i = 0; i < from->count; i++)
        search_append(to, &from->point[i]);
}

enum status search_run(struct search *search, uint64_t first, uint64_t end,
                       const struct progress *progress, struct error *error)
{
    const bool fell = search->fell;
    uint64_t count[SEARCH_VERDICTS];
    struct search_front before;
    enum status status;

    memcpy(count, search->count, sizeof count);
    copy_front(&search->front, &before);
    status = run_sweep(search, first, end, progress, error);
    if (search->fell && !fell) { /* again, from the answer before */
        const struct search_front wrong = search->front;

        memcpy(search->count, count, sizeof count);
        search->front = before;
        before = wrong;
        if (status == STATUS_OK)
            status = run_sweep(search, first, end, progress, error);
    }
    free(before.point);
    search_sort(search, &search->front);
    search_sort(search, &search->why_front);
    return status;
}

uint64_t search_tried(const struct search *search)
{
    uint64_t tried = 0;

    for (int v = 0; v < SEARCH_VERDICTS; v++)
        tried += search->count[v];
    return tried;
}

/* Appends "828 overloaded". */
static void print_exclusion(const struct search *search, int verdict, uint64_t count,
                            struct buffer *text)
{
    static const char *const words[] = {[SWEEP_REPEATED] = "",
                                        [SWEEP_INVALID] = "invalid",
                                        [SWEEP_UNHOSTED] = "with a part for another host",
                                        [SWEEP_LANES] = "need more PCIe lanes than the host has",
                                        [SWEEP_UNFIT] = "with too small a memory",
                                        [SWEEP_OVERLOADED] = "overloaded",
                                        [SWEEP_UNKNOWN] = "with an unknown value",
                                        [SWEEP_BOUNDED] = "by a bound, not evaluated"};
    const char *gap = text->length > 0 ? ", " : "";
    char condition[CONDITION_TEXT_MAX];

    if (verdict >= SWEEP_MISSED) {
        condition_print(&search->conditions.list[verdict - SWEEP_MISSED], condition,
                        sizeof condition);
        buffer_print(text, "%s%" PRIu64 " miss%s %s", gap, count, count != 1 ? "" : "es",
                     condition);
    } else {
        buffer_print(text, "%s%" PRIu64 " %s", gap, count,
                     verdict == SWEEP_LANES && count == 1
                         ? "needs more PCIe lanes than the host has"
                         : words[verdict]);
    }
}

void search_print_excluded(const struct search *search, const uint64_t count[SEARCH_VERDICTS],
                           struct buffer *text)
{
    bool printed[SEARCH_VERDICTS] = {false};

    for (;;) {
        int most = -1;

        for (int v = SWEEP_INVALID; v < SWEEP_MISSED + search->conditions.count; v++)
            if (!printed[v] && count[v] > 0 && (most < 0 || count[v] > count[most]))
                most = v;
        if (most < 0)
            return;
        printed[most] = true;
        print_exclusion(search, most, count[most], text);
    }
}

/* Bound ---------------------------------------------------------------------------------------- */

/* Gets what a result is at least; RESULT_NONE if the design has none. Returns false if that is not
 * known. */
static bool find_least_result(const struct result_row *row, const struct sweep_least *least,
                              double *value)
{
    switch (result_id(row)) {
    case RESULT_LATENCY:
    case RESULT_LATENCY_HIGH: /* at least the latency */
        *value = least->latency;
        return true;
    case RESULT_WATTS:
        *value = least->watts;
        return true;
    case RESULT_PRICE:
        *value = least->price;
        return true;
    case RESULT_COUNT:
        *value = least->count;
        return true;
    default:
        return false;
    }
}

bool search_can_bound(const struct search *search)
{
    const struct sweep_least least = {0, 0, 0, 0};
    double value;

    for (int i = 0; i < search->sweep.wanted_count; i++)
        if (!find_least_result(search->objective[i].row, &least, &value))
            return false;
    return sweep_inner(&search->sweep) > 0;
}

/* Returns the condition with an upper limit that a design misses, or -1. */
static int missed_limit(const struct search *search, const struct sweep_least *least)
{
    for (int i = 0; i < search->conditions.count; i++) {
        const struct condition *condition = &search->conditions.list[i];
        double value;

        if (condition->against || !find_least_result(condition->left.row, least, &value))
            continue;
        if ((condition->relation == RELATION_AT_MOST && value > condition->bound) ||
            (condition->relation == RELATION_BELOW && value >= condition->bound))
            return i;
    }
    return -1;
}

/* Returns true if a known design is as good as the values of a design and better in an objective,
 * or has a lower number. */
static bool is_known_better(const struct search *search, uint64_t number, const double *value)
{
    for (int i = 0; i < search->known.count; i++) {
        const struct search_point *known = &search->known.point[i];

        if (!known->uncounted && is_as_good(search, known->value, value) &&
            (known->number < number || !is_as_good(search, value, known->value)))
            return true;
    }
    return false;
}

static int excludes_design(void *context, const struct sweep_row *row,
                           const struct sweep_least *least)
{
    const struct search *search = context;
    int missed = missed_limit(search, least);
    double value[OBJECTIVES_MAX];
    bool better;

    if (search->why != NULL && has_preset(search, row))
        return SWEEP_KEPT;
    if (missed >= 0)
        return SWEEP_MISSED + missed;
    for (int i = 0; i < search->sweep.wanted_count; i++)
        if (!find_least_result(search->objective[i].row, least, &value[i]))
            return SWEEP_KEPT;
        else if (value[i] == RESULT_NONE)
            return SWEEP_UNKNOWN;
    if (search->learning != NULL)
        pthread_mutex_lock(search->learning);
    better = is_known_better(search, row->number, value);
    if (search->learning != NULL)
        pthread_mutex_unlock(search->learning);
    return better ? SWEEP_BOUNDED : SWEEP_KEPT;
}

/* While the known designs are found, which ones a thread excludes by them depends on the others;
 * but those are on no front, so that the known designs do not. */
enum status search_bound(struct search *search, const struct progress *progress,
                         struct error *error)
{
    enum { COMBINATIONS = 16, PART = 8 }; /* at most, and of the designs at most one in so many */
    pthread_mutex_t learning = PTHREAD_MUTEX_INITIALIZER;
    uint64_t inner = sweep_inner(&search->sweep);
    uint64_t tried[COMBINATIONS];
    struct search sample = *search;
    struct search_front found;
    enum status status;
    int count = 0;

    sample.known = sample.front = sample.why_front = (struct search_front){.count = 0};
    sample.why = NULL;
    sample.learning = &learning;
    sample.sweep.sample = true;
    sample.sweep.excludes = excludes_design;
    sample.sweep.excluding = &sample;
    status = search_run(&sample, 0, search->designs, progress, error);
    sample.sweep.sample = false;
    found = sample.front;
    sample.front = (struct search_front){.count = 0};
    for (int i = 0; i < found.count && count < COMBINATIONS && status == STATUS_OK &&
                    (uint64_t)count * inner < search->designs / PART;
         i++) {
        uint64_t outer = found.point[i].number / inner;
        bool again = false;

        for (int k = 0; k < count; k++)
            again = again || tried[k] == outer;
        if (again)
            continue;
        tried[count++] = outer;
        status = search_run(&sample, outer * inner, (outer + 1) * inner, progress, error);
    }
    free(found.point);
    free(sample.front.point);
    search->known = sample.known;
    search->bounded = true;
    search->sweep.excludes = excludes_design;
    search->sweep.excluding = search;
    return status;
}

/* Description ---------------------------------------------------------------------------------- */

/* Finds the device whose memory is the fullest. */
static void find_fullest(const struct scenario *scenario, const struct result *result,
                         struct search_design *design)
{
    design->memory = RESULT_NONE;
    for (int d = 0; d < result->device_count; d++) {
        double size = scenario->device[d].memory_size;
        double held = result->device[d].held;

        if (size <= 0 || held <= 0 || held / size <= design->memory)
            continue;
        design->memory = held / size;
        snprintf(design->memory_of, sizeof design->memory_of, "%s", result->device[d].name);
    }
}

int search_find_better(const struct search *search, const struct search_point *point)
{
    for (int i = 0; i < search->sweep.wanted_count; i++)
        if (point->value[i] == RESULT_NONE)
            return -1;
    for (int i = 0; i < search->front.count; i++)
        if (is_design_as_good(search, &search->front.point[i], point))
            return i;
    return -1;
}

/* Fills in the design that the trial has; `errors` NULL: not wanted. */
static enum status describe_design(const struct search *search, struct trial *trial,
                                   struct search_design *design, struct compare_errors **errors,
                                   struct error *error)
{
    const struct sweep *sweep = &search->sweep;
    const struct scenario *work = &trial->scenario;
    struct result *result = &trial->result;
    struct latency_range range;
    unsigned derived = DERIVED_RANGE | conditions_derived(&search->conditions);
    enum status status;

    for (int i = 0; i < sweep->wanted_count; i++)
        derived |= sweep->wanted[i].row->derived;
    status = derived_find(work, result, derived, &range, error);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < sweep->wanted_count; i++)
        design->point.value[i] = result_read(work, result, &sweep->wanted[i]);
    design->latency = result->latency;
    design->low = result->latency_low;
    design->high = result->latency_high;
    design->may_not_keep_up = range.may_not_keep_up;
    design->other_clock = compare_clocks(sweep->base->device, sweep->base->device_count,
                                         work->device, work->device_count);
    design->margin = result->margin;
    design->max_frame_rate = result->max_frame_rate;
    design->watts = result->watts;
    /* without a star nobody asks for its loop */
    design->total = budget_has_star(work) ? derived_star_total(work, result) : RESULT_NONE;
    design->price = result->price;
    design->parts = result->part_count;
    design->bound = result->bottleneck_bound;
    design->uncounted = controllers_uncounted(work);
    design->point.uncounted = any_axis(sweep, controllers_depend) && !controllers_computed(work);
    find_fullest(work, result, design);
    verdict_limit(work, result, false, design->limited_by);
    snprintf(design->limit, sizeof design->limit, "%s", result->limit);
    if (result->bound_node >= 0)
        snprintf(design->bound_node, sizeof design->bound_node, "%s",
                 result->node[result->bottleneck].name);
    if (errors != NULL)
        *errors = compare_errors_copy(&(const struct compare_side){work, result, &range});
    return STATUS_OK;
}

enum status search_describe(const struct search *search, uint64_t number, struct trial *trial,
                            struct search_design *design, struct compare_errors **errors,
                            struct error *error)
{
    design->point.number = number;
    sweep_values(&search->sweep, number, design->at);
    if (sweep_design(&search->sweep, number, &trial->scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    return describe_design(search, trial, design, errors, error);
}

enum status search_describe_present(const struct search *search, struct trial *trial,
                                    struct search_answer *answer, struct error *error)
{
    enum status status;

    trial_reset(trial);
    status = describe_design(search, trial, &answer->present, NULL, error);
    answer->has_present = status == STATUS_OK;
    if (answer->has_present)
        answer->present_verdict =
            sweep_judge(&search->sweep, &trial->scenario, &trial->result, true);
    return status == STATUS_INVALID ? STATUS_OK : status;
}

bool search_is_less_certain(const struct search_answer *answer, const struct search_design *design)
{
    const struct search_design *present = &answer->present;

    return answer->has_present && design->low != RESULT_NONE && present->high != RESULT_NONE &&
           design->latency < present->latency &&
           (design->high == RESULT_NONE || design->high > PACKETS_HIGH * present->high);
}

/* Returns true if a design that was evaluated again has the values of a front. */
static bool has_values(const struct search *search, const struct search_design *design,
                       const struct search_point *point)
{
    for (int i = 0; i < search->sweep.wanted_count; i++)
        if (!(fabs(design->point.value[i] - point->value[i]) <= SAME * fabs(point->value[i])))
            return false;
    return true;
}

/* Fills in what a front knows of a design that is not evaluated again. */
static void describe_point(const struct search *search, const struct search_point *point,
                           struct search_design *design)
{
    *design = (struct search_design){.point = *point,
                                     .latency = RESULT_NONE,
                                     .low = RESULT_NONE,
                                     .high = RESULT_NONE,
                                     .margin = RESULT_NONE,
                                     .max_frame_rate = RESULT_NONE,
                                     .watts = RESULT_NONE,
                                     .price = RESULT_NONE,
                                     .parts = RESULT_NONE,
                                     .memory = RESULT_NONE,
                                     .total = RESULT_NONE};
    sweep_values(&search->sweep, point->number, design->at);
    for (int i = 0; i < search->sweep.wanted_count; i++) {
        const double value = point->value[i];

        switch (result_id(search->sweep.wanted[i].row)) {
        case RESULT_LATENCY:
            design->latency = value;
            break;
        case RESULT_LATENCY_LOW:
            design->low = value;
            break;
        case RESULT_LATENCY_HIGH:
            design->high = value;
            break;
        case RESULT_MARGIN:
            design->margin = value;
            break;
        case RESULT_MAX_FRAME_RATE:
            design->max_frame_rate = value;
            break;
        case RESULT_WATTS:
            design->watts = value;
            break;
        case RESULT_PRICE:
            design->price = value;
            break;
        case RESULT_COUNT:
            design->parts = value;
            break;
        default:
            break;
        }
    }
}

/* Describes the first designs of a front, `done` of `all`; those that a stop leaves out by what the
 * front knows of them. */
static enum status describe_front(const struct search *search, const struct search_front *front,
                                  struct trial *trial, int *done, int all, int count,
                                  struct search_design **design, struct compare_errors **errors,
                                  struct error *error)
{
    enum status status = STATUS_OK;

    *design = allocate_array((size_t)count + 1, sizeof **design);
    for (int i = 0; i < count && status != STATUS_INVALID; i++) {
        const struct search_point *point = &front->point[i];
        struct search_design *at = &(*design)[i];

        trial_goes_on(trial, (*done)++ / (double)all);
        status = trial_status(trial, error);
        if (status == STATUS_OK)
            status = search_describe(search, point->number, trial, at,
                                     errors != NULL ? &errors[i] : NULL, error);
        if (status == STATUS_OK && !has_values(search, at, point))
            status =
                error_set(error, STATUS_INVALID,
                          "design %.0f has other results here than in its block: the program or "
                          "the file has changed",
                          (double)at->point.number + 1);
        if (status == STATUS_STOPPED) {
            trial->stopped = true;
            describe_point(search, point, at);
        }
    }
    return status;
}

enum status search_answer(const struct search *search, const struct progress *progress,
                          struct result *result, struct search_answer *answer, struct error *error)
{
    struct trial *trial = trial_new_with(search->sweep.base, result, progress);
    int done = 0, all;
    enum status status;

    *answer =
        (struct search_answer){.count = search->front.count, .why_count = search->why_front.count};
    if (answer->why_count > SEARCH_WHY)
        answer->why_count = SEARCH_WHY;
    all = answer->count + answer->why_count + 1;
    answer->errors = allocate_array((size_t)answer->count + 1, sizeof *answer->errors);
    status = describe_front(search, &search->front, trial, &done, all, answer->count,
                            &answer->front, answer->errors, error);
    if (status != STATUS_INVALID)
        status = describe_front(search, &search->why_front, trial, &done, all, answer->why_count,
                                &answer->why, NULL, error);
    if (status != STATUS_INVALID && trial_goes_on(trial, done / (double)all))
        status = search_describe_present(search, trial, answer, error);
    answer->stopped = trial->stopped || status == STATUS_STOPPED;
    trial_free(trial);
    return status == STATUS_INVALID ? STATUS_INVALID : STATUS_OK;
}

/* Equivalent designs --------------------------------------------------------------------------- */

/* Returns true if two latencies or values of an objective are not the same for a buyer. */
static bool differ(double a, double b, double within)
{
    return within > 0 ? compare_differs(a, b) && fabs(a - b) > within * smaller(fabs(a), fabs(b))
                      : compare_matters(a, b);
}

/* Returns true for an objective that says nothing beside the latency and the power. */
static bool follows_latency(const struct result_row *row)
{
    switch (result_id(row)) {
    case RESULT_LATENCY:
    case RESULT_LATENCY_LOW:
    case RESULT_LATENCY_HIGH:
    case RESULT_MARGIN:
    case RESULT_WATTS:
        return true;
    default:
        return false;
    }
}

static bool can_be_told(const struct search *search, double within,
                        const struct search_answer *answer, int i, int k)
{
    const struct search_design *a = &answer->front[i], *b = &answer->front[k];

    if (a->may_not_keep_up != b->may_not_keep_up || a->point.uncounted != b->point.uncounted)
        return true;
    for (int w = 0; w < search->sweep.wanted_count; w++)
        if (!follows_latency(search->sweep.wanted[w].row) &&
            differ(a->point.value[w], b->point.value[w], within))
            return true;
    if (within > 0)
        return differ(a->latency, b->latency, within);
    return answer->errors[i] == NULL || answer->errors[k] == NULL ||
           compare_errors_told(answer->errors[i], answer->errors[k]);
}

/* Sorts designs by power, those without last, equal ones as they are listed. */
static int by_watts(const void *a, const void *b)
{
    const struct search_design *x = *(struct search_design *const *)a;
    const struct search_design *y = *(struct search_design *const *)b;

    if ((x->watts == RESULT_NONE) != (y->watts == RESULT_NONE))
        return x->watts == RESULT_NONE ? 1 : -1;
    return x->watts != y->watts ? (x->watts > y->watts ? 1 : -1) : (x > y) - (x < y);
}

void search_fold(const struct search *search, double within, struct search_answer *answer)
{
    struct search_design *front = answer->front;
    struct search_design **design = allocate_array((size_t)answer->count + 1, sizeof(void *));
    int shown = 0; /* the first ones of `design` stand for a group */

    for (int i = 0; i < answer->count; i++)
        design[i] = &front[i];
    qsort(design, (size_t)answer->count, sizeof(void *), by_watts);
    for (int i = 0; i < answer->count; i++) {
        struct search_design *next = design[i];
        int g = shown - 1;

        while (g >= 0 &&
               can_be_told(search, within, answer, (int)(design[g] - front), (int)(next - front)))
            g--;
        next->equivalent = 0;
        if (g < 0) {
            next->fastest = next->slowest = next->latency;
            design[g = shown++] = next;
        }
        next->shown = (int)(design[g] - front);
        design[g]->equivalent += design[g] != next;
        design[g]->fastest = smaller(design[g]->fastest, next->latency);
        design[g]->slowest = larger(design[g]->slowest, next->latency);
    }
    free(design);
}

void search_answer_free(struct search_answer *answer)
{
    for (int i = 0; i < answer->count && answer->errors != NULL; i++)
        free(answer->errors[i]);
    free(answer->errors);
    free(answer->front);
    free(answer->why);
    *answer = (struct search_answer){.count = 0};
}

void search_free(struct search *search)
{
    free(search->front.point);
    free(search->why_front.point);
    free(search->known.point);
    search->known = search->front = search->why_front = (struct search_front){.count = 0};
}
