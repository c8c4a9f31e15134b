#include "cli/compare_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli/text.h"

enum { NUMBER = 40 };

/* What the sentences are made of. */
struct telling {
    const struct compare_verdict *verdict;
    const char *const *name;
    bool unicode;
    struct compare_fact *list;
    int count;
};

static void tell(struct telling *telling, const char *label, int tone, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void tell(struct telling *telling, const char *label, int tone, const char *format, ...)
{
    struct compare_fact *fact = &telling->list[telling->count++];
    char text[COMPARE_FACT_MAX];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fact->label = label;
    fact->tone = tone;
    text_clean(text, telling->unicode, fact->text, sizeof fact->text);
}

static const char *seconds(const struct telling *telling, double value, char text[NUMBER])
{
    text_quantity(value, "s", telling->unicode, text, NUMBER);
    return text;
}

/* "0.87", "13.1", "240": so many times. */
static const char *times(double value, char text[NUMBER])
{
    snprintf(text, NUMBER, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
    return text;
}

/* Behind a minus or a plus, as "-0 us" would be neither. */
static void signed_quantity(double value, const char *unit, bool unicode, char *text, size_t size)
{
    char number[NUMBER - 1]; /* and a sign */

    text_quantity(fabs(value), unit, unicode, number, sizeof number);
    snprintf(text, size, "%s%s", value < 0 ? "-" : value > 0 ? "+" : "", number);
}

void compare_change(double from, double to, const char *unit, bool unicode, char *text, size_t size)
{
    char number[NUMBER];
    char percent[NUMBER];

    if (from == RESULT_NONE || to == RESULT_NONE) {
        snprintf(text, size, "-");
        return;
    }
    signed_quantity(to - from, unit, unicode, number, sizeof number);
    if (!(from > 0) || !(to > 0)) {
        snprintf(text, size, "%s", number);
        return;
    }
    signed_quantity(100 * (to / from - 1), "", unicode, percent, sizeof percent);
    if (to / from >= 10)
        snprintf(percent, sizeof percent, "%s times", times(to / from, (char[NUMBER]){""}));
    snprintf(text, size, to / from >= 10 ? "%s, %s" : "%s, %s %%", number, percent);
}

void compare_bound(const struct compared_node *node, int s, char *text, size_t size)
{
    bool memory = node->bound[s] == BOUND_MEMORY && component_type_computes(node->type);

    snprintf(text, size, "%s%s%s", node->has[s] ? bound_name(node->bound[s]) : "",
             node->has[s] && memory ? " " : "",
             node->has[s] && memory ? memory_level_name(node->level[s]) : "");
}

static void tell_faster(struct telling *telling)
{
    const struct compare_verdict *verdict = telling->verdict;
    int winner = verdict->faster;
    double ratio = winner == 0 ? verdict->ratio : 1 / verdict->ratio;
    char time[SIDES][NUMBER], number[NUMBER], change[2 * NUMBER];

    for (int s = 0; s < SIDES; s++)
        seconds(telling, verdict->of[s].latency, time[s]);
    if (verdict->ratio == RESULT_NONE) {
        tell(telling, "Faster", 0,
             "RTC latency %s of %s, %s of %s: of one without, nothing is told", time[0],
             telling->name[0], time[1], telling->name[1]);
        return;
    }
    if (winner < 0) {
        tell(telling, "Faster", 0, "neither: both have an RTC latency of %s", time[0]);
        return;
    }
    compare_change(verdict->of[1 - winner].latency, verdict->of[winner].latency, "s",
                   telling->unicode, change, sizeof change);
    if (ratio < 1.05)
        tell(telling, "Faster", 0, "%s, by little: RTC latency %s (%s)", telling->name[winner],
             time[winner], change);
    else
        tell(telling, "Faster", 0, "%s is %s times as fast as %s: %s, not %s (%s)",
             telling->name[winner], times(ratio, number), telling->name[1 - winner], time[winner],
             time[1 - winner], change);
}

/* "x/: 1.17 of both". */
static void uncertainties(const struct telling *telling, char *text, size_t size)
{
    const struct compared_latency *of = telling->verdict->of;
    char factor[SIDES][NUMBER];

    for (int s = 0; s < SIDES; s++)
        times(of[s].uncertainty, factor[s]);
    if (of[0].uncertainty == of[1].uncertainty)
        snprintf(text, size, "\xC3\x97/\xC3\xB7 %s of both", factor[0]);
    else
        snprintf(text, size, "\xC3\x97/\xC3\xB7 %s of %s and \xC3\x97/\xC3\xB7 %s of %s", factor[0],
                 telling->name[0], factor[1], telling->name[1]);
}

/* Whether more than their uncertainty is between them. */
static void tell_decided(struct telling *telling)
{
    const struct compare_verdict *verdict = telling->verdict;
    bool a = verdict->faster <= 0; /* told of whom */
    double least = a ? verdict->least : 1 / verdict->most;
    double most = a ? verdict->most : 1 / verdict->least;
    char of[COMPARE_FACT_MAX / 2], end[2][NUMBER];

    if (verdict->ratio == RESULT_NONE)
        return;
    uncertainties(telling, of, sizeof of);
    if (!compare_differs(least, most)) {
        tell(telling, "Uncertainty", verdict->faster < 0 ? 0 : 1,
             "%s, but in common (the same devices, used alike): %s", of,
             verdict->faster < 0 ? "the same" : "decided");
        return;
    }
    times(least, end[0]);
    times(most, end[1]);
    if (most - least < 0.02) { /* that two decimals would hide */
        snprintf(end[0], NUMBER, "%.5f", least);
        snprintf(end[1], NUMBER, "%.5f", most);
    }
    tell(telling, "Uncertainty", verdict->decided ? 1 : 0,
         "with %s%s, %s may be %s to %s times as fast: %s", of,
         verdict->common > 0 ? ", in part common" : "", telling->name[a ? 0 : 1], end[0], end[1],
         verdict->decided ? "decided" : "not decided");
}

static void tell_target(struct telling *telling, int s)
{
    static const struct {
        const char *format;
        bool worst; /* told of the slow end of its uncertainty */
        int tone;
    } rows[] = {
        [STANDING_MEETS] = {"%s meets %s by %s, also at its worst, %s", true, 1},
        [STANDING_MEETS_BARELY] = {"%s meets %s by %s, but not at its worst, %s", true, 0},
        [STANDING_MISSES_BARELY] = {"%s misses %s by %s, but not at its best, %s", false, -1},
        [STANDING_MISSES] = {"%s misses %s by %s, also at its best, %s", false, -1},
    };
    const struct compared_latency *of = &telling->verdict->of[s];
    char target[NUMBER], by[NUMBER], end[NUMBER], text[COMPARE_FACT_MAX];

    seconds(telling, of->target, target);
    seconds(telling, fabs(of->target - of->latency), by);
    seconds(telling,
            rows[of->standing].worst ? of->latency * of->uncertainty
                                     : of->latency / of->uncertainty,
            end);
    snprintf(text, sizeof text, rows[of->standing].format, telling->name[s], target, by, end);
    tell(telling, s == 0 ? "Target" : "", rows[of->standing].tone, "%s", text);
}

static void tell_overload(struct telling *telling, int s)
{
    char load[NUMBER];

    if (telling->verdict->of[s].overloaded)
        tell(telling, "Overload", -1,
             "%s does not keep up, by %s times; its latency is that of a frame alone",
             telling->name[s], times(telling->verdict->of[s].load, load));
}

static void tell_lag(struct telling *telling)
{
    const struct compared_latency *of = telling->verdict->of;
    int less = of[0].servo_lag < of[1].servo_lag ? 0 : 1;
    char a[NUMBER], b[NUMBER], by[NUMBER];

    text_quantity(of[less].servo_lag, "m", telling->unicode, a, sizeof a);
    text_quantity(of[1 - less].servo_lag, "m", telling->unicode, b, sizeof b);
    text_quantity(of[1 - less].servo_lag - of[less].servo_lag, "m", telling->unicode, by,
                  sizeof by);
    if (compare_differs(of[0].servo_lag, of[1].servo_lag))
        tell(telling, "Servo lag", 0, "%s of %s, %s less than the %s of %s", a, telling->name[less],
             by, b, telling->name[1 - less]);
    else
        tell(telling, "Servo lag", 0, "%s of both", a);
}

int compare_facts(const struct compare_verdict *verdict, const char *const name[SIDES],
                  bool unicode, struct compare_fact list[COMPARE_FACTS])
{
    struct telling telling = {verdict, name, unicode, list, 0};

    tell_faster(&telling);
    tell_decided(&telling);
    for (int s = 0; s < SIDES; s++)
        tell_target(&telling, s);
    for (int s = 0; s < SIDES; s++)
        tell_overload(&telling, s);
    tell_lag(&telling);
    return telling.count;
}
