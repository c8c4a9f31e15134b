#include "explore/axis.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/random.h"
#include "base/units.h"
#include "base/utf8.h"
#include "design/knob_text.h"

#define RANGE "FROM:TO:N or FROM:TO:N:log"
#define NONE "none"

void axis_free(struct axis *axis)
{
    for (int i = 0; axis->word != NULL && i < axis->count + axis->left_out; i++)
        free(axis->word[i]);
    free(axis->number);
    free(axis->word);
    free(axis->preset);
    *axis = (struct axis){.count = 0};
}

/* Makes room for numbers, presets or words; `formulas`: words although the knob is a number. */
static void allocate_values(struct axis *axis, int count, bool formulas)
{
    bool preset = axis->ref.knob->type == KNOB_PRESET;
    bool number = knob_is_number(axis->ref.knob) && !formulas;

    axis->number = number ? allocate_array((size_t)count, sizeof *axis->number) : NULL;
    axis->word = number ? NULL : allocate_array((size_t)count, sizeof *axis->word);
    axis->preset = preset ? allocate_array((size_t)count, sizeof *axis->preset) : NULL;
}

/* Prefixes the error message with the knob's path. */
static enum status prefix_path(const struct scenario *scenario, struct knob_ref ref,
                               struct error *error)
{
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    error_prefix(error, "%s", path);
    return error == NULL ? STATUS_INVALID : error->status;
}

/* Values are set in a copy of the design to validate them. */
struct axis_reader {
    struct scenario *scenario;
    struct catalogue *catalogue;
    bool patterns; /* are permitted */
    bool skip;     /* presets of a kind that cannot be read */
};

static enum status add_word(struct axis *axis, const struct axis_reader *reader, const char *word,
                            struct error *error)
{
    char value[AXIS_TEXT_MAX];
    int i = axis->count;
    enum status status;

    if (axis->preset != NULL)
        status = catalogue_device(reader->catalogue, word, &axis->preset[i], error);
    else
        status = knob_set_text(reader->scenario, axis->ref, word, error);
    if (status != STATUS_OK)
        return status;
    if (axis->number != NULL) {
        axis->number[axis->count++] = knob_number(reader->scenario, axis->ref);
        return STATUS_OK;
    }
    if (knob_is_number(axis->ref.knob)) { /* beside formulas: with its unit */
        knob_get_text(reader->scenario, axis->ref, value, sizeof value);
        word = value;
    }
    axis->word[i] = allocate_text(word);
    axis->count++;
    return STATUS_OK;
}

/* Presets -------------------------------------------------------------------------------------- */

static bool has_word(const struct axis *axis, const char *word)
{
    for (int i = 0; i < axis->count; i++)
        if (strcmp(axis->word[i], word) == 0)
            return true;
    return false;
}

/* Adds every preset of a kind that the axis lacks; one that cannot be read is an error or skipped.
 */
static enum status add_kind(struct axis *axis, const struct axis_reader *reader,
                            enum preset_kind kind, struct error *error)
{
    const char *unread = catalogue_unread_folder(reader->catalogue, 1U << kind);
    enum status status =
        unread == NULL || reader->skip ? STATUS_OK : error_set(error, STATUS_IO, "%s", unread);

    for (int i = 0; i < catalogue_count(reader->catalogue) && status == STATUS_OK; i++) {
        const struct preset *preset = catalogue_at(reader->catalogue, i);

        if (preset_may_be(preset, 1U << kind) && !has_word(axis, preset->name))
            status = add_word(axis, reader, preset->name, error);
        status = reader->skip ? STATUS_OK : status;
    }
    return status;
}

/* Adds the value that a device does not exist, which its components leave for its host. */
static enum status add_none(struct axis *axis, const struct axis_reader *reader,
                            struct error *error)
{
    const struct scenario *scenario = reader->scenario;

