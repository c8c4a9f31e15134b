/* The device that a preset saved of a measurement would be. */
#ifndef AOLAG_MACHINE_DEVICE_H
#define AOLAG_MACHINE_DEVICE_H

#include "measurement.h"
#include "scenario.h"
#include "status.h"

/* machine_preset's text, read as any preset is. STATUS_MEMORY, STATUS_INVALID. */
enum status machine_device(const struct measurement *measurement, struct device *device,
                           struct error *error);

#endif
