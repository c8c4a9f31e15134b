/* What was measured of this machine. */
#ifndef AOLAG_REPORT_PROBE_H
#define AOLAG_REPORT_PROBE_H

#include "probe/measurement.h"
#include "probe/probe.h"
#include "report/record.h"

struct probed_part {
    enum measurement_part part;
    bool whole;         /* it was measured completely */
    double seconds;     /* duration */
    struct error error; /* STATUS_OK: it did not fail */
};

/* A measurement and how it was made. */
struct probed {
    struct probe probe; /* settings; zeroed where the measurement was read from a file */
    struct measurement measurement;
    struct probed_part part[MEASUREMENT_PARTS]; /* those that were begun */
    int count;
    bool interrupted; /* by a signal */
};

/* As text, Markdown or JSON: conditions, settings, parts, what follows from the points, and in data
 * the points with their raw samples. What was not measured is null, an empty list or left out. */
void probed_report(struct record *record, const struct probed *probed);

/* Sections of the text; nothing where nothing of it was measured. */
void probed_put_memory_tables(struct record *record, const struct measurement *measurement);
void probed_put_operations(struct record *record, const struct measurement *measurement);
void probed_put_apex(struct record *record, const struct measurement *measurement);

#endif
