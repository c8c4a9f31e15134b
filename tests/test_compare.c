#include "design/scenario_edit.h"
#include "explore/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "draw.h"
#include "figures.h"
#include "model/evaluate.h"
#include "random_design.h"
#include "report/compare.h"
#include "sample.h"

static struct scenario design[SIDES];
static struct result result[SIDES];
static struct latency_range range[SIDES];
static struct comparison comparison;

static int start(void)
{
    for (int s = 0; s < SIDES; s++)
        result_init(&result[s]);
    return 0;
}

static int end(void)
{
    comparison_free(&comparison);
    for (int s = 0; s < SIDES; s++)
        result_free(&result[s]);
    return 0;
}

/* The designs as they are, the first of them `first`. */
static bool compare_from(int first, struct comparison *into)
{
    struct compare_side side[SIDES];
    struct error error = {STATUS_OK, ""};

    for (int s = 0; s < SIDES; s++) {
        int of = s == 0 ? first : 1 - first;

        if (!CHECK_TRUE(range_find(&design[of], &result[of], NULL, NULL, &range[of], &error) ==
                            STATUS_OK,
                        "%s", error.message))
            return false;
        side[s] = (struct compare_side){&design[of], &result[of], &range[of]};
    }
    compare_designs(side, into);
    return true;
}

/* Two chains alike. */
static void chains(void)
{
    sample_chain(&design[0]);
    sample_chain(&design[1]);
}

static const struct difference *difference(const char *path)
{
    static const struct difference none = {.path = "none", .value = {"", ""}};

    for (int d = 0; d < comparison.difference_count; d++)
        if (strcmp(comparison.difference[d].path, path) == 0)
            return &comparison.difference[d];
    CHECK_TRUE(false, "no difference %s", path);
    return &none;
}

TEST(the_same)
{
    chains();
    if (!compare_from(0, &comparison))
        return;
    CHECK_INT(comparison.difference_count, 0);
    CHECK_INT(comparison.result_count, 0);
    CHECK_INT(comparison.verdict.faster, -1);
    CHECK(comparison.verdict.decided);
    CHECK_NEAR(comparison.verdict.ratio, 1, 0);
    CHECK_NEAR(comparison.verdict.least, 1, 1e-12);
    CHECK_NEAR(comparison.verdict.most, 1, 1e-12);
    CHECK_INT(comparison.node_count, result[0].node_count);
}

TEST(a_knob)
{
    chains();
    sample_set(&design[1], "ao.actuators", "77");
    sample_set(&design[1], "scenario.title", "another");
    if (!compare_from(0, &comparison))
        return;
    CHECK_STR(difference("ao.actuators")->value[1], "77");
    CHECK_INT(difference("ao.actuators")->kind, DIFFERENCE_OWN);
    CHECK_INT(difference("ao.actuators")->origin[1], ORIGIN_SET);
    CHECK_STR(comparison.title[1], "another");
    CHECK_INT(difference("component.recon.rows")->kind, DIFFERENCE_FOLLOWS);
    CHECK_STR(difference("component.recon.rows")->value[1], "auto 77");
}

/* Numbers that read alike differ all the same. */
TEST(a_last_digit)
{
    chains();
    sample_number(&design[0], "scenario.frame_rate", 1000);
    sample_number(&design[1], "scenario.frame_rate", 1000.000000001);
    if (compare_from(0, &comparison))
        CHECK_INT(difference("scenario.frame_rate")->kind, DIFFERENCE_OWN);
}

