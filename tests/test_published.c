/* The published measurements and what the model makes of them. */
#include "explore/published.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "csv.h"

static struct published published;

static int open_published(void)
{
    struct error error;

    if (published_open(&published, &error) == STATUS_OK)
        return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}

static int close_published(void)
{
    published_free(&published);
    return 0;
}

/* The columns of the sources are those of the compilation they were copied from, to the letter. */
TEST(same_as_the_sources)
{
    struct csv source;
    struct csv copy;

    if (!csv_load(&source, "published_latencies.csv"))
        return;
    if (csv_load(&copy, "../../data/published/latencies.csv")) {
        CHECK_INT(source.rows, 63);
        for (size_t r = 0; r < source.rows && r < copy.rows; r++)
            for (size_t c = 0; c < source.columns; c++) {
                const char *column = source.records.fields[c];

                CHECK_STR(csv_text(&copy, r, column), csv_text(&source, r, column));
            }
        CHECK_TRUE(copy.rows >= source.rows, "%zu of %zu rows", copy.rows, source.rows);
        csv_free(&copy);
    }
    csv_free(&source);
}

/* What the program embeds is the file. */
TEST(read_as_written)
{
    struct csv copy;

    if (!csv_load(&copy, "../../data/published/latencies.csv"))
        return;
    if (CHECK_INT(published.count, copy.rows))
        for (int i = 0; i < published.count; i++) {
            const struct published_row *row = &published.row[i];
            size_t r = (size_t)i;

            CHECK_STR(row->id, csv_text(&copy, r, "id"));
            CHECK_STR(row->use == PUBLISHED_NOT_PREDICTED ? "apart" : published_goals[row->use].use,
                      csv_text(&copy, r, "use"));
            CHECK_STR(row->hardware, csv_text(&copy, r, "hardware"));
            CHECK_STR(row->size, csv_text(&copy, r, "problem_size"));
            CHECK_STR(row->qualifier, csv_text(&copy, r, "qualifier"));
            CHECK_STR(row->what, csv_text(&copy, r, "what_is_measured"));
            CHECK_STR(row->source, csv_text(&copy, r, "source"));
            CHECK_STR(row->notes, csv_text(&copy, r, "notes"));
            CHECK_STR(row->reason, csv_text(&copy, r, "reason"));
            CHECK_STR(row->remark, csv_text(&copy, r, "remark"));
            CHECK_NEAR(row->measured, csv_number(&copy, r, "measured_us") / 1e6, 1e-15);
            for (int other = 0; other < i; other++)
                CHECK_TRUE(strcmp(published.row[other].id, row->id) != 0, "%s twice", row->id);
        }
    csv_free(&copy);
}

TEST(predicts_what_has_a_goal)
{
    int predicted = 0;

    for (int i = 0; i < published.count; i++) {
        const struct published_row *row = &published.row[i];

        if (row->use == PUBLISHED_NOT_PREDICTED) {
            CHECK_TRUE(row->predicted == RESULT_NONE && row->ratio == RESULT_NONE,
                       "%s is not predicted", row->id);
            CHECK_TRUE(row->preset[0] == '\0' && row->settings[0] == '\0',
                       "%s stands apart, it needs no preset", row->id);
            CHECK_TRUE(row->reason[0] != '\0', "%s: no reason not to predict it", row->id);
            CHECK_TRUE(row->remark[0] == '\0', "%s: a remark on no prediction", row->id);
            continue;
        }
        CHECK_TRUE(row->reason[0] == '\0', "%s is predicted, though %s", row->id, row->reason);
        predicted++;
        CHECK_TRUE(isfinite(row->predicted) && row->predicted > 0, "%s: %g s", row->id,
                   row->predicted);
        CHECK_NEAR(row->ratio, row->predicted / row->measured, 1e-15);
    }
    CHECK_TRUE(predicted >= 10, "%d rows are predicted", predicted);
}

/* A complex element is 8 B and 8 FLOP; tiles hold the bytes their source states. */
TEST(encodings)
{
    struct csv copy;

    if (!csv_load(&copy, "../../data/published/latencies.csv"))
        return;
    for (int i = 0; i < published.count; i++) {
        const struct published_row *row = &published.row[i];
        double bytes = csv_number(&copy, (size_t)i, "bytes_streamed");
        double rows = csv_number(&copy, (size_t)i, "n_rows");
        double columns = csv_number(&copy, (size_t)i, "n_cols");
        bool complex = strncmp(csv_text(&copy, (size_t)i, "precision"), "complex", 7) == 0;

        if (row->use != PUBLISHED_MVM && row->use != PUBLISHED_TLR)
            continue;
        CHECK_TRUE(fabs(row->node.working_set / bytes - 1) < 0.01, "%s: %g B kept, %g stated",
                   row->id, row->node.working_set, bytes);
        if (row->use == PUBLISHED_MVM)
            CHECK_TRUE(row->node.flop == (complex ? 8 : 2) * rows * columns,
                       "%s: %g FLOP for %g x %g", row->id, row->node.flop, rows, columns);
    }
    csv_free(&copy);
}

/* Settings state the problem, never how well it runs. */
TEST(nothing_is_tuned)
{
    static const char *const refused[] = {"efficiency",  "sustained", "bandwidth", "latency",
                                          "usable",      "model",     "launch",    "clock",
                                          "outstanding", "overhead"};

    for (int i = 0; i < published.count; i++)
        for (size_t w = 0; w < sizeof refused / sizeof refused[0]; w++)
            CHECK_TRUE(strstr(published.row[i].settings, refused[w]) == NULL, "%s sets a %s",
                       published.row[i].id, refused[w]);
}

