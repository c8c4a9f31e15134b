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
    {0x0020, 0x007E},   /* ASCII */
    {0x00A0, 0x00AC},   /* Latin 1 up to the soft hyphen */
    {0x00AE, 0x02FF},   /* Latin, phonetic */
    {0x0370, 0x0482},   /* Greek, Cyrillic */
    {0x048A, 0x0588},   /* Cyrillic, Armenian */
    {0x10A0, 0x10FF},   /* Georgian */
    {0x1D00, 0x1DBF},   /* phonetic */
    {0x1E00, 0x1FFF},   /* Latin, Greek */
    {0x2010, 0x2027},   /* punctuation */
    {0x2030, 0x205E},
    {0x2070, 0x20BF},   /* superscripts, subscripts, currencies */
    {0x2100, 0x2319},   /* letterlike, numbers, arrows, mathematics */
    {0x231C, 0x2328},
    {0x2400, 0x2426},   /* control pictures */
    {0x2460, 0x25FC},   /* enclosed, boxes, blocks, geometric shapes */
    {0x270C, 0x2727},   /* check marks */
    {0x27C0, 0x2B1A},   /* mathematics, arrows, Braille */
    {0xFB00, 0xFB06},   /* Latin ligatures */
    {0x1D400, 0x1D7FF}, /* mathematical letters */
};

