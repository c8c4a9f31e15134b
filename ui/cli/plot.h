/* Kinds of charts written by `aolag plot`. */
#ifndef AOLAG_CLI_PLOT_H
#define AOLAG_CLI_PLOT_H

#include "cli/source.h"
#include "draw/chart.h"

#define PLOT_KINDS_MAX 16
#define PLOT_OPERANDS_MAX 4 /* KIND, two knobs, DESIGN */

/* Inputs of a chart, and the chart. */
struct plotting {
    struct cli *cli;
    const struct arguments *arguments;
    struct opened_design design; /* evaluated, if the kind shows a design */
    struct chart chart;
};

struct plot_kind {
    const char *name, *help;
    const char *also; /* former name of it; NULL: none */
    int operands;     /* maximum number of its own operands after the kind */
    bool design;      /* shows a design, named by the next operand */
    bool knobs;       /* has P=VALUES operands before the scenario */
    bool headed;      /* heads itself, not with its design */
    const char *of;   /* what --of may name: words, DEVICE or SENSOR; NULL: it takes no --of */
    unsigned presets; /* all of these kinds (bit k for preset_kind k) are looked at */

    /* Initialises the chart; returns an exit status after reporting problems. */
    int (*build)(struct plotting *plotting);

    /* Prints its numbers; NULL: those of the chart (chart_table). */
    void (*table)(const struct plotting *plotting, FILE *out, int columns);
};

extern const struct plot_kind plot_kinds[];
extern const int plot_kind_count;

/* Returns the kind with a name, or NULL. */
const struct plot_kind *plot_kind_find(const char *name);

/* Heads the chart with the title and the latency of its design, if it is of one. */
void plot_head(struct plotting *plotting, bool design);

#endif
