#include "explore/pipelines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/embedded.h"
#include "base/number.h"
#include "base/stats.h"
#include "design/preset.h"
#include "design/scenario_file.h"
#include "model/jitter.h"
#include "model/range.h"

const struct pipelines_goal pipelines_goals[PIPELINES_GROUPS] = {
    [PIPELINES_ALL] = {.median_factor = 1.25,
                       .inside = 0.65,
                       .median_width = 1.6,
                       .words = "median <= 1.25, 65 % inside, width <= 1.6"},
    [PIPELINES_BY_COMPUTER] = {.median_factor = 1.35,
                               .inside = 0.6,
                               .words = "median <= 1.35, 60 % inside"},
};

/* As in the file, and in reports. */
static const struct {
    const char *word, *title;
} classes[PIPELINE_CLASSES] = {
    [PIPELINE_CPU] = {"cpu", "CPU"},
    [PIPELINE_GPU] = {"gpu", "GPU"},
    [PIPELINE_GPUS] = {"gpus", "several GPUs"},
    [PIPELINE_FPGA] = {"fpga", "FPGA"},
};

static const char *const quantities[PIPELINE_QUANTITIES] = {
    [PIPELINE_LATENCY] = "latency",
    [PIPELINE_PERIOD] = "period",
    [PIPELINE_NOT_COMPARED] = "none",
};

const char *pipeline_class_title(enum pipeline_class class)
{
    return classes[class].title;
}

const char *pipeline_quantity_name(enum pipeline_quantity quantity)
{
    return quantities[quantity];
}

/* Rows ----------------------------------------------------------------------------------------- */

/* What predictions need; each member is valid from pipelines_open on. */
struct predictor {
    struct catalogue *catalogue;
    struct scenario scenario;
    struct result result;
    struct latency_range range;
};

/* Reads a value in us or Hz, a rate as its period; an empty text is RESULT_NONE. */
static enum status read_time(const char *text, const char *column, bool rate, double *time,
                             struct error *error)
{
    const char *end = "";
    double value;

    *time = RESULT_NONE;
    if (text[0] == '\0')
        return STATUS_OK;
    if (number_parse(text, &value, &end) != STATUS_OK || *end != '\0' || value <= 0)
        return error_set(error, STATUS_INVALID, "%s \"%.40s\" is not a number above 0", column,
                         text);
    *time = rate ? 1 / value : value / 1e6;
    return STATUS_OK;
}

/* Texts of a row that are not kept. */
struct row_words {
    const char *class, *compare, *counted, *unit;
    const char *value, *low, *high, *p99_low, *p99_high;
};

static enum status read_row_times(struct pipeline_row *row, const struct row_words *words,
                                  struct error *error)
{
    bool rate = strcmp(words->unit, "Hz") == 0;
    const struct {
        const char *column, *text;
        double *time;
        bool rate;
    } times[] = {
        {.column = "value", .text = words->value, .time = &row->measured, .rate = rate},
        /* the lowest rate is the longest period */
        {.column = "low",
         .text = rate ? words->high : words->low,
         .time = &row->measured_low,
         .rate = rate},
        {.column = "high",
         .text = rate ? words->low : words->high,
         .time = &row->measured_high,
         .rate = rate},
        {.column = "p99_low_us", .text = words->p99_low, .time = &row->p99_low},
        {.column = "p99_high_us", .text = words->p99_high, .time = &row->p99_high},
    };
    enum status status = STATUS_OK;

    if (!rate && strcmp(words->unit, "us") != 0)
        return error_set(error, STATUS_INVALID, "unit \"%.40s\" is not us or Hz", words->unit);
    for (size_t i = 0; i < sizeof times / sizeof times[0] && status == STATUS_OK; i++)
        status = read_time(times[i].text, times[i].column, times[i].rate, times[i].time, error);
    if (status == STATUS_OK && row->measured == RESULT_NONE)
        status = error_set(error, STATUS_INVALID, "the value is missing");
    return status;
}

