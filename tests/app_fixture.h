/* The explorer for tests: an AO preset on a canvas, keys by name. */
#ifndef AOLAG_APP_FIXTURE_H
#define AOLAG_APP_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/app.h"
#include "tui/app_state.h"
#include "tui/tree.h"

struct fixture {
    struct catalogue *catalogue;
    struct app *app;
    struct canvas canvas;
};

/* false, with a failed check, when it cannot start. Each opened fixture is closed. */
bool fixture_open(struct fixture *fixture, const char *system, int rows, int columns);
void fixture_close(struct fixture *fixture);

/* Calls `look` with each AO preset in turn, in a fresh directory, and closes it. */
void fixture_each_system(int rows, int columns,
                         void (*look)(struct fixture *fixture, const char *system));

/* Presses keys, names separated by blanks, drawing after each: "Right Down C-r". */
enum app_next fixture_press(struct fixture *fixture, const char *keys);
enum app_next fixture_key(struct fixture *fixture, uint32_t key);

/* Types text, a key for each character; and a line after ':', with Enter. */
void fixture_type(struct fixture *fixture, const char *text);
void fixture_command(struct fixture *fixture, const char *text);

void fixture_mouse(struct fixture *fixture, enum mouse_kind kind, int row, int column);

/* Waits for results of the work in the background and collects them. false: there were none in
 * ten seconds. */
bool fixture_take(struct fixture *fixture);

/* Until no work is left in the background; draws. */
bool fixture_wait(struct fixture *fixture);

/* The cursor on a knob. */
bool fixture_show(struct fixture *fixture, const char *path);

/* A knob's value as a file would hold it; valid until the next call. */
const char *fixture_value(struct fixture *fixture, const char *path);

/* Checks that the screen holds the text, or that it does not. */
bool fixture_shows(struct fixture *fixture, const char *text);
bool fixture_hides(struct fixture *fixture, const char *text);

/* Works in a fresh directory until fixture_leave, which removes it with what is in it. */
bool fixture_enter(void);
void fixture_leave(void);

/* The screen as text, the scenario as text; free() them. */
char *fixture_screen(struct fixture *fixture);
char *fixture_text(struct fixture *fixture);

#endif
