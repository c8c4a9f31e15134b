/* Where the numbers of a picture come from, for one that leaves the program. */
#ifndef AOLAG_CHARTS_SOURCE_H
#define AOLAG_CHARTS_SOURCE_H

#include "draw/chart.h"

/* Puts "aolag VERSION · TITLE" before the note. */
void chart_source(struct chart *chart, const char *title);

#endif
