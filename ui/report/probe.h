/* What was measured, for people and for programs. */
#ifndef AOLAG_REPORT_PROBE_H
#define AOLAG_REPORT_PROBE_H

#include <stdio.h>

#include "draw/table.h"
#include "probe/measurement.h"
#include "probe/probe.h"
#include "report/json.h"

struct probed_part {
    enum measurement_part part;
    bool whole;         /* it was measured to its end */
    double seconds;     /* it took */
    struct error error; /* why it failed; STATUS_OK: it did not */
};

/* A measurement and how it came about. */
struct probed {
    struct probe probe; /* settings; zeroed where the measurement was read from a file */
    struct measurement measurement;
    struct probed_part part[MEASUREMENT_PARTS]; /* those that were begun */
    int count;
    bool interrupted; /* by a signal */
};

void probe_report_text(FILE *out, const struct probed *probed);

/* One object, valid whatever was measured: conditions, settings, parts, points with their raw
 * samples, and what follows from them. */
void probe_report_json(FILE *out, const struct probed *probed);

/* What follows from a measurement, as JSON. */

/* The member "derived" of an object: the staircase, the table of operations, the machine and the
 * fits of its Apex-MAP surface. What was not measured is null or an empty list. */
void probe_derived(struct json *json, const struct measurement *measurement);

/* Tables of measured points. */

#define PROBE_COLUMNS 80
#define NOISY "?" /* the mark */

/* Sections of the report, each with its heading; nothing where nothing of it was measured. */
void probe_report_memory(FILE *out, const struct measurement *measurement);
void probe_report_memory_tables(FILE *out, const struct measurement *measurement); /* no plot */
void probe_report_operations(FILE *out, const struct measurement *measurement);
void probe_report_bandwidth(FILE *out, const struct measurement *measurement);
void probe_report_apex(FILE *out, const struct measurement *measurement);
void probe_report_machine(FILE *out, const struct measurement *measurement);

/* The table of the levels of memory, a part of the first of them and, without it, of the last. */
void probe_report_levels(FILE *out, const struct measurement *measurement);

/* Points whose least times stand in a table, by two of their parameters. */
struct pivot {
    enum measurement_part part;
    const char *name;      /* of the points */
    enum parameter row;    /* with a label in the first column */
    enum parameter column; /* with a label in the heading */
    enum parameter fixed;  /* has to be fixed_value; PARAMETERS: nothing has to */
    double fixed_value;
    bool descending;    /* rows from high to low */
    const char *corner; /* heading of the first column */
};

/* Prints times in ns, those of noisy points with a mark; false, and nothing printed, without
 * points. Of many rows some are left out, as are those with a single point where there could be
 * several. */
bool pivot_print(FILE *out, const struct measurement *measurement, const struct pivot *pivot);

/* The values of a parameter among the points of a name, ascending; returns how many (at most
 * `most`). */
int pivot_values(const struct measurement *measurement, const struct pivot *pivot,
                 enum parameter parameter, double *values, int most);

/* The last point like this one: part, name, and those parameters that are not NAN. NULL: none with
 * samples. */
const struct measurement_point *point_like(const struct measurement *measurement,
                                           const struct measurement_point *like);

/* Cells. A noisy point's number gets a mark before it; what there is none of is a dash. */
void cell_ns(struct table *table, const struct measurement_point *point); /* NULL: a dash */
void cell_time(struct table *table, double seconds);
void cell_number(struct table *table, double value);
void cell_capacity(struct table *table, double bytes); /* 0 or RESULT_NONE: a dash */

/* The heading of a section, a blank line before it. */
void section_heading(FILE *out, const char *words);

#endif
