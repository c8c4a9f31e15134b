/* Files that cannot be kept as text: bytes, sizes and things that are no files. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "design/ini.h"
#include "design/scenario_file.h"
#include "files.h"

#define FORMAT "[scenario]\nformat = 1\n"

static struct scenario scenario;

/* Reads the bytes and compares the problems; "" expects none. */
static void check_bytes(const char *bytes, size_t length, const char *expected)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    enum status status =
        scenario_parse(&scenario, &document, bytes, length, files_catalogue(), &problems);
    char *actual = files_problems(&problems);

    CHECK_STR(actual, expected);
    CHECK_INT(status, expected[0] == '\0' ? STATUS_OK : STATUS_INVALID);
    free(actual);
    problems_free(&problems);
    document_free(document);
}

static void check_text(const char *text, const char *expected)
{
    check_bytes(text, strlen(text), expected);
}

TEST(not_text)
{
    static const char zero[] = FORMAT "title = a\0b\n";
    static const char wide[] = "\xFF\xFE[\0s\0]\0";

    check_bytes(zero, sizeof zero - 1, "3: the line holds a NUL byte; this is not a text file\n");
    check_bytes(wide, sizeof wide - 1, "1: the file is UTF-16; save it as UTF-8\n");
    check_text("\xEF\xBB\xBF" FORMAT "packets = 0\n",
               "1: the file starts with a byte-order mark; save it as UTF-8 without one\n"
               "3: packets = 0: 0 is out of range; allowed: 1 to 4096\n");
}

TEST(characters)
{
    check_text(FORMAT "title = a\x1B[31m\n", "3: control character U+001B at column 10\n");
    check_text(FORMAT "; \x7F\n", "3: control character U+007F at column 3\n");
    check_text(FORMAT "title = \xC3\x97\xC2\x85\n", "3: control character U+0085 at column 10\n");
    check_text(FORMAT "title = old\rtitle = mac\n", "3: control character U+000D at column 12\n");
    check_text(FORMAT "title = \xC3\xBC\xFC\n",
               "3: byte 0xFC at column 10 is not UTF-8; save the file as UTF-8\n");
    check_text(FORMAT "title = \xC0\xAF\n",
               "3: byte 0xC0 at column 9 is not UTF-8; save the file as UTF-8\n");
    check_text(FORMAT "title = \xED\xA0\x80\n",
               "3: byte 0xED at column 9 is not UTF-8; save the file as UTF-8\n");
    check_text(FORMAT "title = \xE2\x82\n",
               "3: byte 0xE2 at column 9 is not UTF-8; save the file as UTF-8\n");
}

/* A key on a refused line is not missing as well. */
TEST(a_refused_key_is_there)
{
    check_text(FORMAT "[component.a]\ntype = cam\x01"
                      "era\n",
               "4: control character U+0001 at column 11\n");
}

TEST(line_lengths)
{
    char text[1200];
    char comment[1100];

    memset(comment, 'x', sizeof comment);
    snprintf(text, sizeof text, FORMAT ";%.*s\r\npackets = 3\n", (int)INI_LINE_MAX - 1, comment);
    check_text(text, "");
    CHECK_NEAR(scenario.general.packets, 3, 0);
    snprintf(text, sizeof text, FORMAT ";%.*s\npackets = 3\n", (int)INI_LINE_MAX, comment);
    check_text(text, "3: the line has 1023 bytes; the maximum is 1022\n");
    snprintf(text, sizeof text, FORMAT "title = long ;%.*s\r\npackets = 4\r\n",
             (int)INI_LINE_MAX - 14, comment);
    check_text(text, "");
    CHECK_STR(scenario.general.title, "long");
    CHECK_NEAR(scenario.general.packets, 4, 0);
    /* bytes count, not characters */
    for (size_t i = 0; i + 1 < sizeof comment; i += 2)
        memcpy(comment + i, "\xC3\x97", 2);
    snprintf(text, sizeof text, FORMAT ";%.*s\n", (int)INI_LINE_MAX, comment);
    check_text(text, "3: the line has 1023 bytes; the maximum is 1022\n");
    snprintf(text, sizeof text, FORMAT "title = a ;%.*s", 1000, comment);
    check_text(text, "");
    CHECK_STR(scenario.general.title, "a");
}

