/* The knob table: every parameter of a scenario, once.
 *
 * Loading, saving, validating, sliders, --set, the params command, completion and the manual read
 * this table; nothing else names a parameter. Ranges, defaults and steps are in the row's unit;
 * values in the scenario are SI. */
#ifndef AOLAG_DESIGN_KNOB_H
#define AOLAG_DESIGN_KNOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "design/scenario.h"

enum knob_type {
    KNOB_NUMBER,     /* double */
    KNOB_INTEGER,    /* double holding a whole number */
    KNOB_CHOICE,     /* int, one of `choices` */
    KNOB_TEXT,       /* char[TEXT_MAX_LENGTH + 1] */
    KNOB_PRESET,     /* name of a device preset; set with scenario_set_preset (preset.h) */
    KNOB_WFS,        /* int, index of a sensor */
    KNOB_DEVICE,     /* int, index of a device */
    KNOB_DEVICES,    /* uint32_t, set of devices; its choices are sets of one */
    KNOB_COMPONENTS, /* uint64_t, set of components */
    KNOB_ALGORITHM,  /* int, row of the algorithm table; choices are those of the type */
    KNOB_TRACE       /* struct trace; set with scenario_set_trace (program_library.h) */
};

/* How a slider lays out the range. A step on a linear knob adds `step`; on a log knob it moves the
 * second significant digit, but never less than `step`; on a power-of-two knob it doubles. */
enum knob_scale { SCALE_LINEAR, SCALE_LOG, SCALE_POWER2 };

/* Where a value comes from. A file may tell the last four of a device's value, by
 * origin.KEY = WORD beside it. */
enum origin {
    ORIGIN_SET,       /* the scenario states it */
    ORIGIN_AUTOMATIC, /* derived from the rest of the design */
    ORIGIN_STATED,    /* the device's preset states it: the vendor does */
    ORIGIN_ASSUMED,   /* the table's default; of a device, a rule of thumb */
    ORIGIN_MEASURED,  /* on a device of that kind */
    ORIGIN_FITTED     /* parameter of a model that was fitted to what was measured there */
};

/* Whose a value is: who wants a faster loop may choose the first two. What a step of the others
 * would do only tells how sensitive a design is to them. */
enum knob_role {
    ROLE_PART,       /* of what is bought: parts on the market differ in it */
    ROLE_SETTING,    /* how what was bought is used: set, compiled or programmed, at no price */
    ROLE_INSTRUMENT, /* what the telescope, its sensors and mirrors are or should do, and the sky */
    ROLE_PROPERTY,   /* comes with a part, a code or the model: measured or assumed, not chosen */
    ROLE_IDENTITY    /* names, and what a section is at all: another one is another design */
};

#define ORIGIN_PREFIX "origin." /* of the keys that tell the origin of another */

/* KNOB_SECTION_KEY, in the order of the table; where two kinds of a section have a row of the same
 * key each, that kind stands behind it: KNOB_DEVICE_CLOCK_CPU. */
enum knob_id {
#define KNOB(id, ...) KNOB_##id,
#include "design/knobs.def"
#undef KNOB
    KNOB_COUNT
};

struct knob {
    enum section section;
    const char *key;
    const char *label; /* for people, at most 16 characters */
    enum knob_type type;
    uint32_t kinds; /* bit k: applies where the section's kind (wfs, device) or type is k; 0: any */
    char unit[8];
    double min, max;
    double fallback; /* default; an index for choices; what stands for it with `automatic` */
    enum knob_scale scale;
    double step;
    bool automatic;             /* unset means derived; `help` or `auto_rule` says from what */
    const char *const *choices; /* KNOB_CHOICE: NULL-terminated */
    size_t offset;              /* of the field in the section's struct */
    enum knob_role role;
    const char *help; /* one line, no final point */
};

extern const struct knob knobs[KNOB_COUNT];

/* A knob of one instance. `knob` is never NULL in a reference a function here handed out. */
struct knob_ref {
    enum section section;
    int index;
    const struct knob *knob;
};

/* Of several knobs that are set, these come first, whatever their order: a device's preset decides
 * its kind and clears its own values; kinds and types decide which other knobs there are. */
enum knob_turn { TURN_PRESETS, TURN_KINDS, TURN_REST, TURN_COUNT };

enum knob_turn knob_turn(const struct knob *knob);

static inline enum knob_id knob_id(const struct knob *knob)
{
    return (enum knob_id)(knob - knobs);
}

/* Whether the knob is this one, whichever row its kind has of it: a GPU's clock is
 * KNOB_DEVICE_CLOCK_CPU as well. */
bool knob_is(const struct knob *knob, enum knob_id id);

/* The knob of an instance, to which it has to apply. */
static inline struct knob_ref knob_ref_to(enum knob_id id, int index)
{
    return (struct knob_ref){knobs[id].section, index, &knobs[id]};
}

/* Whether the section's kind or type number `kind` has the knob. */
bool knob_has_kind(const struct knob *knob, int kind);

/* The knob that says of which kind or type an instance is; NULL where a section has none. */
const struct knob *section_kind_knob(enum section section);

/* The knob's row within its section, the number of its bit in a knob_set. */
int knob_row(const struct knob *knob);

/* Rows of one section: knobs[first] to knobs[first + count - 1]. */
int knob_section_first(enum section section);
int knob_section_count(enum section section);

