#include "probe/wakeups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/number.h"
#include "base/units.h"
#include "base/utf8.h"
#include "design/ini.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "import/json.h"

#define LATENCY_MAX 1.0 /* s, as in the knobs */
#define WHOLE_DIGITS 15 /* of a whole number: exact in a double */
#define SHOWN 40        /* bytes of a field in a message */
#define FIELD_MAX 100   /* bytes of a line with one latency */
#define EXPECTED                                                                                   \
    "a histogram of cyclictest, oslat or rtla timerlat hist or a list of latencies, one per line"

#define OSLAT "oslat"
#define RTLA_COLUMNS (3 * WAKEUPS_THREADS_MAX) /* IRQ, Thr and Usr of each */

enum wakeup_form {
    FORM_UNKNOWN,
    FORM_LIST,
    FORM_HISTOGRAM,
    FORM_OSLAT,
    FORM_RTLA,
    FORM_JSON,
    FORM_OSLAT_JSON,
    FORMS
};

/* Lines with a number per thread. */
enum thread_line { LINE_TOTAL, LINE_MIN, LINE_MAX, LINE_OVERFLOWS, THREAD_LINES };

/* The histograms: who prints them, how their lines with a number per thread begin or, in JSON, what
 * states them, and the option that makes them longer. */
static const struct histogram_form {
    const char *program;
    const char *line[THREAD_LINES];
    const char *longer;
} histogram_forms[FORMS] = {
    [FORM_HISTOGRAM] = {"cyclictest",
                        {"# Total:", "# Min Latencies:", "# Max Latencies:",
                         "# Histogram Overflows:"},
                        "-h"},
    [FORM_OSLAT] = {OSLAT, {NULL, "Minimum:", "Maximum:", "(including overflows)"}, "-b"},
    [FORM_RTLA] = {"rtla", {"count:", "min:", "max:", "over:"}, "-E"},
    [FORM_JSON] = {"cyclictest", {"cycles", "min", "max", "cycles less histogram"}, "-h"},
    [FORM_OSLAT_JSON] = {OSLAT, {NULL, "min", "max", "last of histogram"}, "-b"},
};

/* Lines of cyclictest that are neither data nor comments. */
static const char *const status_lines[] = {"T:", "policy:", "/dev/cpu_dma_latency", "\033["};

/* How a line of what is not read begins, before any data. */
static const struct {
    const char *start, *program;
} unread[] = {
    {"# RTLA osnoise", "rtla osnoise"},
    {"Timer Latency", "rtla timerlat top"},
    {"Max CPUs =", "cyclictest -v"},
    {"Online CPUs =", "cyclictest -v"},
};

struct wakeup_reader {
    struct wakeups *wakeups;
    struct problems *problems;
    const char *unit;
    bool unit_unstated; /* it is assumed */
    const char *bytes;  /* the file, */
    const char *end;    /* and where it ends */
    int line;
    bool cut;     /* the line has no end */
    bool stopped; /* what follows cannot be read either */
    bool status;  /* there are status lines of cyclictest */
    enum wakeup_form form;
    bool begun;                             /* "# Histogram" was read: "# Total:" will follow */
    int columns;                            /* of counts; 0: no line yet */
    bool summed;                            /* the last column has been the sum of the others */
    bool ended;                             /* what follows is not read: rtla, all CPUs together */
    double open_last;                       /* s, of oslat's last line, with overflows; else -1 */
    bool skipped[RTLA_COLUMNS];             /* columns of rtla that are of no thread */
    double column[WAKEUPS_THREADS_MAX + 1]; /* their sums */
    double stated[THREAD_LINES][WAKEUPS_THREADS_MAX + 1];
    int stated_count[THREAD_LINES], stated_line[THREAD_LINES]; /* line 0: not in the file */
};

/* Fields --------------------------------------------------------------------------------------- */

struct line_field {
    const char *text;
    size_t length;
};

