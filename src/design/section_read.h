/* Reading a section of a file into an instance of a scenario: its kind, values and their origins.
 *
 * The knob table defines the keys of a section. Presets and traces refer to other files, which the
 * caller reads (preset.h, scenario_file.h). */
#ifndef AOLAG_DESIGN_SECTION_READ_H
#define AOLAG_DESIGN_SECTION_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/ini.h"
#include "design/knob.h"
#include "design/scenario.h"

#define NAME_SHOWN 64 /* maximum bytes of a name or value in a message */

/* State of reading a file. */
struct section_reader {
    struct ini ini;
    struct scenario *scenario;
    struct problems *problems;
};

/* A section of the file and its instance in the scenario. */
struct file_section {
    const struct ini_section *in_file;
    enum section section;
    int index;
    bool kind_known; /* if false, only keys common to all kinds are read */
};

/* Scans a file, whose text is not needed afterwards and is that of `embedded` unless that is NULL,
 * and empties `problems` first. Returns false and adds a problem if it is not text. The caller must
 * free reader->ini in every case. */
bool section_reader_open(struct section_reader *reader, const char *bytes, size_t length,
                         const struct embedded_file *embedded);

/* Ends reading and sorts the problems. */
void section_reader_close(struct section_reader *reader);

/* Returns true if a header was refused, so that an apparently missing section may be present. */
bool section_reader_lacks_headers(const struct section_reader *reader);

/* Reports the problem "KEY = VALUE: SENTENCE". */
void section_wrong_value(const struct section_reader *reader, const struct ini_key *key,
                         const char *sentence);

/* Reports that the value, which the knob requires, is missing. */
void section_missing_value(const struct section_reader *reader, const struct ini_key *key,
                           struct knob_ref ref);

/* Reads the kind or type, which decides the other keys; if `required`, reports a missing one. Call
 * before section_read_keys. */
void section_read_kind(const struct section_reader *reader, struct file_section *section,
                       bool required);

/* Reads all other keys. */
void section_read_keys(const struct section_reader *reader, const struct file_section *section);

/* Returns the line that states a knob by its key or alias with a prefix ("" or ORIGIN_PREFIX), or
 * NULL if there is none. */
const struct ini_key *section_find_line(const struct ini *ini, const struct ini_section *section,
                                        const char *prefix, const struct knob *knob);

#endif
