#include "design/knob_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/units.h"
#include "base/utf8.h"
#include "design/ini.h"

/* Bytes of a list of names with its commas; a line of a scenario file holds 1022 bytes. */
#define NAMES_MAX 960

#define FORMULA_ALLOWED ", or a formula such as 2 * ao.actuators"

/* Paths and keys ------------------------------------------------------------------------------- */

/* Returns STATUS_INVALID; the error says why `key` is not a knob of the instance. */
static enum status no_such_key(const struct scenario *scenario, enum section section, int index,
                               const char *key, struct error *error)
{
    const struct knob *first = &knobs[knob_section_first(section)];
    struct nearest nearest = nearest_to(key);
    char keys[360];
    struct buffer list = buffer_over(keys, sizeof keys);

    if (origin_key(section, key) != NULL)
        return error_set(
            error, STATUS_INVALID,
            "%s states the origin of a value; it is allowed only in a file, with that value", key);
    for (int row = 0; row < knob_section_count(section); row++) {
        const struct knob *knob = &first[row];

        if (knob_has_key(knob, key))
            return error_set(error, STATUS_INVALID, "\"%s\" does not belong to a %s", key,
                             section_kind_word(scenario, section, index));
        if (!knob_applies(scenario, section, index, knob))
            continue;
        nearest_offer(&nearest, knob->key);
        buffer_item(&list, knob->key);
    }
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "unknown key \"%s\"; did you mean %s?", key,
                         nearest.best);
    if (list.full)
        return error_set(error, STATUS_INVALID,
                         "unknown key \"%.60s\" of a %s; aolag-scenario(5) lists them", key,
                         section_kind_word(scenario, section, index));
    return error_set(error, STATUS_INVALID, "unknown key \"%.60s\"; allowed: %s", key, keys);
}

enum status knob_find_key(const struct scenario *scenario, enum section section, int index,
                          const char *key, struct knob_ref *ref, struct error *error)
{
    const struct knob *first = &knobs[knob_section_first(section)];

    for (int row = 0; row < knob_section_count(section); row++) {
        if (!knob_has_key(&first[row], key))
            continue;
        *ref = (struct knob_ref){section, index, &first[row]};
        if (knob_applies(scenario, section, index, &first[row]))
            return STATUS_OK;
    }
    return error == NULL ? STATUS_INVALID : no_such_key(scenario, section, index, key, error);
}

int knob_print_paths(const struct scenario *scenario, const char *key, char *text, size_t size)
{
    struct buffer list = buffer_over(text, size);
    struct knob_ref ref = {.knob = NULL};
    int count = 0, printed = 0;
    char path[96];

    while (knob_next(scenario, &ref))
        count += knob_has_key(ref.knob, key);
    for (ref.knob = NULL; printed < count && printed < KNOB_PATHS_PRINTED;)
        if (knob_next(scenario, &ref) && knob_has_key(ref.knob, key)) {
            const char *joint = ++printed == count ? " or " : ", ";

            knob_path(scenario, ref, path, sizeof path);
            buffer_print(&list, "%s%s", printed == 1 ? "" : joint, path);
        }
    if (printed < count)
        buffer_print(&list, " or %d more", count - printed);
    return count;
}

static enum status no_such_section(const struct scenario *scenario, const char *word,
                                   struct error *error)
{
    struct nearest nearest = nearest_to(word);
    char paths[KNOB_PATHS_SIZE];
    char names[96];
    struct buffer list = buffer_over(names, sizeof names);

