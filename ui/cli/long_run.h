/* Long-running commands: a signal stops them without loss of results, and a line on the terminal
 * (draw/progress_line.h) shows their progress.
 *
 * The first SIGINT, SIGTERM or SIGHUP is recorded, the second terminates the process; ignored
 * signals stay ignored. SIGPIPE is ignored, so that writing to a closed pipe fails. Only one
 * command may use this at a time. Output in the meantime is written by long_run_write, as the first
 * signal does not end a write to a pipe that nobody reads. */
#ifndef AOLAG_CLI_LONG_RUN_H
#define AOLAG_CLI_LONG_RUN_H

#include <stddef.h>
#include <stdio.h>

#include "base/progress.h"
#include "draw/progress_line.h"

struct cli;

void long_run_open(void);
void long_run_close(void);

/* Ends the work before long_run_close: the next signal terminates the process, SIGPIPE stays
 * ignored. */
void long_run_end(void);

/* Writes and flushes whole lines, in pieces of at most PIPE_BUF or one line, each once the file
 * takes it. Returns the bytes of the lines that were written: fewer than `length` after a signal,
 * and with errno after a failure. */
size_t long_run_write(FILE *out, const char *text, size_t length);

/* Returns the signal received since long_run_open, or 0. */
int long_run_signal(void);

/* Work of a command, of which such a line tells after a second how much is done. On the `:` line of
 * the screen that line and signals belong to the screen, whose progress it has. */
struct shown_work {
    const struct progress *progress; /* for what does the work: stopped by a signal */
    struct progress own;
    struct progress_line line;
    const char *of;
    double done; /* as last reported */
};

/* Begins work; `of`: "of the frames", as in "34 % of the frames". */
void shown_work_begin(struct shown_work *work, const struct cli *cli, const char *of);

/* Ends work of which a part is of use. Returns the signal that stopped it, 0 if none did. */
int shown_work_keep(struct shown_work *work);

/* Ends work of which no part is of use: a signal ends the process as if nothing had caught it. */
void shown_work_end(struct shown_work *work);

#endif