static enum status check_row_words(struct pipeline_row *row, const struct row_words *words,
                                   struct error *error)
{
    while (row->class < PIPELINE_CLASSES && strcmp(classes[row->class].word, words->class) != 0)
        row->class ++;
    while (row->quantity < PIPELINE_QUANTITIES &&
           strcmp(quantities[row->quantity], words->compare) != 0)
        row->quantity++;
    row->counted = strcmp(words->counted, "yes") == 0;
    if (row->class == PIPELINE_CLASSES)
        return error_set(error, STATUS_INVALID, "class \"%.40s\" is not cpu, gpu, gpus or fpga",
                         words->class);
    if (row->quantity == PIPELINE_QUANTITIES)
        return error_set(error, STATUS_INVALID, "compare \"%.40s\" is not latency, period or none",
                         words->compare);
    if (!row->counted && strcmp(words->counted, "no") != 0)
        return error_set(error, STATUS_INVALID, "counted \"%.40s\" is not yes or no",
                         words->counted);
    if (row->counted && row->quantity != PIPELINE_LATENCY)
        return error_set(error, STATUS_INVALID, "it is counted, but no latency is compared");
    if (row->counted != (row->reason[0] == '\0'))
        return error_set(error, STATUS_INVALID,
                         row->counted ? "a reason is given, but it is counted"
                                      : "the reason why it is not counted is missing");
    return STATUS_OK;
}

static enum status read_pipeline_row(const struct records *records, int number,
                                     struct pipeline_row *row, struct error *error)
{
    struct row_words words;
    const struct record_text texts[] = {
        {.column = "id", .text = &row->id},
        {.column = "counted", .text = &words.counted},
        {.column = "system", .text = &row->system},
        {.column = "size", .text = &row->size},
        {.column = "start", .text = &row->start},
        {.column = "end", .text = &row->end},
        {.column = "packetisation", .text = &row->packetisation},
        {.column = "quantity", .text = &row->what},
        {.column = "value", .text = &words.value},
        {.column = "unit", .text = &words.unit},
        {.column = "low", .text = &words.low},
        {.column = "high", .text = &words.high},
        {.column = "statistic", .text = &row->statistic},
        {.column = "source", .text = &row->source},
        {.column = "quality", .text = &row->quality},
        {.column = "notes", .text = &row->notes},
        {.column = "class", .text = &words.class},
        {.column = "computer", .text = &row->computer},
        {.column = "compare", .text = &words.compare},
        {.column = "p99_low_us", .text = &words.p99_low},
        {.column = "p99_high_us", .text = &words.p99_high},
        {.column = "reason", .text = &row->reason},
        {.column = "remark", .text = &row->remark},
    };
    enum status status =
        records_read(records, number, texts, sizeof texts / sizeof texts[0], error);

    if (status == STATUS_OK)
        status = check_row_words(row, &words, error);
    if (status == STATUS_OK)
        status = read_row_times(row, &words, error);
    return status;
}

static enum status predict_p99(struct predictor *predictor, struct pipeline_row *row,
                               struct error *error)
{
    struct jitter jitter;
    enum status status = jitter_run(&predictor->scenario, &predictor->result, JITTER_FRAMES,
                                    JITTER_SEED, 0, NULL, &jitter, error);

    if (status == STATUS_OK)
        row->predicted_p99 = jitter.p99;
    return status;
}

/* Returns the cause that makes more than half of the latency. */
static enum cause largest_cause(const struct latency_range *range)
{
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        if (range->part[cause] > range->latency / 2)
            return (enum cause)cause;
    return CAUSE_NONE;
}

static enum status read_row_scenario(struct predictor *predictor, const struct pipeline_row *row,
                                     struct error *error)
{
    const struct preset *preset =
        catalogue_find(predictor->catalogue, row->id, 1U << PRESET_PIPELINE, error);

    if (preset == NULL)
        return STATUS_INVALID;
    return scenario_read_preset(&predictor->scenario, preset, predictor->catalogue, error);
}

static enum status predict_row(struct predictor *predictor, struct pipeline_row *row,
                               struct error *error)
{
    const struct result *result = &predictor->result;
    enum status status = read_row_scenario(predictor, row, error);

    if (status == STATUS_OK)
        status = range_find(&predictor->scenario, &predictor->result, NULL, NULL, &predictor->range,
                            error);
    if (status != STATUS_OK)
        return status;
    row->predicted =
        row->quantity == PIPELINE_PERIOD ? 1 / result->max_frame_rate : result->latency;
    row->factor = fmax(row->predicted / row->measured, row->measured / row->predicted);
    row->cause = largest_cause(&predictor->range);
    return row->p99_low != RESULT_NONE ? predict_p99(predictor, row, error) : STATUS_OK;
}

