/* --set PATH=VALUE. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/assign.h"
#include "design/scenario_file.h"
#include "files.h"
#include "rows.h"

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

/* An alias of two keys sets both; the one that follows wins. */
TEST(an_alias_of_two)
{
    struct error error = {STATUS_OK, ""};

    start();
    CHECK_TRUE(assign("device.gpu0.driver=7 us", "device.gpu0.egress_latency=3 us", &error) ==
                   STATUS_OK,
               "%s", error.message);
    CHECK_NEAR(scenario.device[0].ingress_latency, 7e-6, 1e-15);
    CHECK_NEAR(scenario.device[0].egress_latency, 3e-6, 1e-15);
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

static void check_refused(const struct row *row)
{
    struct scenario *before = malloc(sizeof *before);
    struct error error = {STATUS_OK, ""};

    start();
    if (!CHECK(before != NULL))
        return;
    *before = scenario;
    CHECK_INT(assign("ao.modes=77", row->field[0], &error), STATUS_INVALID);
    ROW_STR(row, error.message, row->field[1]);
    ROW_TRUE(row, memcmp(before, &scenario, sizeof scenario) == 0, "something changed");
    free(before);
}

TEST(refused)
{
    rows_each("assign.txt", "refused", 2, check_refused);
}

SUITE(files_open, files_close)
