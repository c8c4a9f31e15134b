/* Signal handling of the live program. Signals that request an action are recorded and wake the
 * main loop through a pipe; signals that end the program at once first restore the terminal. A
 * signal that was ignored at program start stays ignored. The state is global: one terminal per
 * process. */
#ifndef AOLAG_TUI_SIGNALS_H
#define AOLAG_TUI_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#define SIGNALS_RESTORE_MAX 256

/* Call before newterm, which keeps installed handlers. Returns false if there is no
 * pipe. */
bool signals_open(void);

/* Restores the signal actions from before signals_open. */
void signals_close(void);

/* Returns the file descriptor that becomes readable when a signal arrives. */
int signals_pipe(void);

/* Empties the pipe; call before signals_received. */
void signals_drain(void);

/* Returns true if this signal (SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP or SIGCONT) arrived since
 * the last call for it. */
bool signals_received(int number);

/* Returns true if SIGTERM or SIGHUP arrived and was not queried yet. */
bool signals_ending(void);

/* Terminates the process by the SIGTERM or SIGHUP queried last, for the parent to see; returns if
 * there was none. Call after signals_close. */
void signals_reraise(void);

/* Sets the bytes that a fatal signal writes to `fd` (truncated to SIGNALS_RESTORE_MAX) and the
 * modes it restores there. Valid until signals_disarm or the next call. */
void signals_arm(int fd, const char *bytes, size_t count, const struct termios *modes);
void signals_disarm(void);

/* Does to the terminal what a fatal signal does, unless it is disarmed, and disarms it. Where `fd`
 * does not wait and takes no output, what the terminal was to display before is dropped. */
void signals_give_back(void);

/* Until it is called with NULL, SIGSEGV writes the sentence to standard error, after what a fatal
 * signal does, and ends the process with status 1, and SIGTERM, SIGHUP and SIGINT end it at once:
 * for calls of a library that crashes where it has no memory, and waits for a terminal that takes
 * no output. */
void signals_explain(const char *sentence);

/* Stops this process, or its whole group as C-z does, with the action that SIGTSTP had before
 * signals_open; returns when continued. Returns false if it did not stop because the signal is
 * ignored or no shell could continue it. */
bool signals_stop(bool group);

#endif
