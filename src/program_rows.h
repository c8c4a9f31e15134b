/* The rows of a trace (program_trace.h), from its bytes: each is checked, none is added up. */
#ifndef AOLAG_PROGRAM_ROWS_H
#define AOLAG_PROGRAM_ROWS_H

#include <stddef.h>

#include "problems.h"
#include "program.h"
#include "status.h"

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

#endif
