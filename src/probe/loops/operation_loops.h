/* Loops of independent chains of one operation, for scalars and every vector register width of this
 * architecture.
 *
 * A repeat executes four steps of every chain; a step replaces r, the value of a chain, with
 * operands a and b alternating:
 *
 *   add  r + a    mul  r a    fma-addend  a a + r    fma-multiplier  r a + a    max  max(r, a)
 *   div-numerator  r / a    div-denominator  a / r    sqrt  sqrt(a)
 *
 * A step thus depends only on the previous step of its chain. Square roots are independent, because
 * a chain of them converges to one, whose root may be faster than that of other numbers. */
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

/* Returns the name used for points: "add", "fma-addend", ... */
const char *operation_name(enum operation operation);

#define OPERATION_STEPS 4 /* per chain and repeat */
#define OPERATION_CHAINS_MAX 32
#define OPERATION_COUNTS 7

/* 1, 2, 4, 8, 12, 16 and 32 chains. Twelve, because with sixteen registers the operands of a
 * multiply-add leave no room for sixteen chains, and one would be kept in memory. */
extern const int operation_chains[OPERATION_COUNTS];

/* Registers of one width with elements of one type. */
struct operation_set {
    const char *type, *instructions; /* "f32" or "f64"; "SSE2" */
    int bits, lanes;                 /* scalar: element width and 1 */
    bool (*has)(void);
    bool (*has_fma)(void);
    probe_loop *const (*loop)[OPERATION_COUNTS]; /* by operation; NULL: too few registers */
    probe_loop *const *operand_loop;             /* by operation, on a struct operand_data */
};

/* Scalars first, then by ascending width. */
extern const struct operation_set operation_sets[];
extern const int operation_set_count;

/* Returns NULL if this CPU has the operation, otherwise the missing instruction set. */
const char *operation_missing(const struct operation_set *set, enum operation operation);

/* Data of the loops, for registers of up to 64 bytes; narrower ones use the first bytes. The start
 * values are not modified, so every run of a loop does the same work. */
struct operation_data {
    _Alignas(64) unsigned char operand[2][64]; /* operands of the odd and of the even steps */
    _Alignas(64) unsigned char start[OPERATION_CHAINS_MAX][64];
    _Alignas(64) unsigned char result[OPERATION_CHAINS_MAX][64];
};

/* Fills operands that keep every chain in the normal range for any number of steps, with values for
 * which no divider or multiplier is known to be faster. */
void operation_fill(struct operation_data *data, const struct operation_set *set,
                    enum operation operation);

/* Operands in memory --------------------------------------------------------------------------- */

/* A repeat executes one step of OPERAND_CHAINS chains, each with an operand of its own: a register
 * full of memory, the next after that of the chain before. */
#define OPERAND_CHAINS 8

struct operand_data {
    const unsigned char *bytes, *end, *at; /* operands; a repeat begins at `at`, after `end` again
                                              at the first */
    struct operation_data values;          /* start and result of the chains */
};

/* Fills memory with the operands of an operation, as many whole rounds of two repeats as fit into
 * `size` B, at least one, and prepares the chains. */
void operand_fill(struct operand_data *data, const struct operation_set *set,
                  enum operation operation, unsigned char *bytes, size_t size);

/* The clock ------------------------------------------------------------------------------------ */

#define CLOCK_STEPS 16

/* Data of sixteen dependent integer additions per repeat, one cycle each. The addend is in a
 * register, because register renaming may eliminate the addition of a constant. */
struct clock_data {
    uint64_t step, sum;
};

void clock_loop(void *data, uint64_t repeats);

/* Subnormal numbers ---------------------------------------------------------------------------- */

/* A chain goes from a normal number to a subnormal one, stays there for a fraction of its steps and
 * returns; every step is exact. The chain of a maximum and the roots do not: a fraction of their
 * operands is subnormal. */

#define SUBNORMAL_STEPS 4 /* per repeat */

struct subnormal_data {
    bool flush; /* flush subnormal inputs and results to zero during the loop */
    double start, operand[SUBNORMAL_STEPS], result;
};

struct subnormal_loop {
    enum operation operation; /* as above, but fma-multiplier  r a + 0 */
    const char *type;
    int bits;
    probe_loop *loop; /* on a struct subnormal_data */
};

extern const struct subnormal_loop subnormal_loops[];
extern const int subnormal_loop_count;

/* Fills the data; 0, 25, 50, 75 or 100 % of the steps have a subnormal number in. */
void subnormal_fill(struct subnormal_data *data, const struct subnormal_loop *loop, double share);

/* Returns NULL if this CPU has the operation and, where that is asked for, can flush; otherwise the
 * reason why not. */
const char *subnormal_missing(const struct subnormal_loop *loop, bool flush);

#endif
