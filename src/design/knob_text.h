/* Text of knobs: paths such as device.rtc.cores, and values as in files and on the screen. */
#ifndef AOLAG_DESIGN_KNOB_TEXT_H
#define AOLAG_DESIGN_KNOB_TEXT_H

#include <stddef.h>

#include "base/status.h"
#include "design/knob.h"

/* Buffer size for the text of any value: the longest list of components and the NUL. */
#define KNOB_TEXT_SIZE 2304

/* Buffer size for knob_allowed. */
#define KNOB_ALLOWED_SIZE 400

/* Finds "device.rtc.cores" or "ao.actuators". The error of STATUS_INVALID names the unknown part
 * and the nearest known name, or says that another kind of device, sensor or component has the
 * knob. */
enum status knob_find(const struct scenario *scenario, const char *path, struct knob_ref *ref,
                      struct error *error);

/* Likewise; returns STATUS_INVALID also for an alias that stands for several knobs. */
enum status knob_find_one(const struct scenario *scenario, const char *path, struct knob_ref *ref,
                          struct error *error);

/* Finds a knob by its key within an instance. Sets `ref` even if the knob is of another kind. */
enum status knob_find_key(const struct scenario *scenario, enum section section, int index,
                          const char *key, struct knob_ref *ref, struct error *error);

/* Writes the path "device.rtc.cores"; at least 96 bytes. */
void knob_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

#define KNOB_PATHS_PRINTED 3
#define KNOB_PATHS_SIZE 320

/* Writes the paths of the knobs with a key, "device.rtc.clock or device.gpu0.clock", of many the
 * first, and returns how many there are. */
int knob_print_paths(const struct scenario *scenario, const char *key, char *text, size_t size);

/* Writes the knob in words, for people: "rtc cores", "frame rate"; at least 96 bytes. */
void knob_words(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* Writes the path with the unit appended, "device.rtc.clock_ghz", as in keys of JSON and CSV; at
 * least 112 bytes. */
void knob_json_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* Returns true if text for a knob is meant as a formula, and the knob takes one. */
bool knob_is_formula(const struct knob *knob, const char *text);

/* Sets a knob from text and marks it as stated. "auto", or a number that means it, is a statement
 * only if the device's preset has a value; otherwise it resets the knob. On failure nothing changes
 * and the error says what is allowed without naming the knob (the caller knows file, line and key).
 * Presets and traces, which are files, cannot be set here (STATUS_INVALID). */
enum status knob_set_text(struct scenario *scenario, struct knob_ref ref, const char *text,
                          struct error *error);

/* Writes the value as in a scenario file: exact, with its unit, "auto" for automatic values that
 * are not stated. KNOB_TEXT_SIZE bytes are enough. */
void knob_get_text(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* Returns what a 0 of a number means, "not stated", "zonal", with its length; NULL: 0, or automatic. */
const char *knob_zero_word(const struct knob *knob, size_t *length);

/* Writes bytes of a knob in GB or TB that are a whole number of GiB, "80 GiB"; returns false for
 * others. */
bool knob_print_binary(const struct knob *knob, double bytes, char *text, size_t size);

/* Writes a number that is not automatic for display: "3.55 GHz", "not stated", "1152 MiB", with the
 * prefix of the table's unit, but from 1 ms on not in us. */
void knob_print_value(const struct knob *knob, double si, char *text, size_t size);

/* Writes the value for display, numbers so. */
void knob_print(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* Writes the allowed values for messages and the manual: "1 to 1024", "0 to 1000 us", "global,
 * rolling". */
void knob_allowed(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

#define ORIGIN_PREFIX "origin." /* prefix of keys that state the origin of another key */

/* Returns the KEY of "origin.KEY", a part of `name`, or NULL if it is not such a key. */
const char *origin_key(enum section section, const char *name);

/* States the origin of a device's value by its word. STATUS_INVALID: not one of the four words that
 * a file may use. */
enum status knob_set_origin_text(struct scenario *scenario, struct knob_ref ref, const char *word,
                                 struct error *error);

#endif
