/* Aligned columns of text. Cells are collected row by row, then printed with every column as wide
 * as its widest cell. */
#ifndef AOLAG_DRAW_TABLE_H
#define AOLAG_DRAW_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#define TABLE_COLUMNS_MAX 12

struct table {
    int columns;
    unsigned right;    /* bit k: column k is set against its right edge */
    unsigned optional; /* bit k: column k is left out where a line would be too wide */
    int soft;          /* the column that is cut where a line would be too wide; -1: none */
    bool below;        /* cells of the last column go under their row, on lines of their own */
    int heads;         /* rows of the heading, where there are more than one */
    int count;         /* cells so far */
    int capacity;
    char **cells;
    bool failed; /* out of memory: nothing is printed */
};

struct table table_new(int columns, unsigned right, int soft);

/* The same with its heading: a column for each word up to NULL. */
struct table table_headed(const char *const *headings, unsigned right, int soft);

void table_free(struct table *table);

/* Appends one cell; a row is complete after `columns` of them. The text is copied. */
void table_add(struct table *table, const char *text);

/* The same, formatted; at most 63 bytes. */
void table_addf(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A quantity as text_quantity writes it, with the µ. */
void table_quantity(struct table *table, double si, const char *unit);

/* Prints the rows, two blanks between columns, none at the end of a line. Where a line would be
 * wider than `limit` (0: any width will do) optional columns are left out, the last first, then
 * cells of the soft column are cut, a remark in
 * parentheses at their end as a whole where that is enough, and where that does not suffice a long
 * first cell gets a line of its own. The heading, which is the first row or `heads` rows, goes
 * between `bold` and `plain` (terminal sequences, or empty). */
void table_print(const struct table *table, FILE *out, int limit, const char *bold,
                 const char *plain);

/* Prints it without terminal sequences and frees it. */
void table_close(struct table *table, FILE *out, int limit);

#endif
