/* The knobs of a scenario: which rows of the table (knob_table.h) apply, their values in SI and the
 * origin of values. knob_text.h converts values and paths to text. */
#ifndef AOLAG_DESIGN_KNOB_H
#define AOLAG_DESIGN_KNOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "design/knob_table.h"
#include "design/scenario.h"

/* A knob of one instance. Functions here never return a reference whose `knob` is NULL. */
struct knob_ref {
    enum section section;
    int index;
    const struct knob *knob;
};

/* Returns the knob of an instance, to which the knob must apply. */
static inline struct knob_ref knob_ref_to(enum knob_id id, int index)
{
    return (struct knob_ref){knobs[id].section, index, &knobs[id]};
}

/* Returns true if the instance's kind or type has the knob. */
bool knob_applies(const struct scenario *scenario, enum section section, int index,
                  const struct knob *knob);

/* Iterates over all knobs that apply, instance by instance in the order of the table. Start with
 * `knob` NULL; returns false after the last. */
bool knob_next(const struct scenario *scenario, struct knob_ref *ref);

/* Iterates likewise over the knobs of an instance that a key or alias names: one, except for an
 * alias of several knobs, which stands for all of them. */
bool knob_next_named(const struct scenario *scenario, enum section section, int index,
                     const char *name, struct knob_ref *ref);

/* Compares two knobs by the order of knob_next: negative, 0 or positive. */
int knob_order(struct knob_ref a, struct knob_ref b);

/* Returns the word for the instance's kind or type; the section must have kinds. */
const char *section_kind_word(const struct scenario *scenario, enum section section, int index);

/* Values --------------------------------------------------------------------------------------- */

/* Returns a number or integer (SI) or the stored value of a choice, algorithm or reference: the
 * first of several devices, below 0 for automatic. NUMBER_FORMULA for a number that a formula states.
 * Returns 0 for other types. */
double knob_number(const struct scenario *scenario, struct knob_ref ref);

/* Sets a number, integer or stored choice value (knob_choice_value). Returns STATUS_INVALID if it
 * is out of range; the error says what is allowed without naming the knob. */
enum status knob_set_number(struct scenario *scenario, struct knob_ref ref, double si,
                            struct error *error);

/* Sets a number or integer without checking it; fast. */
void knob_put_number(struct scenario *scenario, struct knob_ref ref, double si);

/* Returns the formula that states a number, or NULL: it is a number, or takes no formula. */
const char *knob_formula(const struct scenario *scenario, struct knob_ref ref);

/* Returns the place of a number that takes a formula among those of its component. */
enum stated_number knob_stated(const struct knob *knob);

/* Sets a formula of at most FORMULA_MAX bytes for a number that takes one. What it says is checked
 * by evaluate (stage_stated in model/stage.h), as names may be of sections that come later. */
void knob_put_formula(struct scenario *scenario, struct knob_ref ref, const char *text);

/* Sets a text, path or name, which fits its field. */
void knob_put_text(struct scenario *scenario, struct knob_ref ref, const char *text);

/* Set the predecessors or the devices (one or more). Return STATUS_INVALID for a component that
 * would come after itself or cannot be split. */
enum status knob_set_components(struct scenario *scenario, struct knob_ref ref, uint64_t members,
                                struct error *error);
enum status knob_set_devices(struct scenario *scenario, struct knob_ref ref, uint32_t devices,
                             struct error *error);

/* Sets an automatic knob to "automatic": resets it, except that the scenario states "automatic" if
 * the device's preset has a value. */
void knob_set_auto(struct scenario *scenario, struct knob_ref ref);

/* Resets the knob to the preset's value or the default; the scenario no longer states it. */
void knob_reset(struct scenario *scenario, struct knob_ref ref);

/* Resets what no longer holds once the user changes a knob: the stated valid subapertures of a
 * sensor whose subapertures across change, which are then counted from the geometry. Returns true if
 * there was such a value. */
bool knob_drop_stale(struct scenario *scenario, struct knob_ref ref);

/* Marks the value as stated by the scenario, without an origin. */
void knob_mark_own(struct scenario *scenario, struct knob_ref ref);

/* Resets every value of an instance that the scenario does not state to the preset's value or the
 * default; drops stated values that its kind lacks. Call after a kind, type or preset changed. */
void section_refresh(struct scenario *scenario, enum section section, int index);

/* Order in which several knobs are set: a device's preset decides its kind and clears its stated
 * values; kinds and types decide which other knobs exist. */
enum knob_pass { PASS_PRESETS, PASS_KINDS, PASS_REST, PASS_COUNT };

enum knob_pass knob_pass(const struct knob *knob);

/* Choices -------------------------------------------------------------------------------------- */

/* Choices of a choice, algorithm, device(s) or sensor knob, numbered from 0: their number, and the
 * name and stored value of each. */
int knob_choice_count(const struct scenario *scenario, struct knob_ref ref);
const char *knob_choice_name(const struct scenario *scenario, struct knob_ref ref, int choice);
int knob_choice_value(const struct scenario *scenario, struct knob_ref ref, int choice);

/* Returns the current choice, the first of several devices; -1 for automatic. */
int knob_choice(const struct scenario *scenario, struct knob_ref ref);

/* Origins -------------------------------------------------------------------------------------- */

/* Origin of a value. A file may state the last four for a device's value with origin.KEY = WORD in
 * the same section. */
enum origin {
    ORIGIN_SET,       /* stated by the scenario */
    ORIGIN_AUTOMATIC, /* derived from the rest of the design */
    ORIGIN_STATED,    /* stated by the device's preset: vendor's figure */
    ORIGIN_ASSUMED,   /* the table's default; for a device, a rule of thumb */
    ORIGIN_MEASURED,  /* measured on a device of that kind */
    ORIGIN_FITTED,    /* model parameter fitted to measurements of such a device */
    ORIGIN_COUNT
};

enum origin knob_origin(const struct scenario *scenario, struct knob_ref ref);
const char *origin_name(enum origin origin);

/* Returns true if the scenario itself states the value, whatever its origin. */
bool knob_is_own(const struct scenario *scenario, struct knob_ref ref);

/* Returns the preset of a device if that states the knob, else NULL: the fixed times of a way to
 * start work are those that the preset has of the device's dispatch. */
const struct device *knob_stated_by(const struct scenario *scenario, struct knob_ref ref);

/* Returns true for a time of a device of that kind that each way to start work has of its own. */
bool knob_is_of_dispatch(const struct knob *knob, int kind);

/* Gets the origin that the scenario states for a value; returns false if it states none. */
bool knob_stated_origin(const struct scenario *scenario, struct knob_ref ref, enum origin *origin);

/* States the origin of a device's value, ORIGIN_STATED or later, until the value is set again. */
void knob_set_origin(struct scenario *scenario, struct knob_ref ref, enum origin origin);

#endif
