/* The measured pipelines and what the model makes of them. */
#include "explore/pipelines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "check.h"
#include "csv.h"
#include "design/knob.h"
#include "design/scenario_file.h"
#include "model/evaluate.h"
#include "model/jitter.h"
#include "model/result.h"
#include "sample.h"
#include "systems.h"

static struct pipelines pipelines;
static struct scenario scenario;

static int open_pipelines(void)
{
    struct error error;

    if (pipelines_open(&pipelines, NULL, &error) == STATUS_OK)
        return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}

static int close_pipelines(void)
{
    pipelines_free(&pipelines);
    return 0;
}

/* Returns the row of a file with an id. */
static size_t find_csv_row(const struct csv *file, const char *id)
{
    size_t r = 0;

    while (r < file->rows && strcmp(csv_text(file, r, "id"), id) != 0)
        r++;
    return r;
}

/* Checks columns of a compilation against the rows of the same id that the program embeds. */
static void check_compilation(const char *name, size_t rows, const char *const *columns,
                              const char *const *copied, size_t count)
{
    struct csv source;
    struct csv copy;

    if (!csv_load(&source, name))
        return;
    if (csv_load(&copy, "../../data/published/pipelines.csv")) {
        CHECK_INT(source.rows, rows);
        for (size_t r = 0; r < source.rows; r++) {
            size_t at = find_csv_row(&copy, csv_text(&source, r, "id"));

            if (CHECK_TRUE(at < copy.rows, "%s is missing", csv_text(&source, r, "id")))
                for (size_t c = 0; c < count; c++)
                    CHECK_STR(csv_text(&copy, at, copied[c]), csv_text(&source, r, columns[c]));
        }
        csv_free(&copy);
    }
    csv_free(&source);
}

/* What was measured is what the compilations have that it was copied from; the words about it need
 * not be. */
