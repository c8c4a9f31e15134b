/* The roofline of a device of an evaluated design, with every component that runs there.
 *
 * The roofline (Williams, Waterman, Patterson, CACM 52(4), 2009, Fig. 1): work of operational
 * intensity I, FLOP per byte moved, reaches at most min(peak, I bandwidth) FLOP/s. There is a
 * ceiling for the peak of each precision and, as in the cache-aware roofline (Ilic, Pratas, Sousa,
 * IEEE Computer Architecture Letters 13(1), 2014), one for the bandwidth of each memory level,
 * against one and the same intensity: that of all bytes a component moves, whichever level they
 * come from. Ceilings are those of all cores. Lower ones of compute (Williams et al., Fig. 2), of a
 * CPU: the same with single adds or multiplies in place of fused ones, and with one element per
 * instruction.
 *
 * A component's own roof lies between the levels' where its bytes come from several (memory.h):
 *
 *     bandwidth = bytes / sum over levels (bytes of the level / bandwidth of the level)
 *     roof      = min(peak of its precision, intensity bandwidth)
 *
 * and what it attains is its FLOP over the time the result gives it for a frame, at its share,
 * launches and overheads included. The difference is explained by factors of time, one for each
 * cause in the order of enum roof_loss; their product is roof over attained.
 *
 * Exception: no component is above its roof unless the latency of a level in the memory model is
 * shorter than its bandwidth takes for an element. Then each block's first element comes faster
 * than the bandwidth allows (memory.h counts it by latency alone): stated latencies or accesses in
 * flight that contradict a stated bandwidth. */
#ifndef AOLAG_MODEL_ROOFLINE_H
#define AOLAG_MODEL_ROOFLINE_H

#include "design/scenario.h"
#include "model/device.h"
#include "model/result.h"

/* Levels; a peak and two lower ceilings for each precision. */
#define ROOFS_CEILINGS (LEVEL_COUNT + 7)
#define ROOFS_NAME_MAX 63
/* A component or part of one has work before the command and work that is deferred. */
#define ROOFS_POINTS (2 * COMPONENT_MAX)

enum roof_kind {
    ROOF_LEVEL,
    ROOF_PEAK,
    ROOF_NO_FMA, /* the peak of fp32 without fused operations */
    ROOF_SCALAR  /* fp32, one element per instruction, nothing fused */
};

struct roof_ceiling {
    enum roof_kind kind;
    enum memory_level_id level;    /* of a level */
    enum precision precision;      /* of a peak */
    double peak, sustained;        /* B/s of a level, FLOP/s; all cores */
    bool used;                     /* by a component here: its precision, a level it reads */
    char what[32];                 /* "fp32 FMA" */
    char name[ROOFS_NAME_MAX + 1]; /* and its peak */
};

/* Why work stays below its roof, in the order in which the factors are taken. */
enum roof_loss {
    LOSS_CORES,      /* it has some of the cores only */
    LOSS_EFFICIENCY, /* what the device sustains and what the code reaches of that */
    LOSS_LATENCY,    /* accesses and operations that wait for one another; operands read again */
    LOSS_SHARE,      /* its share of the device */
    LOSS_PACKETS,    /* compute and memory that do not hide behind one another, packet by packet;
                        partial results moved again */
    LOSS_LAUNCH,     /* launches and overheads */
    LOSS_COUNT
};

/* Values that do not exist are RESULT_NONE: an intensity without FLOP or bytes. */
struct roof_point {
    char name[NODE_NAME_MAX + 1]; /* of the component or part */
    int node;                     /* in the result */
    bool deferred;                /* its work once the command is out, by itself */
    enum precision precision;
    enum memory_level_id level; /* that serves most of its memory time */
    enum bound bound;
    double flop, bytes;         /* per frame */
    double served[LEVEL_COUNT]; /* B of them, by level */
    double time;                /* s, per frame */
    double intensity;           /* FLOP/B; RESULT_NONE without one of them */
    double flops;               /* FLOP/s attained; RESULT_NONE without FLOP or time */
    double rate;                /* B/s moved; RESULT_NONE without bytes or time */
    double bandwidth;  /* B/s of the levels its bytes come from; RESULT_NONE without bytes */
    double roof;       /* FLOP/s above it; RESULT_NONE without FLOP */
    bool under_memory; /* the roof is one of bandwidth: it lies left of the ridge */
    double fraction;   /* of the roof (without FLOP: of the bandwidth) that is reached; RESULT_NONE
                          where nothing is done or no roof is known, as of a program */
    double loss[LOSS_COUNT]; /* factors of time; all 1 where there is no fraction */
    enum roof_loss worst;    /* the largest */
};

struct roofs {
    char device[NAME_MAX_LENGTH + 1];
    char model[TEXT_MAX_LENGTH + 1];            /* its model, else its preset; may be empty */
    double sockets;                             /* of that model; 1 of what has none */
    double sustained_memory, sustained_compute; /* of the peaks */
    int ceilings; /* levels from the innermost, then peaks from the highest */
    struct roof_ceiling ceiling[ROOFS_CEILINGS];
    int points; /* in the order of the result */
    struct roof_point point[ROOFS_POINTS];
};

/* Of device number `device` of a design as evaluate has just accepted it. */
void roofs_find(const struct scenario *scenario, const struct result *result, int device,
                struct roofs *roofs);

/* The device to look at first: that of the component that binds the design, else the first on which
 * something runs, else the first; -1 without devices. */
int roofs_device(const struct result *result);

/* FLOP/B at which two ceilings meet: of a level and of a peak. */
double roofs_ridge(const struct roof_ceiling *level, const struct roof_ceiling *peak);

/* "FLOP/s"; "OP/s" of integers. */
const char *roofs_rate_unit(enum precision precision);

/* "efficiency", "launches": what keeps it from the roof. */
const char *roof_loss_name(enum roof_loss loss);

#endif
