/* A node of an explanation, made from the rule of its quantity, its knob or its result. For
 * explain/. */
#ifndef AOLAG_EXPLAIN_NODE_H
#define AOLAG_EXPLAIN_NODE_H

#include "explain/name.h"

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
