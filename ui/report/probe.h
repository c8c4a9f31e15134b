/* Reports of measurements of this machine. */
#ifndef AOLAG_REPORT_PROBE_H
#define AOLAG_REPORT_PROBE_H

#include "probe/measurement.h"
#include "probe/probe.h"
#include "report/record.h"

struct probed_part {
    enum measurement_part part;
    bool whole;         /* true if it was measured completely */
    double seconds;     /* duration */
    struct error error; /* STATUS_OK unless it failed */
};

/* A measurement and how it was made. */
struct probed {
    struct probe probe; /* settings; zeroed if the measurement was read from a file */
    struct measurement measurement;
    struct probed_part part[MEASUREMENT_PARTS]; /* parts that were started */
    int count;
    bool interrupted; /* by a signal */
};

/* Reports conditions, settings, parts, derived values and, in JSON, the points with their raw
 * samples; in any format except CSV. Missing measurements are null, an empty list or omitted. */
void probed_report(struct record *record, const struct probed *probed);

/* Put a section of the text, or nothing if none of it was measured. */
void probed_put_memory_tables(struct record *record, const struct measurement *measurement);
void probed_put_operations(struct record *record, const struct measurement *measurement);
void probed_put_dispatch(struct record *record, const struct measurement *measurement);
void probed_put_gpu_tables(struct record *record, const struct measurement *measurement);
void probed_put_apex(struct record *record, const struct measurement *measurement);

#endif
