/* Text of reports that are not records yet: 80 columns, every number with its unit. µ and the like
 * only where the locale's characters are UTF-8; colours only on a terminal and without NO_COLOR. */
#ifndef AOLAG_REPORT_REPORT_H
#define AOLAG_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/table.h"

struct report {
    FILE *out;
    bool unicode;
    const char *bold, *good, *bad, *plain; /* terminal sequences, or empty */
};

/* µ and the like where the locale has them; colours on a terminal and without NO_COLOR. */
struct report report_to(FILE *out);

/* Cells of a table; the table itself, which is freed. */
void report_quantity(const struct report *report, struct table *table, double si, const char *unit);
void report_table(const struct report *report, struct table *table);

/* One fact: its label, then a sentence that begins with the terminal sequence `style`. Long ones go
 * on in the next line, where they can behind a comma, semicolon or before a parenthesis. */
void report_line(const struct report *report, const char *style, const char *label,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
