/* The measured pipelines and what the model makes of them. */
#include "explore/pipelines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "csv.h"
#include "design/knob.h"
#include "design/scenario_file.h"
#include "model/jitter.h"
#include "model/result.h"
#include "sample.h"
#include "systems.h"

static struct pipelines pipelines;
static struct scenario scenario;

static int open_pipelines(void)
{
    struct error error;

    if (pipelines_open(&pipelines, &error) == STATUS_OK)
        return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}

static int close_pipelines(void)
{
    pipelines_free(&pipelines);
    return 0;
}

/* What was measured is what the compilation has that it was copied from; the words about it need
 * not be. */
TEST(same_as_the_sources)
{
    static const char *const columns[] = {"id",    "counted", "system", "size", "quantity",
                                          "value", "unit",    "low",    "high", "quality"};
    struct csv source;
    struct csv copy;

    if (!csv_load(&source, "pipelines.csv"))
        return;
    if (csv_load(&copy, "../../data/published/pipelines.csv")) {
        CHECK_INT(source.rows, 22);
        for (size_t r = 0; r < source.rows && r < copy.rows; r++)
            for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
                CHECK_STR(csv_text(&copy, r, columns[c]), csv_text(&source, r, columns[c]));
        CHECK_TRUE(copy.rows >= source.rows, "%zu of %zu rows", copy.rows, source.rows);
        csv_free(&copy);
    }
    csv_free(&source);
}

static void check_number(const struct csv *copy, size_t row, const char *column, double time)
{
    bool rate = strcmp(csv_text(copy, row, "unit"), "Hz") == 0;
    double value = csv_number(copy, row, column);

    if (isnan(value))
        CHECK_TRUE(time == RESULT_NONE, "%s: %s is missing, not %g", csv_text(copy, row, "id"),
                   column, time);
    else
        CHECK_NEAR(time, rate ? 1 / value : value / 1e6, 1e-15);
}

/* What the program embeds is the file. */
TEST(read_as_written)
{
    struct csv copy;

    if (!csv_load(&copy, "../../data/published/pipelines.csv"))
        return;
    if (CHECK_INT(pipelines.count, copy.rows))
        for (int i = 0; i < pipelines.count; i++) {
            const struct pipeline_row *row = &pipelines.row[i];
            size_t r = (size_t)i;
            bool rate = strcmp(csv_text(&copy, r, "unit"), "Hz") == 0;

            CHECK_STR(row->id, csv_text(&copy, r, "id"));
            CHECK_STR(row->counted ? "yes" : "no", csv_text(&copy, r, "counted"));
            CHECK_STR(row->system, csv_text(&copy, r, "system"));
            CHECK_STR(row->size, csv_text(&copy, r, "size"));
            CHECK_STR(row->start, csv_text(&copy, r, "start"));
            CHECK_STR(row->end, csv_text(&copy, r, "end"));
            CHECK_STR(row->packetisation, csv_text(&copy, r, "packetisation"));
            CHECK_STR(row->what, csv_text(&copy, r, "quantity"));
            CHECK_STR(row->statistic, csv_text(&copy, r, "statistic"));
            CHECK_STR(row->source, csv_text(&copy, r, "source"));
            CHECK_STR(row->quality, csv_text(&copy, r, "quality"));
            CHECK_STR(row->notes, csv_text(&copy, r, "notes"));
            CHECK_STR(row->computer, csv_text(&copy, r, "computer"));
            CHECK_STR(row->reason, csv_text(&copy, r, "reason"));
            CHECK_STR(row->remark, csv_text(&copy, r, "remark"));
            CHECK_STR(pipeline_quantity_name(row->quantity), csv_text(&copy, r, "compare"));
            check_number(&copy, r, "value", row->measured);
            check_number(&copy, r, "low", rate ? row->measured_high : row->measured_low);
            check_number(&copy, r, "high", rate ? row->measured_low : row->measured_high);
            for (int other = 0; other < i; other++)
                CHECK_TRUE(strcmp(pipelines.row[other].id, row->id) != 0, "%s twice", row->id);
        }
    csv_free(&copy);
}

/* A compared row is a scenario of its name, which says where it comes from, from where to where it
 * was measured, and what it was. */
