#include "tui/script.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "draw/glyph.h"
#include "draw/progress_line.h"

#define SIDE_MAX 1000

/* The work of a thread that a screen waits for, in looks (base/progress.h): 2.5e8 steps, some
 * seconds. That is more than JITTER_STEPS, and than any design of the catalogue takes. */
enum { WORK_LOOKS = 5000 };

enum { WORK_BYTES = 256, LINE_BYTES = 65536 };

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_BAD_WORD = 2 };

static void press_event(struct script *script, const struct key_event *event)
{
    if (script->next == APP_QUIT)
        return;
    script->next = app_key(script->app, event);
    script->printed = false;
    if (script->next != APP_QUIT)
        app_draw(script->app, script->canvas);
}

static void press_key(struct script *script, uint32_t key)
{
    const struct key_event event = {.key = key};

    press_event(script, &event);
}

static void press_mouse(struct script *script, enum mouse_kind kind, int row, int column)
{
    const struct key_event event = {
        .key = KEY_NAMED_MOUSE, .mouse = kind, .row = row, .column = column};

    script->last = event;
    script->held = kind == MOUSE_PRESS || kind == MOUSE_DRAG;
    press_event(script, &event);
}

static void release_button(struct script *script)
{
    if (script->held)
        press_mouse(script, MOUSE_RELEASE, script->last.row, script->last.column);
}

static void print_rule(int columns, const char *label, FILE *out)
{
    int width = fprintf(out, "--- %s ", label);

    for (; width < columns; width++)
        fputc('-', out);
    fputc('\n', out);
}

/* Starts background work, which waits while keys are pressed, and waits for it; what it found since
 * the last key is on the screen then. */
static void wait_while(struct script *script, bool (*holds)(const struct app *app))
{
    struct progress_line line = progress_line_to(script->err, true);
    char work[WORK_BYTES];
    bool waits = true;

    app_hold_work(script->app, false);
    app_draw(script->app, script->canvas);
    while (waits) {
        struct pollfd source[APP_FILES];
        int files[APP_FILES];
        int count = app_watch(script->app, files);

        waits = holds(script->app);
        for (int i = 0; i < count; i++)
            source[i] = (struct pollfd){.fd = files[i], .events = POLLIN};
        if (poll(source, (nfds_t)count, !waits ? 0 : line.out != NULL ? 1000 : -1) > 0) {
            waits = true;
            app_collect_results(script->app);
            app_draw(script->app, script->canvas);
            script->printed = false;
        }
        app_list_work(script->app, work, sizeof work);
        if (waits && progress_line_age(&line) > 1)
            progress_line_draw(&line, "computing %s", work);
    }
    progress_line_clear(&line);
    app_hold_work(script->app, true);
}

/* Waits until all background work ended, so that the screen is the same everywhere, or pauses: then
 * `work` lists it. After a key that quits, the screen is what it was. */
static void finish_screen(struct script *script, char work[WORK_BYTES])
{
    work[0] = '\0';
    if (script->next == APP_QUIT)
        return;
    wait_while(script, app_computing);
    app_list_work(script->app, work, WORK_BYTES);
}

/* A rule names the work that goes on. */
static void print_screen(struct script *script)
{
    const struct canvas *canvas = script->canvas;
    char work[WORK_BYTES];
    char label[WORK_BYTES + 64];

    finish_screen(script, work);
    snprintf(label, sizeof label, work[0] == '\0' ? "%dx%d" : "%dx%d, still computing: %s",
             canvas->columns, canvas->rows, work);
    print_rule(canvas->columns, label, script->out);
    canvas_print(canvas, script->out);
    for (int i = 0; i < canvas->columns; i++)
        fputc('-', script->out);
    fputc('\n', script->out);
    script->printed = true;
}

/* Words with arguments. The functions return false if the arguments are invalid. */

static bool run_screen(struct script *script, const char *arguments)
{
    if (arguments[0] != '\0')
        return false;
    print_screen(script);
    return true;
}

static bool run_text(struct script *script, const char *arguments)
{
    for (uint32_t key = glyph_decode(&arguments); key != 0; key = glyph_decode(&arguments))
        press_key(script, key);
    return true;
}

