/* The Apex-MAP surface (Strohmaier and Shan, "Apex-Map: a global data access benchmark to analyze
 * HPC systems and parallel programming paradigms", SC 2005): the time of an access to a word of
 * memory against how often places are visited again (alpha) and how many words are read one after
 * the other (L). */
#ifndef AOLAG_PROBE_APEXMAP_H
#define AOLAG_PROBE_APEXMAP_H

#include <stddef.h>
#include <stdint.h>

#include "probe/probe.h"

#define APEXMAP_WORD 8 /* B */

/* Draws where `count` blocks begin, in words: floor(u^(1/alpha) (words/block - 1)) block, so within
 * [0, words - block]. alpha 1: uniform; towards 0 the beginning of the memory is visited more and
 * more. u is uniform in (0, 1); each of `count` equal parts of it gives one value, in random order,
 * so that few draws follow the distribution already. At most 2^32 words, `block` at most `words`.
 */
void apexmap_starts(uint32_t *starts, size_t count, size_t words, size_t block, double alpha,
                    uint64_t *state);

/* Adds the points "apex": alpha 1, 0.5, … 0.001; L 1, 4, … 65536 up to a quarter of the words; M of
 * 512 MiB or `largest`, in a full run also of the sizes of caches.
 *
 * Starts are drawn in batches outside of the time: 8 KiB of numbers at most, which lie in the first
 * cache when they are used. A start reads one of them besides its block: with L = 1 both reads take
 * about one cycle together where the word is in the first cache too. What timing a batch costs,
 * measured without a start, is taken off. Caches are brought near the state that they keep before a
 * point: the memory is read towards its beginning, then 80 MiB by drawn blocks. */
enum status probe_apexmap(struct probe *probe, struct error *error);

#endif
