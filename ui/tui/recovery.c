#include "tui/app_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "design/trace.h"
#include "design/trace_library.h"
#include "tui/widget.h"

/* The first line of the recovery file, where its design came from a file: what the file was when
 * it was read (a hash of its bytes), and its path. Saving there asks when the file is another. */
#define ORIGIN_LINE "; recovered from: "

enum { FILES_MAX = 999 };

/* Of the `number`th recovery file, from 1. */
static bool recovery_path(int number, char *path, size_t size)
{
    char directory[PATH_BYTES - 32];

    if (!user_state_directory(directory, sizeof directory))
        return false;
    if (number == 1)
        snprintf(path, size, "%s/recover.ini", directory);
    else
        snprintf(path, size, "%s/recover-%d.ini", directory, number);
    return true;
}

/* Which file this is: another session may have put one of its own under the name since. */
static struct recovery_file identify_file(int number, const struct stat *status)
{
    return (struct recovery_file){number, status->st_dev, status->st_ino, status->st_mtim};
}

/* Removes the file; false: another has its name by now, or none. */
static bool remove_recovery_file(const struct recovery_file *file)
{
    char path[PATH_BYTES];
    struct stat status;

    if (file->number == 0 || !recovery_path(file->number, path, sizeof path) ||
        stat(path, &status) != 0 || status.st_dev != file->device || status.st_ino != file->inode ||
        status.st_mtim.tv_sec != file->written.tv_sec ||
        status.st_mtim.tv_nsec != file->written.tv_nsec)
        return false;
    return unlink(path) == 0;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv/). */
static uint64_t hash_bytes(const char *bytes, size_t length)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return value;
}

/* The next program may start in another directory. A path that a line cannot hold is left out. */
static void write_origin_line(const struct app *app, FILE *file)
{
    const char *path = document_path(app->host.design.document);
    char *whole = path == NULL ? NULL : file_resolve(path, NULL);
    char here[PATH_BYTES];

    if (whole == NULL || strpbrk(whole, "\n\r") != NULL) {
        free(whole);
        return;
    }
    fprintf(
        file, ORIGIN_LINE "%016" PRIx64 " ",
        hash_bytes(app->host.design.document->ini.bytes, app->host.design.document->ini.length));
    if (whole[0] != '/' && getcwd(here, sizeof here) != NULL)
        fprintf(file, "%s/", here);
    fprintf(file, "%s\n", whole);
    free(whole);
}

/* Creates the first recovery file whose name is free: what others left is never written over, and
 * two sessions that end at once get two files. -1 and errno when there is none. */
static int create_recovery_file(int *number, char *path, size_t size)
{
    int descriptor = -1;

    errno = EEXIST;
    for (*number = 1; descriptor < 0 && errno == EEXIST && *number <= FILES_MAX; ++*number)
        if (recovery_path(*number, path, size))
            descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    --*number;
    return descriptor;
}

/* 0, or the errno of what failed. */
static int write_changes(const struct app *app, int descriptor, struct stat *status)
{
    size_t length = 0;
    FILE *file = fdopen(descriptor, "w");
    struct scenario kept;
    int failure = 0;
    char *text;

    /* without a file of its own the next program reads it from wherever it starts */
    scenario_copy(&kept, &app->host.design.scenario);
    if (document_path(app->host.design.document) == NULL)
        scenario_move_traces(&kept, NULL, "/");
    text = scenario_text(&kept, app->host.design.document, &length);

    if (file == NULL) {
        close(descriptor);
        free(text);
        return ENOMEM;
    }
    errno = 0;
    if (text == NULL) {
        failure = ENOMEM;
    } else {
        write_origin_line(app, file);
        if (fwrite(text, 1, length, file) != length || fflush(file) != 0 ||
            fstat(descriptor, status) != 0)
            failure = errno == 0 ? EIO : errno;
    }
    errno = 0;
    if (fclose(file) != 0 && failure == 0)
        failure = errno == 0 ? EIO : errno;
    free(text);
    return failure;
}

