#include "tui/app_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "charts/picture.h"
#include "command.h"
#include "design/notices.h"
#include "design/scenario_edit.h"
#include "design/scenario_save.h"
#include "design/trace_library.h"
#include "draw/chart.h"
#include "report/range.h"
#include "session/change.h"

/* Unsaved changes ------------------------------------------------------------------------------ */

static void run_pending(struct app *app)
{
    void (*next_action)(struct app * app) = app->files.next_action;

    app->files.next_action = NULL;
    if (next_action != NULL)
        next_action(app);
}

static void save_design(struct app *app);

static void changes_answered(void *context, int id)
{
    struct app *app = context;

    if (id == 0) {
        save_design(app); /* calls run_pending when done */
    } else if (id == 1) {
        recovery_forget(app);
        run_pending(app);
    } else {
        app->files.next_action = NULL;
    }
}

void files_ask_changes(struct app *app, const char *what, void (*next_action)(struct app *app))
{
    static const char *const answers[] = {"save first", "discard the changes", "cancel", NULL};
    char question[160];

    app->files.next_action = next_action;
    if (!design_modified(&app->host.design)) {
        recovery_forget(app);
        run_pending(app);
        return;
    }
    snprintf(question, sizeof question, "This design has unsaved changes. Before %s:", what);
    menu_ask(app, "Unsaved changes", question, answers, 0, changes_answered, app);
}

enum { OFFER_MAX = DESIGN_NAME + 32 };

/* Writes what compares the design with the one before, if they differ; returns the text. */
static const char *offer_previous(const struct design *design, char text[OFFER_MAX])
{
    const struct previous *previous = &design->previous;

    text[0] = '\0';
    if (previous->name[0] != '\0' && !image_equals(&previous->image, &design->scenario))
        snprintf(text, OFFER_MAX, "; 5 v compares with %s", previous->name);
    return text;
}

/* Saving --------------------------------------------------------------------------------------- */

/* Initialises a chart of the open view. */
static enum status open_chart(struct app *app, struct chart *chart, struct error *error)
{
    *chart = (struct chart){0};
    if (app->view->chart == NULL)
        return error_set(error, STATUS_INVALID, "this view has no picture");
    if (app->view->chart(app->state, chart))
        return STATUS_OK;
    chart_free(chart);
    return error_set(error, STATUS_INVALID, "there is no data to draw yet");
}

/* `remark`: as of file_replace */
static void say_saved(struct app *app, const char *what, const char *path,
                      const struct error *remark)
{
    bool plain = remark->message[0] == '\0';

    host_say(&app->host, plain ? NOTICE_NORMAL : NOTICE_WARNING, "%s%s%s%s", what, path,
             plain ? "" : "; ", remark->message);
}

/* `path` NULL: the design's own file. */
static enum status write_design_file(struct app *app, const char *path, bool overwrite,
                                     struct error *error)
{
    struct design *design = &app->host.design;
    const char *present = document_path(design->document);
    char before[PATH_BYTES], previous[OFFER_MAX];
    enum status status;
    bool moved;

    snprintf(before, sizeof before, "%s", present == NULL ? "" : present);
    status = scenario_save(&design->scenario, design->document, path, overwrite, error);
    if (status != STATUS_OK)
        return status;
    moved = strcmp(before, document_path(design->document)) != 0;
    if (moved && (before[0] != '\0' || design_modified(design)))
        design_remember(design, before);
    design_saved(design);
    recovery_forget(app);
    if (moved && error->message[0] == '\0')
        host_say(&app->host, NOTICE_NORMAL, "saved %s%s", path, offer_previous(design, previous));
    else if (path == NULL && error->message[0] == '\0')
        host_say(&app->host, NOTICE_NORMAL, "saved %s; S saves under another name",
                 document_path(design->document));
    else
        say_saved(app, "saved ", document_path(design->document), error);
    run_pending(app);
    return STATUS_OK;
}

static enum status write_picture_file(struct app *app, const char *path, bool overwrite,
                                      struct error *error)
{
    const struct result *result = design_result(&app->host.design);
    const struct latency_range *range = explore_range(&app->explore);
    char latency[RANGE_LATENCY_MAX] = "";
    struct chart chart;
    enum status status = open_chart(app, &chart, error);

