/* The rows of aolag sweep: a column for each knob and result, with the unit in its key, then what
 * bounds the latency, whether the design is overloaded, and of an invalid one the reason. */
#ifndef AOLAG_REPORT_SWEEP_H
#define AOLAG_REPORT_SWEEP_H

#include "explore/sweep.h"
#include "report/record.h"

#define SWEEP_HEADING_MAX (RESULT_PATH_MAX + 8) /* a path on several lines */

/* What the columns of knobs and results are called; there are many rows. */
struct sweep_columns {
    const struct sweep *sweep;
    char key[SWEEP_AXES_MAX + SWEEP_WANTED_MAX][RESULT_PATH_MAX];
    char heading[SWEEP_AXES_MAX + SWEEP_WANTED_MAX][SWEEP_HEADING_MAX];
};

void sweep_name_columns(struct sweep_columns *columns, const struct sweep *sweep);

/* How many columns there are in text. */
int sweep_text_columns(const struct sweep *sweep);

/* In a table, or a record of CSV or JSON lines by itself. */
void sweep_put_row(struct record *record, const struct sweep_columns *columns,
                   const struct sweep_row *row);

/* The header of CSV alone. */
void sweep_put_header(FILE *out, const struct sweep_columns *columns);

#endif
