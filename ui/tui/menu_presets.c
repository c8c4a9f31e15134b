#include "tui/app_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/units.h"
#include "design/scenario_edit.h"
#include "explore/rank.h"
#include "explore/sweep.h"
#include "explore/trial.h"
#include "model/budget.h"
#include "session/change.h"
#include "tui/parts.h"
#include "tui/widget.h"

/* Latencies ------------------------------------------------------------------------------------ */

/* The design whose latency item i of a list shows, row i of its job. */
struct timed_row {
    bool design;               /* false: the item is no design */
    const char *preset;        /* of the job's device; NULL: as it is */
    struct scenario *scenario; /* owned; NULL: the job's */
    bool valid;
    bool tied;                      /* as in rank.h; known once the job is done */
    struct performance performance; /* if it is valid */
    double error;                   /* m, of job_error */
};

struct menu_job {
    struct catalogue *catalogue; /* completely read */
    struct scenario scenario;    /* of the device */
    int device;
    bool star;    /* it has a known star, and */
    double error; /* its job_error, known once a row is done */
    struct timed_row *row;
    int count;
    atomic_int done; /* rows below do not change any more */
};

static void job_free(void *context)
{
    struct menu_job *job = context;

    if (job == NULL)
        return;
    for (int r = 0; r < job->count; r++)
        free(job->row[r].scenario);
    free(job->row);
    free(job);
}

/* Returns a job without rows and room for `most`. */
static struct menu_job *job_new(struct app *app, const struct scenario *scenario, int device,
                                int most)
{
    struct menu_job *job = allocate_array(1, sizeof *job);

    job->row = allocate_array((size_t)most, sizeof *job->row);
    job->catalogue = app->host.design.catalogue;
    job->device = device;
    scenario_copy(&job->scenario, scenario);
    return job;
}

/* Makes the trial the design of a row; returns false if that is refused. */
static bool set_row(const struct menu_job *job, const struct timed_row *row, struct trial *trial)
{
    if (row->preset != NULL)
        return trial_set_preset(trial, job->catalogue, job->device, row->preset);
    scenario_copy(&trial->scenario, row->scenario != NULL ? row->scenario : &job->scenario);
    return row->design;
}

/* Returns what is known of the wavefront error of an evaluated design, m: the total with a star,
 * else the servo lag. */
static double job_error(const struct menu_job *job, struct trial *trial)
{
    const double total = trial_star_total(trial);

    return job->star ? total : trial->result.loop.lag;
}

/* Returns true if the design cannot be told apart from that with the fastest preset. */
static bool is_design_tied(const struct menu_job *job, const char *fastest, struct trial *trial)
{
    const struct latency_range *present;
    struct compare_verdict verdict;
    struct latency_range range;

    if (!trial_start(trial, NULL) ||
        !trial_set_preset(trial, job->catalogue, job->device, fastest) ||
        !trial_compare(trial, &range, &verdict))
        return false;
    present = trial_present_range(trial);
    return !range.may_not_keep_up && !present->may_not_keep_up && compare_tied(&verdict);
}

/* Finds what cannot be told apart from the fastest preset. */
static void find_ties(struct menu_job *job, struct trial *trial, const struct progress *progress)
{
    struct error error;
    struct rank rank;

    rank_presets(&job->scenario, job->catalogue, (struct rank_question){.device = job->device},
                 RANK_LATENCY, progress, &rank, &error);
    for (int i = 0; i < rank.count; i++)
        for (int r = 0; r < job->count; r++)
            if (job->row[r].preset == rank.row[i].preset->name)
                job->row[r].tied = rank.row[i].tied;
    if (job->row[0].preset == NULL && rank.count > 0)
        job->row[0].tied = is_design_tied(job, rank.row[0].preset->name, trial);
    rank_free(&rank);
}

