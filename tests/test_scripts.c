/* Scripts of keys: each case of tests/keys/NAME.keys is a check, "keys NAME: CASE", in the language
 * of tests/keys/README.md. tests/screens/SYSTEM.WHAT.SIZE[.ascii].keys is a script for `aolag
 * screen`, whose output must equal the .txt file beside it (tests/screens/update). */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app_fixture.h"
#include "check.h"
#include "draw.h"
#include "draw/glyph.h"
#include "machine_fixture.h"
#include "probe/measurement.h"
#include "tui/script.h"

/* Files ---------------------------------------------------------------------------------------- */

struct lines {
    char path[PATH_MAX]; /* for people */
    char **line;
    int count;
};

/* The lines from `first` up to `end` of a file, under the name of a check: "suite: test". */
static struct passage {
    char name[160];
    const struct lines *file;
    int first, end;
} passages[1024];
static int passage_count;

/* All scripts, which passages refer to until the program ends. */
static struct lines scripts[256];
static int script_count;

static bool read_lines(const char *path, struct lines *lines)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;

    if (file == NULL)
        return false;
    snprintf(lines->path, sizeof lines->path, "%s", path);
    while (getline(&line, &size, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        lines->line = realloc(lines->line, (size_t)(lines->count + 1) * sizeof *lines->line);
        lines->line[lines->count++] = strdup(line);
    }
    free(line);
    fclose(file);
    return true;
}

static int is_script(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 5 && strcmp(entry->d_name + length - 5, ".keys") == 0;
}

/* Calls `add` with each script in a directory beside tests/data, in alphabetical order. */
static void each_script(const char *directory, void (*add)(const char *name, struct lines *lines))
{
    struct dirent **entry = NULL;
    char path[PATH_MAX];
    int count = scandir(check_data_path(directory), &entry, is_script, alphasort);

    for (int i = 0; i < count; i++) {
        struct lines *lines = &scripts[script_count++];

        if (script_count == (int)(sizeof scripts / sizeof scripts[0]))
            abort();
        snprintf(path, sizeof path, "%s/%s", check_data_path(directory), entry[i]->d_name);
        if (read_lines(path, lines))
            add(entry[i]->d_name, lines);
        free(entry[i]);
    }
    free(entry);
}

/* A check for the lines from `first` on, run by `run`. */
static void add_passage(const char *suite, const char *name, void (*run)(void),
                        const struct lines *file, int first)
{
    struct passage *passage = &passages[passage_count++];

    if (passage_count == (int)(sizeof passages / sizeof passages[0]))
        abort();
    *passage = (struct passage){.file = file, .first = first, .end = file->count};
    snprintf(passage->name, sizeof passage->name, "%s: %s", suite, name);
    check_add_test(strndup(passage->name, strlen(suite)), passage_count, name, run);
}

static const struct passage *running_passage(void)
{
    for (int i = 0; i < passage_count; i++)
        if (strcmp(passages[i].name, check_test_name()) == 0)
            return &passages[i];
    return NULL;
}

/* Running a case ------------------------------------------------------------------------------- */

struct session {
    bool open;
    struct fixture fixture;
    struct script script;
};

struct play;

struct word {
    const char *name;
    bool (*run)(struct play *play);
    int value;  /* what it expects, for words that share a function */
    bool first; /* also before the explorer is open */
};

struct play {
    const struct lines *file;
    int at, end; /* the line that runs, and the one behind the case */
    struct session session[2];
    struct session *now;
    const struct word *word; /* of that line, and what follows it */
    const char *arguments;
    char text[1024]; /* that holds them */
    int expectations;
    char *remembered;
};

/* Reports a failure at the line that runs, with the screen. false, for `return fail(...)`. */
static bool fail(struct play *play, const char *message)
{
    char *screen = play->now->open ? fixture_screen(&play->now->fixture) : NULL;
    const char *line = play->at < play->file->count ? play->file->line[play->at] : "";

    check_true(false, play->file->path, play->at + 1, "%s: %s\n%s", line, message,
               screen == NULL ? "" : screen);
    free(screen);
    return false;
}

