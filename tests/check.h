/* What a test suite is made of. A suite is a file tests/test_MODULE.c that defines
 *
 *     static void adds(void) { CHECK_INT(1 + 1, 2); }
 *
 *     static const struct test tests[] = {
 *         {"adds", adds},
 *         {NULL, NULL},
 *     };
 *
 *     const struct suite suite_module = {.name = "module", .tests = tests};
 *
 * and stands in the list of the program that runs it (tests/unit.c).
 *
 * Checks count as CUnit assertions; a failed one is reported with what was expected and what came,
 * and the test goes on. Each returns whether it held, for the cases where going on makes no sense:
 * `if (!CHECK(file != NULL)) return;`. Arguments are evaluated once. */
#ifndef AOLAG_CHECK_H
#define AOLAG_CHECK_H

#include <stdbool.h>
#include <stddef.h>

struct test {
    const char *name;
    void (*run)(void);
};

struct suite {
    const char *name;
    int (*setup)(void);   /* may be NULL; other than 0: the suite failed and its tests do not run */
    int (*cleanup)(void); /* may be NULL; other than 0: the suite failed */
    const struct test *tests; /* up to a row without a name */
};

/* The suites of this program, in the order they run, up to NULL. */
extern const struct suite *const check_suites[];

/* `condition` holds; the report is its text. */
#define CHECK(condition) check_true((condition), __FILE__, __LINE__, "%s", #condition)

/* `condition` holds; the report is a printf format and its arguments, which should name the case
 * (row, seed, size). */
#define CHECK_TRUE(condition, ...) check_true((condition), __FILE__, __LINE__, __VA_ARGS__)

/* |actual - expected| <= relative · |expected|; equal infinities are near, NaN never is. An
 * expected 0 takes `relative` as an absolute bound. */
#define CHECK_NEAR(actual, expected, relative)                                                     \
    check_near((actual), (expected), (relative), #actual, __FILE__, __LINE__)

/* Any integer types that fit a long long. */
#define CHECK_INT(actual, expected)                                                                \
    check_int((long long)(actual), (long long)(expected), #actual, __FILE__, __LINE__)

/* Equal text, or both NULL. Of long text the report shows the first line that differs. */
#define CHECK_STR(actual, expected) check_str((actual), (expected), #actual, __FILE__, __LINE__)

bool check_true(bool condition, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool check_near(double actual, double expected, double relative, const char *what, const char *file,
                int line);
bool check_int(long long actual, long long expected, const char *what, const char *file, int line);
bool check_str(const char *actual, const char *expected, const char *what, const char *file,
               int line);

/* The path of a file in tests/data (which $TESTDATA overrides); never write there. Valid until the
 * next call. */
const char *check_data_path(const char *name);

#endif