TEST(same_as_the_sources)
{
    static const char *const old[] = {"id",   "system", "size", "quantity", "value",
                                      "unit", "low",    "high", "quality"};
    static const char *const recent[] = {"value_us",    "low_us",  "high_us",   "p99_low_us",
                                         "p99_high_us", "quality", "statistic", "source"};
    static const char *const copied[] = {"value",       "low",     "high",      "p99_low_us",
                                         "p99_high_us", "quality", "statistic", "source"};

    check_compilation("pipelines.csv", 22, old, old, sizeof old / sizeof old[0]);
    check_compilation("pipelines_2026.csv", 15, recent, copied, sizeof recent / sizeof recent[0]);
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
    static const char *const words[] = {"source: ", "measured: "};
    struct catalogue *catalogue = systems_catalogue();
    int scenarios = 0;

    for (int i = 0; i < pipelines.count; i++) {
        const struct pipeline_row *row = &pipelines.row[i];
        const struct preset *preset =
            catalogue_find(catalogue, row->id, 1U << PRESET_PIPELINE, NULL);
        bool compared = row->quantity != PIPELINE_NOT_COMPARED;

        CHECK_TRUE(compared == (preset != NULL), "%s has %s scenario", row->id,
                   compared ? "no" : "a");
        CHECK_TRUE(compared == (row->seen.value != RESULT_NONE), "%s: %g s", row->id,
                   row->seen.value);
        CHECK_TRUE(compared == (row->unseen.low != RESULT_NONE), "%s: %g s", row->id,
                   row->unseen.low);
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

/* A row outside the range that its computer had no part in says why; so do listed ones that are far
 * off. */
TEST(outside_with_a_reason)
{
    for (int i = 0; i < pipelines.count; i++) {
        const struct pipeline_row *row = &pipelines.row[i];

        if (row->role != PIPELINE_LISTED)
            CHECK_TRUE(row->unseen.inside || row->remark[0] != '\0',
                       "%s is outside its range, without a remark", row->id);
        else if (row->seen.factor != RESULT_NONE && row->seen.factor > 2.5)
            CHECK_TRUE(row->remark[0] != '\0', "%s is off by %g without a remark", row->id,
                       row->seen.factor);
    }
}

TEST(meets_the_goals)
{
    const enum pipelines_group groups[] = {pipelines_headline(&pipelines), PIPELINES_SEEN};

    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        struct pipelines_summary summary = pipelines_summarise(&pipelines, groups[g], 0);

        CHECK_TRUE(pipelines_goal_met(&summary, &pipelines_goals[groups[g]]),
                   "median factor %.3f, worst %.3f, %.0f %% inside, width %.3f; goal: %s",
                   summary.median_factor, summary.worst_factor, 100 * summary.inside,
                   summary.median_width, pipelines_goals[groups[g]].words);
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

/* So are the figures that rest on rows, to the two digits that they have. */
TEST(the_stated_figures)
{
    for (int f = 0; f < FIT_COUNT; f++) {
        const enum fit_figure figure = (enum fit_figure)f;
        const double fitted = fit_find(&pipelines.fits.fit[f], NULL);

        CHECK_TRUE(fabs(fit_used(figure) / fitted - 1) < 0.05, "%s: %g, fitted %g",
                   fit_name(figure), fit_used(figure), fitted);
    }
}

/* A row from whose computer nothing was learned tests; the prediction of such a row knows no other
 * figures without its computer. */
TEST(roles)
{
    int roles[PIPELINE_ROLES] = {0};

    for (int i = 0; i < pipelines.count; i++) {
        const struct pipeline_row *row = &pipelines.row[i];
        bool rests = false;

        for (int f = 0; f < FIT_COUNT; f++)
            rests = rests || fit_rests_on(&pipelines.fits.fit[f], row->computer);
        CHECK_INT(row->role, row->reason[0] != '\0' ? PIPELINE_LISTED
                             : rests                ? PIPELINE_CALIBRATES
                                                    : PIPELINE_TESTS);
        if (row->role == PIPELINE_TESTS)
            CHECK_NEAR(row->unseen.value, row->seen.value, 1e-15);
        roles[row->role]++;
    }
    for (int role = 0; role < PIPELINE_ROLES; role++)
        CHECK_TRUE(roles[role] > 0, "no row %s", pipeline_role_name((enum pipeline_role)role));
}

/* With the value that a row gives it is predicted as measured. */
TEST(rows_give_their_figures)
{
    for (int f = 0; f < FIT_COUNT; f++)
        for (int v = 0; v < pipelines.fits.fit[f].count; v++) {
            const struct fit_value *value = &pipelines.fits.fit[f].value[v];
            const struct preset *preset;
            struct error error;
            double measured = 0;

            if (value->row == NULL)
                continue;
            preset = catalogue_find(systems_catalogue(), value->row, 1U << PRESET_PIPELINE, NULL);
            for (int i = 0; i < pipelines.count; i++)
                if (strcmp(pipelines.row[i].id, value->row) == 0)
                    measured = pipelines.row[i].measured;
            if (!CHECK(preset != NULL) ||
                !CHECK_INT(scenario_read_preset(&scenario, preset, systems_catalogue(), &error),
                           STATUS_OK))
                continue;
            fit_apply((enum fit_figure)f, value->value, &scenario);
            CHECK_INT(evaluate(&scenario, sample_result(), &error), STATUS_OK);
            CHECK_TRUE(fabs(sample_result()->latency / measured - 1) < 1e-6,
                       "%s of %s = %g: %g s, measured %g", fit_name((enum fit_figure)f), value->row,
                       value->value, sample_result()->latency, measured);
        }
}

/* A start of 1, two values of computer a, one of b: geometric means by hand. */
TEST(fits_of_figures)
{
    const struct fit fit = {.start = 1,
                            .value = {{.computer = "a", .value = 2},
                                      {.computer = "b", .value = 27},
                                      {.computer = "a", .value = 8}},
                            .count = 3};
    struct fit no_start = fit;

    no_start.start = RESULT_NONE;
    CHECK_NEAR(fit_find(&fit, NULL), cbrt(4 * 27), 1e-12);
    CHECK_NEAR(fit_find(&fit, "a"), sqrt(27), 1e-12);
    CHECK_NEAR(fit_find(&fit, "b"), 2, 1e-12);
    CHECK_NEAR(fit_find(&fit, "c"), cbrt(4 * 27), 1e-12);
    CHECK_NEAR(fit_find(&no_start, NULL), sqrt(4 * 27), 1e-12);
    CHECK_NEAR(fit_find(&no_start, "b"), 4, 1e-12);
    CHECK(fit_rests_on(&fit, "a"));
    CHECK(!fit_rests_on(&fit, "c"));
}

/* Bad tables of fits, and what is said of them. */
TEST(bad_fits)
{
    static const char header[] =
        "figure,start_us,low_us,high_us,start_source,rows,samples,samples_source\n";
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"nonsense,1,,,s,row,,", "fits.csv:2: there is no figure \"nonsense\""},
        {"sleep,1,1,2,s,,,", "fits.csv:2: sleep names no row and no sample"},
        {"sleep,0,1,2,s,row,,", "fits.csv:2: start_us \"0\" is not a number above 0"},
        {"sleep,1,1,2,,row,,", "fits.csv:2: sleep needs a start and a start_source, or neither"},
        {"sleep,1,1,2,s,,a 5,", "fits.csv:2: sleep needs samples and a samples_source, or neither"},
        {"sleep,1,1,2,s,,a,t",
         "fits.csv:2: the value of a sample \"nothing\" is not a number above 0"},
        {"sleep,1,2,2,s,row,,", "fits.csv:2: sleep has rows, but no low_us below its high_us"},
        {"sleep,5,1,2,s,row,,",
         "fits.csv:2: the start of sleep, 5, is not within low_us to high_us, 1 to 2"},
        {"sleep,1,1,2,s,row,,", "fits.csv: handover is missing"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        struct fits fits;
        struct error error = {0};

        snprintf(text, sizeof text, "%s%s\n", header, cases[i].line);
        CHECK_INT(fits_read(&fits, text, strlen(text), &error), STATUS_INVALID);
        CHECK_STR(error.message, cases[i].message);
    }
}

/* Fits that the rows refuse: the table of this program, with one text replaced. */
TEST(fits_without_rows)
{
    static const struct {
        const char *text, *by, *message;
    } cases[] = {
        {",pyrtc-processes,", ",soul-par,",
         "fits.csv:6: interpreted-handover names the row \"soul-par\"; allowed are rows of "
         "pipelines.csv with a latency that are not listed"},
        {",pyrtc-processes,", ",none,",
         "fits.csv:6: interpreted-handover names the row \"none\"; allowed are rows of "
         "pipelines.csv with a latency that are not listed"},
        {"interpreted-handover,20,5,200,", "interpreted-handover,20,5,21,",
         "pyrtc-processes: fits.csv:6: no interpreted-handover from low_us to high_us gives the "
         "measured latency"},
    };
    const struct embedded_file *file =
        embedded_find(published_files, published_files_count, "fits");
    const char *table = (const char *)file->bytes;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *at = strstr(table, cases[i].text);
        char text[4096];
        struct pipelines made;
        struct error error = {0};

        if (!CHECK(at != NULL))
            return;
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - table), table, cases[i].by,
                 at + strlen(cases[i].text));
        CHECK_INT(pipelines_open(&made, text, &error), STATUS_INVALID);
        CHECK_STR(error.message, cases[i].message);
    }
}

