#include "report/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "draw/canvas.h"
#include "draw/table.h"
#include "draw/text.h"

#define CELL_MAX 160
#define COLUMNS 80
#define LABEL_COLUMNS 16
#define FACT_MAX 600

struct report report_to(FILE *out)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    struct report plain = {out, locale_is_unicode(), "", "", "", ""};
    struct report colours = {out, plain.unicode, "\033[1m", "\033[32m", "\033[31m", "\033[0m"};
    bool dumb = term == NULL || strcmp(term, "dumb") == 0;
    bool unwanted = no_color != NULL && no_color[0] != '\0';

    return fileno(out) >= 0 && isatty(fileno(out)) && !dumb && !unwanted ? colours : plain;
}

/* Where a text that is wider than `room` is broken: behind the last comma or semicolon or before
 * the last parenthesis that leaves some, else at the last blank. 0: nowhere. */
static size_t find_break(const char *text, int room)
{
    size_t clause = 0;
    size_t blank = 0;
    int depth = 0;
    int column = 0;

    for (size_t i = 0; text[i] != '\0' && column <= room; i++) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (text[i] == ' ' && i > 0) {
            bool ends = text[i - 1] == ',' || text[i - 1] == ';' || text[i + 1] == '(';

            blank = i;
            clause = ends && depth == 0 ? i : clause;
        }
        column += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return clause > 0 ? clause : blank;
}

void report_line(const struct report *report, const char *style, const char *label,
                 const char *format, ...)
{
    char fact[FACT_MAX];
    const char *text = fact;
    va_list list;

    va_start(list, format);
    vsnprintf(fact, sizeof fact, format, list);
    va_end(list);
    fprintf(report->out, "%s%-*s%s  %s", report->bold, LABEL_COLUMNS, label, report->plain, style);
    for (;;) {
        int room = COLUMNS - LABEL_COLUMNS - 2;
        size_t length = text_width(text) > room ? find_break(text, room) : 0;

        if (length == 0)
            break;
        fprintf(report->out, "%.*s\n%*s", (int)length, text, LABEL_COLUMNS + 2, "");
        text += length + 1;
    }
    fprintf(report->out, "%s%s\n", text, style[0] != '\0' ? report->plain : "");
}

void report_quantity(const struct report *report, struct table *table, double si, const char *unit)
{
    char cell[CELL_MAX];

    text_quantity(si, unit, report->unicode, cell, sizeof cell);
    table_add(table, cell);
}

void report_table(const struct report *report, struct table *table)
{
    fputc('\n', report->out);
    table_print(table, report->out, COLUMNS, report->bold, report->plain);
    table_free(table);
}
