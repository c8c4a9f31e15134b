#include "probe/x86.h"

#include <capstone/capstone.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "probe/library.h"

/* The version of the headers, whose structures the library fills. */
#define LIBRARY_OF(version) "libcapstone.so." #version
#define LIBRARY_NAMED(version) LIBRARY_OF(version)
#define LIBRARY LIBRARY_NAMED(CS_API_MAJOR)

#define CAPSTONE_FUNCTIONS(X)                                                                      \
    X(open)                                                                                        \
    X(option)                                                                                      \
    X(disasm_iter)                                                                                 \
    X(close)

struct capstone {
#define CAPSTONE_MEMBER(name) __typeof__(cs_##name) *name;
    CAPSTONE_FUNCTIONS(CAPSTONE_MEMBER)
#undef CAPSTONE_MEMBER
};

static const struct library_function functions[] = {
#define CAPSTONE_ROW(name) {"cs_" #name, offsetof(struct capstone, name)},
    CAPSTONE_FUNCTIONS(CAPSTONE_ROW)
#undef CAPSTONE_ROW
};

/* Arithmetic without vector registers is int, on one number of them fp, on several simd. */
#define BY_WIDTH INSTRUCTION_COUNT
#define SCALAR "v?[^vp].*s[sd]|v?cvtt?(s[sd]|u?si)2.*"

/* What counts of operands besides the accesses that Capstone reports. */
enum role {
    PLAIN,
    MOVES,  /* with one in memory it is a load or a store */
    STRING, /* strings in memory; an instruction with vectors may have the same name */
    CLEARS, /* a register that is combined with itself is not needed */
    MERGES, /* what it writes is needed, too: Capstone 5 does not read it */
    READS,  /* nothing is written: Capstone 4 writes to rax */
};

/* Instructions by the name that the assembler gives them, a regular expression of which the first
 * that matches counts. */
