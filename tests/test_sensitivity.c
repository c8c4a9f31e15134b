/* What the latency depends on most, and what the sweep view makes of it. */
#include <math.h>

#include "app_fixture.h"
#include "check.h"
#include "explore/advise.h"
#include "explore/sensitivity.h"
#include "tui/view.h"

enum { MOST = 12 };

static bool has_knob(const struct sensitivity *list, int count, enum knob_id id)
{
    for (int i = 0; i < count; i++)
        if (knob_is(list[i].ref.knob, id))
            return true;
    return false;
}

/* A design bound by memory depends on what the bandwidth is the product of, alike. */
TEST(memory_counts_most)
{
    struct fixture f;
    struct sensitivity list[MOST];
    int count = 0;

    if (!fixture_open(&f, "micado-scao", 36, 120))
        return;
    CHECK(sensitivity_list(&f.app->host.design.scenario, STEPS_HARDWARE, NULL, list, MOST, &count,
                           NULL) == STATUS_OK);
    if (CHECK(count > 3)) {
        CHECK(has_knob(list, 4, KNOB_DEVICE_BUS_BITS));
        CHECK(has_knob(list, 4, KNOB_DEVICE_MEMORY_CLOCK));
        CHECK_NEAR(list[0].elasticity, list[1].elasticity, 1e-3);
        CHECK_NEAR(list[0].value, 5120, 1e-9);
    }
    for (int i = 0; i < count; i++) {
        CHECK(list[i].ref.knob->role == ROLE_HARDWARE);
        CHECK(i == 0 || fabs(list[i].elasticity) < fabs(list[i - 1].elasticity) + 1e-5);
    }
    fixture_close(&f);
}

TEST(a_full_list_keeps_the_first)
{
    struct fixture f;
    struct sensitivity list[MOST], one;
    int count = 0, first = 0;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    CHECK(sensitivity_list(&f.app->host.design.scenario, ~0U, NULL, list, MOST, &count, NULL) ==
          STATUS_OK);
    CHECK(sensitivity_list(&f.app->host.design.scenario, ~0U, NULL, &one, 1, &first, NULL) ==
          STATUS_OK);
    CHECK_INT(count, MOST);
    CHECK(CHECK(first == 1) && one.ref.knob == list[0].ref.knob);
    fixture_close(&f);
}

/* From a decade of values on the shades are logarithmic; the target is outlined. */
TEST(maps_of_a_decade)
{
    static const struct {
        const char *range;
        enum plot_scale scale;
    } rows[] = {
        {"range device.gpu0.bus_bits=256:8192:6 scenario.packets=20:60:5", PLOT_DECADES},
        {"range device.gpu0.bus_bits=4096:8192:6 scenario.packets=20:60:5", PLOT_LINEAR},
    };
    struct fixture f;

    if (!fixture_open(&f, "micado-scao", 36, 120))
        return;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct chart chart;

        fixture_press(&f, "4");
        fixture_command(&f, rows[r].range);
        fixture_wait(&f);
        if (!CHECK(view_sweep.chart(&f.app->sweep, &chart)))
            continue;
        CHECK_INT(chart.item[0].kind, CHART_CELLS);
        CHECK_TRUE((chart.item[0].z.high > 10 * chart.item[0].z.low) == (r == 0), "%g to %g",
                   chart.item[0].z.low, chart.item[0].z.high);
        CHECK_INT(chart.item[0].z.scale, rows[r].scale);
        CHECK_NEAR(chart.item[0].contour, 1e-3, 1e-12);
        chart_free(&chart);
    }
    fixture_close(&f);
}
