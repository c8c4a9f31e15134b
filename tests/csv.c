#include "csv.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "check.h"

bool csv_load(struct csv *csv, const char *name)
{
    struct error error = {STATUS_OK, ""};
    const char *path = check_data_path(name);
    char *text = NULL;
    size_t length = 0;

    *csv = (struct csv){.rows = 0};
    if (!CHECK_TRUE(file_read(path, 1 << 24, &text, &length, NULL, &error) == STATUS_OK &&
                        records_parse(&csv->records, text, length, &error) == STATUS_OK,
                    "%s: %s", path, error.message)) {
        free(text);
        return false;
    }
    free(text);
    csv->rows = (size_t)csv->records.count;
    csv->columns = (size_t)csv->records.columns;
    if (!CHECK_TRUE(csv->rows > 0, "%s: no rows", name))
        csv_free(csv);
    return csv->rows > 0;
}

void csv_free(struct csv *csv)
{
    records_free(&csv->records);
    *csv = (struct csv){.rows = 0};
}

const char *csv_text(const struct csv *csv, size_t row, const char *column)
{
    int at = records_column(&csv->records, column);

    return CHECK_TRUE(at >= 0 && row < csv->rows, "csv: no column \"%s\" of row %zu", column, row)
               ? records_field(&csv->records, (int)row, at)
               : "";
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
