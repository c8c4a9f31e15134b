/* The terminal: ncurses, signals, mouse. No other module calls curses. */
#ifndef AOLAG_TUI_TERMINAL_H
#define AOLAG_TUI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "draw/canvas.h"
#include "tui/keys.h"

struct terminal;

/* Reason why terminal_wait returned. */
enum terminal_event {
    TERMINAL_KEY,       /* `event` is filled */
    TERMINAL_RESIZE,    /* query terminal_size */
    TERMINAL_REDRAW,    /* resumed: draw everything again */
    TERMINAL_HANGUP,    /* SIGHUP, SIGTERM or the terminal is gone: save and quit */
    TERMINAL_INTERRUPT, /* SIGINT */
    TERMINAL_SHOWN,     /* the terminal has taken the frame that it had no room for */
    TERMINAL_WATCHED,   /* a watched file is readable or at its end */
    TERMINAL_TIMEOUT    /* nothing else happened */
};

/* Initialises the terminal. Returns STATUS_INVALID with a message if TERM is unset, dumb or cannot
 * address the cursor. Replaces an unknown TERM by xterm-256color or vt100, without colours,
 * reported in `notice` (at least 160 bytes, else empty). Every exit restores the terminal, fatal
 * signals too. Nothing waits for a terminal that takes no output: what it was still to display a
 * second after it is to be restored is dropped. */
enum status terminal_open(struct terminal **terminal, char *notice, size_t size,
                          struct error *error);
void terminal_close(struct terminal *terminal);

/* Opens the terminal of a descriptor again, for writes that do not wait. Returns -1 if it is not
 * that of a terminal or cannot be opened. */
int terminal_open_again(int file);

void terminal_size(const struct terminal *terminal, int *rows, int *columns);
bool terminal_unicode(const struct terminal *terminal);

/* Writes the cells that differ from those displayed, in one burst of output, but does not wait for
 * the terminal. Returns true if that has all of it. Else TERMINAL_SHOWN tells when; until then
 * nothing else is written, so show the screen of that time again. */
bool terminal_show(struct terminal *terminal, const struct canvas *canvas);

/* Marks the display as unknown, so that the next terminal_show writes everything. */
void terminal_redraw(struct terminal *terminal);

#define TERMINAL_FILES 2

/* Sets file descriptors for terminal_wait to watch, at most TERMINAL_FILES. */
void terminal_watch(struct terminal *terminal, const int *files, int count);

/* Blocks until the next event, at most for these milliseconds; -1: for ever. */
enum terminal_event terminal_wait(struct terminal *terminal, int milliseconds,
                                  struct key_event *event);

/* Returns true if another key is available, so that drawing can wait until after it. */
bool terminal_pending(const struct terminal *terminal);

/* Forgets the input that has arrived. */
void terminal_discard_input(struct terminal *terminal);

/* Stops the process as C-z does in a shell; returns when continued and initialised again. */
void terminal_suspend(struct terminal *terminal);

void terminal_mouse(struct terminal *terminal, bool on);

#endif