static bool expect(struct play *play, bool condition, const char *message)
{
    play->expectations++;
    return condition ? check_true(true, play->file->path, play->at + 1, "%s", "")
                     : fail(play, message);
}

/* For words that come in pairs, as expect and absent: whether it is so as the word says. */
static bool expect_that(struct play *play, bool is_so)
{
    char message[1024];

    snprintf(message, sizeof message, "%s: \"%s\"", is_so ? "there is" : "there is no",
             play->arguments);
    return expect(play, is_so == (play->word->value != 0), message);
}

static bool expect_text(struct play *play, const char *actual, const char *expected)
{
    char message[1024];

    snprintf(message, sizeof message, "\"%s\" is expected, \"%s\" came", expected, actual);
    return expect(play, strcmp(actual, expected) == 0, message);
}

static bool expect_number(struct play *play, long actual, const char *expected)
{
    char text[32];

    snprintf(text, sizeof text, "%ld", actual);
    return expect_text(play, text, expected);
}

static int count_text(const char *screen, const char *text)
{
    int count = 0;

    for (const char *at = strstr(screen, text); at != NULL; at = strstr(at + 1, text))
        count++;
    return count;
}

static int count_on_screen(struct play *play, const char *text)
{
    char *screen = fixture_screen(&play->now->fixture);
    int count = count_text(screen, text);

    free(screen);
    return count;
}

static bool run_line(struct play *play, const char *line);

/* Words. Each gets what follows it and returns false when the case cannot go on. */

static void close_session(struct session *session)
{
    if (session->open)
        fixture_close(&session->fixture);
    session->open = false;
}

static bool open_session(struct play *play, const char *system, int rows, int columns, bool unicode)
{
    struct session *session = play->now;

    close_session(session);
    if (!fixture_open(&session->fixture, system, rows, columns))
        return fail(play, "the explorer does not start");
    session->open = true;
    session->script =
        (struct script){.app = session->fixture.app, .canvas = &session->fixture.canvas};
    canvas_init(&session->fixture.canvas, rows, columns, unicode);
    app_hold_work(session->fixture.app, true);
    app_draw(session->fixture.app, &session->fixture.canvas);
    return true;
}

static bool run_up_to(struct play *play, int end)
{
    for (; play->at < end; play->at++)
        if (!run_line(play, play->file->line[play->at]))
            return false;
    return true;
}

static int next_open(const struct play *play)
{
    int line = play->at + 1;

    while (line < play->end && strncmp(play->file->line[line], "open ", 5) != 0)
        line++;
    return line;
}

static int count_sizes(const char *text)
{
    int rows, columns, count = 0;

    for (int length; sscanf(text, "%dx%d%n", &columns, &rows, &length) == 2; text += length)
        count++;
    return count;
}

/* Under sanitizers one of the sizes, another one of the next case. */
static bool word_open(struct play *play)
{
    const int first = play->at;
    const int end = next_open(play);
    const char *arguments = play->file->line[first] + strlen("open ");
    bool unicode = strstr(arguments, " ascii") == NULL;
    char system[64] = "";
    static int turn;
    int sizes, length = 0;

    sscanf(arguments, "%63s%n", system, &length);
    sizes = count_sizes(arguments + length);
    turn++;
    for (int i = 0, at = length; i < sizes; i++, at += length) {
        int rows, columns;

        sscanf(arguments + at, "%dx%d%n", &columns, &rows, &length);
        if (draw_every(1) > 1 && i != turn % sizes)
            continue;
        play->at = first;
        if (!open_session(play, system, rows, columns, unicode))
            return false;
        play->at++;
        if (!run_up_to(play, end))
            return false;
    }
    play->at = sizes > 0 ? end - 1 : first;
    return sizes > 0 || fail(play, "not SYSTEM SIZE...");
}

static bool word_session(struct play *play)
{
    if (strcmp(play->arguments, "1") != 0 && strcmp(play->arguments, "2") != 0)
        return fail(play, "not 1 or 2");
    play->now = &play->session[play->arguments[0] - '1'];
    return true;
}

static bool run_product_word(struct play *play, const char *line)
{
    struct error error;

    return script_run_line(&play->now->script, line, &error) == STATUS_OK ||
           fail(play, error.message);
}