static void find_latencies(struct worker *worker, void *context)
{
    struct menu_job *job = context;
    const struct progress progress = {worker_goes_on, worker};
    struct trial *trial = trial_new(&job->scenario, &progress);
    bool go_on = true;

    job->error = RESULT_NONE;
    if (trial_evaluate(trial)) {
        job->star = trial_star_total(trial) != RESULT_NONE;
        job->error = job_error(job, trial);
    }
    for (int r = 0; r < job->count && go_on; r++) {
        struct timed_row *row = &job->row[r];

        row->valid = set_row(job, row, trial) && trial_evaluate(trial);
        row->performance = trial->after;
        row->error = row->valid ? job_error(job, trial) : RESULT_NONE;
        atomic_store(&job->done, r + 1);
        go_on = worker_report(worker, (r + 1) / (double)job->count);
    }
    if (go_on && job->count > 0 && job->row[job->count - 1].preset != NULL)
        find_ties(job, trial, &progress);
    trial_free(trial);
}

const struct answer_kind latencies_kind = {"latencies of the list", find_latencies, job_free};

static void start_job(struct menu *menu)
{
    if (menu->next == NULL || !answer_due(&menu->latencies, (struct question){menu->lists, 0}))
        return;
    answer_begin(&menu->latencies, menu->next);
    menu->next = NULL;
}

/* Gives the list that is being opened its job, NULL: none; the latencies are in `column`. */
static void set_job(struct app *app, struct menu_job *job, int column)
{
    struct menu *menu = &app->menu;

    answer_outdate(&menu->latencies);
    job_free(menu->next);
    menu->next = job;
    menu->lists++;
    menu->timed = 0;
    menu->column = column;
    menu->ranked = false;
    start_job(menu);
}

#define TIED '='       /* begins the latency of a preset that is tied */
#define OVERLOADED 1e6 /* s, per load: sorts behind every latency */

static void show_latency(struct picker_item *item, int column, const struct timed_row *row)
{
    const struct performance *performance = &row->performance;

    if (!row->design)
        return;
    item->value[column] = HUGE_VAL;
    if (!row->valid) {
        snprintf(item->text[column], PICKER_TEXT, "invalid");
    } else if (!performance->fits) {
        snprintf(item->text[column], PICKER_TEXT, "no room");
    } else if (performance->overloaded) {
        item->value[column] = OVERLOADED * performance->load + performance->latency;
        snprintf(item->text[column], PICKER_TEXT, "load %.*f", performance->load < 9.95,
                 performance->load);
    } else {
        item->value[column] = performance->latency;
        snprintf(item->text[column], PICKER_TEXT, "%s",
                 quantity_text(performance->latency, "s").text);
    }
}

/* Shows the latencies that were found since. */
static void show_latencies(struct app *app, const struct menu_job *job)
{
    struct menu *menu = &app->menu;
    int done = atomic_load(&job->done);

    if (menu->timed == done)
        return;
    for (; menu->timed < done; menu->timed++) {
        const struct timed_row *row = &job->row[menu->timed];
        struct picker_item *item = &app->picker.items[menu->timed];

        show_latency(item, menu->column, row);
        if (menu->column == PART_LATENCY)
            parts_put_error(item, PART_TOTAL, row->error, job->error, &job->scenario);
    }
    if (menu->ranked && app->picker.list.focus == 0)
        picker_refilter(&app->picker);
    else
        picker_update(&app->picker);
}

static void show_ties(struct app *app, const struct menu_job *job)
{
    for (int r = 0; r < job->count; r++) {
        char *text = app->picker.items[r].text[app->menu.column];

        if (!job->row[r].tied)
            continue;
        memmove(text + 1, text, strnlen(text, PICKER_TEXT - 2) + 1);
        text[0] = TIED;
    }
    picker_update(&app->picker);
}

void menu_collect(struct app *app)
{
    struct menu *menu = &app->menu;
    const struct menu_job *part;

    if (app->mode != MODE_LIST && app->below != MODE_LIST)
        answer_outdate(&menu->latencies);
    part = answer_part(&menu->latencies);
    if (part != NULL)
        show_latencies(app, part);
    if (answer_collect(&menu->latencies)) {
        show_latencies(app, menu->latencies.job);
        show_ties(app, menu->latencies.job);
    }
    start_job(menu);
}

