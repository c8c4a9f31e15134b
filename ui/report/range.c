#include "report/range.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "draw/text.h"

#define NAMED_CAUSES 3    /* of the assumed part of a latency */
#define NAMED_FRACTION .1 /* of the assumed part, smaller causes are not named */

/* Removes the unit of `text` if it is that of `latency`. */
static void drop_same_unit(const char *latency, char *text)
{
    const char *unit = strchr(latency, ' ');
    char *own = strchr(text, ' ');

    if (unit != NULL && own != NULL && strcmp(unit, own) == 0)
        *own = '\0';
}

/* Returns what a calibration adds to the range. */
static const char *calibration_words(enum calibration_state calibration)
{
    switch (calibration) {
    case CALIBRATION_USED:
    case CALIBRATION_CHANGED:
        return ", calibrated";
    case CALIBRATION_STALE:
        return ", calibration stale";
    case CALIBRATION_NONE:
        break;
    }
    return "";
}

/* Both ends, without the unit of the latency unless that is RESULT_NONE, and whether they are
 * calibrated. */
static void print_ends(double latency, double low, double high, enum calibration_state calibration,
                       bool unicode, char *text, size_t size)
{
    char unit[RECORD_QUANTITY_MAX], from[RECORD_QUANTITY_MAX], to[RECORD_QUANTITY_MAX];

    text_quantity(latency, "s", unicode, unit, sizeof unit);
    text_quantity(low, "s", unicode, from, sizeof from);
    if (latency != RESULT_NONE)
        drop_same_unit(unit, from);
    if (high == RESULT_NONE) {
        snprintf(text, size, "from %s, may not keep up%s", from, calibration_words(calibration));
        return;
    }
    text_quantity(high, "s", unicode, to, sizeof to);
    if (latency != RESULT_NONE)
        drop_same_unit(unit, to);
    snprintf(text, size, "%s to %s%s", from, to, calibration_words(calibration));
}

void range_ends_text(double latency, double low, double high, bool unicode, char *text, size_t size)
{
    print_ends(latency, low, high, CALIBRATION_NONE, unicode, text, size);
}

void range_text(const struct latency_range *range, bool unicode, char *text, size_t size)
{
    print_ends(range->latency, range->low, range->high, range->calibration, unicode, text, size);
}

void range_text_alone(const struct latency_range *range, bool unicode, char *text, size_t size)
{
    print_ends(RESULT_NONE, range->low, range->high, range->calibration, unicode, text, size);
}

void range_latency_text(double latency, double low, double high, bool unicode,
                        char text[RANGE_LATENCY_MAX])
{
    char quantity[RECORD_QUANTITY_MAX], words[RANGE_TEXT_MAX];

    text_quantity(latency, "s", unicode, quantity, sizeof quantity);
    snprintf(text, RANGE_LATENCY_MAX, "%s", quantity);
    if (low == RESULT_NONE)
        return;
    range_ends_text(latency, low, high, unicode, words, sizeof words);
    snprintf(text, RANGE_LATENCY_MAX, "%s (%s)", quantity, words);
}

void range_rate_text(double rate, double low, double high, bool unicode,
                     char text[RANGE_LATENCY_MAX])
{
    char quantity[RECORD_QUANTITY_MAX], from[RECORD_QUANTITY_MAX], to[RECORD_QUANTITY_MAX];

    text_quantity(rate, "Hz", unicode, quantity, sizeof quantity);
    snprintf(text, RANGE_LATENCY_MAX, "%s", quantity);
    if (low == RESULT_NONE)
        return;
    text_quantity(low, "Hz", unicode, from, sizeof from);
    text_quantity(high, "Hz", unicode, to, sizeof to);
    if (strcmp(from, to) == 0)
        return;
    drop_same_unit(quantity, from);
    drop_same_unit(quantity, to);
    snprintf(text, RANGE_LATENCY_MAX, "%s (%s to %s)", quantity, from, to);
}

/* Returns the cause with the largest assumed part below `limit`, -1 if there is none. Dispatch is
 * left out if its way is not stated, which is named apart. */
static int next_assumed(const struct latency_range *range, double limit)
{
    const int apart = range_unstated(range) != NULL ? CAUSE_DISPATCH : -1;
    int largest = -1;

    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        if (cause != apart && range->assumed_part[cause] < limit &&
            range->assumed_part[cause] > 0 &&
            (largest < 0 || range->assumed_part[cause] > range->assumed_part[largest]))
            largest = cause;
    return largest;
}

