/* Conditions on a design: "latency<=800us", "loop.servo_lag < 60 nm", "latency<=target_latency,
 * load<=1".
 *
 * A condition is a result (result.h), <=, >=, < or >, and a quantity in the result's unit or
 * another result of its dimension; several are separated by commas and must all hold. Blanks are
 * allowed between the parts. A result that a design does not have meets no condition. */
#ifndef AOLAG_EXPLORE_CONDITION_H
#define AOLAG_EXPLORE_CONDITION_H

#include <stdbool.h>

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

#define CONDITIONS_MAX 4
#define CONDITION_TEXT_MAX (2 * RESULT_PATH_MAX + 8)

/* That a design keeps up with its frames and its latency meets the target. */
#define CONDITIONS_DEFAULT "latency<=target_latency,load<=1"

enum relation { RELATION_AT_MOST, RELATION_AT_LEAST, RELATION_BELOW, RELATION_ABOVE };

struct condition {
    struct result_ref left;
    enum relation relation;
    bool against;            /* the right side is a result: */
    struct result_ref right; /* this one; else a constant: */
    double bound;            /* SI */
};

struct conditions {
    int count;
    struct condition list[CONDITIONS_MAX];
};

/* STATUS_INVALID says what is not a condition and what one is, names the nearest result or the unit
 * that would be right. The paths are looked up in an evaluated design. */
enum status conditions_parse(const struct scenario *scenario, const struct result *result,
                             const char *text, struct conditions *conditions, struct error *error);

/* What a condition compares, SI; RESULT_NONE where the design has no such value. */
double condition_left(const struct scenario *scenario, const struct result *result,
                      const struct condition *condition);
double condition_right(const struct scenario *scenario, const struct result *result,
                       const struct condition *condition);

/* How far a design is from meeting all conditions, the largest distance of any: 0 if it meets them,
 * else relative to the right side (if that is 0, in the result's unit); INFINITY without a value.
 */
double conditions_shortfall(const struct scenario *scenario, const struct result *result,
                            const struct conditions *conditions);

/* "latency <= 800 us"; at least CONDITION_TEXT_MAX bytes. */
void condition_print(const struct condition *condition, char *text, size_t size);

/* "latency <= 800 us and load <= 1". */
void conditions_print(const struct conditions *conditions, char *text, size_t size);

#endif
