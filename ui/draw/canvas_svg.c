#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "draw/canvas.h"
#include "draw/glyph.h"
#include "draw/palette.h"

/* Lengths in px; the ratio of a cell is that of common fixed-width fonts. */
#define CELL_WIDE 8.4
#define CELL_HIGH 17.0
#define BASELINE 13.0
#define FONT_SIZE 14
#define MARGIN 8.0

#define COLOUR 8 /* bytes of "#rrggbb" */

/* Colours of text and background. */
struct svg_colours {
    enum palette palette;
    char text[COLOUR], back[COLOUR];
};

static void print_colour(int colour, char text[COLOUR])
{
    snprintf(text, COLOUR, "#%06x", (unsigned)(palette_rgb(colour) & 0xffffff));
}

/* Draws a part, {left, top, width, height} in cells, from x, y on. */
static void put_part(struct buffer *svg, double x, double y, const double part[4],
                     const char *colour, double opacity)
{
    buffer_print(svg,
                 "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\""
                 " fill-opacity=\"%.2f\"/>\n",
                 x + part[0] * CELL_WIDE, y + part[1] * CELL_HIGH, part[2] * CELL_WIDE,
                 part[3] * CELL_HIGH, colour, opacity);
}

/* Draws a line, which has whole px to be sharp and no crisp edges, with which it would be lost in a
 * smaller picture. */
static void put_line(struct buffer *svg, double x, double y, const double part[4],
                     const char *colour)
{
    double left = round(x + part[0] * CELL_WIDE);
    double top = round(y + part[1] * CELL_HIGH);

    buffer_print(svg,
                 "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"%s\""
                 " shape-rendering=\"auto\"/>\n",
                 left, top, round(x + (part[0] + part[2]) * CELL_WIDE) - left,
                 round(y + (part[1] + part[3]) * CELL_HIGH) - top, colour);
}

/* Draws the dots of a braille character: fonts of one width seldom have them. */
static void put_braille(struct buffer *svg, double x, double y, uint32_t character,
                        const char *colour)
{
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const double dot = 1.8; /* px */

    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 2; column++)
            if ((character & bits[row][column]) != 0)
                put_part(svg, x, y,
                         (const double[4]){(column + 0.5) / 2 - dot / 2 / CELL_WIDE,
                                           (row + 0.5) / 4 - dot / 2 / CELL_HIGH, dot / CELL_WIDE,
                                           dot / CELL_HIGH},
                         colour, 1);
}

/* Draws `count` cells of a shade as a tint with dots of the full colour, more of them in a darker
 * one: the fills differ without colour too. */
static void put_shade(struct buffer *svg, double x, double y, uint32_t character, int count,
                      const char *colour)
{
    enum { DOT = 2 }; /* px */
    int shade = (int)(character - 0x2590);
    int step = 2 * DOT * 2 / (shade + 1);

    put_part(svg, x, y, (const double[4]){0, 0, count, 1}, colour, 0.2 * (shade + 1));
    buffer_text(svg, "<path d=\"");
    for (int down = DOT / 2; down < CELL_HIGH; down += step)
        buffer_print(svg, "M%.2f,%.2fh%.2f", x, y + down, count * CELL_WIDE);
    buffer_print(svg, "\" stroke=\"%s\" stroke-width=\"%d\" stroke-dasharray=\"%d\"/>\n", colour,
                 DOT, DOT);
}

/* Draws `count` blocks, shades or lines, which fonts leave gaps in. Returns false for other
 * characters. */
static bool put_blocks(struct buffer *svg, double x, double y, uint32_t character, int count,
                       const char *colour)
{
    enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, HEAVY = 16 }; /* heavy: from left to right */
    static const struct {
        uint32_t character;
        unsigned arms;
    } lines[] = {{0x2500, LEFT | RIGHT},
                 {0x2501, LEFT | RIGHT | HEAVY},
                 {0x2502, UP | DOWN},
                 {0x250C, RIGHT | DOWN},
                 {0x2510, LEFT | DOWN},
                 {0x2514, RIGHT | UP},
                 {0x2518, LEFT | UP},
                 {0x251C, UP | DOWN | RIGHT},
                 {0x2524, UP | DOWN | LEFT},
                 {0x252C, LEFT | RIGHT | DOWN},
                 {0x2534, LEFT | RIGHT | UP},
                 {0x253C, LEFT | RIGHT | UP | DOWN},
                 {0x253F, LEFT | RIGHT | UP | DOWN | HEAVY}};
    const double across = 1 / CELL_WIDE;
    const double down = 1 / CELL_HIGH;

    if (character >= 0x2581 && character <= 0x2588) {
        double high = (character - 0x2580) / 8.0;

        put_part(svg, x, y, (const double[4]){0, 1 - high, count, high}, colour, 1);
        return true;
    }
    if (character >= 0x2589 && character <= 0x258F) {
        put_part(svg, x, y, (const double[4]){0, 0, (0x2590 - character) / 8.0, 1}, colour, 1);
        return true;
    }
    if (character > 0x2800 && character <= 0x28FF) {
        put_braille(svg, x, y, character, colour);
        return true;
    }
    if (character >= 0x2591 && character <= 0x2593) {
        put_shade(svg, x, y, character, count, colour);
        return true;
    }
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
        unsigned arms = lines[l].arms;
        double left = arms & LEFT ? 0 : 0.5;
        double right = arms & RIGHT ? count : 0.5 + across;
        double top = arms & UP ? 0 : 0.5;
        double bottom = arms & DOWN ? 1 : 0.5 + down;

        if (lines[l].character != character)
            continue;
        if (arms & HEAVY)
            put_line(svg, x, y, (const double[4]){left, 0.5 - down, right - left, 3 * down},
                     colour);
        else if (arms & (LEFT | RIGHT))
            put_line(svg, x, y, (const double[4]){left, 0.5, right - left, down}, colour);
        if (arms & (UP | DOWN))
            put_line(svg, x, y, (const double[4]){0.5, top, across, bottom - top}, colour);
        return true;
    }
    return false;
}

