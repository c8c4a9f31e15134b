/* The catalogue: embedded presets, the user's own, and devices that start from them. */
#include "design/preset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/embedded.h"
#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "files.h"
#include "sample.h"

#define ALL (PRESET_DEVICES | PRESET_DESIGNS)

static struct scenario scenario;

TEST(every_preset_is_good)
{
    struct catalogue *catalogue = files_catalogue();
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    const struct device *device;
    struct error error = {STATUS_OK, ""};

    CHECK_INT(catalogue_count(catalogue), preset_files_count);
    for (int i = 0; i < catalogue_count(catalogue); i++) {
        const struct preset *preset = catalogue_at(catalogue, i);
        char *shown;

        CHECK(preset->path == NULL && preset->text[preset->length] == '\0');
        CHECK_TRUE(strcmp(catalogue_title(catalogue, i), preset->name) != 0, "%s has no title",
                   preset->name);
        if (preset_is_device(preset)) {
            CHECK_TRUE(catalogue_device(catalogue, preset->name, &device, &error) == STATUS_OK,
                       "%s: %s", preset->name, error.message);
            continue;
        }
        scenario_parse(&scenario, &document, preset->text, preset->length, catalogue, &problems);
        shown = files_problems(&problems);
        CHECK_TRUE(shown[0] == '\0', "%s:\n%s", preset->name, shown);
        CHECK_STR(catalogue_title(catalogue, i), scenario.general.title);
        CHECK_TRUE(catalogue_frame_rate(catalogue, i) == scenario.general.frame_rate,
                   "%s has another frame rate", preset->name);
        free(shown);
    }
    problems_free(&problems);
    document_free(document);
}

TEST(sorted_by_kind_and_name)
{
    const struct catalogue *catalogue = files_catalogue();

    for (int i = 1; i < catalogue_count(catalogue); i++) {
        const struct preset *a = catalogue_at(catalogue, i - 1);
        const struct preset *b = catalogue_at(catalogue, i);

        CHECK_TRUE(a->kind < b->kind || (a->kind == b->kind && strcmp(a->name, b->name) < 0),
                   "%s stands before %s", a->name, b->name);
    }
    CHECK_STR(preset_kind_name(PRESET_CPU), "cpu");
    CHECK_STR(preset_kind_name(PRESET_GPU), "gpu");
    CHECK_STR(preset_kind_name(PRESET_AO), "ao");
    CHECK_STR(preset_kind_name(PRESET_PIPELINE), "pipelines");
}

TEST(found_by_name)
{
    const struct catalogue *catalogue = files_catalogue();
    const struct device *device = NULL;
    struct error error;

    CHECK(catalogue_find(catalogue, "saxo", ALL, &error) != NULL);
    CHECK(catalogue_find(catalogue, "saxo", PRESET_DEVICES, &error) == NULL);
    CHECK_STR(error.message, "saxo is a preset of kind ao, not cpu, gpu or fpga");
    CHECK(catalogue_find(catalogue, "saxo-minus", 1U << PRESET_AO, &error) == NULL);
    CHECK_STR(error.message, "there is no ao preset \"saxo-minus\"; did you mean saxo? Own ones are in $XDG_CONFIG_HOME/aolag/presets");
    CHECK_INT(catalogue_device(files_catalogue(), "amd-epyc-7703", &device, &error),
              STATUS_INVALID);
    CHECK(strstr(error.message, "did you mean amd-epyc-7702?") != NULL);
    CHECK(device == NULL);
    CHECK_INT(catalogue_device(files_catalogue(), "saxo", &device, &error), STATUS_INVALID);
}

