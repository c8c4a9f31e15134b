/* Work and busy times of nodes, devices and links, the maximum frame rate and overload: fills the
 * result from finished stages before the timeline runs. Part of evaluate. */
#ifndef AOLAG_MODEL_LOAD_H
#define AOLAG_MODEL_LOAD_H

#include "design/scenario.h"
#include "model/result.h"
#include "model/stage.h"

/* Fills in loads. With partition a device is busy for the sum of its components' busy times,
 * weighted by their shares, and components can be overloaded themselves; with exclusive and fluid
 * sharing the device does the work of all, including fixed times only with exclusive. `again`: only
 * factors of times differ from those of the last call; of nodes only the busy times are set. */
void load_fill(const struct scenario *scenario, struct workspace *work, bool again,
               struct result *result);

enum { OVERLOAD_MAX = 16 };

struct overload {
    const char *name; /* name of a component, device or link, owned by result or scenario */
    double busy;      /* s per frame */
    double load;      /* busy / frame period, above 1 */
};

/* Lists components, devices and links that are busy for longer than a frame period, the largest
 * first, at most OVERLOAD_MAX; returns their number. A device or link that only one listed
 * component keeps busy is omitted. The result must be of this scenario. */
int load_list_overloads(const struct scenario *scenario, const struct result *result,
                        struct overload list[OVERLOAD_MAX]);

#endif
