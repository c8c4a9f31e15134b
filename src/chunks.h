/* The sections of a text to write: those of the document it was read from and new ones, in the
 * order the scenario needs. */
#ifndef AOLAG_CHUNKS_H
#define AOLAG_CHUNKS_H

#include <stddef.h>

#include "ini_scan.h"
#include "scenario.h"
#include "stated.h"

#define CHUNKS_MAX (2 * (3 + WFS_MAX + DEVICE_MAX + COMPONENT_MAX))

struct chunk {
    int in_file; /* its number in the document, -1: new */
    enum section section;
    int index; /* in the scenario, -1: removed */
};

struct chunks {
    struct chunk list[CHUNKS_MAX];
    int count;
};

/* Sections of the document stay where they are, unless the scenario has its sensors, devices or
 * components in another order: they then take one another's places (the order has a meaning: the
 * previous component, the first device). A new one goes behind the one before it. */
void chunks_plan(struct chunks *chunks, const struct stated *stated, const struct ini *ini);

/* A section of the document with what lies around it, as offsets where each part starts:
 *
 *     ; lead: the comment lines directly above the header
 *     [header]
 *     its keys and comments
 *     ; and comment lines directly below the last
 *
 *     gap: from there (core_end) to the next section's lead (gap_end) */
struct extent {
    size_t lead;
    size_t header;
    size_t core_end;
    size_t gap_end;
};

struct extent chunk_extent(const struct ini *ini, size_t number);

#endif