static bool word_press(struct play *play)
{
    char keys[256];
    char *rest = NULL;

    snprintf(keys, sizeof keys, "%s", play->arguments);
    for (char *key = strtok_r(keys, " ", &rest); key != NULL; key = strtok_r(NULL, " ", &rest))
        if (key_from_name(key) == KEY_NONE || !run_product_word(play, key))
            return fail(play, "there is no such key");
    return true;
}

/* Delivers text as a terminal does that marks what is pasted; "\\n" ends a line of it. */
static bool word_paste(struct play *play)
{
    struct fixture *fixture = &play->now->fixture;

    for (const char *at = play->arguments; *at != '\0'; at++) {
        bool newline = at[0] == '\\' && at[1] == 'n';
        const struct key_event event = {
            .key = newline ? KEY_NAMED_ENTER : (uint32_t)(unsigned char)*at, .pasted = true};

        at += newline;
        if (app_key(fixture->app, &event) != APP_CONTINUE)
            return fail(play, "pasted text ends the program");
        app_draw(fixture->app, &fixture->canvas);
    }
    return true;
}

static bool word_line_after(struct play *play)
{
    char line[512];

    snprintf(line, sizeof line, "text %s", play->arguments);
    return run_product_word(play, play->word->name) && run_product_word(play, line) &&
           run_product_word(play, "Enter");
}

static bool word_show(struct play *play)
{
    struct host *host = &play->now->fixture.app->host;
    struct knob_ref ref;
    char path[128];

    if (knob_find(&host->design.scenario, play->arguments, &ref, NULL) == STATUS_OK)
        return fixture_show(&play->now->fixture, play->arguments);
    for (int s = 0; s < SECTION_COUNT; s++)
        for (int i = 0; i < section_count(&host->design.scenario, (enum section)s); i++) {
            section_path(&host->design.scenario, (enum section)s, i, path, sizeof path);
            if (strcmp(path, play->arguments) == 0) {
                app_show_knob(play->now->fixture.app, (struct knob_ref){(enum section)s, i, NULL},
                              SHOW_ASIDE);
                app_draw(play->now->fixture.app, &play->now->fixture.canvas);
                return true;
            }
        }
    return fail(play, "there is no such knob or section");
}

/* "click on TEXT": the same with row and column of the first cell of the text. */
static bool run_mouse_word(struct play *play, const char *line, const char *text)
{
    char *screen = fixture_screen(&play->now->fixture);
    const char *found = strstr(screen, text);
    char place[64];
    int row = 0;
    int column = 0;

    for (const char *at = screen; found != NULL && at < found; column++)
        if (glyph_decode(&at) == '\n') {
            row++;
            column = -1;
        }
    free(screen);
    if (found == NULL)
        return fail(play, "the text is not on the screen");
    snprintf(place, sizeof place, "%.*s%d %d", (int)(strstr(line, "on ") - line), line, row,
             column);
    return run_product_word(play, place);
}

/* Removes quotes around a text. */
static void copy_unquoted(const char *text, char *copy, size_t size)
{
    size_t length = strlen(text);
    bool quoted = length >= 2 && text[0] == '"' && text[length - 1] == '"';

    snprintf(copy, size, "%.*s", (int)(quoted ? length - 2 : length), text + quoted);
}

static bool word_expect(struct play *play)
{
    return expect_that(play, count_on_screen(play, play->arguments) > 0);
}

static bool word_count(struct play *play)
{
    char number[16] = "";
    char text[256];
    int length = 0;

    sscanf(play->arguments, "%15s %n", number, &length);
    copy_unquoted(play->arguments + length, text, sizeof text);
    return expect_number(play, count_on_screen(play, text), number);
}

static bool word_value(struct play *play)
{
    const char *equals = strstr(play->arguments, " = ");
    char path[128];

    if (equals == NULL)
        return fail(play, "not KNOB = TEXT");
    snprintf(path, sizeof path, "%.*s", (int)(equals - play->arguments), play->arguments);
    return expect_text(play, fixture_value(&play->now->fixture, path), equals + 3);
}

