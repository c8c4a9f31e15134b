/* From a pipeline of daolite to the text of a scenario.
 *
 * Each value has a comment with its origin: entry, key and value in the source, and its line. What
 * has no counterpart is added to `lost`, what had to be chosen to `assumed`.
 *
 * One device is made of equal compute resources; daolite gives each component its own. Transfers
 * between components on different devices are left to the model, which inserts them, as are those
 * from a camera, whose pixels enter through the port of a host. */
#ifndef AOLAG_IMPORT_CONVERT_H
#define AOLAG_IMPORT_CONVERT_H

#include "base/buffer.h"
#include "import/daolite.h"

/* A zero-initialised conversion is empty. */
struct conversion {
    struct buffer text;
    int *line; /* of the source, for each line of the text; 0: none; [count] */
    int count, capacity;
};

/* Writes the scenario; `name` of the source file may be NULL. The devices of the scenario are the
 * machines, in their order. Free it with conversion_free. */
void convert_pipeline(struct daolite *daolite, const char *name, struct conversion *conversion);
void conversion_free(struct conversion *conversion);

/* Appends a line, cleaned of what no line may have, which stands for one of the source; 0: none. */
void conversion_add(struct conversion *conversion, int source, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends the title of the scenario, but for an empty one. */
void conversion_title(struct conversion *conversion, const char *text, const char *origin);

/* Appends the head of a section, [KIND] or, unless NULL, [KIND.NAME], after an empty line. */
void conversion_section(struct conversion *conversion, int source, const char *kind,
                        const char *name);

/* Returns the line of the source that a line of the scenario, from 1, stands for; 0: none. */
int conversion_line(const struct conversion *conversion, int line);

#endif
