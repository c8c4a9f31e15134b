/* Plot axes: range, ticks and labels; clipping of a line to the plot. */
#ifndef AOLAG_DRAW_PLOT_AXIS_H
#define AOLAG_DRAW_PLOT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#define PLOT_TICKS_MAX 32
#define PLOT_LABEL_MAX 32

enum plot_scale {
    PLOT_LINEAR,  /* ticks of sizes (quantity_is_binary) at multiples of a power of 2 */
    PLOT_BRIEF,   /* linear, only the last label has the unit, which is that of all */
    PLOT_WHOLE,   /* linear, ticks at integers only */
    PLOT_DECADES, /* logarithmic, ticks at powers of 10 */
    PLOT_BINARY   /* logarithmic, ticks at powers of 2: sizes */
};

struct plot_axis {
    enum plot_scale scale;
    double low, high; /* low < high, both finite; positive on logarithmic scales */
    const char *unit; /* unit of the labels as in units.h: "s", "B", "FLOP/s"; "": a plain number */
};

struct plot_ticks {
    int count;
    struct {
        double value;
        char label[PLOT_LABEL_MAX];
        int left; /* cells of the label that are left of its place */
    } tick[PLOT_TICKS_MAX];
};

bool plot_is_linear(enum plot_scale scale);

/* Returns the logarithmic scale of a unit: powers of 2 of sizes, else of 10. */
enum plot_scale plot_logarithmic(const char *unit);

/* Returns true if the axis meets the conditions stated above. */
bool plot_axis_is_good(const struct plot_axis *axis);

/* Returns an axis whose ends are low and high rounded outwards on a logarithmic scale: to 1, 2 or 5
 * times a power of 10, or to powers of 2. Equal ends are moved apart. */
struct plot_axis plot_axis_around(enum plot_scale scale, double low, double high, const char *unit);

/* Returns the distance of a value from the low end in cells, for an axis of `cells` cells;
 * -infinity for values that a logarithmic axis cannot show. */
double plot_place(const struct plot_axis *axis, double value, int cells);

/* Returns the value at a position between the low (0) and the high end (1). */
double plot_value(const struct plot_axis *axis, double part);

/* Writes the label of a value: "16 KiB", "10 ns". */
void plot_label(const struct plot_axis *axis, double value, char *text, size_t size);

/* Finds as many round values as fit, at least one. Labels are one row apart on a vertical axis and
 * side by side on a horizontal one (`along`). */
void plot_ticks(const struct plot_axis *axis, int cells, bool along, struct plot_ticks *ticks);

/* Clips the line between two points (across, down) to the box from 0 to `size`: `part` receives the
 * positions along the line (0 to 1) where it enters and leaves the box. Returns false if it misses
 * the box or a point is not finite. */
bool plot_clip(const double size[2], const double from[2], const double to[2], double part[2]);

#endif
