/* iniparser, which reads INI files in many programs, finds the same values in every preset. */
#include <stdio.h>
#include <string.h>

#include <iniparser/iniparser.h>

#include "check.h"
#include "design/ini.h"
#include "design/preset.h"
#include "files.h"

static void check_values(const char *name, const struct ini *ini, const dictionary *reference)
{
    for (size_t s = 0; s < ini->section_count; s++)
        for (size_t k = 0; k < ini->sections[s].count; k++) {
            const struct ini_section *section = &ini->sections[s];
            const struct ini_key *key = &ini->keys[section->first + k];
            char path[2 * INI_LINE_MAX + 2];
            const char *expected;

            snprintf(path, sizeof path, "%.*s:%.*s", (int)section->name.length,
                     ini->bytes + section->name.start, (int)key->name.length,
                     ini->bytes + key->name.start);
            expected = iniparser_getstring(reference, path, "(none)");
            CHECK_TRUE(strcmp(ini_value(ini, key), expected) == 0, "%s: %s is \"%s\", not \"%s\"",
                       name, path, ini_value(ini, key), expected);
        }
}

TEST(presets)
{
    struct catalogue *catalogue = files_catalogue();

    for (int i = 0; i < catalogue_count(catalogue); i++) {
        const struct preset *preset = catalogue_at(catalogue, i);
        struct problems problems = {NULL, 0, 0};
        dictionary *reference;
        struct ini ini;

        files_write("preset.ini", preset->text, preset->length);
        reference = iniparser_load(files_path("preset.ini"));
        ini_scan(preset->text, preset->length, &ini, &problems);
        CHECK_INT(problems.count, 0);
        if (CHECK(reference != NULL))
            check_values(preset->name, &ini, reference);
        iniparser_freedict(reference);
        ini_free(&ini);
        problems_free(&problems);
    }
}

SUITE(files_open, files_close)