static enum status find_row_range(struct predictor *predictor, const struct pipelines *pipelines,
                                  int number, struct error *error)
{
    const struct pipelines_fit fit = pipelines_fit_causes(pipelines, number);
    const struct latency_range *range = &predictor->range;
    struct pipeline_row *row = &pipelines->row[number];
    enum status status = read_row_scenario(predictor, row, error);

    if (status == STATUS_OK)
        status = range_find(&predictor->scenario, &predictor->result, fit.factor, NULL,
                            &predictor->range, error);
    if (status != STATUS_OK)
        return status;
    row->low = range->low;
    row->high = range->high;
    row->may_not_keep_up = range->may_not_keep_up;
    row->assumed = range->assumed;
    row->fitted = range->fitted;
    row->inside = range_contains(range, row->measured);
    return STATUS_OK;
}

/* Predicts all rows, then finds their ranges, for which the factors are fitted to all rows. */
static enum status predict_rows(struct pipelines *pipelines, struct error *error)
{
    struct predictor *predictor = allocate_array(1, sizeof *predictor);
    enum status status;

    if (predictor == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    status = catalogue_open_embedded(&predictor->catalogue, error);
    if (status == STATUS_OK)
        status = result_init(&predictor->result, error);
    for (int i = 0; i < 2 * pipelines->count && status == STATUS_OK; i++) {
        const int number = i % pipelines->count;
        struct pipeline_row *row = &pipelines->row[number];

        if (i < pipelines->count && row->quantity != PIPELINE_NOT_COMPARED)
            status = predict_row(predictor, row, error);
        else if (row->quantity == PIPELINE_LATENCY)
            status = find_row_range(predictor, pipelines, number, error);
        if (status != STATUS_OK)
            error_prefix(error, "%s", row->id);
    }
    result_free(&predictor->result);
    catalogue_close(predictor->catalogue);
    free(predictor);
    return status;
}

enum status pipelines_open(struct pipelines *pipelines, struct error *error)
{
    const struct embedded_file *file =
        embedded_find(published_files, published_files_count, "pipelines");
    enum status status;

    *pipelines = (struct pipelines){.row = NULL};
    status = records_parse(&pipelines->records, (const char *)file->bytes, file->length, error);
    if (status != STATUS_OK)
        return status;
    pipelines->count = pipelines->records.count;
    pipelines->row = allocate_array((size_t)pipelines->count + 1, sizeof *pipelines->row);
    if (pipelines->row == NULL)
        status = error_set(error, STATUS_MEMORY, "out of memory");
    for (int i = 0; i < pipelines->count && status == STATUS_OK; i++) {
        struct pipeline_row *row = &pipelines->row[i];

        row->predicted = row->predicted_p99 = row->low = row->high = row->factor = row->assumed =
            RESULT_NONE;
        row->cause = CAUSE_NONE;
        status = read_pipeline_row(&pipelines->records, i, row, error);
        if (status != STATUS_OK)
            error_prefix(error, "%s", row->id);
    }
    if (status == STATUS_OK)
        status = predict_rows(pipelines, error);
    if (status != STATUS_OK)
        pipelines_free(pipelines);
    return status;
}

void pipelines_free(struct pipelines *pipelines)
{
    records_free(&pipelines->records);
    free(pipelines->row);
    *pipelines = (struct pipelines){.row = NULL};
}

/* Fitting the causes --------------------------------------------------------------------------- */

static bool same_computer(const struct pipelines *pipelines, int a, int b)
{
    return strcmp(pipelines->row[a].computer, pipelines->row[b].computer) == 0;
}

static bool counts_towards(const struct pipeline_row *row, enum cause cause)
{
    return row->counted && row->cause == cause;
}

/* Returns the mean square residual of the rows of a computer that belong to a cause; -1 if `row` is
 * not the first of them. */
static double computer_residual(const struct pipelines *pipelines, int row, enum cause cause)
{
    double sum = 0;
    int count = 0;

    for (int i = 0; i < pipelines->count; i++) {
        const struct pipeline_row *other = &pipelines->row[i];

        if (!counts_towards(other, cause) || !same_computer(pipelines, i, row))
            continue;
        if (i < row)
            return -1;
        sum += pow(log(other->measured / other->predicted), 2);
        count++;
    }
    return count > 0 ? sum / count : -1;
}

struct pipelines_fit pipelines_fit_causes(const struct pipelines *pipelines, int without)
{
    struct pipelines_fit fit;

