/* Cells, characters and bars. */
#include "draw/looks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "draw/text.h"
#include "pictures.h"
#include "rows.h"

static void open(struct canvas *canvas, int rows, int columns, bool unicode)
{
    *canvas = (struct canvas){0};
    canvas_init(canvas, rows, columns, unicode);
}

static void check_width(const struct row *row)
{
    ROW_NEAR(row, text_width(row->field[0]), row_number(row, 1), 0);
}

TEST(utf8)
{
    char text[GLYPH_BYTES];
    struct canvas canvas;

    rows_each("screen.txt", "widths", 2, check_width);
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
    picture_check(&canvas, "a?b?c?d?e?f\n");
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
    picture_check(&canvas, "+-|=o#%|#v>xu-.~>e?\nabc~\n");
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
    picture_check(&canvas,
                  "  abcd\xE2\x80\xA6\n  abcde\n     ab\n  abcd\xE2\x80\xA6 \xE2\x80\xA6\n");
    canvas_free(&canvas);
}

/* A part of a number would be another one, and so would be a number without its unit. */
TEST(cuts_no_number)
{
    static const struct {
        const char *text;
        int columns;
        const char *shown;
    } rows[] = {
        {"fp32 peak 19.5 TFLOP/s", 22, "fp32 peak 19.5 TFLOP/s"},
        {"fp32 peak 19.5 TFLOP/s", 21, "fp32 peak\xE2\x80\xA6"},
        {"fp32 peak 19.5 TFLOP/s", 15, "fp32 peak\xE2\x80\xA6"},
        {"fp32 peak 19.5 TFLOP/s", 14, "fp32 peak\xE2\x80\xA6"},
        {"fp32 peak 19.5 TFLOP/s", 12, "fp32 peak\xE2\x80\xA6"},
        {"fp32 peak 19.5 TFLOP/s", 8, "fp32 pe\xE2\x80\xA6"},
        {"fp32 peak 19.5 TFLOP/s", 4, "fp\xE2\x80\xA6"},
        {"1024 of 6144 pixels", 7, "1024 o\xE2\x80\xA6"},
        {"1024 of 6144 pixels", 13, "1024 of 6144\xE2\x80\xA6"},
        {"1024 of 6144 pixels", 12, "1024 of\xE2\x80\xA6"},
        {"1024 of 6144 pixels", 3, "\xE2\x80\xA6"},
        {"load 1.", 7, "load 1."},
        {"load 1.25 times", 7, "load\xE2\x80\xA6"},
        {"load 1.25 times", 10, "load 1.25\xE2\x80\xA6"},
        {"A100 80GB SXM4", 10, "A100 80GB\xE2\x80\xA6"},
        {"A100 80GB SXM4", 8, "A100\xE2\x80\xA6"},
        {"load 3 %, more", 7, "load\xE2\x80\xA6"},
        {"load 3 %, more", 10, "load 3 %,\xE2\x80\xA6"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct canvas canvas;
        char picture[64];

        open(&canvas, 1, 30, true);
        CHECK_INT(canvas_text(&canvas, 0, 0, rows[i].columns, STYLE_NORMAL, rows[i].text),
                  text_width(rows[i].shown));
        snprintf(picture, sizeof picture, "%s\n", rows[i].shown);
        picture_check(&canvas, picture);
        canvas_free(&canvas);
    }
}

/* Drawing beside the canvas is cut off, at any size. */
TEST(outside)
{
    struct canvas canvas = {0};

    for (int rows = 0; rows <= 3; rows++)
        for (int columns = 0; columns <= 3; columns++) {
            const struct rect large = {-5, -5, 20, 20};

            canvas_init(&canvas, rows, columns, true);
            canvas_text(&canvas, -1, -1, 9, STYLE_NORMAL, "abcdefghij");
            canvas_text(&canvas, 1, -2, 9, STYLE_NORMAL, "abcdefghij");
            canvas_fill(&canvas, large, STYLE_NORMAL, 'x');
            canvas_restyle(&canvas, large, STYLE_FOCUS);
            canvas_frame(&canvas, large, STYLE_BORDER, "title");
            canvas_frame(&canvas, (struct rect){0, 0, rows, columns}, STYLE_BORDER, "title");
            look_bar(&canvas, rows, columns, 5, 3, LOOK_MEMORY, STYLE_MEMORY);
            look_bar(&canvas, 0, 0, columns, 1e300, LOOK_COMPUTE, STYLE_COMPUTE);
            CHECK_INT(canvas.rows, rows > 0 && columns > 0 ? rows : 0);
        }
    canvas_init(&canvas, -1, 5, true);
    CHECK_INT(canvas.rows, 0);
    canvas_free(&canvas);
}

TEST(frames)
{
    struct canvas canvas;

    open(&canvas, 3, 8, false);
    canvas_frame(&canvas, (struct rect){0, 0, 3, 8}, STYLE_BORDER, "a");
    picture_check(&canvas, "+ a ---+\n|      |\n+------+\n");
    CHECK_INT(canvas.cells[2].style, STYLE_TITLE);
    CHECK_INT(canvas.cells[0].style, STYLE_BORDER);
    canvas_frame(&canvas, (struct rect){0, 0, 3, 8}, STYLE_BORDER, "abcdef");
    picture_check(&canvas, "+ ab~ -+\n|      |\n+------+\n");
    canvas_restyle(&canvas, (struct rect){0, 0, 1, 8}, STYLE_FOCUS);
    CHECK_INT(canvas.cells[2].style, STYLE_FOCUS);
    canvas_free(&canvas);
}

static void check_bar(const struct row *row)
{
    bool memory = strcmp(row->field[2], "memory") == 0;
    struct canvas canvas;

    open(&canvas, 1, 6, strcmp(row->field[0], "unicode") == 0);
    look_bar(&canvas, 0, 1, 4, row_number(row, 1), memory ? LOOK_MEMORY : LOOK_COMPUTE,
             STYLE_COMPUTE);
    picture_check(&canvas, row->field[3]);
    canvas_free(&canvas);
}

TEST(bars)
{
    rows_each("screen.txt", "bars", 4, check_bar);
}

static void check_first_line(const struct row *row)
{
    char line[64];

    snprintf(line, sizeof line, "%.*s", (int)text_break(row->field[0], (int)row_number(row, 1)),
             row->field[0]);
    ROW_STR(row, line, row->field[2]);
}

TEST(breaks)
{
    rows_each("screen.txt", "breaks", 3, check_first_line);
}
