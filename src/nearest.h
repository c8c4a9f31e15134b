/* The nearest known name to a mistyped one. Offer every candidate; `best` is then the closest, or
 * empty when none is close enough to be worth suggesting (more than a third of the word and a letter
 * differ). Distance: optimal string alignment (Damerau-Levenshtein without repeated edits), capitals
 * aside; of equals the first offered wins. */
#ifndef AOLAG_NEAREST_H
#define AOLAG_NEAREST_H

#define NEAREST_MAX 63 /* longer words and candidates are passed over */

struct nearest {
    const char *word;
    char best[NEAREST_MAX + 1];
    int distance;
};

struct nearest nearest_to(const char *word);
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
