#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "explore/compare.h"
#include "explore/rank.h"
#include "model/evaluate.h"
#include "sample.h"
#include "systems.h"

static struct scenario scenario, fresh;

static bool run(struct rank_question question, enum rank_order order, struct rank *rank)
{
    struct error error = {STATUS_OK, ""};

    return CHECK_TRUE(rank_presets(&scenario, systems_catalogue(), question, order, NULL, rank,
                                   &error) == STATUS_OK,
                      "%s", error.message);
}

static void same(const char *system, const struct ranked *row, double actual, double expected,
                 const char *what)
{
    CHECK_TRUE(actual == expected, "%s with %s: %s %.17g, evaluated anew %.17g", system,
               row->preset->name, what, actual, expected);
}

/* What a user gets who chooses the preset, by a result of its own. */
static void check_row(const char *system, const struct rank *rank, const struct ranked *row)
{
    int device = rank->question.device;
    struct error error = {STATUS_OK, ""};
    static struct result own;
    struct result *result = &own;
    enum status status;

    if (own.work == NULL)
        result_init(&own);
    scenario_copy(&fresh, &scenario);
    scenario_set_preset(&fresh, device, systems_catalogue(), row->preset->name, &error);
    status = evaluate(&fresh, result, &error);
    CHECK_TRUE(status == row->problem.status, "%s with %s: status %d, anew %d", system,
               row->preset->name, (int)row->problem.status, (int)status);
    if (status == STATUS_OK && row->problem.status == STATUS_OK) {
        double watts = fresh.device[device].tdp *
                       (fresh.device[device].kind == DEVICE_CPU ? fresh.device[device].sockets : 1);

        same(system, row, row->latency, result->latency, "latency");
        same(system, row, row->margin, result->margin, "margin");
        same(system, row, row->max_frame_rate, result->max_frame_rate, "rate");
        same(system, row, row->load, result->load, "load");
        same(system, row, row->tdp, watts > 0 ? watts : RESULT_NONE, "power");
        same(system, row, row->latency_tdp, watts > 0 ? result->latency * watts : RESULT_NONE,
             "latency times power");
        CHECK_INT(row->overloaded, result->overloaded);
        CHECK_STR(row->bound_node,
                  result->bound_node < 0 ? "" : result->node[result->bottleneck].name);
        CHECK_STR(row->limit, result->limit);
    } else {
        CHECK_STR(row->problem.message, error.message);
    }
}

/* Those that keep up, may not, do not, and invalid ones. */
static int row_group(const struct ranked *row)
{
    if (row->problem.status != STATUS_OK)
        return 3;
    return row->overloaded ? 2 : row->may_not_keep_up ? 1 : 0;
}

/* Whether two rows that follow one another may. */
static bool in_order(const struct ranked *a, const struct ranked *b, enum rank_order order)
{
    int first = row_group(a);
    int second = row_group(b);

    if (first != second)
        return first < second;
    if (first == 3)
        return strcmp(a->preset->name, b->preset->name) < 0;
    if (first == 2 && a->load != b->load)
        return a->load < b->load;
    switch (order) {
    case RANK_LATENCY:
        return a->latency <= b->latency;
    case RANK_RATE:
        return a->max_frame_rate >= b->max_frame_rate;
    case RANK_LATENCY_TDP:
        if (a->tdp == RESULT_NONE || b->tdp == RESULT_NONE)
            return b->tdp == RESULT_NONE;
        return a->latency_tdp <= b->latency_tdp;
    case RANK_TOTAL:
        return b->total == RESULT_NONE || (a->total != RESULT_NONE && a->total <= b->total);
    case RANK_ORDERS:
        break;
    }
    return false;
}

static void check_order(const char *system, const struct rank *rank, enum rank_order order)
{
    for (int i = 1; i < rank->count; i++)
        CHECK_TRUE(in_order(&rank->row[i - 1], &rank->row[i], order), "%s by %s: %s before %s",
                   system, rank_order_names[order], rank->row[i - 1].preset->name,
                   rank->row[i].preset->name);
}

