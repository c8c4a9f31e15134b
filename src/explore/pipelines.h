/* Comparison of the model with measured pipelines (data/published/pipelines.csv; the README there
 * describes the columns).
 *
 * A row that states enough is a scenario, the preset of kind "pipelines" with the row's name. Rows
 * that are not counted (assumed hardware, a part of a pipeline, a rate, a p99) are compared but not
 * part of a summary.
 *
 * The uncertainty factors of the causes are fitted to the counted rows. A row belongs to the cause
 * that makes more than half of its predicted latency; its residual is ln(measured / predicted). A
 * factor is exp(rms) of the residuals, of a computer with several rows their rms. A cause with rows
 * of fewer than PIPELINES_FIT_COMPUTERS computers keeps its starting value. The range of a row is
 * made with factors fitted without its computer. */
#ifndef AOLAG_EXPLORE_PIPELINES_H
#define AOLAG_EXPLORE_PIPELINES_H

#include <stdbool.h>

#include "base/csv.h"
#include "base/status.h"
#include "model/cause.h"

#define PIPELINES_FIT_COMPUTERS 3

enum pipeline_class { PIPELINE_CPU, PIPELINE_GPU, PIPELINE_GPUS, PIPELINE_FPGA, PIPELINE_CLASSES };

/* What is compared: the RTC latency, the period of the highest frame rate, or nothing. */
enum pipeline_quantity {
    PIPELINE_LATENCY,
    PIPELINE_PERIOD,
    PIPELINE_NOT_COMPARED,
    PIPELINE_QUANTITIES
};

/* A row. Texts are as in the file, "" if missing; times are in s, RESULT_NONE if missing. A rate is
 * given as its period. */
struct pipeline_row {
    const char *id, *system, *size, *start, *end, *packetisation, *what, *statistic, *source,
        *quality, *notes;
    const char *computer; /* rows with the same name were measured on one computer */
    const char *reason;   /* why it is not counted; "" if it is */
    const char *remark;   /* remark on the prediction, or "" */
    enum pipeline_class class;
    enum pipeline_quantity quantity;
    bool counted;
    double measured, measured_low, measured_high;
    double p99_low, p99_high; /* interval of the measured 99th percentile */
    double predicted;
    double low, high;     /* range of a predicted latency; a `high` of RESULT_NONE has no limit */
    bool may_not_keep_up; /* the upper end of the range overloads the design */
    double assumed;       /* fraction of the latency that rests on assumed figures */
    enum cause cause;     /* makes more than half of the latency; CAUSE_NONE: none does */
    double predicted_p99; /* of a row with a measured one */
    double factor;        /* the larger of predicted / measured and its inverse */
    bool inside;          /* the measured value is within the range */
    bool fitted;          /* it was used to find a rate of a device: the row tests nothing */
};

struct pipelines {
    struct records records;
    struct pipeline_row *row;
    int count;
};

/* Factors by cause, fitted or starting values, and from how many computers. */
struct pipelines_fit {
    double factor[CAUSE_COUNT];
    int computers[CAUSE_COUNT];
};

/* Reads and predicts the embedded file. Returns STATUS_INVALID with the invalid row in the message.
 * On failure there is nothing to free. */
enum status pipelines_open(struct pipelines *pipelines, struct error *error);
void pipelines_free(struct pipelines *pipelines);

/* Returns the name of a class in a report, such as "several GPUs". */
const char *pipeline_class_title(enum pipeline_class class);

/* Returns "latency", "period" or "none", as in the file. */
const char *pipeline_quantity_name(enum pipeline_quantity quantity);

/* Of counted rows: how far the predictions are off and how wide their ranges are. */
struct pipelines_summary {
    int count;
    double median_factor;
    double inside;       /* fraction of the rows inside their range */
    double median_width; /* sqrt(high / low); RESULT_NONE without an upper limit */
};

enum pipelines_group {
    PIPELINES_ALL,
    PIPELINES_BY_COMPUTER, /* one value for each computer: the median of its factors and of its
                          widths, the fraction of its rows that are inside */
    PIPELINES_OF_CLASS,    /* rows of a class */
    PIPELINES_WITHOUT,     /* rows of all computers but that of row number `member` */
    PIPELINES_GROUPS
};

/* Summarises a group of the counted rows; `member` is a class or the number of a row. */
struct pipelines_summary pipelines_summarise(const struct pipelines *pipelines,
                                             enum pipelines_group group, int member);

/* Returns true if the row is the first counted one of its computer. */
bool pipelines_first_of_computer(const struct pipelines *pipelines, int row);

/* Fits the factors to the counted rows but those of the computer of row number `without`; -1: to
 * all. */
struct pipelines_fit pipelines_fit_causes(const struct pipelines *pipelines, int without);

/* Limits of a summary; 0: none. */
struct pipelines_goal {
    double median_factor, inside, median_width;
    const char *words; /* such as "median <= 1.35, 60 % inside" */
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
