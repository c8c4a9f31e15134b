#include <math.h>

#include "explore/seek_search.h"
#include "knob_in_force.h"

#define BISECTIONS 200
/* Where bisection may stop: of the value, well within SEEK_DIGITS; of the slider's step, near 0. */
#define NARROW 1e-7
#define TINY 1e-9
#define DIGITS_MAX 15
#define FEW 128 /* whole numbers between two steps that are all tried */

static double in_unit(const struct search *search, double si)
{
    return si * search->unit.denominator / search->unit.numerator;
}

static double to_si(const struct search *search, double value)
{
    return value * search->unit.numerator / search->unit.denominator;
}

/* Whether every whole number of the range is tried. */
static bool is_exact(const struct knob *knob)
{
    return knob->type == KNOB_INTEGER && knob->scale != SCALE_POWER2 &&
           knob->max - knob->min <= SEEK_EXACT;
}

/* The value after `si`; false at the end of the range. What stands for "automatic" is no number. */
static bool next_value(const struct search *search, double si, int side, double *next)
{
    const struct knob *knob = search->seek->ref.knob;
    int by = side == SEEK_ABOVE ? 1 : -1;

    if (is_exact(knob))
        *next = to_si(search, round(in_unit(search, si)) + by);
    else
        *next = knob_step(knob, si, by);
    if (*next < knob_min(knob) || *next > knob_max(knob) || knob_left_open(knob, *next))
        return false;
    return by > 0 ? *next > si : *next < si;
}

/* Evaluates a number between the two points of an edge; it takes the place of one of them. True: of
 * the one that holds. */
static bool divide(struct search *search, struct seek_side *side, double value)
{
    struct seek_point point;

    search_number(search, to_si(search, value), &point);
    *(search_holds(&point) ? &side->holds : &side->fails) = point;
    return search_holds(&point);
}

/* Narrows an edge between a point on either side of it down to neighbours. */
static void bisect(struct search *search, struct seek_side *side)
{
    const struct knob *knob = search->seek->ref.knob;
    bool whole = knob->type == KNOB_INTEGER;

    for (int i = 0; i < BISECTIONS && search->status == STATUS_OK; i++) {
        double a = in_unit(search, side->holds.value);
        double b = in_unit(search, side->fails.value);
        double middle = whole ? floor((a + b) / 2) : a + (b - a) / 2;

        if (middle == a || middle == b ||
            (!whole && fabs(a - b) <= fmax(NARROW * fmin(fabs(a), fabs(b)), TINY * knob->step)))
            return;
        divide(search, side, middle);
    }
}

/* The first of few whole numbers on the way from the present value to the edge's outer point. */
static void count_up(struct search *search, struct seek_side *side)
{
    bool outer = !search_holds(&search->seek->from);
    const struct seek_point *inner = outer ? &side->fails : &side->holds;
    double last = in_unit(search, outer ? side->holds.value : side->fails.value);
    double by = last > in_unit(search, inner->value) ? 1 : -1;

    for (double at = in_unit(search, inner->value) + by; at != last; at += by)
        if (divide(search, side, at) == outer || search->status != STATUS_OK)
            return;
}

/* A number with so many digits, the next one up or down. */
static double rounded(double value, int digits, bool up)
{
    double grain = pow(10, floor(log10(fabs(value))) - digits + 1);
    double count = value / grain;

    count = up ? ceil(count - 1e-9) : floor(count + 1e-9);
    /* dividing by a power of ten rounds better than multiplying by its inverse */
    return grain < 1 ? count / round(1 / grain) : count * grain;
}

/* Replaces one of the two points of an edge by a number with few digits at the same side of it;
 * `limit`, how far it may lie from the edge. */
static void shorten(struct search *search, struct seek_point *at, const struct seek_point *other,
                    double limit)
{
    bool up = at->value > other->value;
    double value = in_unit(search, at->value);

    for (int digits = SEEK_DIGITS; value != 0 && digits <= DIGITS_MAX; digits++) {
        double si = to_si(search, rounded(value, digits, up));
        struct seek_point point;

        if (search->status != STATUS_OK || si == at->value)
            return;
        if (up ? si > limit : si < limit)
            continue;
        search_number(search, si, &point);
        if (search_holds(&point) == search_holds(at)) {
            *at = point;
            return;
        }
    }
}

/* The edge between neighbours of the scan. */
static void refine(struct search *search, struct seek_side *side)
{
    const struct knob *knob = search->seek->ref.knob;
    double holding = side->holds.value;
    double failing = side->fails.value;

    if (knob->scale == SCALE_POWER2)
        return;
    if (knob->type == KNOB_INTEGER && fabs(in_unit(search, holding - failing)) <= FEW) {
        count_up(search, side);
        return;
    }
    bisect(search, side);
    if (knob->type == KNOB_INTEGER)
        return;
    shorten(search, &side->holds, &side->fails, holding);
    shorten(search, &side->fails, &side->holds, failing);
}

static void walk(struct search *search, int number)
{
    struct seek *seek = search->seek;
    struct seek_side *side = &seek->side[number];
    const struct knob *knob = seek->ref.knob;
    double from = knob_position(knob, seek->from.value);
    struct seek_point before = seek->from;
    double next;

    side->end = before;
    while (search->status == STATUS_OK && next_value(search, before.value, number, &next)) {
        search->done = (number + fabs(knob_position(knob, next) - from)) / SEEK_SIDES;
        search_number(search, next, &side->end);
        if (search_holds(&side->end) != search_holds(&seek->from)) {
            side->crossed = true;
            side->holds = search_holds(&side->end) ? side->end : before;
            side->fails = search_holds(&side->end) ? before : side->end;
            refine(search, side);
            return;
        }
        before = side->end;
    }
}

/* What an automatic value comes to; else the knob's own idea, else the middle of its slider. */
static double automatic_value(struct search *search)
{
    struct knob_ref ref = search->seek->ref;
    const struct knob *knob = ref.knob;
    const struct result *result =
        search->seek->present.problem.status == STATUS_OK ? search->result : NULL;
    double value = knob_number_in_force(search->scenario, result, ref);

    if (!(value >= knob_min(knob) && value <= knob_max(knob)) || knob_left_open(knob, value))
        value = knob_fallback(knob);
    if (!(value >= knob_min(knob) && value <= knob_max(knob)) || knob_left_open(knob, value))
        value = knob_at(knob, 0.5);
    return knob->type == KNOB_INTEGER ? to_si(search, round(in_unit(search, value))) : value;
}

static double way(const struct seek *seek, const struct seek_side *side)
{
    return fabs(knob_position(seek->ref.knob, side->holds.value) -
                knob_position(seek->ref.knob, seek->from.value));
}

void search_numbers(struct search *search)
{
    struct seek *seek = search->seek;
    const struct seek_side *below = &seek->side[SEEK_BELOW];
    const struct seek_side *above = &seek->side[SEEK_ABOVE];

    seek->from = seek->present;
    if (knob_left_open(seek->ref.knob, seek->present.value))
        search_number(search, automatic_value(search), &seek->from);
    for (int side = 0; side < SEEK_SIDES; side++)
        walk(search, side);
    seek->found = below->crossed || above->crossed ||
                  (search_holds(&seek->from) && !search_holds(&seek->present));
    if (seek->found && !below->crossed && !above->crossed)
        seek->answer = seek->from;
    else if (seek->found)
        seek->answer = below->crossed && (!above->crossed || way(seek, below) <= way(seek, above))
                           ? below->holds
                           : above->holds;
}
