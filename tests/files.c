#include "files.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"

#define PATH_LENGTH 512
#define VALUE_LENGTH 2400

static struct {
    struct catalogue *catalogue;
    char directory[PATH_LENGTH / 2];
} files;

int files_open(void)
{
    const char *parent = getenv("TMPDIR");
    struct error error;

    snprintf(files.directory, sizeof files.directory, "%s/aolag-XXXXXX",
             parent == NULL ? "/tmp" : parent);
    if (mkdtemp(files.directory) == NULL)
        return 1;
    setenv("XDG_CONFIG_HOME", files.directory, 1);
    return catalogue_open(&files.catalogue, &error) != STATUS_OK;
}

static int removed(const char *path, const struct stat *what, int flag, struct FTW *walk)
{
    (void)what;
    (void)flag;
    (void)walk;
    return remove(path);
}

int files_close(void)
{
    catalogue_close(files.catalogue);
    return nftw(files.directory, removed, 8, FTW_DEPTH | FTW_PHYS);
}

struct catalogue *files_catalogue(void)
{
    return files.catalogue;
}

const char *files_path(const char *name)
{
    static char paths[8][PATH_LENGTH];
    static int next;
    char *path = paths[next++ % 8];

    snprintf(path, PATH_LENGTH, "%s/%s", files.directory, name);
    return path;
}

bool files_write(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(files_path(name), "wb");
    bool good = file != NULL && fwrite(bytes, 1, length, file) == length;

    if (file != NULL)
        good = fclose(file) == 0 && good;
    return CHECK_TRUE(good, "%s cannot be written", name);
}

char *files_read(const char *name, size_t *length)
{
    FILE *file = fopen(files_path(name), "rb");
    size_t most = 4 * 1024 * 1024;
    char *bytes = malloc(most);

    if (file == NULL || bytes == NULL) {
        free(bytes);
        if (file != NULL)
            fclose(file);
        return NULL;
    }
    *length = fread(bytes, 1, most - 1, file);
    bytes[*length] = '\0';
    fclose(file);
    return bytes;
}

int files_count(void)
{
    DIR *directory = opendir(files.directory);
    const struct dirent *entry;
    int count = 0;

    while (directory != NULL && (entry = readdir(directory)) != NULL)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (directory != NULL)
        closedir(directory);
    return count;
}

char *files_problems(const struct problems *problems)
{
    char *text = calloc(problems->count + 1, ERROR_MESSAGE_MAX + 16);
    char *at = text;

    for (size_t i = 0; i < problems->count && text != NULL; i++)
        at += sprintf(at, "%d: %s\n", problems->list[i].line, problems->list[i].message);
    return text;
}

bool files_parse(const char *text, struct scenario *scenario, struct document **document)
{
    struct problems problems = {NULL, 0, 0};
    enum status status =
        scenario_parse(scenario, document, text, strlen(text), files.catalogue, &problems);
    char *shown = files_problems(&problems);
    bool good =
        CHECK_TRUE(status == STATUS_OK, "status %d of\n%s\nproblems:\n%s", status, text, shown);

    free(shown);
    problems_free(&problems);
    return good;
}

static bool same_instance(const struct scenario *a, const struct scenario *b, enum section section,
                          int index, const char *where)
{
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);
    const char *name = section_head_const(a, section, index)->name;
    bool same = strcmp(name, section_head_const(b, section, index)->name) == 0;

    if (!same)
        return CHECK_TRUE(false, "%s: %s %d is %s, expected %s", where, section_name(section),
                          index, name, section_head_const(b, section, index)->name);
    for (int i = first; i < end; i++) {
        struct knob_ref ref = {section, index, &knobs[i]};
        char actual[VALUE_LENGTH] = "";
        char expected[VALUE_LENGTH] = "";

        if (knob_applies(a, section, index, &knobs[i]))
            knob_get_text(a, ref, actual, sizeof actual);
        if (knob_applies(b, section, index, &knobs[i]))
            knob_get_text(b, ref, expected, sizeof expected);
        if (strcmp(actual, expected) != 0)
            return CHECK_TRUE(false, "%s: %s.%s.%s is %s, expected %s", where,
                              section_name(section), name, knobs[i].key, actual, expected);
        if (knob_is_own(b, ref) && knob_origin(a, ref) != knob_origin(b, ref) &&
            (knob_is_own(a, ref) || knob_origin(b, ref) != ORIGIN_SET))
            return CHECK_TRUE(false, "%s: %s.%s.%s is %s, expected %s", where,
                              section_name(section), name, knobs[i].key,
                              origin_name(knob_origin(a, ref)), origin_name(knob_origin(b, ref)));
    }
    return true;
}

bool files_same(const struct scenario *actual, const struct scenario *expected, const char *where)
{
    bool same = true;

    for (int s = 0; s < SECTION_COUNT && same; s++) {
        enum section section = (enum section)s;
        int count = section_count(expected, section);

        same = CHECK_TRUE(section_count(actual, section) == count, "%s: %d of %s, expected %d",
                          where, section_count(actual, section), section_name(section), count);
        for (int i = 0; i < count && same; i++)
            same = same_instance(actual, expected, section, i, where);
    }
    return same;
}

uint32_t files_random(uint64_t *state, uint32_t limit)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(2685821657736338717)) >> 32) % limit;
}
