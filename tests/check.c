#include "check.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>

#define MESSAGE_MAX 65536 /* a large screen */
#define PATIENCE 300000   /* ms */
#define IMPATIENCE 10000  /* after a wait in vain, ms */

static bool in_vain;

int check_patience(void)
{
    return in_vain ? IMPATIENCE : PATIENCE;
}

void check_waited_in_vain(void)
{
    in_vain = true;
}

bool check_poll(struct pollfd *sources, int count)
{
    bool comes = poll(sources, (nfds_t)count, check_patience()) > 0;

    in_vain = in_vain || !comes;
    return comes;
}

/* CUnit copies the text it is given. */
static bool record(bool condition, const char *message, const char *file, int line)
{
    CU_assertImplementation(condition, (unsigned int)line, message, file, "", CU_FALSE);
    return condition;
}

bool check_true(bool condition, const char *file, int line, const char *format, ...)
{
    char message[MESSAGE_MAX];
    va_list arguments;

    if (condition)
        return record(true, "", file, line);
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return record(false, message, file, line);
}

bool check_near(double actual, double expected, double relative, const char *what, const char *file,
                int line)
{
    double bound = expected == 0.0 ? relative : relative * fabs(expected);
    double distance = fabs(actual - expected);

    return check_true(actual == expected || distance <= bound, file, line,
                      "%s is %.17g, expected %.17g within %.3g, off by %.3g", what, actual,
                      expected, bound, distance);
}

bool check_int(long long actual, long long expected, const char *what, const char *file, int line)
{
    return check_true(actual == expected, file, line, "%s is %lld, expected %lld", what, actual,
                      expected);
}

static bool differ(const char *actual, const char *expected, const char *what, const char *file,
                   int line)
{
    const char *a = actual;
    const char *e = expected;
    int number = 1;

    while (true) {
        size_t na = strcspn(a, "\n");
        size_t ne = strcspn(e, "\n");

        if (na != ne || memcmp(a, e, na) != 0 || a[na] != e[ne])
            return check_true(false, file, line,
                              "%s differs in line %d\nactual:   \"%.*s\"%s\nexpected: \"%.*s\"%s",
                              what, number, (int)na, a, a[na] == '\0' ? " (end)" : "", (int)ne, e,
                              e[ne] == '\0' ? " (end)" : "");
        a += na + 1;
        e += ne + 1;
        number++;
    }
}

bool check_str(const char *actual, const char *expected, const char *what, const char *file,
               int line)
{
    if (actual == NULL || expected == NULL)
        return check_true(actual == expected, file, line, "%s is %s%s%s, expected %s%s%s", what,
                          actual == NULL ? "" : "\"", actual == NULL ? "NULL" : actual,
                          actual == NULL ? "" : "\"", expected == NULL ? "" : "\"",
                          expected == NULL ? "NULL" : expected, expected == NULL ? "" : "\"");
    if (strcmp(actual, expected) == 0)
        return record(true, "", file, line);
    return differ(actual, expected, what, file, line);
}

const char *check_data_path(const char *name)
{
    static char path[MESSAGE_MAX];
    const char *directory = getenv("TESTDATA");

    if (directory == NULL || directory[0] == '\0')
        directory = TESTDATA;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

bool check_comma_locale(bool enter)
{
    const char *path = getenv("COMMA_LOCPATH");
    bool entered;

    if (!enter) {
        setlocale(LC_ALL, "C");
        unsetenv("LOCPATH");
        return true;
    }
    if (path != NULL)
        setenv("LOCPATH", path, 1);
    entered = setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    if (entered)
        CHECK_STR(localeconv()->decimal_point, ",");
    else
        printf("# no locale with a decimal comma, not tested\n");
    return entered;
}