/* Sorted. Characters not listed have no similar ASCII character. */
static const struct {
    uint32_t first, last;
    char ascii;
} nearest[] = {
    {0x00A0, 0x00A0, ' '},  {0x00AB, 0x00AB, '<'},  {0x00B0, 0x00B0, 'o'},
    {0x00B1, 0x00B1, '+'},  {0x00B2, 0x00B2, '2'},  {0x00B3, 0x00B3, '3'},
    {0x00B5, 0x00B5, 'u'},  {0x00B7, 0x00B7, '.'},  {0x00B9, 0x00B9, '1'},
    {0x00BB, 0x00BB, '>'},  {0x00C0, 0x00C6, 'A'},  {0x00C7, 0x00C7, 'C'},
    {0x00C8, 0x00CB, 'E'},  {0x00CC, 0x00CF, 'I'},  {0x00D0, 0x00D0, 'D'},
    {0x00D1, 0x00D1, 'N'},  {0x00D2, 0x00D6, 'O'},  {0x00D7, 0x00D7, 'x'},
    {0x00D8, 0x00D8, 'O'},  {0x00D9, 0x00DC, 'U'},  {0x00DD, 0x00DD, 'Y'},
    {0x00DF, 0x00DF, 's'},  {0x00E0, 0x00E6, 'a'},  {0x00E7, 0x00E7, 'c'},
    {0x00E8, 0x00EB, 'e'},  {0x00EC, 0x00EF, 'i'},  {0x00F0, 0x00F0, 'd'},
    {0x00F1, 0x00F1, 'n'},  {0x00F2, 0x00F6, 'o'},  {0x00F7, 0x00F7, ':'},
    {0x00F8, 0x00F8, 'o'},  {0x00F9, 0x00FC, 'u'},  {0x00FD, 0x00FD, 'y'},
    {0x00FF, 0x00FF, 'y'},  {0x0394, 0x0394, 'D'},  {0x03A3, 0x03A3, 'S'},
    {0x03A9, 0x03A9, 'O'},  {0x03B1, 0x03B1, 'a'},  {0x03B2, 0x03B2, 'b'},
    {0x03B4, 0x03B4, 'd'},  {0x03B5, 0x03B5, 'e'},  {0x03BB, 0x03BB, 'l'},
    {0x03BC, 0x03BC, 'u'},  {0x03C0, 0x03C0, 'p'},  {0x03C3, 0x03C3, 's'},
    {0x03C4, 0x03C4, 't'},  {0x03C9, 0x03C9, 'w'},  {0x2010, 0x2015, '-'},
    {0x2018, 0x2019, '\''}, {0x201C, 0x201D, '"'},  {0x2022, 0x2022, '='},
    {0x2026, 0x2026, '~'},  {0x2032, 0x2032, '\''}, {0x2033, 0x2033, '"'},
    {0x2039, 0x2039, '<'},  {0x203A, 0x203A, '>'},  {0x2044, 0x2044, '/'},
    {0x2070, 0x2070, '0'},  {0x2074, 0x2074, '4'},  {0x2075, 0x2075, '5'},
    {0x2076, 0x2076, '6'},  {0x2077, 0x2077, '7'},  {0x2078, 0x2078, '8'},
    {0x2079, 0x2079, '9'},  {0x207B, 0x207B, '-'},  {0x2080, 0x2080, '0'},
    {0x2081, 0x2081, '1'},  {0x2082, 0x2082, '2'},  {0x2190, 0x2190, '<'},
    {0x2191, 0x2191, '^'},  {0x2192, 0x2192, '>'},  {0x2193, 0x2193, 'v'},
    {0x2194, 0x2194, '-'},  {0x2195, 0x2195, '|'},  {0x2212, 0x2212, '-'},
    {0x2215, 0x2215, '/'},  {0x2219, 0x2219, '.'},  {0x223C, 0x223C, '~'},
    {0x2248, 0x2248, '~'},  {0x2264, 0x2264, '<'},  {0x2265, 0x2265, '>'},
    {0x22C5, 0x22C5, '.'},  {0x2500, 0x2500, '-'},  {0x2501, 0x2501, '='},
    {0x2502, 0x2503, '|'},  {0x2504, 0x2505, '-'},  {0x2506, 0x2507, '|'},
    {0x2508, 0x2509, '-'},  {0x250A, 0x250B, '|'},  {0x250C, 0x254B, '+'},
    {0x254C, 0x254D, '-'},  {0x254E, 0x254F, '|'},  {0x2550, 0x2550, '='},
    {0x2551, 0x2551, '|'},  {0x2552, 0x2570, '+'},  {0x2571, 0x2571, '/'},
    {0x2572, 0x2572, '\\'}, {0x2573, 0x2573, 'X'},  {0x2574, 0x2574, '-'},
    {0x2575, 0x2575, '|'},  {0x2576, 0x2576, '-'},  {0x2577, 0x2577, '|'},
    {0x2578, 0x2578, '='},  {0x2579, 0x2579, '|'},  {0x257A, 0x257A, '='},
    {0x257B, 0x257B, '|'},  {0x257C, 0x257C, '='},  {0x257D, 0x257D, '|'},
    {0x257E, 0x257E, '='},  {0x257F, 0x257F, '|'},  {0x2580, 0x2580, '#'},
    {0x2581, 0x2583, '_'},  {0x2584, 0x258B, '#'},  {0x258C, 0x258F, '|'},
    {0x2590, 0x2590, '|'},  {0x2591, 0x2591, '.'},  {0x2592, 0x2592, ':'},
    {0x2593, 0x2593, '%'},  {0x2594, 0x2594, '-'},  {0x2595, 0x2595, '|'},
    {0x2596, 0x259F, '#'},  {0x25A0, 0x25A0, '#'},  {0x25A1, 0x25A1, 'o'},
    {0x25B2, 0x25B5, '^'},  {0x25B6, 0x25BB, '>'},  {0x25BC, 0x25BF, 'v'},
    {0x25C0, 0x25C5, '<'},  {0x25C6, 0x25C6, '*'},
    {0x25C7, 0x25C7, 'o'},  {0x25CB, 0x25CB, 'o'},
    {0x25CF, 0x25CF, 'o'},  {0x2713, 0x2714, 'v'},  {0x2717, 0x2718, 'x'},
};
/* clang-format on */

uint32_t glyph_decode(const char **text)
{
    uint32_t character;
    size_t length = utf8_read(*text, strnlen(*text, GLYPH_BYTES - 1), &character);

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
