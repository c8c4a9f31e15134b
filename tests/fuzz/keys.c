/* A script of keys on the explorer without a terminal. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "design/scenario_file.h"
#include "explore/part_values.h"
#include "tui/app.h"
#include "tui/script.h"

#define KEYS_MAX 24

/* The values of all presets are read once for all inputs. */

enum status __real_part_values_new(struct part_values **values, struct catalogue *catalogue,
                                   struct error *error);
enum status __wrap_part_values_new(struct part_values **values, struct catalogue *catalogue,
                                   struct error *error);
void __wrap_part_values_free(struct part_values *values);

enum status __wrap_part_values_new(struct part_values **values, struct catalogue *catalogue,
                                   struct error *error)
{
    static struct part_values *kept;

    if (kept == NULL && __real_part_values_new(&kept, catalogue, error) != STATUS_OK)
        return STATUS_MEMORY;
    *values = kept;
    return STATUS_OK;
}

void __wrap_part_values_free(struct part_values *values)
{
    (void)values;
}

static void open_app(struct app **app)
{
    static struct scenario scenario;
    static const struct preset *preset;
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    struct error error;
    struct app_start start = {.catalogue = fuzz_catalogue(), .scenario = &scenario};

    if (preset == NULL)
        preset = catalogue_find(fuzz_catalogue(), "saxo", 1U << PRESET_AO, &error);
    fuzz_check(preset != NULL && scenario_parse(&scenario, &document, preset->text, preset->length,
                                                fuzz_catalogue(), &problems) == STATUS_OK,
               "saxo");
    start.document = document;
    fuzz_check(app_new(app, &start, &error) == STATUS_OK, "%s", error.message);
    app_hold_work(*app, true);
}

/* Waiting for background work takes long, and so do some commands of the : line. */
static bool takes_long(const char *line)
{
    static const char *const words[] = {"advise", "compare", "jitter", "plot",   "probe",
                                        "rank",   "seek",    "sweep",  "screen", "validate"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(line, words[i]) != NULL)
            return true;
    return strcmp(line, "wait") == 0;
}

void fuzz_keys(const char *bytes, size_t length)
{
    char *text = fuzz_text(bytes, length);
    struct canvas canvas = {0};
    struct script script = {.canvas = &canvas, .out = fuzz_open_output()};
    struct error error;
    int keys = 0;

    open_app(&script.app);
    fuzz_check(canvas_init(&canvas, 24, 80, true), "no memory");
    app_draw(script.app, &canvas);
    for (char *line = strtok(text, "\n");
         line != NULL && keys < KEYS_MAX && script.next != APP_QUIT; line = strtok(NULL, "\n")) {
        keys += strncmp(line, "text ", 5) == 0 ? (int)strlen(line) : 1;
        if (!takes_long(line) && script_run_line(&script, line, &error) != STATUS_OK)
            fuzz_check_message(error.message);
    }
    canvas_print(&canvas, script.out);
    fuzz_check_output();
    canvas_free(&canvas);
    app_free(script.app);
    free(text);
}