TEST(compared_rows_are_scenarios)
{
    static const char *const words[] = {"source: ", "measured: ", "assumed: "};
    struct catalogue *catalogue = systems_catalogue();
    int scenarios = 0;

    for (int i = 0; i < pipelines.count; i++) {
        const struct pipeline_row *row = &pipelines.row[i];
        const struct preset *preset =
            catalogue_find(catalogue, row->id, 1U << PRESET_PIPELINE, NULL);
        bool compared = row->quantity != PIPELINE_NOT_COMPARED;

        CHECK_TRUE(compared == (preset != NULL), "%s has %s scenario", row->id,
                   compared ? "no" : "a");
        CHECK_TRUE(compared == (row->predicted != RESULT_NONE), "%s: %g s", row->id,
                   row->predicted);
        CHECK_TRUE((row->quantity == PIPELINE_LATENCY) == (row->low != RESULT_NONE), "%s: %g s",
                   row->id, row->low);
        if (preset == NULL)
            continue;
        scenarios++;
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            CHECK_TRUE(strstr(preset->text, words[w]) != NULL, "%s does not say %s", row->id,
                       words[w]);
        CHECK_TRUE(row->quantity != PIPELINE_LATENCY ||
                       (strstr(preset->text, "; start: ") != NULL &&
                        strstr(preset->text, "end: ") != NULL),
                   "%s does not say what start and end are", row->id);
    }
    for (int p = 0; p < catalogue_count(catalogue); p++)
        scenarios -= catalogue_at(catalogue, p)->kind == PRESET_PIPELINE;
    CHECK_INT(scenarios, 0);
}

/* Scenarios state the problem, the hardware and how the software works, never how well. */
TEST(nothing_is_tuned)
{
    static const char *const refused[] = {
        "compute_efficiency",
        "memory_efficiency",
        "sustained_compute",
        "sustained_memory",
        "cache_usable",
        "memory_model",
        "boundary",
        "enqueue",
        "software",
        "operator_time",
        "copy_latency",
        "peer_latency",
        "ingress_latency",
        "egress_latency",
        "datagram_time",
        "overhead",
        "jitter",
        "late_p90",
        "late_p99",
        "late_p999",
        "late_p9999",
        "late_p99999",
        "late_max",
        "share",
        "outstanding",
        "locality",
    };
    struct error error;

    for (int i = 0; i < pipelines.count; i++) {
        const struct preset *preset =
            catalogue_find(systems_catalogue(), pipelines.row[i].id, 1U << PRESET_PIPELINE, NULL);

        if (preset == NULL ||
            !CHECK_INT(scenario_read_preset(&scenario, preset, systems_catalogue(), &error),
                       STATUS_OK))
            continue;
        for (size_t w = 0; w < sizeof refused / sizeof refused[0]; w++)
            for (int k = 0; k < KNOB_COUNT; k++) {
                const struct knob *knob = &knobs[k];
                bool own = false;

                if (strcmp(knob->key, refused[w]) != 0)
                    continue;
                for (int d = 0; d < scenario.device_count && knob->section == SECTION_DEVICE; d++)
                    own = own || knob_set_has(&scenario.device[d].head.own, knob);
                for (int c = 0; c < scenario.component_count && knob->section == SECTION_COMPONENT;
                     c++)
                    own = own || knob_set_has(&scenario.component[c].head.own, knob);
                CHECK_TRUE(!own, "%s states %s", pipelines.row[i].id, refused[w]);
            }
    }
}

/* A counted row outside its range says why, one inside needs no remark; others say why if they are
 * far off. */
TEST(outside_with_a_reason)
{
    for (int i = 0; i < pipelines.count; i++) {
        const struct pipeline_row *row = &pipelines.row[i];

        if (row->counted)
            CHECK_TRUE(row->inside == (row->remark[0] == '\0'), "%s is %s its range; remark: %s",
                       row->id, row->inside ? "inside" : "outside", row->remark);
        else if (row->factor != RESULT_NONE && row->factor > 2.5)
            CHECK_TRUE(row->remark[0] != '\0', "%s is off by %g without a remark", row->id,
                       row->factor);
    }
}

TEST(meets_the_goals)
{
    static const enum pipelines_group groups[] = {PIPELINES_ALL, PIPELINES_BY_COMPUTER};

    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        struct pipelines_summary summary = pipelines_summarise(&pipelines, groups[g], 0);

        CHECK_TRUE(pipelines_goal_met(&summary, &pipelines_goals[groups[g]]),
                   "median factor %.3f, %.0f %% inside, width %.3f; goal: %s",
                   summary.median_factor, 100 * summary.inside, summary.median_width,
                   pipelines_goals[groups[g]].words);
    }
}

/* Of the graph with and without sleep states the range contains the median and the predicted
 * percentile is one of those that were measured. */
