/* The work of a parallel program as its trace states it: phases between barriers, and what each
 * thread does in them. model/program.h says how long that takes, trace_library.h reads the files.
 *
 * A trace is CSV text with the header
 *
 *     phase,thread,kind,key,count
 *
 * Blank lines and lines that begin with # may stand anywhere. `phase` is a name (a-z 0-9 - _);
 * phases run in the order in which they first appear, a barrier between each two. `thread` is a
 * number from 0; numbers may have gaps, a number without rows is no thread. `kind` says what `key`
 * and `count` are:
 *
 *     instr    a class of instructions (instruction_names), how many of it are executed
 *     remote   the distance to the first use of the data, how many references have it
 *     lock     nothing or a name, cycles under the lock
 *     bytes    nothing or a name, bytes moved from or to memory beside the references'
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

/* What the knobs cpi_CLASS and the keys of a trace are called: "int", "fp", "fma", ... */
extern const char *const instruction_names[INSTRUCTION_COUNT];

/* Remote references of one distance, H[k]. */
struct program_reference {
    double distance; /* k, instructions or cycles, from 0 */
    double count;    /* from 0 */
};

/* What a thread does in a phase. */
struct program_thread {
    int number;
    double instructions[INSTRUCTION_COUNT];
    size_t first, count; /* its references: reference[first...] */
};

struct program_phase {
    char name[NAME_MAX_LENGTH + 1];
    size_t first, count; /* those that do something in it: thread[first...] */
    double locked;       /* cycles under locks, of all threads */
    double bytes;        /* from and to memory beside those of the references */
};

/* A parsed trace; immutable. Counts are finite and below 1e18, so every time is finite. */
struct program {
    int phase_count; /* from 1 */
    int threads;     /* different ones in all phases, from 1 */
    struct program_phase *phase;
    struct program_thread *thread;
    struct program_reference *reference;
    char *origin; /* the absolute path it was first read from; NULL: unknown */
};

/* Reads a trace. STATUS_INVALID: `problems` gets a sentence for each thing that is wrong, with its
 * line; STATUS_MEMORY adds none. */
enum status program_parse(const char *bytes, size_t length, struct program **program,
                          struct problems *problems);
void program_free(struct program *program);

#endif
