#include "explore/rank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "explore/compare.h"
#include "explore/sweep.h"
#include "explore/trial.h"
#include "model/result_read.h"

const char *const rank_order_names[RANK_ORDERS] = {[RANK_LATENCY] = "latency",
                                                   [RANK_RATE] = "rate",
                                                   [RANK_LATENCY_TDP] = "latency-tdp",
                                                   [RANK_TOTAL] = "nm"};

/* Returns true if an order is by the result of that name. */
static bool is_order_by(enum rank_order order, const char *name)
{
    static const enum result_id results[RANK_ORDERS] = {[RANK_LATENCY] = RESULT_LATENCY,
                                                        [RANK_RATE] = RESULT_MAX_FRAME_RATE,
                                                        [RANK_TOTAL] = RESULT_LOOP_TOTAL};
    const struct result_row *row = &result_rows[results[order]];
    size_t scope = row->scope == RESULT_LOOP && strncmp(name, "loop.", 5) == 0 ? 5 : 0;

    return order != RANK_LATENCY_TDP && result_is_called(row, name + scope);
}

bool rank_order_find(const char *name, enum rank_order *order)
{
    for (int o = 0; o < RANK_ORDERS; o++) {
        if (strcmp(rank_order_names[o], name) == 0 || is_order_by((enum rank_order)o, name)) {
            *order = (enum rank_order)o;
            return true;
        }
    }
    return false;
}

/* The device ----------------------------------------------------------------------------------- */

enum status rank_device(const struct scenario *scenario, enum device_kind kind, const char *name,
                        int *device, struct error *error)
{
    const char *word = knob_word(KNOB_DEVICE_KIND, (int)kind);
    char names[400]; /* names of devices of the kind: "rtc, gpu0" */
    struct buffer list = buffer_over(names, sizeof names);

    for (int d = 0; d < scenario->device_count; d++) {
        const struct device *at = &scenario->device[d];

        if (at->kind != (int)kind)
            continue;
        if (name == NULL ? scenario_device_used(scenario, d) : strcmp(at->head.name, name) == 0) {
            *device = d;
            return STATUS_OK;
        }
        buffer_item(&list, at->head.name);
    }
    if (names[0] == '\0')
        return error_set(error, STATUS_INVALID,
                         "the design has no device of kind %s; without a name one is added", word);
    if (name == NULL)
        return error_set(error, STATUS_INVALID,
                         "no %s of the design runs a component; available: %s", word, names);
    if (section_find(scenario, SECTION_DEVICE, name) >= 0)
        return error_set(error, STATUS_INVALID, "device %s is not a %s; available: %s", name, word,
                         names);
    return error_set(error, STATUS_INVALID, "unknown device \"%.60s\"; available of kind %s: %s",
                     name, word, names);
}

/* Own values ----------------------------------------------------------------------------------- */

bool rank_next_own(const struct scenario *scenario, int device, int *k, struct knob_ref *ref)
{
    int end = knob_section_first(SECTION_DEVICE) + knob_section_count(SECTION_DEVICE);

    for (; *k < end; ++*k) {
        *ref = knob_ref_to((enum knob_id) * k, device);
        if (*k != KNOB_DEVICE_PRESET && *k != KNOB_DEVICE_KIND && !knobs[*k].stays &&
            knob_applies(scenario, SECTION_DEVICE, device, ref->knob) &&
            knob_is_own(scenario, *ref)) {
            ++*k;
            return true;
        }
    }
    return false;
}

void rank_own_labels(const struct scenario *scenario, int device, char *text, size_t size)
{
    struct buffer labels = buffer_over(text, size);
    int k = knob_section_first(SECTION_DEVICE);
    struct knob_ref ref;

    while (rank_next_own(scenario, device, &k, &ref))
        buffer_item(&labels, ref.knob->label);
}

/* Evaluating ----------------------------------------------------------------------------------- */

/* The presets in place of a device. */
struct rank_run {
    struct rank *rank;
    struct catalogue *catalogue;
    struct axis *own; /* values to keep */
    int own_count;
    struct trial *trial, *best;
    const struct ranked *found; /* the row of the best design; NULL: not found yet */
    struct latency_range of_trial, of_best;
};

/* Tries a row; returns false if its preset is refused. */
static bool set_preset(struct rank_run *run, const struct ranked *row)
{
    struct trial *trial = run->trial;
    bool set =
        trial_set_preset(trial, run->catalogue, run->rank->question.device, row->preset->name);

    for (int i = 0; i < run->own_count && set; i++)
        set = axis_apply(&run->own[i], 0, &trial->scenario, &trial->problem) == STATUS_OK;
    return set;
}