void menu_free(struct app *app)
{
    answer_close(&app->menu.latencies);
    job_free(app->menu.next);
    free(app->menu.scenario);
    app->menu.next = NULL;
}

/* Opens the list with words as filter; returns false if nothing passes it. */
static bool open_filtered(struct app *app, int focus, const char *filter, menu_chosen *chosen,
                          void *context)
{
    struct picker *picker = &app->picker;
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
    menu_open(app, focus, chosen, context);
    return true;
}

/* Reads the whole catalogue, so that the worker does not change it. */
static void read_catalogue(struct catalogue *catalogue)
{
    for (int p = 0; p < catalogue_count(catalogue); p++)
        catalogue_title(catalogue, p);
}

/* Device presets ------------------------------------------------------------------------------- */

static void device_chosen(void *context, int id)
{
    struct app *app = context;
    struct host *host = &app->host;
    const char *name = catalogue_at(host->design.catalogue, id)->name;
    struct error error;

    if (app->menu.moved == NULL) {
        design_set_preset(&host->design, app->menu.device, name);
        return;
    }
    /* the device is a new one, and a component moves to it */
    if (scenario_set_preset(app->menu.scenario, app->menu.device, host->design.catalogue, name,
                            &error) != STATUS_OK) {
        host_fail(host, &error);
        return;
    }
    scenario_copy(&host->design.scenario, app->menu.scenario);
    design_record(&host->design, false, "added device.%s",
                  host->design.scenario.device[app->menu.device].head.name);
    host_say(host, NOTICE_NORMAL, "added device.%s (%s), which %s runs on; u removes it",
             host->design.scenario.device[app->menu.device].head.name, name, app->menu.moved);
}

/* Adds an item and the design whose latency it shows, whose scenario it takes. */
static struct picker_item *add_timed(struct app *app, struct menu_job *job, int id,
                                     const char *first, const char *second, struct timed_row row)
{
    struct picker_item *item = picker_add_texts(&app->picker, id, first, second);

    job->row[job->count++] = row;
    return item;
}

/* Returns true for the preset of a device, unless its file has changed since. */
static bool is_present_preset(const struct device *present, const struct preset *preset,
                              const struct device *part)
{
    return strcmp(preset->name, present->preset) == 0 &&
           (preset->path == NULL || present->base == NULL || present->base == part ||
            memcmp(present->base, part, sizeof *part) == 0);
}

static void add_device_rows(struct app *app, struct menu_job *job, const struct scenario *scenario,
                            int device, bool own)
{
    struct catalogue *catalogue = app->host.design.catalogue;
    const struct device *present = &scenario->device[device];

    if (own) {
        struct picker_item *item =
            add_timed(app, job, 0, present->model[0] != '\0' ? present->model : present->head.name,
                      "", (struct timed_row){.design = true});

        parts_put(item, present, present->preset);
        item->preset = catalogue_find(catalogue, present->preset, PRESET_DEVICES, NULL);
        picker_mark_present(item);
    }
    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct preset *preset = catalogue_at(catalogue, p);
        const struct device *part = NULL;
        struct picker_item *item;
        char title[PICKER_TEXT];
        bool is_present;

        if (preset->kind != preset_kind_of(present) ||
            catalogue_device(catalogue, preset->name, &part, NULL) != STATUS_OK)
            continue;
        is_present = is_present_preset(present, preset, part);
        snprintf(title, sizeof title, "%s%s%s", catalogue_title(catalogue, p), preset_mark(preset),
                 own && is_present                               ? " (as sold)"
                 : sweep_has_few_lanes(scenario, device, part)    ? " (few lanes)"
                 : part->kind != DEVICE_CPU &&
                         sweep_needs_other_host(scenario, device, part) ? " (other host)"
                                                                        : "");
        item = add_timed(app, job, p, title, "",
                         (struct timed_row){.design = true, .preset = preset->name});
        parts_put(item, part, preset->name);
        if (compare_clocks(present, 1, part, 1))
            strncat(item->text[PART_CLOCK], COMPARE_CLOCKS_MARK,
                    PICKER_TEXT - 1 - strlen(item->text[PART_CLOCK]));
        item->preset = preset;
        if (!own && is_present)
            picker_mark_present(item);
    }
}

