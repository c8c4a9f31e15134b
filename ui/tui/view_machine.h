/* The view of this machine: what was measured of it, in four pictures, each with its table. */
#ifndef AOLAG_TUI_VIEW_MACHINE_H
#define AOLAG_TUI_VIEW_MACHINE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buffer.h"
#include "charts/machine.h"
#include "draw/canvas.h"
#include "probe/measurement.h"
#include "tui/host.h"
#include "tui/job.h"
#include "tui/layout.h"
#include "tui/list_pane.h"

enum picture_id { PICTURE_STAIRCASE, PICTURE_OPERATIONS, PICTURE_APEX, PICTURE_KERNELS, PICTURES };

/* Points as a running program prints them, taken over line by line: each line is read once, however
 * long the text has become. Zero-initialised is before the first byte. */
struct machine_stream {
    struct buffer text; /* all that came, */
    size_t understood;  /* of which these bytes, whole lines, are taken over */
    size_t head,
        names; /* where the line that names the columns begins and ends; 0: not there yet */
    char condition[CONDITIONS][CONDITION_MAX]; /* of what comes; "" where not said */
    bool began[MEASUREMENT_PARTS];             /* points of the part have come */
    int points;                                /* that have come */
};

/* What measures, as far as its part is known: what it says when a part begins, and the clock. */
struct machine_progress {
    enum measurement_part part;
    double since; /* s, a clock's: when the part was first heard of; 0: none was yet */
    double about; /* s it should take; 0: not said */
};

/* The text of a picture of words, or of a table, as last made. */
struct machine_text {
    char *text; /* NULL: to be made */
    int columns;
    bool table;
};

struct machine_view {
    struct host *host;
    char cpu[CONDITION_MAX]; /* of this machine; empty: not to be compared */
    bool loaded;             /* what was kept was looked for */
    struct measurement measurement;
    struct machine_figures *figures; /* what follows from it; NULL: nothing was measured */
    struct job *job;                 /* measures; NULL: nothing does */
    bool stopping;                   /* it was asked to stop */
    struct machine_stream stream;    /* what it prints */
    struct machine_progress progress;
    double renewed, cost;         /* s: when the figures were last made, and what that took */
    struct machine_layout layout; /* as last drawn, for the mouse */
    enum picture_id focus;
    bool table[PICTURES];            /* shown in place of the picture */
    struct list_pane list[PICTURES]; /* lines of its text */
    struct machine_text text[PICTURES];
};

/* view_machine.c: the figures are others */
void machine_forget_texts(struct machine_view *machine);

/* machine_run.c: measuring in a process of its own */
void machine_progress_text(const struct machine_view *machine, char *text, size_t size);
void machine_load(struct machine_view *machine);
void machine_end(struct machine_view *machine);
int machine_file(const void *state);
bool machine_busy(const void *state);
void machine_collect(void *state);
void machine_toggle_measuring(struct machine_view *machine); /* starts or stops */
/* Reads which CPU this is, so that the screen says where figures are another one's. */
void machine_know(struct machine_view *machine);

#endif