static bool word_at(struct play *play)
{
    const struct app *app = play->now->fixture.app;

    return expect_text(play,
                       app->mode != MODE_NORMAL ? mode_name(app->mode) : pane_name(app_pane(app)),
                       play->arguments);
}

static bool word_cursor(struct play *play)
{
    const struct app *app = play->now->fixture.app;
    const struct tree_row *row = tree_row(&app->explore.tree);
    char path[256] = "nothing";
    size_t length;

    if (app_pane(app) != PANE_KNOBS) {
        struct view_cursor cursor = view_cursor(app);

        return expect_text(play, cursor.path[0] != '\0' ? cursor.path : path, play->arguments);
    }
    section_path(&app->host.design.scenario, row->section, row->index, path, sizeof path);
    length = strlen(path);
    if (row->knob != NULL)
        snprintf(path + length, sizeof path - length, ".%s",
                 row->group ? row->knob->group : row->knob->key);
    return expect_text(play, path, play->arguments);
}

static bool word_line(struct play *play)
{
    return expect_text(play, play->now->fixture.app->prompt.line.text, play->arguments);
}

static bool word_steps(struct play *play)
{
    return expect_number(play, (long)play->now->fixture.app->host.design.history.position,
                         play->arguments);
}

/* Whether there is a row of this path in the list of knobs or formulas. */
static bool has_row(const struct app *app, const char *path)
{
    struct knob_ref ref;

    if (app_pane(app) != PANE_FORMULAS)
        return knob_find(&app->host.design.scenario, path, &ref, NULL) == STATUS_OK &&
               tree_find(&app->explore.tree, ref.section, ref.index, ref.knob) >= 0;
    for (int r = 0; r < app->formulas.list.count; r++)
        if (app->formulas.rows[r].path != NULL && strcmp(app->formulas.rows[r].path, path) == 0)
            return true;
    return false;
}

static bool word_lists(struct play *play)
{
    return expect_that(play, has_row(play->now->fixture.app, play->arguments));
}

static char *design_or_screen(struct play *play)
{
    return strcmp(play->arguments, "screen") == 0 ? fixture_screen(&play->now->fixture)
                                                  : fixture_text(&play->now->fixture);
}

static bool word_remember(struct play *play)
{
    free(play->remembered);
    play->remembered = design_or_screen(play);
    return true;
}

static bool word_same(struct play *play)
{
    char *text = design_or_screen(play);
    bool good;

    play->expectations++;
    if (play->word->value)
        good = check_str(text, play->remembered, play->file->line[play->at], play->file->path,
                         play->at + 1);
    else
        good = expect(play, play->remembered != NULL && strcmp(text, play->remembered) != 0,
                      "it is the same");
    free(text);
    return good;
}

/* Whether the text, anywhere on the screen, is drawn in a style; without a text: whether a cell is.
 */
static bool has_style(const struct canvas *canvas, enum style style, const char *text)
{
    for (int i = 0; i < canvas->rows * canvas->columns; i++) {
        const char *at = text;
        int cell = i;

        while (*at != '\0' && cell < canvas->rows * canvas->columns &&
               canvas->cells[cell].style == style) {
            const char *next = at;

            if (glyph_decode(&next) != canvas->cells[cell].character)
                break;
            at = next;
            cell++;
        }
        if (*at == '\0' && canvas->cells[i].style == style)
            return true;
    }
    return false;
}

static bool word_styled(struct play *play)
{
    static const struct {
        const char *name;
        enum style style;
    } styles[] = {{"good", STYLE_GOOD},       {"dim", STYLE_DIM},     {"compute", STYLE_COMPUTE},
                  {"warning", STYLE_WARNING}, {"focus", STYLE_FOCUS}, {"memory", STYLE_MEMORY}};
    size_t length = strcspn(play->arguments, " ");
    const char *text = play->arguments + length;

    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++)
        if (strlen(styles[i].name) == length &&
            strncmp(play->arguments, styles[i].name, length) == 0)
            return expect_that(play, has_style(&play->now->fixture.canvas, styles[i].style,
                                               text + (text[0] == ' ')));
    return fail(play, "no such style");
}

static bool word_mouse(struct play *play)
{
    return expect_text(play, app_mouse(play->now->fixture.app) ? "on" : "off", play->arguments);
}

