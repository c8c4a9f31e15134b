/* Report writer: a report puts every value once, with key, heading and unit, for output as text,
 * Markdown, JSON or CSV.
 *
 * A report is a function that puts objects, tables, values and sentences in order. Each format
 * prints the elements that apply to it:
 *
 *                      JSON               CSV               text             Markdown
 *     table            array              header, records   columns          table
 *     row              object             record            line             row
 *     value in a row   member             field             cell             cell
 *     value elsewhere  member             -                 labelled line    row of a table
 *     object in a row  object or null     fields KEY_...    one cell         one cell
 *     line, remark     -                  -                 as in text       as in Markdown
 *     title, section   -                  -                 bold             heading
 *
 * A record of facts takes the lines and notes that have a weight and prints nothing: a pane of the
 * screen says what the report says.
 *
 * A value has a key (JSON and CSV; NULL for an element of an array) and a heading (text and
 * Markdown). A value with the heading NULL is omitted from text, except within an object. The first
 * row of a table defines its columns; every row must put the same ones. A table whose columns have
 * no headings is printed as JSON and CSV only. Other parts that belong to only one kind of format,
 * such as tables for text, are conditional on record_is_data.
 *
 * Numbers are SI or RESULT_NONE, printed as null, an empty field or a dash. JSON and CSV have the
 * shortest digits that read back as the same value in the unit named by the key; text has three
 * significant digits and a suitable prefix. The unit is one of units.h, "mJ", "%" or "fraction".
 * For the last two the value is a fraction: text is in percent, data in percent or as it is. Text
 * in CSV that a spreadsheet would compute (it begins with = + - or @) gets an apostrophe in front.
 *
 * Text has at most `width` columns, non-ASCII characters only in a UTF-8 locale, and colours only
 * on a terminal and without NO_COLOR. The caller checks the stream for write errors. */
#ifndef AOLAG_REPORT_RECORD_H
#define AOLAG_REPORT_RECORD_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buffer.h"
#include "draw/table.h"
#include "report/json.h"

enum record_format { RECORD_TEXT, RECORD_MARKDOWN, RECORD_JSON, RECORD_JSON_LINES, RECORD_CSV };

enum record_tone { TONE_BAD = -1, TONE_PLAIN, TONE_GOOD };

/* The lines and notes of a report that have a weight, for a pane of the screen: where there is little
 * room those with the largest are shown. A note has no label. */
enum { FACTS_MAX = 32 };

struct fact {
    int weight; /* from 1 */
    enum record_tone tone;
    char label[20];
    char text[320];
};

struct facts {
    struct fact fact[FACTS_MAX];
    int count;
};

enum record_block {
    BLOCK_NONE,
    BLOCK_TITLE,
    BLOCK_LINES,
    BLOCK_TABLE,
    BLOCK_NOTE,
    BLOCK_REMARKS,
    BLOCK_DRAWING
};

#define RECORD_QUANTITY_MAX 40
#define RECORD_QUANTITIES 8

struct record {
    enum record_format format;
    FILE *out;
    bool unicode; /* text may contain non-ASCII characters */
    int width;    /* maximum columns of text, default 80; 0: unlimited */
    int label;    /* columns of the labels of lines, default 16 */
    bool header;  /* CSV: print a header before the first record; default true */
    bool records; /* CSV: print records; default true */

    struct facts *facts; /* takes lines and notes; NULL: they are printed */

    /* Private to record.c */
    struct json json;
    bool colours;
    enum record_block last; /* last block printed */
    bool map;               /* the table is a map */
    bool row;
    int rows;   /* of the table, so far */
    int fields; /* of the row, so far */
    int absent; /* number of open objects that do not exist */
    int arrays; /* number of open arrays */
    const char *title;
    struct table table, headings;
    struct buffer csv_header, csv_record; /* of the first row */
    const char *object;                   /* key of the object in a row; NULL: none */
    const char *object_heading;
    struct buffer object_text;
    char quantity[RECORD_QUANTITIES][RECORD_QUANTITY_MAX];
    unsigned quantities; /* number of calls of record_quantity */
};

