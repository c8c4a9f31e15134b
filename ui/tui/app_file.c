#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "design/scenario_file.h"
#include "tui/app_state.h"

#define BUILT_IN "elt-scao"

/* Unsaved changes ----------------------------------------------------------------------------- */

static void proceed(struct app *app)
{
    void (*then)(struct app * app) = app->then;

    app->then = NULL;
    if (then != NULL)
        then(app);
}

static void save(struct app *app);

static void modified_answered(void *context, int id)
{
    struct app *app = context;

    if (id == 0) {
        save(app); /* which proceeds once it is done */
    } else if (id == 1) {
        recovery_forget(app);
        proceed(app);
    } else {
        app->then = NULL;
    }
}

/* Does `then` now, or once the user has said what becomes of the changes. */
void file_ask(struct app *app, const char *what, void (*then)(struct app *app))
{
    static const char *const answers[] = {"save first", "discard the changes", "cancel", NULL};
    char question[160];

    app->then = then;
    if (!design_modified(&app->host.design)) {
        proceed(app);
        return;
    }
    snprintf(question, sizeof question, "This design has unsaved changes. Before %s:", what);
    menu_ask(&app->host, "Unsaved changes", question, answers, 0, modified_answered, app);
}

/* Saving -------------------------------------------------------------------------------------- */

static bool save_to(struct app *app, const char *path, bool overwrite);
static void ask_name(struct app *app);

static void overwrite_answered(void *context, int id)
{
    struct app *app = context;

    if (id == 0)
        save_to(app, app->saving[0] == '\0' ? NULL : app->saving, true);
    else if (id == 1)
        ask_name(app);
    else
        app->then = NULL;
}

static void ask_overwrite(struct app *app, const char *path, const char *why)
{
    static const char *const answers[] = {"overwrite it", "save under another name", "cancel",
                                          NULL};

    snprintf(app->saving, sizeof app->saving, "%s", path == NULL ? "" : path);
    menu_ask(&app->host, "Overwrite?", why, answers, 2, overwrite_answered, app);
}

/* `path` NULL: where it came from. true: saved, or a question is being asked. */
static bool save_to(struct app *app, const char *path, bool overwrite)
{
    struct error error;
    enum status status = scenario_save(&app->host.design.scenario, app->host.design.document, path,
                                       overwrite, &error);

    if (status == STATUS_CONFLICT) {
        ask_overwrite(app, path, error.message);
        return true;
    }
    if (status != STATUS_OK) {
        host_fail(&app->host, &error);
        return false;
    }
    design_saved(&app->host.design);
    recovery_forget(app);
    host_say(&app->host, STYLE_NORMAL, "saved %s", document_path(app->host.design.document));
    proceed(app);
    return true;
}

bool file_accept(struct app *app, const char *text, const char *what, char path[PATH_BYTES])
{
    struct stat status;

    if (text[0] == '\0') {
        host_say(&app->host, STYLE_ERROR, "a file name is needed");
        return false;
    }
    prompt_expand_home(text, path, PATH_BYTES);
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
        return true;
    host_say(&app->host, STYLE_ERROR, "%s is %s; %s is saved to a file", path,
             S_ISDIR(status.st_mode) ? "a directory" : "not a regular file", what);
    return false;
}

static bool accept_save(void *context, const char *text)
{
    struct app *app = context;
    char path[PATH_BYTES];

    return file_accept(app, text, "a scenario", path) && save_to(app, path, false);
}

static void save_cancelled(void *context)
{
    struct app *app = context;

    app->then = NULL;
}

/* "elt-scao-80-80.ini" of the title. */
void file_propose(const struct app *app, const char *ending, char *name, size_t size)
{
    size_t used = 0;

    for (const char *at = app->host.design.scenario.general.title; *at != '\0' && used < 28; at++) {
        char letter = *at;

        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter - 'A' + 'a');
        if (letter == ',')
            break;
        if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'))
            name[used++] = letter;
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    }
    while (used > 0 && name[used - 1] == '-')
        used--;
    snprintf(name + used, size - used, "%s%s", used == 0 ? "design" : "", ending);
}

