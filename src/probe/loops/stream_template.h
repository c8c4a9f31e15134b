/* The loops of one vector width: stream_loops.c includes this file once per width with STREAM_BYTES
 * (vector size), STREAM_TARGET (function attribute) and STREAM_NAME(name) defined, and undefined at
 * the end. */

#define FLOATS (STREAM_BYTES / sizeof(float))
#define WORDS (STREAM_BYTES / sizeof(uint64_t))
#define floats STREAM_NAME(floats)
#define words STREAM_NAME(words)

/* Elements have alignment 4, so that any address works; aligned addresses cost nothing. */
typedef float floats __attribute__((vector_size(STREAM_BYTES), aligned(4), may_alias));
typedef uint64_t words __attribute__((vector_size(STREAM_BYTES), aligned(8), may_alias));

static STREAM_TARGET float STREAM_NAME(read)(const struct stream_arrays *arrays)
{
    const float *a = arrays->a;
    size_t count = arrays->count, i = 0;
    floats sum0 = {0}, sum1 = sum0, sum2 = sum0, sum3 = sum0;
    floats sum4 = sum0, sum5 = sum0, sum6 = sum0, sum7 = sum0;
    float total = 0;

    for (; i + UNROLL * FLOATS <= count; i += UNROLL * FLOATS) {
        const floats *at = (const floats *)(a + i);

        sum0 += at[0];
        sum1 += at[1];
        sum2 += at[2];
        sum3 += at[3];
        sum4 += at[4];
        sum5 += at[5];
        sum6 += at[6];
        sum7 += at[7];
    }
    for (; i < count; i++)
        total += a[i];
    sum0 = ((sum0 + sum1) + (sum2 + sum3)) + ((sum4 + sum5) + (sum6 + sum7));
    for (size_t lane = 0; lane < FLOATS; lane++)
        total += sum0[lane];
    return total;
}

static STREAM_TARGET float STREAM_NAME(write)(const struct stream_arrays *arrays)
{
    float *a = arrays->a;
    size_t count = arrays->count, i = 0;
    floats value = arrays->scale - (floats){0};

    for (; i + UNROLL * FLOATS <= count; i += UNROLL * FLOATS) {
        for (size_t k = 0; k < UNROLL; k++)
            *(floats *)(a + i + k * FLOATS) = value;
        keep_loop();
    }
    for (; i < count; i++)
        a[i] = arrays->scale;
    return arrays->scale;
}

static STREAM_TARGET float STREAM_NAME(copy)(const struct stream_arrays *arrays)
{
    float *a = arrays->a;
    const float *b = arrays->b;
    size_t count = arrays->count, i = 0;

    for (; i + UNROLL * FLOATS <= count; i += UNROLL * FLOATS) {
        floats value[UNROLL];

        for (size_t k = 0; k < UNROLL; k++)
            value[k] = *(const floats *)(b + i + k * FLOATS);
        for (size_t k = 0; k < UNROLL; k++)
            *(floats *)(a + i + k * FLOATS) = value[k];
        keep_loop();
    }
    for (; i < count; i++)
        a[i] = b[i];
    return arrays->scale;
}

static STREAM_TARGET float STREAM_NAME(triad)(const struct stream_arrays *arrays)
{
    float *a = arrays->a;
    const float *b = arrays->b, *c = arrays->c;
    size_t count = arrays->count, i = 0;
    floats scale = arrays->scale - (floats){0};

    for (; i + UNROLL * FLOATS <= count; i += UNROLL * FLOATS) {
        floats value[UNROLL];

        for (size_t k = 0; k < UNROLL; k++)
            value[k] = *(const floats *)(b + i + k * FLOATS) +
                       scale * *(const floats *)(c + i + k * FLOATS);
        for (size_t k = 0; k < UNROLL; k++)
            *(floats *)(a + i + k * FLOATS) = value[k];
        keep_loop();
    }
    for (; i < count; i++)
        a[i] = b[i] + arrays->scale * c[i];
    return arrays->scale;
}

static STREAM_TARGET float STREAM_NAME(dot)(const struct stream_arrays *arrays)
{
    const float *c = arrays->c;
    size_t columns = arrays->columns;

    for (size_t row = 0; row < arrays->count; row++) {
        const float *b = arrays->b + row * columns;
        floats sum = {0};
        float total = 0;
        size_t i = 0;

        for (; i + FLOATS <= columns; i += FLOATS)
            sum += *(const floats *)(b + i) * *(const floats *)(c + i);
        for (; i < columns; i++)
            total += b[i] * c[i];
        for (size_t lane = 0; lane < FLOATS; lane++)
            total += sum[lane];
        arrays->a[row] = total;
    }
    return arrays->scale;
}

/* `block` is a constant in calls for small blocks, so that their loops are eliminated. */
static inline __attribute__((always_inline)) STREAM_TARGET uint64_t
STREAM_NAME(sum)(const uint64_t *from, const uint32_t *starts, size_t count, size_t block)
{
    words sum0 = {0}, sum1 = sum0, sum2 = sum0, sum3 = sum0;
    words sum4 = sum0, sum5 = sum0, sum6 = sum0, sum7 = sum0;
    uint64_t total = 0;

    for (size_t n = 0; n < count; n++) {
        const uint64_t *at = from + starts[n];
        size_t i = 0;

        for (; i + UNROLL * WORDS <= block; i += UNROLL * WORDS) {
            const words *vector = (const words *)(at + i);

            sum0 += vector[0];
            sum1 += vector[1];
            sum2 += vector[2];
            sum3 += vector[3];
            sum4 += vector[4];
            sum5 += vector[5];
            sum6 += vector[6];
            sum7 += vector[7];
        }
        for (; i + WORDS <= block; i += WORDS)
            sum0 += *(const words *)(at + i);
        for (; i < block; i++) {
            total += at[i];
            keep_scalar(total);
        }
    }
    sum0 = ((sum0 + sum1) + (sum2 + sum3)) + ((sum4 + sum5) + (sum6 + sum7));
    for (size_t lane = 0; lane < WORDS; lane++)
        total += sum0[lane];
    return total;
}

static STREAM_TARGET uint64_t STREAM_NAME(blocks)(const uint64_t *from, const uint32_t *starts,
                                                  size_t count, size_t block)
{
    switch (block) {
    case 1:
        return STREAM_NAME(sum)(from, starts, count, 1);
    case 4:
        return STREAM_NAME(sum)(from, starts, count, 4);
    case 16:
        return STREAM_NAME(sum)(from, starts, count, 16);
    default:
        return STREAM_NAME(sum)(from, starts, count, block);
    }
}

#undef floats
#undef words
#undef FLOATS
#undef WORDS
#undef STREAM_BYTES
#undef STREAM_TARGET
#undef STREAM_NAME
