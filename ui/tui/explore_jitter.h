/* How late the command may be when times vary, for the Loop pane: frames run beside the screen
 * (explore/jitter.h), for the present design, while it is looked at. */
#ifndef AOLAG_TUI_EXPLORE_JITTER_H
#define AOLAG_TUI_EXPLORE_JITTER_H

#include "design/scenario.h"
#include "draw/canvas.h"
#include "model/jitter.h"
#include "tui/worker.h"

struct explore;
struct jitter_job;

struct explore_jitter {
    struct worker worker;
    struct jitter_job *job; /* the worker's while it runs */
    long design;            /* counts those there were */
    long tried;             /* the last that a run came to its end for */
    long of;                /* the one the figures are of; 0: there are none */
    struct jitter shown;
};

/* What there is to say. */
enum jitter_state {
    JITTER_NONE,    /* no time varies, or the design is invalid */
    JITTER_PENDING, /* no figures yet */
    JITTER_STALE,   /* of an earlier design */
    JITTER_CURRENT
};

/* Called when the pane is drawn: starts a run where the figures are not of this design. */
enum jitter_state explore_jitter_state(struct explore *explore);

/* The design is another one, or changed. */
void explore_jitter_start(struct explore *explore);
void explore_jitter_changed(struct explore *explore);
void explore_jitter_free(struct explore *explore);

/* As a view's hooks. */
bool explore_jitter_busy(const void *state);
void explore_jitter_take(void *state);

/* For running text: "p99 15.2 µs", "p99.9 15.3 µs", "late 0", the frames that miss the target.
 * Stale figures have an ellipsis behind the first word; those that are still to come are one. */
enum { JITTER_WORDS = 3, JITTER_WORD_BYTES = 64 };
void explore_jitter_words(const struct explore *explore, enum jitter_state state,
                          char words[JITTER_WORDS][JITTER_WORD_BYTES]);

/* Draws the figures in the first row of `rect` and the histogram in what is below. */
void explore_jitter_draw(const struct explore *explore, struct canvas *canvas, struct rect rect,
                         enum jitter_state state, enum style style);

#endif