TEST(meets_the_goals)
{
    for (int use = 0; use < PUBLISHED_GOALS; use++) {
        struct published_summary summary = published_summarise(&published, (enum published_use)use);

        CHECK_TRUE(summary.met, "%s: median %.1f %%, worst %.1f %% (x %.2f, %s); goal: %s",
                   published_goals[use].use, 100 * summary.median_error, 100 * summary.worst_error,
                   summary.worst_factor, summary.worst < 0 ? "-" : published.row[summary.worst].id,
                   published_goals[use].words);
    }
}

/* How many of the values are below or above one of them decides where the middle is. */
static double slow_median(const double *list, int count)
{
    double low = 0;
    double high = 0;

    for (int i = 0; i < count; i++) {
        int below = 0;
        int same = 0;

        for (int j = 0; j < count; j++) {
            below += list[j] < list[i];
            same += list[j] == list[i];
        }
        if (below <= (count - 1) / 2 && (count - 1) / 2 < below + same)
            low = list[i];
        if (below <= count / 2 && count / 2 < below + same)
            high = list[i];
    }
    return (low + high) / 2;
}

/* Against the definitions, on ratios made up for it: 1 to 9 rows of each use in turn. */
TEST(summaries)
{
    struct published_row rows[9] = {{.id = "0"}};
    struct published made = {.row = rows};
    unsigned long state = 7;

    for (int round = 0; round < 500; round++) {
        enum published_use use = (enum published_use)(round % PUBLISHED_GOALS);
        double errors[9];
        double logs[9];
        double worst = 0;
        double factor = 1;
        struct published_summary summary;
        int own = 0;

        made.count = 1 + round % 9;
        for (int i = 0; i < made.count; i++) {
            state = state * 6364136223846793005UL + 1442695040888963407UL;
            rows[i].ratio = 0.4 + (double)(state >> 40) / (1UL << 24) * 2;
            rows[i].use = i % 3 == 2 ? (enum published_use)((use + 1) % PUBLISHED_GOALS) : use;
            logs[i] = fabs(log(rows[i].ratio));
            if (rows[i].use != use)
                continue;
            errors[own++] = fabs(rows[i].ratio - 1);
            worst = fmax(worst, fabs(rows[i].ratio - 1));
            factor = fmax(factor, exp(logs[i]));
        }
        summary = published_summarise(&made, use);
        CHECK_INT(summary.count, own);
        CHECK_NEAR(summary.median_error, slow_median(errors, own), 1e-12);
        CHECK_NEAR(summary.worst_error, worst, 1e-12);
        CHECK_NEAR(summary.worst_factor, factor, 1e-12);
        CHECK_NEAR(exp(fabs(log(rows[summary.worst].ratio))), factor, 1e-12);
        CHECK_INT(summary.met, use == PUBLISHED_MVM
                                   ? slow_median(errors, own) <= 0.1 && worst <= 0.25
                                   : factor <= 2);
        CHECK_NEAR(published_uncertainty(&made), exp(slow_median(logs, made.count)), 1e-12);
    }
}

/* Of matrix-vector products the median error and the worst, of the others the worst factor. */
TEST(goals)
{
    static const struct {
        enum published_use use;
        double ratio[3];
        bool met;
    } cases[] = {
        {PUBLISHED_MVM, {1, 1.09, 1.24}, true},        {PUBLISHED_MVM, {1, 1.09, 1.26}, false},
        {PUBLISHED_MVM, {1, 1.09, 0.76}, true},        {PUBLISHED_MVM, {1, 1.09, 0.74}, false},
        {PUBLISHED_MVM, {1, 1.11, 1.24}, false},       {PUBLISHED_CENTROID, {1, 1.99, 0.51}, true},
        {PUBLISHED_CENTROID, {1, 1, 2.01}, false},     {PUBLISHED_TLR, {1, 1, 0.49}, false},
        {PUBLISHED_TLR, {1.9, 1.9, 0.51}, true},       {PUBLISHED_ITERATIVE, {1, 1, 2.01}, false},
        {PUBLISHED_ITERATIVE, {1.9, 1.9, 0.51}, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct published_row rows[3];
        struct published made = {.row = rows, .count = 3};

        for (int r = 0; r < 3; r++)
            rows[r] = (struct published_row){.use = cases[i].use, .ratio = cases[i].ratio[r]};
        CHECK_TRUE(published_summarise(&made, cases[i].use).met == cases[i].met, "case %zu", i);
    }
}

TEST(no_rows_meet_nothing)
{
    struct published_row row = {.id = "apart", .use = PUBLISHED_NOT_PREDICTED};
    struct published made = {.row = &row, .count = 1};
    struct published_summary summary = published_summarise(&made, PUBLISHED_TLR);

    CHECK_INT(summary.count, 0);
    CHECK_INT(summary.worst, -1);
    CHECK(!summary.met);
    CHECK_NEAR(published_uncertainty(&made), 1, 0);
}

/* The factor in the manual is the one the rows give. */
TEST(the_stated_uncertainty)
{
    CHECK_NEAR(PUBLISHED_UNCERTAINTY, published_uncertainty(&published), 0.01);
}

SUITE(open_published, close_published)
