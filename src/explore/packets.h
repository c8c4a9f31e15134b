/* The number of packets that makes the latency least. Every number there is, 1 to PACKETS_MAX, is
 * evaluated: the latency jumps with the rows that a packet completes, so nothing less would know.
 */
#ifndef AOLAG_PACKETS_H
#define AOLAG_PACKETS_H

#include "progress.h"
#include "trial.h"

#define PACKETS_NEAR 1.01 /* the factor that `fewest` may be slower */

struct packet_count {
    int packets; /* 0: with no number the design keeps up */
    double gain; /* s of latency */
    struct verdict after;
};

struct packets {
    int present;
    int tried;                  /* numbers from 1 on; all but after STATUS_STOPPED */
    struct packet_count best;   /* of those that keep up; the least of equals */
    struct packet_count fewest; /* the least number whose latency is within a hundredth of that */
};

/* `now`: what the design comes to. STATUS_STOPPED with the best of those tried. */
enum status packets_best(const struct scenario *design, const struct verdict *now,
                         struct trial *trial, const struct progress *progress,
                         struct packets *packets, struct error *error);

#endif
