/* The action table: the single definition of every user action.
 *
 * Dispatch, the footer, the help, the commands of the ':' line, the manual's key tables and shell
 * completion read this table; keys and command words are named nowhere else. */
#ifndef AOLAG_TUI_ACTION_H
#define AOLAG_TUI_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Input modes, which decide what keys mean. In LIST and LINE every printable key is text. */
enum mode { MODE_NORMAL, MODE_LIST, MODE_LINE, MODE_COUNT };

/* Contexts of NORMAL mode: the panes of each view, and the overlays. */
enum pane {
    PANE_KNOBS,
    PANE_COMPONENTS,
    PANE_LOOP,
    PANE_VERDICT,
    PANE_TIMELINE,
    PANE_ROOFLINE,
    PANE_SWEEP,
    PANE_COMPARE,
    PANE_ADVISE,
    PANE_SEARCH, /* of view 6, too */
    PANE_MACHINE,
    PANE_DETECTOR,
    PANE_CONTROL, /* of the loop view */
    PANE_PAGER,    /* help, output of commands */
    PANE_FORMULAS, /* explanation of a result */
    PANE_TOUR,     /* `:tour`, whose keys come before those of the pane with the focus */
    PANE_COUNT
};

/* Bits of the panes of all views. */
#define PANES_OF_VIEWS ((1U << PANE_PAGER) - 1)

/* Actions: app.c has the functions of those that are the same in every view; panes, lists and lines
 * handle the others. */
enum action_id {
    ACTION_NONE,
#define ACTION(name, ...) ACTION_##name,
#define ALSO(name, ...)
#include "tui/action.def"
    ACTION_COUNT
};

#define ACTION_KEYS 4

/* One row: an action in one mode. An action in several modes has a row for each, with the same
 * name. */
struct action {
    enum action_id id;
    enum mode mode;
    unsigned panes;             /* bit k: enum pane k; all set in LIST and LINE */
    uint32_t keys[ACTION_KEYS]; /* ends at the first KEY_NONE */
    const char *name;           /* command of the ':' line (NORMAL mode) */
    const char *argument;       /* arguments of the command: "[FILE]", "P=V..."; NULL: none */
    const char *footer; /* label; shared by neighbours with the same label; NULL: not shown */
    const char *help;   /* one line without a full stop */
};

extern const struct action actions[];
extern const int action_count;

const char *mode_name(enum mode mode); /* "normal" */
const char *pane_name(enum pane pane); /* "knobs" */

/* Returns the action bound to a key, or NULL. */
const struct action *action_of_key(enum mode mode, enum pane pane, uint32_t key);

/* Returns what replaces a key, or a named action (KEY_NONE), that a pane no longer has; or NULL.
 * `name` of a key: "". */
const char *action_instead(enum pane pane, uint32_t key, const char *name);

/* Returns the action of a command of the ':' line, preferring one of this pane; or NULL. */
const struct action *action_named(enum pane pane, const char *name);

/* Writes the keys as text, "Left h"; with `arrows` uses arrow symbols. */
void action_keys(const struct action *action, bool arrows, char *text, size_t size);

#endif
