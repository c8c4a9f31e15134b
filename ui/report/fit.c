#include "report/fit.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "draw/table.h"
#include "draw/text.h"
#include "report/json.h"

#define COLUMNS 80
#define INDENT 4
#define NS 1e9
#define CELL 6

/* Surface ------------------------------------------------------------------------------------ */

static void size_text(double words, double word, char *text, size_t size)
{
    double bytes = words * word;

    if (fmod(bytes, 1024 * 1024) == 0)
        snprintf(text, size, "%.0f MiB", bytes / (1024 * 1024));
    else if (fmod(bytes, 1024) == 0)
        snprintf(text, size, "%.0f KiB", bytes / 1024);
    else
        snprintf(text, size, "%.0f B", bytes);
}

static void print_surface(FILE *out, const struct surface_fit *report)
{
    const struct surface *surface = &report->surface;
    const struct residuals *residuals = &report->residuals[0];
    const char *more =
        surface->held_origin == SURFACE_ASSUMED ? " (assumed; --memory states another)" : "";
    const char *word =
        surface->word_origin == SURFACE_ASSUMED && surface->held_origin != SURFACE_IN_COLUMN
            ? " (assumed)"
            : "";
    char least[40], most[40], text[400];

    size_text(surface->least_held, surface->word, least, sizeof least);
    size_text(surface->most_held, surface->word, most, sizeof most);
    fputs("Memory models fitted to ", out);
    text_clean(report->name, locale_is_unicode(), text, sizeof text);
    fprintf(out, "%s\n", text);
    snprintf(text, sizeof text,
             "%d points: %d alpha from %g to %g, %d L from %.0f to %.0f words of %g B%s; M is "
             "%s%s%s%s",
             surface->count, residuals->alphas, residuals->by_alpha[residuals->alphas - 1].key,
             residuals->by_alpha[0].key, residuals->blocks, residuals->by_block[0].key,
             residuals->by_block[residuals->blocks - 1].key, surface->word, word, least,
             surface->least_held < surface->most_held ? " to " : "",
             surface->least_held < surface->most_held ? most : "", more);
    text_fill(out, text, 0, 0, COLUMNS);
}

/* Models ------------------------------------------------------------------------------------- */

static void print_table(FILE *out, const struct surface_fit *report)
{
    static const char *const headings[] = {"Model",       "l1, ns",      "g1, ns",
                                           "l2 or l, ns", "g2 or g, ns", "c, words",
                                           "SSE(ln)",     "SSE, ns^2",   "PC"};
    struct table table = table_new(9, 0x1FE, 0);

    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        table_add(&table, headings[i]);
    for (int m = 0; m < FIT_MODELS; m++) {
        const struct fit *fit = &report->fit[m];

        table_add(&table, fit_forms[m].title);
        for (int v = 0; v < FIT_VALUES; v++)
            if (fit_forms[m].name[v] == NULL)
                table_add(&table, "-");
            else
                table_addf(&table, "%#.5g", fit->value[v] * NS);
        if (fit_forms[m].cached)
            table_addf(&table, "%.0f", fit->c);
        else
            table_add(&table, "-");
        table_addf(&table, "%.4f", fit->squares);
        table_addf(&table, "%#.4g", fit->linear * NS * NS);
        table_addf(&table, "%.3f", fit->pc);
    }
    table_print(&table, out, 0, "", "");
    table_free(&table);
}

void fit_print_doubts(FILE *out, const struct surface_fit *report, int columns)
{
    int flags = 0;

    for (int m = 0; m < FIT_MODELS; m++)
        for (int f = 0; f < FIT_FLAGS; f++) {
            char words[300];

            if (!report->fit[m].flag[f])
                continue;
            fit_flag_text(&report->fit[m], (enum fit_flag)f, words, sizeof words);
            text_fill(out, words, fprintf(out, "%s: ", fit_forms[m].title), INDENT, columns);
            flags++;
        }
    if (flags == 0)
        fputs("No fit has anything doubtful about it.\n", out);
}

/* Profiles ----------------------------------------------------------------------------------- */

static const struct residual_group *profile_of(const struct residuals *residuals, bool over_alpha)
{
    return over_alpha ? residuals->by_alpha : residuals->by_block;
}

