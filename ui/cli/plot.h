/* The kinds of pictures that `aolag plot` writes. */
#ifndef AOLAG_CLI_PLOT_H
#define AOLAG_CLI_PLOT_H

#include "cli/source.h"
#include "draw/chart.h"

#define PLOT_KINDS_MAX 16
#define PLOT_WORDS_MAX 4 /* KIND, two knobs, SCENARIO */

/* What a picture is made from. */
struct plotting {
    struct cli *cli;
    const struct arguments *arguments;
    struct design design; /* evaluated, where the kind wants it */
    struct chart chart;
};

struct plot_kind {
    const char *name, *help;
    int words;   /* of its own, at most, that follow the kind */
    bool design; /* of one, which is named behind them */
    bool knobs;  /* P=VALUES come before the scenario */

    /* Initialises the chart. An exit status; what is wrong was said. */
    int (*build)(struct plotting *plotting);
};

extern const struct plot_kind plot_kinds[];
extern const int plot_kind_count;

/* NULL: none of that name. */
const struct plot_kind *plot_kind_find(const char *name);

#endif
