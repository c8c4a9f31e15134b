/* Paths of subjects: "component.recon.step.3.", without a key. Private to explain/. */
#ifndef AOLAG_EXPLAIN_PATH_H
#define AOLAG_EXPLAIN_PATH_H

#include "explain/subject.h"
#include "model/result_span.h"

extern const char *const explain_level_names[LEVEL_COUNT]; /* as in paths: "l1", "memory" */

/* Finds a subject that exists once: "scenario", "ao", "atmosphere", "loop". */
bool explain_single_find(const char *word, size_t length, struct explain_subject *subject);

/* Writes the path of a subject, with a final point; that of the design is empty. */
void explain_path_print(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size);

/* Reads the subject at the start of a path and advances the path. Returns false if unknown. */
bool explain_path_read(const struct explain *explain, const char **path,
                       struct explain_subject *subject);

/* Returns the two points of a subject of kind EXPLAIN_SPAN. */
struct result_span explain_span(struct explain_subject subject);

#endif
