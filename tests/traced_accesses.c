/* What a trace counts of instructions whose accesses are easily lost, split or repeated: each row
 * is a phase with TIMES rounds of some instructions, which go on through memory that nobody has
 * touched. Prints
 *
 *     PHASE LINES INSTRUCTIONS PREFETCHES WHAT
 *
 * for each row: what the processor does, by hand. Lines are those of 64 B that are accessed, each
 * once; of instructions, movs counts as two, a load and a store. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)

enum { TIMES = 16, SPACE = 1 << 14, STACK = 1 << 13 };

/* Where a row loads from (rsi) and stores to (rdi); `skip` is where it begins, before rows that go
 * down. */
struct area {
    char *from, *to;
};

static struct area next_area(size_t skip)
{
    static char memory[80 * SPACE] __attribute__((aligned(4096)));
    static int used;
    char *from = memory + 2 * (size_t)used++ * SPACE;

    return (struct area){from + skip, from + SPACE + skip};
}

/* Indices of a gather. */
static const int32_t eight_lines[] = {0, 64, 128, 192, 256, 320, 384, 448};

/* The stack below is in the cache from now on. */
static void touch_stack(void)
{
    char below[STACK];

    memset(below, 1, sizeof below);
    __asm__ volatile("" ::"r"(below) : "memory");
}

static void print_row(int phase, int lines, int instructions, int prefetches, const char *what)
{
    printf("phase-%d %d %d %d %s\n", phase, lines * TIMES, 2 + (instructions + 2) * TIMES,
           prefetches * TIMES, what);
}

/* Of one round: lines, instructions and prefetches. Below the stack is the red zone of the
 * function. */
#define ROW(phase, lines, instructions, prefetches, what, skip, code)                              \
    do {                                                                                           \
        struct area area = next_area(skip);                                                        \
        __asm__ volatile("lea -256(%%rsp), %%rsp\n"                                                \
                         "nopl %c[begin](%%rax)\n"                                                 \
                         "mov %[times], %%r8d\n"                                                   \
                         "1: " code "\n"                                                           \
                         "dec %%r8d\n"                                                             \
                         "jnz 1b\n"                                                                \
                         "nopl %c[end](%%rax)\n"                                                   \
                         "lea 256(%%rsp), %%rsp\n"                                                 \
                         : "+S"(area.from), "+D"(area.to)                                          \
                         : [begin] "i"(0x616f6c00 + (phase)), [end] "i"(0x616f6c00),               \
                           [times] "i"(TIMES), [eight] "m"(eight_lines)                            \
                         : "memory", "cc", "rax", "rbx", "rcx", "rdx", "r8", "xmm0", "xmm1",       \
                           "xmm2");                                                                \
        print_row(phase, lines, instructions, prefetches, what);                                   \
    } while (0)

static void run_vectors(void)
{
    ROW(40, 4, 4, 0, "vectors across two lines", 0,
        "vmovups 48(%%rsi), %%ymm0; vmovups %%ymm0, 48(%%rdi); add $128, %%rsi; add $128, %%rdi");
    ROW(41, 2, 5, 0, "masked moves of all", 0,
        "vpcmpeqd %%ymm2, %%ymm2, %%ymm2; vmaskmovps (%%rsi), %%ymm2, %%ymm0;"
        "vmaskmovps %%ymm0, %%ymm2, (%%rdi); add $64, %%rsi; add $64, %%rdi");
    ROW(42, 0, 5, 0, "masked moves of nothing", 0,
        "vpxor %%ymm2, %%ymm2, %%ymm2; vmaskmovps (%%rsi), %%ymm2, %%ymm0;"
        "vmaskmovps %%ymm0, %%ymm2, (%%rdi); add $64, %%rsi; add $64, %%rdi");
    /* at 0, 64, ... 448 */
    ROW(43, 8, 6, 0, "a gather of eight lines", 0,
        "vmovdqu %[eight], %%ymm1; vpxor %%xmm0, %%xmm0, %%xmm0; vpcmpeqd %%ymm2, %%ymm2, %%ymm2;"
        "vpgatherdd %%ymm2, (%%rsi, %%ymm1), %%ymm0; add $512, %%rsi; nop");
}