/* Choosing a preset clears the device's own keys, but not what is no property of the part. */
TEST(chosen)
{
    struct catalogue *catalogue = files_catalogue();
    const struct device *first;
    struct knob_ref ref;
    struct error error;

    scenario_init(&scenario);
    CHECK_INT(scenario_insert(&scenario, SECTION_DEVICE, 0, "rtc", &error), STATUS_OK);
    CHECK_INT(scenario_insert(&scenario, SECTION_DEVICE, 1, "gpu0", &error), STATUS_OK);
    CHECK_INT(scenario_set_preset(&scenario, 1, catalogue, "nvidia-a100-80gb-sxm", &error),
              STATUS_OK);
    CHECK_INT(scenario.device[1].kind, DEVICE_GPU);
    CHECK_NEAR(scenario.device[1].bus_bits, 5120, 0);
    CHECK_INT(knob_find(&scenario, "device.gpu0.bus_bits", &ref, &error), STATUS_OK);
    CHECK_INT(knob_set_text(&scenario, ref, "2560", &error), STATUS_OK);
    CHECK_INT(knob_find(&scenario, "device.gpu0.host", &ref, &error), STATUS_OK);
    CHECK_INT(knob_set_text(&scenario, ref, "rtc", &error), STATUS_OK);
    sample_set(&scenario, "device.gpu0.count", "4");
    sample_set(&scenario, "device.gpu0.nic", "40 Gb/s");
    first = scenario.device[1].base;
    CHECK_INT(scenario_set_preset(&scenario, 1, catalogue, "nvidia-h100-sxm", &error), STATUS_OK);
    CHECK_STR(scenario.device[1].preset, "nvidia-h100-sxm");
    CHECK_STR(scenario.device[1].model, scenario.device[1].base->model);
    CHECK_NEAR(scenario.device[1].bus_bits, scenario.device[1].base->bus_bits, 0);
    CHECK_INT(scenario.device[1].host, 0);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_SET);
    CHECK_NEAR(scenario.device[1].count, 4, 0);
    CHECK_NEAR(scenario.device[1].nic, 40e9, 0);
    CHECK_INT(scenario_set_preset(&scenario, 1, catalogue, "no-such", &error), STATUS_INVALID);
    CHECK_STR(scenario.device[1].preset, "nvidia-h100-sxm");
    CHECK_INT(scenario_set_preset(&scenario, 1, catalogue, "amd-epyc-7702", &error), STATUS_OK);
    CHECK_INT(scenario.device[1].kind, DEVICE_CPU);
    CHECK_INT(scenario.device[1].host, REFERENCE_AUTO);
    CHECK_INT(scenario_set_preset(&scenario, 1, catalogue, "", &error), STATUS_OK);
    CHECK(scenario.device[1].base == NULL && scenario.device[1].preset[0] == '\0');
    CHECK_STR(scenario.device[1].model, "");
    CHECK_NEAR(scenario.device[1].cores, 16, 0);
    /* the same preset is the same device, however often it is asked for */
    CHECK_INT(scenario_set_preset(&scenario, 1, catalogue, "nvidia-a100-80gb-sxm", &error),
              STATUS_OK);
    CHECK(scenario.device[1].base == first);
}

#define SPINS "[device]\nkind = cpu\ndispatch = spin\nlaunch = 0.3 us\nboundary = 0.5 us\n"

/* What a preset says of the start of work is of one way to start it. */
TEST(another_way_to_start_work)
{
    struct problems problems = {NULL, 0, 0};
    struct device base;
    struct knob_ref dispatch;
    struct error error;

    CHECK_INT(preset_read_device(&base, SPINS, strlen(SPINS), &problems), STATUS_OK);
    scenario_init(&scenario);
    CHECK_INT(scenario_insert(&scenario, SECTION_DEVICE, 0, "rtc", &error), STATUS_OK);
    scenario_put_preset(&scenario, 0, "here", &base);
    CHECK_NEAR(scenario.device[0].launch, 0.3e-6, 1e-12);
    sample_set(&scenario, "device.rtc.dispatch", "wake");
    CHECK_NEAR(scenario.device[0].launch, TIME_AUTO, 0);
    CHECK_NEAR(scenario.device[0].boundary, 0.5e-6, 1e-12);
    CHECK_INT(knob_find(&scenario, "device.rtc.dispatch", &dispatch, &error), STATUS_OK);
    knob_reset(&scenario, dispatch);
    CHECK_INT(scenario.device[0].dispatch, DISPATCH_SPIN);
    CHECK_NEAR(scenario.device[0].launch, 0.3e-6, 1e-12);
    sample_set(&scenario, "device.rtc.launch", "4 us");
    sample_set(&scenario, "device.rtc.dispatch", "process");
    CHECK_NEAR(scenario.device[0].launch, 4e-6, 1e-12);
    problems_free(&problems);
}

