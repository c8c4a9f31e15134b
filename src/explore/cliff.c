#include "explore/cliff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/stats.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "model/knob_effect.h"
#include "model/range.h"
#include "model/result_read.h"

/* A search for the largest cliff of a knob. */
struct cliff_search {
    struct trial *trial;
    struct knob_ref ref;
    const struct result_row *of; /* the latency or an end of its range */
    struct cliff *largest;
    double factor; /* of the largest cliff so far */
};

/* Returns the latency with a value of the knob, or RESULT_NONE. */
static double latency_at(const struct cliff_search *search, double value)
{
    struct trial *trial = search->trial;
    struct latency_range range;
    bool valid = trial_set_number(trial, search->ref, value) &&
                 (range_has(search->of) ? trial_find_range(trial, search->of->derived, &range)
                                        : trial_evaluate(trial));

    return valid && !trial->result.overloaded ? result_value(&trial->result, search->of, 0)
                                              : RESULT_NONE;
}

static double latency_factor(double a, double b)
{
    return a <= 0 || b <= 0 ? 0 : larger(a, b) / smaller(a, b);
}

static bool is_step(double a, double b)
{
    return larger(a, b) <= smaller(a, b) * (1 + CLIFF_STEP) * (1 + 1e-12);
}

static void offer_cliff(struct cliff_search *search, double from, double before, double to,
                        double after)
{
    double factor = latency_factor(before, after);

    if (factor <= search->factor || !is_step(from, to))
        return;
    search->factor = factor;
    *search->largest =
        (struct cliff){from, to, before, after, search->of == &result_rows[RESULT_LATENCY_HIGH]};
}

/* Offers the cliffs between a value and `tries` ones either side: the next integer, then at equal
 * distances up to a step away. */
static void search_around(struct cliff_search *search, double value, double latency, int tries)
{
    const struct knob *knob = search->ref.knob;
    bool whole = knob->type == KNOB_INTEGER;

    for (int direction = -1; direction <= 1; direction += 2) {
        double before = value;

        for (int i = whole ? 0 : 1; i <= tries; i++) {
            double away = 1 + CLIFF_STEP * i / tries;
            double near = direction > 0 ? value * away : value / away;

            if (whole)
                near = i == 0 ? value + direction : direction > 0 ? floor(near) : ceil(near);
            near = smaller(larger(near, knob_min(knob)), knob_max(knob));
            if ((near - before) * direction > 0 && !knob_is_auto(knob, near))
                offer_cliff(search, value, latency, near, latency_at(search, near));
            before = near;
        }
    }
}

bool cliff_near(struct trial *trial, struct knob_ref ref, double high, struct cliff *cliff)
{
    struct cliff_search search = {trial, ref, &result_rows[RESULT_LATENCY], cliff, CLIFF_FACTOR};
    const struct result *result = trial->present;
    double value;

    if (!knob_is_number(ref.knob) || result->latency <= 0 || result->overloaded ||
        knob_divides(trial->design, ref))
        return false;
    value = knob_number_in_force(trial->design, result, ref);
    if (value == RESULT_NONE || value <= 0)
        return false;
    search_around(&search, value, result->latency,
                  ref.knob->type == KNOB_INTEGER ? CLIFF_TRIES : CLIFF_REAL_TRIES);
    if (search.factor == CLIFF_FACTOR && high != RESULT_NONE) {
        search.of = &result_rows[RESULT_LATENCY_HIGH];
        search_around(&search, value, high, 1);
    }
    return search.factor > CLIFF_FACTOR;
}

/* Offers the cliffs between two values: halves the distance where the latency changes. */
static void search_between(struct cliff_search *search, double low, double at_low, double high,
                           double at_high)
{
    bool whole = search->ref.knob->type == KNOB_INTEGER;
    double middle = whole ? round(sqrt(low * high)) : sqrt(low * high);
    double at_middle;

    if (latency_factor(at_low, at_high) <= CLIFF_FACTOR || low <= 0)
        return;
    if (is_step(low, high)) {
        if (at_low < at_high)
            offer_cliff(search, low, at_low, high, at_high);
        else
            offer_cliff(search, high, at_high, low, at_low);
        return;
    }
    if (middle <= low || middle >= high)
        return;
    at_middle = latency_at(search, middle);
    search_between(search, low, at_low, middle, at_middle);
    search_between(search, middle, at_middle, high, at_high);
}

bool cliff_along(struct trial *trial, struct knob_ref ref, const double *value, int count,
                 const struct result_row *of, struct cliff *cliff)
{
    struct cliff_search search = {trial, ref, of, cliff, CLIFF_FACTOR};
    double sorted[CLIFF_POINTS];
    double before = RESULT_NONE;

    if (!knob_is_number(ref.knob) || count < 2 || count > CLIFF_POINTS ||
        knob_divides(trial->design, ref))
        return false;
    memcpy(sorted, value, (size_t)count * sizeof *value);
    stats_sort(sorted, count);
    for (int i = 0; i < count; i++) {
        double latency =
            knob_is_auto(ref.knob, sorted[i]) ? RESULT_NONE : latency_at(&search, sorted[i]);

        if (i > 0)
            search_between(&search, sorted[i - 1], before, sorted[i], latency);
        before = latency;
    }
    return search.factor > CLIFF_FACTOR;
}

void cliff_print_value(double value, struct knob_ref ref, char text[CLIFF_VALUE])
{
    if (ref.knob->type == KNOB_INTEGER)
        quantity_format(value, ref.knob->unit, text, CLIFF_VALUE);
    else
        quantity_print(value, ref.knob->unit, text, CLIFF_VALUE);
}

void cliff_print(const struct cliff *cliff, struct knob_ref ref, char text[CLIFF_TEXT])
{
    char from[CLIFF_VALUE], to[CLIFF_VALUE], before[40], after[40];

    cliff_print_value(cliff->from, ref, from);
    cliff_print_value(cliff->to, ref, to);
    quantity_print(cliff->before, "s", before, sizeof before);
    quantity_print(cliff->after, "s", after, sizeof after);
    snprintf(text, CLIFF_TEXT, "%s gives %s%s, %s gives %s%s, %.2f times as long", from,
             cliff->upper ? "up to " : "", before, to, cliff->upper ? "up to " : "", after,
             cliff->after / cliff->before);
}
