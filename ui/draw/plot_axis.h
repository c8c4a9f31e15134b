/* Where an axis has its ticks. For the plots. */
#ifndef AOLAG_PLOT_AXIS_H
#define AOLAG_PLOT_AXIS_H

#include "plot.h"

#define PLOT_TICKS_MAX 32
#define PLOT_LABEL_MAX 32

struct plot_ticks {
    double value[PLOT_TICKS_MAX];
    int count;
};

/* As many round values as have room: of an axis that goes up (labels a row apart) or along (labels
 * beside one another). */
void plot_ticks_up(const struct plot_axis *axis, int rows, struct plot_ticks *ticks);
void plot_ticks_along(const struct plot_axis *axis, int columns, struct plot_ticks *ticks);

#endif
