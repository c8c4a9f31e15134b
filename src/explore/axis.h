/* The values of one knob in an exploration.
 *
 * Written as "P=VALUES", where P is the path of a knob and VALUES is one of
 *
 *     FROM:TO        every whole number from FROM to TO, of a knob of whole numbers
 *     FROM:TO:N      N equally spaced numbers from FROM to TO inclusive
 *     FROM:TO:N:log  the same with logarithmic spacing
 *     A,B,C          a list: quantities, formulas, choices, names, device presets, "auto"
 *     all or *       every choice; for the preset of a device, every preset of its kind
 *
 * "device.NAME=VALUES" is the preset of a device. Among its values may be a kind ("cpu", "gpu",
 * "fpga"), which stands for every preset of that kind, and "none": the design without this
 * accelerator, whose components run on its host.
 *
 * Where patterns are permitted, NAME may have * and ? as in file names: all devices, sensors or
 * components that match have the same value in every design.
 *
 * Numbers without a unit are in the knob's unit. Intermediate points are rounded to twelve digits
 * in that unit, for integers to whole numbers, for power-of-two knobs to powers of two. Repeated
 * values, after rounding, are removed. The values are the same on every machine. */
#ifndef AOLAG_EXPLORE_AXIS_H
#define AOLAG_EXPLORE_AXIS_H

#include "design/knob.h"
#include "design/knob_text.h"
#include "design/preset.h"
#include "explore/part_values.h"

#define AXIS_POINTS_MAX 1000000
#define AXIS_TEXT_MAX 1024
#define AXIS_PARTS_MAX 256 /* values of parts on one axis */

struct axis {
    struct knob_ref ref;
    uint64_t also;                     /* indices of other sections that have the value, too */
    char pattern[NAME_MAX_LENGTH + 1]; /* of their names and that of `ref`; "": `ref` alone */
    int count;
    double *number;               /* [count], SI; NULL if the values are words, as is a formula */
    char **word;                  /* [count], in the form of knob_set_text; NULL for numbers */
    /* [count], owned by the catalogue, NULL for "none"; NULL unless a device preset */
    const struct device **preset;
    int left_out; /* presets behind the `count` ones that axis_leave_out took away */
};

/* What is said of a knob without values. */
#define AXIS_EXAMPLE "device.rtc.cores=1:64:8"
#define AXIS_MISSING "\"%.100s\" has no values; add them after =, as in " AXIS_EXAMPLE

/* Parses an axis; the scenario determines the valid knobs and choices. Returns STATUS_INVALID, with
 * the knob, the error, the permitted values and the nearest name in the message. Call axis_free in
 * any case. */
enum status axis_parse(struct axis *axis, const struct scenario *scenario,
                       struct catalogue *catalogue, const char *text, struct error *error);

/* Likewise; NAME may be a pattern. Those that match it need to have the knob; devices whose presets
 * are varied need to be of one kind. `skip`: a kind stands for the presets that can be read; else
 * one that cannot is an error. */
enum status axis_parse_pattern(struct axis *axis, const struct scenario *scenario,
                               struct catalogue *catalogue, const char *text, bool skip,
                               struct error *error);

/* Creates an axis of numbers (SI) for a knob of numbers or integers. Errors as in axis_parse. */
enum status axis_range(struct axis *axis, const struct scenario *scenario, struct knob_ref ref,
                       double from, double to, int points, bool logarithmic, struct error *error);

/* Creates an axis over the whole range of a knob: at most `points` (2 or more) numbers, on a
 * logarithmic scale if its slider has one or they span more than a decade, or every choice. Returns
 * STATUS_INVALID for text and lists. */
enum status axis_default(struct axis *axis, const struct scenario *scenario,
                         struct catalogue *catalogue, struct knob_ref ref, int points,
                         struct error *error);

/* Creates an axis of numbers from a quarter of a value (SI, above 0) to four times it, within the
 * range of the knob, on the scale of axis_default; over the whole range if that leaves no two.
 * Errors as in axis_parse. */
enum status axis_around(struct axis *axis, const struct scenario *scenario,
                        struct catalogue *catalogue, struct knob_ref ref, double value, int points,
                        struct error *error);

/* Creates an axis of the values of parts (part_values.h) from a quarter of a number (SI, above 0)
 * to four times it, and `present` (SI). Without two such values, or for a number that no part
 * lists, it is as axis_around makes it. Errors as in axis_parse. */
enum status axis_of_parts(struct axis *axis, const struct scenario *scenario,
                          const struct part_values *values, struct knob_ref ref, double value,
                          double present, int points, struct error *error);

/* Adds a number (SI) to an axis of numbers whose ends it lies between, in order. */
void axis_include(struct axis *axis, double value);

/* Takes away the presets of parts that are not sold singly (device.sold_in) but for the present one
 * and those that `text`, which the axis was parsed from, names. One value stays in any case. */
void axis_leave_out(struct axis *axis, const struct scenario *scenario, const char *text);

/* Creates an axis of the one value in force. */
void axis_present(struct axis *axis, const struct scenario *scenario, struct knob_ref ref);

void axis_free(struct axis *axis); /* accepts a zeroed or failed axis */

/* Returns the sections that have the values of an axis, by index. */
static inline uint64_t axis_members(const struct axis *axis)
{
    return axis->also | UINT64_C(1) << axis->ref.index;
}

/* Returns true if an axis gives values to a section. */
static inline bool axis_varies(const struct axis *axis, enum section section, int index)
{
    return axis->ref.section == section && (axis_members(axis) >> index & 1) != 0;
}

/* As knob_path and knob_json_path, with the pattern as the name. */
void axis_path(const struct axis *axis, const struct scenario *scenario, char *text, size_t size);

/* Returns the name of the device whose parts are varied, or the pattern of several. */
const char *axis_devices(const struct axis *axis, const struct scenario *scenario);

/* Returns the heading of the values of an axis: of parts the name of their device or the pattern,
 * of others the path, which is written to `text`. */
const char *axis_title(const struct axis *axis, const struct scenario *scenario, char *text,
                       size_t size);
void axis_json_path(const struct axis *axis, const struct scenario *scenario, char *text,
                    size_t size);

/* Returns true if value number i is that a device does not exist. */
static inline bool axis_is_none(const struct axis *axis, int i)
{
    return axis->preset != NULL && axis->preset[i] == NULL;
}

/* Sets value number i, or nothing if that is none (sweep.c removes the device). Returns STATUS_INVALID, with the knob's path in the message, if the design
 * cannot have the value, such as a choice of another component type. Allocates nothing. */
enum status axis_apply(const struct axis *axis, int i, struct scenario *scenario,
                       struct error *error);

/* Formats value number i for a table cell: digits in the knob's unit, without the unit, or the
 * word. `size` is at least AXIS_TEXT_MAX. */
void axis_text(const struct axis *axis, int i, char *text, size_t size);

#endif
