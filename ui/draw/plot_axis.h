/* The axes of a plot: which values they hold, their ticks and labels, and the part of a line
 * between two points that lies within them. */
#ifndef AOLAG_DRAW_PLOT_AXIS_H
#define AOLAG_DRAW_PLOT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#define PLOT_TICKS_MAX 32
#define PLOT_LABEL_MAX 32

enum plot_scale {
    PLOT_LINEAR,
    PLOT_WHOLE,   /* linear, ticks at whole numbers only */
    PLOT_DECADES, /* logarithmic, ticks at powers of 10 */
    PLOT_BINARY   /* logarithmic, ticks at powers of 2: sizes */
};

struct plot_axis {
    enum plot_scale scale;
    double low, high; /* low below high, both finite; above 0 on logarithmic scales */
    const char *unit; /* of the labels, as units.h spells it: "s", "B", "FLOP/s"; "": a number */
};

struct plot_ticks {
    int count;
    struct {
        double value;
        char label[PLOT_LABEL_MAX];
    } tick[PLOT_TICKS_MAX];
};

bool plot_is_linear(enum plot_scale scale);

/* Whether the axis keeps the conditions stated above. */
bool plot_axis_is_good(const struct plot_axis *axis);

/* Widens low and high to round values of a logarithmic scale: 1, 2 or 5 times a power of 10, or
 * powers of 2. Equal ends are moved apart. */
struct plot_axis plot_axis_around(enum plot_scale scale, double low, double high, const char *unit);

/* The distance of a value from the low end, in cells of which the axis has `cells`; -infinity for
 * what a logarithmic axis cannot hold. */
double plot_place(const struct plot_axis *axis, double value, int cells);

/* The value at that part (0 to 1) of the way from the low to the high end. */
double plot_value(const struct plot_axis *axis, double part);

/* "16 KiB", "10 ns": the label of a value. */
void plot_label(const struct plot_axis *axis, double value, char *text, size_t size);

/* "37.4 KiB": a capacity with three significant digits. */
void plot_capacity(double bytes, char *text, size_t size);

/* As many round values as have room, at least one: on a vertical axis labels are a row apart,
 * on a horizontal one (`along`) side by side. */
void plot_ticks(const struct plot_axis *axis, int cells, bool along, struct plot_ticks *ticks);

/* Where the line between two points (each across and down) enters and leaves the box from 0 to
 * `size`, as parts (0 to 1) of the way. false: it misses the box, or a point is not finite. */
bool plot_clip(const double size[2], const double from[2], const double to[2], double part[2]);

#endif
