/* A script of keys on the explorer without a terminal. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "design/scenario_file.h"
#include "explore/part_values.h"
#include "tui/app.h"
#include "tui/script.h"

#define KEYS_MAX 16

/* The values of all presets are read once for all inputs. */

struct part_values *__real_part_values_new(struct catalogue *catalogue);
struct part_values *__wrap_part_values_new(struct catalogue *catalogue);
void __wrap_part_values_free(struct part_values *values);

struct part_values *__wrap_part_values_new(struct catalogue *catalogue)
{
    static struct part_values *kept;

    if (kept == NULL)
        kept = __real_part_values_new(catalogue);
    return kept;
}

void __wrap_part_values_free(struct part_values *values)
{
    (void)values;
}

/* So are the AO systems, which a list has with their figures. */

#define SYSTEMS_KEPT 64

enum status __real_scenario_read_preset(struct scenario *scenario, const struct preset *preset,
                                        struct catalogue *catalogue, struct error *error);
enum status __wrap_scenario_read_preset(struct scenario *scenario, const struct preset *preset,
                                        struct catalogue *catalogue, struct error *error);

enum status __wrap_scenario_read_preset(struct scenario *scenario, const struct preset *preset,
                                        struct catalogue *catalogue, struct error *error)
{
    static struct {
        const struct preset *preset;
        struct scenario scenario;
    } kept[SYSTEMS_KEPT];
    enum status status;
    int i = 0;

    while (i < SYSTEMS_KEPT && kept[i].preset != NULL && kept[i].preset != preset)
        i++;
    if (i < SYSTEMS_KEPT && kept[i].preset == preset) {
        scenario_copy(scenario, &kept[i].scenario);
        return STATUS_OK;
    }
    status = __real_scenario_read_preset(scenario, preset, catalogue, error);
    if (i < SYSTEMS_KEPT && status == STATUS_OK && catalogue == fuzz_catalogue()) {
        kept[i].preset = preset;
        kept[i].scenario = *scenario;
    }
    return status;
}

/* A small loop with two kinds of devices, in which a key takes little time. */
static const char loop[] = "[scenario]\nformat = 1\ntitle = loop\nframe_rate = 1 kHz\n"
                           "packets = 4\ntarget_latency = 300 us\n"
                           "[wfs.ngs]\nsubaps_across = 16\n"
                           "[device.rtc]\npreset = amd-ryzen-7950x\n"
                           "[device.gpu]\npreset = nvidia-a100-80gb-sxm\n"
                           "[component.camera]\ntype = camera\n"
                           "[component.slopes]\ntype = centroid\n"
                           "[component.recon]\ntype = reconstruction\ndevice = gpu\n"
                           "[component.control]\ntype = control\n"
                           "[component.dm]\ntype = dm\n";

static void open_app(struct app **app)
{
    static struct scenario scenario;
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    struct error error;
    struct app_start start = {.catalogue = fuzz_catalogue(), .scenario = &scenario};

    fuzz_check(scenario_parse(&scenario, &document, loop, sizeof loop - 1, fuzz_catalogue(),
                              &problems) == STATUS_OK,
               "%s", problems.count > 0 ? problems.list[0].message : "loop");
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

/* Appends the lines that are short work, up to KEYS_MAX keys. */
static void take_lines(struct buffer *lines, const char *bytes, size_t length)
{
    const char *end = bytes + length, *next;
    char line[256];

    for (int keys = 0; bytes < end && keys < KEYS_MAX; bytes = next) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        size_t bare = (size_t)((stop == NULL ? end : stop) - bytes);

        next = bytes + bare + 1;
        keys++;
        if (bare > 5 && memcmp(bytes, "text ", 5) == 0) {
            bare = bare - 5 > (size_t)(KEYS_MAX - keys) ? (size_t)(KEYS_MAX - keys) + 5 : bare;
            keys += (int)bare - 5;
        }
        snprintf(line, sizeof line, "%.*s", (int)bare, bytes);
        if (takes_long(line))
            continue;
        buffer_add(lines, bytes, bare);
        buffer_text(lines, "\n");
    }
}

void fuzz_keys(const char *bytes, size_t length)
{
    struct canvas canvas = {0};
    struct script script = {.canvas = &canvas, .out = fuzz_open_output()};
    struct buffer lines = {0};
    FILE *keys;

    take_lines(&lines, bytes, length);
    if (lines.length == 0)
        buffer_text(&lines, "\n");
    keys = fmemopen(lines.bytes, lines.length, "r");
    open_app(&script.app);
    fuzz_check(keys != NULL, "no memory");
    canvas_init(&canvas, 24, 80, true);
    app_draw(script.app, &canvas);
    /* a wrong line ends the script but not the target */
    while (script.next != APP_QUIT && !feof(keys))
        script_play(&script, keys, "keys", script.out);
    canvas_print(&canvas, script.out);
    fuzz_check_output();
    fclose(keys);
    buffer_free(&lines);
    canvas_free(&canvas);
    app_free(script.app);
}
