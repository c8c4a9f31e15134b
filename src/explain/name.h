/* Names in formulas: what they stand for, and how they are printed. For explain/. */
#ifndef AOLAG_EXPLAIN_NAME_H
#define AOLAG_EXPLAIN_NAME_H

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

/* The key of a meaning, as text of its own. */
void explain_key(const struct explain_meaning *meaning, char *key, size_t size);

/* A name as it is printed: with the path of a single relative, else as it stands. */
void explain_print_name(const struct explain *explain, struct explain_subject subject,
                        const char *name, size_t length, char *text, size_t size);

/* A rule's formula with its names as they are printed. */
void explain_print_formula(const struct explain *explain, struct explain_subject subject,
                           const char *source, char *text, size_t size);

#endif
