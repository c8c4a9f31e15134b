/* Peak rates of a device. Theoretical: vendors' own arithmetic, all sockets together.
 *
 * CPU  FLOP/s = sockets cores clock lanes pipes (2 with FMA), lanes = SIMD bits / element bits
 *      B/s    = sockets channels channel bits / 8 transfer rate
 * GPU  FLOP/s = units clock ops_per_clock, times the ratio of the precision
 *      B/s    = bus bits / 8 memory clock transfers per clock
 *
 * (4 channels of 64 bit DDR4-3200: 102.4 GB/s; 128-bit SSE, one pipe, no FMA: 4 FLOP/cycle fp32.)
 */
#ifndef AOLAG_DEVICE_H
#define AOLAG_DEVICE_H

#include "scenario.h"

/* FLOP/s at a precision; int8 counts operations. Always above 0 for values within range. */
double device_peak(const struct device *device, enum precision precision);

/* B/s of main or device memory. */
double device_bandwidth(const struct device *device);

#endif
