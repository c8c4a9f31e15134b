/* Comma-separated values with a header line (RFC 4180): quoted fields may hold commas, line breaks
 * and doubled quotes; a byte-order mark before the header is skipped; lines that begin with # are
 * comments, of which "# NAME: VALUE" states a value. Every record has the fields of the header. */
#ifndef AOLAG_BASE_CSV_H
#define AOLAG_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/status.h"

struct records {
    char *text;    /* copy of the file, cut into fields in place */
    char **fields; /* fields of the header, then of every record */
    int *lines;    /* starting line of the header and of every record, from 1 */
    int columns;
    int count;       /* records, without the header */
    char **comments; /* lines that begin with # */
    int *comment_lines;
    int comment_count;
    bool whole; /* the last line ends in a line feed */
};

/* Returns STATUS_INVALID and names the line if a record is too short, too long or not terminated,
 * or the header has semicolons or tabs in place of commas, or says why the file is not text.
 * Nothing needs freeing after a failure; records_free accepts a zeroed struct. */
enum status records_parse(struct records *records, const char *bytes, size_t length,
                          struct error *error);
void records_free(struct records *records);

/* Returns the index of a column, or -1 if the header does not contain it. */
int records_column(const struct records *records, const char *name);

/* Returns the field of a record (from 0), "" if it is empty. */
const char *records_field(const struct records *records, int record, int column);

/* A text and the column that it is read from. */
struct record_text {
    const char *column;
    const char **text;
};

/* Gets the fields of a record (from 0) from columns by name, or returns STATUS_INVALID and names
 * the column that the header does not contain. */
enum status records_read(const struct records *records, int record, const struct record_text *texts,
                         size_t count, struct error *error);

/* Returns STATUS_INVALID if the last line does not end. For files that a program has written, whose
 * last number may have lost digits if the file was cut. */
enum status records_check_end(const struct records *records, struct error *error);

/* Returns the line on which a record (from 0) begins, from 1; record -1 is the header. */
int records_line(const struct records *records, int record);

/* Returns the value that a comment states (the last one if there are several) and its line (`line`
 * may be NULL); NULL if no comment states it. */
const char *records_comment(const struct records *records, const char *name, int *line);

/* Appends a field, quoted if necessary. */
void csv_put_field(struct buffer *buffer, const char *text);

#endif
