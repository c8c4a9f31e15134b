#include "base/csv.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct records records;

static bool parse(const char *text)
{
    struct error error;
    bool good = records_parse(&records, text, strlen(text), &error) == STATUS_OK;

    return CHECK_TRUE(good, "%s: %s", text, good ? "" : error.message);
}

static void refuses_bytes(const char *bytes, size_t length, const char *message)
{
    struct error error = {STATUS_OK, ""};

    CHECK_INT(records_parse(&records, bytes, length, &error), STATUS_INVALID);
    CHECK_STR(error.message, message);
    CHECK_TRUE(records.text == NULL && records.fields == NULL, "nothing to free after: %s", bytes);
}

static void refuses(const char *text, const char *message)
{
    refuses_bytes(text, strlen(text), message);
}

TEST(plain_fields)
{
    if (!parse("# about\nid,size,note\n\na,12,\r\n# between\nb,,last"))
        return;
    CHECK_INT(records.columns, 3);
    CHECK_INT(records.count, 2);
    CHECK_INT(records_column(&records, "size"), 1);
    CHECK_INT(records_column(&records, "siz"), -1);
    CHECK_STR(records_field(&records, 0, 0), "a");
    CHECK_STR(records_field(&records, 0, 1), "12");
    CHECK_STR(records_field(&records, 0, 2), "");
    CHECK_STR(records_field(&records, 1, 1), "");
    CHECK_STR(records_field(&records, 1, 2), "last");
    CHECK_INT(records_line(&records, -1), 2);
    CHECK_INT(records_line(&records, 0), 4);
    CHECK_INT(records_line(&records, 1), 6);
    records_free(&records);
}

TEST(quoted_fields)
{
    if (!parse("id,note\na,\"one, two\"\nb,\"say \"\"no\"\"\"\nc,\"two\nlines\"\n\"\",\"#\"\n"
               "e,\"end\r\"\r\n"))
        return;
    CHECK_INT(records.count, 5);
    CHECK_STR(records_field(&records, 0, 1), "one, two");
    CHECK_STR(records_field(&records, 1, 1), "say \"no\"");
    CHECK_STR(records_field(&records, 2, 1), "two\nlines");
    CHECK_STR(records_field(&records, 3, 0), "");
    CHECK_STR(records_field(&records, 3, 1), "#");
    CHECK_STR(records_field(&records, 4, 1), "end\r");
    CHECK_INT(records_line(&records, 2), 4);
    CHECK_INT(records_line(&records, 3), 6);
    records_free(&records);
}

TEST(comments)
{
    int line = 0;

    if (!parse("# size: 1 MiB\r\r\n# word: 4 B\nid\na\n# size: 2 MiB: more\n\"\n# size: "
               "none\"\n#size: x"))
        return;
    CHECK_STR(records_comment(&records, "size", &line), "2 MiB: more");
    CHECK_INT(line, 5);
    CHECK_STR(records_comment(&records, "word", &line), "4 B");
    CHECK_INT(line, 2);
    CHECK(records_comment(&records, "siz", &line) == NULL);
    CHECK_STR(records.comments[0], "# size: 1 MiB");
    CHECK_INT(records.count, 2);
    records_free(&records);
}

TEST(a_header_alone)
{
    if (!parse("id"))
        return;
    CHECK_INT(records.columns, 1);
    CHECK_INT(records.count, 0);
    records_free(&records);
}

TEST(broken_text_is_refused)
{
    refuses("", "there is no header line");
    refuses("# only this\n\n", "there is no header line");
    refuses("a,b\n1", "line 2: 1 field, but the header has 2; the file may have been cut");
    refuses("a,b\n1\n", "line 2: 1 field, but the header has 2");
    refuses("a,b\n\"1\n2\",x\n1,2,3\n", "line 4: 3 fields, but the header has 2");
    refuses("a,b\n# c\n1,\"2\n3\n", "line 3: a closing \" is missing");
    refuses_bytes("a,b\n1,2\n\0,4\n", 12, "byte 9 is NUL; CSV is text");
}

/* What spreadsheets write. */
TEST(byte_order_marks_and_separators)
{
    struct error error;

    if (parse("\xEF\xBB\xBFid,size\r\na,12\r\n")) {
        CHECK_INT(records_column(&records, "id"), 0);
        CHECK_STR(records_field(&records, 0, 1), "12");
        CHECK_INT(records_check_end(&records, &error), STATUS_OK);
        records_free(&records);
    }
    refuses_bytes("\xFF\xFEi\0d\0", 6, "the file is UTF-16; save it as UTF-8");
    refuses_bytes("\xFE\xFF\0i\0d", 6, "the file is UTF-16; save it as UTF-8");
    refuses_bytes("\xFF\xFE\0\0i\0\0\0", 8, "the file is UTF-32; save it as UTF-8");
    refuses_bytes("\0\0\xFE\xFF\0\0\0i", 8, "the file is UTF-32; save it as UTF-8");
    refuses("id;size\na;1,5\n",
            "line 1: the header has no comma; save the file with commas between "
            "fields and decimal points");
    refuses("# of a spreadsheet\nid\tsize\n",
            "line 2: the header has no comma; save the file with commas between fields and decimal "
            "points");
}

TEST(a_last_line_without_end)
{
    struct error error;

    if (!parse("id,size\na,12\nb,1"))
        return;
    CHECK_INT(records_check_end(&records, &error), STATUS_INVALID);
    CHECK_STR(error.message, "line 3: the last line does not end; the file may have been cut");
    records_free(&records);
}

/* Whatever bytes come, what is read lies inside them. */
TEST(any_bytes)
{
    static const char alphabet[] = "a,\"\n\r#";
    unsigned long state = 1;

    for (int i = 0; i < 20000; i++) {
        char *text = malloc(12); /* its own block, so that a reader past the end is found */
        size_t length = (size_t)i % 12;
        struct error error;

        if (text == NULL)
            return;
        for (size_t c = 0; c < length; c++) {
            state = state * 6364136223846793005UL + 1442695040888963407UL;
            text[c] = alphabet[(state >> 33) % (sizeof alphabet - 1)];
        }
        if (records_parse(&records, text, length, &error) == STATUS_OK) {
            size_t total = 0;

            for (int r = -1; r < records.count; r++)
                for (int c = 0; c < records.columns; c++)
                    total += strlen(records_field(&records, r, c));
            CHECK_TRUE(total <= length, "%.*s: %zu bytes came out", (int)length, text, total);
        }
        records_free(&records);
        free(text);
    }
}

TEST(written_fields)
{
    static const struct {
        const char *text, *field;
    } rows[] = {
        {.text = "", .field = ""},
        {.text = "two words", .field = "two words"},
        {.text = "one, two", .field = "\"one, two\""},
        {.text = "say \"no\"", .field = "\"say \"\"no\"\"\""},
        {.text = "two\nlines", .field = "\"two\nlines\""},
        {.text = "end\r", .field = "\"end\r\""},
        {.text = "# no comment", .field = "\"# no comment\""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char field[64];
        struct buffer buffer = buffer_over(field, sizeof field);

        csv_put_field(&buffer, rows[i].text);
        CHECK_STR(field, rows[i].field);
    }
}
