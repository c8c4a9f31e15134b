#include "draw/palette.h"

#include <string.h>

/* Of 8 colours only red and magenta are legible on both backgrounds in every common palette, green
 * nearly; the kinds of time, which have fills, need more. Blue and orange, of compute and memory,
 * differ also for the colour-blind; only memory is orange, yellow of 8 colours. Green is good and
 * nothing else. */
enum { TEXT = COLOUR_DEFAULT, RED = 1, GREEN = 2, YELLOW = 3, MAGENTA = 5, CYAN = 6 };

/* clang-format off */
static const struct style_look looks[STYLE_COUNT][PALETTE_COUNT] = {
    /* no colours, 8, 256, dark, light */
    [STYLE_NORMAL] = {{TEXT, 0}, {TEXT, 0}, {TEXT, 0}, {TEXT, 0}, {TEXT, 0}},
    [STYLE_DIM] = {{TEXT, LOOK_DIMMED}, {TEXT, LOOK_DIMMED}, {243, 0}, {246, 0}, {242, 0}},
    [STYLE_TITLE] = {{TEXT, LOOK_BOLD}, {TEXT, LOOK_BOLD}, {TEXT, LOOK_BOLD}, {TEXT, LOOK_BOLD},
                     {TEXT, LOOK_BOLD}},
    [STYLE_BORDER] = {{TEXT, LOOK_DIMMED}, {TEXT, LOOK_DIMMED}, {243, 0}, {244, 0}, {243, 0}},
    [STYLE_FOCUS] = {{TEXT, LOOK_REVERSED}, {TEXT, LOOK_REVERSED}, {TEXT, LOOK_REVERSED},
                     {TEXT, LOOK_REVERSED}, {TEXT, LOOK_REVERSED}},
    [STYLE_SELECTED] = {{TEXT, LOOK_UNDERLINED}, {TEXT, LOOK_UNDERLINED}, {TEXT, LOOK_UNDERLINED},
                        {TEXT, LOOK_UNDERLINED}, {TEXT, LOOK_UNDERLINED}},
    [STYLE_COMPUTE] = {{TEXT, 0}, {TEXT, 0}, {32, 0}, {39, 0}, {25, 0}},
    [STYLE_MEMORY] = {{TEXT, 0}, {YELLOW, 0}, {166, 0}, {208, 0}, {130, 0}},
    [STYLE_OVERHEAD] = {{TEXT, 0}, {MAGENTA, 0}, {170, 0}, {170, 0}, {127, 0}},
    [STYLE_LINK] = {{TEXT, 0}, {CYAN, 0}, {30, 0}, {37, 0}, {23, 0}},
    [STYLE_WAIT] = {{TEXT, LOOK_DIMMED}, {TEXT, LOOK_DIMMED}, {243, 0}, {246, 0}, {242, 0}},
    [STYLE_GHOST] = {{TEXT, LOOK_DIMMED}, {TEXT, LOOK_DIMMED}, {243, 0}, {246, 0}, {242, 0}},
    [STYLE_GOOD] = {{TEXT, 0}, {GREEN, 0}, {29, 0}, {71, 0}, {28, 0}},
    [STYLE_WARNING] = {{TEXT, LOOK_BOLD}, {RED, 0}, {100, LOOK_BOLD}, {178, LOOK_BOLD},
                       {58, LOOK_BOLD}},
    [STYLE_ERROR] = {{TEXT, LOOK_BOLD | LOOK_REVERSED}, {RED, LOOK_BOLD | LOOK_REVERSED},
                     {160, LOOK_BOLD}, {203, LOOK_BOLD}, {160, LOOK_BOLD}},
    [STYLE_KEY] = {{TEXT, LOOK_BOLD}, {TEXT, LOOK_BOLD}, {TEXT, LOOK_BOLD}, {TEXT, LOOK_BOLD},
                   {TEXT, LOOK_BOLD}},
};
/* clang-format on */

const struct style_look *palette_look(enum palette palette, enum style style)
{
    return &looks[style][palette];
}

enum style palette_style(enum palette palette, const struct cell *cell)
{
    static const char fills[] = "#%:=|";
    int colour = palette_look(palette, cell->style)->colour;
    bool text = cell->character < 0x2500 &&
                (cell->character >= 0x80 || strchr(fills, (int)cell->character) == NULL);

    return palette == PALETTE_8 && text && (colour == YELLOW || colour == CYAN)
               ? STYLE_NORMAL
               : (enum style)cell->style;
}

/* Level 0 to 5 of a side of the cube. */
static uint32_t cube_level(int level)
{
    return level == 0 ? 0 : (uint32_t)(55 + 40 * level);
}

uint32_t palette_rgb(int colour)
{
    uint32_t grey = (uint32_t)(8 + 10 * (colour - 232));

    if (colour >= 232)
        return grey << 16 | grey << 8 | grey;
    colour -= 16;
    return cube_level(colour / 36) << 16 | cube_level(colour / 6 % 6) << 8 | cube_level(colour % 6);
}

int palette_text(bool light)
{
    return light ? 234 : 254;
}

int palette_back(bool light)
{
    return light ? 231 : 233;
}
