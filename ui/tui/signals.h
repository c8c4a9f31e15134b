/* Signals of the live program. Those that ask for something are noted and wake the loop through a
 * pipe; those that end the program at once first give the terminal back. A signal that was ignored
 * when the program started stays ignored. One terminal, hence one of these, a process. */
#ifndef AOLAG_TUI_SIGNALS_H
#define AOLAG_TUI_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#define SIGNALS_RESTORE_MAX 256

/* Before newterm, which leaves alone what is handled already. false: no pipe or no memory. */
bool signals_open(void);

/* Puts back what was there before signals_open. */
void signals_close(void);

/* The file descriptor that becomes readable when a signal came. */
int signals_pipe(void);

/* Empties the pipe; to be called before signals_received. */
void signals_drain(void);

/* Whether this signal came since the last call for it: SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP
 * or SIGCONT. */
bool signals_received(int number);

/* Whether SIGTERM or SIGHUP came and was not asked for yet. */
bool signals_ending(void);

/* Dies of the SIGTERM or SIGHUP that was asked for last, so that the parent sees it; returns when
 * there was none. After signals_close. */
void signals_reraise(void);

/* What a fatal signal writes to `fd` (at most SIGNALS_RESTORE_MAX bytes, else cut) and the modes it
 * restores there. Until signals_disarm, and again after the next call. */
void signals_arm(int fd, const char *bytes, size_t count, const struct termios *modes);
void signals_disarm(void);

/* Stops this process, or all of its group as C-z would, with the action SIGTSTP had before
 * signals_open; returns when it goes on. false: it did not stop, because the signal is ignored or
 * there is no shell to go on with. */
bool signals_stop(bool group);

#endif
