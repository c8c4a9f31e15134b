/* Peak rates and memory levels of a device, computed by formulas.def. Rates are theoretical,
 * computed as vendors do, for all sockets together. (4 channels of 64 bit DDR4-3200: 102.4 GB/s;
 * 128-bit SSE, one pipe, no FMA: 4 FLOP/cycle fp32.) */
#ifndef AOLAG_MODEL_DEVICE_H
#define AOLAG_MODEL_DEVICE_H

#include "design/algorithm.h"
#include "design/scenario.h"
#include "model/cases.h"
#include "model/memory.h"

/* Returns the peak FLOP/s at a precision; OP/s for int8. Above 0 for all values within range. */
double device_peak(const struct device *device, enum precision precision);

/* Returns true for a measured CPU: if its add latency is known, so are its caches. */
static inline bool device_has_operation_latencies(const struct device *device)
{
    return device->kind == DEVICE_CPU && device->add_latency > 0;
}

/* Returns the latency, s, of one operation of such a chain; 0 if unknown, as on a GPU. */
static inline double device_chain_latency(const struct device *device, enum chain chain)
{
    if (device->kind == DEVICE_GPU)
        return 0;
    return chain == CHAIN_PIXELS ? device->add_latency
           : chain == CHAIN_ROWS ? device->fma_latency
                                 : 0;
}

/* Returns the bandwidth, B/s, of main or device memory. */
double device_bandwidth(const struct device *device);

/* Returns the kind of memory, which follows from the width of the buses, of a preset as it is sold:
 * "HBM" (128 bit a channel of a CPU, 1024 bit or more of a GPU, or stated of an FPGA), "LPDDR"
 * (less than 64 bit a channel; a GPU that shares the host's memory), "GDDR" or "DDR". Empty for
 * other FPGAs, and for a CPU with memory of a stated size on channels of 64 bit. */
const char *device_memory_kind(const struct device *device);

/* Returns the number of cores of all sockets of a CPU; 0 for others. */
double device_cores(const struct device *device);

/* Returns true if threads outnumber the cores of a CPU, so that they have to wait for one. */
static inline bool device_is_crowded(const struct device *device, double threads)
{
    return device->kind == DEVICE_CPU && threads > device_cores(device);
}

/* Computes the memory levels available to `workers` cores, filling socket after socket; 0: all
 * cores, which can use the full bandwidth of the memory channels. Defaults for values that are not
 * stated, with w cores at clock f in use:
 *
 *     CPU  L1 32 KiB a core, 64 w f B/s, 1.5 ns; L2 1 MiB a core, 32 w f, 5 ns;
 *          L3 2 MiB per core of each socket in use, f min(24 w, 10 C_u) with C_u the cores of the
 *          sockets in use, 30 ns; memory the channels', w core bandwidths (8 f, or the
 *          part of a core if that is more) at most, 100 ns
 *     GPU  L2 4 MiB, 2.1 times device memory, 200 ns; no L3 (2 times, 300 ns); memory 500 ns
 *
 * An assumed bandwidth of a level is at least that of the next outer level. A stated L3 bandwidth
 * is that of all cores of a socket; each of `workers` gets at most l3_core_bandwidth, stated or
 * from its formula. Only the fraction cache_usable of each capacity counts; a capacity of 0 means
 * no level. The latency of one access is divided by the accesses in flight: `outstanding` per core
 * in use or per unit. Without numa, memory and L3 are those of one socket. */
void device_memory(const struct device *device, double workers, struct memory *memory);

/* Returns the maximum memory bandwidth, B/s, of one core, stated or assumed; 0 for others. */
double device_core_bandwidth(const struct device *device);

/* Converts the levels of all cores, `all`, to the units of their knobs: capacity and bandwidth per
 * core, socket or GPU (of memory: per device), latency of one access. */
void device_memory_knobs(const struct device *device, const struct memory *all,
                         struct memory *each);

/* Returns the fraction of peak FLOP/s that an algorithm reaches on a device, as `stated` or, with
 * 0, by default: all of it where dependency chains count separately. Notes the case.
 *
 * For the sums of a centroid on a CPU this is a rate that is the same on all cores. Compiled from
 * plain C, the sums of each subaperture are a dependency chain: every add waits for the previous
 * one, and neither wider SIMD units nor lower precision shorten the chain. On the measured cores
 * with 32 FLOP per cycle (two 256-bit FMA pipes, fp32), 0.05 means 1.6 FLOP per cycle; a core of
 * another width, or at another precision, reaches the same 1.6 (but never more than its peak):
 *
 *     efficiency = min(1, 0.05 x 32 / FLOP per cycle and core)
 *
 * 1024 subapertures of 8 x 8 pixels (326 656 FLOP) on one core take 36-47 us at 5.7-4.3 GHz, while
 * 0.05 of the peak of a 512-bit core would give 18-24 us; 47-61 us were measured. The running sums
 * of CuReD are such chains, too. Loops over independent pixels (calibration, pyramid) vectorise and
 * keep their fraction.
 *
 * On a device with known operation latencies (it states an add latency, like measured devices)
 * those loops reach the full peak: with a few FLOP per element in full registers, they wait for
 * loads and stores, whose rate is the measured bandwidth of the level that serves them. The
 * fraction represents this effect if no bandwidth was measured. (Calibration of 57 600 pixels, all
 * in L2, on one core at 3.69 GHz: 7.5 us measured, 7.4 from bytes, 8.1 from FLOP at 0.12 of peak;
 * in L1 twice as fast as from FLOP.) */
double device_efficiency(unsigned char taken[CASES_COUNT], const struct device *device,
                         const struct algorithm *row, enum precision precision, double stated);

#endif
