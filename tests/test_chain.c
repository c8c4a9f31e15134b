/* Sums whose every operation waits for the one before, and how far predictions are off. */
#include <math.h>
#include <stdio.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "model/load.h"
#include "sample.h"

static struct scenario scenario;

static const struct node_result *evaluated(const char *name)
{
    sample_evaluate(&scenario, sample_result());
    return sample_node(sample_result(), name);
}

/* One core of 32 FLOP a cycle at 4 GHz: 128 GFLOP/s, of which nothing else takes a part. */
static void one_core(void)
{
    sample_chain(&scenario);
    sample_set(&scenario, "wfs.ngs.valid_subaps", "1024");
    sample_set(&scenario, "wfs.ngs.pixels_per_subap", "8");
    sample_set(&scenario, "component.slopes.reference_slopes", "no");
    sample_set(&scenario, "device.rtc.cores", "1");
    sample_set(&scenario, "device.rtc.clock", "4 GHz");
    sample_set(&scenario, "scenario.sharing", "exclusive");
    sample_set(&scenario, "scenario.packets", "1");
    sample_set(&scenario, "device.rtc.add_latency", "0.82 ns");
}

#define SUMS (1024 * 64 * 0.82e-9)

/* 47.5-60 us were measured. */
TEST(subapertures_of_8_by_8)
{
    static const char *const sums[] = {"cog", "simple", "threshold", "weighted"};

    one_core();
    CHECK_NEAR(SUMS, 53.7e-6, 1e-3);
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        sample_set(&scenario, "component.slopes.algorithm", sums[i]);
        CHECK_NEAR(evaluated("slopes")->compute, SUMS, 1e-12);
        CHECK_NEAR(evaluated("slopes")->compute_efficiency, 1, 0);
    }
}

/* Then FLOP over all the FLOP/s there are, or over those of the efficiency it states. */
TEST(flop_may_take_longer)
{
    double flop = 1024 * (5 * 64 - 1);

    one_core();
    sample_set(&scenario, "device.rtc.add_latency", "0.01 ns");
    CHECK_NEAR(evaluated("slopes")->compute, flop / 128e9, 1e-12);
    sample_set(&scenario, "component.slopes.compute_efficiency", "0.02");
    sample_set(&scenario, "device.rtc.add_latency", "0.82 ns");
    CHECK_NEAR(evaluated("slopes")->compute, flop / (0.02 * 128e9), 1e-12);
    sample_set(&scenario, "component.slopes.compute_efficiency", "0.9");
    CHECK_NEAR(evaluated("slopes")->compute, SUMS, 1e-12);
}

/* Nor are single numbers added faster than a core adds them: 7 p^2 + 9 FLOP of a thresholded
 * subaperture with reference slopes, 130 cycles of 36 pixels at two a cycle (129.9 measured), where
 * a centre of gravity waits for its chain of 108. */
TEST(number_by_number)
{
    one_core();
    sample_set(&scenario, "wfs.ngs.pixels_per_subap", "6");
    sample_set(&scenario, "component.slopes.reference_slopes", "yes");
    sample_set(&scenario, "device.rtc.add_latency", "0.75 ns");
    sample_set(&scenario, "device.rtc.scalar_rate", "2");
    CHECK_NEAR(evaluated("slopes")->compute, 1024 * 108 / 4e9, 1e-12);
    sample_set(&scenario, "component.slopes.algorithm", "threshold");
    CHECK_NEAR(evaluated("slopes")->compute, 1024 * 130.5 / 4e9, 1e-12);
    sample_set(&scenario, "scenario.packets", "25");
    CHECK_NEAR(evaluated("slopes")->compute, 1024 * 130.5 / 4e9, 1e-12);
    sample_set(&scenario, "device.rtc.cores", "2");
    sample_set(&scenario, "component.slopes.chains", "4");
    CHECK_NEAR(evaluated("slopes")->compute, 1024 * 130.5 / 4e9 / 8, 1e-12);
    sample_set(&scenario, "device.rtc.scalar_rate", "0");
    CHECK_NEAR(evaluated("slopes")->compute, 1024 * 108 / 4e9 / 8, 1e-12);
    /* not of loops that wait for nothing, nor where no add is known */
    sample_set(&scenario, "component.slopes.algorithm", "correlation");
    CHECK_NEAR(evaluated("slopes")->compute_efficiency, 0.1, 0);
    sample_set(&scenario, "component.slopes.algorithm", "threshold");
    sample_set(&scenario, "device.rtc.scalar_rate", "2");
    sample_set(&scenario, "device.rtc.add_latency", "auto");
    CHECK_NEAR(evaluated("slopes")->compute,
               1024 * 261 / (evaluated("slopes")->compute_efficiency * 256e9), 1e-12);
}

