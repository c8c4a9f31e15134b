/* Every quantity of every explanation is what its printed formula makes of its inputs, before and
 * after any of its knobs changes; and every knob that moves a result stands in its tree. */
#include "explain/explain.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "design/knob_text.h"
#include "explain/rules.h"
#include "explain_graph.h"
#include "model/cause.h"
#include "model/evaluate.h"
#include "model/result_read.h"
#include "random_design.h"
#include "sample.h"
#include "systems.h"

#define REPEAT 36

static struct scenario scenario, changed;
static struct graph before, after;
static char old_way[4096]; /* the critical path of the design before */

static int open_all(void)
{
    return graph_init(&before) && graph_init(&after) ? 0 : 1;
}

static int close_all(void)
{
    graph_free(&before);
    graph_free(&after);
    return 0;
}

/* Formulas ------------------------------------------------------------------------------------- */

static void build_system(const char *name, const struct scenario *system,
                         const struct result *result)
{
    graph_build(&before, system, result, name);
}

TEST(formulas_of_systems_hold)
{
    systems_each(build_system);
}

/* Measured pipelines state processes, systems as installed, interpreters, and old GPUs. */
TEST(formulas_of_pipelines_hold)
{
    struct catalogue *catalogue = systems_catalogue();
    int pipelines = 0;

    for (int i = 0; i < catalogue_count(catalogue); i++) {
        const struct preset *preset = catalogue_at(catalogue, i);

        if (preset->kind == PRESET_PIPELINE && pipelines++ % draw_every(1) == 0 &&
            systems_load(&scenario, preset->name) && sample_evaluate(&scenario, sample_result()))
            graph_build(&before, &scenario, sample_result(), preset->name);
    }
}

/* Each cause of each device has a factor of its own, in designs of few devices. */
static void build_calibrated(const char *name, const struct scenario *system,
                             const struct result *result)
{
    (void)result;
    for (int d = 0; d < system->device_count; d++) {
        char text[CALIBRATION_MAX + 1];
        struct buffer list = buffer_over(text, sizeof text);

        for (int c = 0; c < CAUSE_COUNT; c++)
            if (c != CAUSE_UNSTATED)
                buffer_print(&list, "%s%s:%s:%g:1.1", c > 0 ? ", " : "",
                             system->device[d].head.name, cause_name((enum cause)c),
                             0.53 + 0.17 * c);
        scenario_copy(&scenario, system);
        sample_calibrate(&scenario, text);
        if (sample_evaluate(&scenario, sample_result()))
            graph_build(&before, &scenario, sample_result(), name);
    }
}

TEST(formulas_of_calibrated_designs_hold)
{
    systems_each(build_calibrated);
}

/* What random designs have but now and then. */
TEST(formulas_of_odd_designs_hold)
{
    /* the last packet has nothing but the tail */
    sample_chain(&scenario);
    sample_set(&scenario, "wfs.ngs.detector_height", "400");
    sample_set(&scenario, "component.recon.algorithm", "modal");
    sample_set(&scenario, "component.recon.memory_efficiency", "0.001");
    sample_set(&scenario, "scenario.sharing", "exclusive");
    if (sample_evaluate(&scenario, sample_result()))
        graph_build(&before, &scenario, sample_result(), "a tail alone");
    /* parts that are added come in as one result */
    sample_chain(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "node");
    sample_set(&scenario, "component.recon.device", "rtc, node");
    sample_set(&scenario, "component.control.type", "program");
    scenario.component[section_find(&scenario, SECTION_COMPONENT, "control")].trace.program =
        sample_program();
    if (sample_evaluate(&scenario, sample_result()))
        graph_build(&before, &scenario, sample_result(), "a program behind parts");
}

