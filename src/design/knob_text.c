#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "design/knob.h"

static void append(char *text, size_t size, const char *word)
{
    size_t used = strlen(text);

    if (used + 1 < size)
        snprintf(text + used, size - used, "%s", word);
}

/* The names of a set, in the order of the file. */
static void names_text(const struct scenario *scenario, enum section section, uint64_t members,
                       char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < section_count(scenario, section); i++) {
        if ((members >> i & 1) == 0)
            continue;
        if (text[0] != '\0')
            append(text, size, ", ");
        append(text, size, section_head_const(scenario, section, i)->name);
    }
}

static void components_text(const struct scenario *scenario, struct knob_ref ref, char *text,
                            size_t size)
{
    const struct component_set *after = &scenario->component[ref.index].after;

    if (after->members == 0)
        snprintf(text, size, "%s", after->stated ? "none" : "auto");
    else
        names_text(scenario, SECTION_COMPONENT, after->members, text, size);
}

static const char *text_field(const struct scenario *scenario, struct knob_ref ref)
{
    return (const char *)section_head_const(scenario, ref.section, ref.index) + ref.knob->offset;
}

void knob_get_text(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    double value = knob_number(scenario, ref);

    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        if (knob_left_open(ref.knob, value))
            snprintf(text, size, "auto");
        else
            quantity_format(value, ref.knob->unit, text, size);
        return;
    case KNOB_TEXT:
    case KNOB_PRESET:
        snprintf(text, size, "%s", text_field(scenario, ref));
        return;
    case KNOB_COMPONENTS:
        components_text(scenario, ref, text, size);
        return;
    case KNOB_DEVICES:
        if (knob_choice(scenario, ref) < 0)
            break;
        names_text(scenario, SECTION_DEVICE, scenario->component[ref.index].devices, text, size);
        return;
    case KNOB_TRACE:
        snprintf(text, size, "%s", scenario->component[ref.index].trace.path);
        return;
    case KNOB_CHOICE:
    case KNOB_WFS:
    case KNOB_DEVICE:
    case KNOB_ALGORITHM:
        break;
    }
    if (knob_choice(scenario, ref) < 0)
        snprintf(text, size, "auto");
    else
        snprintf(text, size, "%s", knob_choice_name(scenario, ref, knob_choice(scenario, ref)));
}

/* At most six significant digits, which every slider step has fewer of. */
void knob_print(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};
    double shown;
    char digits[40];

    knob_get_text(scenario, ref, text, size);
    if (strcmp(text, "auto") == 0 || unit_find(ref.knob->unit, &unit) != STATUS_OK ||
        (ref.knob->type != KNOB_NUMBER && ref.knob->type != KNOB_INTEGER))
        return;
    shown = knob_number(scenario, ref) * unit.denominator / unit.numerator;
    if (shown != 0 && fabs(shown) < 1e6) {
        double scale = pow(10, 5 - floor(log10(fabs(shown))));

        shown = round(shown * scale) / scale;
    }
    number_format(shown, digits, sizeof digits);
    snprintf(text, size, "%s%s%s", digits, ref.knob->unit[0] == '\0' ? "" : " ", ref.knob->unit);
}

void knob_allowed(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    int count = knob_choice_count(scenario, ref);
    char low[40];
    char high[40];

    text[0] = '\0';
    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        quantity_format(knob_min(ref.knob), ref.knob->unit, low, sizeof low);
        quantity_format(knob_max(ref.knob), ref.knob->unit, high, sizeof high);
        snprintf(text, size, "%s to %s", low, high);
        return;
    case KNOB_TEXT:
        snprintf(text, size, "up to %d bytes of text", TEXT_MAX_LENGTH);
        return;
    case KNOB_PRESET:
        snprintf(text, size, "the name of a device preset");
        return;
    case KNOB_COMPONENTS:
        snprintf(text, size, "names of components, separated by commas, or none");
        return;
    case KNOB_TRACE:
        snprintf(text, size, "the path of a CSV file, from the scenario's directory");
        return;
    case KNOB_CHOICE:
    case KNOB_WFS:
    case KNOB_DEVICE:
    case KNOB_DEVICES:
    case KNOB_ALGORITHM:
        break;
    }
    for (int i = 0; i < count; i++) {
        append(text, size, i > 0 ? ", " : "");
        append(text, size, knob_choice_name(scenario, ref, i));
    }
}

/* "gb_per_s" of GB/s, "gbit_per_s" of Gb/s. */
static void key_unit(const char *unit, char *text, size_t size)
{
    if (strcmp(unit, "B") == 0) {
        snprintf(text, size, "bytes");
        return;
    }
    text[0] = '\0';
    for (; *unit != '\0'; unit++) {
        char letter[2] = {(char)tolower((unsigned char)*unit), '\0'};

        append(text, size,
               *unit == '/'                     ? "_per_"
               : *unit == 'b' && unit[1] == '/' ? "bit"
                                                : letter);
    }
}

void knob_json_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    char unit[16];

    key_unit(ref.knob->unit, unit, sizeof unit);
    knob_path(scenario, ref, text, size);
    if (unit[0] != '\0') {
        append(text, size, "_");
        append(text, size, unit);
    }
}
