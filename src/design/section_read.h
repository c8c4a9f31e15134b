/* Reading a section of a file into an instance of a scenario: its kind, values and their origins.
 *
 * The knob table defines the keys of a section. Presets and traces name other files: the caller
 * reads them (preset.h, scenario_file.h). */
#ifndef AOLAG_DESIGN_SECTION_READ_H
#define AOLAG_DESIGN_SECTION_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/ini.h"
#include "design/knob.h"
#include "design/scenario.h"

#define NAME_SHOWN 64 /* bytes of a name or value in a message */

/* A file that is being read. */
struct section_reader {
    struct ini ini;
    struct ini_values *values;
    struct scenario *scenario;
    struct problems *problems;
};

/* What a section of the file is in the scenario. */
struct file_section {
    const struct ini_section *in_file;
    enum section section;
    int index;
    bool kind_known; /* else only keys that every kind has in the same way are read */
};

/* Scans a file; its text is no longer needed then. STATUS_INVALID: it is no text, a problem says
 * why. reader->ini is the caller's to free, always. */
enum status section_reader_open(struct section_reader *reader, const char *bytes, size_t length);

/* Ends reading and sorts the problems. */
void section_reader_close(struct section_reader *reader);

/* Whether a header has been refused, so that a section that seems to be missing may be there. */
bool section_reader_lacks_headers(const struct section_reader *reader);

/* The value of a key; NULL where it was refused or cannot be read, and a problem says why. */
const char *section_value(const struct section_reader *reader, const struct file_section *place,
                          const struct ini_key *key);

/* Adds the problem "KEY = VALUE: SENTENCE". */
void section_wrong_value(const struct section_reader *reader, const struct ini_key *key,
                         const char *sentence);

/* The same where there is no value and the knob has to have one. */
void section_missing_value(const struct section_reader *reader, const struct ini_key *key,
                           struct knob_ref ref);

/* Reads the kind or type, which decides what other keys there are; `required`: it is a problem
 * where it is missing. To be called before section_read_keys. */
void section_read_kind(const struct section_reader *reader, struct file_section *place,
                       bool required);

/* Reads all other keys. */
void section_read_keys(const struct section_reader *reader, const struct file_section *place);

/* The line that states a knob by its key or alias, with a prefix before it ("", ORIGIN_PREFIX);
 * NULL where there is none. */
const struct ini_key *section_find_line(const struct ini *ini, const struct ini_section *section,
                                        const char *prefix, const struct knob *knob);

#endif
