/* What a test suite is made of. A suite is a file tests/test_MODULE.c of tests that register
 * themselves, each under the name of its function:
 *
 *     TEST(adds_up)
 *     {
 *         CHECK_INT(1 + 1, 2);
 *     }
 *
 * Checks count as CUnit assertions; a failed one is reported with what was expected and what came,
 * and the test goes on. Each returns whether it held, for the cases where going on makes no sense:
 * `if (!CHECK(file != NULL)) return;`. Arguments are evaluated once. */
#ifndef AOLAG_CHECK_H
#define AOLAG_CHECK_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/* How long a test waits for what does not come, ms: a busy machine stands still for long. Once a
 * wait of this process was in vain it is much shorter, so that a run in which many hang ends soon.
 */
int check_patience(void);
void check_waited_in_vain(void);

/* Waits for one of the files to have something; false if nothing comes. */
bool check_poll(struct pollfd *sources, int count);

/* Defines a test of the file's suite. */
#define TEST(function)                                                                             \
    static void function(void);                                                                    \
    __attribute__((constructor)) static void register_##function(void)                             \
    {                                                                                              \
        check_add_test(__FILE__, __LINE__, #function, function);                                   \
    }                                                                                              \
    static void function(void)

/* What comes before and after the tests of the file, once; NULL: nothing. Other than 0 fails the
 * suite; after a failed setup its tests do not run. */
#define SUITE(setup, cleanup)                                                                      \
    __attribute__((constructor)) static void register_suite(void)                                  \
    {                                                                                              \
        check_add_suite(__FILE__, setup, cleanup);                                                 \
    }

/* Tests that are found rather than written, sorted by file and line; `file` names the suite. */
void check_add_test(const char *file, int line, const char *name, void (*run)(void));
void check_add_suite(const char *file, int (*setup)(void), int (*cleanup)(void));

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

/* "suite: test" of the test that runs, for several tests with one function. */
const char *check_test_name(void);

/* The path of a file in tests/data (which $TESTDATA overrides); never write there. Valid until the
 * next call. */
const char *check_data_path(const char *name);

/* Enters a locale with a decimal comma, or leaves it; false and a remark where there is none. */
bool check_comma_locale(bool enter);

#endif
