/* Signal handling of the live program. Signals that request an action are recorded and wake the
 * main loop through a pipe; signals that end the program at once first restore the terminal. A
 * signal that was ignored when the program started stays ignored. The state is global: one terminal
 * per process. */
#ifndef AOLAG_TUI_SIGNALS_H
#define AOLAG_TUI_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#define SIGNALS_RESTORE_MAX 256

/* Call before newterm, which does not replace handlers that are installed already. Returns false if
 * there is no pipe or out of memory. */
bool signals_open(void);

/* Restores the signal actions from before signals_open. */
void signals_close(void);

/* Returns the file descriptor that becomes readable when a signal arrives. */
int signals_pipe(void);

/* Empties the pipe; call before signals_received. */
void signals_drain(void);

/* Returns true if this signal arrived since the last call for it: SIGWINCH, SIGTERM, SIGHUP,
 * SIGINT, SIGTSTP or SIGCONT. */
bool signals_received(int number);

/* Returns true if SIGTERM or SIGHUP arrived and was not queried yet. */
bool signals_ending(void);

/* Terminates the process with the SIGTERM or SIGHUP that was queried last, so that the parent sees
 * it; returns if there was none. Call after signals_close. */
void signals_reraise(void);

/* Sets the bytes that a fatal signal writes to `fd` (truncated to SIGNALS_RESTORE_MAX) and the
 * modes it restores there. Valid until signals_disarm or the next call. */
void signals_arm(int fd, const char *bytes, size_t count, const struct termios *modes);
void signals_disarm(void);

/* Stops this process, or its whole group as C-z does, with the action that SIGTSTP had before
 * signals_open; returns when continued. Returns false if it did not stop because the signal is
 * ignored or no shell could continue it. */
bool signals_stop(bool group);

#endif
