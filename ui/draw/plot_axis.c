#include "draw/plot_axis.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "draw/text.h"

#define EDGE 1e-9 /* tolerance for ticks at the ends, as a fraction of the axis */

enum {
    LABELS_GAP = 2,  /* cells between labels of a horizontal axis */
    NUMBERS_GAP = 1, /* without units */
    STEPS_MAX = 64
};

bool plot_is_linear(enum plot_scale scale)
{
    return scale == PLOT_LINEAR || scale == PLOT_BRIEF || scale == PLOT_WHOLE;
}

enum plot_scale plot_logarithmic(const char *unit)
{
    return quantity_is_binary(unit) ? PLOT_BINARY : PLOT_DECADES;
}

bool plot_axis_is_good(const struct plot_axis *axis)
{
    return isfinite(axis->low) && isfinite(axis->high) && axis->low < axis->high &&
           (plot_is_linear(axis->scale) || axis->low > 0);
}

double plot_place(const struct plot_axis *axis, double value, int cells)
{
    if (plot_is_linear(axis->scale))
        return cells * (value - axis->low) / (axis->high - axis->low);
    return value > 0 ? cells * log(value / axis->low) / log(axis->high / axis->low)
                     : -(double)INFINITY;
}

double plot_value(const struct plot_axis *axis, double part)
{
    if (plot_is_linear(axis->scale))
        return axis->low + part * (axis->high - axis->low);
    return axis->low * pow(axis->high / axis->low, part);
}

/* Returns the nearest 1, 2 or 5 times a power of ten at or below (`up`: above) a value. */
static double round_decade(double value, bool up)
{
    static const double digits[] = {1, 2, 5, 10};
    double decade = pow(10, floor(log10(value) + EDGE));
    double found = up ? 10 : 1;

    for (int d = 0; d < 4; d++) {
        if (up && digits[3 - d] * decade >= value * (1 - EDGE))
            found = digits[3 - d];
        else if (!up && digits[d] * decade <= value * (1 + EDGE))
            found = digits[d];
    }
    return found * decade;
}

struct plot_axis plot_axis_around(enum plot_scale scale, double low, double high, const char *unit)
{
    struct plot_axis axis = {scale, low, high, unit};

    if (scale == PLOT_BINARY) {
        axis.low = exp2(floor(log2(low) + EDGE));
        axis.high = exp2(ceil(log2(high) - EDGE));
    } else if (scale == PLOT_DECADES) {
        axis.low = round_decade(low, false);
        axis.high = round_decade(high, true);
    }
    if (axis.low == axis.high)
        axis.high =
            plot_is_linear(scale) ? axis.low + 1 : axis.low * (scale == PLOT_BINARY ? 2 : 10);
    return axis;
}

/* Labels --------------------------------------------------------------------------------------- */

/* Changes "1.50 us" to "1.5 us". */
static void trim_zeros(char *text)
{
    char *point = strchr(text, '.');
    char *end, *keep;

    if (point == NULL)
        return;
    end = point + 1 + strspn(point + 1, "0123456789");
    for (keep = end; keep[-1] == '0'; keep--)
        continue;
    if (keep[-1] == '.')
        keep--;
    memmove(keep, end, strlen(end) + 1);
}

/* Prints a label with as many digits as distinguish the ticks, all with the prefix of the farther
 * end, for a short axis far from zero or with one unit. Returns false if three digits suffice. */
static bool print_far_label(const struct plot_axis *axis, double value, char *text, size_t size)
{
    double largest = fmax(fabs(axis->low), fabs(axis->high));
    double range = axis->high - axis->low;
    char one[PLOT_LABEL_MAX] = "1 ";
    char end[PLOT_LABEL_MAX];
    const char *unit;
    double scale = 1;
    int digits;

    if (!plot_is_linear(axis->scale) || (axis->scale != PLOT_BRIEF && !(range < largest / 5)))
        return false;
    quantity_print(largest, axis->unit, end, sizeof end);
    unit = strchr(end, ' ');
    if (unit == NULL)
        return false;
    snprintf(one, sizeof one, "1%.20s", unit);
    if (quantity_parse(one, axis->unit, &scale, NULL) != STATUS_OK)
        return false;
    digits = (int)ceil(-log10(range / PLOT_TICKS_MAX / scale));
    snprintf(text, size, "%.*f", digits < 0 ? 0 : digits > 9 ? 9 : digits, value / scale);
    trim_zeros(text);
    snprintf(text + strlen(text), size - strlen(text), "%s", unit);
    return true;
}

void plot_label(const struct plot_axis *axis, double value, char *text, size_t size)
{
    if (value == 0) { /* in no other unit than its neighbours */
        snprintf(text, size, "0");
    } else if (axis->unit[0] == '\0') {
        snprintf(text, size, fabs(value) < 1e6 ? "%.6g" : "%.3g", value);
    } else {
        if (!print_far_label(axis, value, text, size)) {
            quantity_print(value, axis->unit, text, size);
            trim_zeros(text);
        }
        text_micro(text, size);
    }
}

/* Ticks ---------------------------------------------------------------------------------------- */

