#include <string.h>

#include "probe/loops/operation_loops.h"

/* Where both operands are used, one undoes the other: r + a - a, r a / a. A multiply-add cannot;
 * its sums grow until ones are lost in them, its products end between b / (1 - b) and a / (1 - a).
 */
static const struct {
    const char *name;
    double start, operand[2];
} operations[OPERATIONS] = {
    [OPERATION_ADD] = {"add", 1.1, {0.7, -0.7}},
    [OPERATION_MUL] = {"mul", 1.1, {1.3, 1 / 1.3}},
    [OPERATION_FMA_ADDEND] = {"fma-addend", 1.1, {1.3, 0.7}},
    [OPERATION_FMA_MULTIPLIER] = {"fma-multiplier", 1.1, {0.6, 0.3}},
    [OPERATION_MAX] = {"max", 1.1, {1.3, 0.7}},
    [OPERATION_DIV_NUMERATOR] = {"div-numerator", 1.1, {1.3, 1 / 1.3}},
    [OPERATION_DIV_DENOMINATOR] = {"div-denominator", 1.1, {1.3, 1.3}},
    [OPERATION_SQRT] = {"sqrt", 1.1, {1.3, 1.7}},
};

const char *operation_name(enum operation operation)
{
    return operations[operation].name;
}

const char *operation_lack(const struct operation_set *set, enum operation operation)
{
    bool fma = operation == OPERATION_FMA_ADDEND || operation == OPERATION_FMA_MULTIPLIER;

    if (!set->has())
        return set->instructions;
    return fma && !set->has_fma() ? "FMA" : NULL;
}

static void fill(unsigned char *bytes, const struct operation_set *set, double value)
{
    float narrow = (float)value;

    for (int i = 0; i < set->lanes; i++) {
        if (strcmp(set->type, "f32") == 0)
            memcpy(bytes + (size_t)i * sizeof narrow, &narrow, sizeof narrow);
        else
            memcpy(bytes + (size_t)i * sizeof value, &value, sizeof value);
    }
}

void operation_fill(struct operation_data *data, const struct operation_set *set,
                    enum operation operation)
{
    memset(data, 0, sizeof *data);
    for (int i = 0; i < 2; i++)
        fill(data->operand[i], set, operations[operation].operand[i]);
    for (int i = 0; i < OPERATION_CHAINS_MAX; i++)
        fill(data->start[i], set, operations[operation].start);
}