TEST(size_limit)
{
    size_t length = INI_BYTES_MAX + 1;
    char *bytes = malloc(length);
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    char *shown;

    if (!CHECK(bytes != NULL))
        return;
    memset(bytes, '\n', length);
    memcpy(bytes, FORMAT, strlen(FORMAT));
    check_bytes(bytes, length - 1, "");
    check_bytes(bytes, length, "0: is larger than 1024 KiB, the limit\n");
    files_write("large.ini", bytes, length);
    CHECK_INT(
        scenario_load(&scenario, &document, files_path("large.ini"), files_catalogue(), &problems),
        STATUS_INVALID);
    shown = files_problems(&problems);
    CHECK_TRUE(strncmp(shown, "-1: ", 4) == 0 &&
                   strstr(shown, "large.ini: is larger than 1024 KiB, the limit\n") != NULL,
               "%s", shown);
    free(shown);
    free(bytes);
    problems_free(&problems);
}

/* No file makes the program slow: sections, keys and problems have a limit. */
TEST(limits_of_entries_and_problems)
{
    size_t length = INI_BYTES_MAX;
    char *bytes = malloc(length + 1);
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    size_t used = strlen(FORMAT);

    if (!CHECK(bytes != NULL))
        return;
    memcpy(bytes, FORMAT, used);
    for (int i = 0; used + 32 < length; i++)
        used += (size_t)sprintf(bytes + used, "a%d=\n", i);
    CHECK_INT(scenario_parse(&scenario, &document, bytes, used, files_catalogue(), &problems),
              STATUS_INVALID);
    CHECK_INT(problems.count, PROBLEMS_MAX);
    CHECK_INT(problems.list[0].line, 0);
    CHECK_STR(problems.list[0].message, "too many problems; these are the first found");
    problems_free(&problems);
    free(bytes);
}

TEST(no_section_at_all)
{
    /* an empty design */
    check_text("", "");
    check_text("\n", "");
    check_text("; nothing\n\n# here", "");
    check_text("x", "0: [scenario] with format = 1 is missing; this is not a design\n"
                    "1: \"x\" is not a [section], key = value or ; comment\n");
    check_bytes(NULL, 0, "");
}

TEST(line_ends)
{
    check_text("[scenario]\r\nformat = 1\r\npackets = 9\r\n", "");
    CHECK_NEAR(scenario.general.packets, 9, 0);
    check_text("[scenario]\nformat = 1\r\npackets = 8", "");
    CHECK_NEAR(scenario.general.packets, 8, 0);
    check_text("[scenario]\r\nformat = 1\r\npackets = x\r\n",
               "3: packets = x: x is not a number; allowed: 1 to 4096\n");
    /* some readers pass over a last line of one character */
    check_text(FORMAT "x", "3: \"x\" is not a [section], key = value or ; comment\n");
}

/* `before` and `after`: the problem's text without the file's name */
static void check_path(const char *name, const char *before, const char *after)
{
    char expected[PATH_MAX + 100];
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    enum status status = scenario_load(&scenario, &document, name, files_catalogue(), &problems);
    char *actual = files_problems(&problems);

    CHECK_INT(status, STATUS_IO);
    snprintf(expected, sizeof expected, "-1: %s%s%s\n", before, name, after);
    CHECK_STR(actual, expected);
    CHECK(document == NULL);
    free(actual);
    problems_free(&problems);
}

TEST(no_regular_file)
{
    check_path(files_path(""), "", ": is a directory, not a regular file");
    check_path("/dev/null", "", ": is a device, not a regular file");
    CHECK_INT(mkfifo(files_path("fifo.ini"), 0600), 0);
    check_path(files_path("fifo.ini"), "", ": is a pipe, not a regular file");
    check_path(files_path("nothing.ini"), "cannot open ", ": No such file or directory");
    if (geteuid() != 0) {
        files_write("secret.ini", FORMAT, strlen(FORMAT));
        chmod(files_path("secret.ini"), 0);
        check_path(files_path("secret.ini"), "cannot open ", ": Permission denied");
    }
}

SUITE(files_open, files_close)
