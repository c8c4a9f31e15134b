#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "model/evaluate.h"
#include "model/link.h"
#include "model/stage.h"
#include "sample.h"
#include "sample_cluster.h"

/* A chain of 152 slopes and 100 actuators in one packet, boards on two hosts. */

static struct scenario scenario;

#define PCIE_4 (16e9 * 16 * 128 / 130 * 0.914 / 8)
#define NETWORK_LATENCY (10e-6 + 0.5e-6 + 20 * 5e-9)

static void cluster(const char *devices, const char *split)
{
    sample_cluster(&scenario, devices, split);
}

static void carries(const struct result *result, const char *name, double bytes, double wire,
                    double latency)
{
    const struct node_result *node = sample_node(result, name);

    CHECK_TRUE(fabs(node->bytes - bytes) <= 1e-12 * bytes, "%s carries %.17g B, expected %.17g",
               name, node->bytes, bytes);
    CHECK_TRUE(fabs(node->time - wire) <= 1e-12 * wire, "%s is on the wire for %.17g s, not %.17g",
               name, node->time, wire);
    CHECK_TRUE(fabs(node->last_end - node->first_start - wire - latency) <= 1e-12,
               "%s arrives %.17g s later, expected %.17g", name,
               node->last_end - node->first_start - wire, latency);
}

static void absent(const struct result *result, const char *name)
{
    CHECK_TRUE(result_find_node(result, name) < 0, "there is a %s", name);
}

static void does(const struct result *result, const char *name, double flop, double bytes,
                 double working_set)
{
    const struct node_result *node = sample_node(result, name);

    CHECK_TRUE(fabs(node->flop - flop) <= 1e-9 * flop, "%s: %.17g FLOP, expected %.17g", name,
               node->flop, flop);
    CHECK_TRUE(fabs(node->bytes - bytes) <= 1e-9 * bytes, "%s: %.17g B, expected %.17g", name,
               node->bytes, bytes);
    CHECK_TRUE(fabs(node->working_set - working_set) <= 1e-9 * working_set,
               "%s keeps %.17g B, expected %.17g", name, node->working_set, working_set);
}

static double network(double bytes)
{
    struct wire wire = wire_ethernet(10e9, 9000);

    return wire_time(&wire, bytes);
}

/* Each device has half of the slopes and all commands; control adds the two vectors. */
TEST(columns)
{
    struct result *result = sample_result();
    const struct node_result *part;

    cluster("gpu1, gpu0", "columns");
    sample_evaluate(&scenario, result);
    CHECK_INT(result->node_count, 6 + 2 + 4);
    CHECK_STR(result->node[3].name, "slopes>recon@gpu0");
    CHECK_STR(result->node[4].name, "slopes>recon@gpu1");
    CHECK_STR(result->node[5].name, "recon");
    CHECK_STR(result->node[6].name, "recon@gpu0");
    CHECK_STR(result->node[7].name, "recon@gpu1");
    CHECK_STR(result->node[8].name, "recon@gpu0>control");
    CHECK_STR(result->node[9].name, "recon@gpu1>control");
    for (int g = 0; g < 2; g++) {
        carries(result, g == 0 ? "slopes>recon@gpu0" : "slopes>recon@gpu1", 304, 304 / PCIE_4,
                1e-6);
        carries(result, g == 0 ? "recon@gpu0>control" : "recon@gpu1>control", 400, 400 / PCIE_4,
                1e-6);
        does(result, g == 0 ? "recon@gpu0" : "recon@gpu1", 2 * 100 * 76, 4 * (100 * 76 + 76 + 100),
             4 * 100 * 76);
        part = &result->node[6 + g];
        CHECK_TRUE(part->rows == 100 && part->columns == 76, "%g x %g", part->rows, part->columns);
        CHECK_TRUE(part->component == 3 && part->device == 1 + g && part->part == g &&
                       part->parts == 2,
                   "part %d of %d on %d", part->part, part->parts, part->device);
    }
    does(result, "control", 700 + 100, 3200 + 2 * 400, 0);
    sample_set(&scenario, "component.recon.precision", "fp16");
    sample_evaluate(&scenario, result);
    carries(result, "slopes>recon@gpu1", 304, 304 / PCIE_4, 1e-6);
    carries(result, "recon@gpu1>control", 200, 200 / PCIE_4, 1e-6);
    does(result, "recon@gpu1", 2 * 100 * 76, 2 * (100 * 76 + 76 + 100), 2 * 100 * 76);
    does(result, "control", 700 + 100, 3200 + 2 * 200, 0);
}