TEST(in_one_only)
{
    const struct difference *found;

    chains();
    sample_round_device(&design[1], "second");
    sample_set(&design[1], "component.recon.device", "second");
    sample_component(&design[0], "more", "custom");
    if (!compare_from(0, &comparison))
        return;
    found = difference("device.second");
    CHECK_INT(found->kind, DIFFERENCE_INSTANCE);
    CHECK(!found->has[0] && found->has[1]);
    CHECK_STR(found->value[1], "cpu");
    CHECK_STR(difference("component.more")->value[0], "custom");
    CHECK_STR(difference("component.recon.device")->value[0], "auto rtc");
    CHECK_STR(difference("component.recon.device")->value[1], "second");
    for (int n = 0; n < comparison.node_count; n++) {
        const struct compared_node *node = &comparison.node[n];
        bool transfer = strchr(node->name, '>') != NULL;

        CHECK_TRUE(node->transfer == transfer, "%s", node->name);
        CHECK_TRUE(node->has[0] == !transfer, "%s in the first", node->name);
        CHECK_TRUE(node->has[1] == (strcmp(node->name, "more") != 0), "%s in the second",
                   node->name);
        if (strcmp(node->name, "recon") == 0) {
            CHECK_STR(node->device[0], "rtc");
            CHECK_STR(node->device[1], "second");
        }
    }
}

/* One component on one device, nothing else takes time: the latency is its time. */
static void one_source(struct scenario *scenario, const char *device, const char *pc,
                       const char *flops)
{
    static const struct {
        const char *key, *value;
    } values[] = {{"dispatch", "spin"}, {"ingress", "ideal"}, {"boundary", "0 us"}};
    char path[64];

    scenario_init(scenario);
    sample_set(scenario, "scenario.frame_rate", "100 Hz");
    sample_add(scenario, SECTION_WFS, "ngs");
    sample_round_device(scenario, device);
    sample_component(scenario, "camera", "camera");
    sample_component(scenario, "work", "custom");
    sample_component(scenario, "dm", "dm");
    sample_set(scenario, "component.dm.link", "none");
    sample_set(scenario, "component.work.flops", flops);
    sample_set(scenario, "component.work.agenda", "frame");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        snprintf(path, sizeof path, "device.%s.%s", device, values[i].key);
        sample_set(scenario, path, values[i].value);
    }
    snprintf(path, sizeof path, "device.%s.pc", device);
    sample_set(scenario, path, pc);
}

/* The ratio's uncertainty from factors of errors of its own in either design. */
static double both(double f, double g)
{
    return exp(hypot(log(f), log(g)));
}

TEST(errors_of_their_own)
{
    one_source(&design[0], "x", "1.17", "1e9");
    one_source(&design[1], "y", "1.3", "1.32e9");
    if (!compare_from(0, &comparison))
        return;
    CHECK_INT(comparison.verdict.faster, 0);
    CHECK_NEAR(comparison.verdict.ratio, 1.32, 1e-3);
    CHECK_NEAR(comparison.verdict.least, comparison.verdict.ratio / both(1.17, 1.3), 1e-6);
    CHECK_NEAR(comparison.verdict.most, comparison.verdict.ratio * both(1.17, 1.3), 1e-6);
    CHECK(!comparison.verdict.decided);
    CHECK_NEAR(comparison.verdict.common, 0, 0);

    one_source(&design[1], "y", "1.3", "1.6e9");
    if (compare_from(0, &comparison))
        CHECK(comparison.verdict.decided);
}

TEST(errors_in_common)
{
    one_source(&design[0], "x", "1.17", "1e9");
    one_source(&design[1], "x", "1.17", "1.01e9");
    if (!compare_from(0, &comparison))
        return;
    CHECK_INT(comparison.verdict.faster, 0);
    CHECK_NEAR(comparison.verdict.least, comparison.verdict.ratio, 1e-6);
    CHECK_NEAR(comparison.verdict.most, comparison.verdict.ratio, 1e-6);
    CHECK(comparison.verdict.decided);
    CHECK_NEAR(comparison.verdict.common, 1, 1e-6);
}