    for (int s = 0; s < SECTION_COUNT; s++) {
        nearest_offer(&nearest, section_name((enum section)s));
        buffer_item(&list, section_name((enum section)s));
    }
    /* a name or a key without its section: suggest the full path */
    for (int s = 0; s < SECTION_COUNT; s++)
        if (section_max((enum section)s) > 1 && section_find(scenario, (enum section)s, word) >= 0)
            return error_set(error, STATUS_INVALID, "unknown section \"%s\"; did you mean %s.%s?",
                             word, section_name((enum section)s), word);
    if (knob_print_paths(scenario, word, paths, sizeof paths) > 0)
        return error_set(error, STATUS_INVALID, "unknown section \"%s\"; did you mean %s?", word,
                         paths);
    for (const struct knob *knob = knobs; knob < knobs + KNOB_COUNT; knob++)
        if (knob_has_key(knob, word))
            return error_set(
                error, STATUS_INVALID, "unknown section \"%s\"; did you mean %s.%s%.40s?", word,
                section_name(knob->section), section_max(knob->section) > 1 ? "NAME." : "", word);
    if (nearest.best[0] == '\0')
        return error_set(error, STATUS_INVALID, "unknown section \"%s\"; allowed: %s", word, names);
    return error_set(error, STATUS_INVALID, "unknown section \"%s\"; did you mean %s?", word,
                     nearest.best);
}

/* Copies the text up to the next period; returns the rest, or NULL at the end. */
static const char *next_path_word(const char *path, char *word, size_t size)
{
    size_t length = strcspn(path, ".");

    snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), path);
    return path[length] == '.' ? path + length + 1 : NULL;
}

enum status knob_find(const struct scenario *scenario, const char *path, struct knob_ref *ref,
                      struct error *error)
{
    char word[64];
    const char *rest = next_path_word(path, word, sizeof word);
    enum section section = section_named(word);
    int index = 0;

    if (section == SECTION_COUNT)
        return no_such_section(scenario, word, error);
    if (rest != NULL && section_max(section) > 1) {
        rest = next_path_word(rest, word, sizeof word);
        index = section_find(scenario, section, word);
        if (index < 0)
            return section_missing(scenario, section, word, error);
    }
    if (rest == NULL || rest[0] == '\0')
        return error_set(error, STATUS_INVALID,
                         "\"%s\" names a section; a key must follow, as in device.rtc.cores", path);
    return knob_find_key(scenario, section, index, rest, ref, error);
}

enum status knob_find_one(const struct scenario *scenario, const char *path, struct knob_ref *ref,
                          struct error *error)
{
    enum status status = knob_find(scenario, path, ref, error);
    struct knob_ref first = {.knob = NULL}, second;
    const char *name = strrchr(path, '.');

    if (status != STATUS_OK ||
        !knob_next_named(scenario, ref->section, ref->index, name + 1, &first))
        return status;
    second = first;
    if (!knob_next_named(scenario, ref->section, ref->index, name + 1, &second))
        return STATUS_OK;
    return error_set(error, STATUS_INVALID, "stands for %s and %s; name one of them",
                     first.knob->key, second.knob->key);
}

void knob_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    char section[64];

    section_path(scenario, ref.section, ref.index, section, sizeof section);
    snprintf(text, size, "%s.%s", section, ref.knob->key);
}

void knob_words(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    const char *name = section_head_const(scenario, ref.section, ref.index)->name;

    snprintf(text, size, "%s%s%s", name, name[0] == '\0' ? "" : " ", ref.knob->label);
}

void knob_json_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    const char *unit = strcmp(ref.knob->unit, "B") == 0 ? "bytes" : ref.knob->unit;
    char path[96];
    struct buffer buffer = buffer_over(text, size);

    knob_path(scenario, ref, path, sizeof path);
    buffer_print(&buffer, "%s%s", path, unit[0] == '\0' ? "" : "_");
    /* "gb_per_s" of GB/s, "gbit_per_s" of Gb/s */
    for (; *unit != '\0'; unit++)
        if (*unit == '/' || (*unit == 'b' && unit[1] == '/'))
            buffer_text(&buffer, *unit == '/' ? "_per_" : "bit");
        else
            buffer_print(&buffer, "%c", tolower((unsigned char)*unit));
}

/* Text of values ------------------------------------------------------------------------------- */

