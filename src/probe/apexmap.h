/* The Apex-MAP surface (Strohmaier and Shan, "Apex-Map: a global data access benchmark to analyze
 * HPC systems and parallel programming paradigms", SC 2005): the access time per word as a function
 * of temporal locality (alpha) and block length (L); its measurement, and its points read from a
 * measurement or a file. */
#ifndef AOLAG_PROBE_APEXMAP_H
#define AOLAG_PROBE_APEXMAP_H

#include "base/problems.h"
#include "probe/probe.h"

/* Measuring ------------------------------------------------------------------------------------ */

/* Draws `count` block starts, in words: floor(u^(1/alpha) (words/block - 1)) block, thus within [0,
 * words - block], with u uniform in (0, 1). With alpha 1 the starts are uniform; towards 0 they
 * concentrate at the beginning of the memory. Sampling is stratified: each of `count` equal
 * intervals of u gives one value, in random order, so that few draws already follow the
 * distribution. At most 2^32 words; `block` is at most `words`. */
void apexmap_starts(uint32_t *starts, size_t count, size_t words, size_t block, double alpha,
                    uint64_t *state);

/* Adds the points "apex": alpha 1, 0.5, ... 0.001; L 1, 4, ... 65536 up to a quarter of the words;
 * M of 512 MiB or `largest`, in a full run also the cache sizes. Then, in a full run and with
 * several cores, the largest M again with all cores at once, as in parallel Apex-MAP: each draws its
 * own starts in the memory that all share and have written, and the time is that of the slowest.
 *
 * Starts are drawn in untimed batches of at most 8 KiB, which stay in the first-level cache while
 * in use. Each start costs one read in addition to its block: with L = 1 both reads take about one
 * cycle together if the word is in that cache too. The overhead of timing a batch, measured with an
 * empty one, is subtracted. Before a point the caches are brought close to their steady state: the
 * memory is read towards its beginning, then 80 MiB in random blocks. */
enum status probe_apexmap(struct probe *probe, struct error *error);
double probe_apexmap_seconds(const struct probe *probe); /* see parts.h */

/* Points of a surface -------------------------------------------------------------------------- */

#define SURFACE_WORD 8.0          /* B, used for measurements and as the default */
#define SURFACE_SIZE 536870912.0  /* B, default */
#define SURFACE_HELD_LEAST 2048.0 /* words, minimum M for fitting */
#define SURFACE_BYTES_MOST 1e15   /* B, as of the memory of a device */
#define SURFACE_BYTES_ALLOWED "1 B to 1000 TB, as in 512 MiB"

/* The access time T at alpha, L and M. */
struct surface_point {
    double alpha;   /* temporal locality > 0; 1: uniform, below 1: reuse */
    double block;   /* L, words, 1 to M */
    double held;    /* M, words */
    double seconds; /* T of one access, > 0 */
};

enum surface_origin { SURFACE_IN_COLUMN, SURFACE_GIVEN, SURFACE_IN_COMMENT, SURFACE_ASSUMED };

struct surface {
    struct surface_point *point;
    int count;                       /* at least 1 */
    double word;                     /* B */
    double cores;                    /* that accessed it at once, from 1 */
    double least_held, most_held;    /* M, words */
    enum surface_origin word_origin; /* not SURFACE_IN_COLUMN */
    enum surface_origin held_origin;
};

/* Values in B that the caller provides if the file does not state them; 0: none. */
struct surface_given {
    double size, word;
    bool team; /* read the points of all cores, not those of one */
};

/* Parses a CSV file. Columns are identified by name; unknown ones are ignored:
 *
 *     alpha                          temporal locality
 *     L, block_words                 words per block
 *     ns_per_access, samples_s       T; the minimum of several blank-separated samples
 *     M, M_words, size_bytes         size of the memory; optional
 *     part, cores                    optional; rows of parts other than apex, of another number of
 *                                    cores than wanted or without samples are ignored
 *
 * A comment "# size: 512 MiB" or "# word: 8 B" provides what the columns do not. Defaults are
 * 64-bit words and 67 108 864 of them (512 MiB).
 *
 * Returns STATUS_INVALID with every problem and its line in `problems`, which must be empty before:
 * a missing column, the permitted values of a field, a size given twice. On failure there is
 * nothing to free; surface_free accepts a zeroed struct. */
enum status surface_parse(const char *bytes, size_t length, const struct surface_given *given,
                          struct surface *surface, struct problems *problems);

/* Keeps only the points of the largest M, which extends into main memory. */
void surface_keep_largest(struct surface *surface);

/* Keeps only the points whose alpha and L both surfaces have. */
void surface_keep_common(struct surface *surface, const struct surface *other);

/* Extracts the single-core points of the part apex, each with its minimum sample. Returns
 * STATUS_INVALID if there are none. */
enum status surface_from_measurement(const struct measurement *measurement, struct surface *surface,
                                     struct error *error);
void surface_free(struct surface *surface);

#endif
