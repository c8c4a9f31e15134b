/* The figures that daolite computes for a pipeline, and what they would be without its defects.
 *
 * They are those of its JSON runner, `python -m daolite.pipeline.json_runner FILE`, in the version
 * FIGURES_VERSION, whose rules are followed key by key: which parameters a component takes, which
 * defaults it has, and whose end it waits for. run_pipeline_from_json returns a start and an end
 * for each packet of each component, of which the command prints the sum of the durations:
 *
 * - a computation takes FLOP / (flops core_fudge) + bit / (memory_bandwidth mem_fudge), each
 * divided by its scale, and starts when packet i of the predecessor that is connected last and its
 * own packet i - 1 have ended. Without an agenda every packet has the work of the whole frame.
 * - calibration: 2 FLOP and bit_depth + 96 bit per pixel.
 * - centroider: 5 n^2 + 9 FLOP and 32 n^2 + 128 bit per subaperture of n = n_pix_per_subap; a sort
 * of the m = n^2 pixels has 2 m log2 m FLOP and 64 m bit.
 * - reconstruction: 4 FLOP and 128 bit per actuator and n_slopes.
 * - control: 4 combine + 5 FLOP and 128 combine + 192 bit per actuator and 8 us; a duration alone.
 * - network: the bits of a packet / network_speed + 2 time_in_driver; PCIe: bits at 8 times the
 *   memory's time and 3 us; a mirror: the network to it.
 *
 * Where the runner stops at a file, it computes nothing; the figures are then those that it would
 * compute if it did not stop there, as far as they are known. */
#ifndef AOLAG_IMPORT_FIGURES_H
#define AOLAG_IMPORT_FIGURES_H

#include <stdbool.h>

#include "import/daolite.h"

#define FIGURES_VERSION "main 7f39ed1 (0.1.1)"

/* Defects that may be corrected, each as a bit of a set; import.c has a sentence for each. */
enum figures_defect {
    DEFECT_PACKETS,
    DEFECT_RESOURCE,
    DEFECT_PIXELS,
    DEFECT_MATRIX,
    DEFECT_PCIE,
    DEFECT_SUM,
    DEFECT_JOIN,
    DEFECT_CONTROL,
    FIGURES_DEFECTS
};

#define DEFECTS_ALL ((1U << FIGURES_DEFECTS) - 1)

/* Peaks of a machine as corrected, FLOP/s and B/s; 0: not known. */
struct figures_peak {
    double flops, bandwidth;
};

struct figure {
    bool known;  /* false: the runner has no time for it */
    bool starts; /* false: it has only a duration, which is last_end */
    int packets;
    double first_start, first_end, last_start, last_end; /* s from the start of the readout */
    double sum;                                          /* s, of the durations of all packets */
    double compute, memory;                              /* s of the first packet */
    double flops, bandwidth; /* that it is computed with, FLOP/s, B/s; 0: nothing is computed */
};

struct figures {
    struct figure figure[COMPONENT_MAX]; /* of the components of the pipeline */
    double total; /* s, the last end of any component that starts; RESULT_NONE: not all are known */
    char why[300]; /* the first reason why the runner does not compute them; empty: it does */
    int line;      /* of what stops it; 0: the whole file */
    int stops;     /* how many reasons there are */
};

/* Computes the figures of a file that daolite_read has read with a set of defects corrected (0: as
 * daolite does). `peak`, of each machine, may be NULL if DEFECT_RESOURCE is not in the set. */
void figures_find(const struct values *tree, const struct daolite *daolite, unsigned corrected,
                  const struct figures_peak *peak, struct figures *figures);

#endif
