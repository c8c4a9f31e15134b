#include "draw/glyph.h"

#include <string.h>

#include "base/utf8.h"

#define REPLACEMENT 0xFFFDU

/* Characters that fill one cell on every terminal. Omitted: scripts with combining, joining,
 * right-to-left or double-width letters, and pictographs, whose width differs. */
/* clang-format off */
static const struct {
    uint32_t first, last;
} single[] = {
    {.first = 0x0020, .last = 0x007E},   /* ASCII */
    {.first = 0x00A0, .last = 0x00AC},   /* Latin 1 up to the soft hyphen */
    {.first = 0x00AE, .last = 0x02FF},   /* Latin, phonetic */
    {.first = 0x0370, .last = 0x0482},   /* Greek, Cyrillic */
    {.first = 0x048A, .last = 0x0588},   /* Cyrillic, Armenian */
    {.first = 0x10A0, .last = 0x10FF},   /* Georgian */
    {.first = 0x1D00, .last = 0x1DBF},   /* phonetic */
    {.first = 0x1E00, .last = 0x1FFF},   /* Latin, Greek */
    {.first = 0x2010, .last = 0x2027},   /* punctuation */
    {.first = 0x2030, .last = 0x205E},
    {.first = 0x2070, .last = 0x20BF},   /* superscripts, subscripts, currencies */
    {.first = 0x2100, .last = 0x2319},   /* letterlike, numbers, arrows, mathematics */
    {.first = 0x231C, .last = 0x2328},
    {.first = 0x2400, .last = 0x2426},   /* control pictures */
    {.first = 0x2460, .last = 0x25FC},   /* enclosed, boxes, blocks, geometric shapes */
    {.first = 0x270C, .last = 0x2727},   /* check marks */
    {.first = 0x27C0, .last = 0x2B1A},   /* mathematics, arrows, Braille */
    {.first = 0xFB00, .last = 0xFB06},   /* Latin ligatures */
    {.first = 0x1D400, .last = 0x1D7FF}, /* mathematical letters */
};

