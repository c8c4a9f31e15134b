/* The latency of a whole pipeline again, slow and obviously right: what evaluate is held against.
 * Structure, work and times are worked out from the scenario alone. */
#ifndef AOLAG_REFERENCE_PIPELINE_H
#define AOLAG_REFERENCE_PIPELINE_H

#include "reference_run.h"

/* What is busy, s per frame of the loop. */
struct reference_load {
    char name[200];
    double busy;
};

struct reference_mirror {
    int component;
    double latency; /* s, its last datagram off the port after its own last useful pixel */
    double arrival; /* s from the start of readout */
};

struct reference_outcome {
    struct reference_design design;
    double latency; /* s */
    double clock;   /* s from the start of readout: the last useful pixel is on the host's port */
    double last_pixel; /* the last pixel is */
    int frames;        /* 1: one frame in an idle system */
    bool overloaded, not_periodic;
    bool too_long; /* more slots would have to be simulated than the caller allows: no times */
    double *first_start, *last_end; /* [nodes], s from the start of readout; of a camera its data */
    double *time, *deferred;        /* [nodes], s per frame that it works in */
    double *busy;                   /* [nodes], of both; a camera: exposure and readout */
    double device_busy[DEVICE_MAX]; /* s per frame of the loop, of its busiest unit */
    int load_count;
    struct reference_load *load; /* queues, receiving cores and enqueueing threads */
    struct reference_load limit; /* what is busy for longest */
    int mirror_count;
    struct reference_mirror mirror[COMPONENT_MAX];
};

/* Of a design that evaluate accepts; at most so many slots of all nodes and frames are simulated at
 * once. */
void reference_pipeline(const struct scenario *scenario, long slots,
                        struct reference_outcome *outcome);

/* With ends of slots that differ by rounding: `nudge`, a relative error for each node. Who is served
 * first of those that ask at the same time, and which of two paths equally long is the critical
 * one, may depend on it. */
void reference_pipeline_nudged(const struct scenario *scenario, long slots, const double *nudge,
                               struct reference_outcome *outcome);
void reference_pipeline_free(struct reference_outcome *outcome);

#endif
