/* Keys and their names, and the words of `aolag screen --keys`. */
#include "tui/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
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
    struct error error;
    struct document *document;
    size_t out_size, err_size;
    FILE *keys = fmemopen((char *)words, strlen(words), "r");
    FILE *out_file = open_memstream(out, &out_size);
    FILE *err_file = open_memstream(err, &err_size);
    int status = -1;

    if (!CHECK(fixture_open(&fixture, "elt-scao", 16, 60)))
        return -1;
    if (CHECK_INT(document_new(&document, &error), STATUS_OK)) {
        const struct app_start start = {fixture.catalogue, &fixture.app->host.design.scenario,
                                        document, NULL, NULL};

        status = script_run(&start, 16, 60, false, keys, "words", out_file, err_file);
    }
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

TEST(a_script)
{
    static const struct {
        const char *words;
        const char *rule;
        int screens;
    } cases[] = {
        {"# nothing\n\n", "--- 60x16 -", 1},
        {"Right\nscreen\n", "--- 60x16 -", 1},
        {"screen\nRight\n", "--- 60x16 -", 2},
        {"screen\nresize 70x20\nscreen\n", "--- 70x20 -", 1},
        {"screen\r\n:\r\ntext set a=b\r\nEsc", "--- 60x16 -", 2},
        {"click 3 4\ndrag 3 9\nwheel down 3 9\nwheel up 3 9\nclick 99 99\n", "--- 60x16 -", 1},
        {"q\nnot read any more\n", "--- 60x16 -", 1},
        {"#\n \n", "--- 60x16 -", 1},
    };
    char *out, *err;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_INT(play(cases[i].words, &out, &err), 0);
        CHECK_STR(err, "");
        CHECK_TRUE(count_lines(out, cases[i].rule) == cases[i].screens, "%s%s", cases[i].words,
                   out);
        free(out);
        free(err);
    }
}

TEST(bad_words)
{
    static const struct {
        const char *words, *message;
    } cases[] = {
        {"Right\nRihgt\n", "words:2: unknown key \"Rihgt\"; did you mean Right?\n"},
        {"scren\n", "words:1: unknown key \"scren\"; did you mean screen?\n"},
        {"\n# x\nxyzzyxyzzy\n", "words:3: unknown key \"xyzzyxyzzy\"\n"},
        {"screen now\n", "words:1: \"screen now\" is not of the form \"screen\"\n"},
        {"resize 80\n",
         "words:1: \"resize 80\" is not of the form \"resize COLUMNSxROWS, at most 1000 each\"\n"},
        {"resize 0x5\n",
         "words:1: \"resize 0x5\" is not of the form \"resize COLUMNSxROWS, at most 1000 each\"\n"},
        {"click 3\n", "words:1: \"click 3\" is not of the form \"click ROW COLUMN\"\n"},
        {"drag 3 4 5\n", "words:1: \"drag 3 4 5\" is not of the form \"drag ROW COLUMN\"\n"},
        {"wheel left 1 1\n",
         "words:1: \"wheel left 1 1\" is not of the form \"wheel up|down ROW COLUMN\"\n"},
    };
    char *out, *err;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_INT(play(cases[i].words, &out, &err), 2);
        CHECK_STR(err, cases[i].message);
        CHECK_STR(out, "");
        free(out);
        free(err);
    }
}