TEST(formulas_of_random_designs_hold)
{
    struct draw draw = draw_start(11);

    for (int i = draw_repeat(REPEAT); i > 0; i--) {
        char name[40];
        struct error error;

        snprintf(name, sizeof name, "AOLAG_SEED=0x%" PRIx64, draw.state);
        random_design(&draw, &scenario);
        if (scenario.general.packets > 200)
            scenario.general.packets = 7;
        for (int w = 0; w < scenario.wfs_count; w++)
            scenario.wfs[w].packets = fmin(scenario.wfs[w].packets, 9);
        for (int d = 0; d < scenario.device_count; d++)
            scenario.device[d].count = fmin(scenario.device[d].count, 3);
        if (evaluate(&scenario, sample_result(), &error) == STATUS_OK)
            graph_build(&before, &scenario, sample_result(), name);
    }
}

/* "" says of a rule that its quantity is a pure number; without a unit it has its result's. */
TEST(quantities_have_units)
{
    static const enum explain_kind kinds[] = {
        [RESULT_DESIGN] = EXPLAIN_DESIGN, [RESULT_LOOP] = EXPLAIN_LOOP,
        [RESULT_FLOW] = EXPLAIN_FLOW,     [RESULT_COMPONENT] = EXPLAIN_COMPONENT,
        [RESULT_DEVICE] = EXPLAIN_DEVICE, [RESULT_WFS] = EXPLAIN_WFS,
    };

    for (const struct explain_table *table = explain_tables; table->rules != NULL; table++)
        for (const struct explain_rule *rule = table->rules; rule->key != NULL; rule++) {
            bool known = rule->unit != NULL;

            for (int r = 0; r < RESULT_ROW_COUNT; r++)
                known = known || (kinds[result_rows[r].scope] == table->kind &&
                                  strcmp(result_rows[r].key, rule->key) == 0);
            CHECK_TRUE(known, "rule %d of kind %d, %s, has no unit", (int)(rule - table->rules),
                       (int)table->kind, rule->key);
        }
}

/* Knobs ---------------------------------------------------------------------------------------- */

/* One percent more, of whole numbers the next; where there is no more, less. False: the
 * knob cannot change, or has no value. */
static bool nudge(struct scenario *design, struct knob_ref ref)
{
    double value = knob_number(design, ref);
    double step = ref.knob->type == KNOB_INTEGER ? fmax(1, round(0.01 * value)) : 0.01 * value;
    struct error error;

    if (!knob_is_number(ref.knob) || knob_is_auto(ref.knob, value) || step == 0)
        return false;
    return knob_set_number(design, ref, value + step, &error) == STATUS_OK ||
           knob_set_number(design, ref, value - step, &error) == STATUS_OK;
}

/* Beyond what rounding does. */
static bool moved(double a, double b)
{
    if (a == RESULT_NONE || b == RESULT_NONE)
        return a != b;
    return fabs(a - b) > 1e-11 * fmax(fabs(a), fabs(b)) + 1e-16;
}

/* The components on the way from the last pixel to the last command. */
static void path_names(const struct result *result, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < result->path_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s ",
                                 result->node[result->path[i].node].name);
}

/* Loads of ports, links and memories are sums over streams, which "aolag flow" lists, and not
 * formulas. */
static bool is_load_of_flow(const struct result_row *row)
{
    return row->scope == RESULT_FLOW && strcmp(row->unit, "") == 0;
}

/* Every result that is another stands over the knob, in the tree of one design or the other. */
static void check_named(const char *design, const char *knob)
{
    const struct result *result = after.explain.result;

    for (int r = 0; r < RESULT_ROW_COUNT; r++)
        for (int i = 0; i < result_count(result, result_rows[r].scope); i++) {
            char path[EXPLAIN_PATH_MAX];
            const struct graph_node *old;
            const struct graph_node *new;

            explain_path(&after.explain, &result_rows[r], i, path, sizeof path);
            old = graph_find(&before, path);
            new = graph_find(&after, path);
            if (is_load_of_flow(&result_rows[r]) || old == NULL || new == NULL ||
                !moved(old->value, new->value))
                continue;
            CHECK_TRUE(graph_names(&before, old, knob) || graph_names(&after, new, knob),
                       "%s: %s moves %s from %.15g to %.15g and is not in its tree", design, knob,
                       path, old->value, new->value);
        }
}

