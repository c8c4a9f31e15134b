/* Derivation of results: the formula of any quantity and, recursively, of its inputs down to knobs.
 *
 * The tree is built lazily. A node is one quantity of an evaluated design; its children are the
 * quantities named in its formula, in order of appearance, then the knobs that select the formula
 * without appearing in it (for example the precision that sets the bytes of a number). Node values
 * come from the model, never from evaluating the formulas; the tests check that both agree. The
 * rules are tables (rules.h).
 *
 * A quantity can have several parents; callers must remember which ones they have shown. */
#ifndef AOLAG_EXPLAIN_EXPLAIN_H
#define AOLAG_EXPLAIN_EXPLAIN_H

#include "design/knob.h"
#include "model/expression.h"
#include "explain/subject.h"

#define EXPLAIN_PATH_MAX 416     /* room for two points of a latency */
#define EXPLAIN_SOURCE_MAX 1024  /* formula as written in a rule */
#define EXPLAIN_FORMULA_MAX 4096 /* formula with full names */
#define EXPLAIN_CHOSEN_MAX 1024  /* names of the knobs that select a formula */

enum explain_origin {
    EXPLAIN_SET,       /* set in the scenario */
    EXPLAIN_STATED,    /* given by the device's preset */
    EXPLAIN_ASSUMED,   /* default */
    EXPLAIN_MEASURED,  /* marked as measured in the device's preset or the scenario */
    EXPLAIN_FITTED,    /* marked as fitted there */
    EXPLAIN_AUTOMATIC, /* automatic knob, derived from other values */
    EXPLAIN_DERIVED,
    EXPLAIN_COUNTED, /* counted from the geometry of pupil and detector */
    EXPLAIN_SIMULATED
};

struct explain_rule;

struct explain_node {
    char path[EXPLAIN_PATH_MAX];       /* "component.recon.memory_time" */
    char name[EXPLAIN_PATH_MAX];       /* name in the parent's formula; empty at the root */
    char formula[EXPLAIN_FORMULA_MAX]; /* formula over the children's names; empty for a leaf */
    char source[EXPLAIN_SOURCE_MAX];   /* the formula as written in the rule */
    char chosen[EXPLAIN_CHOSEN_MAX];   /* knobs that select the formula or, of a leaf, the value */
    double value;                      /* SI; number of a choice; RESULT_NONE if there is none */
    const char *unit;                  /* display unit, which implies the dimension */
    const char *help;                  /* one line, or NULL */
    enum explain_origin origin;
    struct knob_ref knob; /* knob.knob is NULL except for knobs */
    bool chooses;         /* selects the parent's formula without appearing in it */
    struct explain_subject subject;
    const char *key;
    const struct explain_rule *rule; /* NULL for knobs */
};

/* Returns "set", "stated", "assumed" and so on: the enumerator in lower case. */
const char *explain_origin_name(enum explain_origin origin);

/* Returns the SI unit of the value: "s", "B/s", "FLOP"; NULL if it has none. */
const char *explain_si_unit(const struct explain_node *node);

/* Finds the node of a path: a result, a knob, or any quantity named in a formula. Returns
 * STATUS_INVALID for an unknown path; the error suggests the closest match. */
enum status explain_find(const struct explain *explain, const char *path, struct explain_node *node,
                         struct error *error);

/* Writes the path of a result: row `row` of the table, element `index` of its scope. */
void explain_path(const struct explain *explain, const struct result_row *row, int index,
                  char *path, size_t size);

/* Returns true if the node has children: inputs of a formula, or knobs that select it. */
bool explain_is_made(const struct explain *explain, const struct explain_node *node);

/* Finds child `number` (from 0), selecting knobs last. Returns false after the last child. */
bool explain_child(const struct explain *explain, const struct explain_node *node, int number,
                   struct explain_node *child);

typedef void explain_visit(void *context, const struct explain_node *node);

/* Visits every quantity whose formula contains the knob or, with `chooses`, whose formula or value
 * is selected by it. Returns the number of visits. */
int explain_users(const struct explain *explain, const struct explain_node *knob, bool chooses,
                  explain_visit *visit, void *context);

/* Evaluates the node's formula with the values of its children. */
enum expression_outcome explain_recompute(const struct explain *explain,
                                          const struct explain_node *node, double *value);

#endif
