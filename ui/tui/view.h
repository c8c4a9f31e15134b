/* Views of the design, each filling the screen between header and footer.
 *
 * A view consists of a row of the table in app.c, a row of the action table with its name, and
 * source files with its state. The app holds the state, which every function gets as its first
 * argument; it is zero before the first start and then refers to the host. Only the first view,
 * Explore, has knobs: host_show_knob opens it. */
#ifndef AOLAG_TUI_VIEW_H
#define AOLAG_TUI_VIEW_H

#include <stdio.h>

#include "design/knob.h"
#include "draw/canvas.h"
#include "draw/chart.h"
#include "explain/explain.h"
#include "tui/action.h"
#include "tui/keys.h"

struct host;

struct view_cursor {
    struct knob_ref knob;        /* knob NULL: none */
    enum section section;        /* section under the cursor, and */
    int index;                   /* index of its instance; -1: none */
    char path[EXPLAIN_PATH_MAX]; /* path of a knob or result; empty: none */
};

struct view {
    const char *name;                             /* name of its action */
    enum pane pane;                               /* for a view with one pane */
    enum pane (*focused_pane)(const void *state); /* for several: the pane with the focus */

    void (*start)(void *state, struct host *host); /* another design was loaded */
    void (*free)(void *state);                     /* this and the next two may be NULL */
    void (*open)(void *state);                     /* called when shown, and after start */
    void (*changed)(void *state);                  /* values or structure of the design changed */
    void (*draw)(void *state, struct canvas *canvas, struct rect body);
    void (*detail)(void *state, struct canvas *canvas, struct rect line);
    /* `argument` is the rest of the ':' line; NULL: a key was pressed. */
    void (*act)(void *state, enum action_id id, const char *argument);
    void (*mouse)(void *state, const struct key_event *event);

    /* Background work in a process or thread. NULL: none. */
    int (*file)(const void *state);  /* to watch beside the bell; -1: none */
    bool (*busy)(const void *state); /* the process has more results */
    void (*collect)(void *state);    /* takes available results, without waiting */

    /* Initialises a chart of the view's contents, for a picture file and a table. Returns false if
     * there is no data yet. NULL: the view has no chart. */
    bool (*chart)(void *state, struct chart *chart);

    /* Writes its numbers as text, for views where a list of chart points would be worse; called
     * only if there is a chart. NULL: the chart's points (chart_table). */
    void (*table)(const void *state, FILE *out, int columns);

    /* Returns what Enter does where the cursor is, for the footer; NULL: nothing. The function NULL:
     * what the action table says. */
    const char *(*enter)(const void *state);

    /* Describes the position of the cursor for actions on the design; `cursor` is empty at the
     * call. NULL: the view has no such cursor. */
    void (*cursor)(const void *state, struct view_cursor *cursor);

    /* Puts the cursor on a knob that the view lists; returns false if it does not list it. NULL: it
     * lists none, and a knob is shown in Explore. */
    bool (*show)(void *state, struct knob_ref ref);
};

extern const struct view view_explore;
extern const struct view view_timeline;
extern const struct view view_roofline;
extern const struct view view_sweep;
extern const struct view view_compare;
extern const struct view view_advise;
extern const struct view view_machine;
extern const struct view view_detector;
extern const struct view view_loop;

#endif
