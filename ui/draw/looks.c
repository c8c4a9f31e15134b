#include "draw/looks.h"

#include <math.h>

#define CIRCLE "M-4,0A4,4 0 1 0 4,0A4,4 0 1 0 -4,0Z"
#define SQUARE "M-3.5,-3.5H3.5V3.5H-3.5Z"
#define DIAMOND "M0,-5L5,0L0,5L-5,0Z"
#define UPWARDS "M0,-4.5L4.5,3.5H-4.5Z"
#define DOWNWARDS "M0,4.5L4.5,-3.5H-4.5Z"
#define RIGHTWARDS "M-3.5,-4.5L4.5,0L-3.5,4.5Z"
#define LEFTWARDS "M3.5,-4.5L-4.5,0L3.5,4.5Z"
#define CROSS "M-4,-2.5L-2.5,-4L0,-1.5L2.5,-4L4,-2.5L1.5,0L4,2.5L2.5,4L0,1.5L-2.5,4L-4,2.5L-1.5,0Z"
#define PLUS "M-1,-4.5H1V-1H4.5V1H1V4.5H-1V1H-4.5V-1H-1Z"
#define STAR "M0,-7L1.6,-2.2L6.7,-2.2L2.6,0.8L4.1,5.7L0,2.7L-4.1,5.7L-2.6,0.8L-6.7,-2.2L-1.6,-2.2Z"

/* Colours of compute and memory of Okabe and Ito (2008); all kinds of time differ with colour
 * blindness too. Only memory is orange. */
