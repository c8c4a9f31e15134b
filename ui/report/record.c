#include "report/record.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/number.h"
#include "base/units.h"
#include "draw/canvas.h"
#include "draw/text.h"
#include "model/result.h"

#define WIDTH 80
#define LABEL_COLUMNS 16
#define REMARK_INDENT 4
#define RECORD_HEADING_MAX 256 /* bytes per line of a heading */

static bool wants_colours(FILE *out)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return fileno(out) >= 0 && isatty(fileno(out)) && term != NULL && strcmp(term, "dumb") != 0 &&
           (no_color == NULL || no_color[0] == '\0');
}

struct record record_to(FILE *out, enum record_format format)
{
    struct record record = {.format = format,
                            .out = out,
                            .width = WIDTH,
                            .label = LABEL_COLUMNS,
                            .header = true,
                            .records = true};

    record.json = format == RECORD_JSON_LINES ? json_line_to(out) : json_to(out);
    if (format == RECORD_TEXT)
        record.colours = wants_colours(out);
    if (format == RECORD_TEXT || format == RECORD_MARKDOWN)
        record.unicode = format == RECORD_MARKDOWN || locale_is_unicode();
    return record;
}

static bool is_json(const struct record *record)
{
    return record->format == RECORD_JSON || record->format == RECORD_JSON_LINES;
}

bool record_is_data(const struct record *record)
{
    return is_json(record) || record->format == RECORD_CSV;
}

static const char *terminal_sequence(const struct record *record, const char *sequence)
{
    return record->colours ? sequence : "";
}

static const char *bold_sequence(const struct record *record)
{
    return terminal_sequence(record, "\033[1m");
}

static const char *plain_sequence(const struct record *record)
{
    return terminal_sequence(record, "\033[0m");
}

/* Returns `text` in the buffer, without characters that are unsafe or that the locale cannot show.
 */
static const char *clean_text(const struct record *record, const char *text, struct buffer *buffer)
{
    bool unicode = record->unicode || record_is_data(record);

    buffer_add(buffer, text, strlen(text));
    text_clean(text, unicode, buffer->bytes, buffer->length + 1);
    return buffer->bytes;
}

/* Prints text with CommonMark markup characters escaped. */
static void print_markdown(const struct record *record, const char *text)
{
    struct buffer buffer = {0};

    for (text = clean_text(record, text, &buffer); *text != '\0'; text++) {
        if (strchr("\\`*_[]<>&|#~", *text) != NULL)
            fputc('\\', record->out);
        fputc(*text, record->out);
    }
    buffer_free(&buffer);
}

/* Prints a blank line between blocks, except in text after a title and between table and note. */
static void begin_block(struct record *record, enum record_block block)
{
    bool same = block == record->last && (block == BLOCK_LINES || block == BLOCK_REMARKS);
    bool joined =
        record->format == RECORD_TEXT &&
        ((record->last == BLOCK_TITLE && block != BLOCK_TITLE) ||
         (block == BLOCK_NOTE && (record->last == BLOCK_TABLE || record->last == BLOCK_DRAWING)));

    if (record->last != BLOCK_NONE && !joined &&
        !(same && (block == BLOCK_LINES || record->format == RECORD_TEXT)))
        fputc('\n', record->out);
    record->last = block;
}

/* Titles and sentences ------------------------------------------------------------------------- */

static void print_heading(struct record *record, const char *marks, const char *text)
{
    struct buffer buffer = {0};

    begin_block(record, BLOCK_TITLE);
    if (record->format == RECORD_TEXT) {
        fprintf(record->out, "%s%s%s\n", bold_sequence(record), clean_text(record, text, &buffer),
                plain_sequence(record));
    } else {
        fprintf(record->out, "%s ", marks);
        print_markdown(record, text);
        fputc('\n', record->out);
    }
    buffer_free(&buffer);
}

static void print_formatted_heading(struct record *record, const char *marks, const char *format,
                                    va_list list)
{
    struct buffer text = {0};

    if (record_is_data(record))
        return;
    buffer_vprint(&text, format, list);
    print_heading(record, marks, text.bytes);
    buffer_free(&text);
}

void record_title(struct record *record, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    print_formatted_heading(record, "#", format, list);
    va_end(list);
}

void record_section(struct record *record, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    print_formatted_heading(record, "##", format, list);
    va_end(list);
}

