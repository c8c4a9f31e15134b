/* The number of packets that makes the latency least. Every number there is, 1 to PACKETS_MAX, is
 * evaluated: the latency jumps with the rows that a packet completes, so nothing less would know.
 */
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

struct packets {
    int present;
    int tried;                  /* numbers from 1 on; all but after STATUS_STOPPED */
    struct packet_count best;   /* of those that keep up; the least of equals */
    struct packet_count fewest; /* the least number whose latency is within a hundredth of that */
};

/* `now`: what the design comes to. STATUS_STOPPED with the best of those tried. */
enum status packets_best(const struct scenario *design, const struct performance *now,
                         struct candidate *trial, const struct progress *progress,
                         struct packets *packets, struct error *error);

/* Advice on a design: which single change buys most, and what it takes to meet the target.
 *
 * It comes in parts, each by many evaluations of changed copies of the design (steps.h, reach.h,
 * shares.h, packets.h), the quickest first. */

enum advise_part { ADVISE_STEPS, ADVISE_TARGET, ADVISE_SHARES, ADVISE_PACKETS, ADVISE_PARTS };

struct advise {
    const struct part_values *part_values;
    struct candidate *design; /* as it is: its scenario and result, neither of which is changed */
    struct candidate *trial;
    struct performance now;
    struct advice_list choices; /* of parts and settings, ranked */
    struct advice_list given; /* of the instrument and of properties: how sensitive it is to them */
    struct meet_target target;
    int split_count; /* of devices with two components at least, then that of all together */
    struct share_split split[DEVICE_MAX + 1];
    struct packets packets;
};

/* Takes a copy of the design and evaluates it; the part_values has to last as long. STATUS_INVALID
 * as evaluate; STATUS_MEMORY. */
enum status advise_new(struct advise **advise, const struct scenario *scenario,
                       const struct part_values *part_values, struct error *error);
void advise_free(struct advise *advise);

/* What a part is called while it is being found: "packets". */
const char *advise_part_name(enum advise_part part);

/* Finds one part; nothing of the others is read or written. STATUS_STOPPED with what was found
 * until then; STATUS_MEMORY. */
enum status advise_find(struct advise *advise, enum advise_part part,
                        const struct progress *progress, struct error *error);

#endif
