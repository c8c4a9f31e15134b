#include "svg.h"

#include <math.h>

#include "canvas.h"
#include "glyph.h"

#define CHARACTER 0.58 /* the mean width of a character, of the size of its type */

void svg_escape(FILE *out, const char *text)
{
    uint32_t character;

    while ((character = glyph_decode(&text)) != 0) {
        char bytes[GLYPH_BYTES];

        switch (character) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            if (character < ' ' || (character >= 0x7F && character < 0xA0) ||
                (character & 0xFFFE) == 0xFFFE)
                character = '?';
            glyph_encode(character, bytes);
            fputs(bytes, out);
        }
    }
}

void svg_text(FILE *out, double x, double y, const struct svg_type *type, const char *text)
{
    static const char *const anchor[] = {"start", "middle", "end"};

    if (text[0] == '\0')
        return;
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.3g\" fill=\"%s\" text-anchor=\"%s\"%s>",
            x, y, type->size, type->colour, anchor[type->anchor], type->more);
    svg_escape(out, text);
    fputs("</text>\n", out);
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *colour,
              double width, const char *dashes)
{
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"%.3g\"",
            x1, y1, x2, y2, colour, width);
    if (dashes[0] != '\0')
        fprintf(out, " stroke-dasharray=\"%s\"", dashes);
    fputs("/>\n", out);
}

/* To the digits that are written, so that what adjoins does in the file, too. */
static double rounded(double value)
{
    return round(100 * value) / 100;
}

void svg_rect(FILE *out, struct box box, const char *fill, const char *more)
{
    fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"%s/>\n",
            box.x, box.y, rounded(box.x + box.width) - rounded(box.x),
            rounded(box.y + box.height) - rounded(box.y), fill, more);
}

double svg_width(const char *text, double size)
{
    return CHARACTER * size * text_width(text);
}
