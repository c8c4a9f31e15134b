/* The catalogue of presets: vendor devices, AO systems and measured pipelines, embedded ones and
 * the user's own.
 *
 * Presets are INI text: a device preset contains one [device] section, the others a whole
 * scenario. All names share one namespace. Files NAME.ini in $XDG_CONFIG_HOME/aolag/presets
 * (default ~/.config/aolag/presets), then those in its folders, one of each kind, take
 * precedence over embedded presets with the same name. $XDG_CONFIG_HOME/aolag/prices.csv has prices
 * of device presets. Texts are parsed when first requested and kept; returned pointers are valid as long as the catalogue. Once all presets have been requested,
 * several threads may read it. */
#ifndef AOLAG_DESIGN_PRESET_H
#define AOLAG_DESIGN_PRESET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/scenario.h"

/* PRESET_PIPELINE: a measured pipeline, a scenario like an AO system (explore/pipelines.h). */
enum preset_kind {
    PRESET_CPU = DEVICE_CPU,
    PRESET_GPU = DEVICE_GPU,
    PRESET_FPGA = DEVICE_FPGA,
    PRESET_AO,
    PRESET_PIPELINE,
    PRESET_KINDS
};

/* Sets of kinds: bit k for preset_kind k. */
#define PRESET_DEVICES (1U << PRESET_CPU | 1U << PRESET_GPU | 1U << PRESET_FPGA)
#define PRESET_DESIGNS (1U << PRESET_AO | 1U << PRESET_PIPELINE)

struct embedded_file;

struct preset {
    char name[TEXT_MAX_LENGTH + 1];
    enum preset_kind kind; /* a user's file: the kind of its folder, else of its contents */
    bool unknown;          /* a file outside those folders that cannot be read: of any kind */
    const char *path;      /* the user's file, or NULL when embedded */
    const char *text;      /* NUL-terminated INI; empty if the file cannot be read */
    size_t length;
    const struct embedded_file *embedded; /* which the text is that of; NULL: the user's */
};

struct catalogue;
struct trace_library;

/* Opens the catalogue. A user's file that cannot be read or parsed causes an error only when it is
 * requested, but STATUS_IO if there are no descriptors to open their folders. */
enum status catalogue_open(struct catalogue **catalogue, struct error *error);

/* Returns the catalogue without the user's presets. */
struct catalogue *catalogue_open_embedded(void);
void catalogue_close(struct catalogue *catalogue);

/* Returns a catalogue with the user's files as they are now, the same one if none has changed or
 * they cannot be read. A new one is closed with the former one, which stays as it is. Call it for
 * the newest one only. */
struct catalogue *catalogue_renew(struct catalogue *catalogue);

/* Return the number of presets, and one by its index in the order of kind, then name. */
int catalogue_count(const struct catalogue *catalogue);
const struct preset *catalogue_at(const struct catalogue *catalogue, int index);

/* Returns why a folder of the user that may have presets of these kinds, bit k for preset_kind k,
 * cannot be read, of the first one; NULL if all can or do not exist. */
const char *catalogue_unread_folder(const struct catalogue *catalogue, unsigned kinds);

/* Reads prices of presets of devices, before any is requested: CSV with the columns preset and
 * price (of one socket or accelerator, in any one currency: KNOB_DEVICE_PRICE). A price there
 * replaces one that the preset states; that of a scenario replaces both. A line that cannot be used
 * is a problem and STATUS_INVALID; the others apply. */
enum status catalogue_read_prices(struct catalogue *catalogue, const char *bytes, size_t length,
                                  struct problems *problems);

/* Returns why the user's file of prices, which catalogue_open reads, cannot be used, "FILE:LINE: ...";
 * NULL if it can or does not exist. */
const char *catalogue_unread_prices(const struct catalogue *catalogue);

/* Finds a preset by name; returns NULL and sets an error with the nearest name if there is none.
 * `kinds` restricts the search: bit k for preset_kind k. */
