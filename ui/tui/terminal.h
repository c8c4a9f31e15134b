/* The terminal: ncurses, signals, mouse. Only this module calls curses. */
#ifndef AOLAG_TUI_TERMINAL_H
#define AOLAG_TUI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "draw/canvas.h"
#include "tui/keys.h"

struct terminal;

/* What terminal_wait woke for. */
enum terminal_event {
    TERMINAL_KEY,       /* `event` is filled */
    TERMINAL_RESIZE,    /* ask terminal_size */
    TERMINAL_REDRAW,    /* resumed: show everything again */
    TERMINAL_HANGUP,    /* SIGHUP, SIGTERM or the terminal is gone: save and leave */
    TERMINAL_INTERRUPT, /* SIGINT */
    TERMINAL_WATCHED    /* a file that is watched has something to read, or its end */
};

/* Takes the terminal over. STATUS_INVALID with one sentence when TERM is unset, dumb or cannot
 * address the cursor; an unknown TERM falls back to xterm-256color, then vt100, and `notice`
 * (at least 160 bytes, may come back empty) says so. Restored on every exit, fatal signals too. */
enum status terminal_open(struct terminal **terminal, char *notice, size_t size,
                          struct error *error);
void terminal_close(struct terminal *terminal);

void terminal_size(const struct terminal *terminal, int *rows, int *columns);
bool terminal_unicode(const struct terminal *terminal);

/* Writes what differs from what is shown; one burst of output. */
void terminal_show(struct terminal *terminal, const struct canvas *canvas);

/* Forgets what is shown, so that the next show writes everything. */
void terminal_redraw(struct terminal *terminal);

#define TERMINAL_FILES 2

/* File descriptors that terminal_wait waits for as well, at most TERMINAL_FILES. */
void terminal_watch(struct terminal *terminal, const int *files, int count);

/* Waits, without using CPU, for the next event. */
enum terminal_event terminal_wait(struct terminal *terminal, struct key_event *event);

/* Whether a key is waiting already, so that showing can wait until after it. */
bool terminal_pending(const struct terminal *terminal);

/* Stops the process as C-z does in a shell; returns when continued, terminal taken over again. */
void terminal_suspend(struct terminal *terminal);

void terminal_mouse(struct terminal *terminal, bool on);

#endif
