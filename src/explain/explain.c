#include "explain/explain.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/nearest.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "explain/path.h"
#include "explain/rules.h"
#include "explain/steps.h"
#include "model/flow.h"
#include "model/result_read.h"

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

/* Quantities ----------------------------------------------------------------------------------- */

/* Quantity with a key of a subject: a rule with a case in force, a knob or a result. */
struct named_quantity {
    struct explain_subject subject;
    const struct explain_rule *rule; /* rule of the key, in force or not; NULL: none */
    bool in_force;
    struct explain_case one;      /* the case in force */
    const struct result_row *row; /* NULL: not a result */
    struct knob_ref knob;         /* knob.knob is NULL except for a knob */
};

/* Finds the number of a key that a formula states although a result has that key. */
static bool find_stated(const struct explain *explain, struct explain_subject subject,
                        const char *key, struct named_quantity *quantity)
{
    char stated[64];
    const struct explain_rule *rule;
    struct knob_ref ref;

    if (!explain_knob_find(explain, subject, key, &ref) ||
        knob_formula(explain->scenario, ref) == NULL)
        return false;
    snprintf(stated, sizeof stated, EXPLAIN_FORMULA_KEY "%s", key);
    rule = explain_rule_find(subject.kind, stated);
    if (rule == NULL)
        return false;
    *quantity = (struct named_quantity){.subject = subject, .rule = rule};
    quantity->in_force = explain_case_find(explain, subject, rule, &quantity->one);
    return quantity->in_force;
}

/* Finds a quantity by the rule of the key, else the knob (with `knob` the knob first), else the
 * result of the subject or of the design. Returns false if there is none. */
static bool find_quantity(const struct explain *explain, struct explain_subject subject,
                          const char *key, bool knob, struct named_quantity *quantity)
{
    static const struct explain_subject design = {EXPLAIN_DESIGN, 0, 0};
    struct knob_ref ref;

    *quantity = (struct named_quantity){.subject = subject};
    quantity->rule = explain_rule_find(subject.kind, key);
    if (quantity->rule != NULL && !knob)
        quantity->in_force = explain_case_find(explain, subject, quantity->rule, &quantity->one);
    quantity->row = explain_row_find(subject, key);
    if (knob && find_stated(explain, subject, key, quantity))
        return true;
    if (quantity->in_force)
        return true;
    if (explain_knob_find(explain, subject, key, &ref) &&
        (knob || quantity->row == NULL ||
         !knob_is_auto(ref.knob, knob_number(explain->scenario, ref)))) {
        quantity->knob = ref;
        return true;
    }
    return quantity->row != NULL ||
           (subject.kind != EXPLAIN_DESIGN && find_quantity(explain, design, key, false, quantity));
}

/* Names in formulas ---------------------------------------------------------------------------- */

#define KEY_MAX 64

#define ALL_SENSORS "wfs.*."

/* Quantities that a name in a formula refers to. */
struct name_target {
    struct explain_subject subject;
    const struct explain_relation *relation; /* from `subject` to several others; NULL: itself */
    const char *key;                         /* not terminated */
    size_t length;
    bool knob; /* always the knob, even if there is a rule */
};

static bool name_equals(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* Finds the quantity with the key of a target, of `subject` instead of its own. */
static bool find_target(const struct explain *explain, const struct name_target *target,
                        struct explain_subject subject, struct named_quantity *quantity)
{
    char key[KEY_MAX];
    size_t length = target->length < sizeof key ? target->length : sizeof key - 1;

    memcpy(key, target->key, length);
    key[length] = '\0';
    return find_quantity(explain, subject, key, target->knob, quantity);
}

/* Replaces a level, packet or step that lacks the quantity by its component, else its device. */
static void resolve_owner(const struct explain *explain, struct name_target *target)
{
    static const char *const owners[] = {"component", "device"};
    struct named_quantity quantity;

    if (find_target(explain, target, target->subject, &quantity) &&
        explain_same(quantity.subject, target->subject))
        return;
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        const struct explain_relation *relation =
            explain_relation_find(target->subject.kind, owners[i], strlen(owners[i]));
        struct explain_subject owner;

        if (relation != NULL && explain_relative(explain, relation, target->subject, 0, &owner) &&
            find_target(explain, target, owner, &quantity) &&
            explain_same(quantity.subject, owner)) {
            target->subject = owner;
            return;
        }
    }
}

/* Resolves a word before a point: "knob", the subject itself ("device" for a device), a relative,
 * or a subject that exists once. */
static bool resolve_word(const struct explain *explain, struct name_target *target)
{
    size_t word = strcspn(target->key, ".");
    const char *text = target->key;
    const struct explain_relation *relation =
        explain_relation_find(target->subject.kind, text, word);

    target->key += word + 1;
    if (relation != NULL && relation->single)
        return explain_relative(explain, relation, target->subject, 0, &target->subject);
    if (relation != NULL) {
        target->relation = relation;
        target->key += 2; /* the asterisk */
        return true;
    }
    if (name_equals(text, word, "knob"))
        return target->knob = true;
    if ((target->subject.kind == EXPLAIN_DEVICE && name_equals(text, word, "device")) ||
        (target->subject.kind == EXPLAIN_COMPONENT && name_equals(text, word, "component")))
        return true;
    return explain_single_find(text, word, &target->subject);
}

