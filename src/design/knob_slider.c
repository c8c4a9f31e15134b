#include <math.h>

#include "base/units.h"
#include "design/knob.h"

static double unit_scale(const struct knob *knob)
{
    struct unit unit;

    if (unit_find(knob->unit, &unit) != STATUS_OK)
        return 1;
    return unit.numerator / unit.denominator;
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* Where a log range that starts at 0 begins: its smallest step. */
static double log_floor(const struct knob *knob)
{
    return knob->min > 0 ? knob->min : knob->step;
}

double knob_position(const struct knob *knob, double si)
{
    double value = clamp(si / unit_scale(knob), knob->min, knob->max);
    double low = log_floor(knob);

    if (knob->max <= knob->min)
        return 0;
    if (knob->scale == SCALE_LINEAR)
        return (value - knob->min) / (knob->max - knob->min);
    if (value <= low)
        return 0;
    return log(value / low) / log(knob->max / low);
}

/* The grain of a log knob at a value: one in the second significant digit. `up` decides at a power
 * of ten, where the grain changes. */
static double log_grain(const struct knob *knob, double value, int up)
{
    double decade;

    if (value <= 0)
        return knob->step;
    decade = floor(log10(value) + 1e-9);
    if (!up && value <= pow(10, decade) * (1 + 1e-9))
        decade -= 1;
    return fmax(knob->step, pow(10, decade - 1));
}

static double whole_grains(double value, double grain, int up)
{
    double count = value / grain;

    count = up ? floor(count + 1e-6) + 1 : ceil(count - 1e-6) - 1;
    /* dividing by a power of ten rounds better than multiplying by its inverse */
    return grain < 1 ? count / round(1 / grain) : count * grain;
}

/* Where the grain grows from the knob's step, both grids meet in the power of ten. */
static double log_step(const struct knob *knob, double value, int up)
{
    double next = whole_grains(value, log_grain(knob, value, up), up);
    double decade;

    if (!up || value <= 0)
        return next;
    decade = floor(log10(value) + 1e-9);
    return pow(10, decade) > knob->step ? fmin(next, pow(10, decade + 1)) : next;
}

static double one_step(const struct knob *knob, double value, int up)
{
    switch (knob->scale) {
    case SCALE_POWER2:
        return up ? exp2(floor(log2(value) + 1e-9) + 1) : exp2(ceil(log2(value) - 1e-9) - 1);
    case SCALE_LOG:
        return log_step(knob, value, up);
    case SCALE_LINEAR:
        break;
    }
    return whole_grains(value, knob->step, up);
}

double knob_step(const struct knob *knob, double si, int steps)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};
    double value;

    unit_find(knob->unit, &unit);
    value = si * unit.denominator / unit.numerator;
    for (int i = 0; i < (steps < 0 ? -steps : steps); i++)
        value = clamp(one_step(knob, value, steps > 0), knob->min, knob->max);
    return clamp(value * unit.numerator / unit.denominator, knob_min(knob), knob_max(knob));
}

double knob_at(const struct knob *knob, double position)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};
    double low = log_floor(knob);
    double value;
    double below;
    double above;

    unit_find(knob->unit, &unit);
    position = clamp(position, 0, 1);
    if (position == 0 || position == 1)
        return position == 0 ? knob_min(knob) : knob_max(knob);
    if (knob->scale == SCALE_LINEAR)
        value = knob->min + position * (knob->max - knob->min);
    else
        value = low * exp(position * log(knob->max / low));
    above = clamp(one_step(knob, value, 1), knob->min, knob->max);
    below = clamp(one_step(knob, above, 0), knob->min, knob->max);
    value = value - below < above - value ? below : above;
    return clamp(value * unit.numerator / unit.denominator, knob_min(knob), knob_max(knob));
}
