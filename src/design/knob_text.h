/* Text of knobs: paths such as device.rtc.cores, values as files and people write them. */
#ifndef AOLAG_DESIGN_KNOB_TEXT_H
#define AOLAG_DESIGN_KNOB_TEXT_H

#include <stddef.h>

#include "base/status.h"
#include "design/knob.h"

/* Bytes that hold the text of any value, the longest list of components, and its NUL. */
#define KNOB_TEXT_SIZE 2304

/* Bytes that hold what knob_allowed writes. */
#define KNOB_ALLOWED_SIZE 400

/* Finds "device.rtc.cores" or "ao.actuators". STATUS_INVALID names what is unknown and the nearest
 * known name, or says that the knob belongs to another kind of device, sensor or component. */
enum status knob_find(const struct scenario *scenario, const char *path, struct knob_ref *ref,
                      struct error *error);

/* The same for a key within an instance. A knob of another kind is given too, with the error. */
enum status knob_find_key(const struct scenario *scenario, enum section section, int index,
                          const char *key, struct knob_ref *ref, struct error *error);

/* "device.rtc.cores"; at least 96 bytes. */
void knob_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* "device.rtc.clock_ghz": the path with the unit behind it, as keys of JSON and CSV have it; at
 * least 112 bytes. */
void knob_json_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* Sets a knob from text and marks it as the scenario's own. "auto", or a number that stands for it,
 * is a statement only where the device's preset has a value; else it is as a reset. On failure
 * nothing changes and the error says what is allowed, without naming the knob (the caller knows
 * file, line and key). Presets and traces, which are files, cannot be set here (STATUS_INVALID). */
enum status knob_set_text(struct scenario *scenario, struct knob_ref ref, const char *text,
                          struct error *error);

/* The value as text a scenario file would hold: exact, with unit. Automatic values that are
 * not stated give "auto". KNOB_TEXT_SIZE bytes hold it. */
void knob_get_text(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* The same for reading: "3.55 GHz", "1152 MiB"; prefix as the table's unit. */
void knob_print(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* What is allowed, for messages and the manual: "1 to 1024", "0 us to 1000 us", "global,
 * rolling". */
void knob_allowed(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

#define ORIGIN_PREFIX "origin." /* of the keys that state the origin of another */

/* The KEY of a file's "origin.KEY", a part of `name`; NULL where it is none. */
const char *origin_key(enum section section, const char *name);

/* States the origin of a device's value by its word. STATUS_INVALID: the word is none of the four
 * of a file. */
enum status knob_set_origin_text(struct scenario *scenario, struct knob_ref ref, const char *word,
                                 struct error *error);

#endif
