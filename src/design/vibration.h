/* Vibrations of a telescope as a knob states them: "48 Hz:0.01:20 nm, 73:0.02:5", frequency,
 * damping and rms of each, Hz and nm if no unit is given. */
#ifndef AOLAG_DESIGN_VIBRATION_H
#define AOLAG_DESIGN_VIBRATION_H

#include "base/status.h"

#define VIBRATION_MAX 8

struct vibration {
    double frequency; /* Hz */
    double damping;   /* of critical damping, above 0 and at most 1 */
    double rms;       /* m of wavefront, without correction */
};

/* Reads a list, empty if there is none; STATUS_INVALID with what is allowed. */
enum status vibrations_read(const char *text, struct vibration list[VIBRATION_MAX], int *count,
                            struct error *error);

/* Checks a list. */
enum status vibrations_check(const char *text, struct error *error);

#endif
