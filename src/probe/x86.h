/* What a trace needs to know of an instruction of x86-64: its class, the registers that it names,
 * the one that it loads, and what it waits for. Capstone takes the instruction apart; it is loaded
 * when a decoder is opened, as its relocations take longer than the start of the program. */
#ifndef AOLAG_PROBE_X86_H
#define AOLAG_PROBE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "design/scenario.h"
#include "design/trace.h"

#define X86_LENGTH_MAX 15
#define X86_REGISTERS 56 /* 0 to 15 are general, 16 to 47 are vectors, 48 to 55 those of MMX */

struct x86_instruction {
    bool known;             /* Capstone has decoded it; else all is as in X86_UNKNOWN */
    enum instruction class; /* of design/scenario.h */
    uint64_t named;         /* bit k: names register k, as operand or in an address */
    int loaded;             /* register that it copies memory to without computing; -1: none */
    int marker;             /* n of the NOP that begins phase n, from 0; -1: it is none */

    /* Dependences: the address needs some registers, the step, which follows the load, others.
     * Flags and pointers that an instruction moves on by itself (of the stack, of strings) do not
     * count. */
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

#define X86_UNKNOWN                                                                                \
    ((struct x86_instruction){                                                                     \
        .class = INSTRUCTION_OTHER, .loaded = -1, .marker = -1, .step = STEP_NONE})

struct x86_decoder;

/* Loads Capstone. NULL, with STATUS_INVALID and a message, if it is not installed. */
struct x86_decoder *x86_open(struct error *error);
void x86_close(struct x86_decoder *decoder); /* NULL: nothing */

/* Decodes an instruction of `length` bytes, up to X86_LENGTH_MAX; any bytes are accepted. */
struct x86_instruction x86_decode(struct x86_decoder *decoder, const unsigned char *bytes,
                                  size_t length);

#endif
