/* The roofline of a device of an evaluated design, with all components that run on it.
 *
 * The roofline (Williams, Waterman, Patterson, CACM 52(4), 2009, Fig. 1): work with operational
 * intensity I, FLOP per byte moved, reaches at most min(peak, I bandwidth) FLOP/s. There is a
 * compute ceiling for the peak of each precision and, as in the cache-aware roofline (Ilic, Pratas,
 * Sousa, IEEE Computer Architecture Letters 13(1), 2014), a bandwidth ceiling for each memory
 * level, all plotted against the same intensity: that of all bytes a component moves, whichever
 * level they come from. Ceilings apply to all cores. A CPU has lower compute ceilings (Williams et
 * al., Fig. 2): single adds or multiplies instead of fused ones, and one element per instruction.
 *
 * The roof of a component lies between those of the levels if its bytes come from several
 * (memory.h):
 *
 *     bandwidth = bytes / sum over levels (bytes of the level / bandwidth of the level)
 *     roof      = min(peak of its precision, intensity bandwidth)
 *
 * Its attained rate is its FLOP divided by its time per frame in the result, at its share,
 * including launches and overheads. Time factors explain the difference, one per cause in the order
 * of enum roof_loss; their product is roof / attained.
 *
 * Exception: a component can exceed its roof if the latency of a level in the memory model is
 * shorter than the time for an element at its bandwidth. Then the first element of each block
 * arrives faster than the bandwidth allows (memory.h counts only its latency): the stated latencies
 * or accesses in flight contradict a stated bandwidth. */
#ifndef AOLAG_MODEL_ROOFLINE_H
#define AOLAG_MODEL_ROOFLINE_H

#include "design/scenario.h"
#include "model/device.h"
#include "model/result.h"

/* Levels, peaks of the precisions, and two lower ceilings. */
#define ROOFS_CEILINGS (LEVEL_COUNT + 7)
#define ROOFS_NAME_MAX 63
/* A component or part can have work before the command and deferred work. */
#define ROOFS_POINTS (2 * COMPONENT_MAX)

enum roof_kind {
    ROOF_LEVEL,
    ROOF_PEAK,
    ROOF_NO_FMA, /* fp32 peak without fused operations */
    ROOF_SCALAR  /* fp32, one element per instruction, not fused */
};

struct roof_ceiling {
    enum roof_kind kind;
    enum memory_level_id level;    /* for a level */
    enum precision precision;      /* for a peak */
    double peak, sustained;        /* B/s of a level, FLOP/s; all cores */
    bool used;                     /* used by a component: its precision, or a level it reads */
    char what[32];                 /* "fp32 FMA" */
    char name[ROOFS_NAME_MAX + 1]; /* "fp32 FMA" with its peak */
};

/* Causes of performance below the roof, in the order in which the factors are computed. */
enum roof_loss {
    LOSS_CORES,      /* it uses only some of the cores */
    LOSS_EFFICIENCY, /* sustained fraction of the device and efficiency of the code */
    LOSS_LATENCY,    /* latency of dependent accesses and operations; operands read again */
    LOSS_SHARE,      /* share of the device */
    LOSS_PACKETS,    /* compute and memory time that do not overlap within packets; partial results
                        moved again */
    LOSS_LAUNCH,     /* launches and overheads */
    LOSS_COUNT
};

/* RESULT_NONE marks values that do not exist: an intensity without FLOP or bytes. */
struct roof_point {
    char name[NODE_NAME_MAX + 1]; /* name of the component or part */
    int node;                     /* index in the result */
    bool deferred;                /* its deferred work */
    enum precision precision;
    enum memory_level_id level; /* level with most of its memory time */
    enum bound bound;
    const char *limit;          /* as verdict_word has it: "compute", "HBM" */
    double flop, bytes;         /* per frame */
    double served[LEVEL_COUNT]; /* B, by level */
    double time;                /* s, per frame */
    double intensity;           /* FLOP/B; RESULT_NONE without FLOP or bytes */
    double flops;               /* FLOP/s attained; RESULT_NONE without FLOP or time */
    double rate;                /* B/s moved; RESULT_NONE without bytes or time */
    double bandwidth;           /* B/s, effective, of its levels; RESULT_NONE without bytes */
    double roof;                /* FLOP/s; RESULT_NONE without FLOP */
    bool under_memory;          /* bandwidth limits the roof: it lies left of the ridge point */
    double fraction; /* fraction of the roof (without FLOP: of the bandwidth) attained; RESULT_NONE
                        without work or if the roof is unknown, as for a program */
    double loss[LOSS_COUNT]; /* time factors; all 1 if there is no fraction */
    enum roof_loss worst;    /* the largest factor */
};

struct roofs {
    char device[NAME_MAX_LENGTH + 1];
    char model[TEXT_MAX_LENGTH + 1];            /* model or, if empty, preset; may be empty */
    const char *memory;                         /* what its memory is called: "HBM" */
    double sockets;                             /* sockets of a CPU; 1 for others */
    double sustained_memory, sustained_compute; /* fractions of the peaks */
    int ceilings; /* number; levels from the innermost, then peaks from the highest */
    struct roof_ceiling ceiling[ROOFS_CEILINGS];
    int points; /* number; in the order of the result */
    struct roof_point point[ROOFS_POINTS];
};

/* Computes the roofline of device number `device` of a design that evaluate has just accepted. */
void roofs_find(const struct scenario *scenario, const struct result *result, int device,
                struct roofs *roofs);

/* Returns what a level of the device is called: "L2", or its memory. */
const char *roofs_level_name(const struct roofs *roofs, enum memory_level_id level);

/* Returns the default device to show: that of the component that bounds the design, else the first
 * with a component, else the first; -1 without devices. */
int roofs_device(const struct result *result);

/* Returns the ridge point, FLOP/B, of a bandwidth ceiling and a compute ceiling. */
double roofs_ridge(const struct roof_ceiling *level, const struct roof_ceiling *peak);

/* Returns "FLOP/s", or "OP/s" for integers. */
const char *roofs_rate_unit(enum precision precision);

/* Returns the name of a cause: "efficiency", "launches". */
const char *roof_loss_name(enum roof_loss loss);

#endif
