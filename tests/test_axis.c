/* The values of a knob that explorations go through. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/knob_text.h"
#include "explore/axis.h"
#include "files.h"
#include "sample.h"

static struct scenario scenario;

static bool parse(const char *text, struct axis *axis)
{
    struct error error = {STATUS_OK, ""};

    return CHECK_TRUE(axis_parse(axis, &scenario, files_catalogue(), text, &error) == STATUS_OK,
                      "%s: %s", text, error.message);
}

/* The cells of all values, separated by blanks. */
static void cells(const char *text, const char *expected)
{
    struct axis axis;
    char all[4096] = "";
    char cell[1024];

    if (parse(text, &axis)) {
        for (int i = 0; i < axis.count; i++) {
            axis_text(&axis, i, cell, sizeof cell);
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? " " : "", cell);
        }
        if (!CHECK_STR(all, expected))
            fprintf(stderr, "of %s\n", text);
    }
    axis_free(&axis);
}

static void refused(const char *text, const char *sentence)
{
    struct error error = {STATUS_OK, ""};
    struct axis axis;

    CHECK_TRUE(axis_parse(&axis, &scenario, files_catalogue(), text, &error) == STATUS_INVALID,
               "%s is accepted", text);
    CHECK_STR(error.message, sentence);
    axis_free(&axis);
}

