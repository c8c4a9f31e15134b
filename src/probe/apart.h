/* Measuring in a process of its own, because a driver may crash or hang. */
#ifndef AOLAG_PROBE_APART_H
#define AOLAG_PROBE_APART_H

#include "probe/probe.h"

/* Measures what `run` says, with the error it fills, in a child process whose points, progress and
 * conditions are those of `probe`. The child has no input, prints nothing, and may use all cores
 * until it pins itself.
 *
 * Errors: that of `run`; STATUS_IO if `driver` ("the GPU's driver") crashed, ended the process, or
 * was silent for `patience` seconds, in which no sample was measured. When the probe is stopped the
 * child is killed and STATUS_OK returned. The process must have one thread. */
enum status probe_apart(struct probe *probe, const char *driver, double patience,
                        enum status (*run)(struct probe *probe, struct error *error),
                        struct error *error);

#endif
