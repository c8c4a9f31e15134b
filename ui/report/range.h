/* The range of a latency (model/range.h) in reports and on the screen. */
#ifndef AOLAG_REPORT_RANGE_H
#define AOLAG_REPORT_RANGE_H

#include "design/scenario.h"
#include "model/range.h"
#include "report/record.h"

#define RANGE_TEXT_MAX 96

/* Writes the range to follow the latency: "44.0 to 90.0" in its unit, else "980 ns to 1.20 us";
 * "from 44.0, may not keep up", followed by ", calibrated" or ", calibration
 * stale". */
void range_text(const struct latency_range *range, bool unicode, char *text, size_t size);

/* The same of ends that no calibration changed; RESULT_NONE for `high`: may not keep up, for
 * `latency`: it is as range_text_alone writes it. */
void range_ends_text(double latency, double low, double high, bool unicode, char *text,
                     size_t size);

/* Writes the range with its units, where it does not follow the latency: "44.0 us to 90.0 us". */
void range_text_alone(const struct latency_range *range, bool unicode, char *text, size_t size);

/* Writes a latency and its range, `high` RESULT_NONE if it may not keep up: "57.9 us (48.2 to
 * 101)". `low` RESULT_NONE: the range is not known and left out. */
#define RANGE_LATENCY_MAX (RECORD_QUANTITY_MAX + RANGE_TEXT_MAX + 4)
void range_latency_text(double latency, double low, double high, bool unicode,
                        char text[RANGE_LATENCY_MAX]);

/* Writes the maximum frame rate and its range likewise: "2.42 kHz (1.76 to 3.38)". `low`
 * RESULT_NONE: the range is not known; it and one whose ends print alike, as of a readout, are left
 * out. */
void range_rate_text(double rate, double low, double high, bool unicode,
                     char text[RANGE_LATENCY_MAX]);

/* Writes "72 % assumed: dispatch, ports", the causes with most of it first; "72 % assumed: ports;
 * software unknown" if a CPU does not state `dispatch`, which has no part of the latency; "less
 * than 1 % assumed: copies"; "" if nothing is assumed. */
void range_assumed_text(const struct latency_range *range, char *text, size_t size);

/* Puts that a group is what to measure or to state first, and the latency if its times are longer. */
void range_put_first(struct record *record, const struct scenario *scenario,
                     const struct latency_range *range, const struct range_group *first);

/* Puts the assumed fraction and the groups as data. */
void range_put_data(struct record *record, const struct scenario *scenario,
                    const struct latency_range *range);

/* Puts the groups as a table for text and Markdown. */
void range_put_groups(struct record *record, const struct scenario *scenario,
                      const struct latency_range *range);

#endif
