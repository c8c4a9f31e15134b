#include "explain/node.h"
#include "design/knob_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"

const enum explain_kind explain_kinds[] = {[RESULT_DESIGN] = EXPLAIN_DESIGN,
                                           [RESULT_LOOP] = EXPLAIN_LOOP,
                                           [RESULT_COMPONENT] = EXPLAIN_COMPONENT,
                                           [RESULT_DEVICE] = EXPLAIN_DEVICE,
                                           [RESULT_WFS] = EXPLAIN_WFS};

static const struct result_row *find_row(struct explain_subject subject, const char *key)
{
    for (int i = 0; i < RESULT_ROW_COUNT; i++)
        if (explain_kinds[result_rows[i].scope] == subject.kind &&
            strcmp(result_rows[i].key, key) == 0)
            return &result_rows[i];
    return NULL;
}

static bool find_knob(const struct explain *explain, struct explain_subject subject,
                      const char *key, struct knob_ref *ref)
{
    if (!explain_section(explain, subject, ref))
        return false;
    for (int i = 0; i < KNOB_COUNT; i++) {
        ref->knob = &knobs[i];
        if (knobs[i].section == ref->section && knob_has_key(&knobs[i], key) &&
            knob_applies(explain->scenario, ref->section, ref->index, ref->knob))
            return true;
    }
    return false;
}

static const struct explain_relation *find_relation(enum explain_kind from, const char *word,
                                                    size_t length)
{
    static const struct explain_relation *const both[] = {explain_relations,
                                                          explain_part_relations};

    for (size_t t = 0; t < sizeof both / sizeof both[0]; t++)
        for (const struct explain_relation *relation = both[t]; relation->word != NULL; relation++)
            if (relation->from == from && strlen(relation->word) == length &&
                strncmp(relation->word, word, length) == 0)
                return relation;
    return NULL;
}

/* "device" in the formula of a device. */
static bool is_itself(enum explain_kind kind, const char *word, size_t length)
{
    const char *own = kind == EXPLAIN_DEVICE      ? "device"
                      : kind == EXPLAIN_COMPONENT ? "component"
                                                  : "";

    return strlen(own) == length && strncmp(own, word, length) == 0;
}

static bool has_quantity(const struct explain *explain, struct explain_subject subject,
                         const struct explain_meaning *meaning)
{
    struct knob_ref ref;
    char key[64];

    explain_key(meaning, key, sizeof key);
    return explain_find_rule(explain, subject, key) != NULL ||
           find_knob(explain, subject, key, &ref) || find_row(subject, key) != NULL;
}

/* What a level, packet or step does not have is its component's, else its device's. */
static void find_owner(const struct explain *explain, struct explain_meaning *meaning)
{
    static const char *const owners[] = {"component", "device"};

    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        const struct explain_relation *relation =
            find_relation(explain_kind_of(meaning->subject), owners[i], strlen(owners[i]));
        struct explain_subject owner;

        if (has_quantity(explain, meaning->subject, meaning))
            return;
        if (relation != NULL && relation->find(explain, meaning->subject, 0, &owner) &&
            has_quantity(explain, owner, meaning))
            meaning->subject = owner;
    }
}

