#include "report/knob_doc.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "design/algorithm.h"

static void append_word(char *text, size_t size, const char *word)
{
    size_t used = strlen(text);

    if (used + 1 < size)
        snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", word);
}

void knob_doc_path(const struct knob *knob, char *text, size_t size)
{
    snprintf(text, size, "%s%s.%s", section_name(knob->section),
             section_max(knob->section) > 1 ? ".*" : "", knob->key);
}

const char *knob_doc_kind(enum section section, int kind)
{
    const struct knob *knob = section_kind_knob(section);

    return knob == NULL || kind > (int)knob->max ? NULL : knob->choices[kind];
}

void knob_doc_kinds(const struct knob *knob, char *text, size_t size)
{
    bool all = true;

    text[0] = '\0';
    for (int k = 0; knob_doc_kind(knob->section, k) != NULL; k++) {
        if (knob_has_kind(knob, k))
            append_word(text, size, knob_doc_kind(knob->section, k));
        else
            all = false;
    }
    if (all)
        text[0] = '\0';
}

const char *knob_doc_type(const struct knob *knob)
{
    static const char *const names[] = {
        [KNOB_NUMBER] = "number",
        [KNOB_INTEGER] = "integer",
        [KNOB_CHOICE] = "choice",
        [KNOB_TEXT] = "text",
        [KNOB_PRESET] = "preset",
        [KNOB_WFS] = "sensor",
        [KNOB_DEVICE] = "device",
        [KNOB_DEVICES] = "devices",
        [KNOB_COMPONENTS] = "components",
        [KNOB_ALGORITHM] = "algorithm",
        [KNOB_TRACE] = "file",
    };

    return names[knob->type];
}

const char *knob_doc_choice(const struct knob *knob, int choice)
{
    int low = (int)knob->min;

    if (knob->type == KNOB_CHOICE)
        return low + choice <= (int)knob->max ? knob->choices[low + choice] : NULL;
    if (knob->type != KNOB_ALGORITHM)
        return NULL;
    for (int i = 0; i < ALGORITHM_COUNT; i++)
        if (algorithms[i].name[0] != '\0' && choice-- == 0)
            return algorithms[i].name;
    return NULL;
}

static void with_unit(double value, const char *unit, char *text, size_t size)
{
    char digits[40];

    number_format(value, digits, sizeof digits);
    snprintf(text, size, "%s%s%s", digits, unit[0] != '\0' ? " " : "", unit);
}

void knob_doc_allowed(const struct knob *knob, char *text, size_t size)
{
    char low[64];
    char high[64];

    text[0] = '\0';
    switch (knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        with_unit(knob->min, knob->unit, low, sizeof low);
        with_unit(knob->max, knob->unit, high, sizeof high);
        snprintf(text, size, "%s to %s", low, high);
        break;
    case KNOB_CHOICE:
        for (int i = 0; knob_doc_choice(knob, i) != NULL; i++)
            append_word(text, size, knob_doc_choice(knob, i));
        break;
    case KNOB_TEXT:
        snprintf(text, size, "up to %d bytes of text", TEXT_MAX_LENGTH);
        break;
    case KNOB_PRESET:
        snprintf(text, size, "the name of a device preset");
        break;
    case KNOB_WFS:
        snprintf(text, size, "the name of a sensor");
        break;
    case KNOB_DEVICE:
        snprintf(text, size, "the name of a device");
        break;
    case KNOB_DEVICES:
        snprintf(text, size,
                 "the name of a device; of a reconstruction, names separated by commas");
        break;
    case KNOB_COMPONENTS:
        snprintf(text, size, "names of components separated by commas, or none");
        break;
    case KNOB_TRACE:
        snprintf(text, size, "the path of a CSV file, from the scenario's directory");
        break;
    case KNOB_ALGORITHM:
        snprintf(text, size, "an algorithm of the component's type");
        break;
    }
}

void knob_doc_default(const struct knob *knob, char *text, size_t size)
{
    text[0] = '\0';
    if (knob->automatic)
        snprintf(text, size, "auto");
    else if (knob->type == KNOB_CHOICE)
        snprintf(text, size, "%s", knob->choices[(int)knob->fallback]);
    else if (knob->type == KNOB_NUMBER || knob->type == KNOB_INTEGER)
        with_unit(knob->fallback, knob->unit, text, size);
}
