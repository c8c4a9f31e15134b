#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/units.h"
#include "model/result.h"
#include "probe/fit.h"

#define FIT_SCHEMA 1
#define MAP_COLUMNS 7 /* width of a cell, with the leading blank */

/* Converts s^2 to ns^2. */
static double square_ns(double value)
{
    return unit_from_si(unit_from_si(value, "ns"), "ns");
}

/* Surface -------------------------------------------------------------------------------------- */

/* Puts the number of points and their ranges. */
static void put_points(struct record *record, const struct surface_fit *report)
{
    const struct surface *surface = &report->surface;
    const struct residuals *residuals = &report->residuals[0];
    bool word_assumed =
        surface->word_origin == SURFACE_ASSUMED && surface->held_origin != SURFACE_IN_COLUMN;
    struct buffer text = {0};
    char size[40];

    buffer_print(&text, "%d points: %d alpha from %g to %g, ", surface->count, residuals->alphas,
                 residuals->by_alpha[residuals->alphas - 1].key, residuals->by_alpha[0].key);
    buffer_print(&text, "%d L from %.0f to %.0f words of %g B%s; ", residuals->blocks,
                 residuals->by_block[0].key, residuals->by_block[residuals->blocks - 1].key,
                 surface->word, word_assumed ? " (assumed)" : "");
    quantity_print(surface->least_held * surface->word, "KiB", size, sizeof size);
    buffer_print(&text, "M is %s", size);
    quantity_print(surface->most_held * surface->word, "KiB", size, sizeof size);
    if (surface->least_held < surface->most_held)
        buffer_print(&text, " to %s", size);
    if (surface->held_origin == SURFACE_ASSUMED)
        buffer_text(&text, " (assumed; --memory states another)");
    record_note(record, "%s", text.bytes);
    buffer_free(&text);
}

static void put_surface(struct record *record, const struct surface_fit *report)
{
    static const char *const origins[] = {
        [SURFACE_IN_COLUMN] = "file",
        [SURFACE_GIVEN] = "option",
        [SURFACE_IN_COMMENT] = "file",
        [SURFACE_ASSUMED] = "assumed",
    };
    const struct surface *surface = &report->surface;

    record_title(record, "Memory models fitted to %s", report->name);
    put_points(record, report);
    record_text(record, "file", NULL, report->name);
    record_integer(record, "points", NULL, surface->count);
    record_number(record, "word_bytes", NULL, "", surface->word);
    record_text(record, "word_origin", NULL, origins[surface->word_origin]);
    record_number(record, "smallest_size_words", NULL, "", surface->least_held);
    record_number(record, "largest_size_words", NULL, "", surface->most_held);
    record_number(record, "largest_size_bytes", NULL, "", surface->most_held * surface->word);
    record_text(record, "size_origin", NULL, origins[surface->held_origin]);
}

/* Text: all models side by side ---------------------------------------------------------------- */

void fit_put_table(struct record *record, const struct surface_fit *report, bool wide)
{
    int width = record->width;
    static const char *const headings[FIT_VALUES] = {"l1\nns", "g1\nns", "l2 or l\nns",
                                                     "g2 or g\nns"};

    record->width = wide ? 0 : width;
    record_table(record, NULL, "Models");
    for (int m = 0; m < FIT_MODELS; m++) {
        const struct fit *fit = &report->fit[m];

        record_row(record);
        record_cell(record, "Model", fit_forms[m].title);
        for (int v = 0; v < FIT_VALUES; v++) {
            if (fit_forms[m].name[v] == NULL)
                record_cell(record, headings[v], NULL);
            else
                record_cellf(record, headings[v], "%#.5g", unit_from_si(fit->value[v], "ns"));
            record_right(record);
        }
        record_integer(record, NULL, "c\nwords", fit_forms[m].cached ? fit->c : RESULT_NONE);
        record_digits(record, NULL, "SSE(ln)", "", "%.4f", fit->squares);
        record_digits(record, NULL, "SSE\nns^2", "", "%#.4g", square_ns(fit->linear));
        record_optional(record);
        record_digits(record, NULL, "PC", "", "%.3f", fit->pc);
        record_row_end(record);
    }
    record_table_end(record);
    record->width = width;
    record_note(record,
                "PC = exp(rms ln(measured / predicted)): 1 is perfect, 1.5 is off by a factor of "
                "1.5, typically. SSE(ln) is the sum of squares that was minimised.");
}

void fit_put_doubts(struct record *record, const struct surface_fit *report)
{
    int flags = 0;

    record_section(record, "Doubts");
    for (int m = 0; m < FIT_MODELS; m++)
        for (int f = 0; f < FIT_FLAGS; f++) {
            char words[300];

            if (!report->fit[m].flag[f])
                continue;
            fit_flag_text(&report->fit[m], (enum fit_flag)f, words, sizeof words);
            record_remark(record, fit_forms[m].title, words);
            flags++;
        }
    if (flags == 0)
        record_note(record, "No fit is doubtful.");
}

