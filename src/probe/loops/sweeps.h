/* The loops whose bandwidth is timed, for each width of vectors: explicit vectors, so that they run
 * at the machine's speed. Stores are ordinary ones (no non-temporal hint).
 *
 * Bytes are counted as STREAM does (McCalpin, "Memory bandwidth and machine balance in current high
 * performance computers", IEEE TCCA newsletter 1995): each array read counts once, each array
 * written counts once; the read of a line that a store fetches before it (write-allocate) counts
 * nothing. */
#ifndef AOLAG_PROBE_LOOPS_SWEEPS_H
#define AOLAG_PROBE_LOOPS_SWEEPS_H

#include <stddef.h>
#include <stdint.h>

enum sweep {
    SWEEP_READ,  /* sum of a */
    SWEEP_WRITE, /* a = scale */
    SWEEP_COPY,  /* a = b */
    SWEEP_TRIAD, /* a = b + scale c */
    SWEEP_DOT,   /* a matrix times a vector, row by row: out = b c. One sum in each lane, as a
                    compiler makes of the plain loop where it may reorder sums. The matrix counts
                    once and the vector once, although each row reads the vector again. */
    SWEEPS
};

/* What a sweep works on. */
struct sweep_arrays {
    float *a;
    const float *b, *c;
    size_t count;   /* elements of each array; of dot: rows of b, elements of a */
    size_t columns; /* of dot: elements of c and of each row */
    float scale;
};

/* Returns the sum of read, and a value that depends on nothing else of the other sweeps. */
typedef float sweep_loop(const struct sweep_arrays *arrays);

/* Sums `count` blocks of `block` words, the first words of which are at `starts`; modulo 2^64. */
typedef uint64_t sweep_blocks(const uint64_t *words, const uint32_t *starts, size_t count,
                              size_t block);

struct sweep_set {
    const char *name; /* of the instructions: "AVX2" */
    int bits;         /* of a vector */
    sweep_loop *loop[SWEEPS];
    sweep_blocks *blocks;
};

/* Those that this processor has, the narrowest first; `index` from 0, NULL after the last. */
const struct sweep_set *sweep_set(int index);

/* The widest. */
const struct sweep_set *sweep_set_widest(void);

/* "read", ... */
const char *sweep_name(enum sweep sweep);

/* How many different arrays of `count` elements it reads or writes; of dot only the result. */
int sweep_array_count(enum sweep sweep);

/* Bytes of one sweep as counted above. */
double sweep_bytes(enum sweep sweep, const struct sweep_arrays *arrays);

#endif