    for (int d = 0; d < scenario->device_count; d++)
        if (axis_varies(axis, SECTION_DEVICE, d) &&
            (scenario->device[d].kind == DEVICE_CPU || scenario_host(scenario, d) == d))
            return error_set(error, STATUS_INVALID,
                             "\"" NONE
                             "\" needs an accelerator with a host, to which its components go");
    axis->word[axis->count] = allocate_text(NONE);
    axis->preset[axis->count++] = NULL;
    return STATUS_OK;
}

/* Adds the presets that a word of a list stands for. */
static enum status add_presets(struct axis *axis, const struct axis_reader *reader,
                               const char *word, struct error *error)
{
    for (int kind = DEVICE_CPU; kind <= DEVICE_FPGA; kind++)
        if (strcmp(word, knob_word(KNOB_DEVICE_KIND, kind)) == 0)
            return add_kind(axis, reader, (enum preset_kind)kind, error);
    if (has_word(axis, word))
        return STATUS_OK;
    return strcmp(word, NONE) == 0 ? add_none(axis, reader, error)
                                   : add_word(axis, reader, word, error);
}

/* Lists ---------------------------------------------------------------------------------------- */

/* Ends each value of a list with a zero byte, at commas outside parentheses; returns how many there
 * are. */
static int split_list(char *text)
{
    int count = 1;
    int depth = 0;

    for (; *text != '\0'; text++) {
        depth += (*text == '(') - (*text == ')');
        if (*text == ',' && depth <= 0) {
            *text = '\0';
            count++;
        }
    }
    return count;
}

/* Removes the last value if the axis has it already. */
static void drop_repeated(struct axis *axis)
{
    int last = axis->count - 1;

    for (int i = 0; i < last; i++) {
        if (axis->number != NULL ? axis->number[i] != axis->number[last]
                                 : strcmp(axis->word[i], axis->word[last]) != 0)
            continue;
        if (axis->number == NULL)
            free(axis->word[last]);
        axis->count--;
        return;
    }
}

static enum status read_list(struct axis *axis, const struct axis_reader *reader, char *text,
                             struct error *error)
{
    const struct knob *knob = axis->ref.knob;
    bool presets = knob->type == KNOB_PRESET;
    bool formulas = false;
    int count = split_list(text);
    char *word = text;
    enum status status = STATUS_OK;

    if (count > AXIS_POINTS_MAX)
        return error_set(error, STATUS_INVALID, "there are more than %d values", AXIS_POINTS_MAX);
    for (int i = 0; i < count; i++, word += strlen(word) + 1)
        formulas = formulas || knob_is_formula(knob, word);
    allocate_values(axis, presets ? catalogue_count(reader->catalogue) + 1 : count, formulas);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        char *next = text + strlen(text) + 1;

        word = text_trimmed(text);
        if (word[0] == '\0')
            return error_set(error, STATUS_INVALID, "empty value in the list");
        status =
            presets ? add_presets(axis, reader, word, error) : add_word(axis, reader, word, error);
        if (status == STATUS_OK && !presets)
            drop_repeated(axis);
        text = next;
    }
    return status;
}

/* All ------------------------------------------------------------------------------------------ */

static enum status read_every_choice(struct axis *axis, const struct axis_reader *reader,
                                     struct error *error)
{
    bool presets = axis->ref.knob->type == KNOB_PRESET;
    int count = presets ? catalogue_count(reader->catalogue)
                        : knob_choice_count(reader->scenario, axis->ref);
    char allowed[400];
    enum status status = STATUS_OK;

    if (count == 0) {
        knob_allowed(reader->scenario, axis->ref, allowed, sizeof allowed);
        return error_set(
            error, STATUS_INVALID, "\"all\" needs a knob with choices; %s%s",
            knob_is_number(axis->ref.knob) ? "give " RANGE ", of " : "allowed: ", allowed);
    }
    allocate_values(axis, count, false);
    if (presets)
        return add_kind(axis, reader, preset_kind_of(&reader->scenario->device[axis->ref.index]),
                        error);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = add_word(axis, reader, knob_choice_name(reader->scenario, axis->ref, i), error);
    return status;
}

/* Ranges --------------------------------------------------------------------------------------- */

