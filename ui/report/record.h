/* Reports: every value is put once, with its key, its heading and its unit, and comes out as text,
 * Markdown, JSON or CSV.
 *
 * A report is a function that puts objects, tables, values and sentences in order. Each format
 * takes what is its own:
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
 * A value has a key (JSON and CSV; NULL for an element of an array) and a heading (text and
 * Markdown). A heading of NULL keeps it out of text, except within an object. Columns of a table
 * are those of its first row; every row puts the same ones; one whose columns have no headings is
 * data alone. What else is for one kind of format is left out with record_is_data, tables of text
 * among it.
 *
 * Numbers are SI or RESULT_NONE, which is null, an empty field or a dash. Data has the shortest
 * digits that read back the same in the unit the key names; text has three significant digits and
 * the prefix that fits. The unit is one of units.h, "mJ", "%" or "fraction": a fraction that is
 * data in percent or as it is, and text in percent.
 *
 * Text has at most `width` columns, µ and the like only where the locale is UTF-8, and colours only
 * on a terminal and without NO_COLOR. Write errors stay in the stream. */
#ifndef AOLAG_REPORT_RECORD_H
#define AOLAG_REPORT_RECORD_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buffer.h"
#include "draw/table.h"
#include "report/json.h"

enum record_format { RECORD_TEXT, RECORD_MARKDOWN, RECORD_JSON, RECORD_JSON_LINES, RECORD_CSV };

enum record_tone { TONE_BAD = -1, TONE_PLAIN, TONE_GOOD };

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
    bool unicode; /* text may hold it */
    int width;    /* columns of text, 80; 0: any */
    int label;    /* columns of the labels of lines, 16 */
    bool header;  /* CSV: the header comes before the first record; true */
    bool records; /* CSV: records are printed; true */

    /* Of record.c alone */
    struct json json;
    bool colours;
    enum record_block last; /* that was printed */
    bool map;               /* the table is one */
    bool row;
    int rows;   /* of the table, so far */
    int fields; /* of the row, so far */
    int absent; /* open objects that do not exist */
    int arrays; /* open ones */
    const char *title;
    struct table table, headings;
    struct buffer csv_header, csv_record; /* of the first row */
    const char *object;                   /* key of the one in a row; NULL: none */
    const char *object_heading;
    struct buffer object_text;
    char quantity[RECORD_QUANTITIES][RECORD_QUANTITY_MAX];
    unsigned quantities; /* so far */
};

struct record record_to(FILE *out, enum record_format format);

/* JSON or CSV. */
bool record_is_data(const struct record *record);

/* A quantity for a sentence: "122 µs", a dash for RESULT_NONE. It stays until RECORD_QUANTITIES
 * more are asked for. */
const char *record_quantity(struct record *record, double si, const char *unit);

/* The report's title, in CommonMark a heading of level 1; a section's. */
void record_title(struct record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void record_section(struct record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A sentence behind its label, broken behind a comma or semicolon where it can be. An empty label
 * goes on with the line before. */
void record_line(struct record *record, enum record_tone tone, const char *label,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A paragraph, which right below a table explains it; one that begins with a name and a colon. */
void record_note(struct record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void record_remark(struct record *record, const char *name, const char *text);

/* Lines that are printed as they are, in Markdown as a block of code. */
void record_drawing(struct record *record, const char *lines);

/* An entry of a list: its head on a line, its text indented below. */
void record_entry(struct record *record, const char *head, const char *text);

/* An object that may not exist: then it is null, its members are put but not printed. The
 * document's own object has no key. In a row of text it is one cell of the members' words, each
 * with its heading, if any, before it. */
void record_object(struct record *record, const char *key, const char *heading, bool exists);
void record_object_end(struct record *record);

/* An array of anything; JSON only. */
void record_array(struct record *record, const char *key, bool exists);
void record_array_end(struct record *record);

/* A table: an array of rows. `section` (may be NULL) is its heading in Markdown. One without rows
 * is an empty array and nothing in the other formats. JSON_LINES: a row outside of any table is a
 * document of one line; CSV: a record. */
void record_table(struct record *record, const char *key, const char *section);
void record_table_end(struct record *record);
void record_row(struct record *record);

/* A table that is an object of objects in JSON: each row is a member with a key of its own.
 * record_row_end and record_table_end end them. */
void record_map(struct record *record, const char *key, const char *section);
void record_map_row(struct record *record, const char *key);
void record_row_end(struct record *record);

void record_text(struct record *record, const char *key, const char *heading,
                 const char *text); /* NULL: none */
void record_bool(struct record *record, const char *key, const char *heading, bool value);
void record_integer(struct record *record, const char *key, const char *heading, double value);
void record_number(struct record *record, const char *key, const char *heading, const char *unit,
                   double si);

/* A number whose text is `digits`, a printf format, of the value in the unit: "%+.1f %%". */
void record_digits(struct record *record, const char *key, const char *heading, const char *unit,
                   const char *digits, double si);
void record_null(struct record *record, const char *key);

/* A cell of text and Markdown alone. */
void record_cell(struct record *record, const char *heading, const char *text);
void record_cellf(struct record *record, const char *heading, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Of the column put last: it is set against its right edge, as numbers are; it is cut where a line
 * would be too wide; it is left out where one would be; its cells go under their rows. */
void record_right(struct record *record);
void record_soft(struct record *record);
void record_optional(struct record *record);
void record_below(struct record *record);

#endif
