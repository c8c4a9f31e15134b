/* A measurement of a machine: points with raw samples and their conditions, the CSV form, and the
 * file with the last measurement.
 *
 * A sample is the time, in seconds, of one unit of work: an access of the staircase, an operation,
 * a byte of a sweep, an access of the Apex-MAP surface, a frame of a kernel. The minimum sample is
 * the cost, its inverse the rate. The first sample of each point is a warm-up and is discarded. */
#ifndef AOLAG_PROBE_MEASUREMENT_H
#define AOLAG_PROBE_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/status.h"

/* Points --------------------------------------------------------------------------------------- */

enum measurement_part {
    MEASUREMENT_MEMORY,     /* s per access */
    MEASUREMENT_OPERATIONS, /* s per operation, scalar or vector */
    MEASUREMENT_BANDWIDTH,  /* s per byte, counted as in STREAM (no write-allocate) */
    MEASUREMENT_APEX,       /* s per access to an 8-byte word */
    MEASUREMENT_DISPATCH,   /* s, see dispatch_points.h */
    MEASUREMENT_KERNELS,    /* s per frame */
    MEASUREMENT_GPU,        /* s, see gpu_points.h */
    MEASUREMENT_PARTS
};

extern const struct measurement_part_name {
    const char *name; /* as on the command line and in CSV and JSON: "memory", ... */
    const char *unit; /* unit of work: "access", "operation", "byte", ... */
} measurement_parts[MEASUREMENT_PARTS];

/* Parameters of a point. */
enum parameter {
    PARAMETER_SIZE,      /* B touched by all cores together */
    PARAMETER_BITS,      /* register width; element width for scalars */
    PARAMETER_CHAINS,    /* independent dependency chains */
    PARAMETER_CORES,     /* concurrent cores */
    PARAMETER_AHEAD,     /* nodes between a software prefetch and its use */
    PARAMETER_BLOCK,     /* consecutive words of 8 B (L of Apex-MAP) */
    PARAMETER_LOCALITY,  /* alpha of Apex-MAP */
    PARAMETER_SUBNORMAL, /* fraction of subnormal inputs, 0-1 */
    PARAMETER_FLUSH,     /* 1: subnormals flushed to zero, 0: not */
    PARAMETER_SUBAPERTURES,
    PARAMETER_SIDE, /* pixels per side of a subaperture */
    PARAMETER_PIXELS,
    PARAMETER_ROWS,
    PARAMETER_COLUMNS,
    PARAMETER_IDLE,     /* s without work before */
    PARAMETER_BURST,    /* datagrams that follow each other */
    PARAMETER_REALTIME, /* 1: with real-time priority, 0: not */
    PARAMETERS
};

/* Names with units in CSV and JSON: "size_bytes". */
extern const char *const parameter_names[PARAMETERS];

#define MEASUREMENT_NAME_MAX 32
#define MEASUREMENT_TYPE_MAX 8
#define MEASUREMENT_OF_MAX 48
#define MEASUREMENT_REMARK_MAX 80
#define MEASUREMENT_MISSING "n/a: " /* begins the remark of what was not measured */
#define MEASUREMENT_SAMPLES_MAX 256

struct measurement_point {
    enum measurement_part part;
    char name[MEASUREMENT_NAME_MAX]; /* what was timed: "chase", "add", "read", "centroid.cog" */
    char type[MEASUREMENT_TYPE_MAX]; /* "f32", "f64", or "" */
    char of[MEASUREMENT_OF_MAX];     /* AO preset of a kernel's sizes, or "" */
    double parameter[PARAMETERS];    /* NAN: not applicable */
    char remark[MEASUREMENT_REMARK_MAX]; /* "n/a: REASON" if without samples, or a remark */
    int count;
    double sample[MEASUREMENT_SAMPLES_MAX]; /* s per unit, > 0 and finite; in CSV 1e-20 to 1e6 */
};

/* Conditions ----------------------------------------------------------------------------------- */