/* Writes the names of a set in the order of the file. */
static void print_set_names(const struct scenario *scenario, enum section section, uint64_t members,
                            char *text, size_t size)
{
    struct buffer list = buffer_over(text, size);

    for (int i = 0; i < section_count(scenario, section); i++)
        if ((members >> i & 1) != 0)
            buffer_item(&list, section_head_const(scenario, section, i)->name);
}

void knob_get_text(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    const struct knob *knob = ref.knob;
    const struct component *component = &scenario->component[ref.index];
    const struct stated_file *file;
    int choice;

    switch (knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        if (knob_formula(scenario, ref) != NULL)
            snprintf(text, size, "%s", knob_formula(scenario, ref));
        else if (knob_is_auto(knob, knob_number(scenario, ref)))
            snprintf(text, size, "auto");
        else
            quantity_format(knob_number(scenario, ref), knob->unit, text, size);
        return;
    case KNOB_TEXT:
    case KNOB_PRESET:
        snprintf(text, size, "%s",
                 (const char *)section_head_const(scenario, ref.section, ref.index) + knob->offset);
        return;
    case KNOB_FILE:
        file = (const struct stated_file *)(const void *)((const char *)section_head_const(
                                                              scenario, ref.section, ref.index) +
                                                          knob->offset);
        snprintf(text, size, "%s", file->path[0] == '\0' && knob->automatic ? "auto" : file->path);
        return;
    case KNOB_COMPONENTS:
        if (component->after.members == 0)
            snprintf(text, size, "%s", component->after.stated ? "none" : "auto");
        else
            print_set_names(scenario, SECTION_COMPONENT, component->after.members, text, size);
        return;
    case KNOB_DEVICES:
        if (component->devices == 0)
            snprintf(text, size, "auto");
        else
            print_set_names(scenario, SECTION_DEVICE, component->devices, text, size);
        return;
    case KNOB_CHOICE:
    case KNOB_WFS:
    case KNOB_DEVICE:
    case KNOB_ALGORITHM:
        break;
    }
    choice = knob_choice(scenario, ref);
    snprintf(text, size, "%s", choice < 0 ? "auto" : knob_choice_name(scenario, ref, choice));
}

const char *knob_zero_word(const struct knob *knob, size_t *length)
{
    static const char mark[] = "; or ";
    const char *word =
        knob_is_number(knob) && !knob->automatic ? strstr(knob->help, mark) : NULL;

    if (word == NULL)
        return NULL;
    word += sizeof mark - 1;
    *length = strcspn(word, ",;");
    return word;
}

bool knob_print_binary(const struct knob *knob, double bytes, char *text, size_t size)
{
    if ((strcmp(knob->unit, "GB") != 0 && strcmp(knob->unit, "TB") != 0) ||
        !quantity_is_gib(bytes))
        return false;
    quantity_print(bytes, knob->unit, text, size);
    return true;
}

/* Writes at most six significant digits, or a whole number; slider steps need fewer. */
void knob_print_value(const struct knob *knob, double si, char *text, size_t size)
{
    const char *word, *unit = knob->unit;
    size_t length;
    double shown = knob_in_unit(knob, si);
    char digits[40];

    if (strcmp(unit, "us") == 0 && shown >= 999.9995) { /* 1 ms, as results are written */
        unit = "ms";
        shown /= 1000;
    }
    word = knob_zero_word(knob, &length);
    if (shown == 0 && word != NULL) {
        snprintf(text, size, "%.*s", (int)length, word);
        return;
    }
    if (knob_print_binary(knob, si, text, size))
        return;
    if (shown != 0) {
        double scale = fabs(shown) < 1e6 ? pow(10, 5 - floor(log10(fabs(shown)))) : 1;

        shown = round(shown * scale) / scale;
    }
    number_format(shown, digits, sizeof digits);
    snprintf(text, size, "%s%s%s", digits, unit[0] == '\0' ? "" : " ", unit);
}