static void design(void)
{
    sample_chain(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
}

TEST(linear)
{
    design();
    cells("device.rtc.clock=1 GHz:3 GHz:5", "1 1.5 2 2.5 3");
    cells("device.rtc.clock=1000 MHz:3:2", "1 3");
    cells(" device.rtc.clock = 3 : 1 : 3 ", "3 2 1");
    cells("device.rtc.clock=2:2:1", "2");
    cells("device.rtc.clock=2:2:7", "2");
    cells("atmosphere.wind=0:1:11", "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
    cells("atmosphere.wind=1:2:4", "1 1.33333333333 1.66666666667 2");
}

TEST(logarithmic)
{
    design();
    cells("scenario.frame_rate=10:1000:5:log", "10 31.6227766017 100 316.227766017 1000");
    cells("scenario.frame_rate=1 kHz:0.1 kHz:3:log", "1000 316.227766017 100");
}

TEST(whole)
{
    design();
    cells("scenario.packets=1:10:4", "1 4 7 10");
    cells("scenario.packets=1:4:10", "1 2 3 4");
    cells("scenario.packets=1:4096:13:log", "1 2 4 8 16 32 64 128 256 512 1024 2048 4096");
    cells("scenario.packets=1:3:200:log", "1 2 3");
    cells("device.rtc.simd_bits=64:1024:30", "64 128 256 512 1024");
    cells("device.rtc.simd_bits=64:4096:7:log", "64 128 256 512 1024 2048 4096");
    cells("device.rtc.simd_bits=100:1000:3", "100 512 1000");
}

TEST(lists)
{
    design();
    cells("device.rtc.clock=3 GHz, 1500 MHz,2", "3 1.5 2");
    cells("device.rtc.clock=2", "2");
    cells("component.slopes.workers=auto,4,0", "auto 4 auto");
    cells("scenario.sharing=fluid,partition", "fluid partition");
    cells("scenario.sharing=all", "partition exclusive fluid");
    cells("scenario.sharing=*", "partition exclusive fluid");
    cells("component.recon.device=*", "rtc gpu0");
    cells("component.recon.device=gpu0,rtc gpu0,auto", "gpu0 rtc gpu0 auto");
    cells("component.slopes.algorithm=cog,weighted", "cog weighted");
    cells("component.dm.after=control,control recon,none", "control control recon none");
    cells("device.gpu0.preset=nvidia-a100-80gb-sxm,nvidia-h100-sxm",
          "nvidia-a100-80gb-sxm nvidia-h100-sxm");
}

TEST(all_presets)
{
    struct axis axis;
    int gpus = 0;

    design();
    for (int i = 0; i < catalogue_count(files_catalogue()); i++)
        gpus += catalogue_at(files_catalogue(), i)->kind == PRESET_GPU;
    if (parse("device.gpu0.preset=all", &axis)) {
        CHECK_INT(axis.count, gpus);
        for (int i = 0; i < axis.count; i++) {
            struct error error = {STATUS_OK, ""};
            static struct scenario expected;

            scenario_copy(&expected, &scenario);
            CHECK_INT(scenario_set_preset(&expected, 1, files_catalogue(), axis.word[i], &error),
                      STATUS_OK);
            CHECK_INT(axis_apply(&axis, i, &scenario, &error), STATUS_OK);
            CHECK_INT(memcmp(&scenario.device[1], &expected.device[1], sizeof(struct device)), 0);
        }
    }
    axis_free(&axis);
}

TEST(errors)
{
    design();
    refused("device.rtc.cores", "\"device.rtc.cores\" has no values; state them after =, as in "
                                "device.rtc.cores=1:64:8");
    refused("device.rtc.coers=1:8:2",
            "device.rtc.coers: unknown key \"coers\"; did you mean cores?");
    refused("devise.rtc.cores=1:8:2",
            "devise.rtc.cores: unknown section \"devise\"; did you mean device?");
    refused("device.rtc.cores=", "device.rtc.cores: the values are missing; allowed: FROM:TO:N or "
                                 "FROM:TO:N:log, of 1 to 1024");
    refused("device.rtc.cores=1:8", "device.rtc.cores: a range is FROM:TO:N or FROM:TO:N:log, as "
                                    "in 1:64:8");
    refused("device.rtc.cores=1:8:3:lin", "device.rtc.cores: a range is FROM:TO:N or "
                                          "FROM:TO:N:log, as in 1:64:8");
    refused("device.rtc.cores=1:8:3:log:5", "device.rtc.cores: a range is FROM:TO:N or "
                                            "FROM:TO:N:log, as in 1:64:8");
    refused("device.rtc.cores=1:8:2.5", "device.rtc.cores: \"2.5\" is not a whole number of points "
                                        "from 1 to 1000000");
    refused("device.rtc.cores=1:8:0", "device.rtc.cores: \"0\" is not a whole number of points "
                                      "from 1 to 1000000");
    refused("device.rtc.cores=1:8:1", "device.rtc.cores: 1 point cannot be both ends of a range");
    refused("device.rtc.cores=0:8:4", "device.rtc.cores: 0 is out of range; allowed: 1 to 1024");
    refused("device.rtc.cores=1:8000:4",
            "device.rtc.cores: 8000 is out of range; allowed: 1 to 1024");
    refused("device.rtc.cores=1,,2", "device.rtc.cores: a value is missing beside a comma");
    refused("device.rtc.cores=all", "device.rtc.cores: \"all\" is for choices; give FROM:TO:N or "
                                    "FROM:TO:N:log, of 1 to 1024");
    refused("atmosphere.wind=0:8:4:log",
            "atmosphere.wind: a logarithmic range is between numbers above 0");
    refused("component.slopes.workers=0:8:4",
            "component.slopes.workers: 0 stands for auto, which cannot be the end of a range");
    refused("scenario.sharing=fluid,partitoin",
            "scenario.sharing: \"partitoin\" is not allowed; did you mean partition? Allowed: "
            "partition, exclusive, fluid");
    refused("scenario.title=a,b", "scenario.title: a knob that holds text cannot be varied");
    refused("component.dm.after=all",
            "component.dm.after: \"all\" is for choices; allowed: names of components, separated "
            "by commas, or none");
}

/* A range's number is exactly that of the same digits as text. */
TEST(as_written)
{
    static const char *const texts[] = {"device.rtc.clock=0.7:4.1:23", "atmosphere.r0=3:97:41",
                                        "atmosphere.wavelength=301:29999:37:log",
                                        "device.rtc.launch=0.3:9.1:17:log"};
    struct axis axis;
    char cell[1024];

    design();
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        if (!parse(texts[t], &axis))
            return;
        for (int i = 0; i < axis.count; i++) {
            struct error error = {STATUS_OK, ""};
            char path[96];
            double applied;

            CHECK_INT(axis_apply(&axis, i, &scenario, &error), STATUS_OK);
            applied = knob_number(&scenario, axis.ref);
            axis_text(&axis, i, cell, sizeof cell);
            knob_path(&scenario, axis.ref, path, sizeof path);
            sample_set(&scenario, path, cell);
            CHECK_NEAR(applied, knob_number(&scenario, axis.ref), 0);
        }
        axis_free(&axis);
    }
}

/* Every knob of a design has one, or says that it has none; all values can be set. */
TEST(defaults)
{
    struct knob_ref ref;
    struct error error;

    design();
    for (int k = 0; k < KNOB_COUNT; k++) {
        int index = knobs[k].section == SECTION_DEVICE && !knob_has_kind(&knobs[k], DEVICE_CPU);
        enum knob_type type = knobs[k].type;
        bool none = type == KNOB_TEXT || type == KNOB_COMPONENTS || type == KNOB_TRACE;
        struct axis axis = {.count = 0};

        ref = (struct knob_ref){knobs[k].section, index, &knobs[k]};
        if (!knob_applies(&scenario, ref.section, index, ref.knob))
            continue;
        error.message[0] = '\0';
        CHECK_TRUE((axis_default(&axis, &scenario, files_catalogue(), ref, 20, &error) ==
                    STATUS_OK) == !none,
                   "%s: %s", knobs[k].key, error.message);
        CHECK_TRUE(axis.count <= 20 || axis.number == NULL, "%s: %d values", knobs[k].key,
                   axis.count);
        CHECK_TRUE(none || axis.count > 0, "%s has no value", knobs[k].key);
        for (int i = 0; i < axis.count && axis.number != NULL; i++)
            CHECK_TRUE(knob_set_number(&scenario, ref, axis.number[i], &error) == STATUS_OK,
                       "%s: %s", knobs[k].key, error.message);
        axis_free(&axis);
    }
}

SUITE(files_open, files_close)
