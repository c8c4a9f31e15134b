/* Search for the best partition of devices among their components (sharing = partition).
 *
 * A pattern search over shares in thousandths from several starts; 0 means automatic (components
 * that run one after the other may then each use the whole device). Moves change one share,
 * transfer from one or all others to one, or change several in random directions (the same on every
 * machine); the move size shrinks from 256 thousandths to one. The set of automatic shares is part
 * of the search: all combinations for up to five components, otherwise toggled by moves. The
 * latency is not convex, so the result may be a local minimum; it is never worse than the present
 * partition, which is the first start. */
#ifndef AOLAG_EXPLORE_SHARES_H
#define AOLAG_EXPLORE_SHARES_H

#include "explore/trial.h"

struct share {
    int component;
    double present; /* value in force */
    double best;    /* value to state; 0: automatic */
};

struct share_split {
    int device; /* -1: all devices at once */
    int count;  /* components that share a device; 0: nothing to partition */
    struct share share[COMPONENT_MAX];
    double gain; /* latency reduction in s; 0: none found with a practical difference (compare.h) */
    struct performance after;
};

/* Finds the best partition of one device, which must have at least two components, or of all (-1),
 * which requires two such devices, of a trial that has started; none if that is stopped. */
void shares_best(struct trial *trial, int device, struct share_split *split);

/* Returns true if the split changes the share of the component. */
bool share_changes(const struct scenario *design, const struct share *share);

/* Formats the share for knob_set_text. */
void share_text(const struct share *share, char *text, size_t size);

#endif