/* Resolves a name in a formula of a subject. Returns false if there is no such relative. */
static bool resolve_name(const struct explain *explain, struct explain_subject subject,
                         const char *name, size_t length, struct name_target *target)
{
    const char *end = name + length;
    bool part = subject.kind == EXPLAIN_LEVEL || subject.kind == EXPLAIN_SLOT ||
                subject.kind == EXPLAIN_STEP;

    *target = (struct name_target){.subject = subject, .key = name};
    if (strncmp(name, EXPLAIN_WHOLE, strlen(EXPLAIN_WHOLE)) == 0) {
        target->key += strlen(EXPLAIN_WHOLE);
        if (strncmp(target->key, ALL_SENSORS, strlen(ALL_SENSORS)) == 0) {
            target->key += strlen(ALL_SENSORS);
            target->relation = explain_relation_find(subject.kind, "sensors", strlen("sensors"));
        } else if (!explain_path_read(explain, &target->key, &target->subject)) {
            return false;
        }
        target->length = (size_t)(end - target->key);
        return true;
    }
    while (target->relation == NULL &&
           memchr(target->key, '.', (size_t)(end - target->key)) != NULL)
        if (!resolve_word(explain, target))
            return false;
    target->length = (size_t)(end - target->key);
    if (part && target->key == name)
        resolve_owner(explain, target);
    return true;
}

/* Finds quantity `number` (from 0) of those that a name refers to. */
static bool find_named_quantity(const struct explain *explain, struct explain_subject subject,
                                const char *name, size_t length, int number,
                                struct named_quantity *quantity)
{
    struct name_target target;

    if (!resolve_name(explain, subject, name, length, &target))
        return false;
    if (target.relation == NULL && number > 0)
        return false;
    if (target.relation != NULL &&
        !explain_relative(explain, target.relation, target.subject, number, &target.subject))
        return false;
    return find_target(explain, &target, target.subject, quantity);
}

/* Prints a name, with the path of the subject if it is another single one. */
static void print_name(const struct explain *explain, struct explain_subject subject,
                       const char *name, size_t length, struct buffer *buffer)
{
    struct name_target target;
    struct knob_ref ref;
    char path[EXPLAIN_PATH_MAX];

    if (!resolve_name(explain, subject, name, length, &target) || target.relation != NULL) {
        size_t whole =
            strncmp(name, EXPLAIN_WHOLE, strlen(EXPLAIN_WHOLE)) == 0 ? strlen(EXPLAIN_WHOLE) : 0;

        buffer_add(buffer, name + whole, length - whole);
        return;
    }
    if (target.knob && explain_section(explain, target.subject, &ref)) {
        section_path(explain->scenario, ref.section, ref.index, path, sizeof path);
        buffer_print(buffer, "%s.", path);
    } else if (!explain_same(target.subject, subject)) {
        explain_path_print(explain, target.subject, path, sizeof path);
        buffer_text(buffer, path);
    }
    buffer_add(buffer, target.key, target.length);
}

static void print_formula(const struct explain *explain, struct explain_node *node)
{
    struct buffer buffer = buffer_over(node->formula, sizeof node->formula);
    const char *from = node->source;
    const char *name;
    size_t length = 0;

    while ((name = expression_name(from, &length)) != NULL) {
        buffer_add(&buffer, from, (size_t)(name - from));
        print_name(explain, node->subject, name, length, &buffer);
        from = name + length;
    }
    buffer_text(&buffer, from);
}

/* Formulas and values -------------------------------------------------------------------------- */

static double quantity_value(const struct explain *explain, const struct named_quantity *quantity);

/* Context for names in a formula of a subject. */
struct reference {
    const struct explain *explain;
    struct explain_subject subject;
};

static bool value_of_name(void *context, const char *name, size_t length, int number, double *value)
{
    const struct reference *reference = context;
    struct named_quantity quantity;

    if (!find_named_quantity(reference->explain, reference->subject, name, length, number,
                             &quantity))
        return false;
    *value = quantity_value(reference->explain, &quantity);
    return true;
}

/* Returns the next " + " or " - " outside parentheses, or NULL. */
static char *next_addend(char *text)
{
    int depth = 0;

    for (; *text != '\0'; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0 && (strncmp(text, " + ", 3) == 0 || strncmp(text, " - ", 3) == 0))
            return text;
    }
    return NULL;
}

/* Returns true if a text has the name of something that does not exist in this design. */
static bool lacks_quantity(const struct explain *explain, struct explain_subject subject,
                           const char *text)
{
    struct named_quantity quantity;
    struct name_target target;
    const char *name;
    size_t length;

    for (; (name = expression_name(text, &length)) != NULL; text = name + length)
        if (!resolve_name(explain, subject, name, length, &target) ||
            (target.relation == NULL && !find_target(explain, &target, target.subject, &quantity)))
            return true;
    return false;
}

/* Returns true if an addend is to be omitted: what does not exist in this design or, as the rule
 * says, what is (with PRUNE_PRODUCTS: begins with) a name that has the value 0. */
static bool addend_is_zero(const struct explain *explain, struct explain_subject subject,
                           enum explain_prune prune, const char *addend)
{
    struct reference reference = {explain, subject};
    size_t name = strcspn(addend, " (");
    double value;

    if (lacks_quantity(explain, subject, addend))
        return true;
    if (prune == PRUNE_NOTHING || !isalpha((unsigned char)*addend) || addend[name] == '(' ||
        (addend[name] != '\0' && prune == PRUNE_NAMES))
        return false;
    return value_of_name(&reference, addend, name, 0, &value) && value == 0;
}

