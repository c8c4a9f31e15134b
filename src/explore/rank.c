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
#include "explore/candidate.h"
#include "explore/compare.h"
#include "model/evaluate.h"
#include "model/link.h"

const char *const rank_order_names[RANK_ORDERS] = {
    [RANK_LATENCY] = "latency", [RANK_RATE] = "rate", [RANK_LATENCY_TDP] = "latency-tdp"};

bool rank_order_find(const char *name, enum rank_order *order)
{
    for (int o = 0; o < RANK_ORDERS; o++) {
        if (strcmp(rank_order_names[o], name) == 0) {
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

/* Finds the next number or choice, from row *k of the knob table on, that the scenario states for
 * the device and a preset clears. Returns false if there is none. */
static bool next_own(const struct scenario *scenario, int device, int *k, struct knob_ref *ref)
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

    while (next_own(scenario, device, &k, &ref))
        buffer_item(&labels, ref.knob->label);
}

/* Copies the values that `from` states for the device to another scenario. */
static enum status keep_own(const struct scenario *from, struct scenario *to, int device,
                            struct error *error)
{
    int k = knob_section_first(SECTION_DEVICE);
    struct knob_ref ref;
    char text[2304];

    while (next_own(from, device, &k, &ref)) {
        if (!knob_applies(to, SECTION_DEVICE, device, ref.knob))
            continue;
        knob_get_text(from, ref, text, sizeof text);
        if (knob_set_text(to, ref, text, error) != STATUS_OK) {
            error_prefix(error, "%s", ref.knob->key);
            return error->status;
        }
    }
    return STATUS_OK;
}

/* Returns true if the lanes that a processor's preset states carry a port and the widest of the
 * accelerators that the device hosts. */
static bool has_lanes(const struct scenario *scenario, int device, const struct device *part)
{
    enum { WIDEST = 16 };
    double lanes = 0;

    if (!knob_set_has(&part->head.own, &knobs[KNOB_DEVICE_PCIE_LANES]))
        return false;
    for (int d = 0; d < scenario->device_count; d++) {
        const struct device *board = &scenario->device[d];

        if (board->kind != DEVICE_CPU && board->count > 0 && board->host_link == HOST_LINK_PCIE &&
            scenario_host(scenario, d) == device)
            lanes = fmax(lanes, fmin(board->pcie_lanes, WIDEST));
    }
    return part->pcie_lanes >= lanes &&
           wire_pcie(part->pcie_gen, part->pcie_lanes).rate >= scenario->device[device].nic / 8;
}

bool rank_needs_other_host(const struct scenario *scenario, int device, const struct device *part)
{
    if (part->kind == DEVICE_CPU)
        return !has_lanes(scenario, device, part);
    return part->host_link != scenario->device[device].host_link ||
           (part->host_link == HOST_LINK_UNIFIED &&
            strcmp(part->model, scenario->device[device].model) != 0);
}

/* Evaluating ----------------------------------------------------------------------------------- */

/* Evaluates the design with one preset in `work`, a scenario of the same size. */
static enum status try_preset(struct catalogue *catalogue, const struct scenario *scenario,
                              const struct rank_question *question, const struct preset *preset,
                              struct scenario *work, struct result *result, struct error *error)
{
    enum status status;

    scenario_copy(work, scenario);
    status = scenario_set_preset(work, question->device, catalogue, preset->name, error);
    if (status == STATUS_OK && question->keep)
        status = keep_own(scenario, work, question->device, error);
    return status == STATUS_OK ? evaluate(work, result, error) : status;
}

static void evaluate_preset(struct catalogue *catalogue, const struct scenario *scenario,
                            const struct rank_question *question, struct scenario *work,
                            struct result *result, struct ranked *row)
{
    const struct device *device = &work->device[question->device];

    row->problem.status =
        try_preset(catalogue, scenario, question, row->preset, work, result, &row->problem);
    if (row->problem.status != STATUS_OK)
        return;
    row->other_host =
        !row->present && rank_needs_other_host(scenario, question->device, device->base);
    row->latency = result->latency;
    row->margin = result->margin;
    row->max_frame_rate = result->max_frame_rate;
    snprintf(row->limit, sizeof row->limit, "%s", result->limit);
    row->load = result->load;
    row->overloaded = row->may_not_keep_up = result->overloaded;
    if (result->bound_node >= 0)
        snprintf(row->bound_node, sizeof row->bound_node, "%s",
                 result->node[result->bottleneck].name);
    row->bound = result->bottleneck_bound;
    if (device->tdp > 0) {
        row->tdp = device_power(device);
        row->latency_tdp = row->latency * row->tdp;
    }
}

/* Creates a row for each preset of the kind, not yet evaluated. */
static bool list_ranked_presets(const struct scenario *scenario, struct catalogue *catalogue,
                                struct rank *rank)
{
    const struct device *device = &scenario->device[rank->question.device];
    enum preset_kind kind = preset_kind_of(device);

    rank->count = 0;
    rank->row = allocate_array((size_t)catalogue_count(catalogue) + 1, sizeof *rank->row);
    for (int i = 0; rank->row != NULL && i < catalogue_count(catalogue); i++) {
        const struct preset *preset = catalogue_at(catalogue, i);

        if (preset->kind == kind)
            rank->row[rank->count++] =
                (struct ranked){.preset = preset,
                                .title = catalogue_title(catalogue, i),
                                .present = strcmp(preset->name, device->preset) == 0,
                                .latency = RESULT_NONE,
                                .margin = RESULT_NONE,
                                .low = RESULT_NONE,
                                .high = RESULT_NONE,
                                .least = RESULT_NONE,
                                .most = RESULT_NONE,
                                .max_frame_rate = RESULT_NONE,
                                .load = RESULT_NONE,
                                .tdp = RESULT_NONE,
                                .latency_tdp = RESULT_NONE};
    }
    return rank->row != NULL;
}

/* The best design, and the one it is compared with. */
struct tie_search {
    struct candidate *best;
    const struct ranked *found; /* the row of the best design; NULL: not found yet */
    struct latency_range of_best, of_other;
};

/* Compares the design with a row's preset, in `work`, with the best one. */
static void compare_with_best(const struct tie_search *search, const struct scenario *work,
                              const struct result *result, struct ranked *row)
{
    const struct compare_side side[SIDES] = {
        {&search->best->scenario, &search->best->result, &search->of_best},
        {work, result, &search->of_other}};
    struct compare_verdict verdict;

    compare_latencies(side, &verdict);
    row->tied = verdict.faster < 0 || !verdict.decided;
    row->least = verdict.least;
    row->most = verdict.most;
}

/* Makes a row's design, in `work`, the best one. */
static enum status set_best(struct tie_search *search, const struct scenario *work,
                            const struct ranked *row, struct error *error)
{
    search->found = row;
    search->of_best = search->of_other;
    scenario_copy(&search->best->scenario, work);
    return evaluate(&search->best->scenario, &search->best->result, error);
}

/* Finds the range of a row's latency and compares it with the best one, which is the first that
 * keeps up. */
static enum status find_row_range(struct catalogue *catalogue, const struct scenario *scenario,
                                  struct tie_search *search, struct scenario *work,
                                  struct result *result, const struct rank_question *question,
                                  struct ranked *row, struct error *error)
{
    enum status status =
        try_preset(catalogue, scenario, question, row->preset, work, result, error);

    if (status == STATUS_OK)
        status = range_find(work, result, NULL, NULL, &search->of_other, error);
    if (status != STATUS_OK)
        return status;
    row->low = search->of_other.low;
    row->high = search->of_other.high;
    row->may_not_keep_up = search->of_other.may_not_keep_up;
    if (row->may_not_keep_up)
        return STATUS_OK;
    if (search->found == NULL)
        return set_best(search, work, row, error);
    compare_with_best(search, work, result, row);
    return STATUS_OK;
}

/* Finds the ranges of the rows that are not overloaded, and those of them that keep up without a
 * practical difference from the least latency. */
static enum status find_ranges(struct catalogue *catalogue, const struct scenario *scenario,
                               const struct progress *progress, struct scenario *work,
                               struct result *result, struct rank *rank, struct error *error)
{
    struct tie_search search = {.found = NULL};
    enum status status = candidate_watched(&search.best, scenario, progress, error);

    rank_sort(rank, RANK_LATENCY);
    for (int i = 0; i < rank->count && status == STATUS_OK; i++) {
        struct ranked *row = &rank->row[i];

        status = progress_check(progress, i / (double)rank->count, error);
        if (status == STATUS_OK && row->problem.status == STATUS_OK && !row->overloaded)
            status = find_row_range(catalogue, scenario, &search, work, result, &rank->question,
                                    row, error);
    }
    candidate_free(search.best);
    return status;
}

enum status rank_presets(const struct scenario *scenario, struct catalogue *catalogue,
                         struct rank_question question, enum rank_order order,
                         const struct progress *progress, struct result *result, struct rank *rank,
                         struct error *error)
{
    struct scenario *work = allocate(sizeof *work);
    const struct progress *before = result->pace.progress;
    struct progress_part half = {progress, 0, 0.5};
    const struct progress in_part = {progress_report_part, &half};
    enum status status = STATUS_OK;

    *rank = (struct rank){.question = question};
    result_watch(result, progress);
    if (work == NULL || !list_ranked_presets(scenario, catalogue, rank))
        status = error_set(error, STATUS_MEMORY, "out of memory");
    for (int i = 0, presets = rank->count; i < presets && status == STATUS_OK; i++) {
        struct ranked *row = &rank->row[i];

        evaluate_preset(catalogue, scenario, &question, work, result, row);
        if (row->problem.status == STATUS_MEMORY)
            status = error_set(error, STATUS_MEMORY, "%s", row->problem.message);
        else
            status = progress_check(&in_part, (i + 1) / (double)presets, error);
        if (row->problem.status == STATUS_OK && !result->device[question.device].fits)
            rank->excluded++;
        else
            rank->row[i - rank->excluded] = *row;
    }
    rank->count -= rank->excluded;
    half.from = half.width;
    if (status == STATUS_OK)
        status = find_ranges(catalogue, scenario, &in_part, work, result, rank, error);
    result_watch(result, before);
    free(work);
    if (status == STATUS_OK)
        rank_sort(rank, order);
    else
        rank_free(rank);
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
                                       : row->latency_tdp;

    if (key == RESULT_NONE)
        return -RESULT_NONE;
    return order == RANK_RATE ? -key : key;
}

static bool ranks_before(const struct ranked *a, const struct ranked *b, enum rank_order order)
{
    if (row_class(a) != row_class(b))
        return row_class(a) < row_class(b);
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
