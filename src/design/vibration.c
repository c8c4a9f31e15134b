#include "design/vibration.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

#define PART_MAX 63

/* The parts of a vibration, in their order. */
static const struct {
    const char *name, *unit, *range;
    double min, max; /* SI */
} parts[] = {
    {"frequency", "Hz", "0.01 Hz to 100000 Hz", 0.01, 1e5},
    {"damping", "", "0.0001 to 1", 1e-4, 1},
    {"rms", "nm", "0 nm to 100000 nm", 0, 1e-4},
};

enum { PARTS = sizeof parts / sizeof parts[0] };

/* Copies the text up to one of `ends` without the blanks around it; returns the rest. */
static const char *next_part(const char *text, const char *ends, char part[PART_MAX + 1])
{
    size_t length = strcspn(text, ends);
    size_t blanks = strspn(text, " ");
    size_t last = length;

    while (last > blanks && text[last - 1] == ' ')
        last--;
    if (blanks > last)
        blanks = last;
    snprintf(part, PART_MAX + 1, "%.*s", (int)(last - blanks), text + blanks);
    return text + length;
}

static enum status read_vibration(const char *text, struct vibration *vibration,
                                  struct error *error)
{
    double *const values[PARTS] = {&vibration->frequency, &vibration->damping, &vibration->rms};
    const char *rest = text;
    char part[PART_MAX + 1];

    for (int i = 0; i < PARTS; i++) {
        /* a text without any colon is no bad frequency */
        if (i > 0 ? *rest++ != ':' : strchr(text, ':') == NULL)
            return error_set(error, STATUS_INVALID,
                             "\"%.60s\" lacks its %s; a vibration is frequency:damping:rms, as "
                             "48 Hz:0.01:20 nm",
                             text, parts[i > 0 ? i : 1].name);
        rest = next_part(rest, ":", part);
        if (quantity_parse(part, parts[i].unit, values[i], error) != STATUS_OK) {
            error_prefix(error, "%s of \"%.60s\"", parts[i].name, text);
            return STATUS_INVALID;
        }
        if (!(*values[i] >= parts[i].min && *values[i] <= parts[i].max))
            return error_set(error, STATUS_INVALID, "%s of \"%.60s\" is out of range; allowed: %s",
                             parts[i].name, text, parts[i].range);
    }
    if (*rest != '\0')
        return error_set(error, STATUS_INVALID,
                         "\"%.60s\" has more than frequency, damping and rms", text);
    return STATUS_OK;
}

enum status vibrations_read(const char *text, struct vibration list[VIBRATION_MAX], int *count,
                            struct error *error)
{
    char part[PART_MAX + 1];

    *count = 0;
    if (text[strspn(text, " ")] == '\0')
        return STATUS_OK;
    for (;;) {
        text = next_part(text, ",", part);
        if (*count == VIBRATION_MAX)
            return error_set(error, STATUS_INVALID, "more than %d vibrations", VIBRATION_MAX);
        if (read_vibration(part, &list[*count], error) != STATUS_OK)
            return STATUS_INVALID;
        ++*count;
        if (*text++ == '\0')
            return STATUS_OK;
    }
}

enum status vibrations_check(const char *text, struct error *error)
{
    struct vibration list[VIBRATION_MAX];
    int count;

    return vibrations_read(text, list, &count, error);
}