/* The design with a knob changed: what moved must name it. */
static int try_changed(const char *design, struct knob_ref ref, const char *value)
{
    struct error error;
    char path[EXPLAIN_PATH_MAX];
    char name[EXPLAIN_PATH_MAX + 160];
    char way[sizeof old_way];

    if (evaluate(&changed, sample_result(), &error) != STATUS_OK)
        return 0;
    knob_path(&scenario, ref, path, sizeof path);
    snprintf(name, sizeof name, "%s, %s = %s", design, path, value);
    graph_build(&after, &changed, sample_result(), name);
    path_names(sample_result(), way, sizeof way);
    /* which way is the longest is no formula */
    if (strcmp(way, old_way) == 0)
        check_named(name, path);
    return 1;
}

/* Numbers: the next value. Choices: all others, or about 10 of a long list, as of presets. */
static int try_knob(const char *design, struct knob_ref ref)
{
    struct error error;
    int choices = knob_is_number(ref.knob) ? 0 : knob_choice_count(&scenario, ref);
    int tried = 0;

    if (knob_is_number(ref.knob)) {
        scenario_copy(&changed, &scenario);
        return nudge(&changed, ref) ? try_changed(design, ref, "another") : 0;
    }
    if (strcmp(ref.knob->key, "type") == 0)
        return 0; /* another component altogether */
    for (int c = 0; c<choices; c += choices> 20 ? choices / 10 : 1) {
        const char *choice = knob_choice_name(&scenario, ref, c);

        scenario_copy(&changed, &scenario);
        if (c != knob_choice(&scenario, ref) &&
            knob_set_text(&changed, ref, choice, &error) == STATUS_OK)
            tried += try_changed(design, ref, choice);
    }
    return tried;
}

/* `every`: of so many knobs one is changed, counted on from the design before. */
static void change_knobs(const char *design, int every)
{
    static int turn;
    int tried = 0;

    if (!sample_evaluate(&scenario, sample_result()))
        return;
    graph_build(&before, &scenario, sample_result(), design);
    path_names(sample_result(), old_way, sizeof old_way);
    for (int k = 0; k < KNOB_COUNT; k++)
        for (int i = 0; i < section_count(&scenario, knobs[k].section); i++) {
            struct knob_ref ref = {knobs[k].section, i, &knobs[k]};

            if (knob_applies(&scenario, ref.section, i, ref.knob) && turn++ % every == 0)
                tried += try_knob(design, ref);
        }
    CHECK_TRUE(tried > 60 / every - 3, "%s: %d knobs", design, tried);
}

TEST(knobs_of_the_default_stand_in_its_trees)
{
    if (systems_load(&scenario, "elt-scao"))
        change_knobs("elt-scao", draw_every(7));
}

/* A knob of a component before it says which sensor a component serves. */
TEST(inherited_sensors_stand_in_trees)
{
    struct knob_ref ref;
    struct error error;

    if (!systems_load(&scenario, "morfeo") || !sample_evaluate(&scenario, sample_result()) ||
        !CHECK_INT(knob_find(&scenario, "component.calibration-lo.wfs", &ref, &error), STATUS_OK))
        return;
    graph_build(&before, &scenario, sample_result(), "morfeo");
    path_names(sample_result(), old_way, sizeof old_way);
    CHECK(try_knob("morfeo", ref) > 0);
}

static void count_user(void *context, const struct explain_node *node)
{
    const struct graph_node *user = graph_find(&before, node->path);

    if (user != NULL)
        (*(int *)context)++;
}

/* Edges of the graph that lead to a knob. */
static int edges_to(const struct graph *graph, const char *knob)
{
    int count = 0;

    for (int n = 0; n < graph->node_count; n++)
        for (int e = 0; e < graph->node[n].edge_count; e++) {
            int child = graph->edge[graph->node[n].first_edge + e];

            count += child >= 0 && strcmp(graph->node[child].path, knob) == 0;
        }
    return count;
}

