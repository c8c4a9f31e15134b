/* Measurements of a machine that is known: what its probes would give. */
#ifndef AOLAG_MACHINE_FIXTURE_H
#define AOLAG_MACHINE_FIXTURE_H

#include "probe/machine.h"

/* A processor of 4 cores with three caches, all figures known. */
extern const struct machine fixture_machine;

/* Its measurement, every sample off by up to `noise` (relative, upwards: something came between),
 * and a surface that is a factor exp(+-residual) off what the levels predict. Free it with
 * measurement_free. */
void fixture_measure(const struct machine *machine, double noise, double residual,
                     struct measurement *measurement);

#endif
