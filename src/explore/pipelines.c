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
#include "explore/trial.h"
#include "model/jitter.h"
#include "model/range.h"

#define UNSEEN_GOAL                                                                                \
    {                                                                                              \
        .median_factor = 1.4, .inside = 0.55, .inside_most = 0.8, .median_width = 2,               \
        .worst_factor = 4, .words = "median <= 1.4, worst <= 4, 55 to 80 % inside, width <= 2"     \
    }

const struct pipelines_goal pipelines_goals[PIPELINES_GROUPS] = {
    [PIPELINES_TESTS] = UNSEEN_GOAL,
    [PIPELINES_UNSEEN] = UNSEEN_GOAL,
    [PIPELINES_SEEN] = {.median_factor = 1.25, .words = "median <= 1.25"},
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

static const char *const roles[PIPELINE_ROLES] = {
    [PIPELINE_TESTS] = "tests",
    [PIPELINE_CALIBRATES] = "calibrates",
    [PIPELINE_LISTED] = "listed",
};

const char *pipeline_role_name(enum pipeline_role role)
{
    return roles[role];
}

const char *pipeline_class_title(enum pipeline_class class)
{
    return classes[class].title;
}

const char *pipeline_quantity_name(enum pipeline_quantity quantity)
{
    return quantities[quantity];
}

enum { SOLVE_STEPS = 40 };

/* Rows ----------------------------------------------------------------------------------------- */

/* What predictions need; each member is valid from pipelines_open on. */
struct predictor {
    struct catalogue *catalogue;
    struct scenario scenario; /* of a row */
    struct trial *trial;      /* of that scenario */
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
    const char *class, *compare, *unit;
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
    row->role = row->reason[0] == '\0' ? PIPELINE_TESTS : PIPELINE_LISTED;
    if (row->class == PIPELINE_CLASSES)
        return error_set(error, STATUS_INVALID, "class \"%.40s\" is not cpu, gpu, gpus or fpga",
                         words->class);
    if (row->quantity == PIPELINE_QUANTITIES)
        return error_set(error, STATUS_INVALID, "compare \"%.40s\" is not latency, period or none",
                         words->compare);
    if (row->source[0] == '\0')
        return error_set(error, STATUS_INVALID, "the source is missing");
    if (row->role != PIPELINE_LISTED && row->quantity != PIPELINE_LATENCY)
        return error_set(error, STATUS_INVALID,
                         "no latency is compared, and the reason why it is listed is missing");
    return STATUS_OK;
}

static enum status read_pipeline_row(const struct records *records, int number,
                                     struct pipeline_row *row, struct error *error)
{
    struct row_words words;
    const struct record_text texts[] = {
        {.column = "id", .text = &row->id},
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
    enum status status = jitter_run(&predictor->trial->scenario, &predictor->trial->result,
                                    JITTER_FRAMES, JITTER_SEED, 0, NULL, &jitter, error);

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

/* Finds the latency of the trial. */
static enum status find_latency(struct predictor *predictor, double *latency, struct error *error)
{
    trial_evaluate(predictor->trial);
    *latency = predictor->trial->after.latency;
    return trial_problem(predictor->trial, error);
}

static double factor_of(double predicted, double measured)
{
    return fmax(predicted / measured, measured / predicted);
}

/* Returns what is compared with the measured time of a row. */
static double predicted_time(const struct pipeline_row *row, const struct result *result)
{
    return row->quantity == PIPELINE_PERIOD ? 1 / result->max_frame_rate : result->latency;
}

/* Predicts the scenario of a row with its range. */
static enum status predict(struct predictor *predictor, const struct pipeline_row *row,
                           const double factors[CAUSE_COUNT],
                           struct pipeline_prediction *prediction, struct error *error)
{
    struct result *result = &predictor->trial->result;
    const struct latency_range *range = &predictor->range;
    enum status status =
        range_find(&predictor->trial->scenario, result, factors, NULL, &predictor->range, error);

    if (status != STATUS_OK)
        return status;
    prediction->value = predicted_time(row, result);
    prediction->factor = factor_of(prediction->value, row->measured);
    if (row->quantity == PIPELINE_PERIOD) { /* that of the highest rate is the shortest */
        prediction->low = 1 / range->rate_high;
        prediction->high = 1 / range->rate_low;
        prediction->inside = prediction->low <= row->measured && row->measured <= prediction->high;
        return STATUS_OK;
    }
    prediction->low = range->low;
    prediction->high = range->high;
    prediction->may_not_keep_up = range->may_not_keep_up;
    prediction->inside = range_contains(range, row->measured);
    return STATUS_OK;
}

static enum status predict_seen(struct predictor *predictor, struct pipeline_row *row,
                                struct error *error)
{
    enum status status;

    trial_reset(predictor->trial);
    status = predict(predictor, row, NULL, &row->seen, error);
    if (status != STATUS_OK)
        return status;
    row->cause = largest_cause(&predictor->range);
    row->assumed = row->quantity == PIPELINE_LATENCY ? predictor->range.assumed : RESULT_NONE;
    row->fitted = row->quantity == PIPELINE_LATENCY && predictor->range.fitted;
    return row->p99_low != RESULT_NONE ? predict_p99(predictor, row, error) : STATUS_OK;
}

/* Takes back what a scenario states of its software but the language: the model then assumes what
 * it assumes of any. */
static void forget_software(struct scenario *scenario)
{
    scenario->general.sharing = scenario->general.processing = CHOICE_AUTO;
    for (int d = 0; d < scenario->device_count; d++) {
        struct device *device = &scenario->device[d];

        device->dispatch = device->kind == DEVICE_CPU ? DISPATCH_SPIN : DISPATCH_STREAM;
        device->os = OS_REALTIME;
    }
    for (int c = 0; c < scenario->component_count; c++) {
        scenario->component[c].workers = 0;
        scenario->component[c].thread[0] = '\0';
        scenario->component[c].barrier = CHOICE_AUTO;
    }
}

static enum status predict_unstated(struct predictor *predictor, struct pipeline_row *row,
                                    struct error *error)
{
    trial_reset(predictor->trial);
    forget_software(&predictor->trial->scenario);
    return find_latency(predictor, &row->unstated, error);
}

/* Makes all fits of a row again without its computer. */
static void forget_computer(struct predictor *predictor, const struct pipelines *pipelines,
                            const struct pipeline_row *row)
{
    trial_reset(predictor->trial);
    for (int f = 0; f < FIT_COUNT; f++) {
        const struct fit *fit = &pipelines->fits.fit[f];

        if (fit_rests_on(fit, row->computer))
            fit_apply((enum fit_figure)f, fit_find(fit, row->computer),
                      &predictor->trial->scenario);
    }
}

/* Predicts a row without its computer; without a range, which needs all these predictions. */
static enum status predict_unseen(struct predictor *predictor, const struct pipelines *pipelines,
                                  struct pipeline_row *row, struct error *error)
{
    double latency;
    enum status status;

    forget_computer(predictor, pipelines, row);
    status = find_latency(predictor, &latency, error);
    if (status == STATUS_OK)
        row->unseen.value = predicted_time(row, &predictor->trial->result);
    return status;
}

static enum status find_range_unseen(struct predictor *predictor, const struct pipelines *pipelines,
                                     int number, struct error *error)
{
    const struct pipelines_fit fit = pipelines_fit_causes(pipelines, number);
    struct pipeline_row *row = &pipelines->row[number];
    enum status status;

    forget_computer(predictor, pipelines, row);
    status = predict(predictor, row, fit.factor, &row->unseen, error);
    if (status == STATUS_OK)
        row->software_unknown = range_unstated(&predictor->range) != NULL;
    return status;
}

/* Fits --------------------------------------------------------------------------------------- */

/* Returns the row with a name; NULL if there is none that is compared by its latency. */
static struct pipeline_row *find_row(const struct pipelines *pipelines, const char *id)
{
    for (int i = 0; i < pipelines->count; i++)
        if (strcmp(pipelines->row[i].id, id) == 0 && pipelines->row[i].quantity == PIPELINE_LATENCY)
            return &pipelines->row[i];
    return NULL;
}

/* Finds the latency with the value of a figure. */
static enum status evaluate_with(struct predictor *predictor, enum fit_figure figure, double value,
                                 double *latency, struct error *error)
{
    trial_reset(predictor->trial);
    fit_apply(figure, value, &predictor->trial->scenario);
    return find_latency(predictor, latency, error);
}

/* Finds the value of a figure with which a row is predicted as measured, by bisection of its
 * logarithm. */
static enum status solve_row(struct predictor *predictor, const struct fit *fit,
                             enum fit_figure figure, const struct pipeline_row *row, double *value,
                             struct error *error)
{
    double low = fit->low, high = fit->high;
    double at_low, at_high;
    enum status status = read_row_scenario(predictor, row, error);

    if (status == STATUS_OK)
        status = evaluate_with(predictor, figure, low, &at_low, error);
    if (status == STATUS_OK)
        status = evaluate_with(predictor, figure, high, &at_high, error);
    if (status == STATUS_OK && (row->measured < at_low) == (row->measured < at_high))
        status = error_set(error, STATUS_INVALID,
                           "fits.csv:%d: no %s from low_us to high_us gives the measured latency",
                           fit->line, fit_name(figure));
    for (int i = 0; i < SOLVE_STEPS && status == STATUS_OK; i++) {
        double latency = 0;

        *value = sqrt(low * high);
        status = evaluate_with(predictor, figure, *value, &latency, error);
        if ((latency < row->measured) == (at_low < at_high))
            low = *value;
        else
            high = *value;
    }
    return status;
}

/* Runs the table of fits: finds the computer and the value of each of their rows, and the roles
 * that follow. */
static enum status run_fits(struct predictor *predictor, struct pipelines *pipelines,
                            struct error *error)
{
    enum status status = STATUS_OK;

    for (int f = 0; f < FIT_COUNT; f++) {
        struct fit *fit = &pipelines->fits.fit[f];

        for (int i = 0; i < fit->count && status == STATUS_OK; i++) {
            struct fit_value *value = &fit->value[i];
            const struct pipeline_row *row;

            if (value->row == NULL)
                continue;
            row = find_row(pipelines, value->row);
            if (row == NULL || row->role == PIPELINE_LISTED)
                return error_set(error, STATUS_INVALID,
                                 "fits.csv:%d: %s names the row \"%.40s\"; allowed are rows of "
                                 "pipelines.csv with a latency that are not listed",
                                 fit->line, fit_name((enum fit_figure)f), value->row);
            value->computer = row->computer;
            status = solve_row(predictor, fit, (enum fit_figure)f, row, &value->value, error);
            if (status != STATUS_OK)
                error_prefix(error, "%s", row->id);
        }
        for (int i = 0; i < pipelines->count && status == STATUS_OK; i++)
            if (pipelines->row[i].role == PIPELINE_TESTS &&
                fit_rests_on(fit, pipelines->row[i].computer))
                pipelines->row[i].role = PIPELINE_CALIBRATES;
    }
    return status;
}

/* Predicts a row but for what factors of causes need. */
static enum status predict_row(struct predictor *predictor, const struct pipelines *pipelines,
                               struct pipeline_row *row, struct error *error)
{
    enum status status = predict_seen(predictor, row, error);

    if (status == STATUS_OK)
        status = predict_unseen(predictor, pipelines, row, error);
    if (status == STATUS_OK && row->quantity == PIPELINE_LATENCY)
        status = predict_unstated(predictor, row, error);
    return status;
}

/* Predicts all rows; factors of causes need the predictions of all. */
static enum status predict_rows(struct pipelines *pipelines, struct error *error)
{
    struct predictor *predictor = allocate_array(1, sizeof *predictor);
    enum status status;

    predictor->catalogue = catalogue_open_embedded();
    predictor->trial = trial_new(&predictor->scenario, NULL);
    status = run_fits(predictor, pipelines, error);
    for (int i = 0; i < 2 * pipelines->count && status == STATUS_OK; i++) {
        const int number = i % pipelines->count;
        struct pipeline_row *row = &pipelines->row[number];

        if (row->quantity == PIPELINE_NOT_COMPARED)
            continue;
        status = read_row_scenario(predictor, row, error);
        if (status == STATUS_OK && i < pipelines->count)
            status = predict_row(predictor, pipelines, row, error);
        else if (status == STATUS_OK)
            status = find_range_unseen(predictor, pipelines, number, error);
        if (status != STATUS_OK)
            error_prefix(error, "%s", row->id);
    }
    trial_free(predictor->trial);
    catalogue_close(predictor->catalogue);
    free(predictor);
    return status;
}

enum status pipelines_open(struct pipelines *pipelines, const char *fits, struct error *error)
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
    for (int i = 0; i < pipelines->count && status == STATUS_OK; i++) {
        struct pipeline_row *row = &pipelines->row[i];

        row->seen = row->unseen = (struct pipeline_prediction){
            .value = RESULT_NONE, .low = RESULT_NONE, .high = RESULT_NONE, .factor = RESULT_NONE};
        row->predicted_p99 = row->assumed = row->unstated = RESULT_NONE;
        row->cause = CAUSE_NONE;
        status = read_pipeline_row(&pipelines->records, i, row, error);
        if (status != STATUS_OK)
            error_prefix(error, "pipelines.csv:%d", records_line(&pipelines->records, i));
    }
    if (fits == NULL)
        fits = (const char *)embedded_find(published_files, published_files_count, "fits")->bytes;
    if (status == STATUS_OK)
        status = fits_read(&pipelines->fits, fits, strlen(fits), error);
    if (status == STATUS_OK)
        status = predict_rows(pipelines, error);
    if (status != STATUS_OK)
        pipelines_free(pipelines);
    return status;
}

void pipelines_free(struct pipelines *pipelines)
{
    records_free(&pipelines->records);
    fits_free(&pipelines->fits);
    free(pipelines->row);
    *pipelines = (struct pipelines){.row = NULL};
}

/* Fitting the causes --------------------------------------------------------------------------- */

static bool same_computer(const struct pipelines *pipelines, int a, int b)
{
    return strcmp(pipelines->row[a].computer, pipelines->row[b].computer) == 0;
}

/* Returns the squared residual of a row that belongs to a cause, -1 if it does not. */
static double squared_residual(const struct pipeline_row *row, enum cause cause)
{
    const bool unknown = cause == CAUSE_UNSTATED;

    if (row->role == PIPELINE_LISTED || (!unknown && row->cause != cause))
        return -1;
    return pow(log(row->measured / (unknown ? row->unstated : row->unseen.value)), 2);
}

/* Returns the mean square residual of the rows of a computer that belong to a cause; -1 if `row` is
 * not the first of them. */
static double computer_residual(const struct pipelines *pipelines, int row, enum cause cause)
{
    double sum = 0;
    int count = 0;

    for (int i = 0; i < pipelines->count; i++) {
        const double residual = squared_residual(&pipelines->row[i], cause);

        if (residual < 0 || !same_computer(pipelines, i, row))
            continue;
        if (i < row)
            return -1;
        sum += residual;
        count++;
    }
    return count > 0 ? sum / count : -1;
}

struct pipelines_fit pipelines_fit_causes(const struct pipelines *pipelines, int without)
{
    struct pipelines_fit fit;

    for (int c = 0; c < CAUSE_COUNT; c++) {
        const enum cause cause = (enum cause)c;
        double sum = pow(log(cause_start(cause)), 2);

        fit.computers[c] = 0;
        for (int i = 0; i < pipelines->count; i++) {
            double residual = computer_residual(pipelines, i, cause);

            if (residual < 0 || squared_residual(&pipelines->row[i], cause) < 0 ||
                (without >= 0 && same_computer(pipelines, i, without)))
                continue;
            sum += residual;
            fit.computers[c]++;
        }
        fit.factor[c] = fit.computers[c] < PIPELINES_FIT_COMPUTERS
                            ? cause_start(cause)
                            : exp(sqrt(sum / (1 + fit.computers[c])));
    }
    return fit;
}

/* Summing up ----------------------------------------------------------------------------------- */

bool pipelines_first_of_computer(const struct pipelines *pipelines, int row)
{
    if (pipelines->row[row].role == PIPELINE_LISTED)
        return false;
    for (int i = 0; i < row; i++)
        if (pipelines->row[i].role != PIPELINE_LISTED && same_computer(pipelines, i, row))
            return false;
    return true;
}

static bool is_of_group(const struct pipelines *pipelines, int number, enum pipelines_group group,
                        int member)
{
    const struct pipeline_row *row = &pipelines->row[number];

    if (row->role == PIPELINE_LISTED)
        return false;
    switch (group) {
    case PIPELINES_TESTS:
        return row->role == PIPELINE_TESTS;
    case PIPELINES_SEEN:
        return row->role == PIPELINE_CALIBRATES;
    case PIPELINES_OF_CLASS:
        return (int)row->class == member;
    case PIPELINES_OF_COMPUTER:
        return same_computer(pipelines, number, member);
    default:
        return true;
    }
}

/* Values to summarise: of a row, or of the rows of a computer. */
struct row_values {
    double *factor, *width;
    double inside; /* sum */
    double worst;
    int count;
};

static void add_row_values(struct row_values *values, const struct pipeline_prediction *of)
{
    values->factor[values->count] = of->factor;
    values->width[values->count++] = of->may_not_keep_up ? INFINITY : sqrt(of->high / of->low);
    values->inside += of->inside;
    values->worst = fmax(values->worst, of->factor);
}

/* Adds one value for the computer of a row. `space` has room for the rows of the computer. */
static void add_computer_values(struct row_values *values, struct row_values space,
                                const struct pipelines *pipelines, int row)
{
    for (int i = row; i < pipelines->count; i++)
        if (is_of_group(pipelines, i, PIPELINES_OF_COMPUTER, row))
            add_row_values(&space, &pipelines->row[i].unseen);
    values->factor[values->count] = stats_sort_median(space.factor, space.count);
    values->width[values->count++] = stats_sort_median(space.width, space.count);
    values->inside += space.inside / space.count;
    values->worst = fmax(values->worst, space.worst);
}

/* Returns the number of computers of the rows of a group. */
static int count_computers(const struct pipelines *pipelines, enum pipelines_group group,
                           int member)
{
    int computers = 0;

    for (int i = 0; i < pipelines->count; i++) {
        bool first = is_of_group(pipelines, i, group, member);

        for (int k = 0; k < i && first; k++)
            first = !is_of_group(pipelines, k, group, member) || !same_computer(pipelines, i, k);
        computers += first;
    }
    return computers;
}

int pipelines_most_rows(const struct pipelines *pipelines)
{
    int most = 0, most_rows = 0;

    for (int i = 0; i < pipelines->count; i++) {
        int rows = 0;

        for (int k = i; k < pipelines->count; k++)
            rows += is_of_group(pipelines, k, PIPELINES_OF_COMPUTER, i);
        if (pipelines->row[i].role != PIPELINE_LISTED && rows > most_rows) {
            most = i;
            most_rows = rows;
        }
    }
    return most;
}

enum pipelines_group pipelines_headline(const struct pipelines *pipelines)
{
    return count_computers(pipelines, PIPELINES_TESTS, 0) >= PIPELINES_TEST_COMPUTERS
               ? PIPELINES_TESTS
               : PIPELINES_UNSEEN;
}

struct pipelines_summary pipelines_summarise(const struct pipelines *pipelines,
                                             enum pipelines_group group, int member)
{
    size_t rows = (size_t)pipelines->count + 1;
    double *numbers = allocate_array(4 * rows, sizeof *numbers);
    struct pipelines_summary summary = {0};
    struct row_values values = {.factor = numbers, .width = numbers + rows};
    struct row_values space = {.factor = numbers + 2 * rows, .width = numbers + 3 * rows};
    int open = 0;
    int software_unknown = 0;

    for (int i = 0; i < pipelines->count; i++) {
        const struct pipeline_row *row = &pipelines->row[i];

        if (!is_of_group(pipelines, i, group, member))
            continue;
        open += row->unseen.may_not_keep_up;
        software_unknown += row->software_unknown;
        if (group != PIPELINES_BY_COMPUTER)
            add_row_values(&values, group == PIPELINES_SEEN ? &row->seen : &row->unseen);
        else if (pipelines_first_of_computer(pipelines, i))
            add_computer_values(&values, space, pipelines, i);
    }
    if (values.count > 0)
        summary = (struct pipelines_summary){
            .count = values.count,
            .computers = count_computers(pipelines, group, member),
            .open = open,
            .software_unknown = software_unknown,
            .median_factor = stats_sort_median(values.factor, values.count),
            .median_width = stats_sort_median(values.width, values.count),
            .worst_factor = values.worst,
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
           (goal->worst_factor == 0 || summary->worst_factor <= goal->worst_factor) &&
           (goal->median_width == 0 || (summary->median_width != RESULT_NONE &&
                                        summary->median_width <= goal->median_width)) &&
           summary->inside >= goal->inside &&
           (goal->inside_most == 0 || summary->inside <= goal->inside_most);
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
    return row->seen.inside && pipelines_p99_inside(row);
}
