#include "explain/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

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

TEST(computes)
{
    static const struct {
        const char *text;
        double value;
    } formulas[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"8 - 4 - 2", 2},
        {"8 / 4 / 2", 1},
        {"pow(2, pow(3, 2))", 512},
        {"-square(x)", -9},
        {"pow(2, -1)", 0.5},
        {"500e-9 * x", 1500e-9},
        {"x * y.z-a", 12},
        {"x - y.z-a", -1},
        {"2 * pi", 6.283185307179586},
        {"max(x, y.z-a, 2)", 4},
        {"min(x, y.z-a, 2)", 2},
        {"sum(list.*.v)", 10},
        {"max(list.*.v) + min(x, list.*.v)", 5},
        {"sum(empty.*.v)", 0},
        {"ceil(x / 2) + floor(x / 2)", 3},
        {"log2(8) + sqrt(16) + exp(0) + sin(0) + cos(0)", 9},
        {"round(2.6)", 3},
        {"square(x) + pow(2, x)", 17},
        {"next_power_of_two(5) + next_power_of_two(8)", 16},
        {"roofline_time(x, y.z-a, 0.5)", 5.5},
        {"  x  ", 3},
    };

    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        double value = NAN;

        CHECK_TRUE(expression_value(formulas[i].text, look_up, NULL, &value) == EXPRESSION_OK,
                   "\"%s\" is no formula", formulas[i].text);
        CHECK_TRUE(fabs(value - formulas[i].value) <= 1e-15 * fabs(formulas[i].value),
                   "\"%s\" gives %.17g, expected %.17g", formulas[i].text, value,
                   formulas[i].value);
    }
}

TEST(refuses)
{
    static const char *const bad[] = {
        "",           "1 +", "(1",       "1)",       "max(1", "x y",     "nope",   "* 2",
        "max(1,, 2)", "1 2", "list.*.w", "x + nope", "2 ^ 3", "f(nope)", "pow(x)", "square(x, 2)"};
    double value;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_TRUE(expression_value(bad[i], look_up, NULL, &value) == EXPRESSION_BAD,
                   "\"%s\" gives %g", bad[i], value);
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
