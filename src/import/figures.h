/* The figures that daolite prints for a pipeline, and what they would be without its defects.
 *
 * daolite's JSON runner prints a start and an end for each packet of each component. The formulas
 * are found from its outputs for six pipelines (tests/data/daolite), which they reproduce in all
 * digits:
 *
 * - camera: packet i of n arrives at (i + 1) readout / n; a single one after one pixel.
 * - computation: packet i starts when packet i of its first predecessor and its own packet i - 1
 *   have ended, and takes FLOP / 48 GFLOP/s + bits / 12.8 GB/s of a whole frame.
 * - calibration: 11 FLOP, 16 bit per pixel.
 * - centroider: 11 FLOP, 32 bit per pixel^2 of a subaperture; 9 and 64 more.
 * - reconstruction: 4 FLOP, 32 bit per element of the matrix.
 * - control: 45 FLOP, 64 bit per actuator, and 8 us.
 * - network: starts as its source ends, and takes floor(bits / n) / rate + 10 us.
 *
 * The machine is the same whatever the file states: the outputs for 64 and for 16 cores have the
 * same time per pixel, matrix element and actuator, which alone is certain. Their division in
 * arithmetic and memory is inferred: of those with whole numbers of FLOP, the one whose bits are
 * the sizes of the data. Control has a duration, but no start. No output has a PCIe transfer, an
 * agenda or a scale: an agenda replaces the whole frame and a scale divides the time, as the
 * documentation says; the time of PCIe is unknown. */
#ifndef AOLAG_IMPORT_FIGURES_H
#define AOLAG_IMPORT_FIGURES_H

#include <stdbool.h>

#include "base/status.h"
#include "import/daolite.h"

/* Defects that may be corrected, each as a bit of a set. */
enum figures_defect {
    DEFECT_PACKETS,    /* every packet carries the work of a whole frame */
    DEFECT_MACHINE,    /* the compute resource of the file has no effect */
    DEFECT_BYTES,      /* bits of memory traffic are divided by a bandwidth in bytes */
    DEFECT_SUM,        /* compute and memory time add up; the documentation takes the longer one */
    DEFECT_JOIN,       /* a component waits for one of its predecessors */
    DEFECT_CONTENTION, /* components on one machine run at the same time, each at full speed */
    DEFECT_CONTROL,    /* control is not behind the reconstruction */
    DEFECT_COUNT
};

#define DEFECTS_ALL ((1U << DEFECT_COUNT) - 1)

/* Peaks of a machine as corrected, FLOP/s and B/s. */
struct figures_peak {
    double flops, bandwidth;
};

/* The machine with which daolite computes every component, as inferred. */
extern const struct figures_peak figures_built_in;

struct figure {
    bool known;      /* false: a PCIe transfer */
    bool starts;     /* false: it has only a duration, which is last_end (control) */
    bool documented; /* an agenda or a scale, which no output shows, has a part in it */
    int packets;
    double first_start, first_end, last_start, last_end; /* s from the start of the readout */
    double compute, memory;                              /* s of the first packet */
};

struct figures {
    struct figure figure[COMPONENT_MAX]; /* of the components */
    double total;                        /* s, the last end of any component that starts */
};

/* Computes the figures with a set of defects corrected (0: as daolite prints them). `peak`, of each
 * machine, may be NULL if DEFECT_MACHINE is not in the set. Returns STATUS_OK or STATUS_MEMORY. */
enum status figures_find(const struct daolite *daolite, unsigned corrected,
                         const struct figures_peak *peak, struct figures *figures);

/* Returns true if correcting a defect can change the figures of a pipeline: it has a join, several
 * components on one machine, ... */
bool figures_concerns(const struct daolite *daolite, enum figures_defect defect);

#endif
