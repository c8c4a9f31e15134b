#include "base/allocate.h"
#include "tui/app_state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "design/trace.h"
#include "design/trace_library.h"
#include "tui/widget.h"

/* First line of a recovery file whose design has a file: a hash of that file when it was read, and
 * its path. Saving to that path asks if the file has changed. */
#define ORIGIN_LINE "; recovered from: "

enum { RECOVERY_NAME = 32 }; /* bytes */

/* Prints the name of recovery file `number`, from 1. */
static void recovery_name(int number, char name[RECOVERY_NAME])
{
    if (number == 1)
        snprintf(name, RECOVERY_NAME, "recover.ini");
    else
        snprintf(name, RECOVERY_NAME, "recover-%d.ini", number);
}

/* Returns the number of the recovery file of this name; 0: it is none. */
static int recovery_number(const char *name)
{
    char known[RECOVERY_NAME];
    int number = 1;

    sscanf(name, "recover-%3d", &number);
    recovery_name(number, known);
    return number > 0 && strcmp(name, known) == 0 ? number : 0;
}

static bool recovery_path(int number, char *path, size_t size)
{
    char directory[PATH_BYTES - RECOVERY_NAME];
    char name[RECOVERY_NAME];

    if (!user_state_directory(directory, sizeof directory))
        return false;
    recovery_name(number, name);
    snprintf(path, size, "%s/%s", directory, name);
    return true;
}

/* Reads which recovery files there are. */
static void find_recovery_files(struct recovery *recovery)
{
    char path[PATH_BYTES];
    DIR *directory = user_state_directory(path, sizeof path - RECOVERY_NAME) ? opendir(path) : NULL;

    memset(recovery->found, 0, sizeof recovery->found);
    if (directory == NULL)
        return;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
        recovery->found[recovery_number(entry->d_name)] = true;
    closedir(directory);
}

/* Identifies a file, because another session may since have created its own under the same name. */
static struct recovery_file identify_file(int number, const struct stat *status)
{
    return (struct recovery_file){number, status->st_dev, status->st_ino, status->st_mtim};
}

/* Returns true if the file exists and no other has its name. */
static bool is_recovery_file(const struct recovery_file *file)
{
    char path[PATH_BYTES];
    struct stat status;

    return file->number != 0 && recovery_path(file->number, path, sizeof path) &&
           stat(path, &status) == 0 && status.st_dev == file->device &&
           status.st_ino == file->inode && status.st_mtim.tv_sec == file->written.tv_sec &&
           status.st_mtim.tv_nsec == file->written.tv_nsec;
}

/* Removes the file; returns false if it does not exist or another has its name. */
static bool remove_recovery_file(const struct recovery_file *file)
{
    char path[PATH_BYTES];

    return is_recovery_file(file) && recovery_path(file->number, path, sizeof path) &&
           unlink(path) == 0;
}

/* Returns the hash of the file of a document when it was read. */
static uint64_t document_hash(const struct document *document)
{
    return hash_bytes(HASH_EMPTY, document->ini.bytes, document->ini.length);
}

/* Writes an absolute path: the next session may start elsewhere. Omits a path with a line break. */
static void write_origin_line(const struct app *app, FILE *file)
{
    const char *path = document_path(app->host.design.document);
    char *whole = path == NULL ? NULL : file_resolve(path, NULL);
    const char *name = whole;
    char here[PATH_BYTES];

    if (whole == NULL || strpbrk(whole, "\n\r") != NULL) {
        free(whole);
        return;
    }
    fprintf(file, ORIGIN_LINE "%016" PRIx64 " ", document_hash(app->host.design.document));
    if (whole[0] != '/' && getcwd(here, sizeof here) != NULL) {
        fprintf(file, "%s/", here);
        if (strncmp(name, "./", 2) == 0)
            name += 2;
    }
    fprintf(file, "%s\n", name);
    free(whole);
}

