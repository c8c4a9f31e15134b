/* Problems of a scenario file, collected while it is read and shown together. */
#ifndef AOLAG_BASE_PROBLEMS_H
#define AOLAG_BASE_PROBLEMS_H

#include <stddef.h>

#include "base/status.h"

/* Maximum number of problems kept; one more entry says that there were too many. */
#define PROBLEMS_MAX 1000

/* Line of a problem whose message names the file. */
#define PROBLEM_NAMES_FILE (-1)

struct problem {
    int line;                        /* from 1; 0: the whole file; PROBLEM_NAMES_FILE */
    char message[ERROR_MESSAGE_MAX]; /* without file and line */
};

/* A zero-initialised list is empty. */
struct problems {
    struct problem *list;
    size_t count;
    size_t capacity;
};

void problems_free(struct problems *problems);

/* Adds a problem. */
void problems_add(struct problems *problems, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds an error, of which a message "line 3: ..." is attributed to that line. */
void problems_add_error(struct problems *problems, const struct error *error);

/* Sorts by line; problems of the same line keep their order. */
void problems_sort(struct problems *problems);

/* Writes the first problem, of which there is one, as "FILE:LINE: ..." and the number of further
 * problems. */
void problems_summary(const struct problems *problems, const char *file, struct error *error);

#endif
