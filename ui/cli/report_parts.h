/* The parts of the text report. Part of report. */
#ifndef AOLAG_REPORT_PARTS_H
#define AOLAG_REPORT_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "result.h"
#include "scenario.h"

struct report {
    FILE *out;
    bool unicode;
    const char *bold, *good, *bad, *plain; /* terminal sequences, or empty */
};

/* What every component, transfer, device and program does, a row each. */
void report_tables(const struct report *report, const struct scenario *scenario,
                   const struct result *result);

/* What comes of it: latency, rates and the loop, a line each. */
void report_lines(const struct report *report, const struct scenario *scenario,
                  const struct result *result);

#endif
