/* Designs for tests of what is split over several devices. */
#ifndef AOLAG_SAMPLE_CLUSTER_H
#define AOLAG_SAMPLE_CLUSTER_H

#include "design/scenario.h"

/* Adds a GPU with the table's defaults on a host. */
void sample_board(struct scenario *scenario, const char *name, const char *host);

/* The chain of sample_chain, 152 slopes and 100 actuators in one packet, with boards gpu0 and gpu1
 * on rtc and gpu2 on another host, node; recon on `devices`, divided as `split` says. */
void sample_cluster(struct scenario *scenario, const char *devices, const char *split);

#endif
