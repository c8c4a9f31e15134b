/* The loops whose bandwidth is timed, for each width of vectors: explicit vectors, so that they run
 * at the machine's speed. Stores are ordinary ones (no non-temporal hint).
 *
 * Bytes are counted as STREAM does (McCalpin, "Memory bandwidth and machine balance in current high
 * performance computers", IEEE TCCA newsletter 1995): each array read counts once, each array
 * written counts once; the read of a line that a store fetches before it (write-allocate) counts
 * nothing. */
#ifndef AOLAG_PROBE_LOOPS_STREAM_LOOPS_H
#define AOLAG_PROBE_LOOPS_STREAM_LOOPS_H

#include <stddef.h>
#include <stdint.h>

enum stream_kernel {
    STREAM_READ,  /* sum of a */
    STREAM_WRITE, /* a = scale */
    STREAM_COPY,  /* a = b */
    STREAM_TRIAD, /* a = b + scale c */
    STREAM_DOT,   /* a matrix times a vector, row by row: out = b c. One sum in each lane, as a
                    compiler makes of the plain loop where it may reorder sums. The matrix counts
                    once and the vector once, although each row reads the vector again. */
    STREAM_KERNELS
};

struct stream_info {
    const char *name; /* "read", ... */
    int arrays;       /* different ones of `count` elements that are read or written; of dot only
                         the result */
};

extern const struct stream_info stream_kernels[STREAM_KERNELS];

/* What a loop works on. */
struct stream_arrays {
    float *a;
    const float *b, *c;
    size_t count;   /* elements of each array; of dot: rows of b, elements of a */
    size_t columns; /* of dot: elements of c and of each row */
    float scale;
};

/* Returns the sum of read, and a value that depends on nothing else of the other loops. */
typedef float stream_loop(const struct stream_arrays *arrays);

/* Sums `count` blocks of `block` words, the first words of which are at `starts`; modulo 2^64. */
typedef uint64_t stream_blocks(const uint64_t *words, const uint32_t *starts, size_t count,
                               size_t block);

struct stream_set {
    const char *name; /* of the instructions: "AVX2" */
    int bits;         /* of a vector */
    stream_loop *loop[STREAM_KERNELS];
    stream_blocks *blocks;
};

/* Those that this processor has, the narrowest first; `index` from 0, NULL after the last. */
const struct stream_set *stream_set(int index);

/* The widest. */
const struct stream_set *stream_set_widest(void);

/* Bytes of one run as counted above. */
double stream_bytes(enum stream_kernel kernel, const struct stream_arrays *arrays);

#endif
