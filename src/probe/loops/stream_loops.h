/* The timed bandwidth loops for each vector width, with explicit vectors to reach the machine's
 * speed. Stores are ordinary (no non-temporal hint).
 *
 * Bytes are counted as in STREAM (McCalpin, "Memory bandwidth and machine balance in current high
 * performance computers", IEEE TCCA newsletter 1995): each array read and each array written counts
 * once; the write-allocate read before a store is not counted. */
#ifndef AOLAG_PROBE_LOOPS_STREAM_LOOPS_H
#define AOLAG_PROBE_LOOPS_STREAM_LOOPS_H

#include <stddef.h>
#include <stdint.h>

enum stream_kernel {
    STREAM_READ,  /* sum of a */
    STREAM_WRITE, /* a = scale */
    STREAM_COPY,  /* a = b */
    STREAM_TRIAD, /* a = b + scale c */
    STREAM_DOT, /* matrix-vector product by rows: out = b c, with one sum per lane, as compiled from
                   the plain loop if sums may be reordered. Matrix and vector count once, although
                   each row reads the vector again. */
    STREAM_KERNELS
};

struct stream_info {
    const char *name; /* "read", ... */
    int arrays; /* distinct arrays of `count` elements read or written; dot: only the result */
};

extern const struct stream_info stream_kernels[STREAM_KERNELS];

/* The data of a loop. */
struct stream_arrays {
    float *a;
    const float *b, *c;
    size_t count;   /* elements of each array; dot: rows of b, elements of a */
    size_t columns; /* dot: elements of c and of each row */
    float scale;
};

/* Returns the sum for read, and arrays->scale for other loops. */
typedef float stream_loop(const struct stream_arrays *arrays);

/* Returns the sum, modulo 2^64, of `count` blocks of `block` words that begin at `starts`. */
typedef uint64_t stream_blocks(const uint64_t *words, const uint32_t *starts, size_t count,
                               size_t block);

struct stream_set {
    const char *name; /* instruction set: "AVX2" */
    int bits;         /* vector width */
    stream_loop *loop[STREAM_KERNELS];
    stream_blocks *blocks;
};

/* Returns the sets of this processor by ascending width; `index` from 0, NULL after the last. */
const struct stream_set *stream_set(int index);

/* Returns the set with the widest vectors. */
const struct stream_set *stream_set_widest(void);

/* Returns the bytes of one run, counted as above. */
double stream_bytes(enum stream_kernel kernel, const struct stream_arrays *arrays);

#endif