    if (status != STATUS_OK)
        return status;
    if (result != NULL)
        range_latency_text(result->latency, range == NULL ? RESULT_NONE : range->low,
                           range == NULL ? RESULT_NONE : range->high, true, latency);
    chart_source(&chart, app->host.design.scenario.general.title, latency);
    status = picture_write(&chart, path, !overwrite, error);
    chart_free(&chart);
    if (status == STATUS_CONFLICT)
        error_set(error, status, "%.120s already exists", path);
    else if (status != STATUS_OK)
        error_prefix(error, "%s", path);
    else
        say_saved(app, "saved the picture: ", path, error);
    return status;
}

static const struct {
    const char *label; /* prompt for the file name */
    const char *noun;
    enum completion completion;
    /* STATUS_CONFLICT: the file exists and `overwrite` is false. */
    enum status (*write)(struct app *app, const char *path, bool overwrite, struct error *error);
} kinds[FILE_KINDS] = {
    [FILE_DESIGN] = {.label = "save as: ",
                     .noun = "a design",
                     .completion = COMPLETE_FILE,
                     .write = write_design_file},
    [FILE_PICTURE] = {.label = "save the picture as: ",
                      .noun = "a picture",
                      .write = write_picture_file},
};

static void ask_name(struct app *app);
static bool save_to(struct app *app, const char *path, bool overwrite);

static void overwrite_answered(void *context, int id)
{
    struct app *app = context;

    if (id == 0)
        save_to(app, app->files.path[0] == '\0' ? NULL : app->files.path, true);
    else if (id == 1)
        ask_name(app);
    else
        app->files.next_action = NULL;
}

/* Returns true if the file was saved or a question is being asked. */
static bool save_to(struct app *app, const char *path, bool overwrite)
{
    static const char *const answers[] = {"overwrite it", "save under another name", "cancel",
                                          NULL};
    struct error error;
    enum status status = kinds[app->files.kind].write(app, path, overwrite, &error);

    if (status == STATUS_CONFLICT) {
        snprintf(app->files.path, sizeof app->files.path, "%s", path == NULL ? "" : path);
        menu_ask(app, "Overwrite?", error.message, answers, 2, overwrite_answered, app);
    } else if (status != STATUS_OK) {
        host_fail(&app->host, &error);
        return false;
    }
    return true;
}

/* A new design gets the ending by which views and completion find it, unless the name has one. */
static void add_ending(const struct app *app, char path[PATH_BYTES])
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    size_t length = strlen(path);

    if (app->files.kind == FILE_DESIGN && name[0] != '\0' && strchr(name, '.') == NULL &&
        access(path, F_OK) != 0 && length + sizeof ".ini" <= PATH_BYTES)
        memcpy(path + length, ".ini", sizeof ".ini");
}

static bool accept_name(void *context, const char *typed)
{
    struct app *app = context;
    char text[PATH_BYTES], path[PATH_BYTES];
    struct stat status;
    size_t length;

    length = text_trim(&typed);
    snprintf(text, sizeof text, "%.*s", (int)length, typed);
    if (text[0] == '\0') {
        host_say(&app->host, NOTICE_ERROR, "a file name is needed");
        return false;
    }
    if (text[0] == '-') {
        host_say(&app->host, NOTICE_ERROR, "%s would be taken for an option; ./%s is a file", text,
                 text);
        return false;
    }
    file_expand_home(text, path, sizeof path);
    add_ending(app, path);
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
        return save_to(app, path, false);
    host_say(&app->host, NOTICE_ERROR, "%s is %s; %s is saved to a file", path,
             S_ISDIR(status.st_mode) ? "a directory" : "not a regular file",
             kinds[app->files.kind].noun);
    return false;
}

static void save_cancelled(void *context)
{
    struct app *app = context;

    app->files.next_action = NULL;
}

