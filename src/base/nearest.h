/* Finds the known name nearest to a mistyped or abbreviated one. Offer every candidate; `best` is
 * then the first that exists of: a name one edit away, one that begins with the word, one that
 * contains it, one that begins with the word of 7 letters or more without its last letter, one of 4
 * letters or more with which the word begins, the closest one. It is empty if only the last exists and
 * differs in more than a third of the word plus one letter, or in more than one letter of a word below
 * four. Distance: optimal string alignment (Damerau-Levenshtein without repeated edits), ignoring
 * case; the first of several equal candidates wins. */
#ifndef AOLAG_BASE_NEAREST_H
#define AOLAG_BASE_NEAREST_H

#define NEAREST_MAX 63 /* longer words and candidates are ignored */

struct nearest {
    const char *word;
    char best[NEAREST_MAX + 1];
    int distance;
    int fit; /* category of `best`, higher is better */
};

struct nearest nearest_to(const char *word);
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
