#include "explore/search_axes.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "design/knob_text.h"
#include "design/scenario_file.h"

struct choice {
    struct search_axes *axes;
    const struct scenario *scenario;
    struct catalogue *catalogue;
    const struct assignments *set;
};

static bool is_set(const struct choice *choice, enum section section, int index, int knob)
{
    return choice->set != NULL &&
           scenario_assigns(choice->scenario, (struct knob_ref){section, index, &knobs[knob]},
                            choice->set);
}

/* Adds an axis if there is room for its values. Returns false if there is not. */
static bool add_axis(const struct choice *choice, const char *text)
{
    struct search_axes *axes = choice->axes;
    struct axis *axis = &axes->axis[axes->count];
    bool parsed;

    if (axes->count == SWEEP_AXES_MAX)
        return false;
    parsed = axis_parse_pattern(axis, choice->scenario, choice->catalogue, text, true, NULL) ==
             STATUS_OK;
    if (parsed)
        axis_leave_out(axis, choice->scenario, text);
    if (!parsed || axis->count == 0 ||
        axes->designs * (uint64_t)axis->count > SEARCH_AXES_DESIGNS) {
        axis_free(axis);
        *axis = (struct axis){.count = 0};
        return false;
    }
    axes->designs *= (uint64_t)axis->count;
    axes->text[axes->count++] = allocate_text(text);
    return true;
}

/* Returns true if two devices in use have the same values; their hosts may be two. */
static bool are_alike(const struct choice *choice, int a, int b)
{
    const struct scenario *scenario = choice->scenario;
    struct knob_ref ref = {.knob = NULL};

    if (!scenario_device_used(scenario, a) || !scenario_device_used(scenario, b) ||
        is_set(choice, SECTION_DEVICE, b, KNOB_DEVICE_PRESET) ||
        (scenario_host(scenario, a) == a) != (scenario_host(scenario, b) == b))
        return false;
    while (knob_next(scenario, &ref)) {
        const struct knob_ref other = {SECTION_DEVICE, b, ref.knob};
        char value[KNOB_TEXT_SIZE], of_other[KNOB_TEXT_SIZE];

        if (ref.section != SECTION_DEVICE || ref.index != a || knob_is(ref.knob, KNOB_DEVICE_HOST))
            continue;
        knob_get_text(scenario, ref, value, sizeof value);
        knob_get_text(scenario, other, of_other, sizeof of_other);
        if (!knob_applies(scenario, SECTION_DEVICE, b, ref.knob) || strcmp(value, of_other) != 0)
            return false;
    }
    return true;
}

/* Writes the name of a device, or the pattern of all that are alike, which are bought together: the
 * beginning of their names and * or ?, if no other device has such a name. */
static void print_alike(const struct choice *choice, int device, char *text, size_t size)
{
    const struct scenario *scenario = choice->scenario;
    const char *name = scenario->device[device].head.name;
    bool alike[DEVICE_MAX];
    size_t common = strlen(name);
    int count = 0;

    for (int d = 0; d < scenario->device_count; d++) {
        size_t same = 0;

        alike[d] = d == device || are_alike(choice, device, d);
        while (alike[d] && same < common && scenario->device[d].head.name[same] == name[same])
            same++;
        common = alike[d] ? same : common;
        count += alike[d];
    }
    for (int i = 0; i < 2 && count > 1 && common > 0; i++) {
        int d = 0;

        snprintf(text, size, "%.*s%c", (int)common, name, "*?"[i]);
        while (d < scenario->device_count &&
               (fnmatch(text, scenario->device[d].head.name, 0) == 0) == alike[d])
            d++;
        if (d == scenario->device_count)
            return;
    }
    snprintf(text, size, "%s", name);
}

/* Adds the parts of a device in use and those alike, without them if they are accelerators. */
static void add_parts(const struct choice *choice, int device)
{
    struct search_axes *axes = choice->axes;
    const struct scenario *scenario = choice->scenario;
    const char *kind = preset_kind_name(preset_kind_of(&scenario->device[device]));
    const struct axis *axis = &axes->axis[axes->count];
    char name[NAME_MAX_LENGTH + 1], text[NAME_MAX_LENGTH + 40];
    bool added;

    if (!scenario_device_used(scenario, device) || axes->varied[device] ||
        is_set(choice, SECTION_DEVICE, device, KNOB_DEVICE_PRESET))
        return;
    print_alike(choice, device, name, sizeof name);
    snprintf(text, sizeof text, "device.%s=%s,none", name, kind);
    added = scenario_host(scenario, device) != device && add_axis(choice, text);
    snprintf(text, sizeof text, "device.%s=%s", name, kind);
    added = added || add_axis(choice, text);
    for (int d = 0; d < scenario->device_count && added; d++)
        axes->varied[d] = axes->varied[d] || axis_varies(axis, SECTION_DEVICE, d);
    axes->kinds |= added ? 1U << preset_kind_of(&scenario->device[device]) : 0;
}

