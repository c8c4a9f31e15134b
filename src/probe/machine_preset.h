/* A measured machine as a device preset: INI text like a vendor's, and where it is kept.
 *
 * Which figure feeds which knob, so that device_memory gives back what was measured, for one worker
 * and for all cores:
 *
 *     cores                all that were measured together, as one socket
 *     clock, simd_bits, fma_pipes, fma, sustained_compute
 *                          such that peak times sustained is the fma rate measured (machine.h)
 *     l1, l2, l3           capacities as the staircase shows them to one core, of the last one as
 *                          sweeps find it where that is more; l3 of as many as the machine has.
 *                          Of a level that there is not 0, none
 *     cache_usable         the part of them that makes the hit share right at the knee (machine.h)
 *     l1_latency ... memory_latency
 *                          of one access; outstanding is that of main memory
 *     l1_bandwidth, l2_bandwidth
 *                          of a core, machine_own_bandwidth
 *     l3_bandwidth, memory_channels channel_bits memory_rate
 *                          of all cores together. A bus is not seen in a measurement: so few
 *                          channels of 64 bits are stated that the rate is within range
 *     l3_core_bandwidth, core_bandwidth
 *                          what one core draws from L3 and from memory
 *     sustained_memory     machine.h
 *     launch               of threads that wait awake, as a real-time program's do
 *     add_latency, fma_latency, window, operand_bandwidth, scalar_rate, jitter, pc
 *
 * Numbers have four digits. A value beyond a knob's range is stated at its end, with a comment; one
 * that was not measured is left out, with a comment. */
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

/* Whether machine_save could keep a measurement under this name, but for what is measured: for
 * asking before a minute of measuring. Makes the directory where it is missing. Errors as of
 * machine_save. */
enum status machine_save_check(const char *name, struct error *error);

/* Keeps a measurement as the user's preset NAME: NAME.ini in the directory of the user's presets
 * (preset.h), which is made where it is missing, and NAME.csv with the points beside it. free()
 * `path` (may be NULL), that of the preset.
 *
 * STATUS_INVALID: the name is none for a preset, an embedded one has it, or nothing was measured
 * that a preset states. STATUS_CONFLICT: a preset of that name exists that was not measured, or one
 * of another folder, or NAME.csv is another file. Measured ones are replaced. STATUS_IO. */
enum status machine_save(const struct measurement *measurement, const char *name, char **path,
                         struct error *error);

/* The device that such a preset would be: the text, read as any preset is. STATUS_MEMORY,
 * STATUS_INVALID. */
enum status machine_device(const struct measurement *measurement, struct device *device,
                           struct error *error);

#endif
