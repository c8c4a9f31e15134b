/* Long work for a command that a signal ends without loss.
 *
 * The first SIGINT, SIGTERM or SIGHUP is noted, the second ends the process; what was ignored stays
 * ignored. A reader that has gone (SIGPIPE) makes writing fail instead. One piece of work at a
 * time. */
#ifndef AOLAG_REPORT_INTERRUPT_H
#define AOLAG_REPORT_INTERRUPT_H

void interrupt_open(void);
void interrupt_close(void);

/* The signal that came since interrupt_open; 0: none. */
int interrupt_signal(void);

#endif
