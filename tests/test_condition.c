#include <math.h>
#include <string.h>

#include "check.h"
#include "explore/condition.h"
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

/* Text, what it is printed as. */
static const char *const good[][2] = {
    {"latency<=800us", "latency <= 800 us"},
    {"latency <= 800 us", "latency <= 800 us"},
    {"\t latency<=800", "latency <= 800 us"},
    {"latency<0.8ms ", "latency < 800 us"},
    {"latency>=1e-3 s", "latency >= 1000 us"},
    {"max_frame_rate > 2kHz", "max_frame_rate > 2000 Hz"},
    {"load<=1", "load <= 1"},
    {"loop.servo_lag<=60 nm", "loop.servo_lag <= 60 nm"},
    {"component.recon.time<=1 us", "component.recon.time <= 1 us"},
    {"device.rtc.memory_bandwidth>=100GB/s", "device.rtc.memory_bandwidth >= 100000000000 B/s"},
    {"margin >= -5us", "margin >= -5 us"},
    {"latency<=target_latency", "latency <= target_latency"},
    {"component.recon.time < component.slopes.time",
     "component.recon.time < component.slopes.time"},
    {"latency<=1ms , load<=1", "latency <= 1000 us and load <= 1"},
    {CONDITIONS_DEFAULT, "latency <= target_latency and load <= 1"},
};

TEST(read_and_printed)
{
    for (size_t i = 0; evaluated() && i < sizeof good / sizeof good[0]; i++) {
        char text[CONDITIONS_MAX * CONDITION_TEXT_MAX];

        if (!CHECK_TRUE(parse(good[i][0]) == STATUS_OK, "%s: %s", good[i][0], error.message))
            continue;
        conditions_print(&conditions, text, sizeof text);
        CHECK_STR(text, good[i][1]);
    }
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

static const struct {
    const char *text, *says;
} bad[] = {
    {"", "\"\" is not a condition"},
    {"latency", "\"latency\" is not a condition"},
    {"latency=800us", "as in latency<=800us"},
    {"latency==800us", "is not a condition"},
    {"latency=<800us", "is not a condition"},
    {"latency<=", "is not a condition"},
    {"<=800us", "is not a condition"},
    {"latency<=800us,", "\"\" is not a condition"},
    {"latensy<=800us", "did you mean latency?"},
    {"component.recom.time<=1us", "did you mean component.recon.time?"},
    {"latency<=800 GB", "GB is a unit of another kind, this value is in us"},
    {"latency<=800 parsecs", "unknown unit \"parsecs\""},
    {"latency<=1,5us", "\"5us\" is not a condition"},
    {"load<=1us", "\"us\" follows the number, which has no unit"},
    {"latency<=nan", "unknown result \"nan\""},
    {"latency<=inf", "unknown result \"inf\""},
    {"latency<=1e999", "unknown result"},
    {"latency<=targt_latency", "did you mean target_latency?"},
    {"latency<=load", "latency and load are of different dimensions"},
    {"load<1,load<2,load<3,load<4,load<5", "more than 4 conditions"},
};

TEST(refused)
{
    for (size_t i = 0; evaluated() && i < sizeof bad / sizeof bad[0]; i++)
        if (CHECK_TRUE(parse(bad[i].text) == STATUS_INVALID, "accepted: %s", bad[i].text))
            CHECK_TRUE(strstr(error.message, bad[i].says) != NULL, "%s: \"%s\" lacks \"%s\"",
                       bad[i].text, error.message, bad[i].says);
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