/* Residuals of 0.1 and 0.3 on one computer, 0.2 and 0.4 on two others, and rows that do not belong:
 * of another cause, without a cause, listed. */
TEST(fits_of_factors)
{
    struct pipeline_row rows[] = {
        {.computer = "a", .cause = CAUSE_CACHE, .measured = exp(0.1)},
        {.computer = "b", .cause = CAUSE_CACHE, .measured = exp(-0.2)},
        {.computer = "a", .cause = CAUSE_CACHE, .measured = exp(-0.3)},
        {.computer = "c", .cause = CAUSE_CACHE, .measured = exp(0.4)},
        {.computer = "d", .cause = CAUSE_PORT, .measured = exp(2)},
        {.computer = "e", .cause = CAUSE_NONE, .measured = exp(3)},
        {.computer = "f", .cause = CAUSE_CACHE, .role = PIPELINE_LISTED, .measured = exp(4)},
    };
    const struct pipelines made = {.row = rows, .count = 7};
    const double start = pow(log(cause_start(CAUSE_CACHE)), 2);
    const double unknown = pow(log(cause_start(CAUSE_UNSTATED)), 2);
    struct pipelines_fit fit;

    for (int i = 0; i < made.count; i++) {
        rows[i].unseen.value = 1;
        rows[i].unstated = exp(1) * rows[i].measured;
    }
    fit = pipelines_fit_causes(&made, -1);
    CHECK_INT(fit.computers[CAUSE_CACHE], 3);
    CHECK_NEAR(fit.factor[CAUSE_CACHE], exp(sqrt((start + 0.05 + 0.04 + 0.16) / 4)), 1e-12);
    CHECK_INT(fit.computers[CAUSE_PORT], 1);
    CHECK_NEAR(fit.factor[CAUSE_PORT], cause_start(CAUSE_PORT), 0);
    CHECK_INT(fit.computers[CAUSE_MEMORY], 0);
    CHECK_INT(fit.computers[CAUSE_UNSTATED], 5);
    CHECK_NEAR(fit.factor[CAUSE_UNSTATED], exp(sqrt((unknown + 5) / 6)), 1e-12);
    CHECK_NEAR(pipelines_fit_causes(&made, 4).factor[CAUSE_CACHE], fit.factor[CAUSE_CACHE], 0);
    fit = pipelines_fit_causes(&made, 2);
    CHECK_INT(fit.computers[CAUSE_CACHE], 2);
    CHECK_NEAR(fit.factor[CAUSE_CACHE], exp(sqrt((start + 0.04 + 0.16) / 3)), 1e-12);
}