void knob_print(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    if (knob_is_number(ref.knob) && !knob_is_auto(ref.knob, knob_number(scenario, ref)))
        knob_print_value(ref.knob, knob_number(scenario, ref), text, size);
    else
        knob_get_text(scenario, ref, text, size);
}

void knob_allowed(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    struct buffer list = buffer_over(text, size);

    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        knob_range(ref.knob, text, size);
        if (ref.knob->formula != 0)
            snprintf(text + strlen(text), size - strlen(text), FORMULA_ALLOWED);
        return;
    case KNOB_TEXT:
        if (ref.knob->allowed != NULL)
            snprintf(text, size, "%s", ref.knob->allowed);
        else
            snprintf(text, size, "up to %zu bytes of text", ref.knob->size - 1);
        return;
    case KNOB_PRESET:
        snprintf(text, size, "the name of a device preset");
        return;
    case KNOB_COMPONENTS:
        snprintf(text, size, "names of components, separated by commas, or none");
        return;
    case KNOB_FILE:
        snprintf(text, size, "the path of a file, from the design's directory");
        return;
    case KNOB_CHOICE:
    case KNOB_WFS:
    case KNOB_DEVICE:
    case KNOB_DEVICES:
    case KNOB_ALGORITHM:
        break;
    }
    for (int i = 0; i < knob_choice_count(scenario, ref); i++)
        buffer_item(&list, knob_choice_name(scenario, ref, i));
}

/* Values from text ----------------------------------------------------------------------------- */

/* Returns STATUS_INVALID; the error lists the allowed words and suggests the nearest one. */
static enum status unknown_word(const struct nearest *nearest, const char *word,
                                const char *allowed, struct error *error)
{
    if (nearest->best[0] != '\0')
        return error_set(error, STATUS_INVALID,
                         "\"%.60s\" is not allowed; did you mean %s? Allowed: %s", word,
                         nearest->best, allowed);
    return error_set(error, STATUS_INVALID, "\"%.60s\" is not allowed; allowed: %s", word, allowed);
}

static enum status set_choice_word(struct scenario *scenario, struct knob_ref ref, const char *text,
                                   struct error *error)
{
    struct nearest nearest = nearest_to(text);
    int count = knob_choice_count(scenario, ref);
    char allowed[KNOB_ALLOWED_SIZE];

    for (int i = 0; i < count; i++)
        if (strcmp(knob_choice_name(scenario, ref, i), text) == 0)
            return knob_set_number(scenario, ref, knob_choice_value(scenario, ref, i), error);
    for (int i = 0; i < count; i++)
        nearest_offer(&nearest, knob_choice_name(scenario, ref, i));
    if (count == 0)
        return error_set(error, STATUS_INVALID, "there is no %s to choose", ref.knob->label);
    knob_allowed(scenario, ref, allowed, sizeof allowed);
    return unknown_word(&nearest, text, allowed, error);
}

/* A formula has what no unit has. */
bool knob_is_formula(const struct knob *knob, const char *text)
{
    const char *rest;
    double value;

    if (knob->formula == 0)
        return false;
    text += strspn(text, " \t");
    if (number_parse(text, &value, &rest) != STATUS_OK)
        return text[0] != '\0' && (strchr("-(", text[0]) != NULL || strpbrk(text, ".(*/+") != NULL);
    rest += strspn(rest, " \t");
    return rest[0] != '\0' && (strchr("-/", rest[0]) != NULL || strpbrk(rest, ".()*+^%") != NULL);
}

static enum status set_formula(struct scenario *scenario, struct knob_ref ref, const char *text,
                               struct error *error)
{
    char formula[FORMULA_MAX + 1];
    size_t length;
    uint32_t code;

