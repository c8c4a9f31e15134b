#include "theme.h"

#include <stdlib.h>

#define DEFAULT (-1)

struct look {
    short foreground; /* DEFAULT: the terminal's own */
    attr_t attributes;
};

/* The background is always the terminal's own, so each colour must be legible on black and on
 * white. */

static const struct look without_colours[STYLE_COUNT] = {
    [STYLE_NORMAL] = {DEFAULT, A_NORMAL},  [STYLE_DIM] = {DEFAULT, A_DIM},
    [STYLE_TITLE] = {DEFAULT, A_BOLD},     [STYLE_BORDER] = {DEFAULT, A_DIM},
    [STYLE_FOCUS] = {DEFAULT, A_REVERSE},  [STYLE_SELECTED] = {DEFAULT, A_UNDERLINE},
    [STYLE_COMPUTE] = {DEFAULT, A_NORMAL}, [STYLE_MEMORY] = {DEFAULT, A_NORMAL},
    [STYLE_GHOST] = {DEFAULT, A_DIM},      [STYLE_GOOD] = {DEFAULT, A_NORMAL},
    [STYLE_WARNING] = {DEFAULT, A_BOLD},   [STYLE_ERROR] = {DEFAULT, A_BOLD | A_REVERSE},
    [STYLE_KEY] = {DEFAULT, A_BOLD},
};

/* In every common palette only red and magenta are legible on both, and green nearly. */
static const struct look of_8[STYLE_COUNT] = {
    [STYLE_NORMAL] = {DEFAULT, A_NORMAL},    [STYLE_DIM] = {DEFAULT, A_DIM},
    [STYLE_TITLE] = {DEFAULT, A_BOLD},       [STYLE_BORDER] = {DEFAULT, A_DIM},
    [STYLE_FOCUS] = {DEFAULT, A_REVERSE},    [STYLE_SELECTED] = {DEFAULT, A_UNDERLINE},
    [STYLE_COMPUTE] = {DEFAULT, A_NORMAL},   [STYLE_MEMORY] = {COLOR_MAGENTA, A_NORMAL},
    [STYLE_GHOST] = {DEFAULT, A_DIM},        [STYLE_GOOD] = {COLOR_GREEN, A_NORMAL},
    [STYLE_WARNING] = {COLOR_RED, A_NORMAL}, [STYLE_ERROR] = {COLOR_RED, A_BOLD | A_REVERSE},
    [STYLE_KEY] = {DEFAULT, A_BOLD},
};

/* With the contrast on black and on white, of which WCAG 2.1 asks 4.5 for text, 3 for bars and bold
 * letters. */
static const struct look of_256[STYLE_COUNT] = {
    [STYLE_NORMAL] = {DEFAULT, A_NORMAL},
    [STYLE_DIM] = {243, A_NORMAL}, /* #767676: 4.6 on black, 4.5 on white */
    [STYLE_TITLE] = {DEFAULT, A_BOLD},
    [STYLE_BORDER] = {243, A_NORMAL},
    [STYLE_FOCUS] = {DEFAULT, A_REVERSE},
    [STYLE_SELECTED] = {DEFAULT, A_UNDERLINE},
    [STYLE_COMPUTE] = {32, A_NORMAL}, /* #0087d7: 5.4, 3.9; beside orange also for */
    [STYLE_MEMORY] = {166, A_NORMAL}, /* #d75f00: 5.5, 3.8; the colour-blind */
    [STYLE_GHOST] = {245, A_NORMAL},  /* #8a8a8a: 6.1, 3.5 */
    [STYLE_GOOD] = {28, A_NORMAL},    /* #008700: 4.5, 4.7 */
    [STYLE_WARNING] = {130, A_BOLD},  /* #af5f00: 4.5, 4.7 */
    [STYLE_ERROR] = {160, A_BOLD},    /* #d70000: 3.9, 5.4 */
    [STYLE_KEY] = {DEFAULT, A_BOLD},
};

static const struct look *const looks[PALETTE_COUNT] = {
    [PALETTE_NONE] = without_colours,
    [PALETTE_8] = of_8,
    [PALETTE_256] = of_256,
};

static bool colours_refused(void)
{
    const char *value = getenv("NO_COLOR");

    return value != NULL && value[0] != '\0';
}

static enum palette palette_of_terminal(void)
{
    if (colours_refused() || !has_colors() || start_color() == ERR || use_default_colors() == ERR)
        return PALETTE_NONE;
    /* Between 8 and 256 the first 8 mean the same everywhere and the rest does not. */
    return COLORS >= 256 ? PALETTE_256 : COLORS >= 8 ? PALETTE_8 : PALETTE_NONE;
}

/* Styles of one colour share a pair: between them nothing need be sent. */
short theme_pair(enum palette palette, enum style style)
{
    int first = 0;

    while (looks[palette][first].foreground != looks[palette][style].foreground)
        first++;
    return looks[palette][style].foreground == DEFAULT ? (short)0 : (short)(first + 1);
}

enum palette theme_start(void)
{
    enum palette palette = palette_of_terminal();

    for (int i = 0; i < STYLE_COUNT && palette != PALETTE_NONE; i++)
        if (theme_pair(palette, (enum style)i) == i + 1)
            init_pair((short)(i + 1), looks[palette][i].foreground, DEFAULT);
    return palette;
}

attr_t theme_attributes(enum palette palette, enum style style)
{
    return looks[palette][style].attributes;
}