/* Returns the offset at which to break a text wider than `room`: after the last comma or semicolon
 * outside parentheses, else before the last parenthesis, else at the last blank; 0 if none. */
static size_t line_break(const char *text, int room)
{
    size_t clause = 0;
    size_t remark = 0;
    size_t blank = 0;
    int depth = 0;
    int column = 0;

    for (size_t i = 0; text[i] != '\0' && column <= room; i++) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (text[i] == ' ' && i > 0) {
            blank = i;
            if (depth == 0 && (text[i - 1] == ',' || text[i - 1] == ';'))
                clause = i;
            if (depth == 0 && text[i + 1] == '(')
                remark = i;
        }
        column += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return clause > 0 ? clause : remark > 0 ? remark : blank;
}

static void print_line(struct record *record, enum record_tone tone, const char *label,
                       const char *text)
{
    static const char *const sequences[] = {"\033[31m", "", "\033[32m"};
    const char *sequence = terminal_sequence(record, sequences[tone - TONE_BAD]);
    int room = record->width - record->label - 2;
    size_t length;

    begin_block(record, BLOCK_LINES);
    fprintf(record->out, "%s%-*s%s  %s", label[0] != '\0' ? bold_sequence(record) : "",
            record->label, label, label[0] != '\0' ? plain_sequence(record) : "", sequence);
    while (record->width > 0 && text_width(text) > room && (length = line_break(text, room)) > 0) {
        fprintf(record->out, "%.*s\n%*s", (int)length, text, record->label + 2, "");
        text += length + 1;
    }
    fprintf(record->out, "%s%s\n", text, sequence[0] != '\0' ? plain_sequence(record) : "");
}

static void print_line_markdown(struct record *record, const char *label, const char *text)
{
    bool first = record->last != BLOCK_LINES;

    begin_block(record, BLOCK_LINES);
    if (first)
        fputs("| Result | Value |\n|---|---|\n", record->out);
    fputs("| ", record->out);
    print_markdown(record, label);
    fputs(" | ", record->out);
    print_markdown(record, text);
    fputs(" |\n", record->out);
}

struct record record_to_facts(struct facts *facts)
{
    struct record record = {.format = RECORD_TEXT, .unicode = true, .facts = facts};

    facts->count = 0;
    return record;
}

/* Takes a fact, after those that weigh as much. */
static void add_fact(struct facts *facts, int weight, enum record_tone tone, const char *label,
                     const char *text)
{
    int at = facts->count;

    if (weight == 0 || facts->count == FACTS_MAX)
        return;
    for (; at > 0 && facts->fact[at - 1].weight < weight; at--)
        facts->fact[at] = facts->fact[at - 1];
    facts->fact[at] = (struct fact){.weight = weight, .tone = tone};
    snprintf(facts->fact[at].label, sizeof facts->fact[at].label, "%s", label);
    snprintf(facts->fact[at].text, sizeof facts->fact[at].text, "%s", text);
    facts->count++;
}

static void put_line(struct record *record, int weight, enum record_tone tone, const char *label,
                     const char *format, va_list list) __attribute__((format(printf, 5, 0)));

static void put_line(struct record *record, int weight, enum record_tone tone, const char *label,
                     const char *format, va_list list)
{
    struct buffer text = {0}, buffer = {0};

    if (record_is_data(record))
        return;
    buffer_vprint(&text, format, list);
    if (record->facts != NULL)
        add_fact(record->facts, weight, tone, label, text.bytes);
    else if (record->format == RECORD_TEXT)
        print_line(record, tone, label, clean_text(record, text.bytes, &buffer));
    else
        print_line_markdown(record, label, text.bytes);
    buffer_free(&text);
    buffer_free(&buffer);
}

void record_line(struct record *record, enum record_tone tone, const char *label,
                 const char *format, ...)
{
    va_list list;

    va_start(list, format);
    put_line(record, 0, tone, label, format, list);
    va_end(list);
}

void record_fact(struct record *record, int weight, enum record_tone tone, const char *label,
                 const char *format, ...)
{
    va_list list;

    va_start(list, format);
    put_line(record, weight, tone, label, format, list);
    va_end(list);
}