/* A measured device and one of the same model by its vendor's figures err apart. */
TEST(a_measured_device_errs_alone)
{
    one_source(&design[0], "x", "1.05", "1e9");
    one_source(&design[1], "x", "auto", "1.5e9");
    for (int s = 0; s < SIDES; s++)
        snprintf(design[s].device[0].model, sizeof design[s].device[0].model, "a model");
    if (!compare_from(0, &comparison))
        return;
    CHECK_NEAR(comparison.verdict.common, 0, 0);
    CHECK_NEAR(comparison.verdict.most,
               comparison.verdict.ratio * both(1.05, cause_uncertainty(CAUSE_COMPUTE)), 1e-6);
}

/* A factor that was measured in one design only errs alone, too; in both, together. */
TEST(a_calibrated_design_errs_alone)
{
    one_source(&design[0], "x", "1.17", "1e9");
    one_source(&design[1], "x", "1.17", "1.5e9");
    sample_calibrate(&design[1], "x:compute:1:1.05");
    if (!compare_from(0, &comparison))
        return;
    CHECK_NEAR(comparison.verdict.common, 0, 0);
    CHECK_NEAR(comparison.verdict.most, comparison.verdict.ratio * both(1.05, 1.17), 1e-6);
    sample_calibrate(&design[0], "x:compute:1:1.05");
    if (!compare_from(0, &comparison))
        return;
    CHECK_NEAR(comparison.verdict.common, 1, 1e-6);
    CHECK_NEAR(comparison.verdict.most, comparison.verdict.ratio, 1e-6);
}

/* Gets the group of the ports; they have one. */
static const struct range_group *ports_of(int s)
{
    for (int g = 0; g < range[s].count; g++)
        if (range[s].group[g].cause == CAUSE_PORT)
            return &range[s].group[g];
    return NULL;
}

/* Checks the ratio of two designs that differ in the errors of their ports alone: this fraction of
 * them is common, the rest of each is of its own. */
static void check_ports(double fraction)
{
    const struct range_group *a = ports_of(0), *b = ports_of(1);
    const double own = pow(1 - fraction, 2);
    double more, less;

    if (!CHECK(a != NULL && b != NULL))
        return;
    more = pow(fraction * fmax(0, fmax(b->high - a->high, a->low - b->low)), 2) +
           own * (pow(a->low, 2) + pow(b->high, 2));
    less = pow(fraction * fmax(0, fmax(a->high - b->high, b->low - a->low)), 2) +
           own * (pow(a->high, 2) + pow(b->low, 2));
    CHECK_NEAR(comparison.verdict.most, comparison.verdict.ratio * exp(sqrt(more)), 1e-4);
    CHECK_NEAR(comparison.verdict.least, comparison.verdict.ratio * exp(-sqrt(less)), 1e-4);
    CHECK_NEAR(comparison.verdict.common,
               fraction * (a->part + b->part) / (range[0].latency + range[1].latency), 1e-9);
}

/* What neither of two CPUs states is the same error in both; what one states, or takes from another
 * row, is not, and neither is what its author calls assumed. */
