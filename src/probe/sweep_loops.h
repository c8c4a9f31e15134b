/* The loops of one width: sweeps.c includes this once for each, with SWEEP_BYTES (of a vector),
 * SWEEP_TARGET (the function attribute) and SWEEP_NAME(name) defined. */

#define FLOATS (SWEEP_BYTES / sizeof(float))
#define WORDS (SWEEP_BYTES / sizeof(uint64_t))
#define floats SWEEP_NAME(floats)
#define words SWEEP_NAME(words)

/* Alignment of an element: an aligned address costs nothing then, and any other works. */
typedef float floats __attribute__((vector_size(SWEEP_BYTES), aligned(4), may_alias));
typedef uint64_t words __attribute__((vector_size(SWEEP_BYTES), aligned(8), may_alias));

static SWEEP_TARGET float SWEEP_NAME(read)(const struct sweep_arrays *arrays)
{
    const float *a = arrays->a;
    size_t count = arrays->count, i = 0;
    floats sum[UNROLL] = {{0}};
    float total = 0;

    for (; i + UNROLL * FLOATS <= count; i += UNROLL * FLOATS)
        for (size_t k = 0; k < UNROLL; k++)
            sum[k] += *(const floats *)(a + i + k * FLOATS);
    for (; i < count; i++)
        total += a[i];
    for (size_t k = 0; k < UNROLL; k++)
        for (size_t lane = 0; lane < FLOATS; lane++)
            total += sum[k][lane];
    return total;
}

static SWEEP_TARGET float SWEEP_NAME(write)(const struct sweep_arrays *arrays)
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

static SWEEP_TARGET float SWEEP_NAME(copy)(const struct sweep_arrays *arrays)
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

static SWEEP_TARGET float SWEEP_NAME(triad)(const struct sweep_arrays *arrays)
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

static SWEEP_TARGET float SWEEP_NAME(dot)(const struct sweep_arrays *arrays)
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

/* `block` is a constant where this is called for the small ones, so that their loops vanish. */
static inline __attribute__((always_inline)) SWEEP_TARGET uint64_t
SWEEP_NAME(sum)(const uint64_t *from, const uint32_t *starts, size_t count, size_t block)
{
    words sum[UNROLL] = {{0}};
    uint64_t total = 0;

    for (size_t n = 0; n < count; n++) {
        const uint64_t *at = from + starts[n];
        size_t i = 0;

        for (; i + UNROLL * WORDS <= block; i += UNROLL * WORDS)
            for (size_t k = 0; k < UNROLL; k++)
                sum[k] += *(const words *)(at + i + k * WORDS);
        for (; i + WORDS <= block; i += WORDS)
            sum[0] += *(const words *)(at + i);
        for (; i < block; i++) {
            total += at[i];
            keep_scalar(total);
        }
    }
    for (size_t k = 0; k < UNROLL; k++)
        for (size_t lane = 0; lane < WORDS; lane++)
            total += sum[k][lane];
    return total;
}

static SWEEP_TARGET uint64_t SWEEP_NAME(blocks)(const uint64_t *from, const uint32_t *starts,
                                                size_t count, size_t block)
{
    switch (block) {
    case 1:
        return SWEEP_NAME(sum)(from, starts, count, 1);
    case 4:
        return SWEEP_NAME(sum)(from, starts, count, 4);
    case 16:
        return SWEEP_NAME(sum)(from, starts, count, 16);
    default:
        return SWEEP_NAME(sum)(from, starts, count, block);
    }
}

#undef floats
#undef words
#undef FLOATS
#undef WORDS