/* Each device has all slopes and half of the commands; there is nothing to add. */
TEST(rows)
{
    struct result *result = sample_result();

    cluster("gpu0, gpu1", "rows");
    sample_evaluate(&scenario, result);
    CHECK_INT(result->node_count, 6 + 2 + 4);
    carries(result, "slopes>recon@gpu0", 608, 608 / PCIE_4, 1e-6);
    carries(result, "slopes>recon@gpu1", 608, 608 / PCIE_4, 1e-6);
    carries(result, "recon@gpu0>control", 200, 200 / PCIE_4, 1e-6);
    carries(result, "recon@gpu1>control", 200, 200 / PCIE_4, 1e-6);
    does(result, "recon@gpu0", 2 * 50 * 152, 4 * (50 * 152 + 152 + 50), 4 * 50 * 152);
    does(result, "recon@gpu1", 2 * 50 * 152, 4 * (50 * 152 + 152 + 50), 4 * 50 * 152);
    does(result, "control", 700, 3200, 0);
    CHECK_NEAR(sample_node(result, "recon@gpu0")->rows, 50, 0);
    CHECK_NEAR(sample_node(result, "recon@gpu0")->columns, 152, 0);
}

/* The accumulator of every part is read and written with each of ten packets. */
TEST(packets)
{
    struct result *result = sample_result();

    cluster("gpu0, gpu1", "columns");
    sample_set(&scenario, "scenario.packets", "10");
    sample_evaluate(&scenario, result);
    does(result, "recon@gpu0", 2 * 100 * 76, 4 * (100 * 76 + 76 + 2 * 100 * 10), 4 * 100 * 76);
    sample_set(&scenario, "component.recon.split", "rows");
    sample_evaluate(&scenario, result);
    does(result, "recon@gpu0", 2 * 50 * 152, 4 * (50 * 152 + 152 + 2 * 50 * 10), 4 * 50 * 152);
}

/* One part where the neighbours are, one on a board, one on a board of another host. */
TEST(other_hosts)
{
    struct result *result = sample_result();
    double third = 608 / 3.0;

    cluster("rtc, gpu0, gpu2", "columns");
    sample_evaluate(&scenario, result);
    absent(result, "slopes>recon@rtc");
    absent(result, "recon@rtc>control");
    carries(result, "slopes>recon@gpu0", third, third / PCIE_4, 1e-6);
    carries(result, "slopes>recon@gpu2", third, network(third), NETWORK_LATENCY);
    carries(result, "slopes>recon@gpu2.2", third, third / PCIE_4, 1e-6);
    carries(result, "recon@gpu2>control", 400, 400 / PCIE_4, 1e-6);
    carries(result, "recon@gpu2>control.2", 400, network(400), NETWORK_LATENCY);
    does(result, "control", 700 + 2 * 100, 3200 + 3 * 400, 0);
    sample_set(&scenario, "component.recon.split", "rows");
    sample_evaluate(&scenario, result);
    absent(result, "slopes>recon@rtc");
    carries(result, "slopes>recon@gpu2.2", 608, 608 / PCIE_4, 1e-6);
    carries(result, "recon@gpu2>control.2", 400 / 3.0, network(400 / 3.0), NETWORK_LATENCY);
    does(result, "recon@rtc", 2 * 100 * 152 / 3.0, 4 * (100 * 152 / 3.0 + 152 + 100 / 3.0),
         4 * 100 * 152 / 3.0);
    does(result, "control", 700, 3200, 0);
}

