#include "tui/front.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/units.h"
#include "charts/search.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "explore/advise.h"
#include "explore/rank.h"
#include "explore/search_axes.h"
#include "model/range.h"
#include "model/result_read.h"
#include "report/range.h"
#include "report/search.h"
#include "tui/parts.h"
#include "tui/widget.h"

/* Designs between two looks at the front: few at first, so that rows come at once. */
enum { CHUNK_FIRST = 512, CHUNK_MOST = 16384 };

struct front_work {
    struct scenario scenario;
    struct search_axes axes;
    struct search search;

    /* Terms of the filter about parts: the values of each axis that meet them. */
    int term_count;
    bool constant[FILTER_TERMS]; /* a device that is not varied meets it */
    bool *match[FILTER_TERMS][SWEEP_AXES_MAX];

    /* Of the worker while it runs */
    struct search_front seeds;   /* designs of the previous front that are asked for, or may be */
    bool seeded;                 /* `seeds` are those that are */
    bool complete;               /* all designs were tried */
    struct search_answer answer; /* as last found */
    struct error error;          /* why it ended early */

    /* Under the lock of the worker: an answer that is not shown yet */
    bool fresh;
    struct search_answer ready;
    uint64_t tried[SEARCH_VERDICTS];
    struct error invalid; /* of the first invalid design, if one was tried */
};

/* Worker thread -------------------------------------------------------------------------------- */

/* Returns true if each term of the filter about parts is met by one of them. */
static bool asks_for_design(const void *context, const int at[SWEEP_AXES_MAX])
{
    const struct front_work *work = context;

    for (int t = 0; t < work->term_count; t++) {
        bool met = work->constant[t];

        for (int a = 0; a < work->search.sweep.axis_count && !met; a++)
            met = work->match[t][a] != NULL && work->match[t][a][at[a]];
        if (!met)
            return false;
    }
    return true;
}

static struct search_answer answer_copy(const struct search_answer *from)
{
    struct search_answer to = *from;

    to.errors = NULL;
    to.front = allocate_array((size_t)from->count + 1, sizeof *to.front);
    memcpy(to.front, from->front, (size_t)from->count * sizeof *to.front);
    return to;
}

/* Describes the designs of a front, those of the last answer as they were, and folds them. */
static enum status describe_rows(struct front_work *work, const struct search_front *front,
                                 struct trial *trial)
{
    struct search_answer *last = &work->answer;
    struct search_answer answer = *last;
    enum status status = STATUS_OK;

    answer.front = allocate_array((size_t)front->count + 1, sizeof *answer.front);
    answer.errors = allocate_array((size_t)front->count + 1, sizeof *answer.errors);
    answer.count = 0;
    for (int i = 0; i < front->count && status == STATUS_OK; i++) {
        const uint64_t number = front->point[i].number;
        int k = 0;

        while (k < last->count && last->front[k].point.number != number)
            k++;
        if (k < last->count) {
            answer.front[i] = last->front[k];
            answer.errors[i] = last->errors[k];
            last->errors[k] = NULL;
        } else {
            status = search_describe(&work->search, number, trial, &answer.front[i],
                                     &answer.errors[i], &work->error);
        }
        answer.count += status == STATUS_OK;
    }
    search_answer_free(last);
    work->answer = answer; /* of a search that is stopped, a part: the rest is described again */
    if (status == STATUS_OK)
        search_fold(&work->search, 0, &work->answer);
    return status;
}

