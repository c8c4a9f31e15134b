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

/* Points that a running program prints, read line by line: each line is read once, however long the
 * text becomes. Zero-initialised is empty. */
struct machine_stream {
    struct buffer text; /* received so far */
    size_t understood;  /* of it, in whole lines, that were read */
    size_t head,
        names; /* where the line that names the columns begins and ends; 0: not there yet */
    char condition[CONDITIONS][CONDITION_MAX]; /* of the points; "": not stated */
    bool began[MEASUREMENT_PARTS];             /* points of the part were received */
    int points;                                /* received */
};

/* The part that is being measured, as the program announces it, and the time. */
struct machine_progress {
    enum measurement_part part;
    double since; /* s, of a clock: when the part began; 0: none has begun */
    double about; /* s it should take; 0: not known */
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
    struct machine_figures *figures; /* derived from it; NULL: nothing was measured */
    struct job *job;                 /* the program that measures; NULL: none */
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

/* view_machine.c: after the figures changed */
void machine_forget_texts(struct machine_view *machine);

/* machine_run.c: measuring in a process of its own */
void machine_progress_text(const struct machine_view *machine, char *text, size_t size);
void machine_load(struct machine_view *machine);
void machine_end(struct machine_view *machine);
int machine_file(const void *state);
bool machine_busy(const void *state);
void machine_collect(void *state);
void machine_toggle_measuring(struct machine_view *machine); /* starts or stops */
/* Reads which CPU this is, so that the screen can tell figures of another machine. */
void machine_know(struct machine_view *machine);

#endif
