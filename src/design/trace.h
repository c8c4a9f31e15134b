/* The work of a parallel program as its trace states it: phases between barriers, what each thread
 * does in them. model/program.h says how long that takes. */
#ifndef AOLAG_DESIGN_TRACE_H
#define AOLAG_DESIGN_TRACE_H

#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/preset.h"
#include "design/scenario.h"

#define PROGRAM_PHASES_MAX 4096
#define PROGRAM_THREADS_MAX 1024

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

/* The trace of a parallel program as text: CSV with the header
 *
 *     phase,thread,kind,key,count
 *
 * Blank lines and lines that begin with # may stand anywhere. `phase` is a name (a-z 0-9 - _);
 * phases run in the order in which they first appear, a barrier between each two. `thread` is a
 * number from 0; numbers may have gaps, a number without rows is no thread. `kind` says what `key`
 * and `count` are:
 *
 *     instr    a class of instructions (program.h), how many of it are executed
 *     remote   the distance to the first use of the data, how many references have it
 *     lock     nothing or a name, cycles under the lock
 *     bytes    nothing or a name, bytes moved from or to memory beside the references'
 *
 * Rows may come in any order; rows for the same thing add up. */

#define PROGRAM_BYTES_MAX (4 * 1024 * 1024)
#define PROGRAM_DISTANCE_MAX 1e15
#define PROGRAM_AMOUNT_MAX 1e18

/* Reads a trace. STATUS_INVALID: `problems` gets a sentence for each thing that is wrong, with its
 * line; STATUS_MEMORY adds none. */
enum status program_parse(const char *bytes, size_t length, struct program **program,
                          struct problems *problems);
void program_free(struct program *program);

/* The rows of a trace (program_trace.h), from its bytes: each is checked, none is added up. */

enum row_kind { ROW_INSTR, ROW_REMOTE, ROW_LOCK, ROW_BYTES, ROW_KINDS };

struct program_row {
    int phase;  /* from 0 */
    int thread; /* its number, 0 to PROGRAM_THREADS_MAX - 1 */
    enum row_kind kind;
    double key;   /* class or distance; 0 where the kind has neither */
    double count; /* 0 to PROGRAM_AMOUNT_MAX */
};

struct program_rows {
    struct program_row *rows;
    size_t count;                /* from 1 */
    struct program_phase *phase; /* [PROGRAM_PHASES_MAX], their names only */
    int phase_count;             /* in the order in which they first appear */
};

/* Reads them; problems as those of program_parse. Free them whatever the status. */
enum status program_rows_read(const char *bytes, size_t length, struct program_rows *rows,
                              struct problems *problems);
void program_rows_free(struct program_rows *rows);

/* The traces of parallel programs, read from files, parsed once and kept.
 *
 * A trace that has the bytes of one read before is that one, so that designs are compared, undone
 * and redone by the pointer; a file that changed becomes another program when it is read again, and
 * the former one stays for those who still hold it. */

/* Zero-initialised is empty; it has to outlive every scenario with one of its programs. */
struct program_library {
    struct program_entry *list;
    size_t count, capacity;
};

void program_library_free(struct program_library *library);

/* States the trace of a component. `path` is absolute or seen from the directory of the scenario's
 * file `from` (NULL: from the working directory). On failure nothing changes and `problems` gets a
 * sentence for each thing that is wrong, to stand behind the path: those of the trace begin with
 * "line N: ". */
enum status scenario_read_trace(struct scenario *scenario, int component,
                                struct catalogue *catalogue, const char *from, const char *path,
                                struct problems *problems);

/* The same with one sentence: the first problem, behind "FILE:LINE: " of the trace, and how many
 * more there are. */
enum status scenario_set_trace(struct scenario *scenario, int component,
                               struct catalogue *catalogue, const char *from, const char *path,
                               struct error *error);

/* For a copy to be saved as the file `to`, of a scenario read from the file `from` (either NULL:
 * from the working directory): where directories differ, relative paths of traces that are not
 * found from there become the absolute ones they were read from. */
void scenario_move_traces(struct scenario *scenario, const char *from, const char *to);

#endif
