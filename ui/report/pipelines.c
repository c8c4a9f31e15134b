#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "explore/pipelines.h"
#include "model/result.h"

#define PIPELINES_SCHEMA 3

static const char *or_null(const char *text)
{
    return text[0] == '\0' ? NULL : text;
}

static void put_range_cell(struct record *record, const struct pipeline_prediction *of)
{
    if (of->low == RESULT_NONE)
        record_cell(record, "Range", "");
    else if (of->may_not_keep_up)
        record_cellf(record, "Range", "%s or more", record_quantity(record, of->low, "s"));
    else
        record_cellf(record, "Range", "%s to %s", record_quantity(record, of->low, "s"),
                     record_quantity(record, of->high, "s"));
    record_right(record);
}

/* Puts whether a measured value is inside a range. */
static void put_inside(struct record *record, const char *json, const char *heading,
                       const struct pipeline_prediction *of)
{
    if (of->low != RESULT_NONE) {
        record_bool(record, json, heading, of->inside);
        return;
    }
    record_null(record, json);
    if (heading != NULL)
        record_cell(record, heading, "");
}

/* Puts the goal of a row that has one; in columns of text if `shown`. */
static void put_row_goal(struct record *record, const struct pipeline_row *row, bool shown)
{
    bool has = pipelines_row_has_goal(row);

    record_text(record, "goal", shown ? "Goal" : NULL, has ? PIPELINES_ROW_GOAL : NULL);
    if (has)
        record_bool(record, "met", shown ? "Met" : NULL, pipelines_row_met(row));
    else
        record_null(record, "met");
    if (!has && shown)
        record_cell(record, "Met", "");
}

/* Puts the words of a row, which have no room in text. */
static void put_texts(struct record *record, const struct pipeline_row *row)
{
    record_text(record, "computer", NULL, row->computer);
    record_text(record, "system", NULL, row->system);
    record_text(record, "size", NULL, row->size);
    record_text(record, "start", NULL, or_null(row->start));
    record_text(record, "end", NULL, or_null(row->end));
    record_text(record, "packetisation", NULL, or_null(row->packetisation));
    record_text(record, "quantity", NULL, row->what);
    record_text(record, "statistic", NULL, or_null(row->statistic));
    record_text(record, "source", NULL, row->source);
    record_text(record, "quality", NULL, row->quality);
    record_text(record, "notes", NULL, or_null(row->notes));
    record_text(record, "reason", NULL, or_null(row->reason));
    record_text(record, "remark", NULL, or_null(row->remark));
}

/* Puts the prediction with the model's figures. Text has it of rows that calibrate, beside the one
 * without their computer, which has the range and is the only one of others. */
static void put_seen(struct record *record, const struct pipeline_row *row, bool calibrates)
{
    record_number(record, "predicted_us", calibrates ? "Predicted" : NULL, "us", row->seen.value);
    record_number(record, "low_us", NULL, "us", row->seen.low);
    record_number(record, "high_us", NULL, "us", row->seen.high);
    put_inside(record, "inside", NULL, &row->seen);
    record_digits(record, "factor", calibrates ? "Factor" : NULL, "", "%.2f", row->seen.factor);
    if (calibrates)
        record_optional(record);
    record_digits(record, "ratio", NULL, "", "%.2f",
                  row->seen.value == RESULT_NONE ? RESULT_NONE : row->seen.value / row->measured);
}

/* Of rows that test it is the only prediction. */
static void put_unseen(struct record *record, const struct pipeline_row *row, bool tests)
{
    record_number(record, "unseen_us", tests ? "Predicted" : "Unseen", "us", row->unseen.value);
    record_number(record, "unseen_low_us", NULL, "us", row->unseen.low);
    record_number(record, "unseen_high_us", NULL, "us", row->unseen.high);
    put_range_cell(record, &row->unseen);
    put_inside(record, "unseen_inside", "Inside", &row->unseen);
    record_digits(record, "unseen_factor", tests ? "Factor" : "Off", "", "%.2f",
                  row->unseen.factor);
    record_number(record, "software_unknown_us", NULL, "us", row->unstated);
}

