/* The knob table: every parameter of a scenario, declared once.
 *
 * Loading, saving, validation, sliders, --set, the params command, completion and the manual read
 * this table; parameter keys are spelled nowhere else. Ranges, defaults and steps are in the row's
 * unit; values in the scenario are SI. The functions here need no scenario; knob.h has the values
 * of a scenario, knob_text.h their text. */
#ifndef AOLAG_DESIGN_KNOB_TABLE_H
#define AOLAG_DESIGN_KNOB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "design/scenario.h"

enum knob_type {
    KNOB_NUMBER,     /* double */
    KNOB_INTEGER,    /* double holding a whole number */
    KNOB_CHOICE,     /* int, one of `choices` */
    KNOB_TEXT,       /* char[]: TEXT_MAX_LENGTH or LIST_MAX_LENGTH bytes */
    KNOB_PRESET,     /* name of a device preset; set with scenario_set_preset (preset.h) */
    KNOB_WFS,        /* int, index of a sensor */
    KNOB_DEVICE,     /* int, index of a device */
    KNOB_DEVICES,    /* uint32_t, set of devices; its choices are sets of one */
    KNOB_COMPONENTS, /* struct component_set */
    KNOB_ALGORITHM,  /* int, row of the algorithm table; choices are the rows of the type */
    KNOB_FILE        /* struct stated_file; set with scenario_set_file (trace_library.h) */
};

/* Scale of a slider. A step adds `step` on a linear knob, changes the second significant digit but
 * at least by `step` on a log knob, and doubles a power-of-two knob. */
enum knob_scale { SCALE_LINEAR, SCALE_LOG, SCALE_POWER2 };

/* Role of a value. The designer may choose the first two to make the loop faster; a step of the
 * others only shows the sensitivity of a design. */
enum knob_role {
    ROLE_HARDWARE,   /* hardware: differs between products on the market */
    ROLE_SOFTWARE,   /* configuration or programming of the hardware, at no cost */
    ROLE_INSTRUMENT, /* requirements and properties of telescope, sensors, mirrors and sky */
    ROLE_ASSUMPTION, /* property of hardware, code or model: measured or assumed, not chosen */
    ROLE_IDENTITY    /* names and types of sections: changing one makes another design */
};

/* KNOB_SECTION_KEY, in the order of the table; if two kinds of a section each have a row with the
 * same key, the kind follows: KNOB_DEVICE_CLOCK_CPU. */
enum knob_id {
#define KNOB(id, ...) KNOB_##id,
#include "design/knobs.def"
#undef KNOB
    KNOB_COUNT
};

struct knob {
    enum section section;
    const char *key;
    const char *alias; /* another name, read but never added to a file, or NULL; one name of
                          several knobs sets them all */
    const char *label; /* displayed name, at most 16 characters */
    enum knob_type type;
    uint32_t kinds; /* bit k: applies where the section's kind (wfs, device) or type is k; 0: any */
    char unit[8];
    double min, max;
    double fallback; /* default; an index for choices; with `automatic`, its value */
    enum knob_scale scale;
    double step;
    bool automatic;             /* derived if not stated; `help` says from what */
    const char *const *choices; /* KNOB_CHOICE: NULL-terminated */
    /* KNOB_TEXT that has a form: what is allowed, and its check; NULL: any text */
    const char *allowed;
    enum status (*check)(const char *text, struct error *error);
    size_t offset, size;        /* of the field in the section's struct */
    size_t formula;             /* offset of the text of a formula there; 0: takes none */
    enum knob_role role;
    /* Label of the row that stands for this knob and its neighbours of the same group until it is
     * opened, the same pointer in all of them; NULL: none. */
    const char *group;
    bool rare;  /* the screen lists it only where it is stated, or was looked for */
    bool stays; /* of a device: another preset does not clear it; it is no property of the part */
    bool essential;  /* shown first: what is chosen when a system is designed */
    /* One line without a final period. "; or WORD", up to a comma or its end, is what a 0 means
     * that is not automatic: it is shown as that word (knob_zero_word). */
    const char *help;
};

