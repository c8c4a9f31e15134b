#include "machine_fits.h"

#include <stdlib.h>

#include "fit.h"
#include "units.h"

#define WORD 8.0 /* B */

static int points_of(const struct measurement *measurement, struct fit_point *points)
{
    int count = 0;

    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];

        if (point->part == MEASUREMENT_APEX && point->count > 0)
            points[count++] = (struct fit_point){.alpha = point->parameter[PARAMETER_LOCALITY],
                                                 .block = point->parameter[PARAMETER_BLOCK],
                                                 .held = point->parameter[PARAMETER_SIZE] / WORD,
                                                 .seconds = point_least(point)};
    }
    return count;
}

static void put_fit(struct buffer *buffer, const struct fit *fit)
{
    const struct fit_form *form = &fit_forms[fit->model];
    char text[256];

    buffer_print(buffer, "; %s:", form->title);
    for (int i = 0; i < FIT_VALUES; i++) {
        if (form->name[i] == NULL)
            continue;
        quantity_print(fit->value[i], "ns", text, sizeof text);
        buffer_print(buffer, " %s %s,", form->name[i], text);
    }
    if (form->cached) {
        quantity_print(fit->c * WORD, "KiB", text, sizeof text);
        buffer_print(buffer, " c %s,", text);
    }
    buffer_print(buffer, " PC %.3f\n", fit->pc);
    for (int flag = 0; flag < FIT_FLAGS; flag++)
        if (fit->flag[flag]) {
            fit_flag_text(fit, (enum fit_flag)flag, text, sizeof text);
            buffer_print(buffer, ";     doubtful: %s\n", text);
        }
}

void machine_put_fits(struct buffer *buffer, const struct measurement *measurement)
{
    struct fit_point *points;
    struct fit fits[FIT_MODELS];
    struct error error;
    int count;

    if (!measurement_has(measurement, MEASUREMENT_APEX))
        return;
    points = malloc((size_t)measurement->count * sizeof *points);
    if (points == NULL) {
        buffer->failed = true;
        return;
    }
    count = points_of(measurement, points);
    buffer_print(buffer, "; models fitted to the Apex-MAP surface, times of an access to a word of "
                         "8 B:\n");
    if (fit_models(points, count, fits, &error) == STATUS_OK)
        for (int i = 0; i < FIT_MODELS; i++)
            put_fit(buffer, &fits[i]);
    else
        buffer_print(buffer, "; none: %s\n", error.message);
    free(points);
}
