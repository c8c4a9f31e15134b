/* Measured wake-ups: what is read of a file, its quantiles, and every sentence about what cannot be
 * read. */
#include "probe/wakeups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "design/preset.h"
#include "files.h"
#include "rows.h"

static enum status read_text(const char *text, size_t length, const char *unit,
                             struct wakeups *wakeups, char **problems)
{
    struct problems found = {NULL, 0, 0};
    enum status status = wakeups_parse(text, length, unit, wakeups, &found);

    CHECK_INT(status, found.count > 0 ? STATUS_INVALID : STATUS_OK);
    *problems = files_problems(&found);
    problems_free(&found);
    return status;
}

/* Reads a good text. */
static bool reads(const char *text, const char *unit, struct wakeups *wakeups)
{
    char *problems;
    enum status status = read_text(text, strlen(text), unit, wakeups, &problems);

    CHECK_STR(problems, "");
    free(problems);
    return status == STATUS_OK;
}

#define HISTOGRAM                                                                                  \
    "# /dev/cpu_dma_latency set to 0us\n"                                                          \
    "policy: fifo: loadavg: 0.00 0.01 0.05 2/345 6789\n"                                           \
    "T: 0 ( 1234) P:80 I:1000 C: 10000 Min: 2 Act: 3 Avg: 3 Max: 12\n"                             \
    "# Histogram\n"                                                                                \
    "000000 000000\t000000\n"                                                                      \
    "000002 000600\t000100\n"                                                                      \
    "000003 000390\t000880\n"                                                                      \
    "000005 000000\t000000\n"                                                                      \
    "000007 000009\t000020\n"

TEST(histogram_of_threads)
{
    struct wakeups w;

    if (!reads(HISTOGRAM "# Total: 000000999 000001000\n"
                         "# Min Latencies: 00002 00002\n"
                         "# Avg Latencies: 00003 00003\n"
                         "# Max Latencies: 00400 00007\n"
                         "# Histogram Overflows: 00001 00000\n"
                         "# Histogram Overflow at cycle number:\n"
                         "# Thread 0: 00123\n",
               "us", &w))
        return;
    CHECK_INT(w.threads, 2);
    CHECK_NEAR(w.samples, 2000, 0);
    CHECK_NEAR(w.overflows, 1, 0);
    CHECK_INT(w.count, 4);
    CHECK_NEAR(w.list[0].latency, 2e-6, 1e-15);
    CHECK_NEAR(w.list[0].count, 700, 0);
    CHECK_NEAR(wakeups_quantile(&w, 0), 3e-6, 1e-15);
    CHECK_NEAR(wakeups_quantile(&w, 1), 3e-6, 1e-15);
    CHECK_NEAR(wakeups_quantile(&w, 2), 7e-6, 1e-15);
    CHECK_NEAR(wakeups_quantile(&w, 3), 7e-6, 1e-15);
    CHECK_NEAR(wakeups_quantile(&w, 4), 400e-6, 1e-15);
    CHECK_NEAR(wakeups_late(&w, LATE_P99), 4e-6, 0);
    CHECK_NEAR(wakeups_late(&w, LATE_MAX), 397e-6, 0);
    wakeups_free(&w);
}

/* cyclictest -H adds a column for all threads. */
TEST(sum_of_threads_does_not_count)
{
    struct wakeups w;

    if (!reads("# Histogram\n1 10 5 15\n2 0 3 3\n# Total: 10 8 18\n# Max Latencies: 1 9 9\n"
               "# Histogram Overflows: 0 2 2\n",
               "us", &w))
        return;
    CHECK_INT(w.threads, 2);
    CHECK_NEAR(w.samples, 20, 0);
    CHECK_NEAR(w.overflows, 2, 0);
    CHECK_NEAR(wakeups_quantile(&w, LATE_MAX + 1), 9e-6, 1e-15);
    wakeups_free(&w);
}

