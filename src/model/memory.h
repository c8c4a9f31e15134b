/* Time to move bytes between the levels of a device's memory and its arithmetic units.
 *
 * Five models (Strohmaier, Apex-MAP, CTWatch Quarterly 2(4B), 2006, Table 2). Per element, with M
 * bytes held, L consecutive elements, locality alpha, capacities c, latencies l and gaps g =
 * element / bandwidth:
 *
 *     flat               T = g, of memory: the plain roofline (Williams, Waterman, Patterson,
 *                        CACM 52(4), 2009)
 *     two-level          T = P g1 + (1 - P) g2,  P = min(1, (c / M)^alpha)
 *     latency-bandwidth  T = (l + g (L - 1)) / L, of memory
 *     hierarchy-2        T = P (l1 + g1 (L - 1)) / L + (1 - P) (l2 + g2 (L - 1)) / L
 *     hierarchy          T = sum (P_k - P_k-1) (l_k + g_k (L - 1)) / L,  P_0 = 0,
 *                        P_k = max(P_k-1, min(1, (c_k / M)^alpha)), 1 at the last level and for
 *                        M = 0
 *
 * The two-level models use the last cache and memory. Sustained fraction, efficiency and share
 * lengthen the gaps but not the latencies, so the two parts of T are separate. */
#ifndef AOLAG_MODEL_MEMORY_H
#define AOLAG_MODEL_MEMORY_H

#include <stdbool.h>

#include "design/scenario.h"

enum memory_level_id { LEVEL_L1, LEVEL_L2, LEVEL_L3, LEVEL_MEMORY };

#define LEVEL_COUNT 4

/* Returns "L1", "L2", "L3" or "DRAM". */
const char *memory_level_name(enum memory_level_id id);

struct memory_level {
    enum memory_level_id id;
    double capacity;  /* B, usable; infinite for memory */
    double bandwidth; /* B/s, above 0 */
    double latency;   /* s of one access / accesses in flight */
};

/* Levels from the innermost to memory, which always exists. */
struct memory {
    int count;
    struct memory_level level[LEVEL_COUNT];
};

/* Memory traffic of a computation. */
struct traffic {
    double held;     /* M, B, at least 0 */
    double block;    /* L, elements; less than 1 counts as 1 */
    double element;  /* e, B, above 0 */
    double locality; /* alpha, above 0 */
    bool beyond;     /* all data come from memory, whatever M */
};

/* Part and cost of one level; seconds per byte of the total traffic. */
struct memory_part {
    enum memory_level_id level;
    double hit;      /* P_k, of this level and those inside it */
    double fraction; /* P_k - P_k-1 */
    double transfer; /* s/B at full bandwidth: divide by sustained, efficiency and share */
    double wait;     /* s/B, latency */
};

struct memory_cost {
    int count;
    struct memory_part part[LEVEL_COUNT]; /* levels that the model uses, innermost first */
    double transfer, wait;                /* s/B, sums over the parts */
};

/* Computes costs; never fails, and finite for any memory and traffic within the ranges above. */
void memory_cost(enum memory_model model, const struct memory *memory,
                 const struct traffic *traffic, struct memory_cost *cost);

/* Returns true if a model includes latencies: L then describes the access pattern, not an
 * efficiency. */
bool memory_model_waits(enum memory_model model);

/* Returns the fraction of the sustained bandwidth that an access pattern reaches. Sequential:
 * published well-tuned dense MVMs reach a median of 0.88 of peak, pure reads of large arrays on the
 * same class of hardware 0.95 (RRZE gpu-benches 0.90-0.98), so 0.88 / 0.95 = 0.92, within the usual
 * 0.80-0.95; strided and random: the middle of the usual 0.40-0.60 and 0.10-0.30. */
double memory_access_efficiency(enum access access);

#endif
