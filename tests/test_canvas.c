/* Cells, characters and bars. */
#include "draw/canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "draw/text.h"

/* What is on a canvas, as text; free() it. */
static char *printed(const struct canvas *canvas)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    canvas_print(canvas, file);
    fclose(file);
    return text;
}

static void check_print(const struct canvas *canvas, const char *expected)
{
    char *text = printed(canvas);

    CHECK_STR(text, expected);
    free(text);
}

static void open(struct canvas *canvas, int rows, int columns, bool unicode)
{
    *canvas = (struct canvas){0};
    if (!CHECK(canvas_init(canvas, rows, columns, unicode)))
        abort();
}

TEST(utf8)
{
    static const struct {
        const char *text;
        int width;
    } cases[] = {
        {"", 0},
        {"abc", 3},
        {"80\xC3\x97"
         "80 \xC2\xB5s",
         8},
        {"\xE2\x94\x8C\xF0\x9D\x94\xB8", 2},
        {"a\xFF\xC3z", 4},   /* bytes that are not UTF-8 count one each */
        {"\xE2\x94", 2},     /* cut short */
        {"\xED\xA0\x80", 3}, /* a surrogate */
        {"e\xCC\x81", 2},    /* combining: a cell of its own */
    };
    char text[GLYPH_BYTES];
    struct canvas canvas;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_INT(text_width(cases[i].text), cases[i].width);
    for (uint32_t c = 1; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 251) {
        const char *at = text;

        if (c >= 0xD800 && c < 0xE000)
            continue;
        glyph_encode(c, text);
        if (glyph_decode(&at) != c || *at != '\0') {
            CHECK_TRUE(false, "U+%04X does not come back", c);
            break;
        }
    }
    open(&canvas, 1, 12, true);
    canvas_text(&canvas, 0, 0, 12, STYLE_NORMAL,
                "a\xFF"
                "b\xCC\x81"
                "c\xE6\xBC\xA2"
                "d\033"
                "e\xD7\x90"
                "f");
    /* Not UTF-8, combining, two cells wide, control, right to left. */
    check_print(&canvas, "a?b?c?d?e?f\n");
    canvas_free(&canvas);
}

TEST(ascii)
{
    struct canvas canvas;

    open(&canvas, 2, 40, false);
    canvas_text(&canvas, 0, 0, 40, STYLE_NORMAL,
                "\xE2\x94\x8C\xE2\x94\x80\xE2\x94\x82\xE2\x94\x81\xE2\x97\x8F\xE2\x96\x88\xE2\x96"
                "\x92\xE2\x96\x8F\xE2\x96\x89\xE2\x96\xBE\xE2\x96\xB8\xC3\x97\xC2\xB5\xE2\x88\x92"
                "\xC2\xB7\xE2\x80\xA6\xE2\x86\x92\xC3\xA9\xE6\xBC\xA2");
    canvas_text(&canvas, 1, 0, 4, STYLE_NORMAL, "abcdef");
    check_print(&canvas, "+-|=o#:|#v>xu-.~>e?\nabc~\n");
    for (int i = 0; i < 80; i++)
        CHECK(canvas.cells[i].character >= ' ' && canvas.cells[i].character < 0x7F);
    for (uint32_t c = 0; c < 0x3000; c++)
        if (glyph_ascii(c) < ' ' || glyph_ascii(c) > '~')
            CHECK_TRUE(false, "U+%04X becomes %u", c, glyph_ascii(c));
    canvas_free(&canvas);
}

TEST(cuts)
{
    struct canvas canvas;

    open(&canvas, 4, 10, true);
    CHECK_INT(canvas_text(&canvas, 0, 2, 5, STYLE_NORMAL, "abcdefg"), 5);
    CHECK_INT(canvas_text(&canvas, 1, 2, 5, STYLE_NORMAL, "abcde"), 5);
    CHECK_INT(canvas_right(&canvas, 2, 2, 5, STYLE_NORMAL, "ab"), 2);
    CHECK_INT(canvas_right(&canvas, 3, 2, 5, STYLE_NORMAL, "abcdefg"), 5);
    CHECK_INT(canvas_text(&canvas, 3, 9, 0, STYLE_NORMAL, "x"), 0);
    CHECK_INT(canvas_text(&canvas, 3, 9, -3, STYLE_NORMAL, "x"), 0);
    CHECK_INT(canvas_printf(&canvas, 3, 8, 1, STYLE_NORMAL, "%d", 12), 1);
    check_print(&canvas, "  abcd\xE2\x80\xA6\n  abcde\n     ab\n  abcd\xE2\x80\xA6 \xE2\x80\xA6\n");
    canvas_free(&canvas);
}