/* Returns point i of 0 to last between the ends, in the knob's unit. */
static double point_between(const struct knob *knob, double from, double to, double i, double last,
                            bool logarithmic)
{
    double value = logarithmic ? from * portable_exp(portable_log(to / from) * (i / last))
                               : (from * (last - i) + to * i) / last;
    char twelve_digits[40];

    snprintf(twelve_digits, sizeof twelve_digits, "%.11e", value);
    value = strtod(twelve_digits, NULL);
    if (knob->scale == SCALE_POWER2) {
        int exponent; /* exponent of the nearest power of two */
        double part = frexp(value, &exponent);

        return ldexp(1, part < sqrt(0.5) ? exponent - 1 : exponent);
    }
    return knob->type == KNOB_INTEGER ? round(value) : value;
}

static void fill_range(struct axis *axis, double from, double to, int points, bool logarithmic)
{
    const struct knob *knob = axis->ref.knob;

    for (int i = 0; i < points; i++) {
        double value = i == 0 ? from : to;

        if (i > 0 && i < points - 1)
            value =
                knob_to_si(knob, point_between(knob, knob_in_unit(knob, from),
                                               knob_in_unit(knob, to), i, points - 1, logarithmic));
        if (axis->count > 0 && value == axis->number[axis->count - 1])
            continue;
        axis->number[axis->count++] = value;
    }
}

/* Creates the numbers of a range; error messages do not contain the knob. */
static enum status set_range(struct axis *axis, double from, double to, int points,
                             bool logarithmic, struct error *error)
{
    const struct knob *knob = axis->ref.knob;

    if (knob_is_auto(knob, from) || knob_is_auto(knob, to))
        return error_set(error, STATUS_INVALID, "%.17g means auto and cannot be the end of a range",
                         knob->fallback);
    if (logarithmic && !(from > 0 && to > 0))
        return error_set(error, STATUS_INVALID, "the ends of a logarithmic range must be above 0");
    if (points == 1 && from != to)
        return error_set(error, STATUS_INVALID, "a range of 1 point needs equal ends");
    allocate_values(axis, points, false);
    fill_range(axis, from, to, points, logarithmic);
    return STATUS_OK;
}

enum status axis_range(struct axis *axis, const struct scenario *scenario, struct knob_ref ref,
                       double from, double to, int points, bool logarithmic, struct error *error)
{
    *axis = (struct axis){.ref = ref};
    if (set_range(axis, from, to, points, logarithmic, error) == STATUS_OK)
        return STATUS_OK;
    return prefix_path(scenario, ref, error);
}

static enum status read_end(const struct axis *axis, const struct axis_reader *reader, char *text,
                            double *end, struct error *error)
{
    enum status status = knob_set_text(reader->scenario, axis->ref, text_trimmed(text), error);

    if (status == STATUS_OK && knob_formula(reader->scenario, axis->ref) != NULL)
        return error_set(error, STATUS_INVALID,
                         "a formula cannot be the end of a range; list formulas, as in A,B,C");
    *end = knob_number(reader->scenario, axis->ref);
    return status;
}

/* Creates every whole number between the ends. */
static enum status read_whole_numbers(struct axis *axis, double from, double to,
                                      struct error *error)
{
    double points = fabs(to - from) + 1;

    if (points > AXIS_POINTS_MAX)
        return error_set(error, STATUS_INVALID, "there are more than %d values", AXIS_POINTS_MAX);
    return set_range(axis, from, to, (int)points, false, error);
}

static enum status read_range(struct axis *axis, const struct axis_reader *reader, char *text,
                              struct error *error)
{
    char *part[5] = {text};
    int parts = 1;
    double from = 0;
    double to = 0;
    double points;
    const char *count, *end;
    bool logarithmic;
    enum status status;

