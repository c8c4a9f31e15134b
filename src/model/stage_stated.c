/* Numbers of custom components: those of the scenario, or the values of its formulas. */
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/nearest.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "model/expression.h"
#include "model/stage.h"

enum {
    CHAIN_MAX = 16,       /* formulas that name formulas */
    STEPS_OF_FORMULA = 50 /* of a pace */
};

static const enum knob_id stated_knobs[STATED_COUNT] = {[STATED_FLOPS] = KNOB_COMPONENT_FLOPS,
                                                        [STATED_READ] = KNOB_COMPONENT_BYTES_READ,
                                                        [STATED_WRITTEN] =
                                                            KNOB_COMPONENT_BYTES_WRITTEN,
                                                        [STATED_SET] = KNOB_COMPONENT_WORKING_SET};

/* The evaluation of a formula, for the names in it. */
struct formula {
    struct workspace *work;
    const struct scenario *scenario;
    struct knob_ref knob;
    int prepared;    /* component whose values are wanted: what comes before it has results */
    int depth;       /* formulas that wait for this one */
    bool complained; /* `error` names another knob already */
    struct error *error;
};

static enum status find_stated(const struct formula *formula, enum stated_number stated,
                               double *value);

/* Names ---------------------------------------------------------------------------------------- */

/* The parts of a path in a formula, "component.recon.flop". */
struct name_parts {
    enum section section; /* SECTION_COUNT: unknown */
    int index;            /* of the instance; below 0: unknown */
    const char *key;      /* empty: none */
};

static struct name_parts split_name(const struct scenario *scenario, const char *path)
{
    char word[NAME_MAX_LENGTH + 1] = "", instance[NAME_MAX_LENGTH + 1] = "";
    struct name_parts parts = {SECTION_COUNT, 0, ""};
    const char *point = strchr(path, '.');

    sscanf(path, "%31[^.].%31[^.]", word, instance);
    parts.section = section_named(word);
    if (parts.section < SECTION_COUNT && section_max(parts.section) > 1) {
        parts.index = section_find(scenario, parts.section, instance);
        point = point == NULL ? NULL : strchr(point + 1, '.');
    }
    if (point != NULL)
        parts.key = point + 1;
    return parts;
}

static const char *const counted_keys[] = {"subaps", "slopes", "pixels", NULL};
static const char *const work_keys[] = {"flop", "bytes", "working_set", NULL};
static const char *const no_keys[] = {NULL};

static bool is_among(const char *const *keys, const char *key)
{
    while (*keys != NULL && strcmp(*keys, key) != 0)
        keys++;
    return *keys != NULL;
}

/* Gets what is counted of a sensor; returns false for other keys. */
static bool find_count(const struct formula *formula, int wfs, const char *key,
                       struct measure *measure)
{
    double subaps = stage_subaps(formula->work, formula->scenario, wfs);

    if (strcmp(key, "subaps") == 0)
        *measure = measure_of(subaps, "");
    else if (strcmp(key, "slopes") == 0)
        *measure = measure_of(2 * subaps, "");
    else if (strcmp(key, "pixels") == 0)
        *measure = measure_of(stage_pixels(formula->work, formula->scenario, wfs), "px");
    else
        return false;
    return true;
}

/* Returns true for a component that comes before that whose values are wanted. */
static bool comes_before(const struct formula *formula, int component)
{
    const struct plan *plan = &formula->work->plan;

    return (plan->node[plan->node_of[formula->prepared]].behind >> component & 1) != 0;
}

/* Gets a result of a component that comes before; returns false for other keys and components. The
 * bytes of a transfer are never its knob, which may not be what it carries. */
static bool find_work(const struct formula *formula, int component, const char *key,
                      struct measure *measure)
{
    static const size_t offsets[] = {offsetof(struct stage, flop), offsetof(struct stage, bytes),
                                     offsetof(struct stage, working_set)};
    const struct plan *plan = &formula->work->plan;
    int first = plan->node_of[component];
    int count = plan_parts(plan, component);
    double sum = 0;
    int row = 0;

    while (work_keys[row] != NULL && strcmp(work_keys[row], key) != 0)
        row++;
    if (work_keys[row] == NULL || !comes_before(formula, component))
        return false;
    for (int n = first; n < first + count; n++)
        sum +=
            *(const double *)(const void *)((const char *)&formula->work->stage[n] + offsets[row]);
    *measure = measure_of(sum, row == 0 ? "FLOP" : "B");
    return true;
}

