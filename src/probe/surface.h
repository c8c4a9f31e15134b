/* Measured points of an Apex-MAP surface, from a measurement or from a CSV file.
 *
 * Columns of a file are known by their names, others are left aside:
 *
 *     alpha                          locality
 *     L, block_words                 words of a block
 *     ns_per_access, samples_s       T; of several samples with blanks between the least counts
 *     M, M_words, size_bytes         what is accessed in all; may be missing
 *     part, cores                    may be missing; rows of other parts than apex, of more than
 *                                    one core or without samples are left aside
 *
 * A comment "# size: 512 MiB" or "# word: 8 B" says what the columns do not. What neither says is
 * assumed: 64-bit words, 67 108 864 of them (512 MiB). */
#ifndef AOLAG_PROBE_SURFACE_H
#define AOLAG_PROBE_SURFACE_H

#include "base/problems.h"
#include "probe/fit_model.h"
#include "probe/measurement.h"

#define SURFACE_WORD 8.0         /* B */
#define SURFACE_SIZE 536870912.0 /* B */

enum surface_origin { SURFACE_IN_COLUMN, SURFACE_GIVEN, SURFACE_IN_COMMENT, SURFACE_ASSUMED };

struct surface {
    struct fit_point *point;
    int count;                       /* at least 1 */
    double word;                     /* B */
    double least_held, most_held;    /* M, words */
    enum surface_origin word_origin; /* never SURFACE_IN_COLUMN */
    enum surface_origin held_origin;
};

/* What a caller states of a file that does not say it, B; 0: nothing. */
struct surface_given {
    double size, word;
};

/* STATUS_INVALID lists every problem with its line: a missing column, what a field may be, a size
 * that is given twice. `problems` begins
 * empty. On failure there is nothing to free; surface_free accepts a zeroed struct.
 */
enum status surface_parse(const char *bytes, size_t length, const struct surface_given *given,
                          struct surface *surface, struct problems *problems);

/* The points of the part apex of one core, each with its least sample. STATUS_INVALID: there are
 * none. */
enum status surface_of(const struct measurement *measurement, struct surface *surface,
                       struct error *error);
void surface_free(struct surface *surface);

#endif
