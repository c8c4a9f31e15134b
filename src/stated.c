#include "stated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text as a file holds it: in quotes where iniparser would read it otherwise, or where `quote`
 * (its former one, or NUL) was there. knob_set_text takes no text with both quotes in it. */
void stated_spell(const char *value, char quote, char *text, size_t size)
{
    size_t length = strlen(value);
    bool needed = length == 0 || strpbrk(value, ";#\"'") != NULL || value[0] == ' ' ||
                  value[0] == '\t' || value[length - 1] == ' ' || value[length - 1] == '\t' ||
                  value[length - 1] == '\\';

    if (quote == '\0' && needed)
        quote = '"';
    if (quote != '\0' && strchr(value, quote) != NULL)
        quote = quote == '"' ? '\'' : '"';
    if (quote == '\0')
        snprintf(text, size, "%s", value);
    else
        snprintf(text, size, "%c%s%c", quote, value, quote);
}

const char *section_kind_key(enum section section)
{
    if (section == SECTION_COMPONENT)
        return "type";
    return section == SECTION_DEVICE || section == SECTION_WFS ? "kind" : NULL;
}

/* What every file says, whatever its value: the format, and what a component is. */
static bool is_required(const struct knob *knob)
{
    return (knob->section == SECTION_SCENARIO && strcmp(knob->key, "format") == 0) ||
           (knob->section == SECTION_COMPONENT && strcmp(knob->key, "type") == 0);
}

static bool is_kind_or_preset(const struct knob *knob)
{
    const char *kind = section_kind_key(knob->section);

    return knob->type == KNOB_PRESET || (kind != NULL && strcmp(knob->key, kind) == 0);
}

/* Whether the value is the one that the knob has where nobody states it. */
static bool is_plain(const struct stated *stated, struct knob_ref ref)
{
    const struct scenario *scenario = stated->scenario;
    char text[SPELLED_MAX];
    char plain[SPELLED_MAX];

    if (ref.knob->type == KNOB_PRESET)
        return scenario->device[ref.index].preset[0] == '\0';
    if (is_kind_or_preset(ref.knob)) {
        const struct device *base =
            ref.section == SECTION_DEVICE ? scenario->device[ref.index].base : NULL;

        return knob_number(scenario, ref) == (base != NULL ? base->kind : ref.knob->fallback);
    }
    knob_get_text(scenario, ref, text, sizeof text);
    knob_get_text(stated->plain, ref, plain, sizeof plain);
    return strcmp(text, plain) == 0;
}

static void make_plain(struct scenario *plain)
{
    for (int i = 0; i < knob_count; i++) {
        int count = section_count(plain, knobs[i].section);

        for (int index = 0; index < count && !is_kind_or_preset(&knobs[i]); index++)
            if (knob_applies(plain, knobs[i].section, index, &knobs[i]))
                knob_reset(plain, (struct knob_ref){knobs[i].section, index, &knobs[i]});
    }
}

bool stated_open(struct stated *stated, const struct scenario *scenario)
{
    stated->scenario = scenario;
    stated->plain = malloc(sizeof *stated->plain);
    if (stated->plain == NULL)
        return false;
    scenario_copy(stated->plain, scenario);
    make_plain(stated->plain);
    return true;
}

void stated_close(struct stated *stated)
{
    free(stated->plain);
}

bool stated_keeps(const struct stated *stated, struct knob_ref ref)
{
    return is_required(ref.knob) || knob_is_own(stated->scenario, ref);
}

bool stated_adds(const struct stated *stated, struct knob_ref ref)
{
    enum origin origin;

    if (!knob_applies(stated->scenario, ref.section, ref.index, ref.knob))
        return false;
    return is_required(ref.knob) ||
           (knob_is_own(stated->scenario, ref) &&
            (!is_plain(stated, ref) || knob_origin_said(stated->scenario, ref, &origin)));
}

bool stated_adds_any(const struct stated *stated, enum section section, int index)
{
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);

    for (int i = first; i < end; i++)
        if (stated_adds(stated, (struct knob_ref){section, index, &knobs[i]}))
            return true;
    return false;
}
