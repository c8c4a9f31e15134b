#include "draw/looks.h"

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

/* Colours of Okabe and Ito (2008), distinguishable with colour blindness. */
/* clang-format off */
static const struct look looks[LOOK_COUNT] = {
    [LOOK_COMPUTE]  = {"compute", STYLE_COMPUTE, {0x2588, '#'}, {0x2022, '*'},
                       "#0072b2", "", "", CIRCLE, false},
    [LOOK_MEMORY]   = {"memory", STYLE_MEMORY, {0x2592, ':'}, {0x25B2, 'm'},
                       "#d55e00", "10,4", "M-2,2L2,-2M0,8L8,0M6,10L10,6", UPWARDS, false},
    [LOOK_OVERHEAD] = {"overhead", STYLE_NORMAL, {0x2591, '%'}, {0x25AA, 'h'},
                       "#555555", "3,3", "M0,4H8M4,0V8", SQUARE, false},
    [LOOK_LINK]     = {"link", STYLE_GOOD, {0x2550, '='}, {0x25C6, '='},
                       "#009e73", "12,4,2,4", "M0,2H8M0,6H8", DIAMOND, false},
    [LOOK_READOUT]  = {"readout", STYLE_NORMAL, {0x2593, 'r'}, {0x25BC, 'r'},
                       "#aa4488", "6,3", "M2,0V8M6,0V8", DOWNWARDS, false},
    [LOOK_WAIT]     = {"wait", STYLE_DIM, {0x00B7, '.'}, {0x25E6, '.'},
                       "#999999", "1,4", "M3,4H5", CIRCLE, true},
    [LOOK_CRITICAL] = {"critical path", STYLE_TITLE, {0x2580, '^'}, {0x25A0, '^'},
                       "#000000", "", "M0,0L8,8M8,0L0,8", SQUARE, false},
    [LOOK_CRITICAL_WAIT] = {"waits on the critical path", STYLE_TITLE, {0x25AB, 'o'}, {0x25A1, 'o'},
                       "#000000", "1,3", "M1,4H4M5,0V3", SQUARE, true},
    [LOOK_OTHER]    = {"other", STYLE_DIM, {0x2500, '-'}, {0x25CB, '-'},
                       "#aaaaaa", "2,3", "M0,4H8", CIRCLE, true},
    [LOOK_CURRENT]  = {"current", STYLE_TITLE, {0x2592, '@'}, {0x25CF, '@'},
                       "#000000", "14,4", "", CIRCLE, false},
    [LOOK_BEST]     = {"best", STYLE_GOOD, {0x2593, '!'}, {0x25C6, '!'},
                       "#007a5a", "8,3,2,3", "M0,8L8,0M-2,2L2,-2M6,10L10,6", STAR, false},
    [LOOK_TARGET]   = {"target", STYLE_WARNING, {0x00D7, 'T'}, {0x00D7, 'T'},
                       "#b03000", "9,5", "M0,0L8,8", CROSS, false},
    [LOOK_CHANGE]   = {"change", STYLE_DIM, {0x00A6, '|'}, {0x25C7, '|'},
                       "#777777", "2,4", "M4,0V8", DIAMOND, true},

    [LOOK_FIRST]     = {"1", STYLE_COMPUTE, {0x2588, '#'}, {0x2022, '*'},
                        "#0072b2", "", "", CIRCLE, false},
    [LOOK_FIRST + 1] = {"2", STYLE_MEMORY, {0x2592, ':'}, {0x25B2, '+'},
                        "#d55e00", "10,4", "M-2,2L2,-2M0,8L8,0M6,10L10,6", UPWARDS, false},
    [LOOK_FIRST + 2] = {"3", STYLE_GOOD, {0x2591, '%'}, {0x25A0, 'x'},
                        "#009e73", "3,3", "M0,2H8M0,6H8", SQUARE, false},
    [LOOK_FIRST + 3] = {"4", STYLE_NORMAL, {0x2593, '='}, {0x25C7, 'o'},
                        "#aa4488", "12,4,2,4", "M2,0V8M6,0V8", DIAMOND, true},
    [LOOK_FIRST + 4] = {"5", STYLE_WARNING, {0x259A, '$'}, {0x25BC, '~'},
                        "#b07800", "6,3", "M0,4H8M4,0V8", DOWNWARDS, false},
    [LOOK_FIRST + 5] = {"6", STYLE_DIM, {0x25A4, '&'}, {0x25CB, '&'},
                        "#777777", "2,3", "M3,4H5", CIRCLE, true},
    [LOOK_FIRST + 6] = {"7", STYLE_TITLE, {0x25A5, '?'}, {0x00D7, '%'},
                        "#000000", "14,3,3,3,3,3", "M0,0L8,8M8,0L0,8", CROSS, false},
    [LOOK_FIRST + 7] = {"8", STYLE_GHOST, {0x25A6, ','}, {0x25A1, ','},
                        "#56a0d0", "1,3", "M0,0L8,8", PLUS, true},

    [LOOK_BACK]      = {"a", STYLE_DIM, {0x2500, '-'}, {0x25CB, '-'},
                        "#aaaaaa", "2,3", "M0,4H8", CIRCLE, true},
    [LOOK_BACK + 1]  = {"b", STYLE_DIM, {0x2500, '-'}, {0x25B3, '_'},
                        "#aaaaaa", "8,2", "M0,4H8", UPWARDS, true},
    [LOOK_BACK + 2]  = {"c", STYLE_DIM, {0x2500, '-'}, {0x25BD, '`'},
                        "#aaaaaa", "5,2,1,2", "M0,4H8", DOWNWARDS, true},
    [LOOK_BACK + 3]  = {"d", STYLE_DIM, {0x2500, '-'}, {0x25B7, '/'},
                        "#aaaaaa", "1,2", "M0,4H8", RIGHTWARDS, true},
    [LOOK_BACK + 4]  = {"e", STYLE_DIM, {0x2500, '-'}, {0x25C1, ';'},
                        "#aaaaaa", "10,2,1,2,1,2", "M0,4H8", LEFTWARDS, true},
    [LOOK_BACK + 5]  = {"f", STYLE_DIM, {0x2500, '-'}, {0x25C7, '\''},
                        "#aaaaaa", "4,4", "M0,4H8", DIAMOND, true},
    [LOOK_BACK + 6]  = {"g", STYLE_DIM, {0x2500, '-'}, {0x25A1, '"'},
                        "#aaaaaa", "7,2,3,2", "M0,4H8", SQUARE, true},
};
/* clang-format on */

const struct look_sign look_rule_down = {0x2506, ':'};
const struct look_sign look_rule_across = {0x2508, '-'};

static const uint32_t unicode_shades[] = {0x00B7, 0x2591, 0x2592, 0x2593, 0x2588};
static const char ascii_shades[] = ".:-=+*#%@";

const struct look *look_of(enum chart_look look)
{
    return &looks[(int)look < LOOK_COUNT ? look : LOOK_OTHER];
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
