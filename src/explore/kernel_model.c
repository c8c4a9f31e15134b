#include "explore/kernel_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "design/assign.h"
#include "design/preset.h"
#include "design/scenario_file.h"
#include "model/evaluate.h"

#define KERNEL "kernel" /* the file, and its component */
#define HARDWARE "hardware"
#define SETTINGS_MAX 16

struct kernel_model {
    struct catalogue *catalogue;
    struct scenario kernel;
    struct scenario scenario;
    struct result result;
};

enum status kernel_model_open(struct kernel_model **model, struct error *error)
{
    const struct embedded_file *file =
        embedded_find(published_files, published_files_count, KERNEL);
    struct kernel_model *new = calloc(1, sizeof *new);
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    enum status status;

    *model = NULL;
    if (new == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    status = catalogue_open_embedded(&new->catalogue, error);
    if (status == STATUS_OK)
        status = result_init(&new->result, error);
    if (status == STATUS_OK)
        status = scenario_parse(&new->kernel, &document, (const char *)file->bytes, file->length,
                                new->catalogue, &problems);
    if (status != STATUS_OK && problems.count > 0)
        problems_summary(&problems, KERNEL ".ini", error);
    problems_free(&problems);
    document_free(document);
    if (status == STATUS_OK)
        *model = new;
    else
        kernel_model_close(new);
    return status;
}

void kernel_model_close(struct kernel_model *model)
{
    if (model == NULL)
        return;
    catalogue_close(model->catalogue);
    result_free(&model->result);
    free(model);
}

/* The name stays, by which settings reach the device. */
static void replace_device(struct scenario *scenario, const struct device *device)
{
    struct device *hardware = &scenario->device[0];
    char name[NAME_MAX_LENGTH + 1];

    memcpy(name, hardware->head.name, sizeof name);
    *hardware = *device;
    memcpy(hardware->head.name, name, sizeof name);
}

static enum status assign_settings(struct kernel_model *model, const char *preset, const char *text,
                                   struct error *error)
{
    char first[TEXT_MAX_LENGTH + 40];
    const char *list[SETTINGS_MAX + 2];
    char *settings = strdup(text);
    char *rest = text[0] == '\0' ? NULL : settings;
    enum status status;
    int count = 0;

    if (settings == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    snprintf(first, sizeof first, "device." HARDWARE ".preset=%s", preset == NULL ? "" : preset);
    if (preset != NULL)
        list[count++] = first;
    while (count <= SETTINGS_MAX && (list[count] = strsep(&rest, " ")) != NULL)
        count++;
    if (rest != NULL)
        status = error_set(error, STATUS_INVALID, "too many settings");
    else
        status = scenario_assign(&model->scenario, model->catalogue, NULL,
                                 &(struct assignments){list, count}, error);
    free(settings);
    return status;
}

enum status kernel_model_predict(struct kernel_model *model, const char *preset,
                                 const struct device *device, const char *settings,
                                 struct node_result *node, double *sockets, struct error *error)
{
    const struct device *hardware = &model->scenario.device[0];
    enum status status;

    scenario_copy(&model->scenario, &model->kernel);
    if (preset == NULL)
        replace_device(&model->scenario, device);
    status = assign_settings(model, preset, settings, error);
    if (status == STATUS_OK)
        status = evaluate(&model->scenario, &model->result, error);
    if (status != STATUS_OK)
        return status;
    *node = model->result.node[result_find_node(&model->result, KERNEL)];
    if (sockets != NULL)
        *sockets = hardware->kind == DEVICE_CPU ? hardware->sockets : 1;
    return STATUS_OK;
}