static void try_preset(struct rank_run *run, struct ranked *row)
{
    const struct trial *trial = run->trial;
    const struct performance *after = &trial->after;
    int d = run->rank->question.device;
    const struct device *device = &trial->scenario.device[d];

    if (!set_preset(run, row) || !trial_evaluate(run->trial)) {
        trial_problem(trial, &row->problem);
        return;
    }
    row->unfit = !trial->result.device[d].fits;
    row->other_clock = compare_clocks(trial->design->device, trial->design->device_count,
                                      trial->scenario.device, trial->scenario.device_count);
    row->not_singly = !row->present && device->sold_in[0] != '\0';
    row->other_host = !row->present && sweep_needs_other_host(trial->design, d, device->base);
    row->latency = after->latency;
    row->margin = trial->result.margin;
    row->max_frame_rate = after->max_frame_rate;
    snprintf(row->limit, sizeof row->limit, "%s", trial->result.limit);
    row->load = after->load;
    row->overloaded = row->may_not_keep_up = after->overloaded;
    snprintf(row->bound_node, sizeof row->bound_node, "%s", after->bound);
    row->bound = after->by;
    snprintf(row->resource, sizeof row->resource, "%s", after->limit);
    if (device->tdp > 0) {
        row->tdp = device_power(device);
        row->latency_tdp = row->latency * row->tdp;
    }
    row->price = trial->result.device[d].price;
}

/* Creates a row for each preset of the kind, not yet tried. */
static void list_presets(struct catalogue *catalogue, const struct device *device,
                         struct rank *rank)
{
    rank->row = allocate_array((size_t)catalogue_count(catalogue) + 1, sizeof *rank->row);
    for (int i = 0; i < catalogue_count(catalogue); i++) {
        const struct preset *preset = catalogue_at(catalogue, i);
        struct ranked *row = &rank->row[rank->count];

        if (preset->kind != preset_kind_of(device))
            continue;
        *row = (struct ranked){.preset = preset,
                               .title = catalogue_title(catalogue, i),
                               .present = strcmp(preset->name, device->preset) == 0,
                               .latency = RESULT_NONE,
                               .margin = RESULT_NONE,
                               .low = RESULT_NONE,
                               .high = RESULT_NONE,
                               .least = RESULT_NONE,
                               .most = RESULT_NONE,
                               .total = RESULT_NONE,
                               .lag = RESULT_NONE,
                               .max_frame_rate = RESULT_NONE,
                               .load = RESULT_NONE,
                               .tdp = RESULT_NONE,
                               .latency_tdp = RESULT_NONE,
                               .price = RESULT_NONE};
        rank->count++;
    }
}

/* Removes the rows of presets whose memory is too small, or that were not evaluated. */
static void remove_rows(struct rank *rank)
{
    int kept = 0;

    for (int i = 0; i < rank->count; i++) {
        const struct ranked *row = &rank->row[i];

        if (row->unfit)
            rank->excluded++;
        else if (row->problem.status == STATUS_INVALID ||
                 (row->problem.status == STATUS_OK && row->latency != RESULT_NONE))
            rank->row[kept++] = *row;
        else
            rank->untried++;
    }
    rank->count = kept;
}

/* Finds the range of a row's latency and compares it with the best one, which is the first that
 * keeps up. */
static void find_row_range(struct rank_run *run, struct ranked *row)
{
    struct latency_range *range = &run->of_trial;
    const struct compare_side side[SIDES] = {
        {&run->best->scenario, &run->best->result, &run->of_best},
        {&run->trial->scenario, &run->trial->result, range}};
    struct compare_verdict verdict;

    if (!set_preset(run, row) || !trial_find_range(run->trial, DERIVED_RANGE, range))
        return;
    row->total = trial_star_total(run->trial);
    row->lag = run->trial->result.loop.lag;
    row->low = range->low;
    row->high = range->high;
    row->may_not_keep_up = range->may_not_keep_up;
    if (row->may_not_keep_up)
        return;
    if (run->found == NULL) {
        struct trial *best = run->trial;

        run->found = row;
        run->trial = run->best;
        run->best = best;
        run->of_best = *range;
        return;
    }
    compare_latencies(side, &verdict);
    row->tied = compare_tied(&verdict);
    row->least = verdict.least;
    row->most = verdict.most;
}

/* Finds the ranges of the rows that are not overloaded, and those of them that keep up without a
 * practical difference from the least latency. */
static void find_ranges(struct rank_run *run)
{
    struct rank *rank = run->rank;

    rank_sort(rank, RANK_LATENCY);
    for (int i = 0; i < rank->count && trial_goes_on(run->trial, i / (double)rank->count); i++) {
        struct ranked *row = &rank->row[i];

        if (row->problem.status == STATUS_OK && !row->overloaded)
            find_row_range(run, row);
    }
}

