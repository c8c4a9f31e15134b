/* The Apex-MAP surface (Strohmaier and Shan, "Apex-Map: a global data access benchmark to analyze
 * HPC systems and parallel programming paradigms", SC 2005): the time of an access to a word of
 * memory against how often places are visited again (alpha) and how many words are read one after
 * the other (L). How it is measured, and how its points are taken from a measurement or a file. */
#ifndef AOLAG_PROBE_APEXMAP_H
#define AOLAG_PROBE_APEXMAP_H

#include "base/problems.h"
#include "probe/probe.h"

/* Measuring ------------------------------------------------------------------------------------ */

/* Draws where `count` blocks begin, in words: floor(u^(1/alpha) (words/block - 1)) block, so within
 * [0, words - block]. alpha 1: uniform; towards 0 the beginning of the memory is visited more and
 * more. u is uniform in (0, 1); each of `count` equal parts of it gives one value, in random order,
 * so that few draws follow the distribution already. At most 2^32 words, `block` at most `words`.
 */
void apexmap_starts(uint32_t *starts, size_t count, size_t words, size_t block, double alpha,
                    uint64_t *state);

/* Adds the points "apex": alpha 1, 0.5, ... 0.001; L 1, 4, ... 65536 up to a quarter of the words;
 * M of 512 MiB or `largest`, in a full run also of the sizes of caches.
 *
 * Starts are drawn in batches outside of the time: 8 KiB of numbers at most, which lie in the first
 * cache when they are used. A start reads one of them besides its block: with L = 1 both reads take
 * about one cycle together where the word is in the first cache too. What timing a batch costs,
 * measured without a start, is taken off. Caches are brought near the state that they keep before a
 * point: the memory is read towards its beginning, then 80 MiB by drawn blocks. */
enum status probe_apexmap(struct probe *probe, struct error *error);

/* Points of a surface -------------------------------------------------------------------------- */

#define SURFACE_WORD 8.0         /* B, where nothing else is stated, and of what is measured here */
#define SURFACE_SIZE 536870912.0 /* B, where nothing else is stated */
#define SURFACE_HELD_LEAST 2048.0 /* words of M; no model can be fitted to less */

/* T at alpha, L and M. */
struct surface_point {
    double alpha;   /* locality, above 0: 1 uniform, below 1 reuse */
    double block;   /* L, words, 1 to M */
    double held;    /* M, words */
    double seconds; /* T of one access, above 0 */
};

enum surface_origin { SURFACE_IN_COLUMN, SURFACE_GIVEN, SURFACE_IN_COMMENT, SURFACE_ASSUMED };

struct surface {
    struct surface_point *point;
    int count;                       /* at least 1 */
    double word;                     /* B */
    double least_held, most_held;    /* M, words */
    enum surface_origin word_origin; /* never SURFACE_IN_COLUMN */
    enum surface_origin held_origin;
};

/* What a caller states of a file that does not state it, B; 0: nothing. */
struct surface_given {
    double size, word;
};

/* Reads a CSV file. Columns are identified by their names, others are ignored:
 *
 *     alpha                          locality
 *     L, block_words                 words of a block
 *     ns_per_access, samples_s       T; of several samples with blanks between the least counts
 *     M, M_words, size_bytes         what is accessed in all; may be missing
 *     part, cores                    may be missing; rows of other parts than apex, of more than
 *                                    one core or without samples are ignored
 *
 * A comment "# size: 512 MiB" or "# word: 8 B" states what the columns do not. What neither states
 * is assumed: 64-bit words, 67 108 864 of them (512 MiB).
 *
 * STATUS_INVALID lists every problem with its line: a missing column, what a field may be, a size
 * that is given twice. `problems` begins empty. On failure there is nothing to free; surface_free
 * accepts a zeroed struct. */
enum status surface_parse(const char *bytes, size_t length, const struct surface_given *given,
                          struct surface *surface, struct problems *problems);

/* The points of the part apex of one core, each with its least sample. STATUS_INVALID: there are
 * none. */
enum status surface_from_measurement(const struct measurement *measurement, struct surface *surface,
                                     struct error *error);
void surface_free(struct surface *surface);

#endif