bool explain_understand(const struct explain *explain, struct explain_subject subject,
                        const char *name, size_t length, struct explain_meaning *meaning)
{
    const char *end = name + length;

    *meaning = (struct explain_meaning){subject, NULL, name, length, false};
    while (memchr(meaning->key, '.', (size_t)(end - meaning->key)) != NULL) {
        size_t word = strcspn(meaning->key, ".");
        const struct explain_relation *relation =
            find_relation(explain_kind_of(meaning->subject), meaning->key, word);

        if (word == strlen("knob") && strncmp(meaning->key, "knob", word) == 0) {
            meaning->knob = true;
            meaning->key += word + 1;
            continue;
        }
        if (relation == NULL && is_itself(meaning->subject.kind, meaning->key, word)) {
            meaning->key += word + 1;
            continue;
        }
        if (relation == NULL && !explain_single(meaning->key, word, &meaning->subject))
            return false;
        meaning->key += word + 1;
        if (relation == NULL)
            continue;
        if (relation->single) {
            if (!relation->find(explain, meaning->subject, 0, &meaning->subject))
                return false;
            continue;
        }
        meaning->relation = relation;
        meaning->key += 2; /* the asterisk */
        break;
    }
    meaning->length = (size_t)(end - meaning->key);
    if (meaning->key == name && (subject.kind == EXPLAIN_LEVEL || subject.kind == EXPLAIN_SLOT ||
                                 explain_kind_of(subject) == EXPLAIN_STEP))
        find_owner(explain, meaning);
    return true;
}

void explain_key(const struct explain_meaning *meaning, char *key, size_t size)
{
    snprintf(key, size, "%.*s", (int)meaning->length, meaning->key);
}

void explain_copy_formula(const char *formula, char *text, size_t size)
{
    struct buffer buffer = buffer_over(text, size);

    for (const char *at = formula; *at != '\0'; at++) {
        bool arrow = at[0] == '-' && at[1] == '>';

        buffer_add(&buffer, arrow ? "." : at, 1);
        at += arrow;
    }
}

/* Puts `length` bytes behind what is in `text`, as far as there is room. */
static void append(char *text, size_t size, const char *from, size_t length)
{
    size_t used = strlen(text);

    if (length >= size - used)
        length = size - used - 1;
    memcpy(text + used, from, length);
    text[used + length] = '\0';
}

void explain_print_name(const struct explain *explain, struct explain_subject subject,
                        const char *name, size_t length, char *text, size_t size)
{
    struct explain_meaning meaning;
    struct knob_ref ref;

    text[0] = '\0';
    if (!explain_understand(explain, subject, name, length, &meaning) || meaning.relation != NULL) {
        append(text, size, name, length);
        return;
    }
    if (meaning.knob && explain_section(explain, meaning.subject, &ref)) {
        section_path(explain->scenario, ref.section, ref.index, text, size);
        append(text, size, ".", 1);
    } else if (!explain_same(meaning.subject, subject)) {
        explain_subject_path(explain, meaning.subject, text, size);
    }
    append(text, size, meaning.key, meaning.length);
}

void explain_print_formula(const struct explain *explain, struct explain_subject subject,
                           const char *source, char *text, size_t size)
{
    const char *from = source;
    const char *name;
    size_t length = 0;

    text[0] = '\0';
    while ((name = expression_name(from, &length)) != NULL) {
        char printed[EXPLAIN_PATH_MAX];

        explain_print_name(explain, subject, name, length, printed, sizeof printed);
        append(text, size, from, (size_t)(name - from));
        append(text, size, printed, strlen(printed));
        from = name + length;
    }
    append(text, size, from, strlen(from));
}

/* Node ----------------------------------------------------------------------------------------- */

/* Those of wholes, which stand for their parts, come first; those of sums go before the times they
 * are a part of. */
const struct explain_rule *const explain_tables[] = {
    explain_design_rules,
    explain_loop_rules,
    explain_device_rules,
    explain_chain_rules,
    explain_time_rules,
    explain_share_rules,
    explain_count_rules,
    explain_workload_rules,
    explain_memory_rules,
    explain_level_rules,
    explain_link_rules,
    explain_slot_rules,
    NULL,
};

const struct explain_rule *explain_find_rule(const struct explain *explain,
                                             struct explain_subject subject, const char *key)
{
    enum explain_kind kind = explain_kind_of(subject);

    for (int t = 0; explain_tables[t] != NULL; t++)
        for (const struct explain_rule *rule = explain_tables[t]; rule->key != NULL; rule++)
            if (rule->kind == kind && strcmp(rule->key, key) == 0 &&
                (rule->when == NULL || rule->when(explain, subject)))
                return rule;
    return NULL;
}

