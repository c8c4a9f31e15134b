#include "model/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "rows.h"

/* x 3, y.z-a 4, four values of list.*.v: 1 2 3 4; none of empty.*.v. */
static bool look_up(void *context, const char *name, size_t length, int number, double *value)
{
    (void)context;
    if (length == 1 && name[0] == 'x' && number == 0) {
        *value = 3;
        return true;
    }
    if (length == 5 && strncmp(name, "y.z-a", length) == 0 && number == 0) {
        *value = 4;
        return true;
    }
    *value = number + 1;
    return length == 8 && strncmp(name, "list.*.v", length) == 0 && number < 4;
}

static void check_value(const struct row *row)
{
    double value = NAN;

    ROW_TRUE(row, expression_value(row->field[0], look_up, NULL, &value) == EXPRESSION_OK,
             "no formula");
    ROW_NEAR(row, value, row_number(row, 1), 1e-15);
}

TEST(computes)
{
    rows_each("formulas.txt", "values", 2, check_value);
}

static void check_bad(const struct row *row)
{
    char text[80];
    double value;

    snprintf(text, sizeof text, "%.*s", (int)strcspn(row->field[0] + 1, ">"), row->field[0] + 1);
    ROW_TRUE(row, expression_value(text, look_up, NULL, &value) == EXPRESSION_BAD, "it gives %g",
             value);
}

TEST(refuses)
{
    double value;

    rows_each("formulas.txt", "no formulas", 1, check_bad);
    CHECK(expression_value("geometry(x, 2)", look_up, NULL, &value) == EXPRESSION_OPAQUE);
}

TEST(names_come_in_order)
{
    static const char *const expected[] = {"x", "list.*.v", "y.z-a", "a>b@c.2.d"};
    const char *at = "2e3 * x + max(list.*.v, pi) * y.z-a / pow(a>b@c.2.d, 2)";
    size_t length;
    size_t count = 0;

    while ((at = expression_name(at, &length)) != NULL && count < 4) {
        char name[40];

        snprintf(name, sizeof name, "%.*s", (int)length, at);
        CHECK_STR(name, expected[count++]);
        at += length;
    }
    CHECK_INT(count, 4);
    CHECK(at == NULL);
}