    for (char *at = text; (at = strchr(at, ':')) != NULL && parts < 5;) {
        *at++ = '\0';
        part[parts++] = at;
    }
    logarithmic = parts == 4 && strcmp(text_trimmed(part[3]), "log") == 0;
    if (parts != 3 && !logarithmic && !(parts == 2 && axis->ref.knob->type == KNOB_INTEGER))
        return error_set(error, STATUS_INVALID, "a range is " RANGE ", as in 1:64:8");
    status = read_end(axis, reader, part[0], &from, error);
    if (status == STATUS_OK)
        status = read_end(axis, reader, part[1], &to, error);
    if (status != STATUS_OK)
        return status;
    if (parts == 2)
        return read_whole_numbers(axis, from, to, error);
    count = text_trimmed(part[2]);
    if (number_parse(count, &points, &end) != STATUS_OK || *end != '\0' ||
        points != floor(points) || points < 1 || points > AXIS_POINTS_MAX)
        return error_set(error, STATUS_INVALID,
                         "\"%.60s\" is not a number of points, which is whole and at most %d",
                         count, AXIS_POINTS_MAX);
    return set_range(axis, from, to, (int)points, logarithmic, error);
}

/* Axes ----------------------------------------------------------------------------------------- */

/* Finds the knob of a path, the preset of "device.NAME". */
static enum status find_axis_knob(const struct scenario *scenario, const char *path,
                                  struct knob_ref *ref, struct error *error)
{
    const char *device = "device.";
    const char *name = path + strlen(device);

    if (strncmp(path, device, strlen(device)) != 0 || strchr(name, '.') != NULL)
        return knob_find_one(scenario, path, ref, error);
    if (section_find(scenario, SECTION_DEVICE, name) < 0)
        return section_missing(scenario, SECTION_DEVICE, name, error);
    *ref = knob_ref_to(KNOB_DEVICE_PRESET, section_find(scenario, SECTION_DEVICE, name));
    return STATUS_OK;
}

/* Adds a section to those that have the values of an axis; the first one is that of `ref`. */
static enum status add_member(struct axis *axis, const struct scenario *scenario,
                              struct knob_ref ref, struct error *error)
{
    if (axis->ref.knob == NULL) {
        axis->ref = ref;
        return STATUS_OK;
    }
    if (ref.knob != axis->ref.knob ||
        (ref.knob->type == KNOB_PRESET &&
         scenario->device[ref.index].kind != scenario->device[axis->ref.index].kind))
        return error_set(error, STATUS_INVALID, "%s and %s are of two kinds",
                         section_head_const(scenario, ref.section, axis->ref.index)->name,
                         section_head_const(scenario, ref.section, ref.index)->name);
    axis->also |= UINT64_C(1) << ref.index;
    return STATUS_OK;
}

/* Finds the knobs of a path whose name is a pattern. */
static enum status find_axis_knobs(struct axis *axis, const struct scenario *scenario,
                                   const char *path, struct error *error)
{
    const char *name = path + strcspn(path, ".") + 1; /* a pattern has no period */
    int length = (int)strcspn(name, ".");
    enum status status = STATUS_OK;
    char word[24], member[160];
    enum section section;

    snprintf(word, sizeof word, "%.*s", (int)strcspn(path, "."), path);
    section = section_named(word);
    if (section == SECTION_COUNT || section_max(section) == 1 || length > NAME_MAX_LENGTH)
        return find_axis_knob(scenario, path, &axis->ref, error);
    snprintf(axis->pattern, sizeof axis->pattern, "%.*s", length, name);
    for (int i = 0; i < section_count(scenario, section) && status == STATUS_OK; i++) {
        const char *candidate = section_head_const(scenario, section, i)->name;
        struct knob_ref ref;

        if (fnmatch(axis->pattern, candidate, 0) != 0)
            continue;
        snprintf(member, sizeof member, "%s.%s%.80s", word, candidate, name + length);
        status = find_axis_knob(scenario, member, &ref, error);
        if (status != STATUS_OK)
            error_prefix(error, "%s", candidate);
        else
            status = add_member(axis, scenario, ref, error);
    }
    if (status == STATUS_OK && axis->ref.knob == NULL)
        return section_missing(scenario, section, axis->pattern, error);
    return status;
}

