/* What makes a fit doubtful; internal to fit. */
#ifndef AOLAG_FIT_FLAGS_H
#define AOLAG_FIT_FLAGS_H

#include "fit.h"

/* Completes a fit that has its values: effects, trends and flags. `most` is the end of the scan of
 * c, words. STATUS_MEMORY is the only error. */
enum status fit_set_flags(const struct fit_point *point, int count, double most, struct fit *fit,
                          struct error *error);

#endif
