#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "explore/published.h"
#include "model/memory.h"
#include "probe/kernels.h"
#include "probe/predict.h"

#define VALIDATE_SCHEMA 1
#define GOAL "median <= 10 %, 90th percentile <= 25 %"

/* Published measurements ----------------------------------------------------------------------- */

static const char *or_null(const char *text)
{
    return text[0] == '\0' ? NULL : text;
}

static void put_published_row(struct record *record, const struct published_row *row)
{
    bool predicted = row->use != PUBLISHED_NOT_PREDICTED;

    record_row(record);
    record_text(record, "id", "Measurement", row->id);
    record_text(record, "use", NULL, predicted ? published_goals[row->use].use : "apart");
    record_text(record, "hardware", NULL, row->hardware);
    record_text(record, "problem_size", NULL, row->size);
    record_text(record, "qualifier", NULL, row->qualifier);
    record_text(record, "what_is_measured", NULL, or_null(row->what));
    record_text(record, "source", NULL, or_null(row->source));
    record_text(record, "confidence", NULL, or_null(row->confidence));
    record_text(record, "notes", NULL, or_null(row->notes));
    record_text(record, "reason", NULL, or_null(row->reason));
    record_text(record, "remark", NULL, or_null(row->remark));
    record_text(record, "preset", NULL, or_null(row->preset));
    record_text(record, "settings", NULL, or_null(row->settings));
    if (row->sockets > 1)
        record_cellf(record, "Preset", "%.0f x %s", row->sockets, row->preset);
    else
        record_cell(record, "Preset", row->preset);
    record_soft(record);
    record_number(record, "measured_us", "Measured", "us", row->measured);
    record_number(record, "predicted_us", "Predicted", "us", row->predicted);
    record_number(record, "ratio", NULL, "", row->ratio);
    record_digits(record, "error_percent", "Error", "%", "%+.1f %%",
                  predicted ? row->ratio - 1 : RESULT_NONE);
    record_text(record, "bound", "Limit", predicted ? bound_name(row->node.bound) : NULL);
    record_text(record, "level", "Served by",
                predicted ? memory_level_name(row->node.level) : NULL);
    record_optional(record);
    record_row_end(record);
}

static void put_published_summary(struct record *record, const struct published *published,
                                  enum published_use use)
{
    struct published_summary summary = published_summarise(published, use);

    record_row(record);
    record_text(record, "use", "Use", published_goals[use].use);
    record_integer(record, "count", "Rows", summary.count);
    record_digits(record, "median_error_percent", "Median error", "%", "%.1f %%",
                  summary.median_error);
    record_digits(record, "worst_error_percent", "Worst", "%", "%.1f %%", summary.worst_error);
    record_digits(record, "worst_factor", "Factor", "", "%.2f", summary.worst_factor);
    record_text(record, "worst", "Worst row",
                summary.worst < 0 ? NULL : published->row[summary.worst].id);
    record_optional(record);
    record_text(record, "goal", "Goal", published_goals[use].words);
    record_bool(record, "met", "Met", summary.met);
    record_row_end(record);
}

/* Puts "ID: size on hardware; what; notes. Not predicted: reason". */
static void put_words(struct record *record, const struct published_row *row)
{
    const struct {
        const char *before, *text;
    } parts[] = {
        {.before = "; ", .text = row->what},
        {.before = "; ", .text = row->notes},
        {.before = ". Not predicted: ", .text = row->reason},
        {.before = ". Of the prediction: ", .text = row->remark},
    };
    struct buffer words = {0};

    buffer_print(&words, "%s on %s", row->size, row->hardware);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].text[0] != '\0')
            buffer_print(&words, "%s%s", parts[i].before, parts[i].text);
    record_remark(record, row->id, words.bytes);
    buffer_free(&words);
}

static void put_list(struct record *record, const struct published *published, const char *section,
                     bool apart)
{
    record_section(record, "%s", section);
    for (int i = 0; i < published->count; i++)
        if ((published->row[i].use == PUBLISHED_NOT_PREDICTED) == apart)
            put_words(record, &published->row[i]);
}

void validate_published_report(struct record *record, const struct published *published, bool met)
{
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, VALIDATE_SCHEMA);
    record_title(record, "Published measurements, predicted from vendors' figures and default "
                         "efficiencies");
    record_table(record, "measurements", NULL);
    for (int i = 0; i < published->count; i++)
        if (record_is_data(record) || published->row[i].use != PUBLISHED_NOT_PREDICTED)
            put_published_row(record, &published->row[i]);
    record_table_end_noting(record);
    record_table(record, "summary", "Summary");
    for (int use = 0; use < PUBLISHED_GOALS; use++)
        put_published_summary(record, published, (enum published_use)use);
    record_table_end_noting(record);
    record_number(record, "uncertainty_factor", NULL, "", published_uncertainty(published));
    record_bool(record, "goals_met", NULL, met);
    record_line(record, TONE_PLAIN, "Uncertainty",
                "\xC3\x97/\xC3\xB7 %.2f: half of the predictions are within this factor",
                published_uncertainty(published));
    put_list(record, published, "Measurements", false);
    put_list(record, published, "Not predicted", true);
    record_object_end(record);
}

/* Kernels -------------------------------------------------------------------------------------- */