static void put_pipeline_row(struct record *record, const struct pipeline_row *row)
{
    static const char *const titles[PIPELINE_ROLES] = {
        [PIPELINE_TESTS] = "Tests",
        [PIPELINE_CALIBRATES] = "Calibrates",
        [PIPELINE_LISTED] = "Listed",
    };
    const bool calibrates = row->role == PIPELINE_CALIBRATES;
    const bool listed = row->role == PIPELINE_LISTED;

    record_row(record);
    record_text(record, "id", titles[row->role], row->id);
    record_text(record, "role", NULL, pipeline_role_name(row->role));
    record_text(record, "class", calibrates ? NULL : "Class", pipeline_class_title(row->class));
    if (!calibrates)
        record_optional(record);
    put_texts(record, row);
    record_text(record, "compared", listed ? "Compared" : NULL,
                pipeline_quantity_name(row->quantity));
    record_number(record, "measured_us", "Measured", "us", row->measured);
    record_number(record, "measured_low_us", NULL, "us", row->measured_low);
    record_number(record, "measured_high_us", NULL, "us", row->measured_high);
    put_seen(record, row, calibrates);
    put_unseen(record, row, row->role == PIPELINE_TESTS);
    record_bool(record, "software_unknown", NULL, row->software_unknown);
    record_bool(record, "fitted", NULL, row->fitted);
    record_text(record, "cause", row->role == PIPELINE_TESTS ? "Mostly" : NULL,
                row->cause == CAUSE_NONE ? NULL : cause_name(row->cause));
    if (row->role == PIPELINE_TESTS)
        record_optional(record);
    record_digits(record, "assumed_percent", calibrates ? NULL : "Assumed", "%", "%.0f %%",
                  row->assumed);
    record_number(record, "measured_p99_low_us", NULL, "us", row->p99_low);
    record_number(record, "measured_p99_high_us", NULL, "us", row->p99_high);
    record_number(record, "predicted_p99_us", NULL, "us", row->predicted_p99);
    if (row->predicted_p99 == RESULT_NONE)
        record_null(record, "p99_inside");
    else
        record_bool(record, "p99_inside", NULL, pipelines_p99_inside(row));
    put_row_goal(record, row, false);
    record_row_end(record);
}

static void put_pipeline_rows(struct record *record, const struct pipelines *pipelines)
{
    static const char *const tables[PIPELINE_ROLES] = {"tests", "calibrates", "listed"};

    if (record_is_data(record)) {
        record_table(record, "rows", NULL);
        for (int i = 0; i < pipelines->count; i++)
            put_pipeline_row(record, &pipelines->row[i]);
        record_table_end(record);
        return;
    }
    for (int role = 0; role < PIPELINE_ROLES; role++) {
        record_table(record, tables[role], pipeline_role_name((enum pipeline_role)role));
        for (int i = 0; i < pipelines->count; i++)
            if ((int)pipelines->row[i].role == role && pipelines->row[i].seen.value != RESULT_NONE)
                put_pipeline_row(record, &pipelines->row[i]);
        record_table_end_noting(record);
    }
}

static void put_p99_rows(struct record *record, const struct pipelines *pipelines)
{
    int count = 0;
    int inside = 0;

    record_table(record, "p99", "99th percentiles");
    for (int i = 0; i < pipelines->count; i++) {
        const struct pipeline_row *row = &pipelines->row[i];

        if (row->predicted_p99 == RESULT_NONE)
            continue;
        record_row(record);
        record_text(record, "id", "99th percentile", row->id);
        record_cellf(record, "Measured", "%.4g to %.4g \xC2\xB5s", row->p99_low * 1e6,
                     row->p99_high * 1e6);
        record_right(record);
        record_number(record, "predicted_p99_us", "Predicted", "us", row->predicted_p99);
        record_bool(record, "p99_inside", "Inside", pipelines_p99_inside(row));
        put_row_goal(record, row, true);
        record_row_end(record);
        count++;
        inside += pipelines_p99_inside(row);
    }
    record_table_end(record);
    record_note(record, "%d of the %d are inside; the goals of the headline are those of medians.",
                inside, count);
}

