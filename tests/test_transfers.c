#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "model/link.h"
#include "model/stage.h"
#include "sample.h"

static struct scenario scenario;

#define PCIE_4 (16e9 * 16 * 128 / 130 * 0.914 / 8)
#define NETWORK_LATENCY (10e-6 + 0.5e-6 + 20 * 5e-9)

/* A chain with boards on two hosts, all in one packet; who computes on what is up to the test. */
static void cluster(void)
{
    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "1");
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_add(&scenario, SECTION_DEVICE, "gpu1");
    sample_add(&scenario, SECTION_DEVICE, "node");
    sample_add(&scenario, SECTION_DEVICE, "gpu2");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
    sample_set(&scenario, "device.gpu1.kind", "gpu");
    sample_set(&scenario, "device.gpu2.kind", "gpu");
    sample_set(&scenario, "device.gpu2.host", "node");
}

static bool absent(const struct result *result, const char *name)
{
    return CHECK_TRUE(result_find_node(result, name) < 0, "there is a %s", name);
}

/* What a transfer carries, how long it is on the wire, how late it ends, between which ends. */
static void carries(const struct result *result, const char *name, double bytes, double wire,
                    double latency, const char *queue)
{
    const struct node_result *node = sample_node(result, name);
    int n = result_find_node(result, name);
    bool found = false;

    if (n < 0)
        return;
    CHECK_TRUE(node->type == COMPONENT_TRANSFER && node->component == -1 && node->device == -1 &&
                   node->bound == BOUND_LINK,
               "%s is no inserted transfer", name);
    CHECK_TRUE(fabs(node->bytes - bytes) <= 1e-12 * bytes, "%s carries %.17g B, expected %.17g",
               name, node->bytes, bytes);
    CHECK_TRUE(fabs(node->time - wire) <= 1e-12 * wire && node->time == node->memory &&
                   node->time == node->busy,
               "%s is on the wire for %.17g s, expected %.17g", name, node->time, wire);
    CHECK_TRUE(fabs(node->last_end - node->first_start - wire - latency) <= 1e-12,
               "%s arrives %.17g s later, expected %.17g", name,
               node->last_end - node->first_start - wire, latency);
    for (int l = 0; l < result->link_count; l++)
        found = found || strcmp(result->link[l].name, queue) == 0;
    CHECK_TRUE(found, "%s does not use %s", name, queue);
}

static double network(double bytes)
{
    struct wire wire = wire_ethernet(10e9, 9000);

    return wire_time(&wire, bytes);
}

TEST(none_on_one_device)
{
    struct result *result = sample_result();

    cluster();
    sample_evaluate(&scenario, result);
    CHECK_INT(result->node_count, 6);
    CHECK_INT(result->link_count, 1);
    CHECK_STR(result->link[0].name, "rtc.nic.out");
}

TEST(to_a_board_and_back)
{
    struct result *result = sample_result();

    cluster();
    sample_set(&scenario, "component.recon.device", "gpu0");
    sample_evaluate(&scenario, result);
    CHECK_INT(result->node_count, 8);
    carries(result, "slopes>recon", 4 * 152, 4 * 152 / PCIE_4, 1e-6, "gpu0.pcie.in");
    carries(result, "recon>control", 4 * 100, 4 * 100 / PCIE_4, 1e-6, "gpu0.pcie.out");
    CHECK_STR(result->node[3].name, "slopes>recon");
    CHECK_STR(result->node[5].name, "recon>control");
    /* the lower generation, at most 16 lanes */
    sample_set(&scenario, "device.rtc.pcie_gen", "3");
    sample_set(&scenario, "device.rtc.pcie_lanes", "128");
    sample_set(&scenario, "device.gpu0.pcie_gen", "5");
    sample_set(&scenario, "device.gpu0.pcie_lanes", "8");
    sample_evaluate(&scenario, result);
    carries(result, "slopes>recon", 608, 608 / (PCIE_4 / 4), 1e-6, "gpu0.pcie.in");
    sample_set(&scenario, "device.gpu0.pcie_lanes", "32");
    sample_evaluate(&scenario, result);
    carries(result, "slopes>recon", 608, 608 / (PCIE_4 / 2), 1e-6, "gpu0.pcie.in");
}

