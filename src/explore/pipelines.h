/* Comparison of the model with measured pipelines (data/published/pipelines.csv; the README there
 * describes the columns).
 *
 * A row that states enough is a scenario, the preset of kind "pipelines" with the row's name. Its
 * role follows from the table of fits (fits.h): it calibrates if a fit rests on its computer, and
 * tests if none does; it is listed if a reason says why it is not comparable (assumed hardware, a
 * part of a pipeline, a rate, a p99).
 *
 * Each row is predicted with the figures of the model, which may rest on it, and a second time with
 * all fits made again without its computer and with factors of causes that do not know its
 * computer: what the model says of a computer that nobody has seen.
 *
 * The uncertainty factors of the causes are fitted to that second prediction. A row belongs to the
 * cause that makes more than half of its predicted latency; its residual is ln(measured /
 * predicted), of a computer with several rows their rms. "Software unknown" has a residual of every
 * row: that of the prediction as if its software were not stated. A factor is
 * exp(sqrt((ln(start)^2 + sum of squared residuals) / (1 + computers))): the start counts as one
 * computer. A cause with rows of fewer than PIPELINES_FIT_COMPUTERS computers keeps its start. */
#ifndef AOLAG_EXPLORE_PIPELINES_H
#define AOLAG_EXPLORE_PIPELINES_H

#include <stdbool.h>

#include "base/csv.h"
#include "base/status.h"
#include "explore/fits.h"
#include "model/cause.h"

#define PIPELINES_FIT_COMPUTERS 2
#define PIPELINES_TEST_COMPUTERS 6 /* from so many on, the rows that test are the headline */

enum pipeline_class { PIPELINE_CPU, PIPELINE_GPU, PIPELINE_GPUS, PIPELINE_FPGA, PIPELINE_CLASSES };

/* What is compared: the RTC latency, the period of the highest frame rate, or nothing. */
enum pipeline_quantity {
    PIPELINE_LATENCY,
    PIPELINE_PERIOD,
    PIPELINE_NOT_COMPARED,
    PIPELINE_QUANTITIES
};

enum pipeline_role { PIPELINE_TESTS, PIPELINE_CALIBRATES, PIPELINE_LISTED, PIPELINE_ROLES };

/* A predicted time, s, with its range; RESULT_NONE if there is none. */
struct pipeline_prediction {
    double value;
    double low, high;     /* a `high` of RESULT_NONE has no limit */
    bool may_not_keep_up; /* the upper end of the range overloads the design */
    double factor;        /* the larger of predicted / measured and its inverse */
    bool inside;          /* the measured value is within the range */
};

/* A row. Texts are as in the file, "" if missing; times are in s, RESULT_NONE if missing. A rate is
 * given as its period. */
struct pipeline_row {
    const char *id, *system, *size, *start, *end, *packetisation, *what, *statistic, *source,
        *quality, *notes;
    const char *computer; /* rows with the same name were measured on one computer */
    const char *reason;   /* why it is listed; "" if it is not */
    const char *remark;   /* remark on the prediction, or "" */
    enum pipeline_class class;
    enum pipeline_quantity quantity;
    enum pipeline_role role;
    double measured, measured_low, measured_high;
    double p99_low, p99_high;          /* interval of the measured 99th percentile */
    struct pipeline_prediction seen;   /* with the figures of the model */
    struct pipeline_prediction unseen; /* with fits and factors made without its computer */
    double unstated;                   /* as if its software were not stated, without a range */
    double assumed;                    /* fraction of the latency that rests on assumed figures */
    enum cause cause;      /* makes more than half of the latency; CAUSE_NONE: none does */
    double predicted_p99;  /* of a row with a measured one */
    bool software_unknown; /* its scenario does not state how its software works */
    bool fitted;           /* it was used to find a rate of a device: the row tests nothing */
};

struct pipelines {
    struct records records;
    struct fits fits;
    struct pipeline_row *row;
    int count;
};

/* Factors by cause, fitted or starting values, and from how many computers. */
struct pipelines_fit {
    double factor[CAUSE_COUNT];
    int computers[CAUSE_COUNT];
};

/* Reads and predicts the embedded rows with a table of fits, NULL for the embedded one. Returns
 * STATUS_INVALID with the invalid row in the message. On failure there is nothing to free. */
enum status pipelines_open(struct pipelines *pipelines, const char *fits, struct error *error);
void pipelines_free(struct pipelines *pipelines);

/* Returns the name of a class in a report, such as "several GPUs". */
const char *pipeline_class_title(enum pipeline_class class);

/* Returns "latency", "period" or "none", as in the file. */
const char *pipeline_quantity_name(enum pipeline_quantity quantity);

/* Returns "tests", "calibrates" or "listed". */
const char *pipeline_role_name(enum pipeline_role role);

/* Of rows that are not listed: how far the predictions are off and how wide their ranges are. */
struct pipelines_summary {
    int count, computers;
    double median_factor, worst_factor;
    double inside;       /* fraction of the rows inside their range */
    double median_width; /* sqrt(high / low); RESULT_NONE without an upper limit */
    int open, software_unknown; /* rows whose range has no upper end, or is wide for that reason */
};

/* All but PIPELINES_SEEN are of the predictions without the computer of a row. */
enum pipelines_group {
    PIPELINES_TESTS,       /* rows that test */
    PIPELINES_UNSEEN,      /* all rows */
    PIPELINES_BY_COMPUTER, /* of all rows one value for each computer: the median of its factors and
                              of its widths, the fraction of its rows that are inside */
    PIPELINES_SEEN,        /* rows that calibrate, with the figures of the model */
    PIPELINES_OF_CLASS,
    PIPELINES_OF_COMPUTER,
    PIPELINES_GROUPS
};

/* Returns the group that says how well the model predicts computers that nobody has seen: rows that
 * test, if they come from PIPELINES_TEST_COMPUTERS computers, else all. */
enum pipelines_group pipelines_headline(const struct pipelines *pipelines);

/* Summarises a group; `member` is a class, or the number of a row of the computer. */
struct pipelines_summary pipelines_summarise(const struct pipelines *pipelines,
                                             enum pipelines_group group, int member);

/* Returns true if the row is the first of its computer that is not listed. */
bool pipelines_first_of_computer(const struct pipelines *pipelines, int row);

/* Returns the first row of the computer with most rows that are not listed. */
int pipelines_most_rows(const struct pipelines *pipelines);

/* Fits the factors to the rows that are not listed but those of the computer of row number
 * `without`; -1: to all. */
struct pipelines_fit pipelines_fit_causes(const struct pipelines *pipelines, int without);

/* Limits of a summary; 0: none. */
struct pipelines_goal {
    double median_factor, inside, inside_most, median_width, worst_factor;
    const char *words; /* such as "median <= 1.4, 55 to 80 % inside" */
};

/* Returns true if the predicted 99th percentile is one of those that were measured; false also if
 * there is none. */
bool pipelines_p99_inside(const struct pipeline_row *row);

/* Goal of single rows: the range contains the median, and the predicted 99th percentile is inside.
 */
#define PIPELINES_ROW_GOAL "p50 and p99 inside"
bool pipelines_row_has_goal(const struct pipeline_row *row);
bool pipelines_row_met(const struct pipeline_row *row);

/* By group, those without a goal are empty. */
extern const struct pipelines_goal pipelines_goals[PIPELINES_GROUPS];

bool pipelines_goal_met(const struct pipelines_summary *summary, const struct pipelines_goal *goal);

#endif
