/* The rows of aolag sweep. */
#ifndef AOLAG_REPORT_SWEEP_H
#define AOLAG_REPORT_SWEEP_H

#include <stdio.h>

#include "draw/table.h"
#include "explore/sweep.h"

/* The header of CSV: a column for each knob and result, with the unit in its name, then
 * bound_component, bound_by, overloaded and error. */
void sweep_csv_head(FILE *out, const struct sweep *sweep);

/* A row of it; of a design that has no meaning the values of the knobs and the reason. */
void sweep_csv_row(FILE *out, const struct sweep *sweep, const struct sweep_row *row);

/* The same as an object of JSON on one line, null for what is empty. */
void sweep_json_row(FILE *out, const struct sweep *sweep, const struct sweep_row *row);

/* For people: how many columns that takes, a table with its heading, a row of it. */
int sweep_table_columns(const struct sweep *sweep);
struct table sweep_table_new(const struct sweep *sweep);
void sweep_table_row(struct table *table, const struct sweep *sweep, const struct sweep_row *row);

#endif
