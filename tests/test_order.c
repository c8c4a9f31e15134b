/* Values in an order that no machine has. */
#include "model/order.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/assign.h"
#include "design/scenario_edit.h"
#include "sample.h"
#include "systems.h"

static struct scenario scenario;

/* The notes of a design, as "SENTENCE|...". */
static const char *notes(void)
{
    static char text[4000];
    char sentence[300];
    size_t used = 0;

    text[0] = '\0';
    if (!sample_evaluate(&scenario, sample_result()))
        return "not evaluated";
    for (int at = 0; at < order_pairs(&scenario); at++)
        if (order_note(&scenario, sample_result(), at, sentence, sizeof sentence))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s|", sentence);
    return text;
}

/* The notes of a system with two assignments, of which the second may be missing. */
static const char *notes_with(const char *const assignment[2])
{
    const struct assignments assignments = {assignment, assignment[1] != NULL ? 2 : 1};
    struct error error = {STATUS_OK, ""};

    if (!systems_load(&scenario, "elt-scao") ||
        !CHECK_TRUE(scenario_assign(&scenario, systems_catalogue(), NULL, &assignments, &error) ==
                        STATUS_OK,
                    "%s", error.message))
        return "";
    return notes();
}

/* Caches of the system have latencies that are assumed. */
TEST(each_order)
{
    static const struct {
        const char *set[2];
        const char *note;
    } cases[] = {
        {{"device.rtc.late_p90=50", "device.rtc.late_p99=20"},
         "device.rtc.late_p90: 50.0 us, above late_p99, 20.0 us; the larger one counts|"},
        {{"device.rtc.late_p90=50", "device.rtc.late_p9999=20"},
         "device.rtc.late_p90: 50.0 us, above late_p9999, 20.0 us; the larger one counts|"},
        {{"device.rtc.late_p90=500", "device.rtc.os=realtime"}, ""},
        {{"device.rtc.late_max=1", "device.rtc.late_p99=1"}, ""},
        {{"device.rtc.l1=2048", "device.rtc.l2=1024"},
         "device.rtc.l1: 2048 KiB, above l2, 1024 KiB|"},
        {{"device.rtc.l1=1024", "device.rtc.l2=1024"}, ""},
        {{"device.rtc.l2=16384", "device.rtc.l3=10"},
         "device.rtc.l2: 16384 KiB, above l3, 10 MiB|"},
        {{"device.rtc.l2=0", "device.rtc.l3=0"}, ""},
        {{"device.gpu0.l2=65536", "device.gpu0.l3=2"},
         "device.gpu0.l2: 65536 KiB, above l3, 2 MiB|"},
        {{"device.rtc.memory_size=0.1", "device.rtc.l3=512"},
         "device.rtc.l3: 512 MiB, above memory_size, 100 MB|"},
        {{"device.rtc.memory_latency=20", "device.rtc.l3=0"}, ""},
        {{"device.rtc.memory_latency=0.5", NULL},
         "device.rtc.memory_latency: 0.500 ns, below l3_latency, 30.0 ns, assumed|"},
        {{"device.rtc.l1_latency=9", NULL},
         "device.rtc.l1_latency: 9.00 ns, above l2_latency, 5.00 ns, assumed|"},
        {{"device.rtc.l1_bandwidth=30", "device.rtc.l2_bandwidth=40"},
         "device.rtc.l2_bandwidth: 7.68 TB/s of the whole device, above l1_bandwidth, 5.76 TB/s|"},
        {{"device.gpu0.l2_bandwidth=1000", NULL},
         "device.gpu0.l2_bandwidth: 1.00 TB/s of the whole device, below memory, 2.04 TB/s|"},
        {{"device.rtc.core_bandwidth=900", NULL},
         "device.rtc.core_bandwidth: 900 GB/s, above memory, 461 GB/s|"},
        {{"device.rtc.l3_core_bandwidth=900", "device.rtc.l3_bandwidth=800"},
         "device.rtc.l3_core_bandwidth: 900 GB/s, above l3_bandwidth, 800 GB/s|"},
        {{"device.gpu0.sustained_clock=4 GHz", NULL},
         "device.gpu0.sustained_clock: 4.00 GHz, above clock, 1.41 GHz; the lower one counts|"},
        {{"device.rtc.socket_lanes=200", "device.rtc.pcie_lanes=128"},
         "device.rtc.socket_lanes: 200, above pcie_lanes, 128|"},
        {{"device.rtc.scalar_rate=8", "device.rtc.issue=4"},
         "device.rtc.scalar_rate: 8, above issue, 4|"},
        {{"atmosphere.r0=200", "atmosphere.outer_scale=1"},
         "atmosphere.r0: 2.00 m, above outer_scale, 1.00 m|"},
        {{"ao.modes=6000", NULL}, "ao.modes: 6000, above actuators, 5318|"},
        {{"ao.modes=20000", "ao.actuators=20000"}, "ao.modes: 20000, above slopes, 9264|"},
        {{"component.recon.algorithm=tlr", "component.recon.rank=300"},
         "component.recon.rank: 300, above tile, 256, assumed|"},
        {{"component.recon.algorithm=tlr", "component.recon.tile=32"},
         "component.recon.tile: 32, below rank, 53, assumed|"},
        {{"component.recon.tile=32", NULL}, ""},
        {{"component.dm.pitch=9 m", "ao.diameter=8"},
         "component.dm.pitch: 9.00 m, above ao.diameter, 8.00 m|"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_STR(notes_with(cases[i].set), cases[i].note);
}

TEST(none_of_a_shipped_device)
{
    struct catalogue *catalogue = systems_catalogue();
    struct error error = {STATUS_OK, ""};
    int devices = 0;

    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct preset *preset = catalogue_at(catalogue, p);

        if (!preset_is_device(preset))
            continue;
        scenario_init(&scenario);
        sample_chain(&scenario);
        CHECK_TRUE(scenario_set_preset(&scenario, 0, catalogue, preset->name, &error) == STATUS_OK,
                   "%s", error.message);
        CHECK_TRUE(notes()[0] == '\0', "%s: %s", preset->name, notes());
        devices++;
    }
    CHECK(devices > 100);
}

static void look(const char *name, const struct scenario *system, const struct result *result)
{
    (void)result;
    scenario = *system;
    CHECK_TRUE(notes()[0] == '\0', "%s: %s", name, notes());
}

TEST(none_of_a_system)
{
    systems_each(look);
}