/* Checks the formulas of a node of a range and of its groups; counts those of groups. */
static void check_range(const struct explain *explain, const struct explain_node *node, int *groups)
{
    struct explain_node *child = malloc(sizeof *child);
    double value;
    enum expression_outcome outcome = explain_recompute(explain, node, &value);

    if (node->formula[0] != '\0')
        CHECK_TRUE(outcome == EXPRESSION_OPAQUE ||
                       (outcome == EXPRESSION_OK && fabs(value - node->value) <= 1e-9),
                   "%s = %.12g, but %s gives %.12g", node->path, node->value, node->formula, value);
    for (int i = 0; child != NULL && explain_child(explain, node, i, child); i++)
        if (child->subject.kind == EXPLAIN_GROUP && child->knob.knob == NULL) {
            struct explain_node again;
            struct error error;

            ++*groups;
            CHECK_TRUE(explain_find(explain, child->path, &again, &error) == STATUS_OK &&
                           again.value == child->value,
                       "%s: %s", child->path, error.message);
            check_range(explain, child, groups);
        }
    free(child);
}

/* Both ends of a range go down to the groups, their factors and the figures of their causes. */
TEST(ranges)
{
    static const char *const names[] = {"elt-scao", "scexao", "saxo", "canary"};
    static const char *const ends[] = {"latency_low", "latency_high", "max_frame_rate_low",
                                       "max_frame_rate_high"};
    static struct latency_range range;

    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        for (size_t end = 0; end < 4; end++) {
            struct explain explain = {&scenario, sample_result(), &range};
            struct explain_node root;
            int groups = 0;

            if (!systems_load(&scenario, names[n]) ||
                !CHECK_INT(range_find(&scenario, sample_result(), NULL, NULL, &range, NULL),
                           STATUS_OK) ||
                !CHECK_INT(explain_find(&explain, ends[end], &root, NULL), STATUS_OK))
                return;
            CHECK_NEAR(root.value,
                       end == 0   ? range.low
                       : end == 1 ? range.high
                       : end == 2 ? range.rate_low
                                  : range.rate_high,
                       0);
            check_range(&explain, &root, &groups);
            CHECK_TRUE(root.value == RESULT_NONE ? groups == 0 : groups >= 4 * range.count,
                       "%s, %s: %d quantities of %d groups", names[n], ends[end], groups,
                       range.count);
        }
}

/* Those found by the rules are those that a walk through all trees meets. */
TEST(knobs_know_their_users)
{
    if (!systems_load(&scenario, "elt-scao") || !sample_evaluate(&scenario, sample_result()))
        return;
    graph_build(&before, &scenario, sample_result(), "elt-scao");
    for (int k = 0; k < before.knob_count; k += draw_every(1)) {
        struct explain_node knob;
        struct error error;
        int users = 0;

        if (!CHECK(explain_find(&before.explain, before.knob[k], &knob, &error) == STATUS_OK) ||
            knob.knob.knob == NULL)
            continue;
        explain_users(&before.explain, &knob, false, count_user, &users);
        explain_users(&before.explain, &knob, true, count_user, &users);
        CHECK_TRUE(users == edges_to(&before, before.knob[k]), "%s: %d users found, %d met",
                   before.knob[k], users, edges_to(&before, before.knob[k]));
    }
}

/* Every third system: two trees of formulas for each knob take long. */
static void change_system(const char *name, const struct scenario *system,
                          const struct result *result)
{
    static int turn;

    (void)result;
    if (turn++ % 3 != 0)
        return;
    scenario_copy(&scenario, system);
    scenario.general.sharing = turn / 3 % (SHARING_FLUID + 1);
    change_knobs(name, draw_every(211));
}

TEST(knobs_of_systems_stand_in_their_trees)
{
    systems_each(change_system);
}

SUITE(open_all, close_all)