static enum status read_axis(struct axis *axis, const struct axis_reader *reader, char *text,
                             struct error *error)
{
    char *values = strchr(text, '=');
    char allowed[400];
    const struct knob *knob;
    enum status status;

    if (values == NULL)
        return error_set(error, STATUS_INVALID, AXIS_MISSING, text);
    *values = '\0';
    text = text_trimmed(text);
    values = text_trimmed(values + 1);
    if ((reader->patterns && text[strcspn(text, "*?")] != '\0'
             ? find_axis_knobs(axis, reader->scenario, text, error)
             : find_axis_knob(reader->scenario, text, &axis->ref, error)) != STATUS_OK) {
        error_prefix(error, "%.100s", text);
        return STATUS_INVALID;
    }
    knob = axis->ref.knob;
    if (knob->type == KNOB_TEXT || knob->type == KNOB_FILE) {
        status = error_set(error, STATUS_INVALID, "a text knob cannot be varied");
    } else if (values[0] == '\0') {
        knob_allowed(reader->scenario, axis->ref, allowed, sizeof allowed);
        status = error_set(error, STATUS_INVALID, "no values; allowed: %s%s",
                           knob_is_number(knob) ? RANGE ", of " : "", allowed);
    } else if (strcmp(values, "all") == 0 || strcmp(values, "*") == 0) {
        status = read_every_choice(axis, reader, error);
    } else if (knob_is_number(knob) && strchr(values, ':') != NULL) {
        status = read_range(axis, reader, values, error);
    } else if (knob_is_number(knob) && strstr(values, "..") != NULL) {
        status = error_set(error, STATUS_INVALID, "a range is " RANGE ", as in 1:64:8");
    } else {
        status = read_list(axis, reader, values, error);
    }
    return status == STATUS_OK ? STATUS_OK : prefix_path(reader->scenario, axis->ref, error);
}

static enum status parse_axis(struct axis *axis, const struct scenario *scenario,
                              struct catalogue *catalogue, const char *text, bool patterns,
                              bool skip, struct error *error)
{
    struct axis_reader reader = {allocate(sizeof *reader.scenario), catalogue, patterns, skip};
    char *copy = allocate_text(text);
    enum status status;

    *axis = (struct axis){.count = 0};
    scenario_copy(reader.scenario, scenario);
    status = read_axis(axis, &reader, copy, error);
    free(reader.scenario);
    free(copy);
    return status;
}

enum status axis_parse(struct axis *axis, const struct scenario *scenario,
                       struct catalogue *catalogue, const char *text, struct error *error)
{
    return parse_axis(axis, scenario, catalogue, text, false, false, error);
}

enum status axis_parse_pattern(struct axis *axis, const struct scenario *scenario,
                               struct catalogue *catalogue, const char *text, bool skip,
                               struct error *error)
{
    return parse_axis(axis, scenario, catalogue, text, true, skip, error);
}

/* Returns true for the numbers of a knob that a logarithmic scale suits: those of a slider with
 * such a scale, and those that span more than a decade. */
static bool suits_logarithm(const struct knob *knob, double from, double to)
{
    enum { DECADE = 10 };

    return knob->scale != SCALE_LINEAR || (from > 0 && to > DECADE * from);
}

enum status axis_default(struct axis *axis, const struct scenario *scenario,
                         struct catalogue *catalogue, struct knob_ref ref, int points,
                         struct error *error)
{
    const struct knob *knob = ref.knob;
    double from = knob_min(knob);
    char text[128];

    if (!knob_is_number(knob)) {
        knob_path(scenario, ref, text, 96);
        strcat(text, "=all");
        return axis_parse(axis, scenario, catalogue, text, error);
    }
    /* 0 has no logarithm, and the number for "automatic" is not a value */
    if (!(from > 0) && (knob->scale != SCALE_LINEAR || knob_is_auto(knob, 0)))
        from = knob_to_si(knob, knob->step);
    return axis_range(axis, scenario, ref, from, knob_max(knob), points,
                      suits_logarithm(knob, from, knob_max(knob)), error);
}