TEST(every_row_is_the_design_with_that_preset)
{
    static const char *const systems[] = {"elt-scao", "harmoni-ltao", "saxo", "nfiraos-lgs"};

    for (size_t s = 0; s < sizeof systems / sizeof systems[0]; s++) {
        for (int kind = DEVICE_CPU; kind <= DEVICE_GPU; kind++) {
            struct rank_question question = {0, false};
            struct rank rank;
            int wanted = 0;

            if (!systems_load(&scenario, systems[s]))
                return;
            if (rank_device(&scenario, (enum device_kind)kind, NULL, &question.device, NULL) !=
                STATUS_OK)
                continue;
            if (!run(question, RANK_LATENCY, &rank))
                return;
            for (int i = 0; i < catalogue_count(systems_catalogue()); i++)
                wanted += catalogue_at(systems_catalogue(), i)->kind ==
                          (kind == DEVICE_CPU ? PRESET_CPU : PRESET_GPU);
            CHECK_INT(rank.count + rank.excluded, wanted);
            for (int i = 0; i < rank.count; i++)
                check_row(systems[s], &rank, &rank.row[i]);
            for (int order = 0; order < RANK_ORDERS; order++) {
                rank_sort(&rank, (enum rank_order)order);
                check_order(systems[s], &rank, (enum rank_order)order);
            }
            rank_free(&rank);
        }
    }
}

TEST(the_present_one_is_marked)
{
    struct rank_question question = {0, false};
    struct rank rank;
    int marked = 0;

    if (!systems_load(&scenario, "elt-scao") || !run(question, RANK_LATENCY, &rank))
        return;
    for (int i = 0; i < rank.count; i++) {
        marked += rank.row[i].present;
        if (rank.row[i].present)
            CHECK_STR(rank.row[i].preset->name, "amd-epyc-9654");
    }
    CHECK_INT(marked, 1);
    rank_free(&rank);
}

static const struct ranked *row_of(const struct rank *rank, const char *name)
{
    for (int i = 0; i < rank->count; i++)
        if (strcmp(rank->row[i].preset->name, name) == 0)
            return &rank->row[i];
    CHECK_TRUE(false, "no row %s", name);
    return &rank->row[0];
}

/* elt-scao states two sockets. */
TEST(own_values_cleared_or_kept)
{
    char labels[100];
    struct rank kept, plain;

    if (!systems_load(&scenario, "elt-scao") ||
        !run((struct rank_question){0, true}, RANK_LATENCY, &kept))
        return;
    if (run((struct rank_question){0, false}, RANK_LATENCY, &plain)) {
        CHECK_NEAR(row_of(&kept, "amd-epyc-7763")->tdp, 560, 0);
        CHECK_NEAR(row_of(&plain, "amd-epyc-7763")->tdp, 280, 0);
        CHECK(sample_evaluate(&scenario, sample_result()));
        CHECK_NEAR(row_of(&kept, "amd-epyc-9654")->latency, sample_result()->latency, 0);
        rank_free(&plain);
    }
    rank_free(&kept);
    rank_own_labels(&scenario, 0, labels, sizeof labels);
    CHECK_STR(labels, "sockets"); /* its port stays */
    rank_own_labels(&scenario, 1, labels, sizeof labels);
    CHECK_STR(labels, "");
}

/* Ties, from comparisons of their own of the design with either preset. */
TEST(no_practical_difference_is_a_tie)
{
    static struct result one, two;
    static struct latency_range range[SIDES];
    struct rank_question question = {0, false};
    struct compare_verdict verdict;
    struct rank rank;
    int tied = 0;

    result_init(&one);
    result_init(&two);
    if (!systems_load(&scenario, "gpao") || !run(question, RANK_LATENCY, &rank))
        return;
    scenario_copy(&fresh, &scenario);
    scenario_set_preset(&fresh, 0, systems_catalogue(), rank.row[0].preset->name, NULL);
    CHECK_INT(range_find(&fresh, &one, NULL, NULL, &range[0], NULL), STATUS_OK);
    CHECK(!rank.row[0].tied);
    for (int i = 1; i < rank.count; i++) {
        const struct ranked *row = &rank.row[i];
        const struct compare_side side[SIDES] = {{&fresh, &one, &range[0]},
                                                 {&scenario, &two, &range[1]}};

        if (row_group(row) > 0) {
            CHECK(!row->tied && row->least == RESULT_NONE);
            continue;
        }
        scenario_set_preset(&scenario, 0, systems_catalogue(), row->preset->name, NULL);
        CHECK_INT(range_find(&scenario, &two, NULL, NULL, &range[1], NULL), STATUS_OK);
        compare_latencies(side, &verdict);
        CHECK_NEAR(row->least, verdict.least, 1e-12);
        CHECK_NEAR(row->most, verdict.most, 0);
        CHECK_TRUE(row->tied == (verdict.faster < 0 || !verdict.decided), "%s: tied %d",
                   row->preset->name, row->tied);
        tied += row->tied;
    }
    CHECK_TRUE(tied > 0 && tied < rank.count - 1, "%d of %d tied", tied, rank.count);
    rank_free(&rank);
    result_free(&one);
    result_free(&two);
}