static void print_profile(FILE *out, const struct surface_fit *report, bool over_alpha)
{
    const struct residuals *first = &report->residuals[0];
    struct table table = table_new(FIT_MODELS + 1, 0x1F, 0);

    table_add(&table, over_alpha ? "alpha" : "L, words");
    for (int m = 0; m < FIT_MODELS; m++)
        table_add(&table, fit_forms[m].title);
    for (int i = 0; i < (over_alpha ? first->alphas : first->blocks); i++) {
        table_addf(&table, "%.10g", profile_of(first, over_alpha)[i].key);
        for (int m = 0; m < FIT_MODELS; m++) {
            const struct residual_group *group = &profile_of(&report->residuals[m], over_alpha)[i];
            char cell[60];

            snprintf(cell, sizeof cell, "%+.2f (%.2f)", group->mean, group->rms);
            table_add(&table, cell);
        }
    }
    table_print(&table, out, 0, "", "");
    table_free(&table);
}

static void print_predicted(FILE *out, const struct residuals *residuals)
{
    struct table table = table_new(5, 0x1F, 0);

    table_add(&table, "predicted, ns");
    table_add(&table, "points");
    table_add(&table, "mean");
    table_add(&table, "rms");
    table_add(&table, "worst");
    for (int i = 0; i < residuals->predicted; i++) {
        const struct residual_group *group = &residuals->by_predicted[i];

        table_addf(&table, "%.4g", group->key * NS);
        table_addf(&table, "%d", group->count);
        table_addf(&table, "%+.2f", group->mean);
        table_addf(&table, "%.2f", group->rms);
        table_addf(&table, "%+.2f", group->worst);
    }
    table_print(&table, out, 0, "", "");
    table_free(&table);
}

/* Map ---------------------------------------------------------------------------------------- */

static void print_cells(FILE *out, const struct residuals *residuals)
{
    char text[RESIDUAL_SIGNS_MAX + 1];
    int owed;

    fprintf(out, "%8s", "alpha");
    for (int b = 0; b < residuals->blocks; b++)
        fprintf(out, "  %*.10g", CELL - 1, residuals->by_block[b].key);
    fputc('\n', out);
    for (int a = 0; a < residuals->alphas; a++) {
        fprintf(out, "%8.5g", residuals->by_alpha[a].key);
        owed = 0;
        for (int b = 0; b < residuals->blocks; b++) {
            residual_signs(&residuals->cell[a * residuals->blocks + b], text);
            owed += CELL + 1;
            if (text[0] == '\0')
                continue;
            fprintf(out, "%*s", owed, text);
            owed = 0;
        }
        fputc('\n', out);
    }
}

/* -------------------------------------------------------------------------------------------- */

void fit_print_map(FILE *out, const struct surface_fit *report)
{
    fprintf(out,
            "Map of %s: + slower, - faster than predicted; . within 10 %%,\n"
            "+ above 1.1, ++ 1.25, +++ 1.5, ++++ 2 times; alpha against L in words\n",
            fit_forms[report->shown].title);
    print_cells(out, &report->residuals[report->shown]);
}

void fit_print_text(FILE *out, const struct surface_fit *report)
{
    print_surface(out, report);
    fputc('\n', out);
    print_table(out, report);
    fputc('\n', out);
    text_fill(
        out,
        "PC = exp(rms ln(measured / predicted)): 1 is perfect, 1.5 is off by a factor of 1.5, "
        "typically. SSE(ln) is the sum of squares that was minimised.",
        0, 0, COLUMNS);
    fputs("\nDoubts\n", out);
    fit_print_doubts(out, report, COLUMNS);
    fputs("\nResiduals ln(measured / predicted) over L: mean (rms)\n", out);
    print_profile(out, report, false);
    fputs("\nOver alpha\n", out);
    print_profile(out, report, true);
    fprintf(out, "\nOver the predicted time, of %s\n", fit_forms[report->shown].title);
    print_predicted(out, &report->residuals[report->shown]);
    fputc('\n', out);
    fit_print_map(out, report);
}

/* Fit json ------------------------------------------------------------------------------------- */

static const char *const origins[] = {
    [SURFACE_IN_COLUMN] = "file",
    [SURFACE_GIVEN] = "option",
    [SURFACE_IN_COMMENT] = "file",
    [SURFACE_ASSUMED] = "assumed",
};

static void put_surface(struct json *json, const struct surface_fit *report)
{
    const struct surface *surface = &report->surface;

    json_text(json, "file", report->name);
    json_number(json, "points", surface->count);
    json_number(json, "word_bytes", surface->word);
    json_text(json, "word_origin", origins[surface->word_origin]);
    json_number(json, "smallest_size_words", surface->least_held);
    json_number(json, "largest_size_words", surface->most_held);
    json_number(json, "largest_size_bytes", surface->most_held * surface->word);
    json_text(json, "size_origin", origins[surface->held_origin]);
}

