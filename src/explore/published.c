#include "explore/published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/embedded.h"
#include "base/number.h"
#include "base/stats.h"
#include "design/assign.h"
#include "design/preset.h"
#include "design/scenario_file.h"
#include "explore/trial.h"

const struct published_goal published_goals[PUBLISHED_GOALS] = {
    [PUBLISHED_MVM] = {.use = "mvm",
                       .median_error = 0.10,
                       .worst_error = 0.25,
                       .words = "median <= 10 %, worst <= 25 %"},
    [PUBLISHED_CENTROID] = {.use = "centroid", .worst_factor = 2, .words = "factor <= 2"},
    [PUBLISHED_TLR] = {.use = "tlr", .worst_factor = 2, .words = "factor <= 2"},
    [PUBLISHED_ITERATIVE] = {.use = "iterative", .worst_factor = 2, .words = "factor <= 2"},
};

/* The model of a kernel ------------------------------------------------------------------------ */

#define KERNEL "kernel" /* name of the file and its component */
#define HARDWARE "hardware"
#define SETTINGS_MAX 16

struct kernel_model {
    struct catalogue *catalogue;
    struct scenario kernel;
    struct trial *trial; /* of that */
};

enum status kernel_model_open(struct kernel_model **model, struct error *error)
{
    const struct embedded_file *file =
        embedded_find(published_files, published_files_count, KERNEL);
    const struct preset preset = {.name = KERNEL ".ini",
                                  .text = (const char *)file->bytes,
                                  .length = file->length,
                                  .embedded = file};
    enum status status;

    *model = allocate_array(1, sizeof **model);
    (*model)->trial = trial_new(&(*model)->kernel, NULL);
    (*model)->catalogue = catalogue_open_embedded();
    status = scenario_read_preset(&(*model)->kernel, &preset, (*model)->catalogue, error);
    if (status != STATUS_OK) {
        kernel_model_close(*model);
        *model = NULL;
    }
    return status;
}

void kernel_model_close(struct kernel_model *model)
{
    if (model == NULL)
        return;
    catalogue_close(model->catalogue);
    trial_free(model->trial);
    free(model);
}

static enum status assign_settings(struct kernel_model *model, const char *preset, const char *text,
                                   struct error *error)
{
    char first[TEXT_MAX_LENGTH + 40];
    const char *list[SETTINGS_MAX + 2];
    char *settings = allocate_text(text);
    char *rest = text[0] == '\0' ? NULL : settings;
    enum status status;
    int count = 0;

    snprintf(first, sizeof first, "device." HARDWARE ".preset=%s", preset);
    list[count++] = first;
    while (count <= SETTINGS_MAX && (list[count] = strsep(&rest, " ")) != NULL)
        count++;
    if (rest != NULL)
        status = error_set(error, STATUS_INVALID, "too many knobs");
    else
        status = scenario_assign(&model->trial->scenario, model->catalogue, NULL,
                                 &(struct assignments){list, count}, error);
    free(settings);
    return status;
}

struct scenario *kernel_model_start(struct kernel_model *model, const struct device *device)
{
    struct device *hardware = &model->trial->scenario.device[0];

    trial_reset(model->trial);
    *hardware = *device;
    memcpy(hardware->head.name, HARDWARE, sizeof HARDWARE);
    return &model->trial->scenario;
}

enum status kernel_model_evaluate(struct kernel_model *model, struct node_result *node,
                                  struct error *error)
{
    const struct result *result = &model->trial->result;

    if (!trial_evaluate(model->trial))
        return trial_problem(model->trial, error);
    *node = result->node[result_find_node(result, KERNEL)];
    return STATUS_OK;
}

enum status kernel_model_predict(struct kernel_model *model, const char *preset,
                                 const char *settings, struct node_result *node, double *sockets,
                                 struct error *error)
{
    const struct device *hardware = &model->trial->scenario.device[0];
    enum status status;

    trial_reset(model->trial);
    status = assign_settings(model, preset, settings, error);
    if (status == STATUS_OK)
        status = kernel_model_evaluate(model, node, error);
    if (status == STATUS_OK && sockets != NULL)
        *sockets = hardware->kind == DEVICE_CPU ? hardware->sockets : 1;
    return status;
}

/* Rows ----------------------------------------------------------------------------------------- */

