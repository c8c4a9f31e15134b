#include "design/scenario_edit.h"
#include "model/device.h"

#include "check.h"
#include "sample.h"

static struct scenario scenario;

static void one_core(const char *simd_bits)
{
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "core");
    sample_set(&scenario, "device.core.cores", "1");
    sample_set(&scenario, "device.core.clock", "1 GHz");
    sample_set(&scenario, "device.core.fma_pipes", "1");
    sample_set(&scenario, "device.core.fma", "no");
    sample_set(&scenario, "device.core.simd_bits", simd_bits);
}

/* SSE 4, AVX2 8, AVX-512 16 FLOP a cycle. */
TEST(flop_per_cycle)
{
    static const struct {
        const char *bits;
        double flop;
    } cases[] = {{"128", 4}, {"256", 8}, {"512", 16}};

    for (int i = 0; i < 3; i++) {
        one_core(cases[i].bits);
        CHECK_NEAR(device_peak(&scenario.device[0], PRECISION_FP32), cases[i].flop * 1e9, 0);
    }
}

TEST(multiplies_what_a_processor_has)
{
    one_core("256");
    sample_set(&scenario, "device.core.fma", "yes");
    CHECK_NEAR(device_peak(&scenario.device[0], PRECISION_FP32), 16e9, 0);
    sample_set(&scenario, "device.core.fma_pipes", "2");
    CHECK_NEAR(device_peak(&scenario.device[0], PRECISION_FP32), 32e9, 0);
    sample_set(&scenario, "device.core.cores", "96");
    sample_set(&scenario, "device.core.clock", "3.55 GHz");
    sample_set(&scenario, "device.core.sockets", "2");
    CHECK_NEAR(device_peak(&scenario.device[0], PRECISION_FP32), 21.8112e12, 1e-15);
}

TEST(precisions_of_a_processor)
{
    one_core("256");
    CHECK_NEAR(device_peak(&scenario.device[0], PRECISION_FP64), 4e9, 0);
    CHECK_NEAR(device_peak(&scenario.device[0], PRECISION_FP16), 16e9, 0);
    CHECK_NEAR(device_peak(&scenario.device[0], PRECISION_BF16), 16e9, 0);
    CHECK_NEAR(device_peak(&scenario.device[0], PRECISION_INT8), 32e9, 0);
}

/* Four channels of 64 bit DDR4-3200. */
TEST(memory_of_a_processor)
{
    one_core("256");
    CHECK_NEAR(device_bandwidth(&scenario.device[0]), 102.4e9, 0);
    sample_set(&scenario, "device.core.sockets", "2");
    CHECK_NEAR(device_bandwidth(&scenario.device[0]), 204.8e9, 0);
    sample_set(&scenario, "device.core.memory_channels", "12");
    sample_set(&scenario, "device.core.memory_rate", "4800 MT/s");
    CHECK_NEAR(device_bandwidth(&scenario.device[0]), 921.6e9, 0);
    sample_set(&scenario, "device.core.channel_bits", "16");
    CHECK_NEAR(device_bandwidth(&scenario.device[0]), 230.4e9, 0);
}

/* The default is an A100: 19.49 TFLOP/s, 2039 GB/s. */
TEST(an_accelerator)
{
    const struct device *gpu = &scenario.device[0];

    scenario_init(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
    CHECK_NEAR(device_peak(gpu, PRECISION_FP32), 19.49184e12, 1e-15);
    CHECK_NEAR(device_bandwidth(gpu), 2039.04e9, 1e-15);
    CHECK_NEAR(device_peak(gpu, PRECISION_FP64), 9.74592e12, 1e-15);
    CHECK_NEAR(device_peak(gpu, PRECISION_FP16), 38.98368e12, 1e-15);
    CHECK_NEAR(device_peak(gpu, PRECISION_BF16), 38.98368e12, 1e-15);
    CHECK_NEAR(device_peak(gpu, PRECISION_INT8), 77.96736e12, 1e-15);
    sample_set(&scenario, "device.gpu0.fp64_ratio", "0.03125");
    sample_set(&scenario, "device.gpu0.fp16_ratio", "1");
    sample_set(&scenario, "device.gpu0.int8_ratio", "8");
    CHECK_NEAR(device_peak(gpu, PRECISION_FP64), 0.60912e12, 1e-15);
    CHECK_NEAR(device_peak(gpu, PRECISION_BF16), 19.49184e12, 1e-15);
    CHECK_NEAR(device_peak(gpu, PRECISION_INT8), 155.93472e12, 1e-15);
    sample_set(&scenario, "device.gpu0.transfers_per_clock", "16");
    sample_set(&scenario, "device.gpu0.bus_bits", "512");
    CHECK_NEAR(device_bandwidth(gpu), 1631.232e9, 1e-15);
}
