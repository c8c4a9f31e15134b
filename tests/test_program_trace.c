/* Traces as text: what is read, and every sentence about what cannot be. */
#include "design/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "files.h"
#include "rows.h"

#define HEADER "phase,thread,kind,key,count\n"

static struct program *parse(const char *text, size_t length, char **problems)
{
    struct problems found = {NULL, 0, 0};
    struct program *program = NULL;
    enum status status = program_parse(text, length, &program, &found);

    CHECK_INT(status, found.count > 0 ? STATUS_INVALID : STATUS_OK);
    CHECK_INT(program != NULL, found.count == 0);
    *problems = files_problems(&found);
    problems_free(&found);
    return program;
}

static struct program *parsed(const char *text)
{
    char *problems;
    struct program *program = parse(text, strlen(text), &problems);

    CHECK_STR(problems, "");
    free(problems);
    return program;
}

/* Exactly these problems, "LINE: SENTENCE" each on a line. */
static void refused(const char *text, const char *expected)
{
    char *problems;

    program_free(parse(text, strlen(text), &problems));
    CHECK_STR(problems, expected);
    free(problems);
}

TEST(rows_are_collected)
{
    struct program *program = parsed("# a comment\r\n"
                                     "\n"
                                     "  phase , thread,kind,\tkey,count \r\n"
                                     "b,7,instr,fma,10\n"
                                     "  # another\n"
                                     "a,2,remote,4,1e3\n"
                                     "b,7,remote,0,2.5\n"
                                     "b,2,instr,int,3\n"
                                     "a,2,remote,4,1\n"
                                     "b,7,instr,fma,5\n"
                                     "b,2,lock,,100\n"
                                     "b,7,lock,mutex-1,23\n"
                                     "a,2,bytes,,64\n"
                                     "b,7,chain,add,8\n"
                                     "b,2,reuse,4096,640\n"
                                     "b,7,reuse,0,64\n"
                                     "a,2,reuse,128,1\n"
                                     "b,7,vector,,9\n"
                                     "b,7,chain,add,1\n"
                                     "b,7,prefetch,,30\n"
                                     "b,7,prefetch,table,4\n"
                                     " a , 2 , bytes , matrix , 6 ");
    const struct program_thread *thread;

    if (program == NULL)
        return;
    CHECK_INT(program->phase_count, 2);
    CHECK_INT(program->threads, 2);
    CHECK_STR(program->phase[0].name, "b");
    CHECK_STR(program->phase[1].name, "a");
    CHECK_INT(program->phase[0].count, 2);
    CHECK_INT(program->phase[1].count, 1);
    CHECK_NEAR(program->phase[0].locked, 123, 0);
    CHECK_NEAR(program->phase[0].bytes, 0, 0);
    CHECK_NEAR(program->phase[1].bytes, 70, 0);
    thread = &program->thread[program->phase[0].first];
    CHECK_INT(thread[0].number, 2);
    CHECK_NEAR(thread[0].instructions[INSTRUCTION_INT], 3, 0);
    CHECK_INT(thread[0].count, 0);
    CHECK_INT(thread[1].number, 7);
    CHECK_NEAR(thread[1].instructions[INSTRUCTION_FMA], 15, 0);
    CHECK_NEAR(thread[1].chain[STEP_ADD], 9, 0);
    CHECK_NEAR(thread[1].vector, 9, 0);
    CHECK_NEAR(thread[1].prefetches, 34, 0);
    CHECK_INT(program->phase[0].reuses, 2);
    CHECK_NEAR(program->reuse[program->phase[0].first_reuse].distance, 4096, 0);
    CHECK_NEAR(program->reuse[program->phase[0].first_reuse].bytes, 640, 0);
    CHECK_INT(program->phase[1].reuses, 1);
    CHECK_NEAR(program->reuse[program->phase[1].first_reuse].distance, 128, 0);
    CHECK_INT(thread[1].count, 1);
    CHECK_NEAR(program->reference[thread[1].first].count, 2.5, 0);
    thread = &program->thread[program->phase[1].first];
    CHECK_INT(thread->count, 2);
    CHECK_NEAR(program->reference[thread->first].distance, 4, 0);
    CHECK_NEAR(program->reference[thread->first].count +
                   program->reference[thread->first + 1].count,
               1001, 0);
    program_free(program);
}

