/* Runs the program's suites and prints TAP: PROGRAM [PART...] runs the tests whose "suite: test"
 * contains one of the parts; PROGRAM -l lists the suites; PROGRAM -p K/N runs every Nth suite from
 * the Kth on, so that N processes share the suites.
 *
 * CUnit's own runners end with status 0 after failed assertions and pass an empty registry; this
 * one fails on any failure record, a suite that did not start, a test that asserted nothing, and
 * when no test ran. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CUnit/CUnit.h>
#include <CUnit/TestDB.h>
#include <CUnit/TestRun.h>

#include "check.h"

#define DIAGNOSTICS_MAX 20
#define NAME_MAX_LENGTH 256
#define REGISTERED_MAX 2000
#define LONG_TEST 0.5 /* s of CPU time, which are printed */

/* CUnit's handlers carry no context. */
static struct {
    unsigned int lines;
    unsigned int failed;
    unsigned int asserts_before;
    double suite_before; /* CPU time, s */
    double test_before;
    char running[2 * NAME_MAX_LENGTH];
} progress;

static void died(int number)
{
    static const char message[] = "died in ";

    if (write(STDERR_FILENO, message, sizeof message - 1) > 0 &&
        write(STDERR_FILENO, progress.running, strlen(progress.running)) > 0 &&
        write(STDERR_FILENO, "\n", 1) > 0)
        raise(number);
    _exit(EXIT_FAILURE);
}

/* Tests that registered themselves; suites are their files. */
static struct registered {
    const char *file;
    int line; /* 0: the suite's setup and cleanup */
    char name[NAME_MAX_LENGTH];
    void (*run)(void);
    int (*setup)(void);
    int (*cleanup)(void);
} registered[REGISTERED_MAX];
static size_t registered_count;

static struct registered *add_registered(const char *file, int line)
{
    if (registered_count == REGISTERED_MAX)
        abort();
    registered[registered_count] = (struct registered){.file = file, .line = line};
    return &registered[registered_count++];
}

void check_add_test(const char *file, int line, const char *name, void (*run)(void))
{
    struct registered *test = add_registered(file, line);

    snprintf(test->name, sizeof test->name, "%s", name);
    for (char *at = test->name; *at != '\0'; at++)
        if (*at == '_')
            *at = ' ';
    test->run = run;
}

const char *check_test_name(void)
{
    return progress.running;
}

void check_add_suite(const char *file, int (*setup)(void), int (*cleanup)(void))
{
    struct registered *suite = add_registered(file, 0);

    suite->setup = setup;
    suite->cleanup = cleanup;
}

static int compare_registered(const void *a, const void *b)
{
    const struct registered *one = a;
    const struct registered *other = b;
    int files = strcmp(one->file, other->file);

    return files != 0 ? files : one->line - other->line;
}

/* Names the test that a crash or a timeout ended, unless a sanitizer already watches. */
static void name_deaths(void)
{
    static const int deadly[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTERM};
    const struct sigaction action = {.sa_handler = died, .sa_flags = (int)SA_RESETHAND};
    struct sigaction present;

    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        if (sigaction(deadly[i], NULL, &present) == 0 && present.sa_handler == SIG_DFL)
            sigaction(deadly[i], &action, NULL);
}

static void print_result(bool good, const char *suite, const char *test)
{
    progress.lines++;
    progress.failed += !good;
    printf("%sok %u - %s: %s\n", good ? "" : "not ", progress.lines, suite, test);
}

static void print_diagnostic(const CU_FailureRecord *failure)
{
    const char *at = failure->strCondition;

    printf("# %s:%u: ", failure->strFileName, failure->uiLineNumber);
    for (; *at != '\0'; at++)
        printf(*at == '\n' ? "\n#   " : "%c", *at);
    printf("\n");
}

/* CPU time of this process and of those that it waited for, s. */
static double cpu_time(void)
{
    double seconds = 0;

    for (int who = RUSAGE_CHILDREN; who <= RUSAGE_SELF; who++) {
        struct rusage used;

        getrusage(who, &used);
        seconds += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                   1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    }
    return seconds;
}

static void test_started(const CU_pTest test, const CU_pSuite suite)
{
    snprintf(progress.running, sizeof progress.running, "%s: %s", suite->pName, test->pName);
    progress.asserts_before = CU_get_number_of_asserts();
    progress.test_before = cpu_time();
}

static void test_completed(const CU_pTest test, const CU_pSuite suite,
                           const CU_pFailureRecord failures)
{
    bool asserted = CU_get_number_of_asserts() > progress.asserts_before;
    double used = cpu_time() - progress.test_before;
    unsigned int shown = 0;

    print_result(asserted && failures == NULL, suite->pName, test->pName);
    if (!asserted)
        printf("# the test checked nothing\n");
    for (const CU_FailureRecord *at = failures; at != NULL; at = at->pNext, shown++)
        if (shown < DIAGNOSTICS_MAX)
            print_diagnostic(at);
    if (shown > DIAGNOSTICS_MAX)
        printf("# and %u more\n", shown - DIAGNOSTICS_MAX);
    if (used >= LONG_TEST)
        printf("# %.1f s of CPU time\n", used);
}

