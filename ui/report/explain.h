/* Explanations as text or JSON: the tree below a node, with the inputs of each quantity once. */
#ifndef AOLAG_REPORT_EXPLAIN_H
#define AOLAG_REPORT_EXPLAIN_H

#include "explain/explain.h"
#include "report/record.h"

#define EXPLAIN_DEPTH_MAX 64
#define EXPLAIN_DEPTH_FITS (-1) /* text: as deep as fits a few lines, but at least 1; JSON: all */
#define EXPLAIN_COLUMNS 100
#define EXPLAIN_LINE_MAX (EXPLAIN_PATH_MAX + EXPLAIN_FORMULA_MAX + 700)

/* Headings of lists: quantities whose formula contains a knob, and whose formula it selects. */
#define EXPLAIN_NAMED "Used in the formulas of"
#define EXPLAIN_CHOOSES "Selects the formulas of"

/* Reports the tree below `root`, down to `depth` levels. Text: a line per quantity with its name,
 * value, formula and, unless it is derived, its origin; of many inputs with the same name only the
 * largest unless `all`, with which EXPLAIN_DEPTH_FITS is everything; a line whose inputs are left
 * out has its path and ends in "..."; for a knob the formulas that use it. JSON: objects with path,
 * name, value (SI), unit, formula, origin, help and children; if the children are elsewhere in the
 * document, "repeated" is true and they are omitted. `root` NULL: path and value of every result of
 * the design. */
void explain_report(struct record *record, const struct explain *explain,
                    const struct explain_node *root, int depth, bool all);

/* Returns a sentence about a knob that no formula uses. */
const char *explain_useless(const struct explain_node *knob);

/* Writes one line, "flop = 98 MFLOP = 2 * rows * columns": name, value, formula, the origin unless
 * derived, and the help text for a leaf or if `help`. */
void explain_line(const struct explain *explain, const struct explain_node *node, bool help,
                  bool unicode, char *line, size_t size);

/* Writes the value as text, with its unit, or as the name of the choice. */
void explain_value(const struct explain *explain, const struct explain_node *node, bool unicode,
                   char *text, size_t size);

#endif
