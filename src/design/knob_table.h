/* The knob table: every parameter of a scenario, once.
 *
 * Loading, saving, validating, sliders, --set, the params command, completion and the manual read
 * this table; nothing else spells a parameter's key. Ranges, defaults and steps are in the row's
 * unit; values in the scenario are SI. The functions here need no scenario; knob.h has the values
 * of a scenario, knob_text.h their text. */
#ifndef AOLAG_DESIGN_KNOB_TABLE_H
#define AOLAG_DESIGN_KNOB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    KNOB_COMPONENTS, /* struct component_set */
    KNOB_ALGORITHM,  /* int, row of the algorithm table; choices are those of the type */
    KNOB_TRACE       /* struct trace; set with scenario_set_trace (trace_library.h) */
};

/* How a slider lays out the range. A step on a linear knob adds `step`; on a log knob it moves the
 * second significant digit, but never less than `step`; on a power-of-two knob it doubles. */
enum knob_scale { SCALE_LINEAR, SCALE_LOG, SCALE_POWER2 };

/* Who decides a value: for a faster loop the first two may be chosen. A step of the others shows
 * only how sensitive a design is to them. */
enum knob_role {
    ROLE_PART,       /* of what is bought: parts on the market differ in it */
    ROLE_SETTING,    /* how what was bought is used: set, compiled or programmed, at no price */
    ROLE_INSTRUMENT, /* what the telescope, its sensors and mirrors are or should do, and the sky */
    ROLE_PROPERTY,   /* comes with a part, a code or the model: measured or assumed, not chosen */
    ROLE_IDENTITY    /* names, and what a section is at all: another one is another design */
};

/* KNOB_SECTION_KEY, in the order of the table; where two kinds of a section have a row of the same
 * key each, the kind follows: KNOB_DEVICE_CLOCK_CPU. */
enum knob_id {
#define KNOB(id, ...) KNOB_##id,
#include "design/knobs.def"
#undef KNOB
    KNOB_COUNT
};

struct knob {
    enum section section;
    const char *key;
    const char *alias; /* another name that is read, never written; or NULL */
    const char *label; /* for people, at most 16 characters */
    enum knob_type type;
    uint32_t kinds; /* bit k: applies where the section's kind (wfs, device) or type is k; 0: any */
    char unit[8];
    double min, max;
    double fallback; /* default; an index for choices; what stands for it with `automatic` */
    enum knob_scale scale;
    double step;
    bool automatic;             /* unset means derived; `help` says from what */
    const char *const *choices; /* KNOB_CHOICE: NULL-terminated */
    size_t offset, size;        /* of the field in the section's struct */
    enum knob_role role;
    const char *help; /* one line, no final point */
};

extern const struct knob knobs[KNOB_COUNT];

/* Rows of one section: knobs[first] to knobs[first + count - 1]. */
int knob_section_first(enum section section);
int knob_section_count(enum section section);

/* The knob that says of which kind or type an instance is; NULL where a section has none. */
const struct knob *section_kind_knob(enum section section);

static inline enum knob_id knob_id(const struct knob *knob)
{
    return (enum knob_id)(knob - knobs);
}

/* Whether the knob is this one, whichever row its kind has of it: a GPU's clock is
 * KNOB_DEVICE_CLOCK_CPU as well. */
bool knob_is(const struct knob *knob, enum knob_id id);

/* Whether a key in a file means the knob: its own or its alias. */
bool knob_has_key(const struct knob *knob, const char *key);

/* Whether the section's kind or type number `kind` has the knob. */
bool knob_has_kind(const struct knob *knob, int kind);

/* Whether it holds a double: a number or an integer. */
bool knob_is_number(const struct knob *knob);

/* Whether an engineer may choose it: a part or a setting. */
bool knob_is_selectable(const struct knob *knob);

/* Whether a number (SI) stands for "automatic". */
bool knob_is_auto(const struct knob *knob, double si);

/* The word for a value of a choice knob. */
const char *knob_word(enum knob_id id, int value);

/* From the knob's unit to SI and back. */
double knob_to_si(const struct knob *knob, double value);
double knob_in_unit(const struct knob *knob, double si);

/* Range and default in SI. */
double knob_min(const struct knob *knob);
double knob_max(const struct knob *knob);
double knob_fallback(const struct knob *knob);

/* The range of a number with its unit: "1 to 1024", "0 us to 1000 us"; at least 80 bytes. */
void knob_range(const struct knob *knob, char *text, size_t size);

/* Slider: the value's place in the range, 0 to 1; the value (SI) `steps` steps away, within the
 * range; the value at a place, rounded as steps are. */
double knob_position(const struct knob *knob, double si);
double knob_step(const struct knob *knob, double si, int steps);
double knob_at(const struct knob *knob, double position);

/* Sets of a section's knobs. */
bool knob_set_has(const struct knob_set *set, const struct knob *knob);
void knob_set_add(struct knob_set *set, const struct knob *knob);
void knob_set_drop(struct knob_set *set, const struct knob *knob);

#endif
