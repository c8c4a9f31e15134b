/* Least-squares fits of memory models to the points of an Apex-MAP surface.
 *
 * The models are the first four of model/memory.h (Strohmaier, Apex-MAP, CTWatch Quarterly 2(4B),
 * 2006, Table 2; the fourth row corrected: g2 and L for the printed g and L2). l1 and g1 are
 * latency and gap of the cache, l2 and g2 those of memory, c is the cache capacity; sizes are in
 * words, times in seconds.
 *
 * Each fit minimises the sum of squared ln(T / predicted): Levenberg-Marquardt over the logarithms
 * of the parameters, which keeps them positive, from several starts; c by a scan over powers of two
 * from 2^10 words to M / 2 and a search (minimise.h) around the best. Flags mark doubtful fits.
 */
#ifndef AOLAG_PROBE_FIT_H
#define AOLAG_PROBE_FIT_H

#include "model/memory.h"
#include "probe/residuals.h"

#define FIT_MODELS 4
#define FIT_CACHE_LEAST (SURFACE_HELD_LEAST / 2) /* words, start of the scan of c */
#define FIT_POINTS_LEAST 6                       /* one more than the parameters of hierarchy-2 */
#define FIT_POINTS_MAX 20000                     /* a fit takes about 0.15 ms per point */
#define FIT_EFFECT_LEAST 0.01 /* fraction of T below which an effect is negligible */

/* Parameters for cache (1) and memory (2); models with a single level use those of memory. */
enum fit_value { FIT_L1, FIT_G1, FIT_L2, FIT_G2, FIT_VALUES };

struct fit_form {
    enum memory_model model;
    const char *title;            /* as in scenario files: "hierarchy-2" */
    bool cached;                  /* has the parameter c */
    const char *name[FIT_VALUES]; /* parameter names in this model ("g", "g2"); NULL: not used */
};

/* In the order above, indexed by enum memory_model. */
extern const struct fit_form fit_forms[FIT_MODELS];

enum fit_flag {
    FIT_EDGE,      /* c within 1 % of an end of its scan */
    FIT_GAPS,      /* g1 > g2: memory faster than the cache */
    FIT_LATENCIES, /* l1 > l2 */
    FIT_BELOW_GAP, /* l < g at some level: a first access cheaper than the following ones */
    FIT_WEAK, /* a parameter contributes less than 1 % of T at every point, or doubling c changes no
                 T by 1 % */
    FIT_ALONG_L,     /* residuals are correlated along L */
    FIT_ALONG_ALPHA, /* or along alpha (trend_is_significant) */
    FIT_FLAGS
};

struct fit {
    enum memory_model model;
    double value[FIT_VALUES];  /* s, > 0; 0 for parameters not in the model */
    double c;                  /* words; 0: not in the model */
    double squares;            /* sum of squared ln(T / predicted) */
    double linear;             /* sum of squared (T - predicted), s^2 */
    double pc;                 /* exp(rms ln(T / predicted)); 1: exact */
    double effect[FIT_VALUES]; /* largest contribution to a predicted T, as a fraction */
    double effect_c;           /* largest relative change of a predicted T when c doubles */
    struct trend along_l, along_alpha;
    bool flag[FIT_FLAGS];
};

/* Fits all four models, in the order of fit_forms; takes milliseconds. Returns STATUS_INVALID with
 * a full sentence on the unmet requirement: FIT_POINTS_LEAST to FIT_POINTS_MAX points, T finite and
 * > 0, L from 1 to M, M of at least 2048, alpha > 0, and more than one L and more than one P, that
 * is, alpha or M. */
enum status fit_models(const struct surface_point *point, int count, struct fit fits[FIT_MODELS],
                       struct error *error);

/* A surface_predictor; the context is a struct fit. */
double fit_predict(const struct surface_point *point, const void *fit);

/* "c-at-edge", "g1-above-g2", ... */
extern const char *const fit_flag_names[FIT_FLAGS];

/* Formats an explanation of a flag of this fit with its names and numbers: an ASCII sentence
 * without the final full stop. */
void fit_flag_text(const struct fit *fit, enum fit_flag flag, char *text, size_t size);

/* Predictor for a table of memory levels with any model. Latencies are those of one access divided
 * by the accesses in flight; bandwidths are sustained ones. */
struct fit_levels {
    enum memory_model model;
    const struct memory *memory;
    double word; /* B, > 0 */
};

/* A surface_predictor; the context is a struct fit_levels. */
double fit_predict_levels(const struct surface_point *point, const void *fit_levels);

/* A surface and its fits. */
struct surface_fit {
    const char *name; /* name of the file */
    struct surface surface;
    struct fit fit[FIT_MODELS];
    struct residuals residuals[FIT_MODELS];
    int shown; /* model of the displayed map and the residuals over predicted time */
};

/* Fits the models to the surface already stored in `report`; `shown` becomes the best of them.
 * surface_fit_free also frees the surface and accepts a zeroed or failed report. */
enum status surface_fit_make(struct surface_fit *report, struct error *error);
void surface_fit_free(struct surface_fit *report);

/* Comparison of machines, performance against performance complexity (Strohmaier, CTWatch Quarterly
 * 2(4B), 2006): P is the rate of accesses of all cores together at a typical point, cores /
 * geometric mean of T; PC says how far the best model is off. */

#define FIT_COMPARED_MAX 32 /* surfaces */
#define FIT_COMPARED_POINTS_MAX 2000

/* Reduces surfaces to their largest M and to the alpha and L that all of them have, and fits them.
 * Returns STATUS_INVALID if there are too few or too many points; the error names the file. */
enum status surface_fit_compare(struct surface_fit *report, int count, struct error *error);

/* Returns P, accesses/s. */
double surface_rate(const struct surface *surface);

/* Returns true if another machine has a higher P and no higher PC. */
bool surface_is_surpassed(const struct surface_fit *report, int count, int which);

#endif
