#include "draw/text.h"

#include <langinfo.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "draw/glyph.h"
#include "model/result.h"

bool locale_is_unicode(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void text_quantity(double si, const char *unit, bool unicode, char *to, size_t size)
{
    char *micro;

    if (si == RESULT_NONE) {
        snprintf(to, size, "-");
        return;
    }
    quantity_print(si, unit, to, size);
    micro = unicode ? strstr(to, " u") : NULL;
    if (micro != NULL && strlen(to) + 2 <= size) {
        memmove(micro + 3, micro + 2, strlen(micro + 2) + 1);
        memcpy(micro + 1, "\xC2\xB5", 2);
    }
}

void text_number(double value, char *to, size_t size)
{
    text_quantity(value, "", false, to, size);
}

void text_fill(FILE *out, const char *text, int column, int indent, int columns)
{
    bool first = true; /* of its line */

    while (*text != '\0') {
        int length = (int)strcspn(text, " ");

        if (!first && column + 1 + length > columns) {
            column = fprintf(out, "\n%*s", indent, "") - 1;
            first = true;
        }
        column += fprintf(out, "%s%.*s", first ? "" : " ", length, text);
        first = false;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}
