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
#ifndef AOLAG_PROGRAM_TRACE_H
#define AOLAG_PROGRAM_TRACE_H

#include <stddef.h>

#include "problems.h"
#include "program.h"
#include "status.h"

#define PROGRAM_BYTES_MAX (4 * 1024 * 1024)
#define PROGRAM_DISTANCE_MAX 1e15
#define PROGRAM_AMOUNT_MAX 1e18

/* Reads a trace. STATUS_INVALID: `problems` gets a sentence for each thing that is wrong, with its
 * line; STATUS_MEMORY adds none. */
enum status program_parse(const char *bytes, size_t length, struct program **program,
                          struct problems *problems);
void program_free(struct program *program);

#endif
