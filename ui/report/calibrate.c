#include "explore/calibrate.h"

#include <math.h>
#include <string.h>

#include "model/calibration.h"
#include "report/range.h"
#include "report/reports.h"

#define CALIBRATE_SCHEMA 1

static void put_latency(struct record *record, const char *key, const char *label,
                        const struct latency_range *range)
{
    char text[RANGE_LATENCY_MAX];

    record_object(record, key, NULL, true);
    record_number(record, "latency_us", NULL, "us", range->latency);
    record_number(record, "latency_low_us", NULL, "us", range->low);
    record_number(record, "latency_high_us", NULL, "us", range->high);
    record_object_end(record);
    range_latency_text(range->latency, range->low, range->high, record->unicode, text);
    record_line(record, TONE_PLAIN, label, "%s", text);
}

static void put_measured(struct record *record, const struct calibrate *calibrate)
{
    record_table(record, "measured", "Measurements");
    for (int m = 0; m < calibrate->measured_count; m++) {
        const struct calibrate_measured *one = &calibrate->measured[m];

        record_row(record);
        record_text(record, "result", "Result", one->measured.path);
        record_number(record, "measured_us", "Measured", "us", one->measured.value);
        record_number(record, "spread_percent", "Spread", "%", one->measured.spread);
        record_integer(record, "repeated", NULL, one->repeated);
        record_number(record, "before_us", "Before", "us", one->before);
        record_number(record, "after_us", "After", "us", one->after);
        record_digits(record, "surprise", NULL, "", "%.1f", one->surprise);
        record_digits(record, "residual", "Residual", "", "%+.1f",
                      fabs(one->residual) < 0.05 && !record_is_data(record) ? 0 : one->residual);
        record_bool(record, "left_out", NULL, one->left_out);
        record_bool(record, "held", NULL, one->held);
        record_row_end(record);
    }
    record_table_end(record);
    for (int m = 0; m < calibrate->measured_count; m++) {
        const struct calibrate_measured *one = &calibrate->measured[m];

        if (one->left_out)
            record_note(record, "Left out: %s, which the model does not explain.",
                        one->measured.path);
        if (one->held)
            record_note(record,
                        "%s counts more than its spread says: the other measurements would move "
                        "it away from what was measured.",
                        one->measured.path);
    }
    if (calibrate->measured_count > 0)
        record_note(record,
                    "Residual: of the logarithm, in standard deviations of the measurement.");
}

static void put_factors(struct record *record, const struct scenario *scenario)
{
    const char *text = scenario->calibration.factors;
    struct calibration_factor factor;

    record_table(record, "factors", "Factors");
    while (calibration_next_factor(&text, &factor, NULL)) {
        record_row(record);
        record_text(record, "cause", "Cause", factor.cause);
        record_text(record, "device", "Device", factor.device);
        record_digits(record, "factor", "Factor", "", "%.3f", factor.factor);
        record_digits(record, "sigma", "Sigma", "", "%.3f", factor.sigma);
        record_row_end(record);
    }
    record_table_end(record);
}

void calibrate_report(struct record *record, const struct scenario *scenario,
                      const struct calibrate *calibrate, const struct latency_range *before,
                      const struct latency_range *after)
{
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, CALIBRATE_SCHEMA);
    put_measured(record, calibrate);
    put_factors(record, scenario);
    if (calibrate->rest > 0)
        record_note(record,
                    "Not stated: %d further factor%s, of which less is known; a design has %d at "
                    "most.",
                    calibrate->rest, calibrate->rest == 1 ? "" : "s", CALIBRATION_FACTORS_MAX);
    put_latency(record, "before", "RTC latency", before);
    put_latency(record, "after", "Calibrated", after);
    record_object_end(record);
}
