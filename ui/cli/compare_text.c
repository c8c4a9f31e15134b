#include "cli/compare_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli/text.h"

enum { NUMBER = 40 };

/* What the sentences are made of. */
struct telling {
    const struct verdict *verdict;
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
    char number[NUMBER];

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

static void tell_faster(struct telling *telling)
{
    const struct verdict *verdict = telling->verdict;
    int winner = verdict->faster;
    char a[NUMBER], b[NUMBER], ratio[NUMBER], change[2 * NUMBER];

    seconds(telling, verdict->of[0].latency, a);
    seconds(telling, verdict->of[1].latency, b);
    if (verdict->ratio == RESULT_NONE) {
        tell(telling, "Faster", 0,
             "RTC latency %s of %s, %s of %s: of one without, nothing is told", a, telling->name[0],
             b, telling->name[1]);
        return;
    }
    if (winner < 0) {
        tell(telling, "Faster", 0, "neither: both have an RTC latency of %s", a);
        return;
    }
    compare_change(verdict->of[1 - winner].latency, verdict->of[winner].latency, "s",
                   telling->unicode, change, sizeof change);
    tell(telling, "Faster", 0, "%s is %s times as fast as %s: RTC latency %s, not %s (%s)",
         telling->name[winner], times(winner == 0 ? verdict->ratio : 1 / verdict->ratio, ratio),
         telling->name[1 - winner], winner == 0 ? a : b, winner == 0 ? b : a, change);
}

/* Whether more than their uncertainty is between them. */
static void tell_decided(struct telling *telling)
{
    const struct verdict *verdict = telling->verdict;
    bool a = verdict->faster <= 0; /* told of whom */
    double least = a ? verdict->least : 1 / verdict->most;
    double most = a ? verdict->most : 1 / verdict->least;
    char u[SIDES][NUMBER], ends[2][NUMBER];

    if (verdict->ratio == RESULT_NONE)
        return;
    for (int s = 0; s < SIDES; s++)
        times(verdict->of[s].uncertainty, u[s]);
    if (!compare_differs(least, most))
        tell(telling, "Uncertainty", verdict->faster < 0 ? 0 : 1,
             "\xC3\x97/\xC3\xB7 %s of %s, %s of %s; both rest on the same devices in the same way, "
             "where errors are common and cancel: %s",
             u[0], telling->name[0], u[1], telling->name[1],
             verdict->faster < 0 ? "the same" : "decided");
    else
        tell(telling, "Uncertainty", verdict->decided ? 1 : 0,
             "with \xC3\x97/\xC3\xB7 %s of %s and \xC3\x97/\xC3\xB7 %s of %s%s, %s may be %s to %s "
             "times as fast: %s",
             u[0], telling->name[0], u[1], telling->name[1],
             verdict->common > 0 ? ", in part common" : "", telling->name[a ? 0 : 1],
             times(least, ends[0]), times(most, ends[1]),
             verdict->decided ? "decided" : "not decided");
}

static void tell_target(struct telling *telling, int s)
{
    const struct compared_latency *of = &telling->verdict->of[s];
    const char *label = s == 0 ? "Target" : "";
    const char *name = telling->name[s];
    double margin = of->target - of->latency;
    char target[NUMBER], by[NUMBER], end[NUMBER];

    seconds(telling, of->target, target);
    seconds(telling, fabs(margin), by);
    switch (of->standing) {
    case STANDING_MEETS:
        seconds(telling, of->latency * of->uncertainty, end);
        tell(telling, label, 1,
             "%s meets %s with %s to spare, also at the far end of its "
             "uncertainty (%s)",
             name, target, by, end);
        return;
    case STANDING_MEETS_BARELY:
        seconds(telling, of->latency * of->uncertainty, end);
        tell(telling, label, 0,
             "%s meets %s with %s to spare, but not at the far end of its "
             "uncertainty (%s)",
             name, target, by, end);
        return;
    case STANDING_MISSES_BARELY:
        seconds(telling, of->latency / of->uncertainty, end);
        tell(telling, label, -1,
             "%s misses %s by %s; at the near end of its uncertainty (%s) it "
             "would meet it",
             name, target, by, end);
        return;
    case STANDING_MISSES:
        seconds(telling, of->latency / of->uncertainty, end);
        tell(telling, label, -1, "%s misses %s by %s, also at the near end of its uncertainty (%s)",
             name, target, by, end);
        return;
    }
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
    char a[NUMBER], b[NUMBER], change[2 * NUMBER];

    text_quantity(of[0].servo_lag, "m", telling->unicode, a, sizeof a);
    text_quantity(of[1].servo_lag, "m", telling->unicode, b, sizeof b);
    compare_change(of[0].servo_lag, of[1].servo_lag, "m", telling->unicode, change, sizeof change);
    if (compare_differs(of[0].servo_lag, of[1].servo_lag))
        tell(telling, "Servo lag", 0, "%s of %s, %s of %s (%s)", a, telling->name[0], b,
             telling->name[1], change);
    else
        tell(telling, "Servo lag", 0, "%s of both", a);
}

int compare_facts(const struct verdict *verdict, const char *const name[SIDES], bool unicode,
                  struct compare_fact list[COMPARE_FACTS])
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
