/* Traces of programs: instructions of x86-64, the cache, streams, distances, phases. */
#include "probe/tracer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/trace.h"
#include "probe/x86.h"
#include "rows.h"

static struct x86_decoder *open_decoder(void)
{
    struct error error;
    struct x86_decoder *decoder = x86_open(&error);

    if (decoder == NULL)
        CHECK_STR(error.message, "");
    return decoder;
}

static struct x86_instruction decode_text(struct x86_decoder *decoder, const char *text)
{
    unsigned char bytes[X86_LENGTH_MAX] = {0};
    size_t length = 0;

    for (const char *at = text; *at != '\0' && length < sizeof bytes; at += *at == ' ')
        bytes[length++] = (unsigned char)strtoul(at, (char **)&at, 16);
    for (size_t part = 0; part < length; part++)
        x86_decode(decoder, bytes, part); /* whatever is cut off is not read */
    return x86_decode(decoder, bytes, length);
}

/* "1 17": numbers of registers; "-": none. */
static const char *register_numbers(uint64_t registers, char text[160])
{
    text[0] = '\0';
    for (int r = 0; r < X86_REGISTERS; r++)
        if (registers >> r & 1)
            snprintf(text + strlen(text), 160 - strlen(text), "%s%d", text[0] == '\0' ? "" : " ",
                     r);
    return text[0] == '\0' ? "-" : text;
}

static void check_instruction(const struct row *row)
{
    struct x86_decoder *decoder = open_decoder();
    struct x86_instruction decoded = decode_text(decoder, row->field[1]);
    char loaded[16], named[160];

    ROW_STR(row, decoded.known ? instruction_names[decoded.class] : "unknown", row->field[2]);
    snprintf(loaded, sizeof loaded, decoded.loaded < 0 ? "-" : "%d", decoded.loaded);
    ROW_STR(row, loaded, row->field[3]);
    ROW_STR(row, register_numbers(decoded.named, named), row->field[4]);
    x86_close(decoder);
}

TEST(instructions)
{
    rows_each("x86.txt", "instructions", 5, check_instruction);
}

static void check_dependence(const struct row *row)
{
    struct x86_decoder *decoder = open_decoder();
    struct x86_instruction decoded = decode_text(decoder, row->field[1]);
    char text[160];

    ROW_STR(row, decoded.step == STEP_NONE ? "-" : chain_step_names[decoded.step], row->field[2]);
    ROW_STR(row, register_numbers(decoded.address, text), row->field[3]);
    ROW_STR(row, register_numbers(decoded.reads, text), row->field[4]);
    ROW_STR(row, register_numbers(decoded.writes, text), row->field[5]);
    ROW_STR(row, decoded.vector ? "vector" : "-", row->field[6]);
    x86_close(decoder);
}

TEST(dependences)
{
    rows_each("x86.txt", "dependences", 7, check_dependence);
}

/* Each instruction has 16 bytes of the program below. */
static const unsigned char program[][16] = {
    {0x8b, 0x10},                               /* 0: mov (%rax),%edx */
    {0x01, 0xc9},                               /* 1: add %ecx,%ecx */
    {0x01, 0xd1},                               /* 2: add %edx,%ecx */
    {0x03, 0x08},                               /* 3: add (%rax),%ecx */
    {0x89, 0x08},                               /* 4: mov %ecx,(%rax) */
    {0x0f, 0x1f, 0x80, 0x07, 0x6c, 0x6f, 0x61}, /* 5: phase 7 */
    {0x0f, 0x1f, 0x80, 0x07, 0x6c, 0x6f, 0x62}, /* 6: another NOP */
    {0xf3, 0xa4},                               /* 7: rep movsb */
    {0xf2, 0xae},                               /* 8: repne scasb */
    {0x0f, 0x18, 0x08},                         /* 9: prefetcht0 (%rax) */
    {0x0f, 0xa3, 0xc8},                         /* a: bt %ecx,%eax */
    {0xeb, 0xfe},                               /* b: jumps to itself */
};

static size_t read_program(void *context, uint64_t address, unsigned char *bytes, size_t length)
{
    (void)context;
    if (address >= sizeof program)
        return 0;
    length = length < sizeof program - address ? length : (size_t)(sizeof program - address);
    memcpy(bytes, (const unsigned char *)program + address, length);
    return length;
}

static struct tracer *open_tracer(double cache, tracer_code *code)
{
    struct error error;
    struct tracer *tracer = tracer_new(cache, 8, code, NULL, &error);

    if (tracer == NULL)
        CHECK_STR(error.message, "");
    return tracer;
}

static bool is_kind(const char *line, const char *kinds)
{
    char kind[20] = "";

    return sscanf(line, "%*[^,],0,%15[^,]", kind) == 1 && strstr(kinds, kind) != NULL;
}

