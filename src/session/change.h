/* Changes of the knobs of a design. One that is refused says so in its notice, and its function returns
 * false. */
#ifndef AOLAG_SESSION_CHANGE_H
#define AOLAG_SESSION_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "design/knob.h"
#include "session/design.h"

bool design_set_text(struct design *design, struct knob_ref ref, const char *text);
/* Sets a knob to the value of a step of advice, and what part_values_set changes with it. */
bool design_take_step(struct design *design, struct knob_ref ref, const char *value);
/* Steps, and positions of the slider (0 to 1). Consecutive ones of a knob are one step of undo. */
void design_step(struct design *design, struct knob_ref ref, int steps);
void design_set_position(struct design *design, struct knob_ref ref, double position);
void design_reset(struct design *design, struct knob_ref ref); /* to the preset's value or the default */
bool design_set_preset(struct design *design, int device, const char *name);

/* Writes the value that a relative one of a number comes to; false for other text. */
bool design_print_relative(const struct design *design, struct knob_ref ref, const char *text,
                           char *value, size_t size);

/* Writes to `text` which stated value was dropped with a change of a knob. */
void design_print_dropped(const struct design *design, struct knob_ref ref, double stated,
                          char *text, size_t size);

#endif
