/* The nearest known name to a mistyped or shortened one. Offer every candidate; `best` is then, in
 * this order, one that is a single slip away; one that begins with the word; one that holds it; the
 * closest. It is empty when none of these is there and more than a third of the word and a letter
 * differ. Distance: optimal string alignment (Damerau-Levenshtein without repeated edits), capitals
 * aside; of equals the first offered wins. */
#ifndef AOLAG_BASE_NEAREST_H
#define AOLAG_BASE_NEAREST_H

#define NEAREST_MAX 63 /* longer words and candidates are passed over */

struct nearest {
    const char *word;
    char best[NEAREST_MAX + 1];
    int distance;
    int fit; /* which of them `best` is, higher is better */
};

struct nearest nearest_to(const char *word);
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