/* Puts mean and rms of the residuals of every model. */
static void put_profile(struct record *record, const struct surface_fit *report, bool over_alpha)
{
    const struct residuals *first = &report->residuals[0];

    record_section(record, "Residuals ln(measured / predicted) over %s: mean (rms)",
                   over_alpha ? "alpha" : "L");
    record_table(record, NULL, NULL);
    for (int i = 0; i < (over_alpha ? first->alphas : first->blocks); i++) {
        record_row(record);
        for (int m = 0; m < FIT_MODELS; m++) {
            const struct residuals *residuals = &report->residuals[m];
            const struct residual_group *group =
                over_alpha ? &residuals->by_alpha[i] : &residuals->by_block[i];

            if (m == 0)
                record_digits(record, NULL, over_alpha ? "alpha" : "L, words", "", "%.10g",
                              group->key);
            record_cellf(record, fit_forms[m].title, "%+.2f (%.2f)", group->mean, group->rms);
            record_right(record);
        }
        record_row_end(record);
    }
    record_table_end(record);
}

void fit_put_map(struct record *record, const struct surface_fit *report)
{
    const struct residuals *residuals = &report->residuals[report->shown];
    struct buffer line = {0};

    record_section(record, "Map of %s: alpha against L in words", fit_forms[report->shown].title);
    buffer_print(&line, "%8s", "alpha");
    for (int b = 0; b < residuals->blocks; b++)
        buffer_print(&line, "%*.10g", MAP_COLUMNS, residuals->by_block[b].key);
    for (int a = 0; a < residuals->alphas; a++) {
        int owed = 0;

        buffer_print(&line, "\n%8.5g", residuals->by_alpha[a].key);
        for (int b = 0; b < residuals->blocks; b++) {
            char signs[RESIDUAL_SIGNS_MAX + 1];

            residual_signs(&residuals->cell[a * residuals->blocks + b], signs);
            owed += MAP_COLUMNS;
            if (signs[0] == '\0')
                continue;
            buffer_print(&line, "%*s", owed, signs);
            owed = 0;
        }
    }
    record_drawing(record, line.bytes);
    buffer_free(&line);
    record_note(record, "+ slower, - faster than predicted; . within 10 %%, + above 1.1, ++ 1.25, "
                        "+++ 1.5, ++++ 2 times.");
}

/* Data: model by model ------------------------------------------------------------------------- */

/* Puts "l1_ns": the value, "l1_effect_percent": its largest share of a time. */
static void put_values(struct record *record, const struct fit *fit, double word)
{
    const struct fit_form *form = &fit_forms[fit->model];
    char key[40];

    for (int v = 0; v < FIT_VALUES; v++) {
        if (form->name[v] == NULL)
            continue;
        snprintf(key, sizeof key, "%s_ns", form->name[v]);
        record_number(record, key, NULL, "ns", fit->value[v]);
        snprintf(key, sizeof key, "%s_effect_percent", form->name[v]);
        record_number(record, key, NULL, "%", fit->effect[v]);
    }
    if (!form->cached)
        return;
    record_number(record, "c_words", NULL, "", fit->c);
    record_number(record, "c_bytes", NULL, "", fit->c * word);
    record_number(record, "c_effect_percent", NULL, "%", fit->effect_c);
}

static void put_flags(struct record *record, const struct fit *fit)
{
    char words[300];

    record_table(record, "flags", NULL);
    for (int f = 0; f < FIT_FLAGS; f++) {
        if (!fit->flag[f])
            continue;
        fit_flag_text(fit, (enum fit_flag)f, words, sizeof words);
        record_row(record);
        record_text(record, "flag", NULL, fit_flag_names[f]);
        record_text(record, "words", NULL, words);
        record_row_end(record);
    }
    record_table_end(record);
}

static void put_trend(struct record *record, const char *key, const struct trend *trend)
{
    record_object(record, key, NULL, true);
    record_integer(record, "pairs", NULL, trend->pairs);
    record_number(record, "moran_i", NULL, "", trend->i);
    record_number(record, "z", NULL, "", trend->z);
    record_object_end(record);
}

/* Puts the members that follow the group's own key. */
static void put_group(struct record *record, const struct residual_group *group)
{
    record_integer(record, "points", "Points", group->count);
    record_digits(record, "mean_ln", "Mean", "", "%+.2f", group->mean);
    record_digits(record, "rms_ln", "Rms", "", "%.2f", group->rms);
    record_digits(record, "worst_ln", "Worst", "", "%+.2f", group->worst);
}

static void put_groups(struct record *record, const char *key, const char *member,
                       const struct residual_group *group, int count)
{
    record_table(record, key, NULL);
    for (int i = 0; i < count; i++) {
        record_row(record);
        record_number(record, member, NULL, "", group[i].key);
        put_group(record, &group[i]);
        record_row_end(record);
    }
    record_table_end(record);
}