TEST(percentiles)
{
    static const char *const ids[] = {"rc-fgn-250", "rc-fgn-250-c"};

    for (size_t n = 0; n < sizeof ids / sizeof ids[0]; n++)
        for (int i = 0; i < pipelines.count; i++) {
            const struct pipeline_row *row = &pipelines.row[i];

            if (strcmp(row->id, ids[n]) != 0)
                continue;
            CHECK_TRUE(row->inside, "%s: %g to %g s", ids[n], row->low, row->high);
            CHECK_TRUE(row->predicted_p99 >= row->p99_low && row->predicted_p99 <= row->p99_high,
                       "%s: p99 %g s", ids[n], row->predicted_p99);
        }
}

/* The factors in use are those the rows give. */
TEST(the_stated_factors)
{
    const struct pipelines_fit fit = pipelines_fit_causes(&pipelines, -1);

    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        CHECK_TRUE(fabs(cause_uncertainty((enum cause)cause) - fit.factor[cause]) < 0.01,
                   "%s: %g, fitted %g", cause_name((enum cause)cause),
                   cause_uncertainty((enum cause)cause), fit.factor[cause]);
}

/* Residuals of 0.1 and 0.3 on one computer, 0.2 and 0.4 on two others, and rows that do not count:
 * of another cause, without a cause, not counted. */
TEST(fits)
{
    struct pipeline_row rows[] = {
        {.computer = "a", .counted = true, .cause = CAUSE_CACHE, .measured = exp(0.1)},
        {.computer = "b", .counted = true, .cause = CAUSE_CACHE, .measured = exp(-0.2)},
        {.computer = "a", .counted = true, .cause = CAUSE_CACHE, .measured = exp(-0.3)},
        {.computer = "c", .counted = true, .cause = CAUSE_CACHE, .measured = exp(0.4)},
        {.computer = "d", .counted = true, .cause = CAUSE_PORT, .measured = exp(2)},
        {.computer = "e", .counted = true, .cause = CAUSE_NONE, .measured = exp(3)},
        {.computer = "f", .cause = CAUSE_CACHE, .measured = exp(4)},
    };
    const struct pipelines made = {.row = rows, .count = 7};
    struct pipelines_fit fit;

    for (int i = 0; i < made.count; i++)
        rows[i].predicted = 1;
    fit = pipelines_fit_causes(&made, -1);
    CHECK_INT(fit.computers[CAUSE_CACHE], 3);
    CHECK_NEAR(fit.factor[CAUSE_CACHE], exp(sqrt((0.05 + 0.04 + 0.16) / 3)), 1e-12);
    CHECK_INT(fit.computers[CAUSE_PORT], 1);
    CHECK_NEAR(fit.factor[CAUSE_PORT], cause_start(CAUSE_PORT), 0);
    CHECK_INT(fit.computers[CAUSE_MEMORY], 0);
    CHECK_NEAR(pipelines_fit_causes(&made, 4).factor[CAUSE_CACHE], fit.factor[CAUSE_CACHE], 0);
    fit = pipelines_fit_causes(&made, 2);
    CHECK_INT(fit.computers[CAUSE_CACHE], 2);
    CHECK_NEAR(fit.factor[CAUSE_CACHE], cause_start(CAUSE_CACHE), 0);
}

/* The measured 99th percentile of a tuned computer and of one with sleep states. */
TEST(percentiles_within_what_was_measured)
{
    static const char *const names[] = {"rc-fgn-250", "rc-fgn-250-c"};
    int found = 0;

    for (int i = 0; i < pipelines.count; i++)
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            const struct pipeline_row *row = &pipelines.row[i];

            if (strcmp(row->id, names[n]) != 0)
                continue;
            CHECK_TRUE(row->p99_low <= row->predicted_p99 && row->predicted_p99 <= row->p99_high,
                       "%s: p99 %g s, measured %g to %g", row->id, row->predicted_p99, row->p99_low,
                       row->p99_high);
            found++;
        }
    CHECK_INT(found, 2);
}

/* The measured rms of frames of many cores, 15, 10 and 17 us, within a factor of two; of a normal
 * distribution it is (p99 - p50) / 2.33. */