#define ALL_WAYS                                                                                   \
    SPINS "origin.launch = measured\nwake.launch = 35 us\norigin.wake.launch = measured\n"         \
          "process.launch = 0.4 us\nprocess.handover = 6 us\norigin.process.handover = fitted\n"

static void check_start(const char *dispatch, double launch, double handover, enum origin origin)
{
    const struct device *device = &scenario.device[0];

    sample_set(&scenario, "device.rtc.dispatch", dispatch);
    CHECK_NEAR(device->launch, launch, 1e-12);
    CHECK_NEAR(device->handover, handover, 1e-12);
    CHECK_INT(knob_origin(&scenario, knob_ref_to(KNOB_DEVICE_LAUNCH, 0)), origin);
}

/* It may have those of the others, too. */
TEST(every_way_to_start_work)
{
    struct problems problems = {NULL, 0, 0};
    struct device base;
    struct error error;

    CHECK_INT(preset_read_device(&base, ALL_WAYS, strlen(ALL_WAYS), &problems), STATUS_OK);
    scenario_init(&scenario);
    CHECK_INT(scenario_insert(&scenario, SECTION_DEVICE, 0, "rtc", &error), STATUS_OK);
    scenario_put_preset(&scenario, 0, "here", &base);
    check_start("wake", 35e-6, TIME_AUTO, ORIGIN_MEASURED);
    check_start("process", 0.4e-6, 6e-6, ORIGIN_STATED);
    CHECK_INT(knob_origin(&scenario, knob_ref_to(KNOB_DEVICE_HANDOVER, 0)), ORIGIN_FITTED);
    check_start("spin", 0.3e-6, TIME_AUTO, ORIGIN_MEASURED);
    CHECK_NEAR(scenario.device[0].boundary, 0.5e-6, 1e-12);
    sample_set(&scenario, "device.rtc.dispatch", "wake");
    sample_set(&scenario, "device.rtc.launch", "auto");
    CHECK_NEAR(scenario.device[0].launch, TIME_AUTO, 0);
    knob_reset(&scenario, knob_ref_to(KNOB_DEVICE_LAUNCH, 0));
    CHECK_NEAR(scenario.device[0].launch, 35e-6, 1e-12);
    problems_free(&problems);
}

static void check_refused(const char *text, const char *message)
{
    struct problems problems = {NULL, 0, 0};
    struct device base;
    struct error error;

    CHECK_INT(preset_read_device(&base, text, strlen(text), &problems), STATUS_INVALID);
    problems_summary(&problems, "here.ini", &error);
    CHECK_STR(error.message, message);
    problems_free(&problems);
}