const struct preset *catalogue_find(const struct catalogue *catalogue, const char *name,
                                    unsigned kinds, struct error *error);

/* Gets the device of a CPU or GPU preset; stated values are its own, the rest are defaults. */
enum status catalogue_device(struct catalogue *catalogue, const char *name,
                             const struct device **device, struct error *error);

/* Returns the title of a preset: a device's model or a scenario's title, else its name. */
const char *catalogue_title(struct catalogue *catalogue, int index);

/* Returns the frame rate that a system's text states, Hz, or the default, without a check of the
 * rest; 0 for a device and for a text that is no frequency. */
double catalogue_frame_rate(struct catalogue *catalogue, int index);

/* Returns the library of traces for scenarios read with this catalogue; it lives as long. */
struct trace_library *catalogue_traces(struct catalogue *catalogue);

const char *preset_kind_name(enum preset_kind kind);

/* Longest text that preset_mark returns, with its NUL. */
#define PRESET_MARK_MAX 8

/* Returns the mark behind the name or title of a preset in lists: " (own)" for a user's, "" for an
 * embedded one or NULL. */
const char *preset_mark(const struct preset *preset);

static inline bool preset_is_device(const struct preset *preset)
{
    return (PRESET_DEVICES >> preset->kind & 1U) != 0;
}

/* Returns true if a preset is of one of the kinds or, since its file cannot be read, may be. */
static inline bool preset_may_be(const struct preset *preset, unsigned kinds)
{
    return preset->unknown || (kinds >> preset->kind & 1U) != 0;
}

/* Reads the one [device] section of a device preset; stated keys are marked as the device's own.
 * The kind must be stated. */
enum status preset_read_device(struct device *device, const char *bytes, size_t length,
                               struct problems *problems);

/* Returns true for the text of such a preset, good or not, rather than of a design. */
bool preset_describes_device(const char *text, size_t length);

/* Returns the kind of presets that a device can use. */
static inline enum preset_kind preset_kind_of(const struct device *device)
{
    return (enum preset_kind)device->kind;
}

/* Sets the preset of a device: its kind and values are those of the preset, its own keys are
 * cleared but for those of knobs that stay, `preset` becomes its own. An empty name restores the
 * defaults. */
enum status scenario_set_preset(struct scenario *scenario, int device, struct catalogue *catalogue,
                                const char *name, struct error *error);

/* Returns true for a name that is a path: it contains / or ends in .ini. */
bool preset_is_path(const char *name);

/* Reads a device from a file that describes one, and its text, which the caller frees in any case,
 * NULL if it cannot be read. The error names the file. */
enum status preset_read_file(const char *path, struct device *device, char **bytes,
                             struct error *error);

/* Gives a device the values of a file that describes one, as values of its own, but for the knobs
 * that stay: no preset has to exist where the scenario is read again. `source` becomes the path,
 * cut to its last names if it is too long, unless the file states one. The error names the file. */
enum status scenario_take_preset_file(struct scenario *scenario, int device, const char *path,
                                      struct error *error);

/* Sets a preset that catalogue_device returned, fast; `base` is NULL for an empty name. */
void scenario_put_preset(struct scenario *scenario, int device, const char *name,
                         const struct device *base);

/* Writes the directory of the user's presets, which need not exist, to a path of
 * USER_DIRECTORY_SIZE bytes. Returns false if the environment defines none. */
bool preset_directory(char *path);

/* Returns the path of a file there without that directory, "gpu/mine.ini", also of a text that
 * begins with one; another as it is. */
const char *preset_own_file(const char *path);

/* Returns that directory as people write it: "~/.config/aolag/presets". */
const char *preset_own_folder(void);

/* Returns true if the name is valid for a user's preset: 1 to TEXT_MAX_LENGTH letters, digits and -
 * _ + . not starting with a period or hyphen. Files with other names cannot be used. */
bool preset_name_is_good(const char *name);

#endif