/* Of a graph with sleep states the range contains the median, and the predicted percentile is one
 * of those that were measured; of the tuned one the percentile is at most a tenth too long. */
TEST(percentiles)
{
    int found = 0;

    for (int i = 0; i < pipelines.count; i++) {
        const struct pipeline_row *row = &pipelines.row[i];

        if (strcmp(row->id, "rc-fgn-250-c") == 0) {
            CHECK_TRUE(pipelines_row_met(row), "%g to %g s, p99 %g s", row->seen.low,
                       row->seen.high, row->predicted_p99);
            found++;
        } else if (strcmp(row->id, "rc-fgn-250") == 0) {
            CHECK_TRUE(row->seen.inside && row->predicted_p99 <= 1.1 * row->p99_high,
                       "p99 %g s, measured %g to %g", row->predicted_p99, row->p99_low,
                       row->p99_high);
            found++;
        }
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

/* Two rows of computer a, which calibrate, one of b, which tests, one of c that is listed: medians
 * and means by hand. */
TEST(summaries)
{
    struct pipeline_row rows[] = {
        {.id = "1",
         .computer = "a",
         .role = PIPELINE_CALIBRATES,
         .class = PIPELINE_CPU,
         .seen = {.factor = 1.1, .low = 1, .high = 1},
         .unseen = {.factor = 1.2, .low = 1, .high = 4, .inside = true}},
        {.id = "2",
         .computer = "b",
         .role = PIPELINE_TESTS,
         .class = PIPELINE_GPU,
         .seen = {.factor = 9, .low = 1, .high = 1},
         .unseen = {.factor = 3, .low = 1, .high = 9, .inside = false}},
        {.id = "3",
         .computer = "a",
         .role = PIPELINE_CALIBRATES,
         .class = PIPELINE_CPU,
         .seen = {.factor = 1.3, .low = 1, .high = 9, .inside = true},
         .unseen = {.factor = 1.4, .low = 1, .high = 1.44, .inside = false}},
        {.id = "4",
         .computer = "c",
         .role = PIPELINE_LISTED,
         .class = PIPELINE_CPU,
         .unseen = {.factor = 100, .low = 1, .high = 1, .inside = true}},
    };
    const struct pipelines made = {.row = rows, .count = 4};
    const struct {
        enum pipelines_group group;
        int member, count, computers;
        double factor, worst, inside, width;
    } cases[] = {
        {PIPELINES_UNSEEN, 0, 3, 2, 1.4, 3, 1. / 3, 2},
        {PIPELINES_BY_COMPUTER, 0, 2, 2, (1.3 + 3) / 2, 3, 0.25, (1.6 + 3) / 2},
        {PIPELINES_OF_CLASS, PIPELINE_CPU, 2, 1, 1.3, 1.4, 0.5, 1.6},
        {PIPELINES_OF_CLASS, PIPELINE_GPU, 1, 1, 3, 3, 0, 3},
        {PIPELINES_OF_CLASS, PIPELINE_FPGA, 0, 0, 0, 0, 0, 0},
        {PIPELINES_OF_COMPUTER, 2, 2, 1, 1.3, 1.4, 0.5, 1.6},
        {PIPELINES_TESTS, 0, 1, 1, 3, 3, 0, 3},
        {PIPELINES_SEEN, 0, 2, 1, 1.2, 1.3, 0.5, 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pipelines_summary summary =
            pipelines_summarise(&made, cases[i].group, cases[i].member);

        CHECK_INT(summary.count, cases[i].count);
        CHECK_INT(summary.computers, cases[i].computers);
        CHECK_NEAR(summary.median_factor, cases[i].factor, 1e-12);
        CHECK_NEAR(summary.worst_factor, cases[i].worst, 1e-12);
        CHECK_NEAR(summary.inside, cases[i].inside, 1e-12);
        CHECK_NEAR(summary.median_width, cases[i].width, 1e-12);
    }
    CHECK_INT(pipelines_headline(&made), PIPELINES_UNSEEN);
    CHECK(pipelines_first_of_computer(&made, 0));
    CHECK(pipelines_first_of_computer(&made, 1));
    CHECK(!pipelines_first_of_computer(&made, 2));
    CHECK(!pipelines_first_of_computer(&made, 3));
}

/* Rows that test are the headline from six computers on. */
TEST(headline)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    struct pipeline_row rows[6] = {{.id = NULL}};
    struct pipelines made = {.row = rows, .count = 6};

    for (int i = 0; i < made.count; i++)
        rows[i].computer = names[i];
    CHECK_INT(pipelines_headline(&made), PIPELINES_TESTS);
    rows[5].computer = names[0];
    CHECK_INT(pipelines_headline(&made), PIPELINES_UNSEEN);
}

TEST(goals)
{
    const struct {
        enum pipelines_group group;
        struct pipelines_summary summary;
        bool met;
    } cases[] = {
        {PIPELINES_UNSEEN, {12, 6, 1, 1, 0.6, RESULT_NONE, 0, 0}, false},
        {PIPELINES_SEEN, {6, 6, 1.25, 9, 0, RESULT_NONE, 0, 0}, true},
        {PIPELINES_SEEN, {6, 6, 1.26, 1, 0.6, 1, 0, 0}, false},
        {PIPELINES_UNSEEN, {12, 6, 1.4, 4, 0.55, 2, 0, 0}, true},
        {PIPELINES_UNSEEN, {12, 6, 1.4, 4, 0.8, 2, 0, 0}, true},
        {PIPELINES_UNSEEN, {12, 6, 1.41, 4, 0.6, 2, 0, 0}, false},
        {PIPELINES_UNSEEN, {12, 6, 1.4, 4.01, 0.6, 2, 0, 0}, false},
        {PIPELINES_UNSEEN, {12, 6, 1.4, 4, 0.54, 2, 0, 0}, false},
        {PIPELINES_UNSEEN, {12, 6, 1.4, 4, 0.81, 2, 0, 0}, false},
        {PIPELINES_UNSEEN, {12, 6, 1.4, 4, 0.6, 2.01, 0, 0}, false},
        {PIPELINES_UNSEEN, {0, 0, 1, 1, 0.6, 1, 0, 0}, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_TRUE(pipelines_goal_met(&cases[i].summary, &pipelines_goals[cases[i].group]) ==
                       cases[i].met,
                   "case %zu", i);
}

SUITE(open_pipelines, close_pipelines)