TEST(a_way_to_start_work_that_is_none)
{
    check_refused(SPINS "spin.launch = 1 us\n",
                  "here.ini:6: spin.launch = 1 us: state launch for the device's own dispatch");
    check_refused(SPINS "wake.launch = 2000 us\n",
                  "here.ini:6: wake.launch = 2000 us: 2000 us is out of range; allowed: 0 to 1000 "
                  "us");
    check_refused(SPINS "wake.launch = 2 us\norigin.wake.launch = mesured\n",
                  "here.ini:7: origin.wake.launch = mesured: \"mesured\" is not allowed; did you mean "
                  "measured? Allowed: stated, assumed, measured, fitted");
    check_refused(SPINS "origin.wake.launch = measured\n",
                  "here.ini:6: origin.wake.launch = measured: unknown key \"wake.launch\" of a cpu; "
                  "aolag-scenario(5) lists them");
    check_refused(SPINS "wake.boundary = 2 us\n",
                  "here.ini:6: unknown key \"wake.boundary\"; did you mean boundary?");
    check_refused(SPINS "graph.launch = 2 us\n",
                  "here.ini:6: unknown key \"graph.launch\" of a cpu; aolag-scenario(5) lists them");
}

/* A preset is of its kind; the device cannot be told otherwise. */
TEST(kind_is_the_preset_s)
{
    struct knob_ref ref;
    struct error error;

    scenario_init(&scenario);
    CHECK_INT(scenario_insert(&scenario, SECTION_DEVICE, 0, "rtc", &error), STATUS_OK);
    CHECK_INT(scenario_set_preset(&scenario, 0, files_catalogue(), "amd-epyc-7702", &error),
              STATUS_OK);
    CHECK_INT(knob_find(&scenario, "device.rtc.kind", &ref, &error), STATUS_OK);
    CHECK_INT(knob_set_text(&scenario, ref, "cpu", &error), STATUS_OK);
    CHECK_INT(knob_set_text(&scenario, ref, "gpu", &error), STATUS_INVALID);
    CHECK_STR(error.message, "preset amd-epyc-7702 is a cpu; choose another preset first");
    CHECK_INT(knob_set_number(&scenario, ref, DEVICE_GPU, &error), STATUS_INVALID);
    CHECK_INT(scenario.device[0].kind, DEVICE_CPU);
}

/* The user's own ------------------------------------------------------------------------------- */

#define USER "aolag/presets/"
#define MY_GPU "[device]\nmodel = Mine\nkind = gpu\nunits = 100\n"

