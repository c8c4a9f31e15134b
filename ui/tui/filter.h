/* Rows of lists, and filters of rows.
 *
 * A filter is terms separated by blanks, all of which a row must meet:
 *
 *     epyc 32c 80gb     words and numbers of any column; a unit may be cut short
 *     <400w             a limit of any number with that unit: <, <=, >, >= or =
 *     watts<400         a limit of the column of that name, in its unit unless another is given
 *     vendor:nvidia     a word of the column of that name
 *
 * Capital letters are like small ones, x is also the sign of multiplication, digits are found only
 * where a number begins, and prefixes of units are converted: 1.2tb/s is 1200gb/s. */
#ifndef AOLAG_TUI_FILTER_H
#define AOLAG_TUI_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/table_pane.h"

#define PICKER_TEXT 64

struct preset;

/* Of a row that stands for others: whether they are listed below it. */
enum item_fold { ITEM_ALONE, ITEM_CLOSED, ITEM_OPEN };

struct picker_item {
    char text[TABLE_PANE_COLUMNS][PICKER_TEXT];
    double value[TABLE_PANE_COLUMNS];
    int group;    /* lower groups come first in every sort order */
    bool inside;  /* a word of the filter is only inside words of the texts; below the others */
    bool always;  /* below the others if it does not pass the filter */
    int below;    /* rows below the one that stands for it, whose place it shares; 0: none does */
    enum item_fold fold;
    bool present; /* the current one; the text of its first column ends with PICKER_NOW */
    const struct preset *preset; /* whose text names the sources of its figures; NULL: none */
    int id;
};

enum { FILTER_TERMS = 12, FILTER_PROBLEM = 200 };

enum filter_relation {
    FILTER_WORD, /* none: a word or a number */
    FILTER_EQUAL,
    FILTER_BELOW,
    FILTER_AT_MOST,
    FILTER_ABOVE,
    FILTER_AT_LEAST
};

struct filter_term {
    char text[PICKER_TEXT]; /* the word, or what follows the relation */
    enum filter_relation relation;
    uint32_t columns; /* those that it is about: bit k for column k */
};

/* Zero-initialised: passes every row. */
struct filter {
    struct filter_term term[FILTER_TERMS]; /* further ones are ignored */
    int count;
    char problem[FILTER_PROBLEM]; /* of the first term that is left out; empty: none */
};

/* Reads a filter for a list with these columns, at most TABLE_PANE_COLUMNS. A term is left out, with a
 * sentence in `problem`, if it names no column or lacks a number in the unit of its column. */
void filter_read(struct filter *filter, const char *text, const struct table_column *columns,
                 int count);

/* How a term is found in a row: inside a word only, or at its beginning; numbers begin. */
enum found { FOUND_NOT, FOUND_INSIDE, FOUND_BEGINS };

enum found filter_find(const struct filter_term *term, const struct table_column *columns,
                       int count, const struct picker_item *item);

/* Returns how the term that matches least is found. */
enum found filter_find_all(const struct filter *filter, const struct table_column *columns,
                           int count, const struct picker_item *item);

/* Gets the number of a term in the unit of a column, the plain one if the unit is in the text.
 * Returns false if it has none in that unit. */
bool filter_number(const struct filter_term *term, const struct table_column *column,
                   double *number);

#endif