static void fill_path(const struct explain *explain, struct explain_subject subject,
                      const char *key, struct explain_node *node)
{
    size_t used;

    explain_subject_path(explain, subject, node->path, sizeof node->path);
    used = strlen(node->path);
    snprintf(node->path + used, sizeof node->path - used, "%s", key);
}

static double knob_value(const struct explain *explain, struct knob_ref ref)
{
    bool words = ref.knob->type == KNOB_TEXT || ref.knob->type == KNOB_PRESET ||
                 ref.knob->type == KNOB_COMPONENTS;

    return words ? RESULT_NONE : knob_number(explain->scenario, ref);
}

static void fill_knob(const struct explain *explain, struct knob_ref ref, struct explain_node *node)
{
    static const enum explain_origin origins[] = {
        [ORIGIN_SET] = EXPLAIN_SET,         [ORIGIN_STATED] = EXPLAIN_STATED,
        [ORIGIN_ASSUMED] = EXPLAIN_ASSUMED, [ORIGIN_MEASURED] = EXPLAIN_MEASURED,
        [ORIGIN_FITTED] = EXPLAIN_FITTED,   [ORIGIN_AUTOMATIC] = EXPLAIN_AUTOMATIC};

    node->knob = ref;
    node->rule = NULL;
    node->source[0] = node->formula[0] = '\0';
    node->key = ref.knob->key;
    node->value = knob_value(explain, ref);
    node->unit = ref.knob->unit;
    node->help = ref.knob->help;
    node->origin = origins[knob_origin(explain->scenario, ref)];
    knob_path(explain->scenario, ref, node->path, sizeof node->path);
}

static bool quantity_value(const struct explain *explain, struct explain_subject subject,
                           const char *key, bool knob, double *value);

/* A name in a formula of the subject's. */
struct reference {
    const struct explain *explain;
    struct explain_subject subject;
};

static bool value_of_name(void *context, const char *name, size_t length, int number, double *value)
{
    const struct reference *reference = context;
    struct explain_meaning meaning;
    char key[64];

    if (!explain_understand(reference->explain, reference->subject, name, length, &meaning) ||
        (meaning.relation == NULL && number > 0) ||
        (meaning.relation != NULL &&
         !meaning.relation->find(reference->explain, meaning.subject, number, &meaning.subject)))
        return false;
    explain_key(&meaning, key, sizeof key);
    return quantity_value(reference->explain, meaning.subject, key, meaning.knob, value);
}

/* The next " + " outside parentheses, or NULL. */
static char *next_addend(char *text)
{
    int depth = 0;

    for (; *text != '\0'; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0 && strncmp(text, " + ", 3) == 0)
            return text;
    }
    return NULL;
}

/* Leaves out addends that are one name and 0, unless nothing would be left. */
static void prune(const struct explain *explain, struct explain_subject subject, char *source)
{
    struct reference reference = {explain, subject};
    char kept[EXPLAIN_SOURCE_MAX] = "";
    double value;
    size_t used = 0;
    char *addend = source;

    while (addend != NULL) {
        char *next = next_addend(addend);
        size_t length = next != NULL ? (size_t)(next - addend) : strlen(addend);
        bool name = strcspn(addend, " (") >= length && isalpha((unsigned char)*addend);

        value = 0;
        if (!name || (value_of_name(&reference, addend, length, 0, &value) && value != 0))
            used += (size_t)snprintf(kept + used, sizeof kept - used, "%s%.*s",
                                     used > 0 ? " + " : "", (int)length, addend);
        addend = next != NULL ? next + 3 : NULL;
    }
    if (used > 0)
        memcpy(source, kept, used + 1);
    else if ((addend = next_addend(source)) != NULL)
        *addend = '\0';
}

static enum explain_origin origin_of(const struct explain *explain, const struct explain_node *node)
{
    struct knob_ref ref;
    bool open = false;
    bool thumb = false; /* a rule of thumb about a device */