/* Returns the contents of a recovery file for the present design. */
static char *changes_text(const struct app *app, size_t *length)
{
    const struct document *document = app->host.design.document;
    char *bytes = NULL;
    FILE *file = allocate_stream(&bytes, length);
    struct scenario kept;
    size_t size = 0;
    char *text;

    /* without a file, relative trace paths would depend on the working directory */
    scenario_copy(&kept, &app->host.design.scenario);
    if (document_path(document) == NULL)
        scenario_move_files(&kept, NULL, "/");
    text = scenario_text(&kept, document, &size);
    write_origin_line(app, file);
    fwrite(text, 1, size, file);
    fclose(file);
    free(text);
    return bytes;
}

/* Replaces the file that is held, or else creates the first with an unused name, so that the files
 * of other sessions are not overwritten. Stores its number and path. */
static enum status put_recovery_file(const struct recovery_file *held, const char *text,
                                     size_t length, int *number, char *path, size_t size,
                                     struct error *error)
{
    enum status status = STATUS_CONFLICT;

    *number = held->number;
    if (is_recovery_file(held) && recovery_path(*number, path, size))
        return file_replace(path, text, length, false, &file_system, error);
    for (*number = 1; *number <= RECOVERY_FILES_MAX && recovery_path(*number, path, size);
         ++*number) {
        status = file_replace(path, text, length, true, &file_system, error);
        if (status != STATUS_CONFLICT)
            break;
    }
    return status;
}

/* Identifies the file just written and locks it while this session lives, so that no other offers
 * it; the lock of a session that was killed is gone. */
static void hold_recovery_file(struct recovery *recovery, int number, const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (recovery->lock > 0)
        close(recovery->lock);
    recovery->lock = file;
    recovery->held = (struct recovery_file){0};
    if (file < 0 || fstat(file, &status) != 0)
        return;
    recovery->held = identify_file(number, &status);
    flock(file, LOCK_EX | LOCK_NB);
}

static void release_recovery_file(struct recovery *recovery)
{
    if (recovery->lock > 0)
        close(recovery->lock);
    recovery->lock = 0;
}

/* Returns true if a session that lives has locked the file. Does not wait where it is a pipe. */
static bool is_in_use(const char *path)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool locked = file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;

    if (file >= 0)
        close(file);
    return locked;
}

/* Writes the design to its recovery file. Returns false, with a sentence in `kept`, on failure. */
static bool write_changes(struct app *app)
{
    struct recovery *recovery = &app->recovery;
    char path[PATH_BYTES];
    struct error error;
    enum status status;
    size_t length;
    int number = 0;
    char *text;

    if (!user_state_directory(path, sizeof path - RECOVERY_NAME)) {
        snprintf(recovery->kept, sizeof recovery->kept,
                 "unsaved changes could not be kept: there is no home directory");
        return false;
    }
    user_make_directory(path);
    text = changes_text(app, &length);
    status = put_recovery_file(&recovery->held, text, length, &number, path, sizeof path, &error);
    free(text);
    if (status != STATUS_OK) {
        snprintf(recovery->kept, sizeof recovery->kept, "unsaved changes could not be kept: %s: %s",
                 path, error.message);
        return false;
    }
    hold_recovery_file(recovery, number, path);
    image_pack(&recovery->written, &app->host.design.scenario);
    snprintf(recovery->kept, sizeof recovery->kept, "unsaved changes kept in %s", path);
    return true;
}

void recovery_save(struct app *app)
{
    if (!design_modified(&app->host.design)) {
        recovery_forget(app);
        return;
    }
    write_changes(app);
    release_recovery_file(&app->recovery);
}

static bool is_kept(const struct app *app)
{
    return design_modified(&app->host.design)
               ? image_equals(&app->recovery.written, &app->host.design.scenario)
               : app->recovery.written.size == 0;
}

int recovery_due(struct app *app)
{
    const double behind = 1.5; /* s; leaves half a second to write */
    struct recovery *recovery = &app->recovery;
    double left;

    if (is_kept(app)) {
        recovery->due = 0;
        return -1;
    }
    if (recovery->due == 0)
        recovery->due = clock_seconds() + behind;
    left = recovery->due - clock_seconds();
    return left > 0 ? (int)ceil(left * 1000) : 0;
}