static void put_pipelines_summary(struct record *record, const struct pipelines *pipelines,
                                  enum pipelines_group group, int member, const char *of)
{
    const struct pipelines_summary summary = pipelines_summarise(pipelines, group, member);
    const bool counts = group == PIPELINES_SEEN || group == pipelines_headline(pipelines);
    const struct pipelines_goal *goal = &pipelines_goals[counts ? group : PIPELINES_OF_CLASS];

    if (summary.count == 0)
        return;
    record_row(record);
    record_text(record, "of", "Rows", of);
    record_integer(record, "count", "Count", summary.count);
    record_integer(record, "computers", "Computers", summary.computers);
    record_digits(record, "median_factor", "Median", "", "%.2f", summary.median_factor);
    record_digits(record, "worst_factor", "Worst", "", "%.2f", summary.worst_factor);
    record_digits(record, "inside_percent", "Inside", "%", "%.0f %%", summary.inside);
    record_digits(record, "median_width", "Width", "", "%.2f", summary.median_width);
    record_text(record, "goal", NULL, goal->words);
    record_cell(record, "Goal", goal->words != NULL ? goal->words : "");
    record_folded(record);
    if (goal->words == NULL) {
        record_null(record, "met");
        record_cell(record, "Met", "");
    } else {
        record_bool(record, "met", "Met", pipelines_goal_met(&summary, goal));
    }
    record_row_end(record);
}

static void put_summaries(struct record *record, const struct pipelines *pipelines)
{
    record_table(record, "summary", "Summary");
    put_pipelines_summary(record, pipelines, PIPELINES_TESTS, 0, "tests");
    put_pipelines_summary(record, pipelines, PIPELINES_UNSEEN, 0, "unseen");
    put_pipelines_summary(record, pipelines, PIPELINES_BY_COMPUTER, 0,
                          "unseen, one value per computer");
    put_pipelines_summary(record, pipelines, PIPELINES_SEEN, 0, "calibrates, with its own figures");
    for (int class = 0; class < PIPELINE_CLASSES; class ++)
        put_pipelines_summary(record, pipelines, PIPELINES_OF_CLASS, class,
                              pipeline_class_title((enum pipeline_class) class));
    for (int i = 0; i < pipelines->count; i++) {
        char computer[64];
        struct buffer of = buffer_over(computer, sizeof computer);

        if (!pipelines_first_of_computer(pipelines, i))
            continue;
        buffer_print(&of, "%s %s", pipelines->row[i].computer,
                     pipeline_role_name(pipelines->row[i].role));
        put_pipelines_summary(record, pipelines, PIPELINES_OF_COMPUTER, i, computer);
    }
    record_table_end(record);
    record_note(record, "Unseen: predicted with all fits and factors made again without the "
                        "computer of the row. Factor: the larger of measured and predicted over "
                        "the smaller. Width: root of the upper end of a range over the lower.");
}

/* Puts a value of a fit, a time or a fraction. */
static void put_fit_value(struct record *record, const char *json, const char *heading,
                          enum fit_figure figure, double value)
{
    if (fit_is_fraction(figure))
        record_digits(record, json, heading, "", "%.2f", value);
    else
        record_number(record, json, heading, "us", value);
}

/* Puts the rows and computers that a fit rests on: "ml-fgnr-250, revolt". */
static void put_fit_values(struct record *record, const struct fit *fit)
{
    struct buffer words = {0};

    for (int i = 0; i < fit->count; i++)
        buffer_print(&words, "%s%s", i > 0 ? ", " : "",
                     fit->value[i].row != NULL ? fit->value[i].row : fit->value[i].computer);
    record_text(record, "rests_on", NULL, words.bytes);
    record_cell(record, "Rests on", words.bytes);
    record_folded(record);
    buffer_free(&words);
}

