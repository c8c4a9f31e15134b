#include "scenario_places.h"

#include <string.h>

#include "nearest.h"

/* Which section the word before the point names; false and a problem for none. */
static bool find_section(const struct reading *reading, const struct ini_section *in_file,
                         const char *word, const char *shown, enum section *section)
{
    struct nearest nearest = nearest_to(word);
    bool named;

    for (int s = 0; s < SECTION_COUNT; s++) {
        *section = (enum section)s;
        if (strcmp(word, section_name(*section)) == 0)
            return true;
        nearest_offer(&nearest, section_name(*section));
    }
    if (nearest.best[0] == '\0') {
        problems_add(reading->problems, in_file->line,
                     "[%s]: unknown section; allowed: scenario, ao, atmosphere, wfs.NAME, "
                     "device.NAME, component.NAME",
                     shown);
        return false;
    }
    named = strcmp(nearest.best, "wfs") == 0 || strcmp(nearest.best, "device") == 0 ||
            strcmp(nearest.best, "component") == 0;
    problems_add(reading->problems, in_file->line, "[%s]: unknown section; did you mean [%s%s]?",
                 shown, nearest.best, named ? ".NAME" : "");
    return false;
}

/* Makes the section's instance in the scenario; false and a problem where that cannot be. */
static bool make_place(struct reading *reading, const struct ini_section *in_file,
                       struct place *place)
{
    char shown[NAME_SHOWN];
    char word[NAME_SHOWN];
    char *point;
    struct error error;

    ini_excerpt(&reading->ini, in_file->name, shown, sizeof shown);
    memcpy(word, shown, sizeof word);
    point = strchr(word, '.');
    if (point != NULL)
        *point++ = '\0';
    *place = (struct place){.in_file = in_file, .kind_known = true};
    if (!find_section(reading, in_file, word, shown, &place->section))
        return false;
    if (section_max(place->section) == 1) {
        if (point == NULL)
            return true;
        problems_add(reading->problems, in_file->line, "[%s]: this section has no name; write [%s]",
                     shown, word);
        return false;
    }
    if (point == NULL || *point == '\0') {
        problems_add(reading->problems, in_file->line, "[%s]: a name must follow, as in [%s.a]",
                     shown, word);
        return false;
    }
    place->index = section_count(reading->scenario, place->section);
    if (scenario_insert(reading->scenario, place->section, place->index, point, &error) ==
        STATUS_OK)
        return true;
    problems_add(reading->problems, in_file->line, "[%s]: %s", shown, error.message);
    return false;
}

void places_make(struct reading *reading)
{
    for (size_t i = 0; i < reading->ini.section_count; i++) {
        const struct ini_section *in_file = &reading->ini.sections[i];

        if (!in_file->refused && make_place(reading, in_file, &reading->places[reading->count]))
            reading->count++;
    }
}
