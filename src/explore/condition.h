/* Conditions on a design: "latency<=800us", "loop.servo_lag < 60 nm", "latency<=target_latency,
 * load<=1".
 *
 * A condition is a result (result.h), one of <=, >=, < and >, and a quantity in the unit of the
 * result or another result of the same dimension. Conditions are separated by commas and must all
 * hold; blanks are permitted between the parts. A condition on a missing result does not hold: a
 * design that may not keep up has no latency_high. One on the latency, or on what follows from it,
 * does not hold for an overloaded design. */
#ifndef AOLAG_EXPLORE_CONDITION_H
#define AOLAG_EXPLORE_CONDITION_H

#include <stdbool.h>

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"
#include "model/result_read.h"

#define CONDITIONS_MAX 8
#define CONDITION_TEXT_MAX (2 * RESULT_PATH_MAX + 8)

/* The design keeps up with its frames and its latency meets the target. */
#define CONDITIONS_DEFAULT "latency<=target_latency,load<=1"

enum relation { RELATION_AT_MOST, RELATION_AT_LEAST, RELATION_BELOW, RELATION_ABOVE };

struct condition {
    struct result_ref left;
    enum relation relation;
    bool against; /* the right side is the result `right`, not `bound` */
    struct result_ref right;
    double bound; /* SI */
};

struct conditions {
    int count;
    struct condition list[CONDITIONS_MAX];
};

/* Parses conditions. The result of an evaluated design resolves the paths. Returns STATUS_INVALID
 * with the invalid part, the expected form, and the nearest result or unit in the message. */
enum status conditions_parse(const struct scenario *scenario, const struct result *result,
                             const char *text, struct conditions *conditions, struct error *error);

/* Returns the left side of a condition, SI; RESULT_NONE if the design has no such value. */
double condition_left(const struct scenario *scenario, const struct result *result,
                      const struct condition *condition);
double condition_right(const struct scenario *scenario, const struct result *result,
                       const struct condition *condition);

/* Returns the largest violation of any condition, relative to its right side (absolute in the unit
 * of the result if that is 0): 0 if all hold, INFINITY if a value is missing. That of a latency
 * which an overloaded design does not reach is at least its load above 1. */
double conditions_shortfall(const struct scenario *scenario, const struct result *result,
                            const struct conditions *conditions);

/* Returns the set of enum derived of the results in conditions: derived_find finds them. */
unsigned conditions_derived(const struct conditions *conditions);

/* Returns what conditions_shortfall is at least, before these are found: 0 if it is unknown. The
 * latency itself is at most the upper and at least the lower end. */
double conditions_least_shortfall(const struct scenario *scenario, const struct result *result,
                                  const struct conditions *conditions);

/* Returns the number of the first condition that a design does not meet, -1 if it meets all. Without
 * `derived`, before such results are found, a condition on an end of the range counts if the latency
 * alone violates it. */
int conditions_first_missed(const struct scenario *scenario, const struct result *result,
                            const struct conditions *conditions, bool derived);

/* Returns the most that the upper end of the latency may be for the first condition on a derived
 * result, HUGE_VAL where that is another one. */
double conditions_most_high(const struct scenario *scenario, const struct result *result,
                            const struct conditions *conditions);

/* Formats one condition: "latency <= 800 us". `size` is at least CONDITION_TEXT_MAX. */
void condition_print(const struct condition *condition, char *text, size_t size);

/* Formats all conditions: "latency <= 800 us and load <= 1". */
void conditions_print(const struct conditions *conditions, char *text, size_t size);

#endif
