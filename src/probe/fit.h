/* Memory models fitted to measured points.
 *
 * Each of the four models gets the values that make the sum of squared ln(T / predicted) smallest:
 * Levenberg-Marquardt over the values' logarithms, so that they stay positive, from several starts;
 * c by a scan over powers of two from 2^10 words to M / 2 and a golden section about the best. What
 * makes a fit doubtful is flagged, never hidden.
 *
 * Source of the models: fit_model.h; of the test for randomness: trend.h. */
#ifndef AOLAG_PROBE_FIT_H
#define AOLAG_PROBE_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "probe/fit_model.h"
#include "probe/residuals.h"

#define FIT_CACHE_LEAST 1024.0 /* words: where the scan of c begins */
#define FIT_POINTS_LEAST 6     /* one more than hierarchy-2 has parameters */
#define FIT_POINTS_MAX 20000   /* a fit takes about 0.15 ms a point */
#define FIT_EFFECT_LEAST 0.01  /* of T: what counts as an effect */

enum fit_flag {
    FIT_EDGE,        /* c is within 1 % of an end of its scan */
    FIT_GAPS,        /* g1 > g2: memory would be faster than the cache */
    FIT_LATENCIES,   /* l1 > l2 */
    FIT_BELOW_GAP,   /* l < g, at some level: a first access cheaper than the next */
    FIT_WEAK,        /* a value that makes up less than 1 % of T at every point, or a c that
                        changes no T by 1 % when it doubles */
    FIT_ALONG_L,     /* residuals are not random along L, */
    FIT_ALONG_ALPHA, /* along alpha: trend.h */
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
enum status fit_models(const struct fit_point *point, int count, struct fit fits[FIT_MODELS],
                       struct error *error);

/* A fit_predictor; the context is a struct fit. */
double fit_predict(const struct fit_point *point, const void *fit);

/* "c-at-edge", "g1-above-g2", ... */
const char *fit_flag_name(enum fit_flag flag);

/* What a flag means in a fit that has it: a sentence without its full stop, with the names and
 * numbers of that fit, in ASCII. */
void fit_flag_text(const struct fit *fit, enum fit_flag flag, char *text, size_t size);

/* What makes a fit doubtful; internal to fit. */

/* Completes a fit that has its values: effects, trends and flags. `most` is the end of the scan of
 * c, words. STATUS_MEMORY is the only error. */
enum status fit_set_flags(const struct fit_point *point, int count, double most, struct fit *fit,
                          struct error *error);

#endif