    for (int c = 0; c < CAUSE_COUNT; c++) {
        const enum cause cause = (enum cause)c;
        double sum = 0;

        fit.computers[c] = 0;
        for (int i = 0; i < pipelines->count; i++) {
            double residual = computer_residual(pipelines, i, cause);

            if (residual < 0 || !counts_towards(&pipelines->row[i], cause) ||
                (without >= 0 && same_computer(pipelines, i, without)))
                continue;
            sum += residual;
            fit.computers[c]++;
        }
        fit.factor[c] = fit.computers[c] < PIPELINES_FIT_COMPUTERS
                            ? cause_start(cause)
                            : exp(sqrt(sum / fit.computers[c]));
    }
    return fit;
}

/* Summing up ----------------------------------------------------------------------------------- */

bool pipelines_first_of_computer(const struct pipelines *pipelines, int row)
{
    if (!pipelines->row[row].counted)
        return false;
    for (int i = 0; i < row; i++)
        if (pipelines->row[i].counted && same_computer(pipelines, i, row))
            return false;
    return true;
}

static bool is_of_group(const struct pipelines *pipelines, int row, enum pipelines_group group,
                        int member)
{
    if (!pipelines->row[row].counted)
        return false;
    if (group == PIPELINES_OF_CLASS)
        return (int)pipelines->row[row].class == member;
    return group != PIPELINES_WITHOUT || !same_computer(pipelines, row, member);
}

/* Values to summarise: of a row, or of the rows of a computer. */
struct row_values {
    double *factor, *width;
    double inside; /* sum */
    int count;
};

static void add_row_values(struct row_values *values, const struct pipeline_row *row)
{
    values->factor[values->count] = row->factor;
    values->width[values->count++] = row->may_not_keep_up ? INFINITY : sqrt(row->high / row->low);
    values->inside += row->inside;
}

/* Adds one value for the computer of a row. `space` has room for the rows of the computer. */
static void add_computer_values(struct row_values *values, struct row_values space,
                                const struct pipelines *pipelines, int row)
{
    for (int i = row; i < pipelines->count; i++)
        if (pipelines->row[i].counted && same_computer(pipelines, i, row))
            add_row_values(&space, &pipelines->row[i]);
    values->factor[values->count] = stats_sort_median(space.factor, space.count);
    values->width[values->count++] = stats_sort_median(space.width, space.count);
    values->inside += space.inside / space.count;
}

struct pipelines_summary pipelines_summarise(const struct pipelines *pipelines,
                                             enum pipelines_group group, int member)
{
    size_t rows = (size_t)pipelines->count + 1;
    double *numbers = allocate_array(4 * rows, sizeof *numbers);
    struct pipelines_summary summary = {0};
    struct row_values values;
    struct row_values space;

    if (numbers == NULL)
        return summary;
    values = (struct row_values){.factor = numbers, .width = numbers + rows};
    space = (struct row_values){.factor = numbers + 2 * rows, .width = numbers + 3 * rows};
    for (int i = 0; i < pipelines->count; i++) {
        if (!is_of_group(pipelines, i, group, member))
            continue;
        if (group != PIPELINES_BY_COMPUTER)
            add_row_values(&values, &pipelines->row[i]);
        else if (pipelines_first_of_computer(pipelines, i))
            add_computer_values(&values, space, pipelines, i);
    }
    if (values.count > 0)
        summary = (struct pipelines_summary){
            .count = values.count,
            .median_factor = stats_sort_median(values.factor, values.count),
            .median_width = stats_sort_median(values.width, values.count),
            .inside = values.inside / values.count,
        };
    if (isinf(summary.median_width))
        summary.median_width = RESULT_NONE;
    free(numbers);
    return summary;
}

bool pipelines_goal_met(const struct pipelines_summary *summary, const struct pipelines_goal *goal)
{
    return summary->count > 0 &&
           (goal->median_factor == 0 || summary->median_factor <= goal->median_factor) &&
           (goal->median_width == 0 || (summary->median_width != RESULT_NONE &&
                                        summary->median_width <= goal->median_width)) &&
           summary->inside >= goal->inside;
}

bool pipelines_p99_inside(const struct pipeline_row *row)
{
    return row->predicted_p99 != RESULT_NONE && row->predicted_p99 >= row->p99_low &&
           row->predicted_p99 <= row->p99_high;
}

bool pipelines_row_has_goal(const struct pipeline_row *row)
{
    static const char *const ids[] = {"rc-fgn-250", "rc-fgn-250-c"};

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (strcmp(row->id, ids[i]) == 0)
            return true;
    return false;
}

bool pipelines_row_met(const struct pipeline_row *row)
{
    return row->inside && pipelines_p99_inside(row);
}
