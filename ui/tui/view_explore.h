/* The first view: knobs, the bars of every component, the loop. */
#ifndef AOLAG_TUI_VIEW_EXPLORE_H
#define AOLAG_TUI_VIEW_EXPLORE_H

#include <stdbool.h>

#include "design/knob.h"
#include "model/result.h"
#include "tui/action.h"
#include "tui/explore_jitter.h"
#include "tui/layout.h"
#include "tui/tree.h"

struct app;
struct view;
struct key_event;

struct explore {
    enum place pane; /* with the focus */
    struct tree tree;
    char node[NODE_NAME_MAX + 1]; /* the component under the cursor */
    bool unfolded;                /* nodes that are alike have a row each */
    int node_first;               /* row of the bars at the top of the pane */
    int loop_first, loop_rows;    /* lines of the loop: at the top, all */
    struct explore_jitter jitter; /* of the loop */
    bool logarithmic;             /* bars */
    struct explore_layout layout; /* as last drawn, for the mouse */
    struct tree_state found_from; /* folds and cursor before a search */
    enum place found_pane;
    const struct view *found_view;
    bool dragging;
    struct knob_ref drag;
    size_t drag_from; /* position of the history when the drag began */
};

/* The knob under the cursor; false on a heading. */
bool explore_knob(const struct app *app, struct knob_ref *ref);

/* The section under the cursor, in whichever pane. false: none. */
bool explore_section(const struct app *app, enum section *section, int *index);

/* Puts the cursor of the knobs there, unfolding; knob NULL: on the heading, at the top of the pane
 * so that the section's knobs can be seen. */
void explore_show(struct app *app, enum section section, int index, const struct knob *knob);

/* The same, and with `focus` the keys go there too, from whichever view. */
void explore_go(struct app *app, enum section section, int index, const struct knob *knob,
                bool focus);

/* A search: where it starts in this direction; what was on the screen, the view included, is kept
 * and comes back. */
struct knob_ref explore_search_from(const struct app *app, int by);
void explore_keep(struct app *app);
void explore_back(struct app *app);

/* The panes. */
void explore_draw_knobs(struct app *app, struct canvas *canvas, struct rect box);
void explore_draw_components(struct app *app, struct canvas *canvas, struct rect box);
void explore_draw_devices(struct app *app, struct canvas *canvas, struct rect box);
void explore_draw_loop(struct app *app, struct canvas *canvas, struct rect box);

/* The first line of the loop's pane. */
void explore_draw_latency(const struct app *app, struct canvas *canvas, struct rect line,
                          bool stale);

void explore_act_knobs(struct app *app, enum action_id id);
void explore_act_components(struct app *app, enum action_id id);
void explore_mouse_knobs(struct app *app, const struct key_event *event);
void explore_mouse_components(struct app *app, const struct key_event *event);

void explore_detail_knobs(struct app *app, struct canvas *canvas, struct rect line);
void explore_detail_components(struct app *app, struct canvas *canvas, struct rect line);

/* Rows the panes would like inside their boxes. */
int explore_component_rows(const struct app *app);
int explore_device_rows(const struct app *app);
int explore_loop_rows(const struct app *app);

/* The node under the cursor of the bars; -1: none. */
int explore_node(const struct app *app);

#endif