    if (find_knob(explain, node->subject, node->key, &ref)) {
        open = knob_origin(explain->scenario, ref) == ORIGIN_AUTOMATIC;
        thumb = knob_is_auto(ref.knob, knob_number(explain->scenario, ref)) && !open;
    }

    if (strncmp(node->source, "geometry(", strlen("geometry(")) == 0)
        return EXPLAIN_COUNTED;
    if (strncmp(node->source, "simulated(", strlen("simulated(")) == 0)
        return EXPLAIN_SIMULATED;
    if (thumb)
        return EXPLAIN_ASSUMED;
    if (!open)
        return EXPLAIN_DERIVED;
    return node->source[0] == '\0' ? EXPLAIN_ASSUMED : EXPLAIN_AUTOMATIC;
}

static double member_at(const void *base, size_t offset)
{
    return *(const double *)(const void *)((const char *)base + offset);
}

static double field_value(const struct explain *explain, struct explain_subject subject,
                          enum explain_base base, size_t offset)
{
    switch (base) {
    case BASE_DESIGN:
        return member_at(explain->result, offset);
    case BASE_LINK:
        return member_at(&explain->result->link[subject.index], offset);
    case BASE_STAGE:
        return member_at(explain_stage(explain, subject), offset);
    case BASE_TRACK:
        return member_at(explain_track(explain, subject), offset);
    case BASE_PLAN:
        return *(const int *)(const void *)((const char *)explain_plan(explain, subject) + offset);
    case BASE_ALGORITHM:
        return member_at(explain_algorithm(explain, subject), offset);
    case BASE_TRANSFER:
        return member_at(explain_stage(explain, subject), offset) *
               explain_element(explain, subject) / explain_rate(explain, subject);
    case BASE_WAIT:
        return member_at(explain_stage(explain, subject), offset) *
               explain_element(explain, subject);
    case BASE_LEVEL:
        return member_at(explain_memory_level(explain, subject), offset);
    case BASE_PART:
        return member_at(explain_memory_part(explain, subject), offset);
    case BASE_NONE:
    case BASE_FORMULA:
        break;
    }
    return RESULT_NONE;
}

/* The formula that a rule has in this design. */
static void write_formula(const struct explain *explain, struct explain_subject subject,
                          const struct explain_rule *rule, char *text, size_t size)
{
    text[0] = '\0';
    if (rule->write != NULL)
        rule->write(explain, subject, text, size);
    else if (rule->formula != NULL)
        explain_copy_formula(rule->formula, text, size);
    if (rule->prune)
        prune(explain, subject, text);
}

static double rule_value(const struct explain *explain, struct explain_subject subject,
                         const struct explain_rule *rule)
{
    const struct result_row *row = find_row(subject, rule->key);
    struct reference reference = {explain, subject};
    char formula[EXPLAIN_SOURCE_MAX];
    double value;

    if (rule->value != NULL)
        return rule->value(explain, subject);
    if (rule->base != BASE_NONE && rule->base != BASE_FORMULA)
        return field_value(explain, subject, rule->base, rule->offset);
    if (row != NULL && rule->base == BASE_NONE)
        return result_value(explain->result, row, subject.index);
    write_formula(explain, subject, rule, formula, sizeof formula);
    return expression_value(formula, value_of_name, &reference, &value) == EXPRESSION_OK
               ? value
               : RESULT_NONE;
}

/* The value of a quantity as explain_resolve finds it. False: there is no such. */
static bool quantity_value(const struct explain *explain, struct explain_subject subject,
                           const char *key, bool knob, double *value)
{
    static const struct explain_subject design = {EXPLAIN_DESIGN, 0, 0};
    const struct explain_rule *rule = knob ? NULL : explain_find_rule(explain, subject, key);
    const struct result_row *row = find_row(subject, key);
    struct knob_ref ref;

    if (rule != NULL)
        *value = rule_value(explain, subject, rule);
    else if (find_knob(explain, subject, key, &ref) &&
             (knob || row == NULL || !knob_is_auto(ref.knob, knob_number(explain->scenario, ref))))
        *value = knob_value(explain, ref);
    else if (row != NULL)
        *value = result_value(explain->result, row, subject.index);
    else
        return subject.kind != EXPLAIN_DESIGN && quantity_value(explain, design, key, false, value);
    return true;
}

