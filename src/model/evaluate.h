/* Evaluation: scenario -> result.
 *
 * Deterministic; reads only the scenario, writes only the result. Memory is the result's: at most
 * 96 B per node (component, part or transfer), packet and simulated frame besides 4 MB, allocated
 * when one of these numbers grows and given back when a large design becomes small: 45 B of a
 * simulated slot (24 B its times, 16 B the order in which slots are served, 5 B visits), 8 B of one
 * of the reported frame, the rest for sensors; where transfers are inserted between devices, more per
 * component. What is shown of a frame is a copy (model/schedule.h). What depends
 * only on the geometry of the sensors (the agenda) and on the structure of the design (the node
 * list) is cached in the result and rebuilt when their inputs change; the numbers do not depend on
 * this. Steps are counted in result.pace (base/progress.h): O(N log N), N = edges x packets x
 * simulated frames.
 *
 * Returns STATUS_INVALID and an error that names the section and key to change if the design is
 * invalid: a cycle, a missing device or sensor, a detector too small, shares above 1. The results
 * are then unchanged: keep showing the last valid ones. STATUS_STOPPED if the progress of the
 * result says so: the results are undefined. */
#ifndef AOLAG_MODEL_EVALUATE_H
#define AOLAG_MODEL_EVALUATE_H

#include "base/status.h"
#include "design/scenario.h"
#include "model/cause.h"
#include "model/result.h"

enum status evaluate(const struct scenario *scenario, struct result *result, struct error *error);

/* What a design without components lacks, and who adds it: a section of the file, a key. */
#define NO_COMPONENTS(adds, starts)                                                                \
    "no components; " adds " adds one, " starts " starts from a preset"

/* The same for a design that is to be judged: one without components is invalid, because its
 * latency of 0 would meet every target. */
enum status evaluate_design(const struct scenario *scenario, struct result *result,
                            struct error *error);

/* The same with the times of each cause on each device multiplied by factors, above 0; NULL: all
 * 1, beside those of the calibration. Quantities that are not times, and the fixed times of device
 * results, are not scaled. */
enum status evaluate_with(const struct scenario *scenario, const struct cause_factors *factors,
                          struct result *result, struct error *error);

/* The same, but of the results of the design only the latency, the load, its limit and whether it
 * is overloaded are set. `again`: the last evaluation of this result was one of the same scenario,
 * and succeeded; of the nodes only the busy times change. */
enum status evaluate_scaled(const struct scenario *scenario, const struct cause_factors *factors,
                            bool again, struct result *result, struct error *error);

#endif
