/* The program on a terminal of its own: a pseudo-terminal whose other end is libvterm's emulator,
 * with a small shell in between that has job control, so that the program can be stopped, and that
 * reports what became of it.
 *
 * Functions that wait do so for check_patience(); when what they wait for does not come they
 * return false and print the screen as a TAP comment. */
#ifndef AOLAG_PTY_H
#define AOLAG_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

#include "check.h"

/* A system that is computed in little time, for what is started often. */
#define PTY_SMALL "flao"

struct pty_options {
    int rows, columns;
    const char *term;        /* NULL: not set */
    const char *environment; /* "NAME=VALUE" beside $TERM, or NULL */
    const char *file;        /* the program's operand, a literal if a preset, or NULL */
    const char *state;       /* $XDG_STATE_HOME; NULL: a directory of its own */
    const char *typed;       /* what is typed before the program starts, or NULL */
};

struct pty;

/* Starts $AOLAG; NULL, with a failed check, where it cannot. */
struct pty *pty_open(const struct pty_options *options);

/* The same, and it shows its screen. */
struct pty *pty_open_shown(const struct pty_options *options);

/* The same, and nothing on it will change but by keys: background work has ended. */
struct pty *pty_open_ready(const struct pty_options *options);

/* Ends the program, if it runs, and forgets it; NULL: nothing. */
void pty_close(struct pty *pty);

pid_t pty_program(const struct pty *pty);

/* What the user does. */
void pty_type(struct pty *pty, const char *text);
void pty_send(struct pty *pty, const char *bytes, size_t count);
void pty_resize(struct pty *pty, int rows, int columns);
void pty_hang_up(struct pty *pty);
void pty_continue(struct pty *pty, bool front); /* what the shell's `fg` or `bg` does */

/* What the terminal shows: rows ended by newlines, trailing blanks cut; valid until the next call
 * that takes `pty`. */
const char *pty_screen(struct pty *pty);
const char *pty_cursor_line(struct pty *pty);

bool pty_alternate(const struct pty *pty); /* the alternate screen */
bool pty_cursor_visible(const struct pty *pty);
bool pty_mouse(const struct pty *pty); /* asks for the mouse */

/* Every byte the program has written. */
const char *pty_bytes(const struct pty *pty, size_t *count);

struct termios pty_modes(const struct pty *pty);

/* Milliseconds on a clock that is never set. */
long pty_now(void);

/* Waiting. `holds` is asked whenever something has come, and many times a second. */
bool pty_wait(struct pty *pty, bool (*holds)(struct pty *pty, const void *data), const void *data,
              const char *what);
bool pty_shows(struct pty *pty, const char *text);
bool pty_is(struct pty *pty, const char *screen); /* the whole screen, and it rests */
bool pty_is_headless(struct pty *pty, const struct pty_options *options, const char *words);
bool pty_stops(struct pty *pty);
bool pty_ends(struct pty *pty, int *status);    /* as waitpid says */
bool pty_ends_by(struct pty *pty, int signal);  /* 0: with exit status 0 */
bool pty_writes(struct pty *pty, size_t count); /* more than that many bytes in all */

/* The terminal is as it was before the program: modes, main screen, no mouse, cursor on. */
bool pty_gives_back(struct pty *pty);

/* Takes in what the program writes until it has been silent for `milliseconds`. */
void pty_settle(struct pty *pty, int milliseconds);

/* Waits until the program sleeps, and takes in all it has written: a screen that is as expected may
 * still lack the end of its frame. */
bool pty_rests(struct pty *pty);

/* Types a text; returns how many bytes the program's next write to the terminal has. */
size_t pty_first_write(struct pty *pty, const char *text);

/* The terminal takes nothing in, as one whose connection hangs, until it is released or the program
 * has stopped or ended. */
void pty_hold(struct pty *pty, bool hold);

/* Waits until something comes and takes in at most so many bytes of it, also while the terminal is
 * held. */
bool pty_take(struct pty *pty, size_t most);

/* A new directory; to be freed. */
char *pty_directory(void);

/* What `aolag screen` prints of the last screen for these lines of --keys, for the same
 * size, environment and operand; to be freed. */
char *pty_headless(const struct pty_options *options, const char *words);

#endif