void recovery_keep(struct app *app)
{
    struct recovery *recovery = &app->recovery;

    recovery->due = 0;
    if (is_kept(app))
        return;
    if (!design_modified(&app->host.design)) {
        recovery_forget(app);
        return;
    }
    if (write_changes(app)) {
        recovery->failed = false;
    } else {
        if (!recovery->failed)
            host_say(&app->host, NOTICE_WARNING, "%s", recovery->kept);
        recovery->failed = true;
        image_pack(&recovery->written,
                   &app->host.design.scenario); /* the next change tries again */
    }
    recovery->kept[0] = '\0';
}

const char *recovery_kept(const struct app *app)
{
    return app->recovery.kept;
}

/* Contents of a recovery file. */
struct recovered {
    char *bytes; /* owned */
    char *text;  /* the scenario, after the origin line */
    size_t length;
    char *origin;  /* path of the original file; NULL: none */
    uint64_t hash; /* hash of that file when it was read */
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

/* Removes the origin line, if there is one. */
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

/* Returns NULL if there is nothing to recover. If the text is invalid, `document` is NULL. */
static struct recovered *recovered_read(struct app *app, int number)
{
    enum { ORIGIN_BYTES = PATH_BYTES + 64 };
    struct recovered *recovered = allocate_array(1, sizeof *recovered);
    struct scenario_source source = {.catalogue = app->host.design.catalogue};
    struct stat status;
    char path[PATH_BYTES];

