#include "base/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/utf8.h"

#define CUT "; the file may have been cut"

/* Delimiter that ended a field. */
enum delimiter { DELIMITER_COMMA, DELIMITER_LINE, DELIMITER_OPEN_QUOTE };

struct csv_reader {
    char *at;
    int line; /* from 1 */
};

/* Terminates the field at the reader with a NUL and removes its quotes. */
static enum delimiter cut_field(struct csv_reader *reader, char **field)
{
    char *from = reader->at;
    char *to = from;
    bool quoted = *from == '"';
    char end;

    *field = to;
    for (from += quoted; *from != '\0'; from++) {
        if (quoted && from[0] == '"' && from[1] != '"') {
            quoted = false;
            continue;
        }
        if (!quoted && (*from == ',' || *from == '\n'))
            break;
        from += quoted && *from == '"';
        reader->line += *from == '\n';
        *to++ = *from;
    }
    end = *from;
    reader->line += end == '\n';
    reader->at = from + (end != '\0');
    /* part of the line end unless it is quoted */
    if (end != ',' && to > *field && from[-1] == '\r')
        to--;
    *to = '\0';
    if (quoted)
        return DELIMITER_OPEN_QUOTE;
    return end == ',' ? DELIMITER_COMMA : DELIMITER_LINE;
}

static size_t count_delimiters(const char *text)
{
    size_t count = 1;

    for (; *text != '\0'; text++)
        count += *text == ',' || *text == '\n';
    return count;
}

static enum status read_record(struct records *records, struct csv_reader *reader, int *used,
                               struct error *error)
{
    int line = reader->line;
    int before = *used;
    enum delimiter delimiter;

    do {
        delimiter = cut_field(reader, &records->fields[*used]);
        ++*used;
    } while (delimiter == DELIMITER_COMMA);
    if (delimiter == DELIMITER_OPEN_QUOTE)
        return error_set(error, STATUS_INVALID, "line %d: a closing \" is missing", line);
    if (records->columns == 0) {
        records->columns = *used;
        if (*used == 1 && strpbrk(records->fields[0], ";\t") != NULL)
            return error_set(error, STATUS_INVALID,
                             "line %d: the header has no comma; save the file with commas between "
                             "fields and decimal points",
                             line);
    } else
        records->count++;
    records->lines[records->count] = line;
    if (*used - before != records->columns)
        return error_set(error, STATUS_INVALID, "line %d: %d field%s, but the header has %d%s",
                         line, *used - before, *used - before == 1 ? "" : "s", records->columns,
                         *reader->at == '\0' && !records->whole ? CUT : "");
    return STATUS_OK;
}

/* Removes the comment at the reader from the text. */
static void read_comment(struct records *records, struct csv_reader *reader)
{
    size_t count = (size_t)records->comment_count;
    char *end = reader->at + strcspn(reader->at, "\n");

    /* the capacity doubles: 1, 2, 4, ... */
    if ((count & (count - 1)) == 0) {
        size_t room = count == 0 ? 1 : 2 * count;

        records->comments = allocate_again(records->comments, room * sizeof *records->comments);
        records->comment_lines =
            allocate_again(records->comment_lines, room * sizeof *records->comment_lines);
    }
    records->comments[count] = reader->at;
    records->comment_lines[count] = reader->line;
    records->comment_count++;
    reader->line++;
    reader->at = end + (*end != '\0');
    do
        *end = '\0';
    while (*--end == '\r');
}

enum status records_parse(struct records *records, const char *bytes, size_t length,
                          struct error *error)
{
    enum status status = utf8_begin(&bytes, &length, "CSV", error);
    struct csv_reader reader = {.line = 1};
    int used = 0;

    *records = (struct records){0};
    if (status != STATUS_OK)
        return status;
    reader.at = allocate_part(bytes, length);
    records->text = reader.at;
    records->whole = length > 0 && bytes[length - 1] == '\n';
    records->fields = allocate_array(count_delimiters(reader.at), sizeof *records->fields);
    records->lines = allocate_array(count_delimiters(reader.at), sizeof *records->lines);
    while (status == STATUS_OK && *reader.at != '\0') {
        if (*reader.at == '\n') {
            reader.at++;
            reader.line++;
        } else if (*reader.at == '#') {
            read_comment(records, &reader);
        } else {
            status = read_record(records, &reader, &used, error);
        }
    }
    if (status == STATUS_OK && records->columns == 0)
        status = error_set(error, STATUS_INVALID, "there is no header line");
    if (status != STATUS_OK)
        records_free(records);
    return status;
}

void records_free(struct records *records)
{
    free(records->text);
    free(records->fields);
    free(records->lines);
    free(records->comments);
    free(records->comment_lines);
    *records = (struct records){0};
}

int records_column(const struct records *records, const char *name)
{
    for (int i = 0; i < records->columns; i++)
        if (strcmp(records->fields[i], name) == 0)
            return i;
    return -1;
}

const char *records_field(const struct records *records, int record, int column)
{
    return records->fields[(record + 1) * records->columns + column];
}

enum status records_read(const struct records *records, int record, const struct record_text *texts,
                         size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        int column = records_column(records, texts[i].column);

        if (column < 0)
            return error_set(error, STATUS_INVALID, "there is no column %s", texts[i].column);
        *texts[i].text = records_field(records, record, column);
    }
    return STATUS_OK;
}

enum status records_check_end(const struct records *records, struct error *error)
{
    if (records->whole)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID, "line %d: the last line does not end" CUT,
                     records_line(records, records->count - 1));
}

int records_line(const struct records *records, int record)
{
    return records->lines[record + 1];
}

const char *records_comment(const struct records *records, const char *name, int *line)
{
    size_t length = strlen(name);

    for (int i = records->comment_count; i-- > 0;) {
        const char *text = records->comments[i];

        if (strncmp(text, "# ", 2) != 0 || strncmp(text + 2, name, length) != 0 ||
            strncmp(text + 2 + length, ": ", 2) != 0)
            continue;
        if (line != NULL)
            *line = records->comment_lines[i];
        return text + 2 + length + 2;
    }
    return NULL;
}

void csv_put_field(struct buffer *buffer, const char *text)
{
    /* a # that begins a line begins a comment */
    if (text[0] != '#' && strpbrk(text, ",\"\r\n") == NULL) {
        buffer_text(buffer, text);
        return;
    }
    buffer_text(buffer, "\"");
    for (; *text != '\0'; text++)
        buffer_add(buffer, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    buffer_text(buffer, "\"");
}