/* Derives a file name from the title, "elt-scao-80-80"; returns its length. */
static size_t propose_name(const char *title, char *name)
{
    enum { LONGEST = 28 };
    size_t used = 0;

    for (; *title != '\0' && *title != ',' && used < LONGEST; title++) {
        char letter = *title;

        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter - 'A' + 'a');
        if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'))
            name[used++] = letter;
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    }
    while (used > 0 && name[used - 1] == '-')
        used--;
    return used;
}

/* Writes a path beside that of an existing file to which no file belongs, as own-2.ini, if it is at
 * most `size` - 1 bytes. Returns false otherwise. */
static bool propose_another(const char *path, char *name, size_t size)
{
    enum { TRIES = 1000 };
    const char *ending = strrchr(path, '.');
    int stem;

    if (ending == NULL || strchr(ending, '/') != NULL)
        ending = path + strlen(path);
    stem = (int)(ending - path);
    for (int i = 2; i < TRIES; i++)
        if (snprintf(name, size, "%.*s-%d%s", stem, path, i, ending) < (int)size &&
            access(name, F_OK) != 0)
            return true;
    return false;
}

/* Proposes a name of no file that exists, if it finds one. */
static void ask_name(struct app *app)
{
    const struct design *design = &app->host.design;
    enum file_kind kind = app->files.kind;
    const char *path = kind == FILE_DESIGN ? document_path(design->document) : NULL;
    char name[96];
    size_t used = propose_name(design->scenario.general.title, name);
    bool overwrites = path != NULL && access(path, F_OK) == 0;

    if (overwrites && propose_another(path, name, sizeof name)) {
        path = NULL;
        overwrites = false;
    } else if (kind == FILE_DESIGN)
        snprintf(name + used, sizeof name - used, "%s.ini", used == 0 ? "design" : "");
    else
        snprintf(name + used, sizeof name - used, "%s-%s.svg", used == 0 ? "design" : "",
                 app->view->name);
    prompt_open(app, &(struct prompt_request){.label = overwrites ? "overwrite, or save as: "
                                                                         : kinds[kind].label,
                                                     .text = path == NULL ? name : path,
                                                     .proposed = true,
                                                     .completion = kinds[kind].completion,
                                                     .context = app,
                                                     .accept = accept_name,
                                                     .cancel = save_cancelled});
}

/* Saves to the design's own file, or asks for the name of one. */
static void save_design(struct app *app)
{
    app->files.kind = FILE_DESIGN;
    if (document_path(app->host.design.document) == NULL)
        ask_name(app);
    else
        save_to(app, NULL, false);
}

static void save_as(struct app *app, enum file_kind kind, const char *name)
{
    app->files.next_action = NULL;
    app->files.kind = kind;
    if (name != NULL)
        accept_name(app, name);
    else
        ask_name(app);
}

void act_save(struct app *app, const char *argument)
{
    app->files.next_action = NULL;
    if (argument != NULL)
        save_as(app, FILE_DESIGN, argument);
    else
        save_design(app);
}

void act_save_as(struct app *app, const char *argument)
{
    save_as(app, FILE_DESIGN, argument);
}

void act_picture(struct app *app, const char *argument)
{
    struct chart chart;
    struct error error;

    if (open_chart(app, &chart, &error) != STATUS_OK) {
        host_fail(&app->host, &error);
        return;
    }
    chart_free(&chart);
    save_as(app, FILE_PICTURE, argument);
}

/* Shows the view's own table, or the table of its chart; without data yet once there are any. */
void act_table(struct app *app, const char *argument)
{
    enum { BORDERS = 4 }; /* columns of the pager without text */
    int columns = app->host.columns - BORDERS;
    struct chart chart;
    struct error error;
    FILE *out;

    (void)argument;
    app->table_awaited = false;
    if (open_chart(app, &chart, &error) != STATUS_OK) {
        app->table_awaited = app->view->chart != NULL;
        if (app->table_awaited)
            host_say(&app->host, NOTICE_NORMAL, "no data yet: the table comes with them");
        else
            host_fail(&app->host, &error);
        return;
    }
    out = pager_start(&app->pager, chart.title);
    if (app->view->table != NULL)
        app->view->table(app->state, out, columns);
    else
        chart_table(&chart, out, columns);
    pager_show(&app->pager);
    chart_free(&chart);
}

