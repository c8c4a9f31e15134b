/* The work of a component per frame: FLOP, bytes, working set. */
#ifndef AOLAG_MODEL_WORKLOAD_H
#define AOLAG_MODEL_WORKLOAD_H

#include <stdbool.h>

/* What formulas call "wfs", "ao" and "knob" of the sizes that an algorithm sees. */
struct workload_wfs {
    double bit_depth;        /* of a raw pixel */
    double pixels_per_subap; /* along one side of a subaperture */
};

struct workload_ao {
    double actuators;
};

struct workload_knob { /* of a component that has a result of the same name */
    double working_set;
};

/* Sizes an algorithm sees. All counts are totals over the `count` identical sensors. */
struct workload_input {
    struct workload_wfs wfs;
    struct workload_ao ao;
    struct workload_knob knob;
    double pixels;                           /* of the detector(s) */
    double subaps;                           /* valid subapertures or pupil pixels */
    double rows, columns;                    /* of the reconstruction matrix */
    double element_bytes;                    /* of one number */
    double flops_per_pixel;                  /* of a centroid's sums */
    double search;                           /* shifts a correlation tries, along one side */
    double tile, rank;                       /* of a tile low-rank matrix */
    double density;                          /* of a sparse matrix */
    double iterations, unknowns;             /* conjugate gradient */
    double grid;                             /* points of a Fourier reconstructor */
    double states;                           /* of an LQG controller */
    double flops, bytes_read, bytes_written; /* custom */
    bool reference_slopes;                   /* a centroid keeps them */
};

/* FLOP and bytes of one part of the work. */
struct work {
    double flop;
    double read;     /* bytes that pass once: pixels, slopes */
    double written;  /* bytes that leave: slopes, commands */
    double resident; /* bytes of the working set, each read once per frame */
};

/* A component's work per frame. Stream work arrives with the packets, tail work runs once after
 * the last packet, deferred work once the command is out. */
struct demand {
    struct work stream, tail, deferred;
    double again;       /* bytes of the stream read where the frame has just written them */
    double accumulator; /* bytes: the partial result, read and written again by each packet */
    double output;      /* bytes its successor needs */
    double sweeps;      /* how often a frame reads the resident bytes; 1 */
    double block;       /* elements of the working set read in a row; 0: as many as there are */
    double kernels, tail_kernels, deferred_kernels; /* launches; 1, 0, 0 */
};

static inline double work_bytes(const struct work *work)
{
    return work->read + work->written + work->resident;
}

#endif
