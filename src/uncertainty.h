/* How far what is predicted for a device may be off, where it states no factor of its own (`pc`).
 */
#ifndef AOLAG_UNCERTAINTY_H
#define AOLAG_UNCERTAINTY_H

/* Of devices known from their vendors' figures: exp(median |ln(predicted / measured)|) over the
 * predicted rows of data/published/latencies.csv. "aolag validate --published" prints it;
 * tests/test_published.c holds the two together. Dimensionless, 1: exact. */
#define UNCERTAINTY_VENDOR 1.17

#endif
