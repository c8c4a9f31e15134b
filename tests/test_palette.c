#include "draw/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"

/* Relative luminance of WCAG 2.1. */
static double luminance(uint32_t rgb)
{
    static const double parts[] = {0.0722, 0.7152, 0.2126};
    double sum = 0;

    for (int i = 0; i < 3; i++, rgb >>= 8) {
        double level = (rgb & 0xff) / 255.0;

        sum += parts[i] * (level <= 0.03928 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a) + 0.05;
    double y = luminance(b) + 0.05;

    return x > y ? x / y : y / x;
}

TEST(colours_of_xterm)
{
    static const struct {
        int colour;
        uint32_t rgb;
    } cases[] = {{16, 0x000000},  {21, 0x0000ff},  {32, 0x0087d7},
                 {133, 0xaf5faf}, {166, 0xd75f00}, {231, 0xffffff},
                 {232, 0x080808}, {243, 0x767676}, {255, 0xeeeeee}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_INT(palette_rgb(cases[i].colour), cases[i].rgb);
}

static double contrast_of(enum palette palette, enum style style, int back)
{
    int colour = palette_look(palette, style)->colour;

    if (palette == PALETTE_256)
        return contrast(palette_rgb(colour), palette_rgb(back));
    colour = colour == COLOUR_DEFAULT ? palette_text(palette == PALETTE_LIGHT) : colour;
    return contrast(palette_rgb(colour), palette_rgb(back));
}

TEST(legible_on_black_and_on_white)
{
    enum { BLACK = 16, WHITE = 231 };

    for (int style = 0; style < STYLE_COUNT; style++) {
        bool text = style == STYLE_DIM || style == STYLE_GHOST || style == STYLE_GOOD;
        double black, white;

        if (palette_look(PALETTE_256, (enum style)style)->colour == COLOUR_DEFAULT)
            continue;
        black = contrast_of(PALETTE_256, (enum style)style, BLACK);
        white = contrast_of(PALETTE_256, (enum style)style, WHITE);
        CHECK_TRUE(fmin(black, white) >= (text ? 4.5 : 3) && fmax(black, white) >= 4.5,
                   "style %d: %.1f on black, %.1f on white", style, black, white);
    }
}

TEST(legible_in_pictures)
{
    for (int light = 0; light < 2; light++) {
        enum palette palette = light ? PALETTE_LIGHT : PALETTE_DARK;

        CHECK(contrast(palette_rgb(palette_text(light)), palette_rgb(palette_back(light))) >= 7);
        for (int style = 0; style < STYLE_COUNT; style++) {
            double ratio = contrast_of(palette, (enum style)style, palette_back(light));

            CHECK_TRUE(ratio >= 4.5, "style %d: %.2f on %s", style, ratio,
                       light ? "light" : "dark");
        }
    }
}

/* Without colours, and with a dim attribute that a terminal ignores, what stands out still does. */
TEST(attributes_tell)
{
    static const enum style marked[] = {STYLE_TITLE,   STYLE_FOCUS, STYLE_SELECTED,
                                        STYLE_WARNING, STYLE_ERROR, STYLE_KEY};

    for (int palette = 0; palette <= PALETTE_8; palette++)
        for (size_t i = 0; i < sizeof marked / sizeof marked[0]; i++) {
            const struct style_look *look = palette_look((enum palette)palette, marked[i]);

            CHECK_TRUE(look->colour != COLOUR_DEFAULT ||
                           (look->attributes & ~(unsigned)LOOK_DIMMED) != 0,
                       "palette %d, style %d", palette, marked[i]);
        }
}

/* Wherever there are colours no kind of time has the colour of another, or that of "met". */
TEST(kinds_of_time_differ)
{
    static const enum style kinds[] = {STYLE_COMPUTE, STYLE_MEMORY, STYLE_OVERHEAD, STYLE_LINK,
                                       STYLE_GOOD};

    for (int palette = PALETTE_8; palette < PALETTE_COUNT; palette++)
        for (int a = 0; a < 5; a++)
            for (int b = 0; b < a; b++)
                CHECK_TRUE(palette_look((enum palette)palette, kinds[a])->colour !=
                               palette_look((enum palette)palette, kinds[b])->colour,
                           "palette %d: %d and %d", palette, a, b);
}

/* Of 8 colours those that are pale on white are for fills, not for letters. */
TEST(letters_are_not_pale)
{
    static const struct {
        uint32_t character;
        bool coloured;
    } cases[] = {{'m', false},   {'7', false},   {0xB5, false}, {'.', false},
                 {0x2592, true}, {0x2550, true}, {'%', true},   {'=', true}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int link = 0; link < 2; link++) {
            struct cell cell = {cases[i].character, link ? STYLE_LINK : STYLE_MEMORY, false};

            CHECK_TRUE((palette_style(PALETTE_8, &cell) == cell.style) == cases[i].coloured,
                       "U+%04X", (unsigned)cell.character);
            CHECK_INT(palette_style(PALETTE_256, &cell), cell.style);
        }
}

/* A picture has the colours of its background. */
TEST(picture)
{
    struct canvas canvas = {0};
    struct buffer svg = {0};

    canvas_init(&canvas, STYLE_COUNT, 4, true);
    for (int style = 0; style < STYLE_COUNT; style++)
        canvas_text(&canvas, style, 0, 4, (enum style)style, "text");
    for (int light = 0; light < 2; light++) {
        svg.length = 0;
        canvas_svg(&canvas, light, "styles", &svg);
        for (int style = -2; style < STYLE_COUNT; style++) {
            int colour =
                style == -2 ? palette_back(light)
                : style == -1
                    ? palette_text(light)
                    : palette_look(light ? PALETTE_LIGHT : PALETTE_DARK, (enum style)style)->colour;
            char fill[32];

            snprintf(
                fill, sizeof fill, "fill=\"#%06x\"",
                (unsigned)palette_rgb(colour == COLOUR_DEFAULT ? palette_text(light) : colour));
            CHECK_TRUE(strstr(svg.bytes, fill) != NULL, "style %d: no %s", style, fill);
        }
    }
    buffer_free(&svg);
    canvas_free(&canvas);
}
