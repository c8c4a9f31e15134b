/* Comma-separated values with a header line (RFC 4180): quoted fields may hold commas, line breaks
 * and doubled quotes; lines that begin with # are comments, of which "# NAME: VALUE" states a
 * value. Every record has as many fields as the header. */
#ifndef AOLAG_BASE_CSV_H
#define AOLAG_BASE_CSV_H

#include <stddef.h>

#include "base/buffer.h"
#include "base/status.h"

struct records {
    char *text;    /* a copy, cut into fields in place */
    char **fields; /* the header's, then those of every record */
    int *lines;    /* likewise: where each begins, from 1 */
    int columns;
    int count;       /* without the header */
    char **comments; /* the lines that begin with # */
    int *comment_lines;
    int comment_count;
};

/* STATUS_INVALID names the line of a record that is too short, too long or not ended. On failure
 * there is nothing to free; records_free accepts a zeroed struct. */
enum status records_parse(struct records *records, const char *bytes, size_t length,
                          struct error *error);
void records_free(struct records *records);

/* The number of a column, or -1 when the header does not have it. */
int records_column(const struct records *records, const char *name);

/* The field of a record (from 0), "" for an empty one. */
const char *records_field(const struct records *records, int record, int column);

/* The line a record (from 0) begins on, from 1; -1 is the header. */
int records_line(const struct records *records, int record);

/* The value that a comment states, of several the last, and the line it is on (may be NULL); NULL
 * where there is none. */
const char *records_comment(const struct records *records, const char *name, int *line);

/* Appends a field, in quotes where it needs them. */
void csv_put_field(struct buffer *buffer, const char *text);

#endif
