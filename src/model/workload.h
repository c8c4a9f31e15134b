/* The work of a component per frame: FLOP, bytes, working set. */
#ifndef AOLAG_MODEL_WORKLOAD_H
#define AOLAG_MODEL_WORKLOAD_H

#include <stdbool.h>

/* The sizes that formulas call "wfs", "ao" and "knob". */
struct workload_wfs {
    double bit_depth;        /* per raw pixel */
    double pixels_per_subap; /* along one side of a subaperture */
};

struct workload_ao {
    double actuators;
};

struct workload_knob { /* of a component; a result has the same name */
    double working_set;
};

/* Input sizes of an algorithm. All counts are totals over the `count` identical sensors. */
struct workload_input {
    struct workload_wfs wfs;
    struct workload_ao ao;
    struct workload_knob knob;
    double pixels;                           /* of the detector(s) */
    double subaps;                           /* valid subapertures or pupil pixels */
    double rows, columns;                    /* of the reconstruction matrix */
    double element_bytes;                    /* bytes of one number */
    double flops_per_pixel;                  /* of the centroid sums */
    double search;                           /* shifts of a correlation along one side */
    double tile, rank;                       /* of a tile low-rank matrix */
    double density;                          /* of a sparse matrix */
    double iterations, unknowns;             /* conjugate gradient */
    double grid;                             /* points of a Fourier reconstructor */
    double states;                           /* of an LQG controller */
    double inputs;                           /* predecessors, at least 1 */
    double flops, bytes_read, bytes_written; /* custom */
    bool reference_slopes;                   /* used by the centroid */
};

/* FLOP and bytes of one part of the work. */
struct work {
    double flop;
    double read;     /* bytes read once: pixels, slopes */
    double written;  /* bytes written: slopes, commands */
    double resident; /* bytes of the working set, each read once per frame */
};

/* Work of a component per frame. Stream work arrives with the packets, tail work runs once after
 * the last packet, deferred work after the command is out. */
struct demand {
    struct work stream, tail, deferred;
    double undeferred;  /* bytes of the working set of the tail that belong to work not deferred */
    double reread;      /* streamed bytes read again just after they were written */
    double accumulator; /* bytes of the partial result, read and written by each packet */
    double output;      /* bytes that its successor needs */
    double sweeps;      /* number of reads of the resident bytes per frame; default 1 */
    double block;       /* consecutive elements of the working set; 0: all */
    double kernels, tail_kernels, deferred_kernels; /* launches; default 1, 0, 0 */
};

#endif