    length = text_trim(&text);
    if (length > FORMULA_MAX)
        return error_set(error, STATUS_INVALID,
                         "a formula of %zu bytes is too long; the maximum is %d", length,
                         FORMULA_MAX);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && strchr(" ._,()+-*/", text[i]) == NULL) {
            size_t letter = utf8_read(text + i, length - i, &code);

            return error_set(error, STATUS_INVALID,
                             "a formula has no %.*s; allowed: numbers, names of knobs such as "
                             "ao.actuators, functions such as pow, + - * / and ( )",
                             (int)letter, text + i);
        }
    snprintf(formula, sizeof formula, "%.*s", (int)length, text);
    knob_put_formula(scenario, ref, formula);
    return STATUS_OK;
}

static enum status set_quantity(struct scenario *scenario, struct knob_ref ref, const char *text,
                                struct error *error)
{
    char allowed[KNOB_ALLOWED_SIZE];
    const char *end;
    double si;

    if (knob_is_formula(ref.knob, text))
        return set_formula(scenario, ref, text, error);
    if (number_parse(text + strspn(text, " \t"), &si, &end) != STATUS_OK) {
        knob_allowed(scenario, ref, allowed, sizeof allowed);
        return error_set(error, STATUS_INVALID, "%.80s is not a number; allowed: %s",
                         text[0] == '\0' ? "nothing" : text, allowed);
    }
    if (quantity_parse(text, ref.knob->unit, &si, error) != STATUS_OK)
        return STATUS_INVALID;
    return knob_set_number(scenario, ref, si, error);
}

static enum status set_text(struct scenario *scenario, struct knob_ref ref, const char *text,
                            struct error *error)
{
    if (strlen(text) >= ref.knob->size)
        return error_set(error, STATUS_INVALID, "text of %zu bytes is too long; the maximum is %zu",
                         strlen(text), ref.knob->size - 1);
    for (size_t at = 0; text[at] != '\0';) {
        uint32_t code;
        size_t length = utf8_read(text + at, strlen(text + at), &code);

        if (length == 0)
            return error_set(error, STATUS_INVALID, "text must be UTF-8");
        if (utf8_is_control(code) || code == '\t')
            return error_set(error, STATUS_INVALID, "text cannot contain control characters");
        at += length;
    }
    if (ini_cannot_state(text) != NULL)
        return error_set(error, STATUS_INVALID, "text cannot contain %s", ini_cannot_state(text));
    if (ref.knob->check != NULL && ref.knob->check(text, error) != STATUS_OK)
        return STATUS_INVALID;
    knob_put_text(scenario, ref, text);
    return STATUS_OK;
}

/* Lists of names ------------------------------------------------------------------------------- */

/* Returns true if there is no name, or none before or after a comma. */
static bool lacks_name(const char *text)
{
    bool missing = true;

    for (; *text != '\0'; text++) {
        if (*text == ',' && missing)
            return true;
        if (*text != ' ' && *text != '\t')
            missing = *text == ',';
    }
    return missing;
}

/* Reads the next name of a list; returns false at its end. */
static bool next_name(const char **at, char *name, size_t size)
{
    size_t length;

    *at += strspn(*at, ", \t");
    length = strcspn(*at, ", \t");
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1), *at);
    *at += length;
    return length > 0;
}

/* Returns STATUS_INVALID; the error names every unknown name of the list. */
static enum status unknown_names(const struct scenario *scenario, enum section section,
                                 const char *at, struct error *error)
{
    char name[TEXT_MAX_LENGTH + 1];
    struct error reason = {STATUS_OK, ""};
    char others[KNOB_ALLOWED_SIZE];
    struct buffer list = buffer_over(others, sizeof others);

    while (next_name(&at, name, sizeof name)) {
        if (section_find(scenario, section, name) >= 0)
            continue;
        if (reason.status == STATUS_OK)
            section_missing(scenario, section, name, &reason);
        else
            buffer_item(&list, name);
    }
    return error_set(error, STATUS_INVALID, "%.190s%s%s", reason.message,
                     others[0] == '\0' ? "" : "; also unknown: ", others);
}

