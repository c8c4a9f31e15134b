#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "explore/pipelines.h"
#include "model/result.h"

#define PIPELINES_SCHEMA 1

static const char *or_null(const char *text)
{
    return text[0] == '\0' ? NULL : text;
}

static void put_range_cell(struct record *record, const struct pipeline_row *row)
{
    if (row->low == RESULT_NONE)
        record_cell(record, "Range", "");
    else if (row->may_not_keep_up)
        record_cellf(record, "Range", "from %s, may not keep up",
                     record_quantity(record, row->low, "s"));
    else
        record_cellf(record, "Range", "%s to %s", record_quantity(record, row->low, "s"),
                     record_quantity(record, row->high, "s"));
    record_right(record);
}

/* A row to which a device is fitted agrees by construction: inside its range says nothing. */
static void put_inside(struct record *record, const struct pipeline_row *row)
{
    bool ranged = row->low != RESULT_NONE;

    record_bool(record, "fitted", NULL, row->fitted);
    if (ranged && !row->fitted) {
        record_bool(record, "inside", "Inside", row->inside);
        return;
    }
    record_null(record, "inside");
    record_cell(record, "Inside", ranged ? "fitted" : "");
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

/* `apart`: true in a table of rows that are not counted. */
static void put_pipeline_row(struct record *record, const struct pipeline_row *row, bool apart)
{
    bool compared = row->predicted != RESULT_NONE;

    record_row(record);
    record_text(record, "id", apart ? "Not counted" : "Pipeline", row->id);
    record_text(record, "class", "Class", pipeline_class_title(row->class));
    record_optional(record);
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
    record_bool(record, "counted", NULL, row->counted);
    record_text(record, "reason", NULL, or_null(row->reason));
    record_text(record, "remark", NULL, or_null(row->remark));
    record_text(record, "compared", apart ? "Compared" : NULL,
                pipeline_quantity_name(row->quantity));
    record_number(record, "measured_us", "Measured", "us", row->measured);
    record_number(record, "measured_low_us", NULL, "us", row->measured_low);
    record_number(record, "measured_high_us", NULL, "us", row->measured_high);
    record_number(record, "predicted_us", "Predicted", "us", row->predicted);
    record_number(record, "low_us", NULL, "us", row->low);
    record_number(record, "high_us", NULL, "us", row->high);
    put_range_cell(record, row);
    put_inside(record, row);
    record_digits(record, "factor", "Factor", "", "%.2f", row->factor);
    record_digits(record, "ratio", NULL, "", "%.2f",
                  compared ? row->predicted / row->measured : RESULT_NONE);
    record_text(record, "cause", apart ? NULL : "Mostly",
                row->cause == CAUSE_NONE ? NULL : cause_name(row->cause));
    if (!apart)
        record_optional(record);
    record_digits(record, "assumed_percent", "Assumed", "%", "%.0f %%", row->assumed);
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
    record_table(record, "rows", NULL);
    for (int i = 0; i < pipelines->count; i++)
        if (record_is_data(record) || pipelines->row[i].counted)
            put_pipeline_row(record, &pipelines->row[i], false);
    record_table_end_noting(record);
    if (record_is_data(record))
        return;
    record_table(record, "apart", "Not counted");
    for (int i = 0; i < pipelines->count; i++)
        if (!pipelines->row[i].counted && pipelines->row[i].predicted != RESULT_NONE)
            put_pipeline_row(record, &pipelines->row[i], true);
    record_table_end(record);
}

static void put_p99_rows(struct record *record, const struct pipelines *pipelines)
{
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
    }
    record_table_end(record);
}

static void put_pipelines_summary(struct record *record, const struct pipelines *pipelines,
                                  enum pipelines_group group, int member, const char *of)
{
    const struct pipelines_summary summary = pipelines_summarise(pipelines, group, member);
    const struct pipelines_goal *goal = &pipelines_goals[group];
    const bool below = group == PIPELINES_WITHOUT &&
                       !pipelines_goal_met(&summary, &pipelines_goals[PIPELINES_ALL]);

