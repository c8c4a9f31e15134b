/* The real program on a pseudo-terminal. */
#ifndef AOLAG_SESSION_H
#define AOLAG_SESSION_H

#include <stddef.h>

struct session_keys {
    double seconds; /* from a key to the last byte of its frame, median */
    double bytes;   /* written for it, median */
    double most;    /* and most */
};

struct session_figures {
    double first_frame; /* s from the start to the last byte of the first frame */
    struct session_keys step, move;
    double wakeups;  /* while nothing happened for SESSION_IDLE */
    double resident; /* B */
};

#define SESSION_IDLE 5 /* s */

/* Starts `program` with micado-scao, moves a slider up and down (step), then the cursor (move), and
 * ends it. 0, or -1 with errno. */
int session_measure(const char *program, int rows, int columns, struct session_figures *figures);

#endif
