/* The best partition of devices among their components (sharing = partition).
 *
 * A pattern search over shares in thousandths, 0 being automatic (components that run one after the
 * other may then each use the whole device), from several starts. Moves change one share, transfer
 * from one or from all others to one, or change several in random directions (the same on every
 * machine); they shrink from 256 thousandths to one. Which shares are automatic is part of the
 * search: all combinations of up to five, else toggled by moves. The latency is not convex, so the
 * result may be a local minimum; it is never worse than the design's own partition, the first
 * start. */
#ifndef AOLAG_EXPLORE_SHARES_H
#define AOLAG_EXPLORE_SHARES_H

#include "explore/candidate.h"

struct share {
    int component;
    double present; /* in force */
    double best;    /* to be stated; 0: to be automatic */
};

struct share_split {
    int device; /* whose; -1: of all devices at once */
    int count;  /* components that divide it; 0: nothing there is to be divided */
    struct share share[COMPONENT_MAX];
    double gain; /* s of latency, 0: the design's division is as good as any found */
    struct performance after;
};

/* The best division of one device, or (-1) of all; in the first case only where the device has two
 * components at least, in the second only where two devices have. STATUS_STOPPED with the best
 * found until then. */
enum status shares_best(const struct step_search *steps, int device, struct share_split *split,
                        struct error *error);

/* Whether a change of that component's share belongs to the split. */
bool share_changes(const struct scenario *design, const struct share *share);

/* The share as knob_set_text takes it. */
void share_text(const struct share *share, char *text, size_t size);

#endif
