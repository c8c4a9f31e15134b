/* Charts of the control loop: transfer functions, spectra before and after correction, the error
 * budget. */
#ifndef AOLAG_CHARTS_LOOP_H
#define AOLAG_CHARTS_LOOP_H

#include "draw/chart.h"
#include "model/budget.h"

enum loop_chart { LOOP_CURVES, LOOP_SPECTRA, LOOP_BUDGET, LOOP_CHARTS };

/* Names of the charts, for options; ends with NULL. */
extern const char *const loop_chart_names[LOOP_CHARTS + 1];

/* Initialises a chart of a budget filled to BUDGET_ALL and its curves. A chart without data, such as
 * the curves of an unstable loop, says so in its note. */
void chart_loop(struct chart *chart, enum loop_chart which, const struct budget *budget,
                const struct loop_curves *curves);

/* Returns a sentence that says why a budget lacks lag, or all of its loop; NULL: it has it. */
const char *loop_lag_missing(const struct budget *budget);

/* Writes why a budget lacks noise; returns false if it has it. */
bool loop_noise_missing(const struct scenario *scenario, const struct budget *budget, char *text,
                        size_t size);

/* Writes why a star whose magnitude is stated does not count: its band, throughput or telescope is
 * not stated. Returns false if it counts, or none is stated. */
bool loop_star_incomplete(const struct scenario *scenario, char *text, size_t size);

/* Returns true if a stable loop has less than one of the margins that an automatic gain has. */
bool loop_margins_small(const struct budget *budget);

enum { LOOP_MARGIN_MAX = 48 };

/* Return both of these margins, "6.02 dB or 45 deg", and where a gain comes from, "phase margin of
 * 45 deg". */
const char *loop_margins_asked(const struct budget *budget, char text[LOOP_MARGIN_MAX]);
const char *loop_gain_source(const struct budget *budget, enum gain_source source,
                             char text[LOOP_MARGIN_MAX]);

/* Returns what the margins cost, "phase margin of 45 deg costs 1.06 nm". */
enum { LOOP_COST_MAX = LOOP_MARGIN_MAX + 32 };
const char *loop_margin_cost(const struct budget *budget, char text[LOOP_COST_MAX]);

/* Returns true if the margins keep the gain in force from the optimum, at the price of
 * `margin_cost`. */
bool loop_limited(const struct budget *budget);

/* Returns true if the least gain that is tried leaves more than no correction. */
bool loop_better_open(const struct budget *budget);

/* Returns by how much the lag is below that of frozen flow (model/servo.h): "7 to 12 %". */
const char *loop_lag_bias(const struct budget *budget);

/* Returns the gains with which another delay is compared: "optimum gains", without a star or where
 * the margins limit them "gains for these margins", of LQG "filters of each delay". */
const char *loop_adapted_name(const struct budget *budget);

#endif
