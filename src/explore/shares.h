/* The best division of devices among their components (sharing = partition).
 *
 * Shares are searched in thousandths, 0 being the automatic one, of which several components that
 * work one after the other may each have the whole: a pattern search from several starts. Around
 * the best so far it moves one share up and down, a part of one to another, to one from all others
 * and, in directions drawn at random (the same on every machine), several at once, by 256
 * thousandths first and by one at last. Which shares are automatic is part of the search: of up to
 * five every combination is tried, of more each may become automatic or stated as it goes. The
 * latency has kinks and several local minima, so the global one is not guaranteed; the result is
 * never worse than the design's own division, from which the search starts. */
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