/* Removes the arguments of an addend that is a call if they are names of nothing in this design;
 * the least or largest of one value is that value. */
static void drop_arguments(const struct explain *explain, struct explain_subject subject,
                           char *addend)
{
    char kept[EXPLAIN_SOURCE_MAX];
    struct buffer buffer = buffer_over(kept, sizeof kept);
    size_t name = strcspn(addend, " (,");
    size_t end = strlen(addend) - 1;
    int count = 0;
    int dropped = 0;
    int depth = 0;

    if (addend[name] != '(' || addend[end] != ')')
        return;
    buffer_add(&buffer, addend, name + 1);
    for (size_t from = name + 1, at = from; at <= end; at++) {
        char one[EXPLAIN_SOURCE_MAX];

        depth += (addend[at] == '(') - (addend[at] == ')');
        if (depth < 0 && at < end)
            return; /* a product */
        if (at < end && (depth > 0 || addend[at] != ','))
            continue;
        snprintf(one, sizeof one, "%.*s", (int)(at - from), addend + from);
        from = at + 2;
        if (strpbrk(one, " (") == NULL && lacks_quantity(explain, subject, one))
            dropped++;
        else
            buffer_print(&buffer, "%s%s", count++ > 0 ? ", " : "", one);
    }
    buffer_text(&buffer, ")");
    if (dropped == 0)
        return;
    if (count == 1 && (name_equals(addend, name, "max") || name_equals(addend, name, "min")))
        snprintf(addend, end + 2, "%.*s", (int)(buffer.length - name - 2), kept + name + 1);
    else
        memcpy(addend, kept, buffer.length + 1);
}

static void prune_formula(const struct explain *explain, struct explain_subject subject,
                          enum explain_prune prune, char *source)
{
    char kept[EXPLAIN_SOURCE_MAX];
    char first[EXPLAIN_SOURCE_MAX];
    struct buffer buffer = buffer_over(kept, sizeof kept);
    const char *sign = "";
    char *addend = source;

    while (addend != NULL) {
        char *next = next_addend(addend);
        char one[EXPLAIN_SOURCE_MAX];

        snprintf(one, sizeof one, "%.*s", (int)(next != NULL ? next - addend : EXPLAIN_SOURCE_MAX),
                 addend);
        drop_arguments(explain, subject, one);
        if (addend == source)
            memcpy(first, one, sizeof first);
        if (!addend_is_zero(explain, subject, prune, one))
            buffer_print(&buffer, "%s%s", buffer.length > 0 ? sign : "", one);
        sign = next == NULL ? "" : strncmp(next, " + ", 3) == 0 ? " + " : " - ";
        addend = next != NULL ? next + 3 : NULL;
    }
    snprintf(source, sizeof kept, "%s",
             buffer.length > 0 || prune == PRUNE_PRODUCTS ? kept : first);
}

static const char *text_at(const struct demand_text *texts, size_t offset)
{
    return *(const char *const *)(const void *)((const char *)texts + offset);
}

static void add_count(const char *count, struct buffer *buffer)
{
    if (count == NULL)
        return;
    buffer_text(buffer, buffer->length > 0 ? " + " : "");
    buffer_text(buffer, count);
}

/* Writes a count of the component's algorithm. Deferrable work that is not deferred counts as work
 * after the last packet. */
static void write_count(const struct explain *explain, struct explain_subject subject, size_t count,
                        char *text, size_t size)
{
    const size_t tail = offsetof(struct demand_text, tail);
    const size_t deferred = offsetof(struct demand_text, deferred);
    const struct algorithm *algorithm = explain_algorithm(explain, subject);
    const struct component *c = explain_component(explain, subject);
    const struct demand_text *texts = &workload_texts[algorithm - algorithms];
    struct buffer buffer = buffer_over(text, size);
    bool of_tail = count >= tail && count < tail + sizeof texts->tail;
    bool of_deferred = count >= deferred && count < deferred + sizeof texts->deferred;

    if (!of_deferred || c->deferred != 0)
        add_count(text_at(texts, count), &buffer);
    if (of_tail && c->deferred == 0)
        add_count(text_at(texts, count - tail + deferred), &buffer);
    if (algorithm->type == COMPONENT_CENTROID && c->reference_slopes)
        add_count(text_at(&workload_reference_slopes_text, count), &buffer);
}

/* Writes the formula that the scenario states for a number of a component. */
static void write_stated(const struct explain *explain, const struct named_quantity *quantity,
                         struct buffer *buffer)
{
    const size_t prefix = strlen(EXPLAIN_FORMULA_KEY);
    const char *key = quantity->rule->key;
    struct knob_ref ref;
    const char *from = "";
    const char *name;
    size_t length = 0;

    if (strncmp(key, EXPLAIN_FORMULA_KEY, prefix) == 0)
        key += prefix;
    if (explain_knob_find(explain, quantity->subject, key, &ref) &&
        knob_formula(explain->scenario, ref) != NULL)
        from = knob_formula(explain->scenario, ref);
    while ((name = expression_name(from, &length)) != NULL) {
        buffer_add(buffer, from, (size_t)(name - from));
        buffer_text(buffer, EXPLAIN_WHOLE);
        buffer_add(buffer, name, length);
        from = name + length;
    }
    buffer_text(buffer, from);
}

