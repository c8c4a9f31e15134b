/* Peak rates and memory levels of a device, by the formulas of formulas.def. Theoretical rates:
 * vendors' own arithmetic, all sockets together.
 *
 * (4 channels of 64 bit DDR4-3200: 102.4 GB/s; 128-bit SSE, one pipe, no FMA: 4 FLOP/cycle fp32.)
 */
#ifndef AOLAG_MODEL_DEVICE_H
#define AOLAG_MODEL_DEVICE_H

#include "design/algorithm.h"
#include "design/scenario.h"
#include "model/memory.h"

/* FLOP/s at a precision; int8 counts operations. Always above 0 for values within range. */
double device_peak(const struct device *device, enum precision precision);

/* Elements in a SIMD register of a CPU. */
static inline double device_lanes(const struct device *device, enum precision precision)
{
    return device->simd_bits / (8 * precision_bytes(precision));
}

/* A CPU whose add is known was measured: so are its caches then. */
static inline bool device_knows_operations(const struct device *device)
{
    return device->kind == DEVICE_CPU && device->add_latency > 0;
}

/* Seconds of one operation of such a chain; 0: unknown, as on a GPU. */
static inline double device_chain_latency(const struct device *device, enum chain chain)
{
    if (device->kind == DEVICE_GPU)
        return 0;
    return chain == CHAIN_PIXELS ? device->add_latency
           : chain == CHAIN_ROWS ? device->fma_latency
                                 : 0;
}

/* Whether it states how many single numbers a core adds per cycle, and such a chain adds them. */
static inline bool device_knows_scalars(const struct device *device, enum chain chain)
{
    return chain == CHAIN_PIXELS && device_chain_latency(device, chain) > 0 &&
           device->scalar_rate > 0;
}

/* B/s of main or device memory. */
double device_bandwidth(const struct device *device);

/* Cores of all sockets; 0 for a GPU. */
static inline double device_cores(const struct device *device)
{
    return device->kind == DEVICE_GPU ? 0 : device->sockets * device->cores;
}

/* The levels that `workers` cores see, socket after socket filled; 0: all cores, which then draw
 * all that the memory channels give. Where nobody states them, with w cores at clock f in use:
 *
 *     CPU  L1 32 KiB a core, 64 w f B/s, 1.5 ns; L2 1 MiB a core, 32 w f, 5 ns;
 *          L3 2 MiB per core of each socket in use, f min(24 w, 10 C_u) with C_u the cores of the
 *          sockets in use, 30 ns; memory the channels', w core bandwidths (8 f) at most, 100 ns
 *     GPU  L2 4 MiB, 3 times device memory, 200 ns; no L3 (2 times, 300 ns); memory 500 ns
 *
 * An assumed bandwidth of a level is at least that of the next outer one. Of a stated L3, which is
 * that of all cores of a socket, `workers` draw at most what l3_core_bandwidth states, else what
 * its formula gives, each. Of each capacity cache_usable counts; a capacity of 0 is no level. The
 * latency of one access is divided by the accesses in flight: `outstanding` per core in use or per
 * unit. Without numa, memory and L3 are those of one socket. */
void device_memory(const struct device *device, double workers, struct memory *memory);

/* B/s one core draws from memory at most, stated or assumed; 0 for a GPU. */
double device_core_bandwidth(const struct device *device);

/* The levels that all cores see, `all`, as their knobs have them: capacity and bandwidth of a core,
 * a socket or a whole GPU (of memory the device's), latency of one access. */
void device_memory_knobs(const struct device *device, const struct memory *all,
                         struct memory *each);

/* The fraction of peak FLOP/s a device reaches where the component states none.
 *
 * For the sums of a centroid on a CPU it is a rate that does not change from one core to the next.
 * Compiled from plain C each subaperture's sums are a chain, every add waits for the one before it,
 * and neither wider SIMD units nor a narrower precision make the chain shorter. Measured on cores
 * of 32 FLOP a cycle (two 256-bit FMA pipes, fp32), 0.05 is 1.6 FLOP a cycle; a core of another
 * width, or at another precision, does the same 1.6 (never more than all it can):
 *
 *     efficiency = min(1, 0.05 x 32 / FLOP per cycle and core)
 *
 * 1024 subapertures of 8 x 8 pixels (326 656 FLOP) on one core take 36-47 us at 5.7-4.3 GHz, where
 * 0.05 of a 512-bit core's peak would say 18-24 us and 47-61 us are measured. The running sums of
 * CuReD are such chains, too. Loops over pixels that do not depend on one another (calibration,
 * pyramid) vectorise and keep their fraction.
 *
 * On a device that knows its operations (it states an add latency, as a measured one does) those
 * loops take all of the peak: a few FLOP an element in full registers, they wait for the loads and
 * stores, whose rate is the measured bandwidth of the level that serves them. That fraction stood
 * for just this where no bandwidth was measured. (Calibration of 57 600 pixels, all in L2, on one
 * core of 3.69 GHz: 7.5 us measured, 7.4 from bytes, 8.1 from FLOP at 0.12 of peak; in L1 twice as
 * fast as from FLOP.) */
double device_efficiency(const struct device *device, const struct algorithm *row,
                         enum precision precision);

#endif
