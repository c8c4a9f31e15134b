/* Views: ways to look at the design, each filling the screen between header and footer.
 *
 * A view is a row of the table in app.c, a row of the action table that bears its name, and files
 * of its own with its state. The state is in the app; every function gets it as its first argument.
 * It is zero before the first start and holds the host from then on. Only the first view, Explore,
 * has knobs: what puts the cursor on one goes there (host_show_knob). */
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
    enum section section;        /* an instance of it, by */
    int index;                   /* number; -1: none */
    char path[EXPLAIN_PATH_MAX]; /* of a knob or a result; empty: none */
};

struct view {
    const char *name;                             /* of its action */
    enum pane pane;                               /* of a view with one pane */
    enum pane (*focused_pane)(const void *state); /* that with the focus, of several */

    void (*start)(void *state, struct host *host); /* the design is another one */
    void (*free)(void *state);                     /* may be NULL, as the next two */
    void (*open)(void *state);    /* it is shown instead of another, or has started */
    void (*changed)(void *state); /* the design changed, or its structure */
    void (*draw)(void *state, struct canvas *canvas, struct rect body);
    void (*detail)(void *state, struct canvas *canvas, struct rect line);
    /* `argument` is what followed the word of the ':' line; NULL: a key was pressed. */
    void (*act)(void *state, enum action_id id, const char *argument);
    void (*mouse)(void *state, const struct key_event *event);

    /* What it does in the background, in a process or thread of its own. NULL: nothing. */
    int (*file)(const void *state);  /* to be waited for beside the bell; -1: none now */
    bool (*busy)(const void *state); /* results are still to come */
    void (*collect)(void *state);    /* takes over the results there are, without waiting */

    /* What it shows as a chart, for a file and as a table; initialises it. false: nothing yet.
     * NULL: it has no picture. */
    bool (*chart)(void *state, struct chart *chart);

    /* Its numbers as text, where that is better than point by point; only called where there
     * is a chart. NULL: those of the chart (chart_table). */
    void (*table)(const void *state, FILE *out, int columns);

    /* What is under its cursor, for what acts on the design: fills what there is into an empty one.
     * NULL: this view has no such cursor. */
    void (*cursor)(const void *state, struct view_cursor *cursor);
};

extern const struct view view_explore;
extern const struct view view_timeline;
extern const struct view view_roofline;
extern const struct view view_sweep;
extern const struct view view_compare;
extern const struct view view_advise;
extern const struct view view_machine;
extern const struct view view_detector;

#endif
