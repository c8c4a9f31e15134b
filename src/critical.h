/* The critical path: what the last command had to wait for, walked back from it. Part of
 * evaluate. */
#ifndef AOLAG_CRITICAL_H
#define AOLAG_CRITICAL_H

#include "timeline.h"

/* Adds to part[node] the seconds, later than `after`, that each node's slots take on the path that
 * led to the last slot of `node`. Time waited for a queue counts with the transfer that waited. */
void critical_path(const struct track *tracks, int node, int packets, double after, double *part);

#endif