void recovery_save(struct app *app)
{
    char path[PATH_BYTES];
    struct stat status;
    int descriptor, failure, number;

    if (!design_modified(&app->host.design))
        return;
    if (!user_state_directory(path, sizeof path - 32)) {
        snprintf(app->recovery.kept, sizeof app->recovery.kept,
                 "unsaved changes could not be kept: there is no home directory");
        return;
    }
    user_make_directory(path);
    descriptor = create_recovery_file(&number, path, sizeof path);
    failure = descriptor < 0 ? errno : write_changes(app, descriptor, &status);
    if (failure != 0) {
        if (descriptor >= 0)
            unlink(path);
        snprintf(app->recovery.kept, sizeof app->recovery.kept,
                 "unsaved changes could not be kept: %s: %s", path, strerror(failure));
        return;
    }
    remove_recovery_file(&app->recovery.held); /* the new file has all that was in it */
    app->recovery.held = identify_file(number, &status);
    snprintf(app->recovery.kept, sizeof app->recovery.kept, "unsaved changes kept in %s", path);
}

const char *recovery_kept(const struct app *app)
{
    return app->recovery.kept;
}

/* What the recovery file holds. */
struct recovered {
    char *bytes; /* owned */
    char *text;  /* the scenario, behind the line of its origin */
    size_t length;
    char *origin;  /* the file it came from; NULL: none */
    uint64_t hash; /* of that file when it was read */
    struct recovery_file file;
    struct scenario scenario;
    struct document *document; /* owned until taken */
    struct problems problems;
};

static void recovered_free(struct recovered *recovered)
{
    free(recovered->bytes);
    document_free(recovered->document);
    problems_free(&recovered->problems);
    free(recovered);
}

/* Cuts the first line off, where it is that of the origin. */
static void read_origin(struct recovered *recovered)
{
    size_t mark = strlen(ORIGIN_LINE);
    char *end = strchr(recovered->text, '\n');
    char *path;

    if (strncmp(recovered->text, ORIGIN_LINE, mark) != 0 || end == NULL)
        return;
    recovered->hash = strtoull(recovered->text + mark, &path, 16);
    if (*path != ' ')
        return;
    *end = '\0';
    recovered->origin = path + 1;
    recovered->length -= (size_t)(end + 1 - recovered->text);
    recovered->text = end + 1;
}

/* NULL when there is nothing to recover. What cannot be parsed has no document. */
static struct recovered *recovered_read(struct app *app, int number)
{
    enum { ORIGIN_BYTES = PATH_BYTES + 64 };
    struct recovered *recovered = calloc(1, sizeof *recovered);
    struct scenario_source source = {.catalogue = app->host.design.catalogue};
    struct stat status;
    char path[PATH_BYTES];

    if (recovered == NULL)
        return NULL;
    if (!recovery_path(number, path, sizeof path) || stat(path, &status) != 0 ||
        file_read(path, INI_BYTES_MAX + ORIGIN_BYTES, &recovered->bytes, &recovered->length, NULL,
                  NULL) != STATUS_OK) {
        recovered_free(recovered);
        return NULL;
    }
    recovered->file = identify_file(number, &status);
    recovered->text = recovered->bytes;
    read_origin(recovered);
    source.from = recovered->origin;
    scenario_parse_from(&recovered->scenario, &recovered->document, recovered->text,
                        recovered->length, &source, &recovered->problems);
    return recovered;
}

/* The document to save to. That of the original file, where it still is what was read, so that
 * saving does not ask; `saved` is then what it says. Else the recovered text under the file's name:
 * no file holds it, and saving over a file that somebody else changed asks. */
