#include "rows.h"

#include <string.h>

#include "check.h"

static int seen;

static void see_row(const struct row *row)
{
    (void)row;
    seen++;
}

static void see_fields(const struct row *row)
{
    seen++;
    if (row->line == 5) {
        CHECK_STR(row->field[0], "");
        CHECK_STR(row->field[3], "");
        return;
    }
    CHECK_STR(row->field[0], "a b");
    CHECK_STR(row->field[1], " \t\n\\\x1B\xC2\xB5 ");
    CHECK_STR(row->field[2], "");
    CHECK_STR(row->field[3], "1.5e3");
    CHECK_NEAR(row_number(row, 3), 1500, 0);
    CHECK_INT(row->line, 4);
}

static void check_wrong(const char *file, const char *section, int fields, const char *expected)
{
    const char *wrong = rows_read(file, section, fields, see_row);

    CHECK_TRUE(wrong != NULL && strstr(wrong, expected) != NULL, "[%s]: %s", section,
               wrong == NULL ? "nothing is wrong" : wrong);
}

TEST(fields)
{
    seen = 0;
    rows_each("rows.txt", "fields", 4, see_fields);
    CHECK_INT(seen, 2);
}

TEST(what_is_not_there_fails)
{
    check_wrong("rows.txt", "field", 4, "no rows in [field]");
    check_wrong("rows.txt", "empty", 1, "no rows in [empty]");
    check_wrong("rows.txt", "fields", 3, "rows.txt:4: 4 fields, expected 3");
    check_wrong("row.txt", "fields", 4, "No such file");
}