/* Gets an automatic number that the design counts; returns false for others. */
static bool find_automatic(const struct formula *formula, struct knob_ref ref, double *value)
{
    const struct agenda *agenda = &formula->work->agenda[ref.index];

    switch (knob_id(ref.knob)) {
    case KNOB_WFS_VALID_SUBAPS:
        *value = agenda->subaps;
        return true;
    case KNOB_WFS_DETECTOR_WIDTH:
        *value = (double)agenda->key.width;
        return true;
    case KNOB_WFS_DETECTOR_HEIGHT:
        *value = (double)agenda->key.height;
        return true;
    case KNOB_WFS_PACKETS:
        *value = scenario_sensor_packets(formula->scenario, ref.index);
        return true;
    default:
        return false;
    }
}

/* Gets a number that another formula states. */
static enum status find_of_formula(struct formula *formula, struct knob_ref ref, double *value,
                                   struct error *error)
{
    const struct formula other = {.work = formula->work,
                                  .scenario = formula->scenario,
                                  .knob = ref,
                                  .prepared = formula->prepared,
                                  .depth = formula->depth + 1,
                                  .error = formula->error};
    enum stated_number stated = knob_stated(ref.knob);
    char path[96];

    knob_path(formula->scenario, ref, path, sizeof path);
    if (formula->work->stated[ref.index].state[stated] == STATED_BUSY) {
        if (ref.index == formula->knob.index && ref.knob == formula->knob.knob)
            return error_set(error, STATUS_INVALID, "the formula depends on itself");
        return error_set(error, STATUS_INVALID, "the formula depends on %s, which depends on it",
                         path);
    }
    if (other.depth > CHAIN_MAX)
        return error_set(error, STATUS_INVALID,
                         "more than %d formulas depend on each other in a chain", CHAIN_MAX);
    if (find_stated(&other, stated, value) == STATUS_OK)
        return STATUS_OK;
    formula->complained = true;
    return STATUS_INVALID;
}

/* Returns true for a path that ends in the key of a result. */
static bool ends_in_result(const char *path)
{
    const char *key = strrchr(path, '.') != NULL ? strrchr(path, '.') + 1 : path;

    for (int r = 0; r < RESULT_ROW_COUNT; r++)
        if (strcmp(result_rows[r].key, key) == 0)
            return true;
    return false;
}

/* Writes ": camera, slopes", the components that come before, or that there is none. */
static void print_before(const struct formula *formula, char *text, size_t size)
{
    const struct scenario *scenario = formula->scenario;
    char names[160];
    struct buffer list = buffer_over(names, sizeof names);

    for (int c = 0; c < scenario->component_count; c++)
        if (comes_before(formula, c))
            buffer_item(&list, scenario->component[c].head.name);
    snprintf(text, size, "%s%s", names[0] != '\0' ? ": " : ", of which there is none", names);
}

/* Refuses the work of a component that does not exist; others are offered if they come before. */
static enum status refuse_component(const struct formula *formula, const char *path,
                                    struct error *error)
{
    char name[NAME_MAX_LENGTH + 1] = "", before[200];
    struct nearest nearest;

    sscanf(path, "%*[^.].%31[^.]", name);
    nearest = nearest_to(name);
    for (int c = 0; c < formula->scenario->component_count; c++)
        if (comes_before(formula, c))
            nearest_offer(&nearest, formula->scenario->component[c].head.name);
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "%s: unknown component \"%s\"; did you mean %s?",
                         path, name, nearest.best);
    print_before(formula, before, sizeof before);
    return error_set(error, STATUS_INVALID,
                     "%s: unknown component \"%s\"; allowed are those that come before%s", path,
                     name, before);
}

/* Refuses an unknown key; the numbers of the section and what is counted of it are offered. */
static enum status refuse_key(const struct formula *formula, const char *path,
                              const struct name_parts *parts, const char *reason,
                              struct error *error)
{
    const struct knob *first = &knobs[knob_section_first(parts->section)];
    const char *const *more =
        parts->section == SECTION_WFS                                                ? counted_keys
        : parts->section == SECTION_COMPONENT && comes_before(formula, parts->index) ? work_keys
                                                                                     : no_keys;
    const char *minus = strchr(parts->key, '-') != NULL ? "; a minus needs blanks around it" : "";
    struct nearest nearest = nearest_to(parts->key);
    char allowed[360];
    struct buffer list = buffer_over(allowed, sizeof allowed);

