#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size;

    if (!CHECK_TRUE(file != NULL, "%s: %s", path, strerror(errno)))
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 &&
        (text = calloc((size_t)size + 1, 1)) != NULL) {
        rewind(file);
        if (fread(text, 1, (size_t)size, file) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    CHECK_TRUE(text != NULL, "%s: cannot be read", path);
    return text;
}

/* Ends the field at `at` with a NUL and unquotes it; returns what followed it: ',', '\n' or 0. */
static char cut_field(char **at, char **field)
{
    char *from = *at;
    char *to = *at;
    bool quoted = *from == '"';
    char delimiter;

    *field = to;
    from += quoted;
    while (*from != '\0') {
        if (quoted && from[0] == '"' && from[1] == '"')
            from++;
        else if (quoted && *from == '"') {
            quoted = false;
            from++;
            continue;
        } else if (!quoted && (*from == ',' || *from == '\n'))
            break;
        *to++ = *from++;
    }
    delimiter = *from;
    *at = from + (delimiter != '\0');
    if (delimiter != ',' && to > *field && to[-1] == '\r')
        to--;
    *to = '\0';
    return delimiter;
}

static bool add_row(struct csv *csv, char **at, size_t *count)
{
    size_t before = *count;
    char delimiter;

    do {
        delimiter = cut_field(at, &csv->cells[*count]);
        ++*count;
    } while (delimiter == ',');
    if (csv->columns == 0)
        csv->columns = *count;
    else
        csv->rows++;
    return *count - before == csv->columns;
}

static size_t most_fields(const char *text)
{
    size_t count = 1;

    for (; *text != '\0'; text++)
        count += *text == ',' || *text == '\n';
    return count;
}

bool csv_load(struct csv *csv, const char *name)
{
    size_t count = 0;
    bool good = true;
    char *at;

    *csv = (struct csv){.text = read_file(check_data_path(name))};
    if (csv->text == NULL)
        return false;
    csv->cells = calloc(most_fields(csv->text), sizeof *csv->cells);
    good = CHECK_TRUE(csv->cells != NULL, "%s: out of memory", name);
    at = csv->text;
    while (good && *at != '\0') {
        if (*at == '#' || *at == '\n')
            at += strcspn(at, "\n") + (at[strcspn(at, "\n")] != '\0');
        else
            good = CHECK_TRUE(add_row(csv, &at, &count),
                              "%s: row %zu has not as many fields as the header", name, csv->rows);
    }
    good = good && CHECK_TRUE(csv->rows > 0, "%s: no rows", name);
    if (!good)
        csv_free(csv);
    return good;
}

void csv_free(struct csv *csv)
{
    free(csv->text);
    free(csv->cells);
    *csv = (struct csv){0};
}

const char *csv_text(const struct csv *csv, size_t row, const char *column)
{
    for (size_t i = 0; i < csv->columns; i++)
        if (strcmp(csv->cells[i], column) == 0)
            return CHECK_TRUE(row < csv->rows, "csv: no row %zu", row)
                       ? csv->cells[(row + 1) * csv->columns + i]
                       : "";
    CHECK_TRUE(false, "csv: no column \"%s\"", column);
    return "";
}

double csv_number(const struct csv *csv, size_t row, const char *column)
{
    const char *text = csv_text(csv, row, column);
    char *end;
    double value;

    if (text[0] == '\0')
        return NAN;
    value = strtod(text, &end);
    CHECK_TRUE(end != text && *end == '\0', "csv: row %zu, column %s: \"%s\" is no number", row,
               column, text);
    return value;
}
