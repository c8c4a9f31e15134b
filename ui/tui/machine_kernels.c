#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot.h"
#include "model/result.h"
#include "probe/kernels.h"
#include "report/validate.h"
#include "tui/view_machine.h"
#include "tui/widget.h"

enum { PLOT_ROWS = 6 }; /* less is no plot */

#define BAND (1 + PREDICT_NINTH) /* the factor that nine in ten should be within */

/* A kernel's letter: of one core a small one, of several a capital. */
static char letter_of(const struct measurement_point *point)
{
    char first = point->parameter[PARAMETER_CORES] > 1 ? 'A' : 'a';

    return (char)(first + (kernel_find(point->name) - kernels));
}

static bool range(const struct prediction *prediction, double *low, double *high)
{
    *low = (double)INFINITY;
    *high = 0;
    for (int i = 0; i < prediction->count; i++) {
        const struct predicted_row *row = &prediction->row[i];

        if (row->ratio == RESULT_NONE)
            continue;
        *low = fmin(*low, fmin(row->measured, row->predicted));
        *high = fmax(*high, fmax(row->measured, row->predicted));
    }
    return *high > 0;
}

/* "a dark-flat  b cog", as many rows as it takes; returns how many. */
static int draw_legend(struct canvas *canvas, struct rect inside,
                       const struct prediction *prediction)
{
    char text[512] = "lines: equal, 25 % off \xC2\xB7 A a: all cores, one";

    for (int k = 0; k < kernel_count; k++) {
        const char *point = strchr(kernels[k].name, '.');
        size_t used = strlen(text);

        if (prediction_summarise(prediction, kernels[k].name).count > 0)
            snprintf(text + used, sizeof text - used, " \xC2\xB7 %c %s", 'a' + k,
                     point == NULL ? kernels[k].name : point + 1);
    }
    return widget_wrap(canvas, inside, 0, STYLE_DIM, text);
}

static void draw_summary(struct canvas *canvas, struct rect line,
                         const struct prediction *prediction)
{
    struct prediction_summary summary = prediction_summarise(prediction, NULL);

    if (summary.count > 0)
        canvas_printf(
            canvas, line.row, line.column, line.columns, summary.met ? STYLE_GOOD : STYLE_WARNING,
            "%d: half within %.3g %%, 9 in 10 within %.3g %%: goal %s", summary.count,
            100 * summary.median_error, 100 * summary.ninth_error, summary.met ? "met" : "missed");
}

static void draw_points(const struct plot *plot, const struct prediction *prediction)
{
    double ends[2] = {plot->x.low, plot->x.high};

    for (int band = -1; band <= 1; band++) {
        double factor = pow(BAND, band);
        double shifted[2] = {ends[0] * factor, ends[1] * factor};
        double from[2] = {ends[0], ends[1]};

        /* kept inside, as a curve is cut where an end lies outside */
        if (band < 0) {
            from[0] /= factor;
            shifted[0] = ends[0];
        } else if (band > 0) {
            from[1] /= factor;
            shifted[1] = ends[1];
        }
        plot_curve(plot, from, shifted, 2, band == 0 ? STYLE_NORMAL : STYLE_DIM,
                   band == 0 ? '/' : '.');
    }
    for (int i = 0; i < prediction->count; i++) {
        const struct predicted_row *row = &prediction->row[i];

        if (row->ratio != RESULT_NONE)
            plot_mark(plot, row->measured, row->predicted,
                      fabs(row->ratio - 1) <= PREDICT_NINTH ? STYLE_NORMAL : STYLE_WARNING,
                      (uint32_t)letter_of(row->point));
    }
}

static void draw(const struct machine_figures *figures, struct canvas *canvas, struct rect inside)
{
    const struct prediction *prediction = &figures->prediction;
    struct canvas none = {0};
    struct rect legend = inside;
    struct plot plot;
    double low, high;

    if (figures->unpredicted.status != STATUS_OK || !range(prediction, &low, &high)) {
        widget_wrap(canvas, inside, 0, STYLE_WARNING, figures->unpredicted.message);
        return;
    }
    draw_summary(canvas, inside, prediction);
    inside.row++;
    inside.rows--;
    legend.rows = draw_legend(&none, legend, prediction);
    legend.row = inside.row + inside.rows - legend.rows;
    if (inside.rows - legend.rows >= PLOT_ROWS) {
        inside.rows -= legend.rows;
        draw_legend(canvas, legend, prediction);
    }
    if (plot_open(&plot, canvas, inside, plot_axis_around(PLOT_DECADES, low, high, "s"),
                  plot_axis_around(PLOT_DECADES, low, high, "s")))
        draw_points(&plot, prediction);
}

static void table(const struct machine_figures *figures, FILE *out, int columns)
{
    validate_print_kernels(out, &figures->prediction, columns);
}

const struct picture picture_kernels = {.title = "Kernels: predicted up, measured along",
                                        .part = MEASUREMENT_KERNELS,
                                        .draw = draw,
                                        .table = table};