TEST(list_of_latencies)
{
    struct wakeups w;

    if (!reads("# a comment\n5000\n\n 3 us\r\n2.5e-6 s\n4000 ns\n1000", "ns", &w))
        return;
    CHECK_INT(w.threads, 0);
    CHECK_INT(w.count, 5);
    CHECK_NEAR(w.list[0].latency, 1e-6, 1e-15);
    CHECK_NEAR(wakeups_quantile(&w, 0), 3e-6, 1e-15);
    CHECK_NEAR(wakeups_quantile(&w, 1), 5e-6, 1e-15);
    wakeups_free(&w);
}

/* Of n latencies 1, 2, ... n us, n - n 10^-k do not exceed the quantile of k nines. */
TEST(quantiles_of_a_list)
{
    static const int sizes[] = {1, 2, 9, 10, 11, 99, 100, 101, 1000, 20000};

    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        char *text = NULL;
        size_t length = 0;
        FILE *file = open_memstream(&text, &length);
        struct wakeups w;
        int tenths = 10;

        for (int i = sizes[s]; i >= 1; i--)
            fprintf(file, "%d\n", i);
        fclose(file);
        if (reads(text, "us", &w)) {
            CHECK_NEAR(wakeups_quantile(&w, 0), 1e-6 * (sizes[s] - sizes[s] / 2), 1e-12);
            for (int q = LATE_P90; q < LATE_MAX; q++, tenths *= 10)
                CHECK_NEAR(wakeups_quantile(&w, q + 1), 1e-6 * (sizes[s] - sizes[s] / tenths),
                           1e-12);
            CHECK_NEAR(wakeups_quantile(&w, LATE_MAX + 1), 1e-6 * sizes[s], 1e-12);
            wakeups_free(&w);
        }
        free(text);
    }
}

static void check_refused(const struct row *row)
{
    struct wakeups wakeups;
    char *problems;

    if (read_text(row->field[0], strlen(row->field[0]), "us", &wakeups, &problems) == STATUS_OK)
        wakeups_free(&wakeups);
    ROW_STR(row, problems, row->field[1]);
    free(problems);
}

static void check_refused_without_unit(const struct row *row)
{
    struct wakeups wakeups;
    char *problems;

    if (read_text(row->field[0], strlen(row->field[0]), NULL, &wakeups, &problems) == STATUS_OK)
        wakeups_free(&wakeups);
    ROW_STR(row, problems, row->field[1]);
    free(problems);
}

TEST(what_is_refused)
{
    rows_each("wakeups.txt", "texts", 2, check_refused);
    rows_each("wakeups.txt", "texts without a unit", 2, check_refused_without_unit);
}

/* Returns the quantiles of 0 to LATE_MAX + 1 nines that are known, a digit each. */
static const char *known_quantiles(const char *text)
{
    static char known[LATE_MAX + 3];
    struct wakeups w;
    int count = 0;

    if (reads(text, "us", &w)) {
        for (int nines = 0; nines <= LATE_MAX + 1; nines++)
            if (wakeups_know(&w, nines))
                known[count++] = (char)('0' + nines);
        wakeups_free(&w);
    }
    known[count] = '\0';
    return known;
}

/* Of the wake-ups later than the last line only the largest of each thread is known. */
TEST(quantiles_among_overflows)
{
    CHECK_STR(known_quantiles("1 90\n# Total: 90\n# Max Latencies: 9\n# Histogram Overflows: 10\n"),
              "013456");
    CHECK_STR(known_quantiles("1 98\n# Total: 98\n# Max Latencies: 9\n# Histogram Overflows: 2\n"),
              "013456");
    CHECK_STR(known_quantiles("1 98 0\n# Total: 98 0\n# Max Latencies: 9 7\n"
                              "# Histogram Overflows: 1 1\n"),
              "0123456");
    CHECK_STR(known_quantiles("1 98 0\n# Total: 98 0\n# Max Latencies: 9 9\n"
                              "# Histogram Overflows: 1 2\n"),
              "0123456");
    CHECK_STR(known_quantiles("1 500\n2 500\n# Total: 1000\n# Max Latencies: 2\n"), "0123456");
}

