/* Advice on a design: which single change gains most, what meets the target, the best division of
 * devices and the best number of packets.
 *
 * It comes in parts, each by many evaluations of changed copies of the design (steps.h,
 * meet_target.h, shares.h), the quickest first. */
#ifndef AOLAG_EXPLORE_ADVISE_H
#define AOLAG_EXPLORE_ADVISE_H

#include "base/progress.h"
#include "explore/meet_target.h"
#include "explore/shares.h"
#include "explore/steps.h"

#define PACKETS_NEAR 1.01 /* the factor that `fewest` may be slower */

struct packet_count {
    int packets; /* 0: with no number the design keeps up */
    double gain; /* s of latency */
    struct performance after;
};

/* The number of packets with the least latency. Every number there is, 1 to PACKETS_MAX, is
 * evaluated: the latency jumps with the rows that a packet completes. */
struct packets {
    int present;
    int tried;                  /* numbers from 1 on; all but after STATUS_STOPPED */
    struct packet_count best;   /* of those that keep up; the least of equals */
    struct packet_count fewest; /* the least number whose latency is within a hundredth of that */
};

enum advise_part { ADVISE_STEPS, ADVISE_TARGET, ADVISE_SHARES, ADVISE_PACKETS, ADVISE_PARTS };

struct advise {
    const struct part_values *values;
    struct candidate *design; /* as it is: its scenario and result, neither of which is changed */
    struct candidate *candidate; /* for changed copies */
    struct performance now;
    struct advice_list choices; /* of hardware and software, ranked */
    struct advice_list given;   /* of the instrument and of assumptions, by sensitivity */
    struct meet_target target;
    int split_count; /* of devices with two components at least, then that of all together */
    struct share_split split[DEVICE_MAX + 1];
    struct packets packets;
};

/* Takes a copy of the design and evaluates it; the part_values has to last as long. STATUS_INVALID
 * as evaluate; STATUS_MEMORY. */
enum status advise_new(struct advise **advise, const struct scenario *scenario,
                       const struct part_values *values, struct error *error);
void advise_free(struct advise *advise);

/* The name of a part, while it is being found: "packets". */
const char *advise_part_name(enum advise_part part);

/* Finds one part, independently of the others. STATUS_STOPPED with what was found until then;
 * STATUS_MEMORY. */
enum status advise_find(struct advise *advise, enum advise_part part,
                        const struct progress *progress, struct error *error);

#endif