    if (!recovery_path(number, path, sizeof path) || stat(path, &status) != 0 || is_in_use(path) ||
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

/* Returns the document to save to. If the original file is unchanged it is that file, `saved` is
 * its contents, and saving does not ask. Else it is the recovered text with the file's name, and
 * saving over the changed file asks. */
static struct document *take_document(struct app *app, struct recovered *recovered,
                                      struct scenario *saved, bool *original)
{
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};

    *original = recovered->origin != NULL &&
                scenario_load(saved, &document, recovered->origin, app->host.design.catalogue,
                              &problems) == STATUS_OK &&
                document_hash(document) == recovered->hash;
    problems_free(&problems);
    if (*original)
        return document;
    document_free(document);
    document = recovered->document;
    recovered->document = NULL;
    if (recovered->origin != NULL)
        document->path = allocate_text(recovered->origin);
    return document;
}

static void start_recovered(struct app *app, struct recovered *recovered)
{
    struct scenario saved;
    bool original;
    struct document *document = take_document(app, recovered, &saved, &original);

    design_start(&app->host.design, &recovered->scenario, document);
    app->host.design.saved.size = 0;
    if (original)
        image_pack(&app->host.design.saved, &saved);
    app->recovery.held = recovered->file;
    if (recovered->origin != NULL)
        host_say(&app->host, NOTICE_NORMAL, "recovered; s saves it to %s", recovered->origin);
    else
        host_say(&app->host, NOTICE_NORMAL, "recovered; s saves it under a name");
}

static bool offer_from(struct app *app, int number);

static void open_offered(struct app *app)
{
    struct recovered *recovered = recovered_read(app, app->recovery.offered.number);
    char path[PATH_BYTES];

    recovery_path(app->recovery.offered.number, path, sizeof path);
    if (recovered == NULL) {
        host_say(&app->host, NOTICE_ERROR, "cannot read %s", path);
        return;
    }
    if (recovered->document == NULL)
        app_say_problems(app, &recovered->problems, path);
    else
        start_recovered(app, recovered);
    recovered_free(recovered);
}

/* After opening a file, the others are offered at the next start: only one design can be open. */
static void offer_answered(void *context, int id)
{
    struct app *app = context;

    if (id == 0) {
        files_ask_changes(app, "opening what is recovered", open_offered);
        return;
    }
    if (id == 1 && remove_recovery_file(&app->recovery.offered))
        host_say(&app->host, NOTICE_NORMAL, "discarded");
    else if (id == 1)
        host_say(&app->host, NOTICE_WARNING, "not discarded: the file has been replaced");
    offer_from(app, app->recovery.offered.number + 1);
}

/* The design was saved elsewhere or discarded. */
void recovery_forget(struct app *app)
{
    remove_recovery_file(&app->recovery.held);
    release_recovery_file(&app->recovery);
    app->recovery.held = (struct recovery_file){0};
    app->recovery.written.size = 0;
}

void recovery_close(struct app *app)
{
    release_recovery_file(&app->recovery);
    image_free(&app->recovery.written);
}

/* Abbreviates a path to `cells`, keeping the file name. */
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

/* Prints the file that a design belongs to. */
static void print_original(const struct recovered *recovered, char *text, size_t size)
{
    if (recovered->origin != NULL)
        shorten_path(recovered->origin, 60, text, size);
    else
        snprintf(text, size, "a new design");
}

static void ask_about_recovered(struct app *app, const struct recovered *recovered)
{
    static const char *const answers[] = {"open it", "discard it", "leave it for later", NULL};
    struct tm local;
    char file[PATH_BYTES];
    char title[sizeof app->picker.title];
    char question[sizeof app->picker.note];
    char date[32] = "";

    snprintf(title, sizeof title, "Recovery: %s",
             recovered->document == NULL ? "a design that cannot be read"
                                         : recovered->scenario.general.title);
    print_original(recovered, file, sizeof file);
    if (localtime_r(&recovered->file.written.tv_sec, &local) != NULL)
        strftime(date, sizeof date, " (%Y-%m-%d %H:%M)", &local);
    snprintf(question, sizeof question, "Unsaved changes%s of %.100s.", date, file);
    menu_ask(app, title, question, answers, app->recovery.named ? 2 : 0, offer_answered,
             app);
}

/* Returns true if the changes are those of the file of the present design. */
static bool is_of_present(const struct app *app, const struct recovered *recovered)
{
    return file_same(document_path(app->host.design.document), recovered->origin);
}

/* Returns the first recovery file with this number or a higher one: any, or one of the present
 * design's file; NULL: none. */
static struct recovered *next_recovered(struct app *app, int number, bool any)
{
    for (; number <= RECOVERY_FILES_MAX; number++) {
        bool present = number == app->recovery.held.number && is_recovery_file(&app->recovery.held);
        struct recovered *recovered =
            app->recovery.found[number] && !present ? recovered_read(app, number) : NULL;

        if (recovered != NULL && (any || is_of_present(app, recovered)))
            return recovered;
        if (recovered != NULL)
            recovered_free(recovered);
    }
    return NULL;
}

/* Offers the next recovery file; returns false if there is none to offer. */
static bool offer_from(struct app *app, int number)
{
    struct recovered *recovered = next_recovered(app, number, !app->recovery.named);

    if (recovered == NULL)
        return false;
    app->recovery.offered = recovered->file;
    ask_about_recovered(app, recovered);
    recovered_free(recovered);
    return true;
}

/* Says, after what is said already, that there are changes of another file. */
static void mention_recovered(struct app *app)
{
    struct recovered *recovered = next_recovered(app, 1, true);
    char said[sizeof app->host.notice.text];
    char file[PATH_BYTES];

    if (recovered == NULL)
        return;
    print_original(recovered, file, sizeof file);
    snprintf(said, sizeof said, "%.*s", (int)sizeof said / 2, app->host.notice.text);
    host_say(&app->host, NOTICE_WARNING,
             "%s%san earlier session left unsaved changes of %.100s; :recover offers them", said,
             said[0] != '\0' ? "; " : "", file);
    recovered_free(recovered);
}

void recovery_offer(struct app *app, bool named)
{
    app->recovery.named = named;
    find_recovery_files(&app->recovery);
    if (!offer_from(app, 1))
        mention_recovered(app);
}

void act_recover(struct app *app, const char *argument)
{
    (void)argument;
    app->recovery.named = false;
    find_recovery_files(&app->recovery);
    if (!offer_from(app, 1))
        host_say(&app->host, NOTICE_NORMAL, "there is no unsaved design of another session");
}