/* Prints a paragraph, filled to the width, after `name`, if any. */
static void print_paragraph(struct record *record, enum record_block block, const char *name,
                            const char *text)
{
    struct buffer buffer = {0};
    int column;

    if (record_is_data(record))
        return;
    begin_block(record, block);
    if (record->format == RECORD_MARKDOWN) {
        print_markdown(record, name);
        fputs(name[0] != '\0' ? ": " : "", record->out);
        print_markdown(record, text);
        fputc('\n', record->out);
        return;
    }
    column = fprintf(record->out, "%s%s", name, name[0] != '\0' ? ": " : "");
    text = clean_text(record, text, &buffer);
    text_fill(record->out, text, column, name[0] != '\0' ? REMARK_INDENT : 0,
              record->width > 0 ? record->width : INT_MAX);
    buffer_free(&buffer);
}

void record_note(struct record *record, const char *format, ...)
{
    struct buffer text = {0};
    va_list list;

    if (record_is_data(record))
        return;
    va_start(list, format);
    buffer_vprint(&text, format, list);
    va_end(list);
    if (record->facts == NULL)
        print_paragraph(record, BLOCK_NOTE, "", text.bytes);
    buffer_free(&text);
}

void record_note_fact(struct record *record, int weight, enum record_tone tone, const char *text)
{
    if (record->facts != NULL)
        add_fact(record->facts, weight, tone, "", text);
    else
        record_note(record, "%s", text);
}

void record_verdict(struct record *record, const char *verdict, const char *format, ...)
{
    struct buffer text = {0};
    va_list list;

    if (record->format != RECORD_MARKDOWN)
        return;
    va_start(list, format);
    buffer_vprint(&text, format, list);
    va_end(list);
    begin_block(record, BLOCK_NOTE);
    fputs("**", record->out);
    print_markdown(record, verdict);
    fputs("** ", record->out);
    print_markdown(record, text.bytes);
    fputc('\n', record->out);
    buffer_free(&text);
}

void record_remark(struct record *record, const char *name, const char *text)
{
    print_paragraph(record, BLOCK_REMARKS, name, text);
}

void record_drawing(struct record *record, const char *lines)
{
    const char *fence = record->format == RECORD_MARKDOWN ? "```\n" : "";
    size_t length = strlen(lines);

    if (record_is_data(record))
        return;
    begin_block(record, BLOCK_DRAWING);
    fprintf(record->out, "%s%s%s%s", fence, lines,
            length > 0 && lines[length - 1] == '\n' ? "" : "\n", fence);
}

void record_entry(struct record *record, const char *head, const char *text)
{
    struct buffer buffer = {0};

    if (record->format == RECORD_MARKDOWN)
        record_remark(record, head, text);
    if (record->format != RECORD_TEXT)
        return;
    begin_block(record, BLOCK_REMARKS);
    fprintf(record->out, "%s\n%*s", clean_text(record, head, &buffer), REMARK_INDENT, "");
    buffer_free(&buffer);
    text_fill(record->out, clean_text(record, text, &buffer), REMARK_INDENT, REMARK_INDENT,
              record->width > 0 ? record->width : INT_MAX);
    buffer_free(&buffer);
}

/* Tables --------------------------------------------------------------------------------------- */

static void begin_table(struct record *record, const char *key, const char *section, bool map)
{
    if (is_json(record))
        (map ? json_object : json_array)(&record->json, key);
    record->map = map;
    record->title = section;
    record->rows = 0;
    record->table = table_new(0, 0, -1);
    record->headings = table_new(0, 0, -1);
}

void record_table(struct record *record, const char *key, const char *section)
{
    begin_table(record, key, section, false);
}

void record_map(struct record *record, const char *key, const char *section)
{
    begin_table(record, key, section, true);
}

static void print_markdown_table(const struct record *record)
{
    const struct table *table = &record->table;

    for (int i = 0; i < table->count; i++) {
        int column = i % table->columns;

        fputs(column == 0 ? "| " : " ", record->out);
        print_markdown(record, table->cells[i]);
        fputs(column == table->columns - 1 ? " |\n" : " |", record->out);
        for (int c = 0; i == table->columns - 1 && c < table->columns; c++)
            fprintf(record->out, "%s---%s|%s", c == 0 ? "|" : "",
                    (table->right >> c & 1) != 0 ? ":" : "", c == table->columns - 1 ? "\n" : "");
    }
}

