#include <math.h>
#include <stddef.h>

#include "check.h"
#include "csv.h"

TEST(reads_quotes)
{
    struct csv csv;

    if (!csv_load(&csv, "quotes.csv"))
        return;
    CHECK_INT(csv.columns, 3);
    CHECK_INT(csv.rows, 4);
    CHECK_STR(csv_text(&csv, 0, "name"), "plain");
    CHECK_STR(csv_text(&csv, 1, "name"), "a, b");
    CHECK_STR(csv_text(&csv, 2, "name"), "say \"no\"");
    CHECK_STR(csv_text(&csv, 3, "name"), "two\nlines");
    CHECK_STR(csv_text(&csv, 3, "note"), "last");
    csv_free(&csv);
}

TEST(reads_numbers)
{
    struct csv csv;

    if (!csv_load(&csv, "quotes.csv"))
        return;
    CHECK_NEAR(csv_number(&csv, 0, "value"), 1.5, 0.0);
    CHECK_NEAR(csv_number(&csv, 1, "value"), -2e-7, 0.0);
    CHECK(isnan(csv_number(&csv, 2, "value")));
    CHECK_STR(csv_text(&csv, 2, "note"), "");
    csv_free(&csv);
}