/* Returns a value between the ends of the range, whole for an integer. */
static double within_range(const struct knob *knob, double value)
{
    value = fmin(fmax(value, knob_min(knob)), knob_max(knob));
    return knob->type == KNOB_INTEGER ? ceil(value) : value;
}

enum status axis_around(struct axis *axis, const struct scenario *scenario,
                        struct catalogue *catalogue, struct knob_ref ref, double value, int points,
                        struct error *error)
{
    double from = within_range(ref.knob, value / 4);
    double to = within_range(ref.knob, value * 4);

    if (!(from < to) || knob_is_auto(ref.knob, from) || knob_is_auto(ref.knob, to))
        return axis_default(axis, scenario, catalogue, ref, points, error);
    return axis_range(axis, scenario, ref, from, to, points, suits_logarithm(ref.knob, from, to),
                      error);
}

static bool lies_within(const struct axis *axis, double value)
{
    double first = axis->number[0];
    double last = axis->number[axis->count - 1];

    return (first < value && value < last) || (first > value && value > last);
}

/* Inserts a number in order. */
static void insert_number(struct axis *axis, double value)
{
    bool rises = axis->number[axis->count - 1] >= axis->number[0];
    int at = 0;

    while (at < axis->count && (rises ? axis->number[at] < value : axis->number[at] > value))
        at++;
    if (at < axis->count && axis->number[at] == value)
        return;
    axis->number = allocate_again(axis->number, ((size_t)axis->count + 1) * sizeof *axis->number);
    memmove(&axis->number[at + 1], &axis->number[at],
            (size_t)(axis->count - at) * sizeof *axis->number);
    axis->number[at] = value;
    axis->count++;
}

void axis_include(struct axis *axis, double value)
{
    if (axis->number != NULL && lies_within(axis, value))
        insert_number(axis, value);
}

enum status axis_of_parts(struct axis *axis, const struct scenario *scenario,
                          const struct part_values *values, struct knob_ref ref, double value,
                          double present, int points, struct error *error)
{
    enum status status;

    *axis = (struct axis){.ref = ref};
    allocate_values(axis, AXIS_PARTS_MAX, false);
    axis->count = part_values_between(values, scenario, ref, value / 4, value * 4, axis->number,
                                      AXIS_PARTS_MAX);
    if (axis->count >= 2) {
        insert_number(axis, present);
        return STATUS_OK;
    }
    axis_free(axis);
    status = axis_around(axis, scenario, part_values_catalogue(values), ref, value, points, error);
    if (status == STATUS_OK)
        axis_include(axis, present);
    return status;
}

/* Returns true if a text has a word between = or commas. */
static bool names_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if (at > text && strchr("=, \t", at[-1]) != NULL &&
            (at[length] == '\0' || strchr(", \t", at[length]) != NULL))
            return true;
    return false;
}

/* Moves a preset behind all others. */
static void move_to_end(struct axis *axis, int i)
{
    int last = axis->count + axis->left_out - 1;
    const struct device *preset = axis->preset[i];
    char *word = axis->word[i];

    for (; i < last; i++) {
        axis->preset[i] = axis->preset[i + 1];
        axis->word[i] = axis->word[i + 1];
    }
    axis->preset[last] = preset;
    axis->word[last] = word;
}

/* Returns true if one of the devices of an axis has a preset. */
static bool has_present(const struct axis *axis, const struct scenario *scenario, const char *word)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (axis_varies(axis, SECTION_DEVICE, d) && strcmp(scenario->device[d].preset, word) == 0)
            return true;
    return false;
}

void axis_leave_out(struct axis *axis, const struct scenario *scenario, const char *text)
{
    for (int i = 0; axis->preset != NULL && i < axis->count;) {
        const struct device *preset = axis->preset[i];

        if (axis->count == 1 || preset == NULL || preset->sold_in[0] == '\0' ||
            names_word(text, axis->word[i]) || has_present(axis, scenario, axis->word[i])) {
            i++;
        } else {
            move_to_end(axis, i);
            axis->left_out++;
            axis->count--;
        }
    }
}

