/* Every quantity of every explanation is what its printed formula makes of its inputs, and every
 * knob that moves a result stands in its tree. */
#include "explain.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "evaluate.h"
#include "preset.h"
#include "random_design.h"
#include "sample.h"
#include "scenario_ini.h"

#define REPEAT 60
#define TABLE 65536 /* of paths seen, a power of two */
#define DEPTH_MOST 400

static struct catalogue *catalogue;
static struct scenario scenario;

static int open_catalogue(void)
{
    struct error error;

    return catalogue_open(&catalogue, &error) == STATUS_OK ? 0 : 1;
}

static int close_catalogue(void)
{
    catalogue_close(catalogue);
    return 0;
}

/* Trees ---------------------------------------------------------------------------------------- */

/* The quantities of one or several trees, each once. */
struct walk {
    struct explain explain;
    const char *design;
    char (*seen)[EXPLAIN_PATH_MAX]; /* [TABLE], by hash */
    int count, opaque;
    int wrong;
};

static bool seen_before(struct walk *walk, const char *path)
{
    uint64_t hash = 14695981039346656037U;

    for (const char *at = path; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211U;
    for (uint64_t i = hash;; i++) {
        char *entry = walk->seen[i % TABLE];

        if (strcmp(entry, path) == 0)
            return true;
        if (entry[0] != '\0')
            continue;
        if (walk->count >= TABLE / 2)
            return true;
        snprintf(entry, EXPLAIN_PATH_MAX, "%s", path);
        walk->count++;
        return false;
    }
}

static bool near(double a, double b, double relative)
{
    return a == b || fabs(a - b) <= relative * fmax(fabs(a), fabs(b)) + 1e-300;
}

static void check_formula(struct walk *walk, const struct explain_node *node)
{
    double value;
    enum expression_outcome outcome = explain_recompute(&walk->explain, node, &value);

    walk->opaque += outcome == EXPRESSION_OPAQUE;
    if (outcome == EXPRESSION_OPAQUE ||
        (outcome == EXPRESSION_OK && near(value, node->value, 1e-9)))
        return;
    if (walk->wrong++ > 5)
        return;
    CHECK_TRUE(false, "%s: %s = %.12g, but %s%s gives %.12g", walk->design, node->path, node->value,
               node->formula, outcome == EXPRESSION_BAD ? " (BAD)" : "", value);
}

static void walk_node(struct walk *walk, const struct explain_node *node, int depth)
{
    struct explain_node *child;

    if (seen_before(walk, node->path))
        return;
    CHECK_TRUE(isfinite(node->value), "%s: %s is not finite", walk->design, node->path);
    if (node->formula[0] == '\0')
        return;
    check_formula(walk, node);
    if (!CHECK_TRUE(depth < DEPTH_MOST, "%s: %s lies too deep", walk->design, node->path))
        return;
    child = malloc(sizeof *child);
    for (int i = 0; child != NULL && explain_child(&walk->explain, node, i, child); i++)
        walk_node(walk, child, depth + 1);
    free(child);
}

/* Every result of an evaluated design. */
static void walk_results(struct walk *walk)
{
    const struct result *result = walk->explain.result;

    for (int r = 0; r < result_row_count; r++)
        for (int i = 0; i < result_count(result, result_rows[r].scope); i++) {
            struct explain_node node;
            struct error error = {STATUS_OK, ""};
            char path[EXPLAIN_PATH_MAX];

            explain_path(&walk->explain, &result_rows[r], i, path, sizeof path);
            if (!CHECK_TRUE(explain_find(&walk->explain, path, &node, &error) == STATUS_OK,
                            "%s: %s: %s", walk->design, path, error.message))
                continue;
            walk_node(walk, &node, 0);
        }
}

static void explain_design(const struct scenario *design, const char *name)
{
    struct walk walk = {{design, sample_result()}, name, calloc(TABLE, EXPLAIN_PATH_MAX), 0, 0, 0};

    if (CHECK(walk.seen != NULL) && sample_evaluate(design, sample_result()))
        walk_results(&walk);
    CHECK_INT(walk.wrong, 0);
    CHECK_TRUE(walk.count < TABLE / 2, "%s: more than %d quantities", name, TABLE / 2);
    free(walk.seen);
}

static bool load(const struct preset *preset)
{
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    bool good = scenario_parse(&scenario, &document, preset->text, preset->length, catalogue,
                               &problems) == STATUS_OK;

    problems_free(&problems);
    document_free(document);
    return CHECK_TRUE(good, "%s has problems", preset->name);
}

/* Tests ---------------------------------------------------------------------------------------- */

static void formulas_of_systems_hold(void)
{
    for (int i = 0; i < catalogue_count(catalogue); i++) {
        const struct preset *preset = catalogue_at(catalogue, i);

        if (preset->kind == PRESET_AO && load(preset))
            explain_design(&scenario, preset->name);
    }
}

static void formulas_of_random_designs_hold(void)
{
    struct draw draw = draw_start(11);

    for (int i = draw_repeat(REPEAT); i > 0; i--) {
        char name[40];
        struct error error;

        snprintf(name, sizeof name, "AOLAG_SEED=0x%" PRIx64, draw.state);
        random_design(&draw, &scenario);
        if (scenario.general.packets > 200)
            scenario.general.packets = 7;
        if (evaluate(&scenario, sample_result(), &error) == STATUS_OK)
            explain_design(&scenario, name);
    }
}

static const struct test tests[] = {
    {"formulas of systems hold", formulas_of_systems_hold},
    {"formulas of random designs hold", formulas_of_random_designs_hold},
    {NULL, NULL},
};

const struct suite suite_explain = {"explain", open_catalogue, close_catalogue, tests};
