/* The timeline again, slow and obviously right: time passes from event to event, and everybody is
 * looked at at each. */
#ifndef AOLAG_REFERENCE_RUN_H
#define AOLAG_REFERENCE_RUN_H

#include "reference_links.h"
#include "reference_work.h"

/* What a design is made of, worked out once. */
struct reference_design {
    const struct scenario *scenario;
    struct reference_plan plan;
    struct reference_work *work;     /* [nodes]; of those that compute */
    struct reference_link *link;     /* of transfers and mirrors */
    struct reference_camera *camera; /* of cameras */
    bool *command;                   /* its release, or end, is a command */
    int *path;                       /* nodes on the longest path from a camera; 0: there is none */
    double **stretch;                /* [nodes][as a run's slots], or NULL: a factor of what it is
                                        on its device for */
    const double *nudge;             /* [nodes], or NULL: what ends of slots are later by, relative */
    double **sleep;                  /* [packets], s: added to the delay of a slot, to the end of a
                                        camera's */
};

void reference_design_make(const struct scenario *scenario, struct reference_design *design);
void reference_design_free(struct reference_design *design);

/* One of the slots of a node in one of the frames. */
struct reference_slot {
    bool works;
    double ready;   /* all that it waits for is there, s */
    double delayed; /* its delays have passed */
    double request; /* it asks for what it runs on: a transfer not while one before is on the way */
    double begin;
    double release; /* a transfer: its queues */
    double end;
    double thread; /* it is enqueued; infinite: not yet */
    int visit_node, visit_slot;
};

/* Frames 0, 1, 2 ... a period apart. */
struct reference_run {
    const struct reference_design *design;
    int frames;
    double period;
    struct reference_slot **slot; /* [node][frame * (slots + 1) + slot]; the last of a frame is for
                                     deferred work */
};

void reference_run_make(const struct reference_design *design, int frames,
                        struct reference_run *run);
void reference_run_free(struct reference_run *run);

/* A slot by node, frame and number. */
struct reference_slot *reference_run_slot(const struct reference_run *run, int node, int frame,
                                          int slot);

/* When a command leaves: off the port to its mirror; without mirrors its end. */
double reference_run_command(const struct reference_run *run, int node, int frame);

#endif