/* Says above the list which preset of the user's, of these kinds, cannot be used, and why. */
static void note_unread(struct app *app, unsigned kinds)
{
    char *note = app->picker.note;
    int count = 0, at = 0;
    struct error first, error;

    while (catalogue_next_unread(app->host.design.catalogue, kinds, &at, &error) != NULL)
        if (count++ == 0)
            first = error;
    if (count == 0)
        return;
    snprintf(note, sizeof app->picker.note, "%s%.*s",
             count > 1 ? "unusable, with others: " : "unusable: ",
             (int)sizeof app->picker.note - 32, preset_own_file(first.message));
}

static int present_item(const struct picker *picker)
{
    for (int i = 0; i < picker->count; i++)
        if (picker->items[i].present)
            return i;
    return 0;
}

/* Lists the presets for a device of `scenario`: the design, or with a device added, by the
 * latencies as they are found. The cursor is on the best (`ranked`) or stays on the present one.
 * Returns false if nothing passes the filter. */
static bool list_devices(struct app *app, const struct scenario *scenario, int device, bool ranked,
                         const char *filter)
{
    struct catalogue *catalogue = app->host.design.catalogue;
    const struct device *d = &scenario->device[device];
    struct menu_job *job = job_new(app, scenario, device, catalogue_count(catalogue) + 1);
    char *clears = app->menu.clears;

    read_catalogue(catalogue);
    memcpy(app->menu.parts, parts_columns, sizeof parts_columns);
    if (!budget_has_star(scenario)) /* the lag alone, which takes no room from most figures */
        app->menu.parts[PART_TOTAL].drop = parts_columns[PART_BOOST].drop;
    picker_start(&app->picker, "", app->menu.parts, PART_COLUMNS);
    app->picker.syntax = "words, 32c, watts<400, vendor:amd";
    snprintf(app->picker.title, sizeof app->picker.title, "[device.%s%s] AO presets%s",
             d->head.name, d->kind == DEVICE_CPU ? ", per socket" : "",
             budget_has_star(scenario) ? "" : PARTS_LAG_ONLY);
    note_unread(app, PRESET_DEVICES);
    app->picker.sort = PART_LATENCY;
    app->menu.device = device;
    rank_own_labels(scenario, device, clears, sizeof app->menu.clears);
    add_device_rows(app, job, scenario, device,
                    app->menu.moved == NULL && (clears[0] != '\0' || d->preset[0] == '\0'));
    if (!open_filtered(app, ranked ? -1 : present_item(&app->picker), filter, device_chosen, app)) {
        job_free(job);
        return false;
    }
    app->menu.tab = MENU_DEVICES;
    set_job(app, job, PART_LATENCY);
    app->menu.ranked = ranked;
    return true;
}

bool menu_device_presets(struct app *app, int device, const char *filter)
{
    app->menu.moved = NULL;
    return list_devices(app, &app->host.design.scenario, device, false, filter);
}

/* Finds the device to rank, of the design or, if that has none of the kind, added to a copy of
 * it. */
static bool find_ranked(struct app *app, enum device_kind kind, const struct scenario **scenario,
                        int *device)
{
    struct design *design = &app->host.design;
    struct menu *menu = &app->menu;
    struct error error;
    int component;

    menu->moved = NULL;
    *scenario = &design->scenario;
    if (rank_has_kind(&design->scenario, kind))
        return rank_device(&design->scenario, kind, NULL, device, &error) == STATUS_OK;
    if (kind == DEVICE_FPGA || !design_is_valid(design))
        return false;
    if (menu->scenario == NULL)
        menu->scenario = allocate_array(1, sizeof *menu->scenario);
    scenario_copy(menu->scenario, &design->scenario);
    *scenario = menu->scenario;
    if (rank_add_device(menu->scenario, &design->result, kind, device, &component, &error) !=
        STATUS_OK)
        return false;
    menu->moved = menu->scenario->component[component].head.name;
    return true;
}