static const struct kind {
    const char *names;
    enum instruction class;
    enum chain_step step;
    enum role role;
} kinds[] = {
    {"(movs|stos)[bwdq]", INSTRUCTION_STORE, STEP_NONE, STRING},
    {"lods[bwdq]", INSTRUCTION_LOAD, STEP_NONE, STRING},
    {"(cmps|scas)[bwdq]", INSTRUCTION_INT, STEP_SIMPLE, STRING},
    {"push", INSTRUCTION_STORE, STEP_NONE, PLAIN},
    {"pop", INSTRUCTION_LOAD, STEP_NONE, PLAIN},
    {"mov|v?mov([au]p[sd]|dq[au].*)", BY_WIDTH, STEP_NONE, MOVES},
    {"v?mov.*|v?lddqu", BY_WIDTH, STEP_SIMPLE, MOVES},
    {"vp?(broadcast|maskmov).*", INSTRUCTION_SIMD, STEP_SIMPLE, MOVES},
    {"xor|sub|v?(xorp[sd]|pxor[dq]?|psub[bwdq])", BY_WIDTH, STEP_SIMPLE, CLEARS},
    {"cmov.*", INSTRUCTION_INT, STEP_SIMPLE, MERGES},
    {"test", INSTRUCTION_INT, STEP_SIMPLE, READS},
    {"syscall|cpuid|rdtscp?|ud2|v?(ld|st)mxcsr|fx(save|rstor).*|xsave.*|xrstor.*|clflush.*|clwb",
     INSTRUCTION_OTHER, STEP_SIMPLE, PLAIN},
    {"[lms]fence", INSTRUCTION_SYNC, STEP_SIMPLE, PLAIN},
    {"vzero(all|upper)|emms", INSTRUCTION_SIMD, STEP_SIMPLE, PLAIN},
    {"f.*", INSTRUCTION_FP, STEP_SIMPLE, PLAIN}, /* x87 */
    {"i?div|v?(div|sqrt)[ps][sd]", INSTRUCTION_DIV, STEP_DIVIDE, PLAIN},
    {"v?r(cp|sqrt)[ps]s", BY_WIDTH, STEP_DIVIDE, PLAIN},
    {"vfn?m.*s[sd]", INSTRUCTION_FMA, STEP_MULTIPLY, PLAIN},
    {"vfn?m.*", INSTRUCTION_SIMD, STEP_MULTIPLY, PLAIN},
    {"v?(add|sub|min|max|cmp.*|u?comi|hadd|hsub|addsub)[ps][sd]", BY_WIDTH, STEP_ADD, PLAIN},
    {"i?mulx?|v?((mul|round|dp)[ps][sd]|cvt.*|p(mul|madd|clmul).*)", BY_WIDTH, STEP_MULTIPLY,
     PLAIN},
    {".*", BY_WIDTH, STEP_SIMPLE, PLAIN},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct x86_decoder {
    struct capstone cs;
    csh handle;
    cs_insn instruction; /* the last one, and its details */
    cs_detail detail;
    regex_t kind[KINDS], scalar;
};

/* A name as a whole. */
static void compile_names(regex_t *compiled, const char *names)
{
    char *whole = allocate_print("^(%s)$", names);

    if (regcomp(compiled, whole, REG_EXTENDED | REG_NOSUB) != 0)
        allocation_failed();
    free(whole);
}

static bool is_named(const regex_t *names, const char *name)
{
    int result = regexec(names, name, 0, NULL, 0);

    if (result == REG_ESPACE)
        allocation_failed();
    return result == 0;
}

struct x86_decoder *x86_open(struct error *error)
{
    static cs_opt_mem memory = {allocate, allocate_array, allocate_again, free, vsnprintf};
    struct x86_decoder *decoder = allocate_array(1, sizeof *decoder);

    if (library_load(LIBRARY,
                     "cannot decode instructions: the library " LIBRARY
                     " is not installed (Debian: libcapstone-dev)",
                     functions, sizeof functions / sizeof functions[0], &decoder->cs,
                     error) != STATUS_OK) {
        free(decoder);
        return NULL;
    }
    decoder->cs.option(0, CS_OPT_MEM, (size_t)&memory);
    decoder->cs.open(CS_ARCH_X86, CS_MODE_64, &decoder->handle);
    decoder->cs.option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
    decoder->instruction.detail = &decoder->detail;
    for (int k = 0; k < KINDS; k++)
        compile_names(&decoder->kind[k], kinds[k].names);
    compile_names(&decoder->scalar, SCALAR);
    return decoder;
}

void x86_close(struct x86_decoder *decoder)
{
    if (decoder == NULL)
        return;
    for (int k = 0; k < KINDS; k++)
        regfree(&decoder->kind[k]);
    regfree(&decoder->scalar);
    decoder->cs.close(&decoder->handle);
    free(decoder);
}

/* Registers ------------------------------------------------------------------------------------ */

#define VECTORS (~(uint64_t)0 << 16)

/* Those that Capstone numbers one after the other. */
static const struct {
    unsigned first, count, number;
} ranges[] = {
    {X86_REG_R8, 8, 8},     {X86_REG_R8B, 8, 8},    {X86_REG_R8W, 8, 8},    {X86_REG_R8D, 8, 8},
    {X86_REG_XMM0, 32, 16}, {X86_REG_YMM0, 32, 16}, {X86_REG_ZMM0, 32, 16}, {X86_REG_MM0, 8, 48},
};

/* The others and their parts. */
static const unsigned oldest[8][5] = {
    {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
    {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
    {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
    {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
    {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL},
    {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL},
    {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL},
    {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL},
};

/* -1 for flags, the instruction pointer, masks, segments, the stack of x87. */
static int register_number(unsigned reg)
{
    for (int number = 0; number < 8 && reg != X86_REG_INVALID; number++)
        for (int part = 0; part < 5; part++)
            if (reg == oldest[number][part])
                return number;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (reg >= ranges[i].first && reg - ranges[i].first < ranges[i].count)
            return (int)(ranges[i].number + reg - ranges[i].first);
    return -1;
}

static uint64_t register_bit(unsigned reg)
{
    int number = register_number(reg);

    return number < 0 ? 0 : (uint64_t)1 << number;
}

/* 0 for an operand that is no register. */
static uint64_t operand_bit(const cs_x86_op *operand)
{
    return operand->type == X86_OP_REG ? register_bit(operand->reg) : 0;
}

/* Registers that an instruction uses without naming them, but for the pointer of the stack. Those
 * of vectors are the upper halves that vzeroupper clears, for which nothing waits. */
static uint64_t unnamed_registers(const uint16_t *regs, int count)
{
    uint64_t bits = 0;

    for (int i = 0; i < count; i++)
        bits |= register_bit(regs[i]);
    return bits & ~(VECTORS | register_bit(X86_REG_RSP));
}

/* Of some operands Capstone does not say how they are accessed: 5 of those of test and
 * vbroadcasti128. */
static unsigned access_of(const cs_x86 *x86, int operand, const struct kind *kind)
{
    unsigned access = x86->operands[operand].access;

    if (kind->role == READS)
        return CS_AC_READ;
    return access != 0 ? access : operand == 0 ? CS_AC_WRITE : CS_AC_READ;
}

static void find_registers(const cs_detail *detail, const struct kind *kind,
                           struct x86_instruction *decoded)
{
    uint64_t reads = unnamed_registers(detail->regs_read, detail->regs_read_count);
    uint64_t writes = unnamed_registers(detail->regs_write, detail->regs_write_count);

    for (int i = 0; i < detail->x86.op_count; i++) {
        const cs_x86_op *operand = &detail->x86.operands[i];
        unsigned access = access_of(&detail->x86, i, kind);

        if (operand->type == X86_OP_MEM)
            decoded->address |= register_bit(operand->mem.base) | register_bit(operand->mem.index);
        decoded->reads |= access & CS_AC_READ ? operand_bit(operand) : 0;
        decoded->writes |= access & CS_AC_WRITE ? operand_bit(operand) : 0;
    }
    if (kind->role == STRING) {
        decoded->address |= reads & ~decoded->reads; /* pointers and the count */
    } else {
        decoded->reads |= reads;
        decoded->writes |= writes;
    }
    decoded->named = decoded->address | decoded->reads | decoded->writes;
}

/* Returns true if the first operand is a register of which a part stays: the rest of one of 8 or 16
 * bits, or the other numbers of a vector in arithmetic of SSE. */
static bool keeps_part(const cs_x86_op *first, const char *name, bool scalar)
{
    return first->type == X86_OP_REG &&
           (first->size < 4 || (scalar && name[0] != 'v' && first->size == 16));
}

/* Returns true if the last two operands are the same register, as a whole. */
static bool is_combined_with_itself(const cs_x86 *x86)
{
    const cs_x86_op *last = &x86->operands[x86->op_count - 1];

    return last->type == X86_OP_REG && last->size > 1 && last[-1].type == X86_OP_REG &&
           last[-1].reg == last->reg;
}

/* Instructions --------------------------------------------------------------------------------- */

static bool has_vectors(const cs_x86 *x86)
{
    uint64_t bits = 0;

    for (int i = 0; i < x86->op_count; i++)
        bits |= operand_bit(&x86->operands[i]);
    return (bits & VECTORS) != 0;
}

/* Returns which operand is in memory, -1 if none is. */
static int memory_operand(const cs_x86 *x86)
{
    int operand = x86->op_count - 1;

    while (operand >= 0 && x86->operands[operand].type != X86_OP_MEM)
        operand--;
    return operand;
}

static const struct kind *find_kind(const struct x86_decoder *decoder, const char *name,
                                    bool vector)
{
    int k = 0;

    while ((kinds[k].role == STRING && vector) || !is_named(&decoder->kind[k], name))
        k++;
    return &kinds[k];
}

static bool is_branch(const cs_detail *detail)
{
    bool is = false;

    for (int i = 0; i < detail->groups_count; i++)
        is |= detail->groups[i] == CS_GRP_JUMP || detail->groups[i] == CS_GRP_CALL ||
              detail->groups[i] == CS_GRP_RET || detail->groups[i] == CS_GRP_BRANCH_RELATIVE;
    return is;
}

static enum instruction class_of(const cs_insn *instruction, const struct kind *kind, bool vector,
                                 bool scalar)
{
    const cs_x86 *x86 = &instruction->detail->x86;
    int memory = memory_operand(x86);

    if (is_branch(instruction->detail))
        return INSTRUCTION_BRANCH;
    if (x86->prefix[0] == X86_PREFIX_LOCK || (instruction->id == X86_INS_XCHG && memory >= 0))
        return INSTRUCTION_SYNC;
    if (kind->role == MOVES && memory >= 0)
        return memory == 0 ? INSTRUCTION_STORE : INSTRUCTION_LOAD;
    if (kind->class != BY_WIDTH)
        return kind->class;
    return !vector ? INSTRUCTION_INT : scalar ? INSTRUCTION_FP : INSTRUCTION_SIMD;
}

static enum chain_step step_of(const cs_x86 *x86, const struct kind *kind, enum instruction class)
{
    if (class == INSTRUCTION_LOAD || class == INSTRUCTION_STORE)
        return STEP_NONE;
    if (kind->role == CLEARS && is_combined_with_itself(x86))
        return STEP_NONE;
    return kind->role == MOVES && x86->operands[1].type == X86_OP_IMM ? STEP_SIMPLE : kind->step;
}

static int marker_of(const cs_insn *instruction)
{
    const cs_x86_op *operand = &instruction->detail->x86.operands[0];
    uint32_t marker = (uint32_t)operand->mem.disp - X86_MARKER;

    return instruction->id == X86_INS_NOP && operand->type == X86_OP_MEM && marker < X86_MARKERS
               ? (int)marker
               : -1;
}

/* Capstone 4 knows no vbroadcasti128 and no prefetch of AMD: they are replaced by vbroadcastf128
 * and prefetchw, which are the same to a trace. Returns false for other instructions. */
static bool replace_unknown(unsigned char *bytes)
{
    unsigned char *opcode = (bytes[0] & 0xF0) == 0x40 ? bytes + 1 : bytes;

    if (bytes[0] == 0xC4 && (bytes[1] & 0x1F) == 2 && bytes[3] == 0x5A)
        bytes[3] = 0x1A;
    else if (opcode[0] == 0x0F && opcode[1] == 0x0D && (opcode[2] & 0x38) == 0)
        opcode[2] |= 8;
    else
        return false;
    return true;
}

static bool take_apart(struct x86_decoder *decoder, const unsigned char *bytes, size_t length)
{
    unsigned char copy[X86_LENGTH_MAX] = {0};
    const unsigned char *at = copy;
    size_t left = length;
    uint64_t address = 0;

    memcpy(copy, bytes, length);
    if (decoder->cs.disasm_iter(decoder->handle, &at, &left, &address, &decoder->instruction))
        return true;
    at = copy;
    left = length;
    return replace_unknown(copy) &&
           decoder->cs.disasm_iter(decoder->handle, &at, &left, &address, &decoder->instruction);
}

struct x86_instruction x86_decode(struct x86_decoder *decoder, const unsigned char *bytes,
                                  size_t length)
{
    const cs_insn *instruction = &decoder->instruction;
    const cs_detail *detail = &decoder->detail;
    const cs_x86_op *operands = detail->x86.operands;
    struct x86_instruction decoded = X86_UNKNOWN;
    const struct kind *kind;
    const char *name;
    bool vector, scalar;

    if (!take_apart(decoder, bytes, length))
        return decoded;
    decoded.known = true;
    name = strrchr(instruction->mnemonic, ' '); /* behind prefixes */
    name = name == NULL ? instruction->mnemonic : name + 1;
    scalar = is_named(&decoder->scalar, name);
    vector = has_vectors(&detail->x86);
    kind = find_kind(decoder, name, vector);
    vector |= scalar && kind->role != STRING;
    decoded.class = class_of(instruction, kind, vector, scalar);
    decoded.step = step_of(&detail->x86, kind, decoded.class);
    find_registers(detail, kind, &decoded);
    if (decoded.class == INSTRUCTION_LOAD && operands[0].type == X86_OP_REG)
        decoded.loaded = register_number(operands[0].reg);
    if (decoded.step != STEP_NONE &&
        (kind->role == MERGES || keeps_part(&operands[0], name, scalar)))
        decoded.reads |= decoded.writes;
    if (kind->role == CLEARS && decoded.step == STEP_NONE)
        decoded.reads = 0;
    decoded.vector = vector && decoded.step != STEP_NONE;
    decoded.marker = marker_of(instruction);
    decoded.copies = kind->role == STRING && decoded.class == INSTRUCTION_STORE &&
                     operands[1].type == X86_OP_MEM;
    decoded.prefetches = strncmp(name, "prefetch", 8) == 0;
    decoded.without_memory = strncmp(name, "bt", 2) == 0 && operands[0].type == X86_OP_REG &&
                             operands[1].type == X86_OP_REG;
    return decoded;
}