static bool run_resize(struct script *script, const char *arguments)
{
    int rows, columns, end = 0;

    if (sscanf(arguments, "%4dx%4d%n", &columns, &rows, &end) != 2 || arguments[end] != '\0' ||
        rows < 1 || columns < 1 || rows > SIDE_MAX || columns > SIDE_MAX)
        return false;
    canvas_init(script->canvas, rows, columns, script->canvas->unicode);
    app_draw(script->app, script->canvas);
    script->printed = false;
    return true;
}

static bool read_place(const char *text, int *row, int *column)
{
    int end = 0;

    return sscanf(text, "%4d %4d%n", row, column, &end) == 2 && text[end] == '\0' && *row >= 0 &&
           *column >= 0;
}

static bool run_click(struct script *script, const char *arguments)
{
    int row, column;

    if (!read_place(arguments, &row, &column))
        return false;
    press_mouse(script, MOUSE_PRESS, row, column);
    return true;
}

static bool run_drag(struct script *script, const char *arguments)
{
    int row, column;

    if (!read_place(arguments, &row, &column))
        return false;
    press_mouse(script, MOUSE_DRAG, row, column);
    return true;
}

static bool run_wheel(struct script *script, const char *arguments)
{
    bool up = strncmp(arguments, "up ", 3) == 0;
    int row, column;

    if (!up && strncmp(arguments, "down ", 5) != 0)
        return false;
    if (!read_place(arguments + (up ? 3 : 5), &row, &column))
        return false;
    press_mouse(script, up ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN, row, column);
    return true;
}

static bool run_wait(struct script *script, const char *arguments)
{
    int looks;

    if (arguments[0] != '\0')
        return false;
    looks = app_limit_work(script->app, 0);
    wait_while(script, app_busy);
    app_limit_work(script->app, looks);
    return true;
}

static const struct word {
    const char *name;
    const char *arguments; /* for error messages */
    bool (*run)(struct script *script, const char *arguments);
} words[] = {
    {.name = "screen", .arguments = "", .run = run_screen},
    {.name = "text", .arguments = " WORDS", .run = run_text},
    {.name = "resize", .arguments = " COLUMNSxROWS, at most 1000 each", .run = run_resize},
    {.name = "click", .arguments = " ROW COLUMN", .run = run_click},
    {.name = "drag", .arguments = " ROW COLUMN", .run = run_drag},
    {.name = "wheel", .arguments = " up|down ROW COLUMN", .run = run_wheel},
    {.name = "wait", .arguments = "", .run = run_wait},
};

enum { WORD_COUNT = sizeof words / sizeof words[0] };

/* Returns the word at the beginning of a line and its arguments; NULL: the line is a key. */
static const struct word *find_word(const char *line, const char **arguments)
{
    size_t length = strcspn(line, " ");

    *arguments = line + length + (line[length] == ' ');
    for (int i = 0; i < WORD_COUNT; i++)
        if (strlen(words[i].name) == length && strncmp(words[i].name, line, length) == 0)
            return &words[i];
    return NULL;
}

static enum status explain_unknown(const char *line, struct error *error)
{
    struct nearest nearest = nearest_to(line);

    for (size_t i = 0; key_name_at(i) != NULL; i++)
        nearest_offer(&nearest, key_name_at(i));
    for (int i = 0; i < WORD_COUNT; i++)
        nearest_offer(&nearest, words[i].name);
    if (nearest.best[0] == '\0')
        return error_set(error, STATUS_INVALID, "unknown key \"%s\"", line);
    return error_set(error, STATUS_INVALID, "unknown key \"%s\"; did you mean %s?", line,
                     nearest.best);
}

enum status script_run_line(struct script *script, const char *line, struct error *error)
{
    const char *arguments;
    const struct word *word = find_word(line, &arguments);
    uint32_t key = word == NULL ? key_from_name(line) : KEY_NONE;

    script->next = APP_CONTINUE;
    if (word == NULL || word->run != run_drag)
        release_button(script);
    if (key != KEY_NONE) {
        press_key(script, key);
        return STATUS_OK;
    }
    if (word == NULL)
        return explain_unknown(line, error);
    if (!word->run(script, arguments))
        return error_set(error, STATUS_INVALID, "\"%s\" is not of the form \"%s%s\"", line,
                         word->name, word->arguments);
    return STATUS_OK;
}