/* Sorted. Characters not listed have no similar ASCII character. */
static const struct {
    uint32_t first, last;
    char ascii;
} nearest[] = {
    {.first = 0x00A0, .last = 0x00A0, .ascii = ' '},  {.first = 0x00AB, .last = 0x00AB, .ascii = '<'},
    {.first = 0x00B0, .last = 0x00B0, .ascii = 'o'},  {.first = 0x00B1, .last = 0x00B1, .ascii = '+'},
    {.first = 0x00B2, .last = 0x00B2, .ascii = '2'},  {.first = 0x00B3, .last = 0x00B3, .ascii = '3'},
    {.first = 0x00B5, .last = 0x00B5, .ascii = 'u'},  {.first = 0x00B7, .last = 0x00B7, .ascii = '.'},
    {.first = 0x00B9, .last = 0x00B9, .ascii = '1'},  {.first = 0x00BB, .last = 0x00BB, .ascii = '>'},
    {.first = 0x00C0, .last = 0x00C6, .ascii = 'A'},  {.first = 0x00C7, .last = 0x00C7, .ascii = 'C'},
    {.first = 0x00C8, .last = 0x00CB, .ascii = 'E'},  {.first = 0x00CC, .last = 0x00CF, .ascii = 'I'},
    {.first = 0x00D0, .last = 0x00D0, .ascii = 'D'},  {.first = 0x00D1, .last = 0x00D1, .ascii = 'N'},
    {.first = 0x00D2, .last = 0x00D6, .ascii = 'O'},  {.first = 0x00D7, .last = 0x00D7, .ascii = 'x'},
    {.first = 0x00D8, .last = 0x00D8, .ascii = 'O'},  {.first = 0x00D9, .last = 0x00DC, .ascii = 'U'},
    {.first = 0x00DD, .last = 0x00DD, .ascii = 'Y'},  {.first = 0x00DF, .last = 0x00DF, .ascii = 's'},
    {.first = 0x00E0, .last = 0x00E6, .ascii = 'a'},  {.first = 0x00E7, .last = 0x00E7, .ascii = 'c'},
    {.first = 0x00E8, .last = 0x00EB, .ascii = 'e'},  {.first = 0x00EC, .last = 0x00EF, .ascii = 'i'},
    {.first = 0x00F0, .last = 0x00F0, .ascii = 'd'},  {.first = 0x00F1, .last = 0x00F1, .ascii = 'n'},
    {.first = 0x00F2, .last = 0x00F6, .ascii = 'o'},  {.first = 0x00F7, .last = 0x00F7, .ascii = ':'},
    {.first = 0x00F8, .last = 0x00F8, .ascii = 'o'},  {.first = 0x00F9, .last = 0x00FC, .ascii = 'u'},
    {.first = 0x00FD, .last = 0x00FD, .ascii = 'y'},  {.first = 0x00FF, .last = 0x00FF, .ascii = 'y'},
    {.first = 0x0394, .last = 0x0394, .ascii = 'D'},  {.first = 0x03A3, .last = 0x03A3, .ascii = 'S'},
    {.first = 0x03A9, .last = 0x03A9, .ascii = 'O'},  {.first = 0x03B1, .last = 0x03B1, .ascii = 'a'},
    {.first = 0x03B2, .last = 0x03B2, .ascii = 'b'},  {.first = 0x03B4, .last = 0x03B4, .ascii = 'd'},
    {.first = 0x03B5, .last = 0x03B5, .ascii = 'e'},  {.first = 0x03BB, .last = 0x03BB, .ascii = 'l'},
    {.first = 0x03BC, .last = 0x03BC, .ascii = 'u'},  {.first = 0x03C0, .last = 0x03C0, .ascii = 'p'},
    {.first = 0x03C3, .last = 0x03C3, .ascii = 's'},  {.first = 0x03C4, .last = 0x03C4, .ascii = 't'},
    {.first = 0x03C9, .last = 0x03C9, .ascii = 'w'},  {.first = 0x2010, .last = 0x2015, .ascii = '-'},
    {.first = 0x2018, .last = 0x2019, .ascii = '\''}, {.first = 0x201C, .last = 0x201D, .ascii = '"'},
    {.first = 0x2022, .last = 0x2022, .ascii = '*'},  {.first = 0x2026, .last = 0x2026, .ascii = '~'},
    {.first = 0x2032, .last = 0x2032, .ascii = '\''}, {.first = 0x2033, .last = 0x2033, .ascii = '"'},
    {.first = 0x2039, .last = 0x2039, .ascii = '<'},  {.first = 0x203A, .last = 0x203A, .ascii = '>'},
    {.first = 0x2044, .last = 0x2044, .ascii = '/'},  {.first = 0x2070, .last = 0x2070, .ascii = '0'},
    {.first = 0x2074, .last = 0x2074, .ascii = '4'},  {.first = 0x2075, .last = 0x2075, .ascii = '5'},
    {.first = 0x2076, .last = 0x2076, .ascii = '6'},  {.first = 0x2077, .last = 0x2077, .ascii = '7'},
    {.first = 0x2078, .last = 0x2078, .ascii = '8'},  {.first = 0x2079, .last = 0x2079, .ascii = '9'},
    {.first = 0x207B, .last = 0x207B, .ascii = '-'},  {.first = 0x2080, .last = 0x2080, .ascii = '0'},
    {.first = 0x2081, .last = 0x2081, .ascii = '1'},  {.first = 0x2082, .last = 0x2082, .ascii = '2'},
    {.first = 0x2190, .last = 0x2190, .ascii = '<'},  {.first = 0x2191, .last = 0x2191, .ascii = '^'},
    {.first = 0x2192, .last = 0x2192, .ascii = '>'},  {.first = 0x2193, .last = 0x2193, .ascii = 'v'},
    {.first = 0x2194, .last = 0x2194, .ascii = '-'},  {.first = 0x2195, .last = 0x2195, .ascii = '|'},
    {.first = 0x2212, .last = 0x2212, .ascii = '-'},  {.first = 0x2215, .last = 0x2215, .ascii = '/'},
    {.first = 0x2219, .last = 0x2219, .ascii = '.'},  {.first = 0x223C, .last = 0x223C, .ascii = '~'},
    {.first = 0x2248, .last = 0x2248, .ascii = '~'},  {.first = 0x2264, .last = 0x2264, .ascii = '<'},
    {.first = 0x2265, .last = 0x2265, .ascii = '>'},  {.first = 0x22C5, .last = 0x22C5, .ascii = '.'},
    {.first = 0x2500, .last = 0x2500, .ascii = '-'},  {.first = 0x2501, .last = 0x2501, .ascii = '='},
    {.first = 0x2502, .last = 0x2503, .ascii = '|'},  {.first = 0x2504, .last = 0x2505, .ascii = '-'},
    {.first = 0x2506, .last = 0x2507, .ascii = '|'},  {.first = 0x2508, .last = 0x2509, .ascii = '-'},
    {.first = 0x250A, .last = 0x250B, .ascii = '|'},  {.first = 0x250C, .last = 0x254B, .ascii = '+'},
    {.first = 0x254C, .last = 0x254D, .ascii = '-'},  {.first = 0x254E, .last = 0x254F, .ascii = '|'},
    {.first = 0x2550, .last = 0x2550, .ascii = '='},  {.first = 0x2551, .last = 0x2551, .ascii = '|'},
    {.first = 0x2552, .last = 0x2570, .ascii = '+'},  {.first = 0x2571, .last = 0x2571, .ascii = '/'},
    {.first = 0x2572, .last = 0x2572, .ascii = '\\'}, {.first = 0x2573, .last = 0x2573, .ascii = 'X'},
    {.first = 0x2574, .last = 0x2574, .ascii = '-'},  {.first = 0x2575, .last = 0x2575, .ascii = '|'},
    {.first = 0x2576, .last = 0x2576, .ascii = '-'},  {.first = 0x2577, .last = 0x2577, .ascii = '|'},
    {.first = 0x2578, .last = 0x2578, .ascii = '='},  {.first = 0x2579, .last = 0x2579, .ascii = '|'},
    {.first = 0x257A, .last = 0x257A, .ascii = '='},  {.first = 0x257B, .last = 0x257B, .ascii = '|'},
    {.first = 0x257C, .last = 0x257C, .ascii = '='},  {.first = 0x257D, .last = 0x257D, .ascii = '|'},
    {.first = 0x257E, .last = 0x257E, .ascii = '='},  {.first = 0x257F, .last = 0x257F, .ascii = '|'},
    {.first = 0x2580, .last = 0x2580, .ascii = '#'},  {.first = 0x2581, .last = 0x2583, .ascii = '_'},
    {.first = 0x2584, .last = 0x258B, .ascii = '#'},  {.first = 0x258C, .last = 0x258F, .ascii = '|'},
    {.first = 0x2590, .last = 0x2590, .ascii = '|'},  {.first = 0x2591, .last = 0x2591, .ascii = ':'},
    {.first = 0x2592, .last = 0x2592, .ascii = '%'},  {.first = 0x2593, .last = 0x2593, .ascii = '%'},
    {.first = 0x2594, .last = 0x2594, .ascii = '-'},  {.first = 0x2595, .last = 0x2595, .ascii = '|'},
    {.first = 0x2596, .last = 0x259F, .ascii = '#'},  {.first = 0x25A0, .last = 0x25A0, .ascii = '#'},
    {.first = 0x25A1, .last = 0x25A1, .ascii = 'o'},  {.first = 0x25B2, .last = 0x25B5, .ascii = '^'},
    {.first = 0x25B6, .last = 0x25BB, .ascii = '>'},  {.first = 0x25BC, .last = 0x25BF, .ascii = 'v'},
    {.first = 0x25C0, .last = 0x25C5, .ascii = '<'},  {.first = 0x25C6, .last = 0x25C6, .ascii = '@'},
    {.first = 0x25C7, .last = 0x25C7, .ascii = 'o'},  {.first = 0x25CB, .last = 0x25CB, .ascii = 'o'},
    {.first = 0x25CF, .last = 0x25CF, .ascii = 'o'},  {.first = 0x2713, .last = 0x2714, .ascii = 'v'},
    {.first = 0x2717, .last = 0x2718, .ascii = 'x'},
};
/* clang-format on */

