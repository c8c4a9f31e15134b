#include "report/markdown.h"

#include <string.h>

#include "draw/glyph.h"

void markdown_text(FILE *out, const char *text)
{
    uint32_t character;

    while ((character = glyph_decode(&text)) != 0) {
        char bytes[GLYPH_BYTES];

        if (character < ' ' || (character >= 0x7F && character < 0xA0))
            character = '?';
        if (character < 0x80 && strchr("\\`*_[]<>&|#~", (int)character) != NULL)
            fputc('\\', out);
        glyph_encode(character, bytes);
        fputs(bytes, out);
    }
}

static void print_row(const struct table *table, int first, FILE *out)
{
    for (int c = 0; c < table->columns; c++) {
        fputs(c == 0 ? "| " : " ", out);
        markdown_text(out, table->cells[first + c]);
        fputs(" |", out);
    }
    fputc('\n', out);
}

void markdown_table(const struct table *table, FILE *out)
{
    for (int i = 0; !table->failed && i + table->columns <= table->count; i += table->columns) {
        print_row(table, i, out);
        for (int c = 0; i == 0 && c < table->columns; c++)
            fprintf(out, "%s---%s|%s", c == 0 ? "|" : "", (table->right >> c & 1) != 0 ? ":" : "",
                    c == table->columns - 1 ? "\n" : "");
    }
}