void axis_present(struct axis *axis, const struct scenario *scenario, struct knob_ref ref)
{
    char text[2304];

    *axis = (struct axis){.ref = ref};
    allocate_values(axis, 1, knob_formula(scenario, ref) != NULL);
    axis->count = 1;
    if (axis->number != NULL) {
        axis->number[0] = knob_number(scenario, ref);
        return;
    }
    knob_get_text(scenario, ref, text, sizeof text);
    axis->word[0] = allocate_text(text);
    if (axis->preset != NULL)
        axis->preset[0] = scenario->device[ref.index].base;
}

/* Sets value number i of one section. */
static enum status apply_value(const struct axis *axis, int i, int index, struct scenario *scenario,
                               struct error *error)
{
    struct knob_ref ref = {axis->ref.section, index, axis->ref.knob};
    bool applies = knob_applies(scenario, ref.section, ref.index, ref.knob);
    enum status status = STATUS_OK;

    if (axis->number != NULL && applies) {
        knob_put_number(scenario, ref, axis->number[i]);
        return STATUS_OK;
    }
    if (axis_is_none(axis, i))
        return STATUS_OK;
    if (axis->preset != NULL) {
        scenario_put_preset(scenario, ref.index, axis->word[i], axis->preset[i]);
        return STATUS_OK;
    }
    /* another kind may use the same key in another row */
    if (!applies)
        status = knob_find_key(scenario, ref.section, ref.index, ref.knob->key, &ref, error);
    if (status == STATUS_OK)
        status = axis->number != NULL ? knob_set_number(scenario, ref, axis->number[i], error)
                                      : knob_set_text(scenario, ref, axis->word[i], error);
    return status == STATUS_OK
               ? STATUS_OK
               : prefix_path(scenario, (struct knob_ref){ref.section, index, axis->ref.knob},
                             error);
}

enum status axis_apply(const struct axis *axis, int i, struct scenario *scenario,
                       struct error *error)
{
    enum status status = apply_value(axis, i, axis->ref.index, scenario, error);
    uint64_t also = axis->also;

    for (int index = 0; also != 0 && status == STATUS_OK; index++, also >>= 1)
        if ((also & 1) != 0)
            status = apply_value(axis, i, index, scenario, error);
    return status;
}

/* Replaces the name in a path by the pattern. */
static void put_pattern(const struct axis *axis, const struct scenario *scenario, char *text,
                        size_t size)
{
    const char *name = section_head_const(scenario, axis->ref.section, axis->ref.index)->name;
    char path[128];

    if (axis->pattern[0] == '\0')
        return;
    snprintf(path, sizeof path, "%s.%s%s", section_name(axis->ref.section), axis->pattern,
             text + strlen(section_name(axis->ref.section)) + 1 + strlen(name));
    snprintf(text, size, "%s", path);
}

void axis_path(const struct axis *axis, const struct scenario *scenario, char *text, size_t size)
{
    knob_path(scenario, axis->ref, text, size);
    put_pattern(axis, scenario, text, size);
}

const char *axis_devices(const struct axis *axis, const struct scenario *scenario)
{
    return axis->pattern[0] != '\0' ? axis->pattern : scenario->device[axis->ref.index].head.name;
}

const char *axis_title(const struct axis *axis, const struct scenario *scenario, char *text,
                       size_t size)
{
    if (axis->preset != NULL)
        return axis_devices(axis, scenario);
    axis_path(axis, scenario, text, size);
    return text;
}

void axis_json_path(const struct axis *axis, const struct scenario *scenario, char *text,
                    size_t size)
{
    knob_json_path(scenario, axis->ref, text, size);
    put_pattern(axis, scenario, text, size);
}

void axis_text(const struct axis *axis, int i, char *text, size_t size)
{
    const struct knob *knob = axis->ref.knob;

    if (axis->number == NULL)
        snprintf(text, size, "%s", axis->word[i]);
    else if (knob_is_auto(knob, axis->number[i]))
        snprintf(text, size, "auto");
    else
        number_format(knob_in_unit(knob, axis->number[i]), text, size);
}
