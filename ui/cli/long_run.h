/* Long-running commands: a signal ends them without loss, and a line on the terminal shows their
 * progress.
 *
 * The first SIGINT, SIGTERM or SIGHUP is noted, the second ends the process; what was ignored stays
 * ignored. A reader that has gone (SIGPIPE) makes writing fail instead. One piece of work at a
 * time. */
#ifndef AOLAG_CLI_LONG_RUN_H
#define AOLAG_CLI_LONG_RUN_H

#include <stdbool.h>
#include <stdio.h>

void long_run_open(void);
void long_run_close(void);

/* The signal that came since long_run_open; 0: none. */
int long_run_signal(void);

/* A line that is redrawn, at most every 0.1 s. */
struct progress_line {
    FILE *out;    /* NULL: no terminal */
    int shown;    /* cells of it */
    double began; /* s */
    double drawn; /* s, the last time */
};

/* None where `out` is no terminal or not `wanted`. */
struct progress_line progress_line_to(FILE *out, bool wanted);

/* s since it was made. */
double progress_line_age(const struct progress_line *line);

void progress_line_draw(struct progress_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void progress_line_clear(struct progress_line *line);

#endif
