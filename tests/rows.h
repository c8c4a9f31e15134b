/* Tables of tests as text, in tests/data/rows: what goes in and what has to come out.
 *
 *     # a comment
 *     [formats in the unit]
 *     500e-6 | us | 500 us
 *
 * Fields are parted by " | ", blanks around them do not count; \_ is a blank, \n, \r, \t, \e
 * (escape) and \\ are what they are in C, \xHH is a byte: a row that begins with # or [ begins with
 * \x23 or \x5B. */
#ifndef AOLAG_ROWS_H
#define AOLAG_ROWS_H

#include <stdbool.h>

#define ROW_FIELDS_MAX 12

struct row {
    const char *file;
    int line;
    int count;
    const char *field[ROW_FIELDS_MAX];
};

/* Calls `check` for every row of a section (NULL: of all) of so many fields (0: any). A file or
 * section that is not there, a section without rows and a row that has not so many fields fail. */
void rows_each(const char *name, const char *section, int fields,
               void (*check)(const struct row *row));

/* The same without failing: what is wrong, or NULL. Valid until the next call. */
const char *rows_read(const char *name, const char *section, int fields,
                      void (*check)(const struct row *row));

/* A field as a number; one that is none fails. */
double row_number(const struct row *row, int field);

/* The same of "5 * 112 - 7" (model/expression.h without names). */
double row_arithmetic(const struct row *row, int field);

/* Checks, reported at the row. */
#define ROW_TRUE(row, condition, ...) check_true((condition), (row)->file, (row)->line, __VA_ARGS__)
#define ROW_NEAR(row, actual, expected, relative)                                                  \
    check_near((actual), (expected), (relative), (row)->field[0], (row)->file, (row)->line)
#define ROW_STR(row, actual, expected)                                                             \
    check_str((actual), (expected), (row)->field[0], (row)->file, (row)->line)

#endif
