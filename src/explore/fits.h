/* Figures of the model that rest on measured pipelines or on the computers of these: the table of
 * fits (data/published/fits.csv; the README there describes the columns).
 *
 * A figure has a value to start with, from a source that has nothing to do with the rows, and
 * values that were found on computers: samples, measured as such, and rows of
 * data/published/pipelines.csv, of which each gives the value with which its latency is predicted
 * as measured. The fit is the geometric mean of the start and of the mean of each computer; the
 * start counts as one computer. Without a start it is that of the computers. A row calibrates if a
 * fit rests on its computer; what the model would predict without that computer is found with the
 * fits made again without it (pipelines.h). */
#ifndef AOLAG_EXPLORE_FITS_H
#define AOLAG_EXPLORE_FITS_H

#include <stdbool.h>

#include "base/csv.h"
#include "base/status.h"
#include "design/scenario.h"

#define FIT_VALUES_MAX 16 /* samples and rows of a fit */

enum fit_figure {
    FIT_HANDOVER,             /* of processes */
    FIT_SOFTWARE,             /* per component of a pipeline of processes */
    FIT_INGRESS,              /* by the kernel */
    FIT_SLEEP,                /* from the deepest sleep state */
    FIT_INTERPRETED_HANDOVER, /* from one Python process to another */
    FIT_INTERPRETED_WAKE,     /* from one thread of an interpreter to another */
    FIT_LEGACY,               /* fraction of the peak bandwidth of GPU code of 2012 and before */
    FIT_COUNT
};

/* A value found on a computer. */
struct fit_value {
    const char *computer;
    const char *row; /* the pipeline it follows from, NULL for a sample */
    double value;    /* s, or a fraction; RESULT_NONE until it is found */
};

struct fit {
    double start;     /* s; RESULT_NONE if there is none */
    double low, high; /* within which the value of a row is looked for */
    const char *start_source, *samples_source;
    struct fit_value value[FIT_VALUES_MAX];
    int count;
    int line; /* of the table */
};

struct fits {
    struct records records; /* the texts */
    char *names;            /* of rows and computers */
    struct fit fit[FIT_COUNT];
};

/* Reads the table. Returns STATUS_INVALID with line, figure and what is allowed. On failure there
 * is nothing to free. */
enum status fits_read(struct fits *fits, const char *text, size_t length, struct error *error);
void fits_free(struct fits *fits);

/* Returns the name of a figure, as in the file: "handover", ... */
const char *fit_name(enum fit_figure figure);

/* Returns true for a figure that is a fraction, no time. */
bool fit_is_fraction(enum fit_figure figure);

/* Returns true if a value of the fit was found on the computer. */
bool fit_rests_on(const struct fit *fit, const char *computer);

/* Returns the fit without the values of a computer; NULL: with all. */
double fit_find(const struct fit *fit, const char *without);

/* Returns the value that the model uses. */
double fit_used(enum fit_figure figure);

/* Sets the figure on all devices of a scenario that use the model's value; they count as assumed as
 * before. */
void fit_apply(enum fit_figure figure, double value, struct scenario *scenario);

#endif
