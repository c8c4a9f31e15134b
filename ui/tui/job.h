/* Background job: a command of this program in a separate process. Its output is read through a
 * pipe, its error messages are kept, its input is given at its start, and signals of the terminal
 * do not reach it. */
#ifndef AOLAG_TUI_JOB_H
#define AOLAG_TUI_JOB_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/status.h"

struct job;

struct job_input {
    char *bytes;
    size_t length;
    const char *beside; /* a file in whose folder it runs; NULL: where this process is */
};

/* Starts `PROGRAM ARGUMENTS...` (NULL-terminated); `input` may be NULL: none. On Linux the job ends
 * when this process dies. */
enum status job_start(struct job **job, const char *program, const char *const *arguments,
                      const struct job_input *input, struct error *error);

/* Returns the file descriptor that becomes readable when there is more output. */
int job_file(const struct job *job);

/* Appends the available output without blocking. Returns false if the job has ended and all is
 * read. */
bool job_read(struct job *job, struct buffer *output);

/* Copies the last line on the job's standard error so far; an empty text means none. */
void job_last_message(const struct job *job, char *text, size_t size);

/* Asks the job to stop, as C-c does; remaining output must still be read. */
void job_stop(const struct job *job);

/* Frees the job. A running job gets SIGTERM and may take its time to save its results. Returns
 * false if the job had failed; `complaint` is then its last error message or exit status. */
bool job_close(struct job *job, char *complaint, size_t size);

#endif
