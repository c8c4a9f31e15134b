/* What takes most of the time of a component, transfer or mirror. Part of evaluate. */
#ifndef AOLAG_MODEL_BOUND_H
#define AOLAG_MODEL_BOUND_H

#include "model/result.h"
#include "model/stage.h"

struct bound_at {
    enum bound bound;
    int device; /* whose resource that is; -1: none */
    enum port_part port; /* of BOUND_PORT */
};

/* Returns what takes most of a node's time in a frame: of its time on its device, where delays
 * count for nothing, or of that from its request to the arrival of its data. */
struct bound_at bound_of_node(const struct workspace *work, int node);

/* Returns what takes most of the busy time of a step of the critical path, delays included. */
struct bound_at bound_of_step(const struct workspace *work, const struct path_step *step);

/* Returns the kind of link that a transfer or mirror of a result that was just evaluated uses:
 * "PCIe", "NVLink", "network"; "" for other nodes and between devices of no host. */
const char *bound_link_name(const struct result *result, int node);

#endif