/* Converts a list of names to a set of indices. */
static enum status read_names(const struct scenario *scenario, enum section section,
                              const char *text, uint64_t *members, struct error *error)
{
    const char *at = text;
    char name[TEXT_MAX_LENGTH + 1];
    size_t length = 0;

    if (lacks_name(text))
        return error_set(error, STATUS_INVALID, "a name is missing in the list \"%.60s\"", text);
    *members = 0;
    while (next_name(&at, name, sizeof name)) {
        int index = section_find(scenario, section, name);

        if (index < 0)
            return unknown_names(scenario, section, text, error);
        if ((*members >> index & 1) != 0)
            return error_set(error, STATUS_INVALID, "%s is named twice", name);
        length += strlen(name) + strlen(", ");
        *members |= UINT64_C(1) << index;
    }
    if (length > NAMES_MAX)
        return error_set(error, STATUS_INVALID, "the names have %zu bytes; the maximum is %d",
                         length, NAMES_MAX);
    return STATUS_OK;
}

static enum status set_component_names(struct scenario *scenario, struct knob_ref ref,
                                       const char *text, struct error *error)
{
    uint64_t members = 0;

    if (strcmp(text, "none") != 0 &&
        read_names(scenario, SECTION_COMPONENT, text, &members, error) != STATUS_OK)
        return STATUS_INVALID;
    return knob_set_components(scenario, ref, members, error);
}

static enum status set_device_names(struct scenario *scenario, struct knob_ref ref,
                                    const char *text, struct error *error)
{
    uint64_t members;

    if (text[strcspn(text, ", \t")] == '\0')
        return set_choice_word(scenario, ref, text, error);
    if (read_names(scenario, SECTION_DEVICE, text, &members, error) != STATUS_OK)
        return STATUS_INVALID;
    return knob_set_devices(scenario, ref, (uint32_t)members, error);
}

enum status knob_set_text(struct scenario *scenario, struct knob_ref ref, const char *text,
                          struct error *error)
{
    size_t length;
    const char *zero = knob_zero_word(ref.knob, &length);

    if (ref.knob->automatic && strcmp(text, "auto") == 0) {
        knob_set_auto(scenario, ref);
        return STATUS_OK;
    }
    if (zero != NULL && strlen(text) == length && strncmp(text, zero, length) == 0)
        return knob_set_number(scenario, ref, 0, error);
    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        return set_quantity(scenario, ref, text, error);
    case KNOB_CHOICE:
    case KNOB_ALGORITHM:
    case KNOB_WFS:
    case KNOB_DEVICE:
        return set_choice_word(scenario, ref, text, error);
    case KNOB_DEVICES:
        return set_device_names(scenario, ref, text, error);
    case KNOB_COMPONENTS:
        return set_component_names(scenario, ref, text, error);
    case KNOB_TEXT:
        return set_text(scenario, ref, text, error);
    case KNOB_FILE:
        return error_set(error, STATUS_INVALID, "a file is read by its path");
    case KNOB_PRESET:
        break;
    }
    return error_set(error, STATUS_INVALID, "a preset is chosen from the catalogue");
}

/* Origins -------------------------------------------------------------------------------------- */

const char *origin_key(enum section section, const char *name)
{
    size_t length = strlen(ORIGIN_PREFIX);

    return section == SECTION_DEVICE && strncmp(name, ORIGIN_PREFIX, length) == 0 ? name + length
                                                                                  : NULL;
}

enum status knob_set_origin_text(struct scenario *scenario, struct knob_ref ref, const char *word,
                                 struct error *error)
{
    struct nearest nearest = nearest_to(word);
    char allowed[64];
    struct buffer list = buffer_over(allowed, sizeof allowed);

    for (enum origin origin = ORIGIN_STATED; origin < ORIGIN_COUNT; origin++) {
        if (strcmp(origin_name(origin), word) == 0) {
            knob_set_origin(scenario, ref, origin);
            return STATUS_OK;
        }
        nearest_offer(&nearest, origin_name(origin));
        buffer_item(&list, origin_name(origin));
    }
    return unknown_word(&nearest, word, allowed, error);
}
