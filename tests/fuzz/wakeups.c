/* A file of wake-up latencies: its quantiles and the preset with them. */
#include "fuzz.h"

#include "probe/wakeups.h"
#include "report/reports.h"

void fuzz_wakeups(const char *bytes, size_t length)
{
    static const char *const units[] = {"us", "ns", "ms", NULL};
    struct wakeups wakeups = {0};
    struct problems problems = {NULL, 0, 0};
    enum status status = wakeups_parse(bytes, length, units[length % 4], &wakeups, &problems);

    fuzz_check_problems(status, &problems);
    problems_free(&problems);
    for (int nines = 0; nines <= LATE_MAX && status == STATUS_OK; nines++)
        fuzz_check(wakeups_quantile(&wakeups, nines) <= wakeups_quantile(&wakeups, nines + 1),
                   "quantile %d: %g, then %g", nines, wakeups_quantile(&wakeups, nines),
                   wakeups_quantile(&wakeups, nines + 1));
    if (status == STATUS_OK) {
        struct record record = record_to(fuzz_open_output(), RECORD_TEXT);

        wakeups_report(&record, "latencies.txt", &wakeups);
        fuzz_check_output();
    }
    wakeups_free(&wakeups);
}
