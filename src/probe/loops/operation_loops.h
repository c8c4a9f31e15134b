/* Loops of independent chains of one operation, for scalars and every width of vector register that
 * this architecture has.
 *
 * A repeat does four steps of every chain; a step replaces r, the value of a chain, from operands a
 * and b that alternate:
 *
 *   add  r + a    mul  r a    fma-addend  a a + r    fma-multiplier  r a + a    max  max(r, a)
 *   div-numerator  r / a    div-denominator  a / r    sqrt  sqrt(a)
 *
 * so a step waits for the one before it in its chain and for none else; a square root waits for
 * none, because a chain of them goes to one, whose root may take less time than others. */
#ifndef AOLAG_PROBE_LOOPS_OPERATION_LOOPS_H
#define AOLAG_PROBE_LOOPS_OPERATION_LOOPS_H

#include <stdint.h>

#include "probe/probe.h"

enum operation {
    OPERATION_ADD,
    OPERATION_MUL,
    OPERATION_FMA_ADDEND,
    OPERATION_FMA_MULTIPLIER,
    OPERATION_MAX,
    OPERATION_DIV_NUMERATOR,
    OPERATION_DIV_DENOMINATOR,
    OPERATION_SQRT,
    OPERATIONS
};

/* "add", "fma-addend", …: as points are named. */
const char *operation_name(enum operation operation);

#define OPERATION_STEPS 4 /* of every chain in a repeat */
#define OPERATION_CHAINS_MAX 32
#define OPERATION_COUNTS 7

/* 1, 2, 4, 8, 12, 16 and 32. Twelve, because with sixteen registers the operands of a multiply-add
 * leave no room for sixteen chains: one of them goes through memory. */
extern const int operation_chains[OPERATION_COUNTS];

/* Registers of one width, of elements of one type. */
struct operation_set {
    const char *type, *instructions; /* "f32" or "f64"; "SSE2" */
    int bits, lanes;                 /* scalar: of the element, 1 */
    bool (*has)(void);
    bool (*has_fma)(void);
    probe_loop *const (*loop)[OPERATION_COUNTS]; /* by operation; NULL beyond the registers */
};

/* Scalars first, then by width. */
extern const struct operation_set operation_sets[];
extern const int operation_set_count;

/* NULL where this CPU has the operation, else the instructions that it lacks. */
const char *operation_missing(const struct operation_set *set, enum operation operation);

/* What the loops work on: 64 bytes are the widest register. A narrower one is the beginning of it.
 * The starts stay as they are, so every run of a loop does the same. */
struct operation_data {
    _Alignas(64) unsigned char operand[2][64]; /* of the first and third step, of the others */
    _Alignas(64) unsigned char start[OPERATION_CHAINS_MAX][64];
    _Alignas(64) unsigned char result[OPERATION_CHAINS_MAX][64];
};

/* Operands that keep every chain of the operation on normal numbers however long it runs, and on
 * numbers for which no divider or multiplier is known to be faster. */
void operation_fill(struct operation_data *data, const struct operation_set *set,
                    enum operation operation);

/* The clock -------------------------------------------------------------------------------------
 */

#define CLOCK_STEPS 16

/* Sixteen dependent additions of integers a repeat, each a cycle: a sum of registers, because the
 * addition of a constant may vanish in the renaming of registers. */
struct clock_data {
    uint64_t step, sum;
};

void clock_loop(void *data, uint64_t repeats);

/* Subnormal numbers
 * -------------------------------------------------------------------------------- One chain of
 * additions or multiplications goes from a normal number down to a subnormal one, stays there for a
 * share of its steps and comes back; every step is exact. */

#define SUBNORMAL_STEPS 4 /* of the chain in a repeat */

struct subnormal_data {
    bool flush; /* while the loop runs, subnormal inputs and results are zero */
    double start, operand[SUBNORMAL_STEPS], result;
};

struct subnormal_loop {
    enum operation operation; /* OPERATION_ADD: r + operand; OPERATION_MUL: r operand */
    const char *type;
    int bits;
    probe_loop *loop; /* of a struct subnormal_data */
};

extern const struct subnormal_loop subnormal_loops[];
extern const int subnormal_loop_count;

/* A share of 0, 25, 50, 75 or 100 % of the steps starts from a subnormal number. */
void subnormal_fill(struct subnormal_data *data, const struct subnormal_loop *loop, double share);

/* NULL where the loops can flush, else why not. */
const char *subnormal_flush_missing(void);

#endif