/* Adds the calibrated factor that multiplies or divides a formula. */
static void add_factor(const struct explain *explain, const struct named_quantity *quantity,
                       char *text, size_t size)
{
    struct reference reference = {explain, quantity->subject};
    const char *of = quantity->one.factor_of;
    const bool level = quantity->subject.kind == EXPLAIN_LEVEL;
    const enum cause cause =
        level ? memory_cause((enum memory_level_id)(quantity->subject.part % LEVEL_COUNT))
              : quantity->one.cause;
    const bool sum = next_addend(text) != NULL;
    char whole[EXPLAIN_SOURCE_MAX], name[80];
    struct buffer formula;
    double factor;

    if (of == NULL || text[0] == '\0')
        return;
    snprintf(name, sizeof name, "%s.%s", of + (of[0] == '/'), explain_factor_keys[cause]);
    if (!value_of_name(&reference, name, strlen(name), 0, &factor) || factor == 1)
        return;
    snprintf(whole, sizeof whole, "%s", text);
    formula = buffer_over(text, size);
    buffer_print(&formula, "%s%s%s %c %s", sum ? "(" : "", whole, sum ? ")" : "",
                 of[0] == '/' ? '/' : '*', name);
}

/* Writes the formula in force, with a point for "->" of C text, the count for "%s" and the formula
 * that the scenario states for "%f". */
static void write_formula(const struct explain *explain, const struct named_quantity *quantity,
                          char *text, size_t size)
{
    struct buffer buffer = buffer_over(text, size);
    const char *formula = quantity->one.formula != NULL ? quantity->one.formula : "";
    char count[EXPLAIN_SOURCE_MAX];

    count[0] = '\0';
    if (strstr(formula, "%s") != NULL) {
        write_count(explain, quantity->subject, quantity->rule->count, count, sizeof count);
        if (count[0] == '\0' && strncmp(formula, "%s + ", 5) == 0)
            formula += 5;
    }
    while (*formula != '\0') {
        size_t plain = strcspn(formula, "-%");
        size_t taken = 2;

        buffer_add(&buffer, formula, plain);
        formula += plain;
        if (strncmp(formula, "->", 2) == 0)
            buffer_text(&buffer, ".");
        else if (strncmp(formula, "%s", 2) == 0)
            buffer_text(&buffer, count);
        else if (strncmp(formula, "%k", 2) == 0)
            buffer_text(&buffer, quantity->rule->key);
        else if (strncmp(formula, "%l", 2) == 0)
            buffer_text(&buffer, explain_level_names[quantity->subject.part % LEVEL_COUNT]);
        else if (strncmp(formula, "%f", 2) == 0)
            write_stated(explain, quantity, &buffer);
        else
            buffer_add(&buffer, formula, taken = *formula != '\0');
        formula += taken;
    }
    prune_formula(explain, quantity->subject, quantity->rule->prune, text);
    add_factor(explain, quantity, text, size);
}

static double knob_value(const struct explain *explain, struct knob_ref ref)
{
    bool words = ref.knob->type == KNOB_TEXT || ref.knob->type == KNOB_PRESET ||
                 ref.knob->type == KNOB_COMPONENTS;

    return words ? RESULT_NONE : knob_number(explain->scenario, ref);
}

static double formula_value(const struct explain *explain, const struct named_quantity *quantity)
{
    struct reference reference = {explain, quantity->subject};
    char formula[EXPLAIN_SOURCE_MAX];
    double value;

    write_formula(explain, quantity, formula, sizeof formula);
    return expression_value(formula, value_of_name, &reference, &value) == EXPRESSION_OK
               ? value
               : RESULT_NONE;
}

static double quantity_value(const struct explain *explain, const struct named_quantity *quantity)
{
    const struct explain_rule *rule = quantity->rule;
    double result;

    if (quantity->row != NULL && quantity->row->scope == RESULT_FLOW)
        result_flow(explain->scenario, explain->result);
    result = quantity->row == NULL
                 ? RESULT_NONE
                 : result_value(explain->result, quantity->row, quantity->subject.index);

    if (quantity->knob.knob != NULL)
        return knob_value(explain, quantity->knob);
    if (!quantity->in_force)
        return result;
    if (rule->value != NULL)
        return rule->value(explain, quantity->subject);
    switch (rule->base) {
    case BASE_NONE:
        return quantity->row != NULL ? result : formula_value(explain, quantity);
    case BASE_RESULT_OR_FORMULA:
        return result != RESULT_NONE ? result : formula_value(explain, quantity);
    case BASE_FORMULA:
        return formula_value(explain, quantity);
    default:
        return explain_member(explain, quantity->subject, rule);
    }
}

double explain_quantity(const struct explain *explain, struct explain_subject subject,
                        const char *key)
{
    struct named_quantity quantity;

    return find_quantity(explain, subject, key, false, &quantity)
               ? quantity_value(explain, &quantity)
               : RESULT_NONE;
}

/* Nodes ---------------------------------------------------------------------------------------- */

