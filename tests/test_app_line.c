#include <stddef.h>
#include <string.h>

#include "check.h"
#include "tui/line_edit.h"

static void type(struct line_edit *line, const char *text)
{
    for (; *text != '\0'; text++)
        line_insert(line, (unsigned char)*text);
}

static void types_and_deletes(void)
{
    struct line_edit line;

    line_set(&line, "", false);
    type(&line, "abc");
    line_move(&line, -1);
    type(&line, "X");
    CHECK_STR(line.text, "abXc");
    line_delete_left(&line);
    line_delete_right(&line);
    CHECK_STR(line.text, "ab");
    line_delete_right(&line);
    CHECK_STR(line.text, "ab");
    line_move(&line, -100);
    line_delete_left(&line);
    CHECK_STR(line.text, "ab");
    CHECK_INT(line.cursor, 0);
}

static void moves_by_characters(void)
{
    struct line_edit line;

    line_set(&line, "\xC2\xB5\xE2\x86\x92x", false); /* micro, arrow, x */
    line_move(&line, -2);
    CHECK_INT(line.cursor, 2);
    line_delete_left(&line);
    CHECK_STR(line.text, "\xE2\x86\x92x");
    line_delete_right(&line);
    CHECK_STR(line.text, "x");
    line_insert(&line, 0xE9);
    CHECK_STR(line.text, "\xC3\xA9x");
    line_insert(&line, '\t');
    line_insert(&line, 0xD800);
    CHECK_STR(line.text, "\xC3\xA9x");
    line_insert(&line, 0x6F22); /* shown as ?, but a file may be called so */
    CHECK_STR(line.text, "\xC3\xA9\xE6\xBC\xA2x");
}

static void a_proposal_gives_way(void)
{
    struct line_edit line;

    line_set(&line, "64", true);
    type(&line, "9");
    CHECK_STR(line.text, "9");
    line_set(&line, "64", true);
    line_move(&line, 0);
    type(&line, "0");
    CHECK_STR(line.text, "640");
    line_set(&line, "64", true);
    line_delete_left(&line);
    CHECK_STR(line.text, "6");
}

static void replaces_words(void)
{
    struct line_edit line;

    line_set(&line, "set dev", false);
    line_replace(&line, 4, "device.");
    CHECK_STR(line.text, "set device.");
    CHECK_INT(line.cursor, 11);
}

static void has_an_end(void)
{
    struct line_edit line;

    line_set(&line, "", false);
    for (int i = 0; i < 2 * LINE_MAX_BYTES; i++)
        line_insert(&line, 0x20AC);
    CHECK(line.length <= LINE_MAX_BYTES);
    CHECK_INT(line.length, strlen(line.text));
}

/* Long lines scroll so that the cursor shows. */
static void draws_the_cursor(void)
{
    struct line_edit line;
    struct canvas canvas = {0};

    canvas_init(&canvas, 1, 10, true);
    line_set(&line, "0123456789abcdefghij", false);
    line_draw(&line, &canvas, 0, 2, 8);
    CHECK_INT(canvas.cursor_column, 9);
    CHECK_INT(canvas.cells[8].character, 'j');
    line_move(&line, -100);
    line_draw(&line, &canvas, 0, 2, 8);
    CHECK_INT(canvas.cursor_column, 2);
    CHECK_INT(canvas.cells[2].character, '0');
    canvas_free(&canvas);
}

static const struct test tests[] = {
    {"types and deletes", types_and_deletes},
    {"moves by characters", moves_by_characters},
    {"a proposal gives way", a_proposal_gives_way},
    {"replaces words", replaces_words},
    {"has an end", has_an_end},
    {"draws the cursor", draws_the_cursor},
    {NULL, NULL},
};

const struct suite suite_app_line = {.name = "app_line", .tests = tests};