/* Adds an axis of these numbers, and of the present one if that is another: 0 ends the list. */
static bool add_number_axis(const struct choice *choice, const char *path, const int *number,
                            double present)
{
    struct buffer text = {0};
    bool added;

    buffer_print(&text, "%s=", path);
    for (int i = 0; number[i] > 0; i++) {
        buffer_print(&text, "%s%d", i > 0 ? "," : "", number[i]);
        present = present == number[i] ? 0 : present;
    }
    if (present > 0)
        buffer_print(&text, ",%.0f", present);
    added = add_axis(choice, text.bytes);
    buffer_free(&text);
    return added;
}

static void add_numbers(const struct choice *choice)
{
    static const int counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 0};
    static const int packets[] = {1, 5, 10, 25, 50, 100, 0};

    struct search_axes *axes = choice->axes;
    const struct scenario *scenario = choice->scenario;
    const int parts_count = axes->count;
    char path[RESULT_PATH_MAX];

    for (int a = 0; a < parts_count; a++) {
        int d = axes->axis[a].ref.index;

        if (scenario->device[d].kind != DEVICE_GPU)
            continue;
        snprintf(path, sizeof path, "device.%s.%s", axis_devices(&axes->axis[a], scenario),
                 knobs[KNOB_DEVICE_COUNT].key);
        if (is_set(choice, SECTION_DEVICE, d, KNOB_DEVICE_COUNT) ||
            !add_number_axis(choice, path, counts, scenario->device[d].count))
            axes->counts_kept = true;
    }
    knob_path(scenario, knob_ref_to(KNOB_SCENARIO_PACKETS, 0), path, sizeof path);
    axes->packets_kept = is_set(choice, SECTION_SCENARIO, 0, KNOB_SCENARIO_PACKETS) ||
                         !add_number_axis(choice, path, packets, scenario->general.packets);
}

void search_axes_choose(struct search_axes *axes, const struct scenario *scenario,
                        const struct result *result, struct catalogue *catalogue,
                        const struct assignments *set)
{
    const struct choice choice = {axes, scenario, catalogue, set};
    int limiting = result->bottleneck < 0 ? -1 : result->node[result->bottleneck].device;
    const char *unread;
    struct error error;
    int at = 0;

    *axes = (struct search_axes){.designs = 1};
    if (limiting >= 0)
        add_parts(&choice, limiting);
    for (int d = 0; d < scenario->device_count; d++)
        if (d != limiting)
            add_parts(&choice, d);
    add_numbers(&choice);
    while (axes->kinds != 0 &&
           (unread = catalogue_next_unread(catalogue, axes->kinds, &at, &error)) != NULL)
        buffer_item(&axes->unusable, preset_own_file(unread));
}

void search_axes_free(struct search_axes *axes)
{
    for (int a = 0; a < axes->count; a++) {
        axis_free(&axes->axis[a]);
        free(axes->text[a]);
    }
    buffer_free(&axes->unusable);
    *axes = (struct search_axes){.count = 0};
}

static void add_kept(struct buffer *text, bool *first, const char *name)
{
    buffer_print(text, "%s%s%s", text->length > 0 && *first ? "; " : "",
                 *first ? "as they are: " : ", ", name);
    *first = false;
}

void search_axes_print_kept(const struct search_axes *axes, const struct scenario *scenario,
                            struct buffer *text)
{
    bool first = true;

    if (axes->unusable.length > 0)
        buffer_print(text, "unusable: %s", axes->unusable.bytes);
    for (int d = 0; d < scenario->device_count; d++)
        if (!axes->varied[d] && scenario_device_used(scenario, d))
            add_kept(text, &first, scenario->device[d].head.name);
    if (axes->counts_kept)
        add_kept(text, &first, "counts");
    if (axes->packets_kept)
        add_kept(text, &first, "packets");
}
