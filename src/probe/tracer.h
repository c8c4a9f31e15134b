/* The trace of a program (design/trace.h) from the memory accesses that valgrind's tool lackey
 * prints with --trace-mem=yes, read as a stream:
 *
 *     I  ADDRESS,SIZE      an instruction (hexadecimal, bytes)
 *      L ADDRESS,SIZE      it loads
 *      S ADDRESS,SIZE      it stores
 *      M ADDRESS,SIZE      it does both
 *
 * Instructions are counted by class (probe/x86.h), and those that a vector pipe executes. A cache
 * of the given capacity, 16 ways with the least recently used line replaced, decides what is
 * remote; memory of the tracer is proportional to it and to the code that was executed, not to the
 * length of the trace:
 *
 *     - A line that is not in the cache and follows or precedes one that recently was not either,
 * in one of 16 streams, is what hardware prefetches: 64 bytes. So is a line that is stored to, and
 * one that was and leaves the cache.
 *     - Any other line that is not in the cache when it is loaded is a remote reference. Its
 * distance is the number of instructions from the load to the next one that names the register, or
 * 0 if the instruction computes with the data itself; exact up to 1023, then rounded down to
 *       eighths of a power of 2.
 *
 *     - A line that is in it counts as reused, at the number of other lines since, if these are
 * more than any first cache is without. It is exact up to 1023, then as for distances. If it was
 *       stored to since it last came from an outer cache, it counts twice: it is written back.
 *
 * String instructions are printed once for each element. Where they store upwards (rep movs, stos),
 * processors move many at a time (Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 1, 7.3.9.3, Fast-String Operation): up to 32 B that follow each other are one instruction,
 * whose accesses are those of its elements. movs counts as two, a load and a store. As many loads
 * and stores has a loop of vector moves, which takes as long (EPYC 9004, 4 KiB to 1 MiB, within
 * 5 %). Where movs stores less than 64 B behind its source, each element is an instruction, as
 * there it takes 8 to 260 times as long.
 *
 * Prefetches are counted; no access is printed, so that what they fetch is not known. Accesses of
 * valgrind's own, which executes a bit test of a register on the stack, are left out.
 *
 * A chain is what an out-of-order core cannot shorten: each instruction waits for its registers and
 * for what it loads, in the state in which they were last written, for stores to the same 8 bytes
 * (of the last 4096 that were stored to), and for the instruction `window` before it and all
 * earlier ones to have ended. Branches are predicted. The steps of the longest chain are counted
 * for each phase; which is the longest is decided with latencies of today's processors (tracer.c).
 *
 * The program marks phases by NOPs (X86_MARKER); what precedes the first is the phase "start". All
 * threads count as one, since lackey does not tell them apart. Of an instruction whose code cannot
 * be read or decoded only loads and stores are known, with a distance of 0, and its phase has no
 * chain. */
#ifndef AOLAG_PROBE_TRACER_H
#define AOLAG_PROBE_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/status.h"

#define TRACER_WINDOW_MOST 4096
#define TRACER_CACHE_LEAST 1024.0      /* B */
#define TRACER_CACHE_MOST 1073741824.0 /* B */

/* Reads up to `length` bytes of the program's code at an address; returns how many. */
typedef size_t tracer_code(void *context, uint64_t address, unsigned char *bytes, size_t length);

struct tracer;

/* `cache` in B, `window` in instructions from 1 to TRACER_WINDOW_MOST. `code` NULL: there is no
 * code. Otherwise NULL, with STATUS_INVALID and a message, if there is no library that decodes it.
 */
struct tracer *tracer_new(double cache, int window, tracer_code *code, void *context,
                          struct error *error);
void tracer_free(struct tracer *tracer);

/* Reads the next bytes; other lines than those above are ignored. */
void tracer_read(struct tracer *tracer, const char *bytes, size_t length);

/* Counts so far. */
struct tracer_counts {
    double instructions, unknown; /* unknown: those whose code could not be read or decoded */
    double references, bytes;
};

struct tracer_counts tracer_counts(const struct tracer *tracer);

/* Appends the header and the rows of the trace, as design/trace.h describes them. References that
 * nobody has used count with the distance to the end. */
void tracer_write(struct tracer *tracer, struct buffer *buffer);

#endif
