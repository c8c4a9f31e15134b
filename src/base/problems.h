/* The problems of a scenario file: collected while it is read, shown together. */
#ifndef AOLAG_BASE_PROBLEMS_H
#define AOLAG_BASE_PROBLEMS_H

#include <stddef.h>

#include "base/status.h"

/* The most problems that are kept; one more entry says that there were too many. */
#define PROBLEMS_MAX 1000

struct problem {
    int line;                        /* from 1; 0: the file as a whole */
    char message[ERROR_MESSAGE_MAX]; /* without file and line */
};

/* Zero-initialised is empty. */
struct problems {
    struct problem *list;
    size_t count;
    size_t capacity;
};

void problems_free(struct problems *problems);

/* Adds a sentence; without memory the list stays as it is. */
void problems_add(struct problems *problems, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* By line; those of one line stay in the order they were found. */
void problems_sort(struct problems *problems);

/* The first problem as one sentence "FILE:LINE: ...", and how many more there are. */
void problems_summary(const struct problems *problems, const char *file, struct error *error);

#endif