TEST(host_links)
{
    struct result *result = sample_result();

    cluster("gpu0, gpu1", "columns");
    sample_set(&scenario, "device.gpu0.host_link", "nvlink");
    sample_set(&scenario, "device.gpu0.host_bandwidth", "450 GB/s");
    sample_set(&scenario, "device.gpu1.host_link", "unified");
    sample_evaluate(&scenario, result);
    carries(result, "slopes>recon@gpu0", 304, 304 / 450e9, 1e-6);
    carries(result, "recon@gpu0>control", 400, 400 / 450e9, 1e-6);
    absent(result, "slopes>recon@gpu1");
    absent(result, "recon@gpu1>control");
    does(result, "control", 800, 4000, 0);
}

/* From board to boards: what is there already stays, the rest goes by the host. */
TEST(from_a_board)
{
    struct result *result = sample_result();

    cluster("gpu0, gpu1", "columns");
    sample_set(&scenario, "component.slopes.device", "gpu0");
    sample_set(&scenario, "component.control.device", "gpu1");
    sample_evaluate(&scenario, result);
    absent(result, "slopes>recon@gpu0");
    carries(result, "slopes>recon@gpu1", 304, 304 / PCIE_4, 1e-6);
    carries(result, "slopes>recon@gpu1.2", 304, 304 / PCIE_4, 1e-6);
    carries(result, "recon@gpu0>control.2", 400, 400 / PCIE_4, 1e-6);
    absent(result, "recon@gpu1>control");
}

/* All parts together: the sums of their work, the largest of their times. */
TEST(the_whole)
{
    struct result *result = sample_result();
    const struct node_result *whole;
    const struct node_result *slow;
    const struct node_result *fast;

    cluster("gpu0, gpu1", "columns");
    sample_set(&scenario, "device.gpu1.bus_bits", "64");
    sample_set(&scenario, "device.gpu1.units", "1");
    sample_evaluate(&scenario, result);
    whole = sample_node(result, "recon");
    fast = sample_node(result, "recon@gpu0");
    slow = sample_node(result, "recon@gpu1");
    CHECK(slow->time > fast->time && fast->time > 0);
    CHECK_NEAR(whole->flop, 2 * 100 * 152, 1e-12);
    CHECK_NEAR(whole->bytes, fast->bytes + slow->bytes, 1e-12);
    CHECK_NEAR(whole->working_set, 4 * 100 * 152, 1e-12);
    CHECK_NEAR(whole->time, slow->time, 0);
    CHECK_NEAR(whole->compute, slow->compute, 0);
    CHECK_NEAR(whole->memory, slow->memory, 0);
    CHECK_NEAR(whole->last_end, slow->last_end, 0);
    CHECK_NEAR(whole->first_start, fmin(slow->first_start, fast->first_start), 0);
    CHECK_NEAR(whole->rows, 100, 0);
    CHECK_NEAR(whole->columns, 152, 0);
    CHECK_NEAR(whole->slack, 0, 0);
    CHECK(fast->slack > 0);
    CHECK_INT(whole->bound, slow->bound);
    CHECK(node_is_whole(whole) && whole->device == -1 && !node_is_whole(slow));
    /* a device is busy with its own part alone, and that is what limits the rate */
    CHECK_NEAR(result->device[1].busy, fast->time, 1e-12);
    CHECK_NEAR(result->device[2].busy, slow->time, 1e-12);
    sample_set(&scenario, "component.recon.overhead", "2 ms");
    sample_evaluate(&scenario, result);
    CHECK_STR(result->limit, "recon@gpu1");
    CHECK_STR(result->node[result->bound_node].name, "recon@gpu1");
}

