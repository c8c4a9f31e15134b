/* A measurement of a machine: points with raw samples and the conditions they were taken under; its
 * CSV form, and the file that holds the last measurement.
 *
 * A sample is the time, in seconds, of one unit of work: an access of the staircase, an operation,
 * a byte of a sweep, an access of the Apex-MAP surface, a frame of a kernel. So the least sample is
 * a cost, and a rate is one over it. The first sample of a point is never kept: it warms up. */
#ifndef AOLAG_PROBE_MEASUREMENT_H
#define AOLAG_PROBE_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/status.h"

/* Points --------------------------------------------------------------------------------------- */

enum measurement_part {
    MEASUREMENT_MEMORY,     /* s per access */
    MEASUREMENT_OPERATIONS, /* s per operation, be it on one element or a vector */
    MEASUREMENT_BANDWIDTH,  /* s per byte, as STREAM counts them (no write-allocate) */
    MEASUREMENT_APEX,       /* s per access to a word of 8 bytes */
    MEASUREMENT_KERNELS,    /* s per frame */
    MEASUREMENT_PARTS
};

extern const struct measurement_part_name {
    const char *name; /* "memory", ...: as the command line, CSV and JSON spell it */
    const char *unit; /* of its work: "access", "operation", "byte", "access", "frame" */
} measurement_parts[MEASUREMENT_PARTS];

/* Parameters of a point. */
enum parameter {
    PARAMETER_SIZE,      /* B touched, by all cores together */
    PARAMETER_BITS,      /* of a vector register; of one element: scalar */
    PARAMETER_CHAINS,    /* independent chains of dependent work */
    PARAMETER_CORES,     /* that work at the same time */
    PARAMETER_AHEAD,     /* nodes between a software prefetch and the use */
    PARAMETER_BLOCK,     /* words of 8 B read one after the other (L of Apex-MAP) */
    PARAMETER_LOCALITY,  /* alpha of Apex-MAP */
    PARAMETER_SUBNORMAL, /* share of the inputs that are subnormal, 0-1 */
    PARAMETER_FLUSH,     /* 1: subnormals are flushed to zero, 0: not */
    PARAMETER_SUBAPERTURES,
    PARAMETER_SIDE, /* pixels along one side of a subaperture */
    PARAMETER_PIXELS,
    PARAMETER_ROWS,
    PARAMETER_COLUMNS,
    PARAMETERS
};

/* In CSV and JSON, with the unit: "size_bytes". */
extern const char *const parameter_names[PARAMETERS];

#define MEASUREMENT_NAME_MAX 32
#define MEASUREMENT_TYPE_MAX 8
#define MEASUREMENT_OF_MAX 48
#define MEASUREMENT_REMARK_MAX 80
#define MEASUREMENT_SAMPLES_MAX 256

struct measurement_point {
    enum measurement_part part;
    char name[MEASUREMENT_NAME_MAX]; /* what was timed: "chase", "add", "read", "centroid.cog" */
    char type[MEASUREMENT_TYPE_MAX]; /* "f32", "f64", or "" */
    char of[MEASUREMENT_OF_MAX];     /* the AO preset a kernel's sizes are from, or "" */
    double parameter[PARAMETERS];    /* NAN: does not apply */
    char remark[MEASUREMENT_REMARK_MAX]; /* "n/a: REASON" of a point without samples, or a remark */
    int count;
    double sample[MEASUREMENT_SAMPLES_MAX]; /* s per unit, above 0 and finite */
};

/* Conditions ----------------------------------------------------------------------------------- */

enum condition {
    CONDITION_CPU,        /* the model's name, as the system says */
    CONDITION_CORES,      /* that the process may use, and the machine's */
    CONDITION_PINNED,     /* "core 0", or why not */
    CONDITION_GOVERNOR,   /* of the frequency */
    CONDITION_TURBO,      /* on, off, unknown */
    CONDITION_HUGE_PAGES, /* what was asked for and what was given */
    CONDITION_VIRTUAL,    /* "no", or the hypervisor */
    CONDITION_CACHES,  /* as the system says: "L1 32 KiB, L2 1024 KiB, L3 32768 KiB of 8 cores" */
    CONDITION_VECTORS, /* the instruction sets that were timed */
    CONDITION_SYSTEM,  /* kernel and architecture */
    CONDITION_DATE,    /* UTC, RFC 3339 */
    CONDITION_VERSION, /* of this program and its compiler */
    CONDITION_SEED,
    CONDITIONS
};

extern const char *const condition_names[CONDITIONS];

#define CONDITION_MAX 160

/* Measurements --------------------------------------------------------------------------------- */

/* Zero-initialised is empty. */
struct measurement {
    char condition[CONDITIONS][CONDITION_MAX]; /* "" where unknown */
    struct measurement_point *point;
    int count, capacity;
};

void measurement_free(struct measurement *measurement);

/* A point with every parameter NAN and no sample. Texts are cut to fit. */
struct measurement_point measurement_point(enum measurement_part part, const char *name,
                                           const char *type);

enum status measurement_add(struct measurement *measurement, const struct measurement_point *point,
                            struct error *error);

/* Removes the points of a part, before it is measured again. */
void measurement_remove(struct measurement *measurement, enum measurement_part part);

/* Replaces the parts that `from` has, and the conditions that it states; all others stay. */
enum status measurement_merge(struct measurement *measurement, const struct measurement *from,
                              struct error *error);

bool measurement_has(const struct measurement *measurement, enum measurement_part part);

/* Statistics of a point's samples, s per unit; RESULT_NONE (result.h) without samples. The 99th
 * percentile is the next sample at or above it. */
double point_least(const struct measurement_point *point);
double point_median(const struct measurement_point *point);
double point_p99(const struct measurement_point *point);

/* The middle half of the samples spreads over more than 10 % of the least. */
bool point_noisy(const struct measurement_point *point);

/* CSV ------------------------------------------------------------------------------------------
 * A line "# condition: value" for each known condition, a header, and a line for each point with
 * its raw samples in seconds, joined by blanks, shortest digits that read back the same. What does
 * not apply is an empty field. */

/* The line of a condition, which may also follow points if it becomes known later. */
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

/* The file that keeps the last measurement of each part: $XDG_STATE_HOME/aolag/machine.csv, by
 * default in ~/.local/state ------------------------------------------------------------------- */

/* Empty and STATUS_OK where there is no file. The error names the file. */
enum status measurement_file_read(struct measurement *measurement, struct error *error);

/* Replaces the parts of the file that `measurement` has; the others stay, unless they are of
 * another CPU. A part not marked in `whole` was interrupted and does not replace a stored one. A
 * damaged file is replaced, with STATUS_OK and a message in `error`, which is empty otherwise; a
 * file that is not a measurement is left alone, with STATUS_INVALID. */
enum status measurement_file_keep(const struct measurement *measurement,
                                  const bool whole[MEASUREMENT_PARTS], struct error *error);

#endif