bool knob_applies(const struct scenario *scenario, enum section section, int index,
                  const struct knob *knob);

/* Goes through all knobs that apply, instance by instance in the order of the table: from one whose
 * `knob` is NULL to the first, then to the next; false behind the last. */
bool knob_next(const struct scenario *scenario, struct knob_ref *ref);

/* The order in which knob_next comes to them: below 0, 0 or above. */
int knob_order(struct knob_ref a, struct knob_ref b);

/* Finds "device.rtc.cores" or "ao.actuators". STATUS_INVALID names what is unknown and the nearest
 * known name, or says that the knob belongs to another kind of device, sensor or component. */
enum status knob_find(const struct scenario *scenario, const char *path, struct knob_ref *ref,
                      struct error *error);

/* The same for a key within an instance. */
enum status knob_find_key(const struct scenario *scenario, enum section section, int index,
                          const char *key, struct knob_ref *ref, struct error *error);

/* "device.rtc.cores"; at least 96 bytes. */
void knob_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* "device.rtc.clock_ghz": the path with the unit behind it, as keys of JSON and CSV have it; at
 * least 112 bytes. */
void knob_json_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* Sets a knob from text and marks it as the scenario's own. "auto", or a number that stands for it,
 * is a statement only where the device's preset has a value; else it is as a reset. On failure
 * nothing changes and the error says what is allowed, without naming the knob (the caller knows
 * file, line and key). A device's preset cannot be set here (STATUS_INVALID): preset.h. */
enum status knob_set_text(struct scenario *scenario, struct knob_ref ref, const char *text,
                          struct error *error);

/* Sets a number, integer or choice index. STATUS_INVALID when out of range. */
enum status knob_set_number(struct scenario *scenario, struct knob_ref ref, double si,
                            struct error *error);

/* The same for a number or integer that is known to be allowed, fast. */
void knob_put_number(struct scenario *scenario, struct knob_ref ref, double si);

/* The value as text a scenario file would hold: exact, with unit. Automatic values that nobody
 * states give "auto". At least 2304 bytes for component lists. */
void knob_get_text(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* The same for reading: "3.55 GHz", "1152 MiB"; prefix as the table's unit. */
void knob_print(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* The value of a number or integer (SI), the index of a choice, algorithm or reference. */
double knob_number(const struct scenario *scenario, struct knob_ref ref);

/* Back to the preset's value, else the default; no longer the scenario's own. */
void knob_reset(struct scenario *scenario, struct knob_ref ref);

enum origin knob_origin(const struct scenario *scenario, struct knob_ref ref);
const char *origin_name(enum origin origin);

/* Whether the scenario itself states the value, whatever its origin. */
bool knob_is_own(const struct scenario *scenario, struct knob_ref ref);

/* The preset a device starts from, where that states the knob; else NULL. */
const struct device *knob_stated_by(const struct scenario *scenario, struct knob_ref ref);

/* What the scenario tells of a value's origin; false where it tells nothing. */
bool knob_origin_said(const struct scenario *scenario, struct knob_ref ref, enum origin *origin);

/* The KEY of a file's "origin.KEY", a part of `name`; NULL where it is none. */
const char *origin_key(enum section section, const char *name);

/* Tells the origin of a device's value, of which it is true as long as that value stays: a knob
 * that is set anew is set. STATUS_INVALID: the word is none of the four. */
enum status knob_set_origin(struct scenario *scenario, struct knob_ref ref, const char *word,
                            struct error *error);

/* Choices of a choice, algorithm, device(s) or sensor knob: count, and the name of each. */
int knob_choice_count(const struct scenario *scenario, struct knob_ref ref);
const char *knob_choice_name(const struct scenario *scenario, struct knob_ref ref, int choice);

/* The word for a value of a choice knob. */
const char *knob_word(enum knob_id id, int value);

/* Which choice is in force, the first of several devices; -1 for automatic. */
int knob_choice(const struct scenario *scenario, struct knob_ref ref);

/* What is allowed, for messages and the manual: "1 to 1024", "0 us to 1000 us", "global,
 * rolling". */
void knob_allowed(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* Whether an engineer may choose it: a part or a setting. */
bool knob_is_choice(const struct knob *knob);

/* Whether a number stands for "automatic". */
bool knob_left_open(const struct knob *knob, double si);

/* Whether it holds a double: a number or an integer. */
bool knob_is_number(const struct knob *knob);

/* Slider: the value's place in the range, 0 to 1; the value (SI or choice) `steps` steps away,
 * within the range; the value at a place, rounded as steps are. */
double knob_position(const struct knob *knob, double si);
double knob_step(const struct knob *knob, double si, int steps);
double knob_at(const struct knob *knob, double position);

/* Range and default in SI. */
double knob_min(const struct knob *knob);
double knob_max(const struct knob *knob);
double knob_fallback(const struct knob *knob);

/* Sets every value of an instance that is not its own to the preset's or the default one; drops own
 * values that its kind does not have. For use after a kind, type or preset changed. */
void section_refresh(struct scenario *scenario, enum section section, int index);

bool knob_set_has(const struct knob_set *set, int row);
void knob_set_add(struct knob_set *set, int row);
void knob_set_drop(struct knob_set *set, int row);

#endif
