/* What tests of scenario files share: a catalogue, a directory to write in, scenarios compared. */
#ifndef AOLAG_FILES_H
#define AOLAG_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "design/scenario_file.h"

/* A suite's setup and cleanup: a catalogue without presets of the user's, a directory. */
int files_open(void);
int files_close(void);

struct catalogue *files_catalogue(void);

/* A path in the directory; valid for the next seven calls. */
const char *files_path(const char *name);

/* Writes and reads a file of the directory. The bytes read are the caller's to free; NULL when
 * there is no such file. */
bool files_write(const char *name, const char *bytes, size_t length);
char *files_read(const char *name, size_t *length);

/* How many files the directory holds. */
int files_count(void);

/* Parses `text`, which has to be good. */
bool files_parse(const char *text, struct scenario *scenario, struct document **document);

/* All problems, "LINE: MESSAGE" each on a line; free() it. */
char *files_problems(const struct problems *problems);

/* Checks that both scenarios have the same sections in the same order, and the same value of every
 * knob. */
bool files_same(const struct scenario *actual, const struct scenario *expected, const char *where);

/* Numbers that look random (xorshift64*): below `limit`. */
uint32_t files_random(uint64_t *state, uint32_t limit);

#endif