static bool word_leads_to(struct play *play)
{
    return expect(play, (int)play->now->script.next == play->word->value, "it does not");
}

static bool word_busy(struct play *play)
{
    struct fixture *fixture = &play->now->fixture;
    bool busy;

    app_hold_work(fixture->app, false);
    app_draw(fixture->app, &fixture->canvas);
    busy = app_busy(fixture->app);
    app_hold_work(fixture->app, true);
    return expect_that(play, busy);
}

/* Writes the indented lines that follow, which are then behind. */
static bool write_block(struct play *play, const char *name, const char *mode, const char *first)
{
    FILE *file = fopen(name, mode);

    if (file == NULL)
        return fail(play, "cannot be written");
    fputs(first, file);
    while (play->at + 1 < play->end && strncmp(play->file->line[play->at + 1], "    ", 4) == 0)
        fprintf(file, "%s\n", play->file->line[++play->at] + 4);
    fclose(file);
    return true;
}

static bool word_file(struct play *play)
{
    return write_block(play, play->arguments, play->word->value == 'a' ? "a" : "w", "");
}

static bool word_folder(struct play *play)
{
    return mkdir(play->arguments, 0700) == 0 || fail(play, "cannot be made");
}

static bool word_exists(struct play *play)
{
    return expect_that(play, access(play->arguments, F_OK) == 0);
}

static bool word_holds(struct play *play)
{
    struct lines lines = {.count = 0};
    const char *text = strchr(play->arguments, ' ');
    char name[PATH_MAX];
    bool found = false;

    if (text == NULL)
        return fail(play, "not NAME TEXT");
    snprintf(name, sizeof name, "%.*s", (int)(text - play->arguments), play->arguments);
    read_lines(name, &lines);
    for (int i = 0; i < lines.count; i++) {
        found = found || strstr(lines.line[i], text + 1) != NULL;
        free(lines.line[i]);
    }
    free(lines.line);
    return expect(play, found, "the file does not contain it");
}

static bool word_interrupt(struct play *play)
{
    recovery_save(play->now->fixture.app);
    return true;
}

static bool word_kept(struct play *play)
{
    const char *kept = recovery_kept(play->now->fixture.app);

    if (play->arguments[0] == '\0')
        return expect_text(play, kept, "");
    return expect(play, strstr(kept, play->arguments) != NULL, kept);
}

/* Two seconds without a key. */
static bool word_later(struct play *play)
{
    struct app *app = play->now->fixture.app;
    int due = recovery_due(app); /* ms */

    if (due > 2000)
        return fail(play, "the design is kept after more than 2 s");
    if (due >= 0)
        recovery_keep(app);
    app_draw(app, &play->now->fixture.canvas);
    return true;
}

static bool word_recover(struct play *play)
{
    tour_offer(play->now->fixture.app);
    recovery_offer(play->now->fixture.app, strcmp(play->arguments, "named") == 0);
    app_draw(play->now->fixture.app, &play->now->fixture.canvas);
    return true;
}

static bool word_measured(struct play *play)
{
    struct measurement measurement = {0};
    bool whole[MEASUREMENT_PARTS];
    struct error error;
    enum status status;

    fixture_measure(&fixture_machine, 0, 0.1, &measurement);
    snprintf(measurement.condition[CONDITION_CPU], CONDITION_MAX, "%s", play->arguments);
    snprintf(measurement.condition[CONDITION_CACHES], CONDITION_MAX, "%s",
             "L1 32 KiB, L2 1024 KiB, L3 32768 KiB of 4 cores");
    for (int i = 0; i < MEASUREMENT_PARTS; i++)
        whole[i] = true;
    status = measurement_file_keep(&measurement, whole, &error);
    measurement_free(&measurement);
    return status == STATUS_OK || fail(play, error.message);
}

static bool word_machine(struct play *play)
{
    struct machine_view *machine = &play->now->fixture.app->machine;

    if (play->arguments[0] == '\0')
        app_know_machine(play->now->fixture.app);
    else
        snprintf(machine->cpu, sizeof machine->cpu, "%s", play->arguments);
    return true;
}

