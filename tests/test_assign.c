/* --set PATH=VALUE. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/assign.h"
#include "design/scenario_file.h"
#include "files.h"

static struct scenario scenario;

static void start(void)
{
    struct document *document = NULL;

    files_parse("[scenario]\nformat = 1\n[device.gpu0]\npreset = nvidia-a100-80gb-sxm\n"
                "[component.recon]\ntype = reconstruction\n",
                &scenario, &document);
    document_free(document);
}

static enum status assign(const char *first, const char *second, struct error *error)
{
    const char *const list[] = {first, second};

    return scenario_assign(&scenario, files_catalogue(), NULL,
                           &(struct assignments){list, second == NULL ? 1 : 2}, error);
}

TEST(assigns)
{
    struct error error = {STATUS_OK, ""};

    start();
    CHECK_TRUE(assign("device.gpu0.bus_bits=2560", "ao.modes = 100", &error) == STATUS_OK, "%s",
               error.message);
    CHECK_NEAR(scenario.device[0].bus_bits, 2560, 0);
    CHECK_NEAR(scenario.ao.modes, 100, 0);
    CHECK_INT(assign(" scenario.frame_rate\t= 2 kHz ", NULL, &error), STATUS_OK);
    CHECK_NEAR(scenario.general.frame_rate, 2000, 0);
    CHECK_INT(assign("scenario.title=a = b; c", NULL, &error), STATUS_OK);
    CHECK_STR(scenario.general.title, "a = b; c");
    CHECK_INT(assign("scenario.title=\" quoted \"", NULL, &error), STATUS_OK);
    CHECK_STR(scenario.general.title, " quoted ");
    CHECK_INT(assign("scenario.title=", NULL, &error), STATUS_OK);
    CHECK_STR(scenario.general.title, "");
    CHECK_INT(
        scenario_assign(&scenario, files_catalogue(), NULL, &(struct assignments){NULL, 0}, &error),
        STATUS_OK);
}

/* Presets, then types, in whatever order they are given; the rest in order. */
TEST(presets_first)
{
    struct error error = {STATUS_OK, ""};

    start();
    CHECK_TRUE(assign("device.gpu0.cores=8", "device.gpu0.preset=amd-epyc-7702", &error) ==
                   STATUS_OK,
               "%s", error.message);
    CHECK_INT(scenario.device[0].kind, DEVICE_CPU);
    CHECK_NEAR(scenario.device[0].cores, 8, 0);
    CHECK_INT(assign("ao.modes=1", "ao.modes=2", &error), STATUS_OK);
    CHECK_NEAR(scenario.ao.modes, 2, 0);
    CHECK_INT(assign("component.recon.type=dm", "component.recon.settle=5", &error), STATUS_OK);
    CHECK_NEAR(scenario.component[0].settle, 5e-6, 0);
    CHECK_TRUE(assign("component.recon.bytes=7", "component.recon.type=transfer", &error) ==
                   STATUS_OK,
               "%s", error.message);
    CHECK_NEAR(scenario.component[0].bytes, 7, 0);
    CHECK_INT(assign("component.recon.settle=6", "component.recon.type=dm", &error), STATUS_OK);
    CHECK_NEAR(scenario.component[0].settle, 6e-6, 0);
    CHECK_INT(assign("device.gpu0.preset=", NULL, &error), STATUS_OK);
    CHECK(scenario.device[0].base == NULL);
}

static void check_refused(const char *assignment, const char *expected)
{
    struct scenario *before = malloc(sizeof *before);
    struct error error = {STATUS_OK, ""};

    start();
    if (!CHECK(before != NULL))
        return;
    *before = scenario;
    CHECK_INT(assign("ao.modes=77", assignment, &error), STATUS_INVALID);
    CHECK_STR(error.message, expected);
    CHECK_TRUE(memcmp(before, &scenario, sizeof scenario) == 0, "%s changed something", assignment);
    free(before);
}

TEST(refused)
{
    check_refused("device.gpu0.clock=3 GB/s",
                  "device.gpu0.clock=3 GB/s: GB/s is a unit of another kind, this value is in MHz");
    check_refused("ao.modes", "ao.modes: an assignment is PATH=VALUE, as in device.rtc.cores=64");
    check_refused("", ": an assignment is PATH=VALUE, as in device.rtc.cores=64");
    check_refused("=5", "=5: a path is missing before the =, as in device.rtc.cores=64");
    check_refused("ao.modes=", "ao.modes=: the value is missing; allowed: 0 to 200000");
    check_refused("ao.mods=5", "ao.mods=5: unknown key \"mods\"; did you mean modes?");
    check_refused("oa.modes=5", "oa.modes=5: unknown section \"oa\"; did you mean ao?");
    check_refused("device.gpu1.units=5",
                  "device.gpu1.units=5: there is no device.gpu1; did you mean gpu0?");
    check_refused("device.gpu0.cores=5", "device.gpu0.cores=5: \"cores\" does not belong to a gpu");
    check_refused("device.gpu0.kind=cpu", "device.gpu0.kind=cpu: preset nvidia-a100-80gb-sxm is a "
                                          "gpu; choose another preset first");
    check_refused("device.gpu0.preset=nvidia-h100-sx",
                  "device.gpu0.preset=nvidia-h100-sx: there is no cpu or gpu preset "
                  "\"nvidia-h100-sx\"; did you mean nvidia-h100-sxm?");
    check_refused("scenario.format=2", "scenario.format=2: 2 is out of range; allowed: 1 to 1");
    check_refused("scenario.title=a\x1B[m",
                  "scenario.title=a\x1B[m: text cannot hold control characters");
}

SUITE(files_open, files_close)
