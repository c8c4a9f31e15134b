/* The work of a parallel program given by its trace: phases separated by barriers, and the work of
 * each thread in them. model/program.h computes its duration, trace_library.h reads the files.
 *
 * A trace is CSV text with the header
 *
 *     phase,thread,kind,key,count
 *
 * Blank lines and lines that begin with # are ignored. `phase` is a name (a-z 0-9 - _); phases run
 * in order of first appearance, separated by barriers. `thread` is a number from 0; numbers may
 * have gaps, a number without rows is not a thread. `kind` defines the meaning of `key` and
 * `count`:
 *
 *     instr    instruction class (instruction_names), number of instructions executed
 *     remote   distance to the first use of the data, number of references
 *     lock     nothing or a name, cycles under the lock
 *     bytes    nothing or a name, bytes moved from or to memory besides the references'
 *     chain    step (chain_step_names), number of such steps in the longest chain of
 *              instructions that wait for each other
 *     vector   nothing or a name, instructions that a vector pipe executes: floating point and
 *              simd without moves between registers and clearing of one
 *     reuse    bytes of other data accessed since, bytes accessed again from a cache; those that
 *              were stored to count twice, since they were written back to it
 *     prefetch nothing or a name, prefetch instructions executed, which are among those of `instr`;
 *              a trace does not tell which data they fetch, so that their references are rows, too
 *
 * Rows may come in any order; rows for the same thing add up. */
#ifndef AOLAG_DESIGN_TRACE_H
#define AOLAG_DESIGN_TRACE_H

#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/scenario.h"

#define PROGRAM_PHASES_MAX 4096
#define PROGRAM_THREADS_MAX 1024
#define PROGRAM_BYTES_MAX (4 * 1024 * 1024)

/* Names of instruction classes in the knobs cpi_CLASS and in traces: "int", "fp", "fma", ... */
extern const char *const instruction_names[INSTRUCTION_COUNT];

/* What an instruction of a chain does before the next one can begin. */
enum chain_step {
    STEP_SIMPLE,   /* integer arithmetic, logic, moves between lanes */
    STEP_ADD,      /* floating-point addition, comparison */
    STEP_MULTIPLY, /* multiplication, multiply-add, conversion */
    STEP_DIVIDE,   /* division, square root */
    STEP_LOAD,     /* from the first cache */
    STEP_REMOTE,   /* of remote data */
    STEP_COUNT,
    STEP_NONE = STEP_COUNT /* takes no time */
};

/* "simple", "add", ... */
extern const char *const chain_step_names[STEP_COUNT];

/* Bytes that are accessed again after others. */
struct program_reuse {
    double distance; /* B of other data since, from 0 */
    double bytes;
};

/* Remote references of one distance, H[k]. */
struct program_reference {
    double distance; /* k, instructions or cycles, from 0 */
    double count;    /* from 0 */
};

/* Work of a thread in a phase. */
struct program_thread {
    int number;
    int rank; /* number of the program's threads with smaller numbers */
    double instructions[INSTRUCTION_COUNT];
    double chain[STEP_COUNT]; /* all 0: unknown */
    double vector;
    double prefetches;
    size_t first, count; /* its references start at reference[first] */
};

struct program_phase {
    char name[NAME_MAX_LENGTH + 1];
    size_t first, count;        /* its threads start at thread[first] */
    size_t first_reuse, reuses; /* of all threads, from reuse[first_reuse] */
    double locked;              /* cycles under locks of all threads */
    double bytes;               /* moved from and to memory besides the references' */
};

/* A parsed trace; immutable. Counts are finite and below 1e18, so every time is finite. */
struct program {
    int phase_count; /* from 1 */
    int threads;     /* number of distinct threads in all phases, from 1 */
    struct program_phase *phase;
    struct program_thread *thread;
    struct program_reference *reference;
    struct program_reuse *reuse;
    char *origin; /* absolute path it was first read from; NULL: unknown */
};

/* Reads a trace. STATUS_INVALID: every problem is added to `problems`, which is empty, with its
 * line. */
enum status program_parse(const char *bytes, size_t length, struct program **program,
                          struct problems *problems);
void program_free(struct program *program);

#endif
