#include "base/embedded.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

TEST(sorted_by_name)
{
    for (size_t i = 1; i < preset_files_count; i++)
        CHECK_TRUE(strcmp(preset_files[i - 1].name, preset_files[i].name) < 0,
                   "%s stands before %s", preset_files[i - 1].name, preset_files[i].name);
    CHECK(preset_files_count > 0);
}

static bool same_bytes(const struct embedded_file *preset, FILE *file)
{
    for (size_t i = 0; i < preset->length; i++)
        if (getc(file) != preset->bytes[i])
            return false;
    return getc(file) == EOF && preset->bytes[preset->length] == '\0';
}

TEST(same_as_the_files)
{
    for (size_t i = 0; i < preset_files_count; i++) {
        const struct embedded_file *preset = &preset_files[i];
        char name[256];
        FILE *file;

        snprintf(name, sizeof name, "../../presets/%s/%s.ini", preset->kind, preset->name);
        file = fopen(check_data_path(name), "rb");
        if (!CHECK_TRUE(file != NULL, "cannot open %s", name))
            continue;
        CHECK_TRUE(same_bytes(preset, file), "%s is not as embedded", name);
        fclose(file);
    }
}
