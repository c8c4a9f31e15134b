/* The first view: verdict, knobs, component bars, devices, loop. This header is shared by
 * view_explore.c (view and knobs), explore_start.c (where the cursor begins), explore_verdict.c
 * (verdict), explore_components.c (bars and devices) and explore_loop.c (loop). */
#ifndef AOLAG_TUI_VIEW_EXPLORE_H
#define AOLAG_TUI_VIEW_EXPLORE_H

#include <stdbool.h>

#include "design/knob.h"
#include "explore/advise.h"
#include "explore/cliff.h"
#include "model/jitter.h"
#include "model/range.h"
#include "model/result.h"
#include "tui/action.h"
#include "tui/host.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/tree.h"
#include "tui/view.h"
#include "tui/widget.h"
#include "session/worker.h"

/* A step of advice (explore/advise.h) as shown: "MI325X" and "-188 us". */
struct next_step {
    char name[ADVICE_NAME];
    char gain[64];
    char watts[32]; /* ", +120 W"; empty if they stay or are unknown */
    struct knob_ref ref;
    char to[VALUE_STEP_TEXT];
    const char *algorithm; /* that a controller is set with; NULL: none */
    const char *caveat;    /* or NULL */
    struct rect cells;     /* as last drawn; empty: not drawn */
};

/* The next steps, which a thread finds after the range while the view is open, and once after
 * another design was loaded the knobs on which its latency depends most, whatever was changed
 * since. A design that is invalid when it is loaded counts as loaded with the change that makes it
 * valid.
 */
struct explore_next {
    struct answer answer; /* steps_answer */
    bool known;           /* the steps, of this design or an earlier one */
    struct next_step step[NEXT_HARDWARE + 1];
    int count, hardware; /* steps; those of hardware come first */
    int focus;
    const char *effect; /* what every step does, "gains 1 %" */
    double rate;        /* Hz, with which the design keeps up */
    bool has_loaded;    /* `loaded` is set */
    bool sensitive;     /* the most sensitive knobs are shown */
    struct scenario loaded;
};

struct timeline_view;

struct explore {
    struct host *host;
    struct timeline_view *timeline; /* drawn beside the knobs, if there is room */
    const struct design *design; /* points into the host */
    enum pane pane;              /* pane with the focus */
    struct tree tree;
    char node[NODE_NAME_MAX + 1]; /* component under the cursor; empty: what limits the design */
    bool unfolded;                /* identical nodes have a row each */
    struct list_pane nodes;       /* all nodes; the cursor is on one that has a row */
    struct list_pane loop;        /* lines of the loop */
    struct answer cliff;          /* of the knob under the cursor (cliff_answer) */
    struct explore_next next;
    bool logarithmic;             /* scale of the bars */
    struct explore_layout layout; /* as last drawn, for the mouse */
    struct tree_state found_from; /* folds and cursor before a search */
    enum pane found_pane;
    bool dragging;
    struct knob_ref drag;
};

/* Describes the cursor of the pane with the focus; the knob is always that of the tree. */
void explore_cursor(const void *state, struct view_cursor *cursor);

/* Moves the cursor of the knobs, unfolding the section. knob NULL: to the section's heading, at the
 * top of the pane so that its knobs are visible. `focus`: gives this pane the focus. */
void explore_show(struct explore *explore, enum section section, int index, const struct knob *knob,
                  bool focus);

/* Returns the device whose resource limits the design, of an overloaded one that of the largest
 * overload; -1: none. */
int explore_limiting_device(const struct design *design);

/* Lists the knobs of another design, the limiting device first, and puts the cursor on the knob of
 * that device that is the limit: of a computation the essential one on which the latency depends
 * most. */
void explore_start_tree(struct explore *explore);

/* Search support: explore_search_from is host_search_from; explore_keep saves folds and cursor,
 * explore_back restores them. */
struct knob_ref explore_search_from(const struct explore *explore, int by);
void explore_keep(struct explore *explore);
void explore_back(struct explore *explore);

/* Components and devices. */
void explore_draw_components(struct explore *explore, struct canvas *canvas, struct rect box);
void explore_draw_devices(struct explore *explore, struct canvas *canvas, struct rect box);
void explore_detail_components(struct explore *explore, struct canvas *canvas, struct rect line);
void explore_act_components(struct explore *explore, enum action_id id);
const char *explore_enter_component(const struct explore *explore); /* struct view */
void explore_mouse_components(struct explore *explore, const struct key_event *event);

/* Moves the cursor of the knobs to the device in a row of the screen, if there is one. */
void explore_press_device(struct explore *explore, int row);

/* Returns the node under the cursor of the bars; -1: none. */
int explore_node(const struct explore *explore);

/* Returns the range of the present design's latency; NULL while it is not known. */
const struct latency_range *explore_range(const struct explore *explore);

/* The latency, the critical path, what limits the design, and the next steps. */
void explore_draw_verdict(struct explore *explore, struct canvas *canvas,
                          const struct verdict_layout *layout);

/* Writes "ELT MICADO SCAO · my.ini [modified] · 500 Hz · 50 packets" in at most `columns`: packets and
 * rate give way first, then the middle of the title, then of the file's name, never the mark. */
#define DESIGN_TEXT (PATH_BYTES + TEXT_MAX_LENGTH + 64)
void explore_print_design(const struct design *design, int columns, char text[DESIGN_TEXT]);

/* Returns true if the verdict as last drawn has a box, whose title that is. */
bool explore_has_title(const struct explore *explore);

/* The latency and what limits the design, in one line of the other views. */
void explore_draw_verdict_line(struct explore *explore, struct canvas *canvas, struct rect row);

/* The next steps: their rows after `label` cells, the line below the view, keys, and the thread. */
void explore_draw_next(struct explore *explore, struct canvas *canvas, struct rect hardware,
                       struct rect software, int label);
void explore_detail_next(const struct explore *explore, struct canvas *canvas, struct rect line);
void explore_next_act(struct explore *explore, enum action_id id);
const char *explore_enter_next(const struct explore *explore); /* struct view */
void explore_next_press(struct explore *explore, const struct key_event *event);
void explore_next_changed(struct explore *explore);
void explore_collect(void *state); /* struct view */

/* The loop. */
void explore_draw_loop(struct explore *explore, struct canvas *canvas, struct rect box);

/* Describes all overloads in at most `rows` rows of `columns` cells if possible: all of them, in
 * full or abbreviated, else the largest and the number of others. Empty if there is none. */
void explore_overload_words(const struct scenario *scenario, const struct result *result, int rows,
                            int columns, char *text, size_t size);

/* Preferred number of rows inside each pane's box. */
int explore_component_rows(const struct explore *explore);
int explore_device_rows(const struct explore *explore);
int explore_loop_rows(const struct explore *explore);

#endif