TEST(host_links)
{
    struct result *result = sample_result();

    cluster();
    sample_set(&scenario, "component.recon.device", "gpu0");
    sample_set(&scenario, "device.gpu0.host_link", "nvlink");
    sample_set(&scenario, "device.gpu0.host_bandwidth", "450 GB/s");
    sample_evaluate(&scenario, result);
    carries(result, "slopes>recon", 608, 608 / 450e9, 1e-6, "gpu0.pcie.in");
    sample_set(&scenario, "device.gpu0.host_link", "unified");
    sample_evaluate(&scenario, result);
    CHECK_INT(result->node_count, 6);
    absent(result, "slopes>recon");
    /* to another host a unified board is as good as its host */
    sample_set(&scenario, "component.control.device", "node");
    sample_evaluate(&scenario, result);
    CHECK_INT(result->node_count, 7);
    carries(result, "recon>control", 400, network(400), NETWORK_LATENCY, "rtc.nic.out");
}

TEST(board_to_board)
{
    struct result *result = sample_result();

    cluster();
    sample_set(&scenario, "component.slopes.device", "gpu0");
    sample_set(&scenario, "component.recon.device", "gpu1");
    sample_evaluate(&scenario, result);
    carries(result, "calibration>slopes", 4 * 6400, 4 * 6400 / PCIE_4, 1e-6, "gpu0.pcie.in");
    carries(result, "slopes>recon", 608, 608 / PCIE_4, 1e-6, "gpu0.pcie.out");
    carries(result, "slopes>recon.2", 608, 608 / PCIE_4, 1e-6, "gpu1.pcie.in");
    absent(result, "slopes>recon.3");
    /* the second hop starts when the first has arrived */
    CHECK_NEAR(sample_node(result, "slopes>recon.2")->first_start,
               sample_node(result, "slopes>recon")->last_end, 1e-15);
}

TEST(other_hosts)
{
    struct result *result = sample_result();

    cluster();
    sample_set(&scenario, "component.slopes.device", "gpu0");
    sample_set(&scenario, "component.recon.device", "gpu2");
    sample_set(&scenario, "component.control.device", "node");
    sample_evaluate(&scenario, result);
    carries(result, "slopes>recon", 608, 608 / PCIE_4, 1e-6, "gpu0.pcie.out");
    carries(result, "slopes>recon.2", 608, network(608), NETWORK_LATENCY, "node.nic.in");
    carries(result, "slopes>recon.3", 608, 608 / PCIE_4, 1e-6, "gpu2.pcie.in");
    carries(result, "recon>control", 400, 400 / PCIE_4, 1e-6, "gpu2.pcie.out");
    absent(result, "recon>control.2");
    sample_set(&scenario, "component.recon.device", "node");
    sample_set(&scenario, "component.slopes.device", "rtc");
    /* the lower rate and mtu of both ends, both drivers */
    sample_set(&scenario, "device.rtc.nic", "100 Gb/s");
    sample_set(&scenario, "device.node.nic", "25 Gb/s");
    sample_set(&scenario, "device.node.nics", "2");
    sample_set(&scenario, "device.rtc.mtu", "1500");
    sample_set(&scenario, "device.node.driver", "1 us");
    sample_evaluate(&scenario, result);
    carries(result, "slopes>recon", 608, (608 + 66) / (50e9 / 8), 6.6e-6, "rtc.nic.out");
    sample_set(&scenario, "wfs.ngs.count", "4");
    sample_evaluate(&scenario, result);
    carries(result, "slopes>recon", 2432, (1472 + 66 + 960 + 66) / (50e9 / 8), 6.6e-6,
            "node.nic.in");
}

/* A camera feeds the host of its successor; raw pixels cross the bus. */
TEST(cameras)
{
    struct result *result = sample_result();

    cluster();
    sample_set(&scenario, "wfs.ngs.bit_depth", "12");
    sample_set(&scenario, "component.calibration.device", "gpu2");
    sample_evaluate(&scenario, result);
    carries(result, "camera>calibration", 9600, 9600 / PCIE_4, 1e-6, "gpu2.pcie.in");
    absent(result, "camera>calibration.2");
}

