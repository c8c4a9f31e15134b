/* aolag rank: every preset of a kind in the place of a device. */
#ifndef AOLAG_REPORT_RANK_H
#define AOLAG_REPORT_RANK_H

#include "explore/rank.h"
#include "report/record.h"

/* What was asked and found. */
struct ranking {
    const struct scenario *scenario;
    const struct device *device;
    enum rank_order order;
    struct rank rank;
    struct error problem; /* of the present design */
    double latency;       /* of it, s */
    bool overloaded;
    const char *moved; /* the component an added device runs; NULL: it is the design's own */
    char own[400];     /* keys a preset clears */
};

void rank_report(struct record *record, const struct ranking *ranking);

#endif