    for (; *more != NULL; more++) {
        nearest_offer(&nearest, *more);
        buffer_item(&list, *more);
    }
    for (int row = 0; row < knob_section_count(parts->section); row++) {
        if (!knob_is_number(&first[row]) ||
            !knob_applies(formula->scenario, parts->section, parts->index, &first[row]))
            continue;
        nearest_offer(&nearest, first[row].key);
        buffer_item(&list, first[row].key);
    }
    if (strncmp(reason, "unknown key", 11) != 0)
        return error_set(error, STATUS_INVALID, "%s: %s%s%s%s", path, reason,
                         nearest.best[0] != '\0' ? "; did you mean " : "", nearest.best,
                         nearest.best[0] != '\0' ? "?" : "");
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "%s: unknown key \"%s\"; did you mean %s?%s", path,
                         parts->key, nearest.best, minus);
    return error_set(error, STATUS_INVALID, "%s: unknown key \"%s\"; allowed: %s%s", path,
                     parts->key, allowed, minus);
}

/* Returns the section that has an instance of a name; SECTION_COUNT: none. */
static enum section section_with(const struct scenario *scenario, const char *name)
{
    for (int s = 0; s < SECTION_COUNT; s++)
        if (section_max((enum section)s) > 1 && section_find(scenario, (enum section)s, name) >= 0)
            return (enum section)s;
    return SECTION_COUNT;
}

/* Returns STATUS_INVALID, with an error, for a path that is no knob. */
static enum status refuse_path(const struct formula *formula, const char *path, const char *reason,
                               struct error *error)
{
    struct name_parts parts = split_name(formula->scenario, path);
    char word[NAME_MAX_LENGTH + 1] = "", before[200];

    sscanf(path, "%31[^.]", word);
    if (parts.section == SECTION_COUNT && section_with(formula->scenario, word) != SECTION_COUNT)
        return error_set(error, STATUS_INVALID, "%s: unknown section \"%s\"; did you mean %s.%s?",
                         path, word, section_name(section_with(formula->scenario, word)), path);
    if (parts.section == SECTION_COMPONENT && parts.index < 0 && strstr(path, "..") == NULL &&
        is_among(work_keys, parts.key))
        return refuse_component(formula, path, error);
    if ((parts.section == SECTION_COUNT && (parts.key[0] != '\0' || !ends_in_result(path))) ||
        parts.index < 0 || (parts.section < SECTION_COUNT && parts.key[0] == '\0'))
        return error_set(error, STATUS_INVALID, "%s: %s%s", path, reason,
                         strchr(path, '-') != NULL ? "; a minus needs blanks around it" : "");
    if (!ends_in_result(path) || strstr(reason, "does not belong") != NULL)
        return refuse_key(formula, path, &parts, reason, error);
    print_before(formula, before, sizeof before);
    return error_set(error, STATUS_INVALID,
                     "the formula cannot know %s; of results it may name flop, bytes and "
                     "working_set of components that come before%s",
                     path, before);
}

static enum status find_number(struct formula *formula, const char *path, struct measure *measure,
                               struct error *error)
{
    const struct scenario *scenario = formula->scenario;
    struct error reason;
    struct knob_ref ref;
    double value;

    if (knob_find_one(scenario, path, &ref, &reason) != STATUS_OK)
        return refuse_path(formula, path, reason.message, error);
    if (!knob_is_number(ref.knob))
        return error_set(error, STATUS_INVALID, "%s is not a number", path);
    if (ref.section == SECTION_DEVICE && scenario->device[ref.index].count == 0)
        return error_set(error, STATUS_INVALID, "the formula names %s, but there is no %s", path,
                         scenario->device[ref.index].head.name);
    value = knob_number(scenario, ref);
    if (knob_formula(scenario, ref) != NULL) {
        if (find_of_formula(formula, ref, &value, error) != STATUS_OK)
            return STATUS_INVALID;
    } else if (knob_is_auto(ref.knob, value) && !find_automatic(formula, ref, &value)) {
        return error_set(error, STATUS_INVALID, "%s is automatic; a formula needs a stated number",
                         path);
    }
    *measure = measure_of(value, ref.knob->unit);
    return STATUS_OK;
}

