#include "program_trace.h"

#include <stdlib.h>

#include "program_rows.h"

static int by_phase_and_thread(const void *a, const void *b)
{
    const struct program_row *left = a;
    const struct program_row *right = b;

    if (left->phase != right->phase)
        return left->phase < right->phase ? -1 : 1;
    return (left->thread > right->thread) - (left->thread < right->thread);
}

/* Rows of one thread in one phase lie together. */
static void add_row(struct program *program, const struct program_row *row, size_t *threads,
                    size_t *references)
{
    struct program_phase *phase = &program->phase[row->phase];
    struct program_thread *thread;

    if (phase->count == 0)
        phase->first = *threads;
    if (phase->count == 0 || program->thread[*threads - 1].number != row->thread) {
        phase->count++;
        program->thread[(*threads)++] =
            (struct program_thread){.number = row->thread, .first = *references};
    }
    thread = &program->thread[*threads - 1];
    switch (row->kind) {
    case ROW_INSTR:
        thread->instructions[(int)row->key] += row->count;
        break;
    case ROW_REMOTE:
        program->reference[(*references)++] = (struct program_reference){row->key, row->count};
        thread->count++;
        break;
    case ROW_LOCK:
        phase->locked += row->count;
        break;
    case ROW_BYTES:
        phase->bytes += row->count;
        break;
    case ROW_KINDS:
        break;
    }
}

static int count_threads(const struct program *program, size_t threads)
{
    bool seen[PROGRAM_THREADS_MAX] = {false};
    int count = 0;

    for (size_t i = 0; i < threads; i++) {
        count += !seen[program->thread[i].number];
        seen[program->thread[i].number] = true;
    }
    return count;
}

/* Takes over the phases. NULL without memory. */
static struct program *build(struct program_rows *rows)
{
    struct program *program = calloc(1, sizeof *program);
    size_t threads = 0;
    size_t references = 0;

    if (program == NULL)
        return NULL;
    program->thread = calloc(rows->count, sizeof *program->thread);
    program->reference = calloc(rows->count, sizeof *program->reference);
    if (program->thread == NULL || program->reference == NULL) {
        program_free(program);
        return NULL;
    }
    program->phase = rows->phase;
    program->phase_count = rows->phase_count;
    rows->phase = NULL;
    qsort(rows->rows, rows->count, sizeof *rows->rows, by_phase_and_thread);
    for (size_t i = 0; i < rows->count; i++)
        add_row(program, &rows->rows[i], &threads, &references);
    program->threads = count_threads(program, threads);
    return program;
}

void program_free(struct program *program)
{
    if (program == NULL)
        return;
    free(program->phase);
    free(program->thread);
    free(program->reference);
    free(program->origin);
    free(program);
}

enum status program_parse(const char *bytes, size_t length, struct program **program,
                          struct problems *problems)
{
    struct program_rows rows;
    enum status status = program_rows_read(bytes, length, &rows, problems);

    *program = status == STATUS_OK ? build(&rows) : NULL;
    program_rows_free(&rows);
    return status == STATUS_OK && *program == NULL ? STATUS_MEMORY : status;
}