/* Opening -------------------------------------------------------------------------------------- */

/* Reads a preset, or the file `path` (preset NULL), which may be a new one; NULL: an empty design.
 * The caller owns the document. */
static bool read_design(struct app *app, const struct preset *preset, const char *path,
                        struct scenario *scenario, struct document **document)
{
    struct catalogue *catalogue = app->host.design.catalogue;
    struct problems problems = {NULL, 0, 0};
    enum status status;

    if (preset == NULL && (path == NULL || scenario_is_new_file(path))) {
        scenario_init(scenario);
        *document = document_new(path);
        return true;
    }
    status = preset != NULL
                 ? scenario_parse_preset(scenario, document, preset, catalogue, &problems)
                 : scenario_load(scenario, document, path, catalogue, &problems);
    if (status != STATUS_OK)
        app_say_problems(app, &problems,
                         preset == NULL         ? path
                         : preset->path != NULL ? preset->path
                                                : preset->name);
    problems_free(&problems);
    return status == STATUS_OK;
}

/* Loads a design; undo returns to the present one. */
static void load_design(struct app *app, const struct scenario *scenario, struct document *document,
                        const char *verb, const char *name)
{
    char label[HISTORY_LABEL];
    struct buffer text = buffer_over(label, sizeof label);

    buffer_print(&text, "%s %s", verb, name);
    text_middle(label, sizeof label, (int)sizeof label / 2);
    design_load(&app->host.design, scenario, document, label);
}

void app_say_opened(struct app *app, bool greet)
{
    const struct document *document = app->host.design.document;
    const char *path = document_path(document);
    const char *verb = greet ? "opened " : "";
    struct problems notices = {NULL, 0, 0};
    char near[FILE_NEAREST];
    char previous[OFFER_MAX];

    if (scenario_is_new_file(path)) {
        file_nearest(path, ".ini", near, sizeof near);
        if (near[0] != '\0')
            host_say(&app->host, NOTICE_NORMAL, "new file %s; did you mean %s?", path, near);
        else
            host_say(&app->host, NOTICE_NORMAL, "new file %s, an empty design%s", path,
                     greet ? "; u returns" : "");
        return;
    }
    notices_find(document, app->host.design.catalogue, false, &notices);
    if (notices.count > 1)
        host_say(&app->host, NOTICE_WARNING, "%s%s:%d: %s; \":check %s\" lists %zu notes", verb,
                 path, notices.list[0].line, notices.list[0].message, path, notices.count);
    else if (notices.count > 0)
        host_say(&app->host, NOTICE_WARNING, "%s%s:%d: %s", verb, path, notices.list[0].line,
                 notices.list[0].message);
    if (notices.count == 0 && greet) {
        notices_find(document, app->host.design.catalogue, true, &notices);
        offer_previous(&app->host.design, previous);
        if (notices.count > 0)
            host_say(&app->host, NOTICE_NORMAL, "opened %s; \":check %s\" lists a note%s", path,
                     path, previous);
        else
            host_say(&app->host, NOTICE_NORMAL, "opened %s%s", path, previous);
    }
    problems_free(&notices);
}

static void open_pending(struct app *app)
{
    struct scenario scenario;
    struct document *document = NULL;
    char path[PATH_BYTES];

    memcpy(path, app->files.pending, sizeof path);
    if (!read_design(app, NULL, path, &scenario, &document))
        return;
    load_design(app, &scenario, document, "opened", path);
    app_say_opened(app, true);
}

static bool accept_open(void *context, const char *text)
{
    struct app *app = context;
    char *path = app->files.pending;

    file_expand_home(text, path, sizeof app->files.pending);
    if (text[0] == '\0') {
        host_say(&app->host, NOTICE_ERROR, "a file name is needed");
        return false;
    }
    if (access(path, R_OK) == 0 || scenario_is_new_file(path)) {
        files_ask_changes(app, "opening another file", open_pending);
        return !app->host.notice.failed;
    }
    if (errno == ENOENT &&
        catalogue_find(app->host.design.catalogue, text, PRESET_DESIGNS, NULL) != NULL)
        host_say(&app->host, NOTICE_ERROR,
                 "cannot open %s: no such file; \"preset %s\" loads the preset", text, text);
    else
        host_cannot_open(&app->host, path, errno);
    return false;
}

