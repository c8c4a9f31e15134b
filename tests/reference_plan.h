/* The structure of a design again, slow and obviously right: its components in the order of data
 * flow, the parts of what is split, the transfers between neighbours that are in different places,
 * and what part of its work each of them has in every packet. From the scenario alone. */
#ifndef AOLAG_REFERENCE_PLAN_H
#define AOLAG_REFERENCE_PLAN_H

#include "design/scenario.h"
#include "model/readout.h"

enum reference_kind {
    REFERENCE_CAMERA,
    REFERENCE_COMPUTE,
    REFERENCE_NETWORK,  /* from host to host, -1: outside */
    REFERENCE_COPY_IN,  /* from a host to a board */
    REFERENCE_COPY_OUT, /* from a board to its host */
    REFERENCE_PEER,     /* from board to board of a host */
    REFERENCE_CARD,     /* from a host to a card of it that is no device */
    REFERENCE_NOTHING   /* a mirror without a link */
};

/* A unit of a device, or -1, 0: outside. */
struct reference_place {
    int device, unit;
};

struct reference_node {
    char name[192];
    enum reference_kind kind;
    int component; /* -1: an inserted transfer */
    enum component_type type;
    int wfs;                         /* -1: none */
    struct reference_place at;       /* where it computes */
    struct reference_place from, to; /* of a transfer: hosts, or a board and its host */
    int part, parts;                 /* of what is split; parts 1: it is not */
    int producer;                    /* of an inserted transfer: the node whose output it carries */
    int consumer;                    /* and the component that gets it */
    int *before, before_count;
    int divisor;    /* works in every k-th frame */
    double slopes;  /* measurements it hands on, a part with the other parts */
    double output;  /* B per frame */
    bool at_end;    /* hands on nothing before its last slot */
    int slots;      /* that count */
    double *weight; /* [packets], 1 in all */
};

struct reference_sensor {
    double subaps; /* of all identical sensors */
    double pixels; /* likewise */
    double across;
    double *pixel, *element; /* [packets], 1 in all */
    int last_useful;         /* packet */
};

struct reference_plan {
    int packets;
    int count;
    struct reference_node *node;
    struct reference_sensor sensor[WFS_MAX];
};

/* For a design that evaluate accepts. */
void reference_plan_make(const struct scenario *scenario, struct reference_plan *plan);
void reference_plan_free(struct reference_plan *plan);

/* The host of a device: a CPU itself, a GPU's stated one or the first CPU, an FPGA's stated one or
 * itself; -1 of none. */
int reference_host(const struct scenario *scenario, int device);

/* Parts of a component: units of all its devices for a reconstruction that can be divided, else
 * 1. */
int reference_part_count(const struct scenario *scenario, int component);

/* Whether node b comes, directly or not, behind node a. */
bool reference_behind(const struct reference_plan *plan, int b, int a);

/* The first component with a device behind, or before, a component, its device's host; else -1. */
int reference_host_behind(const struct scenario *scenario, int component);
int reference_host_before(const struct scenario *scenario, int component);

/* What a node is preceded by, inserted transfers looked through: node numbers in `out`, their
 * count. */
int reference_sources(const struct reference_plan *plan, int node, int *out);

/* Whether a component waits for the whole frame by its algorithm, barrier or agenda. */
bool reference_waits_for_frame(const struct scenario *scenario, int component);

#endif
