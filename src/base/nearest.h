/* The known name that is nearest to a mistyped or shortened one. Offer every candidate; `best` is
 * then the first of these that exists: a name one edit away, one that begins with the word, one
 * that contains it, the closest one. It is empty if only the last exists and differs in more than a
 * third of the word plus one letter. Distance: optimal string alignment (Damerau-Levenshtein
 * without repeated edits), ignoring case; of equal candidates the first offered wins. */
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