extern const struct knob knobs[KNOB_COUNT];

/* Rows of one section: knobs[first] to knobs[first + count - 1]. */
extern const int knob_first_rows[SECTION_COUNT + 1];

static inline int knob_section_first(enum section section)
{
    return knob_first_rows[section];
}

static inline int knob_section_count(enum section section)
{
    return knob_first_rows[section + 1] - knob_first_rows[section];
}

/* Returns the knob for the kind or type of instances, or NULL if the section has none. */
const struct knob *section_kind_knob(enum section section);

static inline enum knob_id knob_id(const struct knob *knob)
{
    return (enum knob_id)(knob - knobs);
}

/* Returns true if the knob is this one or its row for another kind: a GPU's clock is
 * KNOB_DEVICE_CLOCK_CPU as well. */
static inline bool knob_is(const struct knob *knob, enum knob_id id)
{
    return knob->section == knobs[id].section && knob->offset == knobs[id].offset;
}

/* Returns true if a key in a file is the knob's key or alias. */
static inline bool knob_has_key(const struct knob *knob, const char *key)
{
    return (knob->key[0] == key[0] && strcmp(knob->key, key) == 0) ||
           (knob->alias != NULL && strcmp(knob->alias, key) == 0);
}

/* Returns true if the section's kind or type number `kind` has the knob. */
static inline bool knob_has_kind(const struct knob *knob, int kind)
{
    return knob->kinds == 0 || (knob->kinds >> kind & 1) != 0;
}

/* Returns true if the knob holds a double: a number or an integer. */
static inline bool knob_is_number(const struct knob *knob)
{
    return knob->type == KNOB_NUMBER || knob->type == KNOB_INTEGER;
}

/* Returns true if a designer may choose the value: ROLE_HARDWARE or ROLE_SOFTWARE. */
bool knob_is_selectable(const struct knob *knob);

/* Returns true if a number (SI) is not stated as one: it means "automatic", or that a formula states
 * it. */
bool knob_is_auto(const struct knob *knob, double si);

/* Returns the word for the common sharing of a scenario: "exclusive", "partly partition". */
const char *sharing_name(enum sharing sharing);

/* Returns the word for a value of a choice knob. */
const char *knob_word(enum knob_id id, int value);

/* Convert between the knob's unit and SI. */
double knob_to_si(const struct knob *knob, double value);
double knob_in_unit(const struct knob *knob, double si);

/* Return the range and the default in SI. */
double knob_min(const struct knob *knob);
double knob_max(const struct knob *knob);
double knob_fallback(const struct knob *knob);

/* Writes the range of a number with its unit: "1 to 1024", "0 to 1000 us"; at least 80 bytes. */
void knob_range(const struct knob *knob, char *text, size_t size);

/* Slider: the position of a value in the range, 0 to 1; the value (SI) `steps` steps away, within
 * the range; the value at a position, rounded to the steps. */
double knob_position(const struct knob *knob, double si);
double knob_step(const struct knob *knob, double si, int steps);
double knob_at(const struct knob *knob, double position);

/* Sets of a section's knobs. */
static inline int knob_row_in_section(const struct knob *knob)
{
    return (int)knob_id(knob) - knob_first_rows[knob->section];
}

static inline bool knob_set_has(const struct knob_set *set, const struct knob *knob)
{
    int row = knob_row_in_section(knob);

    return (set->bits[row / 64] >> (row % 64) & 1) != 0;
}

static inline void knob_set_add(struct knob_set *set, const struct knob *knob)
{
    int row = knob_row_in_section(knob);

    set->bits[row / 64] |= UINT64_C(1) << (row % 64);
}

static inline void knob_set_drop(struct knob_set *set, const struct knob *knob)
{
    int row = knob_row_in_section(knob);

    set->bits[row / 64] &= ~(UINT64_C(1) << (row % 64));
}

#endif
