/* What a ranking of presets says. Part of rank. */
#ifndef AOLAG_REPORT_RANK_H
#define AOLAG_REPORT_RANK_H

#include <stdio.h>

#include "explore/rank.h"

/* What was asked, found and is to be printed. */
struct ranking {
    const struct scenario *scenario;
    const struct device *device;
    enum rank_order order;
    struct rank rank;
    struct error problem; /* of the present design */
    double latency;       /* of it, s */
    bool overloaded;
    const char *moved; /* the component an added device runs; NULL: it is the design's own */
    char own[400];     /* keys a preset clears */
    bool differ;       /* factors of uncertainty do: those of measured presets */
};

/* As text, in at most 80 columns. */
void rank_print_text(FILE *out, const struct ranking *ranking);

#endif