void range_assumed_text(const struct latency_range *range, char *text, size_t size)
{
    const double least = NAMED_FRACTION * range->assumed * range->latency;
    const bool unstated = range_unstated(range) != NULL;
    struct buffer words = buffer_over(text, size);
    int cause = next_assumed(range, INFINITY);

    text[0] = '\0';
    if (cause < 0 && !unstated)
        return;
    if (100 * range->assumed < 1)
        buffer_print(&words, "less than 1 %% assumed");
    else
        buffer_print(&words, "%.0f %% assumed", 100 * range->assumed);
    for (int n = unstated; n < NAMED_CAUSES && cause >= 0 && range->assumed_part[cause] >= least;
         n++) {
        buffer_print(&words, "%s %s", n == unstated ? ":" : ",", cause_name((enum cause)cause));
        cause = next_assumed(range, range->assumed_part[cause]);
    }
    if (unstated)
        buffer_print(&words, "; %s", cause_name(CAUSE_UNSTATED));
}

static void put_group(struct record *record, const struct scenario *scenario,
                      const struct latency_range *range, const struct range_group *group)
{
    const struct range_ends ends = range_group_ends(range, group);

    record_row(record);
    record_text(record, "cause", "Cause", cause_name(group->cause));
    record_text(record, "device", "Device", scenario->device[group->device].head.name);
    record_digits(record, "factor", "Factor", "", "%.2f", group->factor);
    record_number(record, "latency_low_us", "Latency from", "us", ends.low);
    record_number(record, "latency_high_us", "to", "us", ends.high);
    record_number(record, "max_frame_rate_low_hz", NULL, "Hz", ends.rate_low);
    record_number(record, "max_frame_rate_high_hz", NULL, "Hz", ends.rate_high);
    record_bool(record, "overloads", NULL, group->overloads);
    record_bool(record, "assumed", "Assumed", group->assumed > 0 || group->cause == CAUSE_UNSTATED);
    record_bool(record, "calibrated", range->calibration != CALIBRATION_NONE ? "Calibrated" : NULL,
                group->calibrated >= 0);
    record_row_end(record);
}

void range_put_groups(struct record *record, const struct scenario *scenario,
                      const struct latency_range *range)
{
    record_table(record, "groups", NULL);
    for (int g = 0; g < (record_is_data(record) ? range->rate_count : range->count); g++)
        put_group(record, scenario, range, &range->group[g]);
    record_table_end(record);
}

void range_put_first(struct record *record, const struct scenario *scenario,
                     const struct latency_range *range, const struct range_group *first)
{
    const char *device = scenario->device[first->device].head.name;
    const char *knob = knobs[KNOB_DEVICE_DISPATCH_CPU].key;
    const char *cause = cause_name(first->cause);
    const bool unstated = first->cause == CAUSE_UNSTATED;
    const char *label = unstated ? "State first" : "Measure first";
    char then[64];

    if (first->overloads)
        snprintf(then, sizeof then, "the design does not keep up");
    else
        snprintf(then, sizeof then, "the latency is %s",
                 record_quantity(record, range_group_ends(range, first).high, "s"));
    if (unstated)
        record_line(record, TONE_PLAIN, label,
                    "device.%s.%s and how else its software works: if all its times are %.2f times "
                    "as long, %s",
                    device, knob, first->factor, then);
    else
        record_line(record, TONE_PLAIN, label,
                    "%s of %s: if these alone take %.2f times as long, %s", cause, device,
                    first->factor, then);
}

void range_put_data(struct record *record, const struct scenario *scenario,
                    const struct latency_range *range)
{
    static const char *const states[] = {[CALIBRATION_NONE] = NULL,
                                         [CALIBRATION_USED] = "used",
                                         [CALIBRATION_CHANGED] = "changed",
                                         [CALIBRATION_STALE] = "stale"};

    record_bool(record, "may_not_keep_up", NULL, range->may_not_keep_up);
    record_number(record, "assumed_fraction", NULL, "", range->assumed);
    record_text(record, "calibration", NULL, states[range->calibration]);
    record_object(record, "range", NULL, true);
    range_put_groups(record, scenario, range);
    record_object_end(record);
}