/* Checks the rows of some kinds of a trace. */
static void traces_lines(const char *kinds, double cache, const char *lines, const char *expected)
{
    struct tracer *tracer = open_tracer(cache, read_program);
    struct buffer text = {0}, rows = {0};

    for (const char *at = lines; *at != '\0'; at++) /* lines arrive in any pieces */
        tracer_read(tracer, at, 1);
    tracer_write(tracer, &text);
    buffer_text(&rows, "");
    for (const char *line = text.bytes; line != NULL && *line != '\0';) {
        const char *end = strchr(line, '\n') + 1;

        if (is_kind(line, kinds))
            buffer_print(&rows, "%.*s", (int)(end - line), line);
        line = end;
    }
    CHECK_STR(rows.bytes, expected);
    CHECK_NEAR(tracer_counts(tracer).unknown, 0, 0);
    buffer_free(&text);
    buffer_free(&rows);
    tracer_free(tracer);
}

/* Runs instructions of the program, "0@ADDRESS" if they refer to memory. */
static void traces_of(const char *kinds, double cache, const char *steps, const char *expected)
{
    static const int sizes[] = {2, 2, 2, 2, 2, 7, 7};
    struct buffer lines = {0};

    for (const char *at = steps; *at != '\0'; at += *at == ' ') {
        int which = *at++ - '0';

        buffer_print(&lines, "I  %x,%d\n", 16 * which, sizes[which]);
        if (*at == '@')
            buffer_print(&lines, " %c %lx,4\n", which == 4 ? 'S' : 'L',
                         strtoul(at + 1, (char **)&at, 16));
    }
    traces_lines(kinds, cache, lines.bytes, expected);
    buffer_free(&lines);
}

static void traces(double cache, const char *steps, const char *expected)
{
    traces_of("instr remote bytes", cache, steps, expected);
}

/* Prints 64 elements of a string instruction, and once more that none is left. */
static void print_string(struct buffer *lines, const char *instruction, const char *kinds, int step)
{
    for (int i = 0; i < 64; i++) {
        buffer_print(lines, "I  %s,2\n", instruction);
        for (const char *kind = kinds; *kind != '\0'; kind++)
            buffer_print(lines, " %c %x,1\n", *kind,
                         0x10000 + (*kind == 'S' ? 4096 : 0) + step * i);
    }
    buffer_print(lines, "I  %s,2\n", instruction);
}

static void traces_string(const char *instruction, const char *kinds, int step,
                          const char *expected)
{
    struct buffer lines = {0};

    print_string(&lines, instruction, kinds, step);
    traces_lines("instr remote bytes", 65536, lines.bytes, expected);
    buffer_free(&lines);
}

/* A vector's width at a time upwards, as processors do; else one element after the other. */
TEST(strings)
{
    traces_string("70", "LS", 1,
                  "start,0,instr,load,2\nstart,0,instr,store,2\n"
                  "start,0,remote,0,1\nstart,0,bytes,,64\n");
    traces_string("70", "LS", -1,
                  "start,0,instr,load,64\nstart,0,instr,store,64\n"
                  "start,0,remote,0,1\nstart,0,bytes,,192\n");
    traces_string("80", "L", 1, "start,0,instr,int,64\nstart,0,remote,0,1\n");
    traces_string("70", "", 1, "start,0,instr,load,65\nstart,0,instr,store,65\n");
    /* the first load of the block is remote; the next blocks and what reads the copy do not wait */
    traces_lines("chain", 65536,
                 "I  70,2\n L 10000,1\n S 20000,1\nI  70,2\n L 10001,1\n S 20001,1\nI  70,2\n"
                 "I  0,2\n L 20001,1\n",
                 "start,0,chain,load,1\nstart,0,chain,remote,1\n");
}

TEST(instructions_without_accesses)
{
    traces_lines("prefetch", 1024, "I  90,3\nI  90,3\nI  10,2\n", "start,0,prefetch,,2\n");
    /* valgrind tests bits of registers on the stack */
    traces_lines("instr remote bytes", 1024, "I  a0,3\n S 10000,4\n L 10000,1\n",
                 "start,0,instr,int,1\n");
    traces_lines("instr", 1024, "I  b0,2\nI  b0,2\nI  b0,2\n", "start,0,instr,branch,3\n");
}

/* What waits for what; the window is 8 instructions. */
TEST(chains)
{
    /* a remote load, two additions that need it; the others and the second load are shorter */
    traces_of("chain", 1024, "1 0@10000 1 2 3@10000",
              "start,0,chain,simple,2\nstart,0,chain,remote,1\n");
    /* additions to one register wait for each other, loads do not */
    traces_of("chain", 1024, "1 1 1 1 1", "start,0,chain,simple,5\n");
    traces_of("chain", 1024, "4@10000 5 0@10000 0@10000 0@10000", "phase-7,0,chain,load,1\n");
    /* but for the window: the ninth waits for the first */
    traces_of("chain", 1024,
              "4@10000 5 0@10000 0@10000 0@10000 0@10000 0@10000 0@10000 0@10000 0@10000 0@10000",
              "phase-7,0,chain,load,2\n");
    /* a load waits for the store to its place */
    traces_of("chain", 1024, "1 1 1 4@10000 0@10000 2",
              "start,0,chain,simple,4\nstart,0,chain,load,1\n");
    traces_of("chain", 1024, "4@10000 1 1 1 4@10010 0@10000 2",
              "start,0,chain,simple,1\n"
              "start,0,chain,load,1\n");
}

