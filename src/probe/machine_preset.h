/* A measured machine as a device preset: INI text in the form of a vendor preset, and its files.
 *
 * Figures and the knobs they determine, so that device_memory reproduces the measurement for one
 * worker and for all cores:
 *
 *     cores                all cores measured together, as one socket
 *     clock, simd_bits, fma_pipes, fma, sustained_compute
 *                          peak times sustained is the measured FMA rate (machine.h)
 *     l1, l2, l3           capacities at the knees of the single-core staircase; for the last cache
 *                          the capacity from bandwidth sweeps if larger; l3 is the sum of all
 *                          caches. 0 for a missing level
 *     cache_usable         fraction that reproduces the hit ratio at a knee (machine.h)
 *     l1_latency ... memory_latency
 *                          one access; `outstanding` is that of main memory
 *     l1_bandwidth, l2_bandwidth
 *                          per core, machine_own_bandwidth
 *     l3_bandwidth, memory_channels channel_bits memory_rate
 *                          all cores together. The bus cannot be measured: the smallest number of
 *                          64-bit channels that keeps the rate within its range
 *     l3_core_bandwidth, core_bandwidth
 *                          one core alone
 *     sustained_memory     machine.h
 *     boundary             barrier of spinning threads, as in a real-time program
 *     dispatch, launch, handover, ingress_latency, datagram_time, egress_latency, sleep_latency
 *                          dispatch_times (dispatch_points.h); a hand-over only of processes. Those
 *                          of the other ways to start work as wake.launch
 *     os                   realtime if the measured core is isolated, else stock
 *     add_latency, fma_latency, window, issue, operand_bandwidth, scalar_rate, jitter, pc
 *
 * A measurement of nothing but a GPU (gpu_machine.h) is a device of kind gpu:
 *
 *     clock, l2, memory_size     as the driver reports them; clock 1 GHz if it does not
 *     sustained_clock            the clock times the rate after half a minute over the peak
 *     units, sustained_compute   their product with the clock is the measured rate
 *     bus_bits, transfers_per_clock, memory_clock
 *                                read bandwidth; sustained_memory is 1
 *     memory_latency, l2_latency, l2_bandwidth
 *     dispatch, launch, boundary, enqueue, copy_latency; of the other ways as graph.launch
 *     host_link, pcie_gen        the first generation of 16 lanes that carries the copies
 *
 * Numbers have four digits. Values outside a knob's range are clamped and values that were not
 * measured are omitted, both with a comment. */
#ifndef AOLAG_PROBE_MACHINE_PRESET_H
#define AOLAG_PROBE_MACHINE_PRESET_H

#include "base/buffer.h"
#include "base/status.h"
#include "design/scenario.h"
#include "probe/machine.h"
#include "probe/measurement.h"

/* Writes the preset, which always parses without error; conditions and the models
 * fitted to the Apex-MAP surface are comments. DISPATCH_STREAM is
 * the first way of any device, of a CPU spin. */
void machine_preset(struct buffer *buffer, const struct measurement *measurement,
                    const struct machine *machine, enum dispatch dispatch);

/* Checks before a measurement that machine_save can save under this name, and creates the
 * directory. Errors as in machine_save. */
enum status machine_save_check(const char *name, struct error *error);

/* Saves a measurement as user preset NAME: NAME.ini in the directory of user presets (preset.h),
 * which is created if necessary, and its points in NAME.csv next to it. Stores the path of the
 * preset in `path` unless NULL; the caller frees it.
 *
 * Existing measured presets are replaced. Returns STATUS_INVALID for an invalid name, the name of
 * an embedded preset, a measurement without usable points or without that dispatch;
 * STATUS_CONFLICT if the user has a preset of that name that was not measured or is in another
 * folder, or if NAME.csv is not a measurement; STATUS_IO. */
enum status machine_save(const struct measurement *measurement, const char *name,
                         enum dispatch dispatch, char **path, struct error *error);

/* Returns true if the preset of a measurement is a GPU: nothing else was measured but kernels. */
bool machine_preset_is_gpu(const struct measurement *measurement);

/* Creates the device of the preset by parsing its text. Returns STATUS_INVALID if it is refused. */
enum status machine_device(const struct measurement *measurement, struct device *device,
                           struct error *error);

#endif