/* Reads a line, without its newline. `whole`: it fits. */
static bool read_line(FILE *keys, char line[LINE_BYTES], bool *whole)
{
    line[LINE_BYTES - 1] = '#'; /* a line that fills the buffer ends there */
    if (fgets(line, LINE_BYTES, keys) == NULL)
        return false;
    *whole = line[LINE_BYTES - 1] != '\0' || line[LINE_BYTES - 2] == '\n';
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

int script_play(struct script *script, FILE *keys, const char *file, FILE *err)
{
    struct error error;
    char line[LINE_BYTES];
    long number = 0;
    bool good = true, whole;

    while (good && script->next != APP_QUIT && read_line(keys, line, &whole)) {
        number++;
        if (!whole)
            error_set(&error, STATUS_INVALID, "the line has more than %d bytes", LINE_BYTES - 2);
        else if (line[0] == '\0' || strncmp(line, "# ", 2) == 0)
            continue;
        good = whole && script_run_line(script, line, &error) == STATUS_OK;
        if (!good) {
            fflush(script->out); /* screens come before the message */
            text_line(err, "%s:%ld: %s", file, number, error.message);
        }
    }
    if (good && ferror(keys)) {
        fflush(script->out);
        text_line(err, "aolag: cannot read %s: %s", file, strerror(errno));
        return EXIT_FAILED;
    }
    return good ? EXIT_DONE : EXIT_BAD_WORD;
}

/* Says that a thread could not be started, without which the screen lacks a part. */
static int check_threads(const struct script *script, FILE *err)
{
    int refused = app_refused(script->app);

    if (refused == 0)
        return EXIT_DONE;
    text_line(err, "aolag: cannot start a thread: %s", strerror(refused));
    return EXIT_FAILED;
}

/* Writes the screen as a picture. */
static int write_picture(struct script *script, const char *title,
                         const struct script_picture *picture, int *output_error, FILE *err)
{
    struct buffer svg = {0};
    char work[WORK_BYTES];
    struct error error = {0};
    enum status status = STATUS_OK;

    finish_screen(script, work);
    if (check_threads(script, err) != EXIT_DONE)
        return EXIT_FAILED;
    canvas_svg(script->canvas, picture->light, title, &svg);
    if (strcmp(picture->path, "-") != 0)
        status = file_write(picture->path, &svg, &error);
    else if (fwrite(svg.bytes, 1, svg.length, script->out) < svg.length || fflush(script->out) != 0)
        *output_error = errno;
    buffer_free(&svg);
    if (status == STATUS_OK && error.message[0] != '\0')
        text_line(err, "aolag: note: %s: %s", picture->path, error.message);
    if (status == STATUS_OK && work[0] != '\0')
        text_line(err, "aolag: note: %s: still computing: %s", picture->path, work);
    if (status == STATUS_OK)
        return EXIT_DONE;
    text_line(err, "aolag: %s", error.message);
    return EXIT_FAILED;
}

int script_run(const struct app_start *start, int rows, int columns, bool unicode, FILE *keys,
               const char *file, struct script_picture picture, FILE *out, int *output_error,
               FILE *err)
{
    struct canvas canvas = {0};
    struct script script = {.canvas = &canvas, .out = out, .err = err};
    char title[TEXT_MAX_LENGTH + 1];
    struct error error;
    int result;

    text_clean(start->scenario->general.title, true, title, sizeof title);
    if (app_new(&script.app, start, &error) != STATUS_OK) {
        text_line(err, "aolag: %s", error.message);
        return EXIT_FAILED;
    }
    app_limit_work(script.app, WORK_LOOKS);
    canvas_init(&canvas, rows, columns, unicode);
    app_hold_work(script.app, true);
    app_draw(script.app, &canvas);
    result = script_play(&script, keys, file, err);
    release_button(&script);
    if (result == EXIT_DONE && picture.path != NULL) {
        result = write_picture(&script, title, &picture, output_error, err);
    } else if (result == EXIT_DONE) {
        if (!script.printed)
            print_screen(&script);
        if (fflush(out) != 0) /* the screen comes before the message */
            *output_error = errno;
        result = check_threads(&script, err);
    }
    canvas_free(&canvas);
    app_free(script.app);
    return result;
}