static enum explain_origin find_origin(const struct explain *explain,
                                       const struct explain_node *node)
{
    struct knob_ref ref;
    bool open = false;
    bool thumb = false; /* rule of thumb about a device */

    if (explain_knob_find(explain, node->subject, node->key, &ref)) {
        open = knob_origin(explain->scenario, ref) == ORIGIN_AUTOMATIC;
        thumb = knob_is_auto(ref.knob, knob_number(explain->scenario, ref)) && !open &&
                knob_formula(explain->scenario, ref) == NULL;
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

static void fill_knob(const struct explain *explain, struct knob_ref ref, struct explain_node *node)
{
    static const enum explain_origin origins[] = {
        [ORIGIN_SET] = EXPLAIN_SET,         [ORIGIN_STATED] = EXPLAIN_STATED,
        [ORIGIN_ASSUMED] = EXPLAIN_ASSUMED, [ORIGIN_MEASURED] = EXPLAIN_MEASURED,
        [ORIGIN_FITTED] = EXPLAIN_FITTED,   [ORIGIN_AUTOMATIC] = EXPLAIN_AUTOMATIC};

    node->key = ref.knob->key;
    node->unit = ref.knob->unit;
    node->help = ref.knob->help;
    node->origin = origins[knob_origin(explain->scenario, ref)];
    knob_path(explain->scenario, ref, node->path, sizeof node->path);
}

/* Returns true if a formula has no names, or only names of several relatives that do not exist. */
static bool has_no_inputs(const struct explain *explain, const struct explain_node *node)
{
    const char *from = node->source;
    const char *name;
    size_t length;

    while ((name = expression_name(from, &length)) != NULL) {
        struct name_target target;

        from = name + length;
        if (!resolve_name(explain, node->subject, name, length, &target) ||
            target.relation == NULL ||
            explain_relative(explain, target.relation, target.subject, 0, &target.subject))
            return false;
    }
    return true;
}

/* Fills in a quantity by its rule, or as a result without a rule in force, which does not exist in
 * this design or is 0. */
static void fill_quantity(const struct explain *explain, const struct named_quantity *quantity,
                          struct explain_node *node)
{
    const struct explain_rule *rule = quantity->in_force ? quantity->rule : NULL;
    const struct result_row *row = quantity->row;
    char subject[EXPLAIN_PATH_MAX];
    struct buffer path = buffer_over(node->path, sizeof node->path);
    struct knob_ref ref;

    node->rule = rule;
    node->key = rule != NULL ? rule->key : row->key;
    node->unit = rule != NULL && rule->unit != NULL ? rule->unit : row != NULL ? row->unit : "";
    node->help = rule != NULL && quantity->one.help != NULL ? quantity->one.help
                 : rule != NULL && rule->help != NULL       ? rule->help
                 : row != NULL                              ? row->help
                                                            : NULL;
    if (node->help == NULL && explain_knob_find(explain, quantity->subject, node->key, &ref))
        node->help = ref.knob->help;
    if (rule != NULL && node->value != RESULT_NONE)
        write_formula(explain, quantity, node->source, sizeof node->source);
    if (has_no_inputs(explain, node))
        node->source[0] = '\0';
    node->origin = find_origin(explain, node);
    explain_path_print(explain, quantity->subject, subject, sizeof subject);
    buffer_print(&path, "%s%s", subject, node->key);
}

/* Which components run on a device, all of them say. */
#define PLACED(of, relative)                                                                       \
    {                                                                                              \
        .kind = (of), .word = (relative), .owner = "placed.*.", .knob = KNOB_COMPONENT_DEVICE      \
    }

/* Knobs that select a relative. */
static const struct {
    enum explain_kind kind;
    const char *word;  /* relative, with a point */
    const char *owner; /* relative that has the knob, with a point; "": the subject itself */
    enum knob_id knob;
} selectors[] = {
    {.kind = EXPLAIN_COMPONENT, .word = "device.", .owner = "", .knob = KNOB_COMPONENT_DEVICE},
    {.kind = EXPLAIN_COMPONENT, .word = "wfs.", .owner = "", .knob = KNOB_COMPONENT_WFS},
    {.kind = EXPLAIN_COMPONENT, .word = "wfs.", .owner = "wfs_owner.", .knob = KNOB_COMPONENT_WFS},
    {.kind = EXPLAIN_COMPONENT, .word = "before.", .owner = "", .knob = KNOB_COMPONENT_AFTER},
    {.kind = EXPLAIN_SLOT, .word = "before.", .owner = "component.", .knob = KNOB_COMPONENT_AFTER},
    {.kind = EXPLAIN_LEVEL,
     .word = "device.",
     .owner = "component.",
     .knob = KNOB_COMPONENT_DEVICE},
    {.kind = EXPLAIN_COMPONENT, .word = "host.", .owner = "board.", .knob = KNOB_DEVICE_HOST},
    {.kind = EXPLAIN_DEVICE, .word = "host.", .owner = "", .knob = KNOB_DEVICE_HOST},
    PLACED(EXPLAIN_DEVICE, "users."),
    PLACED(EXPLAIN_DEVICE, "busiest."),
    PLACED(EXPLAIN_DEVICE, "fullest."),
    PLACED(EXPLAIN_DEVICE, "pinned."),
    PLACED(EXPLAIN_COMPONENT, "neighbours."),
    PLACED(EXPLAIN_COMPONENT, "claimants."),
    PLACED(EXPLAIN_COMPONENT, "streamers."),
};

static bool formula_has_prefix(const char *source, const char *word)
{
    const char *name;
    size_t length;

    for (const char *from = source; (name = expression_name(from, &length)) != NULL;
         from = name + length)
        if (strncmp(name, word, strlen(word)) == 0)
            return true;
    return false;
}

/* Writes the names of the knobs that select the formula `source` of a quantity, and of those that
 * select the relatives named in it, including knobs that do not apply to the design. */
static void write_chosen(const struct explain_rule *rule, enum explain_kind kind,
                         const char *source, char *text, size_t size)
{
    struct buffer buffer = buffer_over(text, size);

    buffer_text(&buffer, rule != NULL && rule->chosen != NULL ? rule->chosen : "");
    for (size_t i = 0; i < sizeof selectors / sizeof selectors[0]; i++)
        if (selectors[i].kind == kind && formula_has_prefix(source, selectors[i].word))
            buffer_print(&buffer, "%s%s%s", buffer.length > 0 ? " " : "", selectors[i].owner,
                         knobs[selectors[i].knob].key);
}

static void make_node(const struct explain *explain, const struct named_quantity *quantity,
                      struct explain_node *node)
{
    node->subject = quantity->subject;
    node->knob = quantity->knob;
    node->rule = NULL;
    node->chooses = false;
    node->name[0] = node->source[0] = node->chosen[0] = '\0';
    node->value = quantity_value(explain, quantity);
    if (quantity->knob.knob != NULL)
        fill_knob(explain, quantity->knob, node);
    else
        fill_quantity(explain, quantity, node);
    print_formula(explain, node);
    /* a missing upper end of the range has reasons */
    if (quantity->knob.knob == NULL &&
        (node->value != RESULT_NONE || node->subject.kind == EXPLAIN_DESIGN))
        write_chosen(quantity->rule, node->subject.kind, node->source, node->chosen,
                     sizeof node->chosen);
}

/* Makes the node of a quantity that a name in the node's formula refers to. */
static void make_child(const struct explain *explain, const struct explain_node *node,
                       const char *name, size_t length, const struct named_quantity *quantity,
                       struct explain_node *child)
{
    struct buffer printed;

    make_node(explain, quantity, child);
    printed = buffer_over(child->name, sizeof child->name);
    print_name(explain, node->subject, name, length, &printed);
}

/* Returns true if a name also occurs in the formula before `at`. */
static bool name_occurs_before(const char *source, const char *at, size_t length)
{
    const char *name;
    size_t other;

    for (const char *from = source; (name = expression_name(from, &other)) != NULL && name < at;
         from = name + other)
        if (other == length && strncmp(name, at, length) == 0)
            return true;
    return false;
}

/* Finds child `*number` among the names in a text; subtracts the children passed from `*number`. */
static bool find_child_in_text(const struct explain *explain, const struct explain_node *node,
                               const char *text, int *number, struct explain_node *child)
{
    struct named_quantity quantity;
    const char *from = text;
    const char *name;
    size_t length;

    while ((name = expression_name(from, &length)) != NULL) {
        from = name + length;
        if (name_occurs_before(text, name, length))
            continue;
        for (int i = 0; find_named_quantity(explain, node->subject, name, length, i, &quantity);
             i++)
            if ((*number)-- == 0) {
                make_child(explain, node, name, length, &quantity, child);
                return true;
            }
    }
    return false;
}

bool explain_child(const struct explain *explain, const struct explain_node *node, int number,
                   struct explain_node *child)
{
    if (find_child_in_text(explain, node, node->source, &number, child))
        return true;
    if (!find_child_in_text(explain, node, node->chosen, &number, child))
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
        struct named_quantity quantity;
        struct buffer buffer;

        from = written + written_length;
        buffer = buffer_over(printed, sizeof printed);
        print_name(recomputed->explain, recomputed->node->subject, written, written_length,
                   &buffer);
        if (strlen(printed) != length || strncmp(printed, name, length) != 0)
            continue;
        if (!find_named_quantity(recomputed->explain, recomputed->node->subject, written,
                                 written_length, number, &quantity))
            return false;
        *value = quantity_value(recomputed->explain, &quantity);
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

static void suggest_path(struct nearest *nearest, const char *prefix, const char *key)
{
    char path[2 * EXPLAIN_PATH_MAX];

    snprintf(path, sizeof path, "%s%s", prefix, key);
    nearest_offer(nearest, path);
}

/* Returns true, with an error, if a path "device.NAME..." names an instance that does not exist. */
static bool instance_is_missing(const struct explain *explain, const char *path,
                                struct error *error)
{
    char word[EXPLAIN_PATH_MAX];
    char name[EXPLAIN_PATH_MAX];
    enum section section;

    if (sscanf(path, "%63[^.].%63[^.]", word, name) != 2)
        return false;
    section = section_named(word);
    if (section == SECTION_COUNT || section_max(section) == 1 ||
        section_find(explain->scenario, section, name) >= 0)
        return false;
    section_missing(explain->scenario, section, name, error);
    return true;
}

static enum status unknown_path(const struct explain *explain, const char *path,
                                struct error *error)
{
    struct nearest nearest = nearest_to(path);
    struct explain_subject subject;
    const char *rest = path;
    char prefix[EXPLAIN_PATH_MAX], paths[KNOB_PATHS_SIZE];
    struct explain_case one;
    struct knob_ref ref;

    if (strncmp(path, "latency.", strlen("latency.")) == 0) {
        struct result_ref span;

        return result_find(explain->scenario, explain->result, path, &span, error);
    }
    if (knob_print_paths(explain->scenario, path, paths, sizeof paths) > 0)
        return error_set(error, STATUS_INVALID, "unknown path \"%.100s\"; did you mean %s?", path,
                         paths);
    if (!explain_path_read(explain, &rest, &subject)) {
        if (subject.index < 0 && instance_is_missing(explain, path, error))
            return STATUS_INVALID;
    } else {
        explain_path_print(explain, subject, prefix, sizeof prefix);
        for (const struct explain_table *table = explain_tables; table->rules != NULL; table++)
            for (const struct explain_rule *rule = table->rules;
                 table->kind == subject.kind && rule->key != NULL; rule++)
                if (explain_case_find(explain, subject, rule, &one))
                    suggest_path(&nearest, prefix, rule->key);
        if (explain_section(explain, subject, &ref))
            for (int i = 0; i < knob_section_count(ref.section); i++) {
                const struct knob *knob = &knobs[knob_section_first(ref.section) + i];

                if (knob_applies(explain->scenario, ref.section, ref.index, knob))
                    suggest_path(&nearest, prefix, knob->key);
            }
    }
    for (int r = 0; r < RESULT_ROW_COUNT; r++)
        for (int i = 0; i < result_count(explain->result, result_rows[r].scope); i++) {
            explain_path(explain, &result_rows[r], i, prefix, sizeof prefix);
            nearest_offer(&nearest, prefix);
        }
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "unknown path \"%.100s\"; did you mean %s?", path,
                         nearest.best);
    return error_set(error, STATUS_INVALID,
                     "unknown path \"%.100s\"; examples of paths: latency, loop.lag, "
                     "component.NAME.memory_time, device.NAME.cores",
                     path);
}

/* Writes the path of the time of a core that receives the data of a camera, for what loads and
 * limits call it, "NAME.receive"; returns false for another path. */
static bool receive_path(const char *path, char whole[EXPLAIN_PATH_MAX])
{
    static const char prefix[] = "component.", end[] = ".receive";
    const char *name = strncmp(path, prefix, strlen(prefix)) == 0 ? path + strlen(prefix) : path;
    size_t length = strlen(name);

    if (length <= strlen(end) || length > NAME_MAX_LENGTH + strlen(end) ||
        strcmp(name + length - strlen(end), end) != 0)
        return false;
    snprintf(whole, EXPLAIN_PATH_MAX, "%s%s_time", prefix, name);
    return true;
}

enum status explain_find(const struct explain *explain, const char *path, struct explain_node *node,
                         struct error *error)
{
    struct explain_subject subject;
    struct named_quantity quantity;
    char whole[EXPLAIN_PATH_MAX];
    const char *key = receive_path(path, whole) ? whole : path;

    if (!explain_path_read(explain, &key, &subject) ||
        (key[0] == '\0' && subject.kind != EXPLAIN_SPAN) ||
        !find_quantity(explain, subject, key, false, &quantity) ||
        !explain_same(quantity.subject, subject))
        return unknown_path(explain, path, error);
    make_node(explain, &quantity, node);
    return STATUS_OK;
}

void explain_path(const struct explain *explain, const struct result_row *row, int index,
                  char *path, size_t size)
{
    struct explain_subject subject = {explain_scope_kinds[row->scope], index, 0};
    size_t used;

    explain_path_print(explain, subject, path, size);
    used = strlen(path);
    snprintf(path + used, size - used, "%s", row->key);
}

/* Users ---------------------------------------------------------------------------------------- */

/* Finds the quantities that depend on a knob without walking a tree: makes nodes, for all subjects,
 * only of rules in force whose text can contain the knob's key. */

struct search {
    const struct explain *explain;
    const struct explain_node *knob;
    bool chooses;
    explain_visit *visit;
    void *context;
    int found;
    bool *steps; /* [nodes][packets], true if a step ends with a packet */
};

/* Returns true if a formula, or a list of knobs, contains a name that ends in the key. */
static bool names_key(const char *text, const char *key)
{
    const char *name;
    size_t length;
    size_t wanted = strlen(key);

    if (strstr(text, key) == NULL)
        return false;
    for (const char *from = text; (name = expression_name(from, &length)) != NULL;
         from = name + length) {
        const char *end = name + length - wanted;

        if (length >= wanted && strncmp(end, key, wanted) == 0 && (end == name || end[-1] == '.'))
            return true;
    }
    return false;
}

/* Returns true if a formula contains the knob's key or, with `chooses`, is selected by it. */
static bool formula_concerns(const struct search *search, const struct explain_rule *rule,
                             enum explain_kind kind, const char *formula)
{
    char chosen[EXPLAIN_CHOSEN_MAX];

    if (!search->chooses)
        return names_key(formula, search->knob->key);
    write_chosen(rule, kind, formula, chosen, sizeof chosen);
    return names_key(chosen, search->knob->key);
}

/* Visits a quantity of a subject if the knob is among its children. */
static void visit_quantity(struct search *search, struct explain_subject subject, const char *key)
{
    struct named_quantity quantity;
    struct explain_node node;
    struct explain_node child;

    if (!find_quantity(search->explain, subject, key, false, &quantity) ||
        quantity.knob.knob != NULL || !explain_same(quantity.subject, subject))
        return;
    make_node(search->explain, &quantity, &node);
    if (!formula_concerns(search, quantity.rule, subject.kind, node.source))
        return;
    for (int i = 0; explain_child(search->explain, &node, i, &child); i++)
        if (child.chooses == search->chooses && strcmp(child.path, search->knob->path) == 0) {
            search->visit(search->context, &node);
            search->found++;
            return;
        }
}

/* Returns true if a text of a rule may name the knob. */
static bool text_may_concern(const struct search *search, const struct explain_table *table,
                             const struct explain_rule *rule, const char *text)
{
    char formula[EXPLAIN_SOURCE_MAX];
    struct buffer buffer = buffer_over(formula, sizeof formula);

    for (const char *at = text != NULL ? text : ""; *at != '\0'; at++) {
        buffer_add(&buffer, strncmp(at, "->", 2) == 0 ? "." : at, 1);
        at += strncmp(at, "->", 2) == 0;
    }
    return strchr(formula, '%') != NULL || formula_concerns(search, rule, table->kind, formula);
}

/* Returns true if a case of a rule may name the knob; a count may, as its text depends on the
 * algorithm. */
static bool rule_may_concern(const struct search *search, const struct explain_table *table,
                             const struct explain_rule *rule)
{
    if (rule->counted || (search->chooses && rule->chosen != NULL) ||
        strcmp(rule->key, search->knob->key) == 0)
        return true;
    for (const struct explain_case *one = rule->cases; one->when[0] != IF_NEVER; one++) {
        const struct formula_cases *taken = &formula_cases[one->taken];

        if (text_may_concern(search, table, rule, one->formula))
            return true;
        for (int i = 0; i < taken->count; i++)
            if (text_may_concern(search, table, rule, taken->cases[i].text))
                return true;
    }
    return false;
}

/* Returns true if a component has a part: a memory level by kind of bytes, a packet or a step. */
static bool part_exists(const struct explain *explain, struct explain_subject subject)
{
    switch (subject.kind) {
    case EXPLAIN_LEVEL:
        return explain_plan(explain, subject)->device >= 0 &&
               subject.part < explain_byte_kinds(explain, subject) * LEVEL_COUNT;
    case EXPLAIN_SLOT:
        return subject.part < explain_packets(explain);
    case EXPLAIN_STEP:
        return subject.part < explain_track(explain, subject)->slots;
    default:
        return subject.part == 0;
    }
}

static void visit_parts(struct search *search, enum explain_kind kind, int node, const char *key)
{
    struct explain_subject subject = {kind, node, 0};
    int packets = explain_packets(search->explain);

    for (; part_exists(search->explain, subject); subject.part++) {
        const struct memory *levels =
            kind == EXPLAIN_LEVEL ? explain_levels(search->explain, node) : NULL;

        if ((levels == NULL || explain_has_level(levels, subject.part % LEVEL_COUNT)) &&
            (kind != EXPLAIN_STEP || search->steps[node * packets + subject.part]))
            visit_quantity(search, subject, key);
    }
}

static int subject_count(const struct explain *explain, enum explain_kind kind)
{
    const struct result *result = explain->result;

    return kind == EXPLAIN_WFS          ? result->wfs_count
           : kind == EXPLAIN_DEVICE     ? result->device_count
           : kind == EXPLAIN_LINK       ? result->link_count
           : kind == EXPLAIN_GROUP      ? (explain->range == NULL ? 0 : explain->range->rate_count)
           : kind == EXPLAIN_SPAN       ? 0
           : kind <= EXPLAIN_ATMOSPHERE ? 1
                                        : result->node_count;
}

/* Visits levels of devices, which have indices after those of components. */
static void visit_device_levels(struct search *search, const char *key)
{
    for (int d = 0; d < search->explain->result->device_count; d++)
        for (int id = 0; id < LEVEL_COUNT; id++)
            if (explain_has_level(explain_levels(search->explain, NODE_MAX + d), id))
                visit_quantity(search, (struct explain_subject){EXPLAIN_LEVEL, NODE_MAX + d, id},
                               key);
}

/* Marks the steps of a path that ends with a step. */
static void mark_steps(struct search *search, struct explain_subject step)
{
    int packets = explain_packets(search->explain);

    for (; step.kind == EXPLAIN_STEP; step = explain_step_before(search->explain, step)) {
        if (search->steps[step.index * packets + step.part])
            return;
        search->steps[step.index * packets + step.part] = true;
    }
}

int explain_users(const struct explain *explain, const struct explain_node *knob, bool chooses,
                  explain_visit *visit, void *context)
{
    struct search search = {explain, knob, chooses, visit, context, 0, NULL};

    search.steps =
        allocate_array((size_t)explain->result->node_count * (size_t)explain_packets(explain) + 1,
                       sizeof *search.steps);
    for (int n = 0; n < explain->result->node_count; n++) {
        if (plan_node_is_whole(&explain->result->work->plan.node[n]))
            continue;
        mark_steps(&search, explain_path_end(explain, n));
        mark_steps(&search, explain_path_start(explain, n));
    }

    for (const struct explain_table *table = explain_tables; table->rules != NULL; table++)
        for (const struct explain_rule *rule = table->rules; rule->key != NULL; rule++) {
            if (!rule_may_concern(&search, table, rule))
                continue;
            for (int i = 0; i < subject_count(explain, table->kind); i++)
                visit_parts(&search, table->kind, i, rule->key);
            if (table->kind == EXPLAIN_LEVEL)
                visit_device_levels(&search, rule->key);
        }
    free(search.steps);
    return search.found;
}
