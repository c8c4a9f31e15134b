#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/fit.h"
#include "report/probe.h"
#include "tui/view_machine.h"
#include "tui/widget.h"

#define NS 1e9
#define KIBI 1024

static int flags_of(const struct fit *fit)
{
    int count = 0;

    for (int f = 0; f < FIT_FLAGS; f++)
        count += fit->flag[f];
    return count;
}

static void print_models(FILE *out, const struct fit *fits, int columns)
{
    static const char *const headings[] = {"Model, ns", "l1", "g1", "l", "g", "PC", "doubts", NULL};
    struct table table = table_new(7, 0x7E, 0);

    for (int h = 0; headings[h] != NULL; h++)
        table_add(&table, headings[h]);
    for (int m = 0; m < FIT_MODELS; m++) {
        table_add(&table, fit_forms[m].title);
        for (int v = 0; v < FIT_VALUES; v++)
            if (fit_forms[m].name[v] == NULL)
                table_add(&table, "-");
            else
                table_addf(&table, "%.3g", fits[m].value[v] * NS);
        table_addf(&table, "%.3f", fits[m].pc);
        table_addf(&table, "%d", flags_of(&fits[m]));
    }
    table_close(&table, out, columns);
}

static void print_mean(FILE *out, const struct residual_group *group)
{
    double tenths = round(10 * group->mean) + 0.0; /* no negative zero */

    fprintf(out, "%+*.1f", RESIDUAL_SIGNS_MAX + 1, tenths / 10);
}

/* The map, beside and below it what is left on the average over L and over alpha. */
static void print_map(FILE *out, const struct residuals *residuals)
{
    fputs("alpha \\ L", out);
    for (int b = 0; b < residuals->blocks; b++) {
        double words = residuals->by_block[b].key;
        bool large = words >= KIBI;

        fprintf(out, "%*.0f%s", (b == 0 ? 3 : RESIDUAL_SIGNS_MAX + 1) - large,
                large ? words / KIBI : words, large ? "k" : "");
    }
    fputs(" mean\n", out);
    for (int a = 0; a < residuals->alphas; a++) {
        fprintf(out, "%7.4g", residuals->by_alpha[a].key);
        for (int b = 0; b < residuals->blocks; b++) {
            char signs[RESIDUAL_SIGNS_MAX + 1];

            residual_signs(&residuals->cell[a * residuals->blocks + b], signs);
            fprintf(out, "%*s", RESIDUAL_SIGNS_MAX + 1, signs);
        }
        print_mean(out, &residuals->by_alpha[a]);
        fputc('\n', out);
    }
    fputs("   mean", out);
    for (int b = 0; b < residuals->blocks; b++)
        print_mean(out, &residuals->by_block[b]);
    fputs("\nmean of ln(measured / predicted), over alpha and over L\n", out);
}

static void brief(const struct machine_figures *figures, FILE *out, int columns)
{
    if (figures->unfitted.status != STATUS_OK) {
        fprintf(out, "%s\n", figures->unfitted.message);
        return;
    }
    print_models(out, figures->fits.fit, columns);
    fprintf(out, "%s: + slower than said, - faster; . within 10 %%\n",
            fit_forms[figures->fits.shown].title);
    print_map(out, &figures->fits.residuals[figures->fits.shown]);
    fputs("\nDoubts\n", out);
    fit_print_doubts(out, &figures->fits, columns);
}

static void table(const struct machine_figures *figures, FILE *out, int columns)
{
    (void)columns;
    probe_report_apex(out, &figures->measurement);
}

const struct picture picture_apex = {.title = "Apex-MAP: models, residuals",
                                     .part = MEASUREMENT_APEX,
                                     .brief = brief,
                                     .table = table};
