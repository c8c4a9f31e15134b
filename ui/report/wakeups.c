#include "probe/wakeups.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "design/knob_table.h"
#include "report/reports.h"

#define WAKEUPS_SCHEMA 2
#define BAR_COLUMNS 24

/* Returns a quantile, or RESULT_NONE if it is unknown. */
static double known_quantile(const struct wakeups *wakeups, int nines)
{
    return wakeups_know(wakeups, nines) ? wakeups_quantile(wakeups, nines) : RESULT_NONE;
}

static void put_samples(struct record *record, const struct wakeups *wakeups)
{
    char threads[32] = "";

    if (wakeups->threads > 0)
        snprintf(threads, sizeof threads, " of %d thread%s", wakeups->threads,
                 wakeups->threads == 1 ? "" : "s");
    record_line(record, TONE_PLAIN, "Wake-ups", "%.0f%s, latency %s to %s", wakeups->samples,
                threads, record_quantity(record, wakeups->list[0].latency, "s"),
                record_quantity(record, wakeups_quantile(wakeups, LATE_MAX + 1), "s"));
    record_line(record, TONE_PLAIN, "Quantiles", "p50 %s, p99 %s, p99.9 %s",
                record_quantity(record, known_quantile(wakeups, 0), "s"),
                record_quantity(record, known_quantile(wakeups, 2), "s"),
                record_quantity(record, known_quantile(wakeups, 3), "s"));
    if (wakeups->overflows > 0)
        record_line(record, TONE_BAD, "Overflows",
                    "%.0f wake-up%s later than the last line of the histogram, %s",
                    wakeups->overflows, wakeups->overflows == 1 ? "" : "s",
                    record_quantity(record, wakeups->last, "s"));
    record_text(record, "form", NULL, wakeups->threads > 0 ? "histogram" : "list");
    record_text(record, "program", NULL, wakeups->program);
    record_integer(record, "threads", NULL, wakeups->threads > 0 ? wakeups->threads : RESULT_NONE);
    record_integer(record, "samples", NULL, wakeups->samples);
    record_integer(record, "overflows", NULL, wakeups->overflows);
    record_number(record, "min_us", NULL, "us", wakeups->list[0].latency);
    record_number(record, "p50_us", NULL, "us", wakeups_quantile(wakeups, 0));
    record_number(record, "p99_us", NULL, "us", known_quantile(wakeups, 2));
    record_number(record, "p999_us", NULL, "us", known_quantile(wakeups, 3));
    record_number(record, "max_us", NULL, "us", wakeups_quantile(wakeups, LATE_MAX + 1));
}

/* Puts the quantiles that a device states; the bars are the latencies. */
static void put_late(struct record *record, const struct wakeups *wakeups)
{
    double most = wakeups_quantile(wakeups, LATE_MAX + 1);
    char bar[BAR_COLUMNS + 1];
    int unknown = 0;

    memset(bar, '#', sizeof bar);
    record_table(record, "late", NULL);
    for (int q = 0; q < LATE_COUNT; q++) {
        double latency = known_quantile(wakeups, q + 1);
        bool known = latency != RESULT_NONE;
        int columns = known && most > 0 ? (int)ceil(latency / most * BAR_COLUMNS) : 0;

        unknown += !known;
        record_row(record);
        record_text(record, "knob", "Knob", knobs[KNOB_DEVICE_LATE_P90 + q].key);
        record_number(record, "latency_us", "Latency", "us", latency);
        record_number(record, "late_us", "Beyond p50", "us",
                      known ? wakeups_late(wakeups, (enum late)q) : RESULT_NONE);
        if (record->format == RECORD_TEXT)
            record_cellf(record, "", "%.*s", columns, bar);
        record_row_end(record);
    }
    record_table_end(record);
    if (unknown > 0)
        record_note(record,
                    "A dash is unknown: later than the last line of the histogram and at most the "
                    "largest latency, which a preset assumes for it; a larger -h resolves it.");
}

void wakeups_report(struct record *record, const char *name, const struct wakeups *wakeups)
{
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, WAKEUPS_SCHEMA);
    record_title(record, "Late wake-ups in %s", name);
    record_text(record, "file", NULL, name);
    put_samples(record, wakeups);
    put_late(record, wakeups);
    if (wakeups->samples < pow(10, LATE_MAX))
        record_note(record,
                    "The last quantiles are the largest latency: %.0f wake-ups do not "
                    "resolve them.",
                    wakeups->samples);
    if (wakeups_of_loop(wakeups)) {
        record_note(record, WAKEUPS_OF_LOOP ".");
        record_object_end(record);
        return;
    }
    record_note(record,
                "A device that states these values has them in simulated frames in place of those "
                "of its system; -o FILE --preset NAME writes a preset that does.");
    record_object_end(record);
}
