/* Paths of subjects, as "component.recon.path.3.slopes.": everything before the key of a
 * quantity. For explain/. */
#ifndef AOLAG_EXPLAIN_PATH_H
#define AOLAG_EXPLAIN_PATH_H

#include "explain/subject.h"

/* What there is one of: "scenario", "ao", "atmosphere", "loop". */
bool explain_single_find(const char *word, size_t length, struct explain_subject *subject);

/* Writes the path of a subject, with a final point; that of the design is empty. Reads the subject
 * off the front of a path; false: there is no such subject. */
void explain_path_print(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size);
bool explain_path_read(const struct explain *explain, const char **path,
                       struct explain_subject *subject);

#endif
