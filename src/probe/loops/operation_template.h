/* The loops of one register set: operation_loops.c includes this file once per set, with these
 * macros defined:
 *
 *   REGISTERS  number of registers: 16 or 32
 *   TARGET, TARGET_FMA  function attributes for the set, and for multiply-adds
 *   and what the steps need
 *
 * and these, which are undefined at the end:
 *
 *   SET        suffix of the function names: f32_256
 *   VALUE      type of a register: a scalar or a vector
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