/* Puts the fits of figures; least and largest without a computer. */
static void put_fits(struct record *record, const struct pipelines *pipelines)
{
    record_table(record, "fits", "Fits");
    for (int f = 0; f < FIT_COUNT; f++) {
        const enum fit_figure figure = (enum fit_figure)f;
        const struct fit *fit = &pipelines->fits.fit[f];
        double low = fit_find(fit, NULL);
        double high = low;

        for (int i = 0; i < fit->count; i++) {
            const double value = fit_find(fit, fit->value[i].computer);

            low = fmin(low, value);
            high = fmax(high, value);
        }
        record_row(record);
        record_text(record, "figure", "Figure", fit_name(figure));
        record_text(record, "unit", NULL, fit_is_fraction(figure) ? "" : "us");
        put_fit_value(record, "start", "Start", figure, fit->start);
        put_fit_value(record, "fitted", "Fitted", figure, fit_find(fit, NULL));
        put_fit_value(record, "used", "Used", figure, fit_used(figure));
        put_fit_value(record, "least", "Least", figure, low);
        put_fit_value(record, "largest", "Largest", figure, high);
        record_text(record, "start_source", NULL, or_null(fit->start_source));
        record_text(record, "samples_source", NULL, or_null(fit->samples_source));
        put_fit_values(record, fit);
        record_row_end(record);
    }
    record_table_end(record);
    record_note(record, "A fit is the geometric mean of its start and of each computer; least and "
                        "largest are without one computer.");
}

/* Puts the factor of each cause, and the least and the largest without a computer. */
static void put_factors(struct record *record, const struct pipelines *pipelines)
{
    const struct pipelines_fit all = pipelines_fit_causes(pipelines, -1);

    record_table(record, "factors", "Factors");
    for (int c = 0; c < CAUSE_COUNT; c++) {
        const enum cause cause = (enum cause)c;
        double low = all.factor[c];
        double high = all.factor[c];

        for (int i = 0; i < pipelines->count; i++) {
            const struct pipelines_fit fit = pipelines_fit_causes(pipelines, i);

            low = fmin(low, fit.factor[c]);
            high = fmax(high, fit.factor[c]);
        }
        record_row(record);
        record_text(record, "cause", "Cause", cause_name(cause));
        record_integer(record, "computers", "Computers", all.computers[c]);
        record_digits(record, "start", "Start", "", "%.2f", cause_start(cause));
        record_digits(record, "fitted", "Fitted", "", "%.2f",
                      all.computers[c] < PIPELINES_FIT_COMPUTERS ? RESULT_NONE : all.factor[c]);
        record_digits(record, "used", "Used", "", "%.2f", cause_uncertainty(cause));
        record_digits(record, "least", "Least", "", "%.2f", low);
        record_digits(record, "largest", "Largest", "", "%.2f", high);
        record_row_end(record);
    }
    record_table_end(record);
    record_note(record,
                "A factor is fitted where the rows of %d computers or more consist mostly of its "
                "cause, that of unknown software to all rows as if their software were not stated; "
                "the start counts as one computer.",
                PIPELINES_FIT_COMPUTERS);
}

/* Puts "ID: size on system; from start to end; statistic; notes. Listed: reason", without what
 * is not known. */
static void put_words(struct record *record, const struct pipeline_row *row)
{
    const struct {
        const char *before, *text;
    } parts[] = {
        {.before = "; ", .text = row->statistic},
        {.before = "; ", .text = row->notes},
        {.before = ". Listed: ", .text = row->reason},
        {.before = ". Of the prediction: ", .text = row->remark},
    };
    struct buffer words = {0};

    buffer_print(&words, "%s on %s", row->size, row->system);
    if (row->start[0] != '\0')
        buffer_print(&words, "; from %s to %s", row->start, row->end);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].text[0] != '\0')
            buffer_print(&words, "%s%s", parts[i].before, parts[i].text);
    record_remark(record, row->id, words.bytes);
    buffer_free(&words);
}

