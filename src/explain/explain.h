/* Where a number comes from: the formula of any result, its inputs and theirs, down to the knobs.
 *
 * A tree that is made as it is walked: a node is one quantity of an evaluated design, its children
 * are the names in its formula, in order of appearance, and the knobs that chose the formula (the
 * precision behind the bytes of a number), which take no part in it. Values are the model's own,
 * never those of the formulas; that both agree is what the tests hold. The rules are tables
 * (rules.h).
 *
 * Quantities appear under several parents: walkers keep track of what they have shown. */
#ifndef AOLAG_EXPLAIN_EXPLAIN_H
#define AOLAG_EXPLAIN_EXPLAIN_H

#include "design/knob.h"
#include "explain/expression.h"
#include "explain/subject.h"

#define EXPLAIN_PATH_MAX 352     /* holds the names of two nodes */
#define EXPLAIN_SOURCE_MAX 1024  /* of a rule's formula */
#define EXPLAIN_FORMULA_MAX 4096 /* with its names in full */
#define EXPLAIN_CHOSEN_MAX 128   /* of the knobs that choose a formula */

enum explain_origin {
    EXPLAIN_SET,       /* the scenario states it */
    EXPLAIN_STATED,    /* the device's preset states it */
    EXPLAIN_ASSUMED,   /* a default */
    EXPLAIN_MEASURED,  /* the device's preset or the scenario tells so */
    EXPLAIN_FITTED,    /* likewise */
    EXPLAIN_AUTOMATIC, /* a knob left open, derived from other values */
    EXPLAIN_DERIVED,
    EXPLAIN_COUNTED, /* from the geometry of pupil and detector */
    EXPLAIN_SIMULATED
};

struct explain_rule;

struct explain_node {
    char path[EXPLAIN_PATH_MAX];       /* "component.recon.memory_time" */
    char name[EXPLAIN_PATH_MAX];       /* in the parent's formula; empty at the root */
    char formula[EXPLAIN_FORMULA_MAX]; /* of its children's names; empty: a leaf */
    char source[EXPLAIN_SOURCE_MAX];   /* the same as the rule has it */
    char chosen[EXPLAIN_CHOSEN_MAX];   /* names of the knobs that chose it, or a leaf's value */
    double value;                      /* SI; of a choice its number; RESULT_NONE: there is none */
    const char *unit;                  /* names the dimension */
    const char *help;                  /* one line, or NULL */
    enum explain_origin origin;
    struct knob_ref knob; /* knob.knob is NULL but for knobs */
    bool chooses;         /* it chose the parent's formula and takes no part in it */
    struct explain_subject subject;
    const char *key;
    const struct explain_rule *rule; /* NULL for knobs */
};

/* "set", "stated", "assumed", "measured", "fitted", "automatic", "derived", "counted", "simulated".
 */
const char *explain_origin_name(enum explain_origin origin);

/* The SI unit of the value: "s", "B/s", "FLOP"; NULL where it has none. */
const char *explain_si_unit(const struct explain_node *node);

/* The node of a path: a result, a knob, or any quantity a formula names. STATUS_INVALID names the
 * nearest one. */
enum status explain_find(const struct explain *explain, const char *path, struct explain_node *node,
                         struct error *error);

/* The path of a result: row `row` of the table, element `index` of its scope. */
void explain_path(const struct explain *explain, const struct result_row *row, int index,
                  char *path, size_t size);

/* Whether there are children: a formula, or a choice. */
bool explain_is_made(const struct explain *explain, const struct explain_node *node);

/* Child `number` (from 0), choices last; false when there are no more. */
bool explain_child(const struct explain *explain, const struct explain_node *node, int number,
                   struct explain_node *child);

typedef void explain_visit(void *context, const struct explain_node *node);

/* Visits every quantity whose formula names a knob or, with `chooses`, whose formula or value the
 * knob chooses; returns how many. */
int explain_users(const struct explain *explain, const struct explain_node *knob, bool chooses,
                  explain_visit *visit, void *context);

/* The value of the node's formula with its children's values. */
enum expression_outcome explain_recompute(const struct explain *explain,
                                          const struct explain_node *node, double *value);

#endif