static bool is_blank_byte(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the next field off the line; returns false at its end. */
static bool take_field(const char **at, const char *end, struct line_field *field)
{
    while (*at < end && is_blank_byte(**at))
        ++*at;
    field->text = *at;
    while (*at < end && !is_blank_byte(**at))
        ++*at;
    field->length = (size_t)(*at - field->text);
    return field->length > 0;
}

static bool is_whole_field(const struct line_field *field)
{
    for (size_t i = 0; i < field->length; i++)
        if (field->text[i] < '0' || field->text[i] > '9')
            return false;
    return field->length > 0;
}

/* Reads a whole number; on failure returns false and adds a problem. */
static bool read_whole_field(const struct wakeup_reader *reader, const struct line_field *field,
                             const char *what, double *value)
{
    char shown[SHOWN];
    size_t zeros = 0;

    *value = 0;
    utf8_excerpt(shown, sizeof shown, field->text, field->length);
    while (zeros < field->length && field->text[zeros] == '0')
        zeros++;
    if (!is_whole_field(field))
        problems_add(reader->problems, reader->line, "%s \"%s\" is not a whole number, 0 or more",
                     what, shown);
    else if (field->length - zeros > WHOLE_DIGITS)
        problems_add(reader->problems, reader->line,
                     "%s %s is out of range; allowed: at most %d digits", what, shown,
                     WHOLE_DIGITS);
    else {
        for (size_t i = zeros; i < field->length; i++)
            *value = 10 * *value + (field->text[i] - '0');
        return true;
    }
    return false;
}

static bool is_oslat(const struct wakeup_reader *reader)
{
    return reader->form == FORM_OSLAT || reader->form == FORM_OSLAT_JSON;
}

/* The same of a latency, which oslat states with decimals, and rtla as - where there is none. */
static bool read_number_field(const struct wakeup_reader *reader, const struct line_field *field,
                              const char *what, double *value)
{
    char text[SHOWN];
    const char *end;

    *value = 0;
    if (reader->form == FORM_RTLA && field->length == 1 && *field->text == '-')
        return true;
    if (!is_oslat(reader) || field->length >= sizeof text ||
        memchr(field->text, '.', field->length) == NULL ||
        strspn(field->text, "0123456789.") < field->length)
        return read_whole_field(reader, field, what, value);
    snprintf(text, sizeof text, "%.*s", (int)field->length, field->text);
    return number_parse(text, value, &end) == STATUS_OK && *end == '\0';
}

/* What to do about numbers that are too large, if their unit is assumed. */
static const char *advise_unit(const struct wakeup_reader *reader)
{
    return reader->wakeups->unit_assumed
               ? "; cyclictest -N prints nanoseconds, which --unit ns reads"
               : "";
}

/* Returns false and adds a problem if the latency (s) is negative or too long. */
static bool check_latency(const struct wakeup_reader *reader, int line, const char *what,
                          double latency, const struct line_field *field)
{
    char shown[SHOWN];

    if (latency >= 0 && latency <= LATENCY_MAX)
        return true;
    utf8_excerpt(shown, sizeof shown, field->text, field->length);
    problems_add(reader->problems, line,
                 "%s %s is out of range; allowed: 0 us to 1 s (numbers without a unit are in %s)%s",
                 what, shown, reader->unit, latency > 0 ? advise_unit(reader) : "");
    return false;
}

static void add_wakeup(struct wakeup_reader *reader, double latency, double count, bool bound)
{
    struct wakeups *wakeups = reader->wakeups;

    wakeups->list =
        array_reserve(wakeups->list, wakeups->count, &wakeups->capacity, sizeof *wakeups->list);
    wakeups->list[wakeups->count++] = (struct wakeup){latency, count, bound};
    wakeups->samples += count;
}

/* Lines ---------------------------------------------------------------------------------------- */

static void read_latency_line(struct wakeup_reader *reader, const char *line, const char *end)
{
    const struct line_field field = {line, (size_t)(end - line)};
    bool first = reader->wakeups->count == 0;
    char text[FIELD_MAX];
    struct error error;
    double latency;

    utf8_excerpt(text, sizeof text, field.text, field.length);
    if (end[-1] == '.' || (end[-1] >= '0' && end[-1] <= '9'))
        reader->wakeups->unit_assumed |= reader->unit_unstated;
    if (quantity_parse(text, reader->unit, &latency, &error) != STATUS_OK) {
        problems_add(reader->problems, reader->line, "latency: %s%s", error.message,
                     first ? "; the file is to be " EXPECTED : "");
        reader->stopped = first;
    } else if (check_latency(reader, reader->line, "latency", latency, &field)) {
        add_wakeup(reader, latency, 1, false);
    }
}

/* Checks the latency of a histogram's line: in range and above the one before. */
static bool read_histogram_latency(struct wakeup_reader *reader, const struct line_field *field,
                                   double *latency)
{
    double value;

    if (!read_number_field(reader, field, "latency", &value))
        return false;
    *latency = unit_to_si(value, reader->unit);
    reader->wakeups->unit_assumed = reader->unit_unstated;
    if (!check_latency(reader, reader->line, "latency", *latency, field))
        return false;
    if (*latency > reader->wakeups->last) {
        reader->wakeups->last = *latency;
        return true;
    }
    problems_add(reader->problems, reader->line,
                 "latency %.*s does not follow the one before; the latencies of a histogram "
                 "increase",
                 (int)field->length, field->text);
    return false;
}

/* Takes the number of the next thread off a line; returns false at its end. */
static bool take_thread(const struct wakeup_reader *reader, const char **at, const char *end,
                        int *column, struct line_field *field)
{
    while (take_field(at, end, field)) {
        if (is_oslat(reader) && *field->text == '(')
            return false;
        if (*column >= RTLA_COLUMNS || !reader->skipped[(*column)++])
            return true;
    }
    return false;
}

static void read_histogram_line(struct wakeup_reader *reader, const char *at, const char *end)
{
    struct line_field field;
    double latency = 0;
    double sum = 0;
    double last = 0;
    int columns = 0;
    int column = 0;

    if (!take_field(&at, end, &field) || !read_histogram_latency(reader, &field, &latency))
        return;
    if (is_oslat(reader))
        take_field(&at, end, &field); /* (us): */
    for (; take_thread(reader, &at, end, &column, &field); columns++) {
        sum += last;
        if (columns > WAKEUPS_THREADS_MAX) {
            problems_add(reader->problems, reader->line, "more than %d counts",
                         WAKEUPS_THREADS_MAX);
            return;
        }
        if (!read_whole_field(reader, &field, "count", &last))
            return;
        reader->column[columns] += last;
    }
    if (reader->columns == 0)
        reader->columns = columns;
    if (columns == 0 || columns != reader->columns) {
        problems_add(reader->problems, reader->line, "%s",
                     columns == 0 ? "a latency without counts, one per thread"
                                  : "the number of counts, one per thread, changes");
        return;
    }
    reader->summed = reader->summed && last == sum;
    if (sum + last > 0)
        add_wakeup(reader, latency, sum + last, false);
}

static bool line_begins(const char *line, const char *end, const char *start)
{
    size_t length = strlen(start);

    return (size_t)(end - line) >= length && memcmp(line, start, length) == 0;
}

/* Returns how a line with a number per thread begins, or NULL if the form has none. */
static const char *thread_line_start(const struct wakeup_reader *reader, enum thread_line line)
{
    return histogram_forms[reader->form < FORM_HISTOGRAM ? FORM_HISTOGRAM : reader->form]
        .line[line];
}

/* Reads the numbers of a line with one per thread. */
static void read_stated(struct wakeup_reader *reader, enum thread_line line, const char *at,
                        const char *end)
{
    const char *start = thread_line_start(reader, line);
    struct line_field field;
    int count = 0, column = 0;

    reader->stated_line[line] = reader->line;
    if (reader->cut) {
        problems_add(reader->problems, reader->line, "\"%s\" is cut; the file is incomplete",
                     start);
        return;
    }
    for (; count <= WAKEUPS_THREADS_MAX && take_thread(reader, &at, end, &column, &field); count++)
        if (!read_number_field(reader, &field, start + (*start == '#' ? 2 : 0),
                               &reader->stated[line][count]))
            return;
    reader->stated_count[line] = count;
}

/* Reads a line that states a number per thread; returns false if it is none. */
static bool read_thread_line(struct wakeup_reader *reader, const char *at, const char *end)
{
    for (int i = 0; i < THREAD_LINES; i++) {
        const char *start = thread_line_start(reader, (enum thread_line)i);

        if (start == NULL || !line_begins(at, end, start))
            continue;
        read_stated(reader, (enum thread_line)i, at + strlen(start), end);
        return true;
    }
    return false;
}

/* Reads a comment that states a number per thread; others are ignored. */
static void read_comment(struct wakeup_reader *reader, const char *at, const char *end)
{
    if (read_thread_line(reader, at, end))
        return;
    if (line_begins(at, end, "# Histogram") && end - at == strlen("# Histogram")) {
        if (reader->begun)
            problems_add(reader->problems, reader->line,
                         "a second histogram begins; a file has one");
        reader->stopped = reader->begun;
        reader->begun = true;
        reader->form = FORM_HISTOGRAM;
    }
}

static bool is_status_line(const char *line, const char *end)
{
    for (size_t i = 0; i < sizeof status_lines / sizeof status_lines[0]; i++)
        if (line_begins(line, end, status_lines[i]))
            return true;
    return false;
}

static bool file_contains(const struct wakeup_reader *reader, const char *text)
{
    return memmem(reader->bytes, (size_t)(reader->end - reader->bytes), text, strlen(text)) != NULL;
}

/* Returns the program whose output begins with the line, if it is none that is read. */
static const char *find_unread(const char *line, const char *end)
{
    for (size_t i = 0; i < sizeof unread / sizeof unread[0]; i++)
        if (line_begins(line, end, unread[i].start))
            return unread[i].program;
    return NULL;
}

/* Determines the form of the file by its first line of data, which begins with a latency: counts
 * follow it in a histogram. */
static void find_form(struct wakeup_reader *reader, const char *line, const char *end)
{
    struct line_field field;

    reader->form = FORM_LIST;
    take_field(&line, end, &field);
    if (!take_field(&line, end, &field) || strchr("+-.0123456789", field.text[0]) == NULL)
        return;
    reader->form = FORM_HISTOGRAM;
    if (file_contains(reader, thread_line_start(reader, LINE_TOTAL)))
        return;
    problems_add(reader->problems, reader->line,
                 "several numbers in a line, and no \"%s\" as a histogram has; the file is to "
                 "be " EXPECTED,
                 thread_line_start(reader, LINE_TOTAL));
    reader->stopped = true;
}

/* Reads a line of oslat; the last one of the histogram has the overflows. */
static void read_oslat_line(struct wakeup_reader *reader, const char *line, const char *end)
{
    const char *at = line;
    struct line_field latency, unit;
    double last;

    if (read_thread_line(reader, line, end) || !take_field(&at, end, &latency) ||
        !take_field(&at, end, &unit) || unit.length != 5 || memcmp(unit.text, "(us):", 5) != 0)
        return;
    if (memmem(at, (size_t)(end - at), "(including", 10) == NULL) {
        read_histogram_line(reader, line, end);
    } else if (read_number_field(reader, &latency, "latency", &last)) {
        reader->open_last = unit_to_si(last, reader->unit);
        read_stated(reader, LINE_OVERFLOWS, at, end);
    }
}

/* Finds the columns of threads in the heading of rtla. */
static void read_rtla_heading(struct wakeup_reader *reader, const char *at, const char *end)
{
    struct line_field field;
    bool some = false;

    take_field(&at, end, &field);
    for (int i = 0; take_field(&at, end, &field) && i < RTLA_COLUMNS; i++) {
        reader->skipped[i] = field.length < 4 || memcmp(field.text, "Thr-", 4) != 0;
        some = some || !reader->skipped[i];
    }
    if (!some)
        problems_add(reader->problems, reader->line,
                     "no column Thr-CPU; measure without --no-thread");
    reader->begun = true;
    reader->stopped = !some;
}

/* Reads a line of rtla timerlat hist; behind those of each CPU are those of all together. */
static void read_rtla_line(struct wakeup_reader *reader, const char *line, const char *end)
{
    if (line_begins(line, end, "# Time unit is") &&
        memmem(line, (size_t)(end - line), "(ns)", 4) != NULL)
        reader->unit = "ns";
    else if (line_begins(line, end, "Index"))
        read_rtla_heading(reader, line, end);
    else if (line_begins(line, end, "ALL:"))
        reader->ended = true;
    else if (*line >= '0' && *line <= '9' && !reader->begun)
        problems_add(
            reader->problems, reader->line,
            "counts before the line \"Index\"; measure without --no-header and --no-index");
    else if (*line >= '0' && *line <= '9')
        read_histogram_line(reader, line, end);
    else
        read_thread_line(reader, line, end);
}

/* Recognises the text of oslat and rtla by its first line; it states the unit. */
static void recognise_program(struct wakeup_reader *reader, const char *line, const char *end)
{
    if (line_begins(line, end, "oslat V") || line_begins(line, end, "Core:"))
        reader->form = FORM_OSLAT;
    else if (line_begins(line, end, "# RTLA timerlat hist"))
        reader->form = FORM_RTLA;
    else
        return;
    reader->unit = "us";
    reader->unit_unstated = false;
}

static void read_wakeup_line(struct wakeup_reader *reader, const char *line, const char *end)
{
    const char *program = NULL;

    while (line < end && is_blank_byte(*line))
        line++;
    while (line < end && is_blank_byte(end[-1]))
        end--;
    if (line == end)
        return;
    if (is_status_line(line, end)) {
        reader->status = true;
        return;
    }
    if (reader->form == FORM_UNKNOWN)
        recognise_program(reader, line, end);
    if (reader->form == FORM_OSLAT) {
        read_oslat_line(reader, line, end);
        return;
    }
    if (reader->form == FORM_RTLA) {
        if (!reader->ended)
            read_rtla_line(reader, line, end);
        return;
    }
    if (reader->form == FORM_UNKNOWN)
        program = find_unread(line, end);
    if (program != NULL) {
        problems_add(reader->problems, 0,
                     "this is the output of %s, which is not read; the file is to be " EXPECTED,
                     program);
        reader->stopped = true;
        return;
    }
    if (*line == '#') {
        read_comment(reader, line, end);
        return;
    }
    if (reader->form == FORM_UNKNOWN)
        find_form(reader, line, end);
    if (reader->stopped)
        return;
    if (reader->form == FORM_HISTOGRAM)
        read_histogram_line(reader, line, end);
    else
        read_latency_line(reader, line, end);
}

/* The whole file ------------------------------------------------------------------------------- */

/* Checks that a comment has a number per thread, or per column where one is the sum of the others,
 * and, if it is the totals, that they are those of the lines. */
static void check_stated(const struct wakeup_reader *reader, enum thread_line line)
{
    int threads = reader->wakeups->threads;
    int count = reader->stated_count[line];
    const char *start = thread_line_start(reader, line);

    if (reader->stated_line[line] == 0)
        return;
    if (count != threads && count != reader->columns) {
        problems_add(reader->problems, reader->stated_line[line],
                     "\"%s\" has %d number%s; the histogram has %d thread%s", start, count,
                     count == 1 ? "" : "s", threads, threads == 1 ? "" : "s");
        return;
    }
    for (int t = 0; line == LINE_TOTAL && t < threads; t++) {
        /* rtla counts the overflows too */
        double held =
            reader->column[t] + (reader->form == FORM_RTLA ? reader->stated[LINE_OVERFLOWS][t] : 0);

        if (reader->stated[line][t] != held)
            problems_add(reader->problems, reader->stated_line[line],
                         "\"%s\" states %.0f wake-ups of thread %d, the lines hold %.0f; the file "
                         "is incomplete or changed",
                         start, reader->stated[line][t], t, held);
    }
}

/* Checks that a thread has wake-ups later than the last line if its longest one is later. */
static bool check_overflows(const struct wakeup_reader *reader, int t)
{
    double most = reader->stated[LINE_MAX][t];
    double count = reader->stated[LINE_OVERFLOWS][t];
    bool later = unit_to_si(most, reader->unit) > reader->wakeups->last;
    enum thread_line without = count > 0 ? LINE_MAX : LINE_OVERFLOWS;
    char last[SHOWN];

    if ((count > 0) == later)
        return true;
    quantity_print(reader->wakeups->last, "s", last, sizeof last);
    if (reader->stated_line[without] == 0 && reader->form < FORM_JSON)
        problems_add(
            reader->problems, 0,
            "wake-ups of thread %d are later than the last line, %s, and \"%s\" is missing; "
            "the file is incomplete",
            t, last, thread_line_start(reader, without));
    else
        problems_add(reader->problems, reader->stated_line[LINE_OVERFLOWS],
                     "thread %d has \"%s\" %.0f and \"%s\" %.0f, but the last line is %s; the file "
                     "is incomplete or changed",
                     t, thread_line_start(reader, LINE_MAX), most,
                     thread_line_start(reader, LINE_OVERFLOWS), count, last);
    return false;
}

/* Adds the overflows of each thread: one with the largest latency, others that are no later. */
static void add_overflows(struct wakeup_reader *reader)
{
    struct wakeups *wakeups = reader->wakeups;

    for (int t = 0; t < wakeups->threads; t++) {
        double most = unit_to_si(reader->stated[LINE_MAX][t], reader->unit);
        double count = reader->stated[LINE_OVERFLOWS][t];
        char stated[SHOWN];

        if (count > 0 && most <= reader->open_last) {
            add_wakeup(reader, reader->open_last, count, false);
            continue;
        }
        if (!check_overflows(reader, t) || count == 0)
            continue;
        snprintf(stated, sizeof stated, "%.0f", reader->stated[LINE_MAX][t]);
        if (!check_latency(reader, reader->stated_line[LINE_MAX], "latency", most,
                           &(struct line_field){stated, strlen(stated)}))
            continue;
        wakeups->overflows += count;
        add_wakeup(reader, most, 1, false);
        if (count > 1)
            add_wakeup(reader, most, count - 1, true);
    }
}

/* Refuses a histogram that ends before the median. */
static void check_median(const struct wakeup_reader *reader)
{
    const struct wakeups *wakeups = reader->wakeups;
    char last[SHOWN];

    if (wakeups->overflows <= wakeups->samples / 2)
        return;
    quantity_print(wakeups->last, "s", last, sizeof last);
    problems_add(
        reader->problems, reader->stated_line[LINE_OVERFLOWS],
        "more than half of the wake-ups, %.0f of %.0f, are later than the last line, %s, so "
        "that the median is unknown; measure with a larger %s%s",
        wakeups->overflows, wakeups->samples, last, histogram_forms[reader->form].longer,
        unit_to_si(reader->stated[LINE_MIN][0], reader->unit) > WAKEUPS_MEDIAN_LIKELY
            ? advise_unit(reader)
            : "");
}

/* Returns true for a line without which a histogram is incomplete. */
static bool ends_with(const struct wakeup_reader *reader, enum thread_line line)
{
    switch (reader->form) {
    case FORM_OSLAT:
        return line == LINE_MAX || (line == LINE_OVERFLOWS && reader->stated_line[LINE_MAX] > 0);
    case FORM_RTLA:
        return line == LINE_OVERFLOWS;
    default:
        return reader->begun && (line == LINE_TOTAL || line == LINE_OVERFLOWS);
    }
}

static void finish_histogram(struct wakeup_reader *reader)
{
    struct wakeups *wakeups = reader->wakeups;
    size_t before = reader->problems->count;
    bool summed = reader->form == FORM_HISTOGRAM && reader->summed && reader->columns > 2 &&
                  reader->stated_count[LINE_MIN] != reader->columns;

    wakeups->threads = reader->columns - summed;
    for (int i = 0; summed && i < wakeups->count; i++)
        wakeups->list[i].count /= 2;
    wakeups->samples /= summed ? 2 : 1;
    for (int line = 0; line < THREAD_LINES; line++) {
        if (ends_with(reader, (enum thread_line)line) && reader->stated_line[line] == 0)
            problems_add(reader->problems, 0, "the histogram ends without \"%s\"; it is incomplete",
                         thread_line_start(reader, (enum thread_line)line));
        check_stated(reader, (enum thread_line)line);
    }
    if (reader->problems->count == before)
        add_overflows(reader);
    if (reader->problems->count == before)
        check_median(reader);
}

static int compare_wakeups(const void *a, const void *b)
{
    double left = ((const struct wakeup *)a)->latency;
    double right = ((const struct wakeup *)b)->latency;

    /* the one that is known last */
    return left != right ? (left > right) - (left < right)
                         : ((const struct wakeup *)b)->bound - ((const struct wakeup *)a)->bound;
}

/* JSON ----------------------------------------------------------------------------------------- */

/* Reads a member of a thread that states a whole number or, of oslat, one with decimals. */
static double read_member(struct wakeup_reader *reader, const json_t *thread, int t,
                          const char *key)
{
    const json_t *value = json_object_get(thread, key);

    if (json_is_number(value) && json_number_value(value) >= 0)
        return json_number_value(value);
    problems_add(reader->problems, 0, "thread %d: \"%s\" is %s; allowed: a number, 0 or more", t,
                 key, value == NULL ? "missing" : "something else");
    return 0;
}

/* Reads the histogram of a thread: all but the last bucket of oslat, `reader->open_last`, which has
 * the overflows. */
static void read_buckets(struct wakeup_reader *reader, const json_t *histogram, int t)
{
    for (void *i = json_object_iter((json_t *)histogram); i != NULL;
         i = json_object_iter_next((json_t *)histogram, i)) {
        const char *key = json_object_iter_key(i);
        const struct line_field field = {key, strlen(key)};
        const json_t *value = json_object_iter_value(i);
        double latency, n = json_number_value(value);

        if (!read_number_field(reader, &field, "latency", &latency))
            return;
        latency = unit_to_si(latency, reader->unit);
        if (!check_latency(reader, 0, "latency", latency, &field))
            return;
        if (!json_is_number(value) || n < 0 || n != floor(n) || n >= 1e15) {
            problems_add(reader->problems, 0,
                         "thread %d: the count of latency %s is no whole number, 0 to 1e15", t,
                         key);
            return;
        }
        if (latency == reader->open_last) {
            reader->stated[LINE_OVERFLOWS][t] = n;
            continue;
        }
        reader->column[t] += n;
        reader->wakeups->last = larger(reader->wakeups->last, latency);
        if (n > 0)
            add_wakeup(reader, latency, n, false);
    }
}

/* Finds the largest latency of a histogram of oslat; its values are nanoseconds where buckets are
 * none of whole microseconds. */
static void find_open_bucket(struct wakeup_reader *reader, const json_t *histogram, double *scale)
{
    for (void *i = json_object_iter((json_t *)histogram); i != NULL;
         i = json_object_iter_next((json_t *)histogram, i)) {
        const char *key = json_object_iter_key(i);
        const char *end;
        double latency;

        if (number_parse(key, &latency, &end) == STATUS_OK)
            reader->open_last = larger(reader->open_last, unit_to_si(latency, reader->unit));
        *scale = strchr(key, '.') != NULL ? 1000 : *scale;
    }
}

static void read_thread(struct wakeup_reader *reader, const json_t *thread, int t, double scale)
{
    const json_t *histogram = json_object_get(thread, "histogram");

    if (!json_is_object(histogram)) {
        problems_add(reader->problems, 0,
                     "thread %d has no \"histogram\"; cyclictest prints one with -h", t);
        return;
    }
    read_buckets(reader, histogram, t);
    reader->stated[LINE_MIN][t] = read_member(reader, thread, t, "min") / scale;
    reader->stated[LINE_MAX][t] = read_member(reader, thread, t, "max") / scale;
    if (is_oslat(reader))
        return;
    reader->stated[LINE_OVERFLOWS][t] =
        read_member(reader, thread, t, "cycles") - reader->column[t];
    if (reader->stated[LINE_OVERFLOWS][t] < 0)
        problems_add(reader->problems, 0,
                     "thread %d has more wake-ups in its histogram than cycles; the file is "
                     "incomplete or changed",
                     t);
}

/* Recognises whose JSON it is, and its unit. */
static bool recognise_json(struct wakeup_reader *reader, const json_t *root)
{
    const json_t *nanoseconds = json_object_get(root, "resolution_in_ns");
    const char *command = json_string_value(json_object_get(root, "cmdline"));
    const json_t *first = json_object_get(json_object_get(root, "thread"), "0");

    if (nanoseconds != NULL)
        reader->form = FORM_JSON;
    else if (json_object_get(first, "duration") != NULL)
        reader->form = FORM_OSLAT_JSON;
    else
        return false;
    reader->unit = json_number_value(nanoseconds) > 0 ||
                           (reader->form == FORM_JSON && command != NULL &&
                            (strstr(command, " -N") != NULL || strstr(command, " --nsecs") != NULL))
                       ? "ns"
                       : "us";
    reader->unit_unstated = false;
    return true;
}

static void read_json(struct wakeup_reader *reader, const char *bytes, size_t length)
{
    json_error_t error;
    json_t *root, *threads;
    double scale = 1;
    int count;

    root = json_load_text(bytes, length, &error);
    if (root == NULL) {
        problems_add(reader->problems, error.line > 0 ? error.line : 0, "not JSON: %s", error.text);
        return;
    }
    threads = json_object_get(root, "thread");
    count = (int)json_object_size(threads);
    if (!recognise_json(reader, root) || count == 0)
        problems_add(reader->problems, 0,
                     "this is JSON of another program; the file is to be " EXPECTED);
    else if (count > WAKEUPS_THREADS_MAX)
        problems_add(reader->problems, 0, "more than %d threads", WAKEUPS_THREADS_MAX);
    for (void *i = json_object_iter(threads); i != NULL && is_oslat(reader);
         i = json_object_iter_next(threads, i))
        find_open_bucket(reader, json_object_get(json_object_iter_value(i), "histogram"), &scale);
    for (void *i = json_object_iter(threads); i != NULL && reader->problems->count == 0;
         i = json_object_iter_next(threads, i))
        read_thread(reader, json_object_iter_value(i), reader->columns++, scale);
    json_decref(root);
}

/* The file ------------------------------------------------------------------------------------- */

static void read_wakeup_lines(struct wakeup_reader *reader, const char *bytes, size_t length)
{
    size_t before = reader->problems->count;
    struct error error;
    size_t at = 0;

    if (utf8_begin(&bytes, &length, "a file of latencies", &error) != STATUS_OK) {
        problems_add(reader->problems, 0, "%s", error.message);
        return;
    }
    reader->bytes = bytes;
    reader->end = bytes + length;
    while (at < length && (is_blank_byte(bytes[at]) || bytes[at] == '\n'))
        at++;
    if (at < length && bytes[at] == '{') {
        read_json(reader, bytes, length);
        reader->stopped = true;
    }
    at = 0;
    while (at < length && !reader->stopped) {
        const char *end = memchr(bytes + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - bytes) - at;

        reader->line++;
        reader->cut = end == NULL;
        read_wakeup_line(reader, bytes + at, bytes + at + size);
        at += size + 1;
    }
    if (reader->problems->count > before)
        return;
    reader->wakeups->program = histogram_forms[reader->form].program;
    if (reader->form >= FORM_HISTOGRAM)
        finish_histogram(reader);
    if (reader->wakeups->samples == 0 && reader->problems->count == before)
        problems_add(reader->problems, 0, "%s; the file is to be " EXPECTED,
                     reader->status && !reader->begun ? "cyclictest ran without -h"
                                                      : "there are no wake-ups");
}

enum status wakeups_parse(const char *bytes, size_t length, const char *unit,
                          struct wakeups *wakeups, struct problems *problems)
{
    size_t before = problems->count;
    struct wakeup_reader *reader = allocate_array(1, sizeof *reader);

    memset(wakeups, 0, sizeof *wakeups);
    *reader = (struct wakeup_reader){.wakeups = wakeups,
                                     .problems = problems,
                                     .unit = unit == NULL ? "us" : unit,
                                     .unit_unstated = unit == NULL,
                                     .summed = true,
                                     .open_last = -1};
    wakeups->last = -1;
    read_wakeup_lines(reader, bytes, length);
    free(reader);
    if (problems->count > before) {
        wakeups_free(wakeups);
        return STATUS_INVALID;
    }
    qsort(wakeups->list, (size_t)wakeups->count, sizeof *wakeups->list, compare_wakeups);
    return STATUS_OK;
}

void wakeups_free(struct wakeups *wakeups)
{
    free(wakeups->list);
    memset(wakeups, 0, sizeof *wakeups);
}

bool wakeups_of_loop(const struct wakeups *wakeups)
{
    return wakeups->program != NULL && strcmp(wakeups->program, OSLAT) == 0;
}

/* Returns the index of the wake-ups with the latency of a quantile. */
static int find_quantile(const struct wakeups *wakeups, int nines)
{
    double later = nines == 0         ? floor(wakeups->samples / 2)
                   : nines > LATE_MAX ? 0
                                      : floor(wakeups->samples / pow(10, nines));
    int i = wakeups->count - 1;

    /* backwards: the tail is short */
    for (; i > 0 && wakeups->list[i].count <= later; i--)
        later -= wakeups->list[i].count;
    return i;
}

double wakeups_quantile(const struct wakeups *wakeups, int nines)
{
    return wakeups->list[find_quantile(wakeups, nines)].latency;
}

bool wakeups_know(const struct wakeups *wakeups, int nines)
{
    int at = find_quantile(wakeups, nines);
    bool known = true;

    /* if wake-ups that are later than it may also be earlier, it may be another one */
    for (int i = at; i < wakeups->count && wakeups->list[at].latency > wakeups->last; i++)
        known = known && !wakeups->list[i].bound;
    return known;
}

double wakeups_late(const struct wakeups *wakeups, enum late quantile)
{
    double late = wakeups_quantile(wakeups, (int)quantile + 1) - wakeups_quantile(wakeups, 0);

    return round(late * 1e12) / 1e12;
}

/* The preset ----------------------------------------------------------------------------------- */

#define REMARK "; late wake-ups: "

/* Returns true if a key states a quantile of late wake-ups or its origin. */
static bool is_late_key(const struct ini *ini, const struct ini_key *key)
{
    char name[SHOWN];
    const char *bare = name;

    ini_excerpt(ini, key->name, name, sizeof name);
    if (strncmp(name, ORIGIN_PREFIX, strlen(ORIGIN_PREFIX)) == 0)
        bare += strlen(ORIGIN_PREFIX);
    for (int q = 0; q < LATE_COUNT; q++)
        if (knob_has_key(&knobs[KNOB_DEVICE_LATE_P90 + q], bare))
            return true;
    return false;
}

/* Copies the lines of a preset except those that state late wake-ups. */
static void copy_preset(struct buffer *buffer, const struct ini *ini)
{
    size_t key = 0;
    int line = 1;

    for (size_t at = 0; at < ini->length; line++) {
        const char *end = memchr(ini->bytes + at, '\n', ini->length - at);
        size_t next = end == NULL ? ini->length : (size_t)(end - ini->bytes) + 1;
        bool late = strncmp(ini->bytes + at, REMARK, strlen(REMARK)) == 0;

        while (key < ini->key_count && ini->keys[key].line < line)
            key++;
        if (key < ini->key_count && ini->keys[key].line == line)
            late = is_late_key(ini, &ini->keys[key]);
        if (!late)
            buffer_add(buffer, ini->bytes + at, next - at);
        at = next;
    }
    if (ini->length > 0 && ini->bytes[ini->length - 1] != '\n')
        buffer_text(buffer, "\n");
}

void wakeups_preset(struct buffer *buffer, const struct wakeups *wakeups, const char *text,
                    size_t length)
{
    struct problems problems = {NULL, 0, 0};
    char quantity[64];
    bool assumed = false;
    struct ini ini;

    ini_scan_lines(text, length, &ini, &problems);
    copy_preset(buffer, &ini);
    ini_free(&ini);
    problems_free(&problems);
    quantity_print(wakeups_quantile(wakeups, 0), "s", quantity, sizeof quantity);
    buffer_print(buffer, REMARK "delays beyond the median, %s, of %.0f measured\n", quantity,
                 wakeups->samples);
    for (int q = 0; q < LATE_COUNT; q++)
        assumed |= !wakeups_know(wakeups, q + 1);
    if (assumed)
        buffer_text(buffer, REMARK
                    "those assumed are unknown, later than the histogram, and at most this\n");
    for (int q = 0; q < LATE_COUNT; q++) {
        const struct knob *knob = &knobs[KNOB_DEVICE_LATE_P90 + q];

        quantity_format(wakeups_late(wakeups, (enum late)q), knob->unit, quantity, sizeof quantity);
        buffer_print(buffer, "%s = %s\n" ORIGIN_PREFIX "%s = %s\n", knob->key, quantity, knob->key,
                     origin_name(wakeups_know(wakeups, q + 1) ? ORIGIN_MEASURED : ORIGIN_ASSUMED));
    }
}