/* Subapertures interleaved by a core, cores, a part of them. */
TEST(shortened)
{
    one_core();
    sample_set(&scenario, "component.slopes.chains", "4");
    CHECK_NEAR(evaluated("slopes")->compute, SUMS / 4, 1e-12);
    sample_set(&scenario, "device.rtc.cores", "8");
    CHECK_NEAR(evaluated("slopes")->compute, SUMS / 32, 1e-12);
    sample_set(&scenario, "component.slopes.chains", "1");
    sample_set(&scenario, "component.slopes.workers", "2");
    CHECK_NEAR(evaluated("slopes")->compute, SUMS / 2, 1e-12);
    sample_set(&scenario, "scenario.sharing", "partition");
    sample_set(&scenario, "component.slopes.share", "0.25");
    CHECK_NEAR(evaluated("slopes")->compute, SUMS / 2, 1e-12);
    sample_set(&scenario, "component.slopes.workers", "auto");
    CHECK_NEAR(evaluated("slopes")->compute, SUMS / 8 / 0.25, 1e-12);
}

/* A packet has its part of the subapertures. */
TEST(in_packets)
{
    double whole;

    one_core();
    whole = evaluated("slopes")->time;
    CHECK_NEAR(whole, SUMS, 1e-12);
    sample_set(&scenario, "scenario.packets", "25");
    CHECK_NEAR(evaluated("slopes")->time, whole, 1e-12);
}

/* A row of a dense matrix, as many columns at a time as a register holds. */
TEST(rows_of_a_matrix)
{
    one_core();
    sample_set(&scenario, "component.recon.rows", "300");
    sample_set(&scenario, "component.recon.columns", "1000");
    sample_set(&scenario, "device.rtc.simd_bits", "512");
    CHECK_NEAR(evaluated("recon")->compute_efficiency, 0.5, 0);
    sample_set(&scenario, "device.rtc.fma_latency", "2 ns");
    CHECK_NEAR(evaluated("recon")->compute, 300 * (1000.0 / 16) * 2e-9, 1e-12);
    CHECK_NEAR(evaluated("recon")->compute_efficiency, 1, 0);
    sample_set(&scenario, "component.recon.precision", "fp64");
    CHECK_NEAR(evaluated("recon")->compute, 300 * (1000.0 / 8) * 2e-9, 1e-12);
    sample_set(&scenario, "component.recon.chains", "8");
    CHECK_NEAR(evaluated("recon")->compute, 300 * (1000.0 / 64) * 2e-9, 1e-12);
    sample_set(&scenario, "device.rtc.window", "50");
    CHECK_NEAR(evaluated("recon")->compute, 300 * (1000.0 / 64) * 2e-9 / (1 + 50 / 125.0), 1e-12);
    sample_set(&scenario, "component.recon.algorithm", "modal");
    CHECK_NEAR(evaluated("recon")->compute_efficiency, 0.5, 0);
}

/* Rows of 32 KB with their vector on an L1 of 32 KiB: what does not come from there comes from L2.
 */
TEST(rows_read_their_vector_again)
{
    const double hit = pow(32768 / 64000.0, 3);
    double before, after;

    one_core();
    sample_set(&scenario, "component.recon.rows", "300");
    sample_set(&scenario, "component.recon.columns", "8000");
    sample_set(&scenario, "device.rtc.memory_model", "hierarchy");
    sample_set(&scenario, "device.rtc.l1", "32 KiB");
    sample_set(&scenario, "device.rtc.l2", "1024 KiB");
    sample_set(&scenario, "device.rtc.l2_bandwidth", "100 GB/s");
    sample_set(&scenario, "device.rtc.cache_usable", "1");
    sample_set(&scenario, "device.rtc.sustained_memory", "1");
    before = evaluated("recon")->memory;
    sample_set(&scenario, "device.rtc.fma_latency", "1 ns");
    after = evaluated("recon")->memory;
    CHECK_NEAR(after - before, 300 * 32000 * (1 - hit) / 100e9 / 0.92, 1e-9);
    sample_set(&scenario, "component.recon.chains", "4");
    CHECK_NEAR(evaluated("recon")->memory - before, (after - before) / 4, 1e-9);
    sample_set(&scenario, "component.recon.chains", "1");
    sample_set(&scenario, "device.rtc.operand_bandwidth", "400 GB/s");
    CHECK_NEAR(evaluated("recon")->memory - after, 300 * 32000 * hit / 400e9 / 0.92, 1e-9);
    sample_set(&scenario, "component.recon.chains", "4");
    CHECK_NEAR(evaluated("recon")->memory - before,
               (after - before + 300 * 32000 * hit / 400e9 / 0.92) / 4, 1e-9);
    sample_set(&scenario, "device.rtc.memory_model", "flat");
    after = evaluated("recon")->memory;
    sample_set(&scenario, "device.rtc.operand_bandwidth", "0");
    CHECK_NEAR(evaluated("recon")->memory, after, 0);
    sample_set(&scenario, "device.rtc.memory_model", "hierarchy");
    sample_set(&scenario, "device.rtc.l1", "64 KiB");
    /* but for the slopes themselves, which are faster from there, too */
    CHECK_NEAR(evaluated("recon")->memory, before, 1e-6);
}