enum measured_condition {
    CONDITION_CPU,        /* model name reported by the system */
    CONDITION_CORES,      /* available to the process, of each kind if there are several, and in the
                             machine: "6 usable (4 E, 2 P), 8 of 8 hardware threads"; their NUMA
                             nodes, if there are several: ", 2 NUMA nodes" */
    CONDITION_PINNED,     /* "core 0", "core 7 (E)", "core 7, NUMA node 1", or the reason for not
                             pinning */
    CONDITION_GOVERNOR,   /* frequency governor */
    CONDITION_TURBO,      /* "on", "off" or "unknown" */
    CONDITION_HUGE_PAGES, /* requested and granted */
    CONDITION_VIRTUAL,    /* "no", or the hypervisor */
    CONDITION_CACHES,    /* as reported: "L1 32 KiB, L2 1024 KiB, L3 32768 KiB of 8 cores"; of other
                            kinds of cores what differs: "; P: L1 48 KiB, L2 1280 KiB" */
    CONDITION_ISOLATION, /* whether the pinned core is kept free of other threads: "yes, of 2-5",
                            "no", and of which clock ticks are kept off */
    CONDITION_SLEEP_STATES, /* driver and governor of the sleep states of cores, or "none" */
    CONDITION_VECTORS,      /* measured instruction sets */
    CONDITION_SYSTEM,       /* kernel and architecture */
    CONDITION_DATE,         /* UTC, RFC 3339 */
    CONDITION_VERSION,      /* this program and its compiler */
    CONDITION_SEED,
    CONDITION_REALTIME,   /* "permitted", or why no thread gets real-time priority; "" if none tried
                           */
    CONDITION_LINK,       /* "loopback", or the other end and the MTU; "" if no datagram was sent */
    CONDITION_GPU,        /* name of the OpenCL device, "" if none was measured; so the next two */
    CONDITION_GPU_DRIVER, /* vendor, version of the driver, of OpenCL */
    CONDITION_GPU_FIGURES, /* gpu_figures_text (gpu_points.h) */
    CONDITIONS
};

extern const char *const condition_names[CONDITIONS];

#define CONDITION_MAX 160

/* Measurements --------------------------------------------------------------------------------- */

/* Empty if zero-initialised. */
struct measurement {
    char condition[CONDITIONS][CONDITION_MAX]; /* "" if unknown */
    struct measurement_point *point;
    int count, capacity;
};

void measurement_free(struct measurement *measurement);

/* Returns a point with all parameters NAN and no samples. Texts are truncated to fit. */
struct measurement_point measurement_point(enum measurement_part part, const char *name,
                                           const char *type);

void measurement_add(struct measurement *measurement, const struct measurement_point *point);

/* Removes the points of a part before it is measured again. */
void measurement_remove(struct measurement *measurement, enum measurement_part part);

/* Replaces the parts and conditions present in `from` and keeps all others. */
void measurement_merge(struct measurement *measurement, const struct measurement *from);

bool measurement_has(const struct measurement *measurement, enum measurement_part part);

/* Statistics of a point's samples, s per unit; RESULT_NONE (result.h) without samples.
 * Percentiles are rounded up to the next sample. */
double point_least(const struct measurement_point *point);
double point_median(const struct measurement_point *point);
double point_p90(const struct measurement_point *point);
double point_p99(const struct measurement_point *point);

/* Returns true if the interquartile range of the samples exceeds 10 % of the minimum. */
bool point_noisy(const struct measurement_point *point);

/* CSV ------------------------------------------------------------------------------------------ */

/* A line "# condition: value" for each known condition, a header, and one line per point with its
 * raw samples in seconds, separated by blanks and written with the fewest digits that read back
 * exactly. Fields that do not apply are empty. */

/* Writes the line of one condition; it may follow points if the condition becomes known late. */
void measurement_csv_condition(struct buffer *buffer, const struct measurement *measurement,
                               enum measured_condition condition);

/* Writes conditions and header. */
void measurement_csv_head(struct buffer *buffer, const struct measurement *measurement);

void measurement_csv_point(struct buffer *buffer, const struct measurement_point *point);

/* What was written of a measurement that grows. */
struct measurement_written {
    char condition[CONDITIONS][CONDITION_MAX];
    int points;
};

/* Writes the conditions that changed and the points that are new, and notes them. */
void measurement_csv_new(struct buffer *buffer, const struct measurement *measurement,
                         struct measurement_written *written);

/* Writes the whole measurement. */
void measurement_csv(struct buffer *buffer, const struct measurement *measurement);

/* Parses the output of measurement_csv, which may be truncated after a line. Returns STATUS_INVALID
 * with line, column and value in the message. On failure there is nothing to free. */
enum status measurement_csv_read(struct measurement *measurement, const char *bytes, size_t length,
                                 struct error *error);

/* State file ----------------------------------------------------------------------------------- */

/* The last measurement of each part: $XDG_STATE_HOME/aolag/machine.csv, by default in
 * ~/.local/state. */

/* Reads the state file; an absent file gives an empty measurement. Error messages name the file. */
enum status measurement_file_read(struct measurement *measurement, struct error *error);

/* Replaces the parts of the file that `measurement` has and keeps the others if they are of the
 * same CPU. Parts not marked in `whole` were interrupted and do not replace a stored part. A
 * damaged file is replaced, with STATUS_OK and its status and a message in `error`, which otherwise
 * holds at most a remark as of file_replace; a file that is not a measurement is not modified
 * (STATUS_INVALID). */
enum status measurement_file_keep(const struct measurement *measurement,
                                  const bool whole[MEASUREMENT_PARTS], struct error *error);

#endif