TEST(defaults_in_common)
{
    static const struct {
        const char *path, *value;
        double fraction;
    } stated[] = {
        {"device.y.clock", "3 GHz", 1},
        {"device.y.datagram_time", "3.27664 us",
         FIGURE_INGRESS_US / (FIGURE_INGRESS_US + FIGURE_DATAGRAM_US)},
        {"device.y.ingress_latency", "11 us", 0},
        {"device.y.datagram_time", "auto",
         FIGURE_DATAGRAM_US / (FIGURE_INGRESS_US + FIGURE_DATAGRAM_US)},
        {"device.x.datagram_time", "3.27664 us", 0},
        {"device.x.datagram_time", "auto",
         FIGURE_DATAGRAM_US / (FIGURE_INGRESS_US + FIGURE_DATAGRAM_US)},
        {"device.y.ingress_latency", "auto", 1},
        {"device.y.ingress", "busy-poll", 0},
        {"device.y.ingress", "kernel", 1},
    };

    for (int s = 0; s < SIDES; s++) {
        one_source(&design[s], s == 0 ? "x" : "y", "1.00001", s == 0 ? "1e6" : "1e8");
        sample_set(&design[s], s == 0 ? "device.x.ingress" : "device.y.ingress", "kernel");
        sample_set(&design[s], s == 0 ? "device.x.launch" : "device.y.launch", "0 us");
        sample_set(&design[s], s == 0 ? "device.x.os" : "device.y.os", "realtime");
    }
    for (size_t i = 0; i < sizeof stated / sizeof stated[0]; i++) {
        sample_set(&design[stated[i].path[7] == 'x' ? 0 : 1], stated[i].path, stated[i].value);
        if (!compare_from(0, &comparison))
            return;
        check_ports(stated[i].fraction);
    }
    sample_set(&design[1], "device.y.ingress_latency", "11 us");
    knob_set_origin(&design[1], knob_ref_to(KNOB_DEVICE_INGRESS_LATENCY, 0), ORIGIN_ASSUMED);
    if (compare_from(0, &comparison))
        check_ports(FIGURE_DATAGRAM_US / (FIGURE_INGRESS_US + FIGURE_DATAGRAM_US));
}

/* Without any error that differs, but too near to matter. */
TEST(less_than_a_percent)
{
    one_source(&design[0], "x", "1.17", "1e9");
    one_source(&design[1], "x", "1.17", "1.009e9");
    if (!compare_from(0, &comparison))
        return;
    CHECK_INT(comparison.verdict.faster, 0);
    CHECK_NEAR(comparison.verdict.least, comparison.verdict.most, 1e-6);
    CHECK(!comparison.verdict.decided);
    one_source(&design[0], "x", "1.00001", "1e9");
    one_source(&design[1], "y", "1.00001", "1.00003e9");
    if (!compare_from(0, &comparison))
        return;
    CHECK(comparison.verdict.least > 1);
    CHECK(!comparison.verdict.decided);
}

TEST(what_matters)
{
    CHECK(!compare_matters(1, 1));
    CHECK(!compare_matters(0, 0));
    CHECK(!compare_matters(1, 1.0099));
    CHECK(compare_matters(1, 1.01));
    CHECK(compare_matters(1.01, 1));
    CHECK(!compare_matters(-1.0099, -1));
    CHECK(compare_matters(0, 1e-9));
    CHECK(compare_matters(-1, 1));
}

/* Two designs with one device in common and one of their own each: each group is scaled in both
 * designs at once, by hand. */
TEST(groups_by_hand)
{
    double more = 0, less = 0;

    for (int s = 0; s < SIDES; s++) {
        one_source(&design[s], "x", "1.2", s == 0 ? "1e9" : "3e9");
        sample_round_device(&design[s], s == 0 ? "y" : "z");
        sample_set(&design[s], s == 0 ? "device.y.pc" : "device.z.pc", "1.5");
        sample_set(&design[s], s == 0 ? "device.y.dispatch" : "device.z.dispatch", "spin");
        sample_set(&design[s], s == 0 ? "device.y.model" : "device.z.model", s == 0 ? "Y" : "Z");
        sample_component(&design[s], "other", "custom");
        sample_set(&design[s], "component.other.flops", "2e9");
        sample_set(&design[s], "component.other.agenda", "frame");
        sample_set(&design[s], "component.other.device", s == 0 ? "y" : "z");
        sample_set(&design[s], "component.other.after", "work");
        sample_set(&design[s], "component.dm.after", "other");
    }
    if (!compare_from(0, &comparison))
        return;
    for (int group = 0; group < 3; group++) { /* x in both, y in the first, z in the second */
        double change[2];

        for (int end = 0; end < 2; end++) {
            double latency[SIDES];

            for (int s = 0; s < SIDES; s++) {
                const struct node_result *of =
                    sample_node(&result[s], group == 0 ? "work" : "other");
                double f = group == 0 ? 1.2 : 1.5;
                bool scaled = group == 0 || group == s + 1;

                latency[s] =
                    result[s].latency +
                    (scaled ? (of->path_wait + of->path_busy) * ((end == 0 ? f : 1 / f) - 1) : 0);
            }
            change[end] = log(latency[1] / latency[0] / comparison.verdict.ratio);
        }
        more += pow(fmax(0, fmax(change[0], change[1])), 2);
        less += pow(fmax(0, fmax(-change[0], -change[1])), 2);
    }
    CHECK_NEAR(comparison.verdict.most, comparison.verdict.ratio * exp(sqrt(more)), 1e-3);
    CHECK_NEAR(comparison.verdict.least, comparison.verdict.ratio * exp(-sqrt(less)), 1e-3);
    CHECK(comparison.verdict.common > 0.3 && comparison.verdict.common < 0.7);
    CHECK(more > 0 && less > 0);
}

