/* The four models of memory that measured points are fitted to, and what of a surface they explain.
 *
 * Times of one access on average, of blocks of L words in a row at places drawn with locality alpha
 * in M words (Strohmaier, Apex-MAP, CTWatch Quarterly 2(4B), 2006, Table 2; the fourth row as it
 * has to read, g2 and L where g and L2 are printed):
 *
 *     flat               T = g
 *     two-level          T = P g1 + (1 - P) g2,  P = min(1, (c / M)^alpha)
 *     latency-bandwidth  T = (l + g (L - 1)) / L
 *     hierarchy-2        T = P (l1 + g1 (L - 1)) / L + (1 - P) (l2 + g2 (L - 1)) / L
 *
 * Sizes are in words, times in seconds. */
#ifndef AOLAG_PROBE_FIT_MODEL_H
#define AOLAG_PROBE_FIT_MODEL_H

#include <stdbool.h>

#include "base/status.h"
#include "model/memory.h"

#define FIT_MODELS 4

/* What a model knows of the cache (1) and of memory (2); one with a single level knows memory. */
enum fit_value { FIT_L1, FIT_G1, FIT_L2, FIT_G2, FIT_VALUES };

/* One point of a surface: T at alpha, L and M. */
struct fit_point {
    double alpha;   /* locality, above 0: 1 uniform, below 1 reuse */
    double block;   /* L, words, 1 to M */
    double held;    /* M, words */
    double seconds; /* T of one access, above 0 */
};

struct fit_form {
    enum memory_model model;
    const char *title;            /* "hierarchy-2", as scenario files spell it */
    bool cached;                  /* has a c */
    const char *name[FIT_VALUES]; /* of a value in this model ("g", "g2"), NULL: not in it */
};

/* In the order above; enum memory_model is the index. */
extern const struct fit_form fit_forms[FIT_MODELS];

/* P of a cache of `c` words. */
double fit_hit(const struct fit_point *point, double c);

/* What a second of each value adds to T, where P is `hit`; 0 for a value the model does not have.
 */
void fit_terms(const struct fit_form *form, double hit, double block, double term[FIT_VALUES]);

/* T at a point (its `seconds` unused), in seconds, above 0. */
typedef double fit_predictor(const struct fit_point *point, const void *context);

/* A device's levels as a predictor: any model over any table. The latencies are those of one access
 * over the accesses in flight, the bandwidths what is sustained. */
struct fit_levels {
    enum memory_model model;
    const struct memory *memory;
    double word; /* B, above 0 */
};

double fit_predict_levels(const struct fit_point *point, const void *fit_levels);

/* PC of a surface as predicted, exp(rms ln(T / predicted)): 1 is perfect, 1.5 is off by half more
 * or a third less, typically. STATUS_INVALID names the point that was not or cannot be predicted:
 * a time of 0, below or not finite. `count` at least 1. */
enum status fit_surface_pc(const struct fit_point *point, int count, fit_predictor *predict,
                           const void *context, double *pc, struct error *error);

#endif
