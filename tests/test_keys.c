/* Keys and their names, and the words of `aolag screen --keys`. */
#include "tui/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
#include "rows.h"
#include "tui/script.h"

static void check_name(uint32_t key, const char *name)
{
    char text[16];

    key_to_name(key, text, sizeof text);
    CHECK_STR(text, name);
    CHECK_INT(key_from_name(name), key);
}

TEST(names)
{
    int count = 0;

    for (uint32_t key = KEY_FIRST_NAMED; key < KEY_NAMED_MOUSE; key++) {
        char text[16];

        key_to_name(key, text, sizeof text);
        CHECK_TRUE(key_from_name(text) == key, "%s is another key", text);
    }
    check_name(KEY_NAMED_SHIFT_RIGHT, "S-Right");
    check_name(KEY_CONTROL_R, "C-r");
    check_name(' ', "Space");
    check_name('q', "q");
    check_name(0xB5, "\xC2\xB5");
    CHECK_INT(key_from_name("C-h"), KEY_NAMED_BACKSPACE);
    CHECK_INT(key_from_name("C-i"), KEY_NAMED_TAB);
    CHECK_INT(key_from_name("C-m"), KEY_NAMED_ENTER);
    CHECK_INT(key_from_name(""), KEY_NONE);
    CHECK_INT(key_from_name("right"), KEY_NONE);
    CHECK_INT(key_from_name("C-R"), KEY_NONE);
    CHECK_INT(key_from_name("qq"), KEY_NONE);
    while (key_name_at((size_t)count) != NULL)
        CHECK(key_from_name(key_name_at((size_t)count++)) != KEY_NONE);
    CHECK(count > 20);
}

/* Runs words on a screen of 60x16; what it printed and said, to be freed. */
static int play(const char *words, char **out, char **err)
{
    struct fixture fixture;
    struct app_start start = {.document = document_new(NULL)};
    size_t out_size, err_size;
    FILE *keys = fmemopen((char *)words, strlen(words), "r");
    FILE *out_file = open_memstream(out, &out_size);
    FILE *err_file = open_memstream(err, &err_size);
    int output_error = 0;
    int status;

    if (!CHECK(fixture_open(&fixture, "elt-scao", 16, 60)))
        return -1;
    start.catalogue = fixture.catalogue;
    start.scenario = &fixture.app->host.design.scenario;
    status = script_run(&start, 16, 60, false, keys, "words", (struct script_picture){NULL, false},
                        out_file, &output_error, err_file);
    fixture_close(&fixture);
    fclose(keys);
    fclose(out_file);
    fclose(err_file);
    return status;
}

/* How often a line begins so. */
static int count_lines(const char *text, const char *start)
{
    int count = strncmp(text, start, strlen(start)) == 0;

    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
        count += strncmp(at + 1, start, strlen(start)) == 0;
    return count;
}

static void check_screens(const struct row *row)
{
    char *out, *err;
    int status = play(row->field[0], &out, &err);

    ROW_TRUE(row, status == 0, "exit status %d", status);
    ROW_STR(row, err, "");
    ROW_NEAR(row, count_lines(out, row->field[1]), row_number(row, 2), 0);
    free(out);
    free(err);
}

static void check_bad_word(const struct row *row)
{
    char *out, *err;
    int status = play(row->field[0], &out, &err);

    ROW_TRUE(row, status == 2, "exit status %d", status);
    ROW_STR(row, err, row->field[1]);
    ROW_STR(row, out, "");
    free(out);
    free(err);
}

TEST(scripts)
{
    rows_each("words.txt", "screens", 3, check_screens);
    rows_each("words.txt", "bad words", 2, check_bad_word);
}
