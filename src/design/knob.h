/* The knobs of a scenario: which rows of the table (knob_table.h) apply, their values in SI, and
 * who states them. knob_text.h has the text of values and paths. */
#ifndef AOLAG_DESIGN_KNOB_H
#define AOLAG_DESIGN_KNOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "design/knob_table.h"
#include "design/scenario.h"

/* A knob of one instance. `knob` is never NULL in a reference a function here handed out. */
struct knob_ref {
    enum section section;
    int index;
    const struct knob *knob;
};

/* The knob of an instance, to which it has to apply. */
static inline struct knob_ref knob_ref_to(enum knob_id id, int index)
{
    return (struct knob_ref){knobs[id].section, index, &knobs[id]};
}

/* Whether the instance's kind or type has the knob. */
bool knob_applies(const struct scenario *scenario, enum section section, int index,
                  const struct knob *knob);

/* Goes through all knobs that apply, instance by instance in the order of the table: from one whose
 * `knob` is NULL to the first, then to the next; false behind the last. */
bool knob_next(const struct scenario *scenario, struct knob_ref *ref);

/* Compares two knobs by the order of knob_next: negative, 0 or positive. */
int knob_order(struct knob_ref a, struct knob_ref b);

/* The word for the instance's kind or type; of a section that has kinds. */
const char *section_kind_word(const struct scenario *scenario, enum section section, int index);

/* --- Values --- */

/* A number or integer (SI), or what is stored for a choice, algorithm or reference: of several
 * devices the first, below 0 for automatic. 0 for the other types. */
double knob_number(const struct scenario *scenario, struct knob_ref ref);

/* Sets a number, integer, or what knob_choice_value gives for a choice. STATUS_INVALID when it is
 * out of range; the error says what is allowed without naming the knob. */
enum status knob_set_number(struct scenario *scenario, struct knob_ref ref, double si,
                            struct error *error);

/* The same for a number or integer that is known to be allowed, fast. */
void knob_put_number(struct scenario *scenario, struct knob_ref ref, double si);

/* Sets a text, path or name, of at most TEXT_MAX_LENGTH bytes. */
void knob_put_text(struct scenario *scenario, struct knob_ref ref, const char *text);

/* Sets the components waited for, the devices (one or more). STATUS_INVALID when the component
 * would wait for itself or cannot be split. */
enum status knob_set_components(struct scenario *scenario, struct knob_ref ref, uint64_t members,
                                struct error *error);
enum status knob_set_devices(struct scenario *scenario, struct knob_ref ref, uint32_t devices,
                             struct error *error);

/* Sets an automatic knob to "automatic": a reset, but a statement of the scenario where the
 * device's preset has a value. */
void knob_set_auto(struct scenario *scenario, struct knob_ref ref);

/* Back to the preset's value, else the default; no longer the scenario's own. */
void knob_reset(struct scenario *scenario, struct knob_ref ref);

/* Marks the value as stated by the scenario, without an origin. */
void knob_mark_own(struct scenario *scenario, struct knob_ref ref);

/* Sets every value of an instance that is not its own to the preset's or the default one; drops own
 * values that its kind does not have. For use after a kind, type or preset changed. */
void section_refresh(struct scenario *scenario, enum section section, int index);

/* Of several knobs that are set, these come first, whatever their order: a device's preset decides
 * its kind and clears its own values; kinds and types decide which other knobs there are. */
enum knob_pass { PASS_PRESETS, PASS_KINDS, PASS_REST, PASS_COUNT };

enum knob_pass knob_pass(const struct knob *knob);

/* --- Choices --- */

/* Choices of a choice, algorithm, device(s) or sensor knob, numbered from 0: how many, the name of
 * each, and the number stored for it. */
int knob_choice_count(const struct scenario *scenario, struct knob_ref ref);
const char *knob_choice_name(const struct scenario *scenario, struct knob_ref ref, int choice);
int knob_choice_value(const struct scenario *scenario, struct knob_ref ref, int choice);

/* Which choice is in force, the first of several devices; -1 for automatic. */
int knob_choice(const struct scenario *scenario, struct knob_ref ref);

/* --- Origins --- */

/* Where a value comes from. A file may state the last four of a device's value, by
 * origin.KEY = WORD beside it. */
enum origin {
    ORIGIN_SET,       /* the scenario states it */
    ORIGIN_AUTOMATIC, /* derived from the rest of the design */
    ORIGIN_STATED,    /* the device's preset states it: the vendor does */
    ORIGIN_ASSUMED,   /* the table's default; of a device, a rule of thumb */
    ORIGIN_MEASURED,  /* on a device of that kind */
    ORIGIN_FITTED,    /* parameter of a model that was fitted to what was measured there */
    ORIGIN_COUNT
};

enum origin knob_origin(const struct scenario *scenario, struct knob_ref ref);
const char *origin_name(enum origin origin);

/* Whether the scenario itself states the value, whatever its origin. */
bool knob_is_own(const struct scenario *scenario, struct knob_ref ref);

/* The preset a device starts from, where that states the knob; else NULL. */
const struct device *knob_stated_by(const struct scenario *scenario, struct knob_ref ref);

/* The origin that the scenario states of a value; false where it states none. */
bool knob_stated_origin(const struct scenario *scenario, struct knob_ref ref, enum origin *origin);

/* States the origin of a device's value, ORIGIN_STATED or behind it, until that value is set
 * anew. */
void knob_set_origin(struct scenario *scenario, struct knob_ref ref, enum origin origin);

#endif