/* clang-format off */
static const struct look looks[LOOK_COUNT] = {
    [LOOK_COMPUTE] =
        {.name = "compute", .style = STYLE_COMPUTE, .fill = {0x2588, '#'}, .mark = {0x2022, '*'},
         .colour = "#0072b2", .dashes = "", .pattern = "",
         .marker = CIRCLE},
    [LOOK_MEMORY] =
        {.name = "memory", .style = STYLE_MEMORY, .fill = {0x2592, '%'}, .mark = {0x25B2, 'm'},
         .colour = "#d55e00", .dashes = "10,4", .pattern = "M-2,2L2,-2M0,8L8,0M6,10L10,6",
         .marker = UPWARDS},
    [LOOK_OVERHEAD] =
        {.name = "overhead", .style = STYLE_OVERHEAD, .fill = {0x2591, ':'}, .mark = {0x25AA, 'h'},
         .colour = "#aa4488", .dashes = "3,3", .pattern = "M0,4H8M4,0V8",
         .marker = SQUARE},
    [LOOK_LINK] =
        {.name = "link", .style = STYLE_LINK, .fill = {0x2550, '='}, .mark = {0x25C6, '='},
         .colour = "#008787", .dashes = "12,4,2,4", .pattern = "M0,2H8M0,6H8",
         .marker = DIAMOND},
    [LOOK_READOUT] =
        {.name = "readout", .style = STYLE_NORMAL, .fill = {0x2593, 'r'}, .mark = {0x25BC, 'r'},
         .colour = "#555555", .dashes = "6,3", .pattern = "M1,2H3M5,6H7",
         .marker = DOWNWARDS},
    [LOOK_WAIT] =
        {.name = "waiting", .style = STYLE_WAIT, .fill = {0x2571, '/'}, .mark = {0x25E6, '.'},
         .colour = "#8a8a8a", .dashes = "1,4", .pattern = "M-2,6L2,10M0,0L8,8M6,-2L10,2",
         .marker = CIRCLE, .hollow = true},
    [LOOK_CRITICAL] =
        {.name = "critical path", .style = STYLE_TITLE, .fill = {0x2594, '^'}, .mark = {0x25A0, '^'},
         .colour = "#000000", .dashes = "", .pattern = "",
         .marker = SQUARE, .outline = true},
    [LOOK_OTHER] =
        {.name = "other", .style = STYLE_DIM, .fill = {0x2500, '-'}, .mark = {0x25CB, '-'},
         .colour = "#aaaaaa", .dashes = "2,3", .pattern = "M0,4H8",
         .marker = CIRCLE, .hollow = true},
    [LOOK_CURRENT] =
        {.name = "current", .style = STYLE_TITLE, .fill = {0x25A0, '@'}, .mark = {0x25CF, '@'},
         .colour = "#000000", .dashes = "14,4", .pattern = "",
         .marker = CIRCLE},
    [LOOK_BEST] =
        {.name = "best", .style = STYLE_GOOD, .fill = {0x25C6, '!'}, .mark = {0x25C6, '!'},
         .colour = "#007a5a", .dashes = "8,3,2,3", .pattern = "M0,8L8,0M-2,2L2,-2M6,10L10,6",
         .marker = STAR},
    [LOOK_TARGET] =
        {.name = "target", .style = STYLE_WARNING, .fill = {0x00D7, 'T'}, .mark = {0x00D7, 'T'},
         .colour = "#c00028", .dashes = "9,5", .pattern = "M0,0L8,8",
         .marker = CROSS},
    [LOOK_ONE] =
        {.name = "one", .style = STYLE_COMPUTE, .fill = {0x25AC, 'a'}, .mark = {0x25CF, 'a'},
         .colour = "#16436b", .tint = "#8fbbe0", .dashes = "", .pattern = "",
         .marker = CIRCLE},
    [LOOK_TWO] =
        {.name = "two", .style = STYLE_DIM, .fill = {0x25AD, 'b'}, .mark = {0x25CB, 'b'},
         .colour = "#555555", .tint = "#e6e6e6", .dashes = "6,3", .pattern = "",
         .marker = CIRCLE, .hollow = true},
    [LOOK_BAND] =
        {.name = "range", .style = STYLE_DIM, .fill = {0x00B7, '.'}, .mark = {0x00B7, '.'},
         .colour = "#6f8fa8", .dashes = "1,3", .pattern = "",
         .marker = CIRCLE, .hollow = true},
    [LOOK_CHANGE] =
        {.name = "change", .style = STYLE_DIM, .fill = {0x00A6, '|'}, .mark = {0x25C7, '|'},
         .colour = "#777777", .dashes = "2,4", .pattern = "M4,0V8",
         .marker = DIAMOND, .hollow = true},

    [LOOK_FIRST] =
        {.name = "1", .style = STYLE_COMPUTE, .fill = {0x2584, '*'}, .mark = {0x2022, '*'},
         .colour = "#0072b2", .dashes = "", .pattern = "",
         .marker = CIRCLE},
    [LOOK_FIRST + 1] =
        {.name = "2", .style = STYLE_OVERHEAD, .fill = {0x259E, 'o'}, .mark = {0x25B2, '+'},
         .colour = "#aa4488", .dashes = "10,4", .pattern = "M-2,2L2,-2M0,8L8,0M6,10L10,6",
         .marker = UPWARDS},
    [LOOK_FIRST + 2] =
        {.name = "3", .style = STYLE_LINK, .fill = {0x25A1, 'x'}, .mark = {0x25A0, 'x'},
         .colour = "#008787", .dashes = "3,3", .pattern = "M0,2H8M0,6H8",
         .marker = SQUARE},
    [LOOK_FIRST + 3] =
        {.name = "4", .style = STYLE_NORMAL, .fill = {0x25A3, '+'}, .mark = {0x25C7, 'o'},
         .colour = "#5a4a9c", .dashes = "12,4,2,4", .pattern = "M2,0V8M6,0V8",
         .marker = DIAMOND, .hollow = true},
    [LOOK_FIRST + 4] =
        {.name = "5", .style = STYLE_WARNING, .fill = {0x259A, '$'}, .mark = {0x25BC, '~'},
         .colour = "#6b7a00", .dashes = "6,3", .pattern = "M0,4H8M4,0V8",
         .marker = DOWNWARDS},
    [LOOK_FIRST + 5] =
        {.name = "6", .style = STYLE_DIM, .fill = {0x25A4, '&'}, .mark = {0x25CB, '&'},
         .colour = "#777777", .dashes = "2,3", .pattern = "M3,4H5",
         .marker = CIRCLE, .hollow = true},
    [LOOK_FIRST + 6] =
        {.name = "7", .style = STYLE_TITLE, .fill = {0x25A5, '?'}, .mark = {0x00D7, ';'},
         .colour = "#000000", .dashes = "14,3,3,3,3,3", .pattern = "M0,0L8,8M8,0L0,8",
         .marker = CROSS},
    [LOOK_FIRST + 7] =
        {.name = "8", .style = STYLE_GHOST, .fill = {0x25A6, ','}, .mark = {0x25A1, ','},
         .colour = "#56a0d0", .dashes = "1,3", .pattern = "M0,0L8,8",
         .marker = PLUS, .hollow = true},

    [LOOK_BACK] =
        {.name = "a", .style = STYLE_DIM, .fill = {0x2500, '-'}, .mark = {0x25CB, '-'},
         .colour = "#aaaaaa", .dashes = "2,3", .pattern = "M0,4H8",
         .marker = CIRCLE, .hollow = true},
    [LOOK_BACK + 1] =
        {.name = "b", .style = STYLE_DIM, .fill = {0x2500, '-'}, .mark = {0x25B3, '_'},
         .colour = "#aaaaaa", .dashes = "8,2", .pattern = "M0,4H8",
         .marker = UPWARDS, .hollow = true},
    [LOOK_BACK + 2] =
        {.name = "c", .style = STYLE_DIM, .fill = {0x2500, '-'}, .mark = {0x25BD, '`'},
         .colour = "#aaaaaa", .dashes = "5,2,1,2", .pattern = "M0,4H8",
         .marker = DOWNWARDS, .hollow = true},
    [LOOK_BACK + 3] =
        {.name = "d", .style = STYLE_DIM, .fill = {0x2500, '-'}, .mark = {0x25B7, '/'},
         .colour = "#aaaaaa", .dashes = "1,2", .pattern = "M0,4H8",
         .marker = RIGHTWARDS, .hollow = true},
    [LOOK_BACK + 4] =
        {.name = "e", .style = STYLE_DIM, .fill = {0x2500, '-'}, .mark = {0x25C1, ';'},
         .colour = "#aaaaaa", .dashes = "10,2,1,2,1,2", .pattern = "M0,4H8",
         .marker = LEFTWARDS, .hollow = true},
    [LOOK_BACK + 5] =
        {.name = "f", .style = STYLE_DIM, .fill = {0x2500, '-'}, .mark = {0x25C7, '\''},
         .colour = "#aaaaaa", .dashes = "4,4", .pattern = "M0,4H8",
         .marker = DIAMOND, .hollow = true},
    [LOOK_BACK + 6] =
        {.name = "g", .style = STYLE_DIM, .fill = {0x2500, '-'}, .mark = {0x25A1, '"'},
         .colour = "#aaaaaa", .dashes = "7,2,3,2", .pattern = "M0,4H8",
         .marker = SQUARE, .hollow = true},
};
/* clang-format on */

