/* View of this machine: its measurement in five pictures, six with a GPU, each also available as a
 * table; and the design run on it, measured beside predicted. */
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

enum picture_id { PICTURE_STAIRCASE, PICTURE_OPERATIONS, PICTURE_APEX, PICTURE_KERNELS, PICTURE_DISPATCH, PICTURE_GPU, PICTURE_TRIAL, PICTURES };

/* Points printed by a running measurement. Each line is parsed once, however long the text becomes.
 * Zero-initialised is empty. */
struct machine_stream {
    struct buffer text;        /* received so far */
    size_t parsed;             /* bytes already parsed, in whole lines */
    size_t header, header_end; /* start and end of the line of column names; 0: not yet received */
    char condition[CONDITIONS][CONDITION_MAX]; /* of the points; "": not stated */
    bool began[MEASUREMENT_PARTS];             /* points of the part were received */
    int points;                                /* points received */
};

/* The part being measured, as announced by the program, and its time. */
struct machine_progress {
    enum measurement_part part;
    double began;    /* s, clock time when the part began; 0: none has begun */
    double expected; /* s, expected duration; 0: unknown */
};

/* Cached text of a picture made of words, or of a table. */
struct machine_text {
    char *text; /* NULL: outdated */
    int columns;
    bool table;
};

/* A run of the design, in a process of its own, and its report. */
struct machine_trial {
    struct job *job; /* NULL: none */
    bool stopping;
    bool calibrates;       /* the job calibrates the design with the run */
    bool measured;         /* the report is of a whole run, which the file has */
    unsigned long version; /* of the design */
    struct buffer made; /* the report so far */
    struct buffer calibrated; /* the calibrated design so far */
};

struct machine_view {
    struct host *host;
    char cpu[CONDITION_MAX]; /* of this machine; empty: unknown, not compared */
    bool loaded;             /* a saved measurement was searched for */
    struct error unread;     /* why that cannot be read; an empty message: it can, or there is none */
    struct measurement measurement;
    struct machine_figures *figures; /* derived from the measurement; NULL: nothing was measured */
    struct job *job;                 /* measuring process; NULL: none */
    bool stopping;                   /* the process was asked to stop */
    struct machine_stream stream;    /* output of the process */
    struct machine_trial trial;
    struct machine_progress progress;
    double updated, update_time;  /* s: last derivation of the figures, its duration */
    struct machine_layout layout; /* as last drawn, for the mouse */
    enum picture_id focus;
    bool table[PICTURES];            /* shows the table instead of the picture */
    struct list_pane list[PICTURES]; /* lines of the text */
    struct machine_text text[PICTURES];
};

/* view_machine.c: call after the figures changed */
void machine_forget_texts(struct machine_view *machine);

/* machine_run.c: measurement in a separate process */
void machine_progress_text(const struct machine_view *machine, char *text, size_t size);
void machine_load(struct machine_view *machine);
void machine_end(struct machine_view *machine);
int machine_file(const void *state);
bool machine_busy(const void *state);
void machine_collect(void *state);
void machine_toggle_measuring(struct machine_view *machine); /* starts or stops */
/* machine_design.c: the design, run in a separate process */
void machine_toggle_trial(struct machine_view *machine); /* starts or stops */
void machine_calibrate(struct machine_view *machine); /* with what the run has measured */
void machine_collect_trial(struct machine_view *machine);
void machine_end_trial(struct machine_view *machine);
/* Reads the CPU of this machine, so that the view can recognise figures of another machine. */
void machine_read_cpu(struct machine_view *machine);

#endif
