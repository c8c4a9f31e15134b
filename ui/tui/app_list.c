#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "model/device.h"
#include "tui/app_state.h"
#include "tui/widget.h"

void list_open(struct app *app, int focus, void (*chosen)(struct app *app, int id))
{
    picker_ready(&app->picker, focus);
    app->list.chosen = chosen;
    app->list.question = false;
    app->interrupted = false;
    app->mode = MODE_LIST;
}

void list_choose(struct app *app)
{
    int item = picker_chosen(&app->picker);

    if (item < 0)
        return;
    app->mode = MODE_NORMAL;
    app->list.chosen(app, app->picker.items[item].id);
}

/* Words typed behind ':' as a filter; a list nothing is left of does not open. */
static bool open_filtered(struct app *app, int focus, const char *filter,
                          void (*chosen)(struct app *app, int id))
{
    struct line_edit *line = &app->picker.filter;

    if (filter != NULL && filter[0] != '\0') {
        line_set(line, filter, false);
        for (size_t at = 0; at < line->length; at++)
            if (line->text[at] == '-')
                line->text[at] = ' '; /* names have - where titles have blanks */
        picker_refilter(&app->picker);
        if (app->picker.shown_count == 0)
            return false;
        focus = picker_chosen(&app->picker);
    }
    list_open(app, focus, chosen);
    return true;
}

static const struct picker_column one_column[] = {{"", false}};

static void add_name(struct app *app, const char *name)
{
    struct picker_item *item = picker_add(&app->picker);

    if (item != NULL)
        snprintf(item->text[0], PICKER_TEXT, "%s", name);
}

void list_ask(struct app *app, const char *title, const char *question, const char *const *answers,
              int safe, void (*chosen)(struct app *app, int id))
{
    picker_start(&app->picker, title, one_column, 1);
    snprintf(app->picker.note, sizeof app->picker.note, "%s", question);
    for (; *answers != NULL; answers++)
        add_name(app, *answers);
    list_open(app, safe, chosen);
    app->list.question = true;
}

void list_answer(struct app *app, uint32_t letter)
{
    if (letter >= 'A' && letter <= 'Z')
        letter += 'a' - 'A';
    for (int s = 0; s < app->picker.shown_count; s++) {
        if ((unsigned char)app->picker.items[app->picker.shown[s]].text[0][0] != letter)
            continue;
        app->picker.focus = s;
        list_choose(app);
        return;
    }
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
    design_preset(app, app->list.device, catalogue_at(app->catalogue, id)->name);
}

bool list_devices(struct app *app, int device, const char *filter)
{
    const struct device *d = &app->scenario.device[device];
    enum preset_kind kind = d->kind == DEVICE_CPU ? PRESET_CPU : PRESET_GPU;
    char title[96];
    int focus = 0;

    snprintf(title, sizeof title, "Presets for device.%s%s", d->head.name,
             kind == PRESET_CPU ? ", per socket" : "");
    picker_start(&app->picker, title, device_columns, DEVICE_COLUMNS);
    for (int p = 0; p < catalogue_count(app->catalogue); p++) {
        const struct preset *preset = catalogue_at(app->catalogue, p);
        const struct device *part = NULL;
        struct picker_item *item;

        if (preset->kind != kind ||
            catalogue_device(app->catalogue, preset->name, &part, NULL) != STATUS_OK)
            continue;
        item = picker_add(&app->picker);
        if (item == NULL)
            break;
        item->id = p;
        snprintf(item->text[DEVICE_NAME], PICKER_TEXT, "%s", catalogue_title(app->catalogue, p));
        put_number(item, DEVICE_PEAK, device_peak(part, PRECISION_FP32) / 1e12);
        put_number(item, DEVICE_BANDWIDTH, device_bandwidth(part) / 1e9);
        put_number(item, DEVICE_POWER, part->tdp);
        if (strcmp(preset->name, d->preset) == 0) {
            focus = app->picker.count - 1;
            picker_present(&app->picker, focus);
        }
    }
    app->list.device = device;
    return open_filtered(app, focus, filter, device_chosen);
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

    if (scenario_parse_from(&scenario, &document, preset->text, preset->length, preset->path,
                            app->catalogue, &problems) == STATUS_OK)
        rate = scenario.general.frame_rate;
    document_free(document);
    problems_free(&problems);
    return rate;
}

static void system_chosen(struct app *app, int id)
{
    file_open_system(app, catalogue_at(app->catalogue, id)->name);
}

static void add_systems(struct app *app)
{
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
        item->group = 1;
    }
}

bool list_systems(struct app *app, const char *filter)
{
    picker_start(&app->picker, "AO systems", system_columns, SYSTEM_COLUMNS);
    add_systems(app);
    return open_filtered(app, 0, filter, system_chosen);
}

static void add_other(struct app *app, int id, const char *name, const char *title)
{
    struct picker_item *item = picker_add(&app->picker);

    if (item == NULL)
        return;
    item->id = id;
    snprintf(item->text[SYSTEM_NAME], PICKER_TEXT, "%s", name);
    snprintf(item->text[SYSTEM_TITLE], PICKER_TEXT, "%s", title);
}

void list_others(struct app *app, void (*chosen)(struct app *app, int id))
{
    picker_start(&app->picker, "Compare with", system_columns, SYSTEM_COLUMNS);
    if (app->baseline.pinned)
        add_other(app, LIST_BASELINE, "baseline", "the design that was pinned");
    add_other(app, LIST_FILE, "file", "a scenario file, by its name");
    add_systems(app);
    list_open(app, 0, chosen);
}

/* Choices of a knob --------------------------------------------------------------------------- */

static void choice_chosen(struct app *app, int id)
{
    struct knob_ref ref = app->list.ref;

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
    app->list.ref = ref;
    picker_present(&app->picker, focus);
    list_open(app, focus, choice_chosen);
}
