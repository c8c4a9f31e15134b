#include "probe/wakeups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/units.h"
#include "base/utf8.h"
#include "design/ini.h"
#include "design/knob.h"
#include "design/knob_text.h"

#define LATENCY_MAX 1.0 /* s, as in the knobs */
#define WHOLE_DIGITS 15 /* of a whole number: exact in a double */
#define SHOWN 40        /* bytes of a field in a message */
#define FIELD_MAX 100   /* bytes of a line with one latency */
#define THREAD_LINES 3  /* comments with a number per thread */

enum thread_line { LINE_TOTAL, LINE_MAX, LINE_OVERFLOWS };

static const char *const thread_lines[THREAD_LINES] = {
    [LINE_TOTAL] = "# Total:",
    [LINE_MAX] = "# Max Latencies:",
    [LINE_OVERFLOWS] = "# Histogram Overflows:",
};

/* Lines of cyclictest that are neither data nor comments. */
static const char *const status_lines[] = {"T:", "policy:", "/dev/cpu_dma_latency", "\033["};

enum wakeup_form { FORM_UNKNOWN, FORM_LIST, FORM_HISTOGRAM };

struct wakeup_reader {
    struct wakeups *wakeups;
    struct problems *problems;
    const char *unit;
    int line;
    bool failed; /* out of memory */
    enum wakeup_form form;
    bool begun;                             /* "# Histogram" was read: "# Total:" will follow */
    int columns;                            /* of counts; 0: no line yet */
    double before;                          /* s, latency of the line before */
    bool summed;                            /* the last column has been the sum of the others */
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

/* Returns false and adds a problem if the latency (s) is negative or too long. */
static bool check_latency(const struct wakeup_reader *reader, double latency,
                          const struct line_field *field)
{
    char shown[SHOWN];

    utf8_excerpt(shown, sizeof shown, field->text, field->length);
    if (latency >= 0 && latency <= LATENCY_MAX)
        return true;
    problems_add(reader->problems, reader->line,
                 "latency %s is out of range; allowed: 0 us to 1 s (numbers without a unit are in "
                 "%s)",
                 shown, reader->unit);
    return false;
}

static void add_wakeup(struct wakeup_reader *reader, double latency, double count)
{
    struct wakeups *wakeups = reader->wakeups;
    struct wakeup *list =
        array_reserve(wakeups->list, wakeups->count, &wakeups->capacity, sizeof *list);

    reader->failed = list == NULL;
    if (list == NULL)
        return;
    wakeups->list = list;
    list[wakeups->count++] = (struct wakeup){latency, count};
    wakeups->samples += count;
}

/* Lines ---------------------------------------------------------------------------------------- */

static void read_latency_line(struct wakeup_reader *reader, const char *line, const char *end)
{
    char text[FIELD_MAX];
    struct error error;
    double latency;

    while (end > line && is_blank_byte(end[-1]))
        end--;
    if ((size_t)(end - line) >= sizeof text) {
        problems_add(reader->problems, reader->line,
                     "a line of %zu bytes; a latency per line is expected", (size_t)(end - line));
        return;
    }
    utf8_excerpt(text, sizeof text, line, (size_t)(end - line));
    if (quantity_parse(text, reader->unit, &latency, &error) != STATUS_OK)
        problems_add(reader->problems, reader->line, "latency: %s", error.message);
    else if (check_latency(reader, latency, &(struct line_field){line, (size_t)(end - line)}))
        add_wakeup(reader, latency, 1);
}

/* Checks the latency of a histogram's line: in range and above the one before. */
static bool read_histogram_latency(struct wakeup_reader *reader, const struct line_field *field,
                                   double *latency)
{
    double value;

    if (!read_whole_field(reader, field, "latency", &value))
        return false;
    *latency = unit_to_si(value, reader->unit);
    if (!check_latency(reader, *latency, field))
        return false;
    if (*latency > reader->before) {
        reader->before = *latency;
        return true;
    }
    problems_add(reader->problems, reader->line,
                 "latency %.*s does not follow the one before; the latencies of a histogram "
                 "increase",
                 (int)field->length, field->text);
    return false;
}

static void read_histogram_line(struct wakeup_reader *reader, const char *at, const char *end)
{
    struct line_field field;
    double latency = 0;
    double sum = 0;
    double last = 0;
    int columns = 0;

    if (!take_field(&at, end, &field) || !read_histogram_latency(reader, &field, &latency))
        return;
    for (; take_field(&at, end, &field); columns++) {
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
        add_wakeup(reader, latency, sum + last);
}

/* Reads a comment that states a number per thread; others are ignored. */
static void read_comment(struct wakeup_reader *reader, const char *at, const char *end)
{
    for (int i = 0; i < THREAD_LINES; i++) {
        size_t length = strlen(thread_lines[i]);
        struct line_field field;
        int count = 0;

        if ((size_t)(end - at) < length || memcmp(at, thread_lines[i], length) != 0)
            continue;
        reader->stated_line[i] = reader->line;
        for (at += length; take_field(&at, end, &field) && count <= WAKEUPS_THREADS_MAX; count++)
            if (!read_whole_field(reader, &field, thread_lines[i] + 2, &reader->stated[i][count]))
                return;
        reader->stated_count[i] = count;
        return;
    }
    while (end > at && is_blank_byte(end[-1]))
        end--;
    if (end - at == strlen("# Histogram") && memcmp(at, "# Histogram", (size_t)(end - at)) == 0) {
        reader->begun = true;
        reader->form = FORM_HISTOGRAM;
    }
}

static bool is_status_line(const char *line, const char *end)
{
    for (size_t i = 0; i < sizeof status_lines / sizeof status_lines[0]; i++) {
        size_t length = strlen(status_lines[i]);

        if ((size_t)(end - line) >= length && memcmp(line, status_lines[i], length) == 0)
            return true;
    }
    return false;
}

/* Two numbers on the first line of data make a histogram. */
static enum wakeup_form form_of_line(const char *at, const char *end)
{
    struct line_field first, second;

    take_field(&at, end, &first);
    return take_field(&at, end, &second) && is_whole_field(&second) ? FORM_HISTOGRAM : FORM_LIST;
}

static void read_wakeup_line(struct wakeup_reader *reader, const char *line, const char *end)
{
    while (line < end && is_blank_byte(*line))
        line++;
    if (line == end || is_status_line(line, end))
        return;
    if (*line == '#') {
        read_comment(reader, line, end);
        return;
    }
    if (reader->form == FORM_UNKNOWN)
        reader->form = form_of_line(line, end);
    if (reader->form == FORM_HISTOGRAM)
        read_histogram_line(reader, line, end);
    else
        read_latency_line(reader, line, end);
}

/* The whole file ------------------------------------------------------------------------------- */

/* Checks that a comment has a number per thread and, if it is the totals, that they are those of
 * the lines. */
static void check_stated(const struct wakeup_reader *reader, enum thread_line line)
{
    int threads = reader->wakeups->threads;

    if (reader->stated_line[line] == 0)
        return;
    if (reader->stated_count[line] < threads) {
        problems_add(reader->problems, reader->stated_line[line],
                     "\"%s\" has %d number%s; the histogram has %d thread%s", thread_lines[line],
                     reader->stated_count[line], reader->stated_count[line] == 1 ? "" : "s",
                     threads, threads == 1 ? "" : "s");
        return;
    }
    for (int t = 0; line == LINE_TOTAL && t < threads; t++)
        if (reader->stated[line][t] != reader->column[t])
            problems_add(reader->problems, reader->stated_line[line],
                         "\"%s\" states %.0f wake-ups of thread %d, the lines hold %.0f; the file "
                         "is incomplete",
                         thread_lines[line], reader->stated[line][t], t, reader->column[t]);
}

/* Adds the overflows of each thread at its largest latency. */
static void add_overflows(struct wakeup_reader *reader)
{
    struct wakeups *wakeups = reader->wakeups;
    int line = reader->stated_line[LINE_OVERFLOWS];

    for (int t = 0; line > 0 && t < wakeups->threads && !reader->failed; t++) {
        double most = unit_to_si(reader->stated[LINE_MAX][t], reader->unit);

        if (reader->stated[LINE_OVERFLOWS][t] == 0)
            continue;
        if (reader->stated_line[LINE_MAX] == 0 || most < reader->before || most > LATENCY_MAX) {
            problems_add(reader->problems, line,
                         "wake-ups of thread %d are later than the last line, and \"%s\" does not "
                         "say how late; measure with a longer histogram",
                         t, thread_lines[LINE_MAX]);
            return;
        }
        wakeups->overflows += reader->stated[LINE_OVERFLOWS][t];
        add_wakeup(reader, most, reader->stated[LINE_OVERFLOWS][t]);
    }
}

static void finish_histogram(struct wakeup_reader *reader)
{
    struct wakeups *wakeups = reader->wakeups;
    bool summed = reader->summed && reader->columns > 2;

    wakeups->threads = reader->columns - summed;
    for (int i = 0; summed && i < wakeups->count; i++)
        wakeups->list[i].count /= 2;
    wakeups->samples /= summed ? 2 : 1;
    if (reader->begun && reader->stated_line[LINE_TOTAL] == 0)
        problems_add(reader->problems, 0, "the histogram ends without \"%s\"; it is incomplete",
                     thread_lines[LINE_TOTAL]);
    for (int line = 0; line < THREAD_LINES; line++)
        check_stated(reader, (enum thread_line)line);
    add_overflows(reader);
}

static int compare_wakeups(const void *a, const void *b)
{
    double left = ((const struct wakeup *)a)->latency;
    double right = ((const struct wakeup *)b)->latency;

    return (left > right) - (left < right);
}

static void read_wakeup_lines(struct wakeup_reader *reader, const char *bytes, size_t length)
{
    const char *nul = memchr(bytes, '\0', length);
    size_t before = reader->problems->count;
    size_t at = 0;

    if (nul != NULL) {
        problems_add(reader->problems, 0, "byte %zu is NUL; a file of latencies is text",
                     (size_t)(nul - bytes) + 1);
        return;
    }
    while (at < length && !reader->failed) {
        const char *end = memchr(bytes + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - bytes) - at;

        reader->line++;
        read_wakeup_line(reader, bytes + at, bytes + at + size);
        at += size + 1;
    }
    if (reader->problems->count > before || reader->failed)
        return;
    if (reader->form == FORM_HISTOGRAM)
        finish_histogram(reader);
    if (reader->wakeups->samples == 0 && reader->problems->count == before)
        problems_add(reader->problems, 0,
                     "there are no wake-ups; the file is a histogram of cyclictest -h or a list of "
                     "latencies, one per line");
}

enum status wakeups_parse(const char *bytes, size_t length, const char *unit,
                          struct wakeups *wakeups, struct problems *problems)
{
    size_t before = problems->count;
    struct wakeup_reader *reader = allocate_array(1, sizeof *reader);

    memset(wakeups, 0, sizeof *wakeups);
    if (reader == NULL)
        return STATUS_MEMORY;
    *reader = (struct wakeup_reader){
        .wakeups = wakeups, .problems = problems, .unit = unit, .before = -1, .summed = true};
    read_wakeup_lines(reader, bytes, length);
    if (problems->count > before || reader->failed) {
        enum status status = reader->failed ? STATUS_MEMORY : STATUS_INVALID;

        wakeups_free(wakeups);
        free(reader);
        return status;
    }
    free(reader);
    qsort(wakeups->list, (size_t)wakeups->count, sizeof *wakeups->list, compare_wakeups);
    return STATUS_OK;
}

void wakeups_free(struct wakeups *wakeups)
{
    free(wakeups->list);
    memset(wakeups, 0, sizeof *wakeups);
}

double wakeups_quantile(const struct wakeups *wakeups, int nines)
{
    double later = nines == 0         ? floor(wakeups->samples / 2)
                   : nines > LATE_MAX ? 0
                                      : floor(wakeups->samples / pow(10, nines));
    int i = wakeups->count - 1;

    /* backwards: the tail is short */
    for (; i > 0 && wakeups->list[i].count <= later; i--)
        later -= wakeups->list[i].count;
    return wakeups->list[i].latency;
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
    struct ini ini;

    if (ini_scan(text, length, &ini, &problems) == STATUS_OK)
        copy_preset(buffer, &ini);
    else
        buffer->failed = true;
    ini_free(&ini);
    problems_free(&problems);
    quantity_print(wakeups_quantile(wakeups, 0), "s", quantity, sizeof quantity);
    buffer_print(buffer, REMARK "delays beyond the median, %s, of %.0f measured\n", quantity,
                 wakeups->samples);
    for (int q = 0; q < LATE_COUNT; q++) {
        const struct knob *knob = &knobs[KNOB_DEVICE_LATE_P90 + q];

        quantity_format(wakeups_late(wakeups, (enum late)q), knob->unit, quantity, sizeof quantity);
        buffer_print(buffer, "%s = %s\n" ORIGIN_PREFIX "%s = %s\n", knob->key, quantity, knob->key,
                     origin_name(ORIGIN_MEASURED));
    }
}
