#include "model/link.h"

#include <math.h>

#include "check.h"
#include "draw.h"
#include "model/formulas.h"

/* x16, per direction. */
TEST(pcie_generations)
{
    static const double expected[] = {3.656e9, 7.312e9, 14.4e9, 28.8e9, 57.6e9, 113.7e9};

    for (int g = 1; g <= 6; g++) {
        struct wire wire = wire_pcie(g, 16);

        CHECK_TRUE(fabs(wire.rate - expected[g - 1]) < 5e-4 * expected[g - 1],
                   "generation %d: %.6g B/s, expected %.6g", g, wire.rate, expected[g - 1]);
        CHECK_NEAR(wire_pcie(g, 1).rate * 16, wire.rate, 1e-15);
        CHECK_NEAR(wire_time(&wire, 1e6), 1e6 / wire.rate, 1e-15);
    }
    CHECK_NEAR(wire_pcie(4, 16).rate, 16e9 * 16 * 128 / 130 * 0.914 / 8, 1e-15);
    CHECK_NEAR(wire_pcie(6, 16).rate, 64e9 * 16 * 242 / 256 * 0.94 / 8, 1e-15);
}

/* Datagrams one by one. */
static double slow_wire_bytes(double bytes, double mtu)
{
    double sum = 0;

    while (bytes > 0) {
        double payload = fmin(bytes, mtu - 28);
        double frame = payload + 8 + 20 + 14 + 4 + 8 + 12;

        sum += fmax(frame, 84);
        bytes -= payload;
    }
    return sum;
}

TEST(datagrams)
{
    static const struct {
        double mtu, bytes, on_wire;
    } cases[] = {
        {9000, 0, 0},         {9000, 1, 84},      {9000, 18, 84},       {9000, 19, 85},
        {9000, 8972, 9038},   {9000, 8973, 9122}, {1500, 1472, 1538},   {1500, 1473, 1622},
        {1500, 10636, 11164}, {576, 548, 614},    {9000, 17944, 18076}, {9000, 10636, 10768},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wire wire = wire_ethernet(8e9, cases[i].mtu);

        CHECK_TRUE(fabs(wire_time(&wire, cases[i].bytes) * 1e9 - cases[i].on_wire) < 1e-6,
                   "%g B at mtu %g: %.9g B on the wire, expected %g", cases[i].bytes, cases[i].mtu,
                   wire_time(&wire, cases[i].bytes) * 1e9, cases[i].on_wire);
        CHECK_NEAR(slow_wire_bytes(cases[i].bytes, cases[i].mtu), cases[i].on_wire, 1e-15);
    }
}

TEST(datagrams_one_by_one)
{
    struct draw draw = draw_start(51);

    for (int i = 0; i < 2000; i++) {
        double mtu = floor(draw_log(&draw, 576, 65536));
        double bytes = draw_log(&draw, 1, 1e6);
        double rate = draw_log(&draw, 1e7, 1e13);
        struct wire wire = wire_ethernet(rate, mtu);
        double expected;

        if (i % 2 == 0)
            bytes = floor(bytes);
        expected = slow_wire_bytes(bytes, mtu) / (rate / 8);
        CHECK_TRUE(fabs(wire_time(&wire, bytes) - expected) <= 1e-9 * expected,
                   "%.17g B, mtu %g, %g bit/s: %.17g s, expected %.17g", bytes, mtu, rate,
                   wire_time(&wire, bytes), expected);
    }
}

static double latency(const struct wire *wire, double hops, enum switch_kind switching,
                      double length)
{
    return formula_network_latency(0, hops, wire_hop_time(wire, switching), length);
}

TEST(latencies)
{
    struct wire wire = wire_ethernet(10e9, 9000);

    CHECK_NEAR(latency(&wire, 1, SWITCH_CUT_THROUGH, 20), 0.6e-6, 1e-12);
    CHECK_NEAR(latency(&wire, 3, SWITCH_CUT_THROUGH, 0), 1.5e-6, 1e-12);
    CHECK_NEAR(latency(&wire, 0, SWITCH_STORE_FORWARD, 1000), 5e-6, 1e-12);
    CHECK_NEAR(latency(&wire, 2, SWITCH_STORE_FORWARD, 0), 2 * 9038 * 8 / 10e9, 1e-12);
    CHECK_NEAR(PCIE_LATENCY, 1e-6, 0);
}

TEST(cameras)
{
    struct component camera = {.lanes = 4, .link_rate = 10e9};
    static const double expected[] = {0, 255e6, 510e6, 680e6, 850e6, 2400e6, 4800e6};

    for (int i = INTERFACE_NONE; i <= INTERFACE_COAXPRESS_12; i++) {
        camera.interface = i;
        CHECK_NEAR(camera_link_rate(&camera, 9000), expected[i], 0);
    }
    camera.interface = INTERFACE_GIGE_VISION;
    CHECK_NEAR(camera_link_rate(&camera, 9000), 1.25e9 * 8972 / 9038, 1e-12);
    CHECK_NEAR(camera_link_rate(&camera, 1500), 1.25e9 * 1472 / 1538, 1e-12);
}
