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

/* Work of which such a line tells after a second how much is done: "34 % of the frames". Context of
 * a progress that a signal stops. */
struct shown_work {
    struct progress_line line;
    const char *of; /* "of the frames" */
};

bool shown_work_report(void *context, double done);

/* Like long_run_close, for work that nobody needs a part of: clears the line, and a signal ends the
 * process as if nothing had caught it. */
void shown_work_end(struct shown_work *work);

#endif