static struct document *take_document(struct app *app, struct recovered *recovered,
                                      struct scenario *saved, bool *original)
{
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};

    *original = recovered->origin != NULL &&
                scenario_load(saved, &document, recovered->origin, app->host.design.catalogue,
                              &problems) == STATUS_OK &&
                hash_bytes(document->ini.bytes, document->ini.length) == recovered->hash;
    problems_free(&problems);
    if (*original)
        return document;
    document_free(document);
    document = recovered->document;
    recovered->document = NULL;
    if (recovered->origin != NULL)
        document->path = strdup(recovered->origin);
    return document;
}

static void start_recovered(struct app *app, struct recovered *recovered)
{
    struct scenario saved;
    struct document *document;
    struct error error;
    bool original;

    document = take_document(app, recovered, &saved, &original);
    if (design_start(&app->host, &recovered->scenario, document, &error) != STATUS_OK) {
        host_fail(&app->host, &error);
        return;
    }
    app->host.design.saved.size = 0;
    if (original)
        image_pack(&app->host.design.saved, &saved);
    app->recovery.held = recovered->file;
    if (recovered->origin != NULL)
        host_say(&app->host, STYLE_NORMAL, "recovered; s saves it to %s", recovered->origin);
    else
        host_say(&app->host, STYLE_NORMAL, "recovered; s saves it under a name");
}

static void offer_from(struct app *app, int number);

static void open_offered(struct app *app)
{
    struct recovered *recovered = recovered_read(app, app->recovery.offered.number);
    char path[PATH_BYTES];

    recovery_path(app->recovery.offered.number, path, sizeof path);
    if (recovered == NULL) {
        host_say(&app->host, STYLE_ERROR, "%s cannot be read", path);
        return;
    }
    if (recovered->document == NULL)
        app_say_problems(app, &recovered->problems, path);
    else
        start_recovered(app, recovered);
    recovered_free(recovered);
}

/* Behind what is opened the other files wait for the next start: two cannot be open. */
static void offer_answered(void *context, int id)
{
    struct app *app = context;

    if (id == 0) {
        open_offered(app);
        return;
    }
    if (id == 1 && remove_recovery_file(&app->recovery.offered))
        host_say(&app->host, STYLE_NORMAL, "discarded");
    else if (id == 1)
        host_say(&app->host, STYLE_WARNING, "not discarded: the file has been replaced");
    offer_from(app, app->recovery.offered.number + 1);
}

/* The design is safe elsewhere, or not wanted. */
void recovery_forget(struct app *app)
{
    remove_recovery_file(&app->recovery.held);
    app->recovery.held = (struct recovery_file){0};
}

/* The end of a path too long for `cells`. */
static void shorten_path(const char *path, int cells, char *text, size_t size)
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

static void ask_offer(struct app *app, const struct recovered *recovered)
{
    static const char *const answers[] = {"open it", "discard it", "leave it for later", NULL};
    struct tm local;
    char file[PATH_BYTES] = "a new design";
    char title[sizeof app->picker.title];
    char question[sizeof app->picker.note];
    char date[32] = "";

    snprintf(title, sizeof title, "Recovery: %s",
             recovered->document == NULL ? "a design that cannot be read"
                                         : recovered->scenario.general.title);
    if (recovered->origin != NULL)
        shorten_path(recovered->origin, 60, file, sizeof file);
    if (localtime_r(&recovered->file.written.tv_sec, &local) != NULL)
        strftime(date, sizeof date, " (%Y-%m-%d %H:%M)", &local);
    snprintf(question, sizeof question, "Unsaved changes%s of %.100s.", date, file);
    menu_ask(&app->host, title, question, answers, 0, offer_answered, app);
}

/* Offers the first file of this number or a higher one. */
static void offer_from(struct app *app, int number)
{
    for (; number <= FILES_MAX; number++) {
        struct recovered *recovered = recovered_read(app, number);

        if (recovered == NULL)
            continue;
        app->recovery.offered = recovered->file;
        ask_offer(app, recovered);
        recovered_free(recovered);
        return;
    }
}

void recovery_offer(struct app *app)
{
    offer_from(app, 1);
}
