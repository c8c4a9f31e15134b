/* The structure of a design: its components in data-flow order, the parts of components split over
 * devices, the transfers inserted between neighbours on different devices, and the queues that
 * these use. No sizes, no times. Part of evaluate. */
#ifndef AOLAG_MODEL_PLAN_H
#define AOLAG_MODEL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

/* Hop of an inserted transfer: between a board and its host, two boards of a host, two hosts. */
enum hop { HOP_NONE, HOP_PCIE, HOP_PEER, HOP_NETWORK };

#define UNIT_MAX (DEVICE_MAX * DEVICE_COUNT_MAX)

/* A node: a component, a part or an inserted transfer. A component split over several devices has a
 * node NAME@DEVICE for each (NAME@DEVICE.1, NAME@DEVICE.2, ... for identical ones), in the order of
 * the file, and before them a node with its own name, the whole, which only represents them in a
 * result: it has no predecessors and no successors. */
struct plan_node {
    int component; /* -1: inserted transfer */
    enum component_type type;
    int device;     /* -1: none */
    int unit;       /* of all devices, identical ones counted; -1: none */
    int board_unit; /* of the board at an end of a hop over PCIe; -1: none */
    int depth;      /* nodes on the longest path from a camera to it, both included */
    int wfs;        /* -1: none */
    int producer;   /* inserted transfer: node whose output it carries */
    int consumer;   /* inserted transfer: component that receives it */
    int parts;      /* number of parts of a split component, else 0 */
    int part;   /* index of the part, or of the part that an inserted transfer feeds; -1: none */
    int pieces; /* number of pieces of the unsplit data, of which it gets or carries one */
    enum hop hop;
    int from, to; /* devices at the ends of a hop, transfer or mirror link; of a camera, `to` is the
                     host that it feeds; -1: outside */
    int queue[2];
    bool
        command; /* its end is a command: a mirror or, without mirrors, a node that feeds nothing */
    bool leads_to_command; /* leads to a command or sends one */
    bool measured;         /* a centroid, pyramid or reconstruction is behind it */
    uint64_t behind;       /* components before it, directly or not: bit i for component i */
    int before_first, before_count; /* predecessors start at pool[before_first] */
    char name[NODE_NAME_MAX + 1];
};

/* The stated structure from which the plan was built (see plan_update), and derived values. */
struct plan_component {
    char name[NAME_MAX_LENGTH + 1];
    int type, link;
    int stated_wfs, split;
    uint32_t stated_devices;
    struct component_set stated_after;
    int wfs, device; /* -1: none; the first of several */
    uint32_t devices;
    uint64_t before;
};

struct plan_device {
    char name[NAME_MAX_LENGTH + 1];
    int kind, host_link, peer_link;
    double count;
    int stated_host;
    int host;
    int first_unit, units;
};

#define PLAN_POOL (8 * NODE_MAX)

struct plan {
    bool valid;
    bool divides; /* a component runs on several devices */
    int units;    /* of all devices */
    int wfs_count, device_count, component_count;
    int wfs_kind[WFS_MAX];
    struct plan_component component[COMPONENT_MAX];
    struct plan_device device[DEVICE_MAX];

    int count;
    struct plan_node node[NODE_MAX];
    int pool[PLAN_POOL], pool_used;
    int node_of[COMPONENT_MAX]; /* node of a component or its first part; the other parts follow */
    int queue_users[QUEUE_MAX];
    bool queued; /* a queue has several users */
};

/* Queues of a host: to and from its boards, network ports, and cards that drive mirrors. */
enum queue_end {
    QUEUE_TO_BOARDS,
    QUEUE_FROM_BOARDS,
    QUEUE_NETWORK_IN,
    QUEUE_NETWORK_OUT,
    QUEUE_CARDS,
    QUEUE_ENDS
};

int plan_queue(int host, enum queue_end end);

#define NO_QUEUE (-1)

/* Returns true if components of the type process data of one sensor. */
static inline bool plan_type_senses(enum component_type type)
{
    return type == COMPONENT_CAMERA || type == COMPONENT_CALIBRATION ||
           type == COMPONENT_DESCRAMBLE || type == COMPONENT_CENTROID || type == COMPONENT_PYRAMID;
}

static inline bool plan_node_is_whole(const struct plan_node *node)
{
    return node->parts > 0 && node->part < 0;
}

/* Rebuilds the plan if the structure changed and sets `rebuilt` in that case. Returns
 * STATUS_INVALID and names section and key: no device, no sensor, wrong kind of sensor, a host that
 * is not a CPU, a cycle, an impossible split. */
enum status plan_update(struct plan *plan, const struct scenario *scenario, bool *rebuilt,
                        struct error *error);

/* Returns the device whose PCIe link a hop uses: the GPU at its end or the first of two hosts. */
int plan_hop_board(const struct plan *plan, const struct plan_node *node);

/* Returns the number of parts into which a component is split, else 1. */
int plan_parts(const struct plan *plan, int component);

/* Writes the name of a queue: "rtc.nic.out", "rtc.to-boards". */
void plan_queue_name(const struct scenario *scenario, int queue, char *text, size_t size);

#endif
