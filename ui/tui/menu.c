#include "tui/app_state.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "design/knob_text.h"
#include "model/device.h"
#include "tui/widget.h"

void menu_open(struct host *host, int focus, menu_chosen *chosen, void *context)
{
    struct app *app = app_of(host);

    picker_ready(&app->picker, focus);
    app->menu.chosen = chosen;
    app->menu.context = context;
    app->menu.question = false;
    app->interrupted = false;
    app->mode = MODE_LIST;
}

void menu_choose(struct app *app)
{
    int item = picker_chosen(&app->picker);

    if (item < 0)
        return;
    app->mode = MODE_NORMAL;
    app->menu.chosen(app->menu.context, app->picker.items[item].id);
}

/* Opens the list with the words after ':' as filter; returns false if nothing passes it. */
static bool open_filtered(struct host *host, int focus, const char *filter, menu_chosen *chosen,
                          void *context)
{
    struct picker *picker = &app_of(host)->picker;
    struct line_edit *line = &picker->filter;

    if (filter != NULL && filter[0] != '\0') {
        line_set(line, filter, false);
        for (size_t at = 0; at < line->length; at++)
            if (line->text[at] == '-')
                line->text[at] = ' '; /* names have - for the blanks of titles */
        picker_refilter(picker);
        if (picker->list.count == 0)
            return false;
        focus = picker_chosen(picker);
    }
    menu_open(host, focus, chosen, context);
    return true;
}

static const struct picker_column one_column[] = {{.title = ""}};

void menu_ask(struct host *host, const char *title, const char *question,
              const char *const *answers, int safe, menu_chosen *chosen, void *context)
{
    struct app *app = app_of(host);

    picker_start(&app->picker, title, one_column, 1);
    snprintf(app->picker.note, sizeof app->picker.note, "%s", question);
    for (int a = 0; answers[a] != NULL; a++)
        picker_add_texts(&app->picker, a, answers[a], "");
    menu_open(host, safe, chosen, context);
    app->menu.question = true;
}

void menu_answer(struct app *app, uint32_t letter)
{
    if (letter >= 'A' && letter <= 'Z')
        letter += 'a' - 'A';
    for (int s = 0; s < app->picker.list.count; s++) {
        if ((unsigned char)app->picker.items[app->picker.shown[s]].text[0][0] != letter)
            continue;
        app->picker.list.focus = s;
        menu_choose(app);
        return;
    }
}

/* Device presets ------------------------------------------------------------------------------- */

enum { DEVICE_NAME, DEVICE_PEAK, DEVICE_BANDWIDTH, DEVICE_POWER, DEVICE_COLUMNS };

static const struct picker_column device_columns[DEVICE_COLUMNS] = {
    [DEVICE_NAME] = {.title = "device"},
    [DEVICE_PEAK] = {.title = "TFLOP/s", .number = true},
    [DEVICE_BANDWIDTH] = {.title = "GB/s", .number = true},
    [DEVICE_POWER] = {.title = "W", .number = true},
};

/* Sets a number in a column whose title contains the unit. */
static void put_item_number(struct picker_item *item, int column, double value)
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

static void device_chosen(void *context, int id)
{
    struct app *app = context;

    design_set_preset(&app->host, app->menu.device,
                      catalogue_at(app->host.design.catalogue, id)->name);
}

bool menu_device_presets(struct host *host, int device, const char *filter)
{
    struct app *app = app_of(host);
    struct catalogue *catalogue = host->design.catalogue;
    const struct device *d = &host->design.scenario.device[device];
    enum preset_kind kind = preset_kind_of(d);
    char title[96];
    int focus = 0;

    snprintf(title, sizeof title, "Presets for device.%s%s", d->head.name,
             kind == PRESET_CPU ? ", per socket" : "");
    picker_start(&app->picker, title, device_columns, DEVICE_COLUMNS);
    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct preset *preset = catalogue_at(catalogue, p);
        const struct device *part = NULL;
        struct picker_item *item;

        if (preset->kind != kind ||
            catalogue_device(catalogue, preset->name, &part, NULL) != STATUS_OK)
            continue;
        item = picker_add_texts(&app->picker, p, catalogue_title(catalogue, p), "");
        if (item == NULL)
            break;
        put_item_number(item, DEVICE_PEAK,
                        unit_from_si(device_peak(part, PRECISION_FP32), "TFLOP/s"));
        put_item_number(item, DEVICE_BANDWIDTH, unit_from_si(device_bandwidth(part), "GB/s"));
        put_item_number(item, DEVICE_POWER, part->tdp);
        if (strcmp(preset->name, d->preset) == 0) {
            focus = app->picker.count - 1;
            picker_present(&app->picker, focus);
        }
    }
    app->menu.device = device;
    return open_filtered(host, focus, filter, device_chosen, app);
}