static void ask_name(struct app *app)
{
    const char *path = document_path(app->host.design.document);
    char name[64];

    file_propose(app, ".ini", name, sizeof name);
    prompt_open(&app->host, &(struct prompt_request){.label = "save as: ",
                                                     .text = path == NULL ? name : path,
                                                     .proposed = true,
                                                     .completion = COMPLETE_FILE,
                                                     .context = app,
                                                     .accept = accept_save,
                                                     .cancel = save_cancelled});
}

static void save(struct app *app)
{
    if (document_path(app->host.design.document) == NULL)
        ask_name(app);
    else
        save_to(app, NULL, false);
}

void act_save(struct app *app, const char *argument)
{
    app->then = NULL;
    if (argument != NULL && argument[0] != '\0')
        accept_save(app, argument);
    else
        save(app);
}

void act_save_as(struct app *app, const char *argument)
{
    app->then = NULL;
    if (argument != NULL && argument[0] != '\0')
        accept_save(app, argument);
    else
        ask_name(app);
}

/* Opening ------------------------------------------------------------------------------------- */

/* Says why a file was refused; several problems come as a text. */
void file_problems(struct app *app, const struct problems *problems, const char *file)
{
    struct error error;
    char *text = NULL;
    size_t size = 0;
    FILE *out;

    if (problems->count < 2) {
        problems_summary(problems, file, &error);
        host_fail(&app->host, &error);
        return;
    }
    host_say(&app->host, STYLE_ERROR, "%s has %zu problems", file, problems->count);
    out = open_memstream(&text, &size);
    if (out == NULL)
        return;
    for (size_t p = 0; p < problems->count; p++) {
        const struct problem *problem = &problems->list[p];

        if (problem->line > 0)
            fprintf(out, "%s:%d: %s\n", file, problem->line, problem->message);
        else
            fprintf(out, "%s: %s\n", file, problem->message);
    }
    if (fclose(out) == 0)
        pager_open(&app->pager, "Problems", text);
}

/* The document is the caller's. */
static bool read_file(struct app *app, const char *path, struct scenario *scenario,
                      struct document **document)
{
    struct problems problems = {NULL, 0, 0};
    bool good =
        scenario_load(scenario, document, path, app->host.design.catalogue, &problems) == STATUS_OK;

    if (!good)
        file_problems(app, &problems, path);
    problems_free(&problems);
    return good;
}

static void begin(struct app *app, const struct scenario *scenario, struct document *document,
                  const char *path)
{
    struct error error;

    if (design_start(app, scenario, document, &error) != STATUS_OK)
        host_fail(&app->host, &error);
    else
        host_say(&app->host, STYLE_NORMAL, "opened %s", path);
}

static void open_pending(struct app *app)
{
    struct scenario scenario;
    struct document *document = NULL;
    char path[PATH_BYTES];

    memcpy(path, app->pending, sizeof path);
    if (read_file(app, path, &scenario, &document))
        begin(app, &scenario, document, path);
}

static bool accept_open(void *context, const char *text)
{
    struct app *app = context;

    prompt_expand_home(text, app->pending, sizeof app->pending);
    if (text[0] == '\0') {
        host_say(&app->host, STYLE_ERROR, "a file name is needed");
        return false;
    }
    if (access(app->pending, R_OK) != 0) {
        if (errno == ENOENT &&
            catalogue_find(app->host.design.catalogue, text, 1U << PRESET_AO, NULL) != NULL) {
            host_say(&app->host, STYLE_ERROR, "%s: no such file; \"preset %s\" loads the preset",
                     text, text);
            return false;
        }
        host_say(&app->host, STYLE_ERROR, "%s cannot be read: %s", app->pending,
                 errno == ENOENT ? "no such file" : strerror(errno));
        return false;
    }
    file_ask(app, "opening another file", open_pending);
    return !app->host.failed;
}

void act_open(struct app *app, const char *argument)
{
    if (argument != NULL && argument[0] != '\0') {
        accept_open(app, argument);
        return;
    }
    prompt_open(
        &app->host,
        &(struct prompt_request){
            .label = "open: ", .completion = COMPLETE_FILE, .context = app, .accept = accept_open});
}