static void put_list(struct record *record, const struct pipelines *pipelines, const char *section,
                     bool listed)
{
    record_section(record, "%s", section);
    for (int i = 0; i < pipelines->count; i++)
        if ((pipelines->row[i].role == PIPELINE_LISTED) == listed)
            put_words(record, &pipelines->row[i]);
}

/* Prints how many rows of a group are inside: "5 of the 8 rows (62 %) are inside". */
static void print_inside(struct buffer *text, const struct pipelines_summary *of)
{
    buffer_print(text, "%.0f of the %d rows (%.0f %%) are inside", round(of->inside * of->count),
                 of->count, 100 * of->inside);
}

/* Puts how well computers that nobody has seen are predicted, whether that is good enough, and how
 * much of it is due to the rows of one computer. */
static void put_headline(struct record *record, const struct pipelines *pipelines)
{
    static const char *const which[PIPELINES_GROUPS] = {
        [PIPELINES_TESTS] = "On computers that no figure rests on, ",
        [PIPELINES_UNSEEN] = "Each predicted without its own computer, ",
    };
    const enum pipelines_group group = pipelines_headline(pipelines);
    const enum pipelines_group other =
        group == PIPELINES_TESTS ? PIPELINES_UNSEEN : PIPELINES_TESTS;
    const struct pipelines_summary summary = pipelines_summarise(pipelines, group, 0);
    const struct pipelines_summary beside = pipelines_summarise(pipelines, other, 0);
    const struct pipelines_summary all = group == PIPELINES_UNSEEN ? summary : beside;
    const struct pipelines_goal *goal = &pipelines_goals[group];
    const int most = pipelines_most_rows(pipelines);
    const struct pipelines_summary part =
        pipelines_summarise(pipelines, PIPELINES_OF_COMPUTER, most);
    struct pipelines_summary rest = {.count = all.count - part.count};
    struct buffer text = {0};

    rest.inside = (all.inside * all.count - part.inside * part.count) / fmax(rest.count, 1);
    buffer_print(&text, "%s", which[group]);
    print_inside(&text, &summary);
    buffer_print(&text, " their range; median factor %.2f, worst %.2f. Goal: %s: %s. %s",
                 summary.median_factor, summary.worst_factor, goal->words,
                 pipelines_goal_met(&summary, goal) ? "met" : "missed", which[other]);
    print_inside(&text, &beside);
    buffer_print(&text, "; without %s, which has %d, ", pipelines->row[most].computer, part.count);
    print_inside(&text, &rest);
    buffer_print(&text,
                 ". Of all %d, %d ranges have no upper end, and %d designs do not state how their "
                 "software works",
                 all.count, all.open, all.software_unknown);
    record_note(record, "%s.", text.bytes);
    buffer_free(&text);
}

void validate_pipelines_report(struct record *record, const struct pipelines *pipelines, bool met)
{
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, PIPELINES_SCHEMA);
    record_title(record, "Measured pipelines, predicted from vendors' figures and defaults");
    put_headline(record, pipelines);
    put_pipeline_rows(record, pipelines);
    if (!record_is_data(record))
        put_p99_rows(record, pipelines);
    if (record->format != RECORD_CSV) {
        record_text(record, "headline", NULL,
                    pipelines_headline(pipelines) == PIPELINES_TESTS ? "tests" : "unseen");
        put_summaries(record, pipelines);
        put_fits(record, pipelines);
        put_factors(record, pipelines);
    }
    record_bool(record, "goals_met", NULL, met);
    put_list(record, pipelines, "Pipelines", false);
    put_list(record, pipelines, "Listed", true);
    record_object_end(record);
}