/* A column of numbers as a report declares it, for all formats and for lists of the screen. */
struct record_column {
    const char *key, *heading, *unit;
};

struct record record_to(FILE *out, enum record_format format);

/* Takes facts, for a function that puts no table, title, drawing or object. */
struct record record_to_facts(struct facts *facts);


/* Returns true for JSON and CSV. */
bool record_is_data(const struct record *record);

/* Returns a quantity for a sentence: "122 µs", a dash for RESULT_NONE. The text is valid for
 * RECORD_QUANTITIES - 1 more calls. */
const char *record_quantity(struct record *record, double si, const char *unit);

/* Put the title of the report and of a section: in Markdown headings of level 1 and 2. */
void record_title(struct record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void record_section(struct record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts a sentence after its label, broken after a comma or semicolon if possible. An empty label
 * continues the previous line. */
void record_line(struct record *record, enum record_tone tone, const char *label,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Puts a line that is also a fact. */
void record_fact(struct record *record, int weight, enum record_tone tone, const char *label,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Puts a paragraph that is also a fact. */
void record_note_fact(struct record *record, int weight, enum record_tone tone, const char *text);

/* Put a paragraph, directly below a table if it follows one, or one that begins with "NAME: ". */
void record_note(struct record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void record_remark(struct record *record, const char *name, const char *text);

/* Puts a paragraph that begins with a verdict in bold; Markdown only. */
void record_verdict(struct record *record, const char *verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts lines that are printed unchanged, in Markdown as a code block. */
void record_drawing(struct record *record, const char *lines);

/* Puts an entry of a list: its head on a line, its text indented below. */
void record_entry(struct record *record, const char *head, const char *text);

/* Begins an object. If it does not exist, it is null and its members are put but not printed. The
 * root object has no key. In a row of text the object is one cell, with the text of the members,
 * each after its heading, if any. */
void record_object(struct record *record, const char *key, const char *heading, bool exists);
void record_object_end(struct record *record);

/* Begins an array of values or objects; JSON only. */
void record_array(struct record *record, const char *key, bool exists);
void record_array_end(struct record *record);

/* Begins a table: an array of rows. `section` (may be NULL) is its heading in Markdown. A table
 * without rows is an empty array, and omitted in other formats. A row outside of a table is a
 * one-line document in JSON_LINES and a record in CSV. */
void record_table(struct record *record, const char *key, const char *section);
void record_table_end(struct record *record);
void record_row(struct record *record);

/* Begins a table that is an object of objects in JSON, with a key for each row. Call record_row_end
 * after each row, record_table_end after the table. */
void record_map(struct record *record, const char *key, const char *section);
void record_map_row(struct record *record, const char *key);
void record_row_end(struct record *record);

void record_text(struct record *record, const char *key, const char *heading,
                 const char *text); /* NULL: none */
void record_bool(struct record *record, const char *key, const char *heading, bool value);
void record_integer(struct record *record, const char *key, const char *heading, double value);
void record_number(struct record *record, const char *key, const char *heading, const char *unit,
                   double si);

/* Puts a number in a column. */
void record_value(struct record *record, const struct record_column *column, double si);

/* Puts a number; text prints the value in the unit with the printf format `digits`: "%+.1f %%";
 * from 1e15 on as number_fixed does. */
void record_digits(struct record *record, const char *key, const char *heading, const char *unit,
                   const char *digits, double si);

/* Puts a change of a number; text has its sign and the digits of text_change. */
void record_change(struct record *record, const char *key, const char *heading, const char *unit,
                   double si);
void record_null(struct record *record, const char *key);

/* Puts a cell of text and Markdown only. */
void record_cell(struct record *record, const char *heading, const char *text);
void record_cellf(struct record *record, const char *heading, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Options of the last column put: align right, as numbers are; truncate if lines are too wide; omit
 * if they are too wide; print the cells below their rows if lines are too wide; always print them
 * there. */
void record_right(struct record *record);
void record_soft(struct record *record);
void record_optional(struct record *record);
void record_folded(struct record *record);
void record_below(struct record *record);

/* As record_table_end; a note names the optional columns that are omitted from the text. */
void record_table_end_noting(struct record *record);

#endif
