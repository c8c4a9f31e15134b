/* A line on a terminal that shows the progress of long work. */
#ifndef AOLAG_DRAW_PROGRESS_LINE_H
#define AOLAG_DRAW_PROGRESS_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* Line that is redrawn, at most every 0.1 s. */
struct progress_line {
    FILE *out;    /* NULL: not a terminal */
    int shown;    /* cells shown */
    double began; /* s */
    double drawn; /* time of the last redraw, s */
};

/* Returns a line on `out`, or an inactive one if that is not a terminal or not `wanted`. */
struct progress_line progress_line_to(FILE *out, bool wanted);

/* Returns the seconds since progress_line_to. */
double progress_line_age(const struct progress_line *line);

void progress_line_draw(struct progress_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void progress_line_clear(struct progress_line *line);

#endif
