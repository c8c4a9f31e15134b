/* The structure of a design: its components in the order of the data flow, the parts of those split
 * over devices, the transfers inserted where neighbours run on different devices, and the queues
 * these occupy. No sizes, no times. Part of evaluate. */
#ifndef AOLAG_MODEL_PLAN_H
#define AOLAG_MODEL_PLAN_H

#include <stdbool.h>

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

/* A hop of an inserted transfer. */
enum hop { HOP_NONE, HOP_PCIE, HOP_NETWORK };

/* A component split over several devices has a node NAME@DEVICE for each, in the order of the file,
 * and before them one under its own name, the whole, which only stands for them in a result: it
 * follows nothing and nothing follows it. */
struct plan_node {
    int component; /* -1: inserted */
    enum component_type type;
    int device;   /* -1: none */
    int wfs;      /* -1: none */
    int producer; /* inserted: the node whose output it carries */
    int consumer; /* inserted: the component it was inserted for */
    int parts;    /* of a split component, else 0 */
    int part;   /* which of them, also of that an inserted transfer feeds; -1: whole or not split */
    int pieces; /* of what it would get or carry were nothing split it has one of so many; 1 */
    enum hop hop;
    int from, to; /* devices at the ends of a hop, a transfer or a mirror's link; -1: outside */
    int queue[2];
    bool command; /* its end is a command leaving: it feeds a mirror, without mirrors nothing */
    bool leads;   /* to a command, or is one */
    int before_first, before_count; /* predecessors: pool[before_first...] */
    char name[NODE_NAME_MAX + 1];
};

/* The structure as stated, from which the plan was made (see plan_update), and what it implies. */
struct plan_component {
    char name[NAME_MAX_LENGTH + 1];
    int type, link;
    int stated_wfs, split;
    uint32_t stated_devices;
    struct component_set stated_after;
    int wfs, device; /* -1: none; the first of several devices */
    uint32_t devices;
    uint64_t before;
};

struct plan_device {
    char name[NAME_MAX_LENGTH + 1];
    int kind, host_link;
    int stated_host;
    int host;
};

#define PLAN_POOL (8 * NODE_MAX)

struct plan {
    bool valid;
    bool divides; /* some component runs on several devices */
    int wfs_count, device_count, component_count;
    int wfs_kind[WFS_MAX];
    struct plan_component component[COMPONENT_MAX];
    struct plan_device device[DEVICE_MAX];

    int count;
    struct plan_node node[NODE_MAX];
    int pool[PLAN_POOL], pool_used;
    int node_of[COMPONENT_MAX]; /* the first part's, where there are parts; the others follow */
    int queue_users[LINK_MAX];
    bool queued; /* some queue has several users */
};

#define NO_QUEUE (-1)

/* Whether components of the type work for one sensor. */
static inline bool plan_type_senses(enum component_type type)
{
    return type == COMPONENT_CAMERA || type == COMPONENT_CALIBRATION ||
           type == COMPONENT_DESCRAMBLE || type == COMPONENT_CENTROID || type == COMPONENT_PYRAMID;
}

static inline bool plan_node_is_whole(const struct plan_node *node)
{
    return node->parts > 0 && node->part < 0;
}

/* Rebuilds the plan if the structure changed; `rebuilt` is then set, else left as it is.
 * STATUS_INVALID names the section and key: no device, no sensor, sensor of the wrong kind, a host
 * that is no CPU, a cycle, a split that cannot be. */
enum status plan_update(struct plan *plan, const struct scenario *scenario, bool *rebuilt,
                        struct error *error);

/* The device whose PCIe link a hop uses: the GPU at its end or, of two hosts, the one it leaves. */
int plan_hop_board(const struct plan *plan, const struct plan_node *node);

/* "rtc.nic.out", "gpu0.pcie.in". */
void plan_queue_name(const struct scenario *scenario, int queue, char *text, size_t size);

#endif
