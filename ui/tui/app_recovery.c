#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app_state.h"

/* $XDG_STATE_HOME/aolag or ~/.local/state/aolag; false without a home. */
static bool state_directory(char *path, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length;

    if (state != NULL && state[0] == '/')
        length = snprintf(path, size, "%s/aolag", state);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, size, "%s/.local/state/aolag", home);
    else
        return false;
    return length > 0 && (size_t)length < size;
}

/* The directory and those above it; what exists is left alone. */
static void make_directories(char *path)
{
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
}

static bool recovery_path(char *path, size_t size, bool make)
{
    char directory[PATH_BYTES - 32];

    if (!state_directory(directory, sizeof directory))
        return false;
    if (make)
        make_directories(directory);
    snprintf(path, size, "%s/recover.ini", directory);
    return true;
}

void app_save_recovery(struct app *app)
{
    char path[PATH_BYTES];
    char temporary[PATH_BYTES + 8];
    size_t length = 0;
    char *text;
    FILE *file;
    bool good;

    if (!design_modified(app) || !recovery_path(path, sizeof path, true))
        return;
    text = scenario_text(&app->scenario, app->document, &length);
    snprintf(temporary, sizeof temporary, "%s.new", path);
    file = text == NULL ? NULL : fopen(temporary, "w");
    if (file != NULL) {
        good = fwrite(text, 1, length, file) == length;
        good = fclose(file) == 0 && good;
        if (!good || rename(temporary, path) != 0)
            unlink(temporary);
    }
    free(text);
}

static char *read_file(const char *path, size_t *length)
{
    enum { LIMIT = 1 << 20 };
    FILE *file = fopen(path, "r");
    char *text;

    if (file == NULL)
        return NULL;
    text = malloc(LIMIT);
    *length = text == NULL ? 0 : fread(text, 1, LIMIT, file);
    fclose(file);
    return text;
}

static void recover(struct app *app, const char *path)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    struct error error;
    size_t length = 0;
    char *text = read_file(path, &length);

    if (text == NULL) {
        app_say(app, STYLE_ERROR, "%s cannot be read", path);
        return;
    }
    if (scenario_parse(&scenario, &document, text, length, app->catalogue, &problems) !=
        STATUS_OK) {
        problems_summary(&problems, path, &error);
        app_fail(app, &error);
    } else if (design_start(app, &scenario, document, &error) != STATUS_OK) {
        app_fail(app, &error);
    } else {
        /* no file holds it yet */
        app->saved.size = 0;
        unlink(path);
        app_say(app, STYLE_NORMAL, "recovered; s saves it under a name");
    }
    problems_free(&problems);
    free(text);
}

static void answered(struct app *app, int id)
{
    char path[PATH_BYTES];

    if (!recovery_path(path, sizeof path, false))
        return;
    if (id == 0) {
        recover(app, path);
    } else if (id == 1) {
        unlink(path);
        app_say(app, STYLE_NORMAL, "discarded");
    }
}

void app_offer_recovery(struct app *app)
{
    static const char *const answers[] = {"open it", "discard it", "leave it for later", NULL};
    char path[PATH_BYTES];

    if (recovery_path(path, sizeof path, false) && access(path, R_OK) == 0)
        list_ask(app, "Recovery", "A design with unsaved changes was kept when aolag was stopped.",
                 answers, answered);
}
