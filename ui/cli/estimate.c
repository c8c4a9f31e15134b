#include "cli/estimate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/long_run.h"

#define BUDGET 60         /* s */
#define BUDGET_MARGIN 0.5 /* of the budget */

struct sampling {
    double stop_at; /* s */
    uint64_t tried; /* designs */
    uint64_t most;  /* likewise */
};

double estimate_limit(const struct arguments *arguments)
{
    return arguments_number(arguments, "budget", BUDGET) * (1 + BUDGET_MARGIN);
}

static void count_sampled(void *context, const struct sweep_row *row,
                          const struct scenario *scenario, const struct result *result)
{
    struct sampling *sampling = context;

    (void)row;
    (void)scenario;
    (void)result;
    sampling->tried++;
}

static bool end_sample(void *context, double done)
{
    const struct sampling *sampling = context;

    (void)done;
    return clock_seconds() < sampling->stop_at && sampling->tried < sampling->most &&
           long_run_signal() == 0;
}

double estimate_sweep(const struct sweep *sweep, uint64_t first, uint64_t end)
{
    const double began = clock_seconds();
    struct sampling sampling = {.stop_at = began + SAMPLE_TIME,
                                .most = (end - first) / SAMPLE_PART};
    const struct sweep_rows rows = {.inspect = count_sampled, .context = &sampling};
    const struct progress progress = {end_sample, &sampling};
    struct sweep sample = *sweep;
    struct error error;

    if (end - first < SAMPLE_LEAST)
        return 0;
    sample.jobs = 1;
    sample.sample = true;
    sweep_designs(&sample, first, end, &rows, &progress, &error);
    return (clock_seconds() - began) / (double)(sampling.tried > 0 ? sampling.tried : 1) *
           (double)(end - first) / sweep_threads(sweep, end - first);
}

/* Writes a duration for a sentence: "90 s", "25 min", "3.1 h", "12 days", "300 years". */
static void print_duration(double seconds, char *text, size_t size)
{
    enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };
    const double year = 365.25 * DAY;

    if (seconds < 2 * MINUTE)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 2 * HOUR)
        snprintf(text, size, "%.0f min", seconds / MINUTE);
    else if (seconds < 2.0 * DAY)
        snprintf(text, size, "%.1f h", seconds / HOUR);
    else if (seconds < 2 * year)
        snprintf(text, size, "%.0f days", seconds / DAY);
    else
        snprintf(text, size, "%.0f years", seconds / year);
}

int estimate_refuse(const struct arguments *arguments, const struct sweep *sweep, uint64_t designs,
                    double seconds, const char *most, const char *with, bool shard)
{
    const int processors = sweep_threads(sweep, designs);
    char text[40], more[60] = "";

    print_duration(seconds, text, sizeof text);
    if (ceil(seconds) <= BUDGET_MAX)
        snprintf(more, sizeof more, "%sgive more time by --budget %.0f", shard ? ", or " : "; ",
                 ceil(seconds));
    return arguments_problem(arguments->cli,
                             "%" PRIu64 " designs would take %sabout %s on %d processor%s%s, more "
                             "than %.0f s%s%s",
                             designs, most, text, processors, processors != 1 ? "s" : "", with,
                             arguments_number(arguments, "budget", BUDGET),
                             shard ? "; divide them by --shard K/N" : "", more);
}