static void add_tick(const struct plot_axis *axis, double value, struct plot_ticks *ticks)
{
    double at = plot_place(axis, value, 1);

    if (at < -EDGE || at > 1 + EDGE || ticks->count == PLOT_TICKS_MAX)
        return;
    ticks->tick[ticks->count].value = value;
    plot_label(axis, value, ticks->tick[ticks->count].label, PLOT_LABEL_MAX);
    ticks->tick[ticks->count].left = text_width(ticks->tick[ticks->count].label) / 2;
    ticks->count++;
}

/* Leaves the unit to the last label, and the numbers below their ticks. */
static void cut_units(struct plot_ticks *ticks)
{
    for (int t = 0; t < ticks->count; t++) {
        size_t number = strcspn(ticks->tick[t].label, " ");

        ticks->tick[t].left = (int)number / 2;
        if (t + 1 < ticks->count)
            ticks->tick[t].label[number] = '\0';
    }
}

/* Finds candidate ticks, fewer with every step from 0; none if they are too close on a linear axis
 * of this many cells, so that labels that cannot fit are not printed. Returns false after the last
 * step. */
static bool find_candidates(const struct plot_axis *axis, int step, int cells,
                            struct plot_ticks *ticks)
{
    static const double nice[] = {1, 2, 5};
    static const double digits[3][3] = {{1, 2, 5}, {1, 3, 0}, {1, 0, 0}};
    double base = axis->scale == PLOT_BINARY ? 2 : 10;
    int first, last;

    ticks->count = 0;
    if (plot_is_linear(axis->scale)) {
        double decade = pow(10, floor(log10((axis->high - axis->low) / PLOT_TICKS_MAX)));
        double by = quantity_is_binary(axis->unit)
                        ? exp2(floor(log2((axis->high - axis->low) / PLOT_TICKS_MAX)) + step)
                        : nice[step % 3] * decade * pow(10, step / 3);
        double end;

        if (axis->scale == PLOT_WHOLE && by < 1)
            by = 1;
        if (cells * by / (axis->high - axis->low) < LABELS_GAP)
            return step < STEPS_MAX;
        /* the last label has no room for its unit at the end */
        end = axis->high + (axis->scale == PLOT_BRIEF ? -EDGE : EDGE) * by;
        for (double n = ceil(axis->low / by - EDGE); n * by <= end; n++)
            add_tick(axis, n * by + 0.0, ticks); /* avoids negative zero */
        if (axis->scale == PLOT_BRIEF)
            cut_units(ticks);
        return step < STEPS_MAX;
    }
    first = (int)floor(log(axis->low) / log(base) + EDGE);
    last = (int)ceil(log(axis->high) / log(base) - EDGE);
    if (axis->scale == PLOT_DECADES && step < 3) {
        for (int n = first; n <= last; n++)
            for (int d = 0; d < 3; d++)
                if (digits[step][d] > 0)
                    add_tick(axis, digits[step][d] * pow(10, n), ticks);
        return true;
    }
    step = axis->scale == PLOT_DECADES ? step - 1 : step + 1;
    for (int n = first; n <= last; n++)
        if (n % step == 0)
            add_tick(axis, pow(base, n), ticks);
    return step <= last - first + 1;
}

static bool labels_fit(const struct plot_axis *axis, const struct plot_ticks *ticks, int cells,
                       bool along)
{
    int gap = !along ? 1 : axis->scale == PLOT_BRIEF ? NUMBERS_GAP : LABELS_GAP;
    double free_from = -1e9;

    if (ticks->count == 0 || ticks->count == PLOT_TICKS_MAX)
        return false;
    for (int t = 0; t < ticks->count; t++) {
        double at = floor(plot_place(axis, ticks->tick[t].value, cells));
        int width = along ? text_width(ticks->tick[t].label) : 1;
        int left = along ? ticks->tick[t].left : 0;

        if (along && at + width - left > cells)
            at = cells - width + left;
        if (at - left < free_from)
            return false;
        free_from = at - left + width + gap;
    }
    return true;
}

void plot_ticks(const struct plot_axis *axis, int cells, bool along, struct plot_ticks *ticks)
{
    for (int step = 0; find_candidates(axis, step, along ? cells : INT_MAX, ticks); step++)
        if (labels_fit(axis, ticks, cells, along))
            return;
    ticks->count = 0;
    add_tick(axis, axis->scale == PLOT_WHOLE ? ceil(axis->low) : axis->low, ticks);
}

/* Clipping ------------------------------------------------------------------------------------- */

static bool clip_along(double size, double from, double to, double part[2])
{
    double by = to - from;
    double low = by > 0 ? -from / by : (size - from) / by;
    double high = by > 0 ? (size - from) / by : -from / by;

    if (by == 0)
        return from >= 0 && from <= size;
    part[0] = fmax(part[0], low);
    part[1] = fmin(part[1], high);
    return part[0] <= part[1];
}

bool plot_clip(const double size[2], const double from[2], const double to[2], double part[2])
{
    part[0] = 0;
    part[1] = 1;
    for (int i = 0; i < 2; i++)
        if (!isfinite(from[i]) || !isfinite(to[i]) || !clip_along(size[i], from[i], to[i], part))
            return false;
    return true;
}
