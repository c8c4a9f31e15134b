#include "report/knob_doc.h"

#include <stdio.h>

#include "base/buffer.h"
#include "base/units.h"
#include "design/algorithm.h"
#include "design/knob_table.h"
#include "design/knob_text.h"

_Static_assert(TEXT_MAX_LENGTH == 63, "the text below");

/* Names of knob types, and their allowed values if these are the same for all knobs of the type. */
static const struct {
    const char *name, *allowed;
} types[] = {
    [KNOB_NUMBER] = {.name = "number"},
    [KNOB_INTEGER] = {.name = "integer"},
    [KNOB_CHOICE] = {.name = "choice"},
    [KNOB_TEXT] = {.name = "text", .allowed = "up to 63 bytes of text"},
    [KNOB_PRESET] = {.name = "preset", .allowed = "the name of a device preset"},
    [KNOB_WFS] = {.name = "sensor", .allowed = "the name of a sensor"},
    [KNOB_DEVICE] = {.name = "device", .allowed = "the name of a device"},
    [KNOB_DEVICES] = {.name = "devices",
                      .allowed =
                          "the name of a device; for a reconstruction, names separated by commas"},
    [KNOB_COMPONENTS] = {.name = "components",
                         .allowed = "names of components separated by commas, or none"},
    [KNOB_ALGORITHM] = {.name = "algorithm", .allowed = "an algorithm of the component's type"},
    [KNOB_FILE] = {.name = "file", .allowed = "the path of a file, from the design's directory"},
};

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
    struct buffer list = buffer_over(text, size);
    bool all = true;

    for (int k = 0; knob_doc_kind(knob->section, k) != NULL; k++) {
        if (knob_has_kind(knob, k))
            buffer_item(&list, knob_doc_kind(knob->section, k));
        else
            all = false;
    }
    if (all)
        text[0] = '\0';
}

const char *knob_doc_type(const struct knob *knob)
{
    return types[knob->type].name;
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

void knob_doc_allowed(const struct knob *knob, char *text, size_t size)
{
    struct buffer list = buffer_over(text, size);

    if (knob->allowed != NULL) {
        buffer_text(&list, knob->allowed);
    } else if (types[knob->type].allowed != NULL) {
        buffer_text(&list, types[knob->type].allowed);
    } else if (knob->type == KNOB_CHOICE) {
        for (int i = 0; knob_doc_choice(knob, i) != NULL; i++)
            buffer_item(&list, knob_doc_choice(knob, i));
    } else {
        knob_range(knob, text, size);
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
        knob_print_value(knob, knob_fallback(knob), text, size);
}