static int by_number(const void *a, const void *b)
{
    const struct search_point *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

/* Makes the front of all designs found and of the seeds. */
static struct search_front merge_seeds(const struct front_work *work)
{
    struct search_front all = {.count = 0}, merged = {.count = 0};

    for (int i = 0; i < work->search.front.count; i++)
        search_append(&all, &work->search.front.point[i]);
    for (int i = 0; i < work->seeds.count; i++)
        search_append(&all, &work->seeds.point[i]);
    if (all.count > 0)
        qsort(all.point, (size_t)all.count, sizeof *all.point, by_number);
    for (int i = 0; i < all.count; i++)
        if (i == 0 || all.point[i].number != all.point[i - 1].number)
            search_add(&work->search, &merged, &all.point[i]);
    free(all.point);
    search_sort(&work->search, &merged);
    return merged;
}

/* Shows what was found so far. */
static enum status publish_rows(struct worker *worker, struct front_work *work, struct trial *trial)
{
    struct search_front merged = {.count = 0};
    struct search_answer ready;
    enum status status;

    if (!work->complete)
        merged = merge_seeds(work);
    status = describe_rows(work, work->complete ? &work->search.front : &merged, trial);
    free(merged.point);
    if (status != STATUS_OK)
        return status;
    ready = answer_copy(&work->answer);
    pthread_mutex_lock(&worker->shared);
    search_answer_free(&work->ready);
    work->ready = ready;
    work->fresh = true;
    memcpy(work->tried, work->search.count, sizeof work->tried);
    work->invalid = work->search.problem;
    pthread_mutex_unlock(&worker->shared);
    worker_notify(worker);
    return STATUS_OK;
}

/* Leaves those of the seeds that the search asks for, with their values in this design. */
static enum status evaluate_seeds(struct front_work *work, struct trial *trial)
{
    const struct search *search = &work->search;
    enum status status = STATUS_OK;
    int kept = 0;

    for (int i = 0; i < work->seeds.count && status == STATUS_OK; i++) {
        struct search_design design;

        sweep_values(&search->sweep, work->seeds.point[i].number, design.at);
        if (!asks_for_design(work, design.at))
            continue;
        status = search_describe(search, work->seeds.point[i].number, trial, &design, NULL,
                                 &work->error);
        if (status == STATUS_OK &&
            sweep_judge(&search->sweep, &trial->scenario, &trial->result, true) == SWEEP_KEPT)
            work->seeds.point[kept++] = design.point;
        if (status == STATUS_INVALID)
            status = STATUS_OK;
    }
    work->seeds.count = kept;
    return status;
}

static enum status begin_search(struct worker *worker, struct front_work *work, struct trial *trial)
{
    const struct progress progress = {worker_goes_on, worker};
    enum status status;

    status = search_describe_present(&work->search, trial, &work->answer, &work->error);
    if (status == STATUS_OK)
        status = evaluate_seeds(work, trial);
    work->seeded = status == STATUS_OK;
    if (status == STATUS_OK)
        status = publish_rows(worker, work, trial);
    /* which makes it several times as fast; after a stop what was known by then excludes, too */
    if (status == STATUS_OK && search_can_bound(&work->search))
        status = search_bound(&work->search, &progress, &work->error);
    return status;
}

static void search_designs(struct worker *worker, struct front_work *work, struct trial *trial)
{
    const struct progress whole = {worker_report, worker};
    struct search *search = &work->search;
    uint64_t chunk = CHUNK_FIRST;
    uint64_t tried = search_tried(search);
    enum status status = work->seeded ? STATUS_OK : begin_search(worker, work, trial);

    while (status == STATUS_OK && !work->complete) {
        uint64_t end = search->designs - tried < chunk ? search->designs : tried + chunk;
        struct progress_part part = {&whole, (double)tried / (double)search->designs,
                                     (double)(end - tried) / (double)search->designs};
        const struct progress progress = {progress_report_part, &part};

        status = search_run(search, tried, end, &progress, &work->error);
        tried = search_tried(search);
        work->complete = status == STATUS_OK && tried == search->designs;
        if (status == STATUS_OK)
            status = publish_rows(worker, work, trial);
        chunk = chunk < CHUNK_MOST ? 2 * chunk : chunk;
    }
    if (status == STATUS_STOPPED)
        work->error.status = STATUS_OK;
}

static void run_front_work(struct worker *worker, void *context)
{
    struct front_work *work = context;
    const struct progress progress = {worker_goes_on, worker};
    struct trial *trial = trial_new(&work->scenario, &progress);

    search_designs(worker, work, trial);
    trial_free(trial);
}

/* The question --------------------------------------------------------------------------------- */

static void work_free(struct front_work *work)
{
    if (work == NULL)
        return;
    search_axes_free(&work->axes);
    for (int t = 0; t < FILTER_TERMS; t++)
        for (int a = 0; a < SWEEP_AXES_MAX; a++)
            free(work->match[t][a]);
    search_free(&work->search);
    free(work->seeds.point);
    search_answer_free(&work->answer);
    search_answer_free(&work->ready);
    free(work);
}

/* The filter ----------------------------------------------------------------------------------- */

/* What a filter may name: results of a design, then its packets, then columns of parts. */
enum {
    ASK_LATENCY,
    ASK_HIGH,
    ASK_WATTS,
    ASK_PRICE,
    ASK_COUNT,
    ASK_MARGIN,
    ASK_RATE,
    ASK_LOAD,
    ASK_RESULTS,
    ASK_PACKETS = ASK_RESULTS,
    ASK_PARTS,
    ASK_BY = ASK_PARTS + PART_COLUMNS, /* objectives */
    ASK_COLUMNS
};

static const struct {
    enum result_id id;
    struct table_column column;
} asked[ASK_RESULTS] = {
    [ASK_LATENCY] = {RESULT_LATENCY, {.title = "latency", .number = true, .plain = "us"}},
    [ASK_HIGH] = {RESULT_LATENCY_HIGH,
                  {.title = "latency_high", .names = "high range", .number = true, .plain = "us"}},
    [ASK_WATTS] = {RESULT_WATTS,
                   {.title = "W", .names = "watts power", .number = true, .unit = "W"}},
    [ASK_PRICE] = {RESULT_PRICE, {.title = "price", .number = true}},
    [ASK_COUNT] = {RESULT_COUNT, {.title = "parts", .names = "count", .number = true}},
    [ASK_MARGIN] = {RESULT_MARGIN, {.title = "margin", .number = true, .plain = "us"}},
    [ASK_RATE] = {RESULT_MAX_FRAME_RATE, {.title = "rate", .number = true, .plain = "Hz"}},
    [ASK_LOAD] = {RESULT_LOAD, {.title = "load", .number = true}},
};

static void list_asked(struct table_column columns[ASK_COLUMNS])
{
    for (int c = 0; c < ASK_RESULTS; c++)
        columns[c] = asked[c].column;
    columns[ASK_PACKETS] = (struct table_column){.title = "packets", .number = true};
    memcpy(columns + ASK_PARTS, parts_columns, PART_COLUMNS * sizeof *columns);
    columns[ASK_PARTS + PART_LATENCY].title = ""; /* is a result here */
    columns[ASK_PARTS + PART_TOTAL].title = "";   /* and no part has one */
    columns[ASK_BY] = (struct table_column){.title = "by"};
}

static bool states_objectives(const struct filter_term *term)
{
    return term->columns == UINT32_C(1) << ASK_BY && term->text[0] != '\0';
}

const char *front_objectives(const struct front *front)
{
    const char *objectives = NULL;

    for (int t = 0; t < front->read.count; t++)
        if (states_objectives(&front->read.term[t]))
            objectives = front->read.term[t].text;
    return objectives;
}

/* Leaves out the terms of the filter that are no objectives of the design. */
static void check_objectives(struct front *front)
{
    const struct design *design = &front->host->design;
    struct filter *read = &front->read;

    for (int t = read->count - 1; t >= 0 && design_is_valid(design); t--) {
        struct search ignored = {.designs = 0};
        struct error error;

        if (!states_objectives(&read->term[t]) ||
            search_parse_objectives(&design->scenario, &design->result, read->term[t].text,
                                    &ignored, &error) == STATUS_OK)
            continue;
        snprintf(read->problem, sizeof read->problem, "%.*s", FILTER_PROBLEM - 1, error.message);
        read->count--;
        memmove(&read->term[t], &read->term[t + 1],
                (size_t)(read->count - t) * sizeof read->term[0]);
    }
}

/* Adds the conditions of a term about a result: two for one that is an exact value. */
static void add_conditions(struct front_work *work, const struct filter_term *term, int c)
{
    static const enum relation relations[] = {[FILTER_BELOW] = RELATION_BELOW,
                                              [FILTER_AT_MOST] = RELATION_AT_MOST,
                                              [FILTER_ABOVE] = RELATION_ABOVE,
                                              [FILTER_AT_LEAST] = RELATION_AT_LEAST};
    const struct table_column *column = &asked[c].column;
    struct conditions *conditions = &work->search.conditions;
    struct condition condition = {.left = {.row = &result_rows[asked[c].id]}};
    bool exact = term->relation == FILTER_EQUAL;
    double number;

    if (conditions->count + exact >= CONDITIONS_MAX || !filter_number(term, column, &number))
        return;
    condition.bound = unit_to_si(number, column->unit != NULL    ? column->unit
                                         : column->plain != NULL ? column->plain
                                                                 : "");
    condition.relation = exact ? RELATION_AT_MOST : relations[term->relation];
    conditions->list[conditions->count++] = condition;
    condition.relation = RELATION_AT_LEAST;
    if (exact)
        conditions->list[conditions->count++] = condition;
}

/* Returns true if a part, or none (NULL), of a preset meets a term. */
static bool part_meets(const struct filter_term *term, const struct device *part,
                       const char *preset)
{
    struct picker_item item = {.id = 0};
    struct filter_term of_part = *term;

    of_part.columns >>= ASK_PARTS;
    snprintf(item.text[PART_NAME], PICKER_TEXT, "%s", part != NULL ? part->model : "none");
    if (part != NULL)
        parts_put(&item, part, preset);
    return filter_find(&of_part, parts_columns, PART_COLUMNS, &item) != FOUND_NOT;
}

static bool packets_meet(const struct filter_term *term, double packets)
{
    static const struct table_column column = {.title = "", .number = true};
    struct filter_term of_number = *term;
    struct picker_item item = {.id = 0};

    of_number.columns = 1;
    snprintf(item.text[0], PICKER_TEXT, "%.0f", packets);
    return filter_find(&of_number, &column, 1, &item) != FOUND_NOT;
}

/* Finds the values that meet a term about packets or parts. */
static void match_values(struct front_work *work, const struct filter_term *term)
{
    int t = work->term_count++;
    bool packets = term->columns == UINT32_C(1) << ASK_PACKETS;
    bool packets_varied = false;

    for (int a = 0; a < work->search.sweep.axis_count; a++) {
        const struct axis *axis = &work->axes.axis[a];

        if (packets ? !knob_is(axis->ref.knob, KNOB_SCENARIO_PACKETS) : axis->preset == NULL)
            continue;
        packets_varied = packets;
        work->match[t][a] = allocate_array((size_t)axis->count, sizeof *work->match[t][a]);
        for (int v = 0; v < axis->count; v++)
            work->match[t][a][v] = packets ? packets_meet(term, axis->number[v])
                                           : part_meets(term, axis->preset[v], axis->word[v]);
    }
    if (packets)
        work->constant[t] = !packets_varied && packets_meet(term, work->scenario.general.packets);
    for (int d = 0; d < work->scenario.device_count && !packets; d++)
        if (!work->axes.varied[d] && scenario_device_used(&work->scenario, d) &&
            part_meets(term, &work->scenario.device[d], work->scenario.device[d].preset))
            work->constant[t] = true;
}

static void read_question(struct front_work *work, const struct filter *filter)
{
    for (int t = 0; t < filter->count; t++) {
        const struct filter_term *term = &filter->term[t];
        int c = 0;

        while (c < ASK_RESULTS && (term->columns >> c & 1) == 0)
            c++;
        if (c < ASK_RESULTS && term->relation != FILTER_WORD)
            add_conditions(work, term, c);
        else if (term->columns != UINT32_C(1) << ASK_BY)
            match_values(work, term);
    }
    work->search.sweep.asks = asks_for_design;
    work->search.sweep.asks_context = work;
}

/* Returns true if designs of two searches have the same numbers. */
static bool same_axes(const struct front_work *a, const struct front_work *b)
{
    bool same = a->search.sweep.axis_count == b->search.sweep.axis_count;

    for (int i = 0; same && i < a->search.sweep.axis_count; i++) {
        const struct axis *x = &a->axes.axis[i], *y = &b->axes.axis[i];

        same = x->ref.knob == y->ref.knob && axis_members(x) == axis_members(y) &&
               x->count == y->count;
        for (int v = 0; same && v < x->count; v++)
            same = x->preset != NULL ? x->preset[v] == y->preset[v] : x->number[v] == y->number[v];
    }
    return same;
}

/* Makes the question for the present design; the designs found for the one before are its seeds. */
static struct front_work *work_new(const struct front *front)
{
    struct design *design = &front->host->design;
    struct front_work *work = allocate_array(1, sizeof *work);
    const char *objectives = front_objectives(front);

    design_part_values(design); /* reads the catalogue */
    scenario_copy(&work->scenario, &design->scenario);
    work->search.sweep.base = &work->scenario;
    work->search.sweep.jobs = atomic_load(&front->host->bell.looks) > 0 ? 1 : 0;
    if (objectives == NULL ||
        search_parse_objectives(&work->scenario, &design->result, objectives, &work->search,
                                NULL) != STATUS_OK) { /* they are of an earlier design */
        work->search.sweep.wanted_count = 0;
        search_parse_objectives(&work->scenario, &design->result, OBJECTIVES_DEFAULT, &work->search,
                                NULL);
    }
    search_axes_choose(&work->axes, &work->scenario, &design->result, design->catalogue, NULL);
    work->search.designs = work->axes.designs;
    work->search.chosen = &work->axes;
    work->search.sweep.axis = work->axes.axis;
    work->search.sweep.axis_count = work->axes.count;
    search_order_axes(&work->search, work->axes.axis, work->axes.count);
    read_question(work, &front->read);
    if (front->work != NULL && front->current_axes && same_axes(front->work, work))
        for (int i = 0; i < front->answer.count; i++)
            search_append(&work->seeds, &front->answer.front[i].point);
    if (work->seeds.count > 0)
        qsort(work->seeds.point, (size_t)work->seeds.count, sizeof *work->seeds.point, by_number);
    return work;
}

/* Rows ----------------------------------------------------------------------------------------- */

/* What a row stands for, behind the columns of the axes. */
static const struct table_column column_of_equivalent = {.title = "equiv.", .number = true};

/* Columns behind that; their headings are those of the report. */
static const struct table_column columns_after[SEARCH_COLUMNS] = {
    [SEARCH_LATENCY] = {.small = true, .number = true, .least = true},
    [SEARCH_RANGE] = {.small = true, .number = true, .least = true, .drop = 4},
    [SEARCH_TOTAL] = {.small = true, .number = true, .least = true, .drop = 4},
    [SEARCH_MARGIN] = {.small = true, .number = true, .drop = 6},
    [SEARCH_WATTS] = {.title = "W", .number = true, .least = true},
    [SEARCH_PRICE] = {.small = true, .number = true, .least = true, .drop = 1},
    [SEARCH_COUNT] = {.small = true, .number = true, .least = true, .drop = 8},
    [SEARCH_MEMORY] = {.small = true, .number = true, .least = true, .drop = 7},
    [SEARCH_LIMIT] = {.small = true, .drop = 5},
};

/* The axis of the number of a device that another axis chooses; NULL: none. */
static const struct axis *count_axis(const struct front_work *work, int device, int *position)
{
    for (int a = 0; a < work->search.sweep.axis_count; a++)
        if (knob_is(work->axes.axis[a].ref.knob, KNOB_DEVICE_COUNT) &&
            work->axes.axis[a].ref.index == device) {
            *position = a;
            return &work->axes.axis[a];
        }
    return NULL;
}

/* Writes the part of a device in a design of the front, with its number: "2 × H100 NVL"; `at` NULL:
 * in the present design. */
static void print_part(const struct front *front, const struct axis *axis, const int *at,
                       char text[PICKER_TEXT])
{
    const struct front_work *work = front->work;
    const struct device *present = &work->scenario.device[axis->ref.index];
    struct catalogue *catalogue = front->host->design.catalogue;
    int position;
    const struct axis *count = count_axis(work, axis->ref.index, &position);
    double number = count != NULL && at != NULL ? count->number[at[position]] : present->count;
    char name[ADVICE_NAME];
    int devices = 0;

    if (at != NULL && axis_is_none(axis, at[axis - work->axes.axis])) {
        snprintf(text, PICKER_TEXT, "none");
        return;
    }
    if (at == NULL)
        number = device_parts(present);
    for (int d = 0; d < work->scenario.device_count; d++)
        devices += axis_varies(axis, SECTION_DEVICE, d);
    number *= devices;
    advice_preset(catalogue, at != NULL ? axis->word[at[axis - work->axes.axis]] : present->preset,
                  name);
    if (name[0] == '\0')
        snprintf(name, sizeof name, "%s",
                 present->model[0] != '\0' ? present->model : present->head.name);
    if (number > 1)
        snprintf(text, PICKER_TEXT, "%.0f \xC3\x97 %.*s", number, PICKER_TEXT - 16, name);
    else
        snprintf(text, PICKER_TEXT, "%.*s", PICKER_TEXT - 1, name);
    text_micro(text, PICKER_TEXT);
}

/* Returns true for an axis with a column of its own: the number of a part stands before its name.
 */
static bool has_column(const struct front_work *work, const struct axis *axis)
{
    return !knob_is(axis->ref.knob, KNOB_DEVICE_COUNT) || !work->axes.varied[axis->ref.index];
}

static void list_columns(struct front *front)
{
    const struct front_work *work = front->work;
    int count = 0;

    for (int i = 0; i < work->search.sweep.axis_count; i++) {
        const struct axis *axis = &work->axes.axis[work->search.column[i]];
        char *title = front->title[count];

        if (!has_column(work, axis))
            continue;
        snprintf(title, sizeof front->title[0], "%s",
                 axis->preset != NULL ? axis_devices(axis, &work->scenario)
                                      : axis->ref.knob->label);
        front->column[count++] =
            axis->preset != NULL ? (struct table_column){.title = title, .cut = 3, .brief = 16}
                                 : (struct table_column){.title = title, .number = true, .drop = 3};
    }
    front->column[count++] = column_of_equivalent;
    memcpy(&front->column[count], columns_after, sizeof columns_after);
    for (int c = 0; c < SEARCH_COLUMNS; c++)
        if (columns_after[c].title == NULL)
            front->column[count + c].title = search_columns[c].heading;
    if (front->answer.has_present && front->answer.present.total != RESULT_NONE)
        front->column[count + SEARCH_TOTAL].drop = 2; /* a key figure with a star */
    front->column_count = count + SEARCH_COLUMNS;
}

static void put_time(struct picker_item *item, int column, double value)
{
    item->value[column] = value;
    snprintf(item->text[column], PICKER_TEXT, "%s%s", value < 0 ? "\xE2\x88\x92" : "",
             quantity_text(fabs(value), "s").text);
    text_micro(item->text[column], PICKER_TEXT);
}

/* Sets the cells of a design; `present`: it is the present one, without values on the axes. */
static void put_design(const struct front *front, const struct search_design *design, bool present,
                       struct picker_item *item)
{
    const struct front_work *work = front->work;
    int c = 0;

    for (int i = 0; i < work->search.sweep.axis_count; i++) {
        const struct axis *axis = &work->axes.axis[work->search.column[i]];

        if (!has_column(work, axis))
            continue;
        if (axis->preset != NULL) {
            print_part(front, axis, present ? NULL : design->at, item->text[c]);
        } else {
            item->value[c] = present ? knob_number(&work->scenario, axis->ref)
                                     : axis->number[design->at[axis - work->axes.axis]];
            snprintf(item->text[c], PICKER_TEXT, "%.0f", item->value[c]);
        }
        c++;
    }
    if (design->equivalent > 0) {
        item->value[c] = design->equivalent;
        snprintf(item->text[c], PICKER_TEXT, "+%d", design->equivalent);
    }
    c++;
    put_time(item, c + SEARCH_LATENCY, design->latency);
    if (front->answer.has_present)
        parts_put_error(item, c + SEARCH_TOTAL, design->total, front->answer.present.total,
                        &work->scenario);
    if (design->low != RESULT_NONE)
        range_ends_text(design->latency, design->low, design->high, true,
                        item->text[c + SEARCH_RANGE], PICKER_TEXT);
    /* the line below the list has the rest; here it would leave no room for other columns */
    if (design->may_not_keep_up)
        item->text[c + SEARCH_RANGE][strcspn(item->text[c + SEARCH_RANGE], ",")] = '\0';
    if (!present && search_is_less_certain(&front->answer, design))
        strncat(item->text[c + SEARCH_RANGE], " !",
                PICKER_TEXT - 1 - strlen(item->text[c + SEARCH_RANGE]));
    if (design->other_clock)
        strncat(item->text[c + SEARCH_RANGE], COMPARE_CLOCKS_MARK,
                PICKER_TEXT - 1 - strlen(item->text[c + SEARCH_RANGE]));
    item->value[c + SEARCH_RANGE] = design->high; /* one without an upper end is the last */
    if (design->margin != RESULT_NONE)
        put_time(item, c + SEARCH_MARGIN, design->margin);
    if (design->watts != RESULT_NONE)
        parts_put_number(item, c + SEARCH_WATTS, design->watts, 0);
    if (design->price != RESULT_NONE)
        parts_put_number(item, c + SEARCH_PRICE, design->price, 0);
    parts_put_number(item, c + SEARCH_COUNT, design->parts, 0);
    if (design->memory != RESULT_NONE) {
        item->value[c + SEARCH_MEMORY] = design->memory;
        snprintf(item->text[c + SEARCH_MEMORY], PICKER_TEXT, "%.2g %%", 100 * design->memory);
    }
    snprintf(item->text[c + SEARCH_LIMIT], PICKER_TEXT, "%.*s", PICKER_TEXT - 1,
             design->limited_by);
    item->id = present ? FRONT_PRESENT : (int)design->point.number;
}

/* Returns true if a design of the front is the present one. */
static bool is_present(const struct front_work *work, const struct search_design *design)
{
    const double same = 1e-9;

    for (int a = 0; a < work->search.sweep.axis_count; a++) {
        const struct axis *axis = &work->axes.axis[a];
        int at = design->at[a];
        char own[400];

        if (axis->preset == NULL) {
            double now = knob_number(&work->scenario, axis->ref);

            if (fabs(axis->number[at] - now) > same * now)
                return false;
            continue;
        }
        rank_own_labels(&work->scenario, axis->ref.index, own, sizeof own);
        if (own[0] != '\0' || axis->preset[at] == NULL ||
            strcmp(axis->word[at], work->scenario.device[axis->ref.index].preset) != 0)
            return false;
    }
    return true;
}

/* Returns the index of a design of the front, -1 if it has none with this number. */
static int find_design(const struct front *front, int id)
{
    int i = front->answer.count - 1;

    while (i >= 0 && front->answer.front[i].point.number != (uint64_t)id)
        i--;
    return i;
}

/* Returns the place in `opened` of a design of the group that design `shown` stands for, -1 if it
 * is closed. */
static int find_opened(const struct front *front, int shown)
{
    int k = front->opened.count - 1;

    while (k >= 0) {
        int i = find_design(front, (int)front->opened.point[k].number);

        if (i >= 0 && front->answer.front[i].shown == shown)
            break;
        k--;
    }
    return k;
}

/* Adds the row of a design of the front, `below` rows below the one that stands for it. */
static void add_row(struct front *front, int i, int below, bool present)
{
    struct picker_item *item = &front->item[front->count++];
    const struct search_design *design = &front->answer.front[i];

    item->present = present;
    put_design(front, design, false, item);
    if (below > 0) {
        char text[PICKER_TEXT];

        snprintf(text, sizeof text, "= %.*s", PICKER_TEXT - 3, item->text[0]);
        memcpy(item->text[0], text, sizeof text);
        text_micro(item->text[0], PICKER_TEXT);
    }
    item->below = below;
    if (present)
        picker_mark_present(item);
}

/* Makes the rows of the answer: the front, of groups that are not opened the design that is shown
 * and the present one, and the latter also if it is not on the front. */
static void list_rows(struct front *front)
{
    const struct search_answer *answer = &front->answer;
    int present = answer->count - 1;

    list_columns(front);
    free(front->item);
    front->item = allocate_array((size_t)answer->count + 1, sizeof *front->item);
    front->count = 0;
    while (present >= 0 && !is_present(front->work, &answer->front[present]))
        present--;
    for (int i = 0; i < answer->count; i++) {
        int head = front->count;
        bool open;

        if (!search_is_shown(answer, i))
            continue;
        open = answer->front[i].equivalent > 0 && find_opened(front, i) >= 0;
        add_row(front, i, 0, i == present);
        if (answer->front[i].equivalent > 0)
            front->item[head].fold = open ? ITEM_OPEN : ITEM_CLOSED;
        for (int k = 0; k < answer->count; k++)
            if (k != i && answer->front[k].shown == i && (open || k == present))
                add_row(front, k, front->count - head, k == present);
    }
    if (present < 0 && answer->has_present) {
        struct picker_item *item = &front->item[front->count++];

        item->present = true;
        put_design(front, &answer->present, true, item);
        picker_mark_present(item);
    }
    front->version++;
}

bool front_opens(const struct front *front, int id)
{
    int i = find_design(front, id);

    return front->current && i >= 0 && front->answer.front[i].equivalent > 0 &&
           find_opened(front, i) < 0;
}

void front_open(struct front *front, int id)
{
    search_append(&front->opened, &(const struct search_point){.number = (uint64_t)id});
    list_rows(front);
}

int front_close(struct front *front, int id)
{
    int i = front->current ? find_design(front, id) : -1;
    int shown = i < 0 ? -1 : front->answer.front[i].shown;
    int k;

    if (shown < 0)
        return id;
    while ((k = find_opened(front, shown)) >= 0)
        front->opened.point[k] = front->opened.point[--front->opened.count];
    list_rows(front);
    return (int)front->answer.front[shown].point.number;
}

void front_fill(const struct front *front, struct picker *picker)
{
    bool other =
        picker->table.declared != front->column || picker->table.count != front->column_count;

    if (front->version == 0)
        return;
    if (other)
        picker->sort = front->column_count - SEARCH_COLUMNS + SEARCH_LATENCY;
    table_pane_begin(&picker->table, front->column, front->column_count);
    picker->sortable = true;
    picker_replace(picker, front->item, front->count);
    snprintf(picker->passed, sizeof picker->passed, "%d of %" PRIu64 " designs",
             front->answer.count, front->work->search.designs);
}

/* Searching ------------------------------------------------------------------------------------ */

static void set_stale(struct front *front)
{
    front->stale = true;
    front->stopped = false;
    front->problem.status = STATUS_OK;
    worker_request_stop(&front->worker);
}

void front_changed(struct front *front)
{
    front->current = false;
    front->filter[0] = '\0';
    front->read = (struct filter){.count = 0};
    set_stale(front);
}

void front_start(struct front *front, struct host *host)
{
    front->host = host;
    front_changed(front);
}

void front_set_filter(struct front *front, const char *text)
{
    struct table_column columns[ASK_COLUMNS];

    if (strcmp(text, front->filter) == 0)
        return;
    list_asked(columns);
    snprintf(front->filter, sizeof front->filter, "%s", text);
    filter_read(&front->read, text, columns, ASK_COLUMNS);
    check_objectives(front);
    set_stale(front);
}

void front_show(struct front *front)
{
    if (front->worker.running || front->problem.status != STATUS_OK || front->stopped ||
        !design_is_valid(&front->host->design) ||
        !worker_may_start(&front->worker, &front->host->bell))
        return;
    if (front->stale || front->work == NULL) {
        struct front_work *work = work_new(front);

        front->current_axes =
            front->current_axes && front->work != NULL && same_axes(front->work, work);
        if (!front->current_axes)
            front->opened.count = 0;
        work_free(front->work);
        front->work = work;
        front->stale = false;
        front->current = false;
    }
    if (!front->work->complete)
        worker_start(&front->worker, &front->host->bell, "search", run_front_work, front->work,
                     &front->problem);
}

bool front_unfinished(const struct front *front)
{
    return front->problem.status == STATUS_OK &&
           (front->work == NULL || front->stale || front->worker.running || !front->work->complete);
}

void front_toggle(struct front *front)
{
    if (front->work != NULL && !front->stale && !front->worker.running && front->work->complete) {
        host_say(front->host, NOTICE_NORMAL, "all designs have been tried");
        return;
    }
    front->stopped = !front->stopped;
    if (front->stopped)
        worker_request_stop(&front->worker);
}

/* Takes the rows that the worker has found. */
static void take_rows(struct front *front)
{
    struct front_work *work = front->work;
    bool locked = front->worker.running;
    bool fresh;

    if (locked)
        pthread_mutex_lock(&front->worker.shared);
    fresh = work->fresh && !front->stale;
    work->fresh = false;
    if (fresh) {
        search_answer_free(&front->answer);
        front->answer = work->ready;
        work->ready = (struct search_answer){.count = 0};
        memcpy(front->tried, work->tried, sizeof front->tried);
        front->invalid = work->invalid;
        front->current = front->current_axes = true;
    }
    if (locked)
        pthread_mutex_unlock(&front->worker.shared);
    if (fresh)
        list_rows(front);
}

void front_collect(struct front *front)
{
    bool running = front->worker.running;
    bool ended = worker_try_join(&front->worker);

    if (!running)
        return;
    take_rows(front);
    if (ended && !front->stale)
        front->problem = front->work->error;
}

void front_free(struct front *front)
{
    worker_close(&front->worker);
    work_free(front->work);
    search_answer_free(&front->answer);
    free(front->item);
    free(front->opened.point);
    front->opened = (struct search_front){.count = 0};
    front->work = NULL;
    front->item = NULL;
}

/* Texts ---------------------------------------------------------------------------------------- */

void front_print_state(const struct front *front, char *text, size_t size)
{
    const struct front_work *work = front->work;
    struct buffer out = buffer_over(text, size);
    struct buffer kept = {0};
    uint64_t tried = 0;

    if (!design_is_valid(&front->host->design) || front->problem.status != STATUS_OK ||
        work == NULL || front->stale || !front->current) {
        buffer_print(&out, "%s%s", front->stopped ? "stopped" : "computing",
                     front->count > 0 ? "; rows of the earlier question" : "");
        return;
    }
    for (int v = 0; v < SEARCH_VERDICTS; v++)
        tried += front->tried[v];
    if (tried < work->search.designs)
        buffer_print(&out, "%s%.0f %%", front->stopped ? "stopped at " : "",
                     floor(100.0 * (double)tried / (double)work->search.designs));
    search_axes_print_kept(&work->axes, &work->scenario, &kept);
    if (kept.length > 0)
        buffer_print(&out, "%s%s", out.length > 0 ? "; " : "", kept.bytes);
    buffer_free(&kept);
}

void front_print_empty(const struct front *front, char *text, size_t size)
{
    struct buffer out = buffer_over(text, size);
    const struct front_work *work = front->work;

    if (!design_is_valid(&front->host->design)) {
        buffer_text(&out, front->host->design.problem.message);
    } else if (front->problem.status != STATUS_OK) {
        buffer_text(&out, front->problem.message);
    } else if (!front->current || front->worker.running || work == NULL) {
        buffer_text(&out, front->stopped ? "stopped" : "computing");
    } else if (front->tried[SWEEP_UNASKED] + front->tried[SWEEP_REPEATED] == work->search.designs) {
        buffer_text(&out, "nothing that is sold meets the filter");
    } else {
        struct buffer excluded = {0};

        search_print_excluded(&work->search, front->tried, &excluded);
        buffer_print(&out, "no design is left%s%s", excluded.length > 0 ? ": " : "",
                     excluded.length > 0 ? excluded.bytes : "");
        buffer_free(&excluded);
    }
}

void front_print_present(const struct front *front, char *text, size_t size)
{
    if (front->answer.count == 0)
        front_print_empty(front, text, size);
    else
        snprintf(text, size, "the present design: changes nothing");
}

static const struct search_design *find_row(const struct front *front, int id)
{
    int i = find_design(front, id);

    return i < 0 ? NULL : &front->answer.front[i];
}

/* Writes what differs from the present design: "packets → 100, gpu0 → none, rtc → Ryzen 6800H".
 * What may have no column in the list comes first. */
static void print_changes(const struct front *front, const struct search_design *design,
                          struct buffer *out)
{
    const struct front_work *work = front->work;
    const int count = work->search.sweep.axis_count;

    for (int i = 0; i < 2 * count; i++) {
        const struct axis *axis = &work->axes.axis[work->search.column[i % count]];
        char from[PICKER_TEXT], to[PICKER_TEXT];

        if (!has_column(work, axis) || (axis->preset != NULL) != (i >= count))
            continue;
        if (axis->preset != NULL) {
            print_part(front, axis, NULL, from);
            print_part(front, axis, design->at, to);
        } else {
            snprintf(from, sizeof from, "%.0f", knob_number(&work->scenario, axis->ref));
            snprintf(to, sizeof to, "%.0f", axis->number[design->at[axis - work->axes.axis]]);
        }
        if (strcmp(from, to) != 0)
            buffer_print(out, "%s%s \xE2\x86\x92 %s", out->length > 0 ? ", " : "",
                         axis->preset != NULL ? axis_devices(axis, &work->scenario)
                                              : axis->ref.knob->label,
                         to);
    }
}

void front_print_change(const struct front *front, int id, char *text, size_t size)
{
    const struct front_work *work = front->work;
    const struct search_design *design = find_row(front, id);
    struct buffer out = buffer_over(text, size);
    struct buffer cleared = {0};
    char clocks[COMPARE_CLOCKS_MAX];
    char span[RANGE_TEXT_MAX];

    text[0] = '\0';
    if (design == NULL || !front->current)
        return;
    print_changes(front, design, &out);
    if (design->may_not_keep_up)
        buffer_print(&out, "%smay not keep up", out.length > 0 ? "; " : "");
    if (search_is_less_certain(&front->answer, design))
        buffer_print(&out, "%s! upper end above the present one", out.length > 0 ? "; " : "");
    if (design->equivalent > 0)
        buffer_print(&out, "%s+%d equivalent%s%s", out.length > 0 ? "; " : "", design->equivalent,
                     compare_matters(design->fastest, design->slowest) ? ", " : "",
                     search_span_text(design, true, span));
    if (design->other_clock)
        buffer_print(&out, "%s" COMPARE_CLOCKS_MARK " %s", out.length > 0 ? "; " : "",
                     compare_clocks_words(work->search.sweep.base->device,
                                          work->search.sweep.base->device_count, NULL, 0, clocks));
    for (int i = 0; i < work->search.sweep.axis_count; i++) {
        const struct axis *axis = &work->axes.axis[work->search.column[i]];
        char own[400];

        if (axis->preset == NULL)
            continue;
        rank_own_labels(&work->scenario, axis->ref.index, own, sizeof own);
        if (own[0] != '\0' && !axis_is_none(axis, design->at[axis - work->axes.axis]))
            buffer_print(&cleared, "%s%s of %s", cleared.length > 0 ? ", " : "clears ", own,
                         axis_devices(axis, &work->scenario));
    }
    if (cleared.length > 0)
        buffer_print(&out, "%s%s", out.length > 0 ? "; " : "", cleared.bytes);
    buffer_free(&cleared);
    buffer_print(&out, "%slimited by %s", out.length > 0 ? "; " : "", design->limited_by);
}

/* Taking a row --------------------------------------------------------------------------------- */

/* Removes the devices that a design does without; its components run on the host already. */
static enum status remove_devices(const struct front_work *work, const struct search_design *design,
                                  struct scenario *scenario, struct error *error)
{
    enum status status = STATUS_OK;

    for (int d = scenario->device_count - 1; d >= 0 && status == STATUS_OK; d--)
        for (int a = 0; a < work->search.sweep.axis_count && status == STATUS_OK; a++)
            if (axis_varies(&work->axes.axis[a], SECTION_DEVICE, d) &&
                axis_is_none(&work->axes.axis[a], design->at[a]))
                status = scenario_remove(scenario, SECTION_DEVICE, d, error);
    return status;
}

void front_take(struct front *front, int id)
{
    struct host *host = front->host;
    const struct search_design *design = find_row(front, id);
    struct scenario *scenario = allocate(sizeof *scenario);
    char bytes[HISTORY_LABEL];
    struct buffer label = buffer_over(bytes, sizeof bytes);
    double before = host->design.result.latency;
    char after[RANGE_LATENCY_MAX];
    struct error error;

    if (design == NULL || !front->current || !design_is_valid(&host->design)) {
        host_say(host, NOTICE_NORMAL, "these results are of the previous design");
    } else if (sweep_design(&front->work->search.sweep, design->point.number, scenario, &error) !=
                   STATUS_OK ||
               remove_devices(front->work, design, scenario, &error) != STATUS_OK) {
        host_fail(host, &error);
    } else {
        print_changes(front, design, &label);
        range_latency_text(design->latency, design->low, design->high, true, after);
        scenario_copy(&host->design.scenario, scenario);
        design_record(&host->design, false, "%s", bytes);
        if (design_is_valid(&host->design))
            host_say_latency(host, before, after);
    }
    free(scenario);
}

/* Sets up a search with the answer that is shown: the worker changes its own. */
static bool make_shown(const struct front *front, struct search *shown)
{
    const struct front_work *work = front->work;

    *shown = (struct search){.designs = 0};
    if (work == NULL || !front->current)
        return false;
    shown->sweep = work->search.sweep;
    shown->conditions = work->search.conditions;
    shown->designs = work->search.designs;
    shown->chosen = work->search.chosen;
    shown->problem = front->invalid;
    memcpy(shown->objective, work->search.objective, sizeof shown->objective);
    memcpy(shown->column, work->search.column, sizeof shown->column);
    memcpy(shown->count, front->tried, sizeof shown->count);
    for (int i = 0; i < front->answer.count; i++)
        search_append(&shown->front, &front->answer.front[i].point);
    return true;
}

bool front_chart(const struct front *front, struct chart *chart)
{
    bool ended = !front->worker.running && !front->stopped && front->problem.status == STATUS_OK;
    struct search shown;
    bool made = make_shown(front, &shown) && (front->answer.count > 0 || ended);

    if (made)
        chart_search(chart, &shown, &front->answer, false);
    search_free(&shown);
    return made;
}

void front_table(const struct front *front, FILE *out, int columns)
{
    struct record record = record_to(out, RECORD_TEXT);
    struct search shown;

    record.unicode = true;
    record.width = columns;
    if (make_shown(front, &shown))
        search_report(&record, &shown, &front->answer, &(const struct search_output){.top = 0});
    search_free(&shown);
}