int main(void)
{
    touch_stack();
    __asm__ volatile("" ::"r"(*(volatile const int32_t *)eight_lines));
    ROW(1, 1, 2, 0, "one load", 0, "movzbl (%%rsi), %%eax; add $64, %%rsi");
    ROW(2, 4, 5, 0, "four loads to one register", 0,
        "movzbl (%%rsi), %%eax; movzbl 64(%%rsi), %%eax; movzbl 128(%%rsi), %%eax;"
        "movzbl 192(%%rsi), %%eax; add $256, %%rsi");
    ROW(3, 2, 3, 0, "comparisons with the same flags", 0,
        "cmpl $0, (%%rsi); cmpl $0, 64(%%rsi); add $128, %%rsi");
    ROW(4, 1, 3, 0, "a load whose data does not matter", 0,
        "xor %%eax, %%eax; test %%eax, (%%rsi); add $64, %%rsi");
    ROW(5, 0, 3, 0, "the right side of a &&, which is not executed", 0,
        "xor %%ecx, %%ecx; test %%ecx, %%ecx; jz 2f; cmp $7, %%eax; jz 2f; nop; 2:");
    ROW(6, 2, 4, 0, "push and pop of memory", 0,
        "push (%%rsi); pop (%%rdi); add $64, %%rsi; add $64, %%rdi");
    ROW(7, 0, 3, 0, "call and return", 0, "call 2f; jmp 3f; 2: ret; 3:");
    ROW(8, 4, 5, 0, "read-modify-write", 0,
        "addl $1, (%%rdi); lock addl $1, 64(%%rdi); xchg %%eax, 128(%%rdi);"
        "lock cmpxchg16b 192(%%rdi); add $256, %%rdi");
    ROW(9, 2, 4, 0, "x87", 0, "fldt (%%rsi); fstpt (%%rdi); add $64, %%rsi; add $64, %%rdi");
    ROW(10, 1, 2, 0, "a store past the caches", 0, "movnti %%rax, (%%rdi); add $64, %%rdi");
    ROW(11, 0, 2, 0, "bits of a register", 0, "bt %%rax, %%rbx; bts %%rax, %%rbx");
    ROW(12, 0, 6, 5, "prefetches", 0,
        "prefetcht0 (%%rsi); prefetcht1 (%%rsi); prefetcht2 (%%rsi); prefetchnta (%%rsi);"
        "prefetchw (%%rsi); add $64, %%rsi");
    ROW(20, 8, 1 + 16, 0, "rep movsb", 0, "mov $256, %%ecx; rep movsb");
    ROW(21, 8, 1 + 16, 0, "rep movsq", 0, "mov $32, %%ecx; rep movsq");
    ROW(22, 4, 1 + 8, 0, "rep stosb", 0, "mov $256, %%ecx; rep stosb");
    ROW(23, 4, 1 + 8, 0, "rep stosq", 0, "mov $32, %%ecx; rep stosq");
    ROW(24, 2, 3 + 128, 0, "rep movsb downwards", SPACE - 1, "std; mov $64, %%ecx; rep movsb; cld");
    ROW(25, 1, 3 + 64, 0, "rep stosb downwards", SPACE - 1, "std; mov $64, %%ecx; rep stosb; cld");
    ROW(26, 1, 2 + 64, 0, "repne scasb", 0, "mov $64, %%ecx; mov $1, %%eax; repne scasb");
    ROW(27, 2, 1 + 64, 0, "repe cmpsb", 0, "mov $64, %%ecx; repe cmpsb");
    ROW(28, 3, 4 + 3, 0, "movs, stos and lods of one", 0,
        "movsb; stosb; add $63, %%rsi; add $62, %%rdi; lodsb; add $63, %%rsi");
    ROW(29, 2, 3 + 128, 0, "rep movsb to the next byte", 0,
        "lea 1(%%rsi), %%rdi; mov $64, %%ecx; rep movsb; add $64, %%rsi");
    if (__builtin_cpu_supports("avx2"))
        run_vectors();
    return 0;
}

#else

int main(void)
{
    return 77;
}

#endif
