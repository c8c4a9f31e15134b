/* A command of this very program that runs in the background, in a process of its own. What it
 * prints comes through a pipe, its error messages are kept, it has no input, and the signals of the
 * terminal do not reach it. */
#ifndef AOLAG_TUI_JOB_H
#define AOLAG_TUI_JOB_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/status.h"

struct job;

/* Starts `PROGRAM ARGUMENTS...` (up to NULL). It ends with this process, however that dies, where
 * the system can do that (Linux). */
enum status job_start(struct job **job, const char *program, const char *const *arguments,
                      struct error *error);

/* What to wait for until there is more to read. */
int job_file(const struct job *job);

/* Appends what it has printed, without waiting for more. false: it has ended, and all is read. */
bool job_read(struct job *job, struct buffer *output);

/* The last line on its standard error so far; empty: none. */
void job_last_message(const struct job *job, char *text, size_t size);

/* Asks it to stop, as C-c does; what it still prints is to be read. */
void job_stop(const struct job *job);

/* Frees it. Where it still runs it gets SIGTERM and may end in its own time, to keep what it has.
 * false: it had failed, and `complaint` is its last error message, or how it ended. */
bool job_close(struct job *job, char *complaint, size_t size);

#endif
