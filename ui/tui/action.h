/* The action table: everything a person can do on the screen, once.
 *
 * Dispatch, the footer, the help, the words of the ':' line, the manual's key tables and
 * completion read this table; nothing else names a key or a command word. */
#ifndef AOLAG_TUI_ACTION_H
#define AOLAG_TUI_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What keys mean depends on the mode. In LIST and LINE every printable key is text. */
enum mode { MODE_NORMAL, MODE_LIST, MODE_LINE, MODE_COUNT };

/* Where in NORMAL mode: the panes of each view, and the overlays. */
enum pane {
    PANE_KNOBS,
    PANE_COMPONENTS,
    PANE_LOOP,
    PANE_TIMELINE,
    PANE_ROOFLINE,
    PANE_SWEEP,
    PANE_COMPARE,
    PANE_ADVISE,
    PANE_MACHINE,
    PANE_DETECTOR,
    PANE_PAGER,    /* help, output of commands */
    PANE_FORMULAS, /* what a number is made of */
    PANE_COUNT
};

/* The panes of all views. */
#define PANES_OF_VIEWS ((1U << PANE_PAGER) - 1)

/* What an action does: app.c has the functions of those that are the same everywhere; panes, lists
 * and lines do the others. */
enum action_id {
    ACTION_NONE,
    ACTION_UP,
    ACTION_DOWN,
    ACTION_LEFT,
    ACTION_RIGHT,
    ACTION_PAGE_UP,
    ACTION_PAGE_DOWN,
    ACTION_TEN_LEFT,
    ACTION_TEN_RIGHT,
    ACTION_START,
    ACTION_END,
    ACTION_ENTER,
    ACTION_NEXT_PANE,
    ACTION_PREVIOUS_PANE,
    ACTION_LOG,
    ACTION_TABLE,
    ACTION_VARIANT,
    ACTION_ZOOM_IN,
    ACTION_ZOOM_OUT,
    ACTION_PAN_LEFT,
    ACTION_PAN_RIGHT,
    ACTION_FIT,
    ACTION_PACKET_BACK,
    ACTION_PACKET_ON,
    ACTION_RANGE,
    ACTION_PREVIOUS_RESULT,
    ACTION_NEXT_RESULT,
    ACTION_COMPARE_WITH,
    ACTION_MEASURE,
    ACTION_PRESET,
    ACTION_SAVE,
    ACTION_SAVE_AS,
    ACTION_OPEN,
    ACTION_NEW,
    ACTION_RELOAD,
    ACTION_PICTURE,
    ACTION_SHOW_TABLE,
    ACTION_UNDO,
    ACTION_REDO,
    ACTION_BASELINE,
    ACTION_ADD,
    ACTION_REMOVE,
    ACTION_SET,
    ACTION_RESET,
    ACTION_COMMAND,
    ACTION_FIND,
    ACTION_NEXT_MATCH,
    ACTION_PREVIOUS_MATCH,
    ACTION_EXPLAIN,
    ACTION_REDRAW,
    ACTION_SUSPEND,
    ACTION_VIEW, /* opens the view of that name */
    ACTION_HELP,
    ACTION_QUIT,
    ACTION_CLOSE,
    ACTION_ACCEPT,
    ACTION_COMPLETE,
    ACTION_SORT,
    ACTION_SORT_BACK,
    ACTION_DELETE_LEFT,
    ACTION_DELETE_RIGHT,
    ACTION_DELETE_ALL,
    ACTION_COUNT
};

#define ACTION_KEYS 4

/* One row: an action in one mode. An action that several modes have takes a row for each, under
 * one name. */
struct action {
    enum action_id id;
    enum mode mode;
    unsigned panes;             /* bit k: enum pane k; all of them in LIST and LINE */
    uint32_t keys[ACTION_KEYS]; /* up to the first KEY_NONE */
    const char *name;           /* word of the ':' line (NORMAL mode) */
    const char *argument;       /* what the word takes: "[FILE]", "P=V..."; NULL: nothing */
    const char *footer;         /* label; neighbours of the same label share it; NULL: not there */
    const char *help;           /* one line, no final point */
};

extern const struct action actions[];
extern const int action_count;

const char *mode_name(enum mode mode); /* "normal" */
const char *pane_name(enum pane pane); /* "knobs" */

/* The action of a key, or NULL. */
const struct action *action_of_key(enum mode mode, enum pane pane, uint32_t key);

/* The action of a word of the ':' line, preferring one of this pane; or NULL. */
const struct action *action_named(enum pane pane, const char *name);

/* The keys as text, "Left h"; with `arrows` as arrows. */
void action_keys(const struct action *action, bool arrows, char *text, size_t size);

#endif