/* A mirror is fed by the host of its predecessor, with the bits of its commands. */
TEST(mirrors)
{
    struct result *result = sample_result();
    const struct node_result *dm;

    cluster();
    sample_set(&scenario, "component.control.device", "gpu0");
    sample_set(&scenario, "component.dm.bits_per_actuator", "12");
    sample_evaluate(&scenario, result);
    carries(result, "control>dm", 150, 150 / PCIE_4, 1e-6, "gpu0.pcie.out");
    dm = sample_node(result, "dm");
    CHECK_NEAR(dm->bytes, 150, 0);
    CHECK_NEAR(dm->time, network(150), 1e-12);
    CHECK_NEAR(dm->last_end - dm->first_start - dm->time, 5e-6 + 0.5e-6 + 0.1e-6, 1e-6);
    /* the last command out is the one that has reached the host */
    CHECK_NEAR(result->latency, sample_node(result, "control>dm")->last_end - 500e-6, 1e-12);
    CHECK_NEAR(result->dm[0].latency, dm->last_end - 500e-6, 1e-12);
    sample_set(&scenario, "component.dm.actuators", "40");
    sample_set(&scenario, "component.dm.hops", "3");
    sample_set(&scenario, "component.dm.length", "1 km");
    sample_evaluate(&scenario, result);
    dm = sample_node(result, "dm");
    CHECK_NEAR(dm->bytes, 60, 0);
    CHECK_NEAR(dm->last_end - dm->first_start - dm->time, 5e-6 + 1.5e-6 + 5e-6, 1e-6);
    sample_set(&scenario, "component.dm.link", "pcie");
    sample_evaluate(&scenario, result);
    dm = sample_node(result, "dm");
    CHECK_NEAR(dm->time, 60 / PCIE_4, 1e-12);
    CHECK_NEAR(dm->last_end - dm->first_start - dm->time, 1e-6, 1e-6);
    sample_set(&scenario, "component.dm.link", "none");
    sample_set(&scenario, "component.dm.settle", "300 us");
    sample_evaluate(&scenario, result);
    dm = sample_node(result, "dm");
    CHECK_NEAR(dm->time, 0, 0);
    CHECK_NEAR(dm->last_end, sample_node(result, "control>dm")->last_end, 0);
    CHECK_NEAR(result->dm[0].arrival, dm->last_end + 300e-6, 1e-12);
}

/* Two mirrors stand in the line of one host, in the order of the file. */
TEST(two_mirrors)
{
    struct result *result = sample_result();
    const struct node_result *first;
    const struct node_result *second;

    cluster();
    sample_component(&scenario, "tip", "dm");
    sample_set(&scenario, "component.tip.after", "control");
    sample_set(&scenario, "component.tip.actuators", "2");
    sample_evaluate(&scenario, result);
    first = sample_node(result, "dm");
    second = sample_node(result, "tip");
    CHECK_INT(result->dm_count, 2);
    CHECK_INT(result->dm[0].component, 5);
    CHECK_INT(result->dm[1].component, 6);
    CHECK_NEAR(first->time, network(200), 1e-12);
    CHECK_NEAR(second->time, network(4), 1e-12);
    CHECK_NEAR(second->first_start, first->first_start + first->time, 1e-12);
    CHECK_NEAR(result->dm[1].latency - result->dm[0].latency, second->time, 1e-6);
    CHECK_NEAR(result->link[0].busy, first->time + second->time, 1e-12);
    CHECK_STR(result->link[0].name, "rtc.nic.out");
    CHECK_INT(result->link_count, 1);
    CHECK_NEAR(result->latency, sample_node(result, "control")->last_end - 500e-6, 1e-12);
}