static void write_text(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

static void make_user_presets(void)
{
    static const char *const folders[] = {"aolag", "aolag/presets", "aolag/presets/cpu",
                                          "aolag/presets/gpu", "aolag/presets/ao"};

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        mkdir(files_path(folders[i]), 0700);
    write_text(USER "my_gpu.ini", MY_GPU);
    write_text(USER "saxo.ini", "[scenario]\nformat = 1\ntitle = My SAXO\n");
    write_text(USER "gpu/nvidia-h100-sxm.ini", MY_GPU "; another H100\n");
    write_text(USER "gpu/my_gpu.ini", "[device]\nkind = gpu\nunits = 2\n");
    write_text(USER "cpu/broken.ini", "[device]\nkind = cpu\ncores = x\nmodel = \"\n");
    write_text(USER "cpu/misplaced.ini", MY_GPU);
    write_text(USER "based.ini", "[device]\npreset = my_gpu\nhost = rtc\nunits = 5\n\n[ao]\n");
    write_text(USER "ao/nothing.ini", "");
    write_text(USER "bad name.ini", MY_GPU);
    write_text(USER ".hidden.ini", MY_GPU);
    write_text(USER "notes.txt", "no preset");
    mkdir(files_path(USER "ao/folder.ini"), 0700);
}

static void check_broken(struct catalogue *catalogue, const char *name, const char *expected)
{
    const struct device *device = NULL;
    struct error error = {STATUS_OK, ""};
    const char *message;

    CHECK_TRUE(catalogue_device(catalogue, name, &device, &error) != STATUS_OK, "%s is good", name);
    message = strstr(error.message, USER);
    CHECK_STR(message == NULL ? error.message : message, expected);
}

TEST(the_user_s_presets)
{
    struct catalogue *catalogue;
    const struct preset *preset;
    const struct device *device;
    struct error error;

    make_user_presets();
    if (!CHECK_INT(catalogue_open(&catalogue, &error), STATUS_OK))
        return;
    CHECK_INT(catalogue_count(catalogue), preset_files_count + 7);
    if (CHECK_INT(catalogue_device(catalogue, "my_gpu", &device, &error), STATUS_OK))
        CHECK_NEAR(device->units, 100, 0);
    if (CHECK_INT(catalogue_device(catalogue, "nvidia-h100-sxm", &device, &error), STATUS_OK))
        CHECK_STR(device->model, "Mine");
    preset = catalogue_find(catalogue, "saxo", ALL, &error);
    CHECK(preset != NULL && preset->path != NULL && strstr(preset->text, "My SAXO") != NULL);
    check_broken(catalogue, "bad name",
                 USER "bad name.ini: the name of a preset has at most 63 letters, digits and "
                      "- _ + . and begins with none of - .");
    check_broken(catalogue, "broken",
                 USER "cpu/broken.ini:3: cores = x: x is not a number; allowed: 1 to 1024 (and 1 "
                      "more problem)");
    check_broken(catalogue, "misplaced",
                 USER "cpu/misplaced.ini: kind = gpu, but the file is among the cpu presets");
    check_broken(catalogue, "based",
                 USER "based.ini:1: [device]: kind is missing; allowed: cpu, gpu, fpga (and 3 more "
                      "problems)");
    CHECK(catalogue_find(catalogue, "folder", ALL, &error) == NULL);
    CHECK(strstr(error.message, "ao/folder.ini: is a directory, not a regular file") != NULL);
    CHECK(catalogue_find(catalogue, "bad name", ALL, &error) == NULL);
    catalogue_close(catalogue);
}

TEST(a_broken_preset_in_a_scenario)
{
    static const char text[] = "[scenario]\nformat = 1\n[device.a]\npreset = broken\ncores = 4\n";
    struct catalogue *catalogue;
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    struct error error;

    make_user_presets();
    if (!CHECK_INT(catalogue_open(&catalogue, &error), STATUS_OK))
        return;
    CHECK_INT(scenario_parse(&scenario, &document, text, strlen(text), catalogue, &problems),
              STATUS_INVALID);
    CHECK_INT(problems.count, 1);
    CHECK_INT(problems.list[0].line, 4);
    CHECK(strncmp(problems.list[0].message, "preset = broken: /", 18) == 0);
    CHECK(strstr(problems.list[0].message, "broken.ini:3: cores = x") != NULL);
    problems_free(&problems);
    catalogue_close(catalogue);
}

/* Presets that cannot be listed are not taken for presets that do not exist. */
TEST(without_descriptors)
{
    struct rlimit limit, none;
    struct catalogue *catalogue = NULL;
    struct error error;
    enum status status;

    make_user_presets();
    getrlimit(RLIMIT_NOFILE, &limit);
    none = limit;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
    status = catalogue_open(&catalogue, &error);
    setrlimit(RLIMIT_NOFILE, &limit);
    CHECK_INT(status, STATUS_IO);
    CHECK_TRUE(strstr(error.message, "presets: Too many open files") != NULL, "%s", error.message);
    CHECK(catalogue == NULL);
}

TEST(without_a_home)
{
    char *config = strdup(getenv("XDG_CONFIG_HOME"));
    const char *home = getenv("HOME");
    char *kept = home == NULL ? NULL : strdup(home);
    struct catalogue *catalogue;

    setenv("XDG_CONFIG_HOME", "relative/path", 1);
    unsetenv("HOME");
    if (CHECK_INT(catalogue_open(&catalogue, NULL), STATUS_OK)) {
        CHECK_INT(catalogue_count(catalogue), preset_files_count);
        catalogue_close(catalogue);
    }
    setenv("XDG_CONFIG_HOME", config, 1);
    if (kept != NULL)
        setenv("HOME", kept, 1);
    free(config);
    free(kept);
}

SUITE(files_open, files_close)
