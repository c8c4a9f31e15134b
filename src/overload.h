/* Everything of a design that cannot keep up with its frames. */
#ifndef AOLAG_OVERLOAD_H
#define AOLAG_OVERLOAD_H

#include "result.h"
#include "scenario.h"

enum { OVERLOAD_MAX = 16 };

struct overload {
    const char *name; /* of a component, device or link; the result's or the scenario's */
    double busy;      /* s per frame */
};

/* Those that are busy for longer than a frame, the largest first, at most OVERLOAD_MAX; returns how
 * many there are. A device or link that only one of them keeps busy is not named beside it. The
 * result is of this scenario. */
int overloads(const struct scenario *scenario, const struct result *result,
              struct overload list[OVERLOAD_MAX]);

#endif
