/* The effect of knobs in a design: which knobs have none, and the values of automatic ones.
 *
 * `result` is that of evaluate for the scenario; NULL: there is none, and only what the scenario
 * states is known. */
#ifndef AOLAG_MODEL_KNOB_EFFECT_H
#define AOLAG_MODEL_KNOB_EFFECT_H

#include <stddef.h>

#include "design/knob.h"
#include "model/result.h"

#define KNOB_UNKNOWN                                                                               \
    "unknown" /* number of a device that is not stated and has no assumed value                    \
               */

/* Whether a knob that applies has no effect and is not stated by the scenario: a knob for programs
 * on a device that runs none, the tiles of a matrix without tiles. It keeps its value and may be
 * set; lists leave it out. */
bool knob_idle(const struct scenario *scenario, struct knob_ref ref);

/* A number or integer (SI); RESULT_NONE where its automatic value is unknown. */
double knob_number_in_force(const struct scenario *scenario, const struct result *result,
                            struct knob_ref ref);

/* A choice, reference or algorithm, counted as knob_choice does; -1 where it is unknown. */
int knob_choice_in_force(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref);

/* knob_print; of automatic values "auto 384 MiB", of an empty text "none". At least 2304 bytes for
 * component lists. */
void knob_print_in_force(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref, char *text, size_t size);

#endif
