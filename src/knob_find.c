#include <stdio.h>
#include <string.h>

#include "knob.h"
#include "nearest.h"

static const char *kind_name(const struct scenario *scenario, enum section section, int index)
{
    struct knob_ref ref = {section, index, NULL};
    const char *key = section == SECTION_COMPONENT ? "type" : "kind";

    knob_find_key(scenario, section, index, key, &ref, NULL);
    return ref.knob->choices[(int)knob_number(scenario, ref)];
}

/* Without a near name: all there are. */
static enum status unknown_key(const struct scenario *scenario, enum section section, int index,
                               const char *key, struct error *error)
{
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);
    char keys[ERROR_MESSAGE_MAX] = "";
    size_t used = 0;

    for (int i = first; i < end; i++)
        if (knob_applies(scenario, section, index, &knobs[i]) && used < sizeof keys)
            used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", used > 0 ? ", " : "",
                                     knobs[i].key);
    return error_set(error, STATUS_INVALID, "unknown key \"%.60s\"; allowed: %s", key, keys);
}

/* Why `key` names no knob of the instance. */
static enum status no_such_key(const struct scenario *scenario, enum section section, int index,
                               const char *key, struct error *error)
{
    struct nearest nearest = nearest_to(key);
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);

    if (origin_key(section, key) != NULL)
        return error_set(error, STATUS_INVALID,
                         "%s tells where a value comes from: a line of a file, beside that value",
                         key);
    for (int i = first; i < end; i++) {
        if (strcmp(knobs[i].key, key) == 0)
            return error_set(error, STATUS_INVALID, "\"%s\" does not belong to a %s", key,
                             kind_name(scenario, section, index));
        if (knob_applies(scenario, section, index, &knobs[i]))
            nearest_offer(&nearest, knobs[i].key);
    }
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "unknown key \"%s\"; did you mean %s?", key,
                         nearest.best);
    return unknown_key(scenario, section, index, key, error);
}

/* A row of another kind is given too, with the error, for those who want to know what the value
 * would have to be. */
enum status knob_find_key(const struct scenario *scenario, enum section section, int index,
                          const char *key, struct knob_ref *ref, struct error *error)
{
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);

    for (int i = first; i < end; i++) {
        if (strcmp(knobs[i].key, key) != 0)
            continue;
        *ref = (struct knob_ref){section, index, &knobs[i]};
        if (knob_applies(scenario, section, index, &knobs[i]))
            return STATUS_OK;
    }
    return no_such_key(scenario, section, index, key, error);
}

/* A key without its section, where one will do: how it is written in full. */
static bool bare_key(const char *word, char *path, size_t size)
{
    for (int i = 0; i < knob_count; i++) {
        if (strcmp(knobs[i].key, word) != 0)
            continue;
        snprintf(path, size, "%s.%s%.40s", section_name(knobs[i].section),
                 section_max(knobs[i].section) > 1 ? "NAME." : "", word);
        return true;
    }
    return false;
}

static enum status unknown_section(const char *word, struct error *error)
{
    char path[96];
    struct nearest nearest = nearest_to(word);
    char names[96] = "";
    size_t used = 0;

    for (int s = 0; s < SECTION_COUNT; s++) {
        const char *name = section_name((enum section)s);

        nearest_offer(&nearest, name);
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", s > 0 ? ", " : "",
                                     name);
    }
    if (bare_key(word, path, sizeof path))
        return error_set(error, STATUS_INVALID, "unknown section \"%s\"; did you mean %s?", word,
                         path);
    if (nearest.best[0] == '\0')
        return error_set(error, STATUS_INVALID, "unknown section \"%s\"; allowed: %s", word, names);
    return error_set(error, STATUS_INVALID, "unknown section \"%s\"; did you mean %s?", word,
                     nearest.best);
}

/* Copies up to the next point; returns what follows it, or NULL at the end. */
static const char *path_word(const char *path, char *word, size_t size)
{
    size_t length = strcspn(path, ".");

    snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), path);
    return path[length] == '.' ? path + length + 1 : NULL;
}

enum status knob_find(const struct scenario *scenario, const char *path, struct knob_ref *ref,
                      struct error *error)
{
    char word[64];
    const char *rest = path_word(path, word, sizeof word);
    int section = 0;
    int index = 0;

    while (section < SECTION_COUNT && strcmp(section_name((enum section)section), word) != 0)
        section++;
    if (section == SECTION_COUNT)
        return unknown_section(word, error);
    if (rest != NULL && section_max((enum section)section) > 1) {
        rest = path_word(rest, word, sizeof word);
        index = section_find(scenario, (enum section)section, word);
        if (index < 0)
            return section_missing(scenario, (enum section)section, word, error);
    }
    if (rest == NULL)
        return error_set(error, STATUS_INVALID,
                         "\"%s\" names a section; a key must follow, as in "
                         "device.rtc.cores",
                         path);
    return knob_find_key(scenario, (enum section)section, index, rest, ref, error);
}

void knob_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    char section[64];

    section_path(scenario, ref.section, ref.index, section, sizeof section);
    snprintf(text, size, "%s.%s", section, ref.knob->key);
}