/* AO systems ----------------------------------------------------------------------------------- */

enum { SYSTEM_NAME, SYSTEM_TITLE, SYSTEM_RATE, SYSTEM_COLUMNS };

static const struct picker_column system_columns[SYSTEM_COLUMNS] = {
    [SYSTEM_NAME] = {.title = "name"},
    [SYSTEM_TITLE] = {.title = "system"},
    [SYSTEM_RATE] = {.title = "frame rate", .number = true},
};

static double read_frame_rate(struct app *app, const struct preset *preset)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    double rate = 0;

    if (scenario_parse_preset(&scenario, &document, preset, app->host.design.catalogue,
                              &problems) == STATUS_OK)
        rate = scenario.general.frame_rate;
    document_free(document);
    problems_free(&problems);
    return rate;
}

static void add_systems(struct app *app)
{
    struct catalogue *catalogue = app->host.design.catalogue;

    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct preset *preset = catalogue_at(catalogue, p);
        struct picker_item *item;

        if (preset->kind != PRESET_AO)
            continue;
        item = picker_add_texts(&app->picker, p, preset->name, catalogue_title(catalogue, p));
        if (item == NULL)
            break;
        item->value[SYSTEM_RATE] = read_frame_rate(app, preset);
        if (item->value[SYSTEM_RATE] > 0)
            quantity_print(item->value[SYSTEM_RATE], "Hz", item->text[SYSTEM_RATE], PICKER_TEXT);
        item->group = 1;
    }
}

bool menu_systems(struct host *host, const char *filter, menu_chosen *chosen, void *context)
{
    struct app *app = app_of(host);

    picker_start(&app->picker, "AO systems", system_columns, SYSTEM_COLUMNS);
    add_systems(app);
    return open_filtered(host, 0, filter, chosen, context);
}

void menu_designs(struct host *host, menu_chosen *chosen, void *context)
{
    struct app *app = app_of(host);

    picker_start(&app->picker, "Compare with", system_columns, SYSTEM_COLUMNS);
    if (app->host.design.baseline.pinned)
        picker_add_texts(&app->picker, MENU_BASELINE, "baseline", "the design that was pinned");
    picker_add_texts(&app->picker, MENU_FILE, "file", "a scenario file, by its name");
    add_systems(app);
    menu_open(host, 0, chosen, context);
}

/* Choices of a knob ---------------------------------------------------------------------------- */

static void choice_chosen(void *context, int id)
{
    struct app *app = context;
    struct knob_ref ref = app->menu.ref;

    if (ref.knob->automatic && id == 0)
        design_reset(&app->host, ref);
    else
        design_set_text(&app->host, ref, app->picker.items[id].text[0]);
}

void menu_knob_choices(struct host *host, struct knob_ref ref)
{
    struct app *app = app_of(host);
    const struct scenario *scenario = &host->design.scenario;
    int count = knob_choice_count(scenario, ref);
    int focus = knob_choice(scenario, ref) + (ref.knob->automatic ? 1 : 0);
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    picker_start(&app->picker, path, one_column, 1);
    snprintf(app->picker.note, sizeof app->picker.note, "%s", ref.knob->help);
    if (ref.knob->automatic)
        picker_add_texts(&app->picker, 0, "auto", "");
    for (int c = 0; c < count; c++)
        picker_add_texts(&app->picker, app->picker.count, knob_choice_name(scenario, ref, c), "");
    app->menu.ref = ref;
    picker_present(&app->picker, focus);
    menu_open(host, focus, choice_chosen, app);
}