enum status rank_presets(const struct scenario *scenario, struct catalogue *catalogue,
                         struct rank_question question, enum rank_order order,
                         const struct progress *progress, struct rank *rank, struct error *error)
{
    struct rank_run *run = allocate_array(1, sizeof *run);
    int k = knob_section_first(SECTION_DEVICE);
    struct knob_ref ref;
    enum status status;

    *rank = (struct rank){.question = question};
    run->rank = rank;
    run->catalogue = catalogue;
    run->own = allocate_array((size_t)knob_section_count(SECTION_DEVICE), sizeof *run->own);
    while (question.keep && rank_next_own(scenario, question.device, &k, &ref))
        axis_present(&run->own[run->own_count++], scenario, ref);
    run->best = trial_new(scenario, progress);
    run->trial = trial_new(scenario, progress);
    run->trial->width = run->best->width = 0.5;
    list_presets(catalogue, &scenario->device[question.device], rank);
    for (int i = 0; i < rank->count && trial_goes_on(run->trial, i / (double)rank->count); i++)
        try_preset(run, &rank->row[i]);
    remove_rows(rank);
    run->trial->from = run->best->from = 0.5;
    find_ranges(run);
    status = trial_status(run->trial, error);
    for (int i = 0; i < run->own_count; i++)
        axis_free(&run->own[i]);
    free(run->own);
    trial_free(run->best);
    trial_free(run->trial);
    free(run);
    rank_sort(rank, order);
    return status;
}

void rank_free(struct rank *rank)
{
    free(rank->row);
    *rank = (struct rank){.count = 0};
}

/* Order ---------------------------------------------------------------------------------------- */

static int row_class(const struct ranked *row)
{
    return row->problem.status != STATUS_OK ? 3 : row->overloaded + row->may_not_keep_up;
}

/* Returns the number to minimise; missing values sort last. */
static double row_key(const struct ranked *row, enum rank_order order)
{
    double key = order == RANK_LATENCY ? row->latency
                 : order == RANK_RATE  ? row->max_frame_rate
                 : order == RANK_TOTAL ? row->total
                                       : row->latency_tdp;

    if (key == RESULT_NONE)
        return -RESULT_NONE;
    return order == RANK_RATE ? -key : key;
}

static bool ranks_before(const struct ranked *a, const struct ranked *b, enum rank_order order)
{
    if (row_class(a) != row_class(b))
        return row_class(a) < row_class(b);
    if (a->overloaded && a->load != b->load)
        return a->load < b->load;
    if (a->problem.status == STATUS_OK && row_key(a, order) != row_key(b, order))
        return row_key(a, order) < row_key(b, order);
    return strcmp(a->preset->name, b->preset->name) < 0;
}

void rank_sort(struct rank *rank, enum rank_order order)
{
    for (int i = 1; i < rank->count; i++) {
        struct ranked row = rank->row[i];
        int at = i;

        for (; at > 0 && ranks_before(&row, &rank->row[at - 1], order); at--)
            rank->row[at] = rank->row[at - 1];
        rank->row[at] = row;
    }
}

/* A device for a design without any ------------------------------------------------------------ */

bool rank_has_kind(const struct scenario *scenario, enum device_kind kind)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario->device[d].kind == (int)kind)
            return true;
    return false;
}

/* Returns the component that uses most of a device; -1 if none computes. */
static int find_heaviest(const struct result *result)
{
    int found = -1;
    double most = -1;

    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];
        double work = node->share * fmax(node->compute, node->memory);

        if (node->component < 0 || node->part >= 0 || !component_type_computes(node->type) ||
            work <= most)
            continue;
        most = work;
        found = node->component;
    }
    return found;
}

enum status rank_add_device(struct scenario *scenario, const struct result *result,
                            enum device_kind kind, int *device, int *component, struct error *error)
{
    const char *word = knob_word(KNOB_DEVICE_KIND, (int)kind);
    int moved = find_heaviest(result);
    char name[NAME_MAX_LENGTH + 1];
    int host, number = 0;
    enum status status;

    if (moved < 0)
        return error_set(error, STATUS_INVALID,
                         "no component of the design computes, so a %s would have nothing to run",
                         word);
    host = scenario_host(scenario, scenario_device(scenario, moved));
    do
        snprintf(name, sizeof name, "%s%d", word, number++);
    while (section_find(scenario, SECTION_DEVICE, name) >= 0);
    *component = moved;
    *device = scenario->device_count;
    status = scenario_insert(scenario, SECTION_DEVICE, *device, name, error);
    if (status != STATUS_OK)
        return status;
    scenario_reset_component(scenario, moved);
    status = knob_set_text(scenario, knob_ref_to(KNOB_DEVICE_KIND, *device), word, error);
    if (status == STATUS_OK && kind == DEVICE_GPU)
        status = knob_set_text(scenario, knob_ref_to(KNOB_DEVICE_HOST, *device),
                               scenario->device[host].head.name, error);
    if (status == STATUS_OK)
        status = knob_set_text(scenario, knob_ref_to(KNOB_COMPONENT_DEVICE, moved), name, error);
    return status;
}
