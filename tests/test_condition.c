#include <math.h>
#include <string.h>

#include "check.h"
#include "explore/condition.h"
#include "rows.h"
#include "sample.h"

static struct scenario scenario;
static struct conditions conditions;
static struct error error;

static bool evaluated(void)
{
    sample_chain(&scenario);
    return sample_evaluate(&scenario, sample_result());
}

static enum status parse(const char *text)
{
    return conditions_parse(&scenario, sample_result(), text, &conditions, &error);
}

static void check_good(const struct row *row)
{
    char text[CONDITIONS_MAX * CONDITION_TEXT_MAX];

    if (!ROW_TRUE(row, parse(row->field[0]) == STATUS_OK, "%s", error.message))
        return;
    conditions_print(&conditions, text, sizeof text);
    ROW_STR(row, text, row->field[1]);
}

TEST(read_and_printed)
{
    if (evaluated())
        rows_each("conditions.txt", "good", 2, check_good);
    CHECK_INT(parse(CONDITIONS_DEFAULT), STATUS_OK);
}

/* Transfers have a > in their name. */
TEST(of_transfers)
{
    sample_chain(&scenario);
    sample_round_device(&scenario, "other");
    sample_set(&scenario, "component.recon.device", "other");
    if (CHECK(sample_evaluate(&scenario, sample_result()))) {
        CHECK_INT(parse("component.slopes>recon.time<=10us"), STATUS_OK);
        CHECK_STR(conditions.list[0].left.name, "slopes>recon");
        CHECK_INT(parse("component.slopes>recon.time > component.recon>control.time"), STATUS_OK);
        CHECK_STR(conditions.list[0].right.name, "recon>control");
    }
}

static void check_bad(const struct row *row)
{
    if (ROW_TRUE(row, parse(row->field[0]) == STATUS_INVALID, "accepted"))
        ROW_TRUE(row, strstr(error.message, row->field[1]) != NULL, "\"%s\" lacks \"%s\"",
                 error.message, row->field[1]);
}

TEST(refused)
{
    if (evaluated())
        rows_each("conditions.txt", "bad", 2, check_bad);
}

static double shortfall(const char *text)
{
    CHECK_TRUE(parse(text) == STATUS_OK, "%s: %s", text, error.message);
    return conditions_shortfall(&scenario, sample_result(), &conditions);
}

TEST(how_far_from_being_met)
{
    struct result *result = sample_result();

    if (!evaluated())
        return;
    result->latency = 1e-3;
    CHECK_NEAR(shortfall("latency<=1ms"), 0, 0);
    CHECK_NEAR(shortfall("latency>=1ms"), 0, 0);
    CHECK(shortfall("latency<1ms") > 0);
    CHECK(shortfall("latency>1ms") > 0);
    CHECK_NEAR(shortfall("latency<=500us"), 1, 1e-12);
    CHECK_NEAR(shortfall("latency>=2ms"), 0.5, 1e-12);
    CHECK_NEAR(shortfall("latency<=0us"), 1000, 1e-12);
    CHECK_NEAR(shortfall("latency<=500us,latency<=250us"), 3, 1e-12);
    CHECK_NEAR(shortfall("latency<=500us,latency<=2ms"), 1, 1e-12);
    /* what a design does not have */
    CHECK(isinf(shortfall("component.camera.rows>=0")));
}

static double least(const char *text)
{
    CHECK_TRUE(parse(text) == STATUS_OK, "%s: %s", text, error.message);
    return conditions_least_shortfall(&scenario, sample_result(), &conditions);
}

/* An overloaded design does not reach its latency: what lacks is its load. */
TEST(an_overloaded_design)
{
    sample_chain(&scenario);
    sample_set(&scenario, "scenario.frame_rate", "3 kHz"); /* the readout takes 500 us */
    if (!sample_evaluate(&scenario, sample_result()) || !CHECK(sample_result()->overloaded))
        return;
    CHECK_NEAR(shortfall("latency<=1s"), 0.5, 1e-9);
    CHECK_NEAR(shortfall("latency_low<=1s"), 0.5, 1e-9);
    CHECK_NEAR(shortfall("latency_high<=1s"), 0.5, 1e-9);
    CHECK_NEAR(shortfall("margin>=1us"), 0.5, 1e-9);
    CHECK_NEAR(shortfall("target_latency>=latency"), 0.5, 1e-9);
    CHECK_NEAR(shortfall("loop.servo_lag<=1m"), 0.5, 1e-9);
    CHECK_NEAR(shortfall("load<=2"), 0, 0);
    CHECK_NEAR(shortfall("max_frame_rate>=1Hz"), 0, 0);
    CHECK_NEAR(least("latency_high<=1s"), 0.5, 1e-9);
    CHECK(sample_result()->margin == RESULT_NONE);
}

/* Returns what the first condition on a derived result allows as upper end. */
static double most_high(const char *text)
{
    least(text);
    return conditions_most_high(&scenario, sample_result(), &conditions);
}

TEST(most_of_the_upper_end)
{
    if (!evaluated())
        return;
    CHECK_NEAR(most_high("latency<=250us,latency_high<=2ms,latency_high<=1ms"), 2e-3, 1e-12);
    CHECK_NEAR(most_high("latency_high<target_latency"), sample_result()->target, 0);
    CHECK(isinf(most_high("latency_high>=2ms")));
    CHECK(isinf(most_high("latency_low<=1ms,latency_high<=2ms")));
    CHECK(isinf(most_high("latency_high<=latency_low")));
    CHECK(isinf(most_high("target_latency>=latency_high")));
    CHECK(isinf(most_high("latency<=1ms")));
}

/* Before the range of the latency is found. */
TEST(how_far_at_least)
{
    struct result *result = sample_result();

    if (!evaluated())
        return;
    result->latency = 1e-3;
    CHECK(result->latency_low == RESULT_NONE && result->latency_high == RESULT_NONE);
    CHECK_NEAR(least("latency_high<=500us"), 1, 1e-12);
    CHECK_NEAR(least("latency_high<=1ms"), 0, 0);
    CHECK_NEAR(least("latency_high>=2ms"), 0, 0);
    CHECK_NEAR(least("latency_low>=2ms"), 0.5, 1e-12);
    CHECK_NEAR(least("latency_low<=500us"), 0, 0);
    CHECK_NEAR(least("latency<=250us,latency_high<=2ms"), 3, 1e-12);
    CHECK_NEAR(least("latency_high<=target_latency"),
               1e-3 > result->target ? 1e-3 / result->target - 1 : 0, 1e-12);
    CHECK_NEAR(least("target_latency>=latency_high"), 0, 0);
    CHECK(conditions_derived(&conditions) == DERIVED_UPPER);
    CHECK_NEAR(least("latency<=1ms"), 0, 0);
    CHECK(conditions_derived(&conditions) == DERIVED_NONE);
    CHECK_NEAR(least("latency_high>=latency_low"), 0, 0);
    CHECK(conditions_derived(&conditions) == DERIVED_RANGE);
    CHECK_NEAR(least("loop.total<=90nm"), 0, 0);
    CHECK(conditions_derived(&conditions) == DERIVED_BUDGET);
    /* what may not keep up has no upper end */
    result->latency_low = 5e-4;
    CHECK(isinf(shortfall("latency_high<=2ms")));
    CHECK_NEAR(shortfall("latency_low<=250us"), 1, 1e-12);
}