/* Drawing beside the canvas is cut off, at any size. */
TEST(outside)
{
    struct canvas canvas = {0};

    for (int rows = 0; rows <= 3; rows++)
        for (int columns = 0; columns <= 3; columns++) {
            const struct rect large = {-5, -5, 20, 20};

            CHECK(canvas_init(&canvas, rows, columns, true));
            canvas_text(&canvas, -1, -1, 9, STYLE_NORMAL, "abcdefghij");
            canvas_text(&canvas, 1, -2, 9, STYLE_NORMAL, "abcdefghij");
            canvas_fill(&canvas, large, STYLE_NORMAL, 'x');
            canvas_restyle(&canvas, large, STYLE_FOCUS);
            canvas_frame(&canvas, large, STYLE_BORDER, "title");
            canvas_frame(&canvas, (struct rect){0, 0, rows, columns}, STYLE_BORDER, "title");
            canvas_bar(&canvas, rows, columns, 5, 3, FILL_MEMORY, STYLE_MEMORY);
            canvas_bar(&canvas, 0, 0, columns, 1e300, FILL_COMPUTE, STYLE_COMPUTE);
            CHECK_INT(canvas.rows, rows > 0 && columns > 0 ? rows : 0);
        }
    CHECK(canvas_init(&canvas, -1, 5, true));
    CHECK_INT(canvas.rows, 0);
    canvas_free(&canvas);
}

TEST(frames)
{
    struct canvas canvas;

    open(&canvas, 3, 8, false);
    canvas_frame(&canvas, (struct rect){0, 0, 3, 8}, STYLE_BORDER, "a");
    check_print(&canvas, "+ a ---+\n|      |\n+------+\n");
    CHECK_INT(canvas.cells[2].style, STYLE_TITLE);
    CHECK_INT(canvas.cells[0].style, STYLE_BORDER);
    canvas_frame(&canvas, (struct rect){0, 0, 3, 8}, STYLE_BORDER, "abcdef");
    check_print(&canvas, "+ ab~ -+\n|      |\n+------+\n");
    canvas_restyle(&canvas, (struct rect){0, 0, 1, 8}, STYLE_FOCUS);
    CHECK_INT(canvas.cells[2].style, STYLE_FOCUS);
    canvas_free(&canvas);
}

static void check_bar(bool unicode, double length, enum fill fill, const char *expected)
{
    struct canvas canvas;

    open(&canvas, 1, 6, unicode);
    canvas_bar(&canvas, 0, 1, 4, length, fill, STYLE_COMPUTE);
    check_print(&canvas, expected);
    canvas_free(&canvas);
}

TEST(bars)
{
    check_bar(true, 2.5, FILL_COMPUTE, " \xE2\x96\x88\xE2\x96\x88\xE2\x96\x8C\n");
    check_bar(true, 2.5, FILL_MEMORY, " \xE2\x96\x92\xE2\x96\x92\xE2\x96\x91\n");
    check_bar(true, 1e-9, FILL_MEMORY, " \xE2\x96\x91\n");
    check_bar(true, 1e-9, FILL_COMPUTE, " \xE2\x96\x8F\n");
    check_bar(true, 0, FILL_COMPUTE, "\n");
    check_bar(true, -1, FILL_COMPUTE, "\n");
    check_bar(true, (double)NAN, FILL_COMPUTE, "\n");
    check_bar(false, (double)INFINITY, FILL_COMPUTE, " ####\n");
    check_bar(false, 4, FILL_MEMORY, " ::::\n");
    check_bar(false, 1.25, FILL_COMPUTE, " #|\n");
    check_bar(false, 1.75, FILL_COMPUTE, " ##\n");
    check_bar(false, 1.25, FILL_MEMORY, " :.\n");
    check_bar(false, 1.75, FILL_MEMORY, " :.\n");
    check_bar(false, 1e-9, FILL_MEMORY, " .\n");
}

static void check_first_line(const char *text, int columns, const char *expected)
{
    char line[64];

    snprintf(line, sizeof line, "%.*s", (int)text_break(text, columns), text);
    CHECK_TRUE(strcmp(line, expected) == 0, "\"%s\" in %d cells: expected \"%s\", got \"%s\"", text,
               columns, expected, line);
}

/* A line does not end between a number and its unit. */
TEST(breaks)
{
    check_first_line("takes 2.04 TB/s of it", 12, "takes");
    check_first_line("takes 2.04 TB/s, of it", 12, "takes");
    check_first_line("takes 3 % of it", 8, "takes");
    check_first_line("takes 8 m. That", 8, "takes");
    check_first_line("takes 3 of it", 8, "takes 3");
    check_first_line("takes 3 packets", 8, "takes 3");
    check_first_line("takes 2.04 TB/s of it", 15, "takes 2.04 TB/s");
    check_first_line("2.0412345 TB/s", 11, "2.0412345");
    check_first_line("one\ntwo", 11, "one");
    check_first_line("unbroken", 3, "unb");
    check_first_line("", 3, "");
    check_first_line(" \xC2\xB5\xC2\xB5 5 \xC2\xB5s", 5, " \xC2\xB5\xC2\xB5");
}