/* The range of every row; designs that may not keep up come after those that do, even if faster. */
TEST(presets_that_may_not_keep_up)
{
    static struct result one;
    static struct latency_range range;
    struct rank_question question = {1, false};
    struct rank rank;
    int uncertain = 0;

    result_init(&one);
    if (!systems_load(&scenario, "elt-scao"))
        return;
    sample_set(&scenario, "scenario.packets", "10");
    sample_set(&scenario, "scenario.frame_rate", "1200");
    if (!run(question, RANK_LATENCY, &rank))
        return;
    check_order("elt-scao", &rank, RANK_LATENCY);
    for (int i = 0; i < rank.count; i++) {
        const struct ranked *row = &rank.row[i];

        if (row_group(row) > 1) {
            CHECK(row->low == RESULT_NONE && row->high == RESULT_NONE);
            CHECK_INT(row->may_not_keep_up, row->overloaded);
            continue;
        }
        scenario_copy(&fresh, &scenario);
        scenario_set_preset(&fresh, 1, systems_catalogue(), row->preset->name, NULL);
        CHECK_INT(range_find(&fresh, &one, NULL, NULL, &range, NULL), STATUS_OK);
        CHECK_INT(row->may_not_keep_up, range.may_not_keep_up);
        CHECK_NEAR(row->low, range.low, 0);
        CHECK_NEAR(row->high, range.high, 0);
        CHECK(!row->may_not_keep_up || !row->tied);
        uncertain += row->may_not_keep_up;
    }
    CHECK_TRUE(uncertain > 0, "%d may not keep up", uncertain);
    rank_free(&rank);
    result_free(&one);
}

/* A matrix of more than most graphics memories. */
TEST(presets_that_are_too_small_are_excluded)
{
    struct rank_question question = {1, false};
    struct result *result = sample_result();
    struct rank rank;
    int fitting = 0;

    if (!systems_load(&scenario, "elt-scao"))
        return;
    sample_set(&scenario, "component.recon.rows", "100000");
    sample_set(&scenario, "component.recon.columns", "100000");
    if (!run(question, RANK_LATENCY, &rank))
        return;
    for (int i = 0; i < catalogue_count(systems_catalogue()); i++) {
        const struct preset *preset = catalogue_at(systems_catalogue(), i);

        if (preset->kind != PRESET_GPU)
            continue;
        scenario_copy(&fresh, &scenario);
        scenario_set_preset(&fresh, 1, systems_catalogue(), preset->name, NULL);
        CHECK(sample_evaluate(&fresh, result));
        CHECK_NEAR(result->device[1].held, 4e10, 1);
        fitting += fresh.device[1].memory_size == 0 || fresh.device[1].memory_size >= 4e10;
    }
    CHECK_INT(rank.count, fitting);
    CHECK_TRUE(rank.excluded > 10 && fitting > 5, "%d excluded, %d not", rank.excluded, fitting);
    for (int i = 0; i < rank.count; i++)
        CHECK_STR(rank.row[i].problem.message, "");
    rank_free(&rank);
}