/* What is unknown is assumed as late as it may be. */
TEST(unknown_quantiles_of_a_preset)
{
    struct buffer text = {0};
    struct wakeups w;

    if (!reads("1 90\n# Total: 90\n# Max Latencies: 9\n# Histogram Overflows: 10\n", "us", &w))
        return;
    wakeups_preset(&text, &w, "[device]\n", strlen("[device]\n"));
    CHECK(strstr(text.bytes, "late_p90 = 0 us\norigin.late_p90 = measured\n"
                             "late_p99 = 8 us\norigin.late_p99 = assumed\n") != NULL);
    CHECK(strstr(text.bytes, "late_max = 8 us\norigin.late_max = measured\n") != NULL);
    buffer_free(&text);
    wakeups_free(&w);
}

/* Histograms that a program might print: two threads, latencies 1 to BUCKETS - 1 us and overflows.
 */
#define BUCKETS 20

struct measured {
    int bucket[2][BUCKETS];
    double later[2][64]; /* us */
    int later_count[2];
    double all[1000]; /* us, in order */
    int count;
};

static int compare_doubles(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void measure(struct measured *m, uint64_t *seed)
{
    memset(m, 0, sizeof *m);
    for (int t = 0; t < 2; t++) {
        for (int n = 40 + (int)random_below(seed, 300); n > 0; n--) {
            int latency = 1 + (int)random_below(seed, BUCKETS - 1);

            m->bucket[t][latency]++;
            m->all[m->count++] = latency;
        }
        m->later_count[t] = (int)random_below(seed, 8);
        for (int n = 0; n < m->later_count[t]; n++)
            m->all[m->count++] = m->later[t][n] = BUCKETS + (double)random_below(seed, 50);
    }
    qsort(m->all, (size_t)m->count, sizeof m->all[0], compare_doubles);
}

static int most_of(const struct measured *m, int t)
{
    int most = 0;

    for (int b = 0; b < BUCKETS; b++)
        most = m->bucket[t][b] > 0 ? b : most;
    for (int n = 0; n < m->later_count[t]; n++)
        most = m->later[t][n] > most ? (int)m->later[t][n] : most;
    return most;
}

static int sum_of(const struct measured *m, int t)
{
    int sum = 0;

    for (int b = 0; b < BUCKETS; b++)
        sum += m->bucket[t][b];
    return sum;
}

static void print_json(FILE *file, const struct measured *m, bool oslat)
{
    fprintf(file, "{\"file_version\": 1, %s\"thread\": {",
            oslat ? "" : "\"resolution_in_ns\": 0, ");
    for (int t = 0; t < 2; t++) {
        const char *comma = "";

        fprintf(file, "%s\n\"%d\": {\"histogram\": {", t > 0 ? "," : "", t);
        for (int b = 0; b < BUCKETS; b++, comma = ", ")
            fprintf(file, "%s\"%d\": %d", comma, b, m->bucket[t][b]);
        if (oslat)
            fprintf(file, "%s\"%d\": %d", comma, BUCKETS, m->later_count[t]);
        fprintf(file, "}, \"cycles\": %d, \"min\": 1, \"duration\": 1, \"max\": %d}",
                sum_of(m, t) + m->later_count[t], most_of(m, t));
    }
    fprintf(file, "}}\n");
}

static void print_oslat(FILE *file, const struct measured *m)
{
    fprintf(file, "oslat V 2.40\nPre-heat for 1 seconds...\n        Core:\t 0 1\n");
    for (int b = 0; b < BUCKETS; b++)
        fprintf(file, "    %03d (us):\t %d %d\n", b, m->bucket[0][b], m->bucket[1][b]);
    fprintf(file, "    %03d (us):\t %d %d (including overflows)\n", BUCKETS, m->later_count[0],
            m->later_count[1]);
    fprintf(file, "     Minimum:\t 1 1 (us)\n     Average:\t 1.022 1.019 (us)\n");
    fprintf(file, "     Maximum:\t %d %d (us)\n\n", most_of(m, 0), most_of(m, 1));
}

static void print_rtla(FILE *file, const struct measured *m)
{
    fprintf(file, "# RTLA timerlat histogram\n# Time unit is microseconds (us)\n"
                  "Index   IRQ-000   Thr-000   IRQ-003   Thr-003\n");
    for (int b = 0; b < BUCKETS; b++)
        fprintf(file, "%-6d %9d %9d %9d %9d \n", b, 5, m->bucket[0][b], 9, m->bucket[1][b]);
    fprintf(file, "over:  7 %d 8 %d\n", m->later_count[0], m->later_count[1]);
    fprintf(file, "count: 9 %d 9 %d\nmin: 0 1 - 1\n", sum_of(m, 0) + m->later_count[0],
            sum_of(m, 1) + m->later_count[1]);
    fprintf(file, "max: 9 %d - %d\nALL: IRQ Thr\ncount: 1 1\nmax: 9 9\n", most_of(m, 0),
            most_of(m, 1));
}

static void print_form(FILE *file, const struct measured *m, int form)
{
    if (form == 2)
        print_oslat(file, m);
    else if (form == 3)
        print_rtla(file, m);
    else
        print_json(file, m, form == 1);
}

static void check_counted(const struct measured *m, const char *text)
{
    struct wakeups w;
    int part = 2;

    if (!reads(text, NULL, &w))
        return;
    CHECK(!w.unit_assumed);
    CHECK_INT((int)w.samples, m->count);
    CHECK_NEAR(wakeups_quantile(&w, LATE_MAX + 1), 1e-6 * m->all[m->count - 1], 1e-12);
    for (int nines = 0; nines <= 3; part = nines == 0 ? 10 : part * 10, nines++) {
        double counted = m->all[m->count - m->count / part - 1];

        CHECK_TRUE(wakeups_know(&w, nines) || counted >= BUCKETS, "known before the overflows");
        if (wakeups_know(&w, nines))
            CHECK_NEAR(wakeups_quantile(&w, nines), 1e-6 * counted, 1e-12);
    }
    wakeups_free(&w);
}

/* Quantiles of each program's histogram are those counted from its wake-ups. */
TEST(quantiles_of_each_program)
{
    uint64_t seed = 1;

    for (int i = 0; i < 5; i++)
        for (int form = 0; form < 4; form++) {
            struct measured m;
            char *text = NULL;
            size_t length = 0;
            FILE *file = open_memstream(&text, &length);

            measure(&m, &seed);
            print_form(file, &m, form);
            fclose(file);
            check_counted(&m, text);
            free(text);
        }
}

/* What states the unit: -N in the command of cyclictest, the heading of rtla, decimals of oslat. */
TEST(units_that_programs_state)
{
    static const char *const texts[] = {
        "{\"cmdline\": \"cyclictest -N -h 90\", \"resolution_in_ns\": 0, \"thread\": {\"0\": "
        "{\"histogram\": {\"2500\": 9}, \"cycles\": 9, \"min\": 2500, \"max\": 2500}}}",
        "{\"thread\": {\"0\": {\"histogram\": {\"1.250\": 2, \"2.500\": 9}, \"min\": 1200, "
        "\"max\": 2500, \"duration\": 1}}}",
        "# RTLA timerlat histogram\n# Time unit is nanoseconds (ns)\nIndex Thr-000\n2500 9\n"
        "over: 0\n",
        "Core:\t 0\n  1.250 (us):\t 2\n    ...\n 2.500 (us):\t 9 (including overflows)\n"
        "Maximum:\t 2.500 (us)\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct wakeups w;

        if (!reads(texts[i], "ms", &w))
            continue;
        CHECK_NEAR(wakeups_quantile(&w, 0), 2.5e-6, 1e-15);
        CHECK_NEAR(w.overflows, 0, 0);
        wakeups_free(&w);
    }
}

/* The columns of three threads without a count are no sum. */
TEST(threads_by_their_shortest_latencies)
{
    struct wakeups w;

    if (!reads("1 9 0 0\n# Total: 9 0 0\n# Min Latencies: 1 8 8\n# Max Latencies: 1 8 8\n"
               "# Histogram Overflows: 0 1 1\n",
               "us", &w))
        return;
    CHECK_INT(w.threads, 3);
    CHECK_NEAR(w.samples, 11, 0);
    wakeups_free(&w);
}

TEST(byte_order_mark)
{
    struct wakeups w;

    if (!reads("\xEF\xBB\xBF"
               "3\r\n4\r\n5\r\n",
               NULL, &w))
        return;
    CHECK_INT(w.count, 3);
    CHECK(w.unit_assumed);
    wakeups_free(&w);
    if (!reads("3 us\n0.004 ms\n", NULL, &w))
        return;
    CHECK(!w.unit_assumed);
    wakeups_free(&w);
}

TEST(binary_files)
{
    struct wakeups wakeups;
    char *problems;

    read_text("1\n2\0\n", 5, "us", &wakeups, &problems);
    CHECK_STR(problems, "0: byte 4 is NUL; a file of latencies is text\n");
    free(problems);
}

/* Random changes of a good file, and its beginnings, are read or refused. */
TEST(damaged_files)
{
    static const char good[] = HISTOGRAM "# Total: 000000999 000001000\n"
                                         "# Max Latencies: 00400 00007\n"
                                         "# Histogram Overflows: 00001 00000\n";
    uint64_t seed = 1;
    char text[sizeof good];

    for (int i = 0; i < 20000; i++) {
        size_t length = random_below(&seed, sizeof good);
        struct wakeups wakeups;
        char *problems;

        memcpy(text, good, sizeof good);
        for (size_t n = random_below(&seed, 4); n > 0; n--)
            text[random_below(&seed, sizeof good)] = (char)random_below(&seed, 256);
        if (read_text(text, length, "us", &wakeups, &problems) == STATUS_OK) {
            CHECK_TRUE(wakeups.samples > 0, "samples");
            CHECK_TRUE(wakeups_late(&wakeups, LATE_MAX) >= 0, "in order");
            wakeups_free(&wakeups);
        }
        free(problems);
    }
}

/* Stored values are read back to the last digit, and replace those of before. */
TEST(presets)
{
    static const char base[] = "; a machine\n"
                               "[device]\n"
                               "kind = cpu\n"
                               "late_max = 5 ms ; once\n"
                               "origin.late_max = assumed\n"
                               "cores = 7";
    static const char latencies[] = "1.25\n2.5\n2.5\n3.75\n1000\n";
    struct problems problems = {NULL, 0, 0};
    struct buffer once = {0};
    struct buffer twice = {0};
    struct device device;
    struct wakeups w;

    if (!reads(latencies, "us", &w))
        return;
    wakeups_preset(&once, &w, base, strlen(base));
    wakeups_preset(&twice, &w, once.bytes, once.length);
    CHECK_STR(twice.bytes, once.bytes);
    if (CHECK_INT(preset_read_device(&device, once.bytes, once.length, &problems), STATUS_OK)) {
        CHECK_NEAR(device.cores, 7, 0);
        for (int q = 0; q < LATE_COUNT; q++)
            CHECK_NEAR(device.late[q], 997.5e-6, 0);
    }
    problems_free(&problems);
    buffer_free(&once);
    buffer_free(&twice);
    wakeups_free(&w);
}
