/* Late wake-ups: delays of whole frames, beyond the variation of each slot (jitter.h).
 *
 * A thread that waits for a packet or for a GPU now and then wakes up late: an interrupt, a timer
 * or another thread held its core. A device states by how much, beyond the median, as quantiles
 * (enum late); those it does not state depend on its kind and the `os` of its host, and are no
 * larger than a later one that it states:
 *
 *                        p90   p99   p99.9  p99.99  p99.999   max, us
 *     CPU, realtime        2    10      16      20       25        30
 *     CPU, stock          15   150     450     850     1150      1400
 *     GPU                 56   102     136     164      188       209
 *     FPGA               6.8  12.3    16.3    19.6     22.5      25.1
 *     os = ideal           0     0       0       0        0         0    its GPUs and FPGAs, too
 *
 * CPU, realtime: a graph of threads with sleep states off has p99 - p50 of 3.2-18 and 7.2-57.4 us
 * over windows of two programs (REVOLT Classic); the largest latencies of cyclictest are 6.5 to 35
 * us (NI PXIe-8880 and 8881, where 99.9999 % stay below 14.5; an aarch64 and a J1900 board). CPU,
 * stock: the same programs with sleep states, or without known settings, have p99 - p50 of 9 to 865
 * us, around 150; a J1900 board had 129 us, stress-ng without priority 2074 us. GPU and FPGA: 25 us
 * rms of DARC with GPUs at ELT size, with one outlier in a million frames, and 3 us rms of DARC
 * with an FPGA (Bitenc 2017; Basden 2010): a normal distribution above the median, none below,
 * whose rms is this.
 *
 * What p90 a CPU has is assumed: low, because the median of a frame is that of its parts.
 *
 * Between quantiles the delay is linear in n = -log10(probability to exceed it), from 0 at the
 * median; with n above 6, once in a million frames, it is the largest. A quantile below the one
 * before counts as that one. */
#ifndef AOLAG_MODEL_LATE_H
#define AOLAG_MODEL_LATE_H

#include <stdbool.h>
#include <stdint.h>

#include "design/scenario.h"
#include "model/result.h"

/* Returns the delay, s, in force of a quantile. */
double late_quantile(const struct scenario *scenario, int device, enum late quantile);

/* Returns true if a device is ever late. */
bool late_any(const struct scenario *scenario, int device);

/* Returns true if components run on the device or on a GPU of which it is the host. */
bool late_matters(const struct scenario *scenario, int device);

/* Returns the delay, s, that is exceeded with this probability, above 0, for the quantiles in force
 * of a device. */
double late_delay(const double quantile[LATE_COUNT], double probability);

/* Returns the probability, 0 to 1, that a delay exceeds `delay`, s. */
double late_exceeded(const double quantile[LATE_COUNT], double delay);

/* Returns the devices whose late wake-ups delay the frames of an evaluated design, bit i for device
 * i: those with work on the critical path after the last pixel, and the hosts of GPUs among them
 * unless their kernels run all the time (dispatch = persistent). */
uint32_t late_devices(const struct scenario *scenario, const struct result *result);

#endif
