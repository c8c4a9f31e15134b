/* iniparser, which reads INI files in many programs, finds the same values in every preset, when it
 * is built and when it is read, and they are those that a reader of the file sees. */
#include <stdio.h>
#include <string.h>

#include <iniparser/iniparser.h>

#include "base/embedded.h"
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

/* The value between its quotes, or as it stands. */
static void check_spelling(const char *name, const struct ini *ini, const struct ini_key *key)
{
    const char *spelled = ini->bytes + key->spelled.start;
    bool quoted = key->spelled.length > 0 && strchr("\"'", spelled[0]) != NULL;
    char seen[INI_LINE_MAX + 1];

    snprintf(seen, sizeof seen, "%.*s", (int)key->spelled.length - 2 * quoted, spelled + quoted);
    CHECK_TRUE(strcmp(ini_value(ini, key), seen) == 0, "%s: \"%s\", not \"%s\"", name,
               ini_value(ini, key), seen);
}

static void check_embedded(const struct embedded_file *file)
{
    const char *bytes = (const char *)file->bytes;
    struct problems problems = {NULL, 0, 0};
    struct ini embedded, read;

    ini_scan_embedded(file, bytes, file->length, &embedded, &problems);
    ini_scan(bytes, file->length, &read, &problems);
    CHECK_INT(problems.count, 0);
    CHECK_INT(file->value_count, read.key_count);
    for (size_t k = 0; k < read.key_count; k++) {
        CHECK_STR(ini_value(&embedded, &embedded.keys[k]), ini_value(&read, &read.keys[k]));
        check_spelling(file->name, &read, &read.keys[k]);
    }
    ini_free(&embedded);
    ini_free(&read);
    problems_free(&problems);
}

TEST(embedded_values)
{
    for (size_t i = 0; i < preset_files_count; i++)
        check_embedded(&preset_files[i]);
    check_embedded(embedded_find(published_files, published_files_count, "kernel"));
}

SUITE(files_open, files_close)