/* Modes times slopes as they arrive, actuators times modes at the end. */
TEST(modal)
{
    struct result *result = sample_result();

    cluster("gpu0, gpu1", "columns");
    sample_set(&scenario, "component.recon.algorithm", "modal");
    sample_set(&scenario, "ao.modes", "20");
    sample_evaluate(&scenario, result);
    /* every device turns its part of all modes into a part of all commands */
    does(result, "recon@gpu0", 2 * 20 * 76 + 2 * 20 * 100,
         4 * (20 * 76 + 76 + 20) + 4 * (20 * 100 + 20 + 100), 4 * 20 * 76 + 4 * 20 * 100);
    carries(result, "slopes>recon@gpu0", 304, 304 / PCIE_4, 1e-6);
    carries(result, "recon@gpu0>control", 400, 400 / PCIE_4, 1e-6);
    does(result, "control", 800, 4000, 0);
    sample_set(&scenario, "component.recon.split", "rows");
    sample_evaluate(&scenario, result);
    /* half of the modes, which are again a part of all commands */
    does(result, "recon@gpu0", 2 * 10 * 152 + 2 * 10 * 100,
         4 * (10 * 152 + 152 + 10) + 4 * (10 * 100 + 10 + 100), 4 * 10 * 152 + 4 * 10 * 100);
    carries(result, "slopes>recon@gpu0", 608, 608 / PCIE_4, 1e-6);
    carries(result, "recon@gpu0>control", 400, 400 / PCIE_4, 1e-6);
    does(result, "control", 800, 4000, 0);
}

/* Sparse and tile low-rank matrices divide like dense ones; tiles are counted in each part. */
TEST(other_matrices)
{
    struct result *result = sample_result();

    cluster("gpu0, gpu1", "columns");
    sample_set(&scenario, "component.recon.algorithm", "sparse");
    sample_set(&scenario, "component.recon.density", "0.1");
    sample_evaluate(&scenario, result);
    does(result, "recon@gpu0", 2 * 0.1 * 100 * 76, 4 * (76 + 100) + 8 * 0.1 * 100 * 76,
         8 * 0.1 * 100 * 76);
    does(result, "control", 800, 4000, 0);
    sample_set(&scenario, "component.recon.algorithm", "tlr");
    sample_set(&scenario, "component.recon.tile", "32");
    sample_set(&scenario, "component.recon.rank", "8");
    sample_evaluate(&scenario, result);
    /* 4 x 3 tiles of 100 x 76 */
    does(result, "recon@gpu0", 2 * 12 * 2 * 32 * 8, 4 * (76 + 100) + 2 * 12 * 4 * 32 * 8,
         2 * 12 * 4 * 32 * 8);
    does(result, "control", 800, 4000, 0);
    sample_set(&scenario, "component.recon.split", "rows");
    sample_evaluate(&scenario, result);
    /* 2 x 5 tiles of 50 x 152 */
    does(result, "recon@gpu0", 2 * 10 * 2 * 32 * 8, 4 * (152 + 50) + 2 * 10 * 4 * 32 * 8,
         2 * 10 * 4 * 32 * 8);
    carries(result, "recon@gpu1>control", 200, 200 / PCIE_4, 1e-6);
    does(result, "control", 700, 3200, 0);
}

/* Whoever needs the commands adds up the vectors. */
TEST(successors)
{
    struct result *result = sample_result();

    cluster("gpu0, gpu1", "columns");
    sample_component(&scenario, "log", "custom");
    sample_set(&scenario, "component.log.after", "recon");
    sample_component(&scenario, "second", "reconstruction");
    sample_set(&scenario, "component.second.after", "recon");
    sample_set(&scenario, "component.second.rows", "30");
    sample_set(&scenario, "component.second.columns", "100");
    sample_set(&scenario, "component.second.device", "gpu0,gpu2");
    sample_set(&scenario, "component.second.split", "rows");
    sample_evaluate(&scenario, result);
    does(result, "control", 800, 4000, 0);
    does(result, "log", 100, 800, 0);
    absent(result, "recon@gpu0>second@gpu0");
    carries(result, "recon@gpu1>second@gpu2.3", 400, 400 / PCIE_4, 1e-6);
    does(result, "second@gpu0", 2 * 15 * 100 + 100, 4 * (15 * 100 + 100 + 15) + 800, 4 * 15 * 100);
    /* by columns each part needs, and adds, its own half of both vectors */
    sample_component(&scenario, "third", "control");
    sample_set(&scenario, "component.second.split", "columns");
    sample_evaluate(&scenario, result);
    carries(result, "recon@gpu1>second@gpu2.3", 200, 200 / PCIE_4, 1e-6);
    does(result, "second@gpu0", 2 * 30 * 50 + 50, 4 * (30 * 50 + 50 + 30) + 400, 4 * 30 * 50);
}