/* "l1_ns": the value, "l1_effect_percent": its largest share in a time. */
static void put_values(struct json *json, const struct fit *fit, double word)
{
    const struct fit_form *form = &fit_forms[fit->model];
    char key[40];

    for (int v = 0; v < FIT_VALUES; v++) {
        if (form->name[v] == NULL)
            continue;
        snprintf(key, sizeof key, "%s_ns", form->name[v]);
        json_number(json, key, fit->value[v] * NS);
        snprintf(key, sizeof key, "%s_effect_percent", form->name[v]);
        json_number(json, key, 100 * fit->effect[v]);
    }
    if (!form->cached)
        return;
    json_number(json, "c_words", fit->c);
    json_number(json, "c_bytes", fit->c * word);
    json_number(json, "c_effect_percent", 100 * fit->effect_c);
}

static void put_flags(struct json *json, const struct fit *fit)
{
    char words[300];

    json_array(json, "flags");
    for (int f = 0; f < FIT_FLAGS; f++) {
        if (!fit->flag[f])
            continue;
        fit_flag_text(fit, (enum fit_flag)f, words, sizeof words);
        json_object(json, NULL);
        json_text(json, "flag", fit_flag_name((enum fit_flag)f));
        json_text(json, "words", words);
        json_object_end(json);
    }
    json_array_end(json);
}

static void put_trend(struct json *json, const char *key, const struct trend *trend)
{
    json_object(json, key);
    json_number(json, "pairs", trend->pairs);
    json_number(json, "moran_i", trend->i);
    json_number(json, "z", trend->z);
    json_object_end(json);
}

/* Without the object around it, which holds what the group is of. */
static void put_group(struct json *json, const struct residual_group *group)
{
    json_number(json, "points", group->count);
    json_number(json, "mean_ln", group->mean);
    json_number(json, "rms_ln", group->rms);
    json_number(json, "worst_ln", group->worst);
}

static void put_groups(struct json *json, const char *key, const char *unit, double scale,
                       const struct residual_group *group, int count)
{
    json_array(json, key);
    for (int i = 0; i < count; i++) {
        json_object(json, NULL);
        json_number(json, unit, group[i].key * scale);
        put_group(json, &group[i]);
        json_object_end(json);
    }
    json_array_end(json);
}

static void put_map(struct json *json, const struct residuals *residuals)
{
    json_array(json, "map");
    for (int a = 0; a < residuals->alphas; a++)
        for (int b = 0; b < residuals->blocks; b++) {
            const struct residual_group *cell = &residuals->cell[a * residuals->blocks + b];

            if (cell->count == 0)
                continue;
            json_object(json, NULL);
            json_number(json, "alpha", residuals->by_alpha[a].key);
            json_number(json, "l_words", residuals->by_block[b].key);
            put_group(json, cell);
            json_object_end(json);
        }
    json_array_end(json);
}

static void put_model(struct json *json, const struct fit *fit, const struct residuals *residuals,
                      double word)
{
    json_object(json, NULL);
    json_text(json, "model", fit_forms[fit->model].title);
    put_values(json, fit, word);
    json_number(json, "sse_ln", fit->squares);
    json_number(json, "sse_ns2", fit->linear * NS * NS);
    json_number(json, "pc", fit->pc);
    put_flags(json, fit);
    put_trend(json, "along_l", &fit->along_l);
    put_trend(json, "along_alpha", &fit->along_alpha);
    json_object(json, "residuals");
    put_groups(json, "by_l", "l_words", 1, residuals->by_block, residuals->blocks);
    put_groups(json, "by_alpha", "alpha", 1, residuals->by_alpha, residuals->alphas);
    put_groups(json, "by_predicted", "predicted_ns", NS, residuals->by_predicted,
               residuals->predicted);
    put_map(json, residuals);
    json_object_end(json);
    json_object_end(json);
}

void fit_put_models(struct json *json, const struct surface_fit *report)
{
    json_array(json, "models");
    for (int m = 0; m < FIT_MODELS; m++)
        put_model(json, &report->fit[m], &report->residuals[m], report->surface.word);
    json_array_end(json);
}

void fit_print_json(FILE *out, const struct surface_fit *report)
{
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", 1);
    put_surface(&json, report);
    fit_put_models(&json, report);
    json_object_end(&json);
}
