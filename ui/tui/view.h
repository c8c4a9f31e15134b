/* Views: ways to look at the design, each filling the screen between header and footer.
 *
 * A view is a row of the table in views.c, a row of the action table that bears its name, a state
 * of its own beside the others in the app and a file. Only the first, Explore, has knobs: what puts
 * the cursor on one goes there. */
#ifndef AOLAG_TUI_VIEW_H
#define AOLAG_TUI_VIEW_H

#include <stdio.h>

#include "design/knob.h"
#include "draw/canvas.h"
#include "draw/chart.h"
#include "tui/action.h"
#include "tui/keys.h"

struct app;

struct view {
    const char *name;               /* of its action */
    void (*start)(struct app *app); /* the design is another one */
    void (*free)(struct app *app);
    void (*open)(struct app *app);              /* it comes in another's place; NULL: as it is */
    void (*changed)(struct app *app);           /* the design changed, or its structure */
    enum place (*place)(const struct app *app); /* the pane with the focus */
    void (*draw)(struct app *app, struct canvas *canvas, struct rect body);
    void (*detail)(struct app *app, struct canvas *canvas, struct rect line);
    void (*act)(struct app *app, enum action_id id);
    void (*mouse)(struct app *app, const struct key_event *event);

    /* What it does beside the screen, in a process or thread of its own. NULL: nothing. */
    int (*file)(const struct app *app);  /* to be waited for beside the bell; -1: none now */
    bool (*busy)(const struct app *app); /* something is still to come */
    void (*take)(struct app *app);       /* takes over what has come, without waiting */

    /* What it shows as a chart, for a file and as a table; initialises it. false: nothing yet.
     * NULL: it has no picture. */
    bool (*chart)(struct app *app, struct chart *chart);

    /* Its numbers as text, where they are told better than point by point; only called where there
     * is a chart. NULL: those of the chart (chart_table). */
    void (*table)(const struct app *app, FILE *out, int columns);

    /* The cursor of the view, for what acts on the design: the knob under it, the section it is in,
     * the path of a knob or a result; false: none. NULL: this view has no such cursor. */
    bool (*knob)(const struct app *app, struct knob_ref *ref);
    bool (*section)(const struct app *app, enum section *section, int *index);
    bool (*path)(const struct app *app, char *path, size_t size);
};

extern const struct view view_explore;
extern const struct view view_timeline;
extern const struct view view_roofline;
extern const struct view view_sweep;
extern const struct view view_compare;
extern const struct view view_advise;
extern const struct view view_machine;
extern const struct view view_detector;

void views_start(struct app *app);
void views_changed(struct app *app);
void views_free(struct app *app);

/* What all views together have to do beside the screen; see app.h. */
int views_watch(const struct app *app, int *files, int room);
bool views_busy(const struct app *app);
void views_take(struct app *app);

/* Opens the view of that name, with cursor and scroll as they were left. NULL: the first. */
void view_open(struct app *app, const char *name);

/* What is under the cursor of the open view. */
bool view_knob(const struct app *app, struct knob_ref *ref);
bool view_section(const struct app *app, enum section *section, int *index);
bool view_path(const struct app *app, char *path, size_t size);

#endif
