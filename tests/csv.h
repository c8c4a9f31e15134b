/* Files of comma-separated values in tests/data, as base/csv.h reads them. Whatever is wrong with a
 * file, or a column name it does not have, fails the running test. */
#ifndef AOLAG_CSV_H
#define AOLAG_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/csv.h"

struct csv {
    struct records records;
    size_t columns;
    size_t rows; /* without the header */
};

/* Reads a file of tests/data. On false there is nothing to free. */
bool csv_load(struct csv *csv, const char *name);

void csv_free(struct csv *csv);

/* The field of a row (from 0), "" for an empty one. */
const char *csv_text(const struct csv *csv, size_t row, const char *column);

/* The field as a number; NaN where it is empty. Anything else that is no number fails the test. */
double csv_number(const struct csv *csv, size_t row, const char *column);

#endif