static void put_escaped(struct buffer *svg, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            buffer_text(svg, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;");
        else
            buffer_print(svg, "%c", *text);
}

/* Draws cells of one style from `first` on; returns the column after them. */
static int put_run(const struct canvas *canvas, int row, int first,
                   const struct svg_colours *colours, struct buffer *svg)
{
    const struct cell *cells = canvas->cells + (size_t)row * (size_t)canvas->columns;
    const struct style_look *look = palette_look(colours->palette, cells[first].style);
    bool reversed = (look->attributes & LOOK_REVERSED) != 0;
    bool bold = (look->attributes & LOOK_BOLD) != 0;
    char own[COLOUR];
    const char *colour = reversed                         ? colours->back
                         : look->colour != COLOUR_DEFAULT ? own
                                                          : colours->text;
    double y = MARGIN + row * CELL_HIGH;
    int end = first;
    int at;

    print_colour(look->colour != COLOUR_DEFAULT ? look->colour : 16, own);
    while (end < canvas->columns && cells[end].style == cells[first].style &&
           cells[end].underline == cells[first].underline)
        end++;
    if (reversed)
        put_part(svg, MARGIN + first * CELL_WIDE, y, (const double[4]){0, 0, end - first, 1},
                 colours->text, 1);
    for (at = first; at < end;) {
        int begin = at;
        char text[GLYPH_BYTES];

        bool joined = cells[at].character == 0x2500 || cells[at].character == 0x2501 ||
                      cells[at].character == 0x2588 ||
                      (cells[at].character >= 0x2591 && cells[at].character <= 0x2593);

        while (at + 1 < end && joined && cells[at + 1].character == cells[at].character)
            at++;
        at++;
        if (cells[begin].character == ' ' || put_blocks(svg, MARGIN + begin * CELL_WIDE, y,
                                                        cells[begin].character, at - begin, colour))
            continue;
        while (at < end && cells[at].character != ' ' &&
               (cells[at].character < 0x2500 || cells[at].character > 0x2593) &&
               (cells[at].character < 0x2800 || cells[at].character > 0x28FF))
            at++;
        buffer_print(svg, "<text x=\"%.2f\" y=\"%.2f\" textLength=\"%.2f\" fill=\"%s\"%s>",
                     MARGIN + begin * CELL_WIDE, y + BASELINE, (at - begin) * CELL_WIDE, colour,
                     bold ? " font-weight=\"bold\"" : "");
        for (int c = begin; c < at; c++) {
            glyph_encode(cells[c].character, text);
            put_escaped(svg, text);
        }
        buffer_text(svg, "</text>\n");
    }
    /* below blocks, too */
    if ((look->attributes & LOOK_UNDERLINED) != 0 || cells[first].underline)
        put_line(svg, MARGIN + first * CELL_WIDE, y,
                 (const double[4]){0, 1 - 1 / CELL_HIGH, end - first, 1 / CELL_HIGH},
                 colours->text);
    return end;
}

void canvas_svg(const struct canvas *canvas, bool light, const char *title, struct buffer *svg)
{
    struct svg_colours colours = {.palette = light ? PALETTE_LIGHT : PALETTE_DARK};
    double width = 2 * MARGIN + canvas->columns * CELL_WIDE;
    double height = 2 * MARGIN + canvas->rows * CELL_HIGH;

    print_colour(palette_text(light), colours.text);
    print_colour(palette_back(light), colours.back);
    buffer_print(svg,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%.0f\""
                 " height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" xml:space=\"preserve\""
                 " font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\""
                 " font-size=\"%d\" shape-rendering=\"crispEdges\">\n<title>",
                 width, height, width, height, FONT_SIZE);
    put_escaped(svg, title);
    buffer_print(svg, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
                 colours.back);
    for (int row = 0; row < canvas->rows; row++)
        for (int column = 0; column < canvas->columns;)
            column = put_run(canvas, row, column, &colours, svg);
    buffer_text(svg, "</svg>\n");
}
