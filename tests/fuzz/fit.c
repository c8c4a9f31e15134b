/* The points of an Apex-MAP surface: read, fitted, reported. */
#include "fuzz.h"

#include <math.h>

#include "probe/fit.h"
#include "report/reports.h"

#define POINTS_MAX 24 /* so that a fit takes no longer than reading */

void fuzz_fit(const char *bytes, size_t length)
{
    const struct surface_given given = {.team = length % 5 == 1,
                                        .size = length % 3 == 1 ? 67108864 : 0,
                                        .word = length % 3 == 2 ? 4 : 0};
    struct surface_fit report = {.name = "surface.csv"};
    struct problems problems = {NULL, 0, 0};
    struct error error;
    enum status status = surface_parse(bytes, length, &given, &report.surface, &problems);

    fuzz_check_problems(status, &problems);
    problems_free(&problems);
    if (status == STATUS_OK && report.surface.count <= POINTS_MAX) {
        status = surface_fit_make(&report, &error);
        if (status != STATUS_OK)
            fuzz_check_message(error.message);
        for (int m = 0; m < FIT_MODELS && status == STATUS_OK; m++)
            fuzz_check(isfinite(report.fit[m].pc) && report.fit[m].pc >= 1, "pc %g",
                       report.fit[m].pc);
        if (status == STATUS_OK) {
            struct record record = record_to(fuzz_open_output(), RECORD_TEXT);

            fit_report(&record, &report);
            fuzz_check_output();
        }
    }
    surface_fit_free(&report);
}
