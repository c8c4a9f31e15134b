/* The values of one knob that an exploration goes through.
 *
 * As text "P=VALUES", where P is a knob's path and VALUES one of
 *
 *     FROM:TO:N      N numbers from FROM to TO, both among them, equally far apart
 *     FROM:TO:N:log  each the same factor from the last
 *     A,B,C          these, in this order: quantities, choices, names, device presets, "auto"
 *     all or *       every choice there is; of a device's preset, every one of its kind
 *
 * Numbers may have units; without one, the knob's applies. Points between the ends are rounded to
 * twelve digits, in the knob's unit; of an integer to whole numbers, of a knob in powers of two to
 * those. Values that this makes equal come once. They are the same on every machine. */
#ifndef AOLAG_EXPLORE_AXIS_H
#define AOLAG_EXPLORE_AXIS_H

#include "design/knob.h"
#include "design/knob_text.h"
#include "design/preset.h"

#define AXIS_POINTS_MAX 1000000
#define AXIS_TEXT_MAX 1024

struct axis {
    struct knob_ref ref;
    int count;
    double *number;               /* [count], SI; NULL where the values are words */
    char **word;                  /* [count], as knob_set_text takes them; NULL: numbers */
    const struct device **preset; /* [count], the catalogue's, of a device's preset; else NULL */
};

/* STATUS_INVALID names the knob, what is wrong, what is allowed and the nearest name;
 * STATUS_MEMORY. The design is asked which knobs and choices there are. axis_free in any case. */
enum status axis_parse(struct axis *axis, const struct scenario *scenario,
                       struct catalogue *catalogue, const char *text, struct error *error);

/* Numbers (SI) from one to the other; of a number or integer. As axis_parse. */
enum status axis_range(struct axis *axis, const struct scenario *scenario, struct knob_ref ref,
                       double from, double to, int points, bool logarithmic, struct error *error);

/* All that a knob can be: its range, as its slider lays it out, in at most `points` (2 or more)
 * numbers, or every choice. STATUS_INVALID for text and lists. */
enum status axis_default(struct axis *axis, const struct scenario *scenario,
                         struct catalogue *catalogue, struct knob_ref ref, int points,
                         struct error *error);

/* The one value that the design has at present; not of text. */
enum status axis_present(struct axis *axis, const struct scenario *scenario, struct knob_ref ref,
                         struct error *error);

void axis_free(struct axis *axis); /* accepts a zeroed or failed one */

/* Sets value number i. STATUS_INVALID: this design cannot have it, as a choice of another
 * component's type; the error says so with the knob's path. Allocates nothing. */
enum status axis_apply(const struct axis *axis, int i, struct scenario *scenario,
                       struct error *error);

/* Value number i as a cell: digits in the knob's unit, without it, or the word. At least
 * AXIS_TEXT_MAX bytes. */
void axis_text(const struct axis *axis, int i, char *text, size_t size);

#endif
