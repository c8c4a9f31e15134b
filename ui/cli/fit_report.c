#include "cli/fit_text.h"

enum status fit_report_make(struct fit_report *report, struct error *error)
{
    const struct surface *surface = &report->surface;
    enum status status = fit_models(surface->point, surface->count, report->fit, error);

    for (int m = 0; m < FIT_MODELS && status == STATUS_OK; m++)
        status = residuals_make(surface->point, surface->count, fit_predict, &report->fit[m],
                                &report->residuals[m], error);
    report->shown = 0;
    for (int m = 1; m < FIT_MODELS && status == STATUS_OK; m++)
        if (report->fit[m].squares < report->fit[report->shown].squares)
            report->shown = m;
    return status;
}

void fit_report_free(struct fit_report *report)
{
    for (int m = 0; m < FIT_MODELS; m++)
        residuals_free(&report->residuals[m]);
    surface_free(&report->surface);
}