/* Equal machines err together whatever they are called, unless one has another product name or
 * another figure. */
TEST(renamed_machine)
{
    static const struct {
        const char *path, *value;
        bool common;
    } cases[] = {{"device.y.model", "", true},
                 {"device.y.model", "Y", false},
                 {"device.y.model", "", true},
                 {"device.y.cores", "3", false}};

    one_source(&design[0], "x", "1.2", "1e9");
    one_source(&design[1], "y", "1.2", "1e9");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample_set(&design[1], cases[i].path, cases[i].value);
        if (!compare_from(0, &comparison))
            return;
        CHECK_TRUE(cases[i].common == (comparison.verdict.most < 1.0001 * comparison.verdict.least),
                   "%s=%s: %g to %g", cases[i].path, cases[i].value, comparison.verdict.least,
                   comparison.verdict.most);
    }
}

/* An error that only one design cannot bear leaves the ratio open at that end. */
TEST(only_one_may_not_keep_up)
{
    one_source(&design[0], "x", "1.17", "1e9");
    one_source(&design[1], "y", "1.3", "2e9");
    if (!sample_evaluate(&design[1], &result[1]))
        return;
    for (int s = 0; s < SIDES; s++)
        sample_number(&design[s], "scenario.frame_rate", 0.9 * result[1].max_frame_rate);
    if (!compare_from(0, &comparison))
        return;
    CHECK(isinf(comparison.verdict.most));
    CHECK(comparison.verdict.least > 1 && comparison.verdict.decided);
    CHECK(comparison.verdict.of[1].high == RESULT_NONE);
    if (!compare_from(1, &comparison))
        return;
    CHECK_NEAR(comparison.verdict.least, 0, 0);
    CHECK(comparison.verdict.most < 1 && comparison.verdict.decided);
}

/* What is known before the ranges are. */
TEST(without_ranges)
{
    struct compare_side side[SIDES];
    struct compare_verdict verdict;

    one_source(&design[0], "x", "1.17", "1e9");
    one_source(&design[1], "y", "1.3", "2e9");
    for (int s = 0; s < SIDES; s++) {
        if (!sample_evaluate(&design[s], &result[s]))
            return;
        side[s] = (struct compare_side){.scenario = &design[s], .result = &result[s]};
    }
    compare_latencies(side, &verdict);
    CHECK_INT(verdict.faster, 0);
    CHECK_NEAR(verdict.ratio, 2, 1e-3);
    CHECK(verdict.least == RESULT_NONE && verdict.most == RESULT_NONE && !verdict.decided);
}

TEST(standings)
{
    static const struct {
        double target;
        enum standing expected;
    } rows[] = {{1.18, STANDING_MEETS},
                {1.10, STANDING_MEETS_BARELY},
                {0.90, STANDING_MISSES_BARELY},
                {0.80, STANDING_MISSES}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        one_source(&design[0], "x", "1.17", "1e9");
        one_source(&design[1], "x", "1.17", "1e9");
        if (!sample_evaluate(&design[0], &result[0]))
            return;
        sample_number(&design[0], "scenario.target_latency", rows[r].target * result[0].latency);
        if (compare_from(0, &comparison))
            CHECK_INT(comparison.verdict.of[0].standing, rows[r].expected);
    }
}