bool menu_rank(struct app *app, enum device_kind kind)
{
    const struct scenario *scenario;
    int device;

    return find_ranked(app, kind, &scenario, &device) &&
           list_devices(app, scenario, device, true, NULL);
}

/* AO systems ----------------------------------------------------------------------------------- */

enum {
    SYSTEM_NAME,
    SYSTEM_TITLE,
    SYSTEM_DIAMETER,
    SYSTEM_SIZE,
    SYSTEM_ACTUATORS,
    SYSTEM_RATE,
    SYSTEM_LATENCY,
    SYSTEM_TELESCOPE,
    SYSTEM_COLUMNS
};

static const struct table_column system_columns[SYSTEM_COLUMNS] = {
    [SYSTEM_NAME] = {.title = "name"},
    [SYSTEM_TITLE] = {.title = "design", .names = "system", .cut = 3, .brief = 33},
    [SYSTEM_DIAMETER] = {.title = "diameter", .number = true, .drop = 4, .plain = "m"},
    [SYSTEM_SIZE] = {.title = "size", .drop = 2},
    [SYSTEM_ACTUATORS] = {.title = "actuators", .number = true, .unit = "actuators", .drop = 3},
    [SYSTEM_RATE] = {.title = "rate", .number = true, .drop = 1, .plain = "Hz"},
    [SYSTEM_LATENCY] =
        {.title = "latency", .number = true, .least = true, .width = 8, .plain = "us"},
    /* one of 8.2 m is an 8m telescope */
    [SYSTEM_TELESCOPE] = {.title = "telescope", .hidden = true},
};

/* The size is that of the sensors with the most subapertures across: "80×80", "6 of 68×68". */
static void put_system(struct picker_item *item, const struct scenario *scenario)
{
    const struct wfs *most = NULL;

    for (int w = 0; w < scenario->wfs_count; w++)
        if (most == NULL || scenario->wfs[w].subaps_across > most->subaps_across)
            most = &scenario->wfs[w];
    if (scenario->ao.diameter > 0) {
        item->value[SYSTEM_DIAMETER] = scenario->ao.diameter;
        snprintf(item->text[SYSTEM_DIAMETER], PICKER_TEXT, "%.1f m", scenario->ao.diameter);
        snprintf(item->text[SYSTEM_TELESCOPE], PICKER_TEXT, "%.0fm", round(scenario->ao.diameter));
    }
    parts_put_number(item, SYSTEM_ACTUATORS, scenario->ao.actuators, 0);
    item->value[SYSTEM_RATE] = scenario->general.frame_rate;
    quantity_print(scenario->general.frame_rate, "Hz", item->text[SYSTEM_RATE], PICKER_TEXT);
    if (most == NULL)
        return;
    item->value[SYSTEM_SIZE] = most->subaps_across;
    if (most->count > 1)
        snprintf(item->text[SYSTEM_SIZE], PICKER_TEXT, "%.0f of %.0f\xC3\x97%.0f", most->count,
                 most->subaps_across, most->subaps_across);
    else
        snprintf(item->text[SYSTEM_SIZE], PICKER_TEXT, "%.0f\xC3\x97%.0f", most->subaps_across,
                 most->subaps_across);
}

static void add_systems(struct app *app, struct menu_job *job)
{
    struct catalogue *catalogue = app->host.design.catalogue;

    note_unread(app, PRESET_DESIGNS);
    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct preset *preset = catalogue_at(catalogue, p);
        struct error error;
        struct scenario *scenario;
        struct picker_item *item;

        if (preset->kind != PRESET_AO)
            continue;
        scenario = allocate(sizeof *scenario);
        if (scenario_read_preset(scenario, preset, catalogue, &error) != STATUS_OK) {
            free(scenario);
            scenario = NULL;
        }
        item = add_timed(app, job, p, preset->name, catalogue_title(catalogue, p),
                         (struct timed_row){.design = scenario != NULL, .scenario = scenario});
        item->group = 1;
        item->preset = preset;
        snprintf(item->text[SYSTEM_TITLE], PICKER_TEXT, "%.*s%s", PICKER_TEXT - PRESET_MARK_MAX,
                 catalogue_title(catalogue, p), preset_mark(preset));
        if (scenario != NULL)
            put_system(item, scenario);
    }
}

