/* The models fitted to a measurement's Apex-MAP surface, as comments of a preset; internal to
 * machine_preset. */
#ifndef AOLAG_MACHINE_FITS_H
#define AOLAG_MACHINE_FITS_H

#include "buffer.h"
#include "measurement.h"

/* Nothing without a surface; the reason where it cannot be fitted. */
void machine_put_fits(struct buffer *buffer, const struct measurement *measurement);

#endif