    if (summary.count == 0)
        return;
    record_row(record);
    record_text(record, "of", "Rows", of);
    record_integer(record, "count", "Count", summary.count);
    record_digits(record, "median_factor", "Median factor", "", "%.2f", summary.median_factor);
    record_digits(record, "inside_percent", "Inside", "%", "%.0f %%", summary.inside);
    record_digits(record, "median_width", "Width", "", "%.2f", summary.median_width);
    /* without a computer there is no goal of its own; that of all rows is a measure */
    record_text(record, "goal", NULL, goal->words);
    record_cell(record, "Goal",
                below                 ? "below that of all"
                : goal->words != NULL ? goal->words
                                      : "");
    record_folded(record);
    if (group == PIPELINES_WITHOUT)
        record_bool(record, "below_goal_of_all", NULL, below);
    else
        record_null(record, "below_goal_of_all");
    if (goal->words == NULL)
        record_null(record, "met");
    else
        record_bool(record, "met", "Met", pipelines_goal_met(&summary, goal));
    if (goal->words == NULL)
        record_cell(record, "Met", "");
    record_row_end(record);
}

static void put_summaries(struct record *record, const struct pipelines *pipelines)
{
    record_table(record, "summary", "Calibration");
    put_pipelines_summary(record, pipelines, PIPELINES_ALL, 0, "all");
    put_pipelines_summary(record, pipelines, PIPELINES_BY_COMPUTER, 0, "one value per computer");
    for (int class = 0; class < PIPELINE_CLASSES; class ++)
        put_pipelines_summary(record, pipelines, PIPELINES_OF_CLASS, class,
                              pipeline_class_title((enum pipeline_class) class));
    for (int i = 0; i < pipelines->count; i++) {
        char without[64];
        struct buffer of = buffer_over(without, sizeof without);

        if (!pipelines_first_of_computer(pipelines, i))
            continue;
        buffer_print(&of, "without %s", pipelines->row[i].computer);
        put_pipelines_summary(record, pipelines, PIPELINES_WITHOUT, i, without);
    }
    record_table_end(record);
}

/* Puts the factor of each cause, and the least and the largest without a computer. */
static void put_factors(struct record *record, const struct pipelines *pipelines)
{
    const struct pipelines_fit all = pipelines_fit_causes(pipelines, -1);

    record_table(record, "factors", "Factors");
    for (int c = 0; c < CAUSE_UNSTATED; c++) {
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
                "A factor is fitted where the rows of %d computers consist mostly of its cause; "
                "least and largest are without one computer.",
                PIPELINES_FIT_COMPUTERS);
}

/* Puts "ID: size on system; from start to end; statistic; notes. Not counted: reason", without what
 * is not known. */
static void put_words(struct record *record, const struct pipeline_row *row)
{
    const struct {
        const char *before, *text;
    } parts[] = {
        {.before = "; ", .text = row->statistic},
        {.before = "; ", .text = row->notes},
        {.before = ". Not counted: ", .text = row->reason},
        {.before = ". Of the prediction: ", .text = row->remark},
    };
    struct buffer words = {0};

    buffer_print(&words, "%s on %s", row->size, row->system);
    if (row->start[0] != '\0')
        buffer_print(&words, "; from %s to %s", row->start, row->end);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].text[0] != '\0')
            buffer_print(&words, "%s%s", parts[i].before, parts[i].text);
    if (words.bytes != NULL)
        record_remark(record, row->id, words.bytes);
    buffer_free(&words);
}

static void put_list(struct record *record, const struct pipelines *pipelines, const char *section,
                     bool counted)
{
    record_section(record, "%s", section);
    for (int i = 0; i < pipelines->count; i++)
        if (pipelines->row[i].counted == counted)
            put_words(record, &pipelines->row[i]);
}

void validate_pipelines_report(struct record *record, const struct pipelines *pipelines, bool met)
{
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, PIPELINES_SCHEMA);
    record_title(record, "Measured pipelines, predicted from vendors' figures and defaults");
    put_pipeline_rows(record, pipelines);
    if (!record_is_data(record))
        put_p99_rows(record, pipelines);
    if (record->format != RECORD_CSV)
        put_summaries(record, pipelines);
    if (record->format != RECORD_CSV) {
        record_note(record, "Width: root of the upper end of a range over the lower. Factor: the "
                            "larger of measured and predicted over the smaller. Without a "
                            "computer: the rows of the others.");
        put_factors(record, pipelines);
    }
    record_bool(record, "goals_met", NULL, met);
    put_list(record, pipelines, "Pipelines", true);
    put_list(record, pipelines, "Not counted", false);
    record_object_end(record);
}