/* Lines since, of at least 64. */
TEST(reuse)
{
    char steps[4000] = "";

    for (int i = 0; i <= 64; i++)
        snprintf(steps + strlen(steps), sizeof steps - strlen(steps), "0@%x ", 0x10000 + 64 * i);
    snprintf(steps + strlen(steps), sizeof steps - strlen(steps), "0@%x 0@%x", 0x10000, 0x10010);
    traces_of("reuse", 65536, steps, "start,0,reuse,4096,64\n");
    traces_of("reuse", 1024, steps, ""); /* comes from memory */
    /* a line that was stored to has been written back, once */
    steps[0] = '4';
    traces_of("reuse", 65536, steps, "start,0,reuse,4096,128\n");
    for (int i = 1; i <= 65; i++)
        snprintf(steps + strlen(steps), sizeof steps - strlen(steps), " 0@%x",
                 0x10000 + 64 * (i % 65));
    traces_of("reuse", 65536, steps, "start,0,reuse,4096,4288\n");
}

TEST(references_have_distances)
{
    /* used by the second instruction after the load; then by the load itself */
    traces(1024, "0@10000 1 2 3@20000",
           "start,0,instr,int,3\nstart,0,instr,load,1\n"
           "start,0,remote,0,1\nstart,0,remote,2,1\n");
    /* a register that is loaded again was used by then; one that nobody uses, at the end */
    traces(1024, "0@10000 0@20000 1 1",
           "start,0,instr,int,2\nstart,0,instr,load,2\n"
           "start,0,remote,1,1\nstart,0,remote,2,1\n");
    /* the second access finds the line in the cache */
    traces(1024, "3@10000 3@10020", "start,0,instr,int,2\nstart,0,remote,0,1\n");
}

TEST(streams_are_bytes)
{
    traces(1024, "3@10000 3@10040 3@10080 3@100c0",
           "start,0,instr,int,4\nstart,0,remote,0,1\nstart,0,bytes,,192\n");
    traces(1024, "3@10000 3@ffc0 3@50000 3@ff80",
           "start,0,instr,int,4\nstart,0,remote,0,2\nstart,0,bytes,,128\n");
    /* across a line: the second is the next one of the stream */
    traces(1024, "3@1003e", "start,0,instr,int,1\nstart,0,remote,0,1\nstart,0,bytes,,64\n");
}

TEST(stores_come_and_go)
{
    char steps[400] = "4@100000";

    traces(1024, steps, "start,0,instr,store,1\nstart,0,bytes,,64\n");
    /* sixteen other lines, none a neighbour, replace the only set of 1 KiB */
    for (int i = 1; i <= 16; i++)
        snprintf(steps + strlen(steps), sizeof steps - strlen(steps), " 3@%x", i << 12);
    traces(1024, steps,
           "start,0,instr,int,16\nstart,0,instr,store,1\nstart,0,remote,0,16\n"
           "start,0,bytes,,128\n");
    traces(2048, "3@0 3@1000", "start,0,instr,int,2\nstart,0,remote,0,2\n");
}

TEST(markers_begin_phases)
{
    traces(1024, "1 5 1 1 6", "start,0,instr,int,1\nphase-7,0,instr,int,4\n");
}

/* Distances beyond 1023 are rounded down to eighths. */
TEST(long_distances)
{
    static const int issued[] = {1023, 1024, 1151, 1152, 5000};
    static const char *const rows[] = {"remote,1023,", "remote,1024,", "remote,1024,",
                                       "remote,1152,", "remote,4608,"};

    for (size_t i = 0; i < sizeof issued / sizeof issued[0]; i++) {
        struct tracer *tracer = open_tracer(1024, read_program);
        struct buffer text = {0};

        tracer_read(tracer, "I  0,2\n L 10000,4\n", 18);
        for (int k = 1; k < issued[i]; k++)
            tracer_read(tracer, "I  10,2\n", 8);
        tracer_read(tracer, "I  20,2\n", 8);
        tracer_write(tracer, &text);
        if (CHECK(text.bytes != NULL))
            CHECK_TRUE(strstr(text.bytes, rows[i]) != NULL, "%d: %s", issued[i], text.bytes);
        buffer_free(&text);
        tracer_free(tracer);
    }
}

TEST(code_that_cannot_be_read)
{
    static const char lines[] = "I  9000,3\n L 10000,8\nI  9003,3\n M 20000,8\nI  9006,3\n"
                                "garbage\n==1== text\nI  xyz,3\nI  9009\n";
    struct tracer *tracer = open_tracer(1024, NULL);
    struct buffer text = {0};

    tracer_read(tracer, lines, sizeof lines - 1);
    tracer_write(tracer, &text);
    CHECK_STR(text.bytes, "phase,thread,kind,key,count\nstart,0,instr,load,1\n"
                          "start,0,instr,other,2\nstart,0,remote,0,2\n");
    CHECK_NEAR(tracer_counts(tracer).unknown, 3, 0);
    buffer_free(&text);
    tracer_free(tracer);
}
