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
 * documentation says. The time of PCIe is that of its function of that name: n bits at 16 lanes x 8
 * x 8, 32 or 64 GT/s for the generations 3 to 5 (2 and 5 for 1 and 2), 8 n bits over the bandwidth
 * of the machine, and 3 us. Its JSON runner passes on the parameters that a function of it has and
 * takes defaults for those that are then missing: 6400 subapertures, 5000 actuators. */
#ifndef AOLAG_IMPORT_FIGURES_H
#define AOLAG_IMPORT_FIGURES_H

#include <stdbool.h>

#include "base/status.h"
#include "import/daolite.h"

/* Defects that may be corrected, each as a bit of a set. */
enum figures_defect {
    DEFECT_PARAMETERS, /* what the JSON runner does not know by this name is replaced by a default
                        */
    DEFECT_PACKETS,    /* every packet carries the work of a whole frame */
    DEFECT_MACHINE,    /* the compute resource of the file has no effect */
    DEFECT_BYTES,      /* bits of memory traffic are divided by a bandwidth in bytes */
    DEFECT_SUM,        /* compute and memory time add up; the documentation takes the longer one */
    DEFECT_PCIE,       /* rates of PCIe */
    DEFECT_JOIN,       /* a component waits for one of its predecessors */
    DEFECT_CONTENTION, /* components on one machine run at the same time, each at full speed */
    DEFECT_CONTROL,    /* control is not behind the reconstruction */
    DEFECT_COUNT,
    /* what this program does in another way, with bits of the same set */
    DIFFERENCE_SCALE = DEFECT_COUNT, /* a scale above 1 makes a component faster than its machine */
    DIFFERENCE_REUSE,                /* correlations read each pixel once for each pair of pixels */
    FIGURES_CORRECTIONS
};

#define DEFECTS_ALL ((1U << DEFECT_COUNT) - 1)

/* Peaks of a machine as corrected, FLOP/s and B/s. */
struct figures_peak {
    double flops, bandwidth;
};

/* The machine with which daolite computes every component, as inferred. */
extern const struct figures_peak figures_built_in;

struct figure {
    bool known;      /* false: a PCIe transfer of a size that nothing states */
    bool starts;     /* false: it has only a duration, which is last_end (control) */
    bool documented; /* an agenda, a scale or PCIe, which no output shows, has a part in it */
    int packets;
    double first_start, first_end, last_start, last_end; /* s from the start of the readout */
    double compute, memory;                              /* s of the first packet */
};

struct figures {
    struct figure figure[COMPONENT_MAX]; /* of the components */
    double total;                        /* s, the last end of any component that starts */
};

/* Seconds of a PCIe transfer on its wire by daolite: of all bits, at the generation of the file,
 * else 5. */
double figures_pcie(const struct daolite_component *transfer);

/* Computes the figures with a set of defects corrected (0: as daolite prints them). `peak`, of each
 * machine, may be NULL if DEFECT_MACHINE is not in the set. Returns STATUS_OK or STATUS_MEMORY. */
enum status figures_find(const struct daolite *daolite, unsigned corrected,
                         const struct figures_peak *peak, struct figures *figures);

#endif
