#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "check.h"
#include "design/knob.h"
#include "zoo.h"

static double in_unit(const struct knob *knob, double si)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};

    unit_find(knob->unit, &unit);
    return si * unit.denominator / unit.numerator;
}

static bool within(const struct knob *knob, double si)
{
    return si >= knob_min(knob) && si <= knob_max(knob) &&
           (knob->type != KNOB_INTEGER || si == floor(si));
}

/* One in the second significant digit. */
static bool has_two_digits(double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.1e", value);
    return fabs(strtod(text, NULL) - value) <= 1e-9 * fabs(value);
}

/* From end to end by single steps: always onwards, always back to the value before. */
TEST(steps_up_and_down_return)
{
    for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++) {
        double value = knob_min(k);
        int steps = 0;

        if (!zoo_is_number(k))
            continue;
        while (value < knob_max(k) && steps < 20000) {
            double up = knob_step(k, value, 1);
            double back = knob_step(k, up, -1);

            if (!CHECK_TRUE(up > value && within(k, up), "%s: a step up from %.17g gives %.17g",
                            k->key, value, up))
                break;
            CHECK_TRUE(fabs(back - value) <= 1e-12 * fabs(value) + 1e-300 ||
                           (up == knob_max(k) && back >= value),
                       "%s: up from %.17g to %.17g and down to %.17g", k->key, value, up, back);
            value = up;
            steps++;
        }
        CHECK_TRUE(value == knob_max(k), "%s: %d steps end at %.17g", k->key, steps, value);
        CHECK_TRUE(steps <= 1500, "%s takes %d steps from end to end", k->key, steps);
        CHECK_TRUE(knob_step(k, knob_max(k), 1) == knob_max(k) &&
                       knob_step(k, knob_min(k), -1) == knob_min(k),
                   "%s steps out of its range", k->key);
    }
}

/* Wherever a value is, a step lands on the grid its scale promises. */
TEST(steps_land_on_the_grid)
{
    struct draw draw = draw_start(21);
    int repeat = draw_repeat(200);

    for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++) {
        for (int i = 0; i < repeat && zoo_is_number(k); i++) {
            double value = zoo_value(k, &draw);
            int count = draw_below(&draw, 23) - 11;
            double si = knob_step(k, value, count);
            double shown = in_unit(k, si);
            bool end = si == knob_min(k) || si == knob_max(k);
            double ten = knob_step(k, value, 0);

            CHECK_TRUE(within(k, si) && (count == 0 || end || (count > 0) == (si > value)),
                       "%s: %d steps from %.17g give %.17g", k->key, count, value, si);
            CHECK_TRUE(fabs(ten - value) <= 1e-15 * fabs(value),
                       "%s: no step from %.17g gives %.17g", k->key, value, ten);
            if (count == 0 || end)
                continue;
            if (k->scale == SCALE_LINEAR)
                CHECK_TRUE(fabs(shown / k->step - round(shown / k->step)) < 1e-6,
                           "%s: %.17g is no multiple of %g", k->key, shown, k->step);
            if (k->scale == SCALE_POWER2)
                CHECK_TRUE(exp2(round(log2(shown))) == shown, "%s: %.17g is no power of two",
                           k->key, shown);
            if (k->scale == SCALE_LOG)
                CHECK_TRUE(has_two_digits(shown) ||
                               fabs(shown / k->step - round(shown / k->step)) < 1e-6,
                           "%s: %.17g has more than two digits", k->key, shown);
            for (double at = value; count != 0; count += count > 0 ? -1 : 1) {
                at = knob_step(k, at, count > 0 ? 1 : -1);
                if (count == 1 || count == -1)
                    CHECK_TRUE(fabs(at - si) <= 1e-12 * fabs(si),
                               "%s: single steps from %.17g give %.17g, many %.17g", k->key, value,
                               at, si);
            }
        }
    }
}

TEST(positions_rise_and_return)
{
    struct draw draw = draw_start(22);
    int repeat = draw_repeat(300);

    for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++) {
        if (!zoo_is_number(k) || k->max <= k->min)
            continue;
        CHECK_TRUE(knob_position(k, knob_min(k)) == 0 && knob_position(k, knob_max(k)) == 1 &&
                       knob_at(k, 0) == knob_min(k) && knob_at(k, 1) == knob_max(k),
                   "%s: the ends are not the ends", k->key);
        CHECK_TRUE(knob_position(k, knob_max(k) * 2 + 1) == 1 &&
                       knob_position(k, knob_min(k) - 1) == 0 && knob_at(k, -1) == knob_min(k) &&
                       knob_at(k, 2) == knob_max(k),
                   "%s: beyond the ends is not the ends", k->key);
        for (int i = 0; i < repeat; i++) {
            double a = zoo_value(k, &draw);
            double b = zoo_value(k, &draw);
            double pa = knob_position(k, a);
            double pb = knob_position(k, b);
            double back = knob_at(k, pa);
            double p = draw_between(&draw, 0, 1);
            double q = draw_between(&draw, 0, 1);

            CHECK_TRUE(pa >= 0 && pa <= 1 && (a < b ? pa <= pb : pa >= pb),
                       "%s: %.17g is at %.17g, %.17g at %.17g", k->key, a, pa, b, pb);
            CHECK_TRUE(within(k, back) && back >= knob_step(k, a, -1) && back <= knob_step(k, a, 1),
                       "%s: %.17g is at %.17g, where %.17g is", k->key, a, pa, back);
            CHECK_TRUE(p < q ? knob_at(k, p) <= knob_at(k, q) : knob_at(k, p) >= knob_at(k, q),
                       "%s falls between %.17g and %.17g", k->key, p, q);
        }
    }
}
