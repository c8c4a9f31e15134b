/* What knobs come to in an evaluated design: values the scenario leaves to the program as well as
 * stated ones.
 *
 * `result` is that of evaluate for the scenario; NULL: there is none, and only what the scenario
 * states is known. */
#ifndef AOLAG_MODEL_KNOB_EFFECT_H
#define AOLAG_MODEL_KNOB_EFFECT_H

#include <stddef.h>

#include "design/knob.h"
#include "model/result.h"

#define KNOB_UNKNOWN "unknown" /* of a device's number that nobody states and nothing stands for   \
                                */

/* A number or integer (SI); RESULT_NONE where it is left open and nothing tells what it comes to.
 */
double knob_number_in_force(const struct scenario *scenario, const struct result *result,
                            struct knob_ref ref);

/* A choice, reference or algorithm, counted as knob_choice does; -1 where nothing tells. */
int knob_choice_in_force(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref);

/* knob_print; of what is left open "auto 384 MiB", of an empty text "none". At least 2304 bytes for
 * component lists. */
void knob_print_in_force(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref, char *text, size_t size);

#endif