static void put_predicted(struct record *record, const struct residuals *residuals)
{
    record_table(record, "by_predicted", NULL);
    for (int i = 0; i < residuals->predicted; i++) {
        record_row(record);
        record_digits(record, "predicted_ns", "Predicted, ns", "ns", "%.4g",
                      residuals->by_predicted[i].key);
        put_group(record, &residuals->by_predicted[i]);
        record_row_end(record);
    }
    record_table_end(record);
}

static void put_cells(struct record *record, const struct residuals *residuals)
{
    record_table(record, "map", NULL);
    for (int c = 0; c < residuals->alphas * residuals->blocks; c++) {
        if (residuals->cell[c].count == 0)
            continue;
        record_row(record);
        record_number(record, "alpha", NULL, "", residuals->by_alpha[c / residuals->blocks].key);
        record_number(record, "l_words", NULL, "", residuals->by_block[c % residuals->blocks].key);
        put_group(record, &residuals->cell[c]);
        record_row_end(record);
    }
    record_table_end(record);
}

static void put_model(struct record *record, const struct fit *fit,
                      const struct residuals *residuals, double word)
{
    record_object(record, NULL, NULL, true);
    record_text(record, "model", NULL, fit_forms[fit->model].title);
    put_values(record, fit, word);
    record_number(record, "sse_ln", NULL, "", fit->squares);
    record_number(record, "sse_ns2", NULL, "", square_ns(fit->linear));
    record_number(record, "pc", NULL, "", fit->pc);
    put_flags(record, fit);
    put_trend(record, "along_l", &fit->along_l);
    put_trend(record, "along_alpha", &fit->along_alpha);
    record_object(record, "residuals", NULL, true);
    put_groups(record, "by_l", "l_words", residuals->by_block, residuals->blocks);
    put_groups(record, "by_alpha", "alpha", residuals->by_alpha, residuals->alphas);
    put_predicted(record, residuals);
    put_cells(record, residuals);
    record_object_end(record);
    record_object_end(record);
}

void fit_put_models(struct record *record, const struct surface_fit *report)
{
    record_array(record, "models", true);
    for (int m = 0; m < FIT_MODELS; m++)
        put_model(record, &report->fit[m], &report->residuals[m], report->surface.word);
    record_array_end(record);
}

void fit_report(struct record *record, const struct surface_fit *report)
{
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, FIT_SCHEMA);
    put_surface(record, report);
    if (record_is_data(record)) {
        fit_put_models(record, report);
    } else {
        fit_put_table(record, report, true);
        fit_put_doubts(record, report);
        put_profile(record, report, false);
        put_profile(record, report, true);
        record_section(record, "Residuals over the time that %s predicts",
                       fit_forms[report->shown].title);
        put_predicted(record, &report->residuals[report->shown]);
        fit_put_map(record, report);
    }
    record_object_end(record);
}

/* Machines ------------------------------------------------------------------------------------- */

static void put_machine(struct record *record, const struct surface_fit *report, int count,
                        int which)
{
    const struct surface_fit *this = &report[which];
    const struct surface *surface = &this->surface;
    char key[40];

    record_row(record);
    record_text(record, "file", "File", this->name);
    record_integer(record, "cores", "Cores", surface->cores);
    record_number(record, "size_bytes", NULL, "", surface->most_held * surface->word);
    record_number(record, "accesses_per_s", "P, /s", "/s", surface_rate(surface));
    record_digits(record, "pc", "PC", "", "%.3f", this->fit[this->shown].pc);
    record_text(record, "model", "Model", fit_forms[this->shown].title);
    record_bool(record, "surpassed", NULL, surface_is_surpassed(report, count, which));
    for (int m = 0; m < FIT_MODELS; m++) {
        snprintf(key, sizeof key, "pc_%s", fit_forms[m].title);
        for (char *dash = strchr(key, '-'); dash != NULL; dash = strchr(dash, '-'))
            *dash = '_';
        record_number(record, key, NULL, "", this->fit[m].pc);
    }
    record_row_end(record);
}

void fit_compare_report(struct record *record, const struct surface_fit *report, int count)
{
    const struct residuals *first = &report[0].residuals[0];
    struct buffer best = {0};

    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, FIT_SCHEMA);
    record_title(record, "Performance against complexity");
    record_integer(record, "common_points", NULL, report[0].surface.count);
    record_table(record, "machines", NULL);
    for (int i = 0; i < count; i++)
        put_machine(record, report, count, i);
    record_table_end(record);
    for (int i = 0; i < count; i++)
        if (!surface_is_surpassed(report, count, i))
            buffer_print(&best, "%s%s (%.0f core%s)", best.length > 0 ? ", " : "", report[i].name,
                         report[i].surface.cores, report[i].surface.cores == 1 ? "" : "s");
    record_note(record, "Nothing surpasses %s: no other is faster and as predictable.", best.bytes);
    buffer_free(&best);
    record_note(
        record,
        "P is the rate of accesses of all cores at the geometric mean of the %d points that all "
        "have (%d alpha, %d L, the largest M of each); PC is the factor by which the best model "
        "is off, 1 if it predicts everything.",
        report[0].surface.count, first->alphas, first->blocks);
    record_object_end(record);
}
