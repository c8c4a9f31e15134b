/* What one step of each knob would gain, as bars: the best of them. */
#ifndef AOLAG_CHARTS_ADVISE_H
#define AOLAG_CHARTS_ADVISE_H

#include <stddef.h>

#include "draw/chart.h"
#include "explore/advise.h"

#define CHART_ADVISE_ROWS 20

/* Initialises the chart. The advice has its steps. */
void chart_advise(struct chart *chart, const struct advise *advise);

/* The largest gain of a step, s, that a full bar stands for. */
double chart_advise_gain(const struct advise *advise);

/* Changes of a knob as text, in rows of advice. */

#define CHANGE_VALUE_MAX 1100
#define CHANGE_ARROW " \xE2\x86\x92 "

/* "5120 â 6016 bit": from one value to another, a unit that both have once. */
void change_text(const char *from, const char *to, char *text, size_t size);

/* The same of lists in short: "+ rtc" and "without gpu6" where one item comes or goes, "gpu0 ...
 * gpu6" for three items or more. Values are cut at CHANGE_VALUE_MAX - 1 bytes. */
void change_brief(const char *from, const char *to, char *text, size_t size);

#endif