void record_table_end(struct record *record)
{
    if (is_json(record))
        (record->map ? json_object_end : json_array_end)(&record->json);
    if (record->headings.count > 0) {
        if (record->format == RECORD_MARKDOWN && record->title != NULL)
            print_heading(record, "##", record->title);
        begin_block(record, BLOCK_TABLE);
        if (record->format == RECORD_MARKDOWN)
            print_markdown_table(record);
        else
            table_print(&record->table, record->out, record->width, bold_sequence(record),
                        plain_sequence(record));
    }
    table_free(&record->table);
    table_free(&record->headings);
}

void record_map_row(struct record *record, const char *key)
{
    record->row = true;
    record->fields = 0;
    if (is_json(record))
        json_object(&record->json, key);
}

void record_row(struct record *record)
{
    record_map_row(record, NULL);
}

/* Returns the number of lines of a heading. */
static int heading_lines(const char *heading)
{
    int lines = 1;

    while ((heading = strchr(heading, '\n')) != NULL) {
        heading++;
        lines++;
    }
    return lines;
}

/* Makes one line of a heading: a path that was folded has no blanks. */
static void join_lines(char *text)
{
    char *to = text;

    for (char last = '\0'; *text != '\0'; last = *text++)
        if (*text != '\n')
            *to++ = *text;
        else if (last != '.' && last != '_')
            *to++ = ' ';
    *to = '\0';
}

/* Writes the headings of the columns that are omitted since the lines of the table, whose rows are
 * complete, are too wide: "Limited by, Memory"; nothing if there are none. */
static void print_omitted(const struct record *record, struct buffer *text)
{
    unsigned omitted =
        record->format == RECORD_TEXT ? table_dropped(&record->table, record->width) : 0;

    for (int i = 0; i < record->headings.count; i++) {
        char heading[RECORD_HEADING_MAX];

        if ((omitted >> i & 1) == 0)
            continue;
        snprintf(heading, sizeof heading, "%s", record->headings.cells[i]);
        join_lines(heading);
        buffer_print(text, "%s%s", text->length > 0 ? ", " : "", heading);
    }
}

void record_table_end_noting(struct record *record)
{
    struct buffer omitted = {0};

    print_omitted(record, &omitted);
    record_table_end(record);
    if (omitted.length > 0)
        record_note(record, "No room for %s; --markdown has all columns.", omitted.bytes);
    buffer_free(&omitted);
}

/* Adds line `line` of a heading that ends in line `last`, empty above its first line. In Markdown
 * adds the whole heading. */
static void add_heading_line(struct record *record, const char *heading, int line, int last)
{
    int skipped = line - (last + 1 - heading_lines(heading));
    bool whole = record->format == RECORD_MARKDOWN;
    char text[RECORD_HEADING_MAX];
    char clean[RECORD_HEADING_MAX];

    for (int i = 0; i < skipped && !whole; i++)
        heading += strcspn(heading, "\n") + 1;
    snprintf(text, sizeof text, "%.*s",
             whole         ? (int)strlen(heading)
             : skipped < 0 ? 0
                           : (int)strcspn(heading, "\n"),
             heading);
    join_lines(text);
    text_clean(text, record->unicode, clean, sizeof clean);
    table_add(&record->table, clean);
}

/* Inserts headings before the cells of the complete first row; in Markdown they have one line. */
static void insert_headings(struct record *record)
{
    struct table first = record->table;
    const struct table *headings = &record->headings;
    struct table *table = &record->table;

    *table = first;
    table->cells = NULL;
    table->count = table->capacity = 0;
    table->columns = headings->count;
    table->heads = 1;
    for (int i = 0; i < headings->count && record->format == RECORD_TEXT; i++)
        if (heading_lines(headings->cells[i]) > table->heads)
            table->heads = heading_lines(headings->cells[i]);
    for (int line = 0; line < table->heads; line++)
        for (int i = 0; i < headings->count; i++)
            add_heading_line(record, headings->cells[i], line, table->heads - 1);
    for (int i = 0; i < first.count; i++)
        table_add(table, first.cells[i]);
    table_free(&first);
}

static void print_csv(const struct record *record, struct buffer *line)
{
    fwrite(line->bytes, 1, line->length, record->out);
    buffer_free(line);
}

void record_row_end(struct record *record)
{
    bool first = record->rows++ == 0;

    record->row = false;
    if (is_json(record)) {
        json_object_end(&record->json);
    } else if (record->format == RECORD_CSV) {
        if (first && record->header) {
            buffer_add(&record->csv_header, "\n", 1);
            print_csv(record, &record->csv_header);
        }
        buffer_add(&record->csv_record, "\n", 1);
        if (record->records)
            print_csv(record, &record->csv_record);
        buffer_free(&record->csv_record);
    } else if (first) {
        insert_headings(record);
    }
}

