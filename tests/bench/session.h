/* The real program on a pseudo-terminal. */
#ifndef AOLAG_SESSION_H
#define AOLAG_SESSION_H

#include <stddef.h>

struct session_figures {
    double first_frame; /* s from the start to the last byte of the first frame */
    double step;        /* s from a key to the last byte of its frame, median */
    size_t step_bytes;  /* written for it, most */
    double resident;    /* B */
};

/* Starts `program` at 120 x 36, moves one slider up and down, and quits. 0, or -1 with errno. */
int session_measure(const char *program, struct session_figures *figures);

#endif