static bool parse(struct app *app, const struct preset *preset)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    struct error error;
    bool good = scenario_parse_preset(&scenario, &document, preset, app->host.design.catalogue,
                                      &problems) == STATUS_OK;

    if (!good)
        file_problems(app, &problems, preset->path != NULL ? preset->path : preset->name);
    problems_free(&problems);
    if (good && design_start(app, &scenario, document, &error) != STATUS_OK)
        host_fail(&app->host, &error);
    return good;
}

static void start_system(struct app *app)
{
    struct error error;
    const struct preset *preset =
        catalogue_find(app->host.design.catalogue, app->pending, 1U << PRESET_AO, &error);

    if (preset == NULL)
        host_fail(&app->host, &error);
    else if (parse(app, preset))
        host_say(&app->host, STYLE_NORMAL, "%s: a copy; s saves it as a file", preset->name);
}

void file_open_system(struct app *app, const char *name)
{
    snprintf(app->pending, sizeof app->pending, "%s", name);
    file_ask(app, "loading another system", start_system);
}

void act_new(struct app *app, const char *argument)
{
    (void)argument;
    file_open_system(app, BUILT_IN);
}

/* Whether the file says what the design was saved as. Its traces may have changed on their own. */
static bool says_the_same(const struct app *app, const struct scenario *scenario,
                          const struct document *document)
{
    const struct ini *now = &app->host.design.document->ini;
    const struct ini *read = &document->ini;

    if (design_modified(&app->host.design) ||
        scenario->component_count != app->host.design.scenario.component_count ||
        read->length != now->length || memcmp(read->bytes, now->bytes, now->length) != 0)
        return false;
    for (int c = 0; c < scenario->component_count; c++)
        if (memcmp(&scenario->component[c].trace, &app->host.design.scenario.component[c].trace,
                   sizeof scenario->component[c].trace) != 0)
            return false;
    return true;
}

/* What is as it was keeps its history and its baseline. */
static void reload(struct app *app)
{
    struct scenario scenario;
    struct document *document = NULL;
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s", document_path(app->host.design.document));
    if (!read_file(app, path, &scenario, &document))
        return;
    if (says_the_same(app, &scenario, document)) {
        document_free(document);
        host_say(&app->host, STYLE_NORMAL, "%s is as it was", path);
        return;
    }
    begin(app, &scenario, document, path);
}

void act_reload(struct app *app, const char *argument)
{
    (void)argument;
    if (document_path(app->host.design.document) == NULL)
        host_say(&app->host, STYLE_ERROR, "this design has no file to read again");
    else
        file_ask(app, "reading the file again", reload);
}

/* `device` below 0: of whole systems. */
static bool list_presets(struct app *app, int device, const char *filter)
{
    return device >= 0 ? menu_device_presets(&app->host, device, filter)
                       : menu_systems(&app->host, filter);
}

/* A device's preset where the cursor is on a device, else a whole system. */
void act_preset(struct app *app, const char *argument)
{
    enum section section;
    int index = -1;
    struct error error;

    if (!view_section(app, &section, &index))
        index = -1;
    else if (section == SECTION_COMPONENT && app_place(app) == PLACE_COMPONENTS)
        index = scenario_device(&app->host.design.scenario, index);
    else if (section != SECTION_DEVICE)
        index = -1;
    if (argument == NULL || argument[0] == '\0') {
        list_presets(app, index, NULL);
    } else if (catalogue_find(app->host.design.catalogue, argument, 1U << PRESET_AO, NULL) !=
               NULL) {
        file_open_system(app, argument);
    } else if (catalogue_find(app->host.design.catalogue, argument, 7U, &error) == NULL) {
        if (list_presets(app, index, argument))
            host_say(&app->host, STYLE_NORMAL, "there is no preset %.60s; these come near",
                     argument);
        else
            host_fail(&app->host, &error);
    } else if (index < 0) {
        host_say(&app->host, STYLE_ERROR, "%s is a device: put the cursor on the one it replaces",
                 argument);
    } else {
        design_set_preset(&app->host, index, argument);
    }
}

static void leave(struct app *app)
{
    app->next = APP_QUIT;
}

void act_quit(struct app *app, const char *argument)
{
    (void)argument;
    file_ask(app, "leaving", leave);
    app->interrupted = app->mode == MODE_LIST;
}