enum { FACTS_TEXT = COMPARE_SENTENCE_MAX + COMPARE_FACTS * 4 * COMPARE_CELL_MAX };

/* Writes the sentence and the rows, a line each. */
static void facts_of(char text[FACTS_TEXT])
{
    struct compare_fact fact[COMPARE_FACTS];
    int count = compare_facts(&comparison.verdict, 0, false, fact);
    char sentence[COMPARE_SENTENCE_MAX];
    int used;

    CHECK(count <= COMPARE_FACTS);
    compare_sentence(&comparison.verdict, (const char *const[SIDES]){"this", "that"}, false,
                     sentence);
    used = snprintf(text, FACTS_TEXT, "%s\n", sentence);
    for (int f = 0; f < count; f++)
        used += snprintf(text + used, (size_t)(FACTS_TEXT - used), "%s | %s | %s | %s\n",
                         fact[f].label, fact[f].value[0], fact[f].value[1], fact[f].change);
}

static void check_facts(const char *expected)
{
    char text[FACTS_TEXT];

    facts_of(text);
    CHECK_TRUE(strstr(text, expected) != NULL, "%s: %s", expected, text);
}

TEST(words)
{
    one_source(&design[0], "x", "1.17", "1e9");
    one_source(&design[1], "y", "1.3", "1.32e9");
    if (!compare_from(0, &comparison))
        return;
    check_facts("cannot be told apart: 2.00 ms of this and 2.64 ms of that, and this may be 0.97 to "
                "1.79 times as fast\n"
                "RTC latency | 2.00 ms | 2.64 ms | -640 us, -24.2 %\n"
                "likely range | 1.71 to 2.34 ms | 2.03 to 3.43 ms | 0.97 to 1.79 times as fast\n");
    one_source(&design[1], "y", "1.3", "1.6e9");
    if (!compare_from(0, &comparison))
        return;
    check_facts("this is 1.60 times as fast as that: 2.00 ms instead of 3.20 ms\n");
    check_facts(" times as fast\n");
    one_source(&design[1], "x", "1.17", "1.001e9");
    if (!compare_from(0, &comparison))
        return;
    check_facts("no practical difference: 2.00 ms of this and 2.00 ms of that differ by less than "
                "1 %\n");
    check_facts(" | same within 1 %\n");
}

/* Latencies alike whose ratio is uncertain by less than what matters. */
TEST(words_about_nothing)
{
    one_source(&design[0], "x", "1.001", "1e9");
    one_source(&design[1], "y", "1.001", "1e9");
    sample_set(&design[1], "device.y.model", "Y");
    if (!compare_from(0, &comparison))
        return;
    CHECK(comparison.verdict.least < 1 && comparison.verdict.most > 1);
    check_facts("no difference in latency: both have 2.00 ms\n"
                "RTC latency | 2.00 ms | 2.00 ms | same\n");
    check_facts(" | same within 1 %\n");
}

/* An end of the range is one standard deviation away, not the worst there is. */
TEST(words_about_the_target)
{
    static const struct {
        double target;
        const char *expected;
    } rows[] = {{1.18, "target | met by 360 us | "},
                {1.10, "target | likely met, 200 us | "},
                {0.90, "target | likely missed, 200 us | "},
                {0.80, "target | missed by 400 us | "}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        one_source(&design[0], "x", "1.17", "1e9");
        one_source(&design[1], "x", "1.17", "1e9");
        if (!sample_evaluate(&design[0], &result[0]))
            return;
        sample_number(&design[0], "scenario.target_latency", rows[r].target * result[0].latency);
        if (!compare_from(0, &comparison))
            return;
        check_facts(rows[r].expected);
    }
}