/* Reads and predicts a row. */
static enum status read_published_row(struct published *published, int number,
                                      struct kernel_model *model, struct error *error)
{
    struct published_row *row = &published->row[number];
    const char *use = "";
    const char *time = "";
    const char *end = "";
    const struct record_text texts[] = {
        {.column = "id", .text = &row->id},
        {.column = "use", .text = &use},
        {.column = "hardware", .text = &row->hardware},
        {.column = "problem_size", .text = &row->size},
        {.column = "qualifier", .text = &row->qualifier},
        {.column = "measured_us", .text = &time},
        {.column = "what_is_measured", .text = &row->what},
        {.column = "source", .text = &row->source},
        {.column = "confidence", .text = &row->confidence},
        {.column = "notes", .text = &row->notes},
        {.column = "preset", .text = &row->preset},
        {.column = "settings", .text = &row->settings},
        {.column = "reason", .text = &row->reason},
        {.column = "remark", .text = &row->remark},
    };
    enum status status =
        records_read(&published->records, number, texts, sizeof texts / sizeof texts[0], error);

    if (status != STATUS_OK)
        return status;
    row->predicted = row->ratio = RESULT_NONE;
    while (row->use < PUBLISHED_NOT_PREDICTED && strcmp(published_goals[row->use].use, use) != 0)
        row->use++;
    if (row->use == PUBLISHED_NOT_PREDICTED && strcmp(use, "apart") != 0)
        status = error_set(error, STATUS_INVALID, "unknown use \"%.40s\"", use);
    else if (number_parse(time, &row->measured, &end) != STATUS_OK || *end != '\0' ||
             row->measured <= 0)
        status =
            error_set(error, STATUS_INVALID, "measured_us \"%.40s\" is not a time above 0", time);
    row->measured /= 1e6;
    if (status == STATUS_OK && (row->use == PUBLISHED_NOT_PREDICTED) == (row->reason[0] == '\0'))
        status = error_set(error, STATUS_INVALID,
                           row->reason[0] == '\0' ? "the reason why it is not predicted is missing"
                                                  : "a reason is given, but its use is predicted");
    if (status == STATUS_OK && row->use != PUBLISHED_NOT_PREDICTED) {
        if (row->preset[0] == '\0')
            status = error_set(error, STATUS_INVALID, "the preset is missing");
        else
            status = kernel_model_predict(model, row->preset, row->settings, &row->node,
                                          &row->sockets, error);
        row->predicted = row->node.time;
        row->ratio = row->predicted / row->measured;
    }
    if (status != STATUS_OK)
        error_prefix(error, "%s", row->id);
    return status;
}

enum status published_open(struct published *published, struct error *error)
{
    const struct embedded_file *file =
        embedded_find(published_files, published_files_count, "latencies");
    struct kernel_model *model = NULL;
    enum status status;

    *published = (struct published){.row = NULL};
    status = records_parse(&published->records, (const char *)file->bytes, file->length, error);
    if (status == STATUS_OK)
        status = kernel_model_open(&model, error);
    if (status == STATUS_OK) {
        published->count = published->records.count;
        published->row = allocate_array((size_t)published->count + 1, sizeof *published->row);
    }
    for (int i = 0; i < published->count && status == STATUS_OK; i++)
        status = read_published_row(published, i, model, error);
    kernel_model_close(model);
    if (status != STATUS_OK)
        published_free(published);
    return status;
}

void published_free(struct published *published)
{
    records_free(&published->records);
    free(published->row);
    *published = (struct published){.row = NULL};
}

/* Summing up ----------------------------------------------------------------------------------- */

struct published_summary published_summarise(const struct published *published,
                                             enum published_use use)
{
    const struct published_goal *goal = &published_goals[use];
    struct published_summary summary = {.worst = -1};
    double *errors = allocate_array((size_t)published->count + 1, sizeof *errors);

    for (int i = 0; i < published->count; i++) {
        const struct published_row *row = &published->row[i];
        double error = fabs(row->ratio - 1);
        double factor = fmax(row->ratio, 1 / row->ratio);

        if (row->use != use)
            continue;
        errors[summary.count++] = error;
        summary.worst_error = fmax(summary.worst_error, error);
        if (factor > summary.worst_factor) {
            summary.worst_factor = factor;
            summary.worst = i;
        }
    }
    summary.median_error = stats_sort_median(errors, summary.count);
    free(errors);
    summary.met = summary.count > 0 &&
                  (goal->median_error == 0 || summary.median_error <= goal->median_error) &&
                  (goal->worst_error == 0 || summary.worst_error <= goal->worst_error) &&
                  (goal->worst_factor == 0 || summary.worst_factor <= goal->worst_factor);
    return summary;
}

double published_uncertainty(const struct published *published)
{
    double *logs = allocate_array((size_t)published->count + 1, sizeof *logs);
    double uncertainty;
    int count = 0;

    for (int i = 0; i < published->count; i++)
        if (published->row[i].use != PUBLISHED_NOT_PREDICTED)
            logs[count++] = fabs(log(published->row[i].ratio));
    uncertainty = exp(stats_sort_median(logs, count));
    free(logs);
    return uncertainty;
}