TEST(spread_of_many_cores)
{
    static const struct {
        const char *name;
        double rms; /* s */
    } rows[] = {{"knl-sh80", 15e-6}, {"knl-pyr100", 10e-6}, {"epyc-sh80", 17e-6}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct preset *preset =
            catalogue_find(systems_catalogue(), rows[i].name, 1U << PRESET_PIPELINE, NULL);
        struct jitter jitter;
        struct error error;
        double rms;

        if (!CHECK(preset != NULL) ||
            !CHECK_INT(scenario_read_preset(&scenario, preset, systems_catalogue(), &error),
                       STATUS_OK) ||
            !CHECK_INT(jitter_run(&scenario, sample_result(), 20000, 1, 0, NULL, &jitter, &error),
                       STATUS_OK))
            continue;
        rms = (jitter.p99 - jitter.p50) / 2.33;
        CHECK_TRUE(rms > rows[i].rms / 2 && rms < rows[i].rms * 2, "%s: rms %g s, measured %g",
                   rows[i].name, rms, rows[i].rms);
    }
}

/* Two rows of computer a, one of b, one of c that is not counted: medians and means by hand. */
TEST(summaries)
{
    struct pipeline_row rows[] = {
        {.id = "1",
         .computer = "a",
         .counted = true,
         .class = PIPELINE_CPU,
         .factor = 1.2,
         .low = 1,
         .high = 4,
         .inside = true},
        {.id = "2",
         .computer = "b",
         .counted = true,
         .class = PIPELINE_GPU,
         .factor = 3,
         .low = 1,
         .high = 9,
         .inside = false},
        {.id = "3",
         .computer = "a",
         .counted = true,
         .class = PIPELINE_CPU,
         .factor = 1.4,
         .low = 1,
         .high = 1.44,
         .inside = false},
        {.id = "4",
         .computer = "c",
         .class = PIPELINE_CPU,
         .factor = 100,
         .low = 1,
         .high = 1,
         .inside = true},
    };
    const struct pipelines made = {.row = rows, .count = 4};
    const struct {
        enum pipelines_group group;
        int member, count;
        double factor, inside, width;
    } cases[] = {
        {PIPELINES_ALL, 0, 3, 1.4, 1. / 3, 2},
        {PIPELINES_BY_COMPUTER, 0, 2, (1.3 + 3) / 2, 0.25, (1.6 + 3) / 2},
        {PIPELINES_OF_CLASS, PIPELINE_CPU, 2, 1.3, 0.5, 1.6},
        {PIPELINES_OF_CLASS, PIPELINE_GPU, 1, 3, 0, 3},
        {PIPELINES_OF_CLASS, PIPELINE_FPGA, 0, 0, 0, 0},
        {PIPELINES_WITHOUT, 0, 1, 3, 0, 3},
        {PIPELINES_WITHOUT, 1, 2, 1.3, 0.5, 1.6},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pipelines_summary summary =
            pipelines_summarise(&made, cases[i].group, cases[i].member);

        CHECK_INT(summary.count, cases[i].count);
        CHECK_NEAR(summary.median_factor, cases[i].factor, 1e-12);
        CHECK_NEAR(summary.inside, cases[i].inside, 1e-12);
        CHECK_NEAR(summary.median_width, cases[i].width, 1e-12);
    }
    CHECK(pipelines_first_of_computer(&made, 0));
    CHECK(pipelines_first_of_computer(&made, 1));
    CHECK(!pipelines_first_of_computer(&made, 2));
    CHECK(!pipelines_first_of_computer(&made, 3));
}

TEST(goals)
{
    const struct {
        enum pipelines_group group;
        struct pipelines_summary summary;
        bool met;
    } cases[] = {
        {PIPELINES_ALL, {12, 1, 1, RESULT_NONE}, false},
        {PIPELINES_BY_COMPUTER, {6, 1, 1, RESULT_NONE}, true},
        {PIPELINES_ALL, {12, 1.25, 0.65, 1.6}, true},
        {PIPELINES_ALL, {12, 1.26, 0.65, 1.6}, false},
        {PIPELINES_ALL, {12, 1.25, 0.64, 1.6}, false},
        {PIPELINES_ALL, {12, 1.25, 0.65, 1.61}, false},
        {PIPELINES_ALL, {0, 1, 1, 1}, false},
        {PIPELINES_BY_COMPUTER, {6, 1.35, 0.6, 9}, true},
        {PIPELINES_BY_COMPUTER, {6, 1.36, 0.6, 9}, false},
        {PIPELINES_BY_COMPUTER, {6, 1.35, 0.59, 9}, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_TRUE(pipelines_goal_met(&cases[i].summary, &pipelines_goals[cases[i].group]) ==
                       cases[i].met,
                   "case %zu", i);
}

SUITE(open_pipelines, close_pipelines)
