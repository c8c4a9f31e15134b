/* How work starts on this machine, and how data gets in and out of it: the points of
 * dispatch_points.h, with real-time priority where that is permitted and without. */
#ifndef AOLAG_PROBE_DISPATCH_H
#define AOLAG_PROBE_DISPATCH_H

#include "probe/probe.h"

/* The program, which waits for work and sends and receives, runs on probe->core; what gives it work
 * runs on another core. On the loopback the kernel delivers a datagram on the core that sends it.
 * With one core nothing polls for another thread. Without sockets or real-time priority, what needs
 * them is left out and a point or condition says why; a peer that does not answer is STATUS_IO. */
enum status probe_dispatch(struct probe *probe, struct error *error);

#endif
