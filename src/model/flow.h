/* The flow of data: what every stream carries, what that takes of ports, links, memories and disks, and
 * which of them do not suffice. evaluate does not compute it, and no time depends on it.
 *
 * Streams of the pipeline are those of the plan; telemetry and new matrices are in the background:
 * - A stream occupies a camera link with its payload, a network port with its datagrams, a PCIe or peer
 *   link for the time of its bytes.
 * - A memory carries what its components read and write and no cache serves, and all that arrives
 *   through a link or leaves through one, once each. That of a board which shares the memory of its host
 *   (host_link = unified) carries and holds what both do; its bandwidth and size are the board's.
 * - Recorded data go from where they arise to the host that records: in its memory they are written
 *   once and read by the disk once. A computer that is not in the design records behind the network.
 * - A new matrix, the working set of a reconstruction, comes from the host that computes it or from the
 *   network, and is written beside the present one.
 * - A memory holds the working sets of its components, second copies of matrices that are updated, two
 *   frames of each camera of a host, and what the recording host buffers.
 * Rates are averages: bursts are what evaluate is for. */
#ifndef AOLAG_MODEL_FLOW_H
#define AOLAG_MODEL_FLOW_H

#include <stdbool.h>

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

enum flow_kind {
    FLOW_PIXELS,   /* raw or calibrated */
    FLOW_SLOPES,   /* or intensities of pupil pixels */
    FLOW_VECTORS,  /* what a reconstruction or a custom component passes on */
    FLOW_COMMANDS, /* what control passes on, and what mirrors get */
    FLOW_TELEMETRY,
    FLOW_UPDATES
};

/* "pixels", "slopes", "vectors", "commands", "telemetry", "updates". */
const char *flow_kind_name(enum flow_kind kind);

/* An end of a stream that is no device: a camera, a mirror, a computer outside the design. */
#define FLOW_OUTSIDE (-1)

struct flow_stream {
    enum flow_kind kind;
    char name[NODE_NAME_MAX + 1]; /* of its camera, transfer or mirror; "slopes" of telemetry;
                                     producer>consumer on one device */
    int from, to;                 /* devices, or FLOW_OUTSIDE */
    double bytes;                 /* each time */
    double rate;                  /* Hz */
};

enum flow_part {
    FLOW_CAMERA_LINK, /* of one of the identical cameras */
    FLOW_PORT,        /* network, one direction */
    FLOW_LINK,        /* PCIe or peer link of a host or device, one direction */
    FLOW_MEMORY,      /* bandwidth; of identical devices the busiest */
    FLOW_SIZE,        /* of a memory; of identical devices the fullest */
    FLOW_DISK
};

/* Something that carries or holds data. Amounts are B/s, of FLOW_SIZE B. */
struct flow_resource {
    enum flow_part part;
    int device;                       /* -1: a disk outside the design, the link of a camera */
    char name[NODE_NAME_MAX + 1 + 8]; /* "camera.link", "rtc.nic.in", "gpu0.memory", "disk" */
    bool outward;                     /* a port, for what leaves its host */
    double demand;
    double background; /* part of that which telemetry and updates are */
    double capacity;   /* RESULT_NONE: not stated */
    double load;       /* demand over capacity, of a link with boards of several rates the part of the
                          time; RESULT_NONE */
    double background_load;
    int shared_with; /* of a board's memory: the host whose pipeline uses it too, -1: none */
};

/* Returns the flow of data of a result, computed when it is asked for first, before the next evaluate.
 * Without a scenario, which has to be the one of the result, it is only looked up: all RESULT_NONE if
 * it is not known. */
const struct flow_result *result_flow(const struct scenario *scenario,
                                      const struct result *result);

struct flow {
    int stream_count, resource_count;
    int stream_room, resource_room;
    struct flow_stream *stream;     /* in the order of the data, background last */
    struct flow_resource *resource; /* in the order of enum flow_part */
    struct flow_result total;
};

/* Computes the flow of a result that evaluate accepted last. `flow` is zeroed or was filled
 * before. */
void flow_fill(struct flow *flow, const struct scenario *scenario, const struct result *result);
void flow_free(struct flow *flow);

/* Returns the time per frame, s, on the wire of what leaves a host of an evaluated design for others. */
double flow_wire_time(const struct result *result, int device);

/* Returns true if a port, link, memory or disk cannot carry or hold what it has to. */
static inline bool flow_overloaded(const struct flow_resource *resource)
{
    return resource->load != RESULT_NONE && resource->load > 1 + 1e-12;
}

/* Returns true if evaluate may not know it: it counts the pipeline alone, and of a memory that a
 * host and its board share what they do at the same time, in one frame. */
static inline bool flow_overload_unseen(const struct flow_resource *resource)
{
    return flow_overloaded(resource) &&
           (resource->shared_with >= 0 || resource->load - resource->background_load <= 1 + 1e-12);
}

/* Returns the unit in which people state an amount of a resource, networks in b/s, and the factor by which
 * the amount is multiplied. */
const char *flow_unit(const struct flow_resource *resource, double *factor);

/* Writes what is too slow or too small: "device.rtc.nic: 60.2 Gb/s enter its port, which carries 50.0
 * Gb/s"; begins with the knob that states the capacity. */
void flow_sentence(const struct scenario *scenario, const struct flow_resource *resource,
                   char *text, size_t size);

#endif