static void suite_started(const CU_pSuite suite)
{
    (void)suite;
    progress.suite_before = cpu_time();
}

static void suite_completed(const CU_pSuite suite, const CU_pFailureRecord failures)
{
    (void)failures;
    printf("# %s: %.1f s of CPU time\n", suite->pName, cpu_time() - progress.suite_before);
}

static void setup_failed(const CU_pSuite suite)
{
    print_result(false, suite->pName, "setup");
}

static void cleanup_failed(const CU_pSuite suite)
{
    print_result(false, suite->pName, "cleanup");
}

static bool is_wanted(const char *suite, const char *test, char **parts)
{
    char name[2 * NAME_MAX_LENGTH];

    snprintf(name, sizeof name, "%s: %s", suite, test);
    for (char **part = parts; *part != NULL; part++)
        if (strstr(name, *part) != NULL)
            return true;
    return parts[0] == NULL;
}

/* Adds a test and, before its first one, the suite. */
static bool add_test(CU_pSuite *added, const char *suite, const struct registered *test,
                     const struct registered *around, char **parts)
{
    if (!is_wanted(suite, test->name, parts))
        return true;
    if (*added == NULL)
        *added = CU_add_suite(suite, around->setup, around->cleanup);
    if (*added != NULL && CU_add_test(*added, test->name, test->run) != NULL &&
        CU_get_error() == CUE_SUCCESS)
        return true;
    printf("Bail out! %s: %s: %s\n", suite, test->name, CU_get_error_msg());
    return false;
}

/* "readout" of "../tests/test_readout.c". */
static void name_suite(const char *file, char *name, size_t size)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash == NULL ? file : slash + 1;

    base += strncmp(base, "test_", 5) == 0 ? 5 : 0;
    snprintf(name, size, "%.*s", (int)strcspn(base, "."), base);
}

/* Suites number first, first + every, ... run; numbers begin at 0. */
struct part {
    unsigned int first;
    unsigned int every;
};

static bool add_registered_suites(const struct part *part, char **parts)
{
    CU_pSuite added = NULL;
    const struct registered *around = NULL; /* has the suite's setup and cleanup, or NULL there */
    char name[NAME_MAX_LENGTH];
    unsigned int suites = 0;

    qsort(registered, registered_count, sizeof registered[0], compare_registered);
    for (size_t i = 0; i < registered_count; i++) {
        const struct registered *at = &registered[i];

        if (i == 0 || strcmp(at->file, at[-1].file) != 0) {
            name_suite(at->file, name, sizeof name);
            around = at;
            added = NULL;
            suites++;
        }
        if ((suites - 1) % part->every == part->first && at->run != NULL &&
            !add_test(&added, name, at, around, parts))
            return false;
    }
    return true;
}

static void list_suites(void)
{
    qsort(registered, registered_count, sizeof registered[0], compare_registered);
    for (size_t i = 0; i < registered_count; i++)
        if (i == 0 || strcmp(registered[i].file, registered[i - 1].file) != 0) {
            char name[NAME_MAX_LENGTH];

            name_suite(registered[i].file, name, sizeof name);
            puts(name);
        }
}

static bool run(const struct part *part, char **parts)
{
    if (!add_registered_suites(part, parts))
        return false;
    CU_set_test_start_handler(test_started);
    CU_set_test_complete_handler(test_completed);
    CU_set_suite_start_handler(suite_started);
    CU_set_suite_complete_handler(suite_completed);
    CU_set_suite_init_failure_handler(setup_failed);
    CU_set_suite_cleanup_failure_handler(cleanup_failed);
    CU_run_all_tests();
    printf("1..%u\n", progress.lines);
    return progress.failed == 0 && CU_get_number_of_failure_records() == 0 &&
           CU_get_number_of_suites_failed() == 0 && CU_get_number_of_tests_run() > 0 &&
           CU_get_number_of_asserts() > 0;
}

int main(int argc, char **argv)
{
    struct part part = {0, 1};
    bool good;

    if (argc == 2 && strcmp(argv[1], "-l") == 0) {
        list_suites();
        return EXIT_SUCCESS;
    }
    if (argc == 3 && strcmp(argv[1], "-p") == 0) {
        if (sscanf(argv[2], "%u/%u", &part.first, &part.every) != 2 || part.first == 0 ||
            part.first > part.every) {
            printf("Bail out! -p %s: K/N\n", argv[2]);
            return EXIT_FAILURE;
        }
        part.first--;
        argv += 2;
    }
    /* A test that crashes must not take the results before it along. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    name_deaths();
    if (CU_initialize_registry() != CUE_SUCCESS) {
        printf("Bail out! %s\n", CU_get_error_msg());
        return EXIT_FAILURE;
    }
    good = run(&part, argv + 1);
    CU_cleanup_registry();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
