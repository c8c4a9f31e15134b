/* The kinds of charts that `aolag plot` writes. */
#ifndef AOLAG_CLI_PLOT_H
#define AOLAG_CLI_PLOT_H

#include "cli/source.h"
#include "draw/chart.h"

#define PLOT_KINDS_MAX 16
#define PLOT_WORDS_MAX 4 /* KIND, two knobs, SCENARIO */

/* What a chart is made from. */
struct plotting {
    struct cli *cli;
    const struct arguments *arguments;
    struct design design; /* evaluated, if the kind shows one */
    struct chart chart;
};

struct plot_kind {
    const char *name, *help;
    int words;   /* at most so many operands of its own after the kind */
    bool design; /* it shows a design, named by the next operand */
    bool knobs;  /* P=VALUES come before the scenario */

    /* Initialises the chart; returns an exit status after reporting problems. */
    int (*build)(struct plotting *plotting);
};

extern const struct plot_kind plot_kinds[];
extern const int plot_kind_count;

/* NULL: none of that name. */
const struct plot_kind *plot_kind_find(const char *name);

#endif
