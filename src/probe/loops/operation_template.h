/* The loops of one set of registers: operation_loops.c includes this once for each, with these
 * defined:
 *
 *   REGISTERS  how many there are: 16 or 32
 *   TARGET, TARGET_FMA  attributes of a function that may use them, and multiply-adds
 *   and what the steps need, but for what follows
 *
 * and these, which are undefined at the end:
 *
 *   SET        what the names of its functions end in: f32_256
 *   VALUE      what a register holds: a scalar or a vector
 *   SUFFIX     of x86 instructions; FMA and ROOT of elements elsewhere */

LOOPS(TARGET, ADD)
LOOPS(TARGET, MUL)
LOOPS(TARGET_FMA, FMA_ADDEND)
LOOPS(TARGET_FMA, FMA_MULTIPLIER)
LOOPS(TARGET, MAX)
LOOPS(TARGET, DIV_NUMERATOR)
LOOPS(TARGET, DIV_DENOMINATOR)
LOOPS(TARGET, SQRT)

static probe_loop *const NAME(LOOPS, ALL, SET)[OPERATIONS][OPERATION_COUNTS] = {
    [OPERATION_ADD] = ROW(ADD),
    [OPERATION_MUL] = ROW(MUL),
    [OPERATION_FMA_ADDEND] = ROW(FMA_ADDEND),
    [OPERATION_FMA_MULTIPLIER] = ROW(FMA_MULTIPLIER),
    [OPERATION_MAX] = ROW(MAX),
    [OPERATION_DIV_NUMERATOR] = ROW(DIV_NUMERATOR),
    [OPERATION_DIV_DENOMINATOR] = ROW(DIV_DENOMINATOR),
    [OPERATION_SQRT] = ROW(SQRT),
};

#undef SET
#undef VALUE
#undef SUFFIX
#undef FMA
#undef ROOT
