/* The text report of an evaluated design: 80 columns, every number with its unit. µ and the like
 * only where the locale's characters are UTF-8; colours only on a terminal and without NO_COLOR. */
#ifndef AOLAG_REPORT_REPORT_H
#define AOLAG_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "design/scenario.h"
#include "draw/table.h"
#include "model/jitter.h"
#include "model/result.h"

void report_print(FILE *out, const struct scenario *scenario, const struct result *result);

/* Goes on with what becomes of the latency when times vary. */
void report_jitter(FILE *out, const struct jitter *jitter);

/* The parts of the text report. Part of report. */

struct report {
    FILE *out;
    bool unicode;
    const char *bold, *good, *bad, *plain; /* terminal sequences, or empty */
    bool markdown;
};

/* A heading of a Markdown report; nothing in text. */
void report_heading(const struct report *report, const char *heading);

/* The title, and below it what kind of a loop it is. */
void report_head(const struct report *report, const struct scenario *scenario,
                 const struct result *result);

/* µ and the like where the locale has them; colours on a terminal and without NO_COLOR. */
struct report report_to(FILE *out);

/* What every component, transfer, device and program does, a row each. */
void report_tables(const struct report *report, const struct scenario *scenario,
                   const struct result *result);

/* Of every program its phases, a row each, and its time over the remote latency. */
void report_programs(const struct report *report, const struct scenario *scenario,
                     const struct result *result);

/* Cells of a table; the table itself, which is freed. */
void report_quantity(const struct report *report, struct table *table, double si, const char *unit);
void report_percent(struct table *table, double fraction);
void report_table(const struct report *report, struct table *table);

/* How many rows that of a node or device stands for: those after it that the report would not tell
 * apart, and itself; 0 where one before it stands for it. Alike are parts of one component,
 * inserted transfers between the same components, devices that differ in their number. */
int report_nodes_alike(const struct result *result, int node);
int report_devices_alike(const struct scenario *scenario, const struct result *result, int device);

/* The name of a transfer without the devices of parts: "slopes>recon" of "slopes>recon@gpu0".
 * `plain` has room for NODE_NAME_MAX + 1. */
void report_plain_name(const char *name, char *plain);

/* One fact: its label, then a sentence that begins with the terminal sequence `style`. Long ones go
 * on in the next line, where they can behind a comma, semicolon or before a parenthesis. */
void report_line(const struct report *report, const char *style, const char *label,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* What comes of it: latency, rates and the loop, a line each. */
void report_lines(const struct report *report, const struct scenario *scenario,
                  const struct result *result);

/* Latencies of many frames, whom they miss, how they are spread. */
void report_spread(const struct report *report, const struct jitter *jitter);

#endif