TEST(every_class_is_known)
{
    for (int c = 0; c < INSTRUCTION_COUNT; c++) {
        char text[128];
        struct program *program;

        snprintf(text, sizeof text, HEADER "a,0,instr,%s,%d\n", instruction_names[c], c + 1);
        program = parsed(text);
        if (program == NULL)
            continue;
        CHECK_NEAR(program->thread[0].instructions[c], c + 1, 0);
        program_free(program);
    }
}

static void check_refused(const struct row *row)
{
    char *problems;

    program_free(parse(row->field[0], strlen(row->field[0]), &problems));
    ROW_STR(row, problems, row->field[1]);
    free(problems);
}

static void check_refused_row(const struct row *row)
{
    char text[200];
    struct row whole = *row;

    snprintf(text, sizeof text, HEADER "%s", row->field[0]);
    whole.field[0] = text;
    check_refused(&whole);
}

TEST(headers_and_rows)
{
    rows_each("traces.txt", "texts", 2, check_refused);
    rows_each("traces.txt", "rows", 2, check_refused_row);
}

/* All that is wrong is said, of a row too. */
TEST(all_problems_at_once)
{
    refused(HEADER "A,y,remote,z,w\n"
                   "a,0,instr,int,1\n"
                   "a,0,instr\n",
            "2: phase \"A\" is not a name; a name is 1 to 31 of a-z 0-9 - _\n"
            "2: thread \"y\" is not a number; allowed: 0 to 1023\n"
            "2: distance \"z\" is not a number; allowed: 0 to 1e+15\n"
            "2: count \"w\" is not a number; allowed: 0 to 1e+18\n"
            "4: 3 fields; a row has 5: phase,thread,kind,key,count\n");
}

TEST(no_text)
{
    static const char text[] = HEADER "a,0,instr,int,1\n\0b";
    char *problems;

    program_free(parse(text, sizeof text - 1, &problems));
    CHECK_STR(problems, "0: byte 45 is NUL; a trace is text\n");
    free(problems);
}

/* As many phases and threads as there may be, and one more. */
TEST(limits)
{
    const int rows = PROGRAM_PHASES_MAX + 1;
    char *text = malloc(64 * (size_t)rows + sizeof HEADER);
    struct program *program;
    int used;
    int last = 0;

    if (!CHECK(text != NULL))
        return;
    used = sprintf(text, HEADER);
    for (int i = 0; i < rows; i++) {
        last = used;
        used += sprintf(text + used, "phase-%d,%d,instr,int,1\n", i, i % PROGRAM_THREADS_MAX);
    }
    refused(text, "4098: phase \"phase-4096\" is beyond the limit of 4096 phases\n");
    text[last] = '\0';
    program = parsed(text);
    if (program != NULL) {
        CHECK_INT(program->phase_count, PROGRAM_PHASES_MAX);
        CHECK_INT(program->threads, PROGRAM_THREADS_MAX);
        CHECK_STR(program->phase[4095].name, "phase-4095");
        program_free(program);
    }
    free(text);
}

/* Whatever the bytes are, they are read or refused with a reason. */
TEST(damaged_traces_are_read_or_refused)
{
    static const char text[] = HEADER "a,0,instr,int,1\nb,1,remote,20,3\n# c\na,1,lock,,4\n";
    uint64_t state = 5;

    for (int i = 0; i < 20000; i++) {
        char bytes[sizeof text];
        size_t length = sizeof text - 1;
        char *problems;

        memcpy(bytes, text, sizeof text);
        for (int k = (int)files_random(&state, 4); k >= 0; k--)
            bytes[files_random(&state, (uint32_t)length)] = (char)files_random(&state, 256);
        if (files_random(&state, 4) == 0)
            length = files_random(&state, (uint32_t)length);
        program_free(parse(bytes, length, &problems));
        free(problems);
    }
}
