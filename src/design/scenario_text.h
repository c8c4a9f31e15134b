/* What of a scenario a file has to say, and how it is spelled. */
#ifndef AOLAG_DESIGN_SCENARIO_TEXT_H
#define AOLAG_DESIGN_SCENARIO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "design/ini.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario.h"

#define SPELLED_MAX 2320 /* the longest value and its quotes */

struct stated {
    const struct scenario *scenario;
    struct scenario *plain; /* every knob but kinds and presets as if nobody stated it */
};

/* False without memory. */
bool stated_open(struct stated *stated, const struct scenario *scenario);
void stated_close(struct stated *stated);

/* Whether a file that has the knob keeps it: the scenario states it, or every file does (the
 * format, a component's type). */
bool stated_keeps(const struct stated *stated, struct knob_ref ref);

/* Whether a file that has not must get it: its value is not the preset's or the default, or the
 * scenario tells where it comes from. */
bool stated_adds(const struct stated *stated, struct knob_ref ref);

/* The same of any knob of a section. */
bool stated_adds_any(const struct stated *stated, enum section section, int index);

/* The key that says which kind of sensor, device or component an instance is; NULL where a section
 * has none. */
const char *section_kind_key(enum section section);

/* Text as a file holds it: in quotes where iniparser would read it otherwise, or where `quote` (its
 * former one, or NUL) was there. There are no escapes, and knob_set_text takes no text with both
 * kinds of quotes. */
void stated_spell(const char *value, char quote, char *text, size_t size);

/* The sections of a text to write: those of the document it was read from and new ones, in the
 * order the scenario needs. */

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
