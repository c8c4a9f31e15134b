#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "model/expression.h"

static char problem[1024];

/* Replaces the escapes in place. */
static void unescape(char *text)
{
    static const char letters[] = "nrte_\\";
    static const char meant[] = "\n\r\t\x1B \\";
    char *to = text;

    while (*text != '\0') {
        const char *letter = *text == '\\' && text[1] != '\0' ? strchr(letters, text[1]) : NULL;

        if (letter != NULL) {
            *to++ = meant[letter - letters];
            text += 2;
        } else if (text[0] == '\\' && text[1] == 'x') {
            const char hex[] = {text[2], text[3], '\0'};

            *to++ = (char)strtol(hex, NULL, 16);
            text += 4;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
}

static char *trim(char *text)
{
    size_t length;

    text += strspn(text, " ");
    length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    return text;
}

/* The next bar with a blank or an end on both sides. */
static char *find_bar(const char *line)
{
    for (const char *at = line; (at = strchr(at, '|')) != NULL; at++)
        if ((at == line || at[-1] == ' ') && (at[1] == ' ' || at[1] == '\0'))
            return (char *)at;
    return NULL;
}

static void cut_fields(char *line, struct row *row)
{
    row->count = 0;
    while (line != NULL && row->count < ROW_FIELDS_MAX) {
        char *bar = find_bar(line);
        char *field;

        if (bar != NULL)
            *bar = '\0';
        field = trim(line);
        unescape(field);
        row->field[row->count++] = field;
        line = bar == NULL ? NULL : bar + 1;
    }
}

/* The rows of `section` in the lines of `text`, which it cuts. */
static int read_section(char *text, const char *path, const char *section, int fields,
                        void (*check)(const struct row *row))
{
    struct row row = {.file = path};
    size_t length = section == NULL ? 0 : strlen(section);
    bool inside = section == NULL;
    int rows = 0;
    char *next;

    for (char *at = text; at != NULL && problem[0] == '\0'; at = next) {
        next = strchr(at, '\n');
        row.line++;
        if (next != NULL)
            *next++ = '\0';
        if (*at == '[' && section == NULL)
            continue;
        if (*at == '[') {
            inside = strncmp(at + 1, section, length) == 0 && strcmp(at + 1 + length, "]") == 0;
        } else if (inside && *at != '#' && *at != '\0') {
            cut_fields(at, &row);
            rows++;
            if (fields == 0 || row.count == fields)
                check(&row);
            else
                snprintf(problem, sizeof problem, "%s:%d: %d fields, expected %d", path, row.line,
                         row.count, fields);
        }
    }
    return rows;
}

const char *rows_read(const char *name, const char *section, int fields,
                      void (*check)(const struct row *row))
{
    struct error error = {STATUS_OK, ""};
    char below[200];
    char path[400];
    char *text;
    size_t length;

    problem[0] = '\0';
    snprintf(below, sizeof below, "rows/%s", name);
    snprintf(path, sizeof path, "%s", check_data_path(below));
    if (file_read(path, 1 << 20, &text, &length, NULL, &error) != STATUS_OK) {
        snprintf(problem, sizeof problem, "%s: %s", path, error.message);
        return problem;
    }
    if (read_section(text, path, section, fields, check) == 0)
        snprintf(problem, sizeof problem, "%s: no rows in [%s]", path,
                 section == NULL ? "" : section);
    free(text);
    return problem[0] == '\0' ? NULL : problem;
}

void rows_each(const char *name, const char *section, int fields,
               void (*check)(const struct row *row))
{
    const char *wrong = rows_read(name, section, fields, check);

    CHECK_TRUE(wrong == NULL, "%s", wrong);
}

double row_number(const struct row *row, int field)
{
    char *end;
    double value = strtod(row->field[field], &end);

    ROW_TRUE(row, end != row->field[field] && *end == '\0', "\"%s\" is no number",
             row->field[field]);
    return value;
}

static bool look_up_nothing(void *context, const char *name, size_t length, int number,
                            double *value)
{
    (void)context, (void)name, (void)length, (void)number, (void)value;
    return false;
}

double row_arithmetic(const struct row *row, int field)
{
    double value = 0;

    ROW_TRUE(row,
             expression_value(row->field[field], look_up_nothing, NULL, &value) == EXPRESSION_OK,
             "\"%s\" is no arithmetic", row->field[field]);
    return value;
}