uint32_t glyph_decode(const char **text)
{
    uint32_t character;
    size_t length;

    if (**text >= ' ' && **text <= '~') /* most are */
        return (uint32_t)*(*text)++;
    length = utf8_read(*text, strnlen(*text, GLYPH_BYTES - 1), &character);
    if (length == 0 && **text == '\0')
        return 0;
    *text += length > 0 ? length : 1;
    return length > 0 ? character : REPLACEMENT;
}

size_t glyph_encode(uint32_t character, char text[GLYPH_BYTES])
{
    static const unsigned lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;

    if (length == 1)
        text[0] = (char)character;
    for (size_t i = length - 1; length > 1 && i > 0; i--, character >>= 6)
        text[i] = (char)(0x80U | (character & 0x3FU));
    if (length > 1)
        text[0] = (char)(lead[length] | character);
    text[length] = '\0';
    return length;
}

bool glyph_single(uint32_t character)
{
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (character <= single[i].last)
            return character >= single[i].first;
    return false;
}

uint32_t glyph_ascii(uint32_t character)
{
    size_t low = 0;
    size_t high = sizeof nearest / sizeof nearest[0];

    if (character >= ' ' && character < 0x7F)
        return character;
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (character < nearest[middle].first)
            high = middle;
        else if (character > nearest[middle].last)
            low = middle + 1;
        else
            return (unsigned char)nearest[middle].ascii;
    }
    return '?';
}
