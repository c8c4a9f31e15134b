/* What a trace needs to know of an instruction of x86-64: its class, the registers that it names,
 * the one that it loads, and what it waits for. Encodings are those of the Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A. */
#ifndef AOLAG_PROBE_X86_H
#define AOLAG_PROBE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "design/scenario.h"
#include "design/trace.h"

#define X86_LENGTH_MAX 15
#define X86_REGISTERS 48 /* 0 to 15 are general, 16 to 47 are vectors */

struct x86_instruction {
    enum instruction class; /* of design/scenario.h; INSTRUCTION_OTHER if unknown */
    uint64_t named;         /* bit k: names register k, as operand or in an address */
    int loaded;             /* register that it copies memory to without computing; -1: none */
    int marker;             /* n of the NOP that begins phase n, from 0; -1: it is none */

    /* Dependences: the address needs some registers, the step, which follows the load, others. An
     * instruction that is not known reads and writes all that it names. Flags and pointers that an
     * instruction moves on by itself (of the stack, of strings) do not count. */
    uint64_t address, reads, writes;
    enum chain_step step; /* what it does with them; STEP_NONE: no time, as a renamed move */
    bool vector;          /* a vector pipe executes it */

    bool copies;         /* movs, which loads and stores */
    bool prefetches;     /* a hint that fetches a line of data */
    bool without_memory; /* bt, bts, btr, btc of registers, which valgrind executes on the stack */
};

/* The displacement of the NOP with a 32-bit displacement that begins phase n, from 0 to 99: this
 * plus n. */
#define X86_MARKER 0x616f6c00
#define X86_MARKERS 100

/* Decodes an instruction of `length` bytes; any bytes are accepted. */
struct x86_instruction x86_decode(const unsigned char *bytes, size_t length);

#endif
