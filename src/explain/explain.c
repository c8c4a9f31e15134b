#include "explain/explain.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/units.h"
#include "explain/node.h"

const char *explain_origin_name(enum explain_origin origin)
{
    static const char *const names[] = {"set",       "stated",  "assumed", "measured", "fitted",
                                        "automatic", "derived", "counted", "simulated"};

    return names[origin];
}

const char *explain_si_unit(const struct explain_node *node)
{
    static const char *const units[DIMENSION_COUNT] = {
        [DIMENSION_TIME] = "s",           [DIMENSION_FREQUENCY] = "Hz",
        [DIMENSION_BYTES] = "B",          [DIMENSION_BITS] = "bit",
        [DIMENSION_BYTE_RATE] = "B/s",    [DIMENSION_BIT_RATE] = "bit/s",
        [DIMENSION_FLOP] = "FLOP",        [DIMENSION_LENGTH] = "m",
        [DIMENSION_SPEED] = "m/s",        [DIMENSION_ANGLE] = "rad",
        [DIMENSION_POWER] = "W",          [DIMENSION_PIXELS] = "px",
        [DIMENSION_FLOP_RATE] = "FLOP/s", [DIMENSION_OPERATION_RATE] = "OP/s",
        [DIMENSION_TRANSFER_RATE] = "T/s"};
    struct unit unit = {DIMENSION_NUMBER, 1, 1};

    unit_find(node->unit, &unit);
    return units[unit.dimension];
}

/* Value number `number` of a name in the node's formula. */
static bool make_child(const struct explain *explain, const struct explain_node *node,
                       const char *name, size_t length, int number, struct explain_node *child)
{
    struct explain_meaning meaning;
    char key[64];

    if (!explain_understand(explain, node->subject, name, length, &meaning))
        return false;
    if (meaning.relation == NULL && number > 0)
        return false;
    if (meaning.relation != NULL &&
        !meaning.relation->find(explain, meaning.subject, number, &meaning.subject))
        return false;
    explain_key(&meaning, key, sizeof key);
    if (!explain_resolve(explain, meaning.subject, key, meaning.knob, child))
        return false;
    explain_print_name(explain, node->subject, name, length, child->name, sizeof child->name);
    explain_finish(explain, child);
    return true;
}

/* Whether a name stands in the formula before `at` as well. */
static bool said_before(const char *source, const char *at, size_t length)
{
    const char *name;
    size_t other;

    for (const char *from = source; (name = expression_name(from, &other)) != NULL && name < at;
         from = name + other)
        if (other == length && strncmp(name, at, length) == 0)
            return true;
    return false;
}

/* Child number `*number` of the names in a text; what there is less of is taken off the number. */
static bool child_of_text(const struct explain *explain, const struct explain_node *node,
                          const char *text, int *number, struct explain_node *child)
{
    const char *from = text;
    const char *name;
    size_t length;

    while ((name = expression_name(from, &length)) != NULL) {
        from = name + length;
        if (said_before(text, name, length))
            continue;
        for (int i = 0; make_child(explain, node, name, length, i, child); i++)
            if ((*number)-- == 0)
                return true;
    }
    return false;
}

bool explain_child(const struct explain *explain, const struct explain_node *node, int number,
                   struct explain_node *child)
{
    if (child_of_text(explain, node, node->source, &number, child))
        return true;
    if (!child_of_text(explain, node, node->chosen, &number, child))
        return false;
    child->chooses = true;
    return true;
}

bool explain_is_made(const struct explain *explain, const struct explain_node *node)
{
    struct explain_node child;

    return node->formula[0] != '\0' ||
           (node->chosen[0] != '\0' && explain_child(explain, node, 0, &child));
}

struct recomputed {
    const struct explain *explain;
    const struct explain_node *node;
};

static bool value_of_child(void *context, const char *name, size_t length, int number,
                           double *value)
{
    const struct recomputed *recomputed = context;
    const char *from = recomputed->node->source;
    const char *written;
    size_t written_length;

    while ((written = expression_name(from, &written_length)) != NULL) {
        char printed[EXPLAIN_PATH_MAX];
        struct explain_node child;

        from = written + written_length;
        explain_print_name(recomputed->explain, recomputed->node->subject, written, written_length,
                           printed, sizeof printed);
        if (strlen(printed) != length || strncmp(printed, name, length) != 0)
            continue;
        if (!make_child(recomputed->explain, recomputed->node, written, written_length, number,
                        &child))
            return false;
        *value = child.value;
        return true;
    }
    return false;
}

enum expression_outcome explain_recompute(const struct explain *explain,
                                          const struct explain_node *node, double *value)
{
    struct recomputed recomputed = {explain, node};

    return expression_value(node->formula, value_of_child, &recomputed, value);
}

/* Paths ---------------------------------------------------------------------------------------- */

static void offer(struct nearest *nearest, const char *prefix, const char *key)
{
    char path[2 * EXPLAIN_PATH_MAX];

    snprintf(path, sizeof path, "%s%s", prefix, key);
    nearest_offer(nearest, path);
}

static enum status unknown_path(const struct explain *explain, const char *path,
                                struct error *error)
{
    struct nearest nearest = nearest_to(path);
    struct explain_subject subject;
    const char *rest = path;
    char prefix[EXPLAIN_PATH_MAX];
    struct knob_ref ref;

    if (explain_subject_of(explain, &rest, &subject)) {
        explain_subject_path(explain, subject, prefix, sizeof prefix);
        for (int t = 0; explain_tables[t] != NULL; t++)
            for (const struct explain_rule *rule = explain_tables[t]; rule->key != NULL; rule++)
                if (explain_find_rule(explain, subject, rule->key) == rule)
                    offer(&nearest, prefix, rule->key);
        if (explain_section(explain, subject, &ref))
            for (int i = 0; i < knob_section_count(ref.section); i++) {
                const struct knob *knob = &knobs[knob_section_first(ref.section) + i];

                if (knob_applies(explain->scenario, ref.section, ref.index, knob))
                    offer(&nearest, prefix, knob->key);
            }
    }
    for (int r = 0; r < RESULT_ROW_COUNT; r++)
        for (int i = 0; i < result_count(explain->result, result_rows[r].scope); i++) {
            explain_path(explain, &result_rows[r], i, prefix, sizeof prefix);
            nearest_offer(&nearest, prefix);
        }
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "nothing is called \"%.100s\"; did you mean %s?",
                         path, nearest.best);
    return error_set(error, STATUS_INVALID,
                     "nothing is called \"%.100s\"; a path is as latency, loop.servo_lag, "
                     "component.NAME.memory_time or device.NAME.cores",
                     path);
}

enum status explain_find(const struct explain *explain, const char *path, struct explain_node *node,
                         struct error *error)
{
    struct explain_subject subject;
    const char *key = path;

    if (!explain_subject_of(explain, &key, &subject))
        return unknown_path(explain, path, error);
    if (key[0] == '\0' || !explain_resolve(explain, subject, key, false, node) ||
        !explain_same(node->subject, subject))
        return unknown_path(explain, path, error);
    node->name[0] = '\0';
    explain_finish(explain, node);
    return STATUS_OK;
}

void explain_path(const struct explain *explain, const struct result_row *row, int index,
                  char *path, size_t size)
{
    struct explain_subject subject = {explain_kinds[row->scope], index, 0};
    size_t used;

    explain_subject_path(explain, subject, path, size);
    used = strlen(path);
    snprintf(path + used, size - used, "%s", row->key);
}