/* Writes the name with that of sensor `number` for the asterisk; returns false if there is none or
 * the name is too long. */
static bool name_sensor(const struct scenario *scenario, const char *name, size_t length,
                        int number, char *path, size_t size)
{
    static const char all[] = "wfs.*";
    const size_t prefix = sizeof all - 1;
    int written;

    if (memchr(name, '*', length) == NULL)
        written = snprintf(path, size, "%.*s", (int)length, name);
    else if (number < scenario->wfs_count && strncmp(name, all, prefix) == 0)
        written = snprintf(path, size, "wfs.%s%.*s", scenario->wfs[number].head.name,
                           (int)(length - prefix), name + prefix);
    else
        return false;
    return written < (int)size;
}

/* expression_measures: the value of a name in a formula. */
static enum status find_measure(void *context, const char *name, size_t length, int number,
                                struct measure *measure, struct error *error)
{
    struct formula *formula = context;
    char path[FORMULA_MAX + NAME_MAX_LENGTH + 1];
    struct name_parts parts;

    if (!name_sensor(formula->scenario, name, length, number, path, sizeof path))
        return error_set(error, STATUS_INVALID,
                         "%.*s stands for no sensor; an asterisk may only stand for the "
                         "name of one, as in sum(wfs.*.slopes)",
                         (int)length, name);
    parts = split_name(formula->scenario, path);
    if (parts.section == SECTION_WFS && parts.index >= 0 &&
        find_count(formula, parts.index, parts.key, measure))
        return STATUS_OK;
    if (parts.section == SECTION_COMPONENT && parts.index >= 0) {
        if (find_work(formula, parts.index, parts.key, measure))
            return STATUS_OK;
        if (strcmp(parts.key, "bytes") == 0)
            return refuse_path(formula, path, "", error);
    }
    return find_number(formula, path, measure, error);
}

/* Values --------------------------------------------------------------------------------------- */

/* Evaluates a formula; the error lacks the name of its knob. */
static enum status evaluate_formula(struct formula *formula, double *value, struct error *error)
{
    const struct knob *knob = formula->knob.knob;
    char text[64], allowed[80];

    if (expression_measure(knob_formula(formula->scenario, formula->knob), knob->unit, find_measure,
                           formula, value, error) != STATUS_OK)
        return STATUS_INVALID;
    if (*value >= knob_min(knob) && *value <= knob_max(knob))
        return STATUS_OK;
    quantity_print(*value, knob->unit, text, sizeof text);
    knob_range(knob, allowed, sizeof allowed);
    return error_set(error, STATUS_INVALID, "the formula yields %s; allowed: %s", text, allowed);
}

/* Gets a value of a component: that of its formula unless it is known. The error names the knob. */
static enum status find_stated(const struct formula *of, enum stated_number stated, double *value)
{
    struct stated_values *values = &of->work->stated[of->knob.index];
    struct formula formula = *of;
    struct error reason;
    char path[96];

    if (values->state[stated] != STATED_KNOWN) {
        values->state[stated] = STATED_BUSY;
        pace_step(of->work->pace, STEPS_OF_FORMULA);
        if (evaluate_formula(&formula, &values->value[stated], &reason) != STATUS_OK) {
            if (formula.complained)
                return STATUS_INVALID;
            knob_path(of->scenario, of->knob, path, sizeof path);
            return error_set(of->error, STATUS_INVALID, "%s: %s", path, reason.message);
        }
        values->state[stated] = STATED_KNOWN;
    }
    *value = values->value[stated];
    return STATUS_OK;
}

void stage_forget_stated(struct workspace *work, const struct scenario *scenario)
{
    memset(work->stated, 0, (size_t)scenario->component_count * sizeof work->stated[0]);
}

enum status stage_stated(struct workspace *work, const struct scenario *scenario, int component,
                         double values[STATED_COUNT], struct error *error)
{
    for (enum stated_number stated = STATED_FLOPS; stated < STATED_COUNT; stated++) {
        const struct formula formula = {.work = work,
                                        .scenario = scenario,
                                        .knob = knob_ref_to(stated_knobs[stated], component),
                                        .prepared = component,
                                        .error = error};

        if (knob_formula(scenario, formula.knob) == NULL)
            values[stated] = knob_number(scenario, formula.knob);
        else if (find_stated(&formula, stated, &values[stated]) != STATUS_OK)
            return STATUS_INVALID;
    }
    return STATUS_OK;
}
