/* The catalogue: vendor devices and AO systems, embedded in the program and the user's own.
 *
 * Presets are INI text: a device preset holds one [device] section, an AO preset a whole scenario.
 * All names are in one namespace. Files NAME.ini in $XDG_CONFIG_HOME/aolag/presets (default
 * ~/.config/aolag/presets), then those in its cpu, gpu and ao folders, take precedence over
 * embedded ones of the same name. Texts are parsed at the first request and kept; returned pointers
 * are valid as long as the catalogue. Once all presets have been requested, several threads may
 * read it. */
#ifndef AOLAG_DESIGN_PRESET_H
#define AOLAG_DESIGN_PRESET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/scenario.h"

enum preset_kind { PRESET_CPU, PRESET_GPU, PRESET_AO };

struct preset {
    char name[TEXT_MAX_LENGTH + 1];
    enum preset_kind kind; /* of a user's file that of its folder, else by what it holds */
    const char *path;      /* the user's file, or NULL when embedded */
    const char *text;      /* NUL-terminated INI; empty where the file cannot be read */
    size_t length;
};

struct catalogue;
struct trace_library;

/* A user's file that cannot be read or parsed does not fail the catalogue: asking for it gives the
 * error. STATUS_MEMORY only. */
enum status catalogue_open(struct catalogue **catalogue, struct error *error);

/* Without the user's own. */
enum status catalogue_open_embedded(struct catalogue **catalogue, struct error *error);
void catalogue_close(struct catalogue *catalogue);

/* All presets, sorted by kind, then name. */
int catalogue_count(const struct catalogue *catalogue);
const struct preset *catalogue_at(const struct catalogue *catalogue, int index);

/* By name; NULL and an error with the nearest name when there is none. `kinds` restricts the
 * search: bit k for preset_kind k. */
const struct preset *catalogue_find(const struct catalogue *catalogue, const char *name,
                                    unsigned kinds, struct error *error);

/* The device a CPU or GPU preset describes: its stated values are its own, the rest defaults. */
enum status catalogue_device(struct catalogue *catalogue, const char *name,
                             const struct device **device, struct error *error);

/* The title of a preset for people: a device's model, a scenario's title; its name without one. */
const char *catalogue_title(struct catalogue *catalogue, int index);

/* The traces read for scenarios that go with this catalogue; they live as long. */
struct trace_library *catalogue_traces(struct catalogue *catalogue);

const char *preset_kind_name(enum preset_kind kind);

/* Reads the one [device] section of a device preset; its stated keys become the device's own. The
 * kind has to be stated. */
enum status preset_read_device(struct device *device, const char *bytes, size_t length,
                               struct problems *problems);

/* The kind of presets that a device can have. */
static inline enum preset_kind preset_kind_of(const struct device *device)
{
    return device->kind == DEVICE_CPU ? PRESET_CPU : PRESET_GPU;
}

/* Makes a device start from a preset: its kind and values come from there, its own keys are
 * cleared but for `host`, `preset` becomes its own. An empty name returns it to plain defaults. */
enum status scenario_set_preset(struct scenario *scenario, int device, struct catalogue *catalogue,
                                const char *name, struct error *error);

/* The same of a preset that catalogue_device gave, fast; NULL with an empty name. */
void scenario_put_preset(struct scenario *scenario, int device, const char *name,
                         const struct device *base);

/* The directory of the user's presets, which need not exist; free() it. NULL where the environment
 * names none, or, with `enough` false, without memory. */
char *preset_directory(bool *enough);

/* Whether a user's preset can be called so: 1 to TEXT_MAX_LENGTH letters, digits and - _ + . and no
 * point in front. Files of other names are passed over. */
bool preset_name_is_good(const char *name);

#endif