static void fill_rule(const struct explain *explain, struct explain_subject subject,
                      const struct explain_rule *rule, struct explain_node *node)
{
    const struct result_row *row = find_row(subject, rule->key);
    struct knob_ref ref;
    size_t length;

    node->rule = rule;
    node->key = rule->key;
    node->knob.knob = NULL;
    write_formula(explain, subject, rule, node->source, sizeof node->source);
    node->value = rule_value(explain, subject, rule);
    node->unit = rule->unit != NULL ? rule->unit : row != NULL ? row->unit : "";
    node->help = rule->help != NULL ? rule->help : row != NULL ? row->help : NULL;
    if (node->help == NULL && find_knob(explain, subject, rule->key, &ref))
        node->help = ref.knob->help;
    if (node->value == RESULT_NONE || expression_name(node->source, &length) == NULL)
        node->source[0] = '\0';
    node->origin = origin_of(explain, node);
}

/* A result that no rule speaks of has no formula: it does not exist in this design, or is 0. */
static void fill_row(const struct explain *explain, struct explain_subject subject,
                     const struct result_row *row, struct explain_node *node)
{
    fill_path(explain, subject, row->key, node);
    node->rule = NULL;
    node->key = row->key;
    node->knob.knob = NULL;
    node->value = result_value(explain->result, row, subject.index);
    node->unit = row->unit;
    node->help = row->help;
    node->source[0] = '\0';
    node->origin = origin_of(explain, node);
}

bool explain_resolve(const struct explain *explain, struct explain_subject subject, const char *key,
                     bool knob, struct explain_node *node)
{
    static const struct explain_subject design = {EXPLAIN_DESIGN, 0, 0};
    const struct explain_rule *rule = knob ? NULL : explain_find_rule(explain, subject, key);
    const struct result_row *row;
    struct knob_ref ref;

    node->subject = subject;
    node->chooses = false;
    node->chosen[0] = '\0';
    if (rule != NULL) {
        fill_path(explain, subject, key, node);
        fill_rule(explain, subject, rule, node);
        return true;
    }
    row = find_row(subject, key);
    if (find_knob(explain, subject, key, &ref) &&
        (knob || row == NULL || !knob_is_auto(ref.knob, knob_number(explain->scenario, ref)))) {
        fill_knob(explain, ref, node);
        return true;
    }
    if (row != NULL) {
        fill_row(explain, subject, row, node);
        return true;
    }
    return subject.kind != EXPLAIN_DESIGN && explain_resolve(explain, design, key, false, node);
}

/* Whether a formula names nothing but several relatives of which there are none. */
static bool names_nobody(const struct explain *explain, const struct explain_node *node)
{
    const char *from = node->source;
    const char *name;
    size_t length;
    bool any = false;

    while ((name = expression_name(from, &length)) != NULL) {
        struct explain_meaning meaning;

        any = true;
        from = name + length;
        if (!explain_understand(explain, node->subject, name, length, &meaning) ||
            meaning.relation == NULL ||
            meaning.relation->find(explain, meaning.subject, 0, &meaning.subject))
            return false;
    }
    return any;
}

void explain_finish(const struct explain *explain, struct explain_node *node)
{
    if (names_nobody(explain, node))
        node->source[0] = '\0';
    explain_print_formula(explain, node->subject, node->source, node->formula,
                          sizeof node->formula);
    if (node->knob.knob == NULL && node->value != RESULT_NONE)
        explain_chosen_by(explain_kind_of(node->subject), node->key, node->source, node->chosen,
                          sizeof node->chosen);
}