/* Opens the only file that the list shows where the typed name is only its beginning. */
static bool accept_open_row(void *context, const char *text)
{
    struct app *app = context;
    const struct file_list *files = &app->listed;
    char path[PATH_BYTES];

    file_expand_home(text, path, sizeof path);
    if (text[0] == '\0' || access(path, F_OK) == 0 || files->list.count != 1 ||
        files->entry[0].folder)
        return accept_open(app, text);
    snprintf(path, sizeof path, "%.*s%s", (int)files->above, text, files->entry[0].name);
    return accept_open(app, path);
}

void act_open(struct app *app, const char *argument)
{
    if (argument != NULL)
        accept_open(app, argument);
    else
        prompt_open(app, &(struct prompt_request){.label = "open: ",
                                                         .completion = COMPLETE_FILE,
                                                         .context = app,
                                                         .accept = accept_open_row});
}

/* Runs the command of that name; if it makes a design, that is opened. */
static void import_pending(struct app *app)
{
    struct buffer made = {0};
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    struct scenario scenario;
    char line[PATH_BYTES + 16];

    snprintf(line, sizeof line, "%s %s", command_import.name, app->files.pending);
    command_line_run(app, &command_import, line, &made);
    if (made.length > 0 && scenario_parse(&scenario, &document, made.bytes, made.length,
                                          app->host.design.catalogue, &problems) == STATUS_OK) {
        load_design(app, &scenario, document, "imported", app->files.pending);
        host_say(&app->host, NOTICE_NORMAL, "imported %s; u returns, s saves it as a file",
                 app->files.pending);
    }
    problems_free(&problems);
    buffer_free(&made);
}

/* With other options than the computer it is the command of that name. */
void act_import(struct app *app, const char *argument)
{
    const char *option = argument == NULL ? NULL : strstr(argument, "-");

    if (argument == NULL) {
        host_say(&app->host, NOTICE_ERROR, "import needs a file: import SOUL.ini");
        return;
    }
    file_expand_home(argument, app->files.pending, sizeof app->files.pending);
    while (option != NULL && ((option > argument && option[-1] != ' ') ||
                              strncmp(option, "--host", strlen("--host")) == 0))
        option = strstr(option + strlen("-"), "-");
    if (option == NULL)
        files_ask_changes(app, "importing a file", import_pending);
    else
        import_pending(app);
}

static void open_system(struct app *app)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct error error;
    const char *name = app->files.pending;
    const struct preset *preset;
    char previous[OFFER_MAX];

    if (name[0] == '\0') {
        if (read_design(app, NULL, NULL, &scenario, &document))
            load_design(app, &scenario, document, "started", "an empty design");
        return;
    }
    preset = catalogue_find(app->host.design.catalogue, name, PRESET_DESIGNS, &error);
    if (preset == NULL) {
        host_fail(&app->host, &error);
    } else if (read_design(app, preset, NULL, &scenario, &document)) {
        load_design(app, &scenario, document, "loaded", preset->name);
        host_say(&app->host, NOTICE_NORMAL, "%s: a copy; s saves it as a file%s", preset->name,
                 offer_previous(&app->host.design, previous));
    }
}

void files_ask_system(struct app *app, const char *name)
{
    snprintf(app->files.pending, sizeof app->files.pending, "%s", name);
    files_ask_changes(app, name[0] == '\0' ? "starting a new design" : "loading an AO preset",
                      open_system);
}

void act_new(struct app *app, const char *argument)
{
    (void)argument;
    app_renew_presets(app);
    menu_new(app);
}

