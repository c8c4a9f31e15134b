/* Explanations as text or JSON: the tree below a node, the inputs of each quantity once. */
#ifndef AOLAG_REPORT_EXPLAIN_H
#define AOLAG_REPORT_EXPLAIN_H

#include "explain/explain.h"
#include "report/record.h"

#define EXPLAIN_DEPTH_MAX 64
#define EXPLAIN_COLUMNS 100
#define EXPLAIN_LINE_MAX (EXPLAIN_PATH_MAX + EXPLAIN_FORMULA_MAX + 700)

/* Headings of the quantities whose formula contains a knob, and of those whose formula it selects.
 */
#define EXPLAIN_NAMED "Used in the formulas of"
#define EXPLAIN_CHOOSES "Selects the formulas of"

/* The tree below `root`, down to `depth` levels. Text: a line for each quantity with its name,
 * value, formula and, if it is not derived, its origin; of many inputs of one name only the first;
 * for a knob the formulas that use it. JSON: objects of path, name, value (SI), unit, formula,
 * origin, help and children; where the children stand elsewhere in the document, repeated is true
 * and there are none. `root` NULL: every result of the design, its path and value. */
void explain_report(struct record *record, const struct explain *explain,
                    const struct explain_node *root, int depth);

/* A sentence about a knob that no formula uses. */
const char *explain_useless(const struct explain_node *knob);

/* One line, "flop = 98 MFLOP = 2 * rows * columns": name, value, formula, origin if it is not
 * derived, and help for a leaf or if `help`. */
void explain_line(const struct explain *explain, const struct explain_node *node, bool help,
                  bool unicode, char *line, size_t size);

/* The value as text: with its unit, or the choice's name. */
void explain_value(const struct explain *explain, const struct explain_node *node, bool unicode,
                   char *text, size_t size);

#endif
