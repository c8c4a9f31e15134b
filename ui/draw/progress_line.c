#include "draw/progress_line.h"

#include <stdarg.h>
#include <unistd.h>

#include "base/clock.h"

#define REDRAW 0.1 /* s */

struct progress_line progress_line_to(FILE *out, bool wanted)
{
    bool terminal = wanted && out != NULL && fileno(out) >= 0 && isatty(fileno(out)) != 0;

    return (struct progress_line){.out = terminal ? out : NULL, .began = clock_seconds()};
}

double progress_line_age(const struct progress_line *line)
{
    return clock_seconds() - line->began;
}

void progress_line_draw(struct progress_line *line, const char *format, ...)
{
    double now = clock_seconds();
    va_list list;
    int length;

    if (line->out == NULL || now - line->drawn < REDRAW)
        return;
    line->drawn = now;
    fputc('\r', line->out);
    va_start(list, format);
    length = vfprintf(line->out, format, list);
    va_end(list);
    if (length < line->shown)
        fprintf(line->out, "%*s", line->shown - length, "");
    else
        line->shown = length;
    fflush(line->out);
}

void progress_line_clear(struct progress_line *line)
{
    if (line->shown > 0) {
        fprintf(line->out, "\r%*s\r", line->shown, "");
        fflush(line->out);
    }
    line->shown = 0;
}