/* A ratio to a value next to zero is no ratio. */
TEST(changes_in_words)
{
    static const struct {
        double from, to;
        const char *expected;
    } rows[] = {{1, 1.5, "+0.500, +50.0 %"},
                {1, 12, "+11.0, 12.0 times"},
                {4.8e-87, 0.992, "+0.992"},
                {0.991, 0.9910000002, "same within 0.01 %"},
                {0.991, 0.9909999998, "same within 0.01 %"},
                {1, 1.00002, "same within 0.01 %"},
                {1, 1.0002, "+0.00020, +0.020 %"},
                {0, 2, "+2.00"}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        char text[80];

        compare_change(rows[r].from, rows[r].to, "", false, text, sizeof text);
        CHECK_STR(text, rows[r].expected);
    }
}

/* Turned around -------------------------------------------------------------------------------- */

static bool mirrored(const struct comparison *a, const struct comparison *b, uint64_t seed)
{
    const struct compare_verdict *there = &a->verdict;
    const struct compare_verdict *back = &b->verdict;
    int turned = back->faster < 0 ? -1 : 1 - back->faster;
    bool good = draw_holds(there->faster == turned, seed, __FILE__, __LINE__, "faster %d, back %d",
                           there->faster, back->faster);

    good = draw_holds(there->decided == back->decided, seed, __FILE__, __LINE__, "decided %d, %d",
                      there->decided, back->decided) &&
           good;
    if (there->ratio != RESULT_NONE)
        good = draw_holds(fabs(there->least * back->most - 1) < 1e-9 &&
                              fabs(there->most * back->least - 1) < 1e-9 &&
                              there->least <= there->ratio * (1 + 1e-9) &&
                              there->ratio <= there->most * (1 + 1e-9),
                          seed, __FILE__, __LINE__, "%.12g %.12g %.12g, back %.12g %.12g",
                          there->least, there->ratio, there->most, back->least, back->most) &&
               good;
    good = draw_holds(a->difference_count == b->difference_count, seed, __FILE__, __LINE__,
                      "%d differences, back %d", a->difference_count, b->difference_count) &&
           good;
    return draw_holds(a->node_count == b->node_count, seed, __FILE__, __LINE__, "%d nodes, back %d",
                      a->node_count, b->node_count) &&
           good;
}

/* Every difference of `a` is in `b` with its values the other way round. */
static void same_differences(const struct comparison *a, const struct comparison *b, uint64_t seed)
{
    for (int i = 0; i < a->difference_count; i++) {
        const struct difference *x = &a->difference[i];
        bool found = false;

        for (int j = 0; j < b->difference_count && !found; j++) {
            const struct difference *y = &b->difference[j];

            found = strcmp(x->path, y->path) == 0 && strcmp(x->value[0], y->value[1]) == 0 &&
                    strcmp(x->value[1], y->value[0]) == 0 && x->kind == y->kind;
        }
        draw_holds(found, seed, __FILE__, __LINE__, "%s: %s, %s", x->path, x->value[0],
                   x->value[1]);
    }
}

TEST(turned_around)
{
    static struct comparison back;
    struct draw draw = draw_start(5);
    int pairs = 0;

    for (int i = 0; i < draw_repeat(120); i++) {
        uint64_t seed = draw.state;
        bool good = true;

        for (int s = 0; s < SIDES; s++) {
            struct error error;

            random_design(&draw, &design[s]);
            good = good && evaluate(&design[s], &result[s], &error) == STATUS_OK;
        }
        if (!good || !compare_from(0, &comparison) || !compare_from(1, &back))
            continue;
        pairs++;
        if (mirrored(&comparison, &back, seed))
            same_differences(&comparison, &back, seed);
    }
    comparison_free(&back);
    CHECK_TRUE(pairs > 0, "%d pairs had a meaning", pairs);
}

SUITE(start, end)