static bool word_measuring(struct play *play)
{
    play->now->fixture.app->host.program = "./program";
    return write_block(play, "program", "w", "#!/bin/sh\n") &&
           (chmod("program", 0700) == 0 || fail(play, "cannot be made executable"));
}

static bool word_points(struct play *play)
{
    struct fixture *fixture = &play->now->fixture;
    long points = strtol(play->arguments, NULL, 10);

    while (app_busy(fixture->app) && fixture->app->machine.stream.points < points)
        if (!fixture_take(fixture))
            return fail(play, "nothing comes");
    app_draw(fixture->app, &fixture->canvas);
    return expect_number(play, fixture->app->machine.stream.points, play->arguments);
}

static const struct word words[] = {
    {.name = ":", .run = word_line_after},
    {.name = "/", .run = word_line_after},
    {.name = "absent", .run = word_expect},
    {.name = "append", .run = word_file, .value = 'a', .first = true},
    {.name = "at", .run = word_at},
    {.name = "busy", .run = word_busy, .value = true},
    {.name = "count", .run = word_count},
    {.name = "cursor", .run = word_cursor},
    {.name = "exists", .run = word_exists, .value = true, .first = true},
    {.name = "expect", .run = word_expect, .value = true},
    {.name = "file", .run = word_file, .value = 'w', .first = true},
    {.name = "folder", .run = word_folder, .first = true},
    {.name = "holds", .run = word_holds, .first = true},
    {.name = "idle", .run = word_busy},
    {.name = "interrupt", .run = word_interrupt},
    {.name = "kept", .run = word_kept},
    {.name = "lacks", .run = word_lists},
    {.name = "later", .run = word_later},
    {.name = "line", .run = word_line},
    {.name = "lists", .run = word_lists, .value = true},
    {.name = "machine", .run = word_machine},
    {.name = "measured", .run = word_measured, .first = true},
    {.name = "measuring", .run = word_measuring},
    {.name = "missing", .run = word_exists, .first = true},
    {.name = "mouse", .run = word_mouse},
    {.name = "open", .run = word_open, .first = true},
    {.name = "paste", .run = word_paste},
    {.name = "points", .run = word_points},
    {.name = "press", .run = word_press},
    {.name = "quits", .run = word_leads_to, .value = APP_QUIT},
    {.name = "recover", .run = word_recover},
    {.name = "redraws", .run = word_leads_to, .value = APP_REDRAW},
    {.name = "remember", .run = word_remember},
    {.name = "same", .run = word_same, .value = true},
    {.name = "session", .run = word_session, .first = true},
    {.name = "show", .run = word_show},
    {.name = "stays", .run = word_leads_to, .value = APP_CONTINUE},
    {.name = "steps", .run = word_steps},
    {.name = "styled", .run = word_styled, .value = true},
    {.name = "suspends", .run = word_leads_to, .value = APP_SUSPEND},
    {.name = "unlike", .run = word_same},
    {.name = "unstyled", .run = word_styled},
    {.name = "value", .run = word_value},
};

static bool run_line(struct play *play, const char *line)
{
    size_t length = strcspn(line, " ");
    const char *on = strstr(line, " on ");

    if (line[0] == '\0' || line[0] == '#')
        return true;
    play->arguments = play->text;
    copy_unquoted(line + length + (line[length] == ' '), play->text, sizeof play->text);
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        if (strlen(words[w].name) != length || strncmp(words[w].name, line, length) != 0 ||
            (length == 1 && line[1] == '\0'))
            continue;
        play->word = &words[w];
        return play->now->open || words[w].first ? words[w].run(play)
                                                 : fail(play, "nothing is open");
    }
    if (!play->now->open)
        return fail(play, "nothing is open");
    if (on == NULL || strncmp(line, "text ", 5) == 0)
        return run_product_word(play, line);
    copy_unquoted(on + strlen(" on "), play->text, sizeof play->text);
    return run_mouse_word(play, line, play->text);
}

static void run_case(const struct passage *passage)
{
    struct play play = {.file = passage->file, .at = passage->first, .end = passage->end};

    play.now = &play.session[0];
    if (!fixture_enter())
        return;
    if (run_up_to(&play, play.end)) {
        play.at = passage->first - 1;
        if (play.expectations == 0)
            fail(&play, "the case expects nothing");
    }
    close_session(&play.session[0]);
    close_session(&play.session[1]);
    free(play.remembered);
    fixture_leave();
}