/* Returns the column put last. */
static unsigned last_column(const struct record *record)
{
    return record->row && record->fields > 0 ? (unsigned)record->fields - 1 : 0;
}

/* Adds the column put last to a set of them; a row of CSV has more than a table may have. */
static void mark_column(const struct record *record, unsigned *columns)
{
    const unsigned column = last_column(record);

    if (column < TABLE_COLUMNS_MAX)
        *columns |= 1U << column;
}

void record_right(struct record *record)
{
    mark_column(record, &record->table.right);
}

void record_soft(struct record *record)
{
    record->table.soft = (int)last_column(record);
}

void record_optional(struct record *record)
{
    mark_column(record, &record->table.optional);
}

void record_folded(struct record *record)
{
    mark_column(record, &record->table.folded);
}

void record_below(struct record *record)
{
    record->table.below = true;
}

/* Values --------------------------------------------------------------------------------------- */

/* Whether a spreadsheet would compute the text of a field; a number or a lone dash it takes as it
 * is. */
static bool is_computed(const char *text)
{
    const char *end;
    double value;

    return text[0] != '\0' && text[1] != '\0' && strchr("=+-@", text[0]) != NULL &&
           (number_parse(text, &value, &end) != STATUS_OK || *end != '\0');
}

/* Begins a field of a row; returns false if there is nothing to put into it. */
static bool begin_csv_field(struct record *record, const char *key)
{
    bool first = record->fields++ == 0;

    if (!record->row || record->arrays > 0)
        return false;
    if (record->rows == 0 && record->header)
        buffer_print(&record->csv_header, "%s%s%s%s", first ? "" : ",",
                     record->object == NULL ? "" : record->object,
                     record->object == NULL ? "" : "_", key);
    buffer_add(&record->csv_record, ",", first ? 0 : 1);
    return record->absent == 0;
}

/* Adds a field to a row, an empty one for NULL. */
static void put_csv(struct record *record, const char *key, const char *text)
{
    struct buffer field = {0};

    if (!begin_csv_field(record, key) || text == NULL)
        return;
    if (is_computed(text))
        buffer_add(&field, "'", 1);
    buffer_add(&field, text, strlen(text));
    text_clean(field.bytes, true, field.bytes, field.length + 1); /* never longer */
    csv_put_field(&record->csv_record, field.bytes);
    buffer_free(&field);
}

/* In text and Markdown, adds text to an object's cell, adds a cell to a row, or prints a line. */
static void put_words(struct record *record, const char *heading, const char *text)
{
    struct buffer buffer = {0};

    if (record->object_text.bytes != NULL) {
        if (text != NULL)
            buffer_print(&record->object_text, "%s%s%s%s",
                         record->object_text.length > 0 ? " " : "", heading == NULL ? "" : heading,
                         heading == NULL ? "" : " ", text);
    } else if (heading != NULL && !record->row && text != NULL) {
        record_line(record, TONE_PLAIN, heading, "%s", text);
    } else if (heading != NULL && record->row) {
        if (record->rows == 0)
            table_add(&record->headings, heading);
        table_add(&record->table, clean_text(record, text == NULL ? "-" : text, &buffer));
        record->fields++;
    }
    buffer_free(&buffer);
}

void record_text(struct record *record, const char *key, const char *heading, const char *text)
{
    if (record->format == RECORD_CSV)
        put_csv(record, key, text);
    else if (!is_json(record))
        put_words(record, heading, text);
    else if (record->absent == 0)
        json_text(&record->json, key, text);
}

void record_null(struct record *record, const char *key)
{
    record_text(record, key, NULL, NULL);
}

void record_bool(struct record *record, const char *key, const char *heading, bool value)
{
    if (record->format == RECORD_CSV)
        put_csv(record, key, value ? "true" : "false");
    else if (!is_json(record))
        put_words(record, heading, value ? "yes" : "no");
    else if (record->absent == 0)
        json_bool(&record->json, key, value);
}

static double in_unit(double si, const char *unit)
{
    if (si == RESULT_NONE || unit[0] == '\0' || strcmp(unit, "fraction") == 0)
        return si;
    if (strcmp(unit, "%") == 0)
        return 100 * si;
    if (strcmp(unit, "mJ") == 0)
        return 1e3 * si;
    return unit_from_si(si, unit);
}

