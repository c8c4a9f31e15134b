/* What a scenario was read from: the bytes of the file, where each key stands and how it is
 * spelled, so that saving changes only what changed. */
#ifndef AOLAG_DESIGN_DOCUMENT_H
#define AOLAG_DESIGN_DOCUMENT_H

#include "base/status.h"
#include "design/ini.h"
#include "design/scenario.h"

struct document {
    char *path;             /* as given; NULL: never loaded or saved */
    struct ini ini;         /* the bytes, and where each key stands */
    struct scenario loaded; /* what they say */
};

/* An empty document, that of a design never saved. */
enum status document_new(struct document **document, struct error *error);
void document_free(struct document *document);
const char *document_path(const struct document *document); /* NULL: never loaded or saved */

/* The line of what a sentence is about that begins with a path, as those of evaluate do
 * ("component.recon.after: ..."): that of the key, else of its section; 0 where it has neither. */
int document_line(const struct document *document, const char *sentence);

#endif