/* The cases of tests/keys ---------------------------------------------------------------------- */

static void run_running_case(void)
{
    run_case(running_passage());
}

/* The first case of each file, and a third of the others where systems are few: sessions cost most
 * of the time under sanitizers. */
static bool is_case_tried(bool first)
{
    static int count;

    return first || draw_every(1) == 1 || count++ % 3 == 0;
}

static void add_cases(const char *name, struct lines *lines)
{
    struct passage *last = NULL; /* whose end is not known yet */
    bool first = true;
    char suite[64];

    snprintf(suite, sizeof suite, "keys %.*s", (int)strcspn(name, "."), name);
    for (int i = 0; i < lines->count; i++) {
        const char *line = lines->line[i];
        bool begins = strncmp(line, "case ", 5) == 0;

        if (!begins && (!first || line[0] == '\0' || line[0] == '#'))
            continue;
        if (last != NULL)
            last->end = i;
        last = NULL;
        if (is_case_tried(first)) {
            last = &passages[passage_count];
            add_passage(suite, begins ? line + 5 : "before the first case", run_running_case, lines,
                        begins ? i + 1 : i);
        }
        first = false;
    }
    if (first)
        add_passage(suite, "no case", run_running_case, lines, lines->count + 1);
}

/* The golden screens of tests/screens ---------------------------------------------------------- */

/* "elt-scao.slider.80x24.ascii": the system, what it shows, the size. */
static bool parse_screen_name(const char *name, char *system, int *rows, int *columns,
                              bool *unicode)
{
    char rest[64] = "";

    if (sscanf(name, "%63[^.].%*[^.].%dx%d%63s", system, columns, rows, rest) < 3)
        return false;
    *unicode = strcmp(rest, ".ascii") != 0;
    return rest[0] == '\0' || !*unicode;
}

static char *read_golden(const struct lines *script)
{
    struct lines lines = {.count = 0};
    char path[PATH_MAX];
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    snprintf(path, sizeof path, "%.*s.txt", (int)(strlen(script->path) - 5), script->path);
    read_lines(path, &lines);
    for (int i = 0; i < lines.count; i++) {
        fprintf(file, "%s\n", lines.line[i]);
        free(lines.line[i]);
    }
    free(lines.line);
    fclose(file);
    return text;
}

static void run_screen(void)
{
    const struct passage *passage = running_passage();
    struct play play = {.file = passage->file, .end = passage->end};
    struct script *script = &play.session[0].script;
    char system[64];
    int rows, columns;
    bool unicode;
    char *golden = read_golden(passage->file);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    setenv("XDG_STATE_HOME", check_data_path("state"), 1);  /* a machine as it was measured once */
    setenv("XDG_CONFIG_HOME", check_data_path("state"), 1); /* no presets of the user */
    play.now = &play.session[0];
    if (!parse_screen_name(strchr(passage->name, ' ') + 1, system, &rows, &columns, &unicode))
        fail(&play, "the file is not called SYSTEM.WHAT.SIZE[.ascii].keys");
    else if (open_session(&play, system, rows, columns, unicode)) {
        script->out = out;
        if (run_up_to(&play, play.end) && !script->printed)
            run_product_word(&play, "screen");
        fflush(out);
        check_str(text, golden, passage->name, passage->file->path, 1);
    }
    close_session(&play.session[0]);
    fclose(out);
    free(text);
    free(golden);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
}

static void add_screen(const char *name, struct lines *lines)
{
    static int count;
    char title[128];

    snprintf(title, sizeof title, "%.*s", (int)strlen(name) - 5, name);
    if (count++ % draw_every(1) == 0)
        add_passage("screens", title, run_screen, lines, 0);
}

__attribute__((constructor)) static void register_scripts(void)
{
    each_script("../keys", add_cases);
    each_script("../screens", add_screen);
}

TEST(scripts_are_found)
{
    CHECK_TRUE(passage_count > 60, "%d cases and screens", passage_count);
}
