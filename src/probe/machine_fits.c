#include "machine_fits.h"

#include "fit.h"
#include "surface.h"
#include "units.h"

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
        quantity_print(fit->c * SURFACE_WORD, "KiB", text, sizeof text);
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
    struct surface surface;
    struct fit fits[FIT_MODELS];
    struct error error;
    enum status status = surface_of(measurement, &surface, &error);

    if (status == STATUS_INVALID)
        return;
    buffer->failed |= status == STATUS_MEMORY;
    if (status != STATUS_OK)
        return;
    buffer_print(buffer, "; models fitted to the Apex-MAP surface, times of an access to a word of "
                         "8 B:\n");
    if (fit_models(surface.point, surface.count, fits, &error) == STATUS_OK)
        for (int i = 0; i < FIT_MODELS; i++)
            put_fit(buffer, &fits[i]);
    else
        buffer_print(buffer, "; none: %s\n", error.message);
    surface_free(&surface);
}