const struct look_sign look_rule_down = {0x2506, '|'};
const struct look_sign look_rule_across = {0x2508, '-'};

static const uint32_t unicode_shades[] = {0x00B7, 0x2591, 0x2592, 0x2593, 0x2588};
/* None is a mark of a map: +, @, ! and T. */
static const char ascii_shades[] = ".:-=*%#";

/* What stands in the cell of a bar's end, by eighths of it. */
static const uint32_t blocks[] = {' ', 0x258F, 0x258E, 0x258D, 0x258C, 0x258B, 0x258A, 0x2589};

const struct look *look_of(enum chart_look look)
{
    return &looks[(int)look < LOOK_COUNT ? look : LOOK_OTHER];
}

enum chart_look look_of_bound(enum bound bound)
{
    static const enum chart_look kinds[] = {
        [BOUND_COMPUTE] = LOOK_COMPUTE,   [BOUND_MEMORY] = LOOK_MEMORY,
        [BOUND_OVERHEAD] = LOOK_OVERHEAD, [BOUND_LINK] = LOOK_LINK,
        [BOUND_READOUT] = LOOK_READOUT,   [BOUND_WAITING] = LOOK_WAIT,
        [BOUND_PORT] = LOOK_LINK,         [BOUND_SLEEP] = LOOK_OVERHEAD,
        [BOUND_ENQUEUE] = LOOK_OVERHEAD,  [BOUND_COPY] = LOOK_LINK,
    };

    return kinds[bound];
}

enum chart_look look_of_load(const struct node_result *node, bool whole)
{
    return whole                          ? look_of_bound(node->bound)
           : node->memory > node->compute ? LOOK_MEMORY
                                          : LOOK_COMPUTE;
}

int look_bar(struct canvas *canvas, int row, int column, int columns, double length,
             enum chart_look look, enum style style)
{
    bool eighth = look_of(look)->fill.unicode == 0x2588 || length < 0.5;
    int eighths, whole;

    if (!(length > 0) || columns <= 0)
        return 0;
    eighths = (int)lround(fmin(length, columns) * 8);
    eighths = eighths > 0 ? eighths : 1;
    whole = eighth ? eighths / 8 : (int)lround(fmin(length, columns));
    for (int i = 0; i < whole; i++)
        canvas_put(canvas, row, column + i, style, look_character(canvas, look_of(look)->fill));
    if (!eighth || eighths % 8 == 0)
        return whole;
    canvas_put(canvas, row, column + whole, style, blocks[eighths % 8]);
    return whole + 1;
}

uint32_t look_character(const struct canvas *canvas, struct look_sign sign)
{
    return canvas->unicode ? sign.unicode : (uint32_t)sign.ascii;
}

int look_shades(const struct canvas *canvas)
{
    return canvas->unicode ? (int)(sizeof unicode_shades / sizeof unicode_shades[0])
                           : (int)(sizeof ascii_shades - 1);
}

uint32_t look_shade(const struct canvas *canvas, double part)
{
    int count = look_shades(canvas);
    int shade = part >= 1 ? count - 1 : part > 0 ? (int)(part * count) : 0;

    return canvas->unicode ? unicode_shades[shade] : (uint32_t)ascii_shades[shade];
}