/* Two results leave a board by one queue: the second waits. */
TEST(a_shared_queue)
{
    struct result *result = sample_result();
    const struct node_result *a;
    const struct node_result *b;

    cluster();
    sample_set(&scenario, "component.recon.device", "gpu0");
    sample_component(&scenario, "log", "custom");
    sample_set(&scenario, "component.log.after", "recon");
    sample_evaluate(&scenario, result);
    a = sample_node(result, "recon>control");
    b = sample_node(result, "recon>log");
    CHECK(result->work->plan.queued);
    CHECK_NEAR(b->first_start, a->first_start + a->time, 1e-12);
    for (int l = 0; l < result->link_count; l++)
        if (strcmp(result->link[l].name, "gpu0.pcie.out") == 0)
            CHECK_NEAR(result->link[l].busy, a->time + b->time, 1e-12);
    /* in and out are two queues */
    sample_set(&scenario, "component.log.after", "control");
    sample_evaluate(&scenario, result);
    CHECK(!result->work->plan.queued);
}

/* A transfer as a component replaces the inserted one. */
TEST(stated_transfers)
{
    struct result *result = sample_result();
    const struct node_result *link;
    struct error error;

    cluster();
    CHECK_INT(scenario_insert(&scenario, SECTION_COMPONENT, 4, "cable", &error), STATUS_OK);
    sample_set(&scenario, "component.cable.type", "transfer");
    sample_set(&scenario, "component.cable.hops", "2");
    sample_set(&scenario, "component.cable.switch", "store-forward");
    sample_set(&scenario, "component.control.device", "node");
    sample_evaluate(&scenario, result);
    CHECK_INT(result->node_count, 7);
    link = sample_node(result, "cable");
    CHECK_NEAR(link->bytes, 400, 0);
    CHECK_NEAR(link->time, network(400), 1e-12);
    CHECK_NEAR(link->last_end - link->first_start - link->time,
               10e-6 + 2 * 9038 * 8 / 10e9 + 0.1e-6, 1e-9);
    sample_set(&scenario, "component.cable.bytes", "1 MB");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "cable")->time, network(1e6), 1e-12);
    sample_set(&scenario, "component.cable.link", "pcie");
    sample_set(&scenario, "component.recon.device", "gpu0");
    sample_set(&scenario, "component.control.device", "rtc");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "cable")->time, 1e6 / PCIE_4, 1e-12);
    absent(result, "recon>cable");
    absent(result, "cable>control");
}

/* Transfers pipeline: busy for the wire only, each packet late by the latency. */
/* A network joins hosts; the boards on them have their own way to it. */
TEST(stated_networks_end_at_hosts)
{
    struct result *result = sample_result();
    struct error error;

    cluster();
    CHECK_INT(scenario_insert(&scenario, SECTION_COMPONENT, 4, "cable", &error), STATUS_OK);
    sample_set(&scenario, "component.cable.type", "transfer");
    sample_set(&scenario, "component.recon.device", "gpu0");
    sample_set(&scenario, "component.control.device", "gpu2");
    sample_evaluate(&scenario, result);
    carries(result, "recon>cable", 400, 400 / PCIE_4, 1e-6, "gpu0.pcie.out");
    carries(result, "cable>control", 400, 400 / PCIE_4, 1e-6, "gpu2.pcie.in");
    CHECK_NEAR(sample_node(result, "cable")->time, network(400), 1e-12);
}

TEST(packets_pipeline)
{
    static const double weights[] = {4, 8, 8, 8, 10, 10, 8, 8, 8, 4}; /* subapertures of each row */
    struct result *result = sample_result();
    const struct node_result *link;
    double wire = 0;

    cluster();
    sample_set(&scenario, "scenario.packets", "10");
    sample_set(&scenario, "component.recon.device", "node");
    sample_evaluate(&scenario, result);
    link = sample_node(result, "slopes>recon");
    for (int i = 0; i < 10; i++)
        wire += network(608 * weights[i] / 76);
    CHECK_NEAR(link->time, wire, 1e-12);
    CHECK(link->last_end - link->first_start < 10 * (NETWORK_LATENCY + 50e-6));
    CHECK_NEAR(link->last_end - sample_node(result, "slopes")->last_end - NETWORK_LATENCY,
               network(4 * 8), 1e-3);
}