/* Returns the row of the system that the design was made from, by its title, 0 if there is none,
 * and marks it as the present one if the design is still as loaded. */
static int find_present_system(struct app *app)
{
    const struct design *design = &app->host.design;
    struct picker *picker = &app->picker;

    for (int i = 0; i < picker->count; i++) {
        if (strcmp(catalogue_title(design->catalogue, picker->items[i].id),
                   design->scenario.general.title) != 0)
            continue;
        if (document_path(design->document) == NULL && !design_modified(design))
            picker_mark_present(&picker->items[i]);
        return i;
    }
    return 0;
}

enum { MENU_EMPTY = -1 }; /* id of the empty design */

static void system_chosen(void *context, int id)
{
    struct app *app = context;

    files_ask_system(app,
                     id == MENU_EMPTY ? "" : catalogue_at(app->host.design.catalogue, id)->name);
}

bool menu_systems(struct app *app, int device, const char *filter)
{
    const struct scenario *scenario = &app->host.design.scenario;
    struct menu_job *job = job_new(app, scenario, 0, catalogue_count(app->host.design.catalogue));

    picker_start(&app->picker, "AO presets", system_columns, SYSTEM_COLUMNS);
    if (device >= 0)
        snprintf(app->picker.title, sizeof app->picker.title, "device.%s [AO presets]",
                 scenario->device[device].head.name);
    add_systems(app, job);
    if (!open_filtered(app, find_present_system(app), filter, system_chosen, app)) {
        job_free(job);
        return false;
    }
    app->menu.tab = device >= 0 ? MENU_SYSTEMS : MENU_NO_TABS;
    app->menu.device = device;
    set_job(app, job, SYSTEM_LATENCY);
    return true;
}

void menu_designs(struct app *app, const struct menu_design *designs, int count,
                  menu_chosen *chosen, void *context)
{
    const struct design *design = &app->host.design;
    struct menu_job *job =
        job_new(app, &design->scenario, 0, catalogue_count(design->catalogue) + count);

    picker_start(&app->picker, "Compare with", system_columns, SYSTEM_COLUMNS);
    for (int i = 0; i < count; i++) {
        struct picker_item *item = add_timed(app, job, designs[i].id, designs[i].name,
                                             designs[i].what, (struct timed_row){.design = false});

        item->group = i - count; /* in this order */
        item->always = designs[i].id == MENU_FILE;
    }
    add_systems(app, job);
    menu_open(app, 0, chosen, context);
    set_job(app, job, SYSTEM_LATENCY);
}

void menu_new(struct app *app)
{
    const struct design *design = &app->host.design;
    struct menu_job *job =
        job_new(app, &design->scenario, 0, catalogue_count(design->catalogue) + 1);

    picker_start(&app->picker, "New design", system_columns, SYSTEM_COLUMNS);
    add_timed(app, job, MENU_EMPTY, "empty", "no components: a adds them",
              (struct timed_row){.design = false});
    add_systems(app, job);
    menu_open(app, 0, system_chosen, app);
    set_job(app, job, SYSTEM_LATENCY);
}

/* Both tabs ------------------------------------------------------------------------------------ */

void menu_update(struct app *app)
{
    start_job(&app->menu);
}

void menu_other_tab(struct app *app)
{
    const struct menu *menu = &app->menu;
    int device = menu->device;
    char filter[LINE_MAX_BYTES + 1];

    snprintf(filter, sizeof filter, "%s", app->picker.filter.text);
    if (menu->tab == MENU_DEVICES && menu->moved == NULL) {
        if (!menu_systems(app, device, filter))
            menu_systems(app, device, NULL);
    } else if (menu->tab == MENU_SYSTEMS) {
        if (!menu_device_presets(app, device, filter))
            menu_device_presets(app, device, NULL);
    }
}