/* Puts a size: "4616 of 6 x 6 px", "5000 x 9248". */
static void put_size_cell(struct record *record, const struct measurement_point *point)
{
    const double *of = point->parameter;

    switch (kernel_find(point->name)->size) {
    case KERNEL_OF_PIXELS:
        record_cellf(record, "Size", "%.0f px", of[PARAMETER_PIXELS]);
        break;
    case KERNEL_OF_SUBAPERTURES:
        record_cellf(record, "Size", "%.0f of %.0f x %.0f px", of[PARAMETER_SUBAPERTURES],
                     of[PARAMETER_SIDE], of[PARAMETER_SIDE]);
        break;
    case KERNEL_OF_PUPIL:
        record_cellf(record, "Size", "4 x %.0f px", of[PARAMETER_SUBAPERTURES]);
        break;
    case KERNEL_OF_MATRIX:
        record_cellf(record, "Size", "%.0f x %.0f", of[PARAMETER_ROWS], of[PARAMETER_COLUMNS]);
        break;
    case KERNEL_OF_ACTUATORS:
    case KERNEL_SIZES:
        record_cellf(record, "Size", "%.0f", of[PARAMETER_ROWS]);
        break;
    }
    record_soft(record);
}

static void put_kernel_row(struct record *record, const struct predicted_row *row)
{
    static const enum parameter sizes[] = {
        PARAMETER_CORES,  PARAMETER_SIZE, PARAMETER_SUBAPERTURES, PARAMETER_SIDE,
        PARAMETER_PIXELS, PARAMETER_ROWS, PARAMETER_COLUMNS};
    const struct measurement_point *point = row->point;
    const bool known = row->predicted != RESULT_NONE, counted = row->ratio != RESULT_NONE;
    const char *remark =
        row->beyond ? MEASUREMENT_MISSING "the preset has fewer cores" : point->remark;

    record_row(record);
    record_text(record, "kernel", "Kernel", point->name);
    record_text(record, "of", NULL, point->of);
    put_size_cell(record, point);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        record_integer(
            record, parameter_names[sizes[i]], sizes[i] == PARAMETER_CORES ? "Cores" : NULL,
            isnan(point->parameter[sizes[i]]) ? RESULT_NONE : point->parameter[sizes[i]]);
    record_number(record, "predicted_us", "Predicted", "us", row->predicted);
    record_number(record, "measured_us", "Measured", "us", row->measured);
    record_digits(record, "ratio", "Ratio", "", "%.2f", row->ratio);
    record_number(record, "error_percent", NULL, "%", counted ? row->ratio - 1 : RESULT_NONE);
    record_text(record, "bound", NULL, known ? bound_name(row->bound) : NULL);
    record_cell(record, "Limit", known ? bound_name(row->bound) : remark);
    record_text(record, "level", "Level", counted ? memory_level_name(row->level) : NULL);
    record_integer(record, "samples", NULL, point->count);
    record_bool(record, "noisy", NULL, point_noisy(point));
    record_text(record, "remark", NULL, or_null(known ? point->remark : remark));
    record_row_end(record);
}

static void put_errors(struct record *record, const struct prediction_summary *summary)
{
    record_integer(record, "count", "Points", summary->count);
    record_digits(record, "median_error_percent", "Median error", "%", "%.1f %%",
                  summary->median_error);
    record_digits(record, "percentile_90_error_percent", "90th percentile", "%", "%.1f %%",
                  summary->ninth_error);
    record_digits(record, "worst_error_percent", "Worst", "%", "%.1f %%", summary->worst_error);
    record_text(record, "goal", NULL, GOAL);
    record_bool(record, "met", "Goal met", summary->met);
}

static bool has_queued(const struct prediction *prediction)
{
    for (int i = 0; i < prediction->count; i++)
        if (prediction->row[i].predicted != RESULT_NONE &&
            prediction->row[i].bound == BOUND_ENQUEUE)
            return true;
    return false;
}

void validate_put_kernels(struct record *record, const struct prediction *prediction)
{
    struct prediction_summary summary = prediction_summarise(prediction, NULL);

    record_table(record, "rows", NULL);
    for (int i = 0; i < prediction->count; i++)
        put_kernel_row(record, &prediction->row[i]);
    record_table_end(record);
    record_object(record, "summary", NULL, true);
    record_section(record, "All kernels");
    put_errors(record, &summary);
    record_table(record, "kernels", "By kernel");
    for (int k = 0; k < kernel_count; k++) {
        summary = prediction_summarise(prediction, kernels[k].name);
        if (summary.count == 0)
            continue;
        record_row(record);
        record_text(record, "kernel", "Kernel", kernels[k].name);
        put_errors(record, &summary);
        record_row_end(record);
    }
    record_table_end(record);
    record_note(record, "The goal is %s, of |predicted / measured - 1|.", GOAL);
    if (has_queued(prediction))
        record_note(record, "Enqueuing: the host enqueues an empty kernel more slowly than this "
                            "one is predicted to run. Those without a ratio were as fast as "
                            "the host and are not counted.");
    record_object_end(record);
}

void validate_kernels_report(struct record *record, const struct prediction *prediction,
                             const char *preset, const char *where)
{
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, VALIDATE_SCHEMA);
    record_text(record, "preset", NULL, preset);
    record_title(record, "Kernels of an AO loop on %s, predicted from %s", where,
                 preset == NULL ? "its probe" : preset);
    validate_put_kernels(record, prediction);
    record_object_end(record);
}