const char *record_quantity(struct record *record, double si, const char *unit)
{
    bool percent = strcmp(unit, "%") == 0 || strcmp(unit, "fraction") == 0;
    char *text = record->quantity[record->quantities++ % RECORD_QUANTITIES];

    text_quantity(percent && si != RESULT_NONE ? 100 * si : si, percent ? "" : unit,
                  record->unicode, text, RECORD_QUANTITY_MAX - 2);
    return percent ? strcat(text, " %") : text;
}

static void put_number(struct record *record, const char *key, const char *heading, double value,
                       const char *text)
{
    char digits[RECORD_QUANTITY_MAX];

    if (record->format == RECORD_CSV) {
        if (!begin_csv_field(record, key) || value == RESULT_NONE)
            return;
        number_format(value, digits, sizeof digits);
        buffer_add(&record->csv_record, digits, strlen(digits));
    } else if (is_json(record)) {
        if (record->absent == 0)
            json_number(&record->json, key, value);
    } else {
        snprintf(digits, sizeof digits, "%s", text);
        text_minus(digits, sizeof digits);
        put_words(record, heading, value == RESULT_NONE ? NULL : digits);
        if (heading != NULL)
            record_right(record);
    }
}

void record_integer(struct record *record, const char *key, const char *heading, double value)
{
    char text[40];

    number_fixed(value, 0, text, sizeof text);
    put_number(record, key, heading, value, text);
}

void record_number(struct record *record, const char *key, const char *heading, const char *unit,
                   double si)
{
    bool shown = heading != NULL && !record_is_data(record);

    put_number(record, key, heading, in_unit(si, unit),
               shown ? record_quantity(record, si, unit) : "");
}

void record_value(struct record *record, const struct record_column *column, double si)
{
    record_number(record, column->key, column->heading, column->unit, si);
}

void record_digits(struct record *record, const char *key, const char *heading, const char *unit,
                   const char *digits, double si)
{
    double value = in_unit(si, unit);
    char text[40];

    if (fabs(value) < 1e15)
        snprintf(text, sizeof text, digits, value);
    else
        number_fixed(value, 0, text, sizeof text);
    put_number(record, key, heading, value, text);
}

void record_change(struct record *record, const char *key, const char *heading, const char *unit,
                   double si)
{
    char text[40];

    text_change(in_unit(si, unit), text, sizeof text);
    put_number(record, key, heading, in_unit(si, unit), text);
}

void record_cell(struct record *record, const char *heading, const char *text)
{
    if (!record_is_data(record))
        put_words(record, heading, text);
}

void record_cellf(struct record *record, const char *heading, const char *format, ...)
{
    struct buffer text = {0};
    va_list list;

    va_start(list, format);
    buffer_vprint(&text, format, list);
    va_end(list);
    record_cell(record, heading, text.bytes);
    buffer_free(&text);
}

/* Objects and arrays --------------------------------------------------------------------------- */

void record_object(struct record *record, const char *key, const char *heading, bool exists)
{
    if (record->row) {
        record->object = key;
        record->object_heading = heading;
        if (heading != NULL && !record_is_data(record))
            buffer_add(&record->object_text, "", 0);
    }
    if (record->absent > 0 || !exists) {
        if (record->absent++ == 0 && is_json(record))
            json_null(&record->json, key);
    } else if (is_json(record)) {
        json_object(&record->json, key);
    }
}

void record_object_end(struct record *record)
{
    bool absent = record->absent > 0;

    if (absent)
        record->absent--;
    else if (is_json(record))
        json_object_end(&record->json);
    if (!record->row)
        return;
    record->object = NULL;
    if (record->object_heading != NULL && !record_is_data(record)) {
        struct buffer words = record->object_text;

        record->object_text = (struct buffer){0};
        put_words(record, record->object_heading, absent || words.length == 0 ? NULL : words.bytes);
        buffer_free(&words);
    }
}

void record_array(struct record *record, const char *key, bool exists)
{
    record->arrays++;
    if (record->absent > 0 || !exists) {
        if (record->absent++ == 0 && is_json(record))
            json_null(&record->json, key);
    } else if (is_json(record)) {
        json_array(&record->json, key);
    }
}

void record_array_end(struct record *record)
{
    record->arrays--;
    if (record->absent > 0)
        record->absent--;
    else if (is_json(record))
        json_array_end(&record->json);
}
