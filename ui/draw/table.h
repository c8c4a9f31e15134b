/* Aligned columns of text. Cells are collected row by row, then printed with every column as wide
 * as its widest cell. */
#ifndef AOLAG_DRAW_TABLE_H
#define AOLAG_DRAW_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#define TABLE_COLUMNS_MAX 32
#define TABLE_COLUMNS_USUAL 12 /* more seldom fit */

struct table {
    int columns;
    unsigned right;    /* bit k: column k is right-aligned */
    unsigned optional; /* bit k: column k is dropped if a line would be too wide */
    unsigned folded;   /* bit k: column k is printed below its row if a line would be too wide */
    int soft;          /* column that is shortened if a line would be too wide; -1: none */
    bool below;        /* cells of the last column are printed below their row, on separate lines */
    int heads;         /* rows of the heading if more than one */
    int count;         /* cells so far */
    int capacity;
    char **cells;
};

struct table table_new(int columns, unsigned right, int soft);

/* Same as table_new, with a heading: one column per word, up to NULL. */
struct table table_headed(const char *const *headings, unsigned right, int soft);

void table_free(struct table *table);

/* Appends one cell; a row is complete after `columns` of them. The text is copied. */
void table_add(struct table *table, const char *text);

/* Same as table_add, with a format; at most 63 bytes. */
void table_addf(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a quantity as text_quantity writes it, with µ. */
void table_quantity(struct table *table, double si, const char *unit);

/* Prints the rows, two blanks between columns, without trailing blanks. If a line would exceed
 * `limit` (0: no limit), optional columns are dropped from the last, but for those that fit then;
 * if that does not suffice, folded columns are printed below their rows instead, each cell after
 * its heading; then cells of the soft column are shortened, if possible by omitting a final remark
 * in parentheses; then a long first cell gets a line of its own. The heading, the first row or the
 * first `heads` rows, is enclosed in `bold` and `plain` (terminal sequences or empty). */
void table_print(const struct table *table, FILE *out, int limit, const char *bold,
                 const char *plain);

/* Returns the columns that table_print would drop: bit k is column k. */
unsigned table_dropped(const struct table *table, int limit);

/* Prints the table without terminal sequences and frees it. */
void table_close(struct table *table, FILE *out, int limit);

#endif
