#include <string.h>

#include "explain/node.h"
#include "explain/way.h"

/* The quantities that name a knob, found without walking any tree: of the rules whose text can hold
 * the knob's key, those in force are made into nodes, whatever they belong to. */

struct search {
    const struct explain *explain;
    const struct explain_node *knob;
    bool chooses;
    explain_visit *visit;
    void *context;
    int found;
};

/* Whether a formula, or a list of choices, holds a name that ends in the key. */
static bool mentions(const char *text, const char *key)
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

/* Whether a quantity with this formula names the knob's key, or lets it choose. */
static bool names(const struct search *search, enum explain_kind kind, const char *key,
                  const char *formula)
{
    char chosen[EXPLAIN_CHOSEN_MAX];

    if (!search->chooses)
        return mentions(formula, search->knob->key);
    explain_chosen_by(kind, key, formula, chosen, sizeof chosen);
    return mentions(chosen, search->knob->key);
}

/* The same before it is known for whom: what is written may say anything, but of a step's no knob.
 */
static bool may_name(const struct search *search, const struct explain_rule *rule)
{
    return (rule->write != NULL && rule->kind != EXPLAIN_STEP) ||
           names(search, rule->kind, rule->key, rule->formula != NULL ? rule->formula : "");
}

/* Visits the quantity of a subject if the rule (NULL: none) is in force and the knob is among the
 * children. */
static void look_at(struct search *search, struct explain_subject subject, const char *key,
                    const struct explain_rule *rule)
{
    struct explain_node node;
    struct explain_node child;

    if (explain_find_rule(search->explain, subject, key) != rule ||
        !explain_resolve(search->explain, subject, key, false, &node) ||
        !names(search, explain_kind_of(subject), key, node.source))
        return;
    node.name[0] = '\0';
    explain_finish(search->explain, &node);
    for (int i = 0; explain_child(search->explain, &node, i, &child); i++)
        if (child.chooses == search->chooses && strcmp(child.path, search->knob->path) == 0) {
            search->visit(search->context, &node);
            search->found++;
            return;
        }
}

/* Parts of a component: the levels of memory that its bytes are in, its packets, its steps. */
static bool has_part(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step;

    switch (subject.kind) {
    case EXPLAIN_LEVEL:
        return explain_plan(explain, subject)->device >= 0 &&
               subject.part < explain_byte_kinds(explain, subject) * LEVEL_COUNT;
    case EXPLAIN_SLOT:
        return subject.part < explain_packets(explain);
    case EXPLAIN_STEP:
    case EXPLAIN_BEFORE:
        return explain_step(explain, subject, &step);
    default:
        return subject.part == 0;
    }
}

static void look_at_parts(struct search *search, enum explain_kind kind, int node,
                          const struct explain_rule *rule)
{
    struct explain_subject subject = {kind, node, 0};

    for (; has_part(search->explain, subject); subject.part++) {
        const struct memory *levels =
            kind == EXPLAIN_LEVEL ? explain_levels(search->explain, node) : NULL;

        if (levels == NULL || explain_has_level(levels, subject.part % LEVEL_COUNT))
            look_at(search, subject, rule->key, rule);
    }
}

static int count_of(const struct explain *explain, enum explain_kind kind)
{
    const struct result *result = explain->result;

    return kind == EXPLAIN_WFS          ? result->wfs_count
           : kind == EXPLAIN_DEVICE     ? result->device_count
           : kind == EXPLAIN_LINK       ? result->link_count
           : kind <= EXPLAIN_ATMOSPHERE ? 1
                                        : result->node_count;
}

/* Levels of devices stand behind those of components. */
static void look_at_device_levels(struct search *search, const struct explain_rule *rule)
{
    for (int d = 0; d < search->explain->result->device_count; d++)
        for (int id = 0; id < LEVEL_COUNT; id++)
            if (explain_has_level(explain_levels(search->explain, NODE_MAX + d), id))
                look_at(search, (struct explain_subject){EXPLAIN_LEVEL, NODE_MAX + d, id},
                        rule->key, rule);
}

/* Results that no rule speaks of. */
static void look_at_results(struct search *search)
{
    for (int r = 0; r < result_row_count; r++)
        for (int i = 0; i < result_count(search->explain->result, result_rows[r].scope); i++) {
            struct explain_subject subject = {explain_kinds[result_rows[r].scope], i, 0};

            if (names(search, subject.kind, result_rows[r].key, ""))
                look_at(search, subject, result_rows[r].key, NULL);
        }
}

int explain_users(const struct explain *explain, const struct explain_node *knob, bool chooses,
                  explain_visit *visit, void *context)
{
    struct search search = {explain, knob, chooses, visit, context, 0};

    for (int t = 0; explain_tables[t] != NULL; t++)
        for (const struct explain_rule *rule = explain_tables[t]; rule->key != NULL; rule++) {
            if (!may_name(&search, rule))
                continue;
            for (int i = 0; i < count_of(explain, rule->kind); i++)
                look_at_parts(&search, rule->kind, i, rule);
            for (int i = 0; i < explain->result->node_count && rule->kind == EXPLAIN_STEP; i++)
                look_at_parts(&search, EXPLAIN_BEFORE, i, rule);
            if (rule->kind == EXPLAIN_LEVEL)
                look_at_device_levels(&search, rule);
        }
    look_at_results(&search);
    return search.found;
}