/* Four operations of 8 B an actuator, three of which read what the one before has written: 1500
 * actuators are 48 kB that pass, in 30 kB that are there, which a measured first level of 32 KiB
 * holds. */
TEST(commands_are_passed_on)
{
    one_core();
    sample_set(&scenario, "ao.actuators", "1500");
    sample_set(&scenario, "device.rtc.memory_model", "hierarchy");
    sample_set(&scenario, "device.rtc.l1", "32 KiB");
    sample_set(&scenario, "device.rtc.l1_bandwidth", "200 GB/s");
    sample_set(&scenario, "device.rtc.l2", "1024 KiB");
    sample_set(&scenario, "device.rtc.l2_bandwidth", "50 GB/s");
    sample_set(&scenario, "device.rtc.cache_usable", "1");
    sample_set(&scenario, "device.rtc.sustained_memory", "1");
    CHECK_NEAR(evaluated("control")->memory, 48000 / 200e9 / 0.92, 1e-3);
    sample_set(&scenario, "component.control.algorithm", "pid");
    /* 60 kB that pass, in 42 kB */
    CHECK_NEAR(evaluated("control")->memory,
               60000 * (pow(32768 / 42000.0, 3) / 200e9 + (1 - pow(32768 / 42000.0, 3)) / 50e9) /
                   0.92,
               1e-3);
    sample_set(&scenario, "component.control.algorithm", "integrator");
    sample_set(&scenario, "device.rtc.add_latency", "auto");
    CHECK_NEAR(evaluated("control")->memory,
               48000 * (pow(32768 / 48000.0, 3) / 200e9 + (1 - pow(32768 / 48000.0, 3)) / 50e9) /
                   0.92,
               1e-3);
}

/* Not known, or no such sums: as if there were no latencies. */
TEST(others_do_not_wait)
{
    static const char *const others[] = {"brightest", "matched", "correlation", "correlation-fft"};
    double before;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        one_core();
        sample_set(&scenario, "component.slopes.algorithm", others[i]);
        before = evaluated("slopes")->compute;
        sample_set(&scenario, "device.rtc.add_latency", "1000 ns");
        CHECK_NEAR(evaluated("slopes")->compute, before, 0);
    }
    one_core();
    before = evaluated("control")->compute;
    sample_set(&scenario, "device.rtc.fma_latency", "1000 ns");
    CHECK_NEAR(evaluated("control")->compute, before, 0);
    CHECK_NEAR(evaluated("calibration")->compute_efficiency, 1, 0);
    CHECK_NEAR(evaluated("control")->compute_efficiency, 1, 0);
    sample_set(&scenario, "device.rtc.add_latency", "auto");
    CHECK_NEAR(evaluated("calibration")->compute_efficiency, 0.12, 0);
    CHECK_NEAR(evaluated("control")->compute_efficiency, 0.2, 0);
    CHECK_NEAR(evaluated("slopes")->compute_efficiency, 0.05, 1e-12);
    CHECK_NEAR(evaluated("slopes")->compute, 1024 * (5 * 64 - 1) / (0.05 * 128e9), 1e-12);
}

/* How far predictions are off ------------------------------------------------------------------ */

static void check_uncertainty(double expected)
{
    sample_evaluate(&scenario, sample_result());
    CHECK_NEAR(sample_result()->uncertainty, expected, 0);
}

TEST(uncertainty_of_the_devices_in_the_latency)
{
    sample_chain(&scenario);
    check_uncertainty(UNCERTAINTY_VENDOR);
    sample_set(&scenario, "device.rtc.pc", "1.08");
    check_uncertainty(1.08);
    CHECK_NEAR(sample_result()->device[0].pc, 1.08, 0);
    /* a device that does nothing, or nothing after the last pixel */
    sample_add(&scenario, SECTION_DEVICE, "other");
    sample_set(&scenario, "device.other.pc", "2");
    check_uncertainty(1.08);
    CHECK_NEAR(sample_result()->device[1].pc, 2, 0);
    sample_set(&scenario, "component.control.device", "other");
    check_uncertainty(2);
    sample_set(&scenario, "device.other.pc", "1.02");
    check_uncertainty(1.08);
    sample_set(&scenario, "device.other.pc", "auto");
    check_uncertainty(UNCERTAINTY_VENDOR);
    sample_set(&scenario, "component.control.device", "rtc");
    check_uncertainty(1.08);
}

/* Where only links follow the last pixel: of all there are. */
TEST(uncertainty_of_all_devices)
{
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    sample_add(&scenario, SECTION_DEVICE, "rtc");
    sample_add(&scenario, SECTION_DEVICE, "other");
    sample_component(&scenario, "camera", "camera");
    sample_component(&scenario, "dm", "dm");
    sample_set(&scenario, "device.rtc.pc", "1.5");
    sample_set(&scenario, "device.other.pc", "1.1");
    check_uncertainty(1.5);
}
