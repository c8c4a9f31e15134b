#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "device.h"
#include "units.h"
#include "widget.h"

void list_open(struct app *app, int focus, void (*chosen)(struct app *app, int id))
{
    picker_ready(&app->picker, focus);
    app->chosen = chosen;
    app->interrupted = false;
    app->mode = MODE_LIST;
}

static const struct picker_column one_column[] = {{"", false}};

static void add_name(struct app *app, const char *name)
{
    struct picker_item *item = picker_add(&app->picker);

    if (item != NULL)
        snprintf(item->text[0], PICKER_TEXT, "%s", name);
}

void list_ask(struct app *app, const char *title, const char *question, const char *const *answers,
              void (*chosen)(struct app *app, int id))
{
    picker_start(&app->picker, title, one_column, 1);
    snprintf(app->picker.note, sizeof app->picker.note, "%s", question);
    for (; *answers != NULL; answers++)
        add_name(app, *answers);
    list_open(app, 0, chosen);
}

/* Device presets ------------------------------------------------------------------------------ */

enum { DEVICE_NAME, DEVICE_PEAK, DEVICE_BANDWIDTH, DEVICE_POWER, DEVICE_COLUMNS };

static const struct picker_column device_columns[DEVICE_COLUMNS] = {
    {"device", false},
    {"TFLOP/s", true},
    {"GB/s", true},
    {"W", true},
};

/* A figure of a column whose title has its unit. */
static void put_number(struct picker_item *item, int column, double value)
{
    item->value[column] = value;
    if (value > 0)
        snprintf(item->text[column], PICKER_TEXT, "%.*f",
                 value >= 99.95   ? 0
                 : value >= 9.995 ? 1
                                  : 2,
                 value);
    else
        snprintf(item->text[column], PICKER_TEXT, "\xE2\x80\x93");
}

static void device_chosen(struct app *app, int id)
{
    design_preset(app, app->prompt.kind, catalogue_at(app->catalogue, id)->name);
}

void list_devices(struct app *app, int device)
{
    const struct device *d = &app->scenario.device[device];
    enum preset_kind kind = d->kind == DEVICE_CPU ? PRESET_CPU : PRESET_GPU;
    char title[96];
    int focus = 0;

    snprintf(title, sizeof title, "Presets for device.%s", d->head.name);
    picker_start(&app->picker, title, device_columns, DEVICE_COLUMNS);
    for (int p = 0; p < catalogue_count(app->catalogue); p++) {
        const struct preset *preset = catalogue_at(app->catalogue, p);
        const struct device *part = NULL;
        struct picker_item *item;

        if (preset->kind == PRESET_AO ||
            catalogue_device(app->catalogue, preset->name, &part, NULL) != STATUS_OK)
            continue;
        item = picker_add(&app->picker);
        if (item == NULL)
            break;
        item->id = p;
        item->group = preset->kind == kind ? 0 : 1;
        snprintf(item->text[DEVICE_NAME], PICKER_TEXT, "%s", catalogue_title(app->catalogue, p));
        put_number(item, DEVICE_PEAK, device_peak(part, PRECISION_FP32) / 1e12);
        put_number(item, DEVICE_BANDWIDTH, device_bandwidth(part) / 1e9);
        put_number(item, DEVICE_POWER, part->tdp);
        if (strcmp(preset->name, d->preset) == 0)
            focus = app->picker.count - 1;
    }
    app->prompt.kind = device;
    list_open(app, focus, device_chosen);
}

/* AO systems ---------------------------------------------------------------------------------- */

enum { SYSTEM_NAME, SYSTEM_TITLE, SYSTEM_RATE, SYSTEM_COLUMNS };

static const struct picker_column system_columns[SYSTEM_COLUMNS] = {
    {"name", false},
    {"system", false},
    {"frame rate", true},
};

static double rate_of(struct app *app, const struct preset *preset)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    double rate = 0;

    if (scenario_parse(&scenario, &document, preset->text, preset->length, app->catalogue,
                       &problems) == STATUS_OK)
        rate = scenario.general.frame_rate;
    document_free(document);
    problems_free(&problems);
    return rate;
}

static void system_chosen(struct app *app, int id)
{
    file_open_system(app, catalogue_at(app->catalogue, id)->name);
}

void list_systems(struct app *app)
{
    picker_start(&app->picker, "AO systems", system_columns, SYSTEM_COLUMNS);
    for (int p = 0; p < catalogue_count(app->catalogue); p++) {
        const struct preset *preset = catalogue_at(app->catalogue, p);
        struct picker_item *item;

        if (preset->kind != PRESET_AO)
            continue;
        item = picker_add(&app->picker);
        if (item == NULL)
            break;
        item->id = p;
        snprintf(item->text[SYSTEM_NAME], PICKER_TEXT, "%s", preset->name);
        snprintf(item->text[SYSTEM_TITLE], PICKER_TEXT, "%s", catalogue_title(app->catalogue, p));
        item->value[SYSTEM_RATE] = rate_of(app, preset);
        if (item->value[SYSTEM_RATE] > 0)
            quantity_print(item->value[SYSTEM_RATE], "Hz", item->text[SYSTEM_RATE], PICKER_TEXT);
    }
    list_open(app, 0, system_chosen);
}

/* Choices of a knob --------------------------------------------------------------------------- */

static void choice_chosen(struct app *app, int id)
{
    struct knob_ref ref = app->prompt.ref;

    if (ref.knob->automatic && id == 0)
        design_reset(app, ref);
    else
        design_set_text(app, ref, app->picker.items[id].text[0]);
}

void list_choices(struct app *app, struct knob_ref ref)
{
    int count = knob_choice_count(&app->scenario, ref);
    int focus = knob_choice(&app->scenario, ref) + (ref.knob->automatic ? 1 : 0);
    char path[96];

    knob_path(&app->scenario, ref, path, sizeof path);
    picker_start(&app->picker, path, one_column, 1);
    snprintf(app->picker.note, sizeof app->picker.note, "%s", ref.knob->help);
    if (ref.knob->automatic)
        add_name(app, "auto");
    for (int c = 0; c < count; c++)
        add_name(app, knob_choice_name(&app->scenario, ref, c));
    app->prompt.ref = ref;
    list_open(app, focus, choice_chosen);
}
