/* The view of this machine: what was measured of it, in four pictures, each with its table. */
#ifndef AOLAG_VIEW_MACHINE_H
#define AOLAG_VIEW_MACHINE_H

#include <stdbool.h>
#include <stdio.h>

#include "canvas.h"
#include "job.h"
#include "layout.h"
#include "machine_figures.h"
#include "probe/measurement.h"

struct app;

enum picture_id { PICTURE_STAIRCASE, PICTURE_OPERATIONS, PICTURE_APEX, PICTURE_KERNELS, PICTURES };

struct machine_view {
    bool loaded; /* what was kept was looked for */
    struct measurement measurement;
    struct machine_figures *figures; /* what follows from it; NULL: nothing was measured */
    struct job *job;                 /* measures; NULL: nothing does */
    bool stopping;                   /* it was asked to stop */
    struct buffer output;            /* what it has printed so far, */
    size_t understood;               /* of which this much stands in `measurement` */
    struct machine_layout layout;    /* as last drawn, for the mouse */
    enum picture_id focus;
    bool table[PICTURES]; /* shown in place of the picture */
    int first[PICTURES];  /* row of its table at the top */
};

/* A picture: one row of the table in view_machine.c, one file. It is drawn or, where it is one of
 * words, printed in lines of at most `columns` cells; and it has a table of all its numbers, of 80
 * columns. */
struct picture {
    const char *title;
    enum measurement_part part; /* that it shows */
    void (*draw)(const struct machine_view *machine, struct canvas *canvas, struct rect inside);
    void (*brief)(const struct machine_view *machine, FILE *out, int columns); /* without `draw` */
    void (*table)(const struct machine_view *machine, FILE *out);
};

extern const struct picture picture_staircase;
extern const struct picture picture_operations;
extern const struct picture picture_apex;
extern const struct picture picture_kernels;

/* machine_run.c: measuring in a process of its own */
void machine_load(struct app *app);
void machine_end(struct app *app);
void act_measure(struct app *app, const char *argument);

#endif
