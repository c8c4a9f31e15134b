/* Models of memory fitted to the points of an Apex-MAP surface.
 *
 * The models are the first four of model/memory.h (Strohmaier, Apex-MAP, CTWatch Quarterly 2(4B),
 * 2006, Table 2; the fourth row as it has to read, g2 and L where g and L2 are printed). l1 and g1
 * are the latency and the gap of the cache, l2 and g2 those of memory, c is the capacity of the
 * cache; sizes are in words, times in seconds.
 *
 * Each of them gets the values that make the sum of squared ln(T / predicted) smallest:
 * Levenberg-Marquardt over the values' logarithms, so that they stay positive, from several starts;
 * c by a scan over powers of two from 2^10 words to M / 2 and a golden section about the best. What
 * makes a fit doubtful is flagged, never hidden. */
#ifndef AOLAG_PROBE_FIT_H
#define AOLAG_PROBE_FIT_H

#include "model/memory.h"
#include "probe/residuals.h"

#define FIT_MODELS 4
#define FIT_CACHE_LEAST (SURFACE_HELD_LEAST / 2) /* words: where the scan of c begins */
#define FIT_POINTS_LEAST 6                       /* one more than hierarchy-2 has parameters */
#define FIT_POINTS_MAX 20000                     /* a fit takes about 0.15 ms a point */
#define FIT_EFFECT_LEAST 0.01                    /* of T: what counts as an effect */

/* Values of a model: of the cache (1) and of memory (2); one with a single level has those of
 * memory. */
enum fit_value { FIT_L1, FIT_G1, FIT_L2, FIT_G2, FIT_VALUES };

struct fit_form {
    enum memory_model model;
    const char *title;            /* "hierarchy-2", as scenario files spell it */
    bool cached;                  /* has a c */
    const char *name[FIT_VALUES]; /* of a value in this model ("g", "g2"), NULL: not in it */
};

/* In the order above; enum memory_model is the index. */
extern const struct fit_form fit_forms[FIT_MODELS];

enum fit_flag {
    FIT_EDGE,        /* c is within 1 % of an end of its scan */
    FIT_GAPS,        /* g1 > g2: memory would be faster than the cache */
    FIT_LATENCIES,   /* l1 > l2 */
    FIT_BELOW_GAP,   /* l < g, at some level: a first access cheaper than the next */
    FIT_WEAK,        /* a value that makes up less than 1 % of T at every point, or a c that
                        changes no T by 1 % when it doubles */
    FIT_ALONG_L,     /* residuals are not random along L, */
    FIT_ALONG_ALPHA, /* along alpha (trend_is_significant) */
    FIT_FLAGS
};

struct fit {
    enum memory_model model;
    double value[FIT_VALUES];  /* s, above 0; 0 for those the model does not have */
    double c;                  /* words; 0: the model has none */
    double squares;            /* sum of squared ln(T / predicted) */
    double linear;             /* sum of squared T - predicted, s^2 */
    double pc;                 /* exp(rms ln(T / predicted)), 1 is perfect */
    double effect[FIT_VALUES]; /* largest share in a predicted T */
    double effect_c;           /* largest relative change of a predicted T when c doubles */
    struct trend along_l, along_alpha;
    bool flag[FIT_FLAGS];
};

/* Fits all four, in the order of fit_forms. STATUS_INVALID says in a sentence what the points lack:
 * FIT_POINTS_LEAST to FIT_POINTS_MAX of them, T finite and above 0, L from 1 to M, M of at least
 * 2048, alpha above 0, and more than one L and more than one P, that is alpha or M. Takes
 * milliseconds. */
enum status fit_models(const struct surface_point *point, int count, struct fit fits[FIT_MODELS],
                       struct error *error);

/* A surface_predictor; the context is a struct fit. */
double fit_predict(const struct surface_point *point, const void *fit);

/* "c-at-edge", "g1-above-g2", ... */
extern const char *const fit_flag_names[FIT_FLAGS];

/* What a flag means in a fit that has it: a sentence without its full stop, with the names and
 * numbers of that fit, in ASCII. */
void fit_flag_text(const struct fit *fit, enum fit_flag flag, char *text, size_t size);

/* A device's levels as a predictor: any model over any table. The latencies are those of one access
 * over the accesses in flight, the bandwidths what is sustained. */
struct fit_levels {
    enum memory_model model;
    const struct memory *memory;
    double word; /* B, above 0 */
};

/* A surface_predictor; the context is a struct fit_levels. */
double fit_predict_levels(const struct surface_point *point, const void *fit_levels);

/* All that was found of a surface. */
struct surface_fit {
    const char *name; /* of the file it is from */
    struct surface surface;
    struct fit fit[FIT_MODELS];
    struct residuals residuals[FIT_MODELS];
    int shown; /* the model whose map and residuals over the predicted time are shown */
};

/* Fits the models to the surface that is there already; `shown` is the best of them.
 * surface_fit_free accepts a zeroed or failed one, and frees the surface, too. */
enum status surface_fit_make(struct surface_fit *report, struct error *error);
void surface_fit_free(struct surface_fit *report);

#endif
