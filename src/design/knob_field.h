/* Where a knob's value lies in its section's struct. For the knob_*.c files only. */
#ifndef AOLAG_DESIGN_KNOB_FIELD_H
#define AOLAG_DESIGN_KNOB_FIELD_H

#include "design/knob.h"

void *knob_field(struct scenario *scenario, struct knob_ref ref);
const void *knob_field_const(const struct scenario *scenario, struct knob_ref ref);
size_t knob_field_size(const struct knob *knob);

/* Whether the knob decides which others its section has: kind, type. */
bool knob_is_kind(const struct knob *knob);

/* What was told of the value's origin is of another value. */
void knob_forget_origin(struct scenario *scenario, struct knob_ref ref);

/* Marks the value as stated by the scenario. */
void knob_own(struct scenario *scenario, struct knob_ref ref);

/* Writes the table's default; says nothing about who states it. */
void knob_set_fallback(struct scenario *scenario, struct knob_ref ref);

/* Leaves it to the program: as if nobody stated it, but a statement of the scenario where the
 * device's preset has a value. Of an automatic knob. */
void knob_leave_open(struct scenario *scenario, struct knob_ref ref);

/* Lists of names, as knob_set_text takes them for these types; of devices two or more. */
enum status knob_set_components(struct scenario *scenario, struct knob_ref ref, const char *text,
                                struct error *error);
enum status knob_set_devices(struct scenario *scenario, struct knob_ref ref, const char *text,
                             struct error *error);

/* The value stored for choice number 0. */
int knob_choice_base(const struct scenario *scenario, struct knob_ref ref);

#endif
