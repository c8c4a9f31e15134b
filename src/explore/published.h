/* The model compared with published measurements (data/published; its README says what the columns
 * are).
 *
 * Rows of a use with a goal are predicted from the embedded vendor preset they name and from what
 * the source states of the problem, every efficiency at its default. The other rows (`apart`:
 * pathologies of a library, whole pipelines, bounds, unknown sizes) are kept with the reason. */
#ifndef AOLAG_EXPLORE_PUBLISHED_H
#define AOLAG_EXPLORE_PUBLISHED_H

#include <stdbool.h>

#include "base/csv.h"
#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

/* A design of one component on one device, its input at hand, a frame in one packet
 * (data/published/kernel.ini): what a kernel alone takes, measured or published, is predicted with
 * it. */
struct kernel_model;

/* On failure there is nothing to close. */
enum status kernel_model_open(struct kernel_model **model, struct error *error);
void kernel_model_close(struct kernel_model *model);

/* Evaluates it on an embedded preset, by name, or where that is NULL on `device`, with settings
 * "PATH=VALUE PATH=VALUE" of the component, component.kernel, its sensor, wfs.sensor, and the
 * device, device.hardware. The result is the component's; `sockets` of the device, 1 of a GPU, may
 * be NULL. */
enum status kernel_model_predict(struct kernel_model *model, const char *preset,
                                 const struct device *device, const char *settings,
                                 struct node_result *node, double *sockets, struct error *error);

enum published_use {
    PUBLISHED_MVM,
    PUBLISHED_CENTROID,
    PUBLISHED_TLR,
    PUBLISHED_ITERATIVE,
    PUBLISHED_APART
};

#define PUBLISHED_GOALS PUBLISHED_APART /* how many uses have a goal */

/* Largest errors |ratio - 1|, or the largest factor between measured and predicted, either way. */
struct published_goal {
    const char *use;                  /* as the file spells it */
    double median_error, worst_error; /* 0: no such goal */
    double worst_factor;              /* 0: no such goal */
    const char *words;                /* "median <= 10 %, worst <= 25 %" */
};

extern const struct published_goal published_goals[PUBLISHED_GOALS];

/* A row. Texts are those of the file, "" where it has none. */
struct published_row {
    const char *id, *hardware, *size, *qualifier, *what, *source, *confidence, *notes;
    const char *preset, *settings; /* "PATH=VALUE PATH=VALUE", of a predicted row */
    const char *reason;            /* why it is not predicted; "" of a predicted row */
    const char *remark;            /* what there is to say about the prediction, or "" */
    enum published_use use;
    double measured;         /* s */
    double predicted;        /* s, or RESULT_NONE */
    double ratio;            /* predicted / measured, or RESULT_NONE */
    struct node_result node; /* of a predicted row: what else was found */
    double sockets;
};

struct published {
    struct records records;
    struct published_row *row;
    int count;
};

/* Reads the embedded file and predicts. STATUS_INVALID names the row that is wrong. On failure
 * there is nothing to free. */
enum status published_open(struct published *published, struct error *error);
void published_free(struct published *published);

/* What all rows of a use come to. */
struct published_summary {
    int count;
    double median_error; /* of |ratio - 1| */
    double worst_error;
    double worst_factor; /* max(ratio, 1 / ratio) of the worst row */
    int worst;           /* the row that is furthest off, by factor */
    bool met;
};

/* Of a use with a goal. Without rows: count 0, not met. */
struct published_summary published_summarise(const struct published *published,
                                             enum published_use use);

/* exp(median |ln ratio|) over all predicted rows: half of them are off by less than this factor. */
double published_uncertainty(const struct published *published);

#endif
