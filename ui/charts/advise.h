/* Bar chart of the largest gains from a single step of each knob. */
#ifndef AOLAG_CHARTS_ADVISE_H
#define AOLAG_CHARTS_ADVISE_H

#include <stddef.h>

#include "draw/chart.h"
#include "explore/advise.h"

#define CHART_ADVISE_ROWS 20

/* Initialises the chart. The advice must contain its steps. */
void chart_advise(struct chart *chart, const struct advise *advise);

/* Returns the largest gain of a step, s: the length of a full bar. */
double chart_advise_gain(const struct advise *advise);

/* Changes of a knob as text, in rows of advice. */

#define CHANGE_VALUE_MAX 1100
#define CHANGE_ARROW " \xE2\x86\x92 "

/* Writes a change between two values, a common unit only once, numbers with the digits of a
 * sentence: "5120 → 6016 bit". Values are cut as below. */
void change_text(const char *from, const char *to, char *text, size_t size);

/* Same for lists, abbreviated: "+ rtc" or "without gpu6" if one item is added or removed, "gpu0 ...
 * gpu6" for three or more items. Values are cut at CHANGE_VALUE_MAX - 1 bytes. */
void change_brief(const char *from, const char *to, char *text, size_t size);

/* Same for a step, devices by their models: "A100 80GB SXM4 → MI355X". */
#define ADVICE_CHANGE (STEP_FROM + VALUE_STEP_TEXT + 16)
void change_advised(const struct advise *advise, const struct advice *step, char *text,
                    size_t size);

#endif
