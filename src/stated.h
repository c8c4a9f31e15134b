/* What of a scenario a file has to say, and how it is spelled. */
#ifndef AOLAG_STATED_H
#define AOLAG_STATED_H

#include <stdbool.h>
#include <stddef.h>

#include "knob.h"
#include "scenario.h"

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

#endif