/* Returns true if the file still equals the saved design and its traces are unchanged too. */
static bool is_unchanged(const struct design *design, const struct scenario *scenario,
                         const struct document *document)
{
    const struct ini *now = &design->document->ini;
    const struct ini *read = &document->ini;

    if (design_modified(design) || scenario->component_count != design->scenario.component_count ||
        scenario->wfs_count != design->scenario.wfs_count || read->length != now->length ||
        memcmp(read->bytes, now->bytes, now->length) != 0)
        return false;
    return scenario_has_files_of(scenario, &design->scenario);
}

/* An unchanged file keeps the history and the baseline. */
static void reload_design(struct app *app)
{
    struct scenario scenario;
    struct document *document = NULL;
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s", document_path(app->host.design.document));
    if (!read_design(app, NULL, path, &scenario, &document))
        return;
    if (is_unchanged(&app->host.design, &scenario, document)) {
        document_free(document);
        host_say(&app->host, NOTICE_NORMAL, "%s has not changed", path);
    } else {
        load_design(app, &scenario, document, "reloaded", path);
        app_say_opened(app, true);
    }
}

void act_reload(struct app *app, const char *argument)
{
    (void)argument;
    if (document_path(app->host.design.document) == NULL)
        host_say(&app->host, NOTICE_ERROR, "this design has no file to reload");
    else
        files_ask_changes(app, "reloading the file", reload_design);
}

/* Returns the device under the cursor, or that of the component under it; -1: none. */
static int device_under_cursor(const struct app *app)
{
    struct view_cursor cursor = view_cursor(app);

    if (cursor.index >= 0 && cursor.section == SECTION_COMPONENT)
        return scenario_device(&app->host.design.scenario, cursor.index);
    return cursor.section == SECTION_DEVICE ? cursor.index : -1;
}

/* Returns the device of what limits the design, else the first in use; -1: none. */
static int limiting_device(const struct design *design)
{
    const struct result *result = design_result(design);
    int node = result == NULL ? -1 : result->bottleneck;
    int device = node < 0 ? -1 : result->node[node].device;

    for (int d = 0; d < design->scenario.device_count && device < 0; d++)
        device = scenario_device_used(&design->scenario, d) ? d : -1;
    return device >= 0 || design->scenario.device_count == 0 ? device : 0;
}

/* Lists presets of the device under the cursor, else of the one that limits the design, and systems
 * in another tab. Returns false if neither has one that passes the filter. */
static bool list_presets(struct app *app, const char *filter)
{
    int device = device_under_cursor(app);

    if (device < 0)
        device = limiting_device(&app->host.design);
    return (device >= 0 && menu_device_presets(app, device, filter)) ||
           menu_systems(app, device, filter);
}

/* Selects a preset for the device under the cursor, or a whole system. */
void act_preset(struct app *app, const char *argument)
{
    struct host *host = &app->host;
    int device = device_under_cursor(app);
    struct catalogue *catalogue;
    struct error error;

    app_renew_presets(app);
    catalogue = host->design.catalogue;
    if (argument == NULL) {
        list_presets(app, NULL);
    } else if (catalogue_find(catalogue, argument, PRESET_DESIGNS, NULL) != NULL) {
        files_ask_system(app, argument);
    } else if (!preset_is_path(argument) &&
               catalogue_find(catalogue, argument, ~0U, &error) == NULL) {
        if (list_presets(app, argument))
            host_say(host, NOTICE_NORMAL, "no preset %.60s; closest matches", argument);
        else
            host_fail(host, &error);
    } else if (device < 0) {
        host_say(host, NOTICE_ERROR,
                 "%s is a device preset: put the cursor on the device to replace", argument);
    } else {
        design_set_preset(&host->design, device, argument);
    }
}

static void quit_app(struct app *app)
{
    app->next = APP_QUIT;
}

void act_save_quit(struct app *app, const char *argument)
{
    app->files.kind = FILE_DESIGN;
    app->files.next_action = quit_app;
    if (argument != NULL)
        accept_name(app, argument);
    else
        save_design(app);
    if (app->host.notice.failed)
        app->files.next_action = NULL;
}

void act_quit(struct app *app, const char *argument)
{
    (void)argument;
    files_ask_changes(app, "leaving", quit_app);
    app->interrupted = app->mode == MODE_LIST;
}