/* Says that a part is overloaded, needs another host or is not sold singly: its name may be cut. */
static const char *part_words(const struct app *app, const struct picker_item *item)
{
    const struct menu *menu = &app->menu;
    const struct scenario *scenario =
        menu->moved != NULL ? menu->scenario : &app->host.design.scenario;
    struct catalogue *catalogue = app->host.design.catalogue;
    const struct device *part;

    if (catalogue_device(catalogue, catalogue_at(catalogue, item->id)->name, &part, NULL) !=
        STATUS_OK)
        return "";
    if (item->value[menu->column] >= OVERLOADED && item->value[menu->column] < HUGE_VAL)
        return "overloaded, by its load; ";
    if (part->sold_in[0] != '\0')
        return "not sold singly; ";
    return sweep_needs_other_host(scenario, menu->device, part) ? "needs another host; " : "";
}

#define CLOCK_TEXT (COMPARE_CLOCKS_MAX + 4)

/* Says what the mark of a part whose clock is of another kind means. */
static const char *clock_words(const struct app *app, int id, char text[CLOCK_TEXT])
{
    char words[COMPARE_CLOCKS_MAX];
    const struct device *present = &app->host.design.scenario.device[app->menu.device], *part;
    struct catalogue *catalogue = app->host.design.catalogue;

    if (catalogue_device(catalogue, catalogue_at(catalogue, id)->name, &part, NULL) != STATUS_OK ||
        !compare_clocks(present, 1, part, 1))
        return "";
    snprintf(text, CLOCK_TEXT, "; " COMPARE_CLOCKS_MARK " %s",
             compare_clocks_words(present, 1, part, 1, words));
    return text;
}

/* What choosing the row under the cursor does, and what it clears. */
void menu_draw_detail(const struct app *app, struct canvas *canvas, struct rect line)
{
    const struct menu *menu = &app->menu;
    const struct scenario *scenario = &app->host.design.scenario;
    int chosen = picker_chosen(&app->picker);
    const char *problem = app->picker.read.problem;
    const struct picker_item *item;
    char clock[CLOCK_TEXT];
    const char *name, *tied;

    if (problem[0] != '\0') {
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_ERROR, problem);
        return;
    }
    if (chosen >= 0 && menu_is_choices(app)) {
        menu_draw_choice(app, canvas, line);
        return;
    }
    if (chosen < 0 || menu->chosen != device_chosen) {
        if (chosen >= 0 && app->picker.items[chosen].present)
            widget_detail(canvas, line, "the present design",
                          "changes nothing; Enter on another row replaces the design");
        else if (chosen >= 0 && menu->chosen == system_chosen)
            widget_detail(canvas, line, app->picker.items[chosen].text[0],
                          "replaces the whole design, after a question about unsaved changes");
        else if (menu->chosen == device_chosen || menu->chosen == system_chosen)
            widget_detail(canvas, line, "own presets", "%s/NAME.ini", preset_own_folder());
        return;
    }
    if (menu->moved == NULL && !scenario_device_used(scenario, menu->device)) {
        widget_detail(canvas, line, scenario->device[menu->device].head.name,
                      "no component runs on it: no latency depends on it");
        return;
    }
    if (app->picker.items[chosen].present) {
        widget_detail(canvas, line, "the present device",
                      "changes nothing; Enter on another row sets it");
        return;
    }
    item = &app->picker.items[chosen];
    name = catalogue_at(app->host.design.catalogue, item->id)->name;
    tied = item->text[menu->column][0] == TIED ? "; = " RANK_TIED : "";
    if (menu->moved != NULL)
        widget_detail(canvas, line, name, "%sadds a device, which %s runs on%s",
                      part_words(app, item), menu->moved, tied);
    else if (menu->clears[0] != '\0')
        widget_detail(canvas, line, name, "%sclears what is stated for device.%s: %s%s%s",
                      part_words(app, item), scenario->device[menu->device].head.name, menu->clears,
                      tied, clock_words(app, item->id, clock));
    else
        widget_detail(canvas, line, name, "%sclears nothing%s%s", part_words(app, item), tied,
                      clock_words(app, item->id, clock));
}