/* A design that asks for more cores than many have. */
TEST(presets_without_meaning_come_last)
{
    struct rank_question question = {0, false};
    struct rank rank;

    if (!systems_load(&scenario, "elt-scao"))
        return;
    sample_set(&scenario, "component.slopes.workers", "60");
    if (!run(question, RANK_RATE, &rank))
        return;
    CHECK_INT(row_of(&rank, "amd-epyc-9654")->problem.status, STATUS_OK);
    CHECK_INT(row_of(&rank, "raspberry-pi-5")->problem.status, STATUS_INVALID);
    CHECK(strstr(row_of(&rank, "raspberry-pi-5")->problem.message, "workers") != NULL);
    CHECK_INT(rank.row[rank.count - 1].problem.status, STATUS_INVALID);
    check_order("elt-scao, 60 workers", &rank, RANK_RATE);
    rank_free(&rank);
}

TEST(devices_by_kind_and_name)
{
    struct error error = {STATUS_OK, ""};
    int device = -1;

    if (!systems_load(&scenario, "elt-scao"))
        return;
    CHECK_INT(rank_device(&scenario, DEVICE_GPU, NULL, &device, &error), STATUS_OK);
    CHECK_INT(device, 1);
    CHECK_INT(rank_device(&scenario, DEVICE_GPU, "rtc", &device, &error), STATUS_INVALID);
    CHECK_STR(error.message, "device rtc is not a gpu; available: gpu0");
    CHECK_INT(rank_device(&scenario, DEVICE_CPU, "rt", &device, &error), STATUS_INVALID);
    CHECK_STR(error.message, "unknown device \"rt\"; available of kind cpu: rtc");
    /* one that runs nothing is ranked only when it is named */
    sample_set(&scenario, "component.recon.device", "rtc");
    CHECK_INT(rank_device(&scenario, DEVICE_GPU, NULL, &device, &error), STATUS_INVALID);
    CHECK_STR(error.message, "no gpu of the design runs a component; available: gpu0");
    CHECK_INT(rank_device(&scenario, DEVICE_GPU, "gpu0", &device, &error), STATUS_OK);
}

/* gpao has one processor and nothing else. */
TEST(a_device_is_added_where_there_is_none)
{
    struct error error = {STATUS_OK, ""};
    int device = -1;
    int component = -1;

    if (!systems_load(&scenario, "gpao"))
        return;
    sample_set(&scenario, "component.recon.share", "0.9");
    CHECK(sample_evaluate(&scenario, sample_result()));
    CHECK(rank_has_kind(&scenario, DEVICE_CPU) && !rank_has_kind(&scenario, DEVICE_GPU));
    CHECK_INT(rank_add_device(&scenario, sample_result(), DEVICE_GPU, &device, &component, &error),
              STATUS_OK);
    CHECK_INT(scenario.device_count, 2);
    CHECK_INT(device, 1);
    CHECK_STR(scenario.device[1].head.name, "gpu0");
    CHECK_INT(scenario_host(&scenario, 1), 0);
    CHECK_STR(scenario.component[component].head.name, "recon");
    CHECK_INT(scenario_device(&scenario, component), 1);
    CHECK_NEAR(scenario.component[component].share, 0, 0);
    CHECK(rank_has_kind(&scenario, DEVICE_GPU));
}

static bool stop_at_a_quarter(void *context, double done)
{
    ++*(int *)context;
    return done < 0.25;
}

TEST(stops_when_told)
{
    struct error error = {STATUS_OK, ""};
    struct rank_question question = {0, false};
    int told = 0;
    struct progress progress = {stop_at_a_quarter, &told};
    struct rank rank;

    if (!systems_load(&scenario, "elt-scao"))
        return;
    CHECK_INT(rank_presets(&scenario, systems_catalogue(), question, RANK_LATENCY, &progress, &rank,
                           &error),
              STATUS_STOPPED);
    CHECK_TRUE(told > 10 && told < 40, "told %d times", told);
    CHECK_TRUE(rank.count > 5, "%d rows", rank.count);
    CHECK_TRUE(rank.untried > 10, "%d untried", rank.untried);
    for (int i = 0; i < rank.count; i++) {
        CHECK_TRUE(rank.row[i].latency > 0, "row %d without a latency", i);
        CHECK_TRUE(rank.row[i].high == RESULT_NONE, "row %d with a range", i);
    }
    rank_free(&rank);
}
