/* The first view: knobs, the bars of every component, devices, the loop. Its files share this
 * header: view_explore.c has the knobs, explore_components.c the bars and devices, explore_loop.c
 * the loop. */
#ifndef AOLAG_TUI_VIEW_EXPLORE_H
#define AOLAG_TUI_VIEW_EXPLORE_H

#include <stdbool.h>

#include "design/knob.h"
#include "model/jitter.h"
#include "model/result.h"
#include "tui/action.h"
#include "tui/host.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/tree.h"
#include "tui/view.h"
#include "tui/worker.h"

struct jitter_job;

/* How late the command may be when times vary: frames are simulated in a thread (model/jitter.h)
 * for the present design while the Loop pane shows. */
struct explore_jitter {
    struct worker worker;
    struct jitter_job *job; /* the worker's while it runs */
    long design;            /* counts the designs */
    long tried;             /* the last that a run was completed for */
    long of;                /* the one the figures are of; 0: there are none */
    struct jitter shown;
};

struct explore {
    struct host *host;
    const struct design *design; /* the host's */
    enum pane pane;              /* with the focus */
    struct tree tree;
    char node[NODE_NAME_MAX + 1]; /* the component under the cursor */
    bool unfolded;                /* nodes that are alike have a row each */
    struct list_pane nodes;       /* all; the cursor is on one that has a row */
    struct list_pane loop;        /* lines */
    struct explore_jitter jitter;
    bool logarithmic;             /* bars */
    struct explore_layout layout; /* as last drawn, for the mouse */
    struct tree_state found_from; /* folds and cursor before a search */
    enum pane found_pane;
    struct knob_ref edited; /* a value is typed for it */
    bool dragging;
    struct knob_ref drag;
    size_t drag_from; /* position of the history when the drag began */
};

/* What is under the cursor, in whichever pane; the knob is always that of the tree. */
void explore_cursor(const void *state, struct view_cursor *cursor);

/* Puts the cursor of the knobs there, unfolding; knob NULL: on the heading, at the top of the pane
 * so that the section's knobs can be seen. `focus`: in this pane, the section unfolded. */
void explore_show(struct explore *explore, enum section section, int index, const struct knob *knob,
                  bool focus);

/* A search: where it starts in this direction (host_search_from); what is shown is kept and comes
 * back. */
struct knob_ref explore_search_from(const struct explore *explore, int by);
void explore_keep(struct explore *explore);
void explore_back(struct explore *explore);

/* Components and devices. */
void explore_draw_components(struct explore *explore, struct canvas *canvas, struct rect box);
void explore_draw_devices(struct explore *explore, struct canvas *canvas, struct rect box);
void explore_detail_components(struct explore *explore, struct canvas *canvas, struct rect line);
void explore_act_components(struct explore *explore, enum action_id id);
void explore_mouse_components(struct explore *explore, const struct key_event *event);

/* The node under the cursor of the bars; -1: none. */
int explore_node(const struct explore *explore);

/* The loop. */
void explore_draw_loop(struct explore *explore, struct canvas *canvas, struct rect box);

/* All that is overloaded, in words that take at most `rows` rows of `columns` cells where that can
 * be: all of them at length or in short, else the largest and how many more there are. Empty when
 * there is none. */
void explore_overload_words(const struct scenario *scenario, const struct result *result, int rows,
                            int columns, char *text, size_t size);

/* The figures of jitter: the design is another one, or changed; and as a view's hooks. */
void explore_jitter_start(struct explore *explore);
void explore_jitter_changed(struct explore *explore);
void explore_jitter_free(struct explore *explore);
bool explore_jitter_busy(const void *state);
void explore_jitter_collect(void *state);

/* Rows the panes would like inside their boxes. */
int explore_component_rows(const struct explore *explore);
int explore_device_rows(const struct explore *explore);
int explore_loop_rows(const struct explore *explore);

#endif
