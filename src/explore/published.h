/* Comparison of the model with published measurements (data/published; its README describes the
 * columns).
 *
 * Rows of a use with a goal are predicted from the embedded vendor preset they name and the problem
 * stated in the source, with all efficiencies at their defaults. The other rows (`apart`: library
 * pathologies, whole pipelines, bounds, unknown sizes) are kept with the reason. */
#ifndef AOLAG_EXPLORE_PUBLISHED_H
#define AOLAG_EXPLORE_PUBLISHED_H

#include <stdbool.h>

#include "base/csv.h"
#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

/* A design with one component on one device, local input and one packet per frame
 * (data/published/kernel.ini), used to predict the time of a single kernel. */
struct kernel_model;

/* Opens the model. On failure there is nothing to close. */
enum status kernel_model_open(struct kernel_model **model, struct error *error);
void kernel_model_close(struct kernel_model *model);

/* Evaluates the design on the embedded preset of that name with settings "PATH=VALUE PATH=VALUE"
 * for component.kernel, its sensor wfs.sensor and device.hardware. Returns the result of the
 * component, and in `sockets`, unless NULL, the number of sockets of the device (1 for a GPU). */
enum status kernel_model_predict(struct kernel_model *model, const char *preset,
                                 const char *settings, struct node_result *node, double *sockets,
                                 struct error *error);

/* Returns the design on `device`, to be changed before kernel_model_evaluate: component, sensor and
 * device are number 0 of their sections. */
struct scenario *kernel_model_start(struct kernel_model *model, const struct device *device);
enum status kernel_model_evaluate(struct kernel_model *model, struct node_result *node,
                                  struct error *error);

enum published_use {
    PUBLISHED_MVM,
    PUBLISHED_CENTROID,
    PUBLISHED_TLR,
    PUBLISHED_ITERATIVE,
    PUBLISHED_NOT_PREDICTED
};

#define PUBLISHED_GOALS PUBLISHED_NOT_PREDICTED /* number of uses with a goal */

/* Maximum errors |ratio - 1|, or the maximum factor between measurement and prediction. */
struct published_goal {
    const char *use;                  /* as written in the file */
    double median_error, worst_error; /* 0: no such goal */
    double worst_factor;              /* 0: no such goal */
    const char *words;                /* such as "median <= 10 %, worst <= 25 %" */
};

extern const struct published_goal published_goals[PUBLISHED_GOALS];

/* A row. Texts are as in the file, "" if missing. */
struct published_row {
    const char *id, *hardware, *size, *qualifier, *what, *source, *confidence, *notes;
    const char *preset, *settings; /* "PATH=VALUE PATH=VALUE", if predicted */
    const char *reason;            /* why it is not predicted; "" if it is */
    const char *remark;            /* remark on the prediction, or "" */
    enum published_use use;
    double measured;         /* s */
    double predicted;        /* s, or RESULT_NONE */
    double ratio;            /* predicted / measured, or RESULT_NONE */
    struct node_result node; /* full result of a predicted row */
    double sockets;
};

struct published {
    struct records records;
    struct published_row *row;
    int count;
};

/* Reads and predicts the embedded file. Returns STATUS_INVALID with the invalid row in the message.
 * On failure there is nothing to free. */
enum status published_open(struct published *published, struct error *error);
void published_free(struct published *published);

/* Statistics over all rows of a use. */
struct published_summary {
    int count;
    double median_error; /* median of |ratio - 1| */
    double worst_error;
    double worst_factor; /* max(ratio, 1 / ratio) of the worst row */
    int worst;           /* index of the row with the largest factor */
    bool met;
};

/* Summarises a use with a goal. If it has no rows, the count is 0 and the goal is not met. */
struct published_summary published_summarise(const struct published *published,
                                             enum published_use use);

/* Returns exp(median |ln ratio|) over all predicted rows: the factor that half of the errors
 * exceed. */
double published_uncertainty(const struct published *published);

/* published_uncertainty of the rows of data/published/latencies.csv, which the manual states;
 * tests/test_published.c compares both. Dimensionless, 1: exact. */
#define PUBLISHED_UNCERTAINTY 1.17

#endif
