#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app_state.h"
#include "document.h"
#include "file.h"
#include "widget.h"

/* The first line of the recovery file, where its design came from a file: what the file was when
 * it was read (a hash of its bytes), and its path. Saving there asks when the file is another. */
#define ORIGIN_LINE "; recovered from: "

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

/* FNV-1a, 64 bits (Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv/). */
static uint64_t hash(const char *bytes, size_t length)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return value;
}

/* The next program may start in another directory. A path that a line cannot hold is left out. */
static void write_origin(const struct app *app, FILE *file)
{
    const char *path = document_path(app->document);
    char *whole = path == NULL ? NULL : file_resolve(path, NULL);
    char here[PATH_BYTES];

    if (whole == NULL || strpbrk(whole, "\n\r") != NULL) {
        free(whole);
        return;
    }
    fprintf(file, ORIGIN_LINE "%016" PRIx64 " ",
            hash(app->document->ini.bytes, app->document->ini.length));
    if (whole[0] != '/' && getcwd(here, sizeof here) != NULL)
        fprintf(file, "%s/", here);
    fprintf(file, "%s\n", whole);
    free(whole);
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
        write_origin(app, file);
        good = fwrite(text, 1, length, file) == length;
        good = fclose(file) == 0 && good;
        if (!good || rename(temporary, path) != 0)
            unlink(temporary);
    }
    free(text);
}

/* What the recovery file holds. */
struct recovery {
    char *bytes; /* owned */
    char *text;  /* the scenario, behind the line of its origin */
    size_t length;
    char *origin;  /* the file it came from; NULL: none */
    uint64_t hash; /* of that file when it was read */
    time_t written;
    struct scenario scenario;
    struct document *document; /* owned until taken */
    struct problems problems;
};

static void recovery_free(struct recovery *recovery)
{
    free(recovery->bytes);
    document_free(recovery->document);
    problems_free(&recovery->problems);
    free(recovery);
}

/* Cuts the first line off, where it tells the origin. */
static void read_origin(struct recovery *recovery)
{
    size_t mark = strlen(ORIGIN_LINE);
    char *end = strchr(recovery->text, '\n');
    char *path;

    if (strncmp(recovery->text, ORIGIN_LINE, mark) != 0 || end == NULL)
        return;
    recovery->hash = strtoull(recovery->text + mark, &path, 16);
    if (*path != ' ')
        return;
    *end = '\0';
    recovery->origin = path + 1;
    recovery->length -= (size_t)(end + 1 - recovery->text);
    recovery->text = end + 1;
}

/* NULL when there is nothing to recover. What cannot be parsed has no document. */
static struct recovery *recovery_read(struct app *app, const char *path)
{
    enum { ORIGIN_BYTES = PATH_BYTES + 64 };
    struct recovery *recovery = calloc(1, sizeof *recovery);
    struct stat status;

    if (recovery == NULL)
        return NULL;
    if (stat(path, &status) != 0 || file_read(path, INI_BYTES_MAX + ORIGIN_BYTES, &recovery->bytes,
                                              &recovery->length, NULL, NULL) != STATUS_OK) {
        recovery_free(recovery);
        return NULL;
    }
    recovery->written = status.st_mtime;
    recovery->text = recovery->bytes;
    read_origin(recovery);
    scenario_parse(&recovery->scenario, &recovery->document, recovery->text, recovery->length,
                   app->catalogue, &recovery->problems);
    return recovery;
}

/* The document to save to. That of the original file, where it still is what was read, so that
 * saving does not ask; `saved` is then what it says. Else the recovered text under the file's name:
 * no file holds it, and saving over another hand's work asks. */
static struct document *take_document(struct app *app, struct recovery *recovery,
                                      struct scenario *saved, bool *original)
{
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};

    *original =
        recovery->origin != NULL &&
        scenario_load(saved, &document, recovery->origin, app->catalogue, &problems) == STATUS_OK &&
        hash(document->ini.bytes, document->ini.length) == recovery->hash;
    problems_free(&problems);
    if (*original)
        return document;
    document_free(document);
    document = recovery->document;
    recovery->document = NULL;
    if (recovery->origin != NULL)
        document->path = strdup(recovery->origin);
    return document;
}

static void take(struct app *app, struct recovery *recovery)
{
    struct scenario saved;
    struct document *document;
    struct error error;
    bool original;

    document = take_document(app, recovery, &saved, &original);
    if (design_start(app, &recovery->scenario, document, &error) != STATUS_OK) {
        app_fail(app, &error);
        return;
    }
    app->saved.size = 0;
    if (original)
        image_take(&app->saved, &saved);
    app->recovered = true;
    if (recovery->origin != NULL)
        app_say(app, STYLE_NORMAL, "recovered; s saves it to %s", recovery->origin);
    else
        app_say(app, STYLE_NORMAL, "recovered; s saves it under a name");
}

static void answered(struct app *app, int id)
{
    struct recovery *recovery;
    char path[PATH_BYTES];

    if (!recovery_path(path, sizeof path, false))
        return;
    if (id == 1) {
        unlink(path);
        app_say(app, STYLE_NORMAL, "discarded");
    }
    if (id != 0)
        return;
    recovery = recovery_read(app, path);
    if (recovery == NULL) {
        app_say(app, STYLE_ERROR, "%s cannot be read", path);
        return;
    }
    if (recovery->document == NULL)
        file_problems(app, &recovery->problems, path);
    else
        take(app, recovery);
    recovery_free(recovery);
}

/* The design is safe elsewhere, or not wanted. */
void recovery_forget(struct app *app)
{
    char path[PATH_BYTES];

    if (app->recovered && recovery_path(path, sizeof path, false))
        unlink(path);
    app->recovered = false;
}

/* The end of a path too long for `cells`. */
static void shorten(const char *path, int cells, char *text, size_t size)
{
    const char *home = getenv("HOME");
    size_t length = home == NULL ? 0 : strlen(home);

    if (length > 1 && strncmp(path, home, length) == 0 && path[length] == '/')
        snprintf(text, size, "~%s", path + length);
    else
        snprintf(text, size, "%s", path);
    if (text_width(text) <= cells)
        return;
    path = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
    snprintf(text, size, "%s", path);
    text_cut(text, cells);
}

void app_offer_recovery(struct app *app)
{
    static const char *const answers[] = {"open it", "discard it", "leave it for later", NULL};
    struct recovery *recovery;
    struct tm local;
    char path[PATH_BYTES];
    char file[PATH_BYTES] = "a design never saved";
    char title[sizeof app->picker.title];
    char question[sizeof app->picker.note];
    char date[32] = "";

    if (!recovery_path(path, sizeof path, false))
        return;
    recovery = recovery_read(app, path);
    if (recovery == NULL)
        return;
    snprintf(title, sizeof title, "Recovery: %s",
             recovery->document == NULL ? "a design that cannot be read"
                                        : recovery->scenario.general.title);
    if (recovery->origin != NULL)
        shorten(recovery->origin, 60, file, sizeof file);
    if (localtime_r(&recovery->written, &local) != NULL)
        strftime(date, sizeof date, " on %Y-%m-%d %H:%M", &local);
    snprintf(question, sizeof question, "Unsaved changes of %.120s, kept%s.", file, date);
    list_ask(app, title, question, answers, 0, answered);
    recovery_free(recovery);
}
