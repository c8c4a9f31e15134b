/* What of a design cannot keep up with its frames, in words. */
#ifndef AOLAG_TUI_EXPLORE_OVERLOAD_H
#define AOLAG_TUI_EXPLORE_OVERLOAD_H

#include <stddef.h>

#include "design/scenario.h"
#include "model/result.h"

/* All that is overloaded, in words that take at most `rows` rows of `columns` cells where that can
 * be: all of them at length or in short, else the largest and how many more there are. Empty when
 * there is none. */
void overload_words(const struct scenario *scenario, const struct result *result, int rows,
                    int columns, char *text, size_t size);

#endif