/* The first part's host sends a mirror all commands, those of other hosts too. */
TEST(mirrors)
{
    struct result *result = sample_result();

    cluster("gpu0, gpu2", "rows");
    sample_set(&scenario, "component.dm.after", "recon");
    sample_evaluate(&scenario, result);
    carries(result, "recon@gpu0>dm", 100, 100 / PCIE_4, 1e-6);
    carries(result, "recon@gpu2>dm", 100, 100 / PCIE_4, 1e-6);
    carries(result, "recon@gpu2>dm.2", 100, network(100), NETWORK_LATENCY);
    absent(result, "recon@gpu0>dm.2");
    CHECK_NEAR(sample_node(result, "dm")->bytes, 200, 0);
    CHECK_NEAR(result->latency, sample_node(result, "recon@gpu2>dm.2")->last_end - 500e-6, 1e-12);
    /* without a mirror the last part to end is the command */
    cluster("gpu0, gpu2", "rows");
    sample_set(&scenario, "component.dm.after", "none");
    sample_set(&scenario, "component.dm.type", "custom");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(result->latency, sample_node(result, "control")->last_end - 500e-6, 1e-12);
}

/* A camera feeds the hosts of all parts; pixels go with the packets. */
TEST(cameras)
{
    struct result *result = sample_result();

    cluster("gpu0, gpu2", "columns");
    sample_set(&scenario, "component.recon.after", "camera");
    sample_evaluate(&scenario, result);
    carries(result, "camera>recon@gpu0", 6400, 6400 / PCIE_4, 1e-6);
    carries(result, "camera>recon@gpu2", 6400, 6400 / PCIE_4, 1e-6);
    absent(result, "camera>recon@gpu2.2");
}

/* Vectors are added in the tail of the successor, at its rates. */
TEST(times)
{
    struct result *result = sample_result();
    double bandwidth = 100e9 * 0.8;

    sample_chain(&scenario);
    sample_round_device(&scenario, "a");
    sample_round_device(&scenario, "b");
    sample_set(&scenario, "device.a.memory_model", "flat");
    sample_set(&scenario, "device.b.memory_model", "flat");
    sample_set(&scenario, "scenario.packets", "1");
    sample_set(&scenario, "component.recon.device", "a,b");
    sample_set(&scenario, "component.control.device", "a");
    sample_set(&scenario, "component.recon.memory_efficiency", "0.8");
    sample_set(&scenario, "component.control.memory_efficiency", "0.8");
    sample_set(&scenario, "component.recon.share", "0.5");
    sample_set(&scenario, "component.control.share", "0.25");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon@a")->time, 4 * (100 * 76 + 76 + 100) / bandwidth / 0.5,
               1e-12);
    CHECK_NEAR(sample_node(result, "recon@b")->time, 4 * (100 * 76 + 76 + 100) / bandwidth / 0.5,
               1e-12);
    CHECK_NEAR(sample_node(result, "control")->time, (3200 + 800) / bandwidth / 0.25, 1e-12);
    CHECK_NEAR(sample_node(result, "recon@a")->share, 0.5, 0);
    CHECK_NEAR(result->device[1].busy,
               0.5 * sample_node(result, "recon@a")->time +
                   0.25 * sample_node(result, "control")->time,
               1e-12);
    CHECK_NEAR(result->device[2].busy, 0.5 * sample_node(result, "recon@b")->time, 1e-12);
}
