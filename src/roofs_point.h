/* One component under the roofs of its device. Part of roofs. */
#ifndef AOLAG_ROOFS_POINT_H
#define AOLAG_ROOFS_POINT_H

#include "roofs.h"

/* Of a node that runs on a device: its work before the command is out, or what is deferred. */
void roofs_point(const struct scenario *scenario, const struct result *result, int node,
                 bool deferred, struct roof_point *point);

#endif
