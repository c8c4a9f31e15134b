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
    double start_peak;  /* B, most resident memory until all was computed */
    struct session_keys step, move;
    double held; /* s of the processor per second while a key repeats 12 times a second */
    double
        steps; /* s from a change of the design to its next steps in view 1, median; 0: not known */
    /* s from a change of the design to the last byte of what is computed of it, median */
    double answer[3]; /* in views 1, 4 and 9 */
    double wakeups;   /* while nothing happened for 5 s */
    double peak;      /* B, most resident memory after all views */
};

/* Starts `program` with a system, moves a slider up and down (step), then the cursor (move), holds
 * a key, undoes and redoes a change, opens each view, and ends it. 0, or -1 with errno. */
int session_measure(const char *program, const char *system, int rows, int columns,
                    struct session_figures *figures);

#endif
