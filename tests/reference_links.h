/* Ports, copies and mirrors again, slow and obviously right: when packets of a camera arrive, what
 * a transfer costs. */
#ifndef AOLAG_REFERENCE_LINKS_H
#define AOLAG_REFERENCE_LINKS_H

#include "reference_plan.h"

/* Queues of a host. */
enum { PORT_OUT, PORT_IN, BOARDS_IN, BOARDS_OUT, CARDS_OUT, HOST_QUEUES };
#define REFERENCE_QUEUES (DEVICE_MAX * HOST_QUEUES)

struct reference_camera {
    int host;          /* -1: none */
    bool network;      /* its data come through the host's network port */
    bool by_kernel;    /* the host is woken up for it */
    double readout;    /* s, of the longest of sensor, interface and port */
    double wire;       /* s that it keeps the port busy */
    double latency;    /* s from the last datagram handled to data available */
    double each;       /* s of the receiving core per datagram */
    double copy;       /* s of it per frame, in the latency */
    double start;      /* s from the start of a frame to that of its readout */
    double *gone;      /* [packets], fraction of the readout after which a packet has left */
    bool at_once;      /* only the last datagram counts */
    double *datagrams; /* [packets], of a sensor */
};

struct reference_link {
    double enqueue; /* s of the host's thread for the GPU `thread` */
    struct reference_place thread;
    double delay;   /* s before it asks for its queues */
    double *hold;   /* [packets], s */
    double latency; /* s from its release of the queues to the arrival */
    int queue[2];   /* host * HOST_QUEUES + queue; -1: none */
};

void reference_camera_make(const struct scenario *scenario, const struct reference_plan *plan,
                           int node, struct reference_camera *camera);
void reference_link_make(const struct scenario *scenario, const struct reference_plan *plan,
                         int node, struct reference_link *link);

/* Times of the frame's packets from the start of its readout: last bytes on the wire. */
double reference_arrival(const struct reference_camera *camera, int packet, int packets);

/* When the receiving core has handled a packet; `before` is when it had the one before. */
double reference_handled(const struct reference_camera *camera, int packet, int packets,
                         double before);

/* s of a hand-over on a host; 0 where processes are not separate. */
double reference_handover(const struct scenario *scenario, int host);

/* s of the host's thread per kernel, or per graph, of a GPU; 0: no queue. */
double reference_enqueue(const struct device *device);

/* Whether transfers and network cameras wake a host up. */
bool reference_kernel_ingress(const struct scenario *scenario, int host);

#endif
