/* A measured machine as a device preset: INI text like a vendor's, and where it is saved.
 *
 * Which figure determines which knob, so that device_memory reproduces the measurement, for one
 * worker and for all cores:
 *
 *     cores                all cores measured together, as one socket
 *     clock, simd_bits, fma_pipes, fma, sustained_compute
 *                          peak times sustained is the measured FMA rate (machine.h)
 *     l1, l2, l3           capacities at the knees of the staircase for one core, of the last cache
 *                          the capacity that bandwidth sweeps show where that is more; l3 of all
 *                          caches together. 0 for a level that does not exist
 *     cache_usable         fraction that reproduces the hit ratio at a knee (machine.h)
 *     l1_latency ... memory_latency
 *                          of one access; outstanding is that of main memory
 *     l1_bandwidth, l2_bandwidth
 *                          per core, machine_own_bandwidth
 *     l3_bandwidth, memory_channels channel_bits memory_rate
 *                          of all cores together. The bus cannot be measured: as few channels of 64
 *                          bits as keep the rate within its range
 *     l3_core_bandwidth, core_bandwidth
 *                          of one core alone
 *     sustained_memory     machine.h
 *     launch               of spinning threads, as in a real-time program
 *     add_latency, fma_latency, window, operand_bandwidth, scalar_rate, jitter, pc
 *
 * Numbers have four digits. A value beyond a knob's range is clamped, with a comment; a value that
 * was not measured is left out, with a comment. */
#ifndef AOLAG_PROBE_MACHINE_PRESET_H
#define AOLAG_PROBE_MACHINE_PRESET_H

#include "base/buffer.h"
#include "base/status.h"
#include "design/scenario.h"
#include "probe/machine.h"
#include "probe/measurement.h"

/* The text, always one that is read without an error; conditions and the models fitted to the
 * Apex-MAP surface are comments. */
void machine_preset(struct buffer *buffer, const struct measurement *measurement,
                    const struct machine *machine);

/* Whether machine_save can save under this name, to be checked before measuring. Creates the
 * directory. Errors as of machine_save. */
enum status machine_save_check(const char *name, struct error *error);

/* Saves a measurement as the user's preset NAME: NAME.ini in the directory of the user's presets
 * (preset.h), which is created, and the points in NAME.csv beside it. free() `path` (may be NULL),
 * that of the preset.
 *
 * STATUS_INVALID: not a valid name, the name of an embedded preset, or nothing to save was
 * measured. STATUS_CONFLICT: the user has a preset of that name that was not measured or is in
 * another folder, or NAME.csv is not a measurement. Measured presets are replaced. STATUS_IO. */
enum status machine_save(const struct measurement *measurement, const char *name, char **path,
                         struct error *error);

/* The device that such a preset would be: the text, read as any preset is. STATUS_MEMORY,
 * STATUS_INVALID. */
enum status machine_device(const struct measurement *measurement, struct device *device,
                           struct error *error);

#endif
