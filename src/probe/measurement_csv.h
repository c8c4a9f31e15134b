/* Measurements as text: a line "# condition: value" for each known condition, a header, and a line
 * for each point with its raw samples in seconds, joined by blanks, shortest digits that read back
 * the same. What does not apply is an empty field. */
#ifndef AOLAG_MEASUREMENT_CSV_H
#define AOLAG_MEASUREMENT_CSV_H

#include "measurement.h"

/* The line of a condition; where one becomes known later its line may also stand between points. */
void measurement_csv_condition(struct buffer *buffer, const struct measurement *measurement,
                               enum condition condition);

/* Conditions and header. */
void measurement_csv_head(struct buffer *buffer, const struct measurement *measurement);

void measurement_csv_point(struct buffer *buffer, const struct measurement_point *point);

/* Everything. */
void measurement_csv(struct buffer *buffer, const struct measurement *measurement);

/* Reads what measurement_csv writes, also where lines are missing at the end. STATUS_INVALID names
 * line, column and value. On failure there is nothing to free. */
enum status measurement_csv_read(struct measurement *measurement, const char *bytes, size_t length,
                                 struct error *error);

#endif
