#include "check.h"
#include "design/scenario_edit.h"
#include "model/link.h"
#include "sample.h"

static struct scenario scenario;

/* Two cameras may stand for one sensor, but it is read out in one order. */
TEST(one_order_a_sensor)
{
    sample_chain(&scenario);
    sample_component(&scenario, "camera-b", "camera");
    sample_component(&scenario, "spare", "calibration");
    CHECK_TRUE(sample_evaluate(&scenario, sample_result()), "two cameras in one order");
    sample_set(&scenario, "component.camera-b.order", "frame");
    sample_refused(&scenario, "component.camera-b.order: it is not that of component.camera, and "
                              "both read wfs.ngs");
}

/* Whichever host comes first in the file, the one with the smaller datagrams sets the pace. */
TEST(gige_takes_the_smallest_mtu)
{
    static const char *const mtus[2][2] = {{"9000", "1500"}, {"1500", "9000"}};
    struct wire wire = wire_ethernet(1e9, 1500);
    double raw = 80 * 80 * 16 / 8.0; /* 10 x 10 subapertures of 8 x 8 px */
    double rate = wire.payload / wire_time(&wire, wire.payload);

    for (int i = 0; i < 2; i++) {
        sample_chain(&scenario);
        sample_add(&scenario, SECTION_DEVICE, "second");
        sample_component(&scenario, "spare", "calibration");
        sample_set(&scenario, "component.spare.after", "camera");
        sample_set(&scenario, "component.spare.device", "second");
        sample_set(&scenario, "component.camera.readout", "0");
        sample_set(&scenario, "component.camera.interface", "gige-vision");
        sample_set(&scenario, "component.camera.link_rate", "1 Gb/s");
        sample_set(&scenario, "device.rtc.mtu", mtus[i][0]);
        sample_set(&scenario, "device.second.mtu", mtus[i][1]);
        if (sample_evaluate(&scenario, sample_result()))
            CHECK_NEAR(sample_node(sample_result(), "camera")->time, raw / rate, 1e-12);
    }
}

/* A board without a CPU in the file is its own host, and its network can be set. */
TEST(a_gpu_alone_has_a_network)
{
    double slow;
    double fast;

    scenario_init(&scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    sample_add(&scenario, SECTION_DEVICE, "a");
    sample_add(&scenario, SECTION_DEVICE, "b");
    sample_set(&scenario, "device.a.kind", "gpu");
    sample_set(&scenario, "device.b.kind", "gpu");
    sample_component(&scenario, "camera", "camera");
    sample_component(&scenario, "slopes", "centroid");
    sample_component(&scenario, "recon", "reconstruction");
    sample_set(&scenario, "component.recon.device", "b");
    sample_evaluate(&scenario, sample_result());
    slow = sample_node(sample_result(), "slopes>recon")->time;
    sample_set(&scenario, "device.a.nic", "100 Gb/s");
    sample_set(&scenario, "device.b.nic", "100 Gb/s");
    sample_evaluate(&scenario, sample_result());
    fast = sample_node(sample_result(), "slopes>recon")->time;
    CHECK_NEAR(slow / fast, 10, 1e-9);
}
