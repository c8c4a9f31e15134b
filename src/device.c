#include "device.h"

#include "workload.h"

static double precision_ratio(const struct device *device, enum precision precision)
{
    switch (precision) {
    case PRECISION_FP64:
        return device->fp64_ratio;
    case PRECISION_FP16:
    case PRECISION_BF16:
        return device->fp16_ratio;
    case PRECISION_INT8:
        return device->int8_ratio;
    case PRECISION_FP32:
        break;
    }
    return 1;
}

double device_scalar_flops(const struct device *device, enum chain chain)
{
    if (!chain_scalar(chain) || device_chain_latency(device, chain) == 0)
        return 0;
    return device->clock * device->scalar_rate;
}

double device_peak(const struct device *device, enum precision precision)
{
    double lanes;

    if (device->kind == DEVICE_GPU)
        return device->units * device->clock * device->ops_per_clock *
               precision_ratio(device, precision);
    lanes = device_lanes(device, precision);
    return device->sockets * device->cores * device->clock * lanes * device->fma_pipes *
           (device->fma ? 2 : 1);
}

double device_bandwidth(const struct device *device)
{
    if (device->kind == DEVICE_GPU)
        return device->bus_bits / 8 * device->memory_clock * device->transfers_per_clock;
    return device->sockets * device->memory_channels * device->channel_bits / 8 *
           device->memory_rate;
}
