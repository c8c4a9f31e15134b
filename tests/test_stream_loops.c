#include "probe/loops/stream_loops.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "files.h"

#define COUNT_MAX 1200
#define COLUMNS_MAX 70

/* Around the widths of vectors and of what is unrolled. */
static const size_t counts[] = {0, 1, 3, 4, 15, 16, 17, 31, 63, 64, 127, 128, 129, 500, 1023, 1200};

#define COUNTS (sizeof counts / sizeof counts[0])

/* Small whole numbers, so that sums are exact in any order. */
static void fill(float *at, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        at[i] = (float)files_random(&seed, 17) - 8;
}

static void adds(const struct stream_set *set)
{
    float *a = malloc(COUNT_MAX * sizeof *a);

    if (a == NULL)
        abort();
    fill(a, COUNT_MAX, 1);
    for (size_t n = 0; n < COUNTS; n++) {
        struct stream_arrays arrays = {.a = a, .count = counts[n]};
        float expected = 0, sum = set->loop[STREAM_READ](&arrays);

        for (size_t i = 0; i < counts[n]; i++)
            expected += a[i];
        CHECK_TRUE(sum == expected, "%s, %zu elements: the sum is %g, not %g", set->name, counts[n],
                   (double)sum, (double)expected);
        CHECK_NEAR(stream_bytes(STREAM_READ, &arrays), 4 * (double)counts[n], 0);
    }
    free(a);
}

/* Checks a[0 … count) against `expected`, and that what follows is untouched. */
static void check_array(const struct stream_set *set, enum stream_kernel kernel, const float *a,
                        const float *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!CHECK_TRUE(a[i] == expected[i], "%s %s, %zu elements: element %zu is %g, not %g",
                        set->name, stream_kernels[kernel].name, count, i, (double)a[i],
                        (double)expected[i]))
            return;
    CHECK_TRUE(a[count] == -99, "%s %s writes past %zu elements", set->name,
               stream_kernels[kernel].name, count);
}

static float value_of(enum stream_kernel kernel, float b, float c, float scale)
{
    switch (kernel) {
    case STREAM_WRITE:
        return scale;
    case STREAM_COPY:
        return b;
    default:
        return b + scale * c;
    }
}

static void stores(const struct stream_set *set, enum stream_kernel kernel, int streams)
{
    float *a = malloc((COUNT_MAX + 1) * sizeof *a), *b = malloc(COUNT_MAX * sizeof *b);
    float *c = malloc(COUNT_MAX * sizeof *c), *expected = malloc(COUNT_MAX * sizeof *expected);

    if (a == NULL || b == NULL || c == NULL || expected == NULL)
        abort();
    fill(b, COUNT_MAX, 2);
    fill(c, COUNT_MAX, 3);
    for (size_t i = 0; i < COUNT_MAX; i++)
        expected[i] = value_of(kernel, b[i], c[i], 3);
    for (size_t n = 0; n < COUNTS; n++) {
        struct stream_arrays arrays = {.a = a, .b = b, .c = c, .count = counts[n], .scale = 3};

        for (size_t i = 0; i <= COUNT_MAX; i++)
            a[i] = -99;
        set->loop[kernel](&arrays);
        check_array(set, kernel, a, expected, counts[n]);
        CHECK_NEAR(stream_bytes(kernel, &arrays), 4.0 * streams * (double)counts[n], 0);
    }
    free(a);
    free(b);
    free(c);
    free(expected);
}

static void multiplies(const struct stream_set *set)
{
    enum { ROWS = 5 };
    float a[ROWS + 1], b[ROWS * COLUMNS_MAX], c[COLUMNS_MAX], expected[ROWS];

    fill(b, ROWS * COLUMNS_MAX, 4);
    fill(c, COLUMNS_MAX, 5);
    for (size_t columns = 0; columns <= COLUMNS_MAX; columns++) {
        struct stream_arrays arrays = {.a = a, .b = b, .c = c, .count = ROWS, .columns = columns};

        for (size_t row = 0; row < ROWS; row++) {
            expected[row] = 0;
            for (size_t i = 0; i < columns; i++)
                expected[row] += b[row * columns + i] * c[i];
        }
        a[ROWS] = -99;
        set->loop[STREAM_DOT](&arrays);
        check_array(set, STREAM_DOT, a, expected, ROWS);
        /* matrix, vector, result */
        CHECK_NEAR(stream_bytes(STREAM_DOT, &arrays),
                   4.0 * (double)(ROWS * columns + columns + ROWS), 0);
    }
}

static void visits(const struct stream_set *set)
{
    static const size_t blocks[] = {1, 2, 4, 7, 16, 64, 100, 256};
    enum { WORDS = 4096, STARTS = 50 };
    uint64_t *words = malloc(WORDS * sizeof *words), seed = 6;
    uint32_t starts[STARTS];

    if (words == NULL)
        abort();
    for (size_t i = 0; i < WORDS; i++)
        words[i] = (uint64_t)files_random(&seed, 1u << 31) << 33 | i;
    for (size_t n = 0; n < sizeof blocks / sizeof blocks[0]; n++) {
        uint64_t expected = 0, sum;

        for (int i = 0; i < STARTS; i++) {
            starts[i] = files_random(&seed, (uint32_t)(WORDS - blocks[n] + 1));
            for (size_t k = 0; k < blocks[n]; k++)
                expected += words[starts[i] + k];
        }
        sum = set->blocks(words, starts, STARTS, blocks[n]);
        CHECK_TRUE(sum == expected, "%s, blocks of %zu words: the sum is %llu, not %llu", set->name,
                   blocks[n], (unsigned long long)sum, (unsigned long long)expected);
        CHECK_INT(set->blocks(words, starts, 0, blocks[n]), 0);
    }
    free(words);
}

TEST(compute_what_they_say)
{
    const struct stream_set *set;
    int bits = 0;

    for (int i = 0; (set = stream_set(i)) != NULL; i++) {
        CHECK_TRUE(set->bits > bits, "%s: %d bits after %d", set->name, set->bits, bits);
        bits = set->bits;
        adds(set);
        stores(set, STREAM_WRITE, 1);
        stores(set, STREAM_COPY, 2);
        stores(set, STREAM_TRIAD, 3);
        multiplies(set);
        visits(set);
    }
    CHECK_INT(stream_set_widest()->bits, bits);
    CHECK(stream_set(-1) == NULL);
}
