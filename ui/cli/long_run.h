/* Long-running commands: a signal stops them without loss of results, and a line on the terminal
 * shows their progress.
 *
 * The first SIGINT, SIGTERM or SIGHUP is recorded, the second terminates the process; ignored
 * signals stay ignored. SIGPIPE is ignored, so that writing to a closed pipe fails. Only one
 * command may use this at a time. */
#ifndef AOLAG_CLI_LONG_RUN_H
#define AOLAG_CLI_LONG_RUN_H

#include <stdbool.h>
#include <stdio.h>

void long_run_open(void);
void long_run_close(void);

/* Returns the signal received since long_run_open, or 0. */
int long_run_signal(void);

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
