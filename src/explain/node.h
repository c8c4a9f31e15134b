/* Names in formulas: what they stand for, and how they are printed. For explain/. */
#ifndef AOLAG_EXPLAIN_NODE_H
#define AOLAG_EXPLAIN_NODE_H

#include "explain/rules.h"

/* What a name in a formula stands for. */
struct explain_meaning {
    struct explain_subject subject;          /* whose */
    const struct explain_relation *relation; /* of several: from `subject` */
    const char *key;
    size_t length;
    bool knob; /* the knob, whatever rule there is */
};

/* What a name stands for in a formula of the subject's; false when it has no such relative. */
bool explain_understand(const struct explain *explain, struct explain_subject subject,
                        const char *name, size_t length, struct explain_meaning *meaning);

/* A formula of a table as text: "->" of C becomes a point. */
void explain_copy_formula(const char *formula, char *text, size_t size);

/* The key of a meaning, as text of its own. */
void explain_key(const struct explain_meaning *meaning, char *key, size_t size);

/* A name as it is printed: with the path of a single relative, else as it stands. */
void explain_print_name(const struct explain *explain, struct explain_subject subject,
                        const char *name, size_t length, char *text, size_t size);

/* A rule's formula with its names as they are printed. */
void explain_print_formula(const struct explain *explain, struct explain_subject subject,
                           const char *source, char *text, size_t size);

/* A node of an explanation, made from the rule of its quantity, its knob or its result. For
 * explain/. */

/* All rules, in the order in which they are asked; a NULL past the last table. */
extern const struct explain_rule *const explain_tables[];

/* What the results of a scope belong to. */
extern const enum explain_kind explain_kinds[];

/* The rule in force, or NULL. */
const struct explain_rule *explain_find_rule(const struct explain *explain,
                                             struct explain_subject subject, const char *key);

/* Fills a node in but for its name, printed formula and choices: by the rule of the key, else the
 * knob (with `knob` that first), else the result of the subject or of the design. False: there is
 * no such. */
bool explain_resolve(const struct explain *explain, struct explain_subject subject, const char *key,
                     bool knob, struct explain_node *node);

/* The rest of it, but for the name. */
void explain_finish(const struct explain *explain, struct explain_node *node);

#endif
